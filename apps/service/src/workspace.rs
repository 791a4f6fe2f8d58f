//! The workspace: the folder in which a service keeps wrappers, databases, jobs, pages and logs.
//!
//! ```text
//! WORKSPACE/copal.lock               held while a server runs: a second one is refused
//! WORKSPACE/wrappers/NAME/v1.yaml    a wrapper and its versions; the highest number is the current one
//! WORKSPACE/wrappers/NAME/check.json the last check of it
//! WORKSPACE/databases/NAME.sqlite    records that were stored
//! WORKSPACE/drafts/NAME.json         unfinished work of the studio
//! WORKSPACE/jobs.sqlite              jobs and their results
//! WORKSPACE/logs/service.log         one line of JSON per request; service.1.log has older ones, 10 MB each
//! WORKSPACE/cache/                   pages that were fetched, with a limit of their own
//! ```
//!
//! Names come from requests: they are letters, digits, `-` and `_`, so that they cannot leave the folder. Files are
//! written completely or not at all.

use copal_output::destination::Destination;
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Characters of a name.
const MAX_NAME_CHARS: usize = 64;
/// Bytes of a wrapper.
pub(crate) const MAX_WRAPPER_BYTES: usize = 2_000_000;
/// Bytes of a draft.
pub(crate) const MAX_DRAFT_BYTES: usize = 1_000_000;
/// Versions of one wrapper.
const MAX_VERSIONS: u32 = 10_000;
/// Wrappers that are listed.
const MAX_LISTED: usize = 10_000;

/// Why the workspace cannot do something.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkspaceError {
    /// Another server runs in the same folder.
    #[error("{0} is used by another server: choose another --dir, or stop that server")]
    Locked(PathBuf),
    /// A name that is not allowed.
    #[error(
        "{0:?} is not a valid name: expected up to 64 letters, digits, - and _, beginning with a letter or digit"
    )]
    InvalidName(String),
    /// Nothing has this name.
    #[error("there is no {what} {name:?}")]
    NotFound {
        /// What was looked for.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// The quota is used up.
    #[error(
        "the workspace has {used} of {quota} bytes: delete something, or start the service with a larger --quota"
    )]
    Full {
        /// Bytes that are used.
        used: u64,
        /// Bytes that are allowed.
        quota: u64,
    },
    /// The file system refused.
    #[error("the workspace cannot be used: {0}")]
    Io(#[from] io::Error),
}

/// A wrapper that the workspace has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredWrapper {
    pub(crate) name: String,
    /// The numbers of its versions, in ascending order.
    pub(crate) versions: Vec<u32>,
}

/// An open workspace.
#[derive(Debug)]
pub(crate) struct Workspace {
    folder: PathBuf,
    quota: u64,
    // released when the workspace is dropped, or by the system if the process is killed
    _lock: File,
}

impl Workspace {
    /// Opens a workspace, and creates its folders.
    pub(crate) fn open(folder: &Path, quota: u64) -> Result<Workspace, WorkspaceError> {
        for part in ["wrappers", "databases", "drafts", "cache"] {
            fs::create_dir_all(folder.join(part))?;
        }
        restrict(folder)?;
        let lock =
            File::options().create(true).truncate(false).write(true).open(folder.join("copal.lock"))?;
        match lock.try_lock() {
            Ok(()) => Ok(Workspace { folder: folder.to_owned(), quota, _lock: lock }),
            Err(fs::TryLockError::WouldBlock) => Err(WorkspaceError::Locked(folder.to_owned())),
            Err(fs::TryLockError::Error(error)) => Err(error.into()),
        }
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.folder.join("cache")
    }

    #[cfg(feature = "http")]
    pub(crate) fn jobs_file(&self) -> PathBuf {
        self.folder.join("jobs.sqlite")
    }

    /// The file of a database. It need not exist.
    pub(crate) fn database(&self, name: &str) -> Result<PathBuf, WorkspaceError> {
        Ok(self.folder.join("databases").join(format!("{}.sqlite", checked_name(name)?)))
    }

    /// The databases that are files, by name.
    pub(crate) fn databases(&self) -> Result<Vec<String>, WorkspaceError> {
        self.names_in("databases", ".sqlite")
    }

    /// The drafts, by name.
    pub(crate) fn drafts(&self) -> Result<Vec<String>, WorkspaceError> {
        self.names_in("drafts", ".json")
    }

    /// The names of the files in a folder of the workspace that have this ending.
    fn names_in(&self, part: &str, ending: &str) -> Result<Vec<String>, WorkspaceError> {
        let mut found = Vec::new();
        for entry in fs::read_dir(self.folder.join(part))?.take(MAX_LISTED) {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if let Some(name) = name.strip_suffix(ending).filter(|name| checked_name(name).is_ok()) {
                found.push(name.to_owned());
            }
        }
        found.sort();
        Ok(found)
    }

    fn draft_file(&self, name: &str) -> Result<PathBuf, WorkspaceError> {
        Ok(self.folder.join("drafts").join(format!("{}.json", checked_name(name)?)))
    }

