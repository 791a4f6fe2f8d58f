//! Good and bad responses: bodies, lengths, encodings, redirects, retries, cookies.

#![allow(clippy::unwrap_used)]

mod support;

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use copal_fetch::{FetchError, FetchErrorKind};
use copal_testserver::{Response, Server, html, not_found, redirect, response};
use support::*;

#[test]
fn a_page_has_what_its_headers_declare() {
    let server = Server::start(|_| {
        let headers = "Content-Type: Text/HTML; charset=ISO-8859-1\r\nLink: <?p=2>; rel=\"next\"\r\n";
        response("200 OK", headers, b"caf\xe9")
    });
    let page = get(test_options(true), &server.url("/list?p=1#top")).unwrap();
    assert_eq!((page.status, page.body.as_slice()), (200, &b"caf\xe9"[..]));
    assert_eq!(
        (page.content_type.as_deref(), page.charset.as_deref()),
        (Some("text/html"), Some("ISO-8859-1"))
    );
    assert_eq!(page.url, server.url("/list?p=1"));
    assert_eq!(page.links, [("next".to_owned(), server.url("/list?p=2"))]);
    assert!(!page.truncated && !page.from_cache && !page.downgraded && page.redirects.is_empty());
    let request = &server.requests()[0];
    assert!(request.header("user-agent").starts_with("copal/"), "{request:?}");
    assert_eq!((request.header("cookie"), request.header("referer")), ("", ""));
}

#[test]
fn chunks_and_slow_pieces_form_one_body() {
    let server = Server::start(|request| {
        let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
        let pieces =
            vec![head, b"3\r\nabc\r\n".to_vec(), b"4;x=y\r\ndefg\r\n".to_vec(), b"0\r\n\r\n".to_vec()];
        match request.path.as_str() {
            "/slow" => Response::Slow(pieces, Duration::from_millis(20)),
            _ => Response::Bytes(pieces.concat()),
        }
    });
    for path in ["/", "/slow"] {
        let page = get(test_options(true), &server.url(path)).unwrap();
        assert_eq!((page.body.as_slice(), page.truncated), (&b"abcdefg"[..], false), "{path}");
    }
}

