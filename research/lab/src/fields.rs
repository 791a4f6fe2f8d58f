//! `copal-lab fields`: every candidate for a field of a domain with its features, for
//! `research/fit/fit_fields.py`.
//!
//! In: the detail pages of a corpus, read together by site. Out: one JSON line per page and attribute that has
//! candidates, `{"id", "attribute", "pages", "names", "candidates": [{"texts", "features"}]}`.

use crate::answer::guarded;
use crate::corpus::{Corpus, CorpusPage};
use crate::error::{LabError, PageError};
use crate::options::{CorpusArgs, MethodArgs, RunArgs};
use crate::predict::{DetailArgs, DetailRequest, site_groups};
use crate::report::{self, Outcome};
use crate::verticals::domain_of;
use clap::Args;
use copal::objects::ObjectOptions;
use copal::research::{FieldDescription, describe_fields};
use copal::{Limits, Page, PageSource};
use copal_output::destination::Destination;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

/// Write every candidate for a field of a domain with its features, to fit the choice between them
#[derive(Debug, Args)]
pub(crate) struct FieldsArgs {
    #[command(flatten)]
    corpus: CorpusArgs,

    /// Output file (JSONL)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    details: DetailArgs,

    #[command(flatten)]
    method: MethodArgs,

    #[command(flatten)]
    run: RunArgs,
}

pub(crate) fn run(args: &FieldsArgs) -> Result<Outcome, LabError> {
    args.run.start()?;
    let corpus = Corpus::read(&args.corpus.corpus)?;
    let pages = args.corpus.pages(&corpus, "details")?;
    let cannot_write = LabError::write(&args.output);
    let mut out = Destination::open(Some(&args.output)).map_err(&cannot_write)?;
    let (details, limits) = (args.details.options(), args.method.request(&args.run).limits);
    let groups = site_groups(&pages, details.together);
    let described: Vec<Result<Vec<Value>, PageError>> =
        groups.par_iter().map(|group| describe_group(&corpus, &pages, group, &details, &limits)).collect();
    let mut failures = 0;
    for group in described {
        match group {
            Ok(lines) => {
                for line in lines {
                    writeln!(out, "{line}").map_err(&cannot_write)?;
                }
            }
            Err(error) => {
                report::error(format_args!("{error}"));
                failures += 1;
            }
        }
    }
    out.commit().map_err(&cannot_write)?;
    Ok(Outcome::of_failures(failures))
}

fn describe_group(
    corpus: &Corpus,
    pages: &[&CorpusPage],
    group: &[usize],
    details: &DetailRequest,
    limits: &Limits,
) -> Result<Vec<Value>, PageError> {
    let mut options = ObjectOptions::default();
    options.domain = domain_of(&pages[group[0]].vertical, &details.domains).cloned();
    let mut parsed: Vec<Page> = Vec::new();
    for &at in group {
        let bytes = corpus.bytes(&pages[at].id)?;
        parsed.push(guarded(|| Ok(Page::from_bytes(&bytes, PageSource::default(), limits)?))?);
    }
    let borrowed: Vec<&Page> = parsed.iter().collect();
    let all = guarded(|| Ok(describe_fields(&borrowed, &options)))?;
    let mut by_field: BTreeMap<(usize, String), Vec<FieldDescription>> = BTreeMap::new();
    for candidate in all {
        by_field.entry((candidate.page, candidate.attribute.clone())).or_default().push(candidate);
    }
    let line = |((page, attribute), candidates): ((usize, String), Vec<FieldDescription>)| {
        let names: Vec<&str> = candidates[0].features.iter().map(|(name, _)| *name).collect();
        let described: Vec<Value> = candidates
            .iter()
            .map(|candidate| {
                let features: Vec<f64> = candidate.features.iter().map(|(_, value)| *value).collect();
                json!({"texts": candidate.texts, "features": features})
            })
            .collect();
        json!({
            "id": pages[group[page]].id,
            "attribute": attribute,
            "pages": candidates[0].page_count,
            "names": names,
            "candidates": described,
        })
    };
    Ok(by_field.into_iter().map(line).collect())
}
