//! The sections of a page (DEUDS, section IV): what a person could point at.
//!
//! In: a page. Out: [`PageSection`]s in document order: tables, lists, paragraphs, and the values of the
//! remaining boxes. A section is the outermost element that is one of these, so that sections do not overlap.
//! O(elements), plus the cost of a pattern for each section that is listed.

use crate::deuds;
use crate::error::WrapperError;
use crate::locate::ElementIndex;
use copal_dom::{Node, Page, tags};

/// Longest preview in characters.
const MAX_PREVIEW_CHARS: usize = 80;
/// A text with at least this many characters is a paragraph.
const MIN_PARAGRAPH_CHARS: u32 = 80;
/// Sections of a page at most.
const MAX_SECTIONS: usize = 500;
/// A box with more texts than this is not one section.
const MAX_SECTION_VALUES: u32 = 12;

/// What a section is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SectionKind {
    /// A table with rows.
    Table,
    /// A list of items, or of terms with descriptions.
    List,
    /// A text.
    Paragraph,
    /// A single short text, such as a price.
    Value,
    /// A box with a few short texts.
    Values,
}

impl SectionKind {
    /// The words in outputs.
    pub fn name(self) -> &'static str {
        match self {
            SectionKind::Table => "table",
            SectionKind::List => "list",
            SectionKind::Paragraph => "paragraph",
            SectionKind::Value => "single value",
            SectionKind::Values => "several values",
        }
    }
}

/// A section of a page.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PageSection {
    /// What it is.
    pub kind: SectionKind,
    /// Its element.
    pub node: Node,
    /// The DEUDS pattern that finds it, and only it.
    pub pattern: String,
    /// How many records it has: rows, items; 1 for texts.
    pub records: usize,
    /// How many columns its records have.
    pub columns: usize,
    /// How many characters of visible text it has.
    pub chars: usize,
    /// The beginning of its text.
    pub preview: String,
}

/// The sections of a page in document order, at most 500.
pub fn page_sections(page: &Page) -> Vec<PageSection> {
    let index = ElementIndex::new(&page.tree);
    let describe = |(node, kind): (Node, SectionKind)| -> Result<PageSection, WrapperError> {
        let list = deuds::section_list(page, node);
        let text = page.text_of(node);
        Ok(PageSection {
            kind,
            node,
            pattern: deuds::pattern(&index, node)?,
            records: list.records.len(),
            columns: list.columns.len(),
            chars: text.chars().count(),
            preview: text.chars().take(MAX_PREVIEW_CHARS).collect(),
        })
    };
    outermost(page).into_iter().filter_map(|section| describe(section).ok()).collect()
}

/// The outermost elements that are sections.
fn outermost(page: &Page) -> Vec<(Node, SectionKind)> {
    let tree = &page.tree;
    let mut found = Vec::new();
    let mut at = tree.find(tags::BODY).unwrap_or(0);
    let end = tree.end(at);
    at += 1;
    while at < end && found.len() < MAX_SECTIONS {
        match kind_of(page, at) {
            Some(kind) => {
                found.push((at, kind));
                at = tree.end(at);
            }
            None if !tree.is_text(at) && !page.styles.is_shown(at) => at = tree.end(at),
            None => at += 1,
        }
    }
    found
}

fn kind_of(page: &Page, node: Node) -> Option<SectionKind> {
    let tree = &page.tree;
    let within = node..tree.end(node);
    if tree.is_text(node) || !page.styles.is_shown(node) || page.index.chars(&within) == 0 {
        return None;
    }
    let (chars, texts) = (page.index.chars(&within), page.index.leaves(&within));
    let mut inner = (node + 1..within.end).filter(|&inner| !tree.is_text(inner));
    let has_blocks = inner.clone().any(|inner| is_block(tree.tag(inner)));
    match tree.tag(node) {
        // a table that lays out a page is not one section
        tags::TABLE if !inner.any(|inner| tree.tag(inner) == tags::TABLE) => Some(SectionKind::Table),
        tags::UL | tags::OL | tags::DL => Some(SectionKind::List),
        tags::P | tags::BLOCKQUOTE | tags::PRE if chars >= MIN_PARAGRAPH_CHARS => {
            Some(SectionKind::Paragraph)
        }
        _ if has_blocks => None,
        _ if chars >= MIN_PARAGRAPH_CHARS && texts <= 2 => Some(SectionKind::Paragraph),
        _ if texts == 1 => Some(SectionKind::Value),
        _ if texts <= MAX_SECTION_VALUES => Some(SectionKind::Values),
        _ => None,
    }
}

/// Elements that are sections themselves or boxes around them.
fn is_block(tag: copal_dom::Tag) -> bool {
    tags::is_heading(tag)
        || matches!(
            tag,
            tags::DIV
                | tags::P
                | tags::UL
                | tags::OL
                | tags::DL
                | tags::TABLE
                | tags::TBODY
                | tags::TR
                | tags::TD
                | tags::TH
                | tags::LI
                | tags::SECTION
                | tags::ARTICLE
                | tags::HEADER
                | tags::FOOTER
                | tags::NAV
                | tags::ASIDE
                | tags::MAIN
                | tags::FORM
                | tags::BLOCKQUOTE
                | tags::PRE
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::select;
    use copal_dom::Limits;

    #[test]
    fn the_sections_of_a_page_have_kinds_sizes_and_unique_patterns() {
        let prose = "The fund invests in bonds of many countries, and it has done so for more than thirty years without a loss.";
        let page = Page::from_text(
            &format!(
                "<body><h1>Fund</h1><div class=nav>Net asset value <b>12.5</b> <i>+0.3</i></div><p>{prose}</p>
                 <table><tr><th>Day<th>Value<tr><td>Mon<td>12<tr><td>Tue<td>13</table>
                 <ul><li>one<li>two<li>three</ul><span hidden>x</span></body>"
            ),
            &Limits::default(),
        );
        let sections = page_sections(&page);
        let kinds: Vec<&str> = sections.iter().map(|section| section.kind.name()).collect();
        assert_eq!(kinds, ["single value", "several values", "paragraph", "table", "list"]);
        let sizes: Vec<(usize, usize)> =
            sections.iter().map(|section| (section.records, section.columns)).collect();
        assert_eq!(sizes, [(1, 1), (1, 1), (1, 1), (2, 2), (3, 1)]);
        for section in &sections {
            assert_eq!(select(&page, &section.pattern).unwrap(), [section.node], "{}", section.pattern);
        }
        assert!(sections[2].preview.starts_with("The fund invests"));
    }

    #[test]
    fn layout_tables_are_divided() {
        let html = "<table><tr><td><h2>Left</h2><td><table><tr><td>a<td>b</table></table>";
        let kinds: Vec<SectionKind> =
            page_sections(&Page::from_text(html, &Limits::default())).iter().map(|one| one.kind).collect();
        assert_eq!(kinds, [SectionKind::Value, SectionKind::Table]);
    }
}
