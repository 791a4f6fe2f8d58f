//! The robots.txt rules of each host, fetched once and kept for a day.
//!
//! A URL goes in, permission or an error comes out. Requests for pages of one host wait for the one that
//! fetches its robots.txt. A 2xx response is parsed, 4xx allows everything, and 5xx, 429 or no response
//! disallow everything for now (RFC 9309, section 2.3.1).

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

use crate::allowed_url::AllowedUrl;
use crate::error::{FetchError, printable};
use crate::http_exchange::OutgoingRequest;
use crate::options::FetchLimits;
use crate::robots::{MAX_ROBOTS_BYTES, RobotsRules, product_token};
use crate::sync::lock;
use crate::transport::Transport;

const RULES_LIFETIME: Duration = Duration::from_hours(24);
const MAX_ROBOTS_REDIRECTS: usize = 5;
/// When the rules of this many hosts are known, those that nobody waits for are forgotten.
const MAX_IDLE_RULES: usize = 4096;

/// The rules of one host; locked while they are fetched.
type RulesSlot = Arc<tokio::sync::Mutex<Option<CachedRules>>>;

/// The rules of all hosts, by origin.
#[derive(Debug)]
pub(crate) struct RobotsCache {
    product_token: String,
    hosts: Mutex<HashMap<String, RulesSlot>>,
}

#[derive(Debug, Clone)]
struct CachedRules {
    valid_until: Instant,
    rules: Arc<RobotsRules>,
}

impl RobotsCache {
    pub(crate) fn new(user_agent: &str) -> Self {
        Self { product_token: product_token(user_agent).to_owned(), hosts: Mutex::default() }
    }

    /// Returns an error if robots.txt disallows the page or cannot be read. Subtracts the time that requests
    /// took from `time_left`.
    pub(crate) async fn check(
        &self,
        transport: &Transport,
        page: &AllowedUrl,
        time_left: &mut Duration,
    ) -> Result<(), FetchError> {
        let slot = self.slot(&page.url.origin().ascii_serialization());
        let mut cached = slot.lock().await;
        let rules = match cached.as_ref().filter(|cached| cached.valid_until > Instant::now()) {
            Some(cached) => Arc::clone(&cached.rules),
            // Failures are not kept: the next attempt asks again.
            None => {
                let rules = Arc::new(self.fetch_rules(transport, page, time_left).await?);
                let valid_until = Instant::now() + RULES_LIFETIME;
                *cached = Some(CachedRules { valid_until, rules: Arc::clone(&rules) });
                rules
            }
        };
        drop(cached);
        // Set for every page, because the rate limiter forgets hosts that are not in use.
        if let Some(delay) = rules.crawl_delay() {
            transport.rate_limiter.set_crawl_delay(&page.authority(), delay);
        }
        if rules.allows(page.path_and_query()) {
            return Ok(());
        }
        let path = printable(page.path_and_query());
        Err(FetchError::RobotsDisallowed { host: page.host().to_owned(), path })
    }

    fn slot(&self, origin: &str) -> RulesSlot {
        let mut hosts = lock(&self.hosts);
        if hosts.len() >= MAX_IDLE_RULES && !hosts.contains_key(origin) {
            hosts.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
        Arc::clone(hosts.entry(origin.to_owned()).or_default())
    }

    /// Fetches robots.txt. Redirects may lead to other hosts, whose own rules do not apply to this file.
    async fn fetch_rules(
        &self,
        transport: &Transport,
        page: &AllowedUrl,
        time_left: &mut Duration,
    ) -> Result<RobotsRules, FetchError> {
        let page_limits = &transport.options.limits;
        let limits = FetchLimits {
            decoded_bytes: MAX_ROBOTS_BYTES.min(page_limits.decoded_bytes),
            wire_bytes: MAX_ROBOTS_BYTES.min(page_limits.wire_bytes),
            ..page_limits.clone()
        };
        let unavailable =
            |reason: String| FetchError::RobotsUnavailable { host: page.host().to_owned(), reason };
        let mut current = page.robots_txt();
        for _ in 0..=MAX_ROBOTS_REDIRECTS {
            let response =
                match transport.send(&current, OutgoingRequest::default(), &limits, time_left).await {
                    Ok(response) => response,
                    // The page itself would fail the same way, and this error is more specific.
                    Err(error) if current.authority() == page.authority() => return Err(error),
                    Err(error) => return Err(unavailable(error.to_string())),
                };
            if let Some(location) = response.location() {
                match current.join(&location, &transport.policy) {
                    Ok(next) => current = next,
                    // No file that may be read: the same as a missing one.
                    Err(_) => return Ok(RobotsRules::default()),
                }
                continue;
            }
            // The rules that are missing could be those that disallow this page.
            if let Some(reason) = response.broken {
                return Err(unavailable(reason.to_string()));
            }
            return match response.status {
                200..=299 => Ok(RobotsRules::parse(&response.body, &self.product_token)),
                429 | 500.. => Err(unavailable(format!("status {}", response.status))),
                _ => Ok(RobotsRules::default()),
            };
        }
        // Too many redirects mean "unavailable" in the standard, which allows everything.
        Ok(RobotsRules::default())
    }
}
