//! What the sections of the report share: the position of their page, and how regions are called and
//! coloured.

use copal_model::{Region, Role};

/// Colours for regions in the style sheet.
const COLOUR_COUNT: usize = 8;

/// Where in the report a page is.
pub(super) struct PageContext {
    /// Counted from one.
    pub(super) number: usize,
    pub(super) many: bool,
    pub(super) csv_safe: bool,
}

impl PageContext {
    /// The level of a heading that is this many steps below the heading of the page.
    pub(super) fn heading(&self, below: usize) -> usize {
        1 + usize::from(self.many) + below
    }

    /// The id of a section of this page.
    pub(super) fn id(&self, section: &str) -> String {
        format!("p{}-{section}", self.number)
    }
}

/// The title of a region in headings and legends.
pub(super) fn region_title(index: usize, region: &Region) -> String {
    match region.role {
        Role::Primary => "Main list".to_owned(),
        Role::Possible => "Possible main list".to_owned(),
        _ => format!("List {}", index + 1),
    }
}

/// The number of the colour of a region in the style sheet.
pub(super) fn colour(region: usize) -> usize {
    region % COLOUR_COUNT
}

/// A bar as long as a share; the number is next to it.
pub(super) fn bar(share: f64, class: &str) -> String {
    let steps = (share.clamp(0.0, 1.0) * 20.0).round() as usize;
    format!("<i class=\"bar w{steps} {class}\"></i>")
}
