//! Files that a glob pattern matches, in the order of their names.
//!
//! The library's own iterator passes over names that are not UTF-8, which mirrors of old sites have, and over folders
//! that cannot be read. Both would be pages that are silently missing, so that folders are read here, one part of the
//! pattern at a time. Names that are not UTF-8 are compared with a replacement character for each wrong byte.

use glob::Pattern;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use walkdir::WalkDir;

/// Files, and folders that could not be read, with the reason.
#[derive(Debug, Default)]
pub(crate) struct MatchedFiles {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) unread: Vec<(PathBuf, io::Error)>,
}

/// The files that a pattern matches. The error is that of the pattern.
pub(crate) fn matching_files(pattern: &str) -> Result<MatchedFiles, glob::PatternError> {
    // as a whole, so that an error names its place in the whole pattern
    Pattern::new(pattern)?;
    let mut found = MatchedFiles::default();
    let mut paths = vec![PathBuf::new()];
    for component in Path::new(pattern).components() {
        paths = match component.as_os_str().to_str() {
            Some("**") => paths.iter().flat_map(|path| folders_below(path, &mut found.unread)).collect(),
            Some(name) if matches!(component, Component::Normal(_)) && name.contains(['*', '?', '[']) => {
                let wanted = Pattern::new(name)?;
                paths.iter().flat_map(|path| entries(path, &wanted, &mut found.unread)).collect()
            }
            _ => paths.into_iter().map(|path| path.join(component)).filter(|path| path.exists()).collect(),
        };
    }
    found.files = paths.into_iter().filter(|path| path.is_file()).collect();
    found.files.sort();
    // `**` may stand in a pattern twice
    found.files.dedup();
    Ok(found)
}

/// What is in a folder and matches, by name.
fn entries(folder: &Path, wanted: &Pattern, unread: &mut Vec<(PathBuf, io::Error)>) -> Vec<PathBuf> {
    let read = fs::read_dir(shown_folder(folder)).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let read = match read {
        Ok(read) => read,
        // a file that matched an earlier part
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Vec::new(),
        Err(error) => {
            unread.push((folder.to_owned(), error));
            return Vec::new();
        }
    };
    let matches = |name: &OsStr| wanted.matches(&name.to_string_lossy());
    let mut names: Vec<_> =
        read.into_iter().map(|entry| entry.file_name()).filter(|name| matches(name)).collect();
    names.sort();
    names.into_iter().map(|name| folder.join(name)).collect()
}

/// A folder and all folders below it. Symbolic links are not followed: they may lead back.
fn folders_below(folder: &Path, unread: &mut Vec<(PathBuf, io::Error)>) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for entry in WalkDir::new(shown_folder(folder)).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {
                let below = entry.path().strip_prefix(shown_folder(folder)).unwrap_or(entry.path());
                folders.push(if below == Path::new("") { folder.to_owned() } else { folder.join(below) });
            }
            Ok(_) => {}
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_owned();
                unread.push((
                    path,
                    error.into_io_error().unwrap_or_else(|| io::Error::other("cannot be read")),
                ));
            }
        }
    }
    folders
}

/// The working folder has no name in paths.
fn shown_folder(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_those_of_the_library() {
        let folder = tempfile::tempdir().unwrap();
        for name in
            ["a.html", "b.htm", "sub/c.html", "sub/deep/d.html", "sub/.e.html", "x[1].html", "other/f.txt"]
        {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "<p>").unwrap();
        }
        for pattern in [
            "*",
            "*.html",
            "*.htm?",
            "[ab].*",
            "*/*.html",
            "**/*.html",
            "sub/**/*",
            "x[[]1].html",
            "sub/../*.html",
            "no*",
        ] {
            let whole = format!("{}/{pattern}", folder.path().display());
            let found = matching_files(&whole).unwrap();
            let of_library = glob::glob(&whole).unwrap().flatten().filter(|path| path.is_file());
            let mut expected: Vec<PathBuf> = of_library.collect();
            expected.sort();
            assert_eq!(found.files, expected, "{pattern}");
            assert!(found.unread.is_empty(), "{pattern}: {:?}", found.unread);
        }
        assert_eq!(matching_files("pages/[a").unwrap_err().pos, 6);
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_utf8_match_too() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(OsStr::from_bytes(b"caf\xe9.html"));
        // some file systems allow no such names
        if fs::write(&path, "<p>").is_err() {
            return;
        }
        for pattern in ["*.html", "caf?.html"] {
            let found = matching_files(&format!("{}/{pattern}", folder.path().display())).unwrap();
            assert_eq!(found.files, std::slice::from_ref(&path), "{pattern}");
        }
    }
}
