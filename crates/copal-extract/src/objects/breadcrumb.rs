//! The category of an object, from the trail of links that leads to its page.
//!
//! In: a page and the name of its object. Out: the last entry of the trail above the object, with its node. A
//! trail is called so by its class, id, role or type, or it is a line of links with arrows between them. The
//! entry of the page itself and the home page do not count. O(nodes).

use super::detail_page::DetailPage;
use crate::signals::declared::markup::item_type;
use crate::signals::declared::schema::is_trail;
use crate::signals::zones::words::any_class_word;
use copal_dom::{Node, attrs, squash, tags};

/// Entries of a trail that are read.
const MAX_TRAIL_ENTRIES: usize = 16;
/// Longest entry, in bytes.
const MAX_ENTRY_BYTES: usize = 80;
/// Words in the class or id of a trail.
const TRAIL_WORDS: &[&str] = &["breadcrumb", "breadcrumbs", "crumb", "crumbs", "breadcrump"];
/// What separates the entries of a trail that nothing else marks.
const ARROWS: [char; 6] = ['\u{bb}', '\u{203a}', '>', '\u{2192}', '\u{25b8}', '\u{25ba}'];
/// Other separators.
const MARKS: [char; 6] = ['/', '|', '\\', '\u{2022}', '\u{b7}', ':'];
/// The first entry of a trail in several languages: the home page.
const HOME_WORDS: &[&str] = &[
    "home",
    "homepage",
    "start",
    "startseite",
    "accueil",
    "inicio",
    "início",
    "principal",
    "portada",
    "hem",
    "hjem",
    "forside",
    "etusivu",
    "strona główna",
    "start page",
    "domů",
    "domov",
    "úvod",
    "főoldal",
    "acasă",
    "anasayfa",
    "ana sayfa",
    "главная",
    "головна",
    "начало",
    "αρχική",
    "ホーム",
    "トップ",
    "トップページ",
    "top",
    "首页",
    "首頁",
    "홈",
    "index",
    "you are here",
    "main page",
];

/// An entry of a trail.
struct TrailEntry {
    text: String,
    node: Node,
    is_link: bool,
}

/// The category of the object: the last entry before the page itself.
pub(super) fn category(
    page: &DetailPage<'_>,
    headline: Option<usize>,
    name: Option<&str>,
) -> Option<(String, Node)> {
    let name = name.map(squash).unwrap_or_default();
    let entries = marked_trail(page).or_else(|| line_trail(page, headline))?;
    let has_links = entries.iter().any(|entry| entry.is_link);
    let is_page = |entry: &TrailEntry| {
        let own = squash(entry.text.trim_end_matches(['\u{2026}', '.']));
        own == name
            || own.len() >= 8 && (name.starts_with(&own) || own.starts_with(&name) && !name.is_empty())
    };
    let is_home = |entry: &TrailEntry| {
        HOME_WORDS.contains(&entry.text.to_lowercase().trim_end_matches(':').trim())
            || page.dom.tree.ancestors(entry.node).take(3).any(|above| {
                page.dom.tree.tag(above) == tags::A && page.dom.tree.attr(above, attrs::HREF) == Some("/")
            })
    };
    let is_above = |entry: &&TrailEntry| !is_page(entry) && !is_home(entry) && (entry.is_link || !has_links);
    // what follows the page itself is about something else: a link to print it
    let end = entries.iter().position(is_page).unwrap_or(entries.len());
    entries[..end].iter().rev().find(is_above).map(|entry| (entry.text.clone(), entry.node))
}

