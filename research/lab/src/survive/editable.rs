//! A page that can be changed: elements and texts with owned children.
//!
//! In: a parsed tree and the elements of its records. Out: HTML. Nodes keep their numbers of the tree; new
//! elements get higher numbers. O(page) to read and to write.

use copal_dom::{Node, Tree, serialise, tags};

/// An element without its children, or a text.
#[derive(Clone)]
pub(crate) enum NodeContent {
    Element { tag: String, attributes: Vec<(String, String)>, void: bool, foreign: bool },
    Text(String),
}

#[derive(Clone)]
pub(crate) struct EditableNode {
    pub(crate) parent: usize,
    pub(crate) children: Vec<usize>,
    pub(crate) what: NodeContent,
}

/// A page, and where its records are.
#[derive(Clone)]
pub(crate) struct EditablePage {
    pub(crate) items: Vec<EditableNode>,
    /// By record, its elements.
    pub(crate) records: Vec<Vec<usize>>,
}

impl EditablePage {
    pub(crate) fn new(tree: &Tree, records: Vec<Vec<Node>>) -> EditablePage {
        let item = |node: Node| {
            let what = if tree.is_text(node) {
                NodeContent::Text(tree.raw_text(node).to_owned())
            } else {
                NodeContent::Element {
                    tag: tree.tag_name(node).to_owned(),
                    attributes: tree.attributes(node).map(|(a, b)| (a.to_owned(), b.to_owned())).collect(),
                    void: tags::is_void(tree.tag(node)),
                    foreign: tree.is_foreign(node),
                }
            };
            let children = tree.children(node).map(|child| child as usize).collect();
            EditableNode { parent: tree.parent(node) as usize, children, what }
        };
        let records = records.into_iter().map(|tops| tops.into_iter().map(|top| top as usize).collect());
        EditablePage { items: tree.nodes().map(item).collect(), records: records.collect() }
    }

    /// The page's HTML.
    pub(crate) fn html(&self) -> String {
        let mut out = String::from("<!DOCTYPE html>");
        // nodes still to be written, the next one last; true: only the end tag
        let mut todo: Vec<(usize, bool)> = self.items[0].children.iter().rev().map(|&c| (c, false)).collect();
        while let Some((at, end)) = todo.pop() {
            match &self.items[at].what {
                NodeContent::Element { tag, .. } if end => out.push_str(&format!("</{tag}>")),
                NodeContent::Element { tag, attributes, void, .. } => {
                    out.push_str(&format!("<{tag}"));
                    for (name, value) in attributes {
                        out.push_str(&format!(" {name}=\""));
                        serialise::push_attribute(value, &mut out);
                        out.push('"');
                    }
                    out.push('>');
                    if !void {
                        todo.push((at, true));
                        todo.extend(self.items[at].children.iter().rev().map(|&child| (child, false)));
                    }
                }
                NodeContent::Text(text) => {
                    let raw =
                        matches!(self.tag(self.items[at].parent), "script" | "style" | "iframe" | "noframes");
                    serialise::push_text(text, raw, &mut out);
                }
            }
        }
        out
    }

    /// The tag; empty for texts and the document.
    pub(crate) fn tag(&self, at: usize) -> &str {
        match &self.items[at].what {
            NodeContent::Element { tag, .. } => tag,
            NodeContent::Text(_) => "",
        }
    }

    pub(crate) fn is_foreign(&self, at: usize) -> bool {
        matches!(self.items[at].what, NodeContent::Element { foreign: true, .. })
    }

    pub(crate) fn set_tag(&mut self, at: usize, new: &str) {
        if let NodeContent::Element { tag, .. } = &mut self.items[at].what {
            new.clone_into(tag);
        }
    }

    /// Replaces an attribute, or adds it.
    pub(crate) fn set_attribute(&mut self, at: usize, wanted: &str, value: &str) {
        if let NodeContent::Element { attributes, .. } = &mut self.items[at].what {
            attributes.retain(|(name, _)| name != wanted);
            attributes.push((wanted.to_owned(), value.to_owned()));
        }
    }

    pub(crate) fn attribute(&self, at: usize, wanted: &str) -> Option<&str> {
        let NodeContent::Element { attributes, .. } = &self.items[at].what else { return None };
        attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
    }

