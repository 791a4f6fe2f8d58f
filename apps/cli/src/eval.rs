//! `copal eval`: a method over a corpus with gold answers.
//!
//! In: a corpus folder (`index.jsonl`, `<id>.html`). Out: a predictions file, one line a page in the order of the
//! index, and a summary; with a scorer, its table. The gold is never read here.

mod details;

use crate::args::{EvalArgs, Task};
use crate::extract::{guarded, progress, set_jobs};
use crate::report::{self, Outcome, in_words};
use copal::{Answer, Measures, Options, Page, Source, describe, measure, paging};
use copal_output::destination::Destination;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::process::Command;
use std::time::Instant;

pub(crate) fn run(args: &EvalArgs) -> Outcome {
    match evaluate(args) {
        Ok(outcome) => outcome,
        Err((outcome, message)) => {
            report::error(message);
            outcome
        }
    }
}

fn evaluate(args: &EvalArgs) -> Result<Outcome, (Outcome, String)> {
    let unreadable = |message: String| (Outcome::Unreadable, message);
    set_jobs(args.run.jobs).map_err(|message| (Outcome::Usage, message))?;
    let rows = rows(args).map_err(unreadable)?;
    if rows.is_empty() {
        let only = args.only.iter().map(|prefix| format!(" and an id that begins with {prefix}"));
        return Err(unreadable(format!(
            "{}: no page with task {}{}",
            args.corpus.display(),
            args.task.name(),
            only.collect::<String>()
        )));
    }
    let cannot_write =
        |error| unreadable(format!("cannot write {}: {}", args.output.display(), in_words(&error)));
    // before the work: a folder that is not there is better known now
    let mut out = Destination::open(Some(&args.output)).map_err(cannot_write)?;
    if args.task == Task::Details {
        let failed = details::run(args, &rows, &mut out).map_err(cannot_write)?;
        out.commit().map_err(cannot_write)?;
        score(args).map_err(unreadable)?;
        return Ok(if failed > 0 { Outcome::Unreadable } else { Outcome::Done });
    }
    let options = args.method.options(true, args.limits.limits());
    let bar = progress(rows.len(), args.run.quiet);
    let pages: Vec<(Value, f64)> = rows
        .par_iter()
        .map(|row| {
            let result = predict(args, row, &options);
            bar.inc(1);
            result
        })
        .collect();
    bar.finish_and_clear();
    write(&mut out, &pages).and_then(|()| out.commit()).map_err(cannot_write)?;
    let mut failed = 0;
    for (page, _) in &pages {
        if let (Some(id), Some(why)) = (page["id"].as_str(), page["error"].as_str()) {
            report::error(format_args!("{id}: {why}"));
            failed += 1;
        }
    }
    if !args.run.quiet {
        summary(args, &pages, failed);
    }
    score(args).map_err(unreadable)?;
    Ok(if failed > 0 { Outcome::Unreadable } else { Outcome::Done })
}

/// A page of the corpus, as its index has it.
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) site: String,
    pub(crate) vertical: String,
    /// The charset that the page was sent with, where the index knows it.
    charset: Option<String>,
}

fn rows(args: &EvalArgs) -> Result<Vec<Row>, String> {
    let path = args.corpus.join("index.jsonl");
    let hint = "expected a corpus folder with index.jsonl (see copal eval --help)";
    let text = fs::read_to_string(&path)
        .map_err(|error| format!("{}: {}: {hint}", path.display(), in_words(&error)))?;
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let row: Value = serde_json::from_str(line).unwrap_or_default();
        let Some(id) = row["id"].as_str() else {
            return Err(format!(
                "{}:{}: expected a JSON object with an id and a task on each line",
                path.display(),
                number + 1
            ));
        };
        // ids become paths: they stay inside the corpus
        let inside = !id.is_empty() && !id.starts_with('/') && id.split('/').all(|part| part != "..");
        if !inside {
            return Err(format!(
                "{}:{}: id {id:?} is not a path inside the corpus",
                path.display(),
                number + 1
            ));
        }
        if row["task"] == args.task.name()
            && args.only.as_ref().is_none_or(|prefix| id.starts_with(prefix.as_str()))
        {
            let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
            let charset = row["encoding"].as_str().map(str::to_owned);
            rows.push(Row { id: id.to_owned(), site: text("site"), vertical: text("vertical"), charset });
        }
    }
    Ok(rows)
}

