//! Which declarations are read.
//!
//! In: the name and the value of a declaration. Out: [`Declaration`]s of single properties; nothing if the
//! property is not read, or if the value is invalid, which browsers ignore too. Shorthands give one declaration
//! per property.

use crate::colours::{Colour, ColourValue};
use crate::font_values::{family, font, font_size, font_style, font_weight};
use crate::hiding_values::{
    is_at_most_a_pixel, is_clipped_to_nothing, is_far_outside, is_overflow_hidden, is_path_of_nothing,
};
use crate::keywords::keyword;
use crate::lengths::LengthBase;
use crate::properties::{Declaration, DeclaredValue, Decoration, Property, WideKeyword};
use cssparser::{Parser, Token};
use smallvec::{SmallVec, smallvec};

/// The properties and shorthands that are read.
const PROPERTY_NAMES: &[&str] = &[
    "display",
    "visibility",
    "position",
    "float",
    "font-size",
    "font-weight",
    "font-style",
    "font-family",
    "font",
    "color",
    "background-color",
    "background",
    "text-decoration",
    "text-decoration-line",
    "text-align",
    "white-space",
    "width",
    "height",
    "clip",
    "clip-path",
    "-webkit-clip-path",
    "overflow",
    "left",
    "top",
    "text-indent",
    "all",
];

const DISPLAY_KEYWORDS: &[&str] = &[
    "none",
    "contents",
    "inline",
    "block",
    "inline-block",
    "flex",
    "inline-flex",
    "grid",
    "inline-grid",
    "list-item",
    "table",
    "inline-table",
    "table-row",
    "table-cell",
    "table-row-group",
    "table-header-group",
    "table-footer-group",
    "table-column",
    "table-column-group",
    "table-caption",
    "flow-root",
    "-webkit-box",
    "-webkit-inline-box",
    "-webkit-flex",
    "-webkit-inline-flex",
    "ruby",
    "ruby-text",
    "math",
];

const ALIGN_KEYWORDS: &[&str] = &[
    "start",
    "end",
    "left",
    "right",
    "center",
    "justify",
    "-webkit-left",
    "-webkit-center",
    "-webkit-right",
    "-webkit-auto",
    "-internal-center",
    "match-parent",
    "-webkit-match-parent",
];

const WHITE_SPACE_KEYWORDS: &[&str] = &["normal", "nowrap", "pre", "pre-wrap", "pre-line", "break-spaces"];

/// The name in the table of those that are read.
pub(crate) fn known_name(lower: &str) -> Option<&'static str> {
    PROPERTY_NAMES.iter().find(|name| **name == lower).copied()
}

/// Longest value that is read.
pub(crate) const MAX_VALUE_BYTES: usize = 4096;

/// Reads the value of a declaration. Without `base`, calculations are kept for later.
pub(crate) fn parse_value(
    name: &'static str,
    text: &str,
    base: Option<&LengthBase>,
) -> Option<SmallVec<[Declaration; 1]>> {
    if text.len() > MAX_VALUE_BYTES {
        return None;
    }
    if let Some(wide) = wide_keyword(text) {
        let of = |property: &Property| Declaration::Of(*property, DeclaredValue::Wide(wide));
        return Some(properties_of(name).iter().map(of).collect());
    }
    let is_sized = matches!(name, "font-size" | "font");
    if base.is_none() && is_sized && text.contains('(') {
        return Some(smallvec![Declaration::Raw { name, text: text.into() }]);
    }
    let mut input = Parser::new(text);
    let found = parse_known(name, &mut input, base)?;
    input.is_exhausted().then_some(found)
}

fn wide_keyword(text: &str) -> Option<WideKeyword> {
    let text = text.trim();
    // the longest one has 12 letters
    if text.len() > 12 {
        return None;
    }
    Some(match text.to_ascii_lowercase().as_str() {
        "inherit" => WideKeyword::Inherit,
        "initial" => WideKeyword::Initial,
        "unset" => WideKeyword::Unset,
        "revert" | "revert-layer" => WideKeyword::Revert,
        _ => return None,
    })
}

/// The properties that a name sets.
fn properties_of(name: &str) -> &'static [Property] {
    use Property::{
        Background, Clip, ClipPath, Colour, Decoration, Display, Float, FontFamily, FontSize, FontStyle,
        FontWeight, Height, Left, Overflow, Position, TextAlign, TextIndent, Top, Visibility, WhiteSpace,
        Width,
    };
    match name {
        "display" => &[Display],
        "visibility" => &[Visibility],
        "position" => &[Position],
        "float" => &[Float],
        "font-size" => &[FontSize],
        "font-weight" => &[FontWeight],
        "font-style" => &[FontStyle],
        "font-family" => &[FontFamily],
        "font" => &[FontSize, FontWeight, FontStyle, FontFamily],
        "color" => &[Colour],
        "background" | "background-color" => &[Background],
        "text-decoration" | "text-decoration-line" => &[Decoration],
        "text-align" => &[TextAlign],
        "white-space" => &[WhiteSpace],
        "width" => &[Width],
        "height" => &[Height],
        "clip" => &[Clip],
        "clip-path" | "-webkit-clip-path" => &[ClipPath],
        "overflow" => &[Overflow],
        "left" => &[Left],
        "top" => &[Top],
        "text-indent" => &[TextIndent],
        "all" => &Property::ALL,
        _ => &[],
    }
}

