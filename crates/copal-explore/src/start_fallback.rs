//! What is tried if the start page of a site cannot be read, although its host responds.
//!
//! Part of [`Explorer`](crate::explorer::Explorer). In: the error of the start page. Out: pages in the queue, from the
//! sitemaps that robots.txt names and from feeds, and an error that says what was tried. At most [`MAX_TRIES`] requests.

use crate::error::ExploreError;
use crate::explorer::Explorer;
use crate::planner::child;
use copal_fetch::{FetchedPage, PageRequest, Sitemap};
use url::Url;

/// Requests that are sent.
const MAX_TRIES: usize = 8;
/// Pages of a sitemap or feed that are visited although nothing says that they are lists.
const MAX_OTHER_PAGES: usize = 4;
/// Where feeds are, if no page names them.
const FEED_PATHS: [&str; 4] = ["/feed", "/rss.xml", "/atom.xml", "/feed.xml"];

impl Explorer<'_> {
    /// Looks for other pages to start with. `/sitemap.xml` was read before.
    pub(crate) async fn look_elsewhere(&mut self) -> Result<(), ExploreError> {
        let mut tried = vec!["/sitemap.xml".to_owned()];
        let mut tries = 0;
        let mut sitemaps = self.sitemaps_of_robots(&mut tries).await;
        tried.push("the sitemaps of robots.txt".to_owned());
        let known = self.start.join("/sitemap.xml").map(String::from).unwrap_or_default();
        sitemaps.retain(|url| *url != known);
        sitemaps.reverse();
        while let Some(url) = sitemaps.pop().filter(|_| tries < MAX_TRIES) {
            let Some(body) = self.fallback_body(&url, &mut tries).await else { continue };
            let sitemap = Sitemap::parse(&body);
            sitemaps.extend(sitemap.sitemaps.iter().take(MAX_TRIES).rev().cloned());
            self.queue_sitemap(&sitemap, MAX_OTHER_PAGES)?;
        }
        if self.frontier.item_count("queued")? == 0 {
            self.queue_feed_pages(&mut tries).await?;
            tried.push("feeds".to_owned());
        }
        if let Some(error) = &mut self.start_error {
            error.push_str(&format!("; also tried: {}", tried.join(", ")));
        }
        Ok(())
    }

    async fn sitemaps_of_robots(&mut self, tries: &mut usize) -> Vec<String> {
        let Ok(url) = self.start.join("/robots.txt") else { return Vec::new() };
        let Some(body) = self.fallback_body(url.as_str(), tries).await else { return Vec::new() };
        let text = String::from_utf8_lossy(&body);
        let named = text.lines().filter_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.trim().eq_ignore_ascii_case("sitemap").then(|| value.trim())
        });
        let urls = named.filter_map(|value| self.start.join(value).ok());
        // a sitemap elsewhere is for pages elsewhere
        let own = urls.filter(|url| copal_dom::url::same_site(url, &self.start));
        own.take(MAX_TRIES).map(String::from).collect()
    }

    /// Queues pages that the first readable feed links to: they link to the rest of the site.
    async fn queue_feed_pages(&mut self, tries: &mut usize) -> Result<(), ExploreError> {
        for path in FEED_PATHS {
            let Ok(url) = self.start.join(path) else { continue };
            if *tries >= MAX_TRIES {
                break;
            }
            *tries += 1;
            self.pages += 1;
            let read = self.visitor.with_limits(1, 0).read(&PageRequest::get(url.as_str())).await;
            let Ok(Some(read)) = read else { continue };
            // a page is not a feed
            let Some(list) = read.answer.primary().filter(|_| read.page.is_none()) else { continue };
            let Some(column) = list.link_column() else { continue };
            let start = self.start_item();
            let links = list.records.iter().filter_map(|record| record.cells[column].first());
            for link in links.take(MAX_OTHER_PAGES) {
                if Url::parse(link).is_ok_and(|link| copal_dom::url::same_site(&link, &self.start)) {
                    self.frontier.add(&child(
                        &start,
                        link,
                        "feed",
                        1.0,
                        "in a feed of the site".to_owned(),
                    ))?;
                }
            }
            break;
        }
        Ok(())
    }

    /// The content at a URL; `None` if it cannot be had.
    async fn fallback_body(&mut self, url: &str, tries: &mut usize) -> Option<Vec<u8>> {
        *tries += 1;
        self.pages += 1;
        let stopper = self.visitor.stopper();
        let fetched = stopper.unless_stopped(self.visitor.fetcher().get(url)).await?;
        fetched.and_then(FetchedPage::successful).ok().map(|fetched| fetched.body)
    }
}
