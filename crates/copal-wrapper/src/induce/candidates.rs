//! Candidate selectors for an element.
//!
//! In: an element and the scope inside which it is looked for. Out: selectors that select it (and maybe
//! others), of several families, each with an estimate of how likely it is to survive a change of the site.
//! Names that people chose (properties, ids, class words) last longer than paths, and paths last longer than
//! positions. Names that look generated are not used. O(depth + attributes).

use crate::locate::css::{identifier, nth_child, quoted};
use crate::locate::url_parts::url_parts;
use copal_dom::{Node, Tree, attrs, is_stable_word, stable_classes, tags};

/// How a locator finds its element. The locators of one thing come from different families, so that they do
/// not all break at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LocatorFamily {
    /// One property, id or class word.
    Name,
    /// Tag with all stable attributes (DEUDS).
    Pattern,
    /// A named ancestor, and the path from there.
    Anchored,
    /// Only tags.
    Path,
    /// The target of a link.
    Url,
    /// A label before the cell.
    Label,
    /// The value type of the cell.
    ValueType,
    /// The position among siblings.
    Position,
}

/// A selector that may become a locator.
#[derive(Debug, Clone)]
pub(crate) struct SelectorCandidate {
    pub(crate) family: LocatorFamily,
    /// How likely it is to survive a change of the site, from 0 to 1.
    pub(crate) score: f64,
    pub(crate) css: String,
}

/// How likely a step by tag alone is to survive.
const TAG_SURVIVAL: f64 = 0.75;
/// How likely the common part of link targets is to survive.
const URL_SURVIVAL: f64 = 0.8;
/// Longest name or value of an HTML attribute that is used, in bytes.
const MAX_NAME_BYTES: usize = 50;
/// Maximum number of names of one element.
const MAX_NAMES_PER_ELEMENT: usize = 8;
/// Maximum number of named ancestors that are tried as anchors.
const MAX_ANCHORS: usize = 4;
/// Longest path, in steps.
const MAX_PATH_STEPS: usize = 30;

/// Selectors for an element inside a scope. The scope 0 is the document.
pub(crate) fn selector_candidates(tree: &Tree, scope: Node, node: Node) -> Vec<SelectorCandidate> {
    let mut out = Vec::new();
    let mut push = |family, score: f64, css: String| out.push(SelectorCandidate { family, score, css });
    if node == scope {
        push(LocatorFamily::Path, 0.95, ":scope".into());
        return out;
    }
    let tag = tag_of(tree, node);
    let own = names(tree, node);
    for (score, name) in &own {
        push(LocatorFamily::Name, *score, name.clone());
        push(LocatorFamily::Name, score * 0.98, format!("{tag}{name}"));
    }
    if let Some((score, pattern)) = pattern(tree, node) {
        push(LocatorFamily::Pattern, score, pattern);
    }
    let above: Vec<Node> =
        tree.ancestors(node).take_while(|&up| up != scope && up != 0).take(MAX_PATH_STEPS).collect();
    let whole = tree.ancestors(node).nth(above.len()) == Some(scope);
    let mut anchors = 0;
    let mut path = tag.clone();
    for (steps, &up) in above.iter().enumerate() {
        let named = names(tree, up);
        anchors += usize::from(!named.is_empty());
        for (score, name) in named.iter().take(3).filter(|_| anchors <= MAX_ANCHORS) {
            let score = score * TAG_SURVIVAL.powf(steps as f64 + 1.0).max(0.3);
            push(LocatorFamily::Anchored, score, format!("{name} > {path}"));
            push(LocatorFamily::Anchored, score * 1.02, format!("{name} {tag}"));
            for (inner, own) in own.iter().take(2) {
                push(LocatorFamily::Anchored, score * inner, format!("{name} {own}"));
            }
        }
        path = format!("{} > {path}", tag_of(tree, up));
    }
    // Sites change the targets of their links less often than their class names.
    let link = std::iter::once(&node).chain(&above).find(|&&up| tree.tag(up) == tags::A);
    if let Some(part) = link.and_then(|&link| url_parts(tree.attr(link, attrs::HREF)?).pop()) {
        let tail = if link == Some(&node) { String::new() } else { format!(" {tag}") };
        push(LocatorFamily::Url, URL_SURVIVAL, format!("a[href*={}]{tail}", quoted(&part)));
    }
    push(LocatorFamily::Path, TAG_SURVIVAL, tag.clone());
    if let Some(&up) = above.first() {
        push(LocatorFamily::Path, TAG_SURVIVAL * 0.9, format!("{} > {tag}", tag_of(tree, up)));
        push(LocatorFamily::Path, TAG_SURVIVAL * 0.9, format!("{} {tag}", tag_of(tree, up)));
    }
    if whole {
        push(LocatorFamily::Path, 0.6, format!(":scope > {path}"));
        let positions: Vec<String> = above
            .iter()
            .rev()
            .chain([&node])
            .map(|&step| format!("{}{}", tag_of(tree, step), nth_child(tree, step)))
            .collect();
        push(LocatorFamily::Position, 0.3, format!(":scope > {}", positions.join(" > ")));
        push(LocatorFamily::Position, 0.45, format!(":scope > {path}{}", nth_child(tree, node)));
    }
    push(LocatorFamily::Position, 0.5, format!("{tag}{}", nth_child(tree, node)));
    push(LocatorFamily::Position, 0.55, format!("{tag}:not(:first-child)"));
    push(LocatorFamily::Position, 0.55, format!("{tag}:first-child"));
    for (score, name) in own.iter().take(2) {
        push(LocatorFamily::Position, score * 0.6, format!("{name}{}", nth_child(tree, node)));
    }
    out
}

