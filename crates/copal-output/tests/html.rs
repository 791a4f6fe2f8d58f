//! What the HTML report contains, and that no text of a page can break out of its element.

#![allow(clippy::unwrap_used)]

#[path = "support/cells.rs"]
mod cells;

use copal_dom::{Limits, Node, Page, Tree, attrs, tags};
use copal_extract::{Answer, CellSource, OutlineContent, RegionPlace, Request, extract};
use copal_output::{Format, Html, shown_text};
use proptest::prelude::*;
use std::collections::HashSet;
use std::time::Duration;

/// Limits that no page of these tests hits.
fn wide_limits() -> Limits {
    let mut limits = Limits::default();
    (limits.nodes, limits.bytes, limits.text_bytes) = (5_000_000, 100_000_000, 100_000_000);
    (limits.attribute_bytes, limits.time) = (10_000_000, Duration::from_mins(1));
    limits
}

fn explained(html: &str, url: Option<&str>) -> Answer {
    let mut page = Page::from_text(html, &wide_limits());
    page.url = url.map(str::to_owned);
    let mut options = Request::default();
    (options.all, options.lists.explain, options.outline) = (true, true, true);
    extract(&page, &options)
}

fn report(pages: &[(&str, &Answer)]) -> String {
    let mut format = Html::new(pages.len() > 1, false);
    let mut out = Vec::new();
    for (name, extraction) in pages {
        format.page(&mut out, name, extraction).unwrap();
    }
    format.finish(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn lamps(n: usize) -> String {
    let lamp = |n: usize| {
        format!("<li><a href='/l/{n}'>Lamp {n}</a> <b class=price>£{n}</b> <i class=type>Type {n}</i></li>")
    };
    format!("<title>Lamps</title><ul>{}</ul>", (1..=n).map(lamp).collect::<String>())
}

const TAGS: &str = "#document #text html head body meta title style main header footer article \
section nav h1 h2 h3 p a i \
    b em small span code ul ol li dl dt dd div table caption thead tbody tr th td details summary";
const ATTRIBUTES: &str = "class id lang dir href rel download charset http-equiv \
content name scope colspan tabindex role title \
    open aria-label aria-labelledby";

/// Checks that a report has only the elements and attributes that it needs, and that its URLs are web URLs,
/// anchors within the report, or data.
fn assert_harmless(html: &str) -> Tree {
    let page = Page::from_text(html, &wide_limits());
    assert!(page.warnings.is_empty(), "{:?}", page.warnings);
    let tree = page.tree;
    let allowed: HashSet<&str> = TAGS.split_whitespace().collect();
    let attributes: HashSet<&str> = ATTRIBUTES.split_whitespace().collect();
    let ids: HashSet<&str> = tree.nodes().filter_map(|node| tree.attr(node, attrs::ID)).collect();
    for node in tree.nodes() {
        assert!(allowed.contains(tree.tag_name(node)), "<{}>", tree.tag_name(node));
        for (name, value) in tree.attributes(node) {
            assert!(attributes.contains(name), "{name}={value:?}");
            if name == "href" {
                assert_eq!(tree.tag(node), tags::A);
                let here = value.strip_prefix('#').is_some_and(|id| ids.contains(id));
                let lower = value.to_ascii_lowercase();
                let web = lower.starts_with("http://") || lower.starts_with("https://");
                let data = value.starts_with("data:application/json;base64,")
                    || value.starts_with("data:text/csv;charset=utf-8;base64,");
                assert!(here || web || data, "{value:?}");
                assert_eq!(web, tree.attr_named(node, "rel") == Some("noreferrer"), "{value:?}");
                assert_eq!(data, tree.attr_named(node, "download").is_some());
            }
        }
    }
    assert_eq!(tree.nodes().filter(|&node| tree.tag(node) == tags::STYLE).count(), 1);
    tree
}

fn is_in_records(tree: &Tree, node: Node) -> bool {
    tree.ancestors(node).any(|up| tree.attr(up, attrs::CLASS) == Some("records"))
}

/// The texts of all cells of records.
fn cell_texts(tree: &Tree) -> Vec<&str> {
    let cells = tree.nodes().filter(|&node| tree.tag(node) == tags::TD && is_in_records(tree, node));
    cells.map(|node| tree.raw_text(node)).collect()
}

#[test]
fn nothing_is_loaded_and_nothing_runs() {
    let extraction = explained(&lamps(12), Some("https://lamps.example/"));
    let html = report(&[("a.html", &extraction), ("b.html", &extraction)]);
    assert_harmless(&html);
    for bad in [
        "<script", "src=", "url(", "@import", "<link", "<img", "<iframe", "<form", "style=", "onload",
        "srcset",
    ] {
        assert!(!html.contains(bad), "{bad}");
    }
    assert!(html.contains("content=\"default-src 'none'; style-src 'sha256-"));
}

#[test]
fn a_hostile_page_stays_text() {
    let odd_name = "</style><script>alert(1)</script>\u{202e}\u{2066}\u{1b}[2J&lt;\"'`";
    let attack = |n: usize| {
        format!(
            "<li class='x\" onclick=\"alert(1)' id='\"><script>'><a href='javascript:alert({n})' \
             title='\"><img src=x onerror=alert(1)>'>Item {n} \
             &lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt;\
             \u{202e}gpj</a> <a href='https://bad.example/\"><script>alert({n})</script>'>two</a> \
             <a href=' JaVaScRiPt&colon;alert(1)'>three {n}</a> <img src='https://bad.example/pixel{n}.png'> \
             <b>&quot;&gt;&lt;/style&gt;&lt;svg onload=alert(1)&gt; {n}</b></li>"
        )
    };
    let page = format!(
        "<html lang='en\" onload=\"alert(1)'><title>\
         &lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; \u{202e}x\
         </title><ul>{}</ul>",
        (1..8).map(attack).collect::<String>()
    );
    for url in [None, Some("javascript:alert(1)"), Some("https://a.example/\"><script>")] {
        let extraction = explained(&page, url);
        assert!(!extraction.regions.is_empty());
        let html = report(&[(odd_name, &extraction), ("b.html", &extraction)]);
        let tree = assert_harmless(&html);
        assert!(!html.contains("<script") && !html.contains("<svg") && !html.contains("<img"));
        let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!html.contains(|c: char| c.is_control() && c != '\n' || turns(c)));
        // Its text can still be read.
        assert!(cell_texts(&tree).iter().any(|cell| cell.contains("</td><script>alert(1)</script>")));
        assert!(tree.raw_text(0).contains("https://bad.example/"));
    }
}

#[test]
fn inferred_doubtful_and_embedded_cells_are_marked() {
    let mut extraction = explained(&lamps(6), None);
    let inner = extraction.regions[0].clone();
    let region = &mut extraction.regions[0];
    for record in &mut region.records {
        cells::clear_confidences(record);
        record.confidence = None;
    }
    region.confidence = Some(0.876);
    let price = region.columns.iter().position(|column| column.name == "price").unwrap();
    region.columns[price].source = CellSource::Embedded;
    region.columns[price].value_type = Some("money");
    region.columns[price].confidence = Some(0.5);
    cells::set_confidence(&mut region.records[0], price, 0.31);
    cells::set_inferred(&mut region.records[1], price);
    cells::set_texts(&mut region.records[2], price, &["one", "two"]);
    region.records[3].children = vec![inner];
    region.records[4].confidence = Some(0.42);
    let html = report(&[("a.html", &extraction)]);
    assert_harmless(&html);
    for part in [
        "<dt>Confidence</dt><dd>88%</dd>",
        "<small>money · embedded · in all · 50% sure</small>",
        "<td id=\"p1-r1-1-3\" dir=\"auto\" class=\"embedded doubtful\">\
         <a class=\"where\" href=\"#p1-n11\" title=\"where on the page\">£1</a>\
         <small class=\"value\" dir=\"ltr\">1 GBP</small>\
         \
         <small class=\"mark\">31% sure</small></td>",
        "<td id=\"p1-r1-2-3\" dir=\"auto\" class=\"embedded inferred\">\
         <a class=\"where\" href=\"#p1-n20\" title=\"where on the page\">£2</a>\
         <small class=\"value\" dir=\"ltr\">2 GBP</small><small class=\"mark\">inferred</small></td>",
        "<ul><li dir=\"auto\">one</li><li dir=\"auto\">two</li></ul>",
        "<summary>6 records inside</summary>",
        "5<small>42%</small></th>",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
}

/// The link from a cell of the report to the outline, if it has one.
fn links_of_cells(tree: &Tree) -> Vec<Option<&str>> {
    let cells = tree.nodes().filter(|&node| tree.tag(node) == tags::TD && is_in_records(tree, node));
    let is_link =
        |node: &Node| tree.attr(*node, attrs::CLASS).is_some_and(|class| class.starts_with("where"));
    cells
        .map(|cell| (cell..tree.end(cell)).find(is_link).and_then(|link| tree.attr(link, attrs::HREF)))
        .collect()
}

#[test]
fn cells_and_the_lines_that_they_were_read_from_link_to_each_other() {
    let page = lamps(9).replace("<b", "<ul><li>Red<li>Green</ul><b");
    let url = Some("https://lamps.example/");
    let extraction = explained(&page, url);
    let tree = assert_harmless(&report(&[("a.html", &extraction), ("b.html", &explained(&lamps(7), url))]));
    // Ids are unique, or links would lead somewhere else.
    let ids: Vec<&str> = tree.nodes().filter_map(|node| tree.attr(node, attrs::ID)).collect();
    assert_eq!(ids.len(), ids.iter().collect::<HashSet<_>>().len());
    let lines = &extraction.outline.as_ref().unwrap().lines;
    let links = links_of_cells(&tree);
    let (mut at, mut linked, mut unlinked) = (0, 0, 0);
    for (place, region) in extraction.regions.iter().enumerate() {
        // The report shows URLs last, and titles first.
        let mut order: Vec<usize> = (0..region.columns.len()).collect();
        let is_url = |c: usize| matches!(region.columns[c].source, CellSource::Href | CellSource::Src);
        order.sort_by_key(|&c| (region.columns[c].name != "title", is_url(c)));
        for (number, record) in region.records.iter().enumerate() {
            let is_shown = lines.iter().any(|line| line.record == Some((place, number)));
            for &c in &order {
                let link = links[at];
                at += 1;
                let has_source = record.cells[c].texts.iter().any(|text| text.source.is_some());
                assert_eq!(link.is_some(), has_source && is_shown, "{place} {number} {c}");
                let Some(link) = link else {
                    unlinked += 1;
                    continue;
                };
                linked += 1;
                // The line is about the cell, and links back to it.
                let node: Node = link.strip_prefix("#p1-n").unwrap().parse().unwrap();
                let line = lines.iter().find(|line| line.nodes.start == node).unwrap();
                assert!(line.columns.contains(&c), "{line:?}");
                let back = format!("#p1-r{}-{}-{}", place + 1, number + 1, c + 1);
                assert!(tree.nodes().any(|node| tree.attr(node, attrs::HREF) == Some(&back)), "{back}");
            }
        }
    }
    assert!(linked > 10 && unlinked > 10, "{linked} {unlinked}");
}

#[test]
fn rows_that_are_left_out_are_not_linked_to() {
    let tools = (1..9).map(|n| format!("<tr><td><a href=/t/{n}>Tool {n}</a><td>£{n}0.50<td>{n} in stock"));
    let tools = tools.collect::<String>();
    let mut extraction =
        explained(&format!("{}<table><tr><th>Tool<th>Price<th>Stock{tools}</table>", lamps(400)), None);
    let long = "word ".repeat(100);
    let first = extraction.regions.iter().position(|region| region.records.len() == 400).unwrap();
    assert!(first == 0 && extraction.regions.len() > 1);
    for record in extraction.regions.iter_mut().flat_map(|region| &mut region.records) {
        cells::set_texts(record, 0, &[long.as_str(); 30]);
    }
    let html = report(&[("a.html", &extraction)]);
    assert_harmless(&html);
    assert!(html.contains("8 records of 8 not shown here"), "{}", html.len());
    assert!(html.contains("<b class=\"badge\">record 1</b>") && html.contains("<b class=\"col\""));
}

/// Decodes base64, on purpose independent of the report's code.
fn decoded(text: &str) -> Vec<u8> {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::new();
    let (mut bits, mut held) = (0u32, 0);
    for c in text.chars().filter(|&c| c != '=') {
        bits = bits << 6 | letters.find(c).unwrap() as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held & 255) as u8);
        }
    }
    out
}

