//! The properties that are read, and the forms of their declared values.

use crate::colours::ColourValue;
use crate::lengths::Length;
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
        use Property::{
            Colour, FontFamily, FontSize, FontStyle, FontWeight, TextAlign, TextIndent, Visibility,
            WhiteSpace,
        };
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
