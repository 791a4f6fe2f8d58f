//! Pages on disk: an interrupted run continues where it stopped, and unchanged pages are not transferred
//! again.
//!
//! There is one file per page, named after the hash of its URL. It consists of a line with the hash of the
//! rest, a line of JSON (the metadata), and the body. A file is written under a temporary name and then
//! renamed, so it is complete or absent, even after a kill and with several processes. A file that cannot be
//! read, or whose hash is wrong, is treated as absent.
//!
//! Cost: O(page) to load and to store, and sometimes O(files) to delete the oldest pages.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::error::{FetchError, in_words};
use crate::fetched_page::FetchedPage;
use crate::options::CacheOptions;

const PAGE_EXTENSION: &str = "page";
const TEMPORARY_PREFIX: &str = "tmp-";
/// A temporary file older than this was left behind by a process that died.
const MAX_TEMPORARY_AGE: Duration = Duration::from_hours(1);
/// Length of a hash in hexadecimal.
const HASH_LENGTH: usize = 64;
const MAX_METADATA_BYTES: usize = 256 * 1024;

/// A folder of stored pages.
#[derive(Debug)]
pub(crate) struct Cache {
    options: CacheOptions,
    /// Why no pages can be stored. Those that are there can still be read.
    problem: Option<FetchError>,
    /// Bytes written since the folder was last measured.
    written: AtomicU64,
}

/// A stored page, with the validators that let the server say whether it has changed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CacheEntry {
    /// What was requested: the URL before redirects, or the name of a form that was sent.
    #[serde(rename = "asked")]
    requested: String,
    pub(crate) url: String,
    status: u16,
    content_type: Option<String>,
    charset: Option<String>,
    links: Vec<(String, String)>,
    redirects: Vec<String>,
    downgraded: bool,
    pub(crate) etag: Option<String>,
    #[serde(rename = "modified")]
    pub(crate) last_modified: Option<String>,
    /// When it was stored or confirmed, in seconds since 1970.
    #[serde(rename = "stored")]
    stored_at: u64,
    #[serde(skip)]
    pub(crate) body: Vec<u8>,
}

impl CacheEntry {
    pub(crate) fn new(
        requested: String,
        page: &FetchedPage,
        etag: Option<String>,
        last_modified: Option<String>,
    ) -> Self {
        Self {
            requested,
            url: page.url.clone(),
            status: page.status,
            content_type: page.content_type.clone(),
            charset: page.charset.clone(),
            links: page.links.clone(),
            redirects: page.redirects.clone(),
            downgraded: page.downgraded,
            etag,
            last_modified,
            stored_at: seconds_now(),
            body: page.body.clone(),
        }
    }

    /// The page, marked as coming from the cache.
    pub(crate) fn into_page(self) -> FetchedPage {
        FetchedPage {
            url: self.url,
            status: self.status,
            content_type: self.content_type,
            charset: self.charset,
            links: self.links,
            body: self.body,
            from_cache: true,
            truncated: false,
            broken: None,
            redirects: self.redirects,
            downgraded: self.downgraded,
        }
    }

    /// The same page with a new age, after the server confirmed that it has not changed.
    pub(crate) fn confirmed(mut self) -> Self {
        self.stored_at = seconds_now();
        self
    }
}

impl Cache {
    /// Creates the folder and tries to write into it.
    pub(crate) fn open(options: CacheOptions) -> Self {
        let folder = &options.folder;
        let writable = create_private_folder(folder).and_then(|()| temporary_file(folder)).map(drop);
        let problem = writable
            .err()
            .map(|error| FetchError::Cache { folder: folder.clone(), reason: in_words(&error) });
        let cache = Self { written: AtomicU64::new(0), problem, options };
        if cache.problem.is_none() {
            cache.delete_oldest();
        }
        cache
    }

    /// Why no pages can be stored.
    pub(crate) fn problem(&self) -> Option<&FetchError> {
        self.problem.as_ref()
    }

    /// True if the page is young enough to be used without a request. A page from the future, after the clock
    /// was set back, is not.
    pub(crate) fn is_fresh(&self, entry: &CacheEntry) -> bool {
        seconds_now().checked_sub(entry.stored_at).is_some_and(|age| age < self.options.max_age.as_secs())
    }

    /// The stored page for a URL or a form that was sent, of any age. Blocks.
    pub(crate) fn load(&self, key: &str, max_body: usize) -> Option<CacheEntry> {
        let mut file = File::open(self.path(key)).ok()?;
        let length = usize::try_from(file.metadata().ok()?.len()).ok()?;
        if length > max_body.saturating_add(MAX_METADATA_BYTES) {
            return None;
        }
        let mut bytes = Vec::with_capacity(length);
        Read::by_ref(&mut file).take(length as u64).read_to_end(&mut bytes).ok()?;
        let (hash, rest) = (bytes.get(..HASH_LENGTH)?, bytes.get(HASH_LENGTH + 1..)?);
        if bytes[HASH_LENGTH] != b'\n' || hash_hex(&[rest]).as_bytes() != hash {
            return None;
        }
        let end = rest.iter().take(MAX_METADATA_BYTES).position(|byte| *byte == b'\n')?;
        let mut entry: CacheEntry = serde_json::from_slice(&rest[..end]).ok()?;
        bytes.drain(..=HASH_LENGTH + 1 + end);
        entry.body = bytes;
        (entry.requested == key).then_some(entry)
    }

