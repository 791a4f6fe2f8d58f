//! `copal site`: the URL of a site in; all its records in a database, a wrapper and a report out.

#[cfg(feature = "fetch")]
mod batch_progress;
#[cfg(feature = "fetch")]
mod learned_wrapper;
#[cfg(feature = "fetch")]
mod many_sites;
#[cfg(feature = "fetch")]
pub(crate) mod navigation;
#[cfg(feature = "fetch")]
mod site_list;
#[cfg(feature = "fetch")]
mod site_match;
#[cfg(feature = "fetch")]
mod site_outlines;
#[cfg(feature = "fetch")]
mod site_output;
#[cfg(feature = "fetch")]
mod site_routes;
#[cfg(feature = "fetch")]
mod site_run;
#[cfg(feature = "fetch")]
mod site_setup;
#[cfg(feature = "fetch")]
mod wrapper_run;

use crate::arguments::limits::LimitArguments;
use crate::arguments::method::load_domain;
use crate::arguments::network::FetchArguments;
use crate::arguments::run::RunArguments;
use crate::error::CliError;
use crate::outcome::Outcome;
use clap::{Args, Subcommand};
use copal::Domain;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  copal site https://homes.example/ --domain real-estate -o homes.sqlite
  copal site https://shop.example/ --dry-run                          what would be visited and sent
  copal site https://shop.example/ -o shop.sqlite --budget pages=500,minutes=20 --explain
  copal site https://shop.example/ -o shop.sqlite --wrapper shop.copal.yaml --report shop.html
  copal site run shop.copal.yaml -o shop.sqlite                       again, with what was learned
  copal site --urls agents.txt --domain real-estate -o homes.sqlite   many sites side by side, one table
  copal site match homes.sqlite                                       the records that several of them have

The same command continues a run that was interrupted: what was done is in the file next to the database
(shop.sqlite.frontier), and pages come from the cache. Only searches are ever sent;
by POST only if they are certain. With --render auto, suggestions of a search field are taken
if it refuses other values.
Exit codes: 0 all records, 1 none, 2 wrong usage, 3 the start page is unreadable, 4 only some records, or stopped before any.";

/// Extract all records of a site: explore it, fill in its search forms, read its lists
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true, args_conflicts_with_subcommands = true,
          subcommand_negates_reqs = true)]
#[cfg_attr(not(feature = "fetch"), allow(dead_code))]
pub(crate) struct SiteArguments {
    #[command(subcommand)]
    command: Option<SiteCommand>,

    /// The URL to start with
    #[arg(required_unless_present = "urls")]
    url: Option<String>,

    /// Read many sites side by side: the start URLs in this file, one per line; - for standard input. Their records
    /// become one table, with a column for the site. Limits are those of each site
    #[arg(long, value_name = "FILE", conflicts_with_all = ["url", "dry_run"])]
    urls: Option<PathBuf>,

    /// Sites of --urls that are read at the same time; two of one host never are
    #[arg(long, value_name = "N", requires = "urls", value_parser = parse_at_once, default_value = "8")]
    at_once: usize,

    /// SQLite database for the records [default: the name of the host or of the file of URLs, with .sqlite]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// What the records are: a built-in domain (see copal domain list) or the path of a domain.yaml. Without it, the
    /// largest kind of list of the site is read
    #[arg(long, value_name = "NAME|FILE", value_parser = load_domain)]
    domain: Option<Arc<Domain>>,

    /// Limits of one run: pages=N, minutes=N, or both, separated by a comma [default: pages=2000,minutes=60]
    #[arg(long, value_name = "LIMITS", value_parser = parse_budget, default_value = "pages=2000,minutes=60",
          hide_default_value = true)]
    budget: Budget,

    /// Requests per second to the host, at most; --delay says the same in seconds, so only one of them can be given
    /// [default: 1]
    #[arg(long, value_name = "N", value_parser = parse_rate, conflicts_with = "delay")]
    rate: Option<Duration>,

    /// Links between the start page and the pages that are explored
    #[arg(long, value_name = "N", default_value_t = 4)]
    depth: usize,

    /// Also read the page of each record, N of them or all, and add its fields. Happens by itself if the domain's
    /// mandatory columns are missing
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1000000")]
    details: Option<usize>,

    /// Fill in no forms
    #[arg(long)]
    no_forms: bool,

    /// Read the start page and print what would be visited and sent next
    #[arg(long)]
    dry_run: bool,

    /// Print the map of the exploration: every page, why it was visited or left, and what was found
    #[arg(long)]
    explain: bool,

    /// Write a report to this file: numbers, map, samples and the wrapper, as HTML that loads nothing. With --urls, a
    /// folder with a file per site
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Write the wrapper of the site to this file. With --urls, a folder with a file per site
    #[arg(long, value_name = "FILE")]
    wrapper: Option<PathBuf>,

    /// Replace values of these types before anything is stored: email, phone
    #[arg(long, value_name = "TYPES", value_delimiter = ',', value_parser = ["email", "phone"])]
    redact: Vec<String>,

    #[command(flatten)]
    run: RunArguments,

    #[command(flatten)]
    fetch: FetchArguments,

    #[command(flatten)]
    limits: LimitArguments,
}

#[derive(Debug, Subcommand)]
#[cfg_attr(not(feature = "fetch"), allow(dead_code))]
enum SiteCommand {
    Run(Box<SiteRunArguments>),
    Match(SiteMatchArguments),
}

