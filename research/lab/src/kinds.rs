//! `copal-lab kinds`: the features that the kind of a page is decided by, for `research/fit/fit_kinds.py`.
//!
//! In: a corpus. Out: one JSON line per page, `{"id", "features": {name: value}, "error"}`.

use crate::candidates::describe_corpus;
use crate::error::LabError;
use crate::options::{CorpusArgs, MethodArgs, RunArgs};
use crate::predict::Task;
use crate::report::Outcome;
use clap::Args;
use copal::research::describe_kind;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Write the features of page kinds, to fit the decision between list, object and nothing
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
        let features = describe_kind(page, &request.lists).into_iter();
        let features: Map<String, Value> =
            features.map(|(name, value)| (name.to_owned(), json!(value))).collect();
        json!({"id": id, "features": features, "error": null})
    })
}
