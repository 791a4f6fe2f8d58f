//! Any text as the data that a page carries for its scripts: in scripts of each kind, in an attribute and as JSON-LD.

use crate::checks::extract::check_regions;
use crate::variants::{is_repeated, variants};
use copal_dom::{Limits, Page};
use copal_extract::{Request, extract};
use std::time::Duration;

const LIST: &str = "<ul><li><a href=/1>Blue lamp</a> <b>£12</b><li><a href=/2>Red lamp</a> <b>£14</b>\
    <li><a href=/3>Green lamp</a> <b>£9</b></ul>";

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let quoted = text.replace('&', "&amp;").replace('\'', "&#39;");
    let literal = serde_json::Value::from(&*text).to_string();
    let pages = [
        format!("<script type='application/ld+json'>{text}</script>{LIST}"),
        format!("<script id=__NEXT_DATA__ type='application/json'>{text}</script><div id=app></div>"),
        format!("<script>window.__STATE__ = {text};</script>{LIST}"),
        format!("<script>var a = JSON.parse({literal}); push([1,{literal}])</script>{LIST}"),
        format!("<div data-props='{quoted}' data-items='{quoted}'></div>{LIST}"),
    ];
    let mut request = Request::default();
    request.embedded = true;
    request.all = true;
    request.limits.time = Duration::from_hours(1);
    for html in &pages[variants(bytes, pages.len())] {
        let mut limits = Limits::default();
        limits.time = Duration::from_hours(1);
        let page = Page::from_text(html, &limits);
        let found = extract(&page, &request);
        check_regions(&page, &found);
        if is_repeated(bytes) {
            assert_eq!(format!("{found:?}"), format!("{:?}", extract(&page, &request)), "not deterministic");
        }
    }
}
