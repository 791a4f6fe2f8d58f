//! Changes of classes and ids.

use super::super::editable::{EditablePage, NodeContent};
use super::class_name;
use crate::random::SplitMix64;
use std::collections::{BTreeMap, BTreeSet};

/// A class name as build tools generate it.
fn hashed_class_name(random: &mut SplitMix64) -> String {
    const SIGNS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    let tail: String = (0..7).map(|_| SIGNS[random.below(SIGNS.len())] as char).collect();
    format!("{}-{tail}{}", ["css", "sc", "jss", "m"][random.below(4)], random.below(10))
}

/// Renames classes everywhere.
fn replace_classes(page: &mut EditablePage, names: &BTreeMap<String, String>) -> bool {
    for item in &mut page.items {
        let NodeContent::Element { attributes, .. } = &mut item.what else { continue };
        for (_, value) in attributes.iter_mut().filter(|(name, _)| name == "class") {
            let words = value.split_ascii_whitespace();
            *value =
                words.map(|word| names.get(word).map_or(word, String::as_str)).collect::<Vec<_>>().join(" ");
        }
    }
    !names.is_empty()
}

fn class_names(page: &EditablePage) -> BTreeSet<String> {
    let all = (1..page.items.len()).filter_map(|at| page.attribute(at, "class"));
    all.flat_map(|class| class.split_ascii_whitespace().map(str::to_owned)).collect()
}

/// Two of five classes get other names.
pub(super) fn rename(page: &mut EditablePage, random: &mut SplitMix64) -> bool {
    let mut names = BTreeMap::new();
    for word in class_names(page) {
        if random.percent(40) {
            names.insert(word, class_name(random));
        }
    }
    replace_classes(page, &names)
}

/// Two of five classes become hashes.
pub(super) fn hash(page: &mut EditablePage, random: &mut SplitMix64) -> bool {
    let mut names = BTreeMap::new();
    for word in class_names(page) {
        if random.percent(40) {
            names.insert(word, hashed_class_name(random));
        }
    }
    replace_classes(page, &names)
}

/// No element keeps its id.
pub(super) fn drop_ids(page: &mut EditablePage, _: &mut SplitMix64) -> bool {
    let mut any = false;
    for item in &mut page.items {
        if let NodeContent::Element { attributes, .. } = &mut item.what {
            let before = attributes.len();
            attributes.retain(|(name, _)| name != "id");
            any |= attributes.len() < before;
        }
    }
    any
}