/// The prediction for one page, and the milliseconds it took from bytes to records.
fn predict(args: &EvalArgs, Row { id, charset, .. }: &Row, options: &Options) -> (Value, f64) {
    let path = args.corpus.join(format!("{id}.html"));
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => return (json!({"id": id, "regions": [], "ms": null, "error": in_words(&error)}), 0.0),
    };
    if args.candidates || args.confidence {
        let describe = if args.candidates { candidates } else { confidence };
        let described = guarded(|| describe(id, &bytes, options));
        return (described.unwrap_or_else(|error| json!({"id": id, "error": error})), 0.0);
    }
    if args.task == Task::Pagination {
        let start = Instant::now();
        let found = guarded(|| pagination(id, &bytes, charset.clone(), options));
        let ms = start.elapsed().as_secs_f64() * 1000.0;
        return (found.unwrap_or_else(|error| json!({"id": id, "next": null, "error": error})), ms);
    }
    let start = Instant::now();
    let found = guarded(|| copal::extract_bytes(&bytes, options).map_err(|error| error.to_string()));
    let ms = start.elapsed().as_secs_f64() * 1000.0;
    match found {
        Ok(extraction) => (prediction(id, &extraction, ms), ms),
        Err(error) => (json!({"id": id, "regions": [], "ms": ms, "error": error}), ms),
    }
}

/// The link to the next page, as the page writes it, and the others that were thought of.
fn pagination(id: &str, bytes: &[u8], charset: Option<String>, options: &Options) -> Result<Value, String> {
    let source = Source { url: None, charset };
    let page = Page::from_bytes(bytes, source, &options.limits).map_err(|error| error.to_string())?;
    let extraction = copal::extract_page(&page, options);
    let links = paging::next_links(&page, extraction.primary());
    let next = links.first().filter(|link| link.score >= paging::SURE).map(|link| link.href.as_str());
    let described = links.iter().map(
        |link| json!({"href": link.href, "score": link.score, "kind": link.kind.name(), "text": link.text}),
    );
    let described: Vec<Value> = described.collect();
    let counter = extraction.page.counter.as_ref().map(|counter| counter.text.as_str());
    let mut page = copal_output::page_value(id, &extraction);
    let page = page["page"].take();
    Ok(json!({"id": id, "next": next, "links": described, "page": page, "counter": counter, "error": null}))
}

/// Every candidate of the combination with its features, for `compare/fit.py`. Records are ranges of nodes; the texts of
/// the page's leaves follow once.
fn candidates(id: &str, bytes: &[u8], options: &Options) -> Result<Value, String> {
    let page =
        Page::from_bytes(bytes, Source::default(), &options.limits).map_err(|error| error.to_string())?;
    let (names, described) = describe(&page, &options.extract.lists);
    let all = described.iter().map(|(records, features)| {
        let records: Vec<Vec<[u32; 2]>> =
            records.iter().map(|parts| parts.iter().map(|part| [part.start, part.end]).collect()).collect();
        json!({"records": records, "features": features})
    });
    let leaves = page.tree.nodes().filter(|&node| page.tree.is_text(node) && page.styles.is_shown(node));
    let leaves: Vec<(u32, &str)> = leaves.map(|node| (node, page.tree.raw_text(node))).collect();
    Ok(
        json!({"id": id, "names": names, "candidates": all.collect::<Vec<_>>(), "leaves": leaves, "error": null}),
    )
}

