//! One task at a time per host: workers are separate processes, so that their fetchers cannot keep the delay between
//! two requests to one host by themselves.
//!
//! In: the URLs of a task. Out: a guard for their hosts. A host is free again only after the delay. Hosts that redirect
//! to each other are not known before the request; their fetchers still delay each on its own.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Mutex as TurnMutex, OwnedMutexGuard};

/// Hosts that are remembered; idle ones are forgotten beyond it.
const MAX_HOSTS: usize = 4096;

#[derive(Debug)]
pub(super) struct HostTurns {
    delay: Duration,
    turns: Mutex<HashMap<String, Arc<TurnMutex<()>>>>,
}

/// The turns of a task. Each is given back after the delay.
pub(super) struct HostTurnGuard {
    delay: Duration,
    guards: Vec<OwnedMutexGuard<()>>,
}

impl Drop for HostTurnGuard {
    fn drop(&mut self) {
        let guards = std::mem::take(&mut self.guards);
        let delay = self.delay;
        if guards.is_empty() || delay.is_zero() {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                tokio::time::sleep(delay).await;
                drop(guards);
            });
        }
    }
}

impl HostTurns {
    pub(super) fn new(delay: Duration) -> HostTurns {
        HostTurns { delay, turns: Mutex::new(HashMap::new()) }
    }

    /// Waits until no other task asks these hosts. Hosts are taken in alphabetical order, so that two tasks cannot wait
    /// for each other.
    pub(super) async fn acquire(&self, urls: impl Iterator<Item = &str>) -> HostTurnGuard {
        let hosts: BTreeSet<String> = urls.filter_map(host_of).collect();
        let mut guards = Vec::new();
        for host in hosts {
            let turn = {
                let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
                if turns.len() >= MAX_HOSTS {
                    turns.retain(|_, turn| Arc::strong_count(turn) > 1);
                }
                turns.entry(host).or_default().clone()
            };
            guards.push(turn.lock_owned().await);
        }
        HostTurnGuard { delay: self.delay, guards }
    }
}

/// Host and port of a URL, roughly: what is wrong with it is reported when it is fetched.
fn host_of(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?;
    Some(host.trim_end_matches('.').to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_told_apart_by_name_and_port() {
        assert_eq!(host_of("https://Shop.example/lamps?x"), Some("shop.example".to_owned()));
        assert_eq!(host_of("http://u:p@127.0.0.1:80#x"), Some("127.0.0.1:80".to_owned()));
        assert_eq!(host_of("shop"), None);
    }

    #[tokio::test]
    async fn a_host_is_free_only_after_the_delay() {
        let turns = HostTurns::new(Duration::from_millis(80));
        drop(turns.acquire(["http://a.example/1"].into_iter()).await);
        let start = std::time::Instant::now();
        drop(turns.acquire(["http://b.example/1"].into_iter()).await);
        assert!(start.elapsed() < Duration::from_millis(60));
        drop(turns.acquire(["http://a.example/2"].into_iter()).await);
        assert!(start.elapsed() >= Duration::from_millis(70), "{:?}", start.elapsed());
    }
}
