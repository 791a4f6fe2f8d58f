//! Addresses that must not be asked, written in every way we know of, directly and as redirects: each gives an error
//! that says why, and a canary on loopback counts that no connection reached it.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use copal_fetch::{ErrorKind, FetchError};
use copal_testserver::{Answer, Server, html, redirect};
use support::*;

/// `PORT` is the canary's.
fn forms(port: u16) -> Vec<String> {
    let hosts = include_str!("data/forbidden-hosts.txt").lines().filter(|line| !line.starts_with("// "));
    let mut forms = Vec::new();
    for host in hosts.chain([""]) {
        // userinfo and broken ports have their own
        let has_port = host.contains(['#', '?', '\\']) || host.contains(":99999") || host.contains(":x");
        let authority = if has_port {
            host.replacen("127.0.0.1", &format!("127.0.0.1:{port}"), 1)
        } else {
            format!("{host}:{port}")
        };
        forms.push(format!("http://{authority}/"));
    }
    for ways in [
        "http:127.0.0.1:PORT",
        "http:/127.0.0.1:PORT/",
        "http:\\\\127.0.0.1:PORT\\",
        "http:///127.0.0.1:PORT/",
        "http://///127.0.0.1:PORT/",
        "hTTp://127.0.0.1:PORT/",
        " http://127.0.0.1:PORT/ ",
        "ht\ntp://127.0.0.1:PORT/",
        "http://127.0.\t0.1:PORT/",
        "\u{1}http://127.0.0.1:PORT/",
        "https://127.0.0.1:PORT/",
        "https://[::1]:PORT/",
        "https://localhost:PORT/",
        "ws://127.0.0.1:PORT/",
        "wss://127.0.0.1:PORT/",
        "file:///etc/passwd",
        "file://127.0.0.1/etc/passwd",
        "FILE:/etc/passwd",
        "ftp://127.0.0.1:PORT/",
        "ftp://example.org/",
        "gopher://127.0.0.1:PORT/_x",
        "dict://127.0.0.1:PORT/x",
        "ldap://127.0.0.1:PORT/",
        "data:text/html,x",
        "javascript:alert(1)",
        "blob:http://127.0.0.1:PORT/x",
        "about:blank",
        "view-source:http://127.0.0.1:PORT/",
        "jar:http://127.0.0.1:PORT/x!/",
        "mailto:a@b.example",
        "chrome://settings",
        "unix:/var/run/docker.sock",
        "http+unix://%2Fvar%2Frun%2Fdocker.sock/x",
        "netdoc:///etc/passwd",
        "tel:1",
        "urn:x:y",
        "http://example.org:0/",
        "http://example.org:21/",
        "http://example.org:22/",
        "http://example.org:25/",
        "http://example.org:6667/",
        "http://example.org:10080/",
        "https://example.org:993/",
        "http://example.org:6000/",
        "http://xn--/",
        "http://exa\u{0}mple/",
        "http://",
    ] {
        forms.push(ways.replace("PORT", &port.to_string()));
    }
    forms
}

fn canary() -> Server {
    Server::start(|_| html("you should not see this"))
}

#[test]
fn no_form_of_a_forbidden_address_reaches_the_canary() {
    let canary = canary();
    let fetcher = fetcher(quick(false));
    let forms = forms(canary.address().port());
    assert!(forms.iter().collect::<BTreeSet<_>>().len() >= 150, "{}", forms.len());
    for url in forms {
        let error = block_on(fetcher.get(&url)).expect_err(&url);
        assert_eq!(error.kind(), ErrorKind::Address, "{url}: {error}");
        assert!(
            !error.is_temporary() && !error.to_string().contains(|c: char| c.is_control()),
            "{url}: {error}"
        );
    }
    assert_eq!(canary.connections(), 0);
}

