//! `copal-lab confidence`: the measures behind confidence values, for `research/fit/fit_confidence.py`.
//!
//! In: a corpus. Out: one JSON line per page with every region of the answer and the measures of its records,
//! columns and cells: `{"id", "names", "regions", "error"}`.

use crate::candidates::describe_corpus;
use crate::error::LabError;
use crate::options::{CorpusArgs, MethodArgs, RunArgs};
use crate::predict::Task;
use crate::report::Outcome;
use clap::Args;
use copal::research::{Measures, measure_region};
use copal::{Page, Request};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Write the measures of records, columns and cells, to fit their confidence
#[derive(Debug, Args)]
pub(crate) struct ConfidenceArgs {
    #[command(flatten)]
    corpus: CorpusArgs,

    /// Which pages of the corpus
    #[arg(long, value_enum, default_value = "lists")]
    task: Task,

    /// Output file (JSONL)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    method: MethodArgs,

    #[command(flatten)]
    run: RunArgs,
}

pub(crate) fn run(args: &ConfidenceArgs) -> Result<Outcome, LabError> {
    args.run.start()?;
    let request = args.method.request(&args.run);
    let limits = &request.limits;
    describe_corpus(&args.corpus, args.task, &args.output, limits, |id, page| {
        describe_measures(id, page, &request)
    })
}

fn describe_measures(id: &str, page: &Page, request: &Request) -> Value {
    let extraction = copal::extract_page(page, request);
    let values = |measures: &[(&str, f64)]| measures.iter().map(|(_, value)| *value).collect::<Vec<f64>>();
    let mut names = json!({});
    let mut regions: Vec<Value> = Vec::new();
    for region in &extraction.regions {
        let Some(measured) = measure_region(page, region) else { continue };
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
    json!({"id": id, "names": names, "regions": regions, "error": null})
}
