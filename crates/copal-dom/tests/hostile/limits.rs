//! Limits of every size: tiny ones and none at all.

use crate::common::check_arena;
use crate::support::{each, hits, limits, limits_with, nested, read, read_bytes, use_everything};
use copal_dom::Limit::{self, AttributeBytes, Attributes, Depth, Nodes, TextBytes};
use copal_dom::{Limits, Page, serialise};
use std::time::Duration;

#[test]
fn every_limit_can_be_small() {
    let words = "word ".repeat(100);
    let page = "<ul class=a id=b title='long title' lang=en><li>one <b>two</b><li>three</ul>".repeat(10);

    for (name, text, limits, expected) in [
        ("nodes", &page, limits_with(|l| l.nodes = 20), &[Nodes][..]),
        ("no nodes", &page, limits_with(|l| l.nodes = 0), &[Nodes]),
        ("depth", &page, limits_with(|l| l.depth = 3), &[Depth]),
        ("depth of the body", &page, limits_with(|l| l.depth = 2), &[Depth]),
        ("no depth", &page, limits_with(|l| l.depth = 0), &[Depth]),
        ("attribute bytes", &page, limits_with(|l| l.attribute_bytes = 5), &[AttributeBytes]),
        ("no attribute bytes", &page, limits_with(|l| l.attribute_bytes = 0), &[AttributeBytes]),
        ("attributes", &page, limits_with(|l| l.attributes = 2), &[Attributes]),
        ("no attributes", &page, limits_with(|l| l.attributes = 0), &[Attributes]),
        ("text bytes", &words, limits_with(|l| l.text_bytes = 52), &[TextBytes]),
        ("no text bytes", &words, limits_with(|l| l.text_bytes = 0), &[TextBytes]),
        ("time", &page, limits_with(|l| l.time = Duration::ZERO), &[Limit::Time]),
        ("bytes do not count for text", &words, limits_with(|l| l.bytes = 0), &[]),
        ("enough", &page, limits(), &[]),
    ] {
        assert_eq!(hits(&read(name, text, &limits)), expected, "{name}");
    }
    let cut = read("text", &words, &limits_with(|l| l.text_bytes = 52));
    assert_eq!(cut.tree.raw_text(0), &words[..52]);
    let none = read("time", &page, &limits_with(|l| l.time = Duration::ZERO));
    assert_eq!(serialise::html(&none.tree, 0), "<html><head></head><body></body></html>");
    let flat = read("depth", &page, &limits_with(|l| l.depth = 3));
    assert!(flat.visible_text(flat.tree.nodes()).starts_with("one two three one"), "the text stays");
}

/// No number may overflow. Some of these pages are deeper or longer than the defaults allow.
#[test]
fn every_limit_can_be_endless() {
    let mut endless = Limits::default();
    (endless.bytes, endless.nodes, endless.depth) = (usize::MAX, usize::MAX, usize::MAX);
    (endless.attribute_bytes, endless.attributes, endless.text_bytes) = (usize::MAX, usize::MAX, usize::MAX);
    endless.time = Duration::MAX;
    for text in [
        nested("<div>", "x", "</div>", 3000),
        format!("<p {}>x", each(12_000, |i| format!("a{i} "))),
        format!("<p title='{}'>x", "v".repeat(1_100_000)),
        "word ".repeat(1_700_000),
    ] {
        let page = Page::from_text(&text, &endless);
        check_arena(&page.tree);
        use_everything(&page);
        assert_eq!(hits(&page), []);
        assert!(page.visible_text(page.tree.nodes()).len() + 1 >= page.tree.raw_text(0).len());
    }
    endless.depth = u32::MAX as usize + 1;
    assert_eq!(hits(&Page::from_text("<p>x", &endless)), []);
}

#[test]
fn bytes_beyond_the_limit_are_not_read() {
    let page = format!("<p>{}", "word ".repeat(1000));
    for limit in [0, 1, 2, 3, 10, 1000, 5002] {
        let got = read_bytes(page.as_bytes(), &limits_with(|l| l.bytes = limit));
        assert_eq!(hits(&got), [Limit::Bytes], "{limit}");
        assert!(got.tree.raw_text(0).len() <= limit);
    }
    assert_eq!(hits(&read_bytes(page.as_bytes(), &limits_with(|l| l.bytes = page.len()))), []);
}
