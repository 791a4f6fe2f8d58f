//! `copal-lab columns`: do the list pages of one site have one set of columns?
//!
//! In: a corpus. Out: the share of the sites with several list pages on which every frequent column of one
//! page is a column of all the others, once for pages that are answered together and once for pages that are
//! answered alone. A column is frequent if at least half of the records of some page fill it. Columns of
//! links and images count too.

use crate::corpus::Corpus;
use crate::error::LabError;
use crate::options::PartArgs;
use crate::report::Outcome;
use clap::Args;
use copal_extract::{Region, Request, SetPage, answer_set};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Share of a page's records that fill a frequent column.
const FREQUENT_SUPPORT: f64 = 0.5;

/// Count the sites whose list pages have one set of columns
#[derive(Debug, Args)]
pub(crate) struct StableColumnsArgs {
    /// Corpus folder
    corpus: PathBuf,

    /// Only pages whose id starts with this
    #[arg(long, value_name = "PREFIX", default_value = "")]
    only: String,

    /// Name the columns that some pages of a site lack
    #[arg(long)]
    verbose: bool,

    #[command(flatten)]
    sites: PartArgs,
}

/// The columns of one page: all of them, and the frequent ones.
#[derive(Default)]
struct PageColumns {
    all: BTreeSet<String>,
    frequent: BTreeSet<String>,
}

impl PageColumns {
    fn new(list: &Region) -> PageColumns {
        let name = |column: &copal_extract::Column| column.name.clone();
        let frequent = list.columns.iter().filter(|column| column.support >= FREQUENT_SUPPORT);
        PageColumns { all: list.columns.iter().map(name).collect(), frequent: frequent.map(name).collect() }
    }
}

pub(crate) fn run(args: &StableColumnsArgs) -> Result<Outcome, LabError> {
    let corpus = Corpus::read(&args.corpus)?;
    let part = args.sites.filter()?;
    let mut sites: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for page in corpus.pages_of("lists").filter(|page| part.has(page)) {
        if !page.is_held_out() && page.is_main && page.id.starts_with(&args.only) {
            sites.entry(&page.site).or_default().push(&page.id);
        }
    }
    let (mut together, mut alone, mut all) = (0, 0, 0);
    for (site, ids) in &sites {
        let lists = |sets: Vec<Vec<&str>>| -> Vec<PageColumns> {
            sets.iter().flat_map(|ids| columns_of(&corpus, ids)).collect()
        };
        let given = lists(vec![ids.clone()]);
        if given.len() < 2 {
            continue;
        }
        all += 1;
        let missing = missing_columns(&given);
        together += usize::from(missing.is_empty());
        alone += usize::from(missing_columns(&lists(ids.iter().map(|id| vec![*id]).collect())).is_empty());
        if args.verbose && !missing.is_empty() {
            println!("{site}: {}", missing.into_iter().collect::<Vec<_>>().join(", "));
        }
    }
    let share = |count: usize| count as f64 / f64::from(all.max(1));
    println!(
        "sites with several list pages: {all}\none set of columns, pages answered together: {together} \
         ({:.3})\none set of columns, pages answered alone: {alone} ({:.3})",
        share(together),
        share(alone)
    );
    Ok(Outcome::Done)
}

/// The columns of the main list of each page that has one.
fn columns_of(corpus: &Corpus, ids: &[&str]) -> Vec<PageColumns> {
    let request = Request::default();
    let pages =
        ids.iter().filter_map(|id| Some(SetPage::analyse((*id).to_owned(), corpus.page(id)?, &request)));
    let answers = answer_set(pages.collect(), &request);
    answers.iter().filter_map(|(_, named)| Some(PageColumns::new(named.answer.primary()?))).collect()
}

/// Frequent columns of some page that another page does not have.
fn missing_columns(pages: &[PageColumns]) -> BTreeSet<String> {
    let frequent = pages.iter().flat_map(|page| &page.frequent);
    frequent.filter(|name| !pages.iter().all(|page| page.all.contains(*name))).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frequent_column_must_be_on_all_pages() {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let page = |all: &[&str], frequent: &[&str]| PageColumns { all: set(all), frequent: set(frequent) };
        let same = [page(&["title", "price"], &["title"]), page(&["title"], &["title"])];
        assert!(missing_columns(&same).is_empty());
        let other = [page(&["title", "price"], &["title", "price"]), page(&["title"], &["title"])];
        assert_eq!(missing_columns(&other).into_iter().collect::<Vec<_>>(), ["price"]);
    }
}
