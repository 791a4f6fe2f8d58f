//! Wrappers: from an extraction, or a section that a person points at, to a small file that reads the same data from a
//! site's other pages.
//!
//! `pages ─extract→ lists ─learn→ Wrapper ─write→ YAML` and `YAML ─parse→ Wrapper ─apply, page→ Answer`. A wrapper is
//! data: CSS selectors (with fuel, [`css`]), names, types. [`mod@export`] writes it for other tools; [`deuds`] is the paper's own
//! system, callable alone.

mod apply;
mod candidates;
mod cells;
mod check;
pub mod css;
pub mod deuds;
pub mod export;
mod file;
mod groups;
mod learn;
mod learn_columns;
mod learn_objects;
mod looks;
mod matching;
mod navigation;
mod profile;
mod regions;
mod repair;
mod write;
pub mod xpath;

pub use apply::apply;
pub use check::{Alarm, Check, Checker, Level, Odd, PageCheck, check};
pub use css::{Arena, Css};
pub use file::{
    ColumnRule, Cut, From, Locator, PageKind, PageRule, RecordRule, VERSION, Wrapper, WrapperError,
};
pub use learn::{Learned, learn};
pub use learn_objects::learn_objects;
pub use looks::Looks;
pub use navigation::{Navigation, Step};
pub use profile::{ColumnProfile, Profile};
pub use repair::{Change, NoRepair, PAGES, Repaired, repair};

use copal_dom::{Node, Page};

/// The elements of a page that a selector or (with a slash at its start) an XPath selects.
pub fn select(page: &Page, path: &str) -> Result<Vec<Node>, String> {
    if path.trim_start().starts_with('/') {
        return xpath::select(&page.tree, path);
    }
    Ok(Css::parse(path)?.select(&Arena::new(&page.tree)))
}

/// A wrapper with the DEUDS pattern of a section; the section is the first element that is selected.
pub fn learn_section(page: &Page, path: &str) -> Result<Wrapper, String> {
    let found = select(page, path)?;
    let &section = found.first().ok_or_else(|| format!("nothing on the page is selected by {path:?}"))?;
    let pattern = deuds::pattern(&Arena::new(&page.tree), section)?;
    let rule = PageRule {
        kind: PageKind::Section,
        region: vec![pattern],
        record: None,
        columns: Vec::new(),
        profile: None,
    };
    Ok(Wrapper::new(page.url.clone(), rule))
}
