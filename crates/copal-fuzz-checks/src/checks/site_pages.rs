//! Any text as a page of a site: what it offers and what its forms would send are read without a panic, within the
//! bounds, and the same twice. No form that is not a search is ever sent.

use crate::{form_refusal, page_reading, post_search};
use copal_dom::{Limits, Page};

pub(crate) fn check(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
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
}
