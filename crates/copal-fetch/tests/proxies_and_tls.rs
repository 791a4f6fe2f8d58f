//! How hosts are reached: proxies from the environment, and certificates.

#![allow(clippy::unwrap_used, clippy::disallowed_types)]

mod support;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use copal_fetch::{FetchError, FetchErrorKind, FetchOptions, ProxySource};
use copal_testserver::{Server, html, response};
use support::*;

fn with_environment(allow_private: bool, pairs: &[(&str, &str)]) -> FetchOptions {
    let mut options = test_options(allow_private);
    options.proxies = ProxySource::Environment;
    options.hooks.environment =
        Some(pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect());
    options
}

fn proxy() -> Server {
    Server::start(|request| match request.method.as_str() {
        "CONNECT" => response("403 Forbidden", "", ""),
        _ => html(&format!("{} {}", request.path, request.header("proxy-authorization"))),
    })
}

#[test]
fn proxies_from_the_environment_are_used_for_global_hosts() {
    let proxy = proxy();
    let proxy_url = proxy.url("");
    for variable in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        let names = StaticNames::of(&[]);
        let mut options = with_environment(false, &[(variable, &proxy_url)]);
        options.hooks.resolver = Some(names.clone());
        let page = get(options, "http://site.example/x?y").unwrap();
        assert_eq!(page.body, b"http://site.example/x?y ", "{variable}");
        assert_eq!(names.lookups.load(Ordering::SeqCst), 0, "the proxy looks up names");
    }
    let with_password = proxy_url.replace("http://", "http://me:pass@");
    let page =
        get(with_environment(false, &[("HTTP_PROXY", &with_password)]), "http://site.example/").unwrap();
    assert_eq!(page.body, b"http://site.example/ Basic bWU6cGFzcw==");
    let error =
        get(with_environment(false, &[("HTTPS_PROXY", &proxy_url)]), "https://site.example/").unwrap_err();
    assert_eq!(error.kind(), FetchErrorKind::Network, "{error}");
    assert_eq!(proxy.paths().last().unwrap(), "site.example:443");
}

#[test]
fn proxies_are_not_used_where_they_must_not_be() {
    let proxy = proxy();
    let server = Server::start(|_| html("direct"));
    let proxy_url = proxy.url("");
    let not_found = |options: FetchOptions, url: &str| {
        let error = get(options, url).unwrap_err();
        assert!(matches!(error, FetchError::HostNotFound { .. }), "{url}: {error}");
    };
    // A CGI program gets the variable from its client.
    not_found(
        with_environment(false, &[("HTTP_PROXY", &proxy_url), ("REQUEST_METHOD", "GET")]),
        "http://site.example/",
    );
    not_found(
        with_environment(false, &[("HTTP_PROXY", &proxy_url), ("NO_PROXY", "site.example")]),
        "http://site.example/",
    );
    not_found(
        with_environment(false, &[("HTTP_PROXY", &proxy_url), ("no_proxy", "*")]),
        "http://site.example/",
    );
    not_found(with_environment(false, &[("HTTPS_PROXY", &proxy_url)]), "http://site.example/");
    let mut options = with_environment(false, &[("HTTP_PROXY", &proxy_url)]);
    options.proxies = ProxySource::None;
    not_found(options, "http://site.example/");
    // Hosts of this machine.
    let options = with_environment(true, &[("ALL_PROXY", &proxy_url)]);
    assert_eq!(get(options.clone(), &server.url("/")).unwrap().body, b"direct");
    for url in [
        "http://10.0.0.1/",
        "http://[::1]/",
        "http://localhost/",
        "http://x.internal/",
        "http://169.254.169.254/",
    ] {
        let error = get(with_environment(false, &[("ALL_PROXY", &proxy_url)]), url).unwrap_err();
        assert_eq!(error.kind(), FetchErrorKind::Url, "{url}: {error}");
    }
    let error =
        get(with_environment(false, &[("ALL_PROXY", "socks5://127.0.0.1:9")]), "http://site.example/")
            .unwrap_err();
    assert_eq!(error.kind(), FetchErrorKind::Setup, "{error}");
    assert_eq!(proxy.connections(), 0);
}

/// Starts a server that sends one response per connection, with this certificate. Returns the port.
fn secure_server(certificate: &'static [u8], response: String) -> u16 {
    let key = include_bytes!("data/server.key.der").to_vec();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.into()], rustls::pki_types::PrivatePkcs8KeyDer::from(key).into())
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = rustls::ServerConnection::new(config.clone()).unwrap();
            let mut stream = rustls::StreamOwned::new(connection, stream);
            if stream.read(&mut [0; 4096]).is_ok() {
                let _ = stream.write_all(response.as_bytes());
            }
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
    });
    port
}

const SECRET_PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret";

fn options_with_test_root() -> FetchOptions {
    let mut options = test_options(true);
    options.hooks.roots = vec![include_bytes!("data/ca.der").to_vec()];
    options
}

#[test]
fn invalid_certificates_are_explained() {
    let good = secure_server(include_bytes!("data/good.der"), SECRET_PAGE.to_owned());
    assert_eq!(get(options_with_test_root(), &format!("https://tls.test:{good}/")).unwrap().body, b"secret");
    let cases: [(&'static [u8], &str); 3] = [
        (include_bytes!("data/expired.der"), "it has expired"),
        (include_bytes!("data/other.der"), "it was issued for another host"),
        (include_bytes!("data/self.der"), "it is self-signed or its issuer is not trusted by this system"),
    ];
    for (certificate, reason) in cases {
        let port = secure_server(certificate, SECRET_PAGE.to_owned());
        let error = get(options_with_test_root(), &format!("https://tls.test:{port}/")).unwrap_err();
        assert_eq!(error.to_string(), format!("the certificate of tls.test is not valid: {reason}"));
        assert!(error.kind() == FetchErrorKind::Certificate && !error.is_temporary());
    }
    let error = get(test_options(true), &format!("https://tls.test:{good}/")).unwrap_err();
    assert!(error.to_string().contains("its issuer is not trusted"), "{error}");
    let error = get(options_with_test_root(), &format!("https://127.0.0.1:{good}/")).unwrap_err();
    assert!(error.to_string().contains("another host"), "{error}");
    let plain = Server::start(|_| html(""));
    let error = get(options_with_test_root(), &format!("https://{}/", plain.address())).unwrap_err();
    assert!(matches!(error, FetchError::Tls { .. } | FetchError::Connect { .. }), "{error:?}");
}

#[test]
fn a_redirect_from_https_to_http_is_noted() {
    let plain = Server::start(|request| html(request.header("cookie")));
    let location = plain.url_with_host("tls.test", "/x");
    let head = format!(
        "Location: {location}\r\nSet-Cookie: s=1; Secure; Path=/\r\n\
         Set-Cookie: p=2; Path=/\r\nConnection: close"
    );
    let port =
        secure_server(include_bytes!("data/good.der"), format!("HTTP/1.1 302 Found\r\n{head}\r\n\r\n"));
    let page = get(options_with_test_root(), &format!("https://tls.test:{port}/")).unwrap();
    assert!(page.downgraded && page.url == location);
    assert_eq!(page.body, b"p=2");
}
