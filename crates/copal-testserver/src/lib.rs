//! A web server on loopback for tests: a function from requests to raw bytes, a thread a connection, everything counted.
//!
//! ```
//! let server = copal_testserver::Server::start(|request| copal_testserver::html(&format!("<p>{}", request.path)));
//! assert!(server.url("/x").starts_with("http://127.0.0.1:"));
//! assert_eq!(server.connections(), 0);
//! ```

// A server needs sockets; it listens on loopback only and is used by tests alone.
#![allow(clippy::disallowed_types)]

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What a client asked for.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET`, `CONNECT`, …
    pub method: String,
    /// The target as it stands in the first line.
    pub path: String,
    /// Names in small letters, and values.
    pub headers: Vec<(String, String)>,
    /// When its head was complete.
    pub at: Instant,
}

impl Request {
    /// The first header of that name (small letters), or nothing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value)
    }
}

/// What a server does with a request.
#[derive(Debug, Clone)]
pub enum Answer {
    /// These bytes, head and all; the connection stays open.
    Bytes(Vec<u8>),
    /// These bytes, then the end of the connection.
    Close(Vec<u8>),
    /// These pieces, each after a pause, then the end of the connection.
    Slow(Vec<Vec<u8>>, Duration),
    /// The first bytes, then the others again and again until the client goes.
    Endless(Vec<u8>, Vec<u8>),
}

/// A whole answer with a status line (`200 OK`), further headers (each with its `\r\n`) and a body of known length.
pub fn answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Answer {
    let body = body.as_ref();
    let mut bytes =
        format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n{headers}\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    Answer::Bytes(bytes)
}

/// A page.
pub fn html(body: &str) -> Answer {
    answer("200 OK", "Content-Type: text/html; charset=utf-8\r\n", body)
}

/// A redirect.
pub fn redirect(status: u16, location: &str) -> Answer {
    answer(&format!("{status} Elsewhere"), &format!("Location: {location}\r\n"), "")
}

/// There is no such page.
pub fn not_found() -> Answer {
    answer("404 Not Found", "Content-Type: text/plain\r\n", "nothing here")
}

type Handler = Box<dyn Fn(&Request) -> Answer + Send + Sync>;

struct State {
    handler: Handler,
    connections: AtomicUsize,
    active: AtomicUsize,
    most_active: AtomicUsize,
    requests: Mutex<Vec<Request>>,
    stop: AtomicBool,
}

/// A running server; it ends when this is dropped.
pub struct Server {
    address: SocketAddr,
    state: Arc<State>,
}

impl Server {
    /// Starts on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// If no port can be had.
    pub fn start(handler: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        Self::start_at("127.0.0.1:0", handler)
    }

    /// Starts on an address of loopback; Linux has all of 127.0.0.0/8, other systems only 127.0.0.1.
    ///
    /// # Panics
    /// If the address cannot be had.
    pub fn start_at(address: &str, handler: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(address).expect("a port of loopback");
        let address = listener.local_addr().expect("the port that was bound");
        let state = Arc::new(State {
            handler: Box::new(handler),
            connections: AtomicUsize::new(0),
            active: AtomicUsize::new(0),
            most_active: AtomicUsize::new(0),
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

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// `http://127.0.0.1:port` and the path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The same with another name for the host.
    pub fn url_as(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.address.port())
    }

    /// Connections that were accepted so far.
    pub fn connections(&self) -> usize {
        self.state.connections.load(Ordering::SeqCst)
    }

    /// The most requests that were answered at the same time.
    pub fn most_active(&self) -> usize {
        self.state.most_active.load(Ordering::SeqCst)
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
        // wakes the thread that accepts
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(stream: &TcpStream, state: &State) {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(30)));
    let _ = stream.set_nodelay(true);
    let mut reader = BufReader::new(stream);
    while let Some(request) = read_head(&mut reader) {
        let active = state.active.fetch_add(1, Ordering::SeqCst) + 1;
        state.most_active.fetch_max(active, Ordering::SeqCst);
        state.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        let answer = (state.handler)(&request);
        // before the answer is out: a client that has all of it may ask again at once
        state.active.fetch_sub(1, Ordering::SeqCst);
        if !write(stream, answer) {
            break;
        }
    }
    let _ = stream.shutdown(Shutdown::Both);
}

/// Writes an answer; says whether the connection stays open.
fn write(mut stream: &TcpStream, answer: Answer) -> bool {
    match answer {
        Answer::Bytes(bytes) => stream.write_all(&bytes).is_ok(),
        Answer::Close(bytes) => {
            let _ = stream.write_all(&bytes);
            false
        }
        Answer::Slow(pieces, pause) => {
            for piece in pieces {
                if stream.write_all(&piece).is_err() {
                    return false;
                }
                thread::sleep(pause);
            }
            false
        }
        Answer::Endless(first, again) => {
            let mut going = stream.write_all(&first).is_ok();
            while going {
                going = stream.write_all(&again).is_ok();
            }
            false
        }
    }
}

fn read_head(reader: &mut impl BufRead) -> Option<Request> {
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
    Some(Request { method, path, headers, at: Instant::now() })
}
