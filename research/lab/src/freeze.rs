//! `copal-lab freeze`: a small text file that changes if any answer changes.
//!
//! In: a corpus, or any folder of pages. Out: one line per task, method, kind and source: number of pages,
//! records and cells, and a SHA-256 over the predictions without their times. `--check` compares such a file
//! with the answers of now. The hash of every page goes to a file in `--work`, so that a check can name the
//! pages that changed. Cost: about sixteen times `copal-lab eval`.

use crate::corpus::Corpus;
use crate::error::LabError;
use crate::hash::{Hasher, sha256};
use crate::predict::predict_all;
use crate::report::{self, Outcome};
use crate::standard::standard_runs;
use clap::Args;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const HEADER: &str = "\
# Answers of copal, frozen by `copal-lab freeze`. Do not edit.
# task method kind source: pages, records, cells, SHA-256 of the predictions without times
";

/// Changed pages that are named per line.
const MAX_NAMED_PAGES: usize = 20;

/// Keys of predictions that hold times.
const TIME_KEYS: [&str; 2] = ["ms", "parse_ms"];

/// Decimals of numbers that are compared: further ones may depend on the mathematics library of the machine.
const COMPARED_DECIMALS: i32 = 6;

/// Record the answers of every task and method as hashes, or check them against a record
#[derive(Debug, Args)]
pub(crate) struct FreezeArgs {
    /// Corpus folder, or any folder with HTML files
    corpus: PathBuf,

    /// Write the record here
    #[arg(short, long, value_name = "FILE", required_unless_present = "check")]
    output: Option<PathBuf>,

    /// Compare with this record and list what differs (exit code 1)
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    check: Option<PathBuf>,

    /// Folder for the hash of every page
    #[arg(long, value_name = "FOLDER", default_value = "target/freeze")]
    work: PathBuf,

    /// Also keep the predictions in the work folder (large)
    #[arg(long)]
    keep_predictions: bool,
}

/// What is kept of a prediction.
struct FrozenPage {
    id: String,
    source: String,
    sha256: String,
    record_count: usize,
    cell_count: usize,
    line: Option<String>,
}

/// A line of the record without its key.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct FrozenTotals {
    pages: usize,
    records: usize,
    cells: usize,
    sha256: String,
}

/// What a folder answers: totals by key, and the hash of every page by key and id.
#[derive(Default)]
struct FrozenAnswers {
    totals: BTreeMap<String, FrozenTotals>,
    pages: BTreeMap<String, String>,
}

pub(crate) fn run(args: &FreezeArgs) -> Result<Outcome, LabError> {
    let corpus = Corpus::of_folder(&args.corpus)?;
    if corpus.pages.is_empty() {
        return Err(LabError::NoPages { corpus: args.corpus.clone(), wanted: "in this folder".into() });
    }
    let target = args.output.as_ref().or(args.check.as_ref());
    let stem = target.and_then(|path| path.file_stem()).map_or("pages".into(), |stem| stem.to_string_lossy());
    let suffix = if args.check.is_some() { ".check" } else { "" };
    fs::create_dir_all(&args.work).map_err(LabError::write(&args.work))?;
    let predictions = args.work.join(format!("{stem}{suffix}"));
    let answers = freeze(&corpus, args.keep_predictions.then_some(predictions.as_path()))?;

    let page_file = args.work.join(format!("{stem}{suffix}.pages.txt"));
    let text: String = answers.pages.iter().map(|(page, hash)| format!("{page} {hash}\n")).collect();
    fs::write(&page_file, text).map_err(LabError::write(&page_file))?;
    if let Some(path) = &args.output {
        fs::write(path, written(&answers.totals)).map_err(LabError::write(path))?;
        eprintln!(
            "{}: {} lines; hashes of pages: {}",
            path.display(),
            answers.totals.len(),
            page_file.display()
        );
    }
    let Some(path) = &args.check else { return Ok(Outcome::Done) };
    let recorded = read_record(path)?;
    let before = args.work.join(format!("{stem}.pages.txt"));
    Ok(compare(path, &recorded, &answers, &read_page_hashes(&before)))
}

/// Runs everything over a corpus. Predictions go to a folder if one is given.
fn freeze(corpus: &Corpus, predictions: Option<&Path>) -> Result<FrozenAnswers, LabError> {
    let mut answers = FrozenAnswers::default();
    let (runs, verticals) = standard_runs();
    for run in &runs {
        let pages = run.pages(corpus, &verticals);
        let frozen: Vec<FrozenPage> = predict_all(&run.request, corpus, &pages, |page, mut prediction| {
            canonicalise(&mut prediction);
            let line = prediction.to_string();
            let (record_count, cell_count) = counts(&prediction);
            FrozenPage {
                id: page.id.clone(),
                source: if page.source.is_empty() { "-".to_owned() } else { page.source.clone() },
                sha256: sha256(line.as_bytes()),
                record_count,
                cell_count,
                line: predictions.is_some().then_some(line),
            }
        });
        if let Some(folder) = predictions.filter(|_| !frozen.is_empty()) {
            fs::create_dir_all(folder).map_err(LabError::write(folder))?;
            let path = folder.join(format!("{}.jsonl", run.name().replace([' ', ':'], ".")));
            let lines: String =
                frozen.iter().filter_map(|page| page.line.as_ref()).map(|line| format!("{line}\n")).collect();
            fs::write(&path, lines).map_err(LabError::write(&path))?;
        }
        let mut hashers: BTreeMap<&str, Hasher> = BTreeMap::new();
        for page in &frozen {
            let key = format!("{} {}", run.name(), page.source);
            let totals = answers.totals.entry(key).or_default();
            totals.pages += 1;
            totals.records += page.record_count;
            totals.cells += page.cell_count;
            hashers.entry(&page.source).or_default().add(page.sha256.as_bytes());
            answers.pages.insert(format!("{} {} {}", run.name(), page.source, page.id), page.sha256.clone());
        }
        for (source, hasher) in hashers {
            if let Some(totals) = answers.totals.get_mut(&format!("{} {source}", run.name())) {
                totals.sha256 = hasher.finish();
            }
        }
    }
    Ok(answers)
}

