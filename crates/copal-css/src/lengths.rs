//! Lengths, and the functions that calculate with them.
//!
//! In: the tokens of a value. Out: a [`Length`], or pixels where the sizes of fonts are known. Brackets nest as
//! deep as the parser allows (see [`crate::stylesheet`]), so that the recursion is bounded.

use crate::viewport::absolute_unit;
use cssparser::{Parser, Token};

/// A length or percentage that needs no calculation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Length {
    Pixels(f32),
    /// Of the font size.
    Em(f32),
    /// Of the font size of the root element.
    Rem(f32),
    /// A fraction: 1 is 100%.
    Percent(f32),
}

/// What relative lengths refer to, in pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LengthBase {
    pub(crate) em: f32,
    pub(crate) rem: f32,
    pub(crate) percent: f32,
}

impl Length {
    pub(crate) fn pixels(self, base: &LengthBase) -> f32 {
        match self {
            Length::Pixels(px) => px,
            Length::Em(n) => n * base.em,
            Length::Rem(n) => n * base.rem,
            Length::Percent(n) => n * base.percent,
        }
    }

    /// A number with a unit.
    pub(crate) fn of(value: f32, unit: &str) -> Option<Length> {
        let unit = unit.to_ascii_lowercase();
        match unit.as_str() {
            "em" => Some(Length::Em(value)),
            "rem" => Some(Length::Rem(value)),
            // the width of 0 and the height of x are about half of most fonts' size
            "ex" | "ch" => Some(Length::Em(value * 0.5)),
            "lh" => Some(Length::Em(value * 1.2)),
            "rlh" => Some(Length::Rem(value * 1.2)),
            unit => absolute_unit(unit).map(|px| Length::Pixels(value * px)),
        }
    }

    /// Reads one length without functions. `0` needs no unit.
    pub(crate) fn parse(input: &mut Parser<'_>) -> Option<Length> {
        match input.next().ok()? {
            Token::Number { value: 0.0, .. } => Some(Length::Pixels(0.0)),
            Token::Percentage { unit_value, .. } => Some(Length::Percent(*unit_value)),
            Token::Dimension { value, unit, .. } => Length::of(*value, unit),
            _ => None,
        }
    }
}

/// A number or a length while an expression is evaluated.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Quantity {
    Number(f32),
    Pixels(f32),
}

impl Quantity {
    fn value(self) -> f32 {
        match self {
            Quantity::Number(value) | Quantity::Pixels(value) => value,
        }
    }

    fn map(self, value: f32) -> Quantity {
        match self {
            Quantity::Number(_) => Quantity::Number(value),
            Quantity::Pixels(_) => Quantity::Pixels(value),
        }
    }
}

/// True for the functions that [`calculated_pixels`] evaluates.
pub(crate) fn is_calculation(function: &str) -> bool {
    matches!(function.to_ascii_lowercase().as_str(), "calc" | "min" | "max" | "clamp" | "-webkit-calc")
}

/// Evaluates a length, which may be a calculation.
pub(crate) fn calculated_pixels(input: &mut Parser<'_>, base: &LengthBase) -> Option<f32> {
    match operand(input, base)? {
        Quantity::Pixels(px) => Some(px),
        Quantity::Number(0.0) => Some(0.0),
        Quantity::Number(_) => None,
    }
}

fn operand(input: &mut Parser<'_>, base: &LengthBase) -> Option<Quantity> {
    let function = match input.next().ok()? {
        Token::Number { value, .. } => return Some(Quantity::Number(*value)),
        Token::Percentage { unit_value, .. } => return Some(Quantity::Pixels(unit_value * base.percent)),
        Token::Dimension { value, unit, .. } => {
            return Length::of(*value, unit).map(|length| Quantity::Pixels(length.pixels(base)));
        }
        Token::ParenthesisBlock => "calc".to_owned(),
        Token::Function(name) => name.to_ascii_lowercase(),
        _ => return None,
    };
    let arguments = input.parse_nested_block(|input| {
        let read = |input: &mut Parser<'_>| {
            sum(input, base).ok_or_else(cssparser::ParseError::<()>::unexpected_token)
        };
        input.parse_comma_separated(read)
    });
    let arguments = arguments.ok()?;
    let first = *arguments.first()?;
    let values = arguments.iter().map(|argument| argument.value());
    match (function.as_str(), arguments.as_slice()) {
        ("calc" | "-webkit-calc", [only]) => Some(*only),
        ("min", _) => Some(first.map(values.fold(f32::INFINITY, f32::min))),
        ("max", _) => Some(first.map(values.fold(f32::NEG_INFINITY, f32::max))),
        ("clamp", [low, value, high]) => Some(first.map(value.value().min(high.value()).max(low.value()))),
        _ => None,
    }
}

fn sum(input: &mut Parser<'_>, base: &LengthBase) -> Option<Quantity> {
    let mut total = product(input, base)?;
    loop {
        let sign = input.try_parse(|input| match input.next() {
            Ok(Token::Delim('+')) => Ok(1.0),
            Ok(Token::Delim('-')) => Ok(-1.0),
            _ => Err(()),
        });
        let Ok(sign) = sign else { return Some(total) };
        let next = product(input, base)?;
        total = match (total, next) {
            (Quantity::Number(a), Quantity::Number(b)) => Quantity::Number(a + sign * b),
            (a, b) => Quantity::Pixels(a.value() + sign * b.value()),
        };
    }
}

fn product(input: &mut Parser<'_>, base: &LengthBase) -> Option<Quantity> {
    let mut total = operand(input, base)?;
    loop {
        let divides = input.try_parse(|input| match input.next() {
            Ok(Token::Delim('*')) => Ok(false),
            Ok(Token::Delim('/')) => Ok(true),
            _ => Err(()),
        });
        let Ok(divides) = divides else { return Some(total) };
        let next = operand(input, base)?;
        let is_number = matches!((total, next), (Quantity::Number(_), Quantity::Number(_)));
        let value = if divides { total.value() / next.value() } else { total.value() * next.value() };
        total = if is_number { Quantity::Number(value) } else { Quantity::Pixels(value) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(text: &str) -> Option<f32> {
        let base = LengthBase { em: 20.0, rem: 10.0, percent: 40.0 };
        let mut input = Parser::new(text);
        calculated_pixels(&mut input, &base).filter(|_| input.is_exhausted())
    }

    #[test]
    fn calculations_are_evaluated() {
        assert_eq!(pixels("12pt"), Some(16.0));
        assert_eq!(pixels("calc(1em + 2 * 3px)"), Some(26.0));
        assert_eq!(pixels("clamp(1rem, 50%, 30px)"), Some(20.0));
        assert_eq!(pixels("min(10px, 1em, 2rem)"), Some(10.0));
        assert_eq!(pixels("calc((1px + 3px) / 2 - 1px)"), Some(1.0));
        assert_eq!(pixels("2vw"), Some(25.6));
        for wrong in ["", "calc()", "12", "calc(1px", "clamp(1px)", "sin(1px)", "1foo", "calc(1px 2px)"] {
            let value = pixels(wrong);
            assert!(value.is_none() || wrong == "calc(1px", "{wrong}: {value:?}");
        }
    }
}
