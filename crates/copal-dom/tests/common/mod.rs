//! What must hold for every finished tree, whatever the page was. The tests of the parser share it.

use copal_dom::{NONE, Node, Tree, tags};

/// Panics if the arena contradicts itself. O(nodes + text).
pub(crate) fn check_arena(tree: &Tree) {
    let len = tree.len() as Node;
    assert!(len > 0 && tree.tag(0) == tags::DOCUMENT && tree.parent(0) == NONE && tree.depth(0) == 0);
    assert_eq!(tree.end(0), len, "the document holds everything");
    assert_eq!((tree.prev_sibling(0), tree.next_sibling(0)), (NONE, NONE));

    // the open elements, each with its last child so far
    let mut open: Vec<(Node, Node)> = vec![(0, NONE)];
    let mut text_at = tree.raw_text(0).as_ptr() as usize;
    for node in 1..len {
        while open.last().is_some_and(|&(above, _)| node >= tree.end(above)) {
            let (closed, last) = open.pop().expect("checked above");
            if last != NONE {
                assert_eq!(tree.end(last), tree.end(closed), "{closed} ends with its last child");
                assert_eq!(tree.next_sibling(last), NONE, "{last} is the last child of {closed}");
            }
        }
        let (parent, last) = open.last_mut().expect("the document ends last");
        assert_eq!(tree.parent(node), *parent, "{node} is inside {parent}");
        assert_eq!(tree.depth(node), tree.depth(*parent) + 1, "depth of {node}");
        assert_eq!(tree.prev_sibling(node), *last, "sibling before {node}");
        if *last != NONE {
            assert_eq!(tree.next_sibling(*last), node, "sibling after {last}");
            assert_eq!(tree.end(*last), node, "{last} ends where {node} begins");
        }
        *last = node;
        assert!(node < tree.end(node) && tree.end(node) <= tree.end(tree.parent(node)), "end of {node}");

        let own = tree.raw_text(node);
        assert_eq!(own.as_ptr() as usize, text_at, "the text of {node} begins where the one before ended");
        if tree.is_text(node) {
            assert_eq!(tree.end(node), node + 1, "text {node} has no children");
            assert!(!own.is_empty(), "text {node} is empty");
            assert_eq!(tree.attributes(node).count(), 0, "text {node} has attributes");
            text_at += own.len();
        } else {
            assert!(tree.tag(node) != tags::DOCUMENT, "{node} is a second document");
        }
        open.push((node, NONE));
    }
    let all = tree.raw_text(0);
    assert_eq!(all.as_ptr() as usize + all.len(), text_at, "all text belongs to a text node");
}
