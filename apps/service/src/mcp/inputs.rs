//! Pages that an agent names: URLs, and files below the root folder.

use crate::task::TaskPage;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A page for a task, and its body if it is a file.
#[derive(Debug)]
pub(super) struct NamedPage {
    pub(super) page: TaskPage,
    pub(super) body: Option<Vec<u8>>,
}

/// Why a name is not a page.
#[derive(Debug, thiserror::Error)]
pub(super) enum InputError {
    #[error("{0} is not an http(s) URL")]
    NotWeb(String),
    #[error("files cannot be read: the server was started without --root. Use a URL")]
    NoRoot,
    /// The same for all files that are not below the root, so that nothing is learned about files outside.
    #[error("there is no file {0:?} below the root folder")]
    NoFile(String),
    #[error("{name}: {reason}")]
    Unreadable { name: String, reason: std::io::Error },
    #[error("{name} is larger than {max_bytes} bytes")]
    TooLarge { name: String, max_bytes: usize },
}

/// The page that a name means. Names with a scheme are URLs, which are checked when they are fetched; others are files.
pub(super) fn named_page(name: &str, root: Option<&Path>, max_bytes: usize) -> Result<NamedPage, InputError> {
    if name.contains("://") {
        let is_web = ["http://", "https://"]
            .iter()
            .any(|scheme| name.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
        if !is_web {
            return Err(InputError::NotWeb(name.to_owned()));
        }
        let page = TaskPage { name: name.to_owned(), url: Some(name.to_owned()), ..TaskPage::default() };
        return Ok(NamedPage { page, body: None });
    }
    let root = root.ok_or(InputError::NoRoot)?;
    let path = file_below(root, name)?;
    let mut body = Vec::new();
    let limit = max_bytes as u64 + 1;
    let read = File::open(&path).and_then(|file| file.take(limit).read_to_end(&mut body));
    read.map_err(|reason| InputError::Unreadable { name: name.to_owned(), reason })?;
    if body.len() > max_bytes {
        return Err(InputError::TooLarge { name: name.to_owned(), max_bytes });
    }
    let page = TaskPage { name: name.to_owned(), ..TaskPage::default() };
    Ok(NamedPage { page, body: Some(body) })
}

/// A file below the root, with all links resolved: neither `..` nor a link leads out of it.
fn file_below(root: &Path, name: &str) -> Result<PathBuf, InputError> {
    let refused = || InputError::NoFile(name.to_owned());
    let path = root.join(name).canonicalize().map_err(|_| refused())?;
    if path.starts_with(root) && path.is_file() { Ok(path) } else { Err(refused()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_outside_the_root_cannot_be_read() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("page.html"), "<p>page").unwrap();
        std::fs::write(outer.path().join("secret"), "secret").unwrap();
        let root = root.canonicalize().unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(outer.path().join("secret"), root.join("link")).unwrap();
        assert_eq!(named_page("page.html", Some(&root), 100).unwrap().body.unwrap(), b"<p>page");
        let absolute = outer.path().join("secret");
        for name in
            ["../secret", "link", "missing", ".", "", absolute.to_str().unwrap(), "file:///etc/passwd"]
        {
            assert!(named_page(name, Some(&root), 100).is_err(), "{name}");
        }
        assert!(named_page("page.html", None, 100).is_err());
        assert!(named_page("page.html", Some(&root), 3).is_err());
        assert!(named_page("ftp://a.example/", Some(&root), 3).is_err());
        assert!(named_page("HTTP://a.example/", None, 3).unwrap().body.is_none());
    }
}
