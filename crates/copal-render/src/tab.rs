//! One page in the browser, in a context of its own: no cookies, storage or proxy are shared with other tabs.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use copal_dom::{Limits, Node, Page, Warning};
use copal_fetch::{
    EgressOptions, EgressProxy, EgressReport, FetchError, Fetcher, GivenDocument, ObservedResponse,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::captured::{CapturedSnapshot, PROPERTIES};
use crate::connection::printable;
use crate::error::RenderError;
use crate::options::RenderOptions;
use crate::quiet::{WaitEnd, wait_until_quiet};
use crate::running::RunningBrowser;
use crate::session::{PageSession, StopCheck};
use crate::snapshot::{FrameSnapshot, convert};
use crate::tab_slots::TabSlot;

/// Time for a page to scroll.
const SCROLL_TIME: Duration = Duration::from_secs(15);
/// Time for the first response of a page, with the wait for the host's turn, robots.txt and redirects.
const NAVIGATION_TIME: Duration = Duration::from_mins(5);
/// Time for a snapshot or a picture.
const SNAPSHOT_TIME: Duration = Duration::from_mins(1);
/// The size of the window.
const WINDOW: (u32, u32) = (1280, 1024);
/// The highest picture of a page.
const MAX_PICTURE_HEIGHT: f64 = 16_000.0;

/// Runs in every document before its own scripts: no windows, and no connections beside the proxy.
const BEFORE_SCRIPTS: &str = "window.open = () => null; window.print = () => {}; \
    for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) \
        try { delete window[name]; } catch {}";

/// Scrolls the window and the largest scrollable element, and returns whether anything moved.
const SCROLL: &str = "(to => { \
    const areas = [document.scrollingElement || document.documentElement]; \
    let best = null, size = 0; \
    for (const e of document.querySelectorAll('*')) { \
        if (e.scrollHeight > e.clientHeight + 40 && e.clientHeight > 100 && e !== areas[0] && e !== document.body) { \
            const flow = getComputedStyle(e).overflowY; \
            if ((flow === 'auto' || flow === 'scroll') && e.clientHeight * e.clientWidth > size) { \
                best = e; size = e.clientHeight * e.clientWidth; } } } \
    if (best) areas.push(best); \
    let moved = false; \
    for (const area of areas) { \
        const before = area.scrollTop, height = Math.min(area.clientHeight, innerHeight); \
        area.scrollTop = to === 'top' ? 0 : to === 'end' ? area.scrollHeight : before + 0.8 * height; \
        moved = moved || Math.abs(area.scrollTop - before) > 1; } \
    return moved; })";

/// How far a page is scrolled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScrollStep {
    /// To the beginning.
    Top,
    /// By most of the window's height.
    Window,
    /// To the end.
    End,
}

/// The elements of the browser that the nodes of a page are.
#[derive(Debug, Clone, Default)]
pub struct PageElements {
    backend_ids: Vec<i64>,
}

impl PageElements {
    /// The element that a node is; `None` for texts, and for nodes of frames in other processes.
    pub fn get(&self, node: Node) -> Option<ElementHandle> {
        self.backend_ids.get(node as usize).copied().filter(|&id| id > 0).map(ElementHandle)
    }

    /// The node that an element is; `None` if the page no longer has it.
    pub fn node(&self, element: ElementHandle) -> Option<Node> {
        let at = self.backend_ids.iter().position(|&id| id == element.0)?;
        Node::try_from(at).ok()
    }

    /// True if the page still has the element.
    pub fn contains(&self, element: ElementHandle) -> bool {
        self.backend_ids.contains(&element.0)
    }
}

/// An element of the page in the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ElementHandle(pub(crate) i64);

