//! The changes of several runs as an RSS feed.
//!
//! A feed reader may look less often than the command runs, so that the feed has the changes of earlier runs too. The
//! id of an entry is made of the run, the kind of the change and the key of the record: it stays the same.

use crate::difference_report::first_texts;
use crate::error::CliError;
use copal_output::{Feed, FeedEntry, FeedKind, Format, system_time};
use copal_store::{RunChanges, ValueChange};

/// A feed with one entry per new, gone or changed record, the newest run first.
pub(crate) fn change_feed(
    title: &str,
    link: Option<String>,
    runs: &[RunChanges],
) -> Result<String, CliError> {
    let mut entries = Vec::new();
    for changes in runs {
        let date = system_time(&changes.run.started.replace(' ', "T"));
        let entry = |kind: &str, key: &str, title: &str, description: String| FeedEntry {
            id: format!("run {} {kind} {key}", changes.run.id),
            title: format!("{kind}: {title}"),
            link: Some(key.to_owned()).filter(|key| is_web_url(key)),
            date,
            description,
        };
        for difference in &changes.differences {
            for (kind, records) in [("new", &difference.new), ("gone", &difference.gone)] {
                entries.extend(records.iter().map(|record| {
                    entry(
                        kind,
                        &record.key,
                        record.title().unwrap_or(&record.key),
                        first_texts(record).trim().to_owned(),
                    )
                }));
            }
            for record in &difference.changed {
                let title = record.title.as_deref().unwrap_or(&record.key);
                entries.push(entry(
                    "changed",
                    &record.key,
                    title,
                    record.changes.iter().map(described).collect(),
                ));
            }
        }
    }
    let mut xml = Vec::new();
    let written = Feed::of_entries(FeedKind::Rss, title, link, entries).finish(&mut xml);
    written.map_err(|error| CliError::writing(&error.into(), "the feed"))?;
    String::from_utf8(xml).map_err(CliError::unreadable)
}

fn described(change: &ValueChange) -> String {
    format!("{}: {} → {}\n", change.column, change.old, change.new)
}

pub(crate) fn is_web_url(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}
