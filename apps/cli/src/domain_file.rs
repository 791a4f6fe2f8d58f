//! Domains by name or path, with a suggestion for misspelt names.

use crate::error::CliError;
use copal::Domain;
use copal_tasks::closest;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Bytes of a file that tell a web page.
const BEGINNING_BYTES: u64 = 512;

/// True if a file begins as web pages do.
fn is_web_page(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BEGINNING_BYTES).read_to_end(&mut beginning));
    read.is_ok() && beginning.trim_ascii_start().starts_with(b"<")
}

/// Loads a built-in domain or a domain file.
pub(crate) fn load(name: &str) -> Result<Domain, CliError> {
    if is_web_page(Path::new(name)) {
        let error = CliError::usage(format_args!("{name}: is a web page, not a domain"));
        return Err(error
            .with_hint("the domain comes first, then the pages, as in copal domain test boats page.html"));
    }
    Domain::load(name).map_err(|error| {
        let is_name = !name.contains(['/', '\\', '.']);
        let similar = closest(name, Domain::built_in()).filter(|_| is_name);
        match similar {
            Some(similar) => CliError::usage(format_args!("{error}; did you mean {similar}?")),
            None => CliError::usage(error),
        }
    })
}
