//! Properties that hold for every page and every method, on generated pages: lists, tables, grids, nested
//! boxes, unusual HTML attributes, texts in many scripts.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Node, Page};
use copal_extract::{Answer, CellSource, Method, Record, Request, extract, find};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::HashSet;
use std::time::Duration;

/// The methods that find any list. The others may need links or words of a domain.
const FINDERS: [Method; 3] = [Method::Mdr, Method::Buw, Method::Rdr];

// ---- generated pages

/// Words in several scripts, with direction marks, joiners and characters that HTML must escape.
const WORDS: &[&str] = &[
    "lamp",
    "Blue",
    "x",
    "£12",
    "$1,299.00",
    "2024-05-01",
    "4.5/5",
    "a&b",
    "<i>",
    "\"quoted\"",
    "it's",
    "naïve",
    "e\u{301}",
    "ราคา",
    "บ้านเดี่ยว",
    "ภาษาไทยไม่เว้นวรรค",
    "价格",
    "上海市浦东新区",
    "東京",
    "한국어",
    "🙂",
    "👩‍👩‍👧",
    "🇹🇭",
    "שלום",
    "مرحبا",
    "\u{200f}עברית\u{200e}",
    "Цена",
    "İstanbul",
    "ẞ",
    "\u{200b}",
    "\u{a0}",
    "\u{3000}",
    "|",
    "·",
    "-",
];

fn text() -> impl Strategy<Value = String> {
    let word = select(WORDS);
    let space = select(&[" ", " ", "\n", "\t ", "\u{a0}", "", "\u{3000}"][..]);
    prop::collection::vec((word, space), 0..5)
        .prop_map(|words| words.into_iter().flat_map(|(word, space)| [word, space]).collect())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// HTML attributes as written in a tag; mostly none.
fn attributes() -> impl Strategy<Value = String> {
    let class = select(&["item", "price", "card big", "css-1a2b3c", "odd", "title__x1Yz9", "ราคา", ""][..]);
    let style = select(
        &[
            "display:none",
            "visibility:hidden",
            "color:red",
            "font-size:2em;font-weight:bold",
            ":;:",
            "display:",
        ][..],
    );
    let other =
        select(&["hidden", "id=main", "itemprop=name", "lang=th", "title", "data-é=1", "colspan=3"][..]);
    prop_oneof![
        6 => Just(String::new()),
        3 => class.prop_map(|value| format!(" class=\"{value}\"")),
        1 => style.prop_map(|value| format!(" style=\"{value}\"")),
        1 => other.prop_map(|value| format!(" {value}")),
        1 => text().prop_map(|value| format!(" alt=\"{}\"", escaped(&value))),
    ]
}

/// A small piece of a record: a text, a link, an image or formatted text.
fn piece() -> impl Strategy<Value = String> {
    let address = select(
        &["/1", "/2?q=a&b", "https://shop.example/ราคา", " /x ", "#", "", "data:image/gif;base64,AA"][..],
    );
    prop_oneof![
        3 => text().prop_map(|text| escaped(&text)),
        3 => (attributes(), text()).prop_map(|(attrs, text)| format!("<span{attrs}>{}</span>", escaped(&text))),
        2 => (select(&["p", "div", "h3", "b", "em", "small", "x-tag"][..]), attributes(), text())
            .prop_map(|(tag, attrs, text)| format!("<{tag}{attrs}>{}</{tag}>", escaped(&text))),
        3 => (address.clone(), text())
            .prop_map(|(to, text)| format!("<a href=\"{}\">{}</a>", escaped(to), escaped(&text))),
        1 => (select(&["src", "data-src"][..]), address)
            .prop_map(|(name, to)| format!("<img {name}=\"{}\">", escaped(to))),
        1 => select(&["<br>", "<hr>", "<!-- note -->", "<script>var a = '<li>';</script>", "<svg><g/></svg>"][..])
            .prop_map(str::to_owned),
    ]
}

/// How records are wrapped: the HTML before and after all of them, and before and after each.
const WRAPPERS: &[[&str; 4]] = &[
    ["<ul>", "</ul>", "<li>", "</li>"],
    ["<ol class=results>", "</ol>", "<li class=item>", "</li>"],
    ["<div>", "</div>", "<div class=card>", "</div>"],
    ["<section>", "</section>", "<article>", "</article>"],
    ["<table>", "</table>", "<tr><td>", "</td></tr>"],
    ["<table><thead><tr><th>Name<th>Price</thead>", "</table>", "<tr><td>", "</td><td>£1</td></tr>"],
    ["<table><tr>", "</tr></table>", "<td>", "</td>"],
    ["<dl>", "</dl>", "<dt>", "</dt><dd>more</dd>"],
    ["", "", "<p>", "</p>"],
    ["<div>", "</div>", "", "<br>"],
];

/// A list whose records have the same pieces in the same order with different texts; some pieces are left
/// out.
fn list() -> impl Strategy<Value = String> {
    let shape = prop::collection::vec(piece(), 1..4);
    let record = (prop::collection::vec(text(), 3), prop::collection::vec(prop::bool::weighted(0.85), 3));
    (select(WRAPPERS), shape, prop::collection::vec(record, 1..9)).prop_map(|(wrapper, shape, records)| {
        let [open, close, before, after] = wrapper;
        let mut html = open.to_string();
        for (texts, kept) in records {
            html += before;
            for ((piece, text), kept) in shape.iter().zip(texts).zip(kept) {
                if kept {
                    html += piece;
                    html += &["<i>", &escaped(&text), "</i>"].concat();
                }
            }
            html += after;
        }
        html + close
    })
}

/// A table whose rows may have different lengths.
fn table() -> impl Strategy<Value = String> {
    let row = prop::collection::vec((attributes(), piece()), 0..5);
    prop::collection::vec(row, 0..8).prop_map(|rows| {
        let cell = |(attrs, piece): (String, String)| format!("<td{attrs}>{piece}</td>");
        let row = |cells: Vec<_>| format!("<tr>{}</tr>", cells.into_iter().map(cell).collect::<String>());
        format!("<table>{}</table>", rows.into_iter().map(row).collect::<String>())
    })
}

fn block() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![3 => list(), 2 => table(), 2 => piece()];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let tag =
            select(&["div", "section", "ul", "li", "span", "b", "table", "td", "form", "a", "template"][..]);
        (tag, attributes(), prop::collection::vec(inner, 0..4))
            .prop_map(|(tag, attrs, inner)| format!("<{tag}{attrs}>{}</{tag}>", inner.concat()))
    })
}

