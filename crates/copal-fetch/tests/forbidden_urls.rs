//! URLs that must not be fetched, in every spelling we know of, requested directly and as redirects. Each
//! gives an error with the reason, and a canary on loopback checks that no connection reached it.

#![allow(clippy::unwrap_used)]

#[path = "support/forbidden_forms.rs"]
mod forbidden_forms;
mod support;

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use copal_fetch::{FetchError, FetchErrorKind};
use copal_testserver::{Response, Server, html, redirect};
use forbidden_forms::forms;
use support::*;

fn canary() -> Server {
    Server::start(|_| html("you should not see this"))
}

#[test]
fn no_forbidden_url_reaches_the_canary() {
    let canary = canary();
    let fetcher = fetcher(test_options(false));
    let forms = forms(canary.address().port());
    assert!(forms.iter().collect::<BTreeSet<_>>().len() >= 300, "{}", forms.len());
    for url in forms {
        let error = block_on(fetcher.get(&url)).expect_err(&url);
        assert_eq!(error.kind(), FetchErrorKind::Url, "{url}: {error}");
        assert!(
            !error.is_temporary() && !error.to_string().contains(|c: char| c.is_control()),
            "{url}: {error}"
        );
    }
    assert_eq!(canary.connections(), 0);
}

/// The first hop is a host that is treated as global.
#[cfg(target_os = "linux")]
#[test]
fn no_redirect_to_a_forbidden_url_reaches_the_canary() {
    let canary = canary();
    let forms = forms(canary.address().port());
    // Headers cannot contain control characters. Relative forms lead back to the allowed host.
    let header = |form: &String| !form.contains(char::is_control) && form.trim() == form;
    let forms: Vec<String> = forms.into_iter().filter(header).collect();
    let relative = |form: &str| form.starts_with("http:127") || form.starts_with("http:/127");
    let locations = forms.clone();
    let public = Server::start_at("127.0.0.2:0", move |request| match request.path[1..].parse::<usize>() {
        Ok(number) => redirect(302, &locations[number]),
        Err(_) => html("back here"),
    });
    let mut options = test_options(false);
    options.hooks.global = vec!["127.0.0.2".parse().unwrap()];
    options.hooks.resolver = Some(StaticNames::of(&[("public.example", &[&["127.0.0.2"]])]));
    let fetcher = fetcher(options);
    let mut refused = 0;
    for (number, form) in forms.iter().enumerate() {
        let url = public.url_with_host("public.example", &format!("/{number}"));
        let result = block_on(fetcher.get(&url));
        if relative(form) || form.starts_with("http://127.0.0.2:") {
            continue;
        }
        let error = result.expect_err(form);
        assert_eq!(error.kind(), FetchErrorKind::Url, "{form}: {error}");
        assert!(error.to_string().contains("redirects to a URL that is not allowed"), "{form}: {error}");
        refused += 1;
    }
    assert!(refused >= 280, "{refused}");
    assert_eq!((canary.connections(), public.requests().len() >= forms.len()), (0, true));
}

#[test]
fn names_with_a_private_address_are_refused() {
    let canary = canary();
    let mut options = test_options(false);
    options.hooks.resolver = Some(StaticNames::of(&[
        ("a.example", &[&["127.0.0.1"]]),
        ("b.example", &[&["93.184.216.34", "127.0.0.1"]]),
        ("c.example", &[&["::1"]]),
        ("d.example", &[&["2606:4700::1", "::ffff:127.0.0.1"]]),
        ("e.example", &[&["169.254.169.254"]]),
        ("f.example", &[&[]]),
    ]));
    let fetcher = fetcher(options);
    for host in ["a", "b", "c", "d", "e"] {
        let error =
            block_on(fetcher.get(&canary.url_with_host(&format!("{host}.example"), "/"))).unwrap_err();
        assert!(matches!(error, FetchError::PrivateAddress { .. }), "{host}: {error:?}");
    }
    let error = block_on(fetcher.get(&canary.url_with_host("a.example", "/"))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a.example (127.0.0.1) is a private address: use --allow-private to allow it"
    );
    let error = block_on(fetcher.get(&canary.url_with_host("f.example", "/"))).unwrap_err();
    assert!(matches!(error, FetchError::HostNotFound { .. }), "{error}");
    assert_eq!(canary.connections(), 0);
}

/// The name has a global address at the first lookup and a private one at the second.
#[cfg(target_os = "linux")]
#[test]
fn a_name_that_changes_its_address_is_checked_for_every_connection() {
    let canary = canary();
    let port = canary.address().port();
    let page = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok".to_vec();
    let public = Server::start_at(&format!("127.0.0.2:{port}"), move |request| match request.path.as_str() {
        "/away" => {
            Response::Close(b"HTTP/1.1 302 Found\r\nLocation: /x\r\nConnection: close\r\n\r\n".to_vec())
        }
        _ => Response::Close(page.clone()),
    });
    for path in ["/", "/away"] {
        let names = StaticNames::of(&[("rebind.example", &[&["127.0.0.2"], &["127.0.0.1"]])]);
        let mut options = test_options(false);
        options.retries = 3;
        options.hooks.global = vec!["127.0.0.2".parse().unwrap()];
        options.hooks.resolver = Some(names.clone());
        let fetcher = fetcher(options);
        let url = format!("http://rebind.example:{port}{path}");
        let first = block_on(fetcher.get(&url));
        let second = if path == "/" { block_on(fetcher.get(&url)) } else { first };
        assert_eq!(second.unwrap_err().kind(), FetchErrorKind::Url);
        assert!(names.lookups.load(Ordering::SeqCst) >= 2);
    }
    assert_eq!((canary.connections(), public.requests().len()), (0, 2));
}

#[test]
fn private_hosts_are_fetched_if_allowed() {
    let server = canary();
    for url in [
        server.url("/"),
        server.url_with_host("localhost.test", "/"),
        server.url_with_host("2130706433", "/"),
    ] {
        assert_eq!(get(test_options(true), &url).unwrap().status, 200, "{url}");
    }
    let error = get(test_options(false), &server.url("/")).unwrap_err();
    assert_eq!(error.to_string(), "127.0.0.1 is a private address: use --allow-private to allow it");
    let error = get(test_options(false), "http://localhost/").unwrap_err();
    assert_eq!(error.to_string(), "localhost is a local host name: use --allow-private to allow it");
    // Blocked ports and userinfo are never allowed.
    for url in ["http://127.0.0.1:22/", "http://a@127.0.0.1/"] {
        assert_eq!(get(test_options(true), url).unwrap_err().kind(), FetchErrorKind::Url);
    }
}
