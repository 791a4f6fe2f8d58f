//! Why following ended, and how to end it.

use std::fmt;
use std::sync::Arc;
use tokio::sync::watch;

/// Why a list was not followed further.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// As many records as the pages name.
    Counter,
    /// The last page has no link to a further one.
    NoNext,
    /// Further pages have records that are known already.
    NothingNew,
    /// The next page has no such list.
    OtherPage(String),
    /// The next page was read before.
    Loop,
    /// As many pages as were asked for.
    Limit,
    /// The next page could not be read.
    Failed(String),
    /// Someone said stop.
    Interrupted,
}

impl Stop {
    /// True if the list is whole, as far as its pages tell.
    pub fn is_whole(&self) -> bool {
        matches!(self, Stop::Counter | Stop::NoNext | Stop::NothingNew | Stop::OtherPage(_) | Stop::Loop)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Counter => f.write_str("as many records as the page says there are"),
            Stop::NoNext => f.write_str("no link to a further page"),
            Stop::NothingNew => f.write_str("further pages have nothing new"),
            Stop::OtherPage(url) => write!(f, "{url} has no such list"),
            Stop::Loop => f.write_str("the next page was read before"),
            Stop::Limit => f.write_str("as many pages as asked for"),
            Stop::Failed(why) => write!(f, "the next page could not be read: {why}"),
            Stop::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// Ends all that goes on, from any thread. Clones are one.
#[derive(Debug, Clone)]
pub struct Stopper {
    sender: Arc<watch::Sender<bool>>,
}

impl Default for Stopper {
    fn default() -> Self {
        Stopper { sender: Arc::new(watch::channel(false).0) }
    }
}

impl Stopper {
    /// A stopper that has not been used.
    pub fn new() -> Stopper {
        Stopper::default()
    }

    /// Ends what goes on.
    pub fn stop(&self) {
        self.sender.send_replace(true);
    }

    /// True once it was used.
    pub fn is_stopped(&self) -> bool {
        *self.sender.borrow()
    }

    /// Waits for work; none if someone said stop first.
    pub async fn unless_stopped<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut receiver = self.sender.subscribe();
        tokio::select! {
            biased;
            _ = receiver.wait_for(|stopped| *stopped) => None,
            done = work => Some(done),
        }
    }
}
