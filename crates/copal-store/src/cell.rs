//! Values as databases keep them, and the types of columns.
//!
//! A column has one [`Kind`] for all rows. A value that does not fit makes the column wider, never the value poorer: whole
//! numbers become decimals, anything becomes text, a text becomes a list of one.

use serde_json::Value as Json;

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Yes or no.
    Boolean,
    /// A whole number.
    Integer,
    /// A number.
    Real,
    /// A text.
    Text,
    /// Texts, kept as a JSON array.
    List,
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Boolean, Kind::Integer, Kind::Real, Kind::Text, Kind::List];

    /// The name in the table of columns.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Boolean => "boolean",
            Kind::Integer => "integer",
            Kind::Real => "real",
            Kind::Text => "text",
            Kind::List => "list",
        }
    }

    /// The kind of a name; what is not known is a text.
    pub(crate) fn named(name: &str) -> Kind {
        Kind::ALL.into_iter().find(|kind| kind.name() == name).unwrap_or(Kind::Text)
    }

    /// The narrowest kind that holds both.
    pub(crate) fn join(self, other: Kind) -> Kind {
        match (self, other) {
            (a, b) if a == b => a,
            (Kind::Integer, Kind::Real) | (Kind::Real, Kind::Integer) => Kind::Real,
            (Kind::List, _) | (_, Kind::List) => Kind::List,
            _ => Kind::Text,
        }
    }
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    /// Nothing.
    Null,
    /// Yes or no.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A number; never infinite.
    Real(f64),
    /// A text.
    Text(String),
    /// Several texts.
    List(Vec<String>),
}

impl Cell {
    /// A text, without the one character that PostgreSQL does not take.
    pub(crate) fn text(text: &str) -> Cell {
        Cell::Text(text.replace('\0', "\u{fffd}"))
    }

    /// What a column's texts say: nothing, one, or several.
    pub(crate) fn texts(texts: &[String]) -> Cell {
        match texts {
            [] => Cell::Null,
            [one] => Cell::text(one),
            several => Cell::List(several.to_vec()),
        }
    }

    /// How many.
    pub(crate) fn count(n: usize) -> Cell {
        Cell::Integer(i64::try_from(n).unwrap_or(i64::MAX))
    }

    /// A decimal number; nothing if it is beyond what a database counts with (its text is kept beside it).
    pub(crate) fn decimal(digits: &str) -> Cell {
        if let Ok(whole) = digits.parse::<i64>() {
            return Cell::Integer(whole);
        }
        digits.parse::<f64>().ok().filter(|real| real.is_finite()).map_or(Cell::Null, Cell::Real)
    }

    /// Its kind, if it is something.
    pub(crate) fn kind(&self) -> Option<Kind> {
        match self {
            Cell::Null => None,
            Cell::Boolean(_) => Some(Kind::Boolean),
            Cell::Integer(_) => Some(Kind::Integer),
            Cell::Real(_) => Some(Kind::Real),
            Cell::Text(_) => Some(Kind::Text),
            Cell::List(_) => Some(Kind::List),
        }
    }

    /// The value as a column of this kind keeps it; the column is wide enough.
    pub(crate) fn fit(self, kind: Kind) -> Cell {
        match (self, kind) {
            (Cell::Null, _) => Cell::Null,
            (Cell::Integer(whole), Kind::Real) => Cell::Real(whole as f64),
            (Cell::List(texts), _) => Cell::Text(json_list(texts)),
            (cell, Kind::List) => Cell::Text(json_list(vec![cell.shown()])),
            (cell, Kind::Text) => Cell::Text(cell.shown()),
            (cell, _) => cell,
        }
    }

    /// The value as a text; nothing is the empty text.
    pub(crate) fn shown(&self) -> String {
        match self {
            Cell::Null => String::new(),
            Cell::Boolean(yes) => yes.to_string(),
            Cell::Integer(whole) => whole.to_string(),
            Cell::Real(real) => real.to_string(),
            Cell::Text(text) => text.clone(),
            Cell::List(texts) => json_list(texts.clone()),
        }
    }

    /// The value as a text, or nothing.
    pub(crate) fn or_null(&self) -> Cell {
        if *self == Cell::Null { Cell::Null } else { Cell::Text(self.shown()) }
    }
}

fn json_list(texts: Vec<String>) -> String {
    Json::from(texts).to_string().replace("\\u0000", "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_grow_wider_only() {
        for a in Kind::ALL {
            assert_eq!(a.join(a), a);
            assert_eq!(Kind::named(a.name()), a);
            for b in Kind::ALL {
                assert_eq!(a.join(b), b.join(a));
                assert_eq!(a.join(b).join(b), a.join(b), "joined once is joined");
            }
        }
        assert_eq!(Kind::Boolean.join(Kind::Integer), Kind::Text, "true is not 1");
    }

    #[test]
    fn numbers_that_are_none_are_nothing() {
        assert_eq!(Cell::decimal("12"), Cell::Integer(12));
        assert_eq!(Cell::decimal("12.50"), Cell::Real(12.5));
        assert_eq!(Cell::decimal("99999999999999999999"), Cell::Real(1e20));
        assert_eq!(Cell::decimal(&"9".repeat(400)), Cell::Null);
        assert_eq!(Cell::decimal("many"), Cell::Null);
    }

    #[test]
    fn values_fit_wider_columns_without_loss() {
        assert_eq!(Cell::Integer(3).fit(Kind::Real), Cell::Real(3.0));
        assert_eq!(Cell::Real(4.5).fit(Kind::Text), Cell::Text("4.5".into()));
        assert_eq!(Cell::text("a\"b").fit(Kind::List), Cell::Text("[\"a\\\"b\"]".into()));
        assert_eq!(
            Cell::List(vec!["a".into(), "b".into()]).fit(Kind::List),
            Cell::Text("[\"a\",\"b\"]".into())
        );
        assert_eq!(Cell::text("a\0b"), Cell::Text("a\u{fffd}b".into()));
    }
}
