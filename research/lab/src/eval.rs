//! `copal-lab eval`: the answers for the pages of a corpus, as a predictions file.
//!
//! In: a corpus folder. Out: one prediction per page in the order of the index, a summary on standard error
//! and, with a scorer, its table. Pages take the same path as in `copal extract` ([`crate::answer`]). The
//! gold is never read here.

use crate::corpus::Corpus;
use crate::error::LabError;
use crate::options::{CorpusArgs, CorpusPart, MethodArgs, PageKindChoice, RunArgs};
use crate::predict::{DetailArgs, PredictionRequest, Task, predict_all};
use crate::report::{self, Outcome};
use clap::Args;
use copal_output::destination::Destination;
use serde_json::{Map, Value};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

const EVAL_EXAMPLES: &str = "\
Examples:
  copal-lab eval corpus/ -o combined.pred.jsonl              what `copal extract` answers
  copal-lab eval corpus/ --method buw -o buw.pred.jsonl      one paper's system
  copal-lab eval corpus/ --kind list -o list.pred.jsonl      without the page-kind decision
  copal-lab eval corpus/ --task negatives -o neg.pred.jsonl
  copal-lab eval corpus/ --task objects --scorer score.py -o objects.pred.jsonl
  copal-lab eval corpus/ --task details --vertical book=books --vertical job=jobs -o details.pred.jsonl
  copal-lab eval corpus/ --part opened --only lists/shops/ -o shops.pred.jsonl

A corpus is a folder with index.jsonl (one line per page: id, task, …), <id>.html and gold <id>.json.
Predictions, one JSON object per line:
  lists, negatives  {id, regions: [{role, layout, records: [{text, fields, xpaths}]}], ms, error}
  details           {id, fields, area, ms, error}
  objects           {id, fields, kind, ms, error}
  pagination        {id, next, links: [{href, score, kind, text}], error}, read in the index's encoding
  forms             {id, forms: [{index, type, confidence, fields: {name: type}}]}";

/// Run copal over a corpus with gold answers and write its predictions
#[derive(Debug, Args)]
#[command(after_help = EVAL_EXAMPLES)]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    corpus: CorpusArgs,

    /// Which pages of the corpus, and what is predicted for them
    #[arg(long, value_enum, default_value = "lists")]
    task: Task,

    /// What pages are taken for (lists, negatives, objects). With a --method, auto means list, as in copal
    /// extract
    #[arg(long, value_enum, default_value = "auto")]
    kind: PageKindChoice,

    /// Predictions file (JSONL)
    #[arg(short, long, value_name = "FILE", default_value = "copal.pred.jsonl")]
    output: PathBuf,

    /// A scorer to run on the predictions: python3 SCORER TASK CORPUS FILE --by-source
    #[arg(long, value_name = "SCORER")]
    scorer: Option<PathBuf>,

    #[command(flatten)]
    details: DetailArgs,

    #[command(flatten)]
    method: MethodArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// What is kept of a prediction: its line in the file, and what the summary needs.
struct PredictedPage {
    line: String,
    error: Option<String>,
    /// The page has a list, an object or a next link.
    is_answered: bool,
    field_count: usize,
    ms: f64,
    parse_ms: f64,
}

pub(crate) fn run(args: &EvalArgs) -> Result<Outcome, LabError> {
    args.run.start()?;
    let corpus = Corpus::read(&args.corpus.corpus)?;
    let pages = args.corpus.pages(&corpus, args.task.name())?;
    let cannot_write = LabError::write(&args.output);
    // Opened before the work: a missing folder should be reported at once.
    let mut out = Destination::open(Some(&args.output)).map_err(&cannot_write)?;
    let request = PredictionRequest {
        task: args.task,
        taken: args.method.taken(args.kind),
        extraction: args.method.request(&args.run),
        details: args.details.options(),
    };
    let predicted =
        predict_all(&request, &corpus, &pages, |page, prediction| keep(&page.id, args.task, &prediction));
    for page in &predicted {
        writeln!(out, "{}", page.line).map_err(&cannot_write)?;
    }
    out.commit().map_err(&cannot_write)?;
    let mut failed = 0;
    for message in predicted.iter().filter_map(|page| page.error.as_ref()) {
        report::error(message);
        failed += 1;
    }
    if !args.run.quiet {
        summarise(args, &predicted, failed);
    }
    score(args)?;
    Ok(Outcome::of_failures(failed))
}

