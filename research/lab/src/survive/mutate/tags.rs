//! Changes of tags.

use super::super::editable::EditablePage;
use crate::random::SplitMix64;
use std::collections::BTreeSet;

/// The tags that a tag may become.
fn other_tags(tag: &str) -> &'static [&'static str] {
    match tag {
        "div" => &["section", "article"],
        "section" | "article" | "p" | "center" | "ul" | "ol" => &["div"],
        "h1" | "h2" | "h4" | "h5" | "h6" => &["h3", "div"],
        "h3" => &["h2", "h4", "div"],
        "span" => &["div", "em"],
        "b" => &["strong", "span"],
        "strong" => &["b", "span"],
        "i" => &["em"],
        "em" => &["i", "span"],
        "font" | "small" | "cite" => &["span"],
        _ => &[],
    }
}

/// Two templates of the list get other tags.
pub(super) fn change_tags(page: &mut EditablePage, random: &mut SplitMix64) -> bool {
    let mut changed = false;
    for _ in 0..2 {
        let root = page.root();
        let mut all: BTreeSet<String> = BTreeSet::new();
        for at in std::iter::once(root).chain(page.below(root)) {
            if !other_tags(page.tag(at)).is_empty() && !page.is_foreign(at) {
                all.insert(page.signature(at));
            }
        }
        let all: Vec<String> = all.into_iter().collect();
        let Some(signature) = random.choose(&all) else { continue };
        // a signature without a class may occur anywhere: only the list is changed then
        let scope = if signature.ends_with('.') { root } else { 0 };
        let chosen: Vec<usize> = std::iter::once(scope)
            .chain(page.below(scope))
            .filter(|&at| at != 0 && page.signature(at) == *signature && !page.is_foreign(at))
            .collect();
        let Some(&first) = chosen.first() else { continue };
        let Some(&tag) = random.choose(other_tags(page.tag(first))) else { continue };
        let block = |page: &EditablePage, at: usize| page.in_paragraph(page.items[at].parent);
        if tag == "div" && chosen.iter().any(|&at| block(page, at)) {
            continue;
        }
        for at in chosen {
            if matches!(page.tag(at), "ul" | "ol") {
                for item in
                    page.elements(at).into_iter().filter(|&item| page.tag(item) == "li").collect::<Vec<_>>()
                {
                    page.set_tag(item, "div");
                }
            }
            page.set_tag(at, tag);
        }
        changed = true;
    }
    changed
}
