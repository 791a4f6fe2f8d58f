//! What a region is: its role, its layout and where its data comes from.

/// What a region is to its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Role {
    /// The page's main list.
    Primary,
    /// The best list of a page where none is clearly the main one. It is used like a main list, with a
    /// warning.
    Possible,
    /// Another list of records.
    Secondary,
    /// A menu, a filter, a pager: a list without records.
    Navigation,
}

impl Role {
    /// True for the list that is used as the main one, even if it is only possible.
    pub fn is_main(self) -> bool {
        matches!(self, Role::Primary | Role::Possible)
    }

    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Role::Primary => "primary",
            Role::Possible => "possible",
            Role::Secondary => "secondary",
            Role::Navigation => "navigation",
        }
    }
}

/// How a region's records are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Layout {
    /// One record below the other.
    List,
    /// Several records in a row.
    Grid,
    /// Rows of one table.
    Table,
}

impl Layout {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Layout::List => "list",
            Layout::Grid => "grid",
            Layout::Table => "table",
        }
    }
}

/// What kind of data a region was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Origin {
    /// What the page shows.
    #[default]
    Page,
    /// What the page hides by inline styles or the attribute `hidden` until a script shows it.
    Hidden,
    /// Data that the page carries for its scripts and does not show.
    Embedded,
    /// A data document: JSON, a feed.
    Data,
}

impl Origin {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Page => "page",
            Origin::Hidden => "hidden",
            Origin::Embedded => "embedded",
            Origin::Data => "data",
        }
    }
}
