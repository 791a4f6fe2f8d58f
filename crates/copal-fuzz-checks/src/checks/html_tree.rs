//! Pages made of elements, repeated parts and typed texts, which random bytes hardly ever are: every stage, and the
//! outline.

use crate::checks::{details, extract, forms, tree};
use crate::generated_html::generated_html;
use crate::variants::{is_repeated, variants};
use copal_dom::{Limits, Page};
use copal_extract::{KindRequest, Request};
use std::time::Duration;

pub(crate) fn check(bytes: &[u8]) {
    let html = generated_html(bytes);
    tree::check(html.as_bytes());
    forms::check(html.as_bytes());
    let mut limits = Limits::default();
    limits.time = Duration::from_hours(1);
    let mut page = Page::from_text(&html, &limits);
    page.url = Some("https://shop.example/list?page=2".to_owned());
    let kinds = [KindRequest::Auto, KindRequest::List, KindRequest::Object];
    for kind in &kinds[variants(bytes, kinds.len())] {
        let mut request = Request::default();
        (request.kind, request.all, request.outline) = (*kind, true, true);
        let found = copal_extract::extract(&page, &request);
        extract::check_regions(&page, &found);
        if is_repeated(bytes) {
            let again = copal_extract::extract(&page, &request);
            assert_eq!(format!("{found:?}"), format!("{again:?}"), "not deterministic");
        }
    }
    // two orders of magnitude slower than the others
    if bytes.len() < 200 {
        details::check(html.as_bytes());
    }
}
