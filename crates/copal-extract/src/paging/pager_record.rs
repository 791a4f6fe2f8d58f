//! Pagers that were taken for a record of the list they belong to.
//!
//! In: the first and last records of a list. Out: which of them are the list's pager: a row or an element with
//! nothing but links to other pages ("« 1 2 3 »", "More"). Such a row often has the same parent as the
//! records. O(nodes of the records at the ends), which is bounded.

use super::class_signs::signs_around;
use super::link_labels::{is_rel_next, labels, text};
use super::link_text::{LinkMeaning, link_meaning};
use super::link_urls::has_page_number;
use copal_dom::{Node, Page, attrs, tags};
use std::ops::Range;

/// Maximum number of nodes of a pager.
const MAX_PAGER_RECORD_NODES: Node = 400;
/// Maximum number of characters outside the links of a pager: "Page 6 of 7".
const MAX_UNLINKED_CHARS: u32 = 60;

/// Whether the first and the last record are the list's pager. If the record next to it is one too, the list
/// is the pager itself.
pub(crate) fn pagers_at_ends<'a>(
    page: &Page,
    records: impl DoubleEndedIterator<Item = &'a [Range<Node>]> + ExactSizeIterator + Clone,
) -> (bool, bool) {
    if records.len() < 3 {
        return (false, false);
    }
    let is_at_end = |from_end: &mut dyn Iterator<Item = &'a [Range<Node>]>| {
        let mut next_is_pager = || from_end.next().is_some_and(|parts| is_pager(page, parts));
        next_is_pager() && !next_is_pager()
    };
    (is_at_end(&mut records.clone()), is_at_end(&mut records.rev()))
}

/// True if the only content of a record is links to other pages of the list.
fn is_pager(page: &Page, parts: &[Range<Node>]) -> bool {
    let unlinked: u32 =
        parts.iter().map(|part| page.index.chars(part).saturating_sub(page.index.link_chars(part))).sum();
    let nodes: Node = parts.iter().map(|part| part.end - part.start).sum();
    if unlinked > MAX_UNLINKED_CHARS || nodes > MAX_PAGER_RECORD_NODES {
        return false;
    }
    let mut leads_on = false;
    let links = parts.iter().flat_map(Clone::clone).filter(|&node| page.tree.tag(node) == tags::A);
    for link in links {
        let text = text(page, link);
        let meaning = match link_meaning(&text, false) {
            LinkMeaning::Nothing if text.is_empty() => labels(page, link)
                .map(|label| link_meaning(label, false))
                .find(|meaning| *meaning != LinkMeaning::Nothing)
                .unwrap_or(LinkMeaning::Nothing),
            meaning => meaning,
        };
        if matches!(meaning, LinkMeaning::Nothing | LinkMeaning::Elsewhere) {
            return false;
        }
        let is_numbered = || page.tree.attr(link, attrs::HREF).is_some_and(has_page_number);
        let is_in_pager = || signs_around(page, link).pager;
        leads_on |= is_rel_next(page, link) || is_numbered() || is_in_pager();
    }
    leads_on
}

#[cfg(test)]
mod tests {
    use super::pagers_at_ends;
    use copal_dom::{Limits, Page, tags};

    /// Whether the first and the last of the rows of a table are pagers.
    fn ends(rows: &[&str]) -> (bool, bool) {
        let rows: String = rows.iter().map(|row| format!("<tr><td>{row}</td></tr>")).collect();
        let page = Page::from_text(&format!("<table>{rows}</table>"), &Limits::default());
        let records: Vec<_> = page
            .tree
            .nodes()
            .filter(|&node| page.tree.tag(node) == tags::TR)
            .map(|node| vec![node..page.tree.end(node)])
            .collect();
        pagers_at_ends(&page, records.iter().map(Vec::as_slice))
    }

    #[test]
    fn rows_of_links_to_other_pages_are_pagers() {
        let lamp = "<a href='/lamp/1'>Oak lamp</a> 40 pounds";
        for pager in [
            "<a href='?p=2' rel=next>More</a>",
            "Page 6 of 7 <a href='?start=10'>Previous</a> 1 <a href='?start=20'>2</a> <a href='?start=20'>Next</a>",
            "<div class=pagination><a href='#'>1</a> <a href='#'>2</a></div>",
            "<a href='?page=3' title='Next page'><i></i></a>",
        ] {
            assert_eq!(ends(&[lamp, lamp, lamp, pager]), (false, true), "{pager}");
            assert_eq!(ends(&[pager, lamp, lamp, lamp]), (true, false), "{pager}");
            assert_eq!(ends(&[pager, pager, pager, pager]), (false, false), "the list is a pager: {pager}");
        }
        for record in [
            lamp,
            "<a href='/lamp/2'>2</a>",
            "<a href='/lamp/1'>Oak lamp</a> <a href='?p=2' rel=next>More</a>",
            "<a href='/lamp/1'>More</a>",
            "All pages of this list have lamps, of which the next page has still more, and the one after it most <a href='?p=2'>Next</a>",
        ] {
            assert_eq!(ends(&[lamp, lamp, lamp, record]), (false, false), "{record}");
        }
    }
}
