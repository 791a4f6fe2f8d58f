//! `copal doctor`: what of the optional parts is there, and how to get the rest.

#[cfg(feature = "fetch")]
use crate::arguments::network::default_cache_folder;
#[cfg(feature = "serve")]
use crate::arguments::service::default_workspace;
use crate::build_features::{install_command, missing_features, present_features};
use crate::config_file::ConfigScope;
use crate::configuration::{self, config_paths};
use crate::error::CliError;
use crate::outcome::Outcome;
use crate::reporting;
use clap::Args;
#[cfg(feature = "render")]
use copal_render::{BROWSER_NAMES, find_browser};
use copal_store::{DatabaseLocation, last_runs};
use std::path::{Path, PathBuf};
#[cfg(feature = "fetch")]
use {
    indicatif::HumanBytes,
    std::fs::{self, Metadata},
};

/// Show which optional parts are there (browser, workspace and others), and how to get the rest
#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    /// The browser's program, instead of the first one that is found
    #[arg(long, value_name = "FILE")]
    browser: Option<PathBuf>,

    #[arg(
        long,
        value_name = "DATABASE",
        help = "Also try to read this database: a file ending in .sqlite or .db, or postgres://user@host/database"
    )]
    database: Option<PathBuf>,
}

pub(crate) fn run(arguments: &DoctorArguments) -> Result<Outcome, CliError> {
    let mut lines = vec![format!("copal {}", env!("CARGO_PKG_VERSION")), feature_report()];
    let missing: Vec<String> = missing_features().map(|(name, adds)| format!("{name} ({adds})")).collect();
    if !missing.is_empty() {
        lines.push(format!("  not in this build: {}", missing.join(", ")));
        lines.push("  released binaries have all; or, in a clone of the repository:".to_owned());
        lines.push(format!("  {}", install_command()));
    }
    let (browser, mut outcome) = browser_report(arguments);
    lines.extend(browser);
    if let Some(name) = &arguments.database {
        let (line, found) = database_report(name)?;
        lines.push(line);
        outcome = outcome.max(found);
    }
    lines.push(cache_report());
    lines.extend(workspace_report());
    lines.extend(configuration_report());
    let text: String = lines.iter().map(|line| reporting::printable(line) + "\n").collect();
    reporting::print(&text)?;
    Ok(outcome)
}

fn feature_report() -> String {
    format!("features: {}", present_features())
}

/// Where pages are cached, and whether that works.
#[cfg(feature = "fetch")]
fn cache_report() -> String {
    let Some(folder) = default_cache_folder() else {
        return "cache: none, because neither HOME nor XDG_CACHE_HOME is set (--cache-dir FOLDER)".to_owned();
    };
    let shown = folder.display();
    match fs::metadata(&folder) {
        Ok(found) if !found.is_dir() => format!("cache: {shown} is not a folder (--cache-dir FOLDER)"),
        Ok(found) if found.permissions().readonly() => {
            format!("cache: {shown} cannot be written (--cache-dir FOLDER)")
        }
        Ok(_) => {
            let sizes = walkdir::WalkDir::new(&folder).into_iter().flatten().filter_map(|entry| {
                entry.metadata().ok().filter(Metadata::is_file).map(|metadata| metadata.len())
            });
            format!("cache: {shown} ({})", HumanBytes(sizes.sum()))
        }
        Err(_) => format!("cache: {shown} (made when the first page is fetched)"),
    }
}

#[cfg(not(feature = "fetch"))]
fn cache_report() -> String {
    "cache: not used, because this build does not fetch URLs".to_owned()
}

/// Whether a database can be read, and what it has.
fn database_report(name: &Path) -> Result<(String, Outcome), CliError> {
    let location = DatabaseLocation::from_name(name).ok_or_else(|| {
        let shown = name.display();
        CliError::usage(format_args!(
            "{shown} is not a database: expected a name ending in .sqlite or .db, or postgres://…"
        ))
    })?;
    let shown = location.display_name();
    Ok(match last_runs(&location, usize::MAX) {
        Ok(runs) => (format!("database: {shown} ({})", reporting::count(runs.len(), "run")), Outcome::Done),
        Err(error) => (format!("database: {shown}: {error}"), Outcome::NothingFound),
    })
}

/// Where the studio and the service keep wrappers and databases.
#[cfg(feature = "serve")]
fn workspace_report() -> Option<String> {
    let folder = default_workspace()?;
    let state = if folder.is_dir() { "" } else { " (made by copal studio and copal serve)" };
    Some(format!("workspace: {}{state}", folder.display()))
}

#[cfg(not(feature = "serve"))]
fn workspace_report() -> Option<String> {
    None
}

/// The configuration files, and whether they can be read.
fn configuration_report() -> Vec<String> {
    let line = |(path, scope): (PathBuf, ConfigScope)| {
        let what = match scope {
            ConfigScope::User => "configuration",
            ConfigScope::Folder => "configuration of this folder",
        };
        let state = if path.exists() { "copal config shows it" } else { "not there" };
        format!("{what}: {} ({state})", path.display())
    };
    let mut lines: Vec<String> = config_paths().into_iter().map(line).collect();
    if let Err(error) = configuration::load() {
        lines.push(format!("  {error}"));
    }
    lines
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
    let DoctorArguments { browser: _, .. } = arguments;
    let text = "browser: not used, because this build lacks the feature render";
    (vec![text.to_owned()], Outcome::NothingFound)
}