/// The first hop is a host that counts as global.
#[cfg(target_os = "linux")]
#[test]
fn no_redirect_to_a_forbidden_address_reaches_the_canary() {
    let canary = canary();
    let forms = forms(canary.address().port());
    // a header holds no control characters; relative forms lead back to the host that may be asked
    let header = |form: &String| !form.contains(char::is_control) && form.trim() == form;
    let forms: Vec<String> = forms.into_iter().filter(header).collect();
    let relative = |form: &str| form.starts_with("http:127") || form.starts_with("http:/127");
    let locations = forms.clone();
    let public = Server::start_at("127.0.0.2:0", move |request| match request.path[1..].parse::<usize>() {
        Ok(number) => redirect(302, &locations[number]),
        Err(_) => html("back here"),
    });
    let mut options = quick(false);
    options.hooks.global = vec!["127.0.0.2".parse().unwrap()];
    options.hooks.resolver = Some(Names::of(&[("public.example", &[&["127.0.0.2"]])]));
    let fetcher = fetcher(options);
    let mut refused = 0;
    for (number, form) in forms.iter().enumerate() {
        let url = public.url_as("public.example", &format!("/{number}"));
        let result = block_on(fetcher.get(&url));
        if relative(form) || form.starts_with("http://127.0.0.2:") {
            continue;
        }
        let error = result.expect_err(form);
        assert_eq!(error.kind(), ErrorKind::Address, "{form}: {error}");
        assert!(error.to_string().contains("redirects to where copal does not go"), "{form}: {error}");
        refused += 1;
    }
    assert!(refused >= 150, "{refused}");
    assert_eq!((canary.connections(), public.requests().len() >= forms.len()), (0, true));
}

#[test]
fn names_with_a_private_address_are_refused() {
    let canary = canary();
    let mut options = quick(false);
    options.hooks.resolver = Some(Names::of(&[
        ("a.example", &[&["127.0.0.1"]]),
        ("b.example", &[&["93.184.216.34", "127.0.0.1"]]),
        ("c.example", &[&["::1"]]),
        ("d.example", &[&["2606:4700::1", "::ffff:127.0.0.1"]]),
        ("e.example", &[&["169.254.169.254"]]),
        ("f.example", &[&[]]),
    ]));
    let fetcher = fetcher(options);
    for host in ["a", "b", "c", "d", "e"] {
        let error = block_on(fetcher.get(&canary.url_as(&format!("{host}.example"), "/"))).unwrap_err();
        assert!(matches!(error, FetchError::Private { .. }), "{host}: {error:?}");
    }
    let error = block_on(fetcher.get(&canary.url_as("a.example", "/"))).unwrap_err();
    assert_eq!(error.to_string(), "a.example (127.0.0.1) is a private address: --allow-private permits it");
    let error = block_on(fetcher.get(&canary.url_as("f.example", "/"))).unwrap_err();
    assert!(matches!(error, FetchError::Name { .. }), "{error}");
    assert_eq!(canary.connections(), 0);
}

/// The name is global when it is first asked, and private when it is asked again.
#[cfg(target_os = "linux")]
#[test]
fn a_name_that_changes_its_address_is_checked_for_every_connection() {
    let canary = canary();
    let port = canary.address().port();
    let page = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok".to_vec();
    let public = Server::start_at(&format!("127.0.0.2:{port}"), move |request| match request.path.as_str() {
        "/away" => Answer::Close(b"HTTP/1.1 302 Found\r\nLocation: /x\r\nConnection: close\r\n\r\n".to_vec()),
        _ => Answer::Close(page.clone()),
    });
    for path in ["/", "/away"] {
        let names = Names::of(&[("rebind.example", &[&["127.0.0.2"], &["127.0.0.1"]])]);
        let mut options = quick(false);
        options.retries = 3;
        options.hooks.global = vec!["127.0.0.2".parse().unwrap()];
        options.hooks.resolver = Some(names.clone());
        let fetcher = fetcher(options);
        let url = format!("http://rebind.example:{port}{path}");
        let first = block_on(fetcher.get(&url));
        let second = if path == "/" { block_on(fetcher.get(&url)) } else { first };
        assert_eq!(second.unwrap_err().kind(), ErrorKind::Address);
        assert!(names.lookups.load(Ordering::SeqCst) >= 2);
    }
    assert_eq!((canary.connections(), public.requests().len()), (0, 2));
}

#[test]
fn what_is_permitted_is_asked() {
    let server = canary();
    for url in [server.url("/"), server.url_as("localhost.test", "/"), server.url_as("2130706433", "/")] {
        assert_eq!(get(quick(true), &url).unwrap().status, 200, "{url}");
    }
    let error = get(quick(false), &server.url("/")).unwrap_err();
    assert_eq!(error.to_string(), "127.0.0.1 is a private address: --allow-private permits it");
    let error = get(quick(false), "http://localhost/").unwrap_err();
    assert_eq!(
        error.to_string(),
        "localhost is a name of this machine or network: --allow-private permits it"
    );
    // ports and userinfo are never permitted
    for url in ["http://127.0.0.1:22/", "http://a@127.0.0.1/"] {
        assert_eq!(get(quick(true), url).unwrap_err().kind(), ErrorKind::Address);
    }
}
