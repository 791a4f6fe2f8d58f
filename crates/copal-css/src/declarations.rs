//! The properties that are read, and their declared values.
//!
//! In: the name and the value of a declaration. Out: [`Declaration`]s of single properties; nothing if the
//! property is not read, or if the value is invalid, which browsers ignore too. Shorthands give one declaration
//! per property.

use crate::colours::ColourValue;
use crate::lengths::{Length, LengthBase, calculated_pixels, is_calculation};
use cssparser::{Parser, Token};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// A property that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Property {
    Display,
    Visibility,
    Position,
    Float,
    FontSize,
    FontWeight,
    FontStyle,
    FontFamily,
    Colour,
    Background,
    Decoration,
    TextAlign,
    WhiteSpace,
    Width,
    Height,
    Clip,
    ClipPath,
    Overflow,
    Left,
    Top,
    TextIndent,
}

impl Property {
    pub(crate) const ALL: [Property; 21] = [
        Property::Display,
        Property::Visibility,
        Property::Position,
        Property::Float,
        Property::FontSize,
        Property::FontWeight,
        Property::FontStyle,
        Property::FontFamily,
        Property::Colour,
        Property::Background,
        Property::Decoration,
        Property::TextAlign,
        Property::WhiteSpace,
        Property::Width,
        Property::Height,
        Property::Clip,
        Property::ClipPath,
        Property::Overflow,
        Property::Left,
        Property::Top,
        Property::TextIndent,
    ];

    pub(crate) fn is_inherited(self) -> bool {
        use Property::*;
        matches!(
            self,
            Visibility
                | FontSize
                | FontWeight
                | FontStyle
                | FontFamily
                | Colour
                | TextAlign
                | WhiteSpace
                | TextIndent
        )
    }
}

/// What every property accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WideKeyword {
    Inherit,
    Initial,
    Unset,
    /// Back to the browser's own stylesheet.
    Revert,
}

/// A declared value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DeclaredValue {
    Wide(WideKeyword),
    Keyword(&'static str),
    Number(f32),
    Length(Length),
    /// Position in the table of absolute font sizes.
    FontStep(u8),
    Colour(ColourValue),
    Family(Arc<str>),
    Decoration(Decoration),
    Flag(bool),
}

/// Lines through, below and above a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Decoration {
    /// Below it.
    pub underline: bool,
    /// Through it.
    pub line_through: bool,
    /// Above it.
    pub overline: bool,
}

/// One declaration.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Declaration {
    Of(Property, DeclaredValue),
    /// A value that needs the sizes of fonts or custom properties: it is parsed for each element.
    Raw {
        name: &'static str,
        text: Arc<str>,
    },
    /// A custom property.
    Custom {
        name: Arc<str>,
        text: Arc<str>,
    },
}

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
    use Property::*;
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
        "text-decoration" | "text-decoration-line" => decoration(input)?,
        "text-align" => Value::Keyword(keyword(input, ALIGN_KEYWORDS)?),
        "white-space" => Value::Keyword(keyword(input, WHITE_SPACE_KEYWORDS)?),
        "width" | "height" => Value::Flag(is_at_most_a_pixel(input)?),
        "left" | "top" | "text-indent" => Value::Flag(is_far_outside(input)?),
        "clip" => Value::Flag(is_clipped_to_nothing(input)?),
        "clip-path" | "-webkit-clip-path" => Value::Flag(is_path_of_nothing(input)?),
        "overflow" => Value::Flag(is_overflow_hidden(input)?),
        _ => return None,
    };
    let property = *properties_of(name).first()?;
    Some(smallvec![Declaration::Of(property, value)])
}

