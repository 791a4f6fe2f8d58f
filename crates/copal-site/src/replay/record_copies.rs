//! Records of a rendered page as sequences of tags and texts, and pages that are made of such sequences.
//!
//! In: a page and the places of its records. Out: copies of the records, and the page around them
//! ([`PageFrame`]), from which a page with other records can be built. What the browser computed for an element
//! is copied too, so that what is hidden stays hidden. O(nodes).

use std::ops::Range;

use copal_dom::{Limits, Node, Page, RenderedLook, RenderedPageBuilder};

/// HTML attributes that records are read by. Others only matter to scripts and styles.
const READ_ATTRIBUTES: &[&str] =
    &["href", "src", "srcset", "alt", "title", "datetime", "content", "value", "itemprop", "colspan"];

/// A step through a copied subtree.
#[derive(Debug, Clone)]
pub(crate) enum CopiedNode {
    Open { name: String, is_foreign: bool, attributes: Vec<(String, String)>, look: Option<RenderedLook> },
    Text { text: String, look: Option<RenderedLook> },
    Close,
}

/// The nodes of one record.
pub(crate) type RecordCopy = Vec<CopiedNode>;

/// True if records are read by this HTML attribute.
pub(crate) fn is_read_attribute(name: &str) -> bool {
    READ_ATTRIBUTES.contains(&name)
}

/// Copies whole sibling subtrees.
pub(crate) fn copy_part(page: &Page, part: Range<Node>) -> RecordCopy {
    let mut ends = Vec::new();
    let mut copy = copy_nodes(page, part, &mut ends);
    copy.extend(ends.iter().map(|_| CopiedNode::Close));
    copy
}

/// Copies nodes in document order. `ends` are the ends of the elements that are still open.
fn copy_nodes(page: &Page, nodes: Range<Node>, ends: &mut Vec<Node>) -> Vec<CopiedNode> {
    let mut copy = Vec::new();
    for node in nodes {
        close_before(node, ends, &mut copy);
        copy.push(copied_node(page, node));
        if !page.tree.is_text(node) {
            ends.push(page.tree.end(node));
        }
    }
    copy
}

fn close_before(node: Node, ends: &mut Vec<Node>, copy: &mut Vec<CopiedNode>) {
    while ends.last().is_some_and(|&end| end <= node) {
        ends.pop();
        copy.push(CopiedNode::Close);
    }
}

fn copied_node(page: &Page, node: Node) -> CopiedNode {
    let tree = &page.tree;
    let rect = page.boxes.as_ref().and_then(|boxes| boxes.rect(node));
    let look = rect.map(|rect| RenderedLook {
        display: page.styles.display(node),
        visible: page.styles.is_shown(node),
        style: *page.styles.style(node),
        rect,
    });
    if tree.is_text(node) {
        return CopiedNode::Text { text: tree.raw_text(node).to_owned(), look };
    }
    let attributes = tree.attributes(node).map(|(name, value)| (name.to_owned(), value.to_owned()));
    CopiedNode::Open {
        name: tree.tag_name(node).to_owned(),
        is_foreign: tree.is_foreign(node),
        attributes: attributes.collect(),
        look,
    }
}

/// What a reader sees of a record, and what it is read by: two records that are equal here are the same.
pub(crate) fn readable_content(record: &[CopiedNode]) -> Vec<&str> {
    let mut content = Vec::new();
    for node in record {
        match node {
            CopiedNode::Open { name, attributes, .. } => {
                content.push(name.as_str());
                let read = attributes.iter().filter(|(name, _)| is_read_attribute(name));
                content.extend(read.flat_map(|(name, value)| [name.as_str(), value.as_str()]));
            }
            CopiedNode::Text { text, look } if is_visible(look.as_ref()) => content.push(text),
            CopiedNode::Text { .. } => {}
            CopiedNode::Close => content.push("/"),
        }
    }
    content
}

/// True if the browser shows what has this look.
pub(crate) fn is_visible(look: Option<&RenderedLook>) -> bool {
    look.is_some_and(|look| look.visible)
}

/// A page without the records of its list.
#[derive(Debug, Clone)]
pub(crate) struct PageFrame {
    before: Vec<CopiedNode>,
    after: Vec<CopiedNode>,
    url: Option<String>,
}

impl PageFrame {
    /// The page around these records, which are in document order. `None` unless all have the same parent.
    pub(crate) fn new(page: &Page, records: &[Range<Node>]) -> Option<PageFrame> {
        let tree = &page.tree;
        let (first, last) = (records.first()?, records.last()?);
        let parent = tree.parent(first.start);
        let is_ordered = records.windows(2).all(|pair| pair[0].end <= pair[1].start);
        let is_sibling = |part: &Range<Node>| !part.is_empty() && tree.parent(part.start) == parent;
        if !is_ordered || !records.iter().all(is_sibling) || last.end > tree.len() as Node {
            return None;
        }
        let mut ends = Vec::new();
        // the first node is the document, which every page has
        let mut before = copy_nodes(page, 1..first.start, &mut ends);
        close_before(first.start, &mut ends, &mut before);
        let mut after = copy_nodes(page, last.end..tree.len() as Node, &mut ends);
        after.extend(ends.iter().map(|_| CopiedNode::Close));
        Some(PageFrame { before, after, url: page.url.clone() })
    }

    /// The page with these records.
    pub(crate) fn with_records(&self, records: &[RecordCopy], limits: &Limits) -> Page {
        let mut builder = RenderedPageBuilder::new(limits);
        for node in self.before.iter().chain(records.iter().flatten()).chain(&self.after) {
            match node {
                CopiedNode::Open { name, is_foreign, attributes, look } => {
                    let attributes = attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                    builder.open(name, *is_foreign, attributes, *look);
                }
                CopiedNode::Text { text, look } => builder.text(text, *look),
                CopiedNode::Close => builder.close(),
            }
        }
        let mut page = builder.finish();
        page.url.clone_from(&self.url);
        page
    }
}
