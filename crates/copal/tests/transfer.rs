//! Answers that are sent to another process are the same there, and damaged messages are errors.

#![allow(clippy::unwrap_used)]

use copal::model::TransferredAnswer;
use copal::output::page_value;
use copal::{Answer, Limits, Page, Request, extract_page};
use serde_json::Value;
use std::path::Path;

/// Pages of all kinds: lists, grids, tables, nested lists, objects, articles.
fn answers() -> Vec<Answer> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/pages");
    let mut request = Request::default();
    (request.all, request.navigation, request.outline, request.embedded) = (true, true, true, true);
    request.lists.explain = true;
    let mut pages: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    let answer = |folder: &std::path::PathBuf| {
        let text = std::fs::read_to_string(folder.join("page.html")).ok()?;
        Some(extract_page(&Page::from_text(&text, &Limits::default()), &request))
    };
    pages.iter().filter_map(answer).collect()
}

/// Everything that formats write, XPaths and confidences too.
fn written(answer: &Answer) -> String {
    let xpaths = answer.regions.iter().flat_map(|region| {
        let records = region.records.iter().flat_map(copal::Record::xpaths);
        std::iter::once(region.xpath()).chain(records).collect::<Vec<_>>()
    });
    let xpaths: Vec<String> = xpaths.collect();
    let cells = answer.regions.iter().flat_map(|region| region.records.iter().map(|record| &record.cells));
    let cells: Vec<_> = cells.collect();
    format!("{} {xpaths:?} {cells:?} {:?}", page_value("page", answer), answer.outline)
}

#[test]
fn answers_are_the_same_after_the_transfer() {
    let answers = answers();
    assert!(answers.len() > 30, "{}", answers.len());
    for answer in answers {
        let before = written(&answer);
        let sent = serde_json::to_vec(&TransferredAnswer::from(answer)).unwrap();
        let received: TransferredAnswer = serde_json::from_slice(&sent).unwrap();
        assert_eq!(written(&received.into()), before);
    }
}

#[test]
fn damaged_messages_do_not_panic() {
    let mut wrong = 0;
    for answer in answers().into_iter().take(8) {
        let sent = serde_json::to_value(TransferredAnswer::from(answer)).unwrap();
        // positions in the tables, and which table a place has
        for number in [0u64, 1, 7, 4_294_967_295, 1 << 40] {
            let mut damaged = sent.clone();
            replace_numbers(&mut damaged["tables"], number);
            wrong += usize::from(!reads(&damaged));
            let mut damaged = sent.clone();
            replace_numbers(&mut damaged["table_of_place"], number);
            reads(&damaged);
        }
        let text = sent.to_string();
        for end in (0..text.len()).step_by(text.len() / 40 + 1) {
            let cut = text.get(..end).unwrap_or_default();
            assert!(serde_json::from_str::<TransferredAnswer>(cut).is_err());
        }
    }
    assert!(wrong > 0, "no damage was noticed");
}

fn replace_numbers(value: &mut Value, by: u64) {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Number(_) => *value = by.into(),
            Value::Array(items) => waiting.extend(items),
            Value::Object(fields) => waiting.extend(fields.values_mut()),
            _ => {}
        }
    }
}

/// True if the message is read. What was read can be written.
fn reads(message: &Value) -> bool {
    match serde_json::from_value::<TransferredAnswer>(message.clone()) {
        Ok(received) => !written(&received.into()).is_empty(),
        Err(_) => false,
    }
}
