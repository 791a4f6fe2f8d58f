//! Where on a page the records, their fields, the next link, the counter and the search form are: an outline for people.
//!
//! In: a page and its answer. Out: the page's zones, headings and texts as nested blocks, shortened, with what was found
//! marked; with positions if a browser showed the page. Data only: texts are as the site wrote them. O(nodes).

use crate::outline_marks::{BlockKind, MAX_BLOCK_TEXT, MAX_SHOWN_RECORDS, Mark, outline_marks};
use copal_dom::{NONE, Node, Page, Rect, tags};
use copal_extract::Answer;

/// Blocks of a page that are kept.
const MAX_BLOCKS: usize = 300;
/// Records whose positions are kept, for the picture.
const MAX_PLACED_RECORDS: usize = 200;
/// Blocks inside blocks; deeper zones are left out.
const MAX_BLOCK_DEPTH: usize = 12;

/// One block of an outline.
#[derive(Debug, Clone, PartialEq)]
pub struct OutlineBlock {
    /// Blocks that enclose it.
    pub depth: usize,
    /// What it is.
    pub kind: BlockKind,
    /// Its name: of a zone, of columns, of a field.
    pub label: String,
    /// The beginning of its text.
    pub text: String,
    /// Characters of the whole text.
    pub characters: usize,
    /// Where it is, if a browser showed the page.
    pub rect: Option<Rect>,
}

/// A page with what was found on it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageOutline {
    /// The URL.
    pub url: String,
    /// What the page is for the run.
    pub title: String,
    /// Its blocks in document order.
    pub blocks: Vec<OutlineBlock>,
    /// Records on the page.
    pub records: usize,
    /// The page as a PNG, if a browser showed it.
    pub picture: Option<Vec<u8>>,
}

/// The outline of a page.
pub fn page_outline(page: &Page, answer: &Answer, title: &str) -> PageOutline {
    let mut outline = PageOutline {
        url: page.url.clone().unwrap_or_default(),
        title: title.to_owned(),
        records: answer.primary().map_or(0, |list| list.records.len()),
        ..PageOutline::default()
    };
    let marks = outline_marks(page, answer);
    let first = answer.primary().and_then(|list| Some(list.records.first()?.place.parts.first()?.start));
    let mut builder =
        OutlineBuilder { page, outline: &mut outline, open: Vec::new(), records: 0, first_record: first };
    let mut node: Node = 0;
    let end = page.tree.len() as Node;
    while node < end && builder.outline.blocks.len() < MAX_BLOCKS {
        node = builder.visit(node, marks.get(&node));
    }
    let hidden = builder.records.saturating_sub(MAX_SHOWN_RECORDS);
    if hidden > 0 {
        builder.push_more(hidden);
    }
    outline
}

struct OutlineBuilder<'a> {
    page: &'a Page,
    outline: &'a mut PageOutline,
    /// The ends of the enclosing blocks, and whether they are records.
    open: Vec<(Node, BlockKind)>,
    records: usize,
    first_record: Option<Node>,
}

