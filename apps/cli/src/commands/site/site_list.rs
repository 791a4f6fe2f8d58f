//! The start URLs of a run over many sites.
//!
//! In: a file with one URL per line. Out: URLs that can be fetched, each once, in their order. O(lines).

use crate::error::CliError;
use crate::inputs::names_in_file;
use crate::reporting;
use std::collections::HashSet;
use std::path::Path;
use url::Url;

/// More sites belong into several runs.
const MAX_SITES: usize = 10_000;

/// The URLs in a file. A line that is no URL is an error before anything is sent.
pub(super) fn start_urls(file: &Path, quiet: bool) -> Result<Vec<String>, CliError> {
    let lines = names_in_file(file)?;
    let about = |error: CliError| error.about(file.display());
    let mut seen = HashSet::new();
    let mut urls = Vec::new();
    for line in &lines {
        let url = Url::parse(line).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let Some(mut url) = url.filter(Url::has_host) else {
            let shown = reporting::printable(line);
            return Err(about(CliError::usage(format_args!(
                "expected a URL that begins with http:// or https://, found {shown}"
            ))));
        };
        url.set_fragment(None);
        if seen.insert(url.to_string()) {
            urls.push(url.to_string());
        }
    }
    if urls.len() > MAX_SITES {
        return Err(about(CliError::usage(format_args!(
            "expected at most {MAX_SITES} URLs, found {}",
            urls.len()
        ))));
    }
    if urls.len() < lines.len() && !quiet {
        let repeated = reporting::count(lines.len() - urls.len(), "repeated URL");
        reporting::warning(format_args!("{}: {repeated} left out", file.display()));
    }
    Ok(urls)
}
