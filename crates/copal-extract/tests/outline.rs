//! The outline of a page: its lines, its marks and its size limit.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::{Answer, Method, OutlineContent, OutlineLine, Request, extract};
use std::fmt::Write;

fn outlined(html: &str) -> Answer {
    let mut options = Request::default();
    options.lists.method = Method::Combined;
    options.outline = true;
    extract(&Page::from_text(html, &Limits::default()), &options)
}

/// A line as text: its elements, its marks and its words.
fn line_text(extraction: &Answer, line: &OutlineLine) -> String {
    let mut out = "  ".repeat(line.depth);
    match &line.what {
        OutlineContent::Elements(steps) => {
            let names: Vec<&str> = steps.iter().map(|step| step.tag.as_str()).collect();
            out += &names.join(">");
        }
        OutlineContent::Text => out += "text",
        OutlineContent::More { records, others } => write!(out, "more {records} {others}").unwrap(),
    }
    if line.region.is_some() {
        out += " LIST";
    }
    if let Some((_, record)) = line.record {
        write!(out, " RECORD {}", record + 1).unwrap();
    }
    for &column in &line.columns {
        write!(out, " [{}]", extraction.regions[0].columns[column].name).unwrap();
    }
    if !line.words.is_empty() && line.depth > 1 {
        write!(out, " {}", line.words).unwrap();
    }
    out
}

fn lines(html: &str) -> Vec<String> {
    let extraction = outlined(html);
    extraction.outline.as_ref().unwrap().lines.iter().map(|line| line_text(&extraction, line)).collect()
}

fn lamps(n: usize) -> String {
    let lamp = |n: usize| {
        format!(
            "<li class=lamp><h3><a href='/{n}'>Lamp {n}</a></h3><p class=about>Old lamp of type {n}</p>\
             <div><span class=price>£{n}</span> <span class=stock>{n} in stock</span></div></li>"
        )
    };
    (1..=n).map(lamp).collect()
}

#[test]
fn lists_records_and_cells_are_marked() {
    let html = format!("<title>x</title><h1>All lamps</h1><div id=all><ul>{}</ul></div>", lamps(8));
    let lines = lines(&html);
    assert_eq!(
        lines[..11],
        [
            "html>body",
            "  h1",
            "  div",
            "    ul LIST Lamp 1 Old lamp of type 1 £1 1 in stock Lamp 2 Old lamp of type 2 £2 2 in stock…",
            "      li RECORD 1 Lamp 1 Old lamp of type 1 £1 1 in stock",
            "        h3>a [url] [title] Lamp 1",
            "        p [about] Old lamp of type 1",
            "        div £1 1 in stock",
            "          span [price] £1",
            "          span [stock] 1 in stock",
            "      li RECORD 2 Lamp 2 Old lamp of type 2 £2 2 in stock",
        ]
    );
    assert_eq!(lines.last().unwrap(), "      more 3 0");
}

/// Records in the rows of a grid are counted where their row is left out.
#[test]
fn records_in_omitted_rows_are_counted() {
    let row = |n: usize| {
        let cell =
            |n: usize| format!("<td><a href='/{n}'>Lamp {n}</a><p class=about>Old lamp of type {n}</p></td>");
        format!("<tr>{}{}{}</tr>", cell(3 * n), cell(3 * n + 1), cell(3 * n + 2))
    };
    let html = format!("<table>{}</table>", (0..8).map(row).collect::<String>());
    let extraction = outlined(&html);
    let (mut shown, mut left_out) = (0, 0);
    for line in &extraction.outline.as_ref().unwrap().lines {
        shown += usize::from(line.record.is_some());
        if let OutlineContent::More { records, .. } = line.what {
            left_out += records;
        }
    }
    assert_eq!(shown + left_out, extraction.regions[0].records.len());
    assert_eq!(shown, 5);
}

#[test]
fn hidden_and_empty_elements_have_no_line() {
    let html = "<script>var a</script><div></div><div hidden>b</div><p>seen</p><div><img src=a.png alt='A lamp'></div>";
    assert_eq!(lines(html), ["html>body", "  p", "  div>img"]);
}

#[test]
fn long_runs_of_similar_elements_are_summarised() {
    let menu: String = (0..40).map(|n| format!("<li><a href='/{n}'>Menu {n}</a></li>")).collect();
    let text: String =
        (0..30).map(|n| format!("<p>Paragraph {n} of a text that has many of them.</p>")).collect();
    let html = format!("<nav>{menu}</nav><main>{text}</main>");
    let lines = lines(&html);
    assert!(lines.iter().any(|line| line.trim() == "more 0 35"), "{lines:#?}");
    assert!(lines.len() < 30, "{lines:#?}");
}

#[test]
fn the_size_of_an_outline_is_limited() {
    // siblings that all differ, a menu larger than the limit, and the list after it
    let menu: String = (0..6000)
        .map(|n| format!("<div class='{}'>Entry {n}</div>", if n % 2 == 0 { "a" } else { "b" }))
        .collect();
    let html = format!("<nav>{menu}</nav><ul>{}</ul>", lamps(50));
    let extraction = outlined(&html);
    let lines = &extraction.outline.as_ref().unwrap().lines;
    assert!(lines.len() < 2500, "{}", lines.len());
    assert!(lines.iter().any(|line| line.region == Some(0)), "the list has its place");
    let left_out: usize = lines
        .iter()
        .map(|line| if let OutlineContent::More { records, .. } = line.what { records } else { 0 })
        .sum();
    assert_eq!(left_out, 45);
    // a deep page
    let deep = format!("{}x{}", "<div>a".repeat(400), "</div>".repeat(400));
    let extraction = outlined(&deep);
    let deepest = extraction.outline.unwrap().lines.iter().map(|line| line.depth).max().unwrap();
    assert!(deepest < 64, "{deepest}");
}

#[test]
fn an_outline_is_made_only_on_request() {
    let page = Page::from_text("<p>x", &Limits::default());
    assert!(extract(&page, &Request::default()).outline.is_none());
}
