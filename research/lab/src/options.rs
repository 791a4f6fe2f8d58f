//! Options that several commands share: which pages, which method, how many threads.

use crate::corpus::{Corpus, CorpusPage, UnopenedSites};
use crate::error::LabError;
use crate::verticals::VerticalDomain;
use clap::{Args, ValueEnum};
use copal::KindRequest;
use copal::model::UnknownMethod;
use copal::{Domain, Method};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Where the list of unopened sites is looked for.
const DEFAULT_UNOPENED: &str = "../shared/bench/unopened.txt";

/// Higher thread counts are taken for typing errors.
const MAX_JOBS: usize = 1024;

/// Which pages of a corpus.
#[derive(Debug, Args)]
pub(crate) struct CorpusArgs {
    /// Corpus folder
    pub(crate) corpus: PathBuf,

    /// Only pages whose id starts with this
    #[arg(long, value_name = "PREFIX")]
    pub(crate) only: Option<String>,

    #[command(flatten)]
    pub(crate) sites: PartArgs,
}

/// Which sites of a corpus.
#[derive(Debug, Args)]
pub(crate) struct PartArgs {
    /// Only the sites that may be opened during development, or only the others
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) part: CorpusPart,

    /// File that names the unopened sites, one per line [default: ../shared/bench/unopened.txt]
    #[arg(long, value_name = "FILE")]
    pub(crate) unopened: Option<PathBuf>,
}

/// Decides whether a page is on one of the sites that were asked for.
pub(crate) struct PartFilter {
    part: CorpusPart,
    unopened: UnopenedSites,
}

impl PartFilter {
    pub(crate) fn has(&self, page: &CorpusPage) -> bool {
        match self.part {
            CorpusPart::All => true,
            CorpusPart::Opened => !self.unopened.contains(page),
            CorpusPart::Unopened => self.unopened.contains(page),
        }
    }
}

/// A part of a corpus by site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CorpusPart {
    All,
    Opened,
    Unopened,
}

impl CorpusPart {
    pub(crate) fn name(self) -> &'static str {
        match self {
            CorpusPart::All => "all",
            CorpusPart::Opened => "opened",
            CorpusPart::Unopened => "unopened",
        }
    }
}

impl CorpusArgs {
    /// The pages of a task that the options ask for; an error if there are none.
    pub(crate) fn pages<'a>(
        &self,
        corpus: &'a Corpus,
        task: &'a str,
    ) -> Result<Vec<&'a CorpusPage>, LabError> {
        let sites = self.sites.filter()?;
        let pages: Vec<&CorpusPage> = corpus
            .pages_of(task)
            .filter(|page| self.only.as_ref().is_none_or(|prefix| page.id.starts_with(prefix.as_str())))
            .filter(|page| sites.has(page))
            .collect();
        if pages.is_empty() {
            let mut wanted = format!("with task {task}");
            if let Some(prefix) = &self.only {
                wanted.push_str(&format!(" and an id that starts with {prefix}"));
            }
            if self.sites.part != CorpusPart::All {
                wanted.push_str(&format!(" on {} sites", self.sites.part.name()));
            }
            return Err(LabError::NoPages { corpus: self.corpus.clone(), wanted });
        }
        Ok(pages)
    }
}

impl PartArgs {
    /// Reads the list of unopened sites, if it is needed.
    pub(crate) fn filter(&self) -> Result<PartFilter, LabError> {
        Ok(PartFilter { part: self.part, unopened: self.unopened_sites()? })
    }

    fn unopened_sites(&self) -> Result<UnopenedSites, LabError> {
        if self.part == CorpusPart::All {
            return Ok(UnopenedSites::default());
        }
        match &self.unopened {
            Some(path) => UnopenedSites::read(path),
            None if Path::new(DEFAULT_UNOPENED).exists() => UnopenedSites::read(Path::new(DEFAULT_UNOPENED)),
            None => Err(LabError::Usage(format!(
                "--part {} needs --unopened FILE: {DEFAULT_UNOPENED} does not exist",
                self.part.name()
            ))),
        }
    }
}

