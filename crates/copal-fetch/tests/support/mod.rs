//! What the tests of fetching have in common: names without a net, options that are quick, a fetcher.

#![allow(dead_code)]

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use copal_fetch::{Addresses, FetchError, FetchOptions, Fetched, Fetcher, Politeness, Proxies, Resolve};

pub(crate) const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Names that stand for addresses; one with several answers gives them in turn. Other names that end in `.test` are
/// loopback, all others do not exist: no test asks the real net.
#[derive(Default)]
pub(crate) struct Names {
    known: Mutex<HashMap<String, Vec<Vec<IpAddr>>>>,
    pub(crate) lookups: AtomicUsize,
}

impl Names {
    pub(crate) fn of(pairs: &[(&str, &[&[&str]])]) -> Arc<Self> {
        let read = |answers: &[&[&str]]| -> Vec<Vec<IpAddr>> {
            answers.iter().map(|one| one.iter().map(|address| address.parse().unwrap()).collect()).collect()
        };
        let known = pairs.iter().map(|(name, answers)| ((*name).to_owned(), read(answers))).collect();
        Arc::new(Self { known: Mutex::new(known), lookups: AtomicUsize::new(0) })
    }
}

impl Resolve for Names {
    fn resolve(&self, host: &str) -> Addresses {
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

/// No proxies, no pauses, no robots, names of our own; private hosts as `allow` says.
pub(crate) fn quick(allow_private: bool) -> FetchOptions {
    let mut options = FetchOptions::default();
    options.allow_private = allow_private;
    options.proxies = Proxies::None;
    options.politeness = Politeness::Off;
    options.obey_robots = false;
    options.retries = 0;
    options.backoff = Duration::from_millis(5);
    options.hooks.resolver = Some(Names::of(&[]));
    options
}

pub(crate) fn fetcher(options: FetchOptions) -> Fetcher {
    Fetcher::new(options).unwrap()
}

/// One page on a runtime of its own.
pub(crate) fn get(options: FetchOptions, url: &str) -> Result<Fetched, FetchError> {
    block_on(async { fetcher(options).get(url).await })
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}
