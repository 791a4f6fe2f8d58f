//! The checkpoint of a crawl: how far a run has come, in a file beside its parts.

use super::crawl_point::CrawlPoint;
use crate::error::CliError;
use copal_output::destination::Destination;
use copal_tasks::FullReason;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The name of the file. Programs that read a folder of Parquet files pass over names that begin like this.
const CHECKPOINT_NAME: &str = "_checkpoint.json";
/// The format of the file.
const CHECKPOINT_VERSION: u32 = 1;
/// Options that do not change the rows.
const OPTIONS_WITHOUT_EFFECT: &[&str] = &["--resume", "--quiet", "-q", "--verbose", "-v", "-vv", "-vvv"];
/// Such options that have a value.
const VALUES_WITHOUT_EFFECT: &[&str] = &["--jobs", "-j", "--log-format"];

/// What was found in a crawl.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CrawlCounts {
    pub(super) pages: usize,
    pub(super) lists: usize,
    pub(super) records: usize,
    pub(super) objects: usize,
    pub(super) by_template: usize,
    /// Why other pages of a run by template were extracted in full.
    #[serde(default)]
    pub(super) in_full: BTreeMap<FullReason, usize>,
    pub(super) unreadable: usize,
    pub(super) failed: usize,
    pub(super) partial: usize,
    pub(super) damaged: usize,
    pub(super) left_out: usize,
    pub(super) other_language: usize,
    pub(super) elsewhere: usize,
}

/// How far a run has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    version: u32,
    /// The options of the run that its rows depend on.
    command: Vec<String>,
    /// Names and sizes of the sources.
    sources: Vec<(String, u64)>,
    /// Parts that are written.
    pub(super) parts: usize,
    /// The last page of them.
    pub(super) point: Option<CrawlPoint>,
    pub(super) counts: CrawlCounts,
    pub(super) is_complete: bool,
}

impl Checkpoint {
    /// The checkpoint of a run that has done nothing yet.
    pub(super) fn new(arguments: &[String], sources: Vec<(String, u64)>) -> Checkpoint {
        let mut command = Vec::new();
        let mut skips_value = false;
        for argument in arguments {
            let has_no_effect = OPTIONS_WITHOUT_EFFECT.contains(&argument.as_str());
            let is_value = std::mem::take(&mut skips_value);
            skips_value = VALUES_WITHOUT_EFFECT.contains(&argument.as_str());
            if !has_no_effect && !is_value && !skips_value {
                command.push(argument.clone());
            }
        }
        Checkpoint {
            version: CHECKPOINT_VERSION,
            command,
            sources,
            parts: 0,
            point: None,
            counts: CrawlCounts::default(),
            is_complete: false,
        }
    }

    /// The checkpoint of a folder; `None` if it has none.
    pub(super) fn read(folder: &Path) -> Result<Option<Checkpoint>, CliError> {
        let path = folder.join(CHECKPOINT_NAME);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|error| CliError::reading(&error).about(path.display()))?,
        };
        let read = serde_json::from_str(&text).ok();
        let read = read.filter(|read: &Checkpoint| read.version == CHECKPOINT_VERSION);
        read.map(Some).ok_or_else(|| {
            let error =
                CliError::unreadable("not a checkpoint of this version of copal").about(path.display());
            error.with_hint("write the parts into another folder, or go on with the version that began them")
        })
    }

    /// True if another checkpoint is of the same run.
    pub(super) fn is_same_run(&self, other: &Checkpoint) -> bool {
        self.command == other.command && self.sources == other.sources
    }

    /// Writes the checkpoint, completely or not at all.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        let mut file = Destination::open(Some(&folder.join(CHECKPOINT_NAME)))?;
        file.write_all(serde_json::to_string_pretty(self)?.as_bytes())?;
        file.commit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint(line: &str) -> Checkpoint {
        let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Checkpoint::new(&arguments, vec![("a.warc".to_owned(), 7)])
    }

    #[test]
    fn options_that_do_not_change_the_rows_may_change() {
        let first = checkpoint("extract a.warc --long -o cells/ -j 2");
        assert!(first.is_same_run(&checkpoint("extract a.warc --long -q -o cells/ --resume")));
        assert!(!first.is_same_run(&checkpoint("extract a.warc --long -o cells/ --all")));
        let mut other = first.clone();
        other.sources[0].1 = 8;
        assert!(!first.is_same_run(&other));
    }
}
