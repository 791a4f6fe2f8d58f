//! CSS selectors on a page's tree, with bounded cost.
//!
//! In: the text of a selector, and a page. Out: [`Css`], and the elements it selects in document order.
//! Selectors come from files that anybody may have written. So a selector has at most 4 KB, its brackets nest
//! at most 32 deep and it has at most 64 combinators: the `selectors` crate recurses over these and nothing
//! else. Each step from element to element takes fuel. When the fuel of a page is used up nothing matches any
//! more and [`ElementIndex::is_spent`] says so; `p ~ li` over 20,000 siblings would otherwise take minutes.
//! For selectors without siblings the cost is O(elements with the tag or class that the selector ends in).

use crate::error::WrapperError;
use copal_css::{ElementIndex, SelectorNames, SelectorParser, hash};
use copal_dom::{Node, Page, Tree};
use copal_extract::ElementSelector;
use cssparser::Parser as CssParser;
use selectors::Element;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::matches_selector_list;
use selectors::parser::{Component, ParseRelative, Selector, SelectorList};
use std::borrow::Cow;
use std::ops::Range;

/// Longest selector that is read.
pub const MAX_SELECTOR_BYTES: usize = 4096;
/// Deepest nesting of brackets.
pub const MAX_SELECTOR_NESTING: usize = 32;
/// Maximum number of combinators of one selector.
const MAX_SELECTOR_STEPS: usize = 64;

/// A parsed selector (or several, separated by commas).
#[derive(Debug, Clone)]
pub struct Css {
    pub(crate) list: SelectorList<SelectorNames>,
    /// The tag or class that each of its selectors ends in. None if one of them ends in neither.
    ends: Option<Vec<SelectorEnd>>,
    text: Box<str>,
}

/// A tag or class that an element must have to be selected.
#[derive(Debug, Clone)]
enum SelectorEnd {
    Tag(Box<str>),
    Class(Box<str>),
}

impl Css {
    /// Parses a selector.
    pub fn parse(text: &str) -> Result<Css, WrapperError> {
        if text.len() > MAX_SELECTOR_BYTES {
            let found = format!("{} bytes", text.len());
            return Err(WrapperError::SelectorLimit { found, max: MAX_SELECTOR_BYTES });
        }
        if nesting(text) > MAX_SELECTOR_NESTING {
            let found = "too many nested brackets".to_owned();
            return Err(WrapperError::SelectorLimit { found, max: MAX_SELECTOR_NESTING });
        }
        let mut parser = CssParser::new(text);
        let list = SelectorList::parse(&SelectorParser::FOR_SAVED_PAGES, &mut parser, ParseRelative::No)
            .map_err(|_| WrapperError::Selector { css: text.to_owned() })?;
        let steps = |selector: &Selector<SelectorNames>| {
            selector.iter_raw_match_order().filter(|part| matches!(part, Component::Combinator(_))).count()
        };
        if let Some(steps) = list.slice().iter().map(steps).find(|&steps| steps > MAX_SELECTOR_STEPS) {
            let found = format!("{steps} steps");
            return Err(WrapperError::SelectorLimit { found, max: MAX_SELECTOR_STEPS });
        }
        let ends = list
            .slice()
            .iter()
            .map(|selector| {
                let class = selector.iter().find_map(|part| match part {
                    Component::Class(name) => Some(SelectorEnd::Class(name.as_ref().into())),
                    _ => None,
                });
                class.or_else(|| {
                    selector.iter().find_map(|part| match part {
                        Component::LocalName(name) => Some(SelectorEnd::Tag(name.lower_name.as_ref().into())),
                        _ => None,
                    })
                })
            })
            .collect();
        Ok(Css { list, ends, text: text.into() })
    }

    /// The text it was parsed from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True if it only selects elements with this tag.
    pub(crate) fn ends_in(&self, tag: &str) -> bool {
        self.ends.as_ref().is_some_and(|ends| {
            ends.iter().all(|end| matches!(end, SelectorEnd::Tag(name) if **name == *tag))
        })
    }

