//! Values as tables store them, and the types of columns.
//!
//! A column has one [`ColumnType`] for all rows. A value that does not fit makes the column wider and never
//! loses information: integers become reals, anything becomes text, and a text becomes a list of one text.

use serde_json::Value as Json;
use std::borrow::Cow;

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnType {
    /// True or false.
    Boolean,
    /// A 64-bit integer.
    Integer,
    /// A 64-bit floating-point number.
    Real,
    /// A text.
    Text,
    /// Several texts, stored as a JSON array.
    List,
}

impl ColumnType {
    const ALL: [ColumnType; 5] =
        [ColumnType::Boolean, ColumnType::Integer, ColumnType::Real, ColumnType::Text, ColumnType::List];

    /// The name that a database stores for this type.
    pub fn name(self) -> &'static str {
        match self {
            ColumnType::Boolean => "boolean",
            ColumnType::Integer => "integer",
            ColumnType::Real => "real",
            ColumnType::Text => "text",
            ColumnType::List => "list",
        }
    }

    /// The type of a stored name; an unknown name means text, which holds anything.
    pub fn from_name(name: &str) -> ColumnType {
        ColumnType::ALL.into_iter().find(|column_type| column_type.name() == name).unwrap_or(ColumnType::Text)
    }

    /// The narrowest type that holds the values of both.
    #[must_use]
    pub fn join(self, other: ColumnType) -> ColumnType {
        match (self, other) {
            (a, b) if a == b => a,
            (ColumnType::Integer, ColumnType::Real) | (ColumnType::Real, ColumnType::Integer) => {
                ColumnType::Real
            }
            (ColumnType::List, _) | (_, ColumnType::List) => ColumnType::List,
            _ => ColumnType::Text,
        }
    }
}

/// One value of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum RowValue {
    /// No value.
    Null,
    /// True or false.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A finite number.
    Real(f64),
    /// A text.
    Text(String),
    /// Several texts.
    List(Vec<String>),
}

impl RowValue {
    /// A text, without NUL, which PostgreSQL does not accept.
    pub fn text(text: &str) -> RowValue {
        RowValue::Text(text.replace('\0', "\u{fffd}"))
    }

    /// The texts of a cell: nothing, one text, or a list.
    pub fn texts<'a>(mut texts: impl ExactSizeIterator<Item = &'a str>) -> RowValue {
        match (texts.len(), texts.next()) {
            (1, Some(one)) => RowValue::text(one),
            (_, Some(first)) => {
                RowValue::List(std::iter::once(first).chain(texts).map(str::to_owned).collect())
            }
            (_, None) => RowValue::Null,
        }
    }

    /// A count as an integer.
    pub fn count(count: usize) -> RowValue {
        RowValue::Integer(i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// A decimal number. A number beyond the range of a database becomes null; its text is stored next to it.
    pub fn decimal(digits: &str) -> RowValue {
        if let Ok(integer) = digits.parse::<i64>() {
            return RowValue::Integer(integer);
        }
        digits.parse::<f64>().ok().filter(|real| real.is_finite()).map_or(RowValue::Null, RowValue::Real)
    }

    /// The type of the value; `None` for null.
    pub fn column_type(&self) -> Option<ColumnType> {
        match self {
            RowValue::Null => None,
            RowValue::Boolean(_) => Some(ColumnType::Boolean),
            RowValue::Integer(_) => Some(ColumnType::Integer),
            RowValue::Real(_) => Some(ColumnType::Real),
            RowValue::Text(_) => Some(ColumnType::Text),
            RowValue::List(_) => Some(ColumnType::List),
        }
    }

    /// The value as a column of this type stores it. The column must be wide enough.
    #[must_use]
    pub fn fit(self, column_type: ColumnType) -> RowValue {
        match (self, column_type) {
            (RowValue::Null, _) => RowValue::Null,
            (RowValue::Integer(integer), ColumnType::Real) => RowValue::Real(integer as f64),
            (RowValue::List(texts), _) => RowValue::Text(json_array(texts)),
            (value, ColumnType::List) => RowValue::Text(json_array(vec![value.to_text()])),
            (value, ColumnType::Text) => RowValue::Text(value.to_text()),
            (value, _) => value,
        }
    }

    /// The value as a text; null is the empty text.
    pub fn to_text(&self) -> String {
        match self {
            RowValue::Null => String::new(),
            RowValue::Boolean(boolean) => boolean.to_string(),
            RowValue::Integer(integer) => integer.to_string(),
            RowValue::Real(real) => real.to_string(),
            RowValue::Text(text) => text.clone(),
            RowValue::List(texts) => json_array(texts.clone()),
        }
    }

    /// The value as a text value; null stays null.
    #[must_use]
    pub fn to_text_or_null(&self) -> RowValue {
        if *self == RowValue::Null { RowValue::Null } else { RowValue::Text(self.to_text()) }
    }
}

/// A value of a row, without a copy of its text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ValueRef<'a> {
    Null,
    Boolean(bool),
    Integer(i64),
    Real(f64),
    Text(&'a str),
    List(&'a [String]),
}

impl<'a> ValueRef<'a> {
    /// The value as a text; null is the empty text.
    pub(crate) fn to_text(self) -> Cow<'a, str> {
        match self {
            ValueRef::Null => Cow::Borrowed(""),
            ValueRef::Text(text) => Cow::Borrowed(text),
            ValueRef::Boolean(boolean) => boolean.to_string().into(),
            ValueRef::Integer(integer) => integer.to_string().into(),
            ValueRef::Real(real) => real.to_string().into(),
            ValueRef::List(texts) => json_array(texts.to_vec()).into(),
        }
    }
}

/// Rows that can be written as columns, however they are stored.
pub(crate) trait TableRows {
    fn row_count(&self) -> usize;

    fn value(&self, row: usize, column: usize) -> ValueRef<'_>;

    /// A column from its first to its last row.
    #[cfg(feature = "parquet")]
    fn column(&self, column: usize) -> impl Iterator<Item = ValueRef<'_>> {
        (0..self.row_count()).map(move |row| self.value(row, column))
    }
}

