//! `copal doctor`: what of the optional parts is there, and how to get the rest.

use crate::error::CliError;
use crate::outcome::Outcome;
use crate::reporting;
use clap::Args;
#[cfg(feature = "render")]
use copal_render::{BROWSER_NAMES, find_browser};
use std::io::Write;
use std::path::PathBuf;

/// Check which browser --render would use, and how to install one
#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    /// The browser's program, instead of the first one that is found
    #[arg(long, value_name = "FILE")]
    browser: Option<PathBuf>,
}

pub(crate) fn run(arguments: &DoctorArguments) -> Result<Outcome, CliError> {
    let (lines, outcome) = browser_report(arguments);
    let mut out = std::io::stdout().lock();
    writeln!(out, "copal {}", env!("CARGO_PKG_VERSION"))
        .and_then(|()| lines.iter().try_for_each(|line| writeln!(out, "{}", reporting::printable(line))))
        .map_err(|error| CliError::writing(&error, "standard output"))?;
    Ok(outcome)
}

/// What is said about the browser, and whether there is one.
#[cfg(feature = "render")]
fn browser_report(arguments: &DoctorArguments) -> (Vec<String>, Outcome) {
    let found = find_browser(arguments.browser.as_deref());
    let version = found.as_ref().map_err(Clone::clone).and_then(copal_render::FoundBrowser::version);
    match (found, version) {
        (Ok(found), Ok(version)) => {
            (vec![format!("browser: {} ({version})", found.path.display())], Outcome::Done)
        }
        (Ok(_), Err(error)) => (vec![format!("browser: {error}")], Outcome::NothingFound),
        (Err(error), _) => {
            let lines = vec![
                format!("browser: {error}"),
                format!("  looked for in PATH: {}", BROWSER_NAMES.join(", ")),
                "  Debian, Ubuntu: apt install chromium (Ubuntu: snap install chromium)".to_owned(),
                "  Fedora: dnf install chromium".to_owned(),
                "  macOS: brew install --cask chromium, or install Google Chrome".to_owned(),
            ];
            (lines, Outcome::NothingFound)
        }
    }
}

#[cfg(not(feature = "render"))]
fn browser_report(arguments: &DoctorArguments) -> (Vec<String>, Outcome) {
    let DoctorArguments { browser: _ } = arguments;
    let text = "browser: this build cannot show pages in a browser: rebuild with --features render";
    (vec![text.to_owned()], Outcome::NothingFound)
}
