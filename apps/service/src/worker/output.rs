//! Answers as bytes: the formats of the command, the chosen rows, a summary, and databases.

use crate::options::{AnswerFormat, ExtractOptions};
use crate::task::{FailureKind, StoreTarget, TaskFailure, TaskOutcome};
use copal::Answer;
use copal_output::{
    Arrow, Csv, Feed, FeedKind, Format, Html, Json, JsonOptions, Markdown, PageLines, Parquet, RecordLines,
    Xlsx,
};
use copal_store::{DatabaseLocation, RowOptions, RunSummary, Store};
use serde_json::{Value, json};
use std::path::Path;

/// Records that a summary shows of each list.
const SUMMARY_RECORDS: usize = 2;
/// Characters that a summary shows of each cell.
const SUMMARY_CELL_CHARS: usize = 80;
/// Lists that a summary has.
const SUMMARY_LISTS: usize = 12;

/// The media type of a format.
pub(super) fn content_type(format: AnswerFormat) -> &'static str {
    match format {
        AnswerFormat::Json | AnswerFormat::Summary => "application/json",
        AnswerFormat::Pages | AnswerFormat::Records => "application/x-ndjson",
        AnswerFormat::Csv => "text/csv; charset=utf-8",
        AnswerFormat::Markdown => "text/markdown; charset=utf-8",
        // a report contains text of foreign pages: the service sends it with a policy that runs nothing
        AnswerFormat::Html => "text/html; charset=utf-8",
        AnswerFormat::Rss => "application/rss+xml",
        AnswerFormat::Atom => "application/atom+xml",
        AnswerFormat::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        AnswerFormat::Parquet => "application/vnd.apache.parquet",
        AnswerFormat::Arrow => "application/vnd.apache.arrow.file",
    }
}

/// Keeps the rows that were asked for, and returns how many records the main list had.
pub(super) fn choose_rows(answers: &mut [(String, Answer)], options: &ExtractOptions) -> usize {
    let mut total = 0;
    for (_, answer) in answers {
        total += answer.primary().map_or(0, |list| list.records.len());
        for region in &mut answer.regions {
            let first = options.first_row.min(region.records.len());
            region.records.drain(..first);
            if let Some(most) = options.max_rows {
                region.records.truncate(most);
            }
        }
    }
    total
}

/// The answers in a format.
pub(super) fn write(
    answers: &[(String, Answer)],
    options: &ExtractOptions,
    has_many_pages: bool,
) -> Result<Vec<u8>, TaskFailure> {
    if options.format == AnswerFormat::Summary {
        let pages: Vec<Value> = answers.iter().map(|(name, answer)| summary(name, answer)).collect();
        return Ok(match pages.as_slice() {
            [one] => one.to_string(),
            _ => Value::from(pages).to_string(),
        }
        .into_bytes());
    }
    let mut writer = writer(options, has_many_pages);
    let mut out = Vec::new();
    for (name, answer) in answers {
        writer.page(&mut out, name, answer).map_err(not_written)?;
    }
    writer.finish(&mut out).map_err(not_written)?;
    Ok(out)
}

fn not_written(error: impl std::fmt::Display) -> TaskFailure {
    TaskFailure::new(FailureKind::Usage, error)
}

fn writer(options: &ExtractOptions, has_many_pages: bool) -> Box<dyn Format> {
    let mut rows = RowOptions::default();
    rows.all_regions = options.all;
    let json = JsonOptions { sources: options.sources };
    match options.format {
        AnswerFormat::Json | AnswerFormat::Summary => {
            let mut writer = Json::new(has_many_pages);
            writer.options = json;
            Box::new(writer)
        }
        AnswerFormat::Pages => Box::new(PageLines { options: json }),
        AnswerFormat::Records => {
            Box::new(RecordLines { page_column: has_many_pages, region_column: options.all })
        }
        AnswerFormat::Csv => {
            let mut csv = Csv::new();
            (csv.page_column, csv.region_column) = (has_many_pages, options.all);
            csv.escape_formulas = options.csv_safe;
            csv.leave_out_rare = !options.all_columns;
            csv.values = options.values;
            Box::new(csv)
        }
        AnswerFormat::Markdown => Box::new(Markdown::new(has_many_pages, options.all_columns)),
        AnswerFormat::Html => Box::new(Html::new(has_many_pages, options.csv_safe)),
        AnswerFormat::Rss => Box::new(Feed::new(FeedKind::Rss)),
        AnswerFormat::Atom => Box::new(Feed::new(FeedKind::Atom)),
        AnswerFormat::Xlsx => Box::new(Xlsx::new(rows, has_many_pages)),
        AnswerFormat::Parquet => Box::new(Parquet::new(rows)),
        AnswerFormat::Arrow => Box::new(Arrow::new(rows)),
    }
}

/// The lists of a page with sizes, columns and first records; the names of an object's fields.
fn summary(name: &str, answer: &Answer) -> Value {
    let cut = |text: &str| -> String {
        let short: String = text.chars().take(SUMMARY_CELL_CHARS).collect();
        if short.len() < text.len() { short + "…" } else { short }
    };
    let list = |(at, region): (usize, &copal::Region)| {
        let samples = region.records.iter().take(SUMMARY_RECORDS).map(|record| {
            let cells = region.columns.iter().zip(&record.cells);
            let cells =
                cells.filter_map(|(column, cell)| Some((column.name.clone(), cut(cell.first()?).into())));
            Value::Object(cells.collect())
        });
        let columns: Vec<&str> = region.columns.iter().map(|column| column.name.as_str()).collect();
        json!({
            "list": at + 1,
            "role": region.role.name(),
            "records": region.records.len(),
            "confidence": region.confidence.map(|one| (one * 100.0).round() / 100.0),
            "columns": columns,
            "samples": samples.collect::<Vec<_>>(),
        })
    };
    let mut page = json!({ "page": answer.page.url.as_deref().unwrap_or(name), "title": answer.page.title });
    if let Some(counter) = &answer.page.counter {
        page["announced_records"] = counter.total.into();
    }
    page["has_next_page"] = answer.page.next.is_some().into();
    page["lists"] = answer.regions.iter().take(SUMMARY_LISTS).enumerate().map(list).collect();
    if let Some(object) = &answer.object {
        page["object_fields"] = object.fields.iter().map(|field| field.name.as_str()).collect();
    }
    page
}

/// Stores the answers as one run.
pub(super) fn store(
    answers: &[(String, Answer)],
    target: &StoreTarget,
    options: &ExtractOptions,
    method: Option<String>,
    outcome: TaskOutcome,
) -> Result<RunSummary, TaskFailure> {
    let failed = |error: &dyn std::fmt::Display| TaskFailure::new(FailureKind::Store, error);
    let location = DatabaseLocation::from_name(Path::new(&target.location))
        .ok_or_else(|| failed(&"the database is neither SQLite nor PostgreSQL"))?;
    let mut rows = RowOptions::default();
    (rows.all_regions, rows.method) = (options.all, method);
    rows.key_columns.clone_from(&target.key);
    let mut store = Store::begin(&location, target.table.as_deref(), &target.command, rows)
        .map_err(|error| failed(&error))?;
    for (name, answer) in answers {
        store.page(name, answer).map_err(|error| failed(&error))?;
    }
    store.finish(outcome.name()).map_err(|error| failed(&error))
}
