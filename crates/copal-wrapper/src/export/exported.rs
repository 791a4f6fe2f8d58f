//! The result of an export.

/// A wrapper in the form of another tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The text of the file.
    pub text: String,
    /// What the tool cannot express, by column, as sentences for users.
    pub warnings: Vec<String>,
}

/// An ordinal number for a message.
pub(super) fn ordinal(number: usize) -> String {
    match number {
        1 => "first".into(),
        2 => "second".into(),
        3 => "third".into(),
        _ => format!("{number}th"),
    }
}
