//! The cascade: which rules match each element, and the style that follows.
//!
//! In: a tree and the rules of its stylesheets. Out: [`ComputedStyles`]. One pass in document order without recursion.
//! Only rules whose last id, class or tag the element has are tried, and a filter of the ids, classes and tags
//! above the element refuses most of these without walking up. Elements with the same rules below parents of the
//! same style share one computation. Every rule that is tried, every step that its selector takes and every
//! declaration that applies uses fuel; without fuel there is no result.

use crate::computed::{StyleContext, compute};
use crate::computed_style::ComputedStyle;
use crate::declaration_block::DeclarationBlock;
use crate::element_index::ElementIndex;
use crate::given_sheets::Stylesheets;
use crate::hints::presentational_hints;
use crate::properties::Declaration;
use crate::rule_index::RuleIndex;
use crate::selector_names::hash;
use crate::stylesheet::RuleSet;
use copal_dom::{NONE, Node, Tree, attrs};
use rustc_hash::FxHashMap;
use selectors::bloom::{BLOOM_HASH_MASK, BloomFilter};
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::matches_selector;
use std::sync::LazyLock;

/// Fuel that every page has, and what it has for each node.
const BASE_FUEL: u64 = 2_000_000;
const FUEL_PER_NODE: u64 = 400;
const MAX_FUEL: u64 = 40_000_000;

/// The computed styles of a page's nodes.
#[derive(Debug)]
pub struct ComputedStyles {
    table: Vec<ComputedStyle>,
    of_node: Vec<u32>,
}

impl ComputedStyles {
    /// The style of a node; texts have that of their parent.
    pub fn of(&self, node: Node) -> &ComputedStyle {
        &self.table[self.of_node[node as usize] as usize]
    }

    /// The number of the style: nodes with equal numbers have equal styles.
    pub(crate) fn id(&self, node: Node) -> u32 {
        self.of_node[node as usize]
    }

    pub(crate) fn table(&self) -> &[ComputedStyle] {
        &self.table
    }
}

static BROWSER_RULES: LazyLock<(RuleSet, RuleIndex)> = LazyLock::new(|| browser_rules(false));
static QUIRKS_BROWSER_RULES: LazyLock<(RuleSet, RuleIndex)> = LazyLock::new(|| browser_rules(true));

/// In quirks mode tables do not inherit fonts.
const QUIRKS_SHEET: &str = "table { white-space: initial; font-size: initial; font-weight: initial; font-style: initial; text-align: start }";

fn browser_rules(is_quirks: bool) -> (RuleSet, RuleIndex) {
    let mut rules = RuleSet::new(is_quirks);
    let sheets = Stylesheets::default();
    rules.read(include_str!("user_agent.css"), None, &sheets);
    if is_quirks {
        rules.read(QUIRKS_SHEET, None, &sheets);
    }
    let index = RuleIndex::new(&rules, is_quirks);
    (rules, index)
}

/// Computes the styles of all nodes; `None` if that takes too many steps.
pub(crate) fn cascade(tree: &Tree, rules: &RuleSet) -> Option<ComputedStyles> {
    let is_quirks = tree.is_quirks();
    let fuel = (BASE_FUEL + FUEL_PER_NODE * tree.len() as u64).min(MAX_FUEL);
    let index = ElementIndex::with_fuel(tree, fuel);
    let browser = if is_quirks { &*QUIRKS_BROWSER_RULES } else { &*BROWSER_RULES };
    let mut cascade = Cascade {
        tree,
        index: &index,
        browser: (&browser.0, &browser.1),
        page: (rules, &RuleIndex::new(rules, is_quirks)),
        quirks: if is_quirks { QuirksMode::Quirks } else { QuirksMode::NoQuirks },
        filter: BloomFilter::new(),
        open: Vec::new(),
        caches: SelectorCaches::default(),
        attribute_blocks: Vec::new(),
        attribute_ids: FxHashMap::default(),
        shared: FxHashMap::default(),
        styles: ComputedStyles {
            table: vec![ComputedStyle::default()],
            of_node: Vec::with_capacity(tree.len()),
        },
        root_size: None,
    };
    for node in tree.nodes() {
        cascade.visit(node);
        if index.is_spent() {
            return None;
        }
    }
    Some(cascade.styles)
}

type Rules<'a> = (&'a RuleSet, &'a RuleIndex);

/// Where a block of declarations comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum BlockRef {
    Browser(u32),
    Page(u32),
    /// Of the element's own attributes.
    Attribute(u32),
}

/// The rules and attributes of an element, with the style of its parent: equal keys give equal styles.
#[derive(Debug, PartialEq, Eq, Hash)]
struct StyleKey {
    parent: u32,
    is_root: bool,
    normal: Vec<BlockRef>,
    important: Vec<BlockRef>,
}

/// An element whose descendants are being visited.
struct OpenElement {
    end: Node,
    /// What it put into the filter.
    hashes: Vec<u32>,
}

struct Cascade<'a> {
    tree: &'a Tree,
    index: &'a ElementIndex<'a>,
    browser: Rules<'a>,
    page: Rules<'a>,
    quirks: QuirksMode,
    /// Ids, classes and tags of the open elements.
    filter: BloomFilter,
    open: Vec<OpenElement>,
    caches: SelectorCaches,
    attribute_blocks: Vec<DeclarationBlock>,
    attribute_ids: FxHashMap<String, u32>,
    shared: FxHashMap<StyleKey, u32>,
    styles: ComputedStyles,
    root_size: Option<f32>,
}

