//! Stylesheets that a browser saved in a folder next to a page (`page_files/`).
//!
//! A page names files, and pages are not trusted: only regular files in the page's own folder or below it are opened,
//! whatever links and symbolic links say.

use copal::Page;
use copal_css::{Stylesheets, linked_stylesheets, style_page};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Stylesheets of one page that are opened.
const MAX_SAVED_SHEETS: usize = 64;
/// Bytes of one stylesheet that are read.
const MAX_SHEET_BYTES: u64 = 4_000_000;
/// How often stylesheets may name further ones.
const MAX_ROUNDS: usize = 4;

/// Computes the styles of a saved page with the stylesheets in its folder.
pub(crate) fn add_saved_styles(page: &mut Page, path: &Path) {
    // an archive has its stylesheets inside
    if !page.stylesheets.is_empty() {
        return;
    }
    let Some((folder, base)) = fs::canonicalize(path).ok().and_then(|path| {
        let base = url::Url::from_file_path(&path).ok()?;
        Some((path.parent()?.to_owned(), base))
    }) else {
        return;
    };
    let mut sheets = Stylesheets::new(Some(base.as_str()));
    let mut opened = 0;
    let mut missing = linked_stylesheets(page, &sheets);
    for _ in 0..MAX_ROUNDS {
        let mut found = false;
        for url in missing {
            let text = if opened < MAX_SAVED_SHEETS { saved_text(&folder, &url) } else { None };
            opened += 1;
            found |= text.is_some();
            sheets.add(url, text);
        }
        // without a stylesheet in the folder, the page keeps the styles that it has
        if !found {
            return;
        }
        missing = style_page(page, &sheets).missing;
    }
}

/// The text of a file in the folder or below it.
fn saved_text(folder: &Path, url: &str) -> Option<String> {
    let named: PathBuf = url::Url::parse(url).ok()?.to_file_path().ok()?;
    let path = fs::canonicalize(named).ok().filter(|path| path.starts_with(folder))?;
    let file = fs::File::open(&path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MAX_SHEET_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
