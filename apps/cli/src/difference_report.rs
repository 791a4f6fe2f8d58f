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
                let _ = writeln!(out, "{sign} {}{}", shown(&entry.key), shown(&first_texts(entry)));
            }
        }
        for (key, changes) in &difference.changed {
            let _ = writeln!(out, "~ {}", shown(key));
            for change in changes {
                let (old, new) = (shown(&change.old), shown(&change.new));
                let _ = writeln!(out, "    {}: {old} → {new}", shown(&change.column));
            }
        }
        let (new, gone, changed) = (difference.new.len(), difference.gone.len(), difference.changed.len());
        let _ = writeln!(out, "{new} new, {gone} gone, {changed} changed, {} the same", difference.same);
    }
    out
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
