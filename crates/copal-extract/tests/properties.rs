//! What must hold for every page and every method, on generated pages: lists, tables, grids, nested boxes, odd
//! attributes, texts of many scripts.

#![allow(clippy::unwrap_used)]

use copal_dom::{Draft, Limits, Node, Page, Tree};
use copal_extract::{Answer, CellSource, Method, Record, Request, extract, find};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::HashSet;
use std::time::Duration;

/// The methods that find any list; others may ask for links or for words of a domain.
const FINDERS: [Method; 3] = [Method::Mdr, Method::Buw, Method::Rdr];

// ---- generated pages

/// Words of several scripts, with direction marks, joiners, and characters that HTML must escape.
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

/// Attributes as they stand in a tag, most often none.
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

/// A small piece of a record: a text, a link, an image, something formatted.
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

/// How records are wrapped: before and after all, before and after each.
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

/// A list whose records have the same pieces in the same order, some of them left out, with their own texts.
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

/// Cells of a table, rows of unequal length.
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

/// The same, some of them cut off in the middle of anything.
fn any_page() -> impl Strategy<Value = String> {
    (page_html(), prop::option::weighted(0.3, 0.0..1.0)).prop_map(|(mut html, cut)| {
        if let Some(share) = cut {
            let at = (html.len() as f64 * share) as usize;
            html.truncate((0..=at).rev().find(|&at| html.is_char_boundary(at)).unwrap_or(0));
        }
        html
    })
}

/// What a page may end with and still say the same.
fn tail() -> impl Strategy<Value = String> {
    let bit = select(&[" ", "\n\n", "\t", "<!-- the end -->", "<!-->"][..]);
    prop::collection::vec(bit, 1..5).prop_map(|bits| bits.concat())
}

// ---- helpers

fn parse(html: &str) -> Page {
    let mut limits = Limits::default();
    // results may depend on the clock where it is hit: never here
    limits.time = Duration::from_secs(3600);
    Page::from_text(html, &limits)
}

fn options(method: Method) -> Request {
    let mut options = Request::for_lists();
    options.lists.method = method;
    options.all = true;
    options.lists.rdr.query = Some("blue lamp ราคา 价格".into());
    options
}

/// A case takes a millisecond. `PROPTEST_CASES` may ask for more.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: default.cases.max(2000), failure_persistence: None, ..default }
}

/// Values of the attributes inside a record.
fn addresses<'p>(page: &'p Page, record: &Record) -> HashSet<&'p str> {
    let nodes = record.place.parts.iter().flat_map(std::clone::Clone::clone);
    nodes.flat_map(|node| page.tree.attributes(node)).map(|(_, value)| value.trim()).collect()
}

/// A cell keeps the spaces of its line, a record's text has one between all its pieces.
fn without_space(text: &str) -> String {
    text.split_whitespace().collect()
}

fn check_records(page: &Page, found: &Answer) -> Result<(), TestCaseError> {
    for region in &found.regions {
        let names: HashSet<&str> = region.columns.iter().map(|column| column.name.as_str()).collect();
        prop_assert_eq!(names.len(), region.columns.len(), "column names repeat: {:?}", region.columns);
        for record in &region.records {
            prop_assert_eq!(record.cells.len(), region.columns.len());
            let addresses = addresses(page, record);
            let text = without_space(&record.text);
            for (column, values) in region.columns.iter().zip(&record.cells) {
                for value in values.texts() {
                    let known = match column.source {
                        CellSource::Text => text.contains(&without_space(value)),
                        _ => addresses.contains(value),
                    };
                    prop_assert!(known, "{:?} {value:?} is not in {:?}", column, record);
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
    fn the_answer_is_the_same_each_time(html in any_page()) {
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
    fn cells_hold_what_the_page_says(html in any_page()) {
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

// ---- depth

const DEPTH: usize = 100_000;

/// Elements inside one another, with the names in turn; the innermost.
fn chain(draft: &mut Draft, top: Node, names: &[&str], depth: usize) -> Node {
    (0..depth).fold(top, |at, level| draft.element(at, names[level % names.len()]))
}

fn items(draft: &mut Draft, parent: Node, count: usize) {
    for i in 0..count {
        let item = draft.element(parent, "li");
        for name in ["h3", "b", "span"] {
            let field = draft.element(item, name);
            draft.text(field, &format!("{name} of lamp {i}"));
        }
    }
}

/// Deep trees of several shapes.
fn deep_trees() -> Vec<(&'static str, Tree)> {
    let grow = |shape: &dyn Fn(&mut Draft, Node)| {
        let mut draft = Draft::new();
        let html = draft.element(Draft::DOCUMENT, "html");
        let body = draft.element(html, "body");
        shape(&mut draft, body);
        draft.finish()
    };
    vec![
        (
            "a text",
            grow(&|draft, body| {
                let inner = chain(draft, body, &["div"], DEPTH);
                draft.text(inner, "deep");
            }),
        ),
        (
            "a list",
            grow(&|draft, body| {
                let inner = chain(draft, body, &["div", "ul", "li", "b"], DEPTH);
                items(draft, inner, 8);
            }),
        ),
        (
            "tables",
            grow(&|draft, body| {
                let inner = chain(draft, body, &["table", "tbody", "tr", "td"], DEPTH);
                items(draft, inner, 8);
            }),
        ),
        (
            "deep records",
            grow(&|draft, body| {
                for _ in 0..4 {
                    let item = draft.element(body, "li");
                    let inner = chain(draft, item, &["div", "b"], DEPTH);
                    items(draft, inner, 3);
                }
            }),
        ),
        (
            "texts on the way",
            grow(&|draft, body| {
                let mut at = body;
                for level in 0..DEPTH {
                    at = draft.element(at, "div");
                    if level % 100 == 0 {
                        items(draft, at, 3);
                    }
                }
            }),
        ),
    ]
}

#[test]
fn depth_needs_no_stack() {
    for method in Method::ALL {
        let work = move || {
            for (name, tree) in deep_trees() {
                let page = Page::from_tree(tree);
                assert!(
                    page.tree.nodes().any(|node| page.tree.depth(node) as usize >= DEPTH),
                    "{name} is not deep"
                );
                let mut options = options(method);
                options.all = false;
                let found = extract(&page, &options);
                if FINDERS.contains(&method) {
                    assert_eq!(found.regions.is_empty(), name == "a text", "{method}: {name}");
                }
            }
        };
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap();
        assert!(thread.join().is_ok(), "{method} failed on a deep tree");
    }
}

/// Properties of pages without lists would say little.
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

/// A class of its own in every record must not make a table of records x records cells.
#[test]
fn columns_are_bounded() {
    let items: String =
        (0..3000).map(|i| format!("<li><a>t{i}</a><b>p{i}</b><i class=w{}>x</i>", word(i))).collect();
    let page = Page::from_text(&format!("<ul>{items}</ul>"), &Limits::default());
    for method in Method::ALL {
        let mut options = Request::for_lists();
        options.lists.method = method;
        for region in extract(&page, &options).regions {
            assert!(region.columns.len() <= 400, "{method}: {} columns", region.columns.len());
        }
    }
}

/// A word of letters only: one with digits would count as generated.
fn word(mut number: usize) -> String {
    let mut word = String::from("ba");
    while number > 0 {
        word.push_str(["ba", "de", "fi", "go", "lu", "me", "ni", "po", "ra", "su"][number % 10]);
        number /= 10;
    }
    word
}
