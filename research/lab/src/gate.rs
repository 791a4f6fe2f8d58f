//! The scores behind the accuracy floors: simple, strict, and independent of the scorer of the large corpora.
//!
//! In: a gold answer and a prediction. Out: how much of the gold was found. O(records).

use crate::predict::Task;
use crate::text::{folded, letters_and_digits};
use serde_json::Value;
use std::collections::HashMap;
use std::ops::AddAssign;

/// Right answers of all that were expected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct GateScore {
    pub(crate) right: usize,
    pub(crate) expected: usize,
}

impl GateScore {
    pub(crate) fn share(self) -> f64 {
        self.right as f64 / self.expected.max(1) as f64
    }
}

impl AddAssign for GateScore {
    fn add_assign(&mut self, other: GateScore) {
        self.right += other.right;
        self.expected += other.expected;
    }
}

/// Scores one page.
pub(crate) fn score(task: Task, gold: &Value, prediction: &Value) -> GateScore {
    match task {
        Task::Lists => records_found(gold, prediction),
        Task::Negatives => one_answer(primary_records(prediction).next().is_none()),
        Task::Details | Task::Objects => values_found(gold, prediction),
        Task::Pagination => one_answer(next_link_is_right(gold, prediction)),
        Task::Forms => form_types_found(gold, prediction),
    }
}

/// Forms whose type is that of the gold.
fn form_types_found(gold: &Value, prediction: &Value) -> GateScore {
    let list = |value: &Value| value["forms"].as_array().cloned().unwrap_or_default();
    let predicted = list(prediction);
    let mut score = GateScore::default();
    for form in list(gold).iter().filter(|form| form["type"].is_string()) {
        let found = predicted.iter().find(|other| other["index"] == form["index"]);
        score += one_answer(found.is_some_and(|found| found["type"] == form["type"]));
    }
    score
}

fn one_answer(is_right: bool) -> GateScore {
    GateScore { right: usize::from(is_right), expected: 1 }
}

/// Gold records that the primary region has with exactly the same letters and digits.
fn records_found(gold: &Value, prediction: &Value) -> GateScore {
    let mut available: HashMap<String, usize> = HashMap::new();
    for record in primary_records(prediction) {
        *available.entry(letters_and_digits(record["text"].as_str())).or_default() += 1;
    }
    let records = elements(&gold["records"]);
    let mut score = GateScore { right: 0, expected: records.len() };
    for record in records {
        let texts = elements(&record["texts"]).iter().filter_map(Value::as_str);
        // every predicted record answers one gold record only
        if let Some(left) = available.get_mut(&letters_and_digits(texts)).filter(|left| **left > 0) {
            *left -= 1;
            score.right += 1;
        }
    }
    score
}

/// Gold values that are the text of some field, by letters and digits.
fn values_found(gold: &Value, prediction: &Value) -> GateScore {
    let texts = |fields: &Value| -> Vec<String> {
        let values = fields.as_object().into_iter().flatten().map(|(_, value)| value);
        values
            .flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice))
            .filter_map(Value::as_str)
            .map(folded)
            .collect()
    };
    let found = texts(&prediction["fields"]);
    let expected = texts(&gold["fields"]);
    let right = expected.iter().filter(|value| found.contains(value)).count();
    GateScore { right, expected: expected.len() }
}

fn next_link_is_right(gold: &Value, prediction: &Value) -> bool {
    let wanted = elements(&gold["next"]);
    match prediction["next"].as_str() {
        Some(link) => wanted.iter().any(|href| href == link),
        None => wanted.is_empty(),
    }
}

fn primary_records(prediction: &Value) -> impl Iterator<Item = &Value> {
    let primary = elements(&prediction["regions"]).iter().filter(|region| region["role"] == "primary");
    primary.flat_map(|region| elements(&region["records"]))
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
