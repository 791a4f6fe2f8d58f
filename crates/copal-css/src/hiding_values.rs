//! Declared values that matter only because they hide a box: sizes of a pixel, clips, places far outside.

use crate::lengths::Length;
use crate::viewport::DEFAULT_FONT_SIZE;
use cssparser::{Parser, Token};
use smallvec::SmallVec;

/// What a size says about hiding.
#[derive(Clone, Copy)]
enum BoxSize {
    Pixels(f32),
    /// A keyword, a share or a calculation.
    Unknown,
}

impl BoxSize {
    fn is(self, holds: impl FnOnce(f32) -> bool) -> bool {
        matches!(self, BoxSize::Pixels(px) if holds(px))
    }
}

fn pixels(input: &mut Parser<'_>) -> Option<BoxSize> {
    let start = input.state();
    if let Some(length) = Length::parse(input) {
        return Some(match length {
            Length::Pixels(px) => BoxSize::Pixels(px),
            Length::Em(n) | Length::Rem(n) => BoxSize::Pixels(n * DEFAULT_FONT_SIZE),
            Length::Percent(_) => BoxSize::Unknown,
        });
    }
    input.reset(&start);
    // a keyword or a function
    input.next().ok()?;
    Some(BoxSize::Unknown)
}

pub(crate) fn is_at_most_a_pixel(input: &mut Parser<'_>) -> Option<bool> {
    Some(pixels(input)?.is(|px| (0.0..=1.0).contains(&px)))
}

/// Where nobody scrolls to.
pub(crate) fn is_far_outside(input: &mut Parser<'_>) -> Option<bool> {
    let found = pixels(input)?;
    while input.next().is_ok() {}
    Some(found.is(|px| px <= -999.0))
}

pub(crate) fn is_clipped_to_nothing(input: &mut Parser<'_>) -> Option<bool> {
    match input.next().ok()? {
        Token::Function(name) if name.eq_ignore_ascii_case("rect") => {}
        Token::Ident(word) if word.eq_ignore_ascii_case("auto") => return Some(false),
        _ => return None,
    }
    let edges = input.parse_nested_block(|input| {
        let mut edges: SmallVec<[BoxSize; 4]> = SmallVec::new();
        while !input.is_exhausted() && edges.len() < 4 {
            let _ = input.try_parse(Parser::expect_comma);
            let Some(edge) = pixels(input) else { break };
            edges.push(edge);
        }
        while input.next().is_ok() {}
        Ok::<_, cssparser::ParseError<()>>(edges)
    });
    let edges = edges.ok()?;
    let [top, right, bottom, left] = edges.as_slice() else { return None };
    let is_thin = |from: BoxSize, to: BoxSize| {
        let from = if let BoxSize::Pixels(px) = from { px } else { 0.0 };
        to.is(|to| to - from <= 1.0)
    };
    Some(is_thin(*top, *bottom) || is_thin(*left, *right))
}

pub(crate) fn is_path_of_nothing(input: &mut Parser<'_>) -> Option<bool> {
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

pub(crate) fn is_overflow_hidden(input: &mut Parser<'_>) -> bool {
    let mut hidden = false;
    while let Ok(word) = input.try_parse(Parser::expect_ident_cloned) {
        hidden |= matches!(word.to_ascii_lowercase().as_str(), "hidden" | "clip");
    }
    hidden
}
