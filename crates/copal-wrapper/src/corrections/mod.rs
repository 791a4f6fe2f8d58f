//! Corrections: what a person changes about a wrapper while looking at a sample page.
//!
//! In: a wrapper, the page it was learned from, and [`Correction`]s in the order in which they were made. Out: the
//! wrapper that follows them, with its profile computed again. Columns are named and records are elements of the page,
//! as a person sees them. Corrections come from outside: each is checked, and the first that cannot be followed is the
//! error. O(corrections x apply).

mod column_edits;
mod excluded_records;
mod included_records;
mod pointed_column;

use crate::apply::apply;
use crate::drift::profile::fill_profiles;
use crate::error::WrapperError;
use crate::format::{PageKind, PageRule, ReadFrom, Wrapper};
use copal_dom::{Node, Page};
use copal_extract::Region;

/// Corrections of one wrapper at most.
pub const MAX_CORRECTIONS: usize = 500;
/// Longest name of a column, in characters.
const MAX_COLUMN_NAME_CHARS: usize = 200;

/// One change of a wrapper.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Correction {
    /// Gives a column another name.
    Rename {
        /// The column.
        column: String,
        /// Its new name.
        to: String,
    },
    /// Gives a column a value type, or none.
    SetType {
        /// The column.
        column: String,
        /// The name of the type.
        value_type: Option<String>,
    },
    /// Removes a column.
    Hide {
        /// The column.
        column: String,
    },
    /// Puts columns first, in this order. The others follow as they were.
    Order {
        /// The columns.
        columns: Vec<String>,
    },
    /// Replaces a column by the pieces of its text.
    Split {
        /// The column.
        column: String,
        /// What is between two pieces.
        at: String,
        /// The names of the pieces. An empty name leaves a piece out.
        names: Vec<String>,
    },
    /// Replaces columns by one that reads the smallest element around them.
    Merge {
        /// The columns.
        columns: Vec<String>,
        /// The name of the new one.
        to: String,
    },
    /// Adds a column that reads an element of one record, and its counterparts in the others.
    Add {
        /// The name of the column.
        name: String,
        /// The element, or a text in it.
        node: Node,
        /// What is read.
        read_from: ReadFrom,
    },
    /// Leaves out records and all that are like them.
    Exclude {
        /// An element of each record.
        records: Vec<Node>,
    },
    /// Takes in records that the list misses, and those next to them that are like them.
    Include {
        /// An element of each record.
        records: Vec<Node>,
    },
}

/// A wrapper with corrections.
#[derive(Debug)]
pub struct Corrected {
    /// The wrapper.
    pub wrapper: Wrapper,
    /// What a person should know about how corrections were followed.
    pub notes: Vec<String>,
}

/// Follows corrections in their order. They change the first rule of the wrapper.
pub fn correct(
    mut wrapper: Wrapper,
    page: &Page,
    corrections: &[Correction],
) -> Result<Corrected, WrapperError> {
    if corrections.len() > MAX_CORRECTIONS {
        let message = format!("{} corrections: expected at most {MAX_CORRECTIONS}", corrections.len());
        return Err(WrapperError::value(message));
    }
    if wrapper.pages.iter().any(|rule| rule.record.as_ref().is_some_and(|record| record.find.is_empty())) {
        return Err(WrapperError::value(
            "nothing tells these records from the rest of the page: choose others, or a list on the page",
        ));
    }
    let mut notes = Vec::new();
    for (at, correction) in corrections.iter().enumerate() {
        follow(&mut wrapper, page, correction, &mut notes)
            .map_err(|error| error.at(format!("correction {}", at + 1)))?;
    }
    if !corrections.is_empty() {
        renew_profile(&mut wrapper, page);
    }
    // a file with two columns of one name could not be read again
    let wrapper = Wrapper::parse(&wrapper.to_string())?;
    Ok(Corrected { wrapper, notes })
}

