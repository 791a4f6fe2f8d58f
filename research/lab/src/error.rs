//! Why a command stops: [`LabError`], and why a single page has no answer: [`PageError`].

use crate::report::in_words;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// Why a command stops.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum LabError {
    #[error("{}: {}", path.display(), in_words(cause))]
    Read { path: PathBuf, cause: io::Error },
    #[error(
        "{}: {}: expected a corpus folder with index.jsonl (see copal-lab eval --help)",
        path.display(),
        in_words(cause)
    )]
    NoIndex { path: PathBuf, cause: io::Error },
    #[error("{}:{line}: expected a JSON object with an id and a task on each line", path.display())]
    IndexLine { path: PathBuf, line: usize },
    #[error("{}:{line}: id {id:?} is not a path inside the corpus", path.display())]
    IndexId { path: PathBuf, line: usize, id: String },
    #[error("{}: no page {wanted}", corpus.display())]
    NoPages { corpus: PathBuf, wanted: String },
    #[error("{}: expected JSON: {cause}", path.display())]
    Json { path: PathBuf, cause: serde_json::Error },
    #[error("cannot write {}: {}", path.display(), in_words(cause))]
    Write { path: PathBuf, cause: io::Error },
    #[error("scorer {} ended with {status}", scorer.display())]
    ScorerFailed { scorer: PathBuf, status: ExitStatus },
    #[error("cannot run python3 {}: {cause}", scorer.display())]
    NoPython { scorer: PathBuf, cause: io::Error },
    #[error("cannot start {jobs} threads: {cause}")]
    Threads { jobs: usize, cause: rayon::ThreadPoolBuildError },
    #[error("{0}")]
    Usage(String),
}

impl LabError {
    pub(crate) fn code(&self) -> u8 {
        if matches!(self, LabError::Usage(_)) { 2 } else { 3 }
    }

    /// For `map_err` on reading a path.
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> LabError {
        let path = path.to_owned();
        move |cause| LabError::Read { path, cause }
    }

    /// For `map_err` on writing a path.
    pub(crate) fn write(path: &Path) -> impl Fn(io::Error) -> LabError {
        let path = path.to_owned();
        move |cause| LabError::Write { path: path.clone(), cause }
    }
}

/// Why a page has no answer. The text goes into the page's prediction, and the run continues.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum PageError {
    #[error("{}", in_words(.0))]
    File(#[from] io::Error),
    #[error(transparent)]
    Decode(#[from] copal::DecodeError),
    #[error(transparent)]
    Document(#[from] copal::ReadError),
    #[error("internal error on this page: please report it")]
    Defect,
}
