//! What the user named: files, folders, globs, addresses, `-`.
//!
//! In: arguments. Out: pages in a stable order, each readable or with the reason why not.

use crate::report::in_words;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// File endings that are pages when a folder is given.
const ENDINGS: &[&str] = &["html", "htm", "xhtml", "mhtml", "mht"];

/// A page to read.
#[derive(Debug, Clone)]
pub(crate) enum Input {
    Stdin,
    File(PathBuf),
    /// An address, to be fetched.
    Url(String),
    /// Cannot be read; says why.
    Broken(String, String),
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

    /// At most `limit` bytes and one more, so that the reader sees that there was more.
    pub(crate) fn read(&self, limit: usize) -> Result<Vec<u8>, String> {
        let most = (limit as u64).saturating_add(1);
        let mut bytes = Vec::new();
        match self {
            Input::Stdin => {
                io::stdin().lock().take(most).read_to_end(&mut bytes).map_err(|e| in_words(&e))?
            }
            Input::File(path) => fs::File::open(path)
                .and_then(|file| file.take(most).read_to_end(&mut bytes))
                .map_err(|e| in_words(&e))?,
            Input::Url(_) => return Err("addresses are fetched by copal extract alone: save the page".into()),
            Input::Broken(_, why) => return Err(why.clone()),
        };
        Ok(bytes)
    }
}

/// An address as it may be shown: a name and password in it are nobody's business.
pub(crate) fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    match host.rsplit_once('@') {
        Some((secret, _)) => format!("{scheme}://…{}", &rest[secret.len()..]),
        None => url.to_owned(),
    }
}

/// All pages the arguments name.
pub(crate) fn collect(names: &[String]) -> Vec<Input> {
    names.iter().flat_map(|name| expand(name)).collect()
}

/// The names in a file, one on each line; empty lines and those that begin with # say nothing.
pub(crate) fn listed(file: &Path) -> Result<Vec<String>, String> {
    let mut text = String::new();
    let read = if file == Path::new("-") {
        io::stdin().lock().read_to_string(&mut text)
    } else {
        fs::File::open(file).and_then(|mut file| file.read_to_string(&mut text))
    };
    read.map_err(|error| format!("{}: {}", file.display(), in_words(&error)))?;
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    Ok(lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect())
}

fn expand(name: &str) -> Vec<Input> {
    if name == "-" {
        return vec![Input::Stdin];
    }
    let broken = |why: String| vec![Input::Broken(name.to_owned(), why)];
    let scheme = name.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        Some("http" | "https") => return vec![Input::Url(name.to_owned())],
        Some(scheme)
            if !Path::new(name).exists()
                && !scheme.is_empty()
                && scheme.bytes().all(|b| b.is_ascii_alphanumeric()) =>
        {
            return broken(format!("{scheme}: addresses are not fetched, only http: and https:"));
        }
        _ => {}
    }
    let path = Path::new(name);
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => folder(path),
        Ok(_) => vec![Input::File(path.to_owned())],
        Err(_) if name.contains(['*', '?', '[']) => match glob::glob(name) {
            Err(error) => broken(format!("not a glob pattern: {} at character {}", error.msg, error.pos + 1)),
            Ok(paths) => {
                let files: Vec<Input> =
                    paths.flatten().filter(|path| path.is_file()).map(Input::File).collect();
                if files.is_empty() { broken("no file matches the pattern".into()) } else { files }
            }
        },
        Err(error) => broken(in_words(&error)),
    }
}

fn folder(path: &Path) -> Vec<Input> {
    let mut found = Vec::new();
    for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_file() && is_page(entry.path()) => {
                found.push(Input::File(entry.into_path()));
            }
            Ok(_) => {}
            Err(error) => {
                let name = error.path().unwrap_or(path).display().to_string();
                let why = error.io_error().map_or_else(|| error.to_string(), in_words);
                found.push(Input::Broken(name, why));
            }
        }
    }
    if found.is_empty() {
        let why = format!("no page in this folder: expected files that end in .{}", ENDINGS.join(", ."));
        found.push(Input::Broken(path.display().to_string(), why));
    }
    found
}

fn is_page(path: &Path) -> bool {
    path.extension()
        .and_then(|e| e.to_str())
        .is_some_and(|e| ENDINGS.contains(&e.to_ascii_lowercase().as_str()))
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