fn follow(
    wrapper: &mut Wrapper,
    page: &Page,
    correction: &Correction,
    notes: &mut Vec<String>,
) -> Result<(), WrapperError> {
    match correction {
        Correction::Add { name, node, read_from } => {
            let column = pointed_column::column(wrapper, page, checked_name(name)?, *node, *read_from)?;
            let rule = first_rule(wrapper)?;
            refuse_known(rule, name)?;
            rule.columns.push(column);
            Ok(())
        }
        Correction::Merge { columns, to } => {
            let merged = pointed_column::merged(wrapper, page, columns, checked_name(to)?)?;
            let rule = first_rule(wrapper)?;
            let first = column_edits::position(rule, &columns[0])?;
            rule.columns[first] = merged;
            rule.columns.retain(|column| column.name == *to || !columns.contains(&column.name));
            Ok(())
        }
        Correction::Exclude { records } => excluded_records::exclude(wrapper, page, records, notes),
        Correction::Include { records } => included_records::include(wrapper, page, records, notes),
        Correction::Rename { column, to } => {
            let to = checked_name(to)?;
            let rule = first_rule(wrapper)?;
            let at = column_edits::position(rule, column)?;
            if column != to {
                refuse_known(rule, to)?;
            }
            to.clone_into(&mut rule.columns[at].name);
            Ok(())
        }
        Correction::SetType { column, value_type } => {
            column_edits::set_type(first_rule(wrapper)?, column, value_type.as_deref())
        }
        Correction::Hide { column } => column_edits::hide(first_rule(wrapper)?, column),
        Correction::Order { columns } => column_edits::order(first_rule(wrapper)?, columns),
        Correction::Split { column, at, names } => {
            for name in names.iter().filter(|name| !name.is_empty()) {
                checked_name(name)?;
            }
            column_edits::split(first_rule(wrapper)?, column, at, names)
        }
    }
}

/// The rule that corrections change.
fn first_rule(wrapper: &mut Wrapper) -> Result<&mut PageRule, WrapperError> {
    let rule = wrapper.pages.first_mut().filter(|rule| rule.kind != PageKind::Section);
    rule.ok_or_else(|| WrapperError::value("a section has no columns: learn a list or an object"))
}

fn checked_name(name: &str) -> Result<&str, WrapperError> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_COLUMN_NAME_CHARS || name.chars().any(char::is_control) {
        return Err(WrapperError::value(format!(
            "not a name of a column: expected 1 to {MAX_COLUMN_NAME_CHARS} characters in one line"
        )));
    }
    Ok(name)
}

fn refuse_known(rule: &PageRule, name: &str) -> Result<(), WrapperError> {
    if rule.columns.iter().any(|column| column.name == name) {
        return Err(WrapperError::value(format!("there is a column {name:?} already: choose another name")));
    }
    Ok(())
}

/// An element that a person points at, or the element around a text.
fn element_of(page: &Page, node: Node) -> Result<Node, WrapperError> {
    if node == 0 || node as usize >= page.tree.len() {
        return Err(WrapperError::value(format!("there is no element {node} on this page")));
    }
    Ok(if page.tree.is_text(node) { page.tree.parent(node) } else { node })
}

/// The first element of a record.
fn first_element(page: &Page, record: &copal_extract::Record) -> Option<Node> {
    record.place.parts.first()?.clone().find(|&node| !page.tree.is_text(node))
}

/// The list that a wrapper reads on the sample.
fn read_list(wrapper: &Wrapper, page: &Page) -> Result<Region, WrapperError> {
    let mut answer = apply(wrapper, page);
    let at = answer.regions.iter().position(|list| list.role.is_main());
    at.map(|at| answer.regions.swap_remove(at))
        .ok_or_else(|| WrapperError::value("the wrapper reads no list on this page"))
}

/// The profile describes what the wrapper reads on its samples, so it follows the corrections.
fn renew_profile(wrapper: &mut Wrapper, page: &Page) {
    if wrapper.pages.first().is_none_or(|rule| rule.kind != PageKind::List) {
        return;
    }
    if let Ok(list) = read_list(wrapper, page) {
        fill_profiles(&mut wrapper.pages[0], &[(page, &list)]);
    }
}
