//! Where bytes go: standard output, or a file that is written completely or not at all.
//!
//! A file is written under a temporary name in the same folder, synced and then renamed. Devices and pipes
//! are written to directly. A file that is replaced passes on its permissions. Errors are [`io::Error`]s, as
//! for any writer.

use crate::error::OutputError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

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
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
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
        let file = temporary_file(folder)?;
        if let Ok(old) = fs::metadata(path) {
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(Destination::File(BufWriter::new(file), path.to_owned()))
    }

    /// Makes the output permanent: flushes, syncs, renames. Without this call a file keeps its old content.
    pub fn commit(self) -> io::Result<()> {
        match self {
            Destination::Stdout(mut out) => out.flush()?,
            Destination::Direct(mut out) => out.flush()?,
            Destination::File(out, path) => {
                let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                file.persist(&path).map_err(|error| error.error)?;
                if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                    // Some file systems cannot sync a folder; the file itself is synced.
                    let _ = File::open(folder).and_then(|folder| folder.sync_all());
                }
            }
        }
        Ok(())
    }
}

/// A temporary file with the permissions that other new files of this user have, not only for its owner.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".copal-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask is applied on top of this.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
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
