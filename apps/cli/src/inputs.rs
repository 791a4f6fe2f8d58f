//! What the user named: files, folders, glob patterns, URLs, `-`.
//!
//! In: arguments. Out: [`Input`]s in a stable order, and the bytes of those that are not URLs. A name that
//! cannot be an input stays in the list with its error, so that it is reported in its place.

use crate::error::CliError;
use crate::opened_pipe::OpenedPipe;
use crate::page_patterns::matching_files;
use copal::wrapper::NavigationSearch;
use copal_tasks::closest;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Endings of files: a name with one of them is not a host.
const FILE_ENDINGS: &[&str] = &[
    "html", "htm", "xhtml", "mhtml", "mht", "json", "jsonl", "xml", "rss", "atom", "csv", "txt", "gz",
    "yaml", "yml", "md", "pdf", "zip", "warc", "xlsx", "parquet", "sqlite", "db", "toml",
];

/// Files of a folder that are compared with a misspelt name.
const MAX_COMPARED_FILES: usize = 2000;

/// Endings of the files that are read if a folder is given.
const PAGE_ENDINGS: &[&str] = &["html", "htm", "xhtml", "mhtml", "mht"];

/// Longest list of pages that is read.
const MAX_LIST_BYTES: u64 = 200_000_000;

/// How gzip data begins.
const GZIP_START: [u8; 2] = [0x1f, 0x8b];

/// A page to read.
#[derive(Debug, Clone)]
pub(crate) enum Input {
    Stdin,
    /// Standard input or a named pipe, opened by [`Input::opened`].
    Pipe(OpenedPipe),
    File(PathBuf),
    Url(String),
    /// The results of a search form of a wrapper, which is sent by POST.
    Search(Box<NavigationSearch>),
    /// Cannot be read, and why.
    Broken(String, CliError),
}

impl Input {
    /// The one input that a name refers to.
    #[cfg(feature = "fetch")]
    pub(crate) fn single(name: &str) -> Result<Input, CliError> {
        match expand(name).into_iter().next() {
            Some(Input::Broken(name, error)) => Err(error.about(name)),
            Some(input) => Ok(input),
            None => Err(CliError::unreadable("expected a URL or a file").about(name)),
        }
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Input::Stdin => "-".into(),
            Input::Pipe(pipe) => pipe.name.clone(),
            Input::File(path) => path.display().to_string(),
            Input::Url(url) => without_password(url),
            Input::Search(search) => without_password(&search.url),
            Input::Broken(name, _) => name.clone(),
        }
    }

    /// The input, opened if it is a pipe: only its first bytes tell archives from pages.
    pub(crate) fn opened(self) -> Input {
        let opened = match &self {
            Input::Stdin => OpenedPipe::stdin(),
            Input::File(path) => OpenedPipe::at(path),
            _ => None,
        };
        match opened {
            Some(Ok(pipe)) => Input::Pipe(pipe),
            Some(Err(error)) => Input::Broken(self.name(), error),
            None => self,
        }
    }

    /// The file, if it is one.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Input::File(path) => Some(path),
            _ => None,
        }
    }

    pub(crate) fn is_url(&self) -> bool {
        matches!(self, Input::Url(_))
    }

    /// The URL, if it is one.
    pub(crate) fn url(&self) -> Option<&str> {
        match self {
            Input::Url(url) => Some(url),
            _ => None,
        }
    }

    /// The bytes of a file or of standard input: at most `limit`, and one more, which shows that there are
    /// more. Files that gzip compressed are unpacked.
    pub(crate) fn read_bytes(&self, limit: usize) -> Result<Vec<u8>, CliError> {
        let max_bytes = (limit as u64).saturating_add(1);
        let mut bytes = Vec::new();
        let read = match self {
            Input::Stdin => io::stdin().lock().take(max_bytes).read_to_end(&mut bytes),
            Input::Pipe(pipe) => pipe.take().and_then(|pipe| pipe.take(max_bytes).read_to_end(&mut bytes)),
            Input::File(path) => fs::File::open(path).and_then(|file| {
                // a buffer that grows is read into in many pieces, and copied between them
                let size = file.metadata().map_or(0, |data| data.len()).min(max_bytes);
                bytes.reserve_exact(usize::try_from(size).unwrap_or(0).saturating_add(1));
                file.take(max_bytes).read_to_end(&mut bytes)
            }),
            // URLs are fetched by `fetching`
            Input::Url(_) | Input::Search(_) => return Err(CliError::unreadable("is a URL, not a file")),
            Input::Broken(_, error) => return Err(error.clone()),
        };
        read.map_err(|error| CliError::reading(&error))?;
        if bytes.starts_with(&GZIP_START) { unpacked(&bytes, max_bytes) } else { Ok(bytes) }
    }
}

