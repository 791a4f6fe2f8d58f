//! Pages on disk, so that a run that was interrupted goes on where it was and pages that did not change are not sent
//! again. One file a page, named by the hash of its address: a line with the hash of
//! the rest, a line of JSON, the body.
//!
//! A file is written beside and renamed, so it is whole or not there, also after a kill and with several processes at
//! once. What cannot be read, or whose hash is wrong, is as if it were not there. Cost: O(page) to load and to store;
//! now and then O(files) to throw the oldest away.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{CacheOptions, FetchError, Fetched};

const ENDING: &str = "page";
const TEMPORARY: &str = "tmp-";
/// A temporary file this old belongs to nobody any more.
const ABANDONED: Duration = Duration::from_secs(3600);
/// Length of a hash as text.
const HASH: usize = 64;
const MAX_HEAD: usize = 256 * 1024;

/// A folder of pages.
#[derive(Debug)]
pub(crate) struct Cache {
    options: CacheOptions,
    /// Written since the folder was last measured.
    written: AtomicU64,
}

/// A page with what is needed to ask whether it changed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The address that was asked for.
    asked: String,
    pub(crate) url: String,
    status: u16,
    content_type: Option<String>,
    charset: Option<String>,
    links: Vec<(String, String)>,
    redirects: Vec<String>,
    downgraded: bool,
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
    /// Seconds since 1970.
    stored: u64,
    #[serde(skip)]
    pub(crate) body: Vec<u8>,
}

impl Entry {
    pub(crate) fn new(asked: &str, page: &Fetched, etag: Option<String>, modified: Option<String>) -> Self {
        Self {
            asked: asked.to_owned(),
            url: page.url.clone(),
            status: page.status,
            content_type: page.content_type.clone(),
            charset: page.charset.clone(),
            links: page.links.clone(),
            redirects: page.redirects.clone(),
            downgraded: page.downgraded,
            etag,
            modified,
            stored: seconds_now(),
            body: page.body.clone(),
        }
    }

    /// As a page that nobody had to send.
    pub(crate) fn into_page(self) -> Fetched {
        Fetched {
            url: self.url,
            status: self.status,
            content_type: self.content_type,
            charset: self.charset,
            links: self.links,
            body: self.body,
            from_cache: true,
            truncated: false,
            redirects: self.redirects,
            downgraded: self.downgraded,
        }
    }

    /// The server said that it is still the same.
    pub(crate) fn confirmed(mut self) -> Self {
        self.stored = seconds_now();
        self
    }
}

impl Cache {
    pub(crate) fn open(options: CacheOptions) -> Result<Self, FetchError> {
        let wrong = |error: io::Error| FetchError::Cache {
            folder: options.folder.clone(),
            reason: error.to_string(),
        };
        private_folder(&options.folder).map_err(wrong)?;
        let cache = Self { written: AtomicU64::new(0), options };
        cache.tidy();
        Ok(cache)
    }

    /// Young enough to be taken without a request? A clock that was set back makes nothing young.
    pub(crate) fn is_fresh(&self, entry: &Entry) -> bool {
        seconds_now().checked_sub(entry.stored).is_some_and(|age| age < self.options.max_age.as_secs())
    }

    /// The page that was asked for as `url`, of any age. Blocks.
    pub(crate) fn load(&self, url: &str, max_body: usize) -> Option<Entry> {
        let mut file = File::open(self.path(url)).ok()?;
        let length = usize::try_from(file.metadata().ok()?.len()).ok()?;
        if length > max_body.saturating_add(MAX_HEAD) {
            return None;
        }
        let mut bytes = Vec::with_capacity(length);
        Read::by_ref(&mut file).take(length as u64).read_to_end(&mut bytes).ok()?;
        let (hash, rest) = (bytes.get(..HASH)?, bytes.get(HASH + 1..)?);
        if bytes[HASH] != b'\n' || hex(&[rest]).as_bytes() != hash {
            return None;
        }
        let end = rest.iter().take(MAX_HEAD).position(|byte| *byte == b'\n')?;
        let mut entry: Entry = serde_json::from_slice(&rest[..end]).ok()?;
        bytes.drain(..=HASH + 1 + end);
        entry.body = bytes;
        (entry.asked == url).then_some(entry)
    }

    /// Keeps a page. Blocks; a full disk or the like only means that it is not kept.
    pub(crate) fn store(&self, entry: &Entry) {
        if let Ok(written) = self.write(entry)
            && self.written.fetch_add(written, Ordering::Relaxed) + written > self.options.max_bytes / 16
        {
            self.tidy();
        }
    }

    fn write(&self, entry: &Entry) -> io::Result<u64> {
        let mut head = serde_json::to_vec(entry)?;
        head.push(b'\n');
        let size = (HASH + 1 + head.len() + entry.body.len()) as u64;
        if head.len() > MAX_HEAD || size > self.options.max_bytes {
            return Ok(0);
        }
        // readable by this user alone, as all files of `tempfile`
        let mut file = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(&self.options.folder)?;
        file.write_all(hex(&[&head, &entry.body]).as_bytes())?;
        file.write_all(b"\n")?;
        file.write_all(&head)?;
        file.write_all(&entry.body)?;
        file.as_file().sync_all()?;
        file.persist(self.path(&entry.asked)).map_err(|error| error.error)?;
        File::open(&self.options.folder)?.sync_all()?;
        Ok(size)
    }

    /// Throws away what is beyond the bound, oldest first, and temporary files of processes that died.
    fn tidy(&self) {
        self.written.store(0, Ordering::Relaxed);
        let Ok(entries) = fs::read_dir(&self.options.folder) else { return };
        let now = SystemTime::now();
        let mut pages = Vec::new();
        for entry in entries.flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            let Ok(time) = metadata.modified() else { continue };
            let path = entry.path();
            let abandoned = now.duration_since(time).is_ok_and(|age| age > ABANDONED);
            if path.extension().is_some_and(|ending| ending == ENDING) {
                pages.push((time, metadata.len(), path));
            } else if abandoned && entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
                let _ = fs::remove_file(path);
            }
        }
        let mut total: u64 = pages.iter().map(|(_, size, _)| size).sum();
        pages.sort();
        for (_, size, path) in pages {
            // a sixteenth may come before the next look
            if total <= self.options.max_bytes - self.options.max_bytes / 16 {
                return;
            }
            let _ = fs::remove_file(path);
            total = total.saturating_sub(size);
        }
    }

    fn path(&self, url: &str) -> PathBuf {
        self.options.folder.join(hex(&[url.as_bytes()])).with_extension(ENDING)
    }
}

fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn seconds_now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn hex(parts: &[&[u8]]) -> String {
    let hash = parts.iter().fold(Sha256::new(), Digest::chain_update);
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
