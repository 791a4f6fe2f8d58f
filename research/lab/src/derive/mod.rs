//! `copal-lab derive`: a corpus of pages made from the list pages of another one, for fitting.
//!
//! In: a corpus, and a file with the records of each list page (`research/fit/right_candidates.py` writes it
//! from the candidates whose records are those of the gold). Out: a corpus folder with the changed pages and
//! their gold. Each page keeps the site of its origin, so that folds by site stay honest. What is changed is
//! in [`operators`]. Cost: about a hundred pages per second.

mod operators;

use crate::corpus::{Corpus, CorpusPage};
use crate::error::LabError;
use crate::hash::seed_of;
use crate::options::CorpusArgs;
use crate::random::SplitMix64;
use crate::report::Outcome;
use crate::survive::editable::EditablePage;
use clap::Args;
use copal_dom::{Node, Page};
use copal_extract::located::tops;
use operators::{OPERATORS, Origin};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Make a corpus of changed pages: short lists, lists in other pages, in sections, copied, removed …
#[derive(Debug, Args)]
pub(crate) struct DeriveArgs {
    #[command(flatten)]
    corpus: CorpusArgs,

    /// The records of each list page: JSONL with id, records (node ranges) and gold (index or null)
    #[arg(long, value_name = "FILE")]
    records: PathBuf,

    /// Folder of the new corpus
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,

    /// Seed of the changes
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(args: &DeriveArgs) -> Result<Outcome, LabError> {
    let corpus = Corpus::read(&args.corpus.corpus)?;
    let text = fs::read_to_string(&args.records).map_err(LabError::read(&args.records))?;
    let mut records: HashMap<String, Value> = HashMap::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line)
            .map_err(|cause| LabError::Json { path: args.records.clone(), cause })?;
        records.insert(row["id"].as_str().unwrap_or_default().to_owned(), row);
    }
    // pages that lists are set into
    let hosts: Vec<Page> =
        args.corpus.pages(&corpus, "negatives")?.iter().filter_map(|page| corpus.page(&page.id)).collect();
    let lists: Vec<ListPage<'_>> = args
        .corpus
        .pages(&corpus, "lists")?
        .into_iter()
        .filter_map(|page| {
            let (row, dom) = (records.get(&page.id)?, corpus.page(&page.id)?);
            Some(ListPage { elements: elements_of_records(&dom, row), page, row, dom })
        })
        .collect();
    let mut index = Vec::new();
    for ListPage { page, row, dom, elements } in &lists {
        let gold = corpus.gold(&page.id)?;
        for &(name, operator) in OPERATORS {
            let mut random = SplitMix64(args.seed ^ seed_of(&format!("{} {name}", page.id)));
            let other = random.choose(&lists).filter(|other| other.page.site != page.site);
            let origin = Origin {
                page: EditablePage::new(&dom.tree, elements.clone()),
                host: random.choose(&hosts).map(|host| EditablePage::new(&host.tree, Vec::new())),
                other: other.map(|other| EditablePage::new(&other.dom.tree, other.elements.clone())),
            };
            let Some(made) = operator(origin, &mut random) else { continue };
            let task = if made.kept.is_empty() { "negatives" } else { "lists" };
            let id = format!("{task}/{name}/{}", page.id.replace('/', "_"));
            write(&args.output, &format!("{id}.html"), &made.page.html())?;
            write(&args.output, &format!("{id}.json"), &gold_of(&gold, row, &made.kept).to_string())?;
            index.push(json!({
                "id": id, "task": task, "source": name, "split": "dev", "origin": page.id,
                "site": page.site, "domain": page.domain, "main": page.is_main,
            }));
        }
    }
    let lines: String = index.iter().map(|row| format!("{row}\n")).collect();
    write(&args.output, "index.jsonl", &lines)?;
    Ok(Outcome::Done)
}

/// A list page with the elements of its records.
struct ListPage<'a> {
    page: &'a CorpusPage,
    /// Its line in the file of records.
    row: &'a Value,
    dom: Page,
    elements: Vec<Vec<Node>>,
}

/// The elements of each record.
fn elements_of_records(page: &Page, row: &Value) -> Vec<Vec<Node>> {
    let node = |value: &Value| value.as_u64().unwrap_or_default() as Node;
    let array = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let record = |parts: &Value| {
        array(parts).iter().flat_map(|part| tops(page, &(node(&part[0])..node(&part[1])))).collect()
    };
    array(&row["records"]).iter().map(record).collect()
}

/// The gold answer with only the records that were kept.
fn gold_of(gold: &Value, row: &Value, kept: &[usize]) -> Value {
    let mut out = gold.clone();
    let of_record = |&at: &usize| gold["records"].get(row["gold"][at].as_u64()? as usize).cloned();
    out["records"] = kept.iter().filter_map(of_record).collect();
    out
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), LabError> {
    let path = folder.join(name);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(LabError::write(parent))?;
    }
    fs::write(&path, text).map_err(LabError::write(&path))
}
