//! Checks what hostile pages do: each is generated here and says which limits it hits, or that it hits none.
//!
//! Whatever the page, it must end soon, on a small stack, with a tree that is consistent and within the caps.

mod common;

use common::check_arena;
use copal_dom::xpath::XPaths;
use copal_dom::{DecodeError, Draft, Limit, Limits, Page, Source, Tree, Warning, serialise, tags};
use proptest::prelude::*;
use std::time::{Duration, Instant};

use Limit::{AttributeBytes, Attributes, Depth, Nodes, TextBytes};

/// A kind of page: how one of some size is made, and for each size to try the limits that it must hit.
type Shape = (&'static str, fn(usize) -> String, &'static [(usize, &'static [Limit])]);

/// `n` pieces, each made from its number.
fn each(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect()
}

/// `n` elements inside one another, with something inside the innermost.
fn nested(open: &str, inside: &str, close: &str, n: usize) -> String {
    [&open.repeat(n), inside, &close.repeat(n)].concat()
}

const SHAPES: &[Shape] = &[
    // elements inside one another
    (
        "open divs",
        |n| "<div>".repeat(n),
        &[(10, &[]), (500, &[]), (600, &[Depth]), (20_000, &[Depth]), (1_000_000, &[Depth])],
    ),
    (
        "nested divs",
        |n| nested("<div>", "x", "</div>", n) + "after",
        &[(10, &[]), (500, &[]), (511, &[Depth]), (10_000, &[Depth]), (100_000, &[Depth])],
    ),
    ("nested spans with text", |n| "<span>x".repeat(n), &[(100, &[]), (5000, &[Depth]), (50_000, &[Depth])]),
    (
        "nested lists",
        |n| "<ul><li>".repeat(n),
        &[(100, &[]), (1000, &[Depth]), (16_000, &[Depth]), (64_000, &[Depth])],
    ),
    (
        "nested definition lists",
        |n| "<dl><dd>x".repeat(n),
        &[(100, &[]), (1000, &[Depth]), (16_000, &[Depth])],
    ),
    ("nested tables", |n| "<table><tr><td>".repeat(n), &[(100, &[]), (1000, &[Depth]), (10_000, &[Depth])]),
    ("nested tables without cells", |n| "<table>x".repeat(n), &[(100, &[]), (10_000, &[]), (50_000, &[])]),
    (
        "nested svg groups",
        |n| format!("<svg>{}", nested("<g>", "<path d='M0'/>", "</g>", n)),
        &[(100, &[]), (1000, &[Depth]), (100_000, &[Depth])],
    ),
    (
        "nested foreign objects",
        |n| "<svg><foreignObject><p>".repeat(n),
        &[(100, &[]), (1000, &[Depth]), (20_000, &[Depth])],
    ),
    (
        "nested svg titles",
        |n| format!("<svg>{}x", "<title>".repeat(n)),
        &[(100, &[]), (1000, &[]), (20_000, &[])],
    ),
    ("nested math", |n| "<math><mtext><b>x".repeat(n), &[(100, &[]), (1000, &[Depth]), (20_000, &[Depth])]),
    (
        "nested annotations",
        |n| "<math><annotation-xml encoding=text/html><p>".repeat(n),
        &[(100, &[]), (1000, &[]), (10_000, &[])],
    ),
    ("nested templates", |n| "<template>x".repeat(n), &[(100, &[]), (1000, &[Depth]), (50_000, &[Depth])]),
    (
        "nested templates in tables",
        |n| "<table><template><tr>".repeat(n),
        &[(100, &[]), (1000, &[Depth]), (10_000, &[Depth])],
    ),
    ("nested selects", |n| "<select><option>x".repeat(n), &[(100, &[]), (1000, &[]), (50_000, &[])]),
    (
        "nested option groups",
        |n| format!("<select>{}", "<optgroup><option>x<div>".repeat(n)),
        &[(100, &[]), (1000, &[Depth]), (20_000, &[Depth])],
    ),
    ("nested buttons", |n| "<button><div>x".repeat(n), &[(100, &[]), (1000, &[]), (20_000, &[])]),
    (
        "nested objects",
        |n| "<object><marquee><applet>".repeat(n),
        &[(100, &[]), (1000, &[Depth]), (20_000, &[Depth])],
    ),
    ("nested ruby", |n| "<ruby><rt>".repeat(n), &[(100, &[]), (1000, &[Depth]), (20_000, &[Depth])]),
    (
        "scripts below the deepest element",
        |n| "<div>".repeat(n) + "<script>if (a<b) '<p>script</p>'</script>after",
        &[(100, &[]), (600, &[Depth]), (5000, &[Depth])],
    ),
    // formatting elements that are opened again and again
    (
        "reopened formatting",
        |n| each(n, |i| format!("<p><b a={i}>x")),
        &[(10, &[]), (100, &[]), (2700, &[Depth]), (27_000, &[Depth])],
    ),
    (
        "closed and reopened formatting",
        |n| each(n, |i| format!("<p><b a={i}>x</p>")),
        &[(10, &[]), (100, &[]), (2300, &[Depth]), (23_000, &[Depth])],
    ),
    (
        "reopened formatting in divs",
        |n| each(n, |i| format!("<div><i a={i}><u b={i}>x</div>")),
        &[(10, &[]), (100, &[]), (1300, &[Depth]), (13_000, &[Depth])],
    ),
    (
        "reopened formatting at depth",
        |n| format!("{}{}x", each(n, |i| format!("<p><b a={i}></p>")), "<div>".repeat(500)),
        &[(10, &[]), (400, &[Depth]), (2000, &[Nodes, Depth])],
    ),
    (
        "reopened links",
        |n| each(n, |i| format!("<p><a href={i}>x")),
        &[(10, &[]), (100, &[]), (2000, &[]), (30_000, &[])],
    ),
    (
        "links in tables",
        |n| each(n, |i| format!("<table><a href={i}>x")),
        &[(10, &[]), (100, &[]), (2000, &[]), (20_000, &[])],
    ),
    (
        "identical formatting",
        |n| "<p><b><i><u>x".repeat(n),
        &[(10, &[]), (100, &[]), (3000, &[]), (30_000, &[])],
    ),
    (
        "misnested formatting",
        |n| "<b><div></b><i><p></i>".repeat(n),
        &[(10, &[]), (100, &[]), (2000, &[Depth]), (20_000, &[Depth])],
    ),
    (
        "adoption chains",
        |n| nested("<b><div>", "x", "</b>", n),
        &[(10, &[]), (100, &[]), (1000, &[Depth]), (20_000, &[Depth])],
    ),
    (
        "adoption from above",
        |n| format!("{}{}", each(n, |i| format!("<a b={i}><div><b c={i}><div>")), "</a></b>".repeat(n)),
        &[(10, &[]), (100, &[]), (1000, &[Depth]), (10_000, &[Depth])],
    ),
    ("nobr after nobr", |n| "<nobr>x<div>".repeat(n), &[(10, &[]), (100, &[]), (10_000, &[Depth])]),
    (
        "reopened long attributes",
        |n| format!("<p><b title='{}'>{}", "v".repeat(100_000), "<p>x".repeat(n)),
        &[(10, &[]), (1000, &[Attributes]), (100_000, &[Attributes])],
    ),
    (
        "reopened many attributes",
        |n| format!("<p><b {}>{}", each(5000, |i| format!("a{i} ")), "<p>x".repeat(n)),
        &[(10, &[]), (1000, &[Attributes]), (50_000, &[Attributes])],
    ),
    // siblings
    ("empty paragraphs", |n| "<p>".repeat(n), &[(1000, &[]), (100_000, &[]), (1_000_000, &[Nodes])]),
    ("items", |n| "<li>x".repeat(n), &[(1000, &[]), (100_000, &[]), (400_000, &[Nodes])]),
    ("line breaks", |n| "<br>".repeat(n), &[(1000, &[]), (100_000, &[]), (600_000, &[Nodes])]),
    ("comments", |n| "<!--x-->".repeat(n), &[(1000, &[]), (100_000, &[]), (600_000, &[Nodes])]),
    ("text and comments", |n| "x<!---->".repeat(n), &[(1000, &[]), (100_000, &[])]),
    ("fostered text", |n| format!("<table>{}", "x<tr>".repeat(n)), &[(1000, &[]), (100_000, &[])]),
    (
        "fostered elements",
        |n| format!("<table>{}", "<div>x</div><tr><td>".repeat(n)),
        &[(1000, &[]), (50_000, &[])],
    ),
    ("columns", |n| format!("<table>{}", "<col span=9999999>".repeat(n)), &[(1000, &[]), (50_000, &[])]),
    (
        "cells that span",
        |n| format!("<table>{}", "<tr><td colspan=100000000 rowspan=100000000>x".repeat(n)),
        &[(1, &[]), (1000, &[]), (30_000, &[])],
    ),
    ("forms", |n| "<form>".repeat(n), &[(1000, &[]), (100_000, &[])]),
    ("closed forms", |n| "<form>x</form>".repeat(n), &[(1000, &[]), (100_000, &[])]),
    ("end tags", |n| "</div></p></b></br>".repeat(n), &[(1000, &[]), (50_000, &[])]),
    ("headings", |n| "<h1>x<h2>".repeat(n), &[(1000, &[]), (50_000, &[])]),
    (
        "frames",
        |n| format!("<frameset>{}</frameset><noframes>x</noframes>", "<frame src=x>".repeat(n)),
        &[(1, &[]), (1000, &[]), (100_000, &[])],
    ),
    ("framesets", |n| "<frameset>".repeat(n), &[(10, &[]), (1000, &[Depth]), (50_000, &[Depth])]),
    (
        "bodies with attributes",
        |n| each(n, |i| format!("<body a{i}=x><html b{i}=y>")),
        &[(10, &[]), (1000, &[Attributes]), (100_000, &[Attributes])],
    ),
    (
        "bodies with equal attributes",
        |n| "<body class=a onload=b>x".repeat(n),
        &[(10, &[]), (1000, &[]), (100_000, &[])],
    ),
    // names and attributes
    ("tag names", |n| each(n, |i| format!("<x-{i}>x</x-{i}>")), &[(100, &[]), (5000, &[]), (50_000, &[])]),
    ("attribute names", |n| each(n, |i| format!("<p a{i}=x>")), &[(100, &[]), (20_000, &[]), (100_000, &[])]),
    (
        "attributes on a tag",
        |n| format!("<p>before<p {}>x</p>after", each(n, |i| format!("a{i}=x "))),
        &[
            (100, &[]),
            (9000, &[]),
            (11_000, &[Attributes]),
            (30_000, &[Attributes]),
            (100_000, &[Attributes]),
            (1_000_000, &[Attributes]),
        ],
    ),
    (
        "attributes without values",
        |n| format!("<p {}>x", each(n, |i| format!("a{i}\n"))),
        &[(9000, &[]), (100_000, &[Attributes])],
    ),
    (
        "attributes with errors",
        |n| format!("<p {}>x", each(n, |i| format!("\"{i}= b{i}'<"))),
        &[(100, &[]), (100_000, &[Attributes])],
    ),
    (
        "attributes between slashes",
        |n| format!("<p/{}>x", each(n, |i| format!("{i}/"))),
        &[(100, &[]), (100_000, &[Attributes])],
    ),
    (
        "equal attributes",
        |n| format!("<p {}>x", "a=b ".repeat(n)),
        &[(100, &[]), (9000, &[]), (100_000, &[Attributes])],
    ),
    (
        "attributes on an end tag",
        |n| format!("<p>x</p {}>after", each(n, |i| format!("a{i}=x "))),
        &[(100, &[]), (100_000, &[Attributes])],
    ),
    (
        "tags with thousands of attributes",
        |n| format!("<p {}>x", each(9000, |i| format!("a{i} "))).repeat(n),
        &[(1, &[]), (4, &[])],
    ),
    (
        "a long value",
        |n| format!("<a title='{}'>x", "v".repeat(n)),
        &[(1000, &[]), (900_000, &[]), (2_000_000, &[AttributeBytes])],
    ),
    (
        "a value of words",
        |n| format!("<a title=\"{}\">x", "word = /word/ ".repeat(n)),
        &[(100, &[]), (60_000, &[]), (100_000, &[AttributeBytes])],
    ),
    (
        "a data URI",
        |n| format!("<img src='data:image/png;base64,{}'>after", "iVBO/Rw0KGgo+AAA=".repeat(n)),
        &[(100, &[]), (53_000, &[])],
    ),
    ("a long tag name", |n| format!("<{}>x", "p".repeat(n)), &[(1000, &[]), (2_000_000, &[])]),
    ("a long attribute name", |n| format!("<p {}>x", "a".repeat(n)), &[(1000, &[]), (2_000_000, &[])]),
    // text and markup that does not end
    (
        "text",
        |n| format!("<p>{}", "word ".repeat(n)),
        &[(1000, &[]), (1_000_000, &[]), (2_000_000, &[TextBytes])],
    ),
    (
        "text in a table",
        |n| format!("<table>{}", "word ".repeat(n)),
        &[(1000, &[]), (1_000_000, &[]), (2_000_000, &[TextBytes])],
    ),
    ("wide characters", |n| "日本語😀".repeat(n), &[(1000, &[]), (500_000, &[]), (700_000, &[TextBytes])]),
    ("spaces", |n| " ".repeat(n), &[(1000, &[]), (1_000_000, &[])]),
    ("NUL", |n| format!("<p>a\0b{}c", "\0".repeat(n)), &[(1, &[]), (1000, &[]), (1_000_000, &[])]),
    (
        "NUL in svg",
        |n| format!("<svg>{}", "\0".repeat(n)),
        &[(1, &[]), (1000, &[]), (1_000_000, &[]), (4_000_000, &[TextBytes])],
    ),
    ("NUL in names", |n| "<p\0 a\0=\0></p\0>".repeat(n), &[(1, &[]), (1000, &[]), (50_000, &[])]),
    ("surrogates", |n| "&#xD800;&#xDFFF;&#55296;".repeat(n), &[(1, &[]), (1000, &[]), (50_000, &[])]),
    (
        "references",
        |n| "&amp&notit;&nosuch;&#99999999999;&#x;".repeat(n),
        &[(1, &[]), (1000, &[]), (50_000, &[])],
    ),
    ("a long reference", |n| format!("<p>&#{};", "0".repeat(n)), &[(1000, &[]), (1_000_000, &[])]),
    ("ampersands", |n| "&".repeat(n), &[(1000, &[]), (500_000, &[])]),
    ("less-than signs", |n| "<".repeat(n), &[(1000, &[]), (500_000, &[])]),
    (
        "a comment",
        |n| format!("<p>before<!-- {} --><p>after", "<p a = b> <!x> <b c='d'> ".repeat(n)),
        &[(100, &[]), (12_000, &[]), (100_000, &[])],
    ),
    (
        "a conditional comment",
        |n| {
            format!(
                "<p>before<!--[if IE]>{}<![endif]--><p>after",
                "<a href='x' title=\"y z\"><!--[if x]> ".repeat(n)
            )
        },
        &[(100, &[]), (10_000, &[])],
    ),
    (
        "an instruction",
        |n| format!("<p>before<?php {}?><p>after", "a = b / c ".repeat(n)),
        &[(100, &[]), (40_000, &[])],
    ),
    (
        "a comment that does not end",
        |n| format!("<p>before<!-- {}", "a = b ".repeat(n)),
        &[(1, &[]), (1000, &[]), (50_000, &[])],
    ),
    (
        "a tag that does not end",
        |n| format!("<p>before<a {}", "x".repeat(n)),
        &[(1, &[]), (1000, &[]), (500_000, &[])],
    ),
    (
        "a value that does not end",
        |n| format!("<p>before<a href=\"{}", "<p>x</p> ".repeat(n)),
        &[(1, &[]), (1000, &[]), (100_000, &[])],
    ),
    (
        "a script that does not end",
        |n| format!("<p>before<script>{}", "a<b></scrip".repeat(n)),
        &[(1, &[]), (1000, &[]), (100_000, &[])],
    ),
    (
        "a script with comments",
        |n| format!("<script>{}</script><p>after", "<!--<script>".repeat(n)),
        &[(1, &[]), (1000, &[]), (50_000, &[])],
    ),
    (
        "a title that does not end",
        |n| format!("<title>{}", "<p>x&amp;".repeat(n)),
        &[(1, &[]), (1000, &[]), (50_000, &[])],
    ),
    (
        "CDATA that does not end",
        |n| format!("<p>before<svg><![CDATA[{}", "<p> a = b ]] ".repeat(n)),
        &[(1, &[]), (1000, &[]), (50_000, &[])],
    ),
    (
        "CDATA in HTML",
        |n| format!("<p>before{}", "<![CDATA[x]]>".repeat(n)),
        &[(1, &[]), (1000, &[]), (50_000, &[])],
    ),
    (
        "plain text",
        |n| format!("<p>before<plaintext>{}", "</plaintext><p>".repeat(n)),
        &[(1, &[]), (1000, &[]), (50_000, &[])],
    ),
    ("doctypes", |n| "<!DOCTYPE html PUBLIC 'x' 'y'>".repeat(n), &[(1, &[]), (1000, &[]), (30_000, &[])]),
];

/// The default limits, but for the clock: a busy machine must not change a result.
fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.time = Duration::from_secs(3600);
    limits
}

/// The default limits with one changed.
fn limits_with(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = limits();
    change(&mut limits);
    limits
}

/// The limits that were hit, in the order of their definition.
fn hits(page: &Page) -> Vec<Limit> {
    let mut hits: Vec<Limit> = page.warnings.iter().filter_map(Warning::limit).collect();
    hits.sort();
    hits
}

/// Far above what any page takes: a test that comes near it hangs.
const SOON: Duration = Duration::from_secs(20);

/// Runs on a thread whose stack is small: an overflow would end the whole test run.
fn on_a_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run).expect("a thread starts");
    match thread.join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Reads a page and checks all that holds for every page.
fn read(name: &str, text: &str, limits: &Limits) -> Page {
    let start = Instant::now();
    let page = Page::from_text(text, limits);
    assert!(start.elapsed() < SOON, "{name} took {:?}", start.elapsed());
    check_arena(&page.tree);
    check_caps(name, &page.tree, limits);
    use_everything(&page);
    page
}

fn check_caps(name: &str, tree: &Tree, limits: &Limits) {
    // one token may add what is implied or reopened; `html`, `head` and `body` always exist
    let reopened = (2 * limits.nodes).isqrt() + 8;
    assert!(tree.len() <= limits.nodes + reopened, "{name}: {} nodes", tree.len());
    let text = tree.raw_text(0).len();
    assert!(text <= limits.text_bytes, "{name}: {text} bytes of text");
    for node in tree.nodes() {
        // the deepest element may have texts, and what must not become text of the page
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

/// Everything that walks over a page; it must only not overflow, hang or panic.
fn use_everything(page: &Page) {
    let all = page.tree.nodes();
    let shown = page.visible_text(all.clone());
    assert!(
        shown.is_empty() == (page.index.leaves(&all) == 0),
        "text and index agree on whether there is any"
    );
    assert!(page.index.link_chars(&all) <= page.index.chars(&all));
    let html = serialise::html(&page.tree, 0);
    assert!(page.tree.is_empty() || html.starts_with('<'));
    // the last node is often the deepest or has the most siblings before it
    let paths = XPaths::new(&page.tree);
    for node in [0, page.tree.len() as u32 / 2, page.tree.len() as u32 - 1] {
        assert!(paths.of(node).starts_with('/'));
    }
    let _ = (page.title(), page.lang(), page.clone());
}

#[test]
fn every_shape_hits_the_limits_it_says() {
    let count: usize = SHAPES.iter().map(|shape| shape.2.len()).sum();
    assert!(count >= 200, "{count} pages");
    let wrong = on_a_small_stack(|| {
        let mut wrong = Vec::new();
        for &(name, make, sizes) in SHAPES {
            for &(n, expected) in sizes {
                let name = format!("{name} ({n})");
                let got = hits(&read(&name, &make(n), &limits()));
                if got != expected {
                    wrong.push(format!("{name}: got {got:?}, expected {expected:?}"));
                }
            }
        }
        wrong
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The text of the page's elements with this name, one string each.
fn texts(page: &Page, name: &str) -> Vec<String> {
    let tag = page.tree.tags().find(name);
    page.tree.nodes().filter(|&n| Some(page.tree.tag(n)) == tag).map(|n| page.text_of(n)).collect()
}

#[test]
fn what_follows_something_hostile_is_still_there() {
    let nested = |n| nested("<div>", "deep", "</div>", n);
    for (name, before, expected) in [
        ("deep elements", nested(100_000), &[Depth][..]),
        ("deep lists", "<ul><li>".repeat(16_000) + &"</ul>".repeat(16_000), &[Depth]),
        ("deep tables", "<table><td>".repeat(10_000) + &"</table>".repeat(10_000), &[Depth]),
        ("a comment", format!("<!-- {} -->", "<p> a = b / c <!-- x ".repeat(15_000)), &[]),
        (
            "a comment at the end of a chunk",
            format!("{}<!--{}-->", "x".repeat(4093), " a=b/".repeat(60_000)),
            &[],
        ),
        ("a data URI", format!("<img src='data:image/png;base64,{}'>", "AAA/+B= ".repeat(112_500)), &[]),
        ("JSON", format!("<i data-page=\"{}\"></i>", "{ 'a': '/b = c' }, ".repeat(50_000)), &[]),
        ("a long value", format!("<i title='{}'></i>", "v".repeat(2_000_000)), &[AttributeBytes]),
        ("a long script", format!("<script>{}</script>", "if (a<b) { '</p>' } ".repeat(50_000)), &[]),
        ("a long style", format!("<style>{}</style>", "p > a { color: red } ".repeat(50_000)), &[]),
        ("many names", each(5000, |i| format!("<x-{i} a{i}=x></x-{i}>")), &[]),
        ("many comments", "<!-- a --><!b><?c>".repeat(50_000), &[]),
        ("a tag in an unfinished tag", "<p a=<b c='>'".repeat(1000) + ">", &[]),
    ] {
        let page = read(name, &format!("<p>before</p>{before}<h1>after</h1>"), &limits());
        assert_eq!(hits(&page), expected, "{name}");
        assert_eq!(texts(&page, "h1"), ["after"], "{name}");
        let heading = page.tree.find(tags::H1).expect("the heading is there");
        if !expected.contains(&Depth) && name != "a tag in an unfinished tag" {
            assert_eq!(XPaths::new(&page.tree).of(heading), "/html/body/h1[1]", "{name}");
        }
    }
    let page = read("deep", &(nested(100_000) + "<p>after"), &limits());
    let after = page.tree.find(tags::P).expect("the paragraph is there");
    assert_eq!(page.tree.depth(after), 3, "all elements were closed, those that were left out too");
}

#[test]
fn values_are_kept_whole_or_not_at_all() {
    let uri = format!("data:,{}", "AAA/+B= ".repeat(112_500));
    let page = read("URI", &format!("<img src='{uri}' title='{}' alt=x>", "t".repeat(1_000_001)), &limits());
    let img = page.tree.find(tags::IMG).expect("the image is there");
    let values: Vec<(&str, &str)> = page.tree.attributes(img).collect();
    assert_eq!(values, [("src", &*uri), ("title", ""), ("alt", "x")]);
}

/// Start tags below the deepest element are left out; the text of scripts must not become text of the page by that.
#[test]
fn scripts_below_the_deepest_element_stay_scripts() {
    for raw in ["script", "style", "iframe", "noframes"] {
        let text = format!("{}<{raw}>a<p>hidden</p>'</{raw}>shown", "<div>".repeat(5000));
        let page = read(raw, &text, &limits());
        assert_eq!(page.visible_text(page.tree.nodes()), "shown", "{raw}");
        assert_eq!(hits(&page), [Depth], "{raw}");
    }
}

/// A builder that gets the start tag of a script but not its end tag panics; so both are left out, or none. Here the
/// title in the drawing is left out, but the one behind it is not.
#[test]
fn titles_are_left_out_whole_or_not_at_all() {
    let drawing = "<svg>".to_owned() + &"<g>".repeat(40) + "<title></x><g></svg>";
    let page = read("title", &(drawing + "<title>-</title>\0x"), &limits_with(|l| l.depth = 2));
    assert_eq!((page.title().as_deref(), hits(&page)), (Some("-"), vec![Depth]));
    assert!(page.tree.raw_text(0).ends_with('x'));
}

/// Real pages use what costs the parser most, in small numbers.
#[test]
fn common_mistakes_hit_nothing() {
    for (name, text) in [
        ("unclosed fonts", "<p><font face='Arial, Helvetica' size=2>x".repeat(2000)),
        (
            "pages in a page",
            "<!DOCTYPE html><html lang=en><head><title>t</title></head><body class=a>x</body></html>"
                .repeat(500),
        ),
        ("misnested links", "<a href=x><div><a href=y>x</div></a>".repeat(150)),
        ("a table of tables", nested("<table><tr><td>", "x", "</table>", 60)),
    ] {
        assert_eq!(hits(&read(name, &text, &limits())), [], "{name}");
    }
}

#[test]
fn a_depth_of_100_000_needs_no_stack() {
    on_a_small_stack(|| {
        for text in ["<div>".repeat(100_000), "<b><div>".repeat(50_000), "<table><td>".repeat(50_000)] {
            let page = read("deep", &(text + "x"), &limits());
            assert_eq!((hits(&page), page.visible_text(page.tree.nodes())), (vec![Depth], "x".to_owned()));
        }
    });
}

/// The builder has no limit, so nothing behind it may need one.
#[test]
fn a_draft_of_depth_100_000_needs_no_stack() {
    on_a_small_stack(|| {
        let mut draft = Draft::new();
        let mut at = draft.element(Draft::DOCUMENT, "html");
        for depth in 0..100_000 {
            draft.text(at, "x");
            at = draft.element(at, ["div", "a", "x-y", "li"][depth % 4]);
        }
        draft.text(at, "deep");
        let page = Page::from_tree(draft.finish());
        check_arena(&page.tree);
        use_everything(&page);
        let last = page.tree.len() as u32 - 1;
        assert_eq!(page.tree.depth(last), 100_002);
        assert!(page.visible_text(page.tree.nodes()).ends_with("x deep"));
        assert_eq!(XPaths::new(&page.tree).of(last).matches('/').count(), 100_001);
        let html = serialise::html(&page.tree, 0);
        assert!(html.contains("xdeep</li>") || html.contains("deep</li></x-y>"));
        assert_eq!(page.index.leaves(&page.tree.nodes()), 100_001);
    });
}

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

/// No number may overflow; some of these pages are deeper or longer than the defaults allow.
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

fn read_bytes(bytes: &[u8], limits: &Limits) -> Page {
    let page = Page::from_bytes(bytes, Source::default(), limits).expect("a page");
    check_arena(&page.tree);
    check_caps("bytes", &page.tree, limits);
    use_everything(&page);
    page
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

#[test]
fn nothing_is_no_page_but_no_panic_either() {
    assert_eq!(hits(&read("nothing", "", &limits())), []);
    for bytes in [&b""[..], b" \n\t ", b"\r\n"] {
        let error = Page::from_bytes(bytes, Source::default(), &limits()).expect_err("not a page");
        assert_eq!(error, DecodeError::Empty);
    }
    for bytes in [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff", b"<", b"&", b"\xc3", b"\0<p>"] {
        assert_eq!(hits(&read_bytes(bytes, &limits())), [], "{bytes:?}");
    }
}

/// A page and what it is in: text that each encoding can write.
const LANGUAGES: &[(&str, &str)] = &[
    ("utf-8", "это обычный текст 日本語"),
    ("shift_jis", "これは普通の日本語の文章です。商品の一覧と価格"),
    ("euc-jp", "これは普通の日本語の文章です。商品の一覧と価格"),
    ("iso-2022-jp", "これは普通の日本語の文章です。商品の一覧と価格"),
    ("gbk", "这是一个普通的中文网页，内容是商品列表和价格"),
    ("gb18030", "这是一个普通的中文网页，内容是商品列表和价格"),
    ("big5", "這是一個普通的中文網頁，內容是商品列表和價格"),
    ("euc-kr", "이것은 평범한 한국어 문장입니다 상품 목록과 가격"),
    ("windows-1251", "это обычный русский текст о товарах и ценах"),
    ("koi8-r", "это обычный русский текст о товарах и ценах"),
    ("windows-1252", "naïve café déjà vu à côté"),
];

/// A limit or a broken connection cuts pages anywhere; the characters before the cut must survive.
#[test]
fn a_page_cut_inside_a_character_keeps_its_encoding() {
    for (label, words) in LANGUAGES {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a known label");
        for declared in [true, false] {
            let meta = if declared { format!("<meta charset={label}>") } else { String::new() };
            let text = format!("{meta}<p>{}", format!("{words} ").repeat(4));
            let (bytes, _, unmappable) = encoding.encode(&text);
            assert!(!unmappable, "{label}");
            for cut in 0..12 {
                let page = read_bytes(&bytes[..bytes.len() - cut], &limits());
                let got = page.tree.raw_text(0).trim_end_matches('\u{fffd}').trim_end();
                let same = got.chars().zip(words.chars()).take_while(|(a, b)| a == b).count();
                // one character may be cut to another that is shorter
                let whole = format!("{words} ").repeat(4).starts_with(got)
                    || format!("{words} ")
                        .repeat(4)
                        .starts_with(got.trim_end_matches(|c: char| !words.contains(c)));
                assert!(
                    same == words.chars().count() && whole,
                    "{label} (declared: {declared}), {cut} bytes cut: read as {}, {got}",
                    page.encoding
                );
            }
        }
    }
}

#[test]
fn utf_16_needs_its_mark() {
    let text = format!("<p>{}", "日本語 text 😀 ".repeat(1000));
    for (mark, bytes) in [
        (*b"\xff\xfe", text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        (*b"\xfe\xff", text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
    ] {
        let bytes = [&mark[..], &bytes].concat();
        let page = read_bytes(&bytes, &limits());
        assert!(page.encoding.starts_with("UTF-16"));
        assert_eq!(page.tree.raw_text(0), &text[3..]);
        // cut inside a unit, and inside a surrogate pair
        for cut in [1, 3, 4, 5] {
            let page = read_bytes(&bytes[..bytes.len() - cut], &limits());
            let got = page.tree.raw_text(0).trim_end_matches('\u{fffd}');
            assert!(text[3..].starts_with(got) && got.len() + 8 > text.len() - 3, "{cut} bytes cut");
        }
    }
    // lone surrogates
    let page = read_bytes(b"\xff\xfe<\0p\0>\0\x00\xd8x\0\x00\xdcy\0", &limits());
    assert_eq!(page.tree.raw_text(0), "\u{fffd}x\u{fffd}y");
}

/// Tags that reopen, move and imply others, for pages that are all of them.
const RESTLESS: &[&str] = &[
    "<a h=1>",
    "<a>",
    "</a>",
    "<b>",
    "<b a=1>",
    "<b a=2>",
    "</b>",
    "<i>",
    "</i>",
    "<i b=3>",
    "<font c=d>",
    "</font>",
    "<nobr>",
    "</nobr>",
    "<div>",
    "<div>",
    "</div>",
    "<p>",
    "</p>",
    "<ul>",
    "<li>",
    "</ul>",
    "<table>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "</td>",
    "<caption>",
    "<select>",
    "<option>",
    "</select>",
    "<svg>",
    "<g>",
    "</svg>",
    "<title>",
    "</title>",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<template>",
    "</template>",
    "<button>",
    "</button>",
    "<object>",
    "</object>",
    "<h1>",
    "</h1>",
    "<form>",
    "</form>",
    "<br>",
    "<body x=y>",
    "<html z>",
    "<math>",
    "<mtext>",
    "</math>",
    "<frameset>",
    "x",
    "x",
    " ",
    "text",
    "\0",
    "<!-- -->",
    "<annotation-xml encoding=text/html>",
];

/// `PROPTEST_CASES` may ask for more.
fn many_cases() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: default.cases.max(2000), failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(many_cases())]

    /// Whatever is moved or reopened where, the tree stays within limits that are so small that most pages hit them.
    #[test]
    fn restless_pages_stay_within_small_limits(
        parts in prop::collection::vec(prop::sample::select(RESTLESS), 0..400),
        depth in 2..24_usize,
        nodes in 10..600_usize,
        text_bytes in 0..200_usize,
    ) {
        let limits = limits_with(|l| (l.depth, l.nodes, l.text_bytes) = (depth, nodes, text_bytes));
        read(&format!("{parts:?}"), &parts.concat(), &limits);
    }
}
