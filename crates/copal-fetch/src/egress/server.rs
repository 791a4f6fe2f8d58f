//! The HTTP side of the proxy: connections of the browser in, responses out.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use url::Url;

use super::identity::server_config;
use super::kind::RequestKind;
use super::peer::is_same_user;
use super::report::{Activity, RefusedRequest};
use super::{EgressOptions, GivenDocument};
use crate::allowed_url::AllowedUrl;
use crate::error::{FetchError, printable};
use crate::fetcher::Fetcher;
use crate::http_exchange::{HttpResponse, OutgoingRequest};

/// Connections that the browser may hold open.
const MAX_CONNECTIONS: usize = 256;
/// Time for the browser to send the headers of a request, or to begin an encrypted connection.
const BROWSER_TIME: Duration = Duration::from_secs(30);
/// Bytes of a request's body.
const MAX_REQUEST_BODY: usize = 1_000_000;

/// Headers that are about one connection, or that this side decides itself.
const DROPPED_REQUEST_HEADERS: &[HeaderName] = &[
    header::HOST,
    header::CONNECTION,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    header::CONTENT_LENGTH,
    header::EXPECT,
    // said by the fetcher, as for every other page
    header::USER_AGENT,
    header::ACCEPT_ENCODING,
];
/// The body is sent decompressed and complete. `Alt-Svc` names protocols that would go around the proxy.
const DROPPED_RESPONSE_HEADERS: &[HeaderName] = &[
    header::CONNECTION,
    header::CONTENT_ENCODING,
    header::CONTENT_LENGTH,
    header::PROXY_AUTHENTICATE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    header::ALT_SVC,
];

type BrowserResponse = Response<Full<Bytes>>;

/// Everything that the connections of one page share.
pub(super) struct PageEgress {
    fetcher: Fetcher,
    options: EgressOptions,
    /// The URLs of the given documents, as the checks write them.
    given_urls: Vec<Option<AllowedUrl>>,
    activity: Arc<Activity>,
    tls: TlsAcceptor,
    stopped: watch::Receiver<()>,
}

impl PageEgress {
    pub(super) fn new(
        fetcher: Fetcher,
        options: EgressOptions,
        activity: Arc<Activity>,
        stopped: watch::Receiver<()>,
    ) -> Result<Self, FetchError> {
        let given = |document: &GivenDocument| fetcher.allowed_url(&document.url).ok();
        let given_urls = options.documents.iter().map(given).collect();
        let tls = TlsAcceptor::from(server_config()?);
        Ok(Self { fetcher, options, given_urls, activity, tls, stopped })
    }

    /// Runs `work` until the proxy is dropped.
    async fn while_running(&self, work: impl Future<Output = ()>) {
        let mut stopped = self.stopped.clone();
        tokio::select! {
            _ = stopped.changed() => {}
            () = work => {}
        }
    }

    fn refuse(&self, url: &str, error: Option<&FetchError>, reason: &str) -> BrowserResponse {
        self.note_refusal(url, error, reason);
        plain(StatusCode::FORBIDDEN, reason)
    }

    fn note_refusal(&self, url: &str, error: Option<&FetchError>, reason: &str) {
        let (url, kind) = (printable(url), error.map(FetchError::kind));
        self.activity.refuse(RefusedRequest { url, kind, reason: reason.to_owned() });
    }