impl OutlineBuilder<'_> {
    /// Adds what begins at a node. Returns the node to go on with.
    fn visit(&mut self, node: Node, mark: Option<&Mark>) -> Node {
        let tree = &self.page.tree;
        while self.open.last().is_some_and(|(end, _)| *end <= node) {
            self.open.pop();
        }
        let (end, tag) = (tree.end(node), tree.tag(node));
        if node > 0 && !tree.is_text(node) && !self.page.styles.is_shown(node) || tag == tags::HEAD {
            return end;
        }
        let inside = self.open.last().map(|(_, kind)| *kind);
        if let Some(mark) = mark {
            return self.visit_marked(node, end, mark);
        }
        // a record and a form are shown by their fields
        let is_closed =
            matches!(inside, Some(BlockKind::Record | BlockKind::SearchForm | BlockKind::OtherForm));
        if tree.is_text(node) {
            if !is_closed {
                self.push_text(node);
            }
            return end;
        }
        if is_closed {
            return node + 1;
        }
        if let Some(zone) = zone_name(self.page, node) {
            self.push(node, BlockKind::Zone, zone, String::new(), 0);
            self.enter(end, BlockKind::Zone);
        } else if matches!(tag, tags::H1 | tags::H2 | tags::H3) {
            let text = self.page.text_of(node);
            self.push_cut(node, BlockKind::Heading, "", &text);
            return end;
        }
        node + 1
    }

    fn visit_marked(&mut self, node: Node, end: Node, mark: &Mark) -> Node {
        let text = || self.page.text_of(node);
        match mark.kind {
            BlockKind::Record => {
                self.records += 1;
                if self.records <= MAX_SHOWN_RECORDS {
                    self.push(node, BlockKind::Record, &mark.label, String::new(), 0);
                    self.enter(end, BlockKind::Record);
                    return node + 1;
                }
                if self.records <= MAX_PLACED_RECORDS && self.page.boxes.is_some() {
                    self.push(node, BlockKind::MoreRecords, &mark.label, String::new(), 0);
                }
                end
            }
            // a button of each record is not worth a line
            BlockKind::OtherForm if self.is_in_record() => end,
            BlockKind::SearchForm | BlockKind::OtherForm => {
                self.push(node, mark.kind, &mark.label, String::new(), 0);
                self.enter(end, mark.kind);
                node + 1
            }
            BlockKind::Field | BlockKind::FormField => {
                let mut text = if mark.kind == BlockKind::Field { text() } else { String::new() };
                if text.trim().is_empty() {
                    text.clone_from(&mark.value);
                }
                self.push_cut(node, mark.kind, &mark.label, &text);
                // columns may be read from inside: a link in a heading
                if self.open.is_empty() || !self.is_in_record() && mark.kind == BlockKind::Field {
                    end
                } else {
                    node + 1
                }
            }
            kind => {
                let text = text();
                self.push_cut(node, kind, &mark.label, &text);
                // the element that announces the number may enclose the list
                let has_records = self.first_record.is_some_and(|first| (node + 1..end).contains(&first));
                if has_records { node + 1 } else { end }
            }
        }
    }

    fn is_in_record(&self) -> bool {
        self.open.iter().any(|(_, kind)| *kind == BlockKind::Record)
    }

    fn enter(&mut self, end: Node, kind: BlockKind) {
        if self.open.len() < MAX_BLOCK_DEPTH {
            self.open.push((end, kind));
        }
    }

    fn push_cut(&mut self, node: Node, kind: BlockKind, label: &str, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let characters = text.chars().count();
        let text = text.chars().take(MAX_BLOCK_TEXT).collect();
        self.push(node, kind, label, text, characters);
    }

    fn push(&mut self, node: Node, kind: BlockKind, label: &str, text: String, characters: usize) {
        let label = label.chars().take(MAX_BLOCK_TEXT).collect();
        let rect = self.page.boxes.as_ref().and_then(|boxes| boxes.rect(node));
        let depth = self.open.len();
        self.outline.blocks.push(OutlineBlock { depth, kind, label, text, characters, rect });
    }

    /// Adds a text to the text before it, if nothing is between them.
    fn push_text(&mut self, node: Node) {
        let words: Vec<&str> = self.page.tree.raw_text(node).split_whitespace().collect();
        let is_shown = self.page.tree.parent(node) != NONE && self.page.styles.is_shown(node);
        if words.is_empty() || !is_shown {
            return;
        }
        let (text, depth) = (words.join(" "), self.open.len());
        let added = text.chars().count();
        match self
            .outline
            .blocks
            .last_mut()
            .filter(|last| last.kind == BlockKind::Text && last.depth == depth)
        {
            Some(last) => {
                let left = MAX_BLOCK_TEXT.saturating_sub(last.text.chars().count() + 1);
                if left > 0 {
                    last.text.push(' ');
                    last.text.extend(text.chars().take(left));
                }
                last.characters += added + 1;
            }
            None => self.push(node, BlockKind::Text, "", text.chars().take(MAX_BLOCK_TEXT).collect(), added),
        }
    }

    /// Adds how many records are not shown, after the last one that is.
    fn push_more(&mut self, hidden: usize) {
        let blocks = &mut self.outline.blocks;
        let Some(last) = blocks.iter().rposition(|block| block.kind == BlockKind::Record) else { return };
        let depth = blocks[last].depth;
        let inside = blocks[last + 1..].iter().take_while(|block| block.depth > depth).count();
        let label = format!("{hidden} more record{}", if hidden == 1 { "" } else { "s" });
        let (kind, text) = (BlockKind::MoreRecords, String::new());
        blocks
            .insert(last + 1 + inside, OutlineBlock { depth, kind, label, text, characters: 0, rect: None });
    }
}

