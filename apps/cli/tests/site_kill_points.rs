//! Kills of `copal site` at each of its writes: strace ends the process with SIGKILL at the n-th write or sync of its
//! files. Needs strace; `make site-kills` runs it.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::kettle_site::{KETTLES, OWN, all_titles, shop};
use common::{end, folder, shell};
use copal_testserver::Server;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::path::Path;

/// Kills; more with `COPAL_SITE_KILLS`.
fn kills() -> usize {
    std::env::var("COPAL_SITE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(40)
}

/// The files of a run over one site, and of one over several.
const FILES: [&str; 12] = [
    "x.sqlite",
    "x.sqlite-wal",
    "x.sqlite-journal",
    "x.sqlite.frontier",
    "x.sqlite.frontier-wal",
    "x.sqlite.frontier-journal",
    "x.sqlite.sites",
    "x.sqlite.sites-wal",
    "FRONTIER0",
    "FRONTIER0-wal",
    "FRONTIER1",
    "FRONTIER1-wal",
];

/// A command line that dies at its n-th write to these files.
fn killed_at(folder: &Path, line: &str, number: usize, frontiers: &[String]) -> String {
    let mut paths = String::new();
    for name in FILES {
        let mut name = name.to_owned();
        for (at, frontier) in frontiers.iter().enumerate() {
            name = name.replace(&format!("FRONTIER{at}"), frontier);
        }
        paths += &format!("-P {} ", folder.join(name).display());
    }
    // each thread counts its own calls
    let calls = "write,pwrite64,fsync,fdatasync,ftruncate";
    format!(
        "exec strace -f -qqq -o /dev/null {paths}-e trace={calls} -e inject={calls}:signal=KILL:when={number} {line}"
    )
}

fn records(database: &Path) -> Vec<(Option<String>, String)> {
    let connection = Connection::open(database).unwrap();
    let has_site = connection.prepare("SELECT site FROM records").is_ok();
    let site = if has_site { "site" } else { "NULL" };
    let mut statement =
        connection.prepare(&format!("SELECT {site}, title FROM records ORDER BY 1, 2")).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

/// Kills runs of a command line, each at another write, and lets each continue. Returns how many kills hit a write.
fn kill_at_writes(servers: &[Server], list: Option<&str>, most: usize) -> usize {
    let (mut killed, mut number) = (0, 0);
    while killed < most {
        number += 1;
        let folder = folder(&[("shops.txt", list.unwrap_or_default().as_bytes())]);
        let source =
            if list.is_some() { "--urls shops.txt --at-once 2".to_owned() } else { servers[0].url("/") };
        let line = format!("copal site {source} {OWN} -o x.sqlite");
        // names of files are those of the command: a host with a port gets a hash
        let frontiers: Vec<String> = servers
            .iter()
            .map(|server| {
                let hash = copal_store::short_hash(&server.url("/"));
                format!(
                    "x.sqlite.frontiers/{}-{hash}.frontier",
                    server.address().to_string().replace(':', "")
                )
            })
            .collect();
        let before: Vec<usize> = servers.iter().map(|server| server.requests().len()).collect();
        let traced = killed_at(folder.path(), &line, number, &frontiers);
        let first = end(&mut shell(folder.path(), &traced), &traced, b"");
        assert!(first.code <= 0 || first.code == 137, "{traced}: {}", first.stderr);
        if first.code == 0 {
            // there are fewer writes than that
            break;
        }
        killed += 1;
        let at_kill: Vec<usize> = servers.iter().map(|server| server.requests().len()).collect();
        let rest = end(&mut shell(folder.path(), &line), &line, b"");
        assert_eq!(rest.code, 0, "after a kill at write {number}: {}", rest.stderr);
        let stored = records(&folder.path().join("x.sqlite"));
        let sites = if list.is_some() { servers.len() } else { 1 };
        let titles: Vec<&String> = stored.iter().map(|(_, title)| title).collect();
        assert_eq!(titles.len(), sites * KETTLES, "after a kill at write {number}");
        for site in stored.chunks(KETTLES) {
            assert!(site.iter().all(|(name, _)| *name == site[0].0), "after a kill at write {number}");
            assert!(site.iter().map(|(_, title)| title).eq(&all_titles()), "after a kill at write {number}");
        }
        for ((server, before), at_kill) in servers.iter().zip(before).zip(at_kill).take(sites) {
            let requests = server.requests().split_off(before);
            let mut asked: BTreeMap<&str, usize> = BTreeMap::new();
            for request in &requests {
                *asked.entry(&request.path).or_default() += 1;
            }
            // each process asks for it
            asked.remove("/robots.txt");
            let was_complete = requests[..at_kill - before].iter().any(|one| one.path == "/kettles?page=10");
            let continued = rest.stderr.starts_with("continuing");
            // a run that was killed at its very end may begin again, from the cache; only missing pages are not in it
            if was_complete && !continued {
                asked.retain(|path, _| path.starts_with("/kettles"));
            }
            let repeated: usize = asked.values().map(|count| count - 1).sum();
            // the page that was in flight
            assert!(repeated <= 1, "{repeated} repeated after a kill at write {number}: {asked:?}");
        }
    }
    killed
}

#[test]
#[ignore = "needs strace; make site-kills runs it"]
fn a_site_survives_kills_at_its_writes() {
    let servers = [Server::start(shop)];
    let killed = kill_at_writes(&servers, None, kills());
    println!("one site: {killed} kills at writes");
    assert!(killed >= kills().min(40));
}

#[test]
#[ignore = "needs strace; make site-kills runs it"]
fn a_batch_survives_kills_at_its_writes() {
    let servers = [Server::start(shop), Server::start(shop)];
    let list: String = servers.iter().map(|server| format!("{}\n", server.url("/"))).collect();
    let killed = kill_at_writes(&servers, Some(&list), kills());
    println!("two sites: {killed} kills at writes");
    assert!(killed >= kills().min(40));
}