    /// Stores a page. Blocks. If that fails, for example because the disk is full, the page is just not
    /// stored.
    pub(crate) fn store(&self, entry: &CacheEntry) {
        if self.problem.is_none()
            && let Ok(written) = self.write(entry)
            && self.written.fetch_add(written, Ordering::Relaxed) + written > self.options.max_bytes / 16
        {
            self.delete_oldest();
        }
    }

    fn write(&self, entry: &CacheEntry) -> io::Result<u64> {
        let mut metadata = serde_json::to_vec(entry)?;
        metadata.push(b'\n');
        let size = (HASH_LENGTH + 1 + metadata.len() + entry.body.len()) as u64;
        if metadata.len() > MAX_METADATA_BYTES || size > self.options.max_bytes {
            return Ok(0);
        }
        let mut file = temporary_file(&self.options.folder)?;
        file.write_all(hash_hex(&[&metadata, &entry.body]).as_bytes())?;
        file.write_all(b"\n")?;
        file.write_all(&metadata)?;
        file.write_all(&entry.body)?;
        file.as_file().sync_all()?;
        file.persist(self.path(&entry.requested)).map_err(|error| error.error)?;
        File::open(&self.options.folder)?.sync_all()?;
        Ok(size)
    }

    /// Deletes the oldest pages until the folder is within its limit, and temporary files of processes that
    /// died.
    fn delete_oldest(&self) {
        self.written.store(0, Ordering::Relaxed);
        let Ok(entries) = fs::read_dir(&self.options.folder) else { return };
        let now = SystemTime::now();
        let mut pages = Vec::new();
        for entry in entries.flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            let Ok(time) = metadata.modified() else { continue };
            let path = entry.path();
            let abandoned = now.duration_since(time).is_ok_and(|age| age > MAX_TEMPORARY_AGE);
            if path.extension().is_some_and(|extension| extension == PAGE_EXTENSION) {
                pages.push((time, metadata.len(), path));
            } else if abandoned && entry.file_name().to_string_lossy().starts_with(TEMPORARY_PREFIX) {
                let _ = fs::remove_file(path);
            }
        }
        let mut total: u64 = pages.iter().map(|(_, size, _)| size).sum();
        pages.sort();
        for (_, size, path) in pages {
            // One sixteenth stays free, because that much may be written before the next check.
            if total <= self.options.max_bytes - self.options.max_bytes / 16 {
                return;
            }
            let _ = fs::remove_file(path);
            total = total.saturating_sub(size);
        }
    }

    fn path(&self, key: &str) -> PathBuf {
        self.options.folder.join(hash_hex(&[key.as_bytes()])).with_extension(PAGE_EXTENSION)
    }
}

fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// A file that only this user can read, and that is deleted unless it is renamed.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(folder)
}

fn seconds_now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn hash_hex(parts: &[&[u8]]) -> String {
    let hash = parts.iter().fold(Sha256::new(), Digest::chain_update);
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "https://shop.example/lamps";
    /// As the first version of the cache wrote it, on 16 November 2026.
    const OLDER: &[u8] = include_bytes!("../tests/data/older.page");

    /// A cache with a file of this content for the URL.
    fn cache_with(content: &[u8]) -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(CacheOptions::new(folder.path()));
        fs::write(cache.path(URL), content).unwrap();
        (folder, cache)
    }

    #[test]
    fn an_entry_of_the_first_version_is_read_and_is_not_fresh() {
        let (_folder, cache) = cache_with(OLDER);
        let entry = cache.load(URL, 1_000_000).expect("an entry");
        assert!(!cache.is_fresh(&entry) && entry.etag.as_deref() == Some("\"v1\""));
        let page = entry.into_page();
        assert!(page.from_cache && page.body.ends_with(b"</ul>"));
        assert_eq!((page.status, page.links.len()), (200, 1));
    }

    /// An entry of a version that stores something else is absent: its page is requested again.
    #[test]
    fn an_entry_of_another_version_is_absent() {
        let end = HASH_LENGTH + 1 + OLDER[HASH_LENGTH + 1..].iter().position(|byte| *byte == b'\n').unwrap();
        let metadata = std::str::from_utf8(&OLDER[HASH_LENGTH + 1..end]).unwrap();
        for other in
            [metadata.replace("\"etag\"", "\"tag\""), metadata.replace("200", "\"ok\""), "{}".to_owned()]
        {
            // without its tag an entry can be read; without its status it cannot
            let is_readable = other.contains("\"tag\"");
            let rest = [other.as_bytes(), &OLDER[end..]].concat();
            let content = [hash_hex(&[&rest]).as_bytes(), b"\n", &rest].concat();
            let (_folder, cache) = cache_with(&content);
            assert_eq!(cache.load(URL, 1_000_000).is_some(), is_readable, "{other}");
        }
    }
}
