//! `copal-lab floors`: accuracy that must not get worse.
//!
//! In: a corpus with gold answers and a file of floors: `{"sha256": corpus hash, "floors": [{"task",
//! "method", "kind", "floor"}]}`. Out: a table, and exit code 1 if a score is below its floor or the corpus
//! is not the one that the floors were measured on (pages that disappear must not pass for progress).
//! `--write` raises floors to what is measured and adds missing ones; it lowers floors only with
//! `--allow-lower`.

use crate::corpus::Corpus;
use crate::error::LabError;
use crate::gate::{GateScore, score};
use crate::hash::Hasher;
use crate::predict::predict_all;
use crate::report::{self, Outcome};
use crate::standard::standard_runs;
use clap::Args;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Floors are rounded down to this many steps per unit, so that a score equals its own floor or exceeds it.
const STEPS_PER_UNIT: f64 = 1000.0;

/// Check accuracy on a corpus against recorded floors
#[derive(Debug, Args)]
pub(crate) struct FloorsArgs {
    /// Corpus folder with gold answers
    corpus: PathBuf,

    /// File with the floors
    #[arg(long, value_name = "FILE", default_value = "research/floors.json")]
    file: PathBuf,

    /// Raise the floors to what is measured now
    #[arg(long)]
    write: bool,

    /// With --write: also lower floors. Say in the commit which pages are lost and why that is worth it
    #[arg(long, requires = "write")]
    allow_lower: bool,
}

/// What was measured for one run.
struct MeasuredScore {
    task: &'static str,
    method: String,
    kind: &'static str,
    total: GateScore,
    /// Pages that are not perfect, with what was found.
    imperfect: Vec<String>,
}

impl MeasuredScore {
    fn name(&self) -> String {
        format!("{} {} {}", self.task, self.method, self.kind)
    }

    fn new_floor(&self) -> f64 {
        (self.total.share() * STEPS_PER_UNIT).floor() / STEPS_PER_UNIT
    }
}

pub(crate) fn run(args: &FloorsArgs) -> Result<Outcome, LabError> {
    let corpus = Corpus::read(&args.corpus)?;
    let corpus_hash = corpus_hash(&corpus)?;
    let measured = measure_all(&corpus)?;
    if args.write {
        return write(args, &corpus_hash, &measured);
    }
    let recorded = read(&args.file)?;
    if recorded["sha256"] != corpus_hash.as_str() {
        report::error(format_args!(
            "{}: {} is not the corpus that the floors were measured on: measure again (make floors)",
            args.file.display(),
            args.corpus.display()
        ));
        return Ok(Outcome::Differs);
    }
    let mut below = 0;
    for one in &measured {
        let Some(floor) = floor_of(&recorded, one) else {
            report::error(format_args!("{}: no floor: add it with make floors", one.name()));
            below += 1;
            continue;
        };
        let GateScore { right, expected } = one.total;
        println!("{}: {right} of {expected}, {:.3} (floor {floor})", one.name(), one.total.share());
        if one.total.share() < floor {
            report::error(format_args!(
                "{}: {:.3} is below its floor {floor}",
                one.name(),
                one.total.share()
            ));
            one.imperfect.iter().for_each(|page| eprintln!("  {page}"));
            below += 1;
        }
    }
    Ok(if below > 0 { Outcome::Differs } else { Outcome::Done })
}

/// A hash of the index, of all pages and of all gold answers.
fn corpus_hash(corpus: &Corpus) -> Result<String, LabError> {
    let mut hasher = Hasher::default();
    let mut add = |path: PathBuf| -> Result<(), LabError> {
        let bytes = fs::read(&path).map_err(LabError::read(&path))?;
        hasher.add(&(bytes.len() as u64).to_le_bytes());
        hasher.add(&bytes);
        Ok(())
    };
    add(corpus.root.join("index.jsonl"))?;
    for page in &corpus.pages {
        add(corpus.root.join(format!("{}.html", page.id)))?;
        add(corpus.root.join(format!("{}.json", page.id)))?;
    }
    Ok(hasher.finish())
}

/// The score of every standard run that the corpus has pages for.
fn measure_all(corpus: &Corpus) -> Result<Vec<MeasuredScore>, LabError> {
    let (runs, verticals) = standard_runs();
    let mut measured = Vec::new();
    for run in &runs {
        let pages = run.pages(corpus, &verticals);
        if pages.is_empty() {
            continue;
        }
        let task = run.request.task;
        let scores = predict_all(&run.request, corpus, &pages, |page, prediction| {
            Ok((page.id.clone(), score(task, &corpus.gold(&page.id)?, &prediction)))
        });
        let scores: Vec<(String, GateScore)> = scores.into_iter().collect::<Result<_, LabError>>()?;
        let mut total = GateScore::default();
        for (_, score) in &scores {
            total += *score;
        }
        let imperfect = scores
            .iter()
            .filter(|(_, score)| score.right < score.expected)
            .map(|(id, score)| format!("{id}: {} of {}", score.right, score.expected))
            .collect();
        measured.push(MeasuredScore {
            task: task.name(),
            method: run.method.clone(),
            kind: run.kind,
            total,
            imperfect,
        });
    }
    Ok(measured)
}

fn read(path: &Path) -> Result<Value, LabError> {
    let text = fs::read_to_string(path).map_err(LabError::read(path))?;
    serde_json::from_str(&text).map_err(|cause| LabError::Json { path: path.to_owned(), cause })
}

fn floor_of(recorded: &Value, one: &MeasuredScore) -> Option<f64> {
    let floors = recorded["floors"].as_array()?;
    let found = floors.iter().find(|floor| {
        floor["task"] == one.task && floor["method"] == one.method.as_str() && floor["kind"] == one.kind
    });
    found?["floor"].as_f64()
}

fn write(args: &FloorsArgs, corpus_hash: &str, measured: &[MeasuredScore]) -> Result<Outcome, LabError> {
    let recorded = if args.file.exists() { read(&args.file)? } else { Value::Null };
    let mut lowered = 0;
    let mut lines: Vec<String> = Vec::new();
    for one in measured {
        let (old, new) = (floor_of(&recorded, one), one.new_floor());
        if let Some(old) = old.filter(|old| new < *old) {
            report::error(format_args!("{}: {new} is below its floor {old}", one.name()));
            lowered += 1;
        } else if old != Some(new) {
            println!("{}: floor {new}", one.name());
        }
        lines.push(
            json!({"task": one.task, "method": one.method, "kind": one.kind, "floor": new}).to_string(),
        );
    }
    if lowered > 0 && !args.allow_lower {
        report::error(
            "floors are lowered only with --allow-lower (make floors ALLOW_LOWER=1); nothing was written",
        );
        return Ok(Outcome::Differs);
    }
    let floors = lines.join(",\n    ");
    let text = format!("{{\n  \"sha256\": \"{corpus_hash}\",\n  \"floors\": [\n    {floors}\n  ]\n}}\n");
    fs::write(&args.file, text).map_err(LabError::write(&args.file))?;
    Ok(Outcome::Done)
}
