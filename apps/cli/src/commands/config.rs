//! `copal config`: the settings in force, and the files that they come from.

use crate::config_file::SETTING_KEYS;
use crate::configuration::{self, config_paths};
use crate::error::CliError;
use crate::outcome::Outcome;
use crate::reporting;
use clap::Args;
use std::fmt::Write as _;

const EXAMPLES: &str = "\
~/.config/copal/config.toml has your defaults. Its keys are the names of options:

  delay = 2                            # seconds between requests to one host
  contact = \"me@example.org\"           # how to reach you
  cache = false
  columns = [\"title\", \"price\"]         # the columns to keep (--fields)

copal.toml in the working folder may set format, columns, all-columns, wide, csv-safe, contact, timeout and a longer
delay. Options on the command line win over both, and --no-config ignores them.";

/// Print the configuration in force and where it comes from
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ConfigArguments {}

pub(crate) fn run(no_config: bool) -> Result<Outcome, CliError> {
    let settings = if no_config { Vec::new() } else { configuration::load()? };
    let mut text = String::new();
    for (path, _) in config_paths() {
        let state = match (no_config, path.exists()) {
            (true, _) => "ignored (--no-config)",
            (false, true) => "read",
            (false, false) => "does not exist",
        };
        let _ = writeln!(text, "# {}: {state}", reporting::printable(&path.display().to_string()));
    }
    for known in SETTING_KEYS {
        let line = match settings.iter().find(|sourced| sourced.setting.key == known.key) {
            Some(sourced) => {
                let file = sourced.file.display().to_string();
                format!("{} = {}  # {file}", known.key, sourced.setting.shown)
            }
            None => format!("# {}: not set ({})", known.key, known.option),
        };
        let _ = writeln!(text, "{}", reporting::printable(&line));
    }
    reporting::print(&text)?;
    Ok(Outcome::Done)
}