const MATCH_EXAMPLES: &str = "\
Examples:
  copal site --urls agents.txt --domain real-estate -o homes.sqlite
  copal site match homes.sqlite -o offers.csv            which records are the same, and how sure that is
  sqlite3 homes.sqlite 'SELECT * FROM copal_matches ORDER BY confidence'

Records are compared by title, address, price, identifiers (ISBN, EAN …) and the other columns that two sites share.
Exit codes: 0 there are equal records, 1 there are none, 2 wrong usage, 3 unreadable, 4 not all were compared.";

/// Find the records that several sites have: a table of the database, and groups as CSV
#[derive(Debug, Args)]
#[command(after_help = MATCH_EXAMPLES, arg_required_else_help = true)]
#[cfg_attr(not(feature = "fetch"), allow(dead_code))]
pub(crate) struct SiteMatchArguments {
    /// The database that copal site --urls wrote
    database: PathBuf,

    /// The table [default: the first one with records]
    #[arg(long, value_name = "NAME")]
    table: Option<String>,

    /// Leave out pairs that are less sure, from 0 to 1
    #[arg(long = "min", value_name = "CONFIDENCE", value_parser = parse_confidence, default_value = "0.8")]
    min_confidence: f64,

    /// File for the groups, as CSV [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Print errors only
    #[arg(short, long)]
    quiet: bool,
}

fn parse_confidence(text: &str) -> Result<f64, CliError> {
    let confidence = text.parse().ok().filter(|confidence| (0.0..=1.0).contains(confidence));
    confidence.ok_or_else(|| CliError::usage("expected a number from 0 to 1, such as 0.9"))
}

const RUN_EXAMPLES: &str = "\
Examples:
  copal site run shop.copal.yaml -o shop.sqlite
  copal diff shop.sqlite                         what has changed since the run before

Each page is asked for once, and pages that did not change are not transferred again.
Exit codes: 0 all records, 1 none, 2 wrong usage, 3 unreadable, 4 only some records, or stopped before any.";

/// Read a site again with its wrapper: the lists that it names, page by page, without exploring
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES, arg_required_else_help = true)]
#[cfg_attr(not(feature = "fetch"), allow(dead_code))]
pub(crate) struct SiteRunArguments {
    /// The wrapper that copal site --wrapper wrote
    wrapper: PathBuf,

    /// SQLite database for the records [default: the name of the host, with .sqlite]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Limits of one run: pages=N, minutes=N, or both, separated by a comma [default: pages=2000,minutes=60]
    #[arg(long, value_name = "LIMITS", value_parser = parse_budget, default_value = "pages=2000,minutes=60",
          hide_default_value = true)]
    budget: Budget,

    /// Replace values of these types before anything is stored: email, phone
    #[arg(long, value_name = "TYPES", value_delimiter = ',', value_parser = ["email", "phone"])]
    redact: Vec<String>,

    #[command(flatten)]
    run: RunArguments,

    #[command(flatten)]
    fetch: FetchArguments,

    #[command(flatten)]
    limits: LimitArguments,
}

/// How much one run may do.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "fetch"), allow(dead_code))]
pub(crate) struct Budget {
    pages: usize,
    time: Duration,
}

fn parse_budget(text: &str) -> Result<Budget, CliError> {
    let wrong = || CliError::usage("expected pages=N, minutes=N, or both separated by a comma");
    let mut budget = Budget { pages: 2_000, time: Duration::from_hours(1) };
    for part in text.split(',') {
        match part.trim().split_once('=') {
            Some(("pages", value)) => {
                budget.pages = value.parse().ok().filter(|pages| *pages > 0).ok_or_else(wrong)?;
            }
            Some(("minutes", value)) => {
                let minutes =
                    value.parse::<f64>().ok().filter(|minutes| (0.001..=100_000.0).contains(minutes));
                budget.time = Duration::from_secs_f64(60.0 * minutes.ok_or_else(wrong)?);
            }
            _ => return Err(wrong()),
        }
    }
    Ok(budget)
}

/// More sites at the same time are a typing error.
const MAX_AT_ONCE: usize = 64;

fn parse_at_once(text: &str) -> Result<usize, CliError> {
    let sites = text.parse().ok().filter(|sites| (1..=MAX_AT_ONCE).contains(sites));
    sites.ok_or_else(|| CliError::usage(format_args!("expected a whole number from 1 to {MAX_AT_ONCE}")))
}

fn parse_rate(text: &str) -> Result<Duration, CliError> {
    let rate = text.parse::<f64>().ok().filter(|rate| (0.001..=1_000.0).contains(rate));
    rate.map(|rate| Duration::from_secs_f64(1.0 / rate))
        .ok_or_else(|| CliError::usage("expected requests per second, such as 2 or 0.2"))
}

#[cfg(not(feature = "fetch"))]
pub(crate) fn run(_: &SiteArguments) -> Result<Outcome, CliError> {
    Err(CliError::missing_feature("read sites", "fetch"))
}

#[cfg(feature = "fetch")]
pub(crate) fn run(arguments: &SiteArguments) -> Result<Outcome, CliError> {
    match (&arguments.command, &arguments.url, &arguments.urls) {
        (Some(SiteCommand::Run(arguments)), _, _) => wrapper_run::run(arguments),
        (Some(SiteCommand::Match(arguments)), _, _) => site_match::run(arguments),
        (None, _, Some(list)) => many_sites::run(arguments, list),
        (None, Some(url), None) => site_run::run(arguments, url),
        (None, None, None) => Err(CliError::usage("expected the URL of a site")),
    }
}
