//! Any text as a domain file: refused with one line, or a domain that annotates a page in bounds, the same twice.

use copal_dom::{Limits, Page};
use copal_domain::{Domain, annotate};
use copal_extract::{Method, Request, extract};
use std::sync::{Arc, LazyLock};

const HTML: &str = "<h1>Lamps</h1><ul><li><a href=/1>Blue lamp</a> <b>£12.50</b> <i>by Ada Moor, 3 May 2024</i>\
    <li><a href=/2>Red lamp</a> <b>£14.00</b> <i>by Élodie Ünsal, 4 June 2023</i><li><a href=/3>Green lamp</a> \
    <b>£9.75</b> <i>by Ifan Prys, 12 kg</i></ul>";

static PAGE: LazyLock<Page> = LazyLock::new(|| Page::from_text(HTML, &Limits::default()));

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let attributes =
        format!("domain: x\nobject: lamp\npivot: price\nattributes:\n  price: {{type: money}}\n{text}");
    for file in [&*text, attributes.as_str()] {
        match Domain::parse(file) {
            Ok(domain) => annotates(domain),
            Err(problem) => assert!(!problem.to_string().is_empty() && problem.to_string().len() < 20_000),
        }
    }
}

fn annotates(domain: Domain) {
    let found = format!("{:?}", annotate(&PAGE, &domain));
    assert_eq!(found, format!("{:?}", annotate(&PAGE, &domain)), "not deterministic");
    let request = Request::default().with_domain(Arc::new(domain));
    for method in [Method::Combined, Method::Amber] {
        let mut request = request.clone();
        request.lists.method = method;
        crate::checks::extract::check_regions(&PAGE, &extract(&PAGE, &request));
    }
}
