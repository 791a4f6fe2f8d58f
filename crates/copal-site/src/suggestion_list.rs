//! Finds the suggestions that a script shows while someone types into a field.
//!
//! In: the page after typing, its field, and which elements are shown now but were not before. Out: the suggestions. In
//! this order: the `<datalist>` of the field; the list that the field names with `aria-controls` or `aria-owns`; any
//! other `role=listbox` that has appeared; siblings that have appeared, if one of them contains what was typed. O(nodes).

use std::collections::BTreeMap;

use copal_dom::{Node, Page, Tree, attrs, tags};

/// Suggestions of one list that are looked at.
const MAX_LISTED: usize = 200;
/// Letters of a suggestion; what is longer is not one.
const MAX_SUGGESTION_CHARS: usize = 120;

/// A suggestion for a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Suggestion {
    /// The element to choose; `None` in a `<datalist>`, whose options are typed.
    pub(crate) node: Option<Node>,
    /// What it says.
    pub(crate) text: String,
}

/// The suggestions for a field, in their order on the page.
pub(crate) fn find_suggestions(
    page: &Page,
    field: Node,
    typed: &str,
    is_new: &dyn Fn(Node) -> bool,
) -> Vec<Suggestion> {
    let tree = &page.tree;
    if let Some(list) = tree.attr_named(field, "list").and_then(|id| element_with_id(tree, id)) {
        let found = datalist_options(page, list, typed);
        if !found.is_empty() {
            return found;
        }
    }
    let listboxes = tree.nodes().filter(|&node| tree.attr(node, attrs::ROLE) == Some("listbox"));
    let appeared = listboxes.filter(|&list| page.styles.is_shown(list) && has_new(tree, list, is_new));
    for list in named_lists(tree, field).into_iter().chain(appeared.take(3)) {
        let found = listed_options(page, list, typed);
        if !found.is_empty() {
            return found;
        }
    }
    appeared_siblings(page, field, typed, is_new)
}

fn element_with_id(tree: &Tree, id: &str) -> Option<Node> {
    tree.nodes().find(|&node| tree.attr(node, attrs::ID) == Some(id))
}

/// The options of a datalist that a browser offers for what was typed.
fn datalist_options(page: &Page, list: Node, typed: &str) -> Vec<Suggestion> {
    let tree = &page.tree;
    let options = (list..tree.end(list)).filter(|&node| tree.tag(node) == tags::OPTION);
    let texts = options.filter_map(|option| {
        let value = tree.attr(option, attrs::VALUE).map(str::to_owned);
        suggestion_text(&value.unwrap_or_else(|| raw_text(tree, option)))
    });
    let offered = texts.filter(|text| contains(text, typed));
    offered.take(MAX_LISTED).map(|text| Suggestion { node: None, text }).collect()
}

fn raw_text(tree: &Tree, node: Node) -> String {
    (node..tree.end(node)).filter(|&inner| tree.is_text(inner)).map(|inner| tree.raw_text(inner)).collect()
}

/// The lists that the field, or the combobox around it, names.
fn named_lists(tree: &Tree, field: Node) -> Vec<Node> {
    let around = tree.ancestors(field).take(3);
    let combobox = around.filter(|&node| tree.attr(node, attrs::ROLE) == Some("combobox"));
    let named = std::iter::once(field).chain(combobox).flat_map(|node| {
        ["aria-controls", "aria-owns"].into_iter().filter_map(move |name| tree.attr_named(node, name))
    });
    named.flat_map(str::split_whitespace).take(8).filter_map(|id| element_with_id(tree, id)).collect()
}

fn has_new(tree: &Tree, list: Node, is_new: &dyn Fn(Node) -> bool) -> bool {
    (list..tree.end(list)).any(is_new)
}

/// The options of a list: those with the role, else the list items.
fn listed_options(page: &Page, list: Node, typed: &str) -> Vec<Suggestion> {
    let tree = &page.tree;
    let inside = || (list + 1..tree.end(list)).filter(|&node| !tree.is_text(node) && is_open(page, node));
    let options = inside().filter(|&node| tree.attr(node, attrs::ROLE) == Some("option"));
    let found: Vec<Suggestion> =
        options.filter_map(|node| shown_suggestion(page, node, typed)).take(MAX_LISTED).collect();
    if !found.is_empty() {
        return found;
    }
    let items = inside().filter(|&node| tree.tag(node) == tags::LI);
    items.filter_map(|node| shown_suggestion(page, node, typed)).take(MAX_LISTED).collect()
}

/// True if an element is shown and may be chosen.
fn is_open(page: &Page, node: Node) -> bool {
    page.styles.is_shown(node) && page.tree.attr_named(node, "aria-disabled") != Some("true")
}

