//! The adoption agency algorithm (13.2.6.4.7): end tags of formatting elements that are not nested properly.
//!
//! In: the name of a formatting element that ends. Out: moved and newly created elements. At most 8 rounds, each O(open
//! elements).

use super::element_classes::{SCOPE, SPECIAL};
use super::formatting::FormattingElement;
use super::open_elements::OpenElement;
use super::{StartTag, TreeBuilder};
use crate::tags::TagName;
use crate::tree::Node;

const MAX_ROUNDS: usize = 8;
/// How many formatting elements between the two that matter stay formatting elements.
const MAX_KEPT: usize = 3;

impl TreeBuilder {
    pub(super) fn adoption_agency(&mut self, subject: TagName) {
        let current = self.stack.current();
        if current.name == subject && self.formatting.position(current.node).is_none() {
            self.stack.pop();
            return;
        }
        for _ in 0..MAX_ROUNDS {
            let Some((list_position, formatting)) = self.formatting.find(subject) else {
                return self.any_other_end_tag(subject);
            };
            let Some(position) = self.stack.position(formatting.node) else {
                self.formatting.remove(list_position);
                return;
            };
            let above = (position + 1..self.stack.len()).map(|at| self.stack.get(at));
            if above.clone().any(|element| element.has(SCOPE)) {
                return;
            }
            let Some(furthest) = above.clone().position(|element| element.has(SPECIAL)) else {
                self.stack.truncate(position);
                self.formatting.remove(list_position);
                return;
            };
            self.adopt(formatting, position, position + 1 + furthest);
        }
    }

    /// Moves what is around and in the furthest block, so that the formatting element ends.
    fn adopt(&mut self, formatting: FormattingElement, position: usize, furthest_position: usize) {
        let furthest = self.stack.get(furthest_position);
        let common_ancestor = self.stack.get(position.saturating_sub(1));
        let (last, bookmark) = self.adopt_between(position, furthest_position, furthest.node);
        self.draft.detach(last);
        self.insert_node_in(common_ancestor, last);
        let node = self.create_again(formatting);
        self.draft.move_children(furthest.node, node);
        self.draft.append(furthest.node, node);

        self.stack.remove_node(formatting.node);
        // without the formatting element, the block is where it was, or before that if others were removed too
        let block = self.stack.position(furthest.node).unwrap_or(0);
        self.stack.insert(block + 1, OpenElement::html(node, formatting.name));
        let again = formatting.again(node, block + 1);
        if let Some(after) = bookmark.and_then(|after| self.formatting.position(after)) {
            self.formatting.insert(after + 1, again);
            self.formatting.remove_node(formatting.node);
        } else if let Some(at) = self.formatting.position(formatting.node) {
            self.formatting.replace(at, again);
        }
    }

    /// The inner loop: creates the formatting elements between the two again, around the block. Returns the outermost
    /// of them (or the block), and the one after which the bookmark is.
    fn adopt_between(
        &mut self,
        position: usize,
        furthest_position: usize,
        block: Node,
    ) -> (Node, Option<Node>) {
        let (mut last, mut bookmark) = (block, None);
        for (count, at) in (position + 1..furthest_position).rev().enumerate() {
            let element = self.stack.get(at);
            let entry = self.formatting.position(element.node);
            let known = entry.and_then(|entry| Some((entry, self.formatting.element(entry)?)));
            let Some((entry, formatting)) = known.filter(|_| count < MAX_KEPT) else {
                if let Some(entry) = entry {
                    self.formatting.remove(entry);
                }
                self.stack.remove(at);
                continue;
            };
            let node = self.create_again(formatting);
            self.stack.replace_node(at, node);
            self.formatting.replace(entry, formatting.again(node, at));
            if last == block {
                bookmark = Some(node);
            }
            self.draft.append(node, last);
            last = node;
        }
        (last, bookmark)
    }

    fn create_again(&mut self, formatting: FormattingElement) -> Node {
        let FormattingElement { name, attrs, .. } = formatting;
        self.create_html(StartTag { name, tag: Self::tag_of(name), attrs, self_closing: false })
    }
}
