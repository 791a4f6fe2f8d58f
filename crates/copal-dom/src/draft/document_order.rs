//! The end of a draft: its nodes become those of a [`Tree`], in document order.
//!
//! In: a draft. Out: its tree. If the nodes were created in document order, their array and the text are not copied.
//! O(nodes), and O(nodes + text) if they were not.

use super::{Draft, DraftNode};
use crate::attrs::AttrRange;
use crate::tags;
use crate::tree::{NONE, Node, Tree, TreeNode};

impl Draft {
    /// The tree of all attached nodes in document order. Nodes that were detached are left out.
    pub fn finish(mut self) -> Tree {
        self.attrs.shrink();
        let (mut nodes, mut text) = if self.ordered && self.newest as usize + 1 == self.nodes.len() {
            (in_order(self.nodes), self.text)
        } else {
            self.reordered()
        };
        for at in 1..nodes.len() {
            nodes[at].depth = nodes[nodes[at].parent as usize].depth + 1;
        }
        for at in (1..nodes.len()).rev() {
            let TreeNode { parent, end, .. } = nodes[at];
            let above = &mut nodes[parent as usize].end;
            *above = end.max(*above);
        }
        nodes.shrink_to_fit();
        text.shrink_to_fit();
        Tree::new(self.tags, self.attrs, nodes, text, self.quirks)
    }

    /// Numbers the attached nodes in document order, and copies their texts.
    fn reordered(&self) -> (Vec<TreeNode>, String) {
        let mut nodes: Vec<TreeNode> = Vec::with_capacity(self.nodes.len());
        let mut text = String::with_capacity(self.text.len());
        // open elements: (node of the draft, number, last child so far)
        let mut open: Vec<(Node, Node, Node)> = Vec::new();
        let mut at = Self::DOCUMENT_NODE;
        loop {
            let node = self.nodes[at as usize];
            let number = nodes.len() as Node;
            let (parent, prev) = match open.last_mut() {
                Some((_, parent, last)) => (*parent, std::mem::replace(last, number)),
                None => (NONE, NONE),
            };
            nodes.push(node.finished(parent, prev, number, text.len()));
            if node.tag == tags::TEXT {
                self.push_text(&node, &mut text);
            } else if node.first != NONE {
                open.push((at, number, NONE));
                at = node.first;
                continue;
            }
            // climb until a node has a next sibling
            while self.nodes[at as usize].next == NONE {
                let Some((above, ..)) = open.pop() else { return (nodes, text) };
                at = above;
            }
            at = self.nodes[at as usize].next;
        }
    }

    fn push_text(&self, node: &DraftNode, text: &mut String) {
        let AttrRange { start, len } = node.attrs;
        text.push_str(&self.text[start as usize..(start + len) as usize]);
        let mut next = node.first;
        while let Some(segment) = self.segments.get(next as usize) {
            text.push_str(&self.text[segment.start as usize..segment.end as usize]);
            next = segment.next;
        }
    }
}

impl DraftNode {
    /// The node of the tree, whose depth and end are not known yet.
    fn finished(self, parent: Node, prev: Node, number: Node, text_at: usize) -> TreeNode {
        let attrs = if self.tag == tags::TEXT { AttrRange::default() } else { self.attrs };
        TreeNode {
            parent,
            prev,
            end: number + 1,
            depth: 0,
            attrs,
            text_at: text_at as u32,
            tag: self.tag,
            foreign: self.foreign,
        }
    }
}

/// The nodes of the tree, if those of the draft are in document order: the same memory, as both are equally large.
fn in_order(nodes: Vec<DraftNode>) -> Vec<TreeNode> {
    let (mut number, mut text_at) = (0, 0);
    let finished = nodes.into_iter().map(|node| {
        let finished = node.finished(node.parent, node.prev, number, text_at);
        if node.tag == tags::TEXT {
            text_at += node.attrs.len as usize;
        }
        number += 1;
        finished
    });
    finished.collect()
}
