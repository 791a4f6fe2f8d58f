//! Any text as a page of a site: what it offers and what its forms would send are read without a panic, within the
//! bounds, and the same twice. No form that is not a search is ever sent.

#![no_main]
#![allow(dead_code)]

// the sources themselves: the crate also has a database and all of fetching
#[path = "../../crates/copal-explore/src/form_filling.rs"]
mod form_filling;
#[path = "../../crates/copal-explore/src/form_refusal.rs"]
mod form_refusal;
#[path = "../../crates/copal-explore/src/link_words.rs"]
mod link_words;
#[path = "../../crates/copal-explore/src/page_facts.rs"]
mod page_facts;
#[path = "../../crates/copal-explore/src/page_reading.rs"]
mod page_reading;
#[path = "../../crates/copal-explore/src/page_size.rs"]
mod page_size;
#[path = "../../crates/copal-explore/src/post_search.rs"]
mod post_search;
#[path = "../../crates/copal-explore/src/url_keys.rs"]
mod url_keys;

use copal_dom::{Limits, Page};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut page = Page::from_text(text, &Limits::default());
    page.url = Some("https://site.example/folder/page?a=b".to_owned());
    let answer = copal_extract::extract(&page, &copal_extract::Request::default());
    let facts = page_reading::read_page_facts(&page, &answer, None, true);
    assert!(facts.links.len() <= 500);
    for form in &facts.forms {
        assert!(form.submissions.is_empty() || form.form_type == copal_forms::FormType::Search);
        for submission in &form.submissions {
            let Some(body) = &submission.body else { continue };
            assert!(form.confidence >= form_refusal::MIN_POST_CONFIDENCE);
            // the page itself has the tokens that it was filled in with
            assert!(post_search::renewed_form(&page, &submission.url, body).is_some());
        }
    }
    let again = page_reading::read_page_facts(&page, &answer, None, true);
    assert_eq!(format!("{facts:?}"), format!("{again:?}"));
});
