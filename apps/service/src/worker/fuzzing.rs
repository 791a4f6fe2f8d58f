//! What fuzz targets call: corrections against a page, and the copy of a page. A panic is a fault.

use super::page_copy::copy_page;
use crate::task::CorrectionBody;
use copal::wrapper::{Correction, Wrapper, apply, correct, learn};
use copal::{Limits, Page, Request, extract_page};
use serde_json::Value;

/// A page for corrections that come without one.
const SAMPLE: &str = "<h1>Lamps</h1><ul class=l><li class=a><a href=/1>Desk lamp</a> <b>£1.50</b> <i>new, oak</i>
    <li class=a><a href=/2>Floor lamp</a> <b>£2.50</b> <i>old, ash</i><li class=b><a href=/3>Wall lamp</a> <b>£3.50</b>
    </ul><ul class=m><li><a href=/4>Bed lamp</a> <b>£4.50</b><li><a href=/5>Door lamp</a> <b>£5.50</b></ul>";
/// Elements that a copy must never have.
const FORBIDDEN_TAGS: &[&str] = &[
    "script", "iframe", "frame", "object", "embed", "form", "input", "button", "svg", "math", "link", "meta",
    "base", "style", "template", "video", "audio", "source", "applet", "portal", "noscript",
];
/// Attributes that run, load or lead somewhere.
const FORBIDDEN_ATTRIBUTES: &[&str] = &[
    "href",
    "srcset",
    "action",
    "formaction",
    "ping",
    "target",
    "background",
    "poster",
    "data",
    "is",
    "srcdoc",
    "name",
    "manifest",
    "cite",
    "longdesc",
    "usemap",
    "nonce",
];

/// Corrections as JSON, then a zero byte and a page; without it a page of our own. The first correction that cannot be
/// followed is an error, and what follows the others is a wrapper that can be written and read again.
///
/// # Panics
/// If the wrapper cannot be read again: that is what is looked for.
pub fn fuzz_corrections(bytes: &[u8]) {
    let (json, html) = match bytes.iter().position(|&byte| byte == 0) {
        Some(at) => (&bytes[..at], String::from_utf8_lossy(&bytes[at + 1..]).into_owned()),
        None => (bytes, SAMPLE.to_owned()),
    };
    let Ok(bodies) = serde_json::from_slice::<Vec<CorrectionBody>>(json) else { return };
    let page = Page::from_text(&html, &Limits::default());
    let answer = extract_page(&page, &Request::default());
    let Ok(learned) = learn(&[(&page, &answer)]) else { return };
    let corrections: Vec<Correction> = bodies.into_iter().map(Correction::from).collect();
    if let Ok(corrected) = correct(learned.wrapper, &page, &corrections) {
        let text = corrected.wrapper.to_string();
        let again = Wrapper::parse(&text);
        assert!(again.is_ok(), "a corrected wrapper cannot be read: {text}");
        apply(&corrected.wrapper, &page);
    }
}

/// Any text as a page, and its copy.
///
/// # Panics
/// If the copy has anything that runs, loads or leads somewhere, or an element before the one around it.
pub fn fuzz_page_copy(html: &str) {
    let page = Page::from_text(html, &Limits::default());
    let copy = copy_page(&page);
    let mut known = vec![false; page.tree.len()];
    for entry in &copy.shown {
        let number = |at: usize| entry[at].as_u64().map_or(usize::MAX, |number| number as usize);
        let (node, parent) = (number(0), number(1));
        assert!(parent == 0 || known.get(parent).copied().unwrap_or(false), "{entry}");
        let Some(Value::Object(attributes)) = entry.get(3) else { continue };
        known[node] = true;
        let tag = entry[2].as_str().unwrap_or_default();
        assert!(!FORBIDDEN_TAGS.contains(&tag) && tag.bytes().all(|b| b.is_ascii_alphanumeric()), "{entry}");
        for (name, value) in attributes {
            let value = value.as_str().unwrap_or_default();
            assert!(!name.starts_with("on") && !FORBIDDEN_ATTRIBUTES.contains(&name.as_str()), "{entry}");
            let is_picture = tag == "img" && value.starts_with("data:image/") && !value.contains("svg");
            assert!(name != "src" || is_picture, "{entry}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_corrections_are_followed_or_refused() {
        let long = "x".repeat(5000);
        for json in [
            "[]".to_owned(),
            r#"[{"exclude": {"records": [0, 1, 4294967295]}}]"#.to_owned(),
            r#"[{"include": {"records": [0, 4294967295]}}]"#.to_owned(),
            r#"[{"include": {"records": [1, 2, 3, 20, 25, 30]}}]"#.to_owned(),
            r#"[{"include": {"records": [30]}}, {"exclude": {"records": [30]}}]"#.to_owned(),
            r#"[{"rename": {"column": "title", "to": "a: [b"}}]"#.to_owned(),
            format!(r#"[{{"rename": {{"column": "title", "to": "{long}"}}}}]"#),
            r#"[{"split": {"column": "title", "at": "\u0000", "names": ["", "", ":"]}}]"#.to_owned(),
            r#"[{"add": {"name": "- &x *y", "node": 5, "from": "href"}}]"#.to_owned(),
            r#"[{"merge": {"columns": ["title", "title"], "to": "title"}}]"#.to_owned(),
            r#"[{"order": {"columns": ["title", "title"]}}]"#.to_owned(),
            format!("[{}]", [r#"{"exclude": {"records": [8]}}"#; 600].join(",")),
        ] {
            fuzz_corrections(json.as_bytes());
        }
        fuzz_corrections(b"[{\"include\": {\"records\": [3]}}]\0<ul><li>a<li>b<li>c");
        fuzz_corrections(b"[{\"hide\": {\"column\": \"x\"}}]\0");
    }

    #[test]
    fn copies_of_broken_pages_are_harmless() {
        for html in [
            "<svg><p><script>a()</script><foreignObject><iframe src=x>",
            "<table><a href=x><tr><form><input onfocus=a() autofocus>",
            "<img src=DATA:image/png;base64,AA== onerror=a()><img src='data:image/svg+xml;base64,AA=='>",
            "<math><mi xlink:href=x><mglyph src=x><style><img src=x onerror=a()>",
            "<template><b onclick=a()><p is=x><object data=x>",
        ] {
            fuzz_page_copy(html);
        }
        fuzz_page_copy(&"<div><svg><p>".repeat(3000));
    }
}