/// Every region that is given with the measures of its records, columns and cells, for `compare/fit_confidence.py`.
fn confidence(id: &str, bytes: &[u8], options: &Options) -> Result<Value, String> {
    let page =
        Page::from_bytes(bytes, Source::default(), &options.limits).map_err(|error| error.to_string())?;
    let extraction = copal::extract_page(&page, options);
    let values = |measures: &[(&str, f64)]| measures.iter().map(|(_, value)| *value).collect::<Vec<f64>>();
    let mut names = json!({});
    let mut regions: Vec<Value> = Vec::new();
    for region in &extraction.regions {
        let Some(measured) = measure(&page, region) else { continue };
        let column = measured.columns.iter().flatten().next();
        let cell = measured.cells.iter().flatten().flatten().next();
        for (what, measures) in [("record", measured.records.first()), ("column", column), ("cell", cell)] {
            if let Some(measures) = measures {
                names[what] = measures.iter().map(|(name, _)| *name).collect();
            }
        }
        let optional = |measures: &Option<Measures>| measures.as_deref().map(values);
        let rows = region.records.iter().zip(measured.records.iter().zip(&measured.cells));
        let records = rows.map(|(record, (measures, cells))| {
            json!({
                "text": record.text,
                "parts": record.place.parts.iter().map(|part| [part.start, part.end]).collect::<Vec<_>>(),
                "measures": values(measures),
                "texts": record.cells.iter().map(|cell| cell.texts().collect::<Vec<_>>()).collect::<Vec<_>>(),
                "cells": cells.iter().map(optional).collect::<Vec<_>>(),
            })
        });
        regions.push(json!({
            "role": region.role.name(),
            "confidence": region.confidence,
            "records": records.collect::<Vec<_>>(),
            "columns": measured.columns.iter().map(optional).collect::<Vec<_>>(),
        }));
    }
    Ok(json!({"id": id, "names": names, "regions": regions, "error": null}))
}

fn prediction(id: &str, extraction: &Answer, ms: f64) -> Value {
    let mut page = copal_output::page_value(id, extraction);
    json!({"id": id, "regions": page["regions"].take(), "warnings": page["warnings"].take(), "ms": ms, "error": null})
}

fn write(mut out: &mut Destination, pages: &[(Value, f64)]) -> std::io::Result<()> {
    for (page, _) in pages {
        serde_json::to_writer(&mut out, page)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn summary(args: &EvalArgs, pages: &[(Value, f64)], failed: usize) {
    let (has, what): (fn(&Value) -> bool, _) = match args.task {
        Task::Pagination => (|page| page["next"].is_string(), "a next page"),
        _ => (|page| page["regions"].as_array().is_some_and(|r| !r.is_empty()), "a list"),
    };
    let with = pages.iter().filter(|(page, _)| has(page)).count();
    let mut ms: Vec<f64> = pages.iter().map(|page| page.1).collect();
    ms.sort_by(f64::total_cmp);
    let at = |share: f64| ms[((ms.len() - 1) as f64 * share) as usize];
    eprintln!(
        "{} pages by {}: {with} with {what}, {failed} failed; ms a page: median {:.1}, 95% {:.1}, most {:.1}",
        pages.len(),
        args.method.method(),
        at(0.5),
        at(0.95),
        at(1.0)
    );
    eprintln!("predictions: {}", args.output.display());
}

fn score(args: &EvalArgs) -> Result<(), String> {
    let Some(scorer) = &args.scorer else { return Ok(()) };
    let mut command = Command::new("python3");
    command.arg(scorer).arg(args.task.name());
    if args.task == Task::Negatives {
        command.arg(&args.output);
    } else if args.task == Task::Pagination {
        command.arg(&args.corpus).arg(&args.output);
    } else {
        command.arg(&args.corpus).arg(&args.output).arg("--by-source");
        if let Some(only) = &args.only {
            command.args(["--only", only]);
        }
    }
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("scorer {} ended with {status}", scorer.display())),
        Err(error) => Err(format!("cannot run python3 {}: {error}", scorer.display())),
    }
}
