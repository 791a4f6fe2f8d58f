//! A shop on loopback that sells kettles, for command lines with URLs. It records the requests that it gets.

use super::{BOOKS, Run, compare, end, folder, shell, transcript};
use copal_testserver::{Request, Response, Server, html, not_found, response};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Number of kettles in total, and per page.
const KETTLES: usize = 23;
const EACH: usize = 5;
pub(crate) const PAGES: usize = KETTLES.div_ceil(EACH);

/// Timeout of every wait. It is longer than anything takes on a slow machine, so only a defect makes a test
/// fail.
const PATIENCE: Duration = Duration::from_mins(1);

/// A shop, and a folder in which command lines are run. In a command line, `$SHOP` is the URL of the shop
/// with its address, and `$LOCAL` the same with the name localhost.
pub(crate) struct Shop {
    pub(crate) server: Server,
    pub(crate) folder: TempDir,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// Targets that were requested so far.
    asked: Mutex<Vec<String>>,
    /// While this is true, some responses are held back.
    held: AtomicBool,
}

impl Shop {
    pub(crate) fn open() -> Shop {
        let state = Arc::new(State::default());
        let own = Arc::clone(&state);
        let server = Server::start(move |request| own.response(request));
        Shop { server, folder: folder(&[]), state }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A command line with the shop's URLs in its environment.
    pub(crate) fn shell(&self, line: &str) -> Command {
        let mut command = shell(self.path(), line);
        command.env("SHOP", self.server.url("")).env("LOCAL", self.server.url_with_host("localhost", ""));
        command
    }

    /// Runs a command line. In its output, the shop's URLs are replaced by `$SHOP` and `$LOCAL`.
    pub(crate) fn run(&self, line: &str) -> Run {
        self.run_with(line, b"")
    }

    /// Like [`Shop::run`], with a text on standard input.
    pub(crate) fn run_with(&self, line: &str, stdin: &[u8]) -> Run {
        let run = end(&mut self.shell(line), line, stdin);
        let plain = |text: &str| {
            let text = text.replace(&self.server.url_with_host("localhost", ""), "$LOCAL");
            text.replace(&self.server.url(""), "$SHOP")
        };
        Run { stdout: plain(&run.stdout), stderr: plain(&run.stderr), ..run }
    }

    /// Runs command lines and compares them with their golden file.
    pub(crate) fn golden(&self, name: &str, lines: &[&str]) -> Vec<Run> {
        let runs: Vec<Run> = lines.iter().map(|line| self.run(line)).collect();
        compare(name, &transcript(&runs));
        runs
    }

    /// The targets that were requested since the last call.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.state.asked.lock().unwrap())
    }

    /// Sets whether `/held` holds back its third and all later pages.
    pub(crate) fn hold(&self, held: bool) {
        self.state.held.store(held, Ordering::SeqCst);
    }

    /// Waits until a target was requested.
    pub(crate) fn wait_for(&self, target: &str) {
        assert!(wait(|| self.state.was_asked(target)), "nobody asked for {target}");
    }
}

impl State {
    fn was_asked(&self, target: &str) -> bool {
        self.asked.lock().unwrap().iter().any(|asked| asked == target)
    }

    fn response(&self, request: &Request) -> Response {
        self.asked.lock().unwrap().push(request.path.clone());
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        let page = query.strip_prefix("page=").and_then(|k| k.parse().ok()).unwrap_or(1);
        match path {
            "/robots.txt" => response("200 OK", "", "User-agent: *\nDisallow: /closed\n"),
            "/gone" if page == 3 => response("410 Gone", "", ""),
            "/kettles" | "/closed" | "/gone" => kettles(path, page),
            "/held" => {
                if page < 3 || wait(|| !self.held.load(Ordering::SeqCst)) {
                    kettles(path, page)
                } else {
                    not_found()
                }
            }
            // a page that is only sent once the others have been requested
            "/slow" => {
                if wait(|| self.was_asked("/books")) {
                    kettles(path, page)
                } else {
                    not_found()
                }
            }
            "/books" => html(BOOKS),
            "/article" => html(super::ARTICLE),
            "/data" => data(page),
            "/paper" => response("200 OK", "Content-Type: application/pdf\r\n", "%PDF-1.7"),
            _ => match path.strip_prefix("/kettle/").and_then(|number| number.parse().ok()) {
                Some(number) => kettle(number),
                None => not_found(),
            },
        }
    }
}

/// Waits until a condition holds, at most for the timeout.
fn wait(until: impl Fn() -> bool) -> bool {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        if until() {
            return true;
        }
        thread::sleep(Duration::from_millis(5));
    }
    false
}

fn numbers(page: usize) -> std::ops::RangeInclusive<usize> {
    EACH * (page - 1) + 1..=(EACH * page).min(KETTLES)
}

/// A page of the list, with a counter and a link to the next one.
fn kettles(path: &str, page: usize) -> Response {
    let item = |n: usize| {
        format!(
            "<li class=item><h3><a href='/kettle/{n}'>Copper kettle model {n}</a></h3><span class=price>£{n}.99</span>\
             <p class=about>Holds {} litres and is made by hand in workshop {n}.</p></li>",
            n % 7 + 1
        )
    };
    let items: String = numbers(page).map(item).collect();
    let (first, last) = (numbers(page).start().to_owned(), numbers(page).end().to_owned());
    let next = if page < PAGES {
        format!("<a rel=next href='{path}?page={}'>Next page</a>", page + 1)
    } else {
        String::new()
    };
    html(&format!(
        "<!doctype html><html lang=en><title>Kettles</title><nav><a href=/>Home</a> <a href=/about>About</a></nav>\
         <h1>Kettles</h1><p>{first}-{last} of {KETTLES} kettles</p><ul class=kettles>{items}</ul><p>{next}</p>"
    ))
}

/// The detail page of one kettle.
fn kettle(n: usize) -> Response {
    let colour = ["red", "copper", "black"][n % 3];
    html(&format!(
        "<!doctype html><html lang=en><title>Copper kettle model {n} - Kettle shop</title><nav><a href=/>Home</a></nav>\
         <main><h1>Copper kettle model {n}</h1><dl><dt>Weight</dt><dd>{n}.2 kg</dd><dt>Colour</dt><dd>{colour}</dd></dl>\
         <p>This kettle was hammered by hand in workshop {n} and tested for a week.</p></main>"
    ))
}

/// The same list as JSON. A `Link` header names the next page.
fn data(page: usize) -> Response {
    let item = |n: usize| format!("{{\"name\": \"Copper kettle model {n}\", \"url\": \"/kettle/{n}\"}}");
    let items: Vec<String> = numbers(page).map(item).collect();
    let next = if page < PAGES {
        format!("Link: </data?page={}>; rel=\"next\"\r\n", page + 1)
    } else {
        String::new()
    };
    let headers = format!("Content-Type: application/json\r\n{next}");
    response("200 OK", &headers, format!("{{\"items\": [{}]}}", items.join(", ")))
}
