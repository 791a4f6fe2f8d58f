//! Turns: one request at a time a host (name and port), and a pause after each that grows with the time the server needed.
//! Hosts whose pause is over are forgotten, so memory is bounded by the hosts that are being asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;

use crate::Politeness;

/// Beyond this many hosts those that nobody waits for are forgotten.
const MANY: usize = 1024;

/// All hosts that were asked.
#[derive(Debug)]
pub(crate) struct Hosts {
    politeness: Politeness,
    known: Mutex<HashMap<String, Arc<Host>>>,
}

#[derive(Debug, Default)]
struct Host {
    turn: Arc<tokio::sync::Mutex<()>>,
    pauses: Mutex<Pauses>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Pauses {
    not_before: Option<Instant>,
    crawl_delay: Duration,
}

impl Hosts {
    pub(crate) fn new(politeness: Politeness) -> Self {
        Self { politeness, known: Mutex::default() }
    }

    /// Waits until `authority` may be asked; the turn ends, and the pause begins, when the result is dropped.
    pub(crate) async fn turn(&self, authority: &str) -> Turn {
        let host = self.host(authority);
        let held = match self.politeness {
            Politeness::Off => None,
            Politeness::Adaptive { .. } => Some(Arc::clone(&host.turn).lock_owned().await),
        };
        // the pause may be prolonged while we sleep
        loop {
            let until = host.pauses().not_before;
            let Some(until) = until.filter(|until| *until > Instant::now()) else { break };
            tokio::time::sleep_until(until).await;
        }
        Turn { host, politeness: self.politeness, began: Instant::now(), _held: held }
    }

    /// What robots.txt asks for; bounded like every pause.
    pub(crate) fn set_crawl_delay(&self, authority: &str, delay: Duration) {
        self.host(authority).pauses().crawl_delay = delay;
    }

    /// Nobody asks this host for a while: it said so, or it failed.
    pub(crate) fn postpone(&self, authority: &str, pause: Duration) {
        self.host(authority).pauses().at_least(pause);
    }

    fn host(&self, authority: &str) -> Arc<Host> {
        let mut known = lock(&self.known);
        if known.len() >= MANY && !known.contains_key(authority) {
            let now = Instant::now();
            known.retain(|_, host| {
                Arc::strong_count(host) > 1 || host.pauses().not_before.is_some_and(|until| until > now)
            });
        }
        Arc::clone(known.entry(authority.to_owned()).or_default())
    }
}

impl Host {
    fn pauses(&self) -> MutexGuard<'_, Pauses> {
        lock(&self.pauses)
    }
}

impl Pauses {
    fn at_least(&mut self, pause: Duration) {
        self.not_before = self.not_before.max(Some(Instant::now() + pause));
    }
}

/// The right to ask a host.
#[derive(Debug)]
pub(crate) struct Turn {
    host: Arc<Host>,
    politeness: Politeness,
    began: Instant,
    _held: Option<OwnedMutexGuard<()>>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Politeness::Adaptive { min_delay, max_delay, factor } = self.politeness {
            let mut pauses = self.host.pauses();
            let adapted = self.began.elapsed().as_secs_f32() * factor.max(0.0);
            let adapted = Duration::try_from_secs_f32(adapted).unwrap_or(max_delay).max(pauses.crawl_delay);
            pauses.at_least(adapted.min(max_delay).max(min_delay));
        }
    }
}

/// A panic elsewhere leaves these maps whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
