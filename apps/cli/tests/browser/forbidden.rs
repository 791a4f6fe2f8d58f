//! What a hostile page asks for in every way it can: no connection is made to a forbidden host. The page's own
//! server is on an address that the test calls global; a canary is on loopback, where connections are counted.

use crate::OWN;
use crate::common::run;
use copal_dom::Limits;
use copal_fetch::{FetchOptions, Fetcher, HostResolver, Politeness, ProxySource, ResolvedAddresses};
use copal_render::{RenderOptions, Renderer};
use copal_testserver::{Server, html, redirect, response};
use std::net::{IpAddr, UdpSocket};
use std::sync::Arc;

/// The address of the page's own server.
const GLOBAL: &str = "127.0.0.9";

/// Names that end in `.test` are the page's server; the others are loopback.
struct Names;

impl HostResolver for Names {
    fn resolve(&self, host: &str) -> ResolvedAddresses {
        let address = if host == "site.test" { GLOBAL } else { "127.0.0.1" };
        Box::pin(std::future::ready(Ok(vec![address.parse().unwrap()])))
    }
}

/// Ways to ask for a URL. `URL` is replaced.
const WAYS: &[&str] = &[
    "new Image().src = URL",
    "fetch(URL, { mode: 'no-cors' }).catch(() => {})",
    "fetch(URL, { method: 'POST', body: 'x', headers: { 'X-Y': '1' } }).catch(() => {})",
    "{ const r = new XMLHttpRequest(); r.open('GET', URL); r.send(); }",
    "add('script', { src: URL })",
    "add('script', { src: URL, type: 'module' })",
    "add('iframe', { src: URL })",
    "add('iframe', { srcdoc: `<meta http-equiv=refresh content='0;url=${URL}'>` })",
    "add('link', { rel: 'stylesheet', href: URL })",
    "add('link', { rel: 'prefetch', href: URL })",
    "add('link', { rel: 'preload', as: 'script', href: URL })",
    "add('link', { rel: 'modulepreload', href: URL })",
    "add('link', { rel: 'preconnect', href: URL })",
    "add('link', { rel: 'dns-prefetch', href: URL })",
    "add('link', { rel: 'prerender', href: URL })",
    "add('link', { rel: 'icon', href: URL })",
    "add('link', { rel: 'manifest', href: URL })",
    "add('object', { data: URL })",
    "add('embed', { src: URL })",
    "add('video', { src: URL, autoplay: true })",
    "add('audio', { src: URL, autoplay: true })",
    "add('style', { textContent: `@import url(\"${URL}\"); p { background: url(\"${URL}\") }` })",
    "add('style', { textContent: `@font-face { font-family: f; src: url(\"${URL}\") } p { font-family: f }` })",
    "new EventSource(URL)",
    "new WebSocket(URL.replace(/^http/, 'ws'))",
    "navigator.sendBeacon(URL, 'x')",
    "window.open(URL)",
    "{ const f = add('form', { action: URL, method: 'post', target: 'hidden' }); f.submit(); }",
    "new Worker(blob(`fetch(${JSON.stringify(URL)}); importScripts(${JSON.stringify(URL)})`))",
    "new SharedWorker(blob(`fetch(${JSON.stringify(URL)})`))",
    "new Image().src = '/redirect?' + encodeURIComponent(URL)",
    "fetch('/redirect?' + encodeURIComponent(URL)).catch(() => {})",
    "add('iframe', { src: '/redirect?' + encodeURIComponent(URL) })",
    "add('script', { src: '/redirect?' + encodeURIComponent(URL) })",
    "import(URL).catch(() => {})",
    "{ const s = document.createElement('script'); s.type = 'speculationrules'; \
       s.textContent = JSON.stringify({ prefetch: [{ urls: [URL] }], prerender: [{ urls: [URL] }] }); \
       document.head.append(s); }",
];

/// Spellings of loopback, private and local hosts, with the port of the canary.
fn forbidden_urls(port: u16) -> Vec<String> {
    let hosts = include_str!("../../../../crates/copal-fetch/tests/data/forbidden-hosts.txt").lines();
    let plain =
        hosts.filter(|host| !host.starts_with("// ") && !host.contains(['#', '?', '\\', '@', ' ', '"', '`']));
    let plain = plain.filter(|host| !host.is_empty() && !host.contains(":99999") && !host.contains(":x"));
    let urls = plain.flat_map(|host| [format!("http://{host}:{port}/"), format!("https://{host}:{port}/")]);
    urls.chain([format!("http://rebound.example:{port}/"), format!("https://rebound.example:{port}/")])
        .collect()
}

