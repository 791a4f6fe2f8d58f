//! The cache: what is stored and for how long, and what happens when files are corrupt, too many or
//! incomplete.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use copal_fetch::{CacheOptions, FetchOptions, Fetcher};
use copal_testserver::{Response, Server, html, not_found, redirect, response};
use support::*;

fn caching(folder: &Path, max_age: Duration) -> FetchOptions {
    let mut options = test_options(true);
    let mut cache = CacheOptions::new(folder);
    cache.max_age = max_age;
    options.cache = Some(cache);
    options
}

const HOUR: Duration = Duration::from_hours(1);

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn a_young_page_needs_no_request_even_in_another_process() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|request| match request.path.as_str() {
        "/moved" => redirect(301, "/page"),
        _ => response(
            "200 OK",
            "Content-Type: text/html; charset=utf-8\r\nLink: </2>; rel=next\r\n",
            "body\nof two lines",
        ),
    });
    let inner = folder.path().join("deep/cache");
    for path in ["/page", "/moved"] {
        let first = get(caching(&inner, HOUR), &server.url(path)).unwrap();
        let requests = server.requests().len();
        let second = get(caching(&inner, HOUR), &server.url(path)).unwrap();
        assert_eq!(server.requests().len(), requests);
        assert!(!first.from_cache && second.from_cache);
        let same = |page: &copal_fetch::FetchedPage| {
            let page = page.clone();
            (page.url, page.status, page.content_type, page.charset, page.links, page.body, page.redirects)
        };
        assert_eq!(same(&first), same(&second));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&inner), 0o700);
        assert!(files(&inner).iter().all(|file| mode(file) == 0o600));
    }
}

#[test]
fn an_old_page_is_requested_conditionally() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|request| {
        if request.path == "/changed" {
            return response("200 OK", "ETag: \"2\"\r\n", request.header("if-none-match"));
        }
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        if request.header("if-none-match") == "\"1\"" || request.header("if-modified-since") == date {
            return response("304 Not Modified", "", "");
        }
        let validator = if request.path == "/etag" {
            "ETag: \"1\"\r\n".into()
        } else {
            format!("Last-Modified: {date}\r\n")
        };
        response("200 OK", &validator, "the page")
    });
    for path in ["/etag", "/modified"] {
        let options = caching(folder.path(), Duration::ZERO);
        let first = get(options.clone(), &server.url(path)).unwrap();
        let second = get(options, &server.url(path)).unwrap();
        assert_eq!(
            (first.from_cache, second.from_cache, second.body.as_slice()),
            (false, true, &b"the page"[..])
        );
        assert_eq!(second.status, 200);
    }
    assert_eq!(server.requests().len(), 4);
    let options = caching(folder.path(), Duration::ZERO);
    get(options.clone(), &server.url("/changed")).unwrap();
    let page = get(options, &server.url("/changed")).unwrap();
    assert_eq!((page.from_cache, page.body.as_slice()), (false, &b"\"2\""[..]));
}

#[test]
fn no_store_errors_and_truncated_pages_are_not_stored() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|request| match request.path.as_str() {
        "/no-store" => response("200 OK", "Cache-Control: private, no-store\r\n", "secret"),
        "/404" => not_found(),
        "/500" => response("500 Broken", "", "oops"),
        _ => Response::Close(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf".to_vec()),
    });
    for path in ["/no-store", "/404", "/500", "/half"] {
        assert!(!get(caching(folder.path(), HOUR), &server.url(path)).unwrap().from_cache);
        assert!(files(folder.path()).is_empty(), "{path}");
    }
}

#[test]
fn corrupt_entries_are_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|_| html("the page as it is"));
    let url = server.url("/");
    get(caching(folder.path(), HOUR), &url).unwrap();
    let [file] = &files(folder.path())[..] else { panic!("one file") };
    let whole = fs::read(file).unwrap();
    let mut requests = 1;
    // Cut at every length, and with one wrong bit at every position.
    let cut = (0..whole.len()).map(|length| whole[..length].to_vec());
    let flipped = (0..whole.len()).map(|at| {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        bytes
    });
    let fetcher = fetcher(caching(folder.path(), HOUR));
    block_on(async {
        for bytes in cut.chain(flipped).step_by(7) {
            fs::write(file, &bytes).unwrap();
            let page = fetcher.get(&url).await.unwrap();
            assert_eq!(page.body, b"the page as it is");
            assert!(!page.from_cache);
            requests += 1;
        }
    });
    assert_eq!(server.requests().len(), requests);
    // A page of another URL under this file name.
    fs::write(file, whole.iter().map(|byte| if *byte == b'1' { b'2' } else { *byte }).collect::<Vec<u8>>())
        .unwrap();
    assert!(!get(caching(folder.path(), HOUR), &url).unwrap().from_cache);
}

