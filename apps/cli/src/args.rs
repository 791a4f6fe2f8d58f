//! The command line: what can be said, and its help.

use crate::apply::ApplyArgs;
use crate::check::CheckArgs;
use crate::diff::DiffArgs;
use crate::export::ExportArgs;
use crate::learn::LearnArgs;
use crate::learn_wrapper::LearnWrapperArgs;
use crate::net_args::NetArgs;
use crate::output::OutputArgs;
use crate::repair::RepairArgs;
use clap::{Args, Parser, Subcommand, ValueEnum};
use copal::{Domain, KindRequest, Limits, Method};
use std::sync::Arc;
use std::time::Duration;

/// Turns web pages into data.
#[derive(Debug, Parser)]
#[command(name = "copal", version, propagate_version = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Extract(ExtractArgs),
    Domain(DomainArgs),
    Learn(LearnWrapperArgs),
    Apply(ApplyArgs),
    Check(CheckArgs),
    Repair(RepairArgs),
    Diff(DiffArgs),
    Export(ExportArgs),
}

const DOMAIN_EXAMPLES: &str = "\
Examples:
  copal domain list                               the built-in domains
  copal domain show real-estate                   its attributes
  copal domain new boats > boats.yaml             a commented file to begin with
  copal domain test boats.yaml page.html          which attributes are found where
  copal domain learn real-estate pages/ --attribute location       new terms from pages";