/// Removes times and rounds numbers. Uses its own stack because lists may be nested.
fn canonicalise(prediction: &mut Value) {
    if let Some(object) = prediction.as_object_mut() {
        for key in TIME_KEYS {
            object.remove(key);
        }
    }
    let mut open = vec![prediction];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(items) => open.extend(items.values_mut()),
            Value::Number(number) if !number.is_i64() && !number.is_u64() => {
                let scale = 10f64.powi(COMPARED_DECIMALS);
                if let Some(float) = number.as_f64() {
                    *value = Value::from((float * scale).round() / scale);
                }
            }
            _ => {}
        }
    }
}

/// Records and cells; of objects, objects and values; of pagination, next links and candidates.
fn counts(prediction: &Value) -> (usize, usize) {
    let values = |fields: &Value| -> usize {
        let fields = fields.as_object().into_iter().flatten();
        fields.map(|(_, value)| value.as_array().map_or(1, Vec::len)).sum()
    };
    if let Some(regions) = prediction["regions"].as_array() {
        let records = || regions.iter().filter_map(|region| region["records"].as_array()).flatten();
        return (records().count(), records().map(|record| values(&record["fields"])).sum());
    }
    if prediction["fields"].is_object() {
        let cells = values(&prediction["fields"]);
        return (usize::from(cells > 0), cells);
    }
    let links = prediction["links"].as_array().map_or(0, Vec::len);
    (usize::from(prediction["next"].is_string()), links)
}

fn written(totals: &BTreeMap<String, FrozenTotals>) -> String {
    let mut text = HEADER.to_owned();
    for (key, FrozenTotals { pages, records, cells, sha256 }) in totals {
        let _ = writeln!(text, "{key}: {pages} {records} {cells} {sha256}");
    }
    text
}

fn read_record(path: &Path) -> Result<BTreeMap<String, FrozenTotals>, LabError> {
    let text = fs::read_to_string(path).map_err(LabError::read(path))?;
    let mut totals = BTreeMap::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let parsed = line.rsplit_once(": ").and_then(|(key, rest)| {
            let [pages, records, cells, sha256] = rest.split(' ').collect::<Vec<_>>().try_into().ok()?;
            let count = |text: &str| text.parse::<usize>().ok();
            let (pages, records, cells) = (count(pages)?, count(records)?, count(cells)?);
            Some((key.to_owned(), FrozenTotals { pages, records, cells, sha256: sha256.to_owned() }))
        });
        let Some((key, line)) = parsed else {
            let cause = std::io::Error::other(format!(
                "line {}: expected KEY: PAGES RECORDS CELLS SHA-256, as copal-lab freeze writes it",
                number + 1
            ));
            return Err(LabError::Read { path: path.to_owned(), cause });
        };
        totals.insert(key, line);
    }
    Ok(totals)
}

/// The page hashes of an earlier run; empty if there was none on this machine.
fn read_page_hashes(path: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.rsplit_once(' '))
        .map(|(page, hash)| (page.to_owned(), hash.to_owned()))
        .collect()
}

fn compare(
    path: &Path,
    recorded: &BTreeMap<String, FrozenTotals>,
    now: &FrozenAnswers,
    pages_before: &BTreeMap<String, String>,
) -> Outcome {
    let mut keys: Vec<&String> = recorded.keys().chain(now.totals.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut differing = 0;
    for key in &keys {
        let (before, after) = (recorded.get(*key), now.totals.get(*key));
        if before == after {
            continue;
        }
        differing += 1;
        match (before, after) {
            (Some(before), Some(after)) => println!(
                "{key}: {} pages, {} records, {} cells -> {} pages, {} records, {} cells",
                before.pages, before.records, before.cells, after.pages, after.records, after.cells
            ),
            (Some(_), None) => println!("{key}: recorded, but there are no such pages now"),
            (None, _) => println!("{key}: not recorded"),
        }
        print_changed_pages(key, pages_before, &now.pages);
    }
    if differing == 0 {
        println!("{}: all {} lines are as recorded", path.display(), keys.len());
        return Outcome::Done;
    }
    report::error(format_args!("{}: {differing} of {} lines differ", path.display(), keys.len()));
    if pages_before.is_empty() {
        eprintln!(
            "changed pages are named only if the record was made on this machine (copal-lab freeze -o)"
        );
    }
    Outcome::Differs
}

fn print_changed_pages(key: &str, before: &BTreeMap<String, String>, now: &BTreeMap<String, String>) {
    let prefix = format!("{key} ");
    let of_key = |(page, _): &(&String, &String)| page.starts_with(&prefix);
    let changed: Vec<&str> = now
        .iter()
        .filter(of_key)
        .filter(|(page, hash)| before.get(*page).is_some_and(|old| old != *hash))
        .map(|(page, _)| &page[prefix.len()..])
        .collect();
    for id in changed.iter().take(MAX_NAMED_PAGES) {
        println!("  {id}");
    }
    if changed.len() > MAX_NAMED_PAGES {
        println!("  and {} more", changed.len() - MAX_NAMED_PAGES);
    }
}