fn downloads(tree: &Tree) -> Vec<(String, Vec<u8>)> {
    let links = tree.nodes().filter_map(|node| {
        let data = tree.attr(node, attrs::HREF)?.strip_prefix("data:")?.split_once(";base64,")?.1;
        Some((tree.attr_named(node, "download")?.to_owned(), decoded(data)))
    });
    links.collect()
}

#[test]
fn downloads_equal_the_output_of_the_formats() {
    let page = "<title>Café</title><table><tr><th>Name<th>Price<tr><td>Thé, \"vert\"<td>£1<tr><td>ชา<td>£2\
                <tr><td>茶 🍵<td>£3</table>";
    let mut extraction = explained(page, None);
    extraction.regions.truncate(1);
    let files = downloads(&assert_harmless(&report(&[("menus/café.html", &extraction)])));
    let names: Vec<&str> = files.iter().map(|file| file.0.as_str()).collect();
    assert_eq!(names, ["café.json", "café.csv"]);
    // The downloads have the data without the reasons.
    extraction.explanation = None;
    let mut want = Vec::new();
    copal_output::Json::new(false).page(&mut want, "menus/café.html", &extraction).unwrap();
    assert_eq!(files[0].1, want);
    let mut csv = copal_output::Csv::new();
    want.clear();
    csv.page(&mut want, "", &extraction).unwrap();
    csv.finish(&mut want).unwrap();
    assert_eq!(files[1].1, want);
}