fn keep(id: &str, task: Task, prediction: &Value) -> PredictedPage {
    let field_count = prediction["fields"].as_object().map_or(0, Map::len);
    let is_answered = match task {
        Task::Pagination => prediction["next"].is_string(),
        Task::Details | Task::Objects => field_count > 0,
        Task::Forms => prediction["forms"].as_array().is_some_and(|forms| !forms.is_empty()),
        Task::Lists | Task::Negatives => {
            prediction["regions"].as_array().is_some_and(|list| !list.is_empty())
        }
    };
    PredictedPage {
        line: prediction.to_string(),
        error: prediction["error"].as_str().map(|why| format!("{id}: {why}")),
        is_answered,
        field_count,
        ms: prediction["ms"].as_f64().unwrap_or(0.0),
        parse_ms: prediction["parse_ms"].as_f64().unwrap_or(0.0),
    }
}

fn summarise(args: &EvalArgs, pages: &[PredictedPage], failed: usize) {
    let answered = pages.iter().filter(|page| page.is_answered).count();
    let what = match args.task {
        Task::Pagination => "a next link",
        Task::Details | Task::Objects => "an object",
        Task::Forms => "a form",
        Task::Lists | Task::Negatives => "a list",
    };
    let mut line =
        format!("{} pages by {}: {answered} with {what}, {failed} failed", pages.len(), args.method.method());
    if matches!(args.task, Task::Details | Task::Objects) {
        let fields: usize = pages.iter().map(|page| page.field_count).sum();
        line.push_str(&format!("; {:.1} fields per page", fields as f64 / pages.len().max(1) as f64));
    }
    let parse_ms: f64 = pages.iter().map(|page| page.parse_ms).sum();
    if args.task == Task::Details {
        let ms: f64 = pages.iter().map(|page| page.ms).sum();
        line.push_str(&format!("; reading the objects took {:.2} times the parse", ms / parse_ms.max(1e-9)));
    }
    let mut times: Vec<f64> = pages.iter().map(|page| page.ms).collect();
    times.sort_by(f64::total_cmp);
    if times.iter().any(|&ms| ms > 0.0) {
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        line.push_str(&format!(
            "; ms per page: median {:.1}, 95% {:.1}, maximum {:.1}",
            at(0.5),
            at(0.95),
            at(1.0)
        ));
    }
    eprintln!("{line}\npredictions: {}", args.output.display());
}

fn score(args: &EvalArgs) -> Result<(), LabError> {
    let Some(scorer) = &args.scorer else { return Ok(()) };
    let mut command = Command::new("python3");
    command.arg(scorer).arg(args.task.name());
    let has_part = args.corpus.sites.part != CorpusPart::All;
    // the scorer needs the corpus of negatives only to tell the parts apart
    if args.task != Task::Negatives || has_part {
        command.arg(&args.corpus.corpus);
    }
    command.arg(&args.output);
    if matches!(args.task, Task::Lists | Task::Details | Task::Objects) {
        command.arg("--by-source");
        if let Some(only) = &args.corpus.only {
            command.args(["--only", only]);
        }
    }
    if has_part {
        command.args(["--part", args.corpus.sites.part.name()]);
    }
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(LabError::ScorerFailed { scorer: scorer.clone(), status }),
        Err(cause) => Err(LabError::NoPython { scorer: scorer.clone(), cause }),
    }
}
