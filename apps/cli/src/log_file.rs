//! Log files with a bounded size: one line of JSON per event.
//!
//! In: lines. Out: `service.log`, and `service.1.log` with what was before. When the file would exceed its limit, it
//! replaces the older one, so that the folder never has more than twice the limit. A line that cannot be written is lost:
//! a full disk must not end the service.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Bytes of one file.
pub(crate) const MAX_LOG_BYTES: u64 = 10_000_000;
const CURRENT_NAME: &str = "service.log";
const OLDER_NAME: &str = "service.1.log";

/// The log of a folder.
#[derive(Debug)]
pub(crate) struct LogFile {
    folder: PathBuf,
    max_bytes: u64,
    open: Mutex<OpenLog>,
}

#[derive(Debug)]
struct OpenLog {
    file: File,
    bytes: u64,
}

impl LogFile {
    /// Opens the log of a folder, and creates the folder.
    pub(crate) fn open(folder: &Path, max_bytes: u64) -> io::Result<LogFile> {
        fs::create_dir_all(folder)?;
        let open = Mutex::new(OpenLog::append(folder)?);
        Ok(LogFile { folder: folder.to_owned(), max_bytes, open })
    }

    /// Adds a line.
    pub(crate) fn write_line(&self, line: &str) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let added = line.len() as u64 + 1;
        if open.bytes > 0
            && open.bytes + added > self.max_bytes
            && let Ok(fresh) = self.rotate()
        {
            *open = fresh;
        }
        // one write, so that lines are whole even if the process is killed
        if open.bytes + added <= self.max_bytes && open.file.write_all(format!("{line}\n").as_bytes()).is_ok()
        {
            open.bytes += added;
        }
    }

    fn rotate(&self) -> io::Result<OpenLog> {
        fs::rename(self.folder.join(CURRENT_NAME), self.folder.join(OLDER_NAME))?;
        OpenLog::append(&self.folder)
    }
}

impl OpenLog {
    fn append(folder: &Path) -> io::Result<OpenLog> {
        let file = File::options().create(true).append(true).open(folder.join(CURRENT_NAME))?;
        let bytes = file.metadata()?.len();
        Ok(OpenLog { file, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_bounded_and_the_last_lines_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let logs = folder.path().join("logs");
        for round in 0..3 {
            let log = LogFile::open(&logs, 100).unwrap();
            for number in 0..50 {
                log.write_line(&format!("round {round} line {number}"));
                let size = |name: &str| fs::metadata(logs.join(name)).map_or(0, |data| data.len());
                assert!(size(CURRENT_NAME) <= 100 && size(OLDER_NAME) <= 100);
            }
            log.write_line(&"x".repeat(200));
        }
        let text = ["service.1.log", "service.log"].map(|name| fs::read_to_string(logs.join(name)).unwrap());
        let text = text.concat();
        assert!(text.lines().all(|line| line.starts_with("round 2 line 4")), "{text}");
        assert_eq!(text.lines().count(), text.matches("line").count());
    }
}
