//! Any bytes as a JSON document, a feed or another XML document: lists with complete records or an error of one line,
//! the same twice.

use crate::checks::extract::check_cells;
use crate::variants::{is_repeated, variants};
use copal_extract::{Document, Received, Request, read};

const TYPES: [&str; 4] =
    ["application/json", "application/xml", "application/rss+xml", "application/ld+json"];

pub(crate) fn check(bytes: &[u8]) {
    let mut request = Request::default();
    request.all = true;
    let undeclared = Received { url: Some("https://a.example/feed".to_owned()), ..Received::default() };
    let declared = TYPES.map(|name| Received { content_type: Some(name.to_owned()), ..undeclared.clone() });
    let all: Vec<&Received> = declared.iter().chain([&undeclared]).collect();
    for received in &all[variants(bytes, all.len())] {
        let first = read(bytes, received, &request);
        match &first {
            Ok(Document::Data(answer)) => {
                for region in &answer.regions {
                    check_cells(region);
                }
            }
            // the other checks read pages
            Ok(Document::Page(_)) => continue,
            Err(error) => {
                let message = error.to_string();
                assert!(!message.contains('\n') && message.chars().count() < 300, "{message}");
            }
        }
        if is_repeated(bytes) {
            let again = read(bytes, received, &request);
            assert_eq!(format!("{first:?}"), format!("{again:?}"), "not deterministic");
        }
    }
}
