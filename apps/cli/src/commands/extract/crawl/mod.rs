//! Crawls: the pages of archives and folders, answered one by one by worker processes, in the order of the input.
//!
//! In: WARC and WACZ files and saved pages. Out: the long form, or one line of JSON per page. A few pages per worker are
//! in memory, whatever the size of the input. Reading and writing are done by one thread, because answering a page takes
//! far longer than either.

mod checkpoint;
mod crawl_output;
mod crawl_point;
mod crawl_run;
mod messages;
mod page_answers;
mod page_worker;
mod progress;
pub(super) mod sources;
mod template_learning;
mod worker_pool;

use super::ExtractArguments;
use crate::arguments::output::{FormatName, OutputKind};
use crate::error::CliError;
use crate::inputs::Input;
use crate::outcome::Outcome;
use crate::reporting;
use checkpoint::Checkpoint;
use copal::Request;
use copal_archive::ArchiveLimits;
use copal_output::LongFormat;
use crawl_output::CrawlOutput;
use crawl_run::CrawlRun;
use page_answers::PageAnswerer;
use page_worker::run_page_worker;
use sources::{CrawlSource, choose_by_index, is_archive, sources_of};
use std::fs;
use std::path::Path;
use worker_pool::with_workers;

/// The kind of output of a run: that of the long form may be a folder, which has no ending.
pub(super) fn output_kind(arguments: &ExtractArguments) -> Result<OutputKind, CliError> {
    if arguments.crawl.long && parts_folder(arguments).is_some() {
        let format = arguments.output.format_or(FormatName::Parquet);
        return Ok(OutputKind::Format(format));
    }
    let kind = arguments.output.kind()?;
    let is_default = arguments.crawl.long && kind.is(FormatName::Table) && arguments.output.output.is_none();
    Ok(if is_default { OutputKind::Format(FormatName::Csv) } else { kind })
}

/// True if the run is a crawl: its pages are answered by workers.
pub(super) fn is_crawl(arguments: &ExtractArguments, kind: &OutputKind, inputs: &[Input]) -> bool {
    let are_archives = !inputs.is_empty() && inputs.iter().all(is_archive);
    arguments.crawl.long || arguments.crawl.page_worker || are_archives && kind.is(FormatName::Pages)
}

/// Runs a crawl, or a worker of one.
pub(super) fn run_crawl(
    arguments: &ExtractArguments,
    kind: &OutputKind,
    request: &Request,
    inputs: &[Input],
) -> Result<Outcome, CliError> {
    let crawl = &arguments.crawl;
    let columns = arguments.columns.selection();
    let OutputKind::Format(format) = kind else {
        return Err(CliError::usage("--long is for files: Parquet, Arrow, CSV or records"));
    };
    let answerer = PageAnswerer {
        request,
        columns: &columns,
        languages: &crawl.lang,
        long: crawl.long,
        format: *format,
        output: &arguments.output,
        by_template: crawl.by_template,
    };
    if crawl.page_worker {
        return run_page_worker(&answerer, crawl.page_megabytes());
    }
    let long_format = crawl.long.then(|| long_format(*format)).transpose()?;
    refuse_other_options(arguments)?;
    let quiet = arguments.pages.reading.run.quiet;
    let sources = archive_sources(arguments, inputs)?;
    let (output, checkpoint) = open_output(arguments, long_format, &sources)?;
    if checkpoint.as_ref().is_some_and(|checkpoint| checkpoint.is_complete) {
        if !quiet {
            reporting::line("the run is complete: there is nothing to resume");
        }
        return Ok(Outcome::Done);
    }
    let workers = arguments.pages.reading.run.jobs.unwrap_or_else(rayon::current_num_threads);
    let limits = (!crawl.in_process).then(|| crawl.worker_limits());
    let run = CrawlRun {
        sources: &sources,
        url_patterns: &crawl.url_match,
        limits: archive_limits(arguments, request),
        workers,
        by_template: crawl.by_template,
        template_pages: crawl.template_pages(),
        quiet,
        verbose: arguments.pages.reading.run.is_verbose(),
    };
    with_workers(workers, &answerer, limits, |pool| run.run(pool, output, checkpoint))
}