impl Cascade<'_> {
    fn visit(&mut self, node: Node) {
        let parent = self.tree.parent(node);
        let parent_id = if parent == NONE { 0 } else { self.styles.of_node[parent as usize] };
        if parent == NONE || self.tree.is_text(node) {
            self.styles.of_node.push(parent_id);
            return;
        }
        while self.open.last().is_some_and(|open| open.end <= node) {
            for hash in self.open.pop().into_iter().flat_map(|open| open.hashes) {
                self.filter.remove_hash(hash);
            }
        }
        let key = self.key(node, parent_id);
        let id = match self.shared.get(&key) {
            Some(&id) => id,
            None => {
                let style = self.compute(&key);
                let id = self.styles.table.len() as u32;
                self.styles.table.push(style);
                self.shared.insert(key, id);
                id
            }
        };
        self.styles.of_node.push(id);
        if parent == 0 && self.root_size.is_none() {
            self.root_size = Some(self.styles.table[id as usize].font_size);
        }
        if self.tree.end(node) > node + 1 {
            self.enter(node);
        }
    }

    fn enter(&mut self, node: Node) {
        let mut hashes = Vec::new();
        let mut add = |name: &str| hashes.push(hash(name) as u32 & BLOOM_HASH_MASK);
        add(self.tree.tag_name(node));
        if let Some(id) = self.tree.attr(node, attrs::ID) {
            add(id);
        }
        // classes beyond these are not in the filter of any selector that could need them
        for word in self.tree.attr(node, attrs::CLASS).unwrap_or_default().split_ascii_whitespace() {
            add(word);
        }
        for &hash in &hashes {
            self.filter.insert_hash(hash);
        }
        self.open.push(OpenElement { end: self.tree.end(node), hashes });
    }

    /// The blocks that apply to an element, in the order of the cascade.
    fn key(&mut self, node: Node, parent: u32) -> StyleKey {
        let browser = self.matching(node, self.browser);
        let page = self.matching(node, self.page);
        let (mut normal, mut important) = (Vec::new(), Vec::new());
        Self::push_sorted(self.browser, &browser, false, BlockRef::Browser, &mut normal);
        let hints = self.attribute_block(&presentational_hints(self.tree, node));
        normal.extend(hints.map(BlockRef::Attribute));
        Self::push_sorted(self.page, &page, false, BlockRef::Page, &mut normal);
        Self::push_sorted(self.page, &page, true, BlockRef::Page, &mut important);
        let own = self.tree.attr(node, attrs::STYLE).and_then(|text| self.attribute_block(text));
        if let Some(own) = own {
            normal.push(BlockRef::Attribute(own));
            important.push(BlockRef::Attribute(own));
        }
        Self::push_sorted(self.browser, &browser, true, BlockRef::Browser, &mut important);
        StyleKey { parent, is_root: self.tree.parent(node) == 0, normal, important }
    }

    /// The rules that match an element.
    fn matching(&mut self, node: Node, (set, rule_index): Rules<'_>) -> Vec<u32> {
        let mut context = MatchingContext::new(
            MatchingMode::Normal,
            Some(&self.filter),
            &mut self.caches,
            self.quirks,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        let element = self.index.at(node);
        let mut found = Vec::new();
        rule_index.candidates(self.tree, node, |number| {
            self.index.burn();
            let rule = &set.rules[number as usize];
            if !self.index.is_spent()
                && matches_selector(&rule.selector, 0, Some(&rule.hashes), &element, &mut context)
            {
                found.push(number);
            }
        });
        found
    }

    fn push_sorted(
        (set, rule_index): Rules<'_>,
        found: &[u32],
        is_important: bool,
        to_ref: impl Fn(u32) -> BlockRef,
        blocks: &mut Vec<BlockRef>,
    ) {
        let has_part = |rule: &&u32| {
            let block = &set.blocks[set.rules[**rule as usize].block as usize];
            !(if is_important { &block.important } else { &block.normal }).is_empty()
        };
        let mut found: Vec<u32> = found.iter().filter(has_part).copied().collect();
        found.sort_unstable_by_key(|&rule| rule_index.order(rule, is_important));
        for rule in found {
            let block = to_ref(set.rules[rule as usize].block);
            // selectors of one rule that match with equal specificity follow each other
            if blocks.last() != Some(&block) {
                blocks.push(block);
            }
        }
    }

    /// The block of an attribute's declarations; equal attributes share it.
    fn attribute_block(&mut self, text: &str) -> Option<u32> {
        if text.is_empty() {
            return None;
        }
        if let Some(&known) = self.attribute_ids.get(text) {
            return Some(known);
        }
        let id = self.attribute_blocks.len() as u32;
        self.attribute_blocks.push(DeclarationBlock::from_attribute(text));
        self.attribute_ids.insert(text.to_owned(), id);
        Some(id)
    }

    fn compute(&self, key: &StyleKey) -> ComputedStyle {
        let block = |reference: &BlockRef| match *reference {
            BlockRef::Browser(block) => &self.browser.0.blocks[block as usize],
            BlockRef::Page(block) => &self.page.0.blocks[block as usize],
            BlockRef::Attribute(block) => &self.attribute_blocks[block as usize],
        };
        let normal = key.normal.iter().flat_map(|reference| &block(reference).normal);
        let important = key.important.iter().flat_map(|reference| &block(reference).important);
        let declarations: Vec<&Declaration> = normal.chain(important).collect();
        let is_browser = |reference: &&BlockRef| matches!(reference, BlockRef::Browser(_));
        let of_browser = key.normal.iter().take_while(is_browser).map(|one| block(one).normal.len()).sum();
        let parent = &self.styles.table[key.parent as usize];
        let inherited = parent.custom.as_ref().map_or(0, |custom| custom.len());
        (0..declarations.len() + inherited).for_each(|_| self.index.burn());
        let context = StyleContext { parent, root_size: self.root_size, is_root: key.is_root };
        compute(&context, &declarations, of_browser)
    }
}
