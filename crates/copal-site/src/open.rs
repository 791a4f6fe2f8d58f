//! One address becomes one document.
//!
//! In: an address. Out: a page (or the lists of data) with its final address. A page that sends its reader on at once
//! (`<meta http-equiv=refresh>`) is followed as a redirect is.

use copal::{Document, Options, Page, ReadError, Received, Warning};
use copal_dom::{attrs, tags};
use copal_fetch::{FetchError, Fetcher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use url::Url;

/// Pages that may send on to another one.
const REFRESHES: usize = 5;
/// Seconds within which a page's refresh is a redirect; pages that renew themselves wait longer.
const SOON: f64 = 5.0;

/// A document as it was opened.
#[derive(Debug)]
#[non_exhaustive]
pub struct Opened {
    /// The page, or the lists of data.
    pub document: Document,
    /// Its address behind all redirects.
    pub url: String,
    /// The address of the next page, if the server states it (`Link: rel=next`).
    pub next: Option<String>,
    /// It was in the cache.
    pub from_cache: bool,
    /// What a reader should know.
    pub notes: Vec<Warning>,
}

/// Why an address gives no document.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// It could not be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// What came is none.
    #[error("{url} is {why}")]
    Read {
        /// Its address.
        url: String,
        /// Why not.
        why: ReadError,
    },
    /// A defect of ours.
    #[error("internal error on {url}: please report it")]
    Internal {
        /// Its address.
        url: String,
    },
}

/// Fetches and reads an address.
pub(crate) async fn open(fetcher: &Fetcher, url: &str, options: &Options) -> Result<Opened, OpenError> {
    let mut url = url.to_owned();
    let mut left = REFRESHES;
    let mut notes = Vec::new();
    loop {
        let fetched = fetcher.get(&url).await?.successful()?;
        // what is beyond the limit of a page is that limit's to say
        if fetched.truncated && fetched.body.len() <= options.limits.bytes {
            notes.push(Warning::Cut);
        }
        if fetched.downgraded {
            notes.push(Warning::Note("a redirect led from https to http".to_owned()));
        }
        let received = Received {
            url: Some(fetched.url.clone()),
            content_type: fetched.content_type.clone(),
            charset: fetched.charset.clone(),
        };
        let document = guarded(&fetched.url, || copal::read(&fetched.body, &received, options))?
            .map_err(|why| OpenError::Read { url: fetched.url.clone(), why })?;
        if let Document::Page(page) = &document
            && left > 0
            && let Some(target) = refresh(page, &fetched.url)
        {
            left -= 1;
            url = target;
            continue;
        }
        let next =
            fetched.links.iter().find(|(rel, _)| rel.split_ascii_whitespace().any(|rel| rel == "next"));
        return Ok(Opened {
            document,
            next: next.map(|(_, url)| url.clone()),
            url: fetched.url,
            from_cache: fetched.from_cache,
            notes,
        });
    }
}

/// A defect of ours ends the page, not the run.
pub(crate) fn guarded<T>(url: &str, work: impl FnOnce() -> T) -> Result<T, OpenError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| OpenError::Internal { url: url.to_owned() })
}

/// Where a page sends its reader on to, soon.
fn refresh(page: &Page, own: &str) -> Option<String> {
    let tree = &page.tree;
    let is_refresh = |node: &u32| {
        tree.tag(*node) == tags::META
            && tree
                .attr_named(*node, "http-equiv")
                .is_some_and(|name| name.trim().eq_ignore_ascii_case("refresh"))
    };
    let meta = tree.nodes().find(is_refresh)?;
    let content = tree.attr(meta, attrs::CONTENT)?;
    let (seconds, target) = content.split_once([';', ','])?;
    if seconds.trim().parse::<f64>().ok()? > SOON {
        return None;
    }
    let target = target.trim();
    let target = match target.get(..3) {
        Some(start) if start.eq_ignore_ascii_case("url") => target[3..].trim_start().strip_prefix('=')?,
        _ => target,
    };
    let target = target.trim().trim_matches(['"', '\'']);
    let mut url = Url::parse(own).ok()?.join(target).ok()?;
    url.set_fragment(None);
    (url.as_str() != own).then(|| url.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal::Limits;

    #[test]
    fn pages_that_send_on_at_once_are_redirects() {
        let to = |content: &str| {
            let html = format!("<meta http-equiv=Refresh content=\"{content}\"><p>x");
            refresh(&Page::from_text(&html, &Limits::default()), "https://a.example/x/y")
        };
        assert_eq!(to("0; url=/z").as_deref(), Some("https://a.example/z"));
        assert_eq!(to("0;URL='z?a=b'").as_deref(), Some("https://a.example/x/z?a=b"));
        assert_eq!(to("1, https://b.example/").as_deref(), Some("https://b.example/"));
        // pages that renew themselves
        assert_eq!(to("300; url=/z"), None);
        assert_eq!(to("0"), None);
        assert_eq!(to("0; url=/x/y#top"), None);
        assert_eq!(to("soon; url=/z"), None);
    }
}
