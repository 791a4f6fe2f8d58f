//! Aligned columns.

/// What a column's cells are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CellSource {
    /// Visible text.
    Text,
    /// The target of a link.
    Href,
    /// The address of an image.
    Src,
    /// Data of the page's scripts.
    Embedded,
    /// The page of the record's own.
    Detail,
}

/// What a column's name was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NamedBy {
    /// A domain's attribute.
    Domain,
    /// A head of a table's column.
    Header,
    /// `itemprop`, `property` or a key of declared data.
    Property,
    /// Words that every record has before the value, or the term of a definition.
    Label,
    /// The place every list has: its title, its link, its picture.
    Role,
    /// A class word.
    Class,
    /// The type of its values.
    Kind,
    /// Its position: nothing else was there.
    Position,
    /// A wrapper's file.
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
            NamedBy::Kind => "type",
            NamedBy::Position => "position",
            NamedBy::Wrapper => "wrapper",
        }
    }
}

/// One aligned column.
#[derive(Debug, Clone)]
pub struct Column {
    /// Unique within the region.
    pub name: String,
    /// What the name was taken from.
    pub named_by: NamedBy,
    /// What the cells are read from.
    pub source: CellSource,
    /// The type of its values, if they have one.
    pub kind: Option<&'static str>,
    /// Share of records that have a cell here.
    pub support: f64,
    /// How likely its cells are one field of the records; none if unknown.
    pub confidence: Option<f64>,
}