/// The entries of the first element that is called a trail and has some.
fn marked_trail(page: &DetailPage<'_>) -> Option<Vec<TrailEntry>> {
    let tree = &page.dom.tree;
    let is_marked = |&node: &Node| {
        let names = [attrs::CLASS, attrs::ID, attrs::ARIA_LABEL];
        let mut values = names.iter().filter_map(|&name| tree.attr(node, name));
        !tree.is_text(node)
            && (item_type(tree, node).is_some_and(is_trail)
                || values.any(|value| any_class_word(value, |word| TRAIL_WORDS.contains(&word))))
    };
    // an element of a trail may be called so, too, and has one entry
    tree.nodes().filter(is_marked).take(MAX_TRAIL_ENTRIES).find_map(|node| {
        let nodes = node..tree.end(node);
        let lines = page.lines_in(&nodes);
        let leaves = page.lines[lines]
            .iter()
            .flat_map(|line| line.leaves.iter().map(|leaf| (leaf.node, &line.text[leaf.span.clone()])));
        let entries = entries(page, leaves.filter(|(node, _)| nodes.contains(node)));
        (entries.len() >= 2).then_some(entries)
    })
}

/// The entries of a line of links with arrows between them, above the headline or right below it.
fn line_trail(page: &DetailPage<'_>, headline: Option<usize>) -> Option<Vec<TrailEntry>> {
    let end = (headline? + 3).min(page.lines.len());
    page.lines[..end].iter().rev().find_map(|line| {
        let arrows = line.text.matches(ARROWS).count();
        let links = line.leaves.iter().filter(|leaf| page.is_in_link(leaf.node)).count();
        if arrows == 0 || links < 2 || arrows + 1 < links || line.text.len() > 300 {
            return None;
        }
        let leaves = line.leaves.iter().map(|leaf| (leaf.node, &line.text[leaf.span.clone()]));
        Some(entries(page, leaves))
    })
}

fn entries<'t>(page: &DetailPage<'_>, leaves: impl Iterator<Item = (Node, &'t str)>) -> Vec<TrailEntry> {
    let entry = |(node, text): (Node, &str)| {
        let is_separator = |c: char| ARROWS.contains(&c) || MARKS.contains(&c) || c.is_whitespace();
        let text = text.trim_matches(is_separator);
        let is_entry = text.contains(char::is_alphabetic) && text.len() <= MAX_ENTRY_BYTES;
        is_entry.then(|| TrailEntry { text: text.to_owned(), node, is_link: page.is_in_link(node) })
    };
    leaves.filter_map(entry).take(MAX_TRAIL_ENTRIES).collect()
}

#[cfg(test)]
mod tests {
    use super::super::detail_page::split_into_lines;
    use super::category;
    use copal_dom::{Limits, Page};

    fn category_of(html: &str) -> Option<String> {
        let page = Page::from_text(html, &Limits::default());
        let pages = split_into_lines(&[&page]);
        let headline = pages[0].lines.iter().position(|line| line.text == "Oak table");
        category(&pages[0], headline, Some("Oak table")).map(|(text, _)| text)
    }

    #[test]
    fn the_last_entry_above_the_page_is_the_category() {
        let marked = "<ul class=breadcrumbs><li><a href=/>Home</a><li><a href=/f>Furniture</a>\
                      <li><a href=/t>Tables</a><li>Oak table</ul><h1>Oak table</h1>";
        assert_eq!(category_of(marked).as_deref(), Some("Tables"));
        let line =
            "<p><a href=/s>Shop</a> &raquo; <a href=/t>Tables</a> &raquo; Oak table</p><h1>Oak table</h1>";
        assert_eq!(category_of(line).as_deref(), Some("Tables"));
        // the page itself is not a link, whatever it is called
        let code = "<div class=crumbs><a href=/f>Furniture</a> / <span>T-100</span></div><h1>Oak table</h1>";
        assert_eq!(category_of(code).as_deref(), Some("Furniture"));
    }

    #[test]
    fn a_home_page_is_not_a_category() {
        let home = "<div class=breadcrumb><a href=/>Start</a> &gt; Oak table</div><h1>Oak table</h1>";
        assert_eq!(category_of(home), None);
        assert_eq!(category_of("<h1>Oak table</h1><p>a &gt; b</p>"), None);
    }
}