#[test]
fn the_oldest_pages_are_deleted_when_the_folder_is_full() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|_| html(&"x".repeat(10_000)));
    let mut options = caching(folder.path(), HOUR);
    options.cache.as_mut().unwrap().max_bytes = 100_000;
    let fetcher = fetcher(options.clone());
    block_on(async {
        for page in 0..30 {
            fetcher.get(&server.url(&format!("/{page}"))).await.unwrap();
            let total: u64 = files(folder.path()).iter().map(|file| fs::metadata(file).unwrap().len()).sum();
            assert!(total <= 100_000, "{total}");
            // Pages are ordered by modification time.
            std::thread::sleep(Duration::from_millis(10));
        }
    });
    let kept = files(folder.path()).len();
    assert!((5..=9).contains(&kept), "{kept}");
    assert!(get(options.clone(), &server.url("/29")).unwrap().from_cache);
    assert!(!get(options, &server.url("/0")).unwrap().from_cache);
}

#[test]
fn two_fetchers_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|request| html(&request.path.repeat(100)));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let mut options = caching(folder.path(), HOUR);
            options.cache.as_mut().unwrap().max_bytes = 20_000;
            let urls: Vec<(String, String)> =
                (0..40).map(|n| (server.url(&format!("/{}", n % 20)), format!("/{}", n % 20))).collect();
            std::thread::spawn(move || {
                let fetcher = Fetcher::new(options).unwrap();
                for (url, path) in urls {
                    assert_eq!(block_on(fetcher.get(&url)).unwrap().body, path.repeat(100).as_bytes());
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[test]
fn a_folder_that_cannot_be_created_is_reported_and_pages_are_fetched() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let server = Server::start(|_| html("the page"));
    let fetcher = fetcher(caching(&file.join("cache"), HOUR));
    let problem = fetcher.cache_problem().unwrap().to_string();
    assert!(problem.starts_with("the cache ") && problem.contains("cannot be written"), "{problem}");
    block_on(async {
        for _ in 0..2 {
            let page = fetcher.get(&server.url("/")).await.unwrap();
            assert_eq!((page.body.as_slice(), page.from_cache), (&b"the page"[..], false));
        }
    });
}

/// `/proc` is a folder in which nobody, not even root, can create files.
#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_is_reported() {
    let fetcher = fetcher(caching(Path::new("/proc"), HOUR));
    assert!(matches!(fetcher.cache_problem(), Some(copal_fetch::FetchError::Cache { .. })));
    let server = Server::start(|_| html("the page"));
    assert_eq!(block_on(fetcher.get(&server.url("/"))).unwrap().body, b"the page");
}

/// Runs this test program as a child that fetches until it is killed.
#[cfg(unix)]
#[test]
fn a_killed_run_continues_from_the_cache() {
    const PAGES: usize = 300;
    if let Ok(given) = std::env::var("COPAL_TEST_CACHE") {
        let (folder, base) = given.split_once(' ').unwrap();
        let fetcher = fetcher(caching(Path::new(folder), HOUR));
        block_on(async {
            for page in 0..PAGES {
                fetcher.get(&format!("{base}/{page}")).await.unwrap();
            }
        });
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|request| html(&request.path.repeat(5000)));
    for round in 0..6_u64 {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_killed_run_continues_from_the_cache"])
            .env("COPAL_TEST_CACHE", format!("{} {}", folder.path().display(), server.url("")))
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(30 + 17 * round));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let requested = server.requests().len();
    let stored = files(folder.path())
        .iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "page"))
        .count();
    let fetcher = fetcher(caching(folder.path(), HOUR));
    let mut from_cache = 0;
    block_on(async {
        for page in 0..PAGES {
            let page_body = fetcher.get(&server.url(&format!("/{page}"))).await.unwrap();
            assert_eq!(page_body.body, format!("/{page}").repeat(5000).as_bytes());
            from_cache += usize::from(page_body.from_cache);
        }
    });
    assert_eq!((from_cache, server.requests().len() - requested), (stored, PAGES - stored));
    // Each kill loses at most the page that was being fetched.
    assert!(requested <= stored + 6, "{requested} requests, {stored} pages");
}
