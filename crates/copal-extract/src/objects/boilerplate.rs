//! Parts of a page that are about the site, not about its object (thesis section 6.3, Algorithm 6).
//!
//! In: a [`DetailPage`] and the line that names the object. Out: the topmost elements that are boilerplate. A class of boilerplate is
//! a set of conditions, all of which must hold: tag, role, words of class and id, size, place, links. The tree is walked from the
//! top, and below an element that matches nothing more is asked. O(nodes).

use super::detail_page::DetailPage;
use copal_dom::{Node, Page, attrs, tags};

/// Words of classes and ids that say what a block is for.
const WORDS: &[&str] = &[
    "nav",
    "navbar",
    "navigation",
    "menu",
    "menubar",
    "topmenu",
    "submenu",
    "footer",
    "foot",
    "header",
    "masthead",
    "topbar",
    "sidebar",
    "breadcrumb",
    "breadcrumbs",
    "crumbs",
    "ad",
    "ads",
    "adv",
    "advert",
    "advertisement",
    "adsense",
    "advertising",
    "banner",
    "sponsor",
    "sponsored",
    "sponsors",
    "promo",
    "promotion",
    "cookie",
    "cookies",
    "consent",
    "gdpr",
    "social",
    "share",
    "sharing",
    "addthis",
    "login",
    "signin",
    "newsletter",
    "subscribe",
    "copyright",
    "skip",
    "toolbar",
    "popup",
    "modal",
    "dfp",
    "gpt",
    "leaderboard",
    "skyscraper",
    "mpu",
    "google_ads",
];
/// Words of blocks that are often the object's own: boilerplate if they are mostly links.
const WEAK: &[&str] = &[
    "sidebar",
    "header",
    "foot",
    "banner",
    "promo",
    "promotion",
    "toolbar",
    "modal",
    "popup",
    "share",
    "also",
    "recent",
];
/// Words of blocks that show other things than the page's own.
const OTHERS: &[&str] = &[
    "related",
    "similar",
    "recommended",
    "recommendations",
    "recommendation",
    "alsobought",
    "also",
    "recent",
    "recently",
    "trending",
    "popular",
    "crosssell",
    "upsell",
    "comments",
    "comment",
    "disqus",
];
/// Largest share of a page's text that a block of boilerplate has.
const LARGEST: f64 = 0.4;

/// Marks the lines of boilerplate and gives its topmost elements.
pub(super) fn find(sheet: &DetailPage<'_>, headline: Option<usize>) -> Vec<Node> {
    let page = sheet.dom;
    let tree = &page.tree;
    let named = headline.map(|line| sheet.lines[line].first());
    let all = f64::from(page.index.chars(&(0..tree.len() as Node)).max(1));
    let mut found = Vec::new();
    let mut node = 0;
    while (node as usize) < tree.len() {
        let subtree = node..tree.end(node);
        let chars = page.index.chars(&subtree);
        let holds_name = named.is_some_and(|named| subtree.contains(&named));
        let small = f64::from(chars) <= LARGEST * all;
        if tree.is_text(node) || chars == 0 || holds_name || !small || !is_boilerplate(page, node) {
            node += 1;
            continue;
        }
        found.push(node);
        node = tree.end(node);
    }
    found
}

fn is_boilerplate(page: &Page, node: Node) -> bool {
    by_tag(page, node) || by_words(page, node) || is_menu(page, node)
}

/// What HTML and ARIA call so.
fn by_tag(page: &Page, node: Node) -> bool {
    let role = page.tree.attr(node, attrs::ROLE).unwrap_or("");
    let by_role = matches!(
        role,
        "banner" | "navigation" | "contentinfo" | "complementary" | "search" | "dialog" | "alertdialog"
    );
    // a header inside of the article is the object's own
    let top = || {
        !page
            .tree
            .ancestors(node)
            .any(|above| matches!(page.tree.tag(above), tags::ARTICLE | tags::MAIN | tags::SECTION))
    };
    by_role
        || match page.tree.tag(node) {
            tags::NAV | tags::DIALOG => true,
            tags::FOOTER | tags::HEADER => top(),
            _ => false,
        }
}

/// Words of class and id. The longer a block's text, the less such a word says.
fn by_words(page: &Page, node: Node) -> bool {
    let names = [attrs::CLASS, attrs::ID].into_iter().filter_map(|name| page.tree.attr(node, name));
    let subtree = node..page.tree.end(node);
    let linked = 2 * page.index.link_chars(&subtree) >= page.index.chars(&subtree);
    names.flat_map(words).any(|word| {
        let word = word.as_str();
        (WORDS.contains(&word) || OTHERS.contains(&word)) && (linked || !WEAK.contains(&word))
    })
}

/// The words of a name: at hyphens, underscores and capitals.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for token in name.split(|c: char| !c.is_alphanumeric()).filter(|token| !token.is_empty()).take(24) {
        let mut word = String::new();
        let mut small = false;
        for c in token.chars().take(40) {
            if c.is_uppercase() && small {
                words.push(std::mem::take(&mut word));
            }
            small = c.is_lowercase();
            word.extend(c.to_lowercase());
        }
        words.push(word);
    }
    words
}

/// Many links and next to nothing else.
fn is_menu(page: &Page, node: Node) -> bool {
    let tree = &page.tree;
    if !matches!(
        tree.tag(node),
        tags::UL | tags::OL | tags::DIV | tags::TABLE | tags::TR | tags::TD | tags::MENU
    ) {
        return false;
    }
    let subtree = node..tree.end(node);
    let (chars, linked) = (page.index.chars(&subtree), page.index.link_chars(&subtree));
    let leaves = page.index.leaves(&subtree);
    leaves >= 10 && f64::from(linked) >= 0.92 * f64::from(chars) && page.index.digits(&subtree) * 10 < chars
}
