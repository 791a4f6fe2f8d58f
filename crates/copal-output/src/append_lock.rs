//! A lock for processes that append to files of one folder.
//!
//! Appending reads the old file, writes a new one and renames it. Two processes that do this at the same time
//! would each keep their own rows only. A lock on the file itself would not help, because the rename gives
//! its name to another file, and because the file may not exist yet. So the folder is locked: this leaves no
//! lock file behind, and the system ends the lock of a process that is killed. Where a folder cannot be
//! locked (Windows, NFS), a hidden file in it is locked instead.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long another process may append. It holds the lock only while it writes, not while it reads pages.
const MAX_WAIT: Duration = Duration::from_mins(1);
/// Time between two attempts.
const RETRY_INTERVAL: Duration = Duration::from_millis(10);
/// The file that is locked where folders cannot be locked.
const LOCK_FILE: &str = ".copal-append.lock";

/// The right to append to files of a folder, until it is dropped.
#[derive(Debug)]
pub struct AppendLock {
    /// Closing the file ends the lock.
    _locked: File,
}

impl AppendLock {
    /// Waits for the lock of a folder.
    pub(crate) fn of_folder(folder: &Path) -> io::Result<AppendLock> {
        AppendLock::wait_for(folder, MAX_WAIT)
    }

    fn wait_for(folder: &Path, max_wait: Duration) -> io::Result<AppendLock> {
        let began = Instant::now();
        let mut locked = File::open(folder).or_else(|_| lock_file(folder))?;
        let mut is_folder = true;
        loop {
            match locked.try_lock() {
                Ok(()) => return Ok(AppendLock { _locked: locked }),
                Err(TryLockError::WouldBlock) if began.elapsed() >= max_wait => {
                    let message = "another process is appending to it: try again when that is done";
                    return Err(io::Error::other(message));
                }
                Err(TryLockError::WouldBlock) => sleep(RETRY_INTERVAL),
                Err(TryLockError::Error(_)) if is_folder => {
                    (locked, is_folder) = (lock_file(folder)?, false);
                }
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

fn lock_file(folder: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).truncate(false).write(true).open(folder.join(LOCK_FILE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_process_has_the_lock_and_the_others_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let first = AppendLock::of_folder(folder.path()).unwrap();
        let refused = AppendLock::wait_for(folder.path(), Duration::ZERO).unwrap_err();
        assert!(refused.to_string().starts_with("another process is appending to it"), "{refused}");
        drop(first);
        AppendLock::wait_for(folder.path(), Duration::ZERO).unwrap();
    }
}
