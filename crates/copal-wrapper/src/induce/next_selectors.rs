//! Selectors of the next link that are right on several pages of a list: for sites that have changed how their pages
//! are linked.
//!
//! In: pages, each with the URL of the page after it. Out: selectors whose first match on each page leads there. Besides
//! what describes the link itself, what precedes it is tried: in numbered pages, the next link differs from the others
//! only because it follows the current page. O(pages x candidates x elements).

use super::candidates::{best_of_families, names, selector_candidates};
use crate::locate::ElementIndex;
use crate::locate::css::Css;
use copal_dom::{NONE, Node, Page, Tree, tags};
use copal_extract::located::{Addresses, link_target};

/// Maximum number of selectors.
const MAX_NEXT_SELECTORS: usize = 3;
/// Links to the next page that give candidates.
const MAX_LINKS_TRIED: usize = 3;
/// Ancestors with a name that begin a selector.
const MAX_PAGER_ANCHORS: usize = 3;

/// Selectors of the next link: each page with the URL of the next one. The most durable ones come first.
pub fn common_next_selectors(pages: &[(&Page, &str)]) -> Vec<String> {
    let Some(&(first, next)) = pages.first() else { return Vec::new() };
    let indices: Vec<ElementIndex<'_>> =
        pages.iter().map(|(page, _)| ElementIndex::new(&page.tree)).collect();
    let is_right = |css: &str| {
        let Ok(css) = Css::parse(css) else { return false };
        pages.iter().zip(&indices).all(|((page, url), index)| {
            let found = css.select(index).into_iter().find(|&node| page.styles.is_shown(node));
            found.is_some_and(|node| leads_to(page, node, url))
        })
    };
    let tree = &first.tree;
    let is_link = |node: &Node| matches!(tree.tag(*node), tags::A | tags::LINK);
    let links = tree.nodes().filter(|node| is_link(node) && leads_to(first, *node, next));
    let links: Vec<Node> = links.take(MAX_LINKS_TRIED).collect();
    let own = links.iter().flat_map(|&link| selector_candidates(tree, 0, link));
    let own = own.filter(|one| is_right(&one.css)).map(|one| (one.family, one.score, one.css));
    let mut selectors = best_of_families(own.collect(), MAX_NEXT_SELECTORS);
    let followers = links.iter().flat_map(|&link| after_current_page(tree, link));
    let follower = followers.into_iter().find(|css| !selectors.contains(css) && is_right(css));
    selectors.truncate(MAX_NEXT_SELECTORS - usize::from(follower.is_some()));
    selectors.extend(follower);
    selectors
}

fn leads_to(page: &Page, node: Node, url: &str) -> bool {
    link_target(page, node).is_some_and(|target| Addresses::of(page).resolve(target) == url)
}

/// Selectors that describe a link by the element before it: the current page of a pager.
fn after_current_page(tree: &Tree, link: Node) -> Vec<String> {
    let in_item = tree.ancestors(link).next().filter(|&parent| tree.tag(parent) == tags::LI);
    let unit = in_item.unwrap_or(link);
    let Some(before) = previous_element(tree, unit) else { return Vec::new() };
    let (tag, before_tag) = (tree.tag_name(unit), tree.tag_name(before));
    let end = if in_item.is_some() { format!("{tag} > {}", tree.tag_name(link)) } else { tag.to_owned() };
    let mut marks: Vec<String> = names(tree, before).into_iter().map(|(_, name)| name).collect();
    marks.extend(tree.attr_named(before, "aria-current").map(|_| "[aria-current]".to_owned()));
    let inside = (before + 1..tree.end(before)).find(|&node| !tree.is_text(node));
    if let Some(inside) = inside {
        let mark = tree.attr_named(inside, "aria-current").map(|_| "[aria-current]".to_owned());
        let inner_tag = tree.tag_name(inside);
        marks.extend(
            mark.into_iter()
                .chain(names(tree, inside).into_iter().map(|(_, name)| name))
                .map(|name| format!(":has({name})")),
        );
        if inner_tag != "a" {
            marks.push(format!(":has(> {inner_tag})"));
        }
    } else if in_item.is_some() {
        marks.push(":not(:has(a))".to_owned());
    }
    if before_tag != tag {
        marks.push(String::new());
    }
    let anchors = tree.ancestors(unit).take_while(|&up| up != 0).flat_map(|up| names(tree, up));
    let anchors: Vec<String> = anchors.take(MAX_PAGER_ANCHORS).map(|(_, name)| format!("{name} ")).collect();
    let starts: Vec<&str> = anchors.iter().map(String::as_str).chain([""]).collect();
    let combine = |mark: &String| {
        starts.iter().map(|start| format!("{start}{before_tag}{mark} + {end}")).collect::<Vec<_>>()
    };
    marks.iter().flat_map(combine).collect()
}

