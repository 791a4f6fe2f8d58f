//! Wrapper files: read, with their version for databases.

use crate::error::CliError;
use copal::wrapper::Wrapper;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// Maximum number of bytes of a wrapper file that are read.
const MAX_WRAPPER_BYTES: u64 = 2_000_000;

/// A wrapper as it was read from its file.
pub(crate) struct LoadedWrapper {
    pub(crate) wrapper: Wrapper,
    text: String,
    file_name: String,
}

impl LoadedWrapper {
    /// The name of the file and a hash of its content, for databases.
    pub(crate) fn version(&self) -> String {
        format!("wrapper {} {}", self.file_name, copal_store::short_hash(&self.text))
    }
}

/// Reads a wrapper file.
pub(crate) fn load(path: &Path) -> Result<LoadedWrapper, CliError> {
    let mut text = String::new();
    let read = fs::File::open(path).and_then(|file| file.take(MAX_WRAPPER_BYTES).read_to_string(&mut text));
    read.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => not_a_wrapper(path, "binary data"),
        _ => CliError::reading(&error).about(path.display()),
    })?;
    let begins_like = |start: &str| text.trim_start_matches('\u{feff}').trim_start().starts_with(start);
    if begins_like("<") {
        return Err(not_a_wrapper(path, "a web page").with_hint(
            "the wrapper comes first, then the pages, as in copal apply shop.copal.yaml page.html",
        ));
    }
    if begins_like("{\"") || begins_like("[") {
        return Err(not_a_wrapper(path, "JSON"));
    }
    let wrapper = Wrapper::parse(&text).map_err(|error| {
        let has_keys = text.lines().any(|line| line.starts_with("copal:") || line.starts_with("pages:"));
        if has_keys {
            CliError::unreadable(error).about(path.display())
        } else {
            not_a_wrapper(path, "another file")
        }
    })?;
    let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(LoadedWrapper { wrapper, text, file_name })
}

fn not_a_wrapper(path: &Path, what: &str) -> CliError {
    let message = format!("is {what}, not a wrapper: expected a file that copal learn wrote");
    CliError::unreadable(message).about(path.display())
}
