//! `copal-lab noise`: how much noise in its annotations AMBER tolerates, and how much each of its design
//! choices contributes to the result (section 7.1.2 of the AMBER thesis).
//!
//! In: a corpus with gold (see [`gold`]), usually one that `research/generate` wrote. Out: a Markdown table
//! per domain, and `noise.csv` for `research/compare/plot_noise.py`. Settings with random changes run with
//! three fixed seeds, and their counts are summed. `--pages` names, for each setting, the pages that lose the
//! most records.
//! [`mod@score`] says what counts as right. Cost: some minutes in a release build.

mod disturb;
pub(crate) mod gold;
pub(crate) mod score;
mod settings;

use crate::corpus::Corpus;
use crate::error::LabError;
use crate::report::Outcome;
use clap::Args;
use copal_extract::research::find_annotated;
use disturb::{AnnotationChange, disturb};
use gold::NoiseCase;
use score::{NoiseTally, score};
use settings::NoiseSetting;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

const SEEDS: [u64; 3] = [1, 2, 3];
/// How many pages `--pages` names per setting.
const MAX_NAMED_PAGES: usize = 6;

/// Measure AMBER with disturbed annotations
#[derive(Debug, Args)]
pub(crate) struct NoiseArgs {
    /// Corpus folder, as research/generate/generate.py writes it
    corpus: PathBuf,

    /// Only pages of this split
    #[arg(long)]
    split: Option<String>,

    /// Only this domain
    #[arg(long, value_name = "DOMAIN")]
    only: Option<String>,

    /// Folder for noise.csv
    #[arg(long, value_name = "FOLDER", default_value = "target/noise")]
    out: PathBuf,

    /// Name the pages that lose the most records
    #[arg(long)]
    pages: bool,
}

pub(crate) fn run(args: &NoiseArgs) -> Result<Outcome, LabError> {
    let corpus = Corpus::read(&args.corpus)?;
    let mut by_domain: BTreeMap<String, Vec<NoiseCase>> = BTreeMap::new();
    for case in gold::load(&corpus, args.split.as_deref())? {
        if args.only.as_ref().is_none_or(|only| *only == case.domain.name) {
            by_domain.entry(case.domain.name.clone()).or_default().push(case);
        }
    }
    if by_domain.is_empty() {
        let wanted = "with a domain matches --split and --only".to_owned();
        return Err(LabError::NoPages { corpus: args.corpus.clone(), wanted });
    }
    let mut csv = String::from(
        "domain,experiment,setting,x,area_f1,record_p,record_r,record_f1,\
         attribute_p,attribute_r,attribute_f1\n",
    );
    for (name, cases) in &by_domain {
        let records: usize = cases.iter().map(|case| case.records.len()).sum();
        println!("\n### {name}: {} pages, {records} records\n", cases.len());
        domain_tables(name, cases, args.pages, &mut csv);
    }
    fs::create_dir_all(&args.out).map_err(LabError::write(&args.out))?;
    let path = args.out.join("noise.csv");
    fs::write(&path, csv).map_err(LabError::write(&path))?;
    eprintln!("wrote {}", path.display());
    Ok(Outcome::Done)
}

/// Runs all settings of a domain, prints its tables and appends to the CSV.
fn domain_tables(name: &str, cases: &[NoiseCase], name_pages: bool, csv: &mut String) {
    let settings = settings::all(&cases[0].domain);
    let judged: HashSet<&str> = cases
        .iter()
        .flat_map(|case| &case.records)
        .flat_map(|record| record.values.keys())
        .map(String::as_str)
        .collect();
    let mut clean: Option<(NoiseTally, Vec<NoiseTally>)> = None;
    println!(
        "| setting | area F1 | record P | record R | record F1 | vs. clean | attr. P | attr. R | attr. F1 |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for setting in &settings {
        let by_page: Vec<NoiseTally> = cases.iter().map(|case| run_case(case, setting, &judged)).collect();
        let mut sum = NoiseTally::default();
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
            eprintln!("{name}, {}: {}", setting.name, worst_pages(cases, &by_page, clean_pages));
        }
    }
}

/// One page in one setting, summed over the seeds. A setting without randomness runs once.
fn run_case(case: &NoiseCase, setting: &NoiseSetting, judged: &HashSet<&str>) -> NoiseTally {
    let seeds = if setting.change == AnnotationChange::None { &SEEDS[..1] } else { &SEEDS };
    let mut sum = NoiseTally::default();
    for &seed in seeds {
        let changed =
            disturb(&case.page, &case.id, &case.annotations, &setting.attributes, setting.change, seed);
        sum += score(case, &find_annotated(&case.page, &changed, &setting.options), judged);
    }
    sum
}

fn print_row(setting: &NoiseSetting, sum: &NoiseTally, clean: &NoiseTally) {
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

/// The pages whose record F1 drops most; for the clean run, the pages that are not perfect.
fn worst_pages(cases: &[NoiseCase], now: &[NoiseTally], clean: &[NoiseTally]) -> String {
    let is_clean = now == clean;
    let loss = |i: usize| if is_clean { 1.0 } else { clean[i].records.f1() } - now[i].records.f1();
    let mut order: Vec<usize> = (0..cases.len()).filter(|&i| loss(i) > 0.001).collect();
    order.sort_by(|&a, &b| loss(b).total_cmp(&loss(a)));
    let shown = order.iter().take(MAX_NAMED_PAGES).map(|&i| format!("{} -{:.2}", cases[i].id, loss(i)));
    let what = if is_clean { "are not perfect" } else { "get worse" };
    format!("{} pages {what}; {}", order.len(), shown.collect::<Vec<_>>().join(", "))
}
