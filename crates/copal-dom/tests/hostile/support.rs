//! What the tests of hostile pages share: how pages are made and read, and what must hold for each of them.

use crate::common::check_arena;
use copal_dom::xpath::XPaths;
use copal_dom::{Limit, Limits, Page, PageSource, Tree, Warning, serialise};
use std::time::{Duration, Instant};

/// `n` pieces, each made from its index.
pub(crate) fn each(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect()
}

/// `n` nested elements with something inside the innermost.
pub(crate) fn nested(open: &str, inside: &str, close: &str, n: usize) -> String {
    [&open.repeat(n), inside, &close.repeat(n)].concat()
}

/// The default limits without a real time limit: a busy machine must not change a result.
pub(crate) fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.time = Duration::from_hours(1);
    limits
}

/// The default limits with one changed.
pub(crate) fn limits_with(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = limits();
    change(&mut limits);
    limits
}

/// The limits that were hit, in order of definition.
pub(crate) fn hits(page: &Page) -> Vec<Limit> {
    let mut hits: Vec<Limit> = page.warnings.iter().filter_map(Warning::limit).collect();
    hits.sort();
    hits
}

/// Far above what any page takes. A test that comes near it hangs.
pub(crate) const MAX_PARSE_TIME: Duration = Duration::from_mins(1);

/// Runs on a thread with a small stack: recursion over the input would end the whole test run.
pub(crate) fn on_a_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run).expect("a thread starts");
    match thread.join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Reads a page and checks everything that must hold for every page.
pub(crate) fn read(name: &str, text: &str, limits: &Limits) -> Page {
    let start = Instant::now();
    let page = Page::from_text(text, limits);
    assert!(start.elapsed() < MAX_PARSE_TIME, "{name} took {:?}", start.elapsed());
    check_arena(&page.tree);
    check_caps(name, &page.tree, limits);
    use_everything(&page);
    page
}

pub(crate) fn check_caps(name: &str, tree: &Tree, limits: &Limits) {
    // one token may add implied and reopened elements; `html`, `head` and `body` always exist
    let reopened = (2 * limits.nodes).isqrt() + 8;
    assert!(tree.len() <= limits.nodes + reopened, "{name}: {} nodes", tree.len());
    let text = tree.raw_text(0).len();
    assert!(text <= limits.text_bytes, "{name}: {text} bytes of text");
    for node in tree.nodes() {
        // the deepest element may have texts, and raw text elements that must not become text of the page
        let element = if tree.is_text(node) { tree.parent(node) } else { node };
        let raw =
            ["script", "style", "title", "textarea", "iframe", "noframes"].contains(&tree.tag_name(element));
        let depth = tree.depth(element) as usize - usize::from(raw);
        assert!(depth <= limits.depth.max(3), "{name}: element {element} at depth {depth}");
        let attributes = tree.attributes(node).count();
        assert!(attributes <= limits.attributes + 200, "{name}: node {node} has {attributes} attributes");
        for (attribute, value) in tree.attributes(node) {
            assert!(value.len() <= limits.attribute_bytes, "{name}: {attribute} has {} bytes", value.len());
        }
    }
    assert!(tree.heap_bytes() < 100_000_000, "{name}: {} bytes", tree.heap_bytes());
}

/// Calls everything that walks over a page: nothing may overflow, hang or panic.
pub(crate) fn use_everything(page: &Page) {
    let all = page.tree.nodes();
    let shown = page.visible_text(all.clone());
    assert!(
        shown.is_empty() == (page.index.leaves(&all) == 0),
        "text and index agree on whether there is any"
    );
    assert!(page.index.link_chars(&all) <= page.index.chars(&all));
    let html = serialise::html(&page.tree, 0);
    assert!(page.tree.is_empty() || html.starts_with('<'));
    // the last node is often the deepest one or has the most siblings
    let paths = XPaths::new(&page.tree);
    for node in [0, page.tree.len() as u32 / 2, page.tree.len() as u32 - 1] {
        assert!(paths.of(node).starts_with('/'));
    }
    let _ = (page.title(), page.lang(), page.clone());
}

pub(crate) fn read_bytes(bytes: &[u8], limits: &Limits) -> Page {
    let page = Page::from_bytes(bytes, PageSource::default(), limits).expect("a page");
    check_arena(&page.tree);
    check_caps("bytes", &page.tree, limits);
    use_everything(&page);
    page
}