#[test]
fn a_long_list_is_cut_and_the_report_says_so() {
    let extraction = explained(&lamps(100_000), None);
    assert_eq!(extraction.regions[0].records.len(), 100_000);
    let html = report(&[("a.html", &extraction)]);
    assert!(html.len() < 8_000_000, "{} bytes", html.len());
    assert!(html.contains("98,000 records of 100,000 not shown here"));
    let files = downloads(&assert_harmless(&html));
    let cut = |i: usize| files[i].0.strip_prefix("a-first-").and_then(|name| name.split('.').next());
    let json: usize = cut(0).unwrap().parse().unwrap();
    let csv: usize = cut(1).unwrap().parse().unwrap();
    let data: serde_json::Value = serde_json::from_slice(&files[0].1).unwrap();
    assert_eq!(data["regions"][0]["records"].as_array().unwrap().len(), json);
    let cut = format!("only the first {json} records of each list are in this file");
    assert!(
        data["warnings"].as_array().unwrap().iter().any(|warning| *warning == cut),
        "{}",
        data["warnings"]
    );
    assert!(files.iter().all(|file| file.1.len() <= 1_400_000));
    assert!(csv > json, "{csv} {json}");
}

#[test]
fn the_same_page_gives_the_same_report() {
    let page = lamps(30);
    let once = report(&[("a.html", &explained(&page, None))]);
    assert_eq!(once, report(&[("a.html", &explained(&page, None))]));
}

