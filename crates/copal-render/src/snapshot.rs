//! The browser's snapshot of a page (`DOMSnapshot.captureSnapshot`) as a [`Page`].
//!
//! In: JSON of the page's own process, and of frames in other processes. Out: one page: the content of frames
//! is below their elements, and shadow trees are part of the tree, with slotted nodes in their slots (the
//! browser does that). One pass over all nodes, without recursion: O(nodes + text).
//!
//! The browser may have been taken over by the page, so indices are not trusted.

use std::collections::{HashMap, HashSet};

use copal_dom::style::Display;
use copal_dom::{Limits, Node, Page, Rect, RenderedLook, RenderedPageBuilder};
use url::Url;

use crate::captured::{CapturedDocument, CapturedSnapshot, computed_style};

const ELEMENT_NODE: u8 = 1;
const TEXT_NODE: u8 = 3;

/// The snapshot of a frame in a process of its own.
#[derive(Debug)]
pub(crate) struct FrameSnapshot {
    /// The frame's element in the page's own snapshot.
    pub(crate) owner: i64,
    pub(crate) snapshot: CapturedSnapshot,
}

/// A page and the browser's numbers of its elements.
#[derive(Debug)]
pub(crate) struct ConvertedPage {
    pub(crate) page: Page,
    /// By node; 0 for texts and for nodes of other processes.
    pub(crate) backend_ids: Vec<i64>,
}

/// The page in a snapshot (the result of `DOMSnapshot.captureSnapshot` as JSON); `None` if it is not one.
/// The styles must be those that this crate asks for.
pub fn page_from_snapshot(json: &[u8], limits: &Limits) -> Option<Page> {
    let snapshot: CapturedSnapshot = serde_json::from_slice(json).ok()?;
    Some(convert(&snapshot, &[], limits).page)
}

/// Turns a snapshot into a page.
pub(crate) fn convert(main: &CapturedSnapshot, frames: &[FrameSnapshot], limits: &Limits) -> ConvertedPage {
    let mut conversion = Conversion {
        builder: RenderedPageBuilder::new(limits),
        backend_ids: Vec::new(),
        frames: frames.iter().map(|frame| (frame.owner, &frame.snapshot)).collect(),
        visited: HashSet::new(),
        cursors: Vec::new(),
    };
    conversion.enter(main, 0, true, (0.0, 0.0), false);
    while let Some(mut cursor) = conversion.cursors.pop() {
        if conversion.step(&mut cursor) {
            // a frame that was just entered is on top and comes first
            let at = conversion.cursors.len() - usize::from(cursor.entered_frame);
            cursor.entered_frame = false;
            conversion.cursors.insert(at, cursor);
        }
    }
    let mut page = conversion.builder.finish();
    let url = main.documents.first().map(|document| main.string(document.document_url).to_owned());
    page.url = url.filter(|url| url.starts_with("http"));
    conversion.backend_ids.resize(page.tree.len(), 0);
    ConvertedPage { page, backend_ids: conversion.backend_ids }
}

struct Conversion<'a> {
    builder: RenderedPageBuilder,
    backend_ids: Vec<i64>,
    frames: HashMap<i64, &'a CapturedSnapshot>,
    /// Documents that were entered, by the address of their nodes: each is part of the page once.
    visited: HashSet<(usize, usize)>,
    cursors: Vec<DocumentCursor<'a>>,
}

/// How far a document was read.
struct DocumentCursor<'a> {
    snapshot: &'a CapturedSnapshot,
    document: &'a CapturedDocument,
    /// True for the page itself: its frames may be in other processes.
    is_main: bool,
    is_frame: bool,
    /// By node: its entry in the layout.
    layout: HashMap<i64, usize>,
    contents: HashMap<i64, i64>,
    base: Option<Url>,
    offset: (f64, f64),
    next: usize,
    open: Vec<OpenNode>,
    entered_frame: bool,
}

/// A node whose descendants are being read.
struct OpenNode {
    index: i64,
    /// The builder has an open element for it.
    is_element: bool,
    /// Its descendants are left out.
    is_skipped: bool,
    /// Its descendants are not visible, although they have boxes.
    is_clipped: bool,
    is_foreign: bool,
}

