//! `copal-lab papers`: the tables of the five papers, made with the systems in copal.
//!
//! In: a corpus. Out: a Markdown table on standard output. Each table runs one method alone and compares its
//! main list with the gold ([`record_match`]). `docs/papers` has the results beside the papers' own figures.
//! The DEUDS table is `copal-lab deuds-table`, and the pivots of AMBER's Figure 7.8 are in `copal-lab noise`.

mod amber_tables;
mod buw_tables;
mod detail_tables;
mod mdr_tables;
mod rdr_tables;
mod record_match;

use crate::corpus::{Corpus, CorpusPage};
use crate::error::LabError;
use crate::options::{CorpusArgs, RunArgs};
use crate::report::Outcome;
use clap::{Args, ValueEnum};
use copal::Page;
use copal_extract::{ListOptions, find};
use rayon::prelude::*;
use record_match::{RecordMatch, folded_records};

/// Print a table of one of the papers
#[derive(Debug, Args)]
pub(crate) struct PapersArgs {
    /// The table
    #[arg(value_enum)]
    table: PaperTable,

    #[command(flatten)]
    corpus: CorpusArgs,

    #[command(flatten)]
    run: RunArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PaperTable {
    /// MDR: how K and T change the result
    MdrSweep,
    /// MDR, Table 1: the errors by class
    MdrErrors,
    /// BUW, Tables 1 to 3 and Figure 12: regions and records by structure, language and kind of site
    Buw,
    /// AMBER, Figures 7.5 and 7.6: areas, records and attributes (a generated corpus)
    Amber,
    /// AMBER, Figure 7.7: pages that are not result pages (any folder; the id names the domain)
    AmberControl,
    /// AMBER, Figure 7.16: areas and records against MDR (a generated corpus)
    AmberMdr,
    /// AMBER, Figure 7.28: detail pages, by the number of pages of a site that are read together
    AmberInputs,
    /// AMBER, Figures 7.29 to 7.31: detail pages without a component or a feature, and each attribute
    AmberFeatures,
    /// RDR: region, division and noise apart
    RdrParts,
}

pub(crate) fn run(args: &PapersArgs) -> Result<Outcome, LabError> {
    args.run.start()?;
    let corpus = match args.table {
        PaperTable::AmberControl => Corpus::of_folder(&args.corpus.corpus)?,
        _ => Corpus::read(&args.corpus.corpus)?,
    };
    match args.table {
        PaperTable::MdrSweep => mdr_tables::sweep(&gold_pages(args, &corpus)?),
        PaperTable::MdrErrors => mdr_tables::errors(&gold_pages(args, &corpus)?),
        PaperTable::Buw => buw_tables::print(&gold_pages(args, &corpus)?),
        PaperTable::Amber => amber_tables::overall(&corpus)?,
        PaperTable::AmberControl => amber_tables::control(&corpus),
        PaperTable::AmberMdr => amber_tables::against_mdr(&corpus)?,
        PaperTable::AmberInputs => detail_tables::input_sizes(args, &corpus)?,
        PaperTable::AmberFeatures => detail_tables::features(args, &corpus)?,
        PaperTable::RdrParts => rdr_tables::parts(&gold_pages(args, &corpus)?),
    }
    Ok(Outcome::Done)
}

/// A page with a main list, and its gold.
struct GoldPage<'a> {
    about: &'a CorpusPage,
    page: Page,
    /// The texts of each gold record.
    records: Vec<Vec<String>>,
}

impl GoldPage<'_> {
    /// The main list of a method, compared with the gold.
    fn compare(&self, options: &ListOptions) -> RecordMatch {
        let found = find(&self.page, options);
        let main = found.regions.first().filter(|_| !found.no_primary);
        RecordMatch::of(&self.page, &self.records, main.map_or(&[], |list| &list.records))
    }
}

/// The pages of a corpus whose gold is the main list.
fn gold_pages<'a>(args: &PapersArgs, corpus: &'a Corpus) -> Result<Vec<GoldPage<'a>>, LabError> {
    let pages = args.corpus.pages(corpus, "lists")?;
    let main: Vec<&CorpusPage> = pages.into_iter().filter(|page| page.is_main).collect();
    let read = |about: &&'a CorpusPage| {
        let records = folded_records(&corpus.gold(&about.id).ok()?);
        let page = corpus.page(&about.id).filter(|_| !records.is_empty())?;
        Some(GoldPage { about, page, records })
    };
    Ok(main.par_iter().filter_map(read).collect())
}
