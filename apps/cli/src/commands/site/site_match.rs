//! `copal site match`: the records of a database that several sites have.
//!
//! In: a database with records of several sites. Out: the table `copal_matches` in it, and groups of equal records as CSV.

use super::SiteMatchArguments;
use crate::error::CliError;
use crate::outcome::Outcome;
use crate::output_target::write_text;
use crate::reporting;
use copal_explore::{RecordMatch, RecordMatches, SiteRecord, match_records};
use copal_output::rows::{RowValue, SITE_COLUMN, is_component_column};
use copal_store::{DatabaseLocation, MatchRow, StoredRecords, read_records, write_matches};
use std::collections::{BTreeSet, HashMap};

/// Records that are compared.
const MAX_RECORDS: usize = 500_000;
/// Columns of the records that the groups show, if there are any.
const SHOWN_COLUMNS: [&str; 4] = ["title", "name", "price", "url"];

pub(super) fn run(arguments: &SiteMatchArguments) -> Result<Outcome, CliError> {
    let location = DatabaseLocation::from_name(&arguments.database).ok_or_else(|| {
        let name = arguments.database.display();
        CliError::usage(format_args!("expected a database (.sqlite, .db or postgres://…), found {name}"))
    })?;
    let about = |error: CliError| error.about(location.display_name());
    let stored = read_records(&location, arguments.table.as_deref(), 0, MAX_RECORDS)
        .map_err(|error| about(CliError::unreadable(error)))?;
    let Some(site) = stored.columns.iter().position(|name| name == SITE_COLUMN) else {
        let message = "its records have no column site: expected a database of copal site --urls";
        return Err(about(CliError::usage(message)));
    };
    let records = site_records(&stored, site);
    let matches = match_records(&records, arguments.min_confidence);
    if !arguments.quiet {
        if stored.total > stored.rows.len() {
            let left_out = reporting::count(stored.total - stored.rows.len(), "record");
            reporting::warning(format_args!("{left_out} not compared: there are too many"));
        }
        if matches.is_cut {
            reporting::warning("not all pairs were compared: too many records look alike");
        }
    }
    write_matches(&location, &match_rows(&stored, &records, &matches))
        .map_err(|error| about(CliError::unreadable(format_args!("cannot write copal_matches: {error}"))))?;
    write_text(arguments.output.as_deref(), &groups_as_csv(&stored, &records, &matches))?;
    if !arguments.quiet {
        let sites: BTreeSet<&String> = records.iter().map(|record| &record.site).collect();
        let grouped: usize = matches.groups.iter().map(Vec::len).sum();
        reporting::line(format_args!(
            "{} of {} on {} are in {}",
            grouped,
            reporting::count(records.len(), "record"),
            reporting::count(sites.len(), "site"),
            reporting::count(matches.groups.len(), "group"),
        ));
    }
    let is_partial = matches.is_cut || stored.total > stored.rows.len();
    Ok(match () {
        () if is_partial => Outcome::Partial,
        () if matches.groups.is_empty() => Outcome::NothingFound,
        () => Outcome::Done,
    })
}

fn site_records(stored: &StoredRecords, site: usize) -> Vec<SiteRecord> {
    let has = |name: &str| stored.columns.iter().any(|column| column == name);
    let compared: Vec<usize> = stored
        .record_columns()
        .filter(|&at| at != site && !is_component_column(&stored.columns[at], has))
        .collect();
    let record = |row: &Vec<RowValue>| SiteRecord {
        site: text(&row[site]).unwrap_or_default(),
        cells: compared
            .iter()
            .filter_map(|at| Some((stored.columns[*at].clone(), text(&row[*at])?)))
            .collect(),
    };
    stored.rows.iter().map(record).collect()
}

fn text(value: &RowValue) -> Option<String> {
    (*value != RowValue::Null).then(|| value.to_text())
}

/// The number of the group of each record, from 1.
fn group_numbers(matches: &RecordMatches) -> HashMap<usize, usize> {
    let groups = matches.groups.iter().enumerate();
    groups.flat_map(|(at, group)| group.iter().map(move |record| (*record, at + 1))).collect()
}

fn match_rows(stored: &StoredRecords, records: &[SiteRecord], matches: &RecordMatches) -> Vec<MatchRow> {
    let groups = group_numbers(matches);
    let named = |at: usize| (records[at].site.clone(), key(stored, at));
    let row = |pair: &RecordMatch| MatchRow {
        group: match (groups.get(&pair.first), groups.get(&pair.second)) {
            (Some(first), Some(second)) if first == second => *first,
            _ => 0,
        },
        records: [named(pair.first), named(pair.second)],
        confidence: pair.confidence,
        reasons: pair.reasons.join("; "),
    };
    matches.pairs.iter().map(row).collect()
}

fn key(stored: &StoredRecords, at: usize) -> String {
    stored.rows[at].first().and_then(text).unwrap_or_default()
}

/// One row per record of a group, with the pair of it that is surest.
fn groups_as_csv(stored: &StoredRecords, records: &[SiteRecord], matches: &RecordMatches) -> String {
    let groups = group_numbers(matches);
    let mut best: HashMap<usize, &RecordMatch> = HashMap::new();
    for pair in matches.pairs.iter().filter(|pair| groups.get(&pair.first) == groups.get(&pair.second)) {
        for record in [pair.first, pair.second] {
            best.entry(record).or_insert(pair);
        }
    }
    let shown: Vec<usize> =
        SHOWN_COLUMNS.iter().filter_map(|name| stored.columns.iter().position(|own| own == name)).collect();
    let mut csv = csv::Writer::from_writer(Vec::new());
    // memory does not fail
    let mut line = |fields: &[String]| drop(csv.write_record(fields));
    let mut header = vec!["match_group".to_owned(), "confidence".to_owned(), "site".to_owned()];
    header.extend(shown.iter().map(|at| stored.columns[*at].clone()));
    header.extend(["key".to_owned(), "reasons".to_owned()]);
    line(&header);
    for (number, group) in matches.groups.iter().enumerate() {
        for record in group {
            let pair = best.get(record);
            let mut fields = vec![
                (number + 1).to_string(),
                pair.map_or_else(String::new, |pair| format!("{:.3}", pair.confidence)),
                records[*record].site.clone(),
            ];
            fields.extend(shown.iter().map(|at| text(&stored.rows[*record][*at]).unwrap_or_default()));
            fields.extend([
                key(stored, *record),
                pair.map_or_else(String::new, |pair| pair.reasons.join("; ")),
            ]);
            line(&fields);
        }
    }
    String::from_utf8(csv.into_inner().unwrap_or_default()).unwrap_or_default()
}