impl<'a> Conversion<'a> {
    fn enter(
        &mut self,
        snapshot: &'a CapturedSnapshot,
        number: usize,
        is_main: bool,
        offset: (f64, f64),
        is_frame: bool,
    ) -> bool {
        let Some(document) = snapshot.documents.get(number) else { return false };
        if !self.visited.insert((std::ptr::from_ref(snapshot) as usize, number)) {
            return false;
        }
        let layout = document.layout.node_index.iter().enumerate().map(|(at, &node)| (node, at)).collect();
        let rare = &document.nodes.content_document_index;
        let base = match snapshot.string(document.base_url) {
            "" => snapshot.string(document.document_url),
            base => base,
        };
        self.cursors.push(DocumentCursor {
            snapshot,
            document,
            is_main,
            is_frame,
            layout,
            contents: rare.index.iter().copied().zip(rare.value.iter().copied()).collect(),
            base: Url::parse(base).ok().filter(|_| is_frame),
            offset: (offset.0 - document.scroll_offset_x, offset.1 - document.scroll_offset_y),
            next: 0,
            open: Vec::new(),
            entered_frame: false,
        });
        true
    }

    /// Reads the next node of a document. Returns false at its end.
    fn step(&mut self, cursor: &mut DocumentCursor<'a>) -> bool {
        let nodes = &cursor.document.nodes;
        let (Some(&parent), Some(&kind)) =
            (nodes.parent_index.get(cursor.next), nodes.node_type.get(cursor.next))
        else {
            while let Some(node) = cursor.open.pop() {
                self.close(&node);
            }
            return false;
        };
        let at = cursor.next;
        let index = i64::try_from(at).unwrap_or(i64::MAX);
        cursor.next += 1;
        while cursor.open.last().is_some_and(|node| node.index != parent) {
            if let Some(node) = cursor.open.pop() {
                self.close(&node);
            }
        }
        let above = cursor.open.last();
        if above.is_some_and(|node| node.is_skipped) {
            cursor.open.push(OpenNode::skipped(index));
            return true;
        }
        let (is_clipped, in_foreign) =
            above.map_or((false, false), |node| (node.is_clipped, node.is_foreign));
        let name = cursor.snapshot.string(nodes.node_name.get(at).copied().unwrap_or(-1));
        let layout = cursor.layout.get(&index).copied();
        let (look, is_absolute) = cursor.look(layout, is_clipped);
        match kind {
            TEXT_NODE => {
                let text = cursor.snapshot.string(nodes.node_value.get(at).copied().unwrap_or(-1));
                self.builder.text(text, look);
            }
            // generated content has no text in the snapshot
            ELEMENT_NODE if name.starts_with("::") => cursor.open.push(OpenNode::skipped(index)),
            ELEMENT_NODE if cursor.is_frame && matches!(name, "HEAD" | "head") => {
                cursor.open.push(OpenNode::skipped(index));
            }
            ELEMENT_NODE if cursor.is_frame && matches!(name, "HTML" | "html" | "BODY" | "body") => {
                cursor.open.push(OpenNode::transparent(index));
            }
            ELEMENT_NODE => {
                let is_small = look.is_some_and(|look| look.rect.width <= 1.0 || look.rect.height <= 1.0);
                // text for screen readers only is put into a box of one pixel
                let is_clipped = is_clipped || is_absolute && is_small && has_clipped_size(look);
                let lower = name.to_ascii_lowercase();
                let is_foreign =
                    in_foreign && lower != "foreignobject" || matches!(lower.as_str(), "svg" | "math");
                let content = self.content_of(cursor, index, at);
                // a frame without content stays a frame; one with content is a part of the page
                let tag = if content.is_some() {
                    "div"
                } else if is_foreign {
                    name
                } else {
                    &lower
                };
                let attributes = cursor.attributes(at);
                let attributes = attributes.iter().map(|(name, value)| (*name, value.as_ref()));
                if let Some(node) = self.builder.open(tag, is_foreign, attributes, look) {
                    let id = nodes.backend_node_id.get(at).copied().filter(|_| cursor.is_main);
                    self.note_backend_id(node, id.unwrap_or_default());
                }
                let is_foreign = is_foreign && lower != "foreignobject";
                cursor.open.push(OpenNode {
                    index,
                    is_element: true,
                    is_skipped: false,
                    is_clipped,
                    is_foreign,
                });
                if let Some((snapshot, number, is_main)) = content {
                    let corner =
                        look.map_or((0.0, 0.0), |look| (f64::from(look.rect.x), f64::from(look.rect.y)));
                    cursor.entered_frame = self.enter(snapshot, number, is_main, corner, true);
                }
            }
            // the document and shadow roots; comments and doctypes have no children
            _ => cursor.open.push(OpenNode::transparent(index)),
        }
        true
    }

