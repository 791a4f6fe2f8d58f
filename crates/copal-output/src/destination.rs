//! Where bytes go: standard output, or a file that is written completely or not at all.
//!
//! A file is written under a temporary name in the same folder, synced and then renamed. Temporary files of
//! runs that were killed are removed by the next run. Devices and pipes are written to directly. A file that
//! is replaced passes on its permissions. Errors are [`io::Error`]s, as for any writer.

use crate::append_lock::AppendLock;
use crate::error::OutputError;
use crate::temporary_files;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, PersistError};

/// An open destination. Call [`Destination::commit`] when everything is written.
#[derive(Debug)]
pub enum Destination {
    /// Standard output.
    Stdout(BufWriter<io::Stdout>),
    /// A device or a pipe.
    Direct(BufWriter<File>),
    /// A temporary file, and the path that it gets.
    File(BufWriter<NamedTempFile>, PathBuf),
}

impl Destination {
    /// Opens a path, or standard output for `None`.
    pub fn open(path: Option<&Path>) -> io::Result<Destination> {
        let Some(path) = path else { return Ok(Destination::Stdout(BufWriter::new(io::stdout()))) };
        if path.is_dir() {
            return Err(OutputError::IsFolder.into());
        }
        if fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
            return Ok(Destination::Direct(BufWriter::new(OpenOptions::new().write(true).open(path)?)));
        }
        let folder = folder_of(path);
        if folder.exists() && !folder.is_dir() {
            return Err(OutputError::NotAFolder(folder.to_owned()).into());
        }
        if !folder.is_dir() {
            return Err(OutputError::MissingFolder(folder.to_owned()).into());
        }
        // A symbolic link stays a link: the file that it points to is replaced, in its own folder. A
        // canonical path is not a link, so this happens at most once.
        if let Some(target) = fs::canonicalize(path).ok().filter(|_| path.is_symlink()) {
            return Destination::open(Some(&target));
        }
        let file = temporary_files::create(folder)?;
        if let Ok(old) = fs::metadata(path) {
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(Destination::File(BufWriter::new(file), path.to_owned()))
    }

    /// Waits until no other process appends to files of the same folder. To be called before the old content
    /// is read; the lock must live until the output is committed. `None` if the old content is not replaced.
    pub fn lock_for_append(&self) -> io::Result<Option<AppendLock>> {
        match self {
            Destination::File(_, path) => AppendLock::of_folder(folder_of(path)).map(Some),
            Destination::Stdout(_) | Destination::Direct(_) => Ok(None),
        }
    }

    /// Makes the output permanent: flushes, syncs, renames. Without this call a file keeps its old content.
    pub fn commit(self) -> io::Result<()> {
        self.finish(NamedTempFile::persist)
    }

    /// Like [`Destination::commit`], but a file that another process created in the meantime stays as it is:
    /// [`io::ErrorKind::AlreadyExists`].
    pub fn commit_new(self) -> io::Result<()> {
        self.finish(NamedTempFile::persist_noclobber)
    }

    fn finish(
        self,
        persist: impl FnOnce(NamedTempFile, PathBuf) -> Result<File, PersistError>,
    ) -> io::Result<()> {
        match self {
            Destination::Stdout(mut out) => out.flush()?,
            Destination::Direct(mut out) => out.flush()?,
            Destination::File(out, path) => {
                let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                persist(file, path.clone()).map_err(|error| error.error)?;
                // Some file systems cannot sync a folder; the file itself is synced.
                let _ = File::open(folder_of(&path)).and_then(|folder| folder.sync_all());
            }
        }
        Ok(())
    }
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Destination::Stdout(out) => out.write(bytes),
            Destination::Direct(out) => out.write(bytes),
            Destination::File(out, _) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Destination::Stdout(out) => out.flush(),
            Destination::Direct(out) => out.flush(),
            Destination::File(out, _) => out.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_another_process_created_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("v1.yaml");
        let write = |text: &str| {
            let mut out = Destination::open(Some(&path)).unwrap();
            out.write_all(text.as_bytes()).unwrap();
            out
        };
        let (one, other) = (write("one"), write("other"));
        assert!(!path.exists(), "the name appears with the text");
        one.commit_new().unwrap();
        assert_eq!(other.commit_new().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        write("third").commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "third");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "temporary files are removed");
    }
}