impl TableRows for [Vec<RowValue>] {
    fn row_count(&self) -> usize {
        self.len()
    }

    fn value(&self, row: usize, column: usize) -> ValueRef<'_> {
        match &self[row][column] {
            RowValue::Null => ValueRef::Null,
            RowValue::Boolean(boolean) => ValueRef::Boolean(*boolean),
            RowValue::Integer(integer) => ValueRef::Integer(*integer),
            RowValue::Real(real) => ValueRef::Real(*real),
            RowValue::Text(text) => ValueRef::Text(text),
            RowValue::List(texts) => ValueRef::List(texts),
        }
    }
}

fn json_array(texts: Vec<String>) -> String {
    Json::from(texts).to_string().replace("\\u0000", "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_types_only_widens() {
        for a in ColumnType::ALL {
            assert_eq!(a.join(a), a);
            assert_eq!(ColumnType::from_name(a.name()), a);
            for b in ColumnType::ALL {
                assert_eq!(a.join(b), b.join(a));
                assert_eq!(a.join(b).join(b), a.join(b), "a second join changes nothing");
            }
        }
        assert_eq!(ColumnType::Boolean.join(ColumnType::Integer), ColumnType::Text, "true is not 1");
    }

    #[test]
    fn invalid_numbers_become_null() {
        assert_eq!(RowValue::decimal("12"), RowValue::Integer(12));
        assert_eq!(RowValue::decimal("12.50"), RowValue::Real(12.5));
        assert_eq!(RowValue::decimal("99999999999999999999"), RowValue::Real(1e20));
        assert_eq!(RowValue::decimal(&"9".repeat(400)), RowValue::Null);
        assert_eq!(RowValue::decimal("many"), RowValue::Null);
    }

    #[test]
    fn values_fit_wider_columns_without_loss() {
        assert_eq!(RowValue::Integer(3).fit(ColumnType::Real), RowValue::Real(3.0));
        assert_eq!(RowValue::Real(4.5).fit(ColumnType::Text), RowValue::Text("4.5".into()));
        assert_eq!(RowValue::text("a\"b").fit(ColumnType::List), RowValue::Text("[\"a\\\"b\"]".into()));
        assert_eq!(
            RowValue::List(vec!["a".into(), "b".into()]).fit(ColumnType::List),
            RowValue::Text("[\"a\",\"b\"]".into())
        );
        assert_eq!(RowValue::text("a\0b"), RowValue::Text("a\u{fffd}b".into()));
    }
}
