//! What the user named: files, folders, glob patterns, URLs, `-`.
//!
//! In: arguments. Out: [`Input`]s in a stable order, and the bytes of those that are not URLs. A name that
//! cannot be an input stays in the list with its error, so that it is reported in its place.

use crate::error::CliError;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Endings of the files that are read if a folder is given.
const PAGE_ENDINGS: &[&str] = &["html", "htm", "xhtml", "mhtml", "mht"];

/// A page to read.
#[derive(Debug, Clone)]
pub(crate) enum Input {
    Stdin,
    File(PathBuf),
    Url(String),
    /// Cannot be read, and why.
    Broken(String, CliError),
}

impl Input {
    pub(crate) fn name(&self) -> String {
        match self {
            Input::Stdin => "-".into(),
            Input::File(path) => path.display().to_string(),
            Input::Url(url) => without_password(url),
            Input::Broken(name, _) => name.clone(),
        }
    }

    pub(crate) fn is_url(&self) -> bool {
        matches!(self, Input::Url(_))
    }

    /// The bytes of a file or of standard input: at most `limit`, and one more, which shows that there are
    /// more.
    pub(crate) fn read_bytes(&self, limit: usize) -> Result<Vec<u8>, CliError> {
        let max_bytes = (limit as u64).saturating_add(1);
        let mut bytes = Vec::new();
        let read = match self {
            Input::Stdin => io::stdin().lock().take(max_bytes).read_to_end(&mut bytes),
            Input::File(path) => {
                fs::File::open(path).and_then(|file| file.take(max_bytes).read_to_end(&mut bytes))
            }
            // URLs are fetched by `fetching`
            Input::Url(_) => return Err(CliError::unreadable("is a URL, not a file")),
            Input::Broken(_, error) => return Err(error.clone()),
        };
        read.map_err(|error| CliError::reading(&error))?;
        Ok(bytes)
    }
}

/// A URL as it may be shown: without user name and password.
pub(crate) fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    match host.rsplit_once('@') {
        Some((secret, _)) => format!("{scheme}://…{}", &rest[secret.len()..]),
        None => url.to_owned(),
    }
}

/// The inputs that the given names refer to.
pub(crate) fn expand_all(names: &[String]) -> Vec<Input> {
    names.iter().flat_map(|name| expand(name)).collect()
}

/// The names in a file, one per line. Empty lines and lines that start with # are skipped.
pub(crate) fn names_in_file(file: &Path) -> Result<Vec<String>, CliError> {
    let mut text = String::new();
    let read = if file == Path::new("-") {
        io::stdin().lock().read_to_string(&mut text)
    } else {
        fs::File::open(file).and_then(|mut file| file.read_to_string(&mut text))
    };
    read.map_err(|error| CliError::reading(&error).about(file.display()))?;
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let names: Vec<String> =
        lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect();
    if names.is_empty() {
        return Err(CliError::unreadable(format_args!("{}: expected one URL per line", file.display())));
    }
    Ok(names)
}

fn expand(name: &str) -> Vec<Input> {
    if name == "-" {
        return vec![Input::Stdin];
    }
    let broken = |error: CliError| vec![Input::Broken(name.to_owned(), error)];
    let scheme = name.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        Some("http" | "https") => return vec![Input::Url(name.to_owned())],
        Some(scheme)
            if !Path::new(name).exists()
                && !scheme.is_empty()
                && scheme.bytes().all(|b| b.is_ascii_alphanumeric()) =>
        {
            let message = format!("{scheme}: URLs are not fetched, only http: and https:");
            return broken(CliError::unreadable(message));
        }
        _ => {}
    }
    let path = Path::new(name);
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => pages_in_folder(path),
        Ok(_) => vec![Input::File(path.to_owned())],
        Err(_) if name.contains(['*', '?', '[']) => match glob::glob(name) {
            Err(error) => {
                let place = error.pos + 1;
                let message = format!("not a glob pattern: {} at character {place}", error.msg);
                broken(CliError::unreadable(message))
            }
            Ok(paths) => {
                let files: Vec<Input> =
                    paths.flatten().filter(|path| path.is_file()).map(Input::File).collect();
                if files.is_empty() {
                    return broken(CliError::unreadable("no file matches the pattern"));
                }
                files
            }
        },
        Err(error) => broken(CliError::reading(&error)),
    }
}

fn pages_in_folder(path: &Path) -> Vec<Input> {
    let mut found = Vec::new();
    for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_file() && has_page_ending(entry.path()) => {
                found.push(Input::File(entry.into_path()));
            }
            Ok(_) => {}
            Err(error) => {
                let name = error.path().unwrap_or(path).display().to_string();
                let cause = match error.io_error() {
                    Some(error) => CliError::reading(error),
                    None => CliError::unreadable(&error),
                };
                found.push(Input::Broken(name, cause));
            }
        }
    }
    if found.is_empty() {
        let message =
            format!("no page in this folder: expected files ending in .{}", PAGE_ENDINGS.join(", ."));
        found.push(Input::Broken(path.display().to_string(), CliError::unreadable(message)));
    }
    found
}

fn has_page_ending(path: &Path) -> bool {
    path.extension()
        .and_then(|ending| ending.to_str())
        .is_some_and(|ending| PAGE_ENDINGS.contains(&ending.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::without_password;

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(without_password("https://ann:secret@a.example/x@y"), "https://…@a.example/x@y");
        assert_eq!(without_password("https://a.example/x@y"), "https://a.example/x@y");
    }
}