/// How many pages at once, and how much to print.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Number of pages processed in parallel (default: all cores)
    #[arg(short, long, value_name = "N", value_parser = positive)]
    pub(crate) jobs: Option<usize>,

    /// Print errors only
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Time limit per page in milliseconds [default: 5000]
    #[arg(long, value_name = "MS")]
    pub(crate) limit_time: Option<u64>,
}

impl RunArgs {
    /// Sets the number of threads for the whole process.
    pub(crate) fn start(&self) -> Result<(), LabError> {
        let Some(jobs) = self.jobs else { return Ok(()) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global();
        pool.map_err(|cause| LabError::Threads { jobs, cause })
    }
}

/// Which method finds the lists.
#[derive(Debug, Args)]
pub(crate) struct MethodArgs {
    /// combined (the default), or one paper's system alone
    #[arg(long, value_parser = method, value_name = "combined|mdr|buw|rdr|amber")]
    method: Option<Method>,

    /// Search words (rdr; otherwise taken from the URL, the search field, title and h1)
    #[arg(long, value_name = "WORDS")]
    query: Option<String>,

    /// A built-in domain or the path of a domain.yaml: its attributes become columns
    #[arg(long, value_name = "NAME|FILE", value_parser = domain)]
    pub(crate) domain: Option<Arc<Domain>>,

    /// Further words that belong to the query (rdr)
    #[arg(long, value_name = "WORDS")]
    related: Option<String>,

    /// A constant of a method (an unknown name lists them all; may be repeated)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,

    /// Read the stylesheets inside the pages
    #[arg(long)]
    stylesheets: bool,

    /// Least probability, from 0 to 1, of the main list (combined)
    #[arg(long, value_name = "P", value_parser = probability)]
    min_confidence: Option<f64>,
}

impl MethodArgs {
    pub(crate) fn method(&self) -> Method {
        self.method.unwrap_or_default()
    }

    /// What `copal extract --all` passes on for the same options.
    pub(crate) fn request(&self, run: &RunArgs) -> copal::Request {
        let mut request = copal::Request::default();
        request.lists.method = self.method();
        request.set_domain(self.domain.clone());
        request.all = true;
        request.stylesheets = self.stylesheets;
        request.lists.rdr.query.clone_from(&self.query);
        request.lists.rdr.related.clone_from(&self.related);
        request.lists.combined.min_confidence = self.min_confidence;
        for (name, value) in &self.settings {
            // `setting` accepted it when the arguments were parsed
            let _ = request.lists.set(name, value);
        }
        if let Some(milliseconds) = run.limit_time {
            request.limits.time = Duration::from_millis(milliseconds);
        }
        request
    }

    /// How `copal extract` treats pages with this kind and method: a method that was named is one for lists.
    pub(crate) fn taken(&self, kind: PageKindChoice) -> KindRequest {
        match kind {
            PageKindChoice::Auto if self.method.is_some() => KindRequest::List,
            PageKindChoice::Auto => KindRequest::Auto,
            PageKindChoice::List => KindRequest::List,
            PageKindChoice::Object => KindRequest::Object,
        }
    }
}

/// What pages are taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PageKindChoice {
    /// Decide per page, as `copal extract` does
    Auto,
    /// Every page is a list: no page-kind decision
    List,
    /// Every page is about one object
    Object,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    copal::Request::default().lists.set(name, value).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), value.to_owned()))
}

fn probability(text: &str) -> Result<f64, &'static str> {
    let probability = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    probability.ok_or("expected a number from 0 to 1")
}

fn domain(name: &str) -> Result<Arc<Domain>, String> {
    Domain::load(name).map(Arc::new).map_err(|error| error.to_string())
}

fn method(name: &str) -> Result<Method, String> {
    name.parse().map_err(|error: UnknownMethod| error.to_string())
}

/// `VERTICAL=DOMAIN`.
pub(crate) fn vertical(text: &str) -> Result<VerticalDomain, String> {
    let (vertical, name) = text.split_once('=').ok_or("expected VERTICAL=DOMAIN")?;
    Ok((vertical.to_owned(), domain(name)?))
}

/// A count of threads or pages.
pub(crate) fn positive(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MAX_JOBS).contains(number));
    number.ok_or_else(|| format!("expected a whole number from 1 to {MAX_JOBS}"))
}
