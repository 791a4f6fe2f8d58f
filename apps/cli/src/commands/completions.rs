//! `copal completions`: the command line in, a script for a shell out.

use crate::error::CliError;
use crate::outcome::Outcome;
use crate::reporting;
use clap::{Args, Command};
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  copal completions bash > ~/.local/share/bash-completion/completions/copal
  copal completions zsh > ~/.zfunc/_copal                   with fpath+=~/.zfunc before compinit in ~/.zshrc
  copal completions fish > ~/.config/fish/completions/copal.fish";

/// Print a script that completes the command line in a shell
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(arguments: &CompletionsArguments, mut command: Command) -> Result<Outcome, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "copal", &mut script);
    reporting::print(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Done)
}