    /// The text of a draft.
    pub(crate) fn read_draft(&self, name: &str) -> Result<String, WorkspaceError> {
        let file = self.draft_file(name)?;
        fs::read_to_string(file).map_err(|error| missing_draft(name, error))
    }

    /// Replaces a draft.
    pub(crate) fn write_draft(&self, name: &str, text: &str) -> Result<(), WorkspaceError> {
        let file = self.draft_file(name)?;
        self.check_quota()?;
        let mut out = Destination::open(Some(&file))?;
        out.write_all(text.as_bytes())?;
        Ok(out.commit()?)
    }

    /// Removes a draft.
    pub(crate) fn remove_draft(&self, name: &str) -> Result<(), WorkspaceError> {
        fs::remove_file(self.draft_file(name)?).map_err(|error| missing_draft(name, error))
    }

    /// Fails if the quota is used up. The cache has a limit of its own and does not count.
    pub(crate) fn check_quota(&self) -> Result<(), WorkspaceError> {
        let parts = ["wrappers", "databases", "drafts"].map(|part| folder_bytes(&self.folder.join(part)));
        let files =
            fs::read_dir(&self.folder)?.filter_map(Result::ok).filter_map(|entry| entry.metadata().ok());
        let files: u64 = files.filter(fs::Metadata::is_file).map(|data| data.len()).sum();
        let used = parts.iter().sum::<u64>() + files;
        if used >= self.quota {
            return Err(WorkspaceError::Full { used, quota: self.quota });
        }
        Ok(())
    }

    /// All wrappers, by name.
    pub(crate) fn wrappers(&self) -> Result<Vec<StoredWrapper>, WorkspaceError> {
        let mut found = Vec::new();
        for entry in fs::read_dir(self.folder.join("wrappers"))?.take(MAX_LISTED) {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if let Ok(wrapper) = self.versions(&name) {
                found.push(wrapper);
            }
        }
        found.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(found)
    }

    /// The versions of a wrapper.
    pub(crate) fn versions(&self, name: &str) -> Result<StoredWrapper, WorkspaceError> {
        let missing = || WorkspaceError::NotFound { what: "wrapper", name: name.to_owned() };
        let folder = self.folder.join("wrappers").join(checked_name(name)?);
        let entries = fs::read_dir(folder).map_err(|_| missing())?;
        let number = |file: String| file.strip_prefix('v')?.strip_suffix(".yaml")?.parse().ok();
        // a server of an earlier release that was killed may have left a number without a text
        let whole = |entry: &fs::DirEntry| entry.metadata().is_ok_and(|data| data.len() > 0);
        let names = entries.filter_map(Result::ok).filter(whole);
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut versions: Vec<u32> = names.filter_map(number).collect();
        versions.sort_unstable();
        if versions.is_empty() {
            return Err(missing());
        }
        Ok(StoredWrapper { name: name.to_owned(), versions })
    }

    /// The text of a wrapper: this version, or the current one.
    pub(crate) fn read_wrapper(
        &self,
        name: &str,
        version: Option<u32>,
    ) -> Result<(u32, String), WorkspaceError> {
        let stored = self.versions(name)?;
        let version = version.or(stored.versions.last().copied()).unwrap_or(1);
        if !stored.versions.contains(&version) {
            let name = format!("{name} version {version}");
            return Err(WorkspaceError::NotFound { what: "wrapper", name });
        }
        Ok((version, fs::read_to_string(self.wrapper_file(name, version))?))
    }

    /// Stores the next version of a wrapper, and returns its number. Two writers get two versions.
    pub(crate) fn write_wrapper(&self, name: &str, text: &str) -> Result<u32, WorkspaceError> {
        self.check_quota()?;
        let folder = self.folder.join("wrappers").join(checked_name(name)?);
        fs::create_dir_all(&folder)?;
        let next = self.versions(name).map_or(1, |stored| stored.versions.last().copied().unwrap_or(0) + 1);
        for version in next..=MAX_VERSIONS {
            let mut out = Destination::open(Some(&self.wrapper_file(name, version)))?;
            out.write_all(text.as_bytes())?;
            // the number and the text appear in one step: a kill or a full disk leaves no version without a text
            match out.commit_new() {
                Ok(()) => return Ok(version),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(io::Error::other(format!("{name} has {MAX_VERSIONS} versions already")).into())
    }

    /// Remembers the last check of a wrapper, and of which version it was.
    pub(crate) fn write_check(&self, name: &str, check: &Value) -> Result<(), WorkspaceError> {
        let stored = self.versions(name)?;
        self.check_quota()?;
        let mut check = check.clone();
        check["version"] = stored.versions.last().copied().into();
        let mut out = Destination::open(Some(&self.check_file(name)))?;
        out.write_all(check.to_string().as_bytes())?;
        Ok(out.commit()?)
    }

    /// The last check of a wrapper; `None` if there was none.
    pub(crate) fn read_check(&self, name: &str) -> Option<Value> {
        let file = self.check_file(checked_name(name).ok()?);
        serde_json::from_slice(&fs::read(file).ok()?).ok()
    }

    fn check_file(&self, name: &str) -> PathBuf {
        self.folder.join("wrappers").join(name).join("check.json")
    }

    fn wrapper_file(&self, name: &str, version: u32) -> PathBuf {
        self.folder.join("wrappers").join(name).join(format!("v{version}.yaml"))
    }
}

fn missing_draft(name: &str, error: io::Error) -> WorkspaceError {
    match error.kind() {
        io::ErrorKind::NotFound => WorkspaceError::NotFound { what: "draft", name: name.to_owned() },
        _ => error.into(),
    }
}

/// A name that can be a file name everywhere.
fn checked_name(name: &str) -> Result<&str, WorkspaceError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let is_valid = name.len() <= MAX_NAME_CHARS
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(is_plain);
    if is_valid { Ok(name) } else { Err(WorkspaceError::InvalidName(name.to_owned())) }
}

/// Bytes of the files in a folder and in the folders in it.
fn folder_bytes(folder: &Path) -> u64 {
    let mut total = 0;
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for entry in entries.filter_map(Result::ok) {
            match entry.metadata() {
                Ok(data) if data.is_dir() => waiting.push(entry.path()),
                Ok(data) => total += data.len(),
                Err(_) => {}
            }
        }
    }
    total
}