fn previous_element(tree: &Tree, node: Node) -> Option<Node> {
    let before =
        std::iter::successors(Some(node), |&node| Some(tree.prev_sibling(node)).filter(|&one| one != NONE));
    before.skip(1).find(|&other| !tree.is_text(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    fn page(number: usize, pager: &str) -> Page {
        let mut page = Page::from_text(
            &format!("<nav><a href=/>Home</a></nav><ul><li><a href=/k/1>A kettle</a></ul>{pager}"),
            &Limits::default(),
        );
        page.url = Some(format!("https://a.example/list?p={number}"));
        page
    }

    /// The selectors for the first three of four pages.
    fn selectors(pager: impl Fn(usize) -> String) -> Vec<String> {
        let pages: Vec<Page> = (1..=3).map(|number| page(number, &pager(number))).collect();
        common_next_selectors(&[
            (&pages[0], "https://a.example/list?p=2"),
            (&pages[1], "https://a.example/list?p=3"),
            (&pages[2], "https://a.example/list?p=4"),
        ])
    }

    fn numbered(current: usize, shown: impl Fn(usize, bool) -> String) -> String {
        (1..=4).map(|number| shown(number, number == current)).collect()
    }

    #[test]
    fn numbered_pages_are_followed_from_the_current_one() {
        let in_items = selectors(|current| {
            let item = |number, is_current| {
                if is_current {
                    format!("<li class=current><span>{number}</span></li>")
                } else {
                    format!("<li><a href='?p={number}'>{number}</a></li>")
                }
            };
            format!("<ul class=pager>{}</ul>", numbered(current, item))
        });
        assert!(
            in_items.iter().any(|css| css.contains("current") && css.contains(" + li > a")),
            "{in_items:?}"
        );
        let plain = selectors(|current| {
            let item = |number, is_current| {
                if is_current {
                    format!(" <b>{number}</b>")
                } else {
                    format!(" <a href='?p={number}'>{number}</a>")
                }
            };
            format!("<p class=pages>{}</p>", numbered(current, item))
        });
        assert_eq!(plain, [".pages b + a"]);
        let marked = selectors(|current| {
            let item = |number, is_current| {
                let mark = if is_current { " aria-current=page" } else { "" };
                format!(" <a href='?p={number}'{mark}>{number}</a>")
            };
            format!("<p>{}</p>", numbered(current, item))
        });
        assert_eq!(marked, ["a[aria-current] + a"]);
    }

    #[test]
    fn what_is_right_on_one_page_only_is_not_learned() {
        let nothing = selectors(|current| {
            let item = |number, _| format!(" <a href='?p={number}'>{number}</a>");
            let _ = current;
            format!("<p>{}</p>", numbered(0, item))
        });
        assert!(nothing.is_empty(), "{nothing:?}");
        let by_name = selectors(|current| {
            format!(
                "<p><a class=prev href='?p={}'>x</a> <a class=onward href='?p={}'>y</a>",
                current - 1,
                current + 1
            )
        });
        assert!(by_name[0].contains("onward"), "{by_name:?}");
    }
}