fn page_html() -> impl Strategy<Value = String> {
    (text(), prop::collection::vec(block(), 1..4)).prop_map(|(title, blocks)| {
        format!("<!DOCTYPE html><title>{}</title><body>{}</body></html>", escaped(&title), blocks.concat())
    })
}

/// Generated pages, some of which are cut off at a random position.
fn any_page() -> impl Strategy<Value = String> {
    (page_html(), prop::option::weighted(0.3, 0.0..1.0)).prop_map(|(mut html, cut)| {
        if let Some(share) = cut {
            let at = (html.len() as f64 * share) as usize;
            html.truncate((0..=at).rev().find(|&at| html.is_char_boundary(at)).unwrap_or(0));
        }
        html
    })
}

/// Text that may be appended to a page without changing its meaning.
fn tail() -> impl Strategy<Value = String> {
    let bit = select(&[" ", "\n\n", "\t", "<!-- the end -->", "<!-->"][..]);
    prop::collection::vec(bit, 1..5).prop_map(|bits| bits.concat())
}

// ---- helpers

fn parse(html: &str) -> Page {
    let mut limits = Limits::default();
    // results may depend on the clock if the time limit is hit, so it must not be hit here
    limits.time = Duration::from_hours(1);
    Page::from_text(html, &limits)
}

fn options(method: Method) -> Request {
    let mut options = Request::for_lists();
    options.lists.method = method;
    options.all = true;
    options.lists.rdr.query = Some("blue lamp ราคา 价格".into());
    options
}

/// A case takes a millisecond. `PROPTEST_CASES` may raise the number of cases.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: default.cases.max(2000), failure_persistence: None, ..default }
}