    /// The elements of the document that it selects.
    pub fn select(&self, index: &ElementIndex<'_>) -> Vec<Node> {
        self.select_below(index, 0)
    }

    /// The elements inside an element that it selects; `:scope` is that element.
    pub fn select_below(&self, index: &ElementIndex<'_>, scope: Node) -> Vec<Node> {
        let mut out = Vec::new();
        let inside = scope + 1..index.tree.end(scope);
        self.each(index, std::iter::once((scope, inside)), |_, node| out.push(node));
        out
    }

    /// Calls `found` with the number of the scope and the element for each element that is selected in the
    /// range of a scope. One call for all records of a page is much cheaper than one call per record.
    pub fn each(
        &self,
        index: &ElementIndex<'_>,
        scopes: impl Iterator<Item = (Node, Range<Node>)>,
        mut found: impl FnMut(usize, Node),
    ) {
        let mut caches = SelectorCaches::default();
        let mut context = MatchingContext::new(
            MatchingMode::Normal,
            None,
            &mut caches,
            QuirksMode::NoQuirks,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        let nodes = self.candidate_elements(index);
        for (number, (scope, range)) in scopes.enumerate() {
            context.scope_element = Some(index.at(scope).opaque());
            let from = nodes.partition_point(|&node| node < range.start);
            for &node in nodes[from..].iter().take_while(|&&node| node < range.end) {
                index.burn();
                let matches = matches_selector_list(&self.list, &index.at(node), &mut context);
                if index.is_spent() {
                    return;
                }
                if matches {
                    found(number, node);
                }
            }
        }
    }

    /// The elements with a tag or class that the selector ends in, in document order.
    fn candidate_elements<'a>(&self, index: &'a ElementIndex<'_>) -> Cow<'a, [Node]> {
        let Some(ends) = &self.ends else { return index.elements().into() };
        let elements_with = |end: &SelectorEnd| match end {
            SelectorEnd::Tag(name) => {
                index.tree.tags().find(name).and_then(|tag| index.with_tag(tag)).map(Vec::as_slice)
            }
            SelectorEnd::Class(word) => index.with_class_hash(hash(word)),
        };
        let mut lists = ends.iter().filter_map(elements_with);
        match (lists.next(), lists.next()) {
            (None, _) => (&[][..]).into(),
            (Some(only), None) => only.into(),
            (Some(first), Some(second)) => {
                let mut all: Vec<Node> = first.iter().chain(second).chain(lists.flatten()).copied().collect();
                all.sort_unstable();
                all.dedup();
                all.into()
            }
        }
    }
}

impl ElementSelector for Css {
    fn text(&self) -> &str {
        &self.text
    }

    fn select_in(&self, page: &Page, scopes: &[Node]) -> Vec<Vec<Node>> {
        let mut found = vec![Vec::new(); scopes.len()];
        let ranges = scopes.iter().map(|&scope| (scope, scope..page.tree.end(scope)));
        self.each(&ElementIndex::new(&page.tree), ranges, |number, node| found[number].push(node));
        found
    }
}

/// How deep brackets nest outside quoted strings.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest, mut quote, mut escaped) = (0usize, 0, None, false);
    for c in text.chars() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (_, '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// A text as a CSS string, in double quotes.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    // Writing to a string does not fail.
    let _ = cssparser::serialize_string(text, &mut out);
    out
}

/// A text as a CSS identifier.
pub fn identifier(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let _ = cssparser::serialize_identifier(text, &mut out);
    out
}

/// The `:nth-child` selector of an element's position among its siblings.
pub(crate) fn nth_child(tree: &Tree, node: Node) -> String {
    let siblings = tree.elements(tree.parent(node));
    format!(":nth-child({})", siblings.take_while(|&sibling| sibling <= node).count())
}

#[cfg(test)]
mod tests;
