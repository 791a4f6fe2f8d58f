//! A web server on loopback for tests: a function turns requests into raw bytes, with one thread per
//! connection. Connections and requests are recorded.
//!
//! ```
//! use copal_testserver::{Server, html};
//!
//! let server = Server::start(|request| html(&format!("<p>{}", request.path)));
//! assert!(server.url("/x").starts_with("http://127.0.0.1:"));
//! assert_eq!(server.connections(), 0);
//! ```

// A server needs sockets. It listens on loopback only and is used only by tests.
#![allow(clippy::disallowed_types)]

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A request as the server received it.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET`, `CONNECT`, …
    pub method: String,
    /// The request target: path and query, or host and port for `CONNECT`.
    pub path: String,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body, as far as it is text. Only bodies with a `Content-Length` are read.
    pub body: String,
    /// When the headers were complete.
    pub at: Instant,
}

impl Request {
    /// The first header with this name (in lower case), or an empty string.
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value)
    }
}

/// How the server responds to a request.
#[derive(Debug, Clone)]
pub enum Response {
    /// Send these bytes, including status line and headers, and keep the connection open.
    Bytes(Vec<u8>),
    /// Send these bytes, then close the connection.
    Close(Vec<u8>),
    /// Send these pieces with a pause after each, then close the connection.
    Slow(Vec<Vec<u8>>, Duration),
    /// Send the first bytes, then repeat the second ones until the client disconnects.
    Endless(Vec<u8>, Vec<u8>),
}

/// A complete response: status (`200 OK`), additional headers (each ending with `\r\n`) and body. Adds the
/// `Content-Length`.
pub fn response(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Response {
    let body = body.as_ref();
    let mut bytes =
        format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n{headers}\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    Response::Bytes(bytes)
}

/// A response without `Content-Length`, unless the headers have one: its body ends when the server closes the
/// connection. With a length or an encoding in the headers that does not fit, the body is a broken one.
pub fn closing(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Response {
    let mut bytes = format!("HTTP/1.1 {status}\r\n{headers}\r\n").into_bytes();
    bytes.extend_from_slice(body.as_ref());
    Response::Close(bytes)
}

/// An HTML page in UTF-8.
pub fn html(body: &str) -> Response {
    response("200 OK", "Content-Type: text/html; charset=utf-8\r\n", body)
}

/// A redirect with this status.
pub fn redirect(status: u16, location: &str) -> Response {
    response(&format!("{status} Elsewhere"), &format!("Location: {location}\r\n"), "")
}

/// A 404 response.
pub fn not_found() -> Response {
    response("404 Not Found", "Content-Type: text/plain\r\n", "nothing here")
}

/// Bytes of a request's body that are read.
const MAX_BODY_BYTES: usize = 1 << 20;

type RequestHandler = Box<dyn Fn(&Request) -> Response + Send + Sync>;

struct ServerState {
    handler: RequestHandler,
    connections: AtomicUsize,
    active: AtomicUsize,
    max_active: AtomicUsize,
    requests: Mutex<Vec<Request>>,
    stop: AtomicBool,
}

/// A running server. It stops when this is dropped.
pub struct Server {
    address: SocketAddr,
    state: Arc<ServerState>,
}

impl Server {
    /// Starts on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// If there is no free port.
    pub fn start(handler: impl Fn(&Request) -> Response + Send + Sync + 'static) -> Self {
        Self::start_at("127.0.0.1:0", handler)
    }

    /// Starts on this loopback address. Linux has all of 127.0.0.0/8, other systems only 127.0.0.1.
    ///
    /// # Panics
    /// If the address is not available.
    pub fn start_at(address: &str, handler: impl Fn(&Request) -> Response + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(address).expect("a free loopback port");
        let address = listener.local_addr().expect("the bound port");
        let state = Arc::new(ServerState {
            handler: Box::new(handler),
            connections: AtomicUsize::new(0),
            active: AtomicUsize::new(0),
            max_active: AtomicUsize::new(0),
            requests: Mutex::default(),
            stop: AtomicBool::new(false),
        });
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if shared.stop.load(Ordering::SeqCst) {
                    return;
                }
                shared.connections.fetch_add(1, Ordering::SeqCst);
                let shared = Arc::clone(&shared);
                thread::spawn(move || serve(&stream, &shared));
            }
        });
        Self { address, state }
    }

    /// The address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of a path: `http://127.0.0.1:port/path`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The URL of a path with another host name.
    pub fn url_with_host(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.address.port())
    }

    /// Connections accepted so far.
    pub fn connections(&self) -> usize {
        self.state.connections.load(Ordering::SeqCst)
    }

    /// The largest number of requests that were handled at the same time.
    pub fn max_active(&self) -> usize {
        self.state.max_active.load(Ordering::SeqCst)
    }

    /// All requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.state.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The targets of all requests so far.
    pub fn paths(&self) -> Vec<String> {
        self.requests().into_iter().map(|request| request.path).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.state.stop.store(true, Ordering::SeqCst);
        // Wakes up the thread that accepts connections.
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(stream: &TcpStream, state: &ServerState) {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(30)));
    let _ = stream.set_nodelay(true);
    let mut reader = BufReader::new(stream);
    while let Some(request) = read_request(&mut reader) {
        let active = state.active.fetch_add(1, Ordering::SeqCst) + 1;
        state.max_active.fetch_max(active, Ordering::SeqCst);
        state.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        let response = (state.handler)(&request);
        // Decreased before the response is sent: a client may send its next request at once.
        state.active.fetch_sub(1, Ordering::SeqCst);
        if !send(stream, response) {
            break;
        }
    }
    let _ = stream.shutdown(Shutdown::Both);
}

/// Sends a response. Returns whether the connection stays open.
fn send(mut stream: &TcpStream, response: Response) -> bool {
    match response {
        Response::Bytes(bytes) => stream.write_all(&bytes).is_ok(),
        Response::Close(bytes) => {
            let _ = stream.write_all(&bytes);
            false
        }
        Response::Slow(pieces, pause) => {
            for piece in pieces {
                if stream.write_all(&piece).is_err() {
                    return false;
                }
                thread::sleep(pause);
            }
            false
        }
        Response::Endless(first, repeated) => {
            let mut connected = stream.write_all(&first).is_ok();
            while connected {
                connected = stream.write_all(&repeated).is_ok();
            }
            false
        }
    }
}

fn read_request(reader: &mut impl BufRead) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut words = line.split_whitespace();
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        if line.trim_end().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':')?;
        headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
    }
    let at = Instant::now();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length.min(MAX_BODY_BYTES)];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8_lossy(&body).into_owned();
    Some(Request { method, path, headers, body, at })
}
