//! Value types and orders of dates by the names that wrapper files use for them.
//!
//! In: a name such as `money`. Out: the type, or an error that lists all names.

use crate::error::WrapperError;
use copal_values::ValueType;
use copal_values::notation::DateOrder;

/// The value type with this name.
pub(crate) fn value_type_named(name: &str) -> Option<ValueType> {
    ValueType::ALL.into_iter().find(|kind| kind.name() == name)
}

/// The name under which wrapper files have the type of a column. Attributes of domains have types that are not
/// value types: a whole number is a number, and texts and places have none.
pub(crate) fn wrapper_type(name: &'static str) -> Option<&'static str> {
    match name {
        "integer" => Some(ValueType::Number.name()),
        _ => value_type_named(name).map(ValueType::name),
    }
}

/// Refuses names that are not value types.
pub(crate) fn check_value_type(name: &str) -> Result<(), WrapperError> {
    if value_type_named(name).is_some() {
        return Ok(());
    }
    let known: Vec<&str> = ValueType::ALL.iter().map(|kind| kind.name()).collect();
    Err(WrapperError::value(format!("no type {name:?}: expected one of {}", known.join(", "))))
}

/// Refuses names that are not orders of dates.
pub(crate) fn check_date_order(name: &str) -> Result<(), WrapperError> {
    if DateOrder::from_name(name).is_some() {
        return Ok(());
    }
    let known = DateOrder::ALL.map(DateOrder::name).join(", ");
    Err(WrapperError::value(format!("no order {name:?}: expected one of {known}")))
}
