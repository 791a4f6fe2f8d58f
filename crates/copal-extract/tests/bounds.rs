//! Deep trees and pages with many classes are handled within bounds by every method.

#![allow(clippy::unwrap_used)]

use copal_dom::{Draft, Limit, Limits, Node, Page, Tree, Warning};
use copal_domain::Domain;
use copal_extract::{KindRequest, Method, Request, extract};
use copal_model::Answer;
use std::sync::Arc;

/// The methods that find any list. The others may need links or words of a domain.
const FINDERS: [Method; 3] = [Method::Mdr, Method::Buw, Method::Rdr];

fn options(method: Method) -> Request {
    let mut options = Request::for_lists();
    options.lists.method = method;
    options.lists.rdr.query = Some("lamp".into());
    options
}

/// Depth of the generated trees.
const DEPTH: usize = 100_000;

/// Adds nested elements whose names alternate, and returns the innermost one.
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

/// Deep trees of several shapes, with their names.
fn deep_trees() -> Vec<(&'static str, Tree)> {
    let grow = |shape: &dyn Fn(&mut Draft, Node)| {
        let mut draft = Draft::new();
        let html = draft.element(Draft::DOCUMENT_NODE, "html");
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
            "texts at many levels",
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
fn deep_trees_do_not_overflow_the_stack() {
    for method in Method::ALL {
        let work = move || {
            for (name, tree) in deep_trees() {
                let page = Page::from_tree(tree);
                assert!(
                    page.tree.nodes().any(|node| page.tree.depth(node) as usize >= DEPTH),
                    "{name} is not deep"
                );
                let found = extract(&page, &options(method));
                if FINDERS.contains(&method) {
                    assert_eq!(found.regions.is_empty(), name == "a text", "{method}: {name}");
                }
            }
        };
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap();
        assert!(thread.join().is_ok(), "{method} failed on a deep tree");
    }
}

/// If every record has a class of its own, the table must not have records x records cells.
#[test]
fn the_number_of_columns_is_limited() {
    let items: String =
        (0..3000).map(|i| format!("<li><a>t{i}</a><b>p{i}</b><i class=w{}>x</i>", word(i))).collect();
    let page = Page::from_text(&format!("<ul>{items}</ul>"), &Limits::default());
    for method in Method::ALL {
        for region in extract(&page, &options(method)).regions {
            assert!(region.columns.len() <= 400, "{method}: {} columns", region.columns.len());
        }
    }
}

/// A word that consists of letters only: a class with digits would count as generated.
fn word(mut number: usize) -> String {
    let mut word = String::from("ba");
    while number > 0 {
        word.push_str(["ba", "de", "fi", "go", "lu", "me", "ni", "po", "ra", "su"][number % 10]);
        number /= 10;
    }
    word
}

/// What the answer says was left out.
fn left_out(answer: &Answer) -> Vec<&str> {
    fn what(warning: &Warning) -> Option<&str> {
        if let Warning::LeftOut { what } = warning { Some(what) } else { None }
    }
    answer.warnings.iter().filter_map(what).collect()
}

/// Paragraphs of one text.
fn paragraphs(count: usize, text: &str) -> Page {
    Page::from_text(&format!("<p>{text}</p>").repeat(count), &Limits::default())
}

#[test]
fn columns_that_are_dropped_are_reported() {
    // values of a record, each with a class of its own
    for (values, columns, expected) in [(100, 100, vec![]), (450, 400, vec!["columns"])] {
        let value = |i: usize, c: usize| format!("<i class=w{}>x{i}y{c}</i>", word(c));
        let item = |i: usize| format!("<li>{}", (0..values).map(|c| value(i, c)).collect::<String>());
        let items: String = (0..20).map(item).collect();
        let page = Page::from_text(&format!("<ul>{items}</ul>"), &Limits::default());
        let answer = extract(&page, &options(Method::Mdr));
        assert_eq!((answer.regions[0].records.len(), answer.regions[0].columns.len()), (20, columns));
        assert_eq!(left_out(&answer), expected, "{values} values");
    }
}

#[test]
fn searching_a_page_for_values_has_a_budget() {
    // one paragraph costs 20,000 bytes at most, and the budget is 3,000,000
    let text = "a".repeat(25_000);
    for (count, is_partial) in [(100, false), (160, true)] {
        let page = paragraphs(count, &text);
        let mut request = Request::for_lists();
        request.lists.explain = true;
        let explained = extract(&page, &request);
        let expected = if is_partial { vec!["recognised texts of the explanation"] } else { vec![] };
        assert_eq!(left_out(&explained), expected, "{count} paragraphs");
        let domain = Arc::new(Domain::load("real-estate").unwrap());
        let mut request = Request::for_lists().with_domain(domain);
        request.lists.method = Method::Amber;
        let annotated = extract(&page, &request);
        let expected = if is_partial { vec!["attributes in the rest of a very long page"] } else { vec![] };
        assert_eq!(left_out(&annotated), expected, "{count} paragraphs");
        assert!(annotated.warnings.iter().all(|warning| warning.limit() == Some(Limit::Work)));
    }
}

#[test]
fn reading_the_lines_of_an_object_has_a_budget() {
    let text = "word ".repeat(30);
    for (count, expected) in [(1000, vec![]), (7000, vec!["fields of a very long page"])] {
        let mut request = Request::for_lists();
        request.kind = KindRequest::Object;
        let answer = extract(&paragraphs(count, &text), &request);
        assert_eq!(left_out(&answer), expected, "{count} lines");
    }
}