/// The content of gzip data, at most `max_bytes`. Data that ends early or is damaged is an error: a page that is
/// silently cut would look complete.
fn unpacked(bytes: &[u8], max_bytes: u64) -> Result<Vec<u8>, CliError> {
    let mut content = Vec::new();
    let read = flate2::read::MultiGzDecoder::new(bytes).take(max_bytes).read_to_end(&mut content);
    match read {
        Ok(_) => Ok(content),
        // the compressed data itself was cut at the limit
        Err(_) if bytes.len() as u64 >= max_bytes && !content.is_empty() => Ok(content),
        Err(_) => Err(CliError::unreadable("its gzip data is damaged or incomplete")),
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
pub(crate) fn expand_all(names: &[impl AsRef<OsStr>]) -> Vec<Input> {
    names.iter().flat_map(|name| expand_argument(name.as_ref())).collect()
}

/// The inputs that an argument refers to. One that is not UTF-8 can only be the path of a file or a folder.
fn expand_argument(name: &OsStr) -> Vec<Input> {
    if let Some(name) = name.to_str() {
        return expand(name);
    }
    let path = Path::new(name);
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => pages_in_folder(path),
        Ok(_) => vec![Input::File(path.to_owned())],
        Err(error) => vec![Input::Broken(path.display().to_string(), CliError::reading(&error))],
    }
}

/// The names in a file, one per line. Empty lines and lines that start with # are skipped.
pub(crate) fn names_in_file(file: &Path) -> Result<Vec<String>, CliError> {
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        io::stdin().lock().take(MAX_LIST_BYTES + 1).read_to_end(&mut bytes)
    } else {
        fs::File::open(file).and_then(|file| file.take(MAX_LIST_BYTES + 1).read_to_end(&mut bytes))
    };
    if bytes.len() as u64 > MAX_LIST_BYTES {
        let message = format!("more than {MAX_LIST_BYTES} bytes: expected one URL per line");
        return Err(CliError::unreadable(message).about(file.display()));
    }
    let text = read.and_then(|_| list_text(bytes));
    let text = text.map_err(|error| CliError::reading(&error).about(file.display()))?;
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let names: Vec<String> =
        lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect();
    if names.is_empty() {
        return Err(CliError::unreadable(format_args!("{}: expected one URL per line", file.display())));
    }
    Ok(names)
}

/// The text of a list: UTF-8, or UTF-16 with its mark, which redirections of PowerShell write.
fn list_text(bytes: Vec<u8>) -> io::Result<String> {
    let from_pair: fn([u8; 2]) -> u16 = match bytes.as_slice() {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => {
            let wrong = |_| io::Error::new(io::ErrorKind::InvalidData, "not a text in UTF-8");
            return String::from_utf8(bytes).map_err(wrong);
        }
    };
    let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| from_pair([pair[0], pair[1]])).collect();
    Ok(String::from_utf16_lossy(&units))
}

fn expand(name: &str) -> Vec<Input> {
    if name == "-" {
        return vec![Input::Stdin];
    }
    let broken = |error: CliError| vec![Input::Broken(name.to_owned(), error)];
    let scheme = name.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        Some("http" | "https") => return vec![Input::Url(name.to_owned())],
        Some("file") => {
            return match path_of_file_url(name) {
                Some(path) => expand(&path),
                None => broken(CliError::unreadable("expected file:///PATH on this machine")),
            };
        }
        Some(scheme)
            if !Path::new(name).exists()
                && !scheme.is_empty()
                && scheme.bytes().all(|b| b.is_ascii_alphanumeric()) =>
        {
            let message = format!("{scheme}: URLs are not read, only http:, https: and file:");
            return broken(CliError::unreadable(message));
        }
        _ => {}
    }
    let path = Path::new(name);
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => pages_in_folder(path),
        Ok(_) => vec![Input::File(path.to_owned())],
        Err(_) if name.is_empty() => {
            broken(CliError::unreadable("expected a URL or a file, found an empty name"))
        }
        Err(_) if name.contains(['*', '?', '[']) => match matching_files(name) {
            Err(error) => {
                let place = error.pos + 1;
                let message = format!("not a glob pattern: {} at character {place}", error.msg);
                broken(CliError::unreadable(message))
            }
            Ok(found) => {
                let unread = found.unread.iter();
                let unread = unread.map(|(folder, error)| {
                    Input::Broken(folder.display().to_string(), CliError::reading(error))
                });
                let inputs: Vec<Input> = unread.chain(found.files.into_iter().map(Input::File)).collect();
                if inputs.is_empty() {
                    return broken(CliError::unreadable("no file matches the pattern"));
                }
                inputs
            }
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            broken(CliError::unreadable("is a link to a file that does not exist"))
        }
        Err(error) => {
            let is_missing = error.kind() == io::ErrorKind::NotFound;
            let error = CliError::reading(&error);
            broken(match missing_file_hint(name).filter(|_| is_missing) {
                Some(hint) => error.with_hint(hint),
                None => error,
            })
        }
    }
}