/// The records of others are in the folder: only its owner may look.
#[cfg(unix)]
fn restrict(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn restrict(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_the_folder() {
        for name in ["shop", "Shop-2", "a_b", "7"] {
            assert!(checked_name(name).is_ok(), "{name}");
        }
        let long = "a".repeat(65);
        for name in ["", "..", "a/b", "a\\b", ".a", "-a", "a.b", "a b", "ä", "a\0", long.as_str()] {
            assert!(checked_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn versions_are_kept_and_the_last_is_current() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(folder.path(), 1_000_000).unwrap();
        assert!(matches!(workspace.read_wrapper("shop", None), Err(WorkspaceError::NotFound { .. })));
        assert_eq!(workspace.write_wrapper("shop", "one").unwrap(), 1);
        assert_eq!(workspace.write_wrapper("shop", "two").unwrap(), 2);
        assert_eq!(workspace.read_wrapper("shop", None).unwrap(), (2, "two".to_owned()));
        assert_eq!(workspace.read_wrapper("shop", Some(1)).unwrap(), (1, "one".to_owned()));
        assert!(workspace.read_wrapper("shop", Some(3)).is_err());
        assert_eq!(workspace.wrappers().unwrap()[0].versions, [1, 2]);
        assert_eq!(workspace.read_check("shop"), None);
        workspace.write_check("shop", &serde_json::json!({ "drifted": false })).unwrap();
        assert_eq!(workspace.read_check("shop"), Some(serde_json::json!({ "drifted": false, "version": 2 })));
        assert!(matches!(workspace.write_check("none", &Value::Null), Err(WorkspaceError::NotFound { .. })));
        assert_eq!(workspace.wrappers().unwrap()[0].versions, [1, 2]);
    }

    /// Servers used to reserve a number with an empty file before they wrote the text.
    #[test]
    fn a_number_without_a_text_is_no_version() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(folder.path(), 1_000_000).unwrap();
        assert_eq!(workspace.write_wrapper("shop", "one").unwrap(), 1);
        fs::write(folder.path().join("wrappers/shop/v2.yaml"), "").unwrap();
        assert_eq!(workspace.read_wrapper("shop", None).unwrap(), (1, "one".to_owned()));
        assert_eq!(workspace.write_wrapper("shop", "three").unwrap(), 3);
        assert_eq!(workspace.read_wrapper("shop", None).unwrap(), (3, "three".to_owned()));
        assert_eq!(workspace.versions("shop").unwrap().versions, [1, 3]);
    }

    #[test]
    fn drafts_are_replaced_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(folder.path(), 1_000_000).unwrap();
        assert!(matches!(workspace.read_draft("lamps"), Err(WorkspaceError::NotFound { .. })));
        workspace.write_draft("lamps", "{}").unwrap();
        workspace.write_draft("lamps", "[1]").unwrap();
        assert_eq!(workspace.read_draft("lamps").unwrap(), "[1]");
        assert_eq!(workspace.drafts().unwrap(), ["lamps"]);
        workspace.remove_draft("lamps").unwrap();
        assert!(workspace.drafts().unwrap().is_empty());
        assert!(matches!(workspace.remove_draft("lamps"), Err(WorkspaceError::NotFound { .. })));
        assert!(matches!(workspace.write_draft("../lamps", "{}"), Err(WorkspaceError::InvalidName(_))));
    }

    #[test]
    fn one_server_per_workspace_and_a_quota() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(folder.path(), 10).unwrap();
        assert!(matches!(Workspace::open(folder.path(), 10), Err(WorkspaceError::Locked(_))));
        workspace.write_wrapper("shop", "more than ten bytes").unwrap();
        assert!(matches!(workspace.write_wrapper("shop", "more"), Err(WorkspaceError::Full { .. })));
        drop(workspace);
        assert!(Workspace::open(folder.path(), 10).is_ok());
    }
}
