//! Domains by name or path, with a suggestion for misspelt names.

use crate::error::CliError;
use copal::Domain;
use copal_tasks::closest;

/// Loads a built-in domain or a domain file.
pub(crate) fn load(name: &str) -> Result<Domain, CliError> {
    Domain::load(name).map_err(|error| {
        let is_name = !name.contains(['/', '\\', '.']);
        let similar = closest(name, Domain::built_in()).filter(|_| is_name);
        match similar {
            Some(similar) => CliError::usage(format_args!("{error}; did you mean {similar}?")),
            None => CliError::usage(error),
        }
    })
}
