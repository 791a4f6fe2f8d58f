//! Which columns are kept, and what they are called.

use crate::error::CliError;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct ColumnArguments {
    /// Columns to keep, in this order, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) fields: Vec<String>,

    /// Rename a column (may be repeated; --fields has the old names)
    #[arg(long, value_name = "OLD=NEW", value_parser = parse_renaming, value_delimiter = ',')]
    pub(crate) rename: Vec<(String, String)>,
}

impl ColumnArguments {
    /// The names that the user expects the columns to have.
    pub(crate) fn old_names(&self) -> impl Iterator<Item = &String> {
        self.fields.iter().chain(self.rename.iter().map(|(old, _)| old))
    }

    /// The new name of a column, if it gets one.
    pub(crate) fn new_name(&self, old: &str) -> Option<&str> {
        self.rename.iter().find(|(name, _)| name == old).map(|(_, new)| new.as_str())
    }
}

fn parse_renaming(text: &str) -> Result<(String, String), CliError> {
    let (old, new) = text.split_once('=').ok_or_else(|| CliError::usage("expected OLD=NEW"))?;
    if new.trim().is_empty() {
        return Err(CliError::usage("expected a name after ="));
    }
    Ok((old.to_owned(), new.to_owned()))
}
