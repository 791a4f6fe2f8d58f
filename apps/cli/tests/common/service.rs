//! A server of `copal serve` on loopback, and a client that can also send broken requests.

// Clients are plain sockets. They connect to loopback only.
#![allow(clippy::disallowed_types)]

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The longest that a test waits for something to happen. The machine may be busy.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// A server that is killed when it is dropped.
pub(crate) struct Service {
    pub(crate) process: Child,
    pub(crate) address: String,
    pub(crate) folder: TempDir,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.headers.lines().filter_map(|line| line.split_once(':'));
        lines.filter(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next()
    }
}

pub(crate) fn start_in(folder: &Path, options: &[&str]) -> (Child, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_copal"));
    command.args(["serve", "--port", "0", "--dir"]).arg(folder).args(options);
    let mut process =
        command.env_remove("COPAL_TOKEN").stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(process.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).and_then(|rest| rest.split(',').next());
    let address = address.unwrap_or_else(|| panic!("no address: {line}")).to_owned();
    // the pipe must not fill up
    thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
    (process, address)
}

impl Service {
    pub(crate) fn start(options: &[&str]) -> Service {
        let folder = tempfile::tempdir().unwrap();
        let (process, address) = start_in(folder.path(), options);
        Service { process, address, folder }
    }

    pub(crate) fn start_with_token(token: &str) -> Service {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        fs::write(&file, token).unwrap();
        let (process, address) =
            start_in(&folder.path().join("workspace"), &["--token-file", file.to_str().unwrap()]);
        Service { process, address, folder }
    }

    pub(crate) fn send(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // a server that refuses a request need not read it to its end
        let _ = stream.write_all(request);
        read_answer(&mut stream)
    }

    pub(crate) fn request(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
            self.address,
            body.len()
        );
        self.send(&[head.as_bytes(), body].concat())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "", b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.request("POST", path, "Content-Type: application/json\r\n", body.to_string().as_bytes())
    }

    /// Waits until a job is not running. It must go on all the time, however slow the machine is.
    pub(crate) fn wait_for_job(&self, id: &str) -> Value {
        let (mut start, mut done) = (Instant::now(), Value::Null);
        loop {
            let status = self.get(&format!("/v1/jobs/{id}")).json();
            if status["done"] != done {
                (start, done) = (Instant::now(), status["done"].clone());
            }
            if status["state"] != "running" {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "{status}");
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(crate) fn read_answer(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let at = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let at = at.unwrap_or_else(|| panic!("no response: {}", String::from_utf8_lossy(&bytes)));
    let headers = String::from_utf8_lossy(&bytes[..at]).into_owned();
    let status = headers.split(' ').nth(1).unwrap().parse().unwrap();
    let body = if headers.to_ascii_lowercase().contains("transfer-encoding: chunked") {
        unchunked(&bytes[at + 4..])
    } else {
        bytes[at + 4..].to_vec()
    };
    Answer { status, headers, body }
}

pub(crate) fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(at) = bytes.windows(2).position(|two| two == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&bytes[..at]).unwrap(), 16).unwrap();
        if size == 0 {
            break;
        }
        body.extend_from_slice(&bytes[at + 2..at + 2 + size]);
        bytes = &bytes[at + 4 + size..];
    }
    body
}
