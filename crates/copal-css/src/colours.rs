//! Colours of CSS.
//!
//! In: the tokens of a value. Out: a [`Colour`]. Colours in `rgb()`, `hsl()`, hexadecimal digits and names become
//! numbers that can be compared. Of the others only the notation is kept: all that later stages ask is whether
//! two texts have the same colour.

use cssparser::color::{parse_hash_color, parse_named_color};
use cssparser::{Parser, Token};

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Red, green, blue, and alpha in 255ths.
    Rgba([u8; 4]),
    /// A hash of a notation that is not converted.
    Other(u32),
}

impl Colour {
    /// Black.
    pub const BLACK: Colour = Colour::Rgba([0, 0, 0, 255]);
    /// Nothing.
    pub const TRANSPARENT: Colour = Colour::Rgba([0, 0, 0, 0]);
    /// Links that were not visited.
    pub const LINK: Colour = Colour::Rgba([0, 0, 238, 255]);

    /// True if nothing is painted.
    pub fn is_transparent(self) -> bool {
        matches!(self, Colour::Rgba([_, _, _, 0]))
    }

    /// Reads a colour from its notation.
    pub fn from_css(text: &str) -> Option<Colour> {
        let mut input = Parser::new(text);
        match ColourValue::parse(&mut input)? {
            ColourValue::Is(colour) if input.is_exhausted() => Some(colour),
            _ => None,
        }
    }

    /// The colour of an HTML attribute such as `bgcolor`, which may lack its `#`.
    pub(crate) fn from_attribute(text: &str) -> Option<Colour> {
        let text = text.trim();
        let digits = text.strip_prefix('#').unwrap_or(text);
        let is_hex = matches!(digits.len(), 3 | 6) && digits.bytes().all(|b| b.is_ascii_hexdigit());
        if is_hex && !text.is_empty() && parse_named_color(text).is_err() {
            let (r, g, b, _) = parse_hash_color(digits.as_bytes()).ok()?;
            return Some(Colour::Rgba([r, g, b, 255]));
        }
        parse_named_color(text).ok().map(|(r, g, b)| Colour::Rgba([r, g, b, 255]))
    }
}

/// A colour as it is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColourValue {
    Is(Colour),
    /// The colour of the text.
    Current,
}

impl ColourValue {
    pub(crate) fn parse(input: &mut Parser<'_>) -> Option<ColourValue> {
        let start = input.position();
        let token = input.next().ok()?.clone();
        let colour = match token {
            Token::Hash(digits) | Token::IDHash(digits) => {
                let (r, g, b, a) = parse_hash_color(digits.as_bytes()).ok()?;
                Colour::Rgba([r, g, b, unit_byte(a)])
            }
            Token::Ident(name) => return named(&name),
            Token::Function(name) => {
                let name = name.to_ascii_lowercase();
                let is_known = matches!(
                    name.as_str(),
                    "rgb"
                        | "rgba"
                        | "hsl"
                        | "hsla"
                        | "hwb"
                        | "lab"
                        | "lch"
                        | "oklab"
                        | "oklch"
                        | "color"
                        | "color-mix"
                        | "light-dark"
                );
                if !is_known {
                    return None;
                }
                let numbers = input
                    .parse_nested_block(|input| Ok::<_, cssparser::ParseError<()>>(components(input)))
                    .ok()?;
                match (name.as_str(), numbers) {
                    ("rgb" | "rgba", Some(rgba)) => rgb(&rgba),
                    ("hsl" | "hsla", Some(hsla)) => hsl(&hsla),
                    _ => Colour::Other(notation_hash(input.slice_from(start))),
                }
            }
            _ => return None,
        };
        Some(ColourValue::Is(colour))
    }
}