/// The values of the HTML attributes inside a record.
fn attribute_values<'p>(page: &'p Page, record: &Record) -> HashSet<&'p str> {
    let nodes = record.place.parts.iter().flat_map(std::clone::Clone::clone);
    nodes.flat_map(|node| page.tree.attributes(node)).map(|(_, value)| value.trim()).collect()
}

/// Text without white space: a cell keeps the spaces of its line, while a record's text has one between all
/// pieces.
fn without_space(text: &str) -> String {
    text.split_whitespace().collect()
}

fn check_records(page: &Page, found: &Answer) -> Result<(), TestCaseError> {
    for region in &found.regions {
        let names: HashSet<&str> = region.columns.iter().map(|column| column.name.as_str()).collect();
        prop_assert_eq!(names.len(), region.columns.len(), "column names repeat: {:?}", region.columns);
        for record in &region.records {
            prop_assert_eq!(record.cells.len(), region.columns.len());
            let attribute_values = attribute_values(page, record);
            let text = without_space(&record.text);
            for (column, values) in region.columns.iter().zip(&record.cells) {
                for value in values.texts() {
                    let is_in_record = match column.source {
                        CellSource::Text => text.contains(&without_space(value)),
                        // it is above the record, not in it
                        CellSource::Heading => !value.is_empty(),
                        _ => attribute_values.contains(value),
                    };
                    prop_assert!(is_in_record, "{:?} {value:?} is not in {:?}", column, record);
                }
            }
        }
    }
    Ok(())
}

// ---- properties

proptest! {
    #![proptest_config(config())]

    #[test]
    fn answers_are_deterministic(html in any_page()) {
        let (page, same) = (parse(&html), parse(&html));
        for method in Method::ALL {
            let first = format!("{:?}", extract(&page, &options(method)));
            prop_assert_eq!(&first, &format!("{:?}", extract(&page, &options(method))), "same page");
            prop_assert_eq!(&first, &format!("{:?}", extract(&same, &options(method))), "parsed again");
        }
    }

    #[test]
    fn records_do_not_overlap_and_are_inside_their_region(html in any_page()) {
        let page = parse(&html);
        let tree = &page.tree;
        for method in Method::ALL {
            for region in find(&page, &options(method).lists).regions {
                prop_assert!(!region.records.is_empty() && !region.score.is_nan());
                let mut parts: Vec<_> = region.records.iter().flatten().cloned().collect();
                for part in &parts {
                    let inside = region.root < part.start && part.start < part.end && part.end <= tree.end(region.root);
                    prop_assert!(inside, "{} {:?} is not inside {}", method, part, region.root);
                }
                parts.sort_by_key(|part| part.start);
                for pair in parts.windows(2) {
                    prop_assert!(pair[0].end <= pair[1].start, "{} {:?} overlap", method, pair);
                }
                let starts: Vec<Node> = region.records.iter().map(|record| record[0].start).collect();
                prop_assert!(starts.is_sorted(), "{} records are not in document order: {:?}", method, starts);
            }
        }
    }

    #[test]
    fn cells_have_texts_of_their_record(html in any_page()) {
        let page = parse(&html);
        for method in Method::ALL {
            check_records(&page, &extract(&page, &options(method)))?;
        }
    }

    #[test]
    fn trailing_space_and_comments_change_nothing(html in page_html(), tail in tail()) {
        let (page, longer) = (parse(&html), parse(&format!("{html}{tail}")));
        for method in Method::ALL {
            let of = |page: &Page| format!("{:#?}", extract(page, &options(method)));
            prop_assert_eq!(of(&page), of(&longer));
        }
    }
}

/// The properties would prove little if the generated pages had no lists.
#[test]
fn generated_pages_have_lists() {
    let mut runner = TestRunner::deterministic();
    let mut found = [0; FINDERS.len()];
    for _ in 0..300 {
        let page = parse(&page_html().new_tree(&mut runner).unwrap().current());
        for (count, method) in found.iter_mut().zip(FINDERS) {
            *count +=
                usize::from(extract(&page, &options(method)).regions.iter().any(|r| !r.columns.is_empty()));
        }
    }
    assert!(found.iter().all(|&count| count > 75), "pages with lists, of 300, by method: {found:?}");
}
