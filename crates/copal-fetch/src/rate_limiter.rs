//! The rate limiter: one request at a time per host (name and port), and a pause after each request that
//! grows with the time the server needed.
//!
//! A host goes in, a permit for one request comes out after the wait. Hosts whose pause is over are
//! forgotten, so memory is bounded by the number of hosts that are in use. O(1) per request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;

use crate::options::Politeness;
use crate::sync::lock;

/// When this many hosts are known, those that nobody waits for are forgotten.
const MAX_IDLE_HOSTS: usize = 1024;

/// Enforces the delay of every host.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    politeness: Politeness,
    hosts: Mutex<HashMap<String, Arc<HostState>>>,
}

/// Requests for resources of a page that one host gets at the same time. Browsers use six.
#[cfg(feature = "egress")]
const MAX_RESOURCE_REQUESTS: usize = 4;

#[derive(Debug, Default)]
struct HostState {
    turn: Arc<tokio::sync::Mutex<()>>,
    #[cfg(feature = "egress")]
    resources: ResourceSlots,
    delays: Mutex<HostDelays>,
}

#[derive(Debug, Default, Clone, Copy)]
struct HostDelays {
    not_before: Option<Instant>,
    crawl_delay: Duration,
}

/// The requests for resources of pages that a host may get at the same time.
#[cfg(feature = "egress")]
#[derive(Debug)]
struct ResourceSlots(Arc<tokio::sync::Semaphore>);

#[cfg(feature = "egress")]
impl Default for ResourceSlots {
    fn default() -> Self {
        Self(Arc::new(tokio::sync::Semaphore::new(MAX_RESOURCE_REQUESTS)))
    }
}

impl RateLimiter {
    pub(crate) fn new(politeness: Politeness) -> Self {
        Self { politeness, hosts: Mutex::default() }
    }

    /// Waits until `authority` may be asked. The pause begins when the permit is dropped.
    pub(crate) async fn acquire(&self, authority: &str) -> RequestPermit {
        let host = self.host(authority);
        let turn = match self.politeness {
            Politeness::Off => None,
            Politeness::Adaptive { .. } => Some(Arc::clone(&host.turn).lock_owned().await),
        };
        // The pause may be extended while this task sleeps.
        loop {
            let not_before = host.delays().not_before;
            let Some(until) = not_before.filter(|until| *until > Instant::now()) else { break };
            tokio::time::sleep_until(until).await;
        }
        RequestPermit { host, politeness: self.politeness, began: Instant::now(), _turn: turn }
    }

    /// Waits until `authority` has less than [`MAX_RESOURCE_REQUESTS`] requests for resources of pages.
    #[cfg(feature = "egress")]
    pub(crate) async fn acquire_share(&self, authority: &str) -> Option<tokio::sync::OwnedSemaphorePermit> {
        let host = self.host(authority);
        // The semaphore is never closed.
        Arc::clone(&host.resources.0).acquire_owned().await.ok()
    }

    /// Sets the delay that robots.txt asks for. It is bounded like every other pause.
    pub(crate) fn set_crawl_delay(&self, authority: &str, delay: Duration) {
        self.host(authority).delays().crawl_delay = delay;
    }

    /// Holds back all requests to this host, because it asked for a pause or failed.
    pub(crate) fn postpone(&self, authority: &str, pause: Duration) {
        self.host(authority).delays().extend(pause);
    }

    /// The time until this host may be asked again, apart from other requests that wait for it too.
    pub(crate) fn pause_left(&self, authority: &str) -> Duration {
        let not_before = self.host(authority).delays().not_before;
        not_before.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()))
    }

    fn host(&self, authority: &str) -> Arc<HostState> {
        let mut hosts = lock(&self.hosts);
        if hosts.len() >= MAX_IDLE_HOSTS && !hosts.contains_key(authority) {
            let now = Instant::now();
            hosts.retain(|_, host| {
                Arc::strong_count(host) > 1 || host.delays().not_before.is_some_and(|until| until > now)
            });
        }
        Arc::clone(hosts.entry(authority.to_owned()).or_default())
    }
}

impl HostState {
    fn delays(&self) -> MutexGuard<'_, HostDelays> {
        lock(&self.delays)
    }
}

impl HostDelays {
    fn extend(&mut self, pause: Duration) {
        self.not_before = self.not_before.max(Some(Instant::now() + pause));
    }
}

/// Permission to send one request to a host.
#[derive(Debug)]
pub(crate) struct RequestPermit {
    host: Arc<HostState>,
    politeness: Politeness,
    began: Instant,
    _turn: Option<OwnedMutexGuard<()>>,
}

impl Drop for RequestPermit {
    fn drop(&mut self) {
        if let Politeness::Adaptive { min_delay, max_delay, factor } = self.politeness {
            let mut delays = self.host.delays();
            let adapted = self.began.elapsed().as_secs_f32() * factor.max(0.0);
            let adapted = Duration::try_from_secs_f32(adapted).unwrap_or(max_delay).max(delays.crawl_delay);
            delays.extend(adapted.min(max_delay).max(min_delay));
        }
    }
}
