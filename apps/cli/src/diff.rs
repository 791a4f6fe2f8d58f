//! `copal diff`: what is new, gone and changed between two files, or two runs in a database.

use crate::report::{self, Outcome};
use clap::{Args, ValueEnum};
use copal_store::{DatabaseLocation, Difference, KeyedRecord, RecordFile, StoreError};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  copal diff monday.csv tuesday.csv                what changed between two files (.csv, .json, .jsonl)
  copal diff monday.csv tuesday.jsonl --key sku    … records told apart by a column
  copal diff data.sqlite                           between the last two runs that came to their end
  copal diff data.sqlite --runs 3 7 --format json
  copal diff postgres://user@host/shop --table lamps

Records of files are told apart by --key, else by their url, else by all they say; those of a database by their key.

Exit codes: 0 nothing changed, 2 wrong usage, 3 input unreadable, 5 something changed.";

/// Show what is new, gone and changed between two runs
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct DiffArgs {
    /// The older file, or a database (.sqlite, .db, postgres://…)
    old: PathBuf,

    /// The newer file
    new: Option<PathBuf>,

    /// Of files: the column that tells records apart (may be repeated)
    #[arg(long, value_name = "COLUMN")]
    key: Vec<String>,

    /// Of a database: the numbers of the two runs
    #[arg(long, value_names = ["A", "B"], num_args = 2)]
    runs: Vec<i64>,

    /// Of a database: this table alone
    #[arg(long, value_name = "NAME")]
    table: Option<String>,

    /// How it is written
    #[arg(long, value_enum, default_value = "table")]
    format: DiffFormat,

    /// Say nothing on standard error but errors
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// Lines to read: + new, - gone, ~ changed
    Table,
    /// One object
    Json,
}

/// What was compared, in words, and what came of it.
struct Compared {
    names: [String; 2],
    differences: Vec<Difference>,
}

pub(crate) fn run(args: &DiffArgs) -> Outcome {
    let compared = match (DatabaseLocation::from_name(&args.old), &args.new) {
        (Some(place), None) if args.key.is_empty() => of_database(&place, args),
        (Some(_), None) => Err((Outcome::Usage, "--key is for files: a database has its keys".into())),
        (Some(_), Some(_)) => {
            Err((Outcome::Usage, "a database is compared with itself: name it alone".into()))
        }
        (None, None) => {
            Err((Outcome::Usage, "expected two files, or a database (.sqlite, .db or postgres://…)".into()))
        }
        (None, Some(_)) if !args.runs.is_empty() || args.table.is_some() => {
            Err((Outcome::Usage, "--runs and --table are for databases".into()))
        }
        (None, Some(new)) => of_files(&args.old, new, args),
    };
    let compared = match compared {
        Ok(compared) => compared,
        Err((outcome, why)) => {
            report::error(why);
            return outcome;
        }
    };
    let text = match args.format {
        DiffFormat::Table => lines(&compared),
        DiffFormat::Json => format!("{:#}\n", json_of(&compared)),
    };
    if let Err(error) = io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()) {
        return report::write_failed(&error, "standard output");
    }
    let same = compared.differences.iter().all(Difference::is_empty);
    if same { Outcome::Done } else { Outcome::Changed }
}

type Failed = (Outcome, String);

fn of_database(place: &DatabaseLocation, args: &DiffArgs) -> Result<Compared, Failed> {
    let unreadable = |error: StoreError| (Outcome::Unreadable, format!("{}: {error}", place.display_name()));
    let asked = match args.runs.as_slice() {
        [a, b] => Some((*a, *b)),
        _ => None,
    };
    let (runs, differences) =
        copal_store::compare_runs(place, asked, args.table.as_deref()).map_err(unreadable)?;
    if !args.quiet {
        if runs[0].command != runs[1].command {
            report::warning(format_args!(
                "the runs had other commands: {}: {}; {}: {}",
                runs[0].id, runs[0].command, runs[1].id, runs[1].command
            ));
        }
        for run in runs.iter().filter(|run| run.outcome.as_deref() != Some(Outcome::Done.name())) {
            let how = run.outcome.as_deref().unwrap_or("not at its end");
            report::warning(format_args!("run {}: {how}", run.id));
        }
    }
    let names = runs.map(|run| format!("run {} ({})", run.id, run.started));
    Ok(Compared { names, differences })
}

