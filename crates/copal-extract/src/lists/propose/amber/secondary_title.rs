//! Titles of secondary areas (Definition 12): "Featured properties", "You may also like".
//!
//! In: the root of an area and its records. Out: whether the title of the area is one of the secondary titles.
//! The title is the nearest prominent line before the first record: inside the area, or before it and before
//! the elements that hold hardly anything else. A heading that is followed by the content of its own box
//! belongs to that box. O(nodes that are passed), which is at most the text between title and area.

use copal_dom::{NONE, Node, Page, attrs, tags};
use copal_model::Parts;

/// Longest title in bytes.
const MAX_TITLE_BYTES: usize = 60;
/// A secondary title begins with one of the words, or has at most this many words before it ("Our featured
/// properties").
const MAX_WORDS_BEFORE: usize = 2;
/// How many elements around an area may have its title before them.
const MAX_LEVELS: usize = 4;
/// An element around an area belongs to it if the area has at least this share of its text.
const MIN_SHARE_OF_BOX: f64 = 0.5;
/// Between a title and its list there are at most this many characters: an introduction, a link to all.
const MAX_CHARS_BETWEEN: u32 = 200;
/// A title has at least this share of the text of its own element ("Featured | see all").
const MIN_SHARE_OF_HEAD: f64 = 0.4;

/// True if the title of an area is secondary.
pub(super) fn has_secondary_title(page: &Page, root: Node, records: &[Parts], titles: &[String]) -> bool {
    title(page, root, records).is_some_and(|title| is_secondary(&page.text_of(title), titles))
        && !has_later_title(page, root, records)
}

/// True if a heading divides the records: featured ones come first, then all others.
fn has_later_title(page: &Page, root: Node, records: &[Parts]) -> bool {
    let tree = &page.tree;
    let mut parts = records.iter().flatten();
    let (mut at, end) = (parts.next().map_or(root, |part| part.end), tree.end(root));
    for next in parts {
        if (at..next.start).any(|node| tags::is_heading(tree.tag(node)) && page.styles.is_shown(node)) {
            return true;
        }
        at = next.end.max(at).min(end);
    }
    false
}

/// True if a title has the words of a secondary title at its beginning or close to it.
fn is_secondary(title: &str, titles: &[String]) -> bool {
    if title.len() > MAX_TITLE_BYTES {
        return false;
    }
    let title = title.to_lowercase();
    let words: Vec<&str> = words_of(&title);
    titles.iter().any(|known| {
        let known = words_of(known);
        !known.is_empty() && words.windows(known.len()).take(MAX_WORDS_BEFORE + 1).any(|part| part == known)
    })
}

fn words_of(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect()
}

/// The title of an area.
fn title(page: &Page, root: Node, records: &[Parts]) -> Option<Node> {
    let tree = &page.tree;
    let first = records.first()?.first()?.start;
    // inside the area: before the first record, on each level from the record up to the root
    let mut at = first;
    while at != NONE && at > root {
        match before(page, at) {
            Before::Title(title) => return Some(title),
            Before::Content => return None,
            Before::Nothing => at = tree.parent(at),
        }
    }
    // outside: before the area and before the boxes that hold hardly anything else
    let mut at = root;
    for _ in 0..MAX_LEVELS {
        match before(page, at) {
            Before::Title(title) => return Some(title),
            Before::Content => return None,
            Before::Nothing => {}
        }
        let parent = tree.parent(at);
        let chars = |node: Node| f64::from(page.index.chars(&(node..tree.end(node))));
        if parent == NONE || tree.tag(parent) == tags::BODY || chars(root) < MIN_SHARE_OF_BOX * chars(parent)
        {
            return None;
        }
        at = parent;
    }
    None
}

/// What precedes a node among its siblings.
enum Before {
    /// A title, possibly with a short introduction after it.
    Title(Node),
    /// Something else that is not only a short text.
    Content,
    /// Nothing, or only a short text.
    Nothing,
}

fn before(page: &Page, node: Node) -> Before {
    let tree = &page.tree;
    let mut between = 0;
    let mut at = tree.prev_sibling(node);
    while at != NONE {
        let within = at..tree.end(at);
        let is_seen = if tree.is_text(at) {
            page.index.chars(&within) > 0
        } else {
            page.styles.is_shown(at) && page.index.chars(&within) + page.index.images(&within) > 0
        };
        if is_seen {
            if let Some(title) = title_in(page, at) {
                return Before::Title(title);
            }
            between += page.index.chars(&within);
            if between > MAX_CHARS_BETWEEN || page.index.images(&within) > 0 {
                return Before::Content;
            }
        }
        at = tree.prev_sibling(at);
    }
    Before::Nothing
}

/// The title in an element that precedes a list: its last prominent line if nothing follows it, or its first
/// one if hardly anything else is in the element. Otherwise the element is a box of its own.
fn title_in(page: &Page, element: Node) -> Option<Node> {
    let tree = &page.tree;
    let within = element..tree.end(element);
    if tree.is_text(element) || page.index.images(&within) > 0 {
        return None;
    }
    let (mut first, mut last) = (None, None);
    let mut at = element;
    while at < within.end {
        if page.styles.is_shown(at) && is_prominent(page, at) {
            first = first.or(Some(at));
            last = Some(at);
            at = tree.end(at);
        } else {
            at += 1;
        }
    }
    let chars = |nodes| f64::from(page.index.chars(&nodes));
    let ends_element = |title: &Node| page.index.chars(&(tree.end(*title)..within.end)) == 0;
    let is_head = |title: &Node| chars(*title..tree.end(*title)) >= MIN_SHARE_OF_HEAD * chars(within.clone());
    last.filter(ends_element).or_else(|| first.filter(is_head))
}

