//! Buttons that continue a list by a script: "load more", "next" without a URL.
//!
//! In: a page and its main list. Out: the elements to press, best first. Nothing is pressed here: only the
//! caller who has the page in a browser can do that, and find out whether it was right. O(nodes).

use super::class_signs::{is_slider_control, own_signs};
use super::link_text::{LinkMeaning, link_meaning};
use super::list_extent::ListExtent;
use copal_dom::{Node, Page, attrs, tags};
use copal_model::Region;
use std::cmp::Reverse;

/// Buttons that are returned.
const MAX_BUTTONS: usize = 3;
/// Nodes inside a button. What contains more is a part of the page that can be clicked.
const MAX_BUTTON_NODES: u32 = 40;

/// The buttons that may continue the list, best first.
pub fn next_buttons(page: &Page, list: Option<&Region>) -> Vec<Node> {
    let extent = ListExtent::of(page, list);
    let rtl = page.tree.find(tags::HTML).and_then(|html| page.tree.attr_named(html, "dir"));
    let rtl = rtl.is_some_and(|dir| dir.eq_ignore_ascii_case("rtl"));
    let mut found: Vec<((u8, bool, u32), Node)> = Vec::new();
    for node in page.tree.nodes() {
        if !is_button(page, node) || extent.is_in_record(node) {
            continue;
        }
        let Some(weight) = weight(page, node, rtl) else { continue };
        let (distance, is_before) = extent.distance(page, node);
        found.push(((weight, is_before, distance.unwrap_or_default()), node));
    }
    found.sort_by_key(|&((weight, is_before, distance), _)| (Reverse(weight), is_before, distance));
    found.into_iter().take(MAX_BUTTONS).map(|(_, node)| node).collect()
}

/// True for visible elements that a script reacts to, and that are not switched off.
fn is_button(page: &Page, node: Node) -> bool {
    let tree = &page.tree;
    if tree.is_text(node) || !page.styles.is_shown(node) || tree.end(node) - node > MAX_BUTTON_NODES {
        return false;
    }
    let attr = |name| tree.attr(node, name);
    let is_pressed = match tree.tag(node) {
        tags::BUTTON => true,
        tags::A => attr(attrs::HREF).is_none_or(|href| {
            let href = href.trim();
            href.is_empty() || href.starts_with('#') || href.to_ascii_lowercase().starts_with("javascript:")
        }),
        tags::INPUT => attr(attrs::TYPE).is_some_and(|kind| kind.eq_ignore_ascii_case("button")),
        _ => attr(attrs::ROLE).is_some_and(|role| role.eq_ignore_ascii_case("button")),
    };
    let is_off = tree.attr_named(node, "disabled").is_some()
        || tree.attr_named(node, "aria-disabled").is_some_and(|value| value == "true")
        || attr(attrs::CLASS).is_some_and(|class| {
            class.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("disabled"))
        });
    is_pressed && !is_off
}

/// How clearly a button continues the list; `None` if it does something else.
fn weight(page: &Page, node: Node, rtl: bool) -> Option<u8> {
    let tree = &page.tree;
    let labels =
        [attrs::ARIA_LABEL, attrs::TITLE, attrs::VALUE].into_iter().filter_map(|name| tree.attr(node, name));
    let text = page.text_of(node);
    let meanings = std::iter::once(text.as_str()).chain(labels).map(|text| link_meaning(text, rtl));
    let meanings: Vec<LinkMeaning> = meanings.collect();
    // "Next" with the label "Next month"
    if meanings.contains(&LinkMeaning::Elsewhere) {
        return None;
    }
    let best = meanings.into_iter().filter_map(|meaning| match meaning {
        LinkMeaning::Next | LinkMeaning::More => Some(3),
        LinkMeaning::Older => Some(2),
        LinkMeaning::NextOf | LinkMeaning::Arrow | LinkMeaning::Guillemet => Some(1),
        _ => None,
    });
    let best = best.max();
    let signs = own_signs(page, node);
    // words count more than classes, which may be those of a pair of buttons ("previousNext")
    let says_next = best.is_some_and(|weight| weight >= 2);
    match best {
        _ if signs.back && !says_next || is_slider_control(page, node) => None,
        Some(weight) if signs.next => Some(weight.max(2)),
        None if signs.next => Some(1),
        best => best,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    fn buttons(html: &str) -> Vec<String> {
        let page = Page::from_text(html, &Limits::default());
        next_buttons(&page, None).into_iter().map(|node| page.text_of(node)).collect()
    }

    #[test]
    fn buttons_that_continue_are_found() {
        assert_eq!(
            buttons(
                "<a href=/2>Next</a><button>Filter</button><button>Load more</button><a href=#>Weiter</a>\
                 <button disabled>Next</button><button hidden>Next</button><button class=prev>‹</button>\
                 <div role=button aria-label='Next page'>▸</div><a href='javascript:go()'>›</a>"
            ),
            ["Load more", "Weiter", "▸"]
        );
        let pair = "<button class=pair-previousNext aria-label='Go to previous page'></button>\
             <button class=pair-previousNext aria-label='Go to next page'>▸</button>";
        assert_eq!(buttons(pair), ["▸"]);
        assert_eq!(buttons("<button>Next week</button><button>More about us</button>"), [""; 0]);
        assert_eq!(buttons("<button title='Next month'>Next</button>"), [""; 0]);
        assert_eq!(buttons("<button>Previous</button><button>Last</button><button>Buy</button>"), [""; 0]);
    }
}
