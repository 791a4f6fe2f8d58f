//! Reports as JSON: checks and repairs of wrappers, sections of a page.

use copal::wrapper::{CheckReport, Drift, PageSection, Repaired};
use serde_json::{Value, json};

/// The report of a check; `names` are those of its pages.
pub fn check_report(report: &CheckReport, names: &[String]) -> Value {
    let drift_json =
        |drift: &Drift| json!({ "level": drift.level.name(), "column": drift.column, "what": drift.message });
    let pages = report.pages.iter().zip(names).map(|(page, name)| {
        let drifts: Vec<Value> = page.drifts.iter().map(drift_json).collect();
        json!({ "page": name, "records": page.records, "odd": drifts })
    });
    let alarms = report.alarms.iter().map(|alarm| {
        let mut one = drift_json(&alarm.drift);
        one["pages"] = json!(alarm.pages);
        one
    });
    json!({
        "drifted": report.drifted(),
        "alarms": alarms.collect::<Vec<_>>(),
        "worn": report.worn,
        "pages": pages.collect::<Vec<_>>(),
    })
}

/// What a repair changed. Each change has the locators before and after, and a value before and after.
pub fn repair_report(old_revision: u32, repaired: &Repaired) -> Value {
    let changes = repaired.changes.iter().map(|change| {
        json!({
            "what": change.what,
            "before": change.before,
            "after": change.after,
            "value_before": change.value_before,
            "value_after": change.value_after,
        })
    });
    json!({
        "before": old_revision,
        "after": repaired.wrapper.revision,
        "pages": repaired.pages,
        "changes": changes.collect::<Vec<_>>(),
        "notes": repaired.notes,
    })
}

/// The sections of a page, in document order.
pub fn sections_report(sections: &[PageSection]) -> Value {
    let one = |section: &PageSection| {
        json!({
            "kind": section.kind.name(),
            "records": section.records,
            "columns": section.columns,
            "characters": section.chars,
            "preview": section.preview,
            "pattern": section.pattern,
        })
    };
    sections.iter().map(one).collect()
}
