//! `copal-lab candidates`: every list candidate of a page with its features, for `research/fit/fit.py`.
//!
//! In: a corpus. Out: one JSON line per page, `{"id", "names", "candidates": [{"records", "features"}],
//! "leaves", "error"}`. Records are ranges of nodes; the texts of the page's leaves follow once. `"boxes"` has the elements
//! that say where a browser shows them.

use crate::answer::guarded;
use crate::corpus::Corpus;
use crate::error::{LabError, PageError};
use crate::options::{CorpusArgs, MethodArgs, RunArgs};
use crate::predict::Task;
use crate::report::{self, Outcome};
use clap::Args;
use copal::research::describe;
use copal::{Limits, Page, PageSource, Request};
use copal_output::destination::Destination;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The HTML attribute in which `research/compare/boxes.py` writes where a browser shows an element.
const BOX_ATTRIBUTE: &str = "data-copal-box";

/// Write every list candidate with its features, to fit the ranking
#[derive(Debug, Args)]
pub(crate) struct CandidatesArgs {
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

pub(crate) fn run(args: &CandidatesArgs) -> Result<Outcome, LabError> {
    args.run.start()?;
    let request = args.method.request(&args.run);
    let limits = &request.limits;
    describe_corpus(&args.corpus, args.task, &args.output, limits, |id, page| {
        describe_candidates(id, page, &request)
    })
}

/// Writes a JSON line per page of a corpus. A page that fails has an `error`.
pub(crate) fn describe_corpus(
    args: &CorpusArgs,
    task: Task,
    output: &Path,
    limits: &Limits,
    describe: impl Fn(&str, &Page) -> Value + Sync,
) -> Result<Outcome, LabError> {
    let corpus = Corpus::read(&args.corpus)?;
    let pages = args.pages(&corpus, task.name())?;
    let cannot_write = LabError::write(output);
    let mut out = Destination::open(Some(output)).map_err(&cannot_write)?;
    let described: Vec<Result<String, String>> = pages
        .par_iter()
        .map(|page| {
            let id = page.id.as_str();
            let line = corpus.bytes(id).and_then(|bytes| {
                guarded(|| {
                    let page = Page::from_bytes(&bytes, PageSource::default(), limits)?;
                    Ok::<Value, PageError>(describe(id, &page))
                })
            });
            match line {
                Ok(line) => Ok(line.to_string()),
                Err(error) => {
                    report::error(format_args!("{id}: {error}"));
                    Err(json!({"id": id, "error": error.to_string()}).to_string())
                }
            }
        })
        .collect();
    for Ok(line) | Err(line) in &described {
        writeln!(out, "{line}").map_err(&cannot_write)?;
    }
    out.commit().map_err(&cannot_write)?;
    Ok(Outcome::of_failures(described.iter().filter(|line| line.is_err()).count()))
}

fn describe_candidates(id: &str, page: &Page, request: &Request) -> Value {
    let (names, described) = describe(page, &request.lists);
    let candidates = described.iter().map(|(records, features)| {
        let records: Vec<Vec<[u32; 2]>> =
            records.iter().map(|parts| parts.iter().map(|part| [part.start, part.end]).collect()).collect();
        json!({"records": records, "features": features})
    });
    let candidates: Vec<Value> = candidates.collect();
    let leaves = page.tree.nodes().filter(|&node| page.tree.is_text(node) && page.styles.is_shown(node));
    let leaves: Vec<(u32, &str)> = leaves.map(|node| (node, page.tree.raw_text(node))).collect();
    let mut described =
        json!({"id": id, "names": names, "candidates": candidates, "leaves": leaves, "error": null});
    if let Some(attribute) = page.tree.attr_name(BOX_ATTRIBUTE) {
        let elements = page.tree.nodes().filter(|&node| !page.tree.is_text(node));
        let rects = elements.filter_map(|node| Some(json!([node, page.tree.attr(node, attribute)?])));
        described["boxes"] = rects.collect();
    }
    described
}
