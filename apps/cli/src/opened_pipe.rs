//! Standard input and other pipes without a name that tells what they bring: their first bytes do, and they can be read
//! only once.
//!
//! In: a pipe. Out: whether it brings an archive or a page, and its bytes, once.

use crate::error::CliError;
use copal_archive::ArchiveInput;
use std::fmt;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A pipe whose first bytes were looked at.
#[derive(Clone)]
pub(crate) struct OpenedPipe {
    /// How messages name it.
    pub(crate) name: String,
    /// It brings the records of an archive.
    pub(crate) is_archive: bool,
    input: Arc<Mutex<Option<ArchiveInput>>>,
}

impl OpenedPipe {
    /// Opens standard input, if it is not a terminal.
    pub(crate) fn stdin() -> Option<Result<OpenedPipe, CliError>> {
        let is_pipe = !io::stdin().is_terminal();
        is_pipe.then(|| OpenedPipe::new("-".to_owned(), ArchiveInput::of_pipe(io::stdin())))
    }

    /// Opens a pipe that the shell made (`<(…)`, `/dev/stdin`). `None` for a file, and for a pipe that has a name: its
    /// writer may wait until an earlier one was read to its end.
    pub(crate) fn at(path: &Path) -> Option<Result<OpenedPipe, CliError>> {
        let is_of_shell = path.starts_with("/dev") || path.starts_with("/proc/self/fd");
        let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
        let open = || ArchiveInput::open(path).map_err(|error| CliError::reading(&error));
        (is_of_shell && !is_file).then(|| OpenedPipe::new(path.display().to_string(), open()?))
    }

    fn new(name: String, mut input: ArchiveInput) -> Result<OpenedPipe, CliError> {
        let is_archive = input.begins_like_archive().map_err(|error| CliError::reading(&error))?;
        Ok(OpenedPipe { name, is_archive, input: Arc::new(Mutex::new(Some(input))) })
    }

    /// Its bytes, with the first ones. They can be taken once.
    pub(crate) fn take(&self) -> io::Result<ArchiveInput> {
        let taken = self.input.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.ok_or_else(|| io::Error::other("a pipe can be read only once"))
    }
}

impl fmt::Debug for OpenedPipe {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("OpenedPipe").field("name", &self.name).finish_non_exhaustive()
    }
}
