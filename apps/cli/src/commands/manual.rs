//! `copal manual FOLDER`: the command line in, manual pages out. For packages; hidden from users.

use crate::error::CliError;
use crate::outcome::Outcome;
use crate::output_target::write_text;
use clap::{Args, Command};
use clap_mangen::Man;
use std::path::{Path, PathBuf};

/// Write the manual pages (internal)
#[derive(Debug, Args)]
pub(crate) struct ManualArguments {
    /// An existing folder
    folder: PathBuf,
}

pub(crate) fn run(arguments: &ManualArguments, command: Command) -> Result<Outcome, CliError> {
    // sets the names and usages of all subcommands
    let mut command = command.disable_help_subcommand(true);
    command.build();
    // the command line has two levels, so that no stack of any depth is needed
    let mut open = vec![("copal".to_owned(), command)];
    while let Some((name, command)) = open.pop() {
        let commands = command.get_subcommands().filter(|one| !one.is_hide_set());
        open.extend(commands.map(|one| (format!("{name}-{}", one.get_name()), one.clone())));
        write_page(&arguments.folder, &name, command)?;
    }
    Ok(Outcome::Done)
}

fn write_page(folder: &Path, name: &str, command: Command) -> Result<(), CliError> {
    let path = folder.join(format!("{name}.1"));
    // clap_mangen leaves out what such options do
    let command = command.mut_args(|argument| argument.hide_short_help(false));
    let mut page = Vec::new();
    let rendered = Man::new(command).render(&mut page);
    rendered.map_err(|error| CliError::writing(&error, path.display()))?;
    write_text(Some(&path), &String::from_utf8_lossy(&page))
}
