//! How much noise in its annotations AMBER bears, and what its choices are worth (thesis 7.1.2).
//!
//! `cargo bench -p copal --bench noise -- CORPUS [--split NAME] [--only DOMAIN] [--out FOLDER] [--pages]`. In: a corpus
//! with gold (see `noise/gold.rs`). Out: a table a domain in Markdown, and `noise.csv` in FOLDER (`target/noise`) for
//! `compare/plot_noise.py`. Disturbed settings run with three fixed seeds whose counts are summed. `--pages` names the
//! pages that lose most records in each setting. Right is what `noise/score.rs` says.

#![allow(missing_docs)]

#[path = "noise/disturb.rs"]
mod disturb;
#[path = "noise/gold.rs"]
mod gold;
#[path = "noise/score.rs"]
mod score;
#[path = "noise/settings.rs"]
mod settings;

use copal_extract::lists::propose::amber;
use disturb::{Change, disturb};
use gold::Case;
use score::{Tally, score};
use settings::Setting;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const SEEDS: [u64; 3] = [1, 2, 3];
/// Pages named for a setting.
const NAMED: usize = 6;

struct Args {
    corpus: PathBuf,
    split: Option<String>,
    only: Option<String>,
    out: PathBuf,
    pages: bool,
}

fn main() {
    let Some(args) = arguments() else {
        eprintln!(
            "usage: cargo bench -p copal --bench noise -- CORPUS [--split NAME] [--only DOMAIN] [--out FOLDER] [--pages]"
        );
        std::process::exit(2);
    };
    let mut by_domain: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    for case in gold::load(&args.corpus, args.split.as_deref()) {
        if args.only.as_ref().is_none_or(|only| *only == case.domain.name) {
            by_domain.entry(case.domain.name.clone()).or_default().push(case);
        }
    }
    assert!(!by_domain.is_empty(), "{}: no page of that split with a domain", args.corpus.display());
    let mut csv = String::from(
        "domain,experiment,setting,x,area_f1,record_p,record_r,record_f1,attribute_p,attribute_r,attribute_f1\n",
    );
    for (name, cases) in &by_domain {
        let records: usize = cases.iter().map(|case| case.records.len()).sum();
        println!("\n### {name}: {} pages, {records} records\n", cases.len());
        domain_tables(name, cases, args.pages, &mut csv);
    }
    std::fs::create_dir_all(&args.out).expect("the output folder can be made");
    let path = args.out.join("noise.csv");
    std::fs::write(&path, csv).expect("the table can be written");
    eprintln!("wrote {}", path.display());
}

/// The arguments; none if they are not understood.
fn arguments() -> Option<Args> {
    // cargo gives benches this one itself
    let mut rest = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let (mut corpus, mut split, mut only, mut pages) = (None, None, None, false);
    let mut out = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/noise");
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--split" => split = Some(rest.next()?),
            "--only" => only = Some(rest.next()?),
            "--out" => out = PathBuf::from(rest.next()?),
            "--pages" => pages = true,
            _ if corpus.is_none() && !arg.starts_with("--") => corpus = Some(PathBuf::from(arg)),
            _ => return None,
        }
    }
    Some(Args { corpus: corpus?, split, only, out, pages })
}

/// Runs all settings of a domain, prints its tables and appends to the CSV.
fn domain_tables(name: &str, cases: &[Case], name_pages: bool, csv: &mut String) {
    let settings = settings::all(&cases[0].domain);
    let judged: HashSet<&str> = cases
        .iter()
        .flat_map(|case| &case.records)
        .flat_map(|record| record.values.keys())
        .map(String::as_str)
        .collect();
    let mut clean: Option<(Tally, Vec<Tally>)> = None;
    println!(
        "| setting | area F1 | record P | record R | record F1 | to clean | attr. P | attr. R | attr. F1 |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for setting in &settings {
        let by_page: Vec<Tally> = cases.iter().map(|case| run(case, setting, &judged)).collect();
        let mut sum = Tally::default();
        for page in &by_page {
            sum += *page;
        }
        let (clean_sum, clean_pages) = clean.get_or_insert_with(|| (sum, by_page.clone()));
        print_row(setting, &sum, clean_sum);
        let (areas, records, attributes) = (sum.areas, sum.records, sum.attributes);
        let _ = write!(csv, "{name},{},\"{}\",{}", setting.experiment, setting.name, setting.x);
        for value in [
            areas.f1(),
            records.precision(),
            records.recall(),
            records.f1(),
            attributes.precision(),
            attributes.recall(),
            attributes.f1(),
        ] {
            let _ = write!(csv, ",{value:.4}");
        }
        csv.push('\n');
        if name_pages {
            eprintln!("{name}, {}: {}", setting.name, losers(cases, &by_page, clean_pages));
        }
    }
}

/// A page in a setting, all seeds summed; a setting without chance runs once.
fn run(case: &Case, setting: &Setting, judged: &HashSet<&str>) -> Tally {
    let seeds = if setting.change == Change::None { &SEEDS[..1] } else { &SEEDS };
    let mut sum = Tally::default();
    for &seed in seeds {
        let changed =
            disturb(&case.page, &case.id, &case.annotations, &setting.attributes, setting.change, seed);
        sum += score(case, &amber::find_annotated(&case.page, &changed, &setting.options), judged);
    }
    sum
}

fn print_row(setting: &Setting, sum: &Tally, clean: &Tally) {
    let (records, attributes) = (sum.records, sum.attributes);
    println!(
        "| {} | {:.3} | {:.3} | {:.3} | {:.3} | {:+.1}% | {:.3} | {:.3} | {:.3} |",
        setting.name,
        sum.areas.f1(),
        records.precision(),
        records.recall(),
        records.f1(),
        100.0 * (records.f1() / clean.records.f1().max(f64::EPSILON) - 1.0),
        attributes.precision(),
        attributes.recall(),
        attributes.f1(),
    );
}

/// The pages whose record F1 falls most; of the clean run those that are not perfect.
fn losers(cases: &[Case], now: &[Tally], clean: &[Tally]) -> String {
    let is_clean = now == clean;
    let loss = |i: usize| if is_clean { 1.0 } else { clean[i].records.f1() } - now[i].records.f1();
    let mut order: Vec<usize> = (0..cases.len()).filter(|&i| loss(i) > 0.001).collect();
    order.sort_by(|&a, &b| loss(b).total_cmp(&loss(a)));
    let shown = order.iter().take(NAMED).map(|&i| format!("{} -{:.2}", cases[i].id, loss(i)));
    format!("{} pages lose; {}", order.len(), shown.collect::<Vec<_>>().join(", "))
}
