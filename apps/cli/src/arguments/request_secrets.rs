//! Headers, cookies and the proxy, from options, files and environment variables.
//!
//! In: what the user gave. Out: [`OriginCredentials`] for the one origin of the named URLs, and the proxy. No message
//! shows a value. Files and variables exist because other users of a machine can see the arguments of a command.

use crate::error::CliError;
use copal_fetch::{CredentialError, MAX_COOKIE_FILE_BYTES, OriginCredentials, ProxyUrl};
use std::collections::BTreeSet;
use std::env::{self, VarError};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

const HEADERS_VARIABLE: &str = "COPAL_HEADERS";
const COOKIE_VARIABLE: &str = "COPAL_COOKIE";
const COOKIE_FILE_VARIABLE: &str = "COPAL_COOKIES";
const PROXY_VARIABLE: &str = "COPAL_PROXY";

/// What is sent to the site of the named URLs.
pub(super) struct RequestSecrets<'a> {
    pub(super) headers: &'a [String],
    pub(super) cookie: Option<&'a str>,
    pub(super) cookies: Option<&'a Path>,
}

impl RequestSecrets<'_> {
    /// The headers and cookies, for the origin of the URLs; `None` if there are none.
    pub(super) fn credentials(&self, urls: &[&str]) -> Result<Option<OriginCredentials>, CliError> {
        let header_lines = match self.headers {
            [] => variable(HEADERS_VARIABLE)?
                .map(|text| vec![(HEADERS_VARIABLE.to_owned(), text)])
                .unwrap_or_default(),
            given => given.iter().map(|text| text_or_file("--header", text)).collect::<Result<_, _>>()?,
        };
        let cookie_line = match self.cookie {
            Some(text) => Some(text_or_file("--cookie", text)?),
            None => variable(COOKIE_VARIABLE)?.map(|text| (COOKIE_VARIABLE.to_owned(), text)),
        };
        let of_variable =
            || env::var_os(COOKIE_FILE_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
        let cookie_file = self.cookies.map(Path::to_owned).or_else(of_variable);
        if header_lines.is_empty() && cookie_line.is_none() && cookie_file.is_none() {
            return Ok(None);
        }
        let Some(mut credentials) = of_one_origin(urls)? else { return Ok(None) };
        for (source, text) in &header_lines {
            for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
            {
                credentials.add_header(line).map_err(|error| wrong(source, &error))?;
            }
        }
        if let Some((source, text)) = &cookie_line {
            credentials.add_cookies(text.trim()).map_err(|error| wrong(source, &error))?;
        }
        if let Some(path) = &cookie_file {
            let text = read_secret(path)?;
            credentials.add_cookie_file(&text).map_err(|error| wrong(&path.display().to_string(), &error))?;
        }
        Ok(Some(credentials))
    }
}

/// The origin of all URLs.
fn of_one_origin(urls: &[&str]) -> Result<Option<OriginCredentials>, CliError> {
    // a URL that cannot be fetched is reported in its place
    let origins = urls.iter().filter_map(|url| OriginCredentials::for_url(url).ok());
    let origins: Vec<OriginCredentials> = origins.collect();
    let names: BTreeSet<String> = origins.iter().map(OriginCredentials::origin).collect();
    if names.len() > 1 {
        let names: Vec<String> = names.into_iter().take(3).collect();
        let message = "headers and cookies go to one site, but the URLs have several";
        return Err(CliError::usage(format_args!("{message}: {}", names.join(", ")))
            .with_hint("run copal once for each site"));
    }
    Ok(origins.into_iter().next())
}

/// The proxy that was given, if any.
pub(super) fn proxy(given: Option<&str>) -> Result<Option<ProxyUrl>, CliError> {
    let (source, url) = match given {
        Some(text) => text_or_file("--proxy", text)?,
        None => match variable(PROXY_VARIABLE)? {
            Some(text) => (PROXY_VARIABLE.to_owned(), text),
            None => return Ok(None),
        },
    };
    let proxy = ProxyUrl::new(&url);
    let expected =
        || CliError::usage(format_args!("{source}: expected the URL of a proxy, http://HOST:PORT"));
    proxy.map(Some).ok_or_else(expected)
}

fn wrong(source: &str, error: &CredentialError) -> CliError {
    CliError::usage(error).about(source)
}

/// The value of a variable, if it has one. What cannot be read is not silently left out of requests.
fn variable(name: &str) -> Result<Option<String>, CliError> {
    match env::var(name) {
        Ok(value) => Ok(Some(value).filter(|value| !value.trim().is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => Err(CliError::usage("not a text in UTF-8").about(name)),
    }
}

/// What the text is called in messages, and the text: of the option, or of the file that it names with `@`.
fn text_or_file(option: &str, text: &str) -> Result<(String, String), CliError> {
    match text.strip_prefix('@') {
        Some(path) => Ok((format!("{option} @{path}"), read_secret(Path::new(path))?)),
        None => Ok((option.to_owned(), text.to_owned())),
    }
}

fn read_secret(path: &Path) -> Result<String, CliError> {
    let mut bytes = Vec::new();
    let read = fs::File::open(path)
        .and_then(|file| file.take(MAX_COOKIE_FILE_BYTES as u64 + 1).read_to_end(&mut bytes));
    read.map_err(|error| CliError::reading(&error).about(path.display()))?;
    if bytes.len() > MAX_COOKIE_FILE_BYTES {
        let message = format!("more than {MAX_COOKIE_FILE_BYTES} bytes: not a file of headers or cookies");
        return Err(CliError::unreadable(message).about(path.display()));
    }
    String::from_utf8(bytes).map_err(|_| CliError::unreadable("not a text in UTF-8").about(path.display()))
}