/// Refuses options of other runs, which the long form would silently ignore.
fn refuse_other_options(arguments: &ExtractArguments) -> Result<(), CliError> {
    let output = &arguments.output;
    let options = [
        (output.append, "--append"),
        (output.table.is_some(), "--table"),
        (!output.key.is_empty(), "--key"),
        (output.sources, "--sources"),
        (output.values, "--values"),
        (output.csv_safe, "--csv-safe"),
        (arguments.explain, "--explain"),
        (arguments.follow.max_pages() > 1, "--follow"),
        (arguments.follow.max_details() > 0, "--details"),
    ];
    let given = options.into_iter().find_map(|(is_given, name)| is_given.then_some(name));
    match given.filter(|_| arguments.crawl.long) {
        Some(name) => Err(CliError::usage(format_args!("{name} is not for --long"))),
        None => Ok(()),
    }
}

/// The sources of inputs, restricted to those of an index if there is one.
pub(super) fn archive_sources(
    arguments: &ExtractArguments,
    inputs: &[Input],
) -> Result<Vec<CrawlSource>, CliError> {
    let mut sources = sources_of(inputs)?;
    if let Some(index) = &arguments.crawl.cdx {
        choose_by_index(&mut sources, index, arguments.pages.reading.run.quiet)?;
    }
    Ok(sources)
}

/// Which records of archives are read.
pub(super) fn archive_limits(arguments: &ExtractArguments, request: &Request) -> ArchiveLimits {
    let mut limits = ArchiveLimits::default();
    limits.page_bytes = request.limits.bytes;
    limits.types.clone_from(&arguments.crawl.mime);
    limits.revisits = arguments.crawl.revisits;
    limits
}

fn long_format(format: FormatName) -> Result<LongFormat, CliError> {
    match format {
        FormatName::Parquet => Ok(LongFormat::Parquet),
        FormatName::Arrow => Ok(LongFormat::Arrow),
        FormatName::Csv => Ok(LongFormat::Csv),
        FormatName::Records => Ok(LongFormat::Lines),
        _ => Err(CliError::usage("--long is for Parquet, Arrow, CSV and records")
            .with_hint("-o cells.parquet, -o cells.csv, -o cells.jsonl, or a folder: -o cells/")),
    }
}

/// The folder of the parts, if the output is one.
fn parts_folder(arguments: &ExtractArguments) -> Option<&Path> {
    let path = arguments.output.output.as_deref()?;
    let ends_like_folder = path.as_os_str().to_string_lossy().ends_with('/');
    (ends_like_folder || path.is_dir()).then_some(path)
}

/// Opens the output, and the checkpoint that the run goes on from if there is one.
fn open_output(
    arguments: &ExtractArguments,
    format: Option<LongFormat>,
    sources: &[CrawlSource],
) -> Result<(CrawlOutput, Option<Checkpoint>), CliError> {
    let resumes = arguments.crawl.resume;
    let Some((folder, format)) = parts_folder(arguments).zip(format) else {
        if resumes {
            return Err(CliError::usage("--resume needs an output in parts: give a folder, -o cells/"));
        }
        let path = arguments.output.output.as_deref();
        return Ok((CrawlOutput::file(path, arguments.output.name(), format)?, None));
    };
    let writing = |error: std::io::Error| CliError::writing(&error, folder.display());
    fs::create_dir_all(folder).map_err(writing)?;
    let command_line = std::env::args_os().skip(1);
    let names: Vec<String> = command_line.map(|argument| argument.to_string_lossy().into_owned()).collect();
    let sizes = sources.iter().map(|source| (source.name.clone(), source.bytes)).collect();
    let fresh = Checkpoint::new(&names, sizes);
    let known = Checkpoint::read(folder)?;
    let checkpoint = match known {
        None => {
            let has_files = fs::read_dir(folder)
                .map_err(writing)?
                .flatten()
                .any(|entry| entry.file_name().to_string_lossy().starts_with("part-"));
            // a run that was killed in its first part leaves only a temporary file
            if has_files && !resumes {
                return Err(in_use(folder));
            }
            fresh
        }
        Some(_) if !resumes => return Err(in_use(folder)),
        Some(known) if !known.is_same_run(&fresh) => {
            return Err(CliError::usage(format_args!(
                "{}: its parts are of another run: other options, or archives of another size",
                folder.display()
            )));
        }
        Some(known) => known,
    };
    let output = CrawlOutput::parts(folder, format, checkpoint.clone(), arguments.crawl.part_pages())?;
    Ok((output, Some(checkpoint)))
}

fn in_use(folder: &Path) -> CliError {
    CliError::usage(format_args!("{}: has parts of an earlier run", folder.display()))
        .with_hint("continue it with --resume, or give another folder")
}
