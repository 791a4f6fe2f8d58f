//! Encrypted pages: the browser accepts the proxy's key, and the proxy checks the server's certificate.

use copal_dom::{Limits, Page};
use copal_fetch::{
    FetchErrorKind, FetchOptions, Fetcher, HostResolver, Politeness, ProxySource, ResolvedAddresses,
};
use copal_render::{RenderError, RenderOptions, Renderer};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

/// Every name is loopback.
struct LoopbackNames;

impl HostResolver for LoopbackNames {
    fn resolve(&self, _: &str) -> ResolvedAddresses {
        Box::pin(std::future::ready(Ok(vec!["127.0.0.1".parse().unwrap()])))
    }
}

/// A server with a certificate: a page whose script asks for a text. Returns the port.
fn secure_server(certificate: &'static [u8]) -> u16 {
    let key = include_bytes!("../../../../crates/copal-fetch/tests/data/server.key.der").to_vec();
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
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = rustls::StreamOwned::new(connection, stream);
            let mut head = [0; 4096];
            if let Ok(count) = stream.read(&mut head) {
                let is_page = head[..count].starts_with(b"GET / ");
                let body = if is_page {
                    "<!DOCTYPE html><p id=p>waiting<script>fetch('/text').then(a => a.text())\
                     .then(text => p.textContent = text + ' ' + isSecureContext)</script>"
                } else {
                    "secret text"
                };
                let kind = if is_page { "text/html" } else { "text/plain" };
                let length = body.len();
                let _ = write!(
                    stream,
                    "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
            }
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
    });
    port
}

fn show(port: u16) -> Result<Page, RenderError> {
    let mut options = FetchOptions::default();
    (options.allow_private, options.obey_robots, options.politeness) = (true, false, Politeness::Off);
    options.proxies = ProxySource::None;
    options.hooks.resolver = Some(Arc::new(LoopbackNames));
    options.hooks.roots = vec![include_bytes!("../../../../crates/copal-fetch/tests/data/ca.der").to_vec()];
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let fetcher = Fetcher::new(options).unwrap();
        let work = move || {
            let mut render = RenderOptions::default();
            render.sandbox = false;
            let stop: Arc<dyn Fn() -> bool + Send + Sync> = Arc::new(|| false);
            let url = format!("https://tls.test:{port}/");
            let mut tab = Renderer::new(render)?.open(&url, None, &fetcher, &stop)?;
            Ok(tab.page(&Limits::default())?.0)
        };
        tokio::task::spawn_blocking(work).await.unwrap()
    })
}

#[test]
#[ignore = "needs a browser: make browser"]
fn encrypted_pages_are_shown_and_certificates_checked() {
    let page =
        show(secure_server(include_bytes!("../../../../crates/copal-fetch/tests/data/good.der"))).unwrap();
    assert_eq!(page.text_of(0), "secret text true");
    let expired = secure_server(include_bytes!("../../../../crates/copal-fetch/tests/data/expired.der"));
    match show(expired) {
        Err(RenderError::Fetch(error)) => assert_eq!(error.kind(), FetchErrorKind::Certificate, "{error}"),
        other => panic!("{other:?}"),
    }
}
