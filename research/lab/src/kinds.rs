//! `copal-lab kinds`: what the kind of a page is decided by, apart from its lists, for `research/fit/fit.py`.
//!
//! In: a corpus. Out: one JSON line per page, `{"id", "labels": [[node, outside, own, chars]], "headline": node,
//! "price": node, "facts": {name: value}, "error"}`. Labels, headline and price are nodes, so that the fit can
//! tell which of them are in the list that it would choose.

use crate::candidates::describe_corpus;
use crate::error::LabError;
use crate::options::{CorpusArgs, MethodArgs, RunArgs};
use crate::predict::Task;
use crate::report::Outcome;
use clap::Args;
use copal::research::describe_object_side;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Write what speaks for an object on each page, to fit the decision between list, object and nothing
#[derive(Debug, Args)]
pub(crate) struct KindsArgs {
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

pub(crate) fn run(args: &KindsArgs) -> Result<Outcome, LabError> {
    args.run.start()?;
    let request = args.method.request(&args.run);
    describe_corpus(&args.corpus, args.task, &args.output, &request.limits, |id, page| {
        let Some(side) = describe_object_side(page, &request.lists) else {
            return json!({"id": id, "error": "the page has no lines"});
        };
        let facts: Map<String, Value> =
            side.facts.iter().map(|&(name, value)| (name.to_owned(), json!(value))).collect();
        json!({
            "id": id, "labels": side.labels, "headline": side.headline, "price": side.price, "facts": facts,
            "error": null,
        })
    })
}
