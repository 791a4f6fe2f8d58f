//! Predictions for detail pages: the pages of a site are read together, so that what they share is known as
//! boilerplate.
//!
//! In: pages with site and vertical. Out: one prediction per page, in the given order: `{"id", "fields",
//! "sources", "area", "area_text", "kind", "template", "ms", "parse_ms", "error"}`. Times are shares of what
//! the group cost.

use super::{PredictionRequest, Task, failed};
use crate::answer::guarded;
use crate::corpus::{Corpus, CorpusPage};
use crate::error::PageError;
use crate::verticals::domain_of;
use copal::objects::{Field, Object, ObjectOptions};
use copal::{Page, PageSource};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::time::Instant;

pub(super) fn predict_sites<T: Send>(
    request: &PredictionRequest,
    corpus: &Corpus,
    pages: &[&CorpusPage],
    keep: impl Fn(&CorpusPage, Value) -> T + Sync,
) -> Vec<T> {
    let groups = site_groups(pages, request.details.together);
    let read: Vec<Vec<(usize, T)>> = groups
        .par_iter()
        .map(|group| {
            let predictions = predict_group(request, corpus, pages, group);
            predictions.into_iter().map(|(at, prediction)| (at, keep(pages[at], prediction))).collect()
        })
        .collect();
    let mut all: Vec<(usize, T)> = read.into_iter().flatten().collect();
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, kept)| kept).collect()
}

/// Positions of the pages of one site and vertical, at most `together` per group.
pub(crate) fn site_groups(pages: &[&CorpusPage], together: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..pages.len()).collect();
    order.sort_by_key(|&at| (&pages[at].vertical, &pages[at].site, at));
    let same =
        |a: &usize, b: &usize| pages[*a].site == pages[*b].site && pages[*a].vertical == pages[*b].vertical;
    order.chunk_by(same).flat_map(|site| site.chunks(together)).map(<[usize]>::to_vec).collect()
}

fn predict_group(
    request: &PredictionRequest,
    corpus: &Corpus,
    pages: &[&CorpusPage],
    group: &[usize],
) -> Vec<(usize, Value)> {
    let mut options = ObjectOptions::default();
    let of_vertical = domain_of(&pages[group[0]].vertical, &request.details.domains);
    options.domain = of_vertical.or(request.extraction.domain()).cloned();
    for part in &request.details.without {
        options.switches_mut().off(part);
    }
    let fail = |at: usize, error: &PageError| (at, failed(Task::Details, &pages[at].id, None, error));
    let mut parsed: Vec<(usize, Page)> = Vec::new();
    let mut predictions: Vec<(usize, Value)> = Vec::new();
    let start = Instant::now();
    for &at in group {
        let page = corpus.bytes(&pages[at].id).and_then(|bytes| {
            guarded(|| Ok(Page::from_bytes(&bytes, PageSource::default(), &request.extraction.limits)?))
        });
        match page {
            Ok(page) => parsed.push((at, page)),
            Err(error) => predictions.push(fail(at, &error)),
        }
    }
    let share = 1.0 / parsed.len().max(1) as f64;
    let parse_ms = start.elapsed().as_secs_f64() * 1000.0 * share;
    let start = Instant::now();
    let borrowed: Vec<&Page> = parsed.iter().map(|(_, page)| page).collect();
    let read = guarded(|| Ok(copal::objects::read(&borrowed, &options)));
    let ms = start.elapsed().as_secs_f64() * 1000.0 * share;
    match read {
        Ok(details) => predictions.extend(
            parsed
                .iter()
                .zip(details)
                .map(|((at, page), detail)| (*at, prediction(&pages[*at].id, page, &detail, ms, parse_ms))),
        ),
        Err(error) => predictions.extend(parsed.iter().map(|(at, _)| fail(*at, &error))),
    }
    predictions
}

fn prediction(id: &str, page: &Page, detail: &Object, ms: f64, parse_ms: f64) -> Value {
    // Gold values are often normalised, so the plain number of a value is given along with the text as shown.
    let texts = |field: &Field| {
        let plain = field.value.as_ref().and_then(plain_number);
        field.texts.iter().cloned().chain(plain).collect::<Vec<String>>()
    };
    let fields: Map<String, Value> =
        detail.fields.iter().map(|field| (field.name.clone(), json!(texts(field)))).collect();
    let sources: Map<String, Value> = detail
        .fields
        .iter()
        .map(|field| (field.name.clone(), json!([field.source.name(), field.confidence, field.xpath])))
        .collect();
    let area_text = detail.area_node.map(|node| page.text_of(node));
    let kind = json!([detail.kind.name(), detail.kind_confidence]);
    json!({
        "id": id,
        "fields": fields,
        "sources": sources,
        "area": detail.area,
        "area_text": area_text,
        "kind": kind,
        "template": detail.template,
        "ms": ms,
        "parse_ms": parse_ms,
        "error": null,
    })
}

/// An amount without its currency, a duration in minutes, a number without its unit.
fn plain_number(value: &copal::Value) -> Option<String> {
    let short = |number: &String| {
        let cut =
            if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number };
        Some(cut.to_owned())
    };
    match value {
        copal::Value::Money { amount, .. } => short(amount),
        copal::Value::Number { value, .. }
        | copal::Value::Count { value, .. }
        | copal::Value::Area { value, .. } => short(value),
        copal::Value::Duration(seconds) => Some((seconds / 60).to_string()),
        _ => None,
    }
}
