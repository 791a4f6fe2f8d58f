//! Families of generated pages in several sizes. Each size states which limits it must hit, or that it hits
//! none.

use crate::support::{each, hits, limits, nested, on_a_small_stack, read};
use copal_dom::Limit::{self, AttributeBytes, Attributes, Depth, Nodes, TextBytes};

/// A family of pages: its name, how a page of a given size is made, and for each size to try the limits it
/// must hit.
type Shape = (&'static str, fn(usize) -> String, &'static [(usize, &'static [Limit])]);

const SHAPES: &[Shape] = &[
    // nested elements
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
    // formatting elements that are opened again
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
        &[(10, &[]), (400, &[Depth]), (2000, &[Depth])],
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
        &[(100, &[]), (9000, &[]), (100_000, &[])],
    ),
    (
        "attributes on an end tag",
        |n| format!("<p>x</p {}>after", each(n, |i| format!("a{i}=x "))),
        &[(100, &[]), (100_000, &[])],
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

#[test]
fn every_shape_hits_exactly_its_limits() {
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