    /// Answers one request to `url`; `is_own_user` if nobody else can have sent it.
    async fn answer(&self, url: &str, request: Request<Incoming>, is_own_user: bool) -> BrowserResponse {
        let kind = RequestKind::of(request.headers());
        if kind == RequestKind::Media && !self.options.images {
            return plain(StatusCode::FORBIDDEN, "images are not loaded");
        }
        let Some(_active) = self.activity.begin(self.options.max_requests, self.options.max_bytes) else {
            return plain(StatusCode::FORBIDDEN, "the page asked for too much");
        };
        if request.headers().contains_key(header::UPGRADE) {
            return self.refuse(url, None, "WebSockets are not connected");
        }
        let target = match self.fetcher.allowed_url(url) {
            Ok(target) => target,
            Err(error) => return self.fail(kind, url, error),
        };
        if let Some(document) = self.given_document(&target) {
            self.note_document(kind, url, Ok(200));
            return given_response(document);
        }
        let (head, body) = request.into_parts();
        let Ok(body) = Limited::new(body, MAX_REQUEST_BODY).collect().await else {
            return self.refuse(url, None, "the request is too large or incomplete");
        };
        let mut headers = kept_headers(head.headers, DROPPED_REQUEST_HEADERS);
        let is_own_origin = is_from_own_origin(&headers, &target.url);
        if is_own_user && is_own_origin {
            self.fetcher.add_credentials(&target, &mut headers);
        }
        let observed =
            (kind == RequestKind::Resource && is_own_origin).then(|| (head.method.clone(), headers.clone()));
        let outgoing = OutgoingRequest { method: head.method, headers, body: body.to_bytes().into() };
        match self.fetcher.send_for_browser(&target, outgoing, kind.is_document()).await {
            Ok(response) => {
                self.note_document(kind, url, Ok(response.status));
                self.activity.add_bytes(response.body.len());
                match &response.broken {
                    Some(error) => self.note_refusal(url, Some(error), &error.to_string()),
                    None if response.truncated => self.activity.note_limit("bytes"),
                    None => {}
                }
                if let Some((method, headers)) = observed {
                    self.activity.observe(|seen| seen.note(&target.url, &method, &headers, &response));
                }
                browser_response(response)
            }
            Err(error) => self.fail(kind, url, error),
        }
    }

    fn fail(&self, kind: RequestKind, url: &str, error: FetchError) -> BrowserResponse {
        let response = self.refuse(url, Some(&error), &error.to_string());
        self.note_document(kind, url, Err(error));
        response
    }

    fn note_document(&self, kind: RequestKind, url: &str, response: Result<u16, FetchError>) {
        if kind == RequestKind::Page {
            self.activity.note_document(url, response);
        }
    }

    fn given_document(&self, target: &AllowedUrl) -> Option<&GivenDocument> {
        let at = self.given_urls.iter().position(|url| url.as_ref() == Some(target))?;
        self.options.documents.get(at)
    }
}

/// Accepts connections until the proxy is dropped.
pub(super) async fn accept(listener: TcpListener, address: SocketAddr, page: Arc<PageEgress>) {
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let work = async {
        while let Ok(permit) = Arc::clone(&connections).acquire_owned().await {
            let Ok((stream, client)) = listener.accept().await else { continue };
            let page = Arc::clone(&page);
            tokio::spawn(async move {
                let _permit = permit;
                let _ = stream.set_nodelay(true);
                let is_own_user = page.fetcher.has_credentials() && is_same_user(client, address);
                page.while_running(serve_plain(TokioIo::new(stream), Arc::clone(&page), is_own_user)).await;
            });
        }
    };
    page.while_running(work).await;
}

/// Serves a connection as it comes from the browser: requests with whole URLs, or `CONNECT`.
async fn serve_plain(stream: TokioIo<tokio::net::TcpStream>, page: Arc<PageEgress>, is_own_user: bool) {
    let service = service_fn(move |request: Request<Incoming>| {
        let page = Arc::clone(&page);
        async move {
            Ok::<_, Infallible>(if request.method() == Method::CONNECT {
                open_tunnel(request, page, is_own_user)
            } else if request.uri().scheme().is_some() {
                let url = request.uri().to_string();
                page.answer(&url, request, is_own_user).await
            } else {
                plain(StatusCode::BAD_REQUEST, "this is a proxy for one page of copal")
            })
        }
    });
    // The connection ends with an error when the browser goes away, which is not worth a message.
    let _ = connection_settings().serve_connection(stream, service).with_upgrades().await;
}

