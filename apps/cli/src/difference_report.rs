//! What is new, gone and changed, as lines for people and as JSON for programs.

use crate::reporting;
use copal_store::{Difference, KeyedRecord};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// What was compared, and the differences.
pub(crate) struct Comparison {
    /// The older and the newer side.
    pub(crate) names: [String; 2],
    pub(crate) differences: Vec<Difference>,
}

/// Lines for people. Control characters of pages are replaced.
pub(crate) fn text_of(comparison: &Comparison) -> String {
    let mut out = String::new();
    let shown = reporting::printable;
    for difference in &comparison.differences {
        if let Some(table) = difference.table.as_ref().filter(|_| comparison.differences.len() > 1) {
            let _ = writeln!(out, "== {}", shown(table));
        }
        for (sign, entries) in [('+', &difference.new), ('-', &difference.gone)] {
            for entry in entries {
                let _ = writeln!(
                    out,
                    "{sign} {}",
                    shown(format!("{}{}", shown_key(&entry.key), first_texts(entry)).trim())
                );
            }
        }
        for record in &difference.changed {
            // a hash says nothing to people; the title does
            let title = record.title.as_deref().filter(|_| is_hash(&record.key));
            let _ = writeln!(out, "~ {}", shown(title.unwrap_or(&record.key)));
            for change in &record.changes {
                let (old, new) = (shown(&change.old), shown(&change.new));
                let _ = writeln!(out, "    {}: {old} → {new}", shown(&change.column));
            }
        }
        let (new, gone, changed) = (difference.new.len(), difference.gone.len(), difference.changed.len());
        let _ = writeln!(out, "{new} new, {gone} gone, {changed} changed, {} the same", difference.same);
    }
    out
}

/// True for the keys of records that have no URL: `#` and a hash of their texts.
fn is_hash(key: &str) -> bool {
    key.strip_prefix('#').is_some_and(|hash| hash.starts_with(|c: char| c.is_ascii_hexdigit()))
}

/// The key, unless it is a hash: the texts that follow tell people more.
fn shown_key(key: &str) -> &str {
    if is_hash(key) { "" } else { key }
}

/// The first texts of a record besides its key.
pub(crate) fn first_texts(entry: &KeyedRecord) -> String {
    let texts = entry.cells.iter().filter(|(_, text)| *text != entry.key && !text.contains("://"));
    texts.take(3).fold(String::new(), |line, (name, text)| format!("{line}  {name}: {text}"))
}

/// One object for programs.
pub(crate) fn json_of(comparison: &Comparison) -> Value {
    let differences: Vec<Value> = comparison.differences.iter().map(|one| one.to_json(usize::MAX)).collect();
    json!({
        "copal": 1,
        "old": comparison.names[0],
        "new": comparison.names[1],
        "differences": differences,
    })
}
