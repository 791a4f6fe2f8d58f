//! Which site of a batch is read next, and what sites are called.
//!
//! In: sites in their order, and which hosts are busy. Out: the next site whose host is not. Pure. O(waiting sites) per
//! choice.

use std::collections::{HashMap, HashSet, VecDeque};
use url::Url;

/// Start URLs that wait for their turn. Two sites of one host are never read at the same time: they would only wait for
/// each other.
#[derive(Debug, Default)]
pub struct SiteQueue {
    waiting: VecDeque<String>,
    busy: HashSet<String>,
}

impl SiteQueue {
    /// A queue of start URLs.
    pub fn new(urls: impl IntoIterator<Item = String>) -> SiteQueue {
        SiteQueue { waiting: urls.into_iter().collect(), busy: HashSet::new() }
    }

    /// The first waiting site whose host is free. Its host is busy until [`release`](Self::release) is called. `None`
    /// if there is no such site now.
    pub fn take(&mut self) -> Option<String> {
        let at = self.waiting.iter().position(|url| !self.busy.contains(&host(url)))?;
        let url = self.waiting.remove(at)?;
        self.busy.insert(host(&url));
        Some(url)
    }

    /// Frees the host of a site that was read.
    pub fn release(&mut self, url: &str) {
        self.busy.remove(&host(url));
    }

    /// Forgets the sites that wait.
    pub fn clear(&mut self) {
        self.waiting.clear();
    }

    /// True if no site waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

/// Short names of sites, in the order of their start URLs: the host, or host and path if several URLs have one host.
pub fn site_names(urls: &[String]) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for url in urls {
        *counts.entry(host(url)).or_default() += 1;
    }
    let name = |url: &String| {
        let host = host(url);
        match Url::parse(url) {
            Ok(parsed) if counts[&host] > 1 => {
                let query = parsed.query().map(|query| format!("?{query}")).unwrap_or_default();
                format!("{host}{}{query}", parsed.path())
            }
            _ => host,
        }
    };
    urls.iter().map(name).collect()
}

/// The host, and the port unless it is that of the scheme.
fn host(url: &str) -> String {
    let Ok(parsed) = Url::parse(url) else { return url.to_owned() };
    let host = parsed.host_str().unwrap_or_default();
    parsed.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(urls: &[&str]) -> Vec<String> {
        urls.iter().map(|url| (*url).to_owned()).collect()
    }

    #[test]
    fn a_host_is_read_once_at_a_time() {
        let urls = ["http://a.example/x", "http://a.example/y", "http://b.example/", "http://a.example:81/"];
        let mut queue = SiteQueue::new(owned(&urls));
        let mut taken: Vec<String> = std::iter::from_fn(|| queue.take()).collect();
        assert_eq!(taken, owned(&["http://a.example/x", "http://b.example/", "http://a.example:81/"]));
        assert!(!queue.is_empty());
        queue.release("http://b.example/");
        assert_eq!(queue.take(), None);
        queue.release("http://a.example/x");
        taken.extend(queue.take());
        assert_eq!(taken[3], "http://a.example/y");
        assert!(queue.is_empty() && queue.take().is_none());
    }

    #[test]
    fn sites_of_one_host_are_told_apart() {
        let urls = owned(&["https://a.example/x?k=1", "http://a.example/", "https://b.example/shop", "odd"]);
        assert_eq!(site_names(&urls), ["a.example/x?k=1", "a.example/", "b.example", "odd"]);
    }
}
