//! Any bytes as a JSON document, a feed or another XML document: lists with complete records or an error of one line,
//! the same twice.

use crate::checks::extract::check_cells;
use copal_extract::{Document, Received, Request, read};

const TYPES: [&str; 4] =
    ["application/json", "application/xml", "application/rss+xml", "application/ld+json"];

pub(crate) fn check(bytes: &[u8]) {
    let mut request = Request::default();
    request.all = true;
    let undeclared = Received { url: Some("https://a.example/feed".to_owned()), ..Received::default() };
    let declared = TYPES.map(|name| Received { content_type: Some(name.to_owned()), ..undeclared.clone() });
    for received in declared.iter().chain([&undeclared]) {
        let first = read(bytes, received, &request);
        match &first {
            Ok(Document::Data(answer)) => {
                for region in &answer.regions {
                    check_cells(region);
                }
            }
            // the other checks read pages
            Ok(Document::Page(_)) => continue,
            Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        }
        assert_eq!(
            format!("{first:?}"),
            format!("{:?}", read(bytes, received, &request)),
            "not deterministic"
        );
    }
}
