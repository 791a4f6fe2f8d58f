//! The first items of the frontier: the start page, and what the site's sitemap names as lists.
//!
//! Part of [`Explorer`](crate::explorer::Explorer). One request.

use crate::crawl_traps::TemplateYield;
use crate::error::ExploreError;
use crate::explorer::Explorer;
use crate::frontier_items::FrontierItem;
use crate::link_ranking::score_link;
use crate::page_facts::{LinkFacts, LinkPosition};
use crate::planner::child;
use crate::url_keys::url_template;
use copal_fetch::{FetchedPage, Sitemap};
use std::collections::HashMap;
use url::Url;

/// Pages of the sitemap that are queued.
const MAX_SITEMAP_LINKS: usize = 10;
/// Pages of one kind in the sitemap that may be lists; more are records.
const MAX_SIMILAR_IN_SITEMAP: u64 = 3;

impl Explorer<'_> {
    /// Queues the start page, and what the sitemap names as lists.
    pub(crate) async fn queue_start(&mut self) -> Result<(), ExploreError> {
        let start = self.start_item();
        self.frontier.add(&start)?;
        let Ok(url) = self.start.join("/sitemap.xml") else { return Ok(()) };
        if self.frontier.meta("sitemap")?.is_some() {
            return Ok(());
        }
        let stopper = self.visitor.stopper();
        let fetched = stopper.unless_stopped(self.visitor.fetcher().get(url.as_str())).await;
        let Some(fetched) = fetched else { return Ok(()) };
        self.pages += 1;
        let body = fetched.and_then(FetchedPage::successful).map(|fetched| fetched.body).unwrap_or_default();
        let sitemap = Sitemap::parse(&body);
        let counts: Vec<(String, u64)> = self.queue_sitemap(&sitemap, 0)?.into_iter().collect();
        self.frontier.set_meta("sitemap", &serde_json::to_string(&counts).unwrap_or_default())
    }

    /// Queues the pages of a sitemap that may be lists, and up to `others` of its first pages. Returns how many pages
    /// of each kind it has.
    pub(crate) fn queue_sitemap(
        &mut self,
        sitemap: &Sitemap,
        others: usize,
    ) -> Result<HashMap<String, u64>, ExploreError> {
        let start = self.start_item();
        let mut templates: HashMap<String, u64> = HashMap::new();
        let mut links: Vec<FrontierItem> = Vec::new();
        for page in &sitemap.pages {
            let is_own = Url::parse(page).is_ok_and(|url| copal_dom::url::same_site(&url, &self.start));
            if !is_own {
                continue;
            }
            *templates.entry(url_template(page)).or_default() += 1;
            let path = Url::parse(page).map(|url| url.path().to_owned()).unwrap_or_default();
            let link =
                LinkFacts { url: page.clone(), text: path, position: LinkPosition::Header, is_filter: false };
            let scored = score_link(&link, &self.context.words, 1, TemplateYield::default(), false);
            if !scored.is_other && scored.score >= 1.0 {
                links.push(child(
                    &start,
                    page,
                    "sitemap",
                    scored.score,
                    format!("in the sitemap: {}", scored.reason),
                ));
            }
        }
        // many URLs of one template are the records and not the lists
        links.retain(|link| {
            let template = url_template(&link.url);
            !template.contains('*')
                || templates.get(&template).is_none_or(|&count| count <= MAX_SIMILAR_IN_SITEMAP)
        });
        links.sort_by(|a, b| b.priority.total_cmp(&a.priority));
        for link in links.iter().take(MAX_SITEMAP_LINKS) {
            self.frontier.add(link)?;
        }
        let own = sitemap
            .pages
            .iter()
            .filter(|page| Url::parse(page).is_ok_and(|url| copal_dom::url::same_site(&url, &self.start)));
        let others: Vec<String> = own.take(others).cloned().collect();
        for page in &others {
            self.frontier.add(&child(&start, page, "sitemap", 1.0, "in the sitemap".to_owned()))?;
        }
        Ok(templates)
    }
}
