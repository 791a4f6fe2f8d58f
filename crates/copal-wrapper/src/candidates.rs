//! Selectors that may find an element again.
//!
//! In: an element and the scope below which it is looked for. Out: selectors that select it (and maybe others), of several
//! families, each with how likely it is to live on when the site changes. Names that people chose (properties, ids, class
//! words) last longer than paths, and paths longer than positions; what looks generated is not used. O(depth + attributes).

use crate::css::{identifier, quoted};
use crate::looks::parts_of_address;
use copal_dom::{Node, Tree, attrs, is_stable_word, stable_classes, tags};

/// How a selector finds its element: locators of one thing are of different families, so that not all break at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// One property, id or class word.
    Name,
    /// Tag with all stable attributes (DEUDS).
    Pattern,
    /// A named element around it, and the way from there.
    Anchored,
    /// Tags only.
    Path,
    /// Where a link leads.
    Address,
    /// A text before it.
    Label,
    /// The type of what it says.
    Content,
    /// Its place among siblings.
    Position,
}

#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) family: Family,
    /// How likely it lives on.
    pub(crate) score: f64,
    pub(crate) css: String,
}

/// Survival of a step by tag alone.
const BY_TAG: f64 = 0.75;
/// Survival of the common part of addresses.
const BY_ADDRESS: f64 = 0.8;
/// Longest value of an attribute that names something.
const LONGEST: usize = 50;
/// Most names of one element that are tried.
const MOST_NAMES: usize = 8;
/// Ancestors that are tried as anchors.
const ANCHORS: usize = 4;
/// Longest path that is written.
const DEEPEST: usize = 30;

/// Selectors for an element below a scope; those of the document begin anywhere.
pub(crate) fn of(tree: &Tree, scope: Node, node: Node) -> Vec<Candidate> {
    let mut out = Vec::new();
    let mut push = |family, score: f64, css: String| out.push(Candidate { family, score, css });
    if node == scope {
        push(Family::Path, 0.95, ":scope".into());
        return out;
    }
    let tag = tag_of(tree, node);
    let own = names(tree, node);
    for (score, name) in &own {
        push(Family::Name, *score, name.clone());
        push(Family::Name, score * 0.98, format!("{tag}{name}"));
    }
    if let Some((score, pattern)) = pattern(tree, node) {
        push(Family::Pattern, score, pattern);
    }
    let above: Vec<Node> =
        tree.ancestors(node).take_while(|&up| up != scope && up != 0).take(DEEPEST).collect();
    let whole = tree.ancestors(node).nth(above.len()) == Some(scope);
    let mut anchors = 0;
    let mut way = tag.clone();
    for (steps, &up) in above.iter().enumerate() {
        let named = names(tree, up);
        anchors += usize::from(!named.is_empty());
        for (score, name) in named.iter().take(3).filter(|_| anchors <= ANCHORS) {
            let score = score * BY_TAG.powf(steps as f64 + 1.0).max(0.3);
            push(Family::Anchored, score, format!("{name} > {way}"));
            push(Family::Anchored, score * 1.02, format!("{name} {tag}"));
            for (inner, own) in own.iter().take(2) {
                push(Family::Anchored, score * inner, format!("{name} {own}"));
            }
        }
        way = format!("{} > {way}", tag_of(tree, up));
    }
    // what links lead to changes less than what they are called
    let link = std::iter::once(&node).chain(&above).find(|&&up| tree.tag(up) == tags::A);
    if let Some(part) = link.and_then(|&link| parts_of_address(tree.attr(link, attrs::HREF)?).pop()) {
        let way = if link == Some(&node) { String::new() } else { format!(" {tag}") };
        push(Family::Address, BY_ADDRESS, format!("a[href*={}]{way}", quoted(&part)));
    }
    push(Family::Path, BY_TAG, tag.clone());
    if let Some(&up) = above.first() {
        push(Family::Path, BY_TAG * 0.9, format!("{} > {tag}", tag_of(tree, up)));
        push(Family::Path, BY_TAG * 0.9, format!("{} {tag}", tag_of(tree, up)));
    }
    if whole {
        push(Family::Path, 0.6, format!(":scope > {way}"));
        let places: Vec<String> = above
            .iter()
            .rev()
            .chain([&node])
            .map(|&step| format!("{}{}", tag_of(tree, step), place(tree, step)))
            .collect();
        push(Family::Position, 0.3, format!(":scope > {}", places.join(" > ")));
        push(Family::Position, 0.45, format!(":scope > {way}{}", place(tree, node)));
    }
    push(Family::Position, 0.5, format!("{tag}{}", place(tree, node)));
    push(Family::Position, 0.55, format!("{tag}:not(:first-child)"));
    push(Family::Position, 0.55, format!("{tag}:first-child"));
    for (score, name) in own.iter().take(2) {
        push(Family::Position, score * 0.6, format!("{name}{}", place(tree, node)));
    }
    out
}

/// What is said of an element without its tag: single attributes and class words, surest first.
pub(crate) fn names(tree: &Tree, node: Node) -> Vec<(f64, String)> {
    let mut names: Vec<(f64, String)> = Vec::new();
    for (name, value) in tree.attributes(node) {
        let value_fits = !value.is_empty() && value.len() <= LONGEST && is_plain(name);
        let score = match name {
            "itemprop" | "property" => 0.97,
            "data-testid" | "data-test" | "data-qa" => 0.95,
            "id" if is_stable_word(value) => 0.93,
            "role" | "name" | "rel" => 0.9,
            _ => continue,
        };
        // an id or a test's name with a number is one element's alone
        let numbered = value.contains(|c: char| c.is_ascii_digit());
        if value_fits && !(numbered && matches!(name, "id" | "data-testid" | "data-test" | "data-qa")) {
            names.push(match name {
                "id" => (score, format!("#{}", identifier(value))),
                _ => (score, format!("[{}={}]", identifier(name), quoted(value))),
            });
        }
    }
    for word in stable_classes(tree.attr(node, attrs::CLASS).unwrap_or_default()) {
        let spoken =
            word.len() >= 3 && word.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_'));
        names.push((if spoken { 0.88 } else { 0.7 }, format!(".{}", identifier(word))));
    }
    // that there is such an attribute, whatever it says
    for (name, _) in tree.attributes(node) {
        if name.strip_prefix("data-").is_some_and(is_stable_word) && is_plain(name) {
            names.push((0.8, format!("[{}]", identifier(name))));
        }
    }
    names.sort_by(|a, b| b.0.total_cmp(&a.0));
    names.truncate(MOST_NAMES);
    names
}

/// Attribute names that need no escapes.
fn is_plain(name: &str) -> bool {
    name.len() <= LONGEST && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

/// The DEUDS pattern of what does not change from page to page; none if there is no such attribute.
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
        if kept && value.len() <= LONGEST && !value.is_empty() {
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

fn place(tree: &Tree, node: Node) -> String {
    let siblings = tree.elements(tree.parent(node));
    format!(":nth-child({})", siblings.take_while(|&sibling| sibling <= node).count())
}

/// Takes the best, then the best of other families, at most `count`. `score` is how good a candidate is here.
pub(crate) fn choose<T>(mut all: Vec<(Family, f64, T)>, count: usize) -> Vec<T> {
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut taken: Vec<Family> = Vec::new();
    let mut out = Vec::new();
    for (family, _, one) in all {
        if out.len() < count && !taken.contains(&family) {
            taken.push(family);
            out.push(one);
        }
    }
    out
}
