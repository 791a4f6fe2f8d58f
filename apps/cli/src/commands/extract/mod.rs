//! `copal extract`: pages in, one output, in the order of the inputs.

mod archive_pages;
mod crawl;

use crate::answering::{answer_sink, file_sets, isolated_inputs, visit_inputs};
use crate::arguments::annotators::BoundDomain;
use crate::arguments::choice::{ListChoiceArguments, parse_field};
use crate::arguments::columns::ColumnArguments;
use crate::arguments::crawl::CrawlArguments;
use crate::arguments::method::MethodArguments;
use crate::arguments::network::{FollowArguments, VisitPlan};
use crate::arguments::output::{FormatName, OutputArguments, OutputKind};
use crate::arguments::pages::{PageArguments, PageKindChoice};
use crate::arguments::{COLUMN_HEADING, LIST_HEADING, OUTPUT_HEADING};
use crate::domain_diagnosis::explain_nothing;
use crate::error::CliError;
use crate::fetching::Fetching;
use crate::input_protection::check_inputs_stay;
use crate::inputs::Input;
use crate::isolation::{WorkerPool, run_isolated_worker};
use crate::outcome::Outcome;
use crate::output_plan::OutputPlan;
use crate::output_target::OutputTarget;
use crate::reporting;
use answer_sink::{AnswerSink, NothingExplainer};
use archive_pages::{ArchiveFilter, answer_archive};
use clap::{ArgGroup, Args};
use copal::{FieldRequest, Request};
use copal_tasks::ColumnChoice;
use crawl::sources::is_archive;