/// The largest group of siblings that have appeared, of which one contains what was typed. A box around one suggestion
/// says the same as the suggestion, so the innermost of equally large groups is taken: events go from it to the box.
fn appeared_siblings(
    page: &Page,
    field: Node,
    typed: &str,
    is_new: &dyn Fn(Node) -> bool,
) -> Vec<Suggestion> {
    let tree = &page.tree;
    let mut groups: BTreeMap<(Node, copal_dom::Tag), Vec<Suggestion>> = BTreeMap::new();
    for node in tree.nodes().filter(|&node| !tree.is_text(node) && node != 0) {
        let is_field = node == field || tree.contains(node, field);
        if is_field || !is_open(page, node) || !is_new(node) {
            continue;
        }
        let group = groups.entry((tree.parent(node), tree.tag(node))).or_default();
        if group.len() < MAX_LISTED {
            group.extend(shown_suggestion(page, node, typed));
        }
    }
    let matching = |group: &Vec<Suggestion>| group.iter().filter(|one| contains(&one.text, typed)).count();
    let candidates = groups.into_iter().filter(|(_, group)| matching(group) > 0);
    // groups are in the order of their parents: an inner one comes after those around it, and is the last of equals
    let best = candidates.max_by_key(|(_, group)| matching(group));
    best.map(|(_, group)| group).unwrap_or_default()
}

fn shown_suggestion(page: &Page, node: Node, typed: &str) -> Option<Suggestion> {
    // long texts are not read: a page may be one element
    if page.index.chars(&(node..page.tree.end(node))) > 2 * MAX_SUGGESTION_CHARS as u32 {
        return None;
    }
    // what was typed is often marked, which must not divide the word: <b>Ox</b>ford
    let joined = raw_text(&page.tree, node).split_whitespace().collect::<Vec<_>>().join(" ");
    let text = if contains(&joined, typed) { joined } else { page.text_of(node) };
    suggestion_text(&text).map(|text| Suggestion { node: Some(node), text })
}

fn suggestion_text(text: &str) -> Option<String> {
    let text = text.trim();
    let is_one = text.chars().any(char::is_alphanumeric) && text.chars().count() <= MAX_SUGGESTION_CHARS;
    is_one.then(|| text.to_owned())
}

/// True if a suggestion contains what was typed.
pub(crate) fn contains(suggestion: &str, typed: &str) -> bool {
    suggestion.to_lowercase().contains(&typed.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    /// The suggestions on a page whose elements with the class `new` have appeared, with all inside them.
    fn suggestions(html: &str, typed: &str) -> Vec<String> {
        let page = Page::from_text(html, &Limits::default());
        let tree = &page.tree;
        let field = tree.nodes().find(|&node| tree.tag(node) == tags::INPUT).unwrap();
        let marked = |node: Node| tree.attr(node, attrs::CLASS) == Some("new");
        let is_new = |node: Node| marked(node) || tree.ancestors(node).any(marked);
        find_suggestions(&page, field, typed, &is_new).into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn lists_that_the_field_names_come_first() {
        let html = "<input aria-controls=towns><div class=new><p>Oxford news</p><p>Oxford jobs</p></div>\
            <ul id=towns><li role=option>Oxford</li><li role=option aria-disabled=true>Oxted</li>\
            <li role=option hidden>Oxley</li><li>Powered by</li></ul>";
        assert_eq!(suggestions(html, "ox"), ["Oxford"]);
        let around = "<div role=combobox aria-owns=t><input></div><ul id=t><li>Leeds</li><li>Leek</li></ul>";
        assert_eq!(suggestions(around, "lee"), ["Leeds", "Leek"]);
    }

    #[test]
    fn a_list_that_has_appeared_is_found() {
        let html = "<div role=listbox><b role=option>Old</b></div><input>\
            <div role=listbox class=new><b role=option>Any</b><b role=option>Bath</b></div>";
        assert_eq!(suggestions(html, "zz"), ["Any", "Bath"]);
        assert_eq!(
            suggestions("<input list=d><datalist id=d><option value=Leeds><option>York</datalist>", "yo"),
            ["York"]
        );
    }

    #[test]
    fn siblings_that_have_appeared_are_suggestions_if_they_say_what_was_typed() {
        let html = "<nav><a>Oxford</a><a>Oxted</a></nav><form><input><div class=new>\
            <div><b>Ox</b>ford <i>city</i></div><div><b>Ox</b>ted</div><div>Use my location</div></div></form>";
        assert_eq!(suggestions(html, "ox"), ["Oxford city", "Oxted", "Use my location"]);
        assert!(suggestions(html, "leeds").is_empty());
        let one = Page::from_text("<input><div class=new><div id=it>Oxford</div></div>", &Limits::default());
        let found = find_suggestions(&one, 3, "ox", &|node| one.tree.tag(node) == tags::DIV);
        assert_eq!(
            found.iter().map(|it| one.tree.attr(it.node.unwrap(), attrs::ID)).collect::<Vec<_>>(),
            [Some("it")]
        );
        // nothing has appeared
        assert!(suggestions("<input><ul><li>Oxford</li></ul>", "ox").is_empty());
    }

    #[test]
    fn long_lists_and_long_texts_are_bounded() {
        let many: String = (0..5_000).map(|n| format!("<li>Oxford {n}</li>")).collect();
        assert_eq!(suggestions(&format!("<input><ul class=new>{many}</ul>"), "ox").len(), MAX_LISTED);
        let long = format!("<input><ul class=new><li>Oxford {}</li></ul>", "and more ".repeat(100));
        assert!(suggestions(&long, "ox").is_empty());
    }
}
