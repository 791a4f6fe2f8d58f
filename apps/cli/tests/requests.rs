//! Headers, cookies, proxies and sitemaps of the command line, against servers on loopback.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{BOOKS, Run, end, folder, shell, style};
use copal_testserver::{Request, Server, html, not_found, response};
use std::fs;
use std::path::Path;

/// Options of every command line here: the servers are on this machine and need no delay.
const OWN: &str = "--allow-private --delay 0";
const SECRET: &str = "s3cret-value";
const LOGIN: &str = "<!DOCTYPE html><title>Sign in</title><h1>Members only</h1><form action=/login method=post>\
    <label>Name <input name=user></label><label>Password <input type=password name=word></label></form>";

/// A shop that shows its list to members only.
fn members_only(request: &Request) -> copal_testserver::Response {
    match request.path.as_str() {
        "/robots.txt" => not_found(),
        "/list" if request.headers.iter().any(|(_, value)| value.contains(SECRET)) => html(BOOKS),
        _ => html(LOGIN),
    }
}

fn run_at(folder: &Path, server: &Server, line: &str, variables: &[(&str, &str)]) -> Run {
    let mut command = shell(folder, line);
    command.env("SHOP", server.url("")).envs(variables.iter().copied());
    let run = end(&mut command, line, b"");
    let plain = |text: &str| text.replace(&server.url(""), "$SHOP");
    Run { stdout: plain(&run.stdout), stderr: plain(&run.stderr), ..run }
}

#[test]
fn a_list_behind_a_cookie() {
    let server = Server::start(members_only);
    let host = "127.0.0.1";
    let folder = folder(&[
        (
            "cookies.txt",
            format!("# Netscape HTTP Cookie File\n{host}\tFALSE\t/\tFALSE\t0\tsid\t{SECRET}\n").as_bytes(),
        ),
        ("cookie.txt", format!("sid={SECRET}\n").as_bytes()),
        ("headers.txt", format!("# a token\nX-Token: {SECRET}\n\nAccept-Language: en\n").as_bytes()),
    ]);
    let closed = run_at(folder.path(), &server, &format!("copal extract $SHOP/list {OWN}"), &[]);
    assert_eq!(closed.code, 1);
    style(&closed);
    let message = "warning: $SHOP/list: no list found: the page asks for a login\n";
    assert!(closed.stderr.starts_with(message), "{}", closed.stderr);
    assert!(closed.stderr.contains("--cookies FILE"), "{}", closed.stderr);
    let ways: [(&str, &[(&str, &str)]); 8] = [
        ("--cookies cookies.txt", &[]),
        ("--cookie @cookie.txt", &[]),
        (&format!("--cookie 'a=b; sid={SECRET}'"), &[]),
        ("--header @headers.txt", &[]),
        (&format!("--header 'X-Token: {SECRET}'"), &[]),
        ("", &[("COPAL_COOKIES", "cookies.txt")]),
        ("", &[("COPAL_COOKIE", &format!("sid={SECRET}"))]),
        ("", &[("COPAL_HEADERS", &format!("X-Token: {SECRET}"))]),
    ];
    for (options, variables) in ways {
        let line = format!("copal extract $SHOP/list {OWN} {options} --format csv");
        let run = run_at(folder.path(), &server, &line, variables);
        assert_eq!((run.code, run.stdout.lines().count()), (0, 4), "{options} {variables:?}: {}", run.stderr);
    }
    // the cache of these runs was not used, and has no page of them
    let again = run_at(folder.path(), &server, &format!("copal extract $SHOP/list {OWN}"), &[]);
    assert_eq!(again.code, 1);
}

#[test]
fn all_pages_of_a_sitemap() {
    let server = Server::start(|request| match request.path.as_str() {
        "/sitemap.xml" => html("<sitemapindex><sitemap><loc>/relative</loc></sitemap></sitemapindex>"),
        "/pages.xml" => {
            let host = request.header("host");
            html(&format!(
                "<urlset><url><loc>http://{host}/a</loc></url><url><loc>http://{host}/b</loc></url></urlset>"
            ))
        }
        "/a" | "/b" => html(BOOKS),
        _ => not_found(),
    });
    let folder = folder(&[("none.xml", b"<urlset></urlset>")]);
    let line = format!("copal extract --sitemap $SHOP/pages.xml {OWN} --format csv");
    let run = run_at(folder.path(), &server, &line, &[]);
    assert_eq!((run.code, run.stdout.lines().count()), (0, 7), "{}", run.stderr);
    assert!(run.stdout.lines().nth(1).unwrap().starts_with("$SHOP/a,"), "{}", run.stdout);
    for (name, message) in [
        ("$SHOP/sitemap.xml", "$SHOP/sitemap.xml: no URLs: expected a sitemap in XML, or one URL per line"),
        ("none.xml", "none.xml: no URLs: expected a sitemap in XML, or one URL per line"),
        ("missing.xml", "missing.xml: no such file or folder"),
    ] {
        let run = run_at(folder.path(), &server, &format!("copal extract --sitemap {name} {OWN}"), &[]);
        assert_eq!((run.code, run.stderr.as_str()), (3, format!("error: {message}\n").as_str()));
    }
}

