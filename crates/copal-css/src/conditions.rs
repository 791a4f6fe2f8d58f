//! Conditions of `@media`, `@supports` and `@import`.
//!
//! In: the tokens of a condition. Out: whether it holds for a screen of 1280 by 1024 pixels with a mouse, in light
//! colours. What is not known is neither true nor false, as in the standard: `not (unknown)` does not hold.
//! Brackets nest as deep as the parser allows, so that the recursion is bounded.

use crate::lengths::{Length, LengthBase};
use crate::viewport::{DEFAULT_FONT_SIZE, VIEWPORT_HEIGHT, VIEWPORT_WIDTH};
use cssparser::{ParseError, Parser, Token};

/// True, false or unknown.
type Truth = Option<bool>;

/// True if a list of media queries matches. An empty list does.
pub(crate) fn media_matches(input: &mut Parser<'_>) -> bool {
    if input.is_exhausted() {
        return true;
    }
    let query = |input: &mut Parser<'_>| Ok::<_, ParseError<()>>(media_query(input).unwrap_or(false));
    input.parse_comma_separated_ignoring_errors(query).into_iter().any(|matches| matches)
}

/// The same for text, such as the HTML attribute `media`.
pub(crate) fn media_text_matches(text: &str) -> bool {
    text.len() <= 4096 && media_matches(&mut Parser::new(text))
}

fn media_query(input: &mut Parser<'_>) -> Truth {
    let start = input.state();
    let word = input.try_parse(|input| input.expect_ident().map(|word| word.to_ascii_lowercase()));
    let (is_negated, media_type) = match word.as_deref() {
        Ok("not" | "only") => {
            let is_not = word.as_deref() == Ok("not");
            match input.try_parse(|input| input.expect_ident().map(|word| word.to_ascii_lowercase())) {
                Ok(media_type) => (is_not, Some(media_type)),
                // `not (condition)`
                Err(_) => {
                    input.reset(&start);
                    (false, None)
                }
            }
        }
        Ok(media_type) => (false, Some(media_type.to_owned())),
        Err(_) => {
            input.reset(&start);
            (false, None)
        }
    };
    let holds = match media_type {
        None => condition(input, &mut media_feature)?,
        Some(media_type) => {
            let is_screen = matches!(media_type.as_str(), "all" | "screen");
            let rest = if input.try_parse(|input| input.expect_ident_matching("and")).is_ok() {
                condition(input, &mut media_feature)
            } else {
                Some(true)
            };
            and(Some(is_screen), rest)?
        }
    };
    while input.next().is_ok() {}
    Some(holds != is_negated)
}

/// True if the browser would support what the condition asks for. Everything is assumed to be supported, except
/// what only other browsers know.
pub(crate) fn supports_matches(input: &mut Parser<'_>) -> bool {
    condition(input, &mut support_feature).unwrap_or(false)
}

fn and(a: Truth, b: Truth) -> Truth {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(a: Truth, b: Truth) -> Truth {
    and(a.map(|a| !a), b.map(|b| !b)).map(|neither| !neither)
}

type Feature<'f> = dyn FnMut(&mut Parser<'_>) -> Truth + 'f;

/// `not X`, `X and X …` or `X or X …`, where X is in brackets.
fn condition(input: &mut Parser<'_>, feature: &mut Feature<'_>) -> Truth {
    if input.try_parse(|input| input.expect_ident_matching("not")).is_ok() {
        return in_brackets(input, feature).map(|holds| !holds);
    }
    let mut holds = in_brackets(input, feature);
    loop {
        let word = input.try_parse(|input| input.expect_ident().map(|word| word.to_ascii_lowercase()));
        holds = match word.as_deref() {
            Ok("and") => and(holds, in_brackets(input, feature)),
            Ok("or") => or(holds, in_brackets(input, feature)),
            _ => return holds,
        };
    }
}

