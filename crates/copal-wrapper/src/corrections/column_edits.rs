//! Corrections that need no page: types, order, hidden and split columns.

use crate::error::WrapperError;
use crate::format::{ColumnRule, PageRule, TextCut};
use crate::value_types::check_value_type;

/// Pieces of a split column at most.
const MAX_PIECES: usize = 20;

/// The position of a column.
pub(super) fn position(rule: &PageRule, name: &str) -> Result<usize, WrapperError> {
    rule.columns.iter().position(|column| column.name == name).ok_or_else(|| {
        let known: Vec<&str> = rule.columns.iter().map(|column| column.name.as_str()).collect();
        WrapperError::value(format!("no column {name:?}: expected one of {}", known.join(", ")))
    })
}

pub(super) fn set_type(
    rule: &mut PageRule,
    column: &str,
    value_type: Option<&str>,
) -> Result<(), WrapperError> {
    if let Some(name) = value_type {
        check_value_type(name)?;
    }
    let at = position(rule, column)?;
    let column = &mut rule.columns[at];
    column.value_type = value_type.map(str::to_owned);
    // both were learned for the old type
    column.date_order = None;
    column.find.retain(|locator| locator.css.is_some() || locator.label.is_some());
    if column.find.is_empty() {
        return Err(WrapperError::value(format!(
            "{:?} is found by its type only: add a column by its place first",
            column.name
        )));
    }
    Ok(())
}

pub(super) fn hide(rule: &mut PageRule, column: &str) -> Result<(), WrapperError> {
    let at = position(rule, column)?;
    if rule.columns.len() == 1 {
        return Err(WrapperError::value("the last column cannot be hidden"));
    }
    rule.columns.remove(at);
    Ok(())
}

pub(super) fn order(rule: &mut PageRule, names: &[String]) -> Result<(), WrapperError> {
    let mut ordered: Vec<ColumnRule> = Vec::with_capacity(rule.columns.len());
    for name in names {
        let at = position(rule, name)?;
        ordered.push(rule.columns.remove(at));
    }
    ordered.append(&mut rule.columns);
    rule.columns = ordered;
    Ok(())
}

pub(super) fn split(
    rule: &mut PageRule,
    column: &str,
    separator: &str,
    names: &[String],
) -> Result<(), WrapperError> {
    if separator.is_empty() || names.len() < 2 || names.len() > MAX_PIECES {
        let message = format!("expected what to split at, and the names of 2 to {MAX_PIECES} pieces");
        return Err(WrapperError::value(message));
    }
    let at = position(rule, column)?;
    let whole = rule.columns[at].clone();
    if whole.cut.is_some() {
        return Err(WrapperError::value(format!("{column:?} is a piece of a text already")));
    }
    let named = names.iter().enumerate().filter(|(_, name)| !name.is_empty());
    let pieces: Vec<ColumnRule> = named
        .map(|(piece, name)| ColumnRule {
            name: name.trim().to_owned(),
            // the pieces have types of their own
            value_type: None,
            date_order: None,
            lines: false,
            cut: Some(TextCut {
                split: Some(separator.to_owned()),
                piece: Some(piece + 1),
                ..TextCut::default()
            }),
            profile: None,
            ..whole.clone()
        })
        .collect();
    if pieces.is_empty() {
        return Err(WrapperError::value("all pieces are left out: hide the column instead"));
    }
    let others = rule.columns.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, column)| column);
    if let Some(taken) = pieces.iter().find(|piece| others.clone().any(|other| other.name == piece.name)) {
        return Err(WrapperError::value(format!(
            "there is a column {:?} already: choose another name",
            taken.name
        )));
    }
    rule.columns.splice(at..=at, pieces);
    Ok(())
}
