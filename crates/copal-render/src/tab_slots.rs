//! Limits the number of tabs that are open at the same time.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::connection::lock;
use crate::error::RenderError;

/// Time between two questions whether the run was interrupted.
const ASK_EVERY: Duration = Duration::from_millis(200);

/// The tabs that are open.
#[derive(Debug, Default)]
pub(crate) struct TabSlots {
    open: Mutex<usize>,
    closed: Condvar,
}

/// Permission to have one tab open.
#[derive(Debug)]
pub(crate) struct TabSlot {
    slots: Arc<TabSlots>,
}

impl TabSlots {
    /// Waits until fewer than `max_tabs` are open, or until the run is interrupted.
    pub(crate) fn acquire(
        self: &Arc<Self>,
        max_tabs: usize,
        stop: &Arc<dyn Fn() -> bool + Send + Sync>,
    ) -> Result<Arc<TabSlot>, RenderError> {
        let mut open = lock(&self.open);
        while *open >= max_tabs.max(1) {
            if stop() {
                return Err(RenderError::Stopped);
            }
            open = self.closed.wait_timeout(open, ASK_EVERY).unwrap_or_else(PoisonError::into_inner).0;
        }
        *open += 1;
        Ok(Arc::new(TabSlot { slots: Arc::clone(self) }))
    }
}

impl Drop for TabSlot {
    fn drop(&mut self) {
        *lock(&self.slots.open) -= 1;
        self.slots.closed.notify_one();
    }
}
