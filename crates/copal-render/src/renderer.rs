//! One browser for all tabs of a run, replaced after a crash.

use std::sync::{Arc, Mutex};

use copal_fetch::{Fetcher, GivenDocument};

use crate::connection::lock;
use crate::error::RenderError;
use crate::executable::{FoundBrowser, find_browser};
use crate::options::RenderOptions;
use crate::running::RunningBrowser;
use crate::tab::Tab;
use crate::tab_slots::TabSlots;

/// Attempts to show one page, if the browser crashes.
const MAX_ATTEMPTS: usize = 2;

/// Shows pages in one browser. Clones share it. It ends with the last clone and the last tab.
#[derive(Debug, Clone)]
pub struct Renderer {
    shared: Arc<RendererState>,
}

#[derive(Debug)]
struct RendererState {
    options: RenderOptions,
    found: FoundBrowser,
    running: Mutex<Option<Arc<RunningBrowser>>>,
    slots: Arc<TabSlots>,
}

impl Renderer {
    /// Finds the browser. It is started with the first page.
    pub fn new(options: RenderOptions) -> Result<Self, RenderError> {
        let found = find_browser(options.browser.as_deref())?;
        let shared = RendererState { options, found, running: Mutex::default(), slots: Arc::default() };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// The id of the browser's process, if it runs.
    pub fn process_id(&self) -> Option<u32> {
        lock(&self.shared.running).as_ref().map(|running| running.process_id())
    }

    /// Shows the page at `url`, or the given document as the page at its URL, and waits until it is quiet.
    /// `stop` is asked regularly and ends the wait. If the browser crashes, a second one is tried.
    ///
    /// Has to be called in a tokio runtime, and blocks.
    pub fn open(
        &self,
        url: &str,
        given: Option<&GivenDocument>,
        fetcher: &Fetcher,
        stop: &Arc<dyn Fn() -> bool + Send + Sync>,
    ) -> Result<Tab, RenderError> {
        // the proxy sees what the browser makes of a URL, which may be allowed although the URL is not
        if given.is_none() {
            fetcher.check_url(url)?;
        }
        let slot = self.shared.slots.acquire(self.shared.options.max_tabs, stop)?;
        let mut attempt = 1;
        loop {
            let running = self.running()?;
            let tab = Tab::new(running, slot.clone(), given, fetcher, &self.shared.options, stop);
            match tab.and_then(|mut tab| tab.navigate(url).map(|()| tab)) {
                Err(error) if error.may_be_repeated() && attempt < MAX_ATTEMPTS => attempt += 1,
                result => return result,
            }
        }
    }

    /// The browser, started or replaced if necessary.
    fn running(&self) -> Result<Arc<RunningBrowser>, RenderError> {
        let mut running = lock(&self.shared.running);
        if let Some(running) = running.as_ref().filter(|running| !running.connection.has_ended()) {
            return Ok(Arc::clone(running));
        }
        if let Some(ended) = running.take() {
            ended.kill();
        }
        let started = Arc::new(RunningBrowser::start(&self.shared.found, self.shared.options.sandbox)?);
        *running = Some(Arc::clone(&started));
        Ok(started)
    }
}
