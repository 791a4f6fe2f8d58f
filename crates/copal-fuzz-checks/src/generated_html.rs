//! Pages from bytes: elements, repeated parts, typed texts.
//!
//! Each byte is a choice: open or close an element, write a text, repeat what was just closed. Repeating is what makes
//! lists, which random bytes never become. O(bytes), at most 64 KB.

use arbitrary::Unstructured;

const MAX_HTML_BYTES: usize = 64 << 10;
const MAX_OPEN_ELEMENTS: usize = 60;

const TAGS: [&str; 40] = [
    "div", "ul", "li", "p", "span", "a", "h1", "h2", "h3", "table", "tr", "td", "th", "tbody", "dl", "dt",
    "dd", "b", "i", "article", "section", "main", "nav", "footer", "header", "aside", "form", "select",
    "option", "label", "button", "input", "img", "br", "time", "script", "style", "template", "svg", "font",
];
const VOID_TAGS: [&str; 3] = ["input", "img", "br"];
const ATTRIBUTES: [&str; 20] = [
    " class=item",
    " class='price c1'",
    " class=next",
    " id=main",
    " href=/p/1",
    " href='?page=3'",
    " hidden",
    " style='display:none'",
    " itemprop=name",
    " itemscope itemtype='https://schema.org/Product'",
    " colspan=3",
    " rowspan=100",
    " type=search name=q",
    " rel=next",
    " src=a.png",
    " datetime=2024-02-30",
    " role=list",
    " aria-hidden=true",
    " dir=rtl",
    " data-a='{\"a\":[1]}'",
];
const TEXTS: [&str; 28] = [
    "Blue lamp",
    "Red lamp with a long name that goes on",
    "£12.50",
    "1.234,56 €",
    "$0",
    "3 May 2024",
    "31.02.2024",
    "2024-13-01",
    "4.5 out of 5",
    "(86 reviews)",
    "12 kg",
    "Price:",
    "Author: Ada Moor",
    "SW1A 1AA",
    "+44 20 7946 0000",
    "1–20 of 345 results",
    "Page 2 of 18",
    "Next",
    "»",
    "\u{202e}lamp\u{202c}",
    "e\u{301}\u{301}",
    "ﷺ",
    "\u{0}",
    "{\"a\":[{\"b\":1},{\"b\":2}]}",
    "&nbsp;",
    "99999999999999999999",
    "-1",
    "\n\n",
];

/// A page that the bytes choose.
pub(crate) fn generated_html(bytes: &[u8]) -> String {
    build(&mut Unstructured::new(bytes)).unwrap_or_default()
}

fn build(choices: &mut Unstructured<'_>) -> arbitrary::Result<String> {
    let mut html = String::from("<!doctype html><title>Lamps</title>");
    // the open elements with where they begin, and where the element begins that was closed last
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut closed = None;
    while !choices.is_empty() && html.len() < MAX_HTML_BYTES {
        match choices.int_in_range(0..=9u8)? {
            0..=3 if open.len() < MAX_OPEN_ELEMENTS => {
                let tag = *choices.choose(&TAGS)?;
                let start = html.len();
                html.push_str(&format!("<{tag}"));
                for _ in 0..choices.int_in_range(0..=2u8)? {
                    html.push_str(choices.choose(&ATTRIBUTES)?);
                }
                html.push('>');
                if !VOID_TAGS.contains(&tag) {
                    open.push((tag, start));
                }
            }
            4..=5 => html.push_str(choices.choose(&TEXTS)?),
            6 => {
                let length = choices.int_in_range(0..=20usize)?.min(choices.len());
                html.push_str(&String::from_utf8_lossy(choices.bytes(length)?));
            }
            7 => {
                if let Some(start) = closed {
                    let part = html[start..].to_owned();
                    for _ in 0..choices.int_in_range(1..=8u8)? {
                        if html.len() + part.len() < MAX_HTML_BYTES {
                            html.push_str(&part);
                        }
                    }
                }
            }
            _ => {
                if let Some((tag, start)) = open.pop() {
                    html.push_str(&format!("</{tag}>"));
                    closed = Some(start);
                }
            }
        }
    }
    Ok(html)
}