    /// Tag and classes, which tell the template of an element.
    pub(crate) fn signature(&self, at: usize) -> String {
        format!("{}.{}", self.tag(at), self.attribute(at, "class").unwrap_or_default())
    }

    pub(crate) fn elements(&self, at: usize) -> Vec<usize> {
        let is_element = |&&child: &&usize| matches!(self.items[child].what, NodeContent::Element { .. });
        self.items[at].children.iter().filter(is_element).copied().collect()
    }

    /// The element and its ancestors, inside out, without the document.
    pub(crate) fn up(&self, at: usize) -> Vec<usize> {
        let mut out = vec![at];
        while let Some(&last) = out.last()
            && self.items[last].parent != 0
            && last != 0
        {
            out.push(self.items[last].parent);
        }
        out
    }

    /// True for paragraphs and elements in paragraphs: a block inside would end the paragraph.
    pub(crate) fn in_paragraph(&self, at: usize) -> bool {
        self.up(at).iter().any(|&up| self.tag(up) == "p")
    }

    /// The elements below one, in document order.
    pub(crate) fn below(&self, at: usize) -> Vec<usize> {
        let (mut out, mut todo) = (Vec::new(), self.elements(at));
        todo.reverse();
        while let Some(next) = todo.pop() {
            out.push(next);
            todo.extend(self.elements(next).into_iter().rev());
        }
        out
    }

    /// The lowest element that holds all records.
    pub(crate) fn root(&self) -> usize {
        let mut tops = self.records.iter().flatten();
        let Some(&first) = tops.next() else { return 0 };
        let mut shared: Vec<usize> = self.up(self.items[first].parent);
        for &top in tops {
            let other = self.up(self.items[top].parent);
            shared.retain(|up| other.contains(up));
        }
        shared.first().copied().unwrap_or(0)
    }

    pub(crate) fn position(&self, at: usize) -> usize {
        let siblings = &self.items[self.items[at].parent].children;
        siblings.iter().position(|&child| child == at).unwrap_or(0)
    }

    /// A new element that is not attached yet.
    pub(crate) fn create(&mut self, tag: &str, class: &str) -> usize {
        let attributes =
            if class.is_empty() { Vec::new() } else { vec![("class".to_owned(), class.to_owned())] };
        let what = NodeContent::Element { tag: tag.to_owned(), attributes, void: false, foreign: false };
        self.items.push(EditableNode { parent: 0, children: Vec::new(), what });
        self.items.len() - 1
    }

    pub(crate) fn create_text(&mut self, text: &str) -> usize {
        self.items.push(EditableNode {
            parent: 0,
            children: Vec::new(),
            what: NodeContent::Text(text.to_owned()),
        });
        self.items.len() - 1
    }

    pub(crate) fn insert(&mut self, parent: usize, position: usize, child: usize) {
        self.items[child].parent = parent;
        let position = position.min(self.items[parent].children.len());
        self.items[parent].children.insert(position, child);
    }

    pub(crate) fn append(&mut self, parent: usize, child: usize) {
        self.insert(parent, usize::MAX, child);
    }

    pub(crate) fn remove(&mut self, child: usize) {
        let (parent, position) = (self.items[child].parent, self.position(child));
        self.items[parent].children.remove(position);
    }

    /// Replaces a range of siblings by a new element that contains them.
    pub(crate) fn wrap(&mut self, first: usize, last: usize, outer: usize) {
        let parent = self.items[first].parent;
        let (from, to) = (self.position(first), self.position(last));
        let inside: Vec<usize> = self.items[parent].children.splice(from..=to, [outer]).collect();
        for &child in &inside {
            self.items[child].parent = outer;
        }
        self.items[outer].children = inside;
        self.items[outer].parent = parent;
    }

    /// Puts a new element between an element and its children.
    pub(crate) fn wrap_inside(&mut self, at: usize, inner: usize) {
        let inside = std::mem::replace(&mut self.items[at].children, vec![inner]);
        for &child in &inside {
            self.items[child].parent = inner;
        }
        self.items[inner].children = inside;
        self.items[inner].parent = at;
    }
}
