//! Learning a wrapper from a section that a person points at (DEUDS).
//!
//! In: a page and the selector or XPath of a section. Out: a wrapper with the section's pattern. O(elements x
//! pattern).

use crate::deuds;
use crate::error::WrapperError;
use crate::format::{PageKind, PageRule, Wrapper};
use crate::locate::{ElementIndex, select};
use copal_dom::Page;

/// Learns the DEUDS pattern of a section: the first element that `path`, a CSS selector or an XPath, selects.
pub fn learn_section(page: &Page, path: &str) -> Result<Wrapper, WrapperError> {
    let found = select(page, path)?;
    let &section = found.first().ok_or_else(|| WrapperError::NothingSelected { path: path.to_owned() })?;
    let pattern = deuds::pattern(&ElementIndex::new(&page.tree), section)?;
    let rule = PageRule {
        kind: PageKind::Section,
        region: vec![pattern],
        record: None,
        columns: Vec::new(),
        profile: None,
    };
    Ok(Wrapper::new(page.url.clone(), rule))
}
