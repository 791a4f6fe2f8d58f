//! Waits until a page has finished: its document is loaded, the network is idle and the tree no longer
//! changes. All waits are bounded.

use std::thread;
use std::time::{Duration, Instant};

use copal_fetch::EgressProxy;
use serde_json::Value;

use crate::error::RenderError;
use crate::session::PageSession;

/// Time between two looks at the page.
const LOOK_EVERY: Duration = Duration::from_millis(60);
/// A page with content is quiet after this time without a change.
const QUIET_TIME: Duration = Duration::from_millis(500);
/// A page that is nearly empty, or that says that it is busy, gets more time: its data may be requested late.
const QUIET_TIME_IF_EMPTY: Duration = Duration::from_millis(2_500);
/// Requests that never end (chats, live updates) do not count if nothing has changed for this long.
const QUIET_TIME_WITH_REQUESTS: Duration = Duration::from_secs(4);
/// Letters of text below which a page is nearly empty.
const MIN_TEXT: u64 = 400;
/// Time for the page to answer. A page whose script does not end does not answer at all.
const LOOK_TIME: Duration = Duration::from_secs(5);

/// What is looked at: whether the document is loaded, the number of elements, the length of the text, whether
/// the page says that it is busy. Scripts and styles are not text that readers see.
const LOOK: &str = "(() => { let all = 0, text = 0; \
    const count = root => { for (const e of root.querySelectorAll('*')) { if (++all > 200000) return; \
        if (e.shadowRoot) count(e.shadowRoot); } }; \
    count(document); \
    if (document.body) { text = document.body.textContent.length; \
        for (const e of document.body.querySelectorAll('script,style,noscript,template')) \
            text -= e.textContent.length; } \
    return [document.readyState === 'complete', all, text, \
        document.querySelector('[aria-busy=true],[role=progressbar]') !== null]; })()";

/// How the wait for a page ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitEnd {
    Quiet,
    /// The page was still changing.
    OutOfTime,
}

/// Waits until the page is quiet, at most `time`. `may_be_empty` gives nearly empty pages more time.
pub(crate) fn wait_until_quiet(
    session: &mut PageSession,
    proxy: &EgressProxy,
    time: Duration,
    may_be_empty: bool,
) -> Result<WaitEnd, RenderError> {
    let began = Instant::now();
    let mut last_look = Value::Null;
    let mut last_change = began;
    loop {
        session.handle_events()?;
        // An evaluation fails while the page is being replaced by another one.
        match session.evaluate(LOOK, LOOK_TIME) {
            Ok(look) => {
                if look != last_look {
                    (last_look, last_change) = (look, Instant::now());
                }
            }
            Err(RenderError::Browser { .. }) => last_change = Instant::now(),
            // A busy script does not let the page answer. One that never ends is an error.
            Err(error @ RenderError::Timeout { .. }) if began.elapsed() >= time => return Err(error),
            Err(RenderError::Timeout { .. }) => {}
            Err(error) => return Err(error),
        }
        let now = Instant::now();
        if is_quiet(&last_look, now - last_change, proxy.idle_time(now), may_be_empty) {
            return Ok(WaitEnd::Quiet);
        }
        if began.elapsed() >= time {
            return Ok(WaitEnd::OutOfTime);
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// `look` is what was seen, `unchanged` how long ago it was different, `idle` how long the network has been
/// idle, if it is.
fn is_quiet(look: &Value, unchanged: Duration, idle: Option<Duration>, may_be_empty: bool) -> bool {
    if look[0] != true {
        return false;
    }
    let is_empty = may_be_empty && look[2].as_u64().unwrap_or_default() < MIN_TEXT || look[3] == true;
    let needed = if is_empty { QUIET_TIME_IF_EMPTY } else { QUIET_TIME };
    match idle {
        Some(idle) => unchanged.min(idle) >= needed,
        None => unchanged >= QUIET_TIME_WITH_REQUESTS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn empty_pages_get_more_time() {
        let ms = Duration::from_millis;
        let (full, empty, busy) =
            (json!([true, 90, 9000, false]), json!([true, 5, 10, false]), json!([true, 90, 9000, true]));
        let quiet = |look: &Value, unchanged, idle| is_quiet(look, ms(unchanged), idle, true);
        assert!(quiet(&full, 600, Some(ms(600))));
        assert!(!quiet(&full, 600, Some(ms(100))) && !quiet(&full, 100, Some(ms(600))));
        assert!(!quiet(&empty, 600, Some(ms(600))) && !quiet(&busy, 600, Some(ms(600))));
        assert!(quiet(&empty, 2600, Some(ms(2600))));
        assert!(is_quiet(&empty, ms(600), Some(ms(600)), false));
        assert!(!quiet(&full, 600, None) && quiet(&full, 4100, None));
        assert!(!quiet(&json!([false, 90, 9000, false]), 9000, Some(ms(9000))));
        assert!(!quiet(&Value::Null, 9000, Some(ms(9000))));
    }
}
