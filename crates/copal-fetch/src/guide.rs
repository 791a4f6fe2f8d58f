//! What the robots.txt of each host says, read once and kept for a day. Pages of one host wait for the one that reads it.
//!
//! 2xx is read, 4xx means that all is allowed, 5xx, 429 and no answer that nothing is, for now (RFC 9309, section 2.3.1).

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::header::HeaderMap;
use tokio::time::Instant;

use crate::fetcher::Shared;
use crate::manners::lock;
use crate::robots::{MAX_BYTES, Robots, product};
use crate::target::{Target, shown};
use crate::{FetchError, FetchLimits};

const KEPT: Duration = Duration::from_secs(24 * 3600);
const MAX_REDIRECTS: usize = 5;
/// Beyond this many hosts those that nobody waits for are forgotten.
const MANY: usize = 4096;

/// The rules of all hosts.
#[derive(Debug)]
pub(crate) struct Guide {
    name: String,
    hosts: Mutex<HashMap<String, Arc<tokio::sync::Mutex<Option<Known>>>>>,
}

#[derive(Debug, Clone)]
struct Known {
    until: Instant,
    rules: Arc<Robots>,
}

impl Guide {
    pub(crate) fn new(user_agent: &str) -> Self {
        Self { name: product(user_agent).to_owned(), hosts: Mutex::default() }
    }

    /// An error if robots.txt forbids the page, or cannot be read.
    pub(crate) async fn check(&self, shared: &Shared, target: &Target) -> Result<(), FetchError> {
        let origin = target.url.origin().ascii_serialization();
        let place = self.place(&origin);
        let mut known = place.lock().await;
        let rules = match known.as_ref().filter(|known| known.until > Instant::now()) {
            Some(known) => Arc::clone(&known.rules),
            // a failure is not kept: the next try asks again
            None => {
                let rules = Arc::new(self.read(shared, target).await?);
                *known = Some(Known { until: Instant::now() + KEPT, rules: Arc::clone(&rules) });
                rules
            }
        };
        drop(known);
        // each time: a host that was not asked for a while is forgotten there
        if let Some(delay) = rules.crawl_delay() {
            shared.hosts.set_crawl_delay(&target.authority(), delay);
        }
        if rules.allows(target.path_and_query()) {
            return Ok(());
        }
        Err(FetchError::Robots { host: target.host().to_owned(), path: shown(target.path_and_query()) })
    }

    fn place(&self, origin: &str) -> Arc<tokio::sync::Mutex<Option<Known>>> {
        let mut hosts = lock(&self.hosts);
        if hosts.len() >= MANY && !hosts.contains_key(origin) {
            hosts.retain(|_, place| Arc::strong_count(place) > 1);
        }
        Arc::clone(hosts.entry(origin.to_owned()).or_default())
    }

    /// Asks for the file; redirects may lead to other hosts, whose own rules do not matter for it.
    async fn read(&self, shared: &Shared, target: &Target) -> Result<Robots, FetchError> {
        let own = &shared.options.limits;
        let limits = FetchLimits {
            decoded_bytes: MAX_BYTES.min(own.decoded_bytes),
            wire_bytes: MAX_BYTES.min(own.wire_bytes),
            ..own.clone()
        };
        let unreadable =
            |reason: String| FetchError::RobotsUnreadable { host: target.host().to_owned(), reason };
        let mut at = target.robots();
        let mut left = limits.total;
        for _ in 0..=MAX_REDIRECTS {
            let answer = match shared.ask(&at, HeaderMap::new(), &limits, &mut left).await {
                Ok(answer) => answer,
                // the page would fail the same way, and this says it better
                Err(error) if at.authority() == target.authority() => return Err(error),
                Err(error) => return Err(unreadable(error.to_string())),
            };
            if let Some(location) = answer.location() {
                match at.join(&location, &shared.policy) {
                    Ok(next) => at = next,
                    // there is none that may be read
                    Err(_) => return Ok(Robots::default()),
                }
                continue;
            }
            return match answer.status {
                200..=299 => Ok(Robots::parse(&answer.body, &self.name)),
                429 | 500.. => Err(unreadable(format!("status {}", answer.status))),
                _ => Ok(Robots::default()),
            };
        }
        // "unavailable" in the words of the standard
        Ok(Robots::default())
    }
}