fn in_brackets(input: &mut Parser<'_>, feature: &mut Feature<'_>) -> Truth {
    match input.next().ok()? {
        Token::ParenthesisBlock => {}
        // `selector(…)`, `font-tech(…)`, `style(…)`
        Token::Function(name) => {
            let is_selector = name.eq_ignore_ascii_case("selector");
            let skip = |input: &mut Parser<'_>| {
                while input.next().is_ok() {}
                Ok::<_, ParseError<()>>(())
            };
            let _ = input.parse_nested_block(skip);
            return is_selector.then_some(true);
        }
        _ => return None,
    }
    let inside = input.parse_nested_block(|input| {
        let start = input.state();
        let is_nested = match input.next() {
            Ok(Token::ParenthesisBlock | Token::Function(_)) => true,
            Ok(Token::Ident(word)) => word.eq_ignore_ascii_case("not"),
            _ => false,
        };
        input.reset(&start);
        let holds = if is_nested { condition(input, feature) } else { feature(input) };
        while input.next().is_ok() {}
        Ok::<_, ParseError<()>>(holds)
    });
    inside.ok().flatten()
}

/// `display: grid`. Prefixes of other browsers are not supported.
fn support_feature(input: &mut Parser<'_>) -> Truth {
    let name = input.expect_ident().ok()?.to_ascii_lowercase();
    input.expect_colon().ok()?;
    let is_foreign = ["-moz-", "-ms-", "-o-"].iter().any(|prefix| name.starts_with(prefix));
    // features by which style sheets recognise Safari and Firefox
    let is_other_browser = matches!(name.as_str(), "-webkit-touch-callout" | "-webkit-hyphens");
    let value = input.next().ok()?;
    let is_foreign_value =
        matches!(value, Token::Ident(word) if word.starts_with("-moz-") || word.starts_with("-ms-"));
    Some(!is_foreign && !is_other_browser && !is_foreign_value)
}

#[derive(Clone, Copy, PartialEq)]
enum Comparison {
    Less,
    LessOrEqual,
    Equal,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    fn parse(input: &mut Parser<'_>) -> Option<Comparison> {
        let delim = |input: &mut Parser<'_>, c| input.try_parse(|input| input.expect_delim(c)).is_ok();
        let is_less = delim(input, '<');
        if !is_less && !delim(input, '>') {
            return delim(input, '=').then_some(Comparison::Equal);
        }
        Some(match (is_less, delim(input, '=')) {
            (true, true) => Comparison::LessOrEqual,
            (true, false) => Comparison::Less,
            (false, true) => Comparison::GreaterOrEqual,
            (false, false) => Comparison::Greater,
        })
    }

    fn holds(self, a: f32, b: f32) -> bool {
        match self {
            Comparison::Less => a < b,
            Comparison::LessOrEqual => a <= b,
            Comparison::Equal => (a - b).abs() < 0.001,
            Comparison::Greater => a > b,
            Comparison::GreaterOrEqual => a >= b,
        }
    }
}

/// The content of the brackets of a media feature.
fn media_feature(input: &mut Parser<'_>) -> Truth {
    let start = input.state();
    let name = input.try_parse(|input| input.expect_ident().map(|word| word.to_ascii_lowercase()));
    if let Ok(name) = name {
        if input.is_exhausted() {
            return boolean_feature(&name);
        }
        if input.try_parse(Parser::expect_colon).is_ok() {
            return feature_value(&name, input);
        }
        let comparison = Comparison::parse(input)?;
        return Some(comparison.holds(screen_number(&name)?, number(input)?));
    }
    // `400px <= width < 900px`
    input.reset(&start);
    let low = number(input)?;
    let first = Comparison::parse(input)?;
    let value = screen_number(&input.expect_ident().ok()?.to_ascii_lowercase())?;
    let mut holds = first.holds(low, value);
    if let Some(second) = Comparison::parse(input) {
        holds &= second.holds(value, number(input)?);
    }
    Some(holds)
}

fn feature_value(name: &str, input: &mut Parser<'_>) -> Truth {
    if let Some(word) = screen_keyword(name) {
        let asked = input.expect_ident().ok()?;
        return Some(asked.eq_ignore_ascii_case(word));
    }
    let (name, comparison) = match name.strip_prefix("min-").or_else(|| name.strip_prefix("-webkit-min-")) {
        Some(name) => (name, Comparison::GreaterOrEqual),
        None => match name.strip_prefix("max-").or_else(|| name.strip_prefix("-webkit-max-")) {
            Some(name) => (name, Comparison::LessOrEqual),
            None => (name, Comparison::Equal),
        },
    };
    Some(comparison.holds(screen_number(name)?, number(input)?))
}

