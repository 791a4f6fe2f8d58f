//! Which columns are kept, and what they are called.

use super::COLUMN_HEADING;
use crate::error::CliError;
use clap::Args;
use copal_tasks::ColumnSelection;

#[derive(Debug, Args)]
pub(crate) struct ColumnArguments {
    /// Columns to keep, in this order, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = COLUMN_HEADING)]
    fields: Vec<String>,

    /// Rename a column (may be repeated; --fields has the old names)
    #[arg(long, value_name = "OLD=NEW", value_parser = parse_renaming, value_delimiter = ',')]
    #[arg(help_heading = COLUMN_HEADING)]
    rename: Vec<(String, String)>,
}

impl ColumnArguments {
    pub(crate) fn selection(&self) -> ColumnSelection {
        ColumnSelection { fields: self.fields.clone(), rename: self.rename.clone() }
    }
}

fn parse_renaming(text: &str) -> Result<(String, String), CliError> {
    let (old, new) = text.split_once('=').ok_or_else(|| CliError::usage("expected OLD=NEW"))?;
    if new.trim().is_empty() {
        return Err(CliError::usage("expected a name after ="));
    }
    Ok((old.to_owned(), new.to_owned()))
}
