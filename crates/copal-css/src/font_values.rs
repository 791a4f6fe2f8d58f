//! Declared values of fonts: size, weight, style, family and the shorthand `font`.

use crate::keywords::keyword;
use crate::lengths::{Length, LengthBase, calculated_pixels, is_calculation};
use crate::properties::{Declaration, DeclaredValue, Property};
use cssparser::{Parser, Token};
use smallvec::SmallVec;
use std::sync::Arc;

pub(crate) fn font_size(input: &mut Parser<'_>, base: Option<&LengthBase>) -> Option<DeclaredValue> {
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

pub(crate) fn font_weight(input: &mut Parser<'_>) -> Option<DeclaredValue> {
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

pub(crate) fn font_style(input: &mut Parser<'_>) -> Option<DeclaredValue> {
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
pub(crate) fn family(input: &mut Parser<'_>) -> Option<Arc<str>> {
    let mut names = String::new();
    loop {
        if !names.is_empty() {
            names.push(',');
        }
        match input.next().ok()?.clone() {
            Token::QuotedString(name) => names.push_str(&name.to_ascii_lowercase()),
            Token::Ident(name) => {
                names.push_str(&name.to_ascii_lowercase());
                while let Ok(next) = input.try_parse(Parser::expect_ident_cloned) {
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

pub(crate) fn font(input: &mut Parser<'_>, base: Option<&LengthBase>) -> Option<SmallVec<[Declaration; 1]>> {
    use Property::{FontFamily, FontSize, FontStyle, FontWeight};
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
        let word = input.try_parse(Parser::expect_ident_cloned);
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