fn boolean_feature(name: &str) -> Truth {
    if let Some(word) = screen_keyword(name) {
        return Some(!matches!(word, "none" | "no-preference"));
    }
    screen_number(name).map(|value| value != 0.0)
}

fn screen_keyword(name: &str) -> Option<&'static str> {
    Some(match name {
        "orientation" => "landscape",
        "hover" | "any-hover" => "hover",
        "pointer" | "any-pointer" => "fine",
        "prefers-color-scheme" => "light",
        "prefers-reduced-motion"
        | "prefers-contrast"
        | "prefers-reduced-transparency"
        | "prefers-reduced-data" => "no-preference",
        "forced-colors" | "inverted-colors" => "none",
        "scripting" => "enabled",
        "display-mode" => "browser",
        "update" => "fast",
        "overflow-block" | "overflow-inline" => "scroll",
        "color-gamut" => "srgb",
        "dynamic-range" | "video-dynamic-range" => "standard",
        _ => return None,
    })
}

fn screen_number(name: &str) -> Option<f32> {
    Some(match name {
        "width" | "device-width" => VIEWPORT_WIDTH,
        "height" | "device-height" => VIEWPORT_HEIGHT,
        "aspect-ratio" | "device-aspect-ratio" => VIEWPORT_WIDTH / VIEWPORT_HEIGHT,
        "resolution"
        | "device-pixel-ratio"
        | "-webkit-device-pixel-ratio"
        | "-webkit-transform-3d"
        | "transform-3d" => 1.0,
        "color" => 8.0,
        "monochrome" | "color-index" | "grid" => 0.0,
        _ => return None,
    })
}

/// A number, a length in pixels, a resolution or a ratio.
fn number(input: &mut Parser<'_>) -> Option<f32> {
    let value = match input.next().ok()? {
        Token::Number { value, .. } => *value,
        Token::Dimension { value, unit, .. } => match unit.to_ascii_lowercase().as_str() {
            "dppx" | "x" => *value,
            "dpi" => *value / 96.0,
            "dpcm" => *value / 37.8,
            unit => {
                let base = LengthBase { em: DEFAULT_FONT_SIZE, rem: DEFAULT_FONT_SIZE, percent: 0.0 };
                Length::of(*value, unit)?.pixels(&base)
            }
        },
        _ => return None,
    };
    if input.try_parse(|input| input.expect_delim('/')).is_ok() {
        return Some(value / input.expect_number().ok()?);
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_queries_are_answered_for_a_screen() {
        for text in [
            "",
            "screen",
            "all",
            "print, screen",
            "only screen and (min-width: 768px)",
            "(max-width: 80em)",
            "not print",
            "(width >= 600px)",
            "(600px <= width < 1400px)",
            "(orientation: landscape)",
            "(hover)",
            "not all and (max-width: 100px)",
            "(min-width:100px) and (max-width:2000px)",
            "(color)",
            "(max-width: 10px) or (hover: hover)",
            "not (max-width: 10px)",
            "(prefers-color-scheme: light)",
            "screen and (min-aspect-ratio: 1/1)",
            "((min-width: 1px) and (hover))",
        ] {
            assert!(media_text_matches(text), "{text}");
        }
        for text in [
            "print",
            "not screen",
            "(max-width: 767px)",
            "screen and (max-width: 767px)",
            "(unknown: 1)",
            "not (unknown: 1)",
            "(prefers-color-scheme: dark)",
            "(min-resolution: 2dppx)",
            "only print",
            "speech",
            "(width > 1400px)",
            "(prefers-reduced-motion)",
            "(",
            "((((",
        ] {
            assert!(!media_text_matches(text), "{text}");
        }
    }

    #[test]
    fn conditions_of_support_are_answered() {
        let holds = |text| supports_matches(&mut Parser::new(text));
        assert!(
            holds("(display: grid)") && holds("selector(:has(a))") && holds("not (-moz-appearance: none)")
        );
        assert!(!holds("not (display: grid)") && !holds("(-ms-ime-align: auto)") && !holds("unknown"));
    }
}
