//! Pages of the same list with more records: "show all", and larger page sizes.
//!
//! In: a page with its list. Out: the URL of the largest page that the page offers, from links and from choices of a
//! form. It is a guess until the page was read: only one that has all records of the smaller page, and more, is used
//! instead of it. O(links + options).

use crate::link_words::folded_words;
use crate::url_keys::canonical_key;
use copal_dom::url::{BaseUrl, page_link};
use copal_dom::{Node, Page, attrs, tags};
use copal_forms::{Control, FormField, find_forms};
use url::Url;

/// Records that a page may have. Servers need long for more, and one failure loses all of them.
const MAX_PAGE_SIZE: u64 = 500;
/// What "show all" counts as.
const ALL_RECORDS: u64 = MAX_PAGE_SIZE + 1;
/// Links that are looked at.
const MAX_LINKS: usize = 2_000;
/// Whole texts of links to all records. A mere "all" is usually a filter.
const ALL_PHRASES: &[&str] = &[
    "show all",
    "view all",
    "see all",
    "display all",
    "list all",
    "show all results",
    "view all results",
    "all on one page",
    "show all on one page",
    "alle anzeigen",
    "alle zeigen",
    "tout afficher",
    "afficher tout",
    "ver todo",
    "ver todos",
    "mostrar todo",
    "mostrar todos",
    "mostra tutti",
    "vedi tutti",
    "toon alles",
    "toon alle",
    "visa alla",
    "vis alle",
];
/// Names of parameters that say how many records a page has, without separators.
const SIZE_PARAMETERS: &[&str] = &[
    "perpage",
    "pagesize",
    "pagelimit",
    "limit",
    "size",
    "rows",
    "resultsperpage",
    "itemsperpage",
    "numresults",
    "maxresults",
    "pagelength",
    "count",
    "show",
    "display",
    "ipp",
    "rpp",
    "num",
    "n",
    "psize",
];

/// The URL of the largest page of the list that has more records than this one.
pub(crate) fn larger_page(page: &Page, records: usize) -> Option<String> {
    let own = Url::parse(page.url.as_deref()?).ok()?;
    let largest = linked_sizes(page, &own).into_iter().chain(chosen_sizes(page, &own));
    let larger = largest.filter(|(size, url)| {
        *size > records as u64
            && canonical_key(url).is_some()
            && canonical_key(url) != canonical_key(own.as_str())
    });
    larger.max_by_key(|(size, _)| *size).map(|(_, url)| url)
}

/// Sizes that the page links to. Only links that differ from the page in the query belong to its list.
fn linked_sizes(page: &Page, own: &Url) -> Vec<(u64, String)> {
    let tree = &page.tree;
    let base = BaseUrl::of(page);
    let links = tree.nodes().filter(|&node| tree.tag(node) == tags::A && page.styles.is_shown(node));
    let sizes = links.take(MAX_LINKS).filter_map(|node: Node| {
        let url = Url::parse(&base.resolve(tree.attr(node, attrs::HREF).and_then(page_link)?)).ok()?;
        if url.origin() != own.origin() || url.path() != own.path() {
            return None;
        }
        let text = folded_words(&page.text_of(node));
        let text = text.trim();
        let size = if ALL_PHRASES.contains(&text) { ALL_RECORDS } else { text.parse().ok()? };
        is_size_change(own, &url, size).then(|| (size, url.into()))
    });
    sizes.collect()
}

/// True if a URL adds or changes one parameter of the page's URL, and that one is the size. The number of the page may
/// be gone. A link that says "show all" may name its parameter as it likes.
fn is_size_change(own: &Url, url: &Url, size: u64) -> bool {
    let pairs = |url: &Url| -> Vec<(String, String)> { url.query_pairs().into_owned().collect() };
    let (before, after) = (pairs(own), pairs(url));
    let changed: Vec<&(String, String)> = after.iter().filter(|pair| !before.contains(pair)).collect();
    match changed.as_slice() {
        [(name, value)] if size == ALL_RECORDS => {
            is_size_name(name) || matches!(value.as_str(), "all" | "1" | "true")
        }
        [(name, value)] => is_size_name(name) && value.parse() == Ok(size) && size <= MAX_PAGE_SIZE,
        _ => false,
    }
}

pub(crate) fn is_size_name(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    SIZE_PARAMETERS.contains(&plain.to_lowercase().as_str())
}

/// Sizes of choices ("20, 50, 100 per page"). Their forms are sent by a script that only changes the URL.
fn chosen_sizes(page: &Page, own: &Url) -> Vec<(u64, String)> {
    let is_size = |field: &&FormField| field.control == Control::Select && is_size_name(&field.name);
    let mut sizes = Vec::new();
    for form in find_forms(page).iter().filter(|form| !form.is_post) {
        // other fields than choices may mean anything
        let has_texts =
            form.fields.iter().any(|field| matches!(field.control, Control::Text | Control::Password));
        let Some(field) = form.fields.iter().find(is_size).filter(|_| !has_texts) else { continue };
        let numbers = field.options.iter().filter_map(|option| {
            let size: u64 = option.value.trim().parse().ok()?;
            (size <= MAX_PAGE_SIZE).then_some((size, &option.value))
        });
        let Some((size, value)) = numbers.max_by_key(|(size, _)| *size) else { continue };
        let mut url = own.clone();
        let kept: Vec<(String, String)> =
            own.query_pairs().into_owned().filter(|(name, _)| *name != field.name).collect();
        url.query_pairs_mut().clear().extend_pairs(kept).append_pair(&field.name, value);
        sizes.push((size, url.into()));
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    fn larger(html: &str) -> Option<String> {
        let mut page = Page::from_text(html, &Limits::default());
        page.url = Some("https://a.example/list?town=Bath&page=1".into());
        larger_page(&page, 10)
    }

    #[test]
    fn the_largest_offered_page_is_found() {
        let found = |html| larger(html).unwrap_or_default();
        let links = "<a href='?town=Bath&per_page=5'>5</a> <a href='?town=Bath&per_page=50'>50</a> \
                     <a href='?town=Bath&per_page=100'>100</a>";
        assert_eq!(found(links), "https://a.example/list?town=Bath&per_page=100");
        let all = format!("{links} <a href='?town=Bath&page=all'>Show all</a>");
        assert_eq!(found(&all), "https://a.example/list?town=Bath&page=all");
        let choice = "<form><select name=limit><option>10<option>60<option value=2000>All</select></form>";
        assert_eq!(found(choice), "https://a.example/list?town=Bath&page=1&limit=60");
    }

    #[test]
    fn other_numbers_and_filters_are_not_sizes() {
        for html in [
            "<a href='?town=Bath&page=20'>20</a>",
            "<a href='?town=Bath&per_page=8'>8</a>",
            "<a href='?town=Bath&per_page=5000'>5000</a>",
            "<a href='?town=Leeds&per_page=50'>50</a>",
            "<a href='/other?per_page=50'>50</a>",
            "<a href='https://b.example/list?town=Bath&per_page=50'>50</a>",
            "<a href='?town=Bath&beds=20'>20</a>",
            "<a href='?town=Bath&kind=flat'>View all</a>",
            "<form><input name=q><select name=limit><option>60</select></form>",
            "<form method=post><select name=limit><option>60</select></form>",
        ] {
            assert_eq!(larger(html), None, "{html}");
        }
    }
}
