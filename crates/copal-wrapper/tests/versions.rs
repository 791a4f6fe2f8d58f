//! The contract of the wrapper format: old files stay readable, and files of other versions are refused with
//! a hint.

#![allow(clippy::unwrap_used)]

use copal_wrapper::{FORMAT_VERSION, PageKind, ReadFrom, Wrapper, WrapperError};

const VERSION_1: &str = include_str!("files/version-1.copal.yaml");

#[test]
fn version_1_is_read_with_every_key() {
    let wrapper = Wrapper::parse(VERSION_1).unwrap();
    assert_eq!((wrapper.format_version, wrapper.revision, wrapper.changes.len()), (1, 2, 1));
    let navigation = wrapper.navigation.as_ref().unwrap();
    assert_eq!((navigation.steps.len(), navigation.next.len()), (2, 1));
    let kinds: Vec<PageKind> = wrapper.pages.iter().map(|rule| rule.kind).collect();
    assert_eq!(kinds, [PageKind::List, PageKind::Detail, PageKind::Section]);
    let list = &wrapper.pages[0];
    let record = list.record.as_ref().unwrap();
    assert_eq!((record.elements, record.needs.as_deref()), (2, Some("h2")));
    let fingerprint = record.fingerprint.as_ref().unwrap();
    assert_eq!((fingerprint.chars, fingerprint.url_part.as_deref()), ((60, 62, 66), Some("/p/")));
    let sources: Vec<ReadFrom> = list.columns.iter().map(|column| column.read_from).collect();
    assert_eq!(sources, [ReadFrom::Text, ReadFrom::Href, ReadFrom::Src, ReadFrom::Text]);
    let price = &list.columns[3];
    assert_eq!((price.value_type.as_deref(), price.presence, price.many), (Some("money"), Some(0.95), true));
    assert_eq!(price.find[1].value_type.as_deref(), Some("money"));
    assert_eq!(price.cut.as_ref().unwrap().piece, Some(1));
    assert_eq!(list.profile.as_ref().unwrap().page_fingerprint.as_deref(), Some("0000000a"));
}

#[test]
fn version_1_survives_a_round_trip() {
    let wrapper = Wrapper::parse(VERSION_1).unwrap();
    let text = wrapper.to_string();
    assert_eq!(Wrapper::parse(&text).unwrap(), wrapper, "{text}");
    // Nothing but comments and the notation of locators may change, so the keys must be the same.
    for key in ["looks:", "address:", "look:", "from: href", "type: money", "version: 2", "copal: 1"] {
        assert!(text.contains(key), "{key}: {text}");
    }
}

#[test]
fn newer_versions_are_refused_before_their_keys_are_read() {
    let newer = FORMAT_VERSION + 1;
    let text = format!("copal: {newer}\nregions: [a key that does not exist yet]\n");
    let error = Wrapper::parse(&text).unwrap_err();
    assert_eq!(error, WrapperError::NewerVersion { found: newer, newest: FORMAT_VERSION });
    let message = error.to_string();
    assert!(message.contains("update copal") && message.contains("expected 1"), "{message}");
}

#[test]
fn older_versions_are_refused_with_a_hint() {
    let error = Wrapper::parse(&VERSION_1.replace("copal: 1", "copal: 0")).unwrap_err();
    assert_eq!(error, WrapperError::OlderVersion { found: 0, oldest: 1 });
    assert!(error.to_string().contains("copal learn"), "{error}");
}

#[test]
fn files_without_a_version_are_refused_with_a_hint() {
    let error = Wrapper::parse("pages: []\n").unwrap_err();
    assert_eq!(error, WrapperError::MissingVersion { expected: FORMAT_VERSION });
    assert!(error.to_string().contains("copal: 1"), "{error}");
}
