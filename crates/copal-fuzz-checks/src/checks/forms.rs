//! Any text as a page: its forms are found without a panic, within the bounds, and the same twice.

use copal_dom::{Limits, Page};
use copal_forms::find_forms;

pub(crate) fn check(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    let page = Page::from_text(text, &Limits::default());
    let forms = find_forms(&page);
    assert!(forms.len() <= 300);
    for form in &forms {
        assert!(form.confidence > 0.0 && form.confidence <= 1.0, "{}", form.confidence);
        assert!(form.fields.len() <= 500);
        assert!(form.fields.iter().all(|field| (field.node as usize) < page.tree.len()));
    }
    assert_eq!(format!("{forms:?}"), format!("{:?}", find_forms(&page)));
}
