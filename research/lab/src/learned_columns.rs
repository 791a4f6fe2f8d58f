//! `copal-lab learned-columns`: does a wrapper that is learned from several pages keep what one page gives?
//!
//! In: a corpus. For each site with several list pages, a wrapper is learned from the first page alone, and
//! one from up to three pages together, as `copal learn` does it. Out: the sites whose second wrapper lacks
//! a title, a URL or a price that the first one has, and how many cells of these columns both read on the
//! first page.

use crate::corpus::Corpus;
use crate::error::LabError;
use crate::options::PartArgs;
use crate::report::Outcome;
use clap::Args;
use copal_dom::Page;
use copal_extract::{Answer, Request, SetPage, answer_set};
use copal_wrapper::{Wrapper, apply, learn};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Pages that are learned together.
const SAMPLES: usize = 3;
/// Columns that a wrapper must not lose.
const WANTED: [&str; 4] = ["title", "name", "url", "price"];

/// Count the columns that learning from several pages loses
#[derive(Debug, Args)]
pub(crate) struct LearnedColumnsArgs {
    /// Corpus folder
    corpus: PathBuf,

    /// Only pages whose id starts with this
    #[arg(long, value_name = "PREFIX", default_value = "")]
    only: String,

    /// Name the columns that are lost
    #[arg(long)]
    verbose: bool,

    #[command(flatten)]
    sites: PartArgs,
}

pub(crate) fn run(args: &LearnedColumnsArgs) -> Result<Outcome, LabError> {
    let corpus = Corpus::read(&args.corpus)?;
    let part = args.sites.filter()?;
    let mut sites: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for page in corpus.pages_of("lists").filter(|page| part.has(page)) {
        if !page.is_held_out() && page.is_main && page.id.starts_with(&args.only) {
            sites.entry(&page.site).or_default().push(&page.id);
        }
    }
    let (mut compared, mut not_learned, mut losing) = (0, 0, 0);
    let mut cells = [0, 0];
    for (site, ids) in sites.iter().filter(|(_, ids)| ids.len() > 1) {
        let ids = &ids[..ids.len().min(SAMPLES)];
        let (Some(alone), Some(together)) = (learned(&corpus, &ids[..1]), learned(&corpus, ids)) else {
            not_learned += 1;
            continue;
        };
        compared += 1;
        let Some(page) = corpus.page(ids[0]) else { continue };
        let (first, second) = (apply(&alone, &page), apply(&together, &page));
        let lost: Vec<&str> = WANTED
            .into_iter()
            .filter(|name| has_column(&alone, name) && !has_column(&together, name))
            // a title that the other pages call a name is not lost
            .filter(|name| {
                !(matches!(*name, "title" | "name")
                    && WANTED[..2].iter().any(|name| has_column(&together, name)))
            })
            .collect();
        for (sum, answer) in cells.iter_mut().zip([&first, &second]) {
            *sum += WANTED.iter().map(|name| filled(answer, name)).sum::<usize>();
        }
        losing += usize::from(!lost.is_empty());
        if args.verbose && !lost.is_empty() {
            println!("{site}: {}", lost.join(", "));
        }
    }
    println!(
        "sites with several list pages: {compared}, not learned: {not_learned}\n\
         sites that lose a title, URL or price by learning from up to {SAMPLES} pages: {losing}\n\
         cells of these columns on the first page, learned alone and together: {} and {}",
        cells[0], cells[1]
    );
    Ok(Outcome::Done)
}

/// The wrapper of pages that are given together.
fn learned(corpus: &Corpus, ids: &[&str]) -> Option<Wrapper> {
    let request = Request::default();
    let set =
        ids.iter().filter_map(|id| Some(SetPage::analyse((*id).to_owned(), corpus.page(id)?, &request)));
    let answers = answer_set(set.collect(), &request);
    let samples: Vec<(&Page, &Answer)> = answers.iter().map(|(page, named)| (page, &named.answer)).collect();
    learn(&samples).ok().map(|learned| learned.wrapper)
}

fn has_column(wrapper: &Wrapper, name: &str) -> bool {
    wrapper.pages.iter().flat_map(|page| &page.columns).any(|column| column.name == name)
}

/// The number of records with a value in a column.
fn filled(answer: &Answer, name: &str) -> usize {
    let Some(list) = answer.primary() else { return 0 };
    let Some(c) = list.columns.iter().position(|column| column.name == name) else { return 0 };
    list.records.iter().filter(|record| !record.cells[c].is_empty()).count()
}