fn hostile_page(urls: &[String], udp: u16) -> String {
    let mut script = String::from(
        "const add = (name, properties) => { const e = document.createElement(name); \
         Object.assign(e, properties); document.body.append(e); return e; }; \
         const blob = text => URL_.createObjectURL(new Blob([text], { type: 'text/javascript' })); \
         const URL_ = window.URL; const tried = []; \
         const attempt = (work, url) => { try { work(url); } catch {} tried.push(url); };\n",
    );
    for (at, url) in urls.iter().enumerate() {
        let way = WAYS[at % WAYS.len()];
        script.push_str(&format!("attempt(URL => {{ {way} }}, {});\n", serde_json::to_string(url).unwrap()));
    }
    script.push_str(&format!(
        "attempt(() => {{ const p = new RTCPeerConnection({{ iceServers: [{{ urls: 'stun:127.0.0.1:{udp}' }}] }}); \
         p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o)); }}, 'stun');\n\
         attempt(() => new WebTransport('https://127.0.0.1:{udp}/'), 'transport');\n\
         navigator.serviceWorker && navigator.serviceWorker.register('/worker.js').catch(() => {{}});\n\
         setTimeout(() => document.title = 'tried ' + tried.length, 300);"
    ));
    format!(
        "<!DOCTYPE html><p>Hello<iframe name=hidden></iframe><a ping='{}'>x</a><script>{script}</script>",
        urls[0]
    )
}

/// What happens when the browser shows the hostile page.
struct Outcome {
    title: String,
    refused: usize,
    connections: usize,
    datagrams: bool,
}

fn show_hostile_page(allow_private: bool) -> Outcome {
    let canary = Server::start(|_| html("you should not see this"));
    let datagrams = UdpSocket::bind("127.0.0.1:0").unwrap();
    datagrams.set_nonblocking(true).unwrap();
    let urls = forbidden_urls(canary.address().port());
    assert!(urls.len() >= 150, "{}", urls.len());
    let page = hostile_page(&urls, datagrams.local_addr().unwrap().port());
    let site = Server::start_at(&format!("{GLOBAL}:0"), move |request| match request.path.split_once('?') {
        Some(("/redirect", target)) => redirect(302, &percent_decoded(target)),
        _ if request.path == "/" => html(&page),
        _ if request.path == "/worker.js" => response("200 OK", "Content-Type: text/javascript\r\n", "1"),
        _ => response("404 Not Found", "", ""),
    });
    let mut options = FetchOptions::default();
    options.allow_private = allow_private;
    options.proxies = ProxySource::None;
    options.politeness = Politeness::Off;
    options.hooks.resolver = Some(Arc::new(Names));
    options.hooks.global = vec![GLOBAL.parse::<IpAddr>().unwrap()];
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (title, report) = runtime.block_on(async {
        tokio::task::spawn_blocking(move || {
            let mut render = RenderOptions::default();
            render.sandbox = false;
            render.images = true;
            let fetcher = Fetcher::new(options).unwrap();
            let renderer = Renderer::new(render).unwrap();
            let stop: Arc<dyn Fn() -> bool + Send + Sync> = Arc::new(|| false);
            let url = site.url_with_host("site.test", "/");
            let mut tab = renderer.open(&url, None, &fetcher, &stop).expect("the page is shown");
            let (page, _) = tab.page(&Limits::default()).unwrap();
            (page.title().unwrap_or_default(), tab.report())
        })
        .await
        .unwrap()
    });
    assert_eq!(title, format!("tried {}", urls.len() + 2));
    Outcome {
        title,
        refused: report.refused_count,
        connections: canary.connections(),
        datagrams: datagrams.recv(&mut [0; 100]).is_ok(),
    }
}

#[test]
#[ignore = "needs a browser: make browser"]
fn no_forbidden_url_is_connected_to() {
    let outcome = show_hostile_page(false);
    eprintln!("{}: {} refused, {} connections", outcome.title, outcome.refused, outcome.connections);
    assert_eq!((outcome.connections, outcome.datagrams), (0, false));
    // the page really asked: some ways give up before the proxy, most do not
    assert!(outcome.refused >= 100, "{} refused", outcome.refused);
}

#[test]
#[ignore = "needs a browser: make browser"]
fn the_canary_notices_what_is_allowed() {
    let outcome = show_hostile_page(true);
    assert!(outcome.connections >= 5, "{} connections", outcome.connections);
    assert!(!outcome.datagrams, "only the proxy connects, whatever is allowed");
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'%' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
            }
            other => bytes.push(other),
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// The browser removes user names before the proxy sees a URL, so that the URL is checked before the browser gets it.
#[test]
#[ignore = "needs a browser: make browser"]
fn a_url_with_a_user_name_is_refused_and_not_opened_without_it() {
    let site = Server::start(|_| html("<p>Nobody is to see this.</p>"));
    let folder = tempfile::tempdir().unwrap();
    let url = site.url("/").replace("http://", "http://ann:secret@");
    let refused = run(folder.path(), &format!("copal extract {url} {OWN} --render chromium"));
    assert_eq!(refused.code, 3, "{}", refused.stdout);
    assert!(refused.stderr.contains("contains a user name or a password"), "{}", refused.stderr);
    assert!(!refused.stderr.contains("secret"), "{}", refused.stderr);
    assert_eq!(site.connections(), 0);
}