fn named(name: &str) -> Option<ColourValue> {
    let lower = name.to_ascii_lowercase();
    let [r, g, b, a] = match lower.as_str() {
        "currentcolor" => return Some(ColourValue::Current),
        "transparent" => [0, 0, 0, 0],
        "canvas" | "field" | "-webkit-base" => [255, 255, 255, 255],
        "canvastext" | "fieldtext" | "buttontext" | "windowtext" | "-webkit-text" | "menutext"
        | "marktext" => [0, 0, 0, 255],
        "linktext" | "-webkit-link" => return Some(ColourValue::Is(Colour::LINK)),
        "buttonface" | "threedface" => [239, 239, 239, 255],
        "graytext" => [128, 128, 128, 255],
        "mark" => [255, 255, 0, 255],
        "highlight" | "highlighttext" | "activetext" | "visitedtext" | "buttonborder" | "accentcolor"
        | "accentcolortext" | "window" | "menu" => {
            return Some(ColourValue::Is(Colour::Other(notation_hash(&lower))));
        }
        other => {
            let (r, g, b) = parse_named_color(other).ok()?;
            [r, g, b, 255]
        }
    };
    Some(ColourValue::Is(Colour::Rgba([r, g, b, a])))
}

/// Three components and alpha. Percentages are fractions.
#[derive(Debug, Clone, Copy)]
struct ColourComponents {
    values: [(f32, bool); 3],
    alpha: f32,
}

fn components(input: &mut Parser<'_>) -> Option<ColourComponents> {
    let mut values = [(0.0, false); 3];
    let mut alpha = 1.0;
    let mut count = 0;
    while let Ok(token) = input.next() {
        let value = match token {
            Token::Comma | Token::Delim('/') => continue,
            Token::Ident(name) if name.eq_ignore_ascii_case("none") => (0.0, false),
            Token::Number { value, .. } => (*value, false),
            Token::Percentage { unit_value, .. } => (*unit_value, true),
            Token::Dimension { value, unit, .. } => {
                let degrees = match unit.to_ascii_lowercase().as_str() {
                    "deg" => 1.0,
                    "turn" => 360.0,
                    "rad" => 180.0 / std::f32::consts::PI,
                    "grad" => 0.9,
                    _ => return None,
                };
                (value * degrees, false)
            }
            _ => return None,
        };
        match count {
            0..3 => values[count] = value,
            3 => alpha = value.0,
            _ => return None,
        }
        count += 1;
    }
    (count >= 3).then_some(ColourComponents { values, alpha })
}

fn unit_byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}

fn rgb(components: &ColourComponents) -> Colour {
    let [r, g, b] = components.values.map(|(value, is_fraction)| {
        let value = if is_fraction { value * 255.0 } else { value };
        value.clamp(0.0, 255.0).round() as u8
    });
    Colour::Rgba([r, g, b, unit_byte(components.alpha)])
}

fn hsl(components: &ColourComponents) -> Colour {
    let hue = components.values[0].0.rem_euclid(360.0) / 30.0;
    let fraction = |at: usize| {
        let (value, is_fraction) = components.values[at];
        (if is_fraction { value } else { value / 100.0 }).clamp(0.0, 1.0)
    };
    let (saturation, lightness) = (fraction(1), fraction(2));
    let amplitude = saturation * lightness.min(1.0 - lightness);
    let channel = |n: f32| {
        let k = (n + hue) % 12.0;
        unit_byte(lightness - amplitude * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0))
    };
    Colour::Rgba([channel(0.0), channel(8.0), channel(4.0), unit_byte(components.alpha)])
}

/// A hash of a notation without white space, in lower case.
pub(crate) fn notation_hash(text: &str) -> u32 {
    let kept = text.bytes().filter(|b| !b.is_ascii_whitespace());
    kept.fold(0x811c_9dc5_u32, |h, b| (h ^ u32::from(b.to_ascii_lowercase())).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_of_one_colour_are_equal() {
        let red = Colour::Rgba([255, 0, 0, 255]);
        for text in ["red", "#f00", "#FF0000", "rgb(255,0,0)", "rgb(100% 0% 0% / 1)", "hsl(0, 100%, 50%)"] {
            assert_eq!(Colour::from_css(text), Some(red), "{text}");
        }
        assert_eq!(Colour::from_css("hsl(120deg 100% 25%)"), Some(Colour::Rgba([0, 128, 0, 255])));
        assert_eq!(Colour::from_attribute("ff0000"), Some(red));
        assert_eq!(Colour::from_css("oklch(0.5 0.1 20)"), Colour::from_css("OKLCH(0.5  0.1 20)"));
        for wrong in ["", "reddish", "#ff", "url(x)", "rgb("] {
            assert!(
                Colour::from_css(wrong).is_none_or(|colour| matches!(colour, Colour::Other(_))),
                "{wrong}"
            );
        }
    }
}