/// List, show, begin and try domains: what is known of the records
#[derive(Debug, Args)]
#[command(after_help = DOMAIN_EXAMPLES)]
pub(crate) struct DomainArgs {
    #[command(subcommand)]
    pub(crate) command: DomainCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DomainCommand {
    /// The built-in domains
    List,
    /// The attributes of a domain
    Show {
        /// A built-in domain, or the path of a domain.yaml
        name: String,
    },
    /// A commented domain file to begin with, on standard output
    New {
        /// Name of the domain
        name: String,
    },
    /// What a domain finds on pages: every attribute with its text, type and element
    ///
    /// Without pages, the domain's own strings are tried: `tests.yaml` beside `domain.yaml` has, for each attribute,
    /// strings with it ("yes") and without it ("no").
    Test {
        /// A built-in domain, or the path of a domain.yaml
        name: String,
        /// Files, folders, glob patterns, or -
        #[arg(value_name = "PAGE")]
        pages: Vec<String>,
    },
    Learn(Box<LearnArgs>),
}

const EXTRACT_EXAMPLES: &str = "\
Examples:
  copal extract https://shop.example/lamps        the main list of a page as a table
  copal extract https://shop.example/lamps --follow all -o lamps.csv     … of all its pages
  copal extract https://shop.example/lamps --details -o lamps.json       … with the fields of each lamp's own page
  copal extract page.html                         … of a saved page
  copal extract page.html -o list.csv             … as CSV (also .json, .jsonl)
  copal extract page.html -o report.html          … as a report to look at, with reasons
  copal extract saved-pages/ --format jsonl       a folder: one JSON line a page
  copal extract 'shop/*.html' --all --format json every list of every page
  copal extract --urls shops.txt --format jsonl   many addresses, several hosts at once
  copal extract book1.html book2.html --domain books --format jsonl       pages of one object each
  copal extract list.html details/*.html -o list.csv      records and their own pages, joined
  copal extract results.html --method rdr --query 'red shoes'
  copal extract houses.html --domain real-estate --format json
  copal extract houses.html --domain real-estate --explain    … and which text is what, and why
  copal extract https://shop.example/lamps --follow all -o lamps.sqlite   kept, with what changed since the last run
  copal extract pages/ -o postgres://ann@db.example/shop --table lamps    … on a server
  copal extract shop.html -o list.csv --append    added to a file
  copal extract shop.html --embedded -o list.csv  with the fields of the page's JSON (JSON-LD, script data)

Exit codes: 0 done, 1 nothing found, 2 wrong usage, 3 input unreadable, 4 partial result (a limit was
hit, a next page failed, or the run was interrupted).";

/// Print the lists of records found on pages
#[derive(Debug, Args)]
#[command(after_help = EXTRACT_EXAMPLES, arg_required_else_help = true)]
pub(crate) struct ExtractArgs {
    /// Addresses, files, folders, glob patterns, or - for standard input (HTML, MHTML, JSON, RSS, Atom)
    #[arg(required_unless_present = "urls", value_name = "PAGE")]
    pub(crate) pages: Vec<String>,

    /// Every list of records of the page, not the main one alone
    #[arg(long)]
    pub(crate) all: bool,

    /// With --all: menus, filters and the like, too (their role is "navigation")
    #[arg(long, requires = "all")]
    pub(crate) navigation: bool,

    /// Also read the JSON that the page carries (JSON-LD, data of its scripts, data- attributes; nothing is run): its fields
    /// become columns of the records that show the same. Without this it is read only if the page shows no list at all
    #[arg(long)]
    pub(crate) embedded: bool,

    /// What the pages are: lists, or one object each; auto looks at each page
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) kind: KindName,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Say why: the regions with their grounds, and every typed text with its recogniser and element (in JSON under
    /// "explain"; an html report has it always; else on standard error)
    #[arg(long)]
    pub(crate) explain: bool,

    /// Where the page came from: makes its links absolute, and its query words help --method rdr
    #[arg(long)]
    pub(crate) url: Option<String>,

    #[command(flatten)]
    pub(crate) method: MethodArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) net: NetArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MethodArgs {
    /// combined (the default): what all of them find, ranked; or one paper's system alone: buw: leaves with repeating paths;
    /// mdr: similar adjacent siblings; rdr: where the query's words are dense; amber: evenly spaced links, or values of a
    /// --domain. mdr and rdr do not rank their lists: their main list is the one with most text
    #[arg(long, value_parser = method, value_name = "combined|mdr|buw|rdr|amber")]
    method: Option<Method>,

    /// Words that were searched for (rdr; else taken from the address, the search field, title and h1)
    #[arg(long, value_name = "WORDS")]
    pub(crate) query: Option<String>,

    /// What the records are: a built-in domain (see copal domain list) or the path of a domain.yaml; gives typed
    /// attributes, and --method amber unless another is named
    #[arg(long, value_name = "NAME|FILE", value_parser = domain)]
    pub(crate) domain: Option<Arc<Domain>>,

    /// Further words that go with the query (rdr)
    #[arg(long, value_name = "WORDS")]
    pub(crate) related: Option<String>,

    /// A constant of a method, to measure with (an unknown name lists them all)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) settings: Vec<(String, String)>,
}

/// Refuses what cannot be set, so that nothing fails later.
fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    copal::Options::default().extract.lists.set(name, value)?;
    Ok((name.to_owned(), value.to_owned()))
}

fn domain(name: &str) -> Result<Arc<Domain>, String> {
    Domain::load(name).map(Arc::new).map_err(|error| error.to_string())
}

fn method(name: &str) -> Result<Method, String> {
    name.parse()
}

/// Threads beyond which more are a slip of the keyboard.
const MOST_JOBS: usize = 1024;

fn jobs(text: &str) -> Result<usize, String> {
    let jobs = text.parse().ok().filter(|n| (1..=MOST_JOBS).contains(n));
    jobs.ok_or_else(|| format!("expected a whole number from 1 to {MOST_JOBS}"))
}

fn whole(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a whole number".into())
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Pages read at the same time (default: all cores)
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<usize>,

    /// No progress, no warnings; errors only
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Say more about every page on stderr
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits (a page that hits one gives a partial result)")]
pub(crate) struct LimitArgs {
    /// Bytes of a page [default: 10000000]
    #[arg(long, value_name = "N", value_parser = whole)]
    limit_bytes: Option<usize>,
    /// Nodes of its tree [default: 500000]
    #[arg(long, value_name = "N", value_parser = whole)]
    limit_nodes: Option<usize>,
    /// Depth of its tree [default: 512]
    #[arg(long, value_name = "N", value_parser = whole)]
    limit_depth: Option<usize>,
    /// Bytes of one attribute value [default: 1000000]
    #[arg(long, value_name = "N", value_parser = whole)]
    limit_attribute_bytes: Option<usize>,
    /// Attributes of one tag [default: 10000]
    #[arg(long, value_name = "N", value_parser = whole)]
    limit_attributes: Option<usize>,
    /// Bytes of its text [default: 8000000]
    #[arg(long, value_name = "N", value_parser = whole)]
    limit_text_bytes: Option<usize>,
    /// Milliseconds to read it [default: 5000]
    #[arg(long, value_name = "MS", value_parser = whole)]
    limit_time: Option<usize>,
}

impl LimitArgs {
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        let set = |field: &mut usize, value: Option<usize>| *field = value.unwrap_or(*field);
        set(&mut limits.bytes, self.limit_bytes);
        set(&mut limits.nodes, self.limit_nodes);
        set(&mut limits.depth, self.limit_depth);
        set(&mut limits.attribute_bytes, self.limit_attribute_bytes);
        set(&mut limits.attributes, self.limit_attributes);
        set(&mut limits.text_bytes, self.limit_text_bytes);
        limits.time = self.limit_time.map_or(limits.time, |ms| Duration::from_millis(ms as u64));
        limits
    }
}

impl MethodArgs {
    /// The method that was named, or the one that fits.
    pub(crate) fn method(&self) -> Method {
        self.method.unwrap_or(if self.domain.is_some() { Method::Amber } else { Method::default() })
    }

    /// True if one system was asked for.
    pub(crate) fn is_named(&self) -> bool {
        self.method.is_some()
    }

    pub(crate) fn options(&self, all: bool, limits: Limits) -> copal::Options {
        let mut options = copal::Options::default();
        options.extract.lists.method = self.method();
        options.extract.lists.amber.domain.clone_from(&self.domain);
        options.extract.all = all;
        options.extract.lists.rdr.query.clone_from(&self.query);
        options.extract.lists.rdr.related.clone_from(&self.related);
        for (name, value) in &self.settings {
            // checked when the arguments were read
            let _ = options.extract.lists.set(name, value);
        }
        options.limits = limits;
        options
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindName {
    /// Decide for each page
    Auto,
    /// A list of records
    List,
    /// One object per page: its fields
    #[value(alias = "detail")]
    Object,
}

impl KindName {
    pub(crate) fn request(self) -> KindRequest {
        match self {
            KindName::Auto => KindRequest::Auto,
            KindName::List => KindRequest::List,
            KindName::Object => KindRequest::Object,
        }
    }
}