/// True for headings and for what looks like one: a short line in bold or large type, or with a class or role
/// that says so.
fn is_prominent(page: &Page, node: Node) -> bool {
    let tree = &page.tree;
    let tag = tree.tag(node);
    if tree.is_text(node) || page.index.chars(&(node..tree.end(node))) == 0 {
        return false;
    }
    if tags::is_heading(tag) || matches!(tag, tags::CAPTION | tags::LEGEND) {
        return true;
    }
    if page.index.chars(&(node..tree.end(node))) as usize > MAX_TITLE_BYTES {
        return false;
    }
    let has_role = tree.attr(node, attrs::ROLE).is_some_and(|role| role.eq_ignore_ascii_case("heading"));
    let says_title = || {
        let class = tree.attr(node, attrs::CLASS).unwrap_or_default().to_ascii_lowercase();
        ["title", "heading", "headline"].iter().any(|word| class.contains(word))
    };
    let looks_large = || {
        let parent = tree.parent(node);
        parent != NONE && {
            let (own, around) = (page.styles.style(node), page.styles.style(parent));
            own.bold && !around.bold || own.size > around.size
        }
    };
    has_role || says_title() || looks_large()
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    /// The answer for the list of `li` on a page.
    fn is_secondary_on(html: &str) -> bool {
        let page = Page::from_text(html, &Limits::default());
        let tree = &page.tree;
        let items: Vec<Node> = tree.nodes().filter(|&node| tree.tag(node) == tags::LI).collect();
        let records: Vec<Parts> =
            items.iter().map(|&item| Parts::from_elem(item..tree.end(item), 1)).collect();
        let mut root = tree.parent(items[0]);
        while !tree.contains(root, items[items.len() - 1]) {
            root = tree.parent(root);
        }
        let titles = ["featured", "similar", "you may also like", "advertisement"].map(str::to_owned);
        has_secondary_title(&page, root, &records, &titles)
    }

    const ITEMS: &str =
        "<li>14 Corn Street, £200,000, 3 bedrooms</li><li>2 High Street, £90,000, 1 bedroom</li>";

    #[test]
    fn titles_before_the_area_are_found_with_and_without_white_space() {
        for space in ["", "\n  ", "<!-- x -->", "\n<p></p>\n", "<span hidden>3</span>"] {
            for title in
                ["Featured properties", "Our featured properties", "Homes you may also like", "SIMILAR"]
            {
                for list in [
                    format!("<ul>{ITEMS}</ul>"),
                    format!("<div class=carousel>{space}<ul>{ITEMS}</ul></div>"),
                ] {
                    for head in [
                        format!("<h2>{title}</h2>"),
                        format!("<div class=head><h3>{title}</h3> <a href=/all>See all</a></div>"),
                        format!("<p class=section-title>{title}</p>"),
                        format!("<h2>{title}</h2>{space}<p>Chosen by our agents.</p>"),
                    ] {
                        let html = format!("<main><h1>Homes</h1><p>Text</p>{head}{space}{list}</main>");
                        assert!(is_secondary_on(&html), "{html}");
                    }
                }
            }
        }
    }

    #[test]
    fn titles_inside_the_area_are_found() {
        for html in [
            format!("<section><h2>Featured properties</h2>\n<div>{ITEMS}</div></section>"),
            format!("<ul><h2>Similar homes</h2>\n{ITEMS}</ul>"),
            format!("<div>\n<div class=title>Advertisement</div>\n<div>{ITEMS}</div>\n</div>"),
        ] {
            assert!(is_secondary_on(&html), "{html}");
        }
    }

    #[test]
    fn headings_of_other_boxes_and_other_titles_are_not_the_areas() {
        let long = "Our agents have looked after homes in the county since 1952. ".repeat(5);
        for html in [
            // the box before has its own heading and content
            format!("<div class=box><h3>Featured agent</h3><p>{long}</p></div>\n<ul>{ITEMS}</ul>"),
            format!("<div class=box><h3>Featured</h3><img src=a.jpg></div>\n<ul>{ITEMS}</ul>"),
            format!("<h3>Featured agent</h3><p>{long}</p><ul>{ITEMS}</ul>"),
            // a nearer title
            format!("<h2>Featured</h2><p>Text</p><h2>24 properties</h2>\n<ul>{ITEMS}</ul>"),
            // the word is not what the title is about
            format!("<h2>Homes for sale close to similar schools</h2><ul>{ITEMS}</ul>"),
            format!("<h2>Featureless</h2><ul>{ITEMS}</ul>"),
            // featured records before the others
            format!("<div><h2>Featured</h2><ul>{ITEMS}</ul><h2>All homes</h2><ul>{ITEMS}</ul></div>"),
            format!("<ul>{ITEMS}</ul><h2>Featured</h2>"),
        ] {
            assert!(!is_secondary_on(&html), "{html}");
        }
    }
}
