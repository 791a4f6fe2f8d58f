//! Where bytes go: stdout, or a file that is written whole or not at all.
//!
//! A file is written beside its place under another name, synced and then renamed; devices and pipes are written
//! to directly. A file that was there before gives its permissions.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// An open destination; call [`Destination::commit`] when all is written.
#[derive(Debug)]
pub enum Destination {
    /// Standard output.
    Stdout(BufWriter<io::Stdout>),
    /// A device or a pipe.
    Direct(BufWriter<File>),
    /// A file in the making.
    File(BufWriter<NamedTempFile>, PathBuf),
}

impl Destination {
    /// Opens a path, or standard output if there is none.
    pub fn open(path: Option<&Path>) -> io::Result<Destination> {
        let Some(path) = path else { return Ok(Destination::Stdout(BufWriter::new(io::stdout()))) };
        if path.is_dir() {
            return Err(io::Error::other("is a folder: expected a file name"));
        }
        if fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
            return Ok(Destination::Direct(BufWriter::new(OpenOptions::new().write(true).open(path)?)));
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if folder.exists() && !folder.is_dir() {
            return Err(io::Error::other(format!("{} is a file, not a folder", folder.display())));
        }
        if !folder.is_dir() {
            let text = format!("folder {} does not exist: create it first", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, text));
        }
        // a link is followed: what it points to is replaced, beside itself
        if let Some(target) = fs::canonicalize(path).ok().filter(|_| path.is_symlink()) {
            return Destination::open(Some(&target));
        }
        let file = new_file(folder)?;
        if let Ok(old) = fs::metadata(path) {
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(Destination::File(BufWriter::new(file), path.to_owned()))
    }

    /// Makes what was written last: flushes, syncs, renames.
    pub fn commit(self) -> io::Result<()> {
        match self {
            Destination::Stdout(mut out) => out.flush(),
            Destination::Direct(mut out) => out.flush(),
            Destination::File(out, path) => {
                let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                file.persist(&path).map_err(|error| error.error)?;
                if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                    // a folder that cannot be synced (some file systems) is no reason to fail
                    let _ = File::open(folder).and_then(|folder| folder.sync_all());
                }
                Ok(())
            }
        }
    }
}

/// Temporary files are for their owner only; results are as readable as other new files of this user.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".copal-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // less what the umask takes away
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
