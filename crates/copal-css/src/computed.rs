//! How declarations change the style of an element.
//!
//! In: the style of the parent and declarations in the order of the cascade. Out: a [`ComputedStyle`]. Font size and
//! family come first, since lengths refer to the font size.

use crate::colours::ColourValue;
use crate::computed_style::{ComputedStyle, SizeOrigin, step_size};
use crate::declarations::parse_value;
use crate::lengths::{Length, LengthBase};
use crate::properties::{Declaration, DeclaredValue, Property, WideKeyword};
use crate::variables::{has_variables, replaced};
use crate::viewport::{DEFAULT_FONT_SIZE, DEFAULT_MONOSPACE_SIZE};
use std::sync::Arc;

/// What the style of an element is computed from.
pub(crate) struct StyleContext<'a> {
    pub(crate) parent: &'a ComputedStyle,
    /// The font size of the root element; `None` for the root itself.
    pub(crate) root_size: Option<f32>,
    pub(crate) is_root: bool,
}

/// Computes a style from declarations, given in the order of the cascade. The first
/// `browser_declarations` of them are those of the browser.
pub(crate) fn compute(
    context: &StyleContext<'_>,
    declarations: &[&Declaration],
    browser_declarations: usize,
) -> ComputedStyle {
    let mut style = context.parent.inherited();
    set_custom_properties(&mut style, declarations);
    let mut computation = Computation { context, style, explicit_size: false };
    // fonts first: other lengths refer to them, and sizes refer to the family
    for is_font in [true, false] {
        for (at, declaration) in declarations.iter().enumerate() {
            let browser = &declarations[..browser_declarations.min(at)];
            computation.apply(declaration, is_font, browser);
        }
        if is_font {
            computation.fit_size_to_family();
        }
    }
    computation.finish()
}

fn set_custom_properties(style: &mut ComputedStyle, declarations: &[&Declaration]) {
    let is_custom = |declaration: &&&Declaration| matches!(declaration, Declaration::Custom { .. });
    if declarations.iter().any(|declaration| is_custom(&declaration)) {
        let mut all = style.custom.as_deref().cloned().unwrap_or_default();
        for declaration in declarations {
            if let Declaration::Custom { name, text } = declaration {
                match text.to_ascii_lowercase().as_str() {
                    "initial" => {
                        all.remove(name);
                    }
                    "inherit" | "unset" => {}
                    _ => {
                        all.insert(name.clone(), text.clone());
                    }
                }
            }
        }
        // what they refer to is looked up where they are declared, not where they are used
        let resolved: Vec<(Arc<str>, Option<String>)> = declarations
            .iter()
            .filter_map(|declaration| match declaration {
                Declaration::Custom { name, .. } => {
                    all.get(name).filter(|text| has_variables(text)).map(|text| (name, text))
                }
                _ => None,
            })
            .map(|(name, text)| (name.clone(), replaced(text, Some(&all))))
            .collect();
        for (name, text) in resolved {
            match text {
                Some(text) => all.insert(name, text.into()),
                None => all.remove(&name),
            };
        }
        style.custom = Some(Arc::new(all));
    }
}

struct Computation<'a> {
    context: &'a StyleContext<'a>,
    style: ComputedStyle,
    explicit_size: bool,
}

fn is_font_property(property: Property) -> bool {
    matches!(property, Property::FontSize | Property::FontFamily)
}

