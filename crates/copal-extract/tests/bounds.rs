//! Deep trees and pages with many classes are handled within bounds by every method.

#![allow(clippy::unwrap_used)]

use copal_dom::{Draft, Limits, Node, Page, Tree};
use copal_extract::{Method, Request, extract};

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