/// One of the keywords.
fn keyword(input: &mut Parser<'_>, known: &'static [&'static str]) -> Option<&'static str> {
    let word = input.expect_ident().ok()?;
    known.iter().find(|known| known.eq_ignore_ascii_case(word)).copied()
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

fn font_size(input: &mut Parser<'_>, base: Option<&LengthBase>) -> Option<DeclaredValue> {
    const STEPS: &[&str] =
        &["xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"];
    let word = input.try_parse(|input| input.expect_ident().map(|word| word.to_ascii_lowercase()));
    if let Ok(word) = word {
        let step = STEPS.iter().position(|step| *step == word);
        return match word.as_str() {
            "larger" => Some(DeclaredValue::Length(Length::Em(1.2))),
            "smaller" => Some(DeclaredValue::Length(Length::Em(1.0 / 1.2))),
            _ => step.map(|step| DeclaredValue::FontStep(step as u8)),
        };
    }
    let start = input.state();
    let is_function = matches!(input.next(), Ok(Token::Function(name)) if is_calculation(name));
    input.reset(&start);
    let length = match base {
        Some(base) if is_function => Length::Pixels(calculated_pixels(input, base)?.max(0.0)),
        _ => Length::parse(input)?,
    };
    let (Length::Pixels(n) | Length::Em(n) | Length::Rem(n) | Length::Percent(n)) = length;
    (n >= 0.0).then_some(DeclaredValue::Length(length))
}

fn font_weight(input: &mut Parser<'_>) -> Option<DeclaredValue> {
    match input.next().ok()? {
        Token::Number { value, .. } if (1.0..=1000.0).contains(value) => Some(DeclaredValue::Number(*value)),
        Token::Ident(word) => match word.to_ascii_lowercase().as_str() {
            "normal" => Some(DeclaredValue::Number(400.0)),
            "bold" => Some(DeclaredValue::Number(700.0)),
            "bolder" => Some(DeclaredValue::Keyword("bolder")),
            "lighter" => Some(DeclaredValue::Keyword("lighter")),
            _ => None,
        },
        _ => None,
    }
}

fn font_style(input: &mut Parser<'_>) -> Option<DeclaredValue> {
    let style = keyword(input, &["normal", "italic", "oblique"])?;
    if style == "oblique" {
        let _ = input.try_parse(|input| match input.next() {
            Ok(Token::Dimension { .. }) => Ok(()),
            _ => Err(()),
        });
    }
    Some(DeclaredValue::Keyword(style))
}

/// The names of a list of families, in lower case and separated by commas.
fn family(input: &mut Parser<'_>) -> Option<Arc<str>> {
    let mut names = String::new();
    loop {
        if !names.is_empty() {
            names.push(',');
        }
        match input.next().ok()?.clone() {
            Token::QuotedString(name) => names.push_str(&name.to_ascii_lowercase()),
            Token::Ident(name) => {
                names.push_str(&name.to_ascii_lowercase());
                while let Ok(next) = input.try_parse(|input| input.expect_ident_cloned()) {
                    names.push(' ');
                    names.push_str(&next.to_ascii_lowercase());
                }
            }
            _ => return None,
        }
        if input.is_exhausted() {
            return Some(names.into());
        }
        input.expect_comma().ok()?;
    }
}

fn font(input: &mut Parser<'_>, base: Option<&LengthBase>) -> Option<SmallVec<[Declaration; 1]>> {
    use Property::*;
    let (mut weight, mut style) = (DeclaredValue::Number(400.0), DeclaredValue::Keyword("normal"));
    let size = loop {
        let start = input.state();
        if let Some(size) = font_size(input, base) {
            break size;
        }
        input.reset(&start);
        if let Some(DeclaredValue::Keyword(found @ ("italic" | "oblique"))) = font_style(input) {
            style = DeclaredValue::Keyword(found);
            continue;
        }
        input.reset(&start);
        let word = input.try_parse(|input| input.expect_ident_cloned());
        match word {
            Ok(word) => match word.to_ascii_lowercase().as_str() {
                "normal" | "small-caps" | "condensed" | "expanded" | "semi-condensed" | "semi-expanded" => {}
                "bold" => weight = DeclaredValue::Number(700.0),
                "bolder" => weight = DeclaredValue::Keyword("bolder"),
                "lighter" => weight = DeclaredValue::Keyword("lighter"),
                _ => return None,
            },
            Err(_) => weight = font_weight(input)?,
        }
    };
    if input.try_parse(|input| input.expect_delim('/')).is_ok() {
        let token = input.next().ok()?.clone();
        if matches!(token, Token::Function(_)) {
            let skip = |_: &mut Parser<'_>| Ok::<_, cssparser::ParseError<()>>(());
            let _ = input.parse_nested_block(skip);
        }
    }
    let family = DeclaredValue::Family(family(input)?);
    let all = [(FontStyle, style), (FontWeight, weight), (FontFamily, family), (FontSize, size)];
    Some(all.into_iter().map(|(property, value)| Declaration::Of(property, value)).collect())
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
    Some(DeclaredValue::Colour(colour.unwrap_or(ColourValue::Is(crate::colours::Colour::TRANSPARENT))))
}

fn decoration(input: &mut Parser<'_>) -> Option<DeclaredValue> {
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
    Some(DeclaredValue::Decoration(lines))
}

fn pixels(input: &mut Parser<'_>) -> Option<Option<f32>> {
    let start = input.state();
    if let Some(length) = Length::parse(input) {
        return Some(match length {
            Length::Pixels(px) => Some(px),
            Length::Em(n) | Length::Rem(n) => Some(n * crate::viewport::DEFAULT_FONT_SIZE),
            Length::Percent(_) => None,
        });
    }
    input.reset(&start);
    // a keyword or a function
    input.next().ok()?;
    Some(None)
}

fn is_at_most_a_pixel(input: &mut Parser<'_>) -> Option<bool> {
    Some(pixels(input)?.is_some_and(|px| (0.0..=1.0).contains(&px)))
}

/// Where nobody scrolls to.
fn is_far_outside(input: &mut Parser<'_>) -> Option<bool> {
    let found = pixels(input)?;
    while input.next().is_ok() {}
    Some(found.is_some_and(|px| px <= -999.0))
}

fn is_clipped_to_nothing(input: &mut Parser<'_>) -> Option<bool> {
    match input.next().ok()? {
        Token::Function(name) if name.eq_ignore_ascii_case("rect") => {}
        Token::Ident(word) if word.eq_ignore_ascii_case("auto") => return Some(false),
        _ => return None,
    }
    let edges = input.parse_nested_block(|input| {
        let mut edges: SmallVec<[Option<f32>; 4]> = SmallVec::new();
        while !input.is_exhausted() && edges.len() < 4 {
            let _ = input.try_parse(|input| input.expect_comma());
            let Some(edge) = pixels(input) else { break };
            edges.push(edge);
        }
        while input.next().is_ok() {}
        Ok::<_, cssparser::ParseError<()>>(edges)
    });
    let edges = edges.ok()?;
    let [top, right, bottom, left] = edges.as_slice() else { return None };
    let is_thin = |from: Option<f32>, to: Option<f32>| to.is_some_and(|to| to - from.unwrap_or(0.0) <= 1.0);
    Some(is_thin(*top, *bottom) || is_thin(*left, *right))
}

fn is_path_of_nothing(input: &mut Parser<'_>) -> Option<bool> {
    let function = match input.next().ok()? {
        Token::Function(name) => name.to_ascii_lowercase(),
        _ => {
            while input.next().is_ok() {}
            return Some(false);
        }
    };
    let first = input.parse_nested_block(|input| {
        let first = Length::parse(input);
        while input.next().is_ok() {}
        Ok::<_, cssparser::ParseError<()>>(first)
    });
    while input.next().is_ok() {}
    Some(match (function.as_str(), first.ok()?) {
        ("inset", Some(Length::Percent(share))) => share >= 0.5,
        ("circle", Some(Length::Pixels(px))) => px <= 0.0,
        _ => false,
    })
}

fn is_overflow_hidden(input: &mut Parser<'_>) -> Option<bool> {
    let mut hidden = false;
    while let Ok(word) = input.try_parse(|input| input.expect_ident_cloned()) {
        hidden |= matches!(word.to_ascii_lowercase().as_str(), "hidden" | "clip");
    }
    Some(hidden)
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