impl Computation<'_> {
    fn base(&self) -> LengthBase {
        let em = self.context.parent.font_size;
        LengthBase { em, rem: self.context.root_size.unwrap_or(DEFAULT_FONT_SIZE), percent: em }
    }

    fn apply(&mut self, declaration: &Declaration, is_font: bool, browser: &[&Declaration]) {
        match declaration {
            Declaration::Of(property, value) => {
                if is_font_property(*property) == is_font {
                    self.set(*property, value, browser);
                }
            }
            Declaration::Custom { .. } => {}
            Declaration::Raw { name, text } => {
                if matches!(*name, "font-size" | "font-family") && !is_font {
                    return;
                }
                let Some(text) = replaced(text, self.style.custom.as_deref()) else { return };
                let parsed = parse_value(name, &text, Some(&self.base()));
                for declaration in parsed.into_iter().flatten() {
                    if let Declaration::Of(property, value) = &declaration
                        && is_font_property(*property) == is_font
                    {
                        self.set(*property, value, browser);
                    }
                }
            }
        }
    }

    fn set(&mut self, property: Property, value: &DeclaredValue, browser: &[&Declaration]) {
        match value {
            DeclaredValue::Wide(WideKeyword::Inherit) => self.copy(property, self.context.parent),
            DeclaredValue::Wide(WideKeyword::Initial) => self.copy(property, &ComputedStyle::default()),
            DeclaredValue::Wide(WideKeyword::Unset) => self.unset(property),
            DeclaredValue::Wide(WideKeyword::Revert) => {
                self.unset(property);
                for declaration in browser {
                    if let Declaration::Of(own, value) = declaration
                        && *own == property
                        && !matches!(value, DeclaredValue::Wide(WideKeyword::Revert))
                    {
                        self.set(property, value, &[]);
                    }
                }
            }
            value => self.set_value(property, value),
        }
    }

    fn unset(&mut self, property: Property) {
        let initial = ComputedStyle::default();
        let from = if property.is_inherited() { self.context.parent } else { &initial };
        self.copy(property, from);
    }

    fn copy(&mut self, property: Property, from: &ComputedStyle) {
        let style = &mut self.style;
        match property {
            Property::Display => style.display = from.display,
            Property::Visibility => style.visibility = from.visibility,
            Property::Position => style.position = from.position,
            Property::Float => style.float = from.float,
            Property::FontSize => {
                style.font_size = from.font_size;
                style.size_origin = from.size_origin;
            }
            Property::FontWeight => style.font_weight = from.font_weight,
            Property::FontStyle => style.font_style = from.font_style,
            Property::FontFamily => style.font_family = from.font_family.clone(),
            Property::Colour => style.colour = from.colour,
            Property::Background => style.background = from.background,
            Property::Decoration => style.decoration = from.decoration,
            Property::TextAlign => style.text_align = from.text_align,
            Property::WhiteSpace => style.white_space = from.white_space,
            Property::TextIndent => style.is_indented_away = from.is_indented_away,
            Property::Width => style.hiding.narrow = from.hiding.narrow,
            Property::Height => style.hiding.low = from.hiding.low,
            Property::Clip => style.hiding.clip = from.hiding.clip,
            Property::ClipPath => style.hiding.clip_path = from.hiding.clip_path,
            Property::Overflow => style.hiding.overflow = from.hiding.overflow,
            Property::Left => style.hiding.left = from.hiding.left,
            Property::Top => style.hiding.top = from.hiding.top,
        }
    }

    fn set_value(&mut self, property: Property, value: &DeclaredValue) {
        let parent = self.context.parent;
        let style = &mut self.style;
        match (property, value) {
            (Property::Display, DeclaredValue::Keyword(word)) => style.display = word,
            (Property::Visibility, DeclaredValue::Keyword(word)) => style.visibility = word,
            (Property::Position, DeclaredValue::Keyword(word)) => style.position = word,
            (Property::Float, DeclaredValue::Keyword(word)) => style.float = word,
            (Property::FontStyle, DeclaredValue::Keyword(word)) => style.font_style = word,
            (Property::FontWeight, DeclaredValue::Number(weight)) => style.font_weight = *weight as u16,
            (Property::FontWeight, DeclaredValue::Keyword(word)) => {
                style.font_weight = relative_weight(parent.font_weight, *word == "bolder");
            }
            (Property::FontFamily, DeclaredValue::Family(family)) => style.font_family = family.clone(),
            (Property::FontSize, DeclaredValue::FontStep(step)) => {
                self.explicit_size = true;
                style.font_size = step_size(*step, false);
                style.size_origin = SizeOrigin { is_absolute: false, step: Some(*step) };
            }
            (Property::FontSize, DeclaredValue::Length(length)) => {
                self.explicit_size = true;
                let pixels = length.pixels(&self.base());
                let is_relative = matches!(length, Length::Em(_) | Length::Percent(_));
                let style = &mut self.style;
                style.font_size = pixels.clamp(0.0, 10_000.0);
                let is_absolute = !is_relative || parent.size_origin.is_absolute;
                style.size_origin = SizeOrigin { is_absolute, step: None };
            }
            (Property::Colour, DeclaredValue::Colour(colour)) => {
                style.colour = match colour {
                    ColourValue::Is(colour) => *colour,
                    ColourValue::Current => parent.colour,
                };
            }
            (Property::Background, DeclaredValue::Colour(colour)) => {
                style.background = match colour {
                    ColourValue::Is(colour) => *colour,
                    ColourValue::Current => style.colour,
                };
            }
            (Property::Decoration, DeclaredValue::Decoration(lines)) => style.decoration = *lines,
            (Property::TextAlign, DeclaredValue::Keyword(word)) => style.text_align = alignment(word, parent),
            (Property::WhiteSpace, DeclaredValue::Keyword(word)) => style.white_space = word,
            (Property::TextIndent, DeclaredValue::Flag(flag)) => style.is_indented_away = *flag,
            (Property::Width, DeclaredValue::Flag(flag)) => style.hiding.narrow = *flag,
            (Property::Height, DeclaredValue::Flag(flag)) => style.hiding.low = *flag,
            (Property::Clip, DeclaredValue::Flag(flag)) => style.hiding.clip = *flag,
            (Property::ClipPath, DeclaredValue::Flag(flag)) => style.hiding.clip_path = *flag,
            (Property::Overflow, DeclaredValue::Flag(flag)) => style.hiding.overflow = *flag,
            (Property::Left, DeclaredValue::Flag(flag)) => style.hiding.left = *flag,
            (Property::Top, DeclaredValue::Flag(flag)) => style.hiding.top = *flag,
            _ => {}
        }
    }

    /// `font-family: monospace` alone makes sizes smaller that were not given in pixels, as in all browsers.
    fn fit_size_to_family(&mut self) {
        let (parent, style) = (self.context.parent, &mut self.style);
        let is_monospace = style.is_monospace();
        if style.size_origin.is_absolute {
            return;
        }
        if let Some(step) = style.size_origin.step {
            if self.explicit_size || is_monospace != parent.is_monospace() {
                style.font_size = step_size(step, is_monospace);
            }
        } else if is_monospace != parent.is_monospace() {
            let share = DEFAULT_MONOSPACE_SIZE / DEFAULT_FONT_SIZE;
            style.font_size *= if is_monospace { share } else { 1.0 / share };
        }
    }

    fn finish(self) -> ComputedStyle {
        let (context, mut style) = (self.context, self.style);
        let is_taken_out = style.float != "none" || matches!(style.position, "absolute" | "fixed");
        if context.is_root || is_taken_out || context.parent.has_items {
            style.display = block_display(style.display);
        }
        let is_container = matches!(style.display, "flex" | "inline-flex" | "grid" | "inline-grid");
        style.has_items = is_container || style.display == "contents" && context.parent.has_items;
        style
    }
}

/// The display of an element that is taken out of its line.
fn block_display(display: &'static str) -> &'static str {
    match display {
        "inline-flex" => "flex",
        "inline-grid" => "grid",
        "inline-table" => "table",
        "-webkit-inline-box" => "-webkit-box",
        "inline" | "inline-block" | "table-row" | "table-cell" | "table-row-group" | "table-header-group"
        | "table-footer-group" | "table-column" | "table-column-group" | "table-caption" | "ruby"
        | "ruby-text" => "block",
        other => other,
    }
}

fn relative_weight(parent: u16, is_bolder: bool) -> u16 {
    match (is_bolder, parent) {
        (true, ..350) | (false, 550..750) => 400,
        (true, 350..550) => 700,
        (true, _) => parent.max(900),
        (false, ..100) => parent,
        (false, 100..550) => 100,
        (false, _) => 700,
    }
}

fn alignment(word: &'static str, parent: &ComputedStyle) -> &'static str {
    match word {
        "-internal-center" if parent.text_align == "start" => "center",
        "-internal-center" => parent.text_align,
        "match-parent" | "-webkit-match-parent" => match parent.text_align {
            "start" => "start",
            "end" => "right",
            other => other,
        },
        "-webkit-auto" => "start",
        word => word,
    }
}
