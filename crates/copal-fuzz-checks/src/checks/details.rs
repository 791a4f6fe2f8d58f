//! Any text as a page about one object, alone and with pages of the same template, with and without a domain: field
//! names are not empty, and the answer is the same twice.

use crate::variants::{is_repeated, variants};
use copal_dom::{Limits, Page};
use copal_domain::Domain;
use copal_extract::objects::{ObjectOptions, answers};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

static BOOKS: LazyLock<Arc<Domain>> =
    LazyLock::new(|| Arc::new(Domain::load("books").expect("a built-in domain")));

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut limits = Limits::default();
    limits.time = Duration::from_hours(1);
    let (first, second) = text.split_at(text.floor_char_boundary(text.len() / 2));
    let pages = [
        Page::from_text(&text, &limits),
        // two pages of one template whose values differ
        Page::from_text(&object_page(first), &limits),
        Page::from_text(&object_page(second), &limits),
    ];
    let pages: Vec<&Page> = pages.iter().collect();
    for way in variants(bytes, 2) {
        let mut options = ObjectOptions::default();
        options.domain = (way == 1).then(|| BOOKS.clone());
        let found = answers(&pages, &options);
        assert_eq!(found.len(), pages.len());
        for field in
            found.iter().filter_map(|answer| answer.object.as_ref()).flat_map(|object| &object.fields)
        {
            assert!(!field.name.is_empty(), "{field:?}");
        }
        if is_repeated(bytes) {
            assert_eq!(format!("{found:?}"), format!("{:?}", answers(&pages, &options)), "not deterministic");
        }
    }
}

fn object_page(value: &str) -> String {
    let value = value.replace('<', "&lt;");
    let lines: Vec<&str> = value.lines().chain([""; 4]).take(4).collect();
    format!(
        "<title>{0}</title><main><h1>{0}</h1><dl><dt>Author</dt><dd>{1}</dd><dt>Price</dt><dd>{2}</dd></dl>\
         <p><b>Published:</b> {3}</p><p>{value}</p></main>",
        lines[0], lines[1], lines[2], lines[3]
    )
}
