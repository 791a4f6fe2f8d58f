//! Which pages are read, and how: shared by all commands that accept pages.

use super::limits::LimitArguments;
use super::network::FetchArguments;
use super::run::RunArguments;
use crate::error::CliError;
use crate::inputs::{self, Input};
use clap::{Args, ValueEnum};
use copal::wrapper::Wrapper;
use copal::{KindRequest, Request};
use std::ffi::OsString;
use std::path::PathBuf;
#[cfg(feature = "fetch")]
use {crate::sitemap, copal::Limits};

/// The pages of a command that needs at least one.
#[derive(Debug, Args)]
pub(crate) struct PageArguments {
    /// URLs, files, folders, glob patterns, or - for standard input (HTML or MHTML; extract also reads JSON,
    /// RSS and Atom)
    #[arg(required_unless_present_any = ["urls", "sitemap"], value_name = "PAGE")]
    pages: Vec<OsString>,

    #[command(flatten)]
    listed: ListedPageArguments,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

impl PageArguments {
    /// All inputs, in the order of the arguments.
    pub(crate) fn inputs(&self) -> Result<Vec<Input>, CliError> {
        self.listed.inputs(&self.pages, &self.reading)
    }
}

/// The pages of a command that reads them with a wrapper: by default those that the wrapper of a site names.
#[derive(Debug, Args)]
pub(crate) struct WrapperPageArguments {
    /// URLs, files, folders, glob patterns, or - for standard input (HTML or MHTML) [default: the first pages of the
    /// lists that a wrapper of copal site names]
    #[arg(value_name = "PAGE")]
    pages: Vec<OsString>,

    #[command(flatten)]
    listed: ListedPageArguments,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

impl WrapperPageArguments {
    /// True if the wrapper says which pages are read.
    pub(crate) fn are_of_wrapper(&self) -> bool {
        self.pages.is_empty() && self.listed.urls.is_none() && self.listed.sitemap.is_none()
    }

    /// All inputs, in the order of the arguments; without any, at most `max_lists` first pages of the wrapper's lists.
    pub(crate) fn inputs(&self, wrapper: &Wrapper, max_lists: usize) -> Result<Vec<Input>, CliError> {
        if !self.are_of_wrapper() {
            return self.listed.inputs(&self.pages, &self.reading);
        }
        let mut lists: Vec<Input> = Vec::new();
        if let Some(site) = &wrapper.navigation {
            lists.extend(site.open.iter().chain(&site.lists).cloned().map(Input::Url));
            lists.extend(site.searches.iter().cloned().map(|search| Input::Search(Box::new(search))));
        }
        lists.truncate(max_lists);
        if lists.is_empty() {
            let message = "expected at least one PAGE: the wrapper does not name the lists of a site";
            return Err(CliError::usage(message));
        }
        Ok(lists)
    }
}

/// Pages that a file or a sitemap lists.
#[derive(Debug, Args)]
struct ListedPageArguments {
    /// Also read the URLs and paths in this file, one per line; - for standard input
    #[arg(long, value_name = "FILE")]
    urls: Option<PathBuf>,

    /// Also read all pages that this sitemap lists (at most 10,000)
    #[arg(long, value_name = "URL|FILE")]
    sitemap: Option<String>,
}

impl ListedPageArguments {
    /// The inputs of these names, and those that are listed.
    fn inputs(&self, names: &[OsString], reading: &ReadingArguments) -> Result<Vec<Input>, CliError> {
        let mut inputs = inputs::expand_all(names);
        if let Some(file) = &self.urls {
            inputs.extend(inputs::expand_all(&inputs::names_in_file(file)?));
        }
        if let Some(name) = &self.sitemap {
            inputs.extend(sitemap_pages(name, reading)?);
        }
        Ok(inputs)
    }
}

#[cfg(feature = "fetch")]
fn sitemap_pages(name: &str, reading: &ReadingArguments) -> Result<Vec<Input>, CliError> {
    let mut limits = Limits::default();
    limits.bytes = sitemap::MAX_BYTES;
    let options = |url: &str| reading.fetch.options(&limits, &[url]);
    sitemap::pages(name, options, reading.run.quiet)
}

#[cfg(not(feature = "fetch"))]
fn sitemap_pages(_: &str, _: &ReadingArguments) -> Result<Vec<Input>, CliError> {
    Err(CliError::missing_feature("read sitemaps", "fetch"))
}

/// How pages are read.
#[derive(Debug, Args)]
pub(crate) struct ReadingArguments {
    /// URL that a saved page came from: makes its links absolute
    #[arg(long)]
    url: Option<String>,

    #[command(flatten)]
    pub(crate) run: RunArguments,

    #[command(flatten)]
    pub(crate) fetch: FetchArguments,

    #[command(flatten)]
    limits: LimitArguments,
}

impl ReadingArguments {
    /// A request with the limits and the URL.
    pub(crate) fn request(&self) -> Request {
        let mut request = Request::default();
        self.add_to(&mut request);
        request
    }

    /// Adds the limits and the URL to a request.
    pub(crate) fn add_to(&self, request: &mut Request) {
        request.limits = self.limits.limits();
        request.stylesheets = self.fetch.render.reads_stylesheets();
        request.url.clone_from(&self.url);
    }
}

/// What pages are read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PageKindChoice {
    /// Decide for each page
    Auto,
    /// A list of records
    List,
    /// One object per page: its fields
    #[value(alias = "detail")]
    Object,
}

impl PageKindChoice {
    pub(crate) fn request(self) -> KindRequest {
        match self {
            PageKindChoice::Auto => KindRequest::Auto,
            PageKindChoice::List => KindRequest::List,
            PageKindChoice::Object => KindRequest::Object,
        }
    }
}