/// One page in the browser. Closed when it is dropped.
#[derive(Debug)]
pub struct Tab {
    pub(crate) session: PageSession,
    context: String,
    proxy: EgressProxy,
    pub(crate) page_time: Duration,
    action_pause: Duration,
    /// The page was still changing when it was read.
    is_unfinished: bool,
    running: Arc<RunningBrowser>,
    _slot: Arc<TabSlot>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreatedContext {
    browser_context_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreatedTarget {
    target_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigated {
    error_text: Option<String>,
}

impl Tab {
    pub(crate) fn new(
        running: Arc<RunningBrowser>,
        slot: Arc<TabSlot>,
        given: Option<&GivenDocument>,
        fetcher: &Fetcher,
        options: &RenderOptions,
        stop: &Arc<dyn Fn() -> bool + Send + Sync>,
    ) -> Result<Self, RenderError> {
        let mut egress = EgressOptions::default();
        egress.documents.extend(given.cloned());
        egress.images = options.images;
        let proxy = EgressProxy::start(fetcher, egress)?;
        let created: CreatedContext = running.call(
            "Target.createBrowserContext",
            &json!({
                "disposeOnDetach": true,
                "proxyServer": format!("http://{}", proxy.address()),
                // loopback goes through the proxy too
                "proxyBypassList": "<-loopback>",
            }),
        )?;
        let context = created.browser_context_id;
        for (method, params) in [
            ("Browser.setDownloadBehavior", json!({ "behavior": "deny", "browserContextId": context })),
            // grants nothing, which refuses everything
            ("Browser.grantPermissions", json!({ "permissions": [], "browserContextId": context })),
        ] {
            let _: Value = running.call(method, &params)?;
        }
        let params = json!({ "url": "about:blank", "browserContextId": context });
        let target: CreatedTarget = running.call("Target.createTarget", &params)?;
        let session =
            PageSession::attach(&running.connection, &target.target_id, StopCheck(Arc::clone(stop)))?;
        let tab = Self {
            session,
            context,
            proxy,
            page_time: options.page_time,
            action_pause: options.action_pause,
            is_unfinished: false,
            running,
            _slot: slot,
        };
        tab.prepare()?;
        Ok(tab)
    }

    fn prepare(&self) -> Result<(), RenderError> {
        let (width, height) = WINDOW;
        for (method, params) in [
            ("Page.enable", json!({})),
            ("Inspector.enable", json!({})),
            ("Network.enable", json!({ "maxTotalBufferSize": 1, "maxResourceBufferSize": 1 })),
            ("Network.setBypassServiceWorker", json!({ "bypass": true })),
            (
                "Emulation.setDeviceMetricsOverride",
                json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
            ),
            ("Page.addScriptToEvaluateOnNewDocument", json!({ "source": BEFORE_SCRIPTS })),
            (
                "Target.setAutoAttach",
                json!({ "autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true }),
            ),
        ] {
            let _: Value = self.session.call(method, &params)?;
        }
        Ok(())
    }

    /// Opens a URL and waits until the page is quiet.
    pub(crate) fn navigate(&mut self, url: &str) -> Result<(), RenderError> {
        let params = json!({ "url": url });
        let session = self.session.session.clone();
        let navigated: Navigated =
            self.session.call_within(&session, "Page.navigate", &params, NAVIGATION_TIME)?;
        self.check_documents()?;
        if let Some(reason) = navigated.error_text.filter(|reason| !reason.is_empty()) {
            return Err(RenderError::Browser { reason: printable(&reason) });
        }
        self.settle(true, self.page_time)?;
        self.check_documents()
    }

    /// Fails if the page's own document was refused or is an error page: the last document that the window
    /// itself asked for.
    pub(crate) fn check_documents(&self) -> Result<(), RenderError> {
        let report = self.proxy.report();
        let Some(document) = report.page_document else { return Ok(()) };
        match document.response {
            Err(error) => Err(error.into()),
            Ok(status) if status >= 400 => Err(FetchError::Status { url: document.url, status }.into()),
            Ok(_) => Ok(()),
        }
    }

    /// Waits until the page is quiet, at most `time`. `is_new` gives a page that is nearly empty more time.
    pub(crate) fn settle(&mut self, is_new: bool, time: Duration) -> Result<(), RenderError> {
        let end = wait_until_quiet(&mut self.session, &self.proxy, time.min(self.page_time), is_new)?;
        self.is_unfinished = end == WaitEnd::OutOfTime;
        self.session.close_other_windows(&self.context)
    }

    /// The page as it is now, and its elements.
    pub fn page(&mut self, limits: &Limits) -> Result<(Page, PageElements), RenderError> {
        self.session.handle_events()?;
        let main = self.snapshot(&self.session.session.clone())?;
        let mut frames = Vec::new();
        for frame in &self.session.frames {
            #[derive(Deserialize)]
            #[serde(rename_all = "camelCase")]
            struct FrameOwner {
                backend_node_id: i64,
            }
            // A frame that is gone, or that does not answer, is left out.
            let owner =
                self.session.call::<FrameOwner>("DOM.getFrameOwner", &json!({ "frameId": frame.frame }));
            if let (Ok(owner), Ok(snapshot)) = (owner, self.snapshot(&frame.session)) {
                frames.push(FrameSnapshot { owner: owner.backend_node_id, snapshot });
            }
        }
        let mut converted = convert(&main, &frames, limits);
        converted.page.warnings.extend(self.warnings());
        Ok((converted.page, PageElements { backend_ids: converted.backend_ids }))
    }

    fn snapshot(&self, session: &str) -> Result<CapturedSnapshot, RenderError> {
        let params =
            json!({ "computedStyles": PROPERTIES, "includeDOMRects": false, "includePaintOrder": false });
        self.session.call_within(session, "DOMSnapshot.captureSnapshot", &params, SNAPSHOT_TIME)
    }

    /// What a user should know about how the page was loaded.
    fn warnings(&self) -> Vec<Warning> {
        let EgressReport { limit, refused, .. } = self.proxy.report();
        let mut warnings = Vec::new();
        if let Some(limit) = limit {
            let why = format!("the page asked for more {limit} than one page may");
            warnings.push(Warning::Incomplete { what: "the page".to_owned(), why });
        }
        let by_robots =
            refused.iter().filter(|one| one.kind == Some(copal_fetch::FetchErrorKind::Robots)).count();
        if by_robots > 0 {
            let text = format!("robots.txt disallows {by_robots} of the requests of the page's scripts");
            warnings.push(Warning::Note(text));
        }
        if self.is_unfinished {
            let seconds = self.page_time.as_secs();
            let text =
                format!("the page was still changing after {seconds} seconds: it was read as it was then");
            warnings.push(Warning::Note(text));
        }
        warnings
    }

    /// What the page asked for so far.
    pub fn report(&self) -> EgressReport {
        self.proxy.report()
    }

    /// The JSON that the page's scripts have loaded from the page's own origin since the last call.
    pub fn take_observed(&self) -> Vec<ObservedResponse> {
        self.proxy.take_observed()
    }

    /// Scrolls the page and waits until it is quiet. Returns false if there was nothing to scroll.
    pub fn scroll(&mut self, step: ScrollStep) -> Result<bool, RenderError> {
        self.pause()?;
        let to = match step {
            ScrollStep::Top => "top",
            ScrollStep::Window => "window",
            ScrollStep::End => "end",
        };
        let moved = self.session.evaluate(&format!("{SCROLL}('{to}')"), SCROLL_TIME)?;
        self.settle(false, self.page_time)?;
        Ok(moved == true)
    }

    /// A picture of the whole page, as PNG. Pages that are very high are cut.
    pub fn screenshot(&mut self) -> Result<Vec<u8>, RenderError> {
        #[derive(Deserialize)]
        struct Picture {
            data: String,
        }
        let metrics: Value = self.session.call("Page.getLayoutMetrics", &json!({}))?;
        let size = &metrics["cssContentSize"];
        let width = size["width"].as_f64().unwrap_or_default().clamp(1.0, 4.0 * f64::from(WINDOW.0));
        let height = size["height"].as_f64().unwrap_or_default().clamp(1.0, MAX_PICTURE_HEIGHT);
        let params = json!({
            "format": "png",
            "captureBeyondViewport": true,
            "clip": { "x": 0, "y": 0, "width": width, "height": height, "scale": 1 },
        });
        let session = self.session.session.clone();
        let picture: Picture =
            self.session.call_within(&session, "Page.captureScreenshot", &params, SNAPSHOT_TIME)?;
        base64_bytes(&picture.data)
            .ok_or(RenderError::Browser { reason: "the picture is damaged".to_owned() })
    }

    /// Waits between two actions, so that a server is not asked faster than by following links.
    pub(crate) fn pause(&mut self) -> Result<(), RenderError> {
        self.session.handle_events()?;
        thread::sleep(self.action_pause);
        self.session.handle_events()
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        let params = json!({ "browserContextId": self.context });
        let _: Result<Value, _> = self.running.call("Target.disposeBrowserContext", &params);
    }
}

/// The bytes of a text in base64; `None` if it is not one.
fn base64_bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for symbol in text.bytes().take_while(|&symbol| symbol != b'=') {
        let value = match symbol {
            b'A'..=b'Z' => symbol - b'A',
            b'a'..=b'z' => symbol - b'a' + 26,
            b'0'..=b'9' => symbol - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::base64_bytes;

    #[test]
    fn base64_is_decoded() {
        assert_eq!(base64_bytes("Zm9vYmE=").unwrap(), b"fooba");
        assert_eq!(base64_bytes("").unwrap(), b"");
        assert_eq!(base64_bytes("a b"), None);
    }
}