/// The path of `file:///path`, with its percent-encoded bytes decoded. Only this machine's files can be read.
fn path_of_file_url(url: &str) -> Option<String> {
    let rest = url.split_once("://")?.1;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = rest.split(['?', '#']).next().filter(|path| path.starts_with('/'))?;
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = std::str::from_utf8(after.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok().filter(|path| !path.contains('\0'))
}

/// What the user may have meant by a file that does not exist: a web page, or a file with a similar name.
fn missing_file_hint(name: &str) -> Option<String> {
    if looks_like_host(name) {
        return Some(format!("for a web page write https://{name}"));
    }
    let path = Path::new(name);
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = fs::read_dir(folder).ok()?.take(MAX_COMPARED_FILES).flatten();
    let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let similar = closest(wanted, names.iter().map(String::as_str))?;
    Some(format!("did you mean {}?", path.with_file_name(similar).display()))
}

/// True for `www.shop.example/lamps`: a host name, not a file name with a known ending.
fn looks_like_host(name: &str) -> bool {
    let host = name.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let Some((before, last)) = host.rsplit_once('.') else { return false };
    let is_label =
        |label: &str| !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let has_ending = FILE_ENDINGS.contains(&last.to_ascii_lowercase().as_str());
    let is_domain = last.len() >= 2 && last.chars().all(|c| c.is_ascii_alphabetic());
    before.split('.').all(is_label) && is_domain && (!has_ending || host.starts_with("www."))
}

fn pages_in_folder(path: &Path) -> Vec<Input> {
    let mut found = Vec::new();
    for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
        match entry {
            Ok(entry) if is_file_or_link(&entry) && has_page_ending(entry.path()) => {
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

/// True for files, and for symbolic links that do not lead to a folder: those to folders may lead back. A link that leads
/// nowhere is reported when it is read.
fn is_file_or_link(entry: &walkdir::DirEntry) -> bool {
    entry.file_type().is_file() || entry.path_is_symlink() && !entry.path().is_dir()
}

fn has_page_ending(path: &Path) -> bool {
    let is_gzip = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    let path = if is_gzip { path.with_extension("") } else { path.to_owned() };
    path.extension()
        .and_then(|ending| ending.to_str())
        .is_some_and(|ending| PAGE_ENDINGS.contains(&ending.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::{looks_like_host, path_of_file_url, without_password};

    #[test]
    fn hosts_and_file_urls_are_recognised() {
        for host in ["www.shop.example", "shop.example/lamps", "news.example:8080", "www.page.html"] {
            assert!(looks_like_host(host), "{host}");
        }
        for file in ["page.html", "pages/list.json", "notes", "a..b", "./x.example", "1.5", "data.xml/x"] {
            assert!(!looks_like_host(file), "{file}");
        }
        let path = |url: &str| path_of_file_url(url);
        assert_eq!(path("file:///tmp/a%20b.html?x#y").as_deref(), Some("/tmp/a b.html"));
        assert_eq!(path("file://localhost/tmp/%C3%A4").as_deref(), Some("/tmp/ä"));
        for wrong in
            ["file://host/x", "file:///a%2", "file:///a%zz", "file:///%ff", "file:///a%00b", "file://"]
        {
            assert_eq!(path(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(without_password("https://ann:secret@a.example/x@y"), "https://…@a.example/x@y");
        assert_eq!(without_password("https://a.example/x@y"), "https://a.example/x@y");
    }
}
