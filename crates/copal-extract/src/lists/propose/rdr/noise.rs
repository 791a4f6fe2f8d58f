//! What is no record, and what is no list of records (sections 3.4.3 to 3.4.5).
//!
//! In: a candidate list. Out: the list without its noise objects (pagers, adverts), or nothing if it is a menu: little
//! formatting entropy and nearly all links. O(text elements of the list) beyond the common tag sequences.

use super::cts::common;
use super::division::List;
use super::options::RdrOptions;
use super::texts::Texts;
use copal_dom::{Node, Page, Tag};
use rustc_hash::FxHashMap;

pub(super) fn clean(page: &Page, texts: &Texts, list: List, options: &RdrOptions) -> Option<List> {
    let members = without_noise(page, texts, list.members, options);
    if members.len() < 2 || is_menu(page, texts, &members, options) {
        return None;
    }
    Some(List { members })
}

/// Equations 2 and 3: drop objects whose normalised average common tag sequence is small.
fn without_noise(page: &Page, texts: &Texts, members: Vec<Node>, options: &RdrOptions) -> Vec<Node> {
    let strings: Vec<_> = members.iter().map(|&node| texts.tags(page, node)).collect();
    let scores = common(&strings).normalised;
    let mut sorted = scores.clone();
    sorted.sort_by(f64::total_cmp);
    let median = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
    // OB10: the first text element is mandatory, so an object that begins otherwise must be all the more alike
    let first = commonest(strings.iter().map(|string| string.first().copied()));
    let keep = |(string, &score): (&&[Tag], &f64)| {
        let least = if string.first().copied() == first { options.noise } else { options.noise_first };
        score >= least * median
    };
    let keep: Vec<bool> = strings.iter().zip(&scores).map(keep).collect();
    members.into_iter().zip(keep).filter(|&(_, keep)| keep).map(|(node, _)| node).collect()
}

fn commonest(tags: impl Iterator<Item = Option<Tag>>) -> Option<Tag> {
    let mut counts: FxHashMap<Tag, u32> = FxHashMap::default();
    for tag in tags.flatten() {
        *counts.entry(tag).or_default() += 1;
    }
    counts.into_iter().max_by_key(|&(tag, count)| (count, tag)).map(|(tag, _)| tag)
}

fn is_menu(page: &Page, texts: &Texts, members: &[Node], options: &RdrOptions) -> bool {
    let mean = members.iter().map(|&node| entropy(texts, page, node)).sum::<f64>() / members.len() as f64;
    let range = |node: Node| node..page.tree.end(node);
    let chars: u32 = members.iter().map(|&node| page.index.chars(&range(node))).sum();
    let links: u32 = members.iter().map(|&node| page.index.link_chars(&range(node))).sum();
    mean < options.entropy && f64::from(links) > options.links * f64::from(chars)
}

/// Equation 1: entropy of the styles of an element's texts, each style with its share of the texts.
fn entropy(texts: &Texts, page: &Page, node: Node) -> f64 {
    let looks = &texts.look[texts.leaves(page, node)];
    let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
    for &look in looks {
        *counts.entry(look).or_default() += 1;
    }
    let share = |count: u32| f64::from(count) / looks.len() as f64;
    -counts.values().map(|&count| share(count) * share(count).ln()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::{Limits, tags};

    #[test]
    fn menus_are_uniform_and_records_are_diverse() {
        let html = "<ul><li><a href=x>One</a> <a href=y>Two</a></ul><ul><li><h3>One</h3><b>2</b><small>3</small></ul>";
        let page = Page::from_text(html, &Limits::default());
        let texts = Texts::new(&page);
        let items: Vec<Node> = page.tree.nodes().filter(|&n| page.tree.tag(n) == tags::LI).collect();
        assert!(entropy(&texts, &page, items[0]) < 0.01);
        assert!((entropy(&texts, &page, items[1]) - 3f64.ln()).abs() < 1e-9);
    }
}
