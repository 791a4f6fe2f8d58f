//! What a page declares of its object: JSON-LD, microdata, Open Graph.
//!
//! In: a [`Sheet`] and the things of its JSON-LD. Out: [`Declared`] properties whose values the page shows too: what a reader cannot see is not believed. Names are the
//! words of the property ("date published"). O(nodes + text), each property a search in the page's text.

use super::sheet::Sheet;
use super::text::squash;
use crate::embedded::Objects;
use copal_dom::{Node, attrs, tags};
use rustc_hash::FxHashSet;

/// A property of the object.
#[derive(Debug, Clone)]
pub(super) struct Declared {
    /// The words of its name, outermost first: "offers price".
    pub(super) name: String,
    pub(super) texts: Vec<String>,
    /// The line that shows the first of them, if one shows it alone.
    pub(super) line: Option<usize>,
}

/// Most properties of a page.
const MOST: usize = 300;
/// Longest value that is looked for.
const LONGEST: usize = 3000;

/// Lines and bytes of a page in which values are looked for.
const LINES: usize = 5000;
const TEXT: usize = 500_000;

/// The properties of a page that it shows.
pub(super) fn find(sheet: &Sheet<'_>, things: &[Objects]) -> Vec<Declared> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for thing in things {
        for row in &thing.rows {
            for (key, values) in &row.cells {
                all.push((name_words(&thing.keys[*key as usize]), values.clone()));
            }
        }
    }
    metas(sheet, &mut all);
    let shown = Shown::new(sheet);
    let mut found: Vec<Declared> = Vec::new();
    for (name, texts) in all.into_iter().take(MOST) {
        let texts: Vec<String> = texts.into_iter().filter(|text| shown.has(text)).collect();
        if let Some(first) = texts.first() {
            let line = shown.line(first);
            found.push(Declared { name, texts, line });
        }
    }
    microdata(sheet, &mut found);
    found
}

/// Open Graph and the like.
fn metas(sheet: &Sheet<'_>, all: &mut Vec<(String, Vec<String>)>) {
    let tree = &sheet.page.tree;
    for node in tree.nodes().filter(|&node| tree.tag(node) == tags::META) {
        let name = tree.attr(node, attrs::PROPERTY).or_else(|| tree.attr(node, attrs::ITEMPROP));
        let (Some(name), Some(text)) = (name, tree.attr(node, attrs::CONTENT)) else { continue };
        if matches!(name, "og:site_name" | "og:type" | "og:url" | "og:locale") || name.starts_with("fb:") {
            continue;
        }
        let name = name.trim_start_matches("og:").replace(':', " ");
        all.push((name_words(&name), vec![text.trim().to_owned()]));
    }
}

/// Elements that are properties.
fn microdata(sheet: &Sheet<'_>, found: &mut Vec<Declared>) {
    let tree = &sheet.page.tree;
    let shown = |node: Node| !tree.is_text(node) && sheet.page.styles.is_shown(node);
    for node in tree.nodes().filter(|&node| shown(node)) {
        let name = tree.attr(node, attrs::ITEMPROP).or_else(|| tree.attr(node, attrs::PROPERTY));
        let Some(name) = name.filter(|name| name.len() <= 60) else { continue };
        let lines = sheet.lines_of(node);
        if lines.is_empty()
            || lines.len() > 60
            || found.len() >= MOST
            || tree.attr_named(node, "itemscope").is_some()
        {
            continue;
        }
        let texts = if lines.len() == 1 {
            vec![sheet.page.text_of(node)]
        } else {
            lines.clone().map(|line| sheet.lines[line].text.clone()).collect()
        };
        let name = name.split_ascii_whitespace().next().unwrap_or(name);
        found.push(Declared { name: name_words(name), texts, line: Some(lines.start) });
    }
}

/// The words of a key: at dots, colons, capitals.
pub(super) fn name_words(key: &str) -> String {
    let mut words = String::new();
    let mut small = false;
    for c in key.chars().take(80) {
        if !c.is_alphanumeric() {
            if !words.ends_with(' ') {
                words.push(' ');
            }
            small = false;
            continue;
        }
        if c.is_uppercase() && small {
            words.push(' ');
        }
        small = c.is_lowercase();
        words.extend(c.to_lowercase());
    }
    words.trim().to_owned()
}

/// What a page shows, by letters and digits only.
struct Shown {
    all: String,
    lines: Vec<String>,
    /// Words of short lines.
    words: FxHashSet<String>,
}

impl Shown {
    fn new(sheet: &Sheet<'_>) -> Shown {
        let lines: Vec<String> = sheet.lines.iter().take(LINES).map(|line| squash(&line.text)).collect();
        let mut all = lines.join("\n");
        all.truncate((0..=all.len().min(TEXT)).rev().find(|&at| all.is_char_boundary(at)).unwrap_or(0));
        let short = sheet.lines.iter().filter(|line| line.text.len() <= 60);
        let words = short.flat_map(|line| super::headline::words(&line.text)).collect();
        Shown { all, lines, words }
    }

    fn has(&self, text: &str) -> bool {
        let text = squash(text);
        match text.len() {
            0 => false,
            1 | 2 => self.words.contains(&text),
            // of a long text its beginning
            n if n > LONGEST => false,
            n => self
                .all
                .contains(&text[..(0..=n.min(60)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)]),
        }
    }

    /// The first line that is the text, or nearly.
    fn line(&self, text: &str) -> Option<usize> {
        let text = squash(text);
        if text.len() < 3 {
            return None;
        }
        let equal = self.lines.iter().position(|line| *line == text);
        equal.or_else(|| {
            self.lines.iter().position(|line| line.len() <= 2 * text.len() && line.contains(&text))
        })
    }
}
