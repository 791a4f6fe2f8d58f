//! Errors: their messages and exit codes.
//!
//! Every message is in a golden file and must follow our style: lower case, no full stop, what was expected
//! and what to do, no numbers of system errors.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{ARTICLE, BOOKS, Run, SHOP, folder, golden, root, run, style};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

/// Runs command lines, compares them with a golden file and checks the style of their messages.
fn said(name: &str, folder: &Path, lines: &[&str]) -> Vec<Run> {
    let runs = golden(name, folder, lines);
    for run in &runs {
        style(run);
    }
    runs
}

fn codes(runs: &[Run]) -> Vec<i32> {
    runs.iter().map(|run| run.code).collect()
}

#[test]
fn inputs_that_are_not_pages() {
    let gzip = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00";
    let folder = folder(&[
        ("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("page.html.gz", gzip),
        ("data.bin", &[0, 1, 2, 3, 4, 5, 6, 7, 250]),
        ("empty.html", b""),
        ("blank.html", b" \t\r\n\n"),
        ("no-pages/notes.txt", b"text"),
        ("archive.mhtml", b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=B\r\n\r\n--B\r\nContent-Type: image/png\r\n\r\nx\r\n--B--\r\n"),
    ]);
    symlink("nowhere", folder.path().join("dangling.html")).unwrap();
    let runs = said(
        "errors-inputs",
        folder.path(),
        &[
            "copal extract missing.html",
            "copal extract dangling.html",
            "copal extract image.png",
            "copal extract page.html.gz",
            "copal extract data.bin",
            "copal extract archive.mhtml",
            "copal extract empty.html",
            "copal extract blank.html",
            "copal extract - < empty.html",
            "copal extract no-pages",
            "copal extract 'no-pages/*.html'",
            "copal extract 'no-pages/[.html'",
            "copal extract http://127.0.0.1:8000/list",
            "copal extract httpS://[::1]/list",
            "copal extract file:///no/such/page.html",
            "copal extract file://host/page.html",
            "copal extract www.example.com",
            "copal extract shop.example/lamps?page=2",
            "copal extract imag.png",
            "copal extract ftp://shop.example/list",
            "copal extract gopher://shop.example/list",
            "copal extract missing.html --format json",
            "copal extract missing.html empty.html --format json",
        ],
    );
    assert!(runs.iter().all(|run| run.code == 3), "{:?}", codes(&runs));
}

#[test]
fn files_and_folders_without_read_permission() {
    let folder = folder(&[("page.html", SHOP.as_bytes()), ("closed/page.html", SHOP.as_bytes())]);
    let close = |name: &str, mode| {
        fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    close("page.html", 0o000);
    close("closed", 0o000);
    // root may read everything
    if fs::read(folder.path().join("page.html")).is_err() {
        let file = run(folder.path(), "copal extract page.html");
        assert_eq!((file.code, file.stderr.as_str()), (3, "error: page.html: permission denied\n"));
        let all = run(folder.path(), "copal extract closed");
        assert_eq!((all.code, all.stderr.as_str()), (3, "error: closed: permission denied\n"));
    }
    close("closed", 0o755);
}

#[test]
fn nothing_found() {
    let folder = folder(&[("article.html", ARTICLE.as_bytes()), ("shop.html", SHOP.as_bytes())]);
    let runs = said(
        "errors-nothing-found",
        folder.path(),
        &[
            "copal extract article.html",
            "copal extract article.html --quiet",
            "copal extract article.html --format csv",
            "copal extract article.html --format json",
            "copal extract article.html shop.html --format csv",
        ],
    );
    assert!(runs.iter().all(|run| run.code == 1), "{:?}", codes(&runs));
}

#[test]
fn wrong_usage() {
    let folder = folder(&[("shop.html", SHOP.as_bytes())]);
    let runs = said(
        "errors-usage",
        folder.path(),
        &[
            "copal extract shop.html --format xml",
            "copal extract shop.html --method ember",
            "copal extract shop.html --set mdr.treshold=0.3",
            "copal extract shop.html --set mdr.threshold=high",
            "copal extract shop.html --set mdr.threshold",
            "copal extract shop.html --jobs 0",
            "copal extract shop.html --jobs many",
            "copal extract shop.html --jobs 100000",
            "copal extract shop.html --limit-bytes 10MB",
            "copal extract shop.html --limit-bytes -1",
            "copal extract shop.html --quiet --verbose",
            "copal extract shop.html -o list.docx",
            "copal extract shop.html -o list",
            "copal extract --all",
            "copal extract shop.html --al",
            "copal extrakt shop.html",
        ],
    );
    assert!(runs.iter().all(|run| run.code == 2), "{:?}", codes(&runs));
    assert!(runs.iter().all(|run| run.stdout.is_empty()));
}

/// What people try first.
#[test]
fn beginners_are_told_what_to_write() {
    let folder =
        folder(&[("shop.html", SHOP.as_bytes()), ("list.json", b"{\"a\": 1}"), ("raw.yaml", b"\xff\xfe\0")]);
    run(
        folder.path(),
        "copal learn shop.html -o shop.copal.yaml; copal domain new boats; mv boats/domain.yaml boats.yaml; mv boats/makes.txt .; rm -r boats",
    );
    let runs = said(
        "errors-beginners",
        folder.path(),
        &[
            "copal extract",
            "copal learn",
            "copal apply",
            "copal check",
            "copal repair",
            "copal export",
            "copal diff",
            "copal apply shop.html shop.copal.yaml",
            "copal apply list.json shop.html",
            "copal apply raw.yaml shop.html",
            "copal apply missing.yaml shop.html",
            "copal check shop.html shop.html",
            "copal repair shop.html shop.html",
            "copal export shop.html --to scrapy",
            "copal extract shop.html --dry-run",
            "copal learn shop.html --follow all",
            "copal apply shop.copal.yaml shop.html --all",
            "copal diff shop.html --append",
            "copal extract shop.html --no-such-option",
            "copal extract shop.html --domain bookz",
            "copal extract shop.html --domain zebra",
            "copal domain show job",
            "copal domain test nothing.yaml",
            "copal domain test boats.yaml",
            "copal extract shop.html --format xlxs",
            "copal extract shop.html --format csv --sources",
            "copal extract shop.html --format json --values",
            "copal extract shop.html --key title -o list.csv",
            "copal extract shop.html --table t -o list.csv",
            "copal extract shop.html --format csv -o data.sqlite",
        ],
    );
    assert!(runs.iter().all(|run| run.code != 0), "{:?}", codes(&runs));
    for run in &runs[..7] {
        assert_eq!((run.code, run.stderr.lines().count()), (2, 3), "{run:?}");
    }
}

#[test]
fn outputs_that_cannot_be_written() {
    let folder = folder(&[("shop.html", SHOP.as_bytes())]);
    fs::create_dir(folder.path().join("data.csv")).unwrap();
    let mut lines = vec![
        "copal extract shop.html -o missing/list.csv",
        "copal extract shop.html -o shop.html/list.csv",
        "copal extract shop.html -o data.csv",
        "copal extract shop.html --format csv -o .",
    ];
    if Path::new("/dev/full").exists() {
        lines.extend([
            "copal extract shop.html --format csv -o /dev/full",
            "copal extract shop.html > /dev/full",
            "copal extract shop.html --format json > /dev/full",
            "copal extract shop.html --format jsonl > /dev/full",
            "copal extract shop.html --format csv > /dev/full",
        ]);
        let runs = said("errors-outputs", folder.path(), &lines);
        assert!(runs.iter().all(|run| run.code == 3), "{:?}", codes(&runs));
    } else {
        assert!(lines.iter().all(|line| run(folder.path(), line).code == 3));
    }
}

#[test]
fn a_limit_that_was_hit_is_named() {
    let folder = folder(&[("shop.html", SHOP.as_bytes())]);
    let limits = ["bytes 1100", "nodes 60", "depth 4", "text-bytes 200", "attribute-bytes 5", "attributes 0"];
    let lines = limits.map(|limit| format!("copal extract shop.html --format csv --limit-{limit}"));
    let runs = said("errors-limits", folder.path(), &lines.each_ref().map(String::as_str));
    for (run, limit) in runs.iter().zip(limits) {
        let name = limit.split(' ').next().unwrap();
        assert!(run.stderr.contains(&format!("limit {name} was hit")), "{run:?}");
        assert_eq!(run.code, 4, "{limit}");
    }
    let quiet = run(folder.path(), "copal extract shop.html --limit-nodes 60 --quiet");
    assert_eq!((quiet.code, quiet.stderr.as_str()), (4, ""));
    let json = run(folder.path(), "copal extract shop.html --limit-nodes 60 --format json --quiet");
    assert!(json.stdout.contains("limit nodes was hit"), "{}", json.stdout);
    let most = run(folder.path(), &format!("copal extract shop.html --limit-bytes {}", usize::MAX));
    assert_eq!((most.code, most.stderr.as_str()), (0, ""));
}

/// The run goes on, the good pages are written, and the exit code reports the failure.
#[test]
fn one_bad_page_among_good_ones() {
    let folder = folder(&[
        ("pages/a-shop.html", SHOP.as_bytes()),
        ("pages/b-image.html", b"\x89PNG\r\n\x1a\n"),
        ("pages/c-books.html", BOOKS.as_bytes()),
    ]);
    let runs = said(
        "errors-one-bad-page",
        folder.path(),
        &[
            "copal extract pages --format csv",
            "copal extract pages",
            "copal extract pages --quiet -o list.csv; echo exit $?; cat list.csv",
            "copal extract pages/b-image.html pages/c-books.html --limit-nodes 20 --format csv",
        ],
    );
    assert_eq!(codes(&runs), [3, 3, 0, 3]);
    assert!(runs[2].stdout.starts_with("exit 3\n"));
    let json = run(folder.path(), "copal extract pages --format json --quiet");
    let pages: Vec<serde_json::Value> = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(pages.len(), 2);
}

#[test]
fn quiet_leaves_errors_only() {
    let folder = folder(&[("article.html", ARTICLE.as_bytes())]);
    let run = run(folder.path(), "copal extract article.html missing.html --quiet");
    assert_eq!(run.stderr, "error: missing.html: no such file or folder\n");
    assert_eq!(run.code, 3);
}

#[test]
fn help_has_examples() {
    let folder = folder(&[]);
    for command in ["extract", "learn", "apply"] {
        let help = run(folder.path(), &format!("copal {command} --help"));
        assert_eq!(help.code, 0);
        assert!(help.stdout.contains(&format!("Examples:\n  copal {command} ")), "{}", help.stdout);
    }
    let extract = run(folder.path(), "copal extract --help");
    assert!(extract.stdout.contains("Exit codes: 0 done, 1 nothing found"), "{}", extract.stdout);
    let top = run(folder.path(), "copal --help");
    assert_eq!(top.code, 0);
    for command in ["extract", "learn", "apply"] {
        assert!(top.stdout.contains(&format!("\n  {command}")), "{}", top.stdout);
    }
    let version = run(folder.path(), "copal -V");
    assert_eq!(version.stdout, format!("copal {}\n", env!("CARGO_PKG_VERSION")));
}

/// Messages are for problems, and the pages in the repository have none.
#[test]
fn pages_of_the_repository_give_no_messages() {
    let run = run(&root(), "copal extract testdata/corpus --format csv");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}
