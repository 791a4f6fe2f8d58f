//! Pages whose XPaths would fill the memory: the answer and its JSON stay small, and what is left out is
//! reported.

#![allow(clippy::unwrap_used)]

use copal_dom::xpath::MAX_PAGE_XPATH_BYTES;
use copal_dom::{Limits, Page};
use copal_extract::{Answer, Request, extract};
use copal_output::{Format, JsonOptions, PageLines};

/// Counts what is written.
#[derive(Default)]
struct Count(usize);

impl std::io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn items(count: usize) -> String {
    (0..count).map(|n| format!("<li>Item {n}")).collect()
}

fn json_bytes(answer: &Answer, sources: bool) -> usize {
    let mut out = Count::default();
    PageLines { options: JsonOptions { sources } }.page(&mut out, "a.html", answer).unwrap();
    out.0
}

/// The peak of the memory of this process in bytes; 0 where it is not known.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).map_or(0, |kilobytes| kilobytes.parse::<usize>().unwrap() * 1024)
}

#[test]
fn xpaths_of_deep_pages_are_bounded() {
    // 480 nested elements with names of 1,000 bytes, and 10,000 items: 4.8 GB of XPaths
    let names: String = (0..480).map(|n| format!("<x{n}-{}>", "y".repeat(1000))).collect();
    let page = Page::from_text(&format!("{names}<ul>{}</ul>", items(10_000)), &Limits::default());
    let mut answer = extract(&page, &Request::default());
    assert_eq!(answer.primary().unwrap().records.len(), 10_000);
    let table = answer.primary().unwrap().records[0].place.xpaths.clone();
    assert!(table.heap_bytes() < 4 << 20, "{}", table.heap_bytes());
    for sources in [false, true] {
        let bytes = json_bytes(&answer, sources);
        assert!(bytes < 8 << 20, "{bytes}");
    }
    let value = copal_output::page_value("a.html", &answer);
    assert_eq!(
        value["warnings"].as_array().unwrap().last().unwrap().as_str().unwrap().split(' ').nth(1),
        Some("XPaths")
    );
    // 480 nested elements and 200,000 items: 700 MB of XPaths
    let html = format!("{}<ul>{}</ul>", "<div>".repeat(480), items(200_000));
    answer = extract(&Page::from_text(&html, &Limits::default()), &Request::default());
    assert_eq!(answer.primary().unwrap().records.len(), 200_000);
    let bytes = json_bytes(&answer, true);
    assert!(bytes > MAX_PAGE_XPATH_BYTES && bytes < MAX_PAGE_XPATH_BYTES + (80 << 20), "{bytes}");
    assert!(peak() < 500 << 20, "{}", peak());
}