const EXAMPLES: &str = "\
Examples:
  copal extract https://shop.example/lamps                               the main list of a page, as a table
  copal extract https://shop.example/lamps --follow all -o lamps.csv     all pages of the list, as CSV
  copal extract https://shop.example/lamps --details -o lamps.json       with the fields of each lamp's own page
  copal extract page.html -o report.html                                 a report to look at, with reasons
  copal extract page.html --all                                          every list, with its rank
  copal extract page.html --list 2                                       the second list
  copal extract page.html --near 'Blue lamp'                             the list that contains this text
  copal extract page.html --select ul.results                            the list at this element
  copal extract page.html --min-confidence 0.8                           nothing rather than a doubtful list
  copal extract page.html --fields title,price --rename title=name       two columns, one with another name
  copal extract page.html --field stock=.stock --field id=@data-id       with more columns
  copal extract saved-pages/ -o all.jsonl                                a folder: one JSON line per record
  copal extract --urls shops.txt --format pages                          many URLs, one JSON line per page
  copal extract book1.html book2.html --domain books -o books.xlsx       pages with one object each, for Excel
  copal extract crawl.warc.gz --format pages -o crawl.jsonl              every page of a web archive
  copal extract crawl.warc.gz --long -o cells/ --resume                  all cells as Parquet, in parts
  copal extract list.html details/*.html -o list.csv                     records joined with their detail pages
  copal extract houses.html --domain real-estate --explain               typed attributes, and the reasons
  copal extract https://shop.example/lamps --follow all -o lamps.sqlite  stored, with what changed since the last run
  copal extract shop.html -o list.csv --append                           appended to a file
  copal extract shop.html --embedded -o list.csv                         with the fields of the page's JSON

Exit codes: 0 done, 1 nothing found, 2 wrong usage, 3 input unreadable, 4 partial result (a limit was hit, a next page
failed, or the run was interrupted).";

/// Extract lists of records from pages, files or URLs
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true, group = ArgGroup::new("ranked").args(["all", "list"]))]
pub(crate) struct ExtractArguments {
    /// All lists on the page, not only the main one
    #[arg(long, conflicts_with_all = ["list", "near", "select"], help_heading = LIST_HEADING)]
    all: bool,

    /// With --all or --list: menus, filters and the like too (their role is "navigation")
    #[arg(long, requires = "ranked", help_heading = LIST_HEADING)]
    navigation: bool,

    #[command(flatten)]
    choice: ListChoiceArguments,

    /// Add a column that is read at a CSS selector inside each record: its text, or with @ATTRIBUTE an HTML
    /// attribute (may be repeated)
    #[arg(long = "field", value_name = "NAME=CSS[@ATTRIBUTE]", value_parser = parse_field)]
    #[arg(help_heading = COLUMN_HEADING)]
    selected_fields: Vec<FieldRequest>,

    #[command(flatten)]
    columns: ColumnArguments,

    /// Also read the JSON in the page (JSON-LD, data of its scripts, data- attributes; no script is run): its
    /// fields become columns of the records that show the same. Without this option it is only read if
    /// no list on the page is clearly the main one
    #[arg(long, help_heading = COLUMN_HEADING)]
    embedded: bool,

    /// What the pages are: lists, or one object each; auto decides for each page
    #[arg(long, value_enum, default_value = "auto")]
    kind: PageKindChoice,

    #[command(flatten)]
    output: OutputArguments,

    /// Print the reasons: evidence for and against each list, and every typed text with its recogniser and
    /// element (in JSON under "explain"; always in an HTML report; else on standard error)
    #[arg(long, help_heading = OUTPUT_HEADING)]
    explain: bool,

    /// Read pages in processes of their own with limits on time and memory. A page that needs more is reported, and the
    /// others are read
    #[arg(long)]
    isolate: bool,

    /// This process is a worker of --isolate
    #[arg(long, hide = true)]
    isolated_worker: bool,

    #[command(flatten)]
    method: MethodArguments,

    #[command(flatten)]
    pages: PageArguments,

    #[command(flatten)]
    follow: FollowArguments,

    #[command(flatten)]
    crawl: CrawlArguments,
}

impl ExtractArguments {
    fn request(&self, output: &OutputKind) -> Result<Request, CliError> {
        let mut request = self.pages.reading.request();
        request.kind = self.kind.request();
        request.all = self.all;
        request.navigation = self.navigation;
        request.embedded = self.embedded;
        request.choice = self.choice.choice(self.kind)?;
        request.lists.combined.min_confidence = self.choice.min_confidence;
        request.fields.clone_from(&self.selected_fields);
        // a report shows where the lists are, and why
        request.outline = output.is(FormatName::Html);
        request.lists.explain = self.explain || output.is(FormatName::Html);
        self.method.add_to(&mut request);
        Ok(request)
    }

    /// The workers, if pages are to be isolated. Lists that are followed and pages in a browser need their pages in
    /// this process.
    fn worker_pool(&self) -> Result<Option<WorkerPool>, CliError> {
        if !self.isolate {
            return Ok(None);
        }
        let fetch = &self.pages.reading.fetch;
        let refused = if self.follow.max_pages() > 1 || self.follow.max_details() > 0 {
            "with --follow and --details"
        } else if fetch.render.is_on() || fetch.render.stylesheets {
            "with --render auto, --render chromium and --stylesheets"
        } else {
            return WorkerPool::new(self.crawl.worker_limits()).map(Some);
        };
        Err(CliError::usage(format_args!("--isolate cannot be used {refused}"))
            .with_hint("copal serve reads all pages in processes of their own"))
    }
}

pub(crate) fn run(arguments: &ExtractArguments) -> Result<Outcome, CliError> {
    let reading = &arguments.pages.reading;
    let kind = crawl::output_kind(arguments)?;
    let mut request = arguments.request(&kind)?;
    let bound = arguments.method.annotators.bind(arguments.method.domain.as_ref(), reading.run.quiet);
    request.set_domain(bound.domain.clone());
    if arguments.isolated_worker {
        reading.run.start_threads()?;
        return run_isolated_worker(&request, &bound);
    }
    // a worker gets its pages from the process that started it, and answers one at a time
    let mut inputs = Vec::new();
    if !arguments.crawl.page_worker {
        reading.run.start_threads()?;
        let listed = arguments.pages.inputs()?;
        check_inputs_stay(arguments.output.output.as_deref(), &listed)?;
        inputs = listed.into_iter().map(Input::opened).collect();
    }
    if crawl::is_crawl(arguments, &kind, &inputs) {
        return crawl::run_crawl(arguments, &kind, &request, &inputs);
    }
    if let Some(option) = arguments.crawl.streaming_option(arguments.isolate) {
        return Err(CliError::usage(format_args!(
            "{option} is for --long, and for web archives with --format pages"
        )));
    }
    let pool = arguments.worker_pool()?;
    reading.fetch.render.check_screenshot(inputs.len())?;
    reading.fetch.render.check_stylesheets()?;
    let has_archive = inputs.iter().any(is_archive);
    let has_many_pages = inputs.len() > 1 || has_archive;
    let filter = ArchiveFilter {
        url_patterns: arguments.crawl.url_match.clone(),
        limits: crawl::archive_limits(arguments, &request),
    };
    let plan = OutputPlan { has_many_pages, has_all_lists: arguments.all, method: None };
    let columns = arguments.columns.selection();
    let explain_domain = |name: &str| {
        let domain = bound.domain.as_ref();
        domain.map_or_else(Vec::new, |domain| explain_nothing(name, domain, &request))
    };
    let mut sink = AnswerSink {
        output: OutputTarget::open(&arguments.output, &kind, &plan)?,
        columns: ColumnChoice::of(&columns),
        has_many_pages,
        explains: arguments.explain && !has_explanations(&kind),
        is_extract: true,
        is_by_wrapper: false,
        explain_nothing: bound.domain.as_ref().map(|_| &explain_domain as &NothingExplainer<'_>),
        choice: request.choice.clone(),
        quiet: reading.run.quiet,
        verbose: reading.run.is_verbose(),
        keeps_joined_pages: kind.is(FormatName::Json) || kind.is(FormatName::Pages),
        // with URLs, errors are listed after the answers, which take their time
        collects_errors: has_many_pages && inputs.iter().any(Input::is_url),
        errors: Vec::new(),
        worst: Outcome::Done,
        answers: 0,
        failed: None,
    };
    let is_visit = inputs.iter().any(Input::is_url) || reading.fetch.render.is_on();
    if is_visit && has_archive {
        return Err(CliError::usage(
            "web archives are read without URLs and without --render: give them to a run of their own",
        ));
    }
    if is_visit {
        let plan = VisitPlan {
            max_pages: arguments.follow.max_pages(),
            max_details: arguments.follow.max_details(),
            page_by_page: matches!(kind, OutputKind::Database(_)),
            jobs: reading.run.jobs,
            quiet: reading.run.quiet,
            verbose: reading.run.is_verbose(),
        };
        if let Some(pool) = &pool {
            let fetching = Fetching::new(&reading.fetch, &request, Some(&plan), &inputs)?;
            let limit = request.limits.bytes;
            isolated_inputs::answer_isolated_inputs(&inputs, limit, pool, &fetching, &mut sink);
            return finish(sink, &bound, Some(pool));
        }
        visit_inputs(inputs, &request, &reading.fetch, &plan, &mut sink)?;
    } else {
        let follows = arguments.follow.max_pages() > 1 || arguments.follow.max_details() > 0;
        if follows && !reading.run.quiet {
            reporting::warning("--follow and --details are for URLs: saved pages are read one by one");
        }
        let are_files = |one: &Input, next: &Input| !is_archive(one) && !is_archive(next);
        for group in inputs.chunk_by(are_files) {
            if is_archive(&group[0]) {
                match crawl::archive_sources(arguments, group) {
                    Ok(sources) => {
                        for source in &sources {
                            answer_archive(source, &filter, &request, pool.as_ref(), &mut sink);
                        }
                    }
                    Err(error) => {
                        let _ = sink.take(&group[0].name(), Err(error));
                    }
                }
            } else {
                file_sets::answer_files(group, &request, pool.as_ref(), &mut sink);
            }
            if sink.failed.is_some() {
                break;
            }
        }
    }
    finish(sink, &bound, pool.as_ref())
}

/// Ends the output. A page that was read without one of its annotators makes the result partial.
fn finish(
    mut sink: AnswerSink<'_>,
    bound: &BoundDomain,
    pool: Option<&WorkerPool>,
) -> Result<Outcome, CliError> {
    sink.worst = sink.worst.max(bound.outcome());
    if pool.is_some_and(WorkerPool::has_annotator_failed) {
        sink.worst = sink.worst.max(Outcome::Partial);
    }
    sink.finish()
}

/// True if the output itself has the reasons.
fn has_explanations(output: &OutputKind) -> bool {
    [FormatName::Json, FormatName::Pages, FormatName::Html].into_iter().any(|name| output.is(name))
}