fn of_files(old: &Path, new: &Path, args: &DiffArgs) -> Result<Compared, Failed> {
    let read = |path: &Path| {
        RecordFile::read(path).map_err(|error| (Outcome::Unreadable, format!("{}: {error}", path.display())))
    };
    let (a, b) = (read(old)?, read(new)?);
    let mut key = args.key.clone();
    for name in &key {
        if !(a.has_column(name) || a.is_empty()) || !(b.has_column(name) || b.is_empty()) {
            return Err((Outcome::Usage, format!("no column {name:?} in both files")));
        }
    }
    if key.is_empty() && (a.has_column("url") || a.is_empty()) && (b.has_column("url") || b.is_empty()) {
        key.push("url".to_owned());
    }
    if key.is_empty() && !args.quiet {
        report::warning(
            "no column url in both files: records are compared whole (--key COLUMN tells them apart)",
        );
    }
    let difference = copal_store::compare(&a.into_keyed_records(&key), &b.into_keyed_records(&key));
    let names = [old, new].map(|path| path.display().to_string());
    Ok(Compared { names, differences: vec![difference] })
}

/// Lines to read. Control characters of a page never reach the terminal.
fn lines(compared: &Compared) -> String {
    let mut out = String::new();
    let shown = report::printable;
    for difference in &compared.differences {
        if let Some(table) = difference.table.as_ref().filter(|_| compared.differences.len() > 1) {
            let _ = writeln!(out, "== {}", shown(table));
        }
        for (sign, entries) in [('+', &difference.new), ('-', &difference.gone)] {
            for entry in entries {
                let _ = writeln!(out, "{sign} {}{}", shown(&entry.key), shown(&about(entry)));
            }
        }
        for (key, changes) in &difference.changed {
            let _ = writeln!(out, "~ {}", shown(key));
            for change in changes {
                let (old, new) = (shown(&change.old), shown(&change.new));
                let _ = writeln!(out, "    {}: {old} → {new}", shown(&change.column));
            }
        }
        let (new, gone, changed) = (difference.new.len(), difference.gone.len(), difference.changed.len());
        let _ = writeln!(out, "{new} new, {gone} gone, {changed} changed, {} the same", difference.same);
    }
    out
}

/// What a record is, besides its key.
fn about(entry: &KeyedRecord) -> String {
    let texts = entry.cells.iter().filter(|(_, text)| *text != entry.key && !text.contains("://"));
    texts.take(3).fold(String::new(), |line, (name, text)| format!("{line}  {name}: {text}"))
}

fn json_of(compared: &Compared) -> Value {
    let entry = |entry: &KeyedRecord| {
        let fields: Map<String, Value> =
            entry.cells.iter().map(|(name, text)| (name.clone(), Value::from(text.as_str()))).collect();
        json!({"key": entry.key, "fields": fields})
    };
    let difference = |one: &Difference| {
        let changed = one.changed.iter().map(|(key, changes)| {
            let changes = changes.iter();
            let changes: Vec<Value> = changes
                .map(|change| json!({"column": change.column, "old": change.old, "new": change.new}))
                .collect();
            json!({"key": key, "changes": changes})
        });
        let mut value = json!({
            "new": one.new.iter().map(entry).collect::<Vec<_>>(),
            "gone": one.gone.iter().map(entry).collect::<Vec<_>>(),
            "changed": changed.collect::<Vec<_>>(),
            "same": one.same,
        });
        if let Some(table) = &one.table {
            value["table"] = Value::from(table.as_str());
        }
        value
    };
    json!({
        "copal": 1,
        "old": compared.names[0],
        "new": compared.names[1],
        "differences": compared.differences.iter().map(difference).collect::<Vec<_>>(),
    })
}
