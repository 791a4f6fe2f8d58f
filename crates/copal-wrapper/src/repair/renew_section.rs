//! Repair of sections: a pattern that still finds one element on every page.
//!
//! In: a wrapper whose rule for a section finds nothing any more. Out: a new revision. The old pattern
//! names the section with all its HTML attributes and some elements around it. Without the elements, then
//! with one attribute or class word, then with the tag alone it is less specific, and the first such
//! pattern that finds exactly one element on every page is the section. O(patterns x elements).

use super::changes::{RepairChange, Repaired, next_revision};
use super::repair_error::RepairError;
use crate::deuds;
use crate::format::{PageKind, Wrapper};
use crate::locate::ElementIndex;
use crate::locate::css::{Css, quoted};
use copal_dom::{Node, Page};

/// The wrapper with a new pattern for its section.
pub(super) fn renew_section(
    wrapper: &Wrapper,
    pages: &[&Page],
    min_pages: usize,
) -> Result<Repaired, RepairError> {
    let at = wrapper.pages.iter().position(|rule| rule.kind == PageKind::Section);
    let at = at.ok_or(RepairError::NoSimilarSection)?;
    let old = &wrapper.pages[at].region;
    if pages.len() < min_pages {
        return Err(RepairError::TooFewPages { pages: pages.len(), min_pages });
    }
    let indexes: Vec<ElementIndex<'_>> = pages.iter().map(|page| ElementIndex::new(&page.tree)).collect();
    let found = old.iter().flat_map(|pattern| relaxed_patterns(pattern)).find_map(|pattern| {
        let css = Css::parse(&pattern).ok()?;
        let only = |(page, index): (&&Page, &ElementIndex<'_>)| -> Option<Node> {
            let mut shown = css.select(index).into_iter().filter(|&node| page.styles.is_shown(node));
            shown.next().filter(|_| shown.next().is_none())
        };
        let sections: Option<Vec<Node>> = pages.iter().zip(&indexes).map(only).collect();
        Some((pattern, sections?))
    });
    let Some((relaxed, sections)) = found else { return Err(RepairError::NoSimilarSection) };
    let exact = deuds::pattern(&indexes[0], sections[0]).map_err(RepairError::NotLearned)?;
    let mut region = vec![exact, relaxed];
    region.extend(old.iter().take(1).cloned());
    region.dedup();
    let text =
        |page: &Page, node: Node| page.text_of(node).chars().take(crate::drift::MAX_EXAMPLE_CHARS).collect();
    let changes = vec![RepairChange {
        what: "region".to_owned(),
        before: old.clone(),
        after: region.clone(),
        value_before: None,
        value_after: Some(text(pages[0], sections[0])),
    }];
    let mut new = wrapper.clone();
    new.pages[at].region = region;
    let wrapper = next_revision(new, &changes);
    Ok(Repaired { wrapper, changes, notes: Vec::new(), pages: pages.len() })
}

/// Patterns that are less specific than a DEUDS pattern, the most specific first.
fn relaxed_patterns(pattern: &str) -> Vec<String> {
    let (tag, attributes) = own_step(pattern);
    let mut out = vec![format!("{tag}{}", attributes.concat())];
    for attribute in &attributes {
        out.push(format!("{tag}{attribute}"));
    }
    for classes in attributes.iter().filter_map(|attribute| attribute.strip_prefix("[class=\"")) {
        let words = classes.trim_end_matches("\"]").split_ascii_whitespace();
        out.extend(words.map(|word| format!("{tag}[class~={}]", quoted(word))));
    }
    out.push(tag);
    out.dedup();
    out
}

/// The tag and the attribute selectors of the last step of a pattern. Quoted values may have any character.
fn own_step(pattern: &str) -> (String, Vec<String>) {
    let (mut tag, mut attributes): (String, Vec<String>) = (String::new(), Vec::new());
    let (mut is_quoted, mut is_escaped, mut depth) = (false, false, 0);
    for c in pattern.chars() {
        match c {
            '"' if !is_escaped => is_quoted = !is_quoted,
            '[' if !is_quoted => {
                depth += 1;
                attributes.push(String::new());
            }
            // A further step begins.
            '>' if !is_quoted && depth == 0 => {
                tag.clear();
                attributes.clear();
                continue;
            }
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
        match attributes.last_mut() {
            Some(attribute) if depth > 0 => attribute.push(c),
            Some(_) => {}
            None => tag.extend((!c.is_whitespace()).then_some(c)),
        }
        if c == ']' && !is_quoted && depth > 0 {
            depth -= 1;
        }
    }
    // A position among siblings is what changes first.
    let tag = tag.split(':').next().unwrap_or_default().to_owned();
    (tag, attributes)
}