/// Selectors of single HTML attributes and class words of an element, with their scores, best first.
pub(crate) fn names(tree: &Tree, node: Node) -> Vec<(f64, String)> {
    let mut names: Vec<(f64, String)> = Vec::new();
    for (name, value) in tree.attributes(node) {
        let value_fits = !value.is_empty() && value.len() <= MAX_NAME_BYTES && is_plain(name);
        let score = match name {
            "itemprop" | "property" => 0.97,
            "data-testid" | "data-test" | "data-qa" => 0.95,
            "id" if is_stable_word(value) => 0.93,
            "role" | "name" | "rel" => 0.9,
            _ => continue,
        };
        // An id or test name with a number belongs to one element and not to all that are like it.
        let numbered = value.contains(|c: char| c.is_ascii_digit());
        if value_fits && !(numbered && matches!(name, "id" | "data-testid" | "data-test" | "data-qa")) {
            names.push(match name {
                "id" => (score, format!("#{}", identifier(value))),
                _ => (score, format!("[{}={}]", identifier(name), quoted(value))),
            });
        }
    }
    for word in stable_classes(tree.attr(node, attrs::CLASS).unwrap_or_default()) {
        let is_word =
            word.len() >= 3 && word.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_'));
        names.push((if is_word { 0.88 } else { 0.7 }, format!(".{}", identifier(word))));
    }
    // The presence of an attribute, whatever its value.
    for (name, _) in tree.attributes(node) {
        if name.strip_prefix("data-").is_some_and(is_stable_word) && is_plain(name) {
            names.push((0.8, format!("[{}]", identifier(name))));
        }
    }
    names.sort_by(|a, b| b.0.total_cmp(&a.0));
    names.truncate(MAX_NAMES_PER_ELEMENT);
    names
}

/// True for names of HTML attributes that need no escapes.
fn is_plain(name: &str) -> bool {
    name.len() <= MAX_NAME_BYTES
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

/// The DEUDS pattern, reduced to HTML attributes that do not change from page to page. None if the element
/// has none.
fn pattern(tree: &Tree, node: Node) -> Option<(f64, String)> {
    let mut pattern = tag_of(tree, node);
    let (mut score, mut any) = (0.95, false);
    for (name, value) in tree.attributes(node) {
        let kept = matches!(
            name,
            "itemprop"
                | "property"
                | "role"
                | "rel"
                | "name"
                | "type"
                | "itemtype"
                | "scope"
                | "align"
                | "valign"
        );
        if kept && value.len() <= MAX_NAME_BYTES && !value.is_empty() {
            pattern.push_str(&format!("[{}={}]", identifier(name), quoted(value)));
            (score, any) = (score * 0.95, true);
        } else if name == "class" {
            for word in stable_classes(value) {
                pattern.push_str(&format!(".{}", identifier(word)));
                (score, any) = (score * 0.93, true);
            }
        } else if name == "id" && is_stable_word(value) && !value.contains(|c: char| c.is_ascii_digit()) {
            pattern.push_str(&format!("#{}", identifier(value)));
            (score, any) = (score * 0.95, true);
        }
    }
    any.then_some((score, pattern))
}

fn tag_of(tree: &Tree, node: Node) -> String {
    if tree.tag(node) == tags::OTHER { "*".into() } else { identifier(tree.tag_name(node)) }
}

/// The best candidates, given with their scores: at most one per family, and at most `count`.
pub(crate) fn best_of_families<T>(mut all: Vec<(LocatorFamily, f64, T)>, count: usize) -> Vec<T> {
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut used: Vec<LocatorFamily> = Vec::new();
    let mut out = Vec::new();
    for (family, _, one) in all {
        if out.len() < count && !used.contains(&family) {
            used.push(family);
            out.push(one);
        }
    }
    out
}
