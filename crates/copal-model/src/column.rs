//! Aligned columns.

use copal_values::columns::date_order::DateOrderDecision;

/// What a column's cells are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CellSource {
    /// Visible text.
    Text,
    /// The target of a link.
    Href,
    /// The URL of an image.
    Src,
    /// Embedded data.
    Embedded,
    /// The record's detail page.
    Detail,
    /// The heading above the record's part of the list.
    Heading,
}

/// What a column's name was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NamedBy {
    /// A domain's attribute.
    Domain,
    /// The header of a table column.
    Header,
    /// `itemprop`, `property` or a key of declared data.
    Property,
    /// A label before the value in every record, or the term of a definition list.
    Label,
    /// What nearly every list has: a title, a link, an image.
    Role,
    /// A word of an HTML class.
    Class,
    /// The type of its values.
    ValueType,
    /// Its position, because nothing else was available.
    Position,
    /// A wrapper file.
    Wrapper,
}

impl NamedBy {
    /// The words in outputs.
    pub fn name(self) -> &'static str {
        match self {
            NamedBy::Domain => "domain",
            NamedBy::Header => "header",
            NamedBy::Property => "property",
            NamedBy::Label => "label",
            NamedBy::Role => "role",
            NamedBy::Class => "class",
            NamedBy::ValueType => "type",
            NamedBy::Position => "position",
            NamedBy::Wrapper => "wrapper",
        }
    }
}

/// A column that fewer records have is rare: most of its table would be empty.
pub const RARE_COLUMN_SUPPORT: f64 = 0.1;

/// One aligned column.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Column {
    /// Unique within the region.
    pub name: String,
    /// What the name was taken from.
    pub named_by: NamedBy,
    /// Why it has this name, in words; `None` if that is obvious.
    pub name_reason: Option<String>,
    /// The HTML class that describes its elements best, as the page writes it.
    pub class_hint: Option<String>,
    /// What the cells are read from.
    pub source: CellSource,
    /// The type of its values, if they have one.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "copal_values::static_text::optional"))]
    pub value_type: Option<copal_values::StaticText>,
    /// The order of day and month in its dates, if they are in digits.
    pub date_order: Option<DateOrderDecision>,
    /// The user asked for it by name.
    pub is_chosen: bool,
    /// Share of records that have a cell here.
    #[cfg_attr(feature = "serde", serde(with = "crate::exact_values::bits"))]
    pub support: f64,
    /// The probability that its cells are one field of the records; `None` if unknown.
    #[cfg_attr(feature = "serde", serde(with = "crate::exact_values::optional_bits"))]
    pub confidence: Option<f64>,
}

impl Column {
    /// A column of which only this is known.
    pub fn new(name: impl Into<String>, named_by: NamedBy, source: CellSource) -> Column {
        Column {
            name: name.into(),
            named_by,
            name_reason: None,
            class_hint: None,
            source,
            value_type: None,
            date_order: None,
            is_chosen: false,
            support: 0.0,
            confidence: None,
        }
    }

    /// True if few records have the column, and neither the page nor the user has named it as a column: a
    /// table's header, a domain, a wrapper, `--field` or `--fields`. Tables for reading leave such columns out.
    pub fn is_rare(&self) -> bool {
        let is_asked_for =
            self.is_chosen || matches!(self.named_by, NamedBy::Header | NamedBy::Domain | NamedBy::Wrapper);
        self.support < RARE_COLUMN_SUPPORT && !is_asked_for
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_few_records_are_rare_unless_they_are_named_as_columns() {
        let column = |named_by: NamedBy, support: f64| Column {
            support,
            ..Column::new("badge", named_by, CellSource::Text)
        };
        assert!(column(NamedBy::Class, 0.05).is_rare());
        assert!(!column(NamedBy::Class, 0.1).is_rare());
        assert!(!column(NamedBy::Header, 0.05).is_rare());
        assert!(!column(NamedBy::Wrapper, 0.05).is_rare());
    }
}
