//! Learning a wrapper from a section that a person points at (DEUDS).
//!
//! In: a page and the selector or XPath of a section. Out: a wrapper with the section's pattern and size.
//! O(elements x pattern).

use crate::deuds;
use crate::error::WrapperError;
use crate::format::{ColumnRule, Locator, PageKind, PageRule, Profile, Wrapper};
use crate::locate::{ElementIndex, select};
use copal_dom::{Node, Page};

/// Learns the DEUDS pattern of a section: the first element that `path`, a CSS selector or an XPath, selects.
pub fn learn_section(page: &Page, path: &str) -> Result<Wrapper, WrapperError> {
    let section = first_selected(page, path)?;
    let pattern = deuds::pattern(&ElementIndex::new(&page.tree), section)?;
    let count = deuds::read(page, section).primary().map_or(0, |list| list.records.len());
    let profile = Profile {
        samples: 1,
        records: (count, count),
        coverage: Some(deuds::coverage(page, section)),
        ..Profile::default()
    };
    let rule = PageRule {
        kind: PageKind::Section,
        region: vec![pattern],
        record: None,
        columns: Vec::new(),
        profile: Some(profile),
    };
    Ok(Wrapper::new(page.url.clone(), rule))
}

/// Learns one object with the fields that a person points at: names, each with a CSS selector or an XPath. The
/// patterns of the fields are those of DEUDS.
pub fn learn_fields(page: &Page, fields: &[(String, String)]) -> Result<Wrapper, WrapperError> {
    let index = ElementIndex::new(&page.tree);
    let column = |(name, path): &(String, String)| -> Result<ColumnRule, WrapperError> {
        let pattern = deuds::pattern(&index, first_selected(page, path)?)?;
        let locator = Locator { css: Some(pattern), ..Locator::default() };
        Ok(ColumnRule {
            name: name.clone(),
            find: vec![locator],
            presence: Some(1.0),
            ..ColumnRule::default()
        })
    };
    let rule = PageRule {
        kind: PageKind::Detail,
        region: vec!["body".to_owned()],
        record: None,
        columns: fields.iter().map(column).collect::<Result<_, _>>()?,
        profile: None,
    };
    Ok(Wrapper::new(page.url.clone(), rule))
}

/// The first element that a CSS selector or an XPath selects.
fn first_selected(page: &Page, path: &str) -> Result<Node, WrapperError> {
    let found = select(page, path)?;
    found.first().copied().ok_or_else(|| WrapperError::NothingSelected { path: path.to_owned() })
}
