//! The browser is killed at random moments: every page has a result or an error, and no process is left.

use crate::lamps::LampServer;
use copal_dom::Limits;
use copal_fetch::{FetchOptions, Fetcher, Politeness};
use copal_render::{RenderError, RenderOptions, Renderer};
use std::fs;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Pages that are shown, and kills meanwhile (`COPAL_BROWSER_KILLS` times two pages).
fn kill_count() -> usize {
    std::env::var("COPAL_BROWSER_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(6)
}

/// The processes of the group that a browser leads.
fn group_members(leader: u32) -> Vec<u32> {
    let is_member = |id: &u32| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // after the name in parentheses: state, parent, group
        let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let state = fields.next().unwrap_or("Z").to_owned();
        state != "Z" && fields.nth(1).and_then(|group| group.parse().ok()) == Some(leader)
    };
    let ids =
        fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(is_member).collect()
}

/// Shows the page of lamps; whether it has its list.
fn show(renderer: &Renderer, fetcher: &Fetcher, url: &str) -> Result<bool, RenderError> {
    let stop: Arc<dyn Fn() -> bool + Send + Sync> = Arc::new(|| false);
    let mut tab = renderer.open(url, None, fetcher, &stop)?;
    let (page, _) = tab.page(&Limits::default())?;
    Ok(page.text_of(0).contains("Lamp 020"))
}

/// How long the processes of a browser that was closed may take to end.
const PATIENCE: Duration = Duration::from_mins(2);

#[test]
#[ignore = "needs a browser: make browser"]
fn every_page_is_accounted_for_when_browsers_die() {
    let kills = kill_count();
    let server = LampServer::start();
    let url = server.page("fetch");
    let mut fetch = FetchOptions::default();
    (fetch.allow_private, fetch.politeness) = (true, Politeness::Off);
    let mut options = RenderOptions::default();
    (options.sandbox, options.max_tabs) = (false, 2);
    let renderer = Renderer::new(options).unwrap();
    let (killed, done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let killer = {
        let (renderer, killed, done) = (renderer.clone(), Arc::clone(&killed), Arc::clone(&done));
        thread::spawn(move || {
            let (mut leaders, mut seed) = (Vec::new(), 12_345_u64);
            while !done.load(Ordering::SeqCst) {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                thread::sleep(Duration::from_millis(300 + (seed >> 33) % 2_500));
                let Some(id) = renderer.process_id().filter(|id| leaders.last() != Some(id)) else {
                    continue;
                };
                leaders.push(id);
                if killed.load(Ordering::SeqCst) < kills {
                    assert!(Command::new("kill").args(["-9", &id.to_string()]).status().unwrap().success());
                    killed.fetch_add(1, Ordering::SeqCst);
                }
            }
            leaders
        })
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let fetcher = runtime.block_on(async { Fetcher::new(fetch) }).unwrap();
    let in_background = || {
        let (renderer, fetcher, url) = (renderer.clone(), fetcher.clone(), url.clone());
        runtime.spawn_blocking(move || show(&renderer, &fetcher, &url))
    };
    let (shown, failed) = runtime.block_on(async {
        let results: Vec<_> = (0..2 * kills).map(|_| in_background()).collect();
        let (mut shown, mut failed) = (0, 0);
        for result in results {
            match result.await.unwrap() {
                Ok(complete) => {
                    assert!(complete, "a page without its list");
                    shown += 1;
                }
                Err(RenderError::Crashed | RenderError::Start { .. } | RenderError::Timeout { .. }) => {
                    failed += 1;
                }
                Err(error) => panic!("{error}"),
            }
        }
        (shown, failed)
    });
    done.store(true, Ordering::SeqCst);
    let leaders = killer.join().unwrap();
    eprintln!("{} kills: {shown} pages shown, {failed} reported", killed.load(Ordering::SeqCst));
    assert_eq!(shown + failed, 2 * kills);
    assert!(killed.load(Ordering::SeqCst) > 0);
    // on a slow machine each of the others may have been killed: now nobody kills
    assert!(runtime.block_on(in_background()).unwrap().unwrap(), "a page without its list");
    let last = renderer.process_id();
    drop(renderer);
    let began = Instant::now();
    for leader in leaders.into_iter().chain(last) {
        while !group_members(leader).is_empty() {
            assert!(began.elapsed() < PATIENCE, "processes of browser {leader} are left");
            thread::sleep(Duration::from_millis(50));
        }
    }
}
