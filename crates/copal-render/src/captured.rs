//! The browser's snapshot of a page as it arrives: arrays of numbers, and one table of strings.

use copal_dom::style::Style;
use serde::Deserialize;

/// The computed properties that are asked for, in this order.
pub(crate) const PROPERTIES: &[&str] = &[
    "display",
    "visibility",
    "font-size",
    "font-weight",
    "font-style",
    "text-decoration-line",
    "color",
    "background-color",
    "font-family",
    "position",
];

/// A snapshot as the browser sends it. Numbers are indices into `strings`; -1 is none.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct CapturedSnapshot {
    #[serde(default)]
    pub(crate) documents: Vec<CapturedDocument>,
    #[serde(default)]
    pub(crate) strings: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CapturedDocument {
    #[serde(rename = "documentURL", default = "none")]
    pub(crate) document_url: i64,
    #[serde(rename = "baseURL", default = "none")]
    pub(crate) base_url: i64,
    pub(crate) nodes: CapturedNodes,
    pub(crate) layout: CapturedLayout,
    #[serde(default)]
    pub(crate) scroll_offset_x: f64,
    #[serde(default)]
    pub(crate) scroll_offset_y: f64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub(crate) struct CapturedNodes {
    pub(crate) parent_index: Vec<i64>,
    pub(crate) node_type: Vec<u8>,
    pub(crate) node_name: Vec<i64>,
    pub(crate) node_value: Vec<i64>,
    pub(crate) backend_node_id: Vec<i64>,
    pub(crate) attributes: Vec<Vec<i64>>,
    pub(crate) content_document_index: RareNumbers,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub(crate) struct CapturedLayout {
    pub(crate) node_index: Vec<i64>,
    pub(crate) styles: Vec<Vec<i64>>,
    pub(crate) bounds: Vec<Vec<f64>>,
}

/// Numbers that few nodes have.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct RareNumbers {
    #[serde(default)]
    pub(crate) index: Vec<i64>,
    #[serde(default)]
    pub(crate) value: Vec<i64>,
}

fn none() -> i64 {
    -1
}

impl CapturedSnapshot {
    pub(crate) fn string(&self, index: i64) -> &str {
        usize::try_from(index).ok().and_then(|index| self.strings.get(index)).map_or("", String::as_str)
    }
}

/// The style in the values of [`PROPERTIES`].
pub(crate) fn computed_style<'v>(property: impl Fn(usize) -> &'v str) -> Style {
    Style {
        size: tenths_of_pixels(property(2)),
        bold: property(3).parse::<f32>().is_ok_and(|weight| weight >= 600.0),
        italic: property(4).starts_with("italic") || property(4).starts_with("oblique"),
        underline: property(5).contains("underline"),
        strike: property(5).contains("line-through"),
        colour: value_hash(property(6), &["rgb(0, 0, 0)"]),
        background: value_hash(property(7), &["rgba(0, 0, 0, 0)", "transparent"]),
        family: value_hash(property(8), &[]),
    }
}

fn tenths_of_pixels(size: &str) -> u16 {
    let pixels = size.strip_suffix("px").and_then(|number| number.parse::<f32>().ok()).unwrap_or(16.0);
    (pixels * 10.0).clamp(0.0, 6000.0) as u16
}

/// A hash of a value that is not 0, which the defaults get, or 1.
fn value_hash(value: &str, defaults: &[&str]) -> u32 {
    if value.is_empty() || defaults.contains(&value) {
        return 0;
    }
    (copal_dom::hash::hash_of(value) as u32).max(2)
}
