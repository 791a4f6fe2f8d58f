//! The window that media queries and relative lengths refer to.

/// Width in pixels.
pub(crate) const VIEWPORT_WIDTH: f32 = 1280.0;
/// Height in pixels.
pub(crate) const VIEWPORT_HEIGHT: f32 = 1024.0;
/// The font size of a page that sets none, in pixels.
pub(crate) const DEFAULT_FONT_SIZE: f32 = 16.0;
/// The same for `font-family: monospace`, which browsers show smaller.
pub(crate) const DEFAULT_MONOSPACE_SIZE: f32 = 13.0;

/// The pixels of one unit that does not depend on a font.
pub(crate) fn absolute_unit(unit: &str) -> Option<f32> {
    Some(match unit {
        "px" => 1.0,
        "pt" => 4.0 / 3.0,
        "pc" => 16.0,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 96.0 / 25.4,
        "q" => 96.0 / 101.6,
        "vw" | "svw" | "lvw" | "dvw" | "vi" | "vmax" | "svmax" | "lvmax" | "dvmax" => VIEWPORT_WIDTH / 100.0,
        "vh" | "svh" | "lvh" | "dvh" | "vb" | "vmin" | "svmin" | "lvmin" | "dvmin" => VIEWPORT_HEIGHT / 100.0,
        _ => return None,
    })
}