#[test]
fn compressed_files_and_file_urls_are_read() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, BOOKS.as_bytes()).unwrap();
    let packed = gzip.finish().unwrap();
    let folder = folder(&[
        ("books.html", BOOKS.as_bytes()),
        ("packed/a book.html.gz", &packed),
        ("cut.html.gz", &packed[..packed.len() / 2]),
    ]);
    let plain = common::run(folder.path(), "copal extract books.html --format csv").stdout;
    for name in [
        "'packed/a book.html.gz'",
        "- < 'packed/a book.html.gz'",
        "packed",
        "file://$PWD/books.html",
        "'file://'$PWD'/packed/a%20book.html.gz'",
    ] {
        let run = common::run(folder.path(), &format!("copal extract --format csv {name}"));
        assert_eq!((run.code, &run.stdout), (0, &plain), "{name}: {}", run.stderr);
    }
    let cut = common::run(folder.path(), "copal extract cut.html.gz");
    assert_eq!(
        (cut.code, cut.stderr.as_str()),
        (3, "error: cut.html.gz: its gzip data is damaged or incomplete\n")
    );
}

/// Everything that copal writes, wherever.
#[test]
fn no_secret_reaches_a_file_or_a_message() {
    let server = Server::start(members_only);
    let folder = folder(&[]);
    let secret = format!(
        "--cookie 'sid={SECRET}' --header='X-Token: {SECRET}' --proxy http://me:{SECRET}@127.0.0.1:9"
    );
    for (line, code) in [
        (format!("copal extract $SHOP/list {OWN} {secret} -o list.sqlite -vvv"), 0),
        (
            format!("copal extract $SHOP/list {OWN} {secret} -o report.html --explain --log-format json -vv"),
            0,
        ),
        (format!("copal extract $SHOP/list {OWN} {secret} -o list.json"), 0),
        (format!("copal learn $SHOP/list {OWN} {secret} -o shop.yaml"), 0),
        (format!("copal apply shop.yaml $SHOP/list {OWN} {secret} -o list.csv"), 0),
        (format!("copal check shop.yaml $SHOP/list {OWN} {secret}"), 5),
        (format!("copal extract $SHOP/list http://localhost:1/ {OWN} {secret}"), 2),
        (format!("copal extract $SHOP/list {OWN} --header 'X-Token {SECRET}'"), 2),
        (format!("copal extract $SHOP/list {OWN} --header 'Host: {SECRET}'"), 2),
        (format!("copal extract $SHOP/list {OWN} --cookie {SECRET}"), 2),
        (format!("copal extract $SHOP/list {OWN} --proxy socks5://{SECRET}@h"), 2),
    ] {
        let run = run_at(folder.path(), &server, &line, &[]);
        assert_eq!(run.code, code, "{line}: {}", run.stderr);
        assert!(!run.stderr.contains(SECRET) && !run.stdout.contains(SECRET), "{line}: {}", run.stderr);
        style(&run);
    }
    let mut files = 0;
    for entry in walkdir(folder.path()) {
        let bytes = fs::read(&entry).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains(SECRET), "{}", entry.display());
        files += 1;
    }
    assert!(files >= 5, "{files}");
    let database = rusqlite::Connection::open(folder.path().join("list.sqlite")).unwrap();
    let command: String = database.query_row("SELECT command FROM runs", [], |row| row.get(0)).unwrap();
    assert!(command.contains("--cookie … --header=… --proxy …"), "{command}");
}

/// All files below a folder.
fn walkdir(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut open = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                open.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
    }
    files
}

#[test]
#[cfg_attr(not(feature = "render"), ignore = "one of the hints names an option of the feature render")]
fn messages_about_requests() {
    let server = Server::start(|request| match request.path.as_str() {
        "/forbidden" => response("403 Forbidden", "", "no"),
        "/challenge" => response("403 Forbidden", "", "<title>Just a moment...</title>"),
        "/busy" => response("429 Too Many Requests", "Retry-After: 9000\r\n", ""),
        "/login" => html(LOGIN),
        "/app" => html(
            "<title>App</title><noscript>Enable JavaScript</noscript><div id=root></div><script src=/a.js></script>",
        ),
        "/wall" => html("<title>Attention Required</title><p>Please verify you are human.</p>"),
        "/broken" => response("500 Internal Server Error", "Retry-After: 9000\r\n", ""),
        _ => not_found(),
    });
    let folder = folder(&[("empty.txt", b"# nothing\n"), ("bad.txt", b"one two three\n")]);
    let lines: Vec<String> = [
        "$SHOP/forbidden",
        "$SHOP/challenge",
        "$SHOP/busy",
        "$SHOP/login",
        "$SHOP/app",
        "$SHOP/wall",
        "$SHOP/broken",
        "$SHOP/missing",
        "$SHOP/login --header x",
        "$SHOP/login --header 'User-Agent: x'",
        "$SHOP/login --header 'Host: x'",
        "$SHOP/login --header @none.txt",
        "$SHOP/login --cookie x",
        "$SHOP/login --cookies none.txt",
        "$SHOP/login --cookies bad.txt",
        "$SHOP/login --cookies empty.txt",
        "$SHOP/login --proxy ''",
        "$SHOP/login https://b.example/ --cookie a=b",
    ]
    .iter()
    .map(|rest| format!("copal extract {rest} --allow-private --delay 0 --no-cache"))
    .collect();
    let runs: Vec<Run> = lines.iter().map(|line| run_at(folder.path(), &server, line, &[])).collect();
    common::compare("errors-requests", &common::transcript(&runs));
    runs.iter().for_each(style);
}
