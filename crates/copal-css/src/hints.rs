//! HTML attributes that set styles: `<font color>`, `<td align>` and the like.
//!
//! In: an element. Out: declarations, written as CSS so that they are parsed and cached like the attribute `style`.
//! They apply before every rule of the page.

use crate::colours::Colour;
use copal_dom::{Node, Tree, attrs, tags};
use std::fmt::Write;

/// The declarations of an element's attributes; empty if there are none.
pub(crate) fn presentational_hints(tree: &Tree, node: Node) -> String {
    let mut css = String::new();
    let tag = tree.tag(node);
    let attr =
        |name| tree.attr(node, name).map(str::trim).filter(|value| !value.is_empty() && value.len() < 200);
    let mut add = |property: &str, value: Option<String>| {
        if let Some(value) = value {
            // writing to a string does not fail
            let _ = write!(css, "{property}:{value};");
        }
    };
    let has_background = matches!(
        tag,
        tags::BODY | tags::TABLE | tags::TR | tags::TD | tags::TH | tags::THEAD | tags::TBODY | tags::TFOOT
    );
    if has_background {
        add("background-color", attr(attrs::BGCOLOR).and_then(colour));
    }
    match tag {
        tags::FONT => {
            add("color", attr(attrs::COLOR).and_then(colour));
            add("font-family", attr(attrs::FACE).map(|face| face.replace([';', '!', '{', '}'], "")));
            add("font-size", attr(attrs::SIZE).and_then(font_step));
        }
        tags::BODY => add("color", tree.attr_named(node, "text").and_then(colour)),
        tags::TABLE | tags::IMG => {
            let side = attr(attrs::ALIGN).map(str::to_ascii_lowercase);
            add("float", side.filter(|side| matches!(side.as_str(), "left" | "right")));
        }
        tags::P
        | tags::DIV
        | tags::H1
        | tags::H2
        | tags::H3
        | tags::H4
        | tags::H5
        | tags::H6
        | tags::TR
        | tags::TD
        | tags::TH
        | tags::THEAD
        | tags::TBODY
        | tags::TFOOT
        | tags::COL
        | tags::COLGROUP => {
            add("text-align", attr(attrs::ALIGN).and_then(|align| alignment(align, tag)));
        }
        _ => {}
    }
    if matches!(tag, tags::TD | tags::TH) && tree.attr_named(node, "nowrap").is_some() {
        add("white-space", Some("nowrap".to_owned()));
    }
    css
}

fn colour(text: &str) -> Option<String> {
    match Colour::from_attribute(text)? {
        Colour::Rgba([r, g, b, _]) => Some(format!("rgb({r} {g} {b})")),
        Colour::Other(_) => None,
    }
}

fn alignment(align: &str, tag: copal_dom::Tag) -> Option<String> {
    let align = align.to_ascii_lowercase();
    // in divisions and cells, blocks inside are aligned too
    let is_block = !matches!(tag, tags::P) && !tags::is_heading(tag);
    match align.as_str() {
        "left" | "right" | "center" if is_block => Some(format!("-webkit-{align}")),
        "middle" if is_block => Some("-webkit-center".to_owned()),
        "left" | "right" | "center" | "justify" => Some(align),
        _ => None,
    }
}

/// The size of `<font size>`, which is 1 to 7 or relative to 3.
fn font_step(size: &str) -> Option<String> {
    const STEPS: [&str; 7] = ["x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"];
    let digits = size.trim_start_matches(['+', '-']);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let number: i32 = digits[..end].parse().ok()?;
    let step = match size.as_bytes().first()? {
        b'+' => 3i32.saturating_add(number),
        b'-' => 3i32.saturating_sub(number),
        _ => number,
    };
    Some(STEPS[(step.clamp(1, 7) - 1) as usize].to_owned())
}
