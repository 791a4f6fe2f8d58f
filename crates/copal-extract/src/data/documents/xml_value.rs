//! Converts XML to a JSON value.
//!
//! In: the text of an XML document. Out: a value in which elements are objects of their attributes and
//! children, children with the same name are an array, and elements with nothing but text are that text. HTML
//! inside texts is converted to visible text. Reading stops at the first error; what was read before is kept.
//! The depth is limited, and entities that the document defines are not expanded, so that a small document
//! cannot become a huge value. O(text).

use copal_dom::{Limits, Page, push_collapsed};
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
use serde_json::{Map, Value};

/// Maximum depth of elements.
const MAX_XML_DEPTH: usize = 100;

/// An element whose end has not been read yet.
struct OpenXmlElement {
    name: String,
    fields: Map<String, Value>,
    text: String,
}

/// The document as a value, and the first error.
pub(super) fn to_value(text: &str) -> (Value, Option<String>) {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let mut open = vec![OpenXmlElement { name: String::new(), fields: Map::new(), text: String::new() }];
    let error_message = loop {
        match reader.read_event() {
            Ok(Event::Eof) if open.len() > 1 => {
                break Some(format!(
                    "<{}> is not closed at the end",
                    open.last().map_or("", |top| &top.name)
                ));
            }
            Ok(Event::Eof) => break None,
            Ok(Event::Start(tag)) => {
                if open.len() > MAX_XML_DEPTH {
                    break Some(format!("more than {MAX_XML_DEPTH} nested elements"));
                }
                open.push(element(&tag));
            }
            Ok(Event::Empty(tag)) => {
                open.push(element(&tag));
                close(&mut open);
            }
            Ok(Event::End(_)) => close(&mut open),
            Ok(Event::Text(piece)) => push_text(&mut open, &piece),
            Ok(Event::CData(piece)) => push_text(&mut open, &piece),
            Ok(Event::GeneralRef(name)) => {
                let written = format!("&{};", &*name);
                let read = unescape(&written).map_or_else(|_| written.clone(), std::borrow::Cow::into_owned);
                push_text(&mut open, &read);
            }
            Ok(_) => {}
            Err(error) => {
                // the position is one of bytes, which need not be between two characters
                let read = &text[..text.floor_char_boundary(reader.error_position() as usize)];
                let line = read.matches('\n').count() + 1;
                break Some(format!("{error} (line {line})"));
            }
        }
    };
    // elements without an end are kept as far as they were read
    while open.len() > 1 {
        close(&mut open);
    }
    (Value::Object(open.pop().map(|root| root.fields).unwrap_or_default()), error_message)
}

fn element(tag: &BytesStart<'_>) -> OpenXmlElement {
    let mut fields = Map::new();
    for attribute in tag.attributes().with_checks(false).flatten() {
        let key = attribute.key.as_ref().to_owned();
        let raw = attribute.value.into_owned();
        if !key.starts_with("xmlns") {
            let value = unescape(&raw).map_or_else(|_| raw.clone(), std::borrow::Cow::into_owned);
            fields.insert(key, Value::from(value));
        }
    }
    OpenXmlElement { name: tag.name().as_ref().to_owned(), fields, text: String::new() }
}

fn push_text(open: &mut [OpenXmlElement], text: &str) {
    if let Some(top) = open.last_mut() {
        top.text.push_str(text);
    }
}

/// Adds the innermost open element to its parent.
fn close(open: &mut Vec<OpenXmlElement>) {
    if open.len() < 2 {
        return;
    }
    let (Some(done), Some(above)) = (open.pop(), open.last_mut()) else { return };
    let name = done.name.clone();
    let Some(value) = value(done) else { return };
    match above.fields.get_mut(&name) {
        None => {
            above.fields.insert(name, value);
        }
        Some(Value::Array(all)) => all.push(value),
        // of several links of an entry the last one wins: links that are not alternate have no value
        Some(first @ Value::String(_)) if name == "link" => {
            if let Value::String(_) = value {
                *first = value;
            }
        }
        Some(first) => {
            let one = first.take();
            *first = Value::Array(vec![one, value]);
        }
    }
}

/// The value of an element; `None` if it is empty.
fn value(done: OpenXmlElement) -> Option<Value> {
    let text = visible_text(&done.text);
    if done.name == "link" && text.is_empty() {
        let own = matches!(done.fields.get("rel").and_then(Value::as_str), None | Some("alternate"));
        return done.fields.get("href").filter(|_| own).cloned();
    }
    if done.fields.is_empty() {
        return (!text.is_empty()).then(|| Value::from(text));
    }
    let mut fields = done.fields;
    if !text.is_empty() {
        fields.insert("text".to_owned(), Value::from(text));
    }
    Some(Value::Object(fields))
}

/// The visible text of a text that may be HTML: feeds often carry HTML.
fn visible_text(text: &str) -> String {
    let mut out = String::new();
    let tagged = text.find('<').is_some_and(|at| text[at..].contains('>'));
    // HTML that was escaped twice counts too
    if tagged || text.contains("&#") || text.contains("&amp;") {
        let page = Page::from_text(text, &Limits::default());
        return page.visible_text(0..page.tree.len() as u32);
    }
    push_collapsed(&mut out, text);
    out
}
