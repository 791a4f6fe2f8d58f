//! What a command and its workers send each other.

use copal::model::TransferredAnswer;
use copal::{Answer, NamedAnswer, TransferredNamedAnswer};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;

/// A page that is to be read; its bytes are sent with it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct IsolatedPage {
    /// How answers and errors name it.
    pub(crate) name: String,
    /// The path of the file that it was read from, if it was: stylesheets are saved next to it. Not a `PathBuf`, which
    /// cannot be sent if it is not UTF-8.
    pub(crate) file: Option<OsString>,
    /// The URL that it was fetched from, if it was.
    pub(crate) fetched_from: Option<String>,
    /// If it redirects with `<meta http-equiv=refresh>`, its target is wanted, and not its answer.
    pub(crate) may_move: bool,
    pub(crate) content_type: Option<String>,
    pub(crate) charset: Option<String>,
}

/// What the command sends.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ToWorker {
    /// The memory beyond that of the idle worker that a page may need. Sent once.
    Start { memory_bytes: u64 },
    /// Pages that are answered together.
    Read(Vec<IsolatedPage>),
}

/// What a worker sends.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum FromWorker {
    /// The next page is read now.
    Begun,
    /// All pages were read, and are answered together now.
    Deciding,
    /// One result per page, in their order; answers are in the bodies.
    Done { results: Vec<PageResult>, has_annotator_failed: bool },
}

/// What became of a page.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum PageResult {
    /// A page of a set: the next body.
    OfSet,
    /// The lists of data: the next body.
    OfData,
    /// The page says that it is elsewhere.
    Moved(String),
    Failed {
        message: String,
        hint: Option<String>,
    },
}

/// The answer for a page that was read in a worker.
#[derive(Debug)]
pub(crate) enum IsolatedAnswer {
    Page(Box<NamedAnswer>),
    Data(Box<Answer>),
    /// The page redirects to this URL.
    Moved(String),
}

impl PageResult {
    /// The answer, with the bodies that come after it.
    pub(super) fn answer(
        self,
        bodies: &mut impl Iterator<Item = Vec<u8>>,
    ) -> Option<Result<IsolatedAnswer, (String, Option<String>)>> {
        Some(match self {
            PageResult::OfSet => {
                let sent: TransferredNamedAnswer = serde_json::from_slice(&bodies.next()?).ok()?;
                Ok(IsolatedAnswer::Page(Box::new(sent.into())))
            }
            PageResult::OfData => {
                let sent: TransferredAnswer = serde_json::from_slice(&bodies.next()?).ok()?;
                Ok(IsolatedAnswer::Data(Box::new(sent.into())))
            }
            PageResult::Moved(url) => Ok(IsolatedAnswer::Moved(url)),
            PageResult::Failed { message, hint } => Err((message, hint)),
        })
    }
}