    fn close(&mut self, node: &OpenNode) {
        if node.is_element {
            self.builder.close();
        }
    }

    fn note_backend_id(&mut self, node: Node, id: i64) {
        self.backend_ids.resize(node as usize, 0);
        self.backend_ids.push(id);
    }

    /// The document inside a frame.
    fn content_of(
        &self,
        cursor: &DocumentCursor<'a>,
        index: i64,
        at: usize,
    ) -> Option<(&'a CapturedSnapshot, usize, bool)> {
        let same_process = cursor.contents.get(&index).and_then(|&number| usize::try_from(number).ok());
        if let Some(number) = same_process {
            return Some((cursor.snapshot, number, cursor.is_main));
        }
        let id = cursor.document.nodes.backend_node_id.get(at).filter(|_| cursor.is_main)?;
        self.frames.get(id).map(|&snapshot| (snapshot, 0, false))
    }
}

impl OpenNode {
    fn skipped(index: i64) -> Self {
        Self { is_skipped: true, ..Self::transparent(index) }
    }

    fn transparent(index: i64) -> Self {
        Self { index, is_element: false, is_skipped: false, is_clipped: false, is_foreign: false }
    }
}

impl<'a> DocumentCursor<'a> {
    /// The attributes of a node. In frames, URLs are made absolute: the page's URL is another one.
    fn attributes(&self, at: usize) -> Vec<(&'a str, std::borrow::Cow<'a, str>)> {
        let Some(indices) = self.document.nodes.attributes.get(at) else { return Vec::new() };
        let pairs = indices.as_chunks::<2>().0.iter();
        pairs
            .map(|&[name, value]| {
                let (name, value) = (self.snapshot.string(name), self.snapshot.string(value));
                let absolute = match (&self.base, name) {
                    (Some(base), "href" | "src" | "action" | "data-src") => base.join(value).ok(),
                    _ => None,
                };
                (name, absolute.map_or(value.into(), |url| String::from(url).into()))
            })
            .collect()
    }

    /// What the browser computed for a node, and whether it is placed absolutely.
    fn look(&self, entry: Option<usize>, is_clipped: bool) -> (Option<RenderedLook>, bool) {
        let Some(entry) = entry else { return (None, false) };
        let styles = self.document.layout.styles.get(entry).map_or(&[][..], Vec::as_slice);
        let property = |number: usize| self.snapshot.string(styles.get(number).copied().unwrap_or(-1));
        let bounds = self.document.layout.bounds.get(entry).map_or(&[][..], Vec::as_slice);
        let [x, y, width, height] = [0, 1, 2, 3].map(|at| bounds.get(at).copied().unwrap_or_default());
        let rect = Rect {
            x: (x + self.offset.0) as f32,
            y: (y + self.offset.1) as f32,
            width: width as f32,
            height: height as f32,
        };
        let display = match property(0) {
            "none" => Display::None,
            "inline" | "contents" | "ruby" => Display::Inline,
            _ => Display::Block,
        };
        let visible = !is_clipped && !matches!(property(1), "hidden" | "collapse");
        let style = computed_style(property);
        (Some(RenderedLook { display, visible, style, rect }), property(9) == "absolute")
    }
}

