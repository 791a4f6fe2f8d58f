//! Shared by the tests of fetching: name lookup without a network, options without delays, a fetcher.

#![allow(dead_code)]

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use copal_fetch::{
    FetchError, FetchOptions, FetchedPage, Fetcher, HostResolver, Politeness, ProxySource, ResolvedAddresses,
};

pub(crate) const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A name lookup from a table. A name with several answers returns them in turn. Other names that end in
/// `.test` are loopback, and all others do not exist: no test uses the real network.
#[derive(Default)]
pub(crate) struct StaticNames {
    known: Mutex<HashMap<String, Vec<Vec<IpAddr>>>>,
    pub(crate) lookups: AtomicUsize,
}

impl StaticNames {
    pub(crate) fn of(pairs: &[(&str, &[&[&str]])]) -> Arc<Self> {
        let parse = |answers: &[&[&str]]| -> Vec<Vec<IpAddr>> {
            answers.iter().map(|one| one.iter().map(|address| address.parse().unwrap()).collect()).collect()
        };
        let known = pairs.iter().map(|(name, answers)| ((*name).to_owned(), parse(answers))).collect();
        Arc::new(Self { known: Mutex::new(known), lookups: AtomicUsize::new(0) })
    }
}

impl HostResolver for StaticNames {
    fn resolve(&self, host: &str) -> ResolvedAddresses {
        self.lookups.fetch_add(1, Ordering::SeqCst);
        let mut known = self.known.lock().unwrap();
        let answer = match known.get_mut(host) {
            Some(answers) if answers.len() > 1 => Ok(answers.remove(0)),
            Some(answers) => Ok(answers[0].clone()),
            None if host.rsplit('.').next() == Some("test") => Ok(vec![LOOPBACK]),
            None => Err(io::Error::new(io::ErrorKind::NotFound, "no such name")),
        };
        Box::pin(std::future::ready(answer))
    }
}

/// No proxies, no delays, no robots.txt, no retries, and names from a table.
pub(crate) fn test_options(allow_private: bool) -> FetchOptions {
    let mut options = FetchOptions::default();
    options.allow_private = allow_private;
    options.proxies = ProxySource::None;
    options.politeness = Politeness::Off;
    options.obey_robots = false;
    options.retries = 0;
    options.backoff = Duration::from_millis(5);
    options.hooks.resolver = Some(StaticNames::of(&[]));
    options
}

pub(crate) fn fetcher(options: FetchOptions) -> Fetcher {
    Fetcher::new(options).unwrap()
}

/// Fetches one page on its own runtime.
pub(crate) fn get(options: FetchOptions, url: &str) -> Result<FetchedPage, FetchError> {
    block_on(async { fetcher(options).get(url).await })
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}