/// The name of a part of the page.
fn zone_name(page: &Page, node: Node) -> Option<&'static str> {
    let tree = &page.tree;
    let by_role = match tree.attr_named(node, "role") {
        Some("banner") => Some("header"),
        Some("navigation") => Some("navigation"),
        Some("main") => Some("main content"),
        Some("complementary") => Some("side"),
        Some("contentinfo") => Some("footer"),
        _ => None,
    };
    by_role.or(match tree.tag(node) {
        tags::HEADER => Some("header"),
        tags::NAV => Some("navigation"),
        tags::MAIN => Some("main content"),
        tags::ASIDE => Some("side"),
        tags::FOOTER => Some("footer"),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;
    use copal_extract::Request;

    #[test]
    fn what_was_found_is_marked_where_it_is() {
        let items: String = (1..=8)
            .map(|n| {
                format!(
                    "<li class=item><h3><a href='/kettle/{n}'>Copper kettle model {n}</a></h3><b class=price>£{n}.50</b>\
                     <p>Made by hand in workshop {n}.</p></li>"
                )
            })
            .collect();
        let html = format!(
            "<header><p>The kettle shop</p></header><nav><a href=/>Home</a> <a href=/about>About</a></nav><main><h1>Kettles</h1>\
             <form action=/find role=search><label>Search <input type=search name=q></label><button>Search</button></form>\
             <p class=count>23 kettles</p><ul>{items}</ul><a rel=next href='?page=2'>Next page</a></main>\
             <footer>Made <span hidden>secretly</span> by us</footer>"
        );
        let mut page = Page::from_text(&html, &Limits::default());
        page.url = Some("https://a.example/kettles".into());
        let answer = copal_extract::extract(&page, &Request::default());
        let outline = page_outline(&page, &answer, "a list");
        let shown: Vec<String> = outline
            .blocks
            .iter()
            .map(|block| {
                format!("{}{:?} {} {}", "-".repeat(block.depth), block.kind, block.label, block.text)
            })
            .collect();
        let text = shown.join("\n");
        let at = |part: &str| {
            shown.iter().position(|line| line.contains(part)).unwrap_or_else(|| panic!("{part}: {text}"))
        };
        assert!(at("Zone header") < at("Zone navigation") && at("Zone navigation") < at("Zone main"));
        assert!(
            at("SearchForm") < at("FormField Search (text)")
                && at("FormField Search (text)") < at("Counter announces 23")
        );
        assert!(at("Record record 1") < at("Copper kettle model 1"));
        assert!(at("MoreRecords 5 more records") < at("NextLink https://a.example/kettles?page=2"));
        assert_eq!(shown.iter().filter(|line| line.contains("Record record")).count(), 3);
        assert!(text.contains("Text  Made by us") && !text.contains("secretly"), "{text}");
        assert!(shown[at("Record record 2") + 1].contains("Field"), "{text}");
    }

    #[test]
    fn large_pages_are_cut() {
        let html = "<nav>".repeat(2_000) + &"<h2>word</h2><p>text".repeat(2_000);
        let page = Page::from_text(&html, &Limits::default());
        let outline = page_outline(&page, &Answer::default(), "");
        assert!(outline.blocks.len() <= MAX_BLOCKS);
        assert!(outline.blocks.iter().all(|block| block.depth <= MAX_BLOCK_DEPTH));
    }
}