/// True for a box of one pixel or nothing that still exists.
fn has_clipped_size(look: Option<RenderedLook>) -> bool {
    look.is_some_and(|look| look.rect.width <= 1.0 && look.rect.height <= 1.0 && look.rect.width > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A snapshot of documents; a node is its parent, its type, its name or text, and whether it has a box.
    fn snapshot(documents: &[&[(i64, u8, &str, bool)]], contents: &[(i64, i64)]) -> Vec<u8> {
        let mut strings: Vec<String> =
            ["block", "visible", "16px"].iter().map(|&text| text.to_owned()).collect();
        let mut string = |text: &str| {
            strings.push(text.to_owned());
            strings.len() - 1
        };
        let documents: Vec<serde_json::Value> = documents
            .iter()
            .map(|nodes| {
                let names: Vec<usize> = nodes.iter().map(|node| string(node.2)).collect();
                let boxed: Vec<usize> = (0..nodes.len()).filter(|&at| nodes[at].3).collect();
                let count = boxed.len();
                json!({
                    "nodes": {
                        "parentIndex": nodes.iter().map(|node| node.0).collect::<Vec<_>>(),
                        "nodeType": nodes.iter().map(|node| node.1).collect::<Vec<_>>(),
                        "nodeName": names, "nodeValue": names, "attributes": [],
                        "contentDocumentIndex": {
                            "index": contents.iter().map(|pair| pair.0).collect::<Vec<_>>(),
                            "value": contents.iter().map(|pair| pair.1).collect::<Vec<_>>(),
                        },
                    },
                    "layout": {
                        "nodeIndex": boxed,
                        "styles": vec![vec![0, 1, 2]; count], "bounds": vec![vec![1, 2, 3, 4]; count],
                    },
                })
            })
            .collect();
        json!({ "documents": documents, "strings": strings }).to_string().into_bytes()
    }

    fn html_of(json: &[u8]) -> String {
        let page = page_from_snapshot(json, &Limits::default()).unwrap();
        copal_dom::serialise::html(&page.tree, 0)
    }

    const MAIN: &[(i64, u8, &str, bool)] = &[
        (-1, 9, "#document", true),
        (0, 10, "html", false),
        (0, 1, "HTML", true),
        (2, 1, "BODY", true),
        (3, 1, "UL", true),
        (4, 1, "LI", true),
        (5, 1, "::marker", true),
        (5, 3, "one", true),
        (4, 1, "LI", false),
        (8, 3, "hidden", false),
        (3, 1, "IFRAME", true),
        (3, 1, "P", true),
        (11, 3, "end", true),
    ];
    const FRAME: &[(i64, u8, &str, bool)] = &[
        (-1, 9, "#document", true),
        (0, 1, "HTML", true),
        (1, 1, "HEAD", false),
        (2, 1, "TITLE", false),
        (1, 1, "BODY", true),
        (4, 1, "B", true),
        (5, 3, "framed", true),
    ];

    #[test]
    fn frames_are_part_of_the_page() {
        assert_eq!(
            html_of(&snapshot(&[MAIN, FRAME], &[(10, 1)])),
            "<html><body><ul><li>one</li><li hidden=\"\">hidden</li></ul><div><b>framed</b></div>\
             <p>end</p></body></html>"
        );
    }

    #[test]
    fn wrong_indices_do_no_harm() {
        // a frame that contains its own page, parents that do not exist, names that do not exist
        let json = snapshot(&[MAIN, FRAME], &[(10, 0), (3, 99), (-4, -1)]);
        assert!(html_of(&json).contains("one"));
        let wrong: &[(i64, u8, &str, bool)] = &[(7, 1, "A", true), (-9, 3, "x", true), (1, 1, "B", true)];
        html_of(&snapshot(&[wrong], &[(0, 0)]));
        let text = String::from_utf8(snapshot(&[MAIN], &[])).unwrap();
        for (from, to) in
            [("[0,1,2]", "[99,-5]"), ("[1,2,3,4]", "[]"), ("\"nodeName\":[", "\"nodeName\":[-7,")]
        {
            html_of(text.replace(from, to).as_bytes());
        }
        assert!(page_from_snapshot(b"[1", &Limits::default()).is_none());
    }
}