#[test]
fn bodies_that_end_early_are_retried_and_then_returned_truncated() {
    let server = Server::start(|request| match request.path.as_str() {
        "/length" => Response::Close(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf".to_vec()),
        "/chunk" => Response::Close(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n9\r\nx".to_vec(),
        ),
        "/none" => Response::Close(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n".to_vec()),
        "/bad" => Response::Close(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzzz\r\n".to_vec(),
        ),
        _ => Response::Close(
            b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhalf and more than declared".to_vec(),
        ),
    });
    let mut options = test_options(true);
    options.retries = 1;
    for path in ["/length", "/chunk", "/bad"] {
        let page = get(options.clone(), &server.url(path)).unwrap();
        assert!(page.truncated && page.body.starts_with(b"half"), "{path} {page:?}");
        assert_eq!(server.paths().iter().filter(|asked| *asked == path).count(), 2, "{path}");
    }
    let error = get(options.clone(), &server.url("/none")).unwrap_err();
    assert!(error.is_temporary() && error.kind() == FetchErrorKind::Network, "{error}");
    let page = get(options, &server.url("/more")).unwrap();
    assert_eq!((page.body.as_slice(), page.truncated), (&b"half"[..], false));
}

#[test]
fn endless_bodies_are_cut_at_the_limit() {
    let server = Server::start(|request| match request.path.as_str() {
        "/body" => Response::Endless(b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), vec![b'x'; 4096]),
        _ => Response::Endless(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec(),
            b"2\r\nxx\r\n".to_vec(),
        ),
    });
    for (decoded, wire) in [(100_000, 1_000_000), (1_000_000, 100_000)] {
        let mut options = test_options(true);
        options.limits.decoded_bytes = decoded;
        options.limits.wire_bytes = wire;
        for path in ["/body", "/chunks"] {
            let page = get(options.clone(), &server.url(path)).unwrap();
            assert_eq!((page.body.len(), page.truncated), (100_000, true), "{path}");
        }
    }
}

#[test]
fn slow_servers_time_out() {
    let server = Server::start(|request| match request.path.as_str() {
        "/silent" => Response::Slow(vec![Vec::new()], Duration::from_secs(20)),
        "/head" => Response::Slow(vec![b"HTTP/1.1 200 OK\r\nA: b".to_vec()], Duration::from_secs(20)),
        _ => Response::Slow(
            vec![b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".to_vec()],
            Duration::from_secs(20),
        ),
    });
    let mut options = test_options(true);
    options.limits.total_time = Duration::from_millis(1500);
    for path in ["/silent", "/head"] {
        let error = get(options.clone(), &server.url(path)).unwrap_err();
        assert!(matches!(error, FetchError::Timeout { .. }), "{path}: {error}");
        assert_eq!(error.to_string(), "127.0.0.1 did not respond within 1.5 seconds");
    }
    options.limits.total_time = Duration::from_secs(3);
    let page = get(options, &server.url("/half")).unwrap();
    assert_eq!((page.body.as_slice(), page.truncated), (&b"half"[..], true));
}

#[test]
fn oversized_headers_are_refused() {
    let server = Server::start(|request| match request.path.as_str() {
        "/endless" => {
            Response::Endless(b"HTTP/1.1 200 OK\r\n".to_vec(), b"X-Filler: 0123456789012345\r\n".to_vec())
        }
        "/line" => Response::Endless(b"HTTP/1.1 200 OK\r\nX: ".to_vec(), vec![b'x'; 4096]),
        "/status" => Response::Endless(b"HTTP/1.1 200 ".to_vec(), vec![b'x'; 4096]),
        "/interim" => Response::Endless(Vec::new(), b"HTTP/1.1 100 Continue\r\n\r\n".to_vec()),
        "/many" => response("200 OK", &"A: b\r\n".repeat(5000), ""),
        _ => response("200 OK", &format!("X: {}\r\n", "x".repeat(70_000)), ""),
    });
    for path in ["/endless", "/line", "/status", "/many", "/large"] {
        let error = get(test_options(true), &server.url(path)).unwrap_err();
        assert!(matches!(error, FetchError::HeadersTooLarge { .. }), "{path}: {error:?}");
        assert!(!error.is_temporary() && error.kind() == FetchErrorKind::Limit);
    }
    let mut options = test_options(true);
    options.limits.total_time = Duration::from_millis(1500);
    let error = get(options, &server.url("/interim")).unwrap_err();
    assert!(matches!(error, FetchError::Timeout { .. } | FetchError::Protocol { .. }), "{error:?}");
}

#[test]
fn responses_that_are_not_http_are_reported() {
    let server = Server::start(|request| match request.path.as_str() {
        "/ssh" => Response::Close(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec()),
        "/empty" => Response::Close(Vec::new()),
        "/two" => {
            Response::Close(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab".to_vec())
        }
        _ => response("200 OK", "Content-Encoding: rot13\r\n", "uryyb"),
    });
    for path in ["/ssh", "/empty", "/two"] {
        let error = get(test_options(true), &server.url(path)).unwrap_err();
        assert!(
            error.to_string().starts_with("127.0.0.1 did not send a valid HTTP response: "),
            "{path}: {error}"
        );
    }
    let error = get(test_options(true), &server.url("/encoding")).unwrap_err();
    assert_eq!(error.to_string(), "127.0.0.1 sent a body in an unsupported encoding: rot13");
}

fn page_text() -> String {
    let items: String = (0..400).map(|n| format!("<li>entry {n}</li>")).collect();
    format!("<ul>{items}</ul>")
}

#[test]
fn all_encodings_are_decoded() {
    let text = page_text();
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    zlib.write_all(text.as_bytes()).unwrap();
    let mut raw = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    raw.write_all(text.as_bytes()).unwrap();
    let (first, second) = text.split_at(1000);
    let zstd = include_bytes!("data/page.zst").to_vec();
    let skippable = [&b"\x50\x2a\x4d\x18\x03\0\0\0abc"[..], &zstd].concat();
    let cases = vec![
        ("gzip", gzip(&text)),
        ("X-GZip", [gzip(first), gzip(second)].concat()),
        ("deflate", zlib.finish().unwrap()),
        ("deflate", raw.finish().unwrap()),
        ("br", include_bytes!("data/page.br").to_vec()),
        ("zstd", zstd),
        ("identity, zstd", skippable),
        ("", text.clone().into_bytes()),
    ];
    let served = cases.clone();
    let server = Server::start(move |request| {
        let (number, transfer) = request.path[1..].split_once('/').unwrap();
        let (encoding, body) = &served[number.parse::<usize>().unwrap()];
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Encoding: {encoding}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        match transfer {
            "whole" => Response::Bytes([head.as_bytes(), body].concat()),
            "half" => Response::Close([head.as_bytes(), &body[..body.len() / 2]].concat()),
            _ => Response::Slow(
                [head.as_bytes(), body].concat().chunks(97).map(<[u8]>::to_vec).collect(),
                Duration::ZERO,
            ),
        }
    });
    for (number, (encoding, _)) in cases.iter().enumerate() {
        for transfer in ["whole", "pieces"] {
            let page = get(test_options(true), &server.url(&format!("/{number}/{transfer}"))).unwrap();
            assert!(
                page.body == text.as_bytes() && !page.truncated,
                "{number} {encoding} {transfer} {}",
                page.body.len()
            );
        }
        let half = get(test_options(true), &server.url(&format!("/{number}/half")));
        match half {
            Ok(page) => assert!(page.truncated && text.as_bytes().starts_with(&page.body), "{encoding}"),
            // A small body is a single block, which can only be decoded as a whole.
            Err(error) => assert!(encoding.ends_with("zstd") && error.is_temporary(), "{encoding} {error}"),
        }
    }
}

#[test]
fn corrupt_compressed_data_gives_what_was_decoded_before() {
    let encodings = ["gzip", "deflate", "br", "zstd"];
    let server = Server::start(move |request| {
        let number: usize = request.path[1..].parse().unwrap();
        response(
            "200 OK",
            &format!("Content-Encoding: {}\r\n", encodings[number]),
            "this is not compressed data, not at all",
        )
    });
    for number in 0..encodings.len() {
        match get(test_options(true), &server.url(&format!("/{number}"))) {
            Ok(page) => assert!(page.truncated, "{number}"),
            Err(error) => assert!(error.to_string().contains("data is corrupt"), "{error}"),
        }
    }
}

#[test]
fn redirects_are_followed_with_their_cookies() {
    let server = Server::start(|request| match request.path.as_str() {
        "/a" => response("302 Found", "Location: b?x=1\r\nSet-Cookie: k=v; Path=/\r\n", ""),
        "/b?x=1" => redirect(308, "//two.test:PORT/c#d"),
        _ => html(request.header("cookie")),
    });
    let port = server.address().port();
    let other = Server::start(move |request| match request.path.as_str() {
        "/a" => response(
            "301 Moved",
            &format!("Location: http://one.test:{port}/d\r\nSet-Cookie: k=v; Path=/\r\n"),
            "",
        ),
        _ => html(request.header("cookie")),
    });
    let page = get(test_options(true), &other.url_with_host("two.test", "/a")).unwrap();
    assert_eq!((page.body.as_slice(), page.url), (&b""[..], format!("http://one.test:{port}/d")));
    assert_eq!(page.redirects, [other.url_with_host("two.test", "/a")]);
    let options = test_options(true);
    let fetcher = fetcher(options);
    let error = block_on(fetcher.get(&server.url_with_host("one.test", "/a"))).unwrap_err();
    assert!(matches!(error, FetchError::RefusedRedirect { .. }), "the port is not a number: {error}");
    assert_eq!(server.requests().last().unwrap().header("cookie"), "k=v");
}

#[test]
fn redirect_loops_end_and_bad_redirects_are_reported() {
    let server = Server::start(|request| match request.path.as_str() {
        "/self" => redirect(302, "/self"),
        "/file" => redirect(302, "file:///etc/passwd"),
        "/script" => redirect(302, "javascript:alert(1)"),
        "/none" => response("302 Found", "", "no location"),
        "/304" => response("304 Not Modified", "", ""),
        path => redirect(307, &format!("{path}x")),
    });
    for path in ["/self", "/longer"] {
        let error = get(test_options(true), &server.url(path)).unwrap_err();
        assert_eq!(error, FetchError::TooManyRedirects { url: server.url(path), limit: 10 });
    }
    assert_eq!(server.paths().iter().filter(|path| *path == "/self").count(), 11);
    for path in ["/file", "/script"] {
        let error = get(test_options(true), &server.url(path)).unwrap_err();
        assert!(error.to_string().contains("URLs cannot be fetched"), "{error}");
        assert_eq!(error.kind(), FetchErrorKind::Url);
    }
    assert_eq!(get(test_options(true), &server.url("/none")).unwrap().body, b"no location");
    assert_eq!(get(test_options(true), &server.url("/304")).unwrap().status, 304);
}

#[test]
fn an_error_status_is_a_page_or_an_error_on_request() {
    let server = Server::start(|_| not_found());
    let page = get(test_options(true), &server.url("/x")).unwrap();
    assert_eq!((page.status, page.body.as_slice()), (404, &b"nothing here"[..]));
    let error = page.successful().unwrap_err();
    assert_eq!(error.to_string(), format!("{} returned 404 Not Found", server.url("/x")));
    assert!(!error.is_temporary() && error.kind() == FetchErrorKind::Response);
}

#[test]
fn temporary_failures_are_retried_when_the_server_says() {
    let asked = AtomicUsize::new(0);
    let server = Server::start(move |request| match request.path.as_str() {
        "/never" => response("503 Busy", "Retry-After: 3600\r\n", ""),
        "/gone" => response("404 Not Found", "", ""),
        "/busy" => response("503 Busy", "", "busy"),
        _ => match asked.fetch_add(1, Ordering::SeqCst) {
            0 => response("429 Slow down", "Retry-After: 1\r\n", ""),
            1 => response("502 Bad Gateway", "Retry-After: Thu, 01 Jan 1970 00:00:00 GMT\r\n", ""),
            _ => html("at last"),
        },
    });
    let mut options = test_options(true);
    options.retries = 3;
    let began = Instant::now();
    let page = get(options.clone(), &server.url("/")).unwrap();
    assert_eq!((page.body.as_slice(), server.requests().len()), (&b"at last"[..], 3));
    assert!(began.elapsed() >= Duration::from_secs(1));
    for (path, status, requests) in [("/never", 503, 1), ("/gone", 404, 1), ("/busy", 503, 4)] {
        let page = get(options.clone(), &server.url(path)).unwrap();
        let asked = server.paths().iter().filter(|asked| *asked == path).count();
        assert_eq!((page.status, asked), (status, requests), "{path}");
    }
}

#[test]
fn unreachable_hosts_are_reported() {
    let error = get(test_options(true), "http://nowhere.example/").unwrap_err();
    assert_eq!(error.to_string(), "host nowhere.example was not found: no such name");
    // A port that was free a moment ago.
    let url = Server::start(|_| html("")).url("/");
    std::thread::sleep(Duration::from_millis(50));
    let error = get(test_options(true), &url).unwrap_err();
    assert!(matches!(error, FetchError::Connect { .. }) && error.is_temporary(), "{error:?}");
    let message = error.to_string();
    assert!(message.starts_with("could not connect to 127.0.0.1: "), "{message}");
    assert!(!message.contains("os error"), "{message}");
}