#[test]
fn heading_levels_are_not_skipped() {
    let extraction = explained(&lamps(5), None);
    for pages in [&[("a", &extraction)][..], &[("a", &extraction), ("b", &extraction)][..]] {
        let tree = assert_harmless(&report(pages));
        let headings = tree.nodes().filter(|&node| tags::is_heading(tree.tag(node)));
        let levels: Vec<u16> = headings.map(|node| tree.tag(node) - tags::H1 + 1).collect();
        assert_eq!(levels.iter().filter(|&&level| level == 1).count(), 1);
        assert!(levels[0] == 1 && levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{levels:?}");
    }
}

const ATTACKS: &[&str] = &[
    "<script>",
    "</td>",
    "</table>",
    "</title>",
    "</style>",
    "<!--",
    "-->",
    "]]>",
    "\" onload=\"",
    "' x='",
    "&amp",
    "&#60;",
    "&lt;",
    "<plaintext>",
    "<svg><style>",
    "javascript:",
    "https://",
    "\u{0}",
    "\u{202e}",
    "\r\n",
];

fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "[ -~]{0,12}",
        2 => "\\PC{0,6}",
        2 => any::<char>().prop_map(String::from),
        2 => proptest::sample::select(ATTACKS).prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// For any texts, the report has only its own elements, and its cells show the texts of the records.
    #[test]
    fn texts_never_break_out(texts in proptest::collection::vec(any_text(), 24)) {
        let mut extraction = explained(&lamps(4), None);
        let mut next = texts.iter().cycle().cloned();
        let mut text = || next.next().unwrap();
        extraction.page.title = Some(text());
        extraction.page.url = Some(text());
        extraction.page.lang = Some(text());
        extraction.regions.truncate(1);
        let region = &mut extraction.regions[0];
        region.place = RegionPlace::DataPath(text());
        for column in &mut region.columns {
            (column.name, column.source) = (text(), CellSource::Text);
        }
        for record in &mut region.records {
            (0..region.columns.len()).for_each(|c| cells::set_texts(record, c, &[text().as_str()]));
            cells::clear_values(record);
            cells::clear_confidences(record);
        }
        let explanation = extraction.explanation.as_mut().unwrap();
        for reason in &mut explanation.reasons {
            (reason.about, reason.text) = (text(), text());
            reason.grounds.iter_mut().for_each(|ground| ground.text = text());
        }
        for reading in &mut explanation.readings {
            (reading.text, reading.attribute, reading.xpath) = (text(), text(), text());
        }
        for line in &mut extraction.outline.as_mut().unwrap().lines {
            line.words = text();
            if let OutlineContent::Elements(steps) = &mut line.what {
                for step in steps {
                    (step.tag, step.id, step.classes) = (text(), Some(text()), vec![text(), text()]);
                }
            }
        }
        let tree = assert_harmless(&report(&[(&texts[0], &extraction)]));
        let region = &extraction.regions[0];
        // A column that happens to be called "title" comes first.
        let mut order: Vec<usize> = (0..region.columns.len()).collect();
        order.sort_by_key(|&c| region.columns[c].name != "title");
        let want = region
            .records
            .iter()
            .flat_map(|record| order.iter().map(|&c| shown_text(cells::first_text(record, c))));
        prop_assert_eq!(cell_texts(&tree), want.collect::<Vec<_>>());
    }
}

#[test]
fn an_object_has_its_fields_and_downloads() {
    let html = "<title>Reed flute</title><main><h1>Reed flute</h1><p>Price: £30.00</p>\
                <p>Wood: pear <script>x</script></p></main>";
    let page = Page::from_text(html, &Limits::default());
    let found = copal_extract::objects::answers(&[&page], &copal_extract::objects::ObjectOptions::default());
    let mut out = Vec::new();
    let mut report = Html::new(false, false);
    report.page(&mut out, "flute.html", &found[0]).unwrap();
    report.finish(&mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(
        text.contains("One object with ") && text.contains("<th scope=\"row\" dir=\"auto\">wood</th>"),
        "{text}"
    );
    assert!(text.contains("download=\"flute.csv\"") && text.contains("download=\"flute.json\""));
    assert!(!text.contains("<script"));
}
