//! Answers of annotators: any bytes are refused with a short line, or give spans that are in their texts.

use copal_domain::Domain;
use std::sync::LazyLock;

const TEXTS: [&str; 3] = ["by Élodie Ünsal", "", "£12 \u{1F4D6} Ada Moor"];

static DOMAIN: LazyLock<Domain> = LazyLock::new(|| {
    let text = "domain: x\nobject: book\npivot: price\nattributes:\n  price: {type: money}\n  author: {type: text, \
                annotators: [ner]}\n";
    Domain::parse(text).expect("a valid domain")
});

pub(crate) fn check(bytes: &[u8]) {
    let request = DOMAIN.annotator_request("ner", TEXTS.to_vec()).expect("an attribute names it");
    match request.read_answer(bytes) {
        Ok(found) => {
            for one in found {
                let text = TEXTS[one.text].get(one.span).expect("a span of the text");
                assert!(!text.is_empty() && DOMAIN.attributes[one.attribute].name == "author");
            }
        }
        Err(error) => assert!(error.to_string().len() < 300),
    }
    // any text is a domain file or an error of one line
    if let Err(error) = Domain::parse(&String::from_utf8_lossy(bytes)) {
        assert!(!error.to_string().is_empty());
    }
}
