//! Tree to styles and index: of the input as a page, and of the input as the style of an element.

use copal_dom::style::Display;
use copal_dom::{Limits, NONE, Page};
use std::time::Duration;

pub(crate) fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let declarations = text.replace('&', "&amp;").replace('"', "&quot;");
    check_page(&text);
    check_page(&format!("<style>{text}</style><p style=\"{declarations}\">a<b>1</b><i hidden>2</i>"));
    check_page(&format!("<font size=\"{declarations}\" color=\"{declarations}\">a<font size=+1>b"));
}

fn check_page(text: &str) {
    let mut limits = Limits::default();
    limits.time = Duration::from_hours(1);
    let page = Page::from_text(text, &limits);
    let (tree, styles, index) = (&page.tree, &page.styles, &page.index);
    for node in tree.nodes() {
        let parent = tree.parent(node);
        if styles.display(node) == Display::None {
            assert!(!styles.is_shown(node), "{node} is not displayed but shown");
        }
        if parent != NONE && styles.display(parent) == Display::None {
            assert!(!styles.is_shown(node), "{node} is shown inside what is not displayed");
        }
        assert!(styles.style(node).size <= 6000, "font size of {node}");

        // sums of a subtree are those of its children; links and digits are among the characters
        let whole = node..tree.end(node);
        let sum = |of: &dyn Fn(&std::ops::Range<u32>) -> u32| {
            of(&(node..node + 1))
                + tree.children(node).map(|child| of(&(child..tree.end(child)))).sum::<u32>()
        };
        let chars = index.chars(&whole);
        assert_eq!(chars, sum(&|range| index.chars(range)), "characters of {node}");
        assert_eq!(index.leaves(&whole), sum(&|range| index.leaves(range)), "texts of {node}");
        assert_eq!(index.images(&whole), sum(&|range| index.images(range)), "images of {node}");
        assert!(index.link_chars(&whole) <= chars && index.digits(&whole) <= chars, "link text of {node}");
        if parent != NONE && tree.is_text(node) {
            assert_eq!(index.path(node), index.path(parent), "path of text {node}");
        }
    }
    let visible = page.visible_text(tree.nodes());
    let chars = visible.chars().filter(|c| !c.is_whitespace()).count();
    assert_eq!(chars, index.chars(&tree.nodes()) as usize, "visible text and its count differ");
}
