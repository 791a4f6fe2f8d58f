//! Which rules may match an element: rules by the id, class or tag that their selectors end in.

use crate::selector_names::{SelectorNames, hash};
use crate::stylesheet::{RuleSet, StyleRule};
use copal_dom::{Node, Tree, attrs};
use rustc_hash::FxHashMap;
use selectors::parser::{Component, Selector};

/// Rules by what their selectors end in.
#[derive(Debug)]
pub(crate) struct RuleIndex {
    by_id: FxHashMap<u64, Vec<u32>>,
    by_class: FxHashMap<u64, Vec<u32>>,
    by_tag: FxHashMap<u64, Vec<u32>>,
    others: Vec<u32>,
    /// By rule: the order in which normal declarations apply.
    normal_order: Vec<u64>,
    /// By rule: the same for important ones, among which earlier layers win.
    important_order: Vec<u64>,
    is_quirks: bool,
}

/// What an element must have to match a selector.
enum SelectorEnd {
    Id(u64),
    Class(u64),
    Tag(u64),
    Anything,
}

impl RuleIndex {
    pub(crate) fn new(set: &RuleSet, is_quirks: bool) -> RuleIndex {
        let mut index = RuleIndex {
            by_id: FxHashMap::default(),
            by_class: FxHashMap::default(),
            by_tag: FxHashMap::default(),
            others: Vec::new(),
            normal_order: Vec::with_capacity(set.rules.len()),
            important_order: Vec::with_capacity(set.rules.len()),
            is_quirks,
        };
        let ranks = set.layers.ranks();
        for (number, rule) in set.rules.iter().enumerate() {
            let number = number as u32;
            match selector_end(&rule.selector, is_quirks) {
                SelectorEnd::Id(id) => index.by_id.entry(id).or_default().push(number),
                SelectorEnd::Class(class) => index.by_class.entry(class).or_default().push(number),
                SelectorEnd::Tag(tag) => index.by_tag.entry(tag).or_default().push(number),
                SelectorEnd::Anything => index.others.push(number),
            }
            let rank = ranks[rule.layer as usize];
            index.normal_order.push(order_key(rank, rule));
            index.important_order.push(order_key(ranks.len() as u16 - rank, rule));
        }
        index
    }

    /// Calls `visit` with every rule that may match.
    pub(crate) fn candidates(&self, tree: &Tree, node: Node, mut visit: impl FnMut(u32)) {
        let mut visit_all =
            |rules: Option<&Vec<u32>>| rules.into_iter().flatten().for_each(|&rule| visit(rule));
        visit_all(Some(&self.others));
        if !self.by_tag.is_empty() {
            visit_all(self.by_tag.get(&hash(tree.tag_name(node))));
        }
        if let Some(classes) = tree.attr(node, attrs::CLASS).filter(|_| !self.by_class.is_empty()) {
            for word in classes.split_ascii_whitespace() {
                visit_all(self.by_class.get(&name_hash(word, self.is_quirks)));
            }
        }
        if let Some(id) = tree.attr(node, attrs::ID).filter(|_| !self.by_id.is_empty()) {
            visit_all(self.by_id.get(&name_hash(id, self.is_quirks)));
        }
    }

    pub(crate) fn order(&self, rule: u32, is_important: bool) -> u64 {
        let orders = if is_important { &self.important_order } else { &self.normal_order };
        orders[rule as usize]
    }
}

/// Layer, specificity (30 bits) and position, the most significant first.
fn order_key(rank: u16, rule: &StyleRule) -> u64 {
    let specificity = u64::from(rule.selector.specificity() & 0x3fff_ffff);
    (u64::from(rank & 0x3ff) << 54) | (specificity << 24) | u64::from(rule.order & 0xff_ffff)
}

fn name_hash(name: &str, is_quirks: bool) -> u64 {
    if is_quirks { hash(&name.to_ascii_lowercase()) } else { hash(name) }
}

fn selector_end(selector: &Selector<SelectorNames>, is_quirks: bool) -> SelectorEnd {
    let mut end = SelectorEnd::Anything;
    for part in selector.iter() {
        end = match (part, end) {
            (Component::ID(id), _) => return SelectorEnd::Id(name_hash(id.as_ref(), is_quirks)),
            (Component::Class(class), SelectorEnd::Anything | SelectorEnd::Tag(_)) => {
                SelectorEnd::Class(name_hash(class.as_ref(), is_quirks))
            }
            (Component::LocalName(name), SelectorEnd::Anything) if name.name == name.lower_name => {
                SelectorEnd::Tag(hash(name.lower_name.as_ref()))
            }
            (Component::Root, SelectorEnd::Anything) => SelectorEnd::Tag(hash("html")),
            (_, end) => end,
        };
    }
    end
}
