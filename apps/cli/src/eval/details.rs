//! `copal eval --task details`: the pages of a site read together.
//!
//! In: the index's rows. Out: one prediction a page, in the order of the index: `{"id", "fields", "area", "ms", "error"}`. The gold is
//! never read here.

use super::Row;
use crate::args::EvalArgs;
use crate::extract::guarded;
use crate::report::in_words;
use copal::objects::{Field, Object, ObjectOptions};
use copal::{Page, PageSource};
use copal_output::destination::Destination;
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::fs;
use std::io::{self, Write};
use std::time::Instant;

/// Writes the predictions; how many pages failed.
pub(super) fn run(args: &EvalArgs, rows: &[Row], mut out: &mut Destination) -> io::Result<usize> {
    let groups = groups(rows, args.together);
    let read: Vec<Vec<(usize, Value)>> = groups.par_iter().map(|group| site(args, rows, group)).collect();
    let mut all: Vec<(usize, Value)> = read.into_iter().flatten().collect();
    all.sort_by_key(|(at, _)| *at);
    let mut fields = 0;
    for (_, page) in &all {
        serde_json::to_writer(&mut out, page)?;
        out.write_all(b"\n")?;
        fields += page["fields"].as_object().map_or(0, Map::len);
    }
    let failed = all.iter().filter(|(_, page)| !page["error"].is_null()).count();
    if !args.run.quiet {
        let ms: f64 = all.iter().filter_map(|(_, page)| page["ms"].as_f64()).sum();
        let parse: f64 = all.iter().filter_map(|(_, page)| page["parse_ms"].as_f64()).sum();
        eprintln!(
            "{} pages of {} groups: {failed} failed; {:.1} fields a page; reading the objects cost {:.2} times the parse",
            all.len(),
            groups.len(),
            fields as f64 / all.len().max(1) as f64,
            ms / parse.max(1e-9)
        );
    }
    Ok(failed)
}

/// Numbers of rows of one site and vertical, at most so many together.
fn groups(rows: &[Row], together: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&at| (&rows[at].vertical, &rows[at].site, at));
    let same =
        |a: &usize, b: &usize| rows[*a].site == rows[*b].site && rows[*a].vertical == rows[*b].vertical;
    order.chunk_by(same).flat_map(|site| site.chunks(together)).map(<[usize]>::to_vec).collect()
}

fn site(args: &EvalArgs, rows: &[Row], group: &[usize]) -> Vec<(usize, Value)> {
    let limits = args.limits.limits();
    let mut options = ObjectOptions::default();
    let vertical = &rows[group[0]].vertical;
    let own = args.vertical.iter().find(|(known, _)| known == vertical);
    options.domain = own.map(|(_, domain)| domain.clone()).or_else(|| args.method.domain.clone());
    for part in &args.without {
        options.switches.off(part);
    }
    let mut pages: Vec<(usize, Page)> = Vec::new();
    let mut answers: Vec<(usize, Value)> = Vec::new();
    let start = Instant::now();
    for &at in group {
        let path = args.corpus.join(format!("{}.html", rows[at].id));
        let read = fs::read(&path).map_err(|error| in_words(&error));
        let page = read.and_then(|bytes| {
            guarded(|| {
                Page::from_bytes(&bytes, PageSource::default(), &limits).map_err(|error| error.to_string())
            })
        });
        match page {
            Ok(page) => pages.push((at, page)),
            Err(error) => answers.push((at, json!({"id": rows[at].id, "fields": {}, "error": error}))),
        }
    }
    let share = 1.0 / pages.len().max(1) as f64;
    let parse = start.elapsed().as_secs_f64() * 1000.0 * share;
    let start = Instant::now();
    let borrowed: Vec<&Page> = pages.iter().map(|(_, page)| page).collect();
    let read = guarded(|| Ok(copal::objects::read(&borrowed, &options)));
    let ms = start.elapsed().as_secs_f64() * 1000.0 * share;
    match read {
        Ok(details) => {
            for ((at, page), detail) in pages.iter().zip(details) {
                answers.push((*at, prediction(&rows[*at].id, page, &detail, ms, parse)));
            }
        }
        Err(error) => {
            let failed =
                pages.iter().map(|(at, _)| (*at, json!({"id": rows[*at].id, "fields": {}, "error": error})));
            answers.extend(failed);
        }
    }
    answers
}

fn prediction(id: &str, page: &Page, detail: &Object, ms: f64, parse: f64) -> Value {
    // gold is often normalised: beside the text as shown stands the plain figure of what it says
    let texts = |field: &Field| {
        let plain = field.value.as_ref().and_then(plain);
        field.texts.iter().cloned().chain(plain).collect::<Vec<String>>()
    };
    let fields: Map<String, Value> =
        detail.fields.iter().map(|field| (field.name.clone(), json!(texts(field)))).collect();
    let sources: Map<String, Value> = detail
        .fields
        .iter()
        .map(|field| (field.name.clone(), json!([field.source.name(), field.confidence, field.xpath])))
        .collect();
    let inside = detail.area_node.map(|node| page.text_of(node));
    json!({"id": id, "fields": fields, "sources": sources, "area": detail.area, "area_text": inside, "kind": [detail.kind.name(), detail.kind_confidence],
        "template": detail.template, "ms": ms, "parse_ms": parse, "error": null})
}

/// The figure of a value: an amount without its currency, minutes, a number without its unit.
fn plain(value: &copal::Value) -> Option<String> {
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