fn parse_known(
    name: &str,
    input: &mut Parser<'_>,
    base: Option<&LengthBase>,
) -> Option<SmallVec<[Declaration; 1]>> {
    use DeclaredValue as Value;
    let value = match name {
        "display" => Value::Keyword(display(input)?),
        "visibility" => Value::Keyword(keyword(input, &["visible", "hidden", "collapse"])?),
        "position" => {
            let known = &["static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky"];
            Value::Keyword(keyword(input, known)?)
        }
        "float" => Value::Keyword(keyword(input, &["none", "left", "right", "inline-start", "inline-end"])?),
        "font-size" => font_size(input, base)?,
        "font-weight" => font_weight(input)?,
        "font-style" => font_style(input)?,
        "font-family" => Value::Family(family(input)?),
        "font" => return font(input, base),
        "color" | "background-color" => Value::Colour(ColourValue::parse(input)?),
        "background" => background(input)?,
        "text-decoration" | "text-decoration-line" => DeclaredValue::Decoration(decoration(input)),
        "text-align" => Value::Keyword(keyword(input, ALIGN_KEYWORDS)?),
        "white-space" => Value::Keyword(keyword(input, WHITE_SPACE_KEYWORDS)?),
        "width" | "height" => Value::Flag(is_at_most_a_pixel(input)?),
        "left" | "top" | "text-indent" => Value::Flag(is_far_outside(input)?),
        "clip" => Value::Flag(is_clipped_to_nothing(input)?),
        "clip-path" | "-webkit-clip-path" => Value::Flag(is_path_of_nothing(input)?),
        "overflow" => Value::Flag(is_overflow_hidden(input)),
        _ => return None,
    };
    let property = *properties_of(name).first()?;
    Some(smallvec![Declaration::Of(property, value)])
}

fn display(input: &mut Parser<'_>) -> Option<&'static str> {
    let first = input.expect_ident().ok()?.to_ascii_lowercase();
    let second = input.try_parse(|input| input.expect_ident().map(|word| word.to_ascii_lowercase()));
    let Ok(second) = second else {
        let known = DISPLAY_KEYWORDS.iter().find(|known| **known == first).copied()?;
        return Some(match known {
            "-webkit-flex" => "flex",
            "-webkit-inline-flex" => "inline-flex",
            known => known,
        });
    };
    let (outer, inner) =
        if matches!(first.as_str(), "block" | "inline") { (first, second) } else { (second, first) };
    Some(match (outer.as_str(), inner.as_str()) {
        ("block", "flow") => "block",
        ("block", "flow-root") => "flow-root",
        ("block", "flex") => "flex",
        ("block", "grid") => "grid",
        ("block", "table") => "table",
        ("block", "list-item") => "list-item",
        ("inline", "flow") => "inline",
        ("inline", "flow-root") => "inline-block",
        ("inline", "flex") => "inline-flex",
        ("inline", "grid") => "inline-grid",
        ("inline", "table") => "inline-table",
        _ => return None,
    })
}

/// The colour of the last layer; none is transparent.
fn background(input: &mut Parser<'_>) -> Option<DeclaredValue> {
    let mut colour = None;
    while !input.is_exhausted() {
        let start = input.state();
        match ColourValue::parse(input) {
            Some(found) => colour = Some(found),
            None => {
                input.reset(&start);
                input.next().ok()?;
            }
        }
    }
    Some(DeclaredValue::Colour(colour.unwrap_or(ColourValue::Is(Colour::TRANSPARENT))))
}

fn decoration(input: &mut Parser<'_>) -> Decoration {
    let mut lines = Decoration::default();
    while let Ok(token) = input.next() {
        if let Token::Ident(word) = token {
            match word.to_ascii_lowercase().as_str() {
                "underline" => lines.underline = true,
                "line-through" => lines.line_through = true,
                "overline" => lines.overline = true,
                _ => {}
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &'static str, text: &str) -> Option<SmallVec<[Declaration; 1]>> {
        parse_value(name, text, None)
    }

    #[test]
    fn invalid_values_are_ignored() {
        for (name, text) in [
            ("display", "-ms-flexbox"),
            ("font-size", "-1px"),
            ("font-size", "10"),
            ("font-weight", "heavy"),
            ("color", "reddish"),
            ("font", "12px"),
            ("text-align", "middle"),
            ("display", "block none"),
        ] {
            assert_eq!(read(name, text), None, "{name}: {text}");
        }
    }

    #[test]
    fn the_shorthand_of_fonts_sets_all_of_them() {
        let got = read("font", "italic bold 12px/1.5 'Open Sans', Arial , sans-serif").unwrap();
        assert_eq!(got.len(), 4);
        assert_eq!(got[1], Declaration::Of(Property::FontWeight, DeclaredValue::Number(700.0)));
        let family = DeclaredValue::Family("open sans,arial,sans-serif".into());
        assert_eq!(got[2], Declaration::Of(Property::FontFamily, family));
        assert!(matches!(read("font", "calc(1em) serif").unwrap()[0], Declaration::Raw { name: "font", .. }));
    }

    #[test]
    fn boxes_that_hide_their_text_are_recognised() {
        let flag = |name, text| match &read(name, text).unwrap()[0] {
            Declaration::Of(_, DeclaredValue::Flag(flag)) => *flag,
            other => panic!("{other:?}"),
        };
        assert!(flag("clip", "rect(0,0,0,0)") && flag("clip", "rect(1px 1px 1px 1px)"));
        assert!(!flag("clip", "rect(0, 100px, 20px, 0)") && !flag("clip", "auto"));
        assert!(flag("clip-path", "inset(50%)") && !flag("clip-path", "inset(10px)"));
        assert!(flag("left", "-9999px") && flag("text-indent", "-999em") && !flag("left", "-10px"));
        assert!(flag("width", "1px") && !flag("width", "auto") && flag("overflow", "hidden"));
    }
}
