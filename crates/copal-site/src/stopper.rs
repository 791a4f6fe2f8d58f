//! Stops visits from another thread or task.

use std::sync::Arc;
use tokio::sync::watch;

/// Stops all visits of one [`Visitor`](crate::Visitor), from any thread. All clones act as one.
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

    /// Stops all visits. This cannot be undone.
    pub fn stop(&self) {
        self.sender.send_replace(true);
    }

    /// True after [`stop`](Self::stop) was called.
    pub fn is_stopped(&self) -> bool {
        *self.sender.borrow()
    }

    /// Waits for `work`. Returns `None` if the stopper is used before it is done.
    pub async fn unless_stopped<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut receiver = self.sender.subscribe();
        tokio::select! {
            biased;
            _ = receiver.wait_for(|stopped| *stopped) => None,
            done = work => Some(done),
        }
    }
}
