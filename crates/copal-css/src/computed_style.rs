//! The computed style of an element.

use crate::colours::Colour;
use crate::properties::Decoration;
use crate::variables::CustomProperties;
use crate::viewport::DEFAULT_FONT_SIZE;
use std::sync::Arc;

/// The computed values of an element.
#[derive(Debug, Clone, PartialEq)]
pub struct ComputedStyle {
    /// `display`, after floating and placing.
    pub display: &'static str,
    /// `visibility`
    pub visibility: &'static str,
    /// `font-size`, in pixels.
    pub font_size: f32,
    /// `font-weight`, from 1 to 1000.
    pub font_weight: u16,
    /// `font-style`
    pub font_style: &'static str,
    /// `font-family`: names in lower case, separated by commas; empty for the default.
    pub font_family: Arc<str>,
    /// `color`
    pub colour: Colour,
    /// `background-color`
    pub background: Colour,
    /// `text-decoration-line`
    pub decoration: Decoration,
    /// `text-align`
    pub text_align: &'static str,
    /// `white-space`
    pub white_space: &'static str,
    /// `position`
    pub(crate) position: &'static str,
    pub(crate) float: &'static str,
    /// Its children are items of a flexible box or a grid.
    pub(crate) has_items: bool,
    pub(crate) hiding: HidingProperties,
    /// Text is moved out of sight (`text-indent: -9999px`).
    pub(crate) is_indented_away: bool,
    pub(crate) size_origin: SizeOrigin,
    pub(crate) custom: Option<Arc<CustomProperties>>,
}

/// Properties that together hide an element from everybody but screen readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct HidingProperties {
    pub(crate) narrow: bool,
    pub(crate) low: bool,
    pub(crate) clip: bool,
    pub(crate) clip_path: bool,
    pub(crate) overflow: bool,
    pub(crate) left: bool,
    pub(crate) top: bool,
}

/// How a font size was given. Sizes that are not in pixels change with `font-family: monospace`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SizeOrigin {
    pub(crate) is_absolute: bool,
    /// The step of `medium`, `large` and so on.
    pub(crate) step: Option<u8>,
}

impl Default for ComputedStyle {
    fn default() -> Self {
        ComputedStyle {
            display: "inline",
            visibility: "visible",
            font_size: DEFAULT_FONT_SIZE,
            font_weight: 400,
            font_style: "normal",
            font_family: "".into(),
            colour: Colour::BLACK,
            background: Colour::TRANSPARENT,
            decoration: Decoration::default(),
            text_align: "start",
            white_space: "normal",
            position: "static",
            float: "none",
            has_items: false,
            hiding: HidingProperties::default(),
            is_indented_away: false,
            size_origin: SizeOrigin { is_absolute: false, step: Some(MEDIUM_STEP) },
            custom: None,
        }
    }
}

const MEDIUM_STEP: u8 = 3;
const STEP_SIZES: [f32; 8] = [9.0, 10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0];
const MONOSPACE_STEP_SIZES: [f32; 8] = [9.0, 10.0, 12.0, 13.0, 16.0, 20.0, 26.0, 39.0];

pub(crate) fn step_size(step: u8, is_monospace: bool) -> f32 {
    let sizes = if is_monospace { MONOSPACE_STEP_SIZES } else { STEP_SIZES };
    sizes[usize::from(step).min(sizes.len() - 1)]
}

impl ComputedStyle {
    pub(crate) fn is_monospace(&self) -> bool {
        &*self.font_family == "monospace"
    }

    /// The style that an element without declarations has.
    pub(crate) fn inherited(&self) -> ComputedStyle {
        ComputedStyle {
            visibility: self.visibility,
            font_size: self.font_size,
            font_weight: self.font_weight,
            font_style: self.font_style,
            font_family: self.font_family.clone(),
            colour: self.colour,
            text_align: self.text_align,
            white_space: self.white_space,
            is_indented_away: self.is_indented_away,
            size_origin: self.size_origin,
            custom: self.custom.clone(),
            ..ComputedStyle::default()
        }
    }

    /// True if only screen readers notice the element.
    pub(crate) fn is_clipped_away(&self) -> bool {
        let hiding = &self.hiding;
        matches!(self.position, "absolute" | "fixed")
            && (hiding.clip
                || hiding.clip_path
                || hiding.left
                || hiding.top
                || (hiding.narrow && hiding.low && hiding.overflow))
    }
}
