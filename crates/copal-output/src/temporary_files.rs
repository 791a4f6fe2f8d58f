//! Temporary files next to the files that they replace, and what is left of killed runs.
//!
//! In: a folder. Out: a new temporary file, which this process holds a lock on until it is renamed or
//! dropped. The system releases the lock of a process that was killed, so that a temporary file that can be
//! locked belongs to nobody and is removed by the next run that writes into its folder. O(files of the
//! folder).

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;
use tempfile::NamedTempFile;

/// Names of temporary files begin and end with this.
const TEMPORARY_PREFIX: &str = ".copal-";
const TEMPORARY_SUFFIX: &str = ".tmp";
/// How often a file is created again that another process took for an abandoned one.
const MAX_CREATIONS: usize = 10;

/// A new temporary file in a folder.
pub(crate) fn create(folder: &Path) -> io::Result<NamedTempFile> {
    remove_abandoned(folder);
    for _ in 1..MAX_CREATIONS {
        let file = create_unlocked(folder)?;
        // Without locks (some network file systems) nothing is ever removed, which is safe.
        let is_locked = file.as_file().lock().is_ok();
        // Another process may have locked and removed the file before it was locked here.
        if !is_locked || file.path().exists() {
            return Ok(file);
        }
    }
    create_unlocked(folder)
}

/// A temporary file with the permissions that other new files of this user have, not only for its owner.
fn create_unlocked(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX).suffix(TEMPORARY_SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask is applied on top of this.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The error of the library names the temporary file, which nobody knows.
    builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))
}

/// Removes the temporary files of processes that no longer run. What cannot be removed stays: the next output
/// does not depend on it.
fn remove_abandoned(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_temporary = name
            .to_str()
            .is_some_and(|name| name.starts_with(TEMPORARY_PREFIX) && name.ends_with(TEMPORARY_SUFFIX));
        if !is_temporary || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let file = OpenOptions::new().write(true).open(entry.path());
        if file.is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn abandoned_files_are_removed_and_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".copal-killed.tmp", ".copal-notes", "list.tmp"] {
            fs::write(folder.path().join(name), "rows").unwrap();
        }
        let used = create(folder.path()).unwrap();
        let other = create(folder.path()).unwrap();
        assert_eq!(names(folder.path()).len(), 4, "{:?}", names(folder.path()));
        assert!(used.path().exists() && other.path().exists());
        drop((used, other));
        assert_eq!(names(folder.path()), [".copal-notes", "list.tmp"]);
    }
}