/// Answers `CONNECT`. Only encrypted HTTP is spoken inside; no connection is made yet.
fn open_tunnel(request: Request<Incoming>, page: Arc<PageEgress>, is_own_user: bool) -> BrowserResponse {
    let authority = request.uri().to_string();
    if let Err(error) = page.fetcher.allowed_url(&format!("https://{authority}/")) {
        return page.refuse(&authority, Some(&error), &error.to_string());
    }
    tokio::spawn(async move {
        let work = async {
            let Ok(upgraded) = hyper::upgrade::on(request).await else { return };
            let accepted = timeout(BROWSER_TIME, page.tls.accept(TokioIo::new(upgraded))).await;
            // Plain text in a tunnel is a WebSocket without encryption.
            let Ok(Ok(stream)) = accepted else {
                page.refuse(&authority, None, "only https is spoken in tunnels");
                return;
            };
            let inner = Arc::clone(&page);
            let service = service_fn(move |request: Request<Incoming>| {
                let page = Arc::clone(&inner);
                // The authority of the tunnel counts, whatever the request says.
                let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
                let url = format!("https://{authority}{path}");
                async move { Ok::<_, Infallible>(page.answer(&url, request, is_own_user).await) }
            });
            let _ = connection_settings().serve_connection(TokioIo::new(stream), service).await;
        };
        page.while_running(work).await;
    });
    Response::new(Full::default())
}

/// True if the page at this origin asks, or the user: pages of other origins get nothing in the user's name.
fn is_from_own_origin(headers: &HeaderMap, target: &Url) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let is_own = |url: &str| Url::parse(url).is_ok_and(|url| url.origin() == target.origin());
    match text("sec-fetch-site") {
        Some(site) => matches!(site, "same-origin" | "none"),
        // browsers say this to servers with encryption only
        None => text("origin").or_else(|| text("referer")).is_none_or(is_own),
    }
}

fn connection_settings() -> http1::Builder {
    let mut settings = http1::Builder::new();
    settings.timer(TokioTimer::new()).header_read_timeout(BROWSER_TIME);
    settings
}

fn kept_headers(mut headers: HeaderMap, dropped: &[HeaderName]) -> HeaderMap {
    for name in dropped {
        headers.remove(name);
    }
    headers.remove("proxy-connection");
    headers.remove("keep-alive");
    headers
}

fn browser_response(response: HttpResponse) -> BrowserResponse {
    let mut out = Response::new(Full::from(response.body));
    *out.status_mut() = StatusCode::from_u16(response.status).unwrap_or(StatusCode::BAD_GATEWAY);
    *out.headers_mut() = kept_headers(response.headers, DROPPED_RESPONSE_HEADERS);
    out
}

fn given_response(document: &GivenDocument) -> BrowserResponse {
    let mut out = Response::new(Full::from(document.body.clone()));
    if let Ok(kind) = HeaderValue::from_str(&document.content_type) {
        out.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    out
}

fn plain(status: StatusCode, text: &str) -> BrowserResponse {
    let mut out = Response::new(Full::from(format!("copal: {text}")));
    *out.status_mut() = status;
    out.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_page_itself_asks_in_the_name_of_the_user() {
        let target = Url::parse("https://shop.example/items").unwrap();
        let is_own = |name: &'static str, value: &str| {
            let headers = HeaderMap::from_iter([(
                HeaderName::from_static(name),
                HeaderValue::from_str(value).unwrap(),
            )]);
            is_from_own_origin(&headers, &target)
        };
        for (name, value, expected) in [
            ("sec-fetch-site", "same-origin", true),
            ("sec-fetch-site", "none", true),
            ("sec-fetch-site", "same-site", false),
            ("sec-fetch-site", "cross-site", false),
            ("origin", "https://shop.example", true),
            ("origin", "http://shop.example", false),
            ("origin", "null", false),
            ("referer", "https://shop.example/list", true),
            ("referer", "https://evil.example/", false),
            ("accept", "*/*", true),
        ] {
            assert_eq!(is_own(name, value), expected, "{name}: {value}");
        }
    }
}
