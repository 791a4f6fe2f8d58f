//! Corpus folders: which pages there are, and what the index says about each.
//!
//! In: a folder with `index.jsonl` (one JSON object per page: id, task, source, site …), `<id>.html` and the
//! gold answer `<id>.json`. Out: a [`Corpus`]. Gold answers are never read here. A folder without an index
//! can be read as well ([`Corpus::of_folder`]): then every HTML file is a page of every task.

use crate::error::{LabError, PageError};
use copal::{Limits, Page, PageSource};
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// A page of a corpus.
#[derive(Debug, Clone, Default)]
pub(crate) struct CorpusPage {
    pub(crate) id: String,
    /// Empty for pages of a folder without an index.
    pub(crate) task: String,
    pub(crate) source: String,
    pub(crate) site: String,
    pub(crate) domain: String,
    pub(crate) vertical: String,
    /// The charset that the page was sent with, if the index knows it.
    pub(crate) charset: Option<String>,
    /// The URL of the page, if the index knows it.
    pub(crate) url: Option<String>,
    /// The gold answer is the main list of the page.
    pub(crate) is_main: bool,
    pub(crate) split: String,
}

impl CorpusPage {
    /// True for pages that are kept for a final, blind score.
    pub(crate) fn is_held_out(&self) -> bool {
        !self.split.is_empty() && self.split != "dev"
    }
}

/// A folder of pages.
#[derive(Debug)]
pub(crate) struct Corpus {
    pub(crate) root: PathBuf,
    pub(crate) pages: Vec<CorpusPage>,
}

impl Corpus {
    /// Reads the index of a corpus.
    pub(crate) fn read(root: &Path) -> Result<Corpus, LabError> {
        let path = root.join("index.jsonl");
        let text =
            fs::read_to_string(&path).map_err(|cause| LabError::NoIndex { path: path.clone(), cause })?;
        let mut pages = Vec::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let row: Value = serde_json::from_str(line).unwrap_or_default();
            let line = number + 1;
            let Some(id) = row["id"].as_str() else {
                return Err(LabError::IndexLine { path, line });
            };
            // Ids become paths, so they must stay inside the corpus.
            let inside = !id.is_empty() && !id.starts_with('/') && id.split('/').all(|part| part != "..");
            if !inside {
                return Err(LabError::IndexId { path, line, id: id.to_owned() });
            }
            pages.push(page_of_row(id, &row));
        }
        Ok(Corpus { root: root.to_owned(), pages })
    }

    /// Reads the index if there is one; otherwise every HTML file below the folder is a page. Its source is
    /// the first folder on the way to it, its site its own folder, and its vertical the name of that folder.
    pub(crate) fn of_folder(root: &Path) -> Result<Corpus, LabError> {
        if root.join("index.jsonl").exists() {
            return Corpus::read(root);
        }
        let mut pages = Vec::new();
        for entry in WalkDir::new(root).sort_by_file_name() {
            let entry = entry.map_err(|error| LabError::Read {
                path: error.path().unwrap_or(root).to_owned(),
                cause: error.into_io_error().unwrap_or_else(|| std::io::Error::other("the folder is a loop")),
            })?;
            let Ok(inside) = entry.path().strip_prefix(root) else { continue };
            if inside.extension().is_none_or(|ending| ending != "html") {
                continue;
            }
            let parts: Vec<String> =
                inside.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
            let folders = &parts[..parts.len() - 1];
            pages.push(CorpusPage {
                id: parts.join("/"),
                source: folders.first().cloned().unwrap_or_else(|| "-".to_owned()),
                site: folders.join("/"),
                vertical: folders.last().cloned().unwrap_or_default(),
                is_main: true,
                ..CorpusPage::default()
            });
        }
        Ok(Corpus { root: root.to_owned(), pages })
    }

    /// Pages of a task, in the order of the index.
    pub(crate) fn pages_of<'a>(&'a self, task: &'a str) -> impl Iterator<Item = &'a CorpusPage> {
        self.pages.iter().filter(move |page| page.task.is_empty() || page.task == task)
    }

    /// The bytes of a page.
    pub(crate) fn bytes(&self, id: &str) -> Result<Vec<u8>, PageError> {
        Ok(fs::read(self.root.join(format!("{id}.html")))?)
    }

    /// A parsed page; `None` if it cannot be read.
    pub(crate) fn page(&self, id: &str) -> Option<Page> {
        Page::from_bytes(&self.bytes(id).ok()?, PageSource::default(), &Limits::default()).ok()
    }

    /// The gold answer of a page.
    pub(crate) fn gold(&self, id: &str) -> Result<Value, LabError> {
        let path = self.root.join(format!("{id}.json"));
        let text = fs::read_to_string(&path).map_err(LabError::read(&path))?;
        serde_json::from_str(&text).map_err(|cause| LabError::Json { path, cause })
    }
}

fn page_of_row(id: &str, row: &Value) -> CorpusPage {
    let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
    CorpusPage {
        id: id.to_owned(),
        task: text("task"),
        source: text("source"),
        site: text("site"),
        domain: text("domain"),
        vertical: text("vertical"),
        charset: row["encoding"].as_str().map(str::to_owned),
        url: row["url"].as_str().map(str::to_owned),
        is_main: row["main"] != false,
        split: text("split"),
    }
}

/// The sites whose pages nobody opens while copal is developed.
#[derive(Debug, Default)]
pub(crate) struct UnopenedSites(HashSet<String>);

impl UnopenedSites {
    /// Reads a file with one site per line.
    pub(crate) fn read(path: &Path) -> Result<UnopenedSites, LabError> {
        let text = fs::read_to_string(path).map_err(LabError::read(path))?;
        Ok(UnopenedSites(text.split_whitespace().map(str::to_owned).collect()))
    }

    /// The same decision as the scorer's: by domain, or by site where the index has no domain.
    pub(crate) fn contains(&self, page: &CorpusPage) -> bool {
        let name = if page.domain.is_empty() { &page.site } else { &page.domain };
        self.0.contains(name)
    }
}
