//! Files as users have them: names that are not UTF-8, links, outputs that are inputs, settings that cannot be read.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{BOOKS, Run, SHOP, folder, names, run, style};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::TempDir;

/// Rows of CSV, without the header.
fn rows(ended: &Run) -> usize {
    ended.stdout.lines().count().saturating_sub(1)
}

/// A folder with a page whose name is not UTF-8, as mirrors of old sites have them, and another page.
fn folder_with_latin1_name() -> TempDir {
    let folder = folder(&[("pages/shop.html", SHOP.as_bytes())]);
    let name = OsStr::from_bytes(b"caf\xe9.html");
    fs::write(folder.path().join("pages").join(name), BOOKS).unwrap();
    folder
}

#[test]
fn pages_whose_names_are_not_utf8_are_read() {
    let folder = folder_with_latin1_name();
    let alone = |page: &str| rows(&run(folder.path(), &format!("copal extract {page} --format csv")));
    // as the shell gives it, by a pattern, and in a folder
    let of_page = alone("pages/caf?.html");
    assert!(of_page > 1, "{of_page}");
    assert_eq!(alone("'pages/caf?.html'"), of_page);
    let of_both = alone("pages");
    assert_eq!(of_both, of_page + alone("pages/shop.html"));
    assert_eq!(alone("'pages/*.html'"), of_both);
    assert_eq!(alone("pages/*.html"), of_both);
    // its path is sent to the process that reads it
    let isolated = run(folder.path(), "copal extract pages --isolate --format csv");
    assert_eq!((isolated.code, rows(&isolated)), (0, of_both), "{}", isolated.stderr);
    let missing = run(folder.path(), "copal extract pages/$(printf 'th\\351').html");
    style(&missing);
    assert_eq!(missing.code, 3);
    assert!(missing.stderr.contains("th\u{fffd}.html: no such file or folder"), "{}", missing.stderr);
}

#[test]
fn links_in_a_folder_are_pages_and_do_not_lead_around_in_circles() {
    let folder = folder(&[("pages/one.html", SHOP.as_bytes()), ("elsewhere.html", BOOKS.as_bytes())]);
    let pages = folder.path().join("pages");
    symlink("../elsewhere.html", pages.join("two.html")).unwrap();
    symlink("../pages", pages.join("again")).unwrap();
    let both = run(folder.path(), "copal extract pages/one.html pages/two.html --format csv");
    let whole = run(folder.path(), "copal extract pages --format csv");
    assert_eq!(whole.stdout, both.stdout, "{}", whole.stderr);
    // a page that is gone is not silently left out
    symlink("nowhere", pages.join("three.html")).unwrap();
    let partial = run(folder.path(), "copal extract pages --format csv");
    assert_eq!((partial.code, &partial.stdout), (3, &both.stdout));
    assert!(partial.stderr.contains("pages/three.html: no such file"), "{}", partial.stderr);
    // a link to itself has no similar name to suggest
    symlink("loop", folder.path().join("loop")).unwrap();
    let looped = run(folder.path(), "copal extract loop");
    style(&looped);
    assert!(looped.code == 3 && !looped.stderr.contains("hint"), "{}", looped.stderr);
}

/// The command is refused, and the file is as it was.
fn refuses(folder: &Path, line: &str, kept: &str) {
    let before = fs::read(folder.join(kept)).unwrap();
    let ended = run(folder, line);
    style(&ended);
    assert_eq!(ended.code, 2, "{line}: {}", ended.stderr);
    assert!(ended.stderr.contains("is read by this run"), "{line}: {}", ended.stderr);
    assert_eq!(fs::read(folder.join(kept)).unwrap(), before, "{line}");
}

#[test]
fn an_output_does_not_replace_what_the_run_reads() {
    let folder = folder(&[("shop.html", SHOP.as_bytes()), ("pages/books.html", BOOKS.as_bytes())]);
    symlink("shop.html", folder.path().join("link.html")).unwrap();
    let at = folder.path();
    assert_eq!(run(at, "copal learn shop.html -o shop.copal.yaml").code, 0);
    for line in [
        "copal extract shop.html -o shop.html",
        "copal extract shop.html -o ./pages/../shop.html",
        "copal extract shop.html -o link.html",
        "copal extract link.html -o shop.html --format csv",
        "copal extract . -o shop.html",
        "copal extract '*.html' -o shop.html",
        "copal apply shop.copal.yaml shop.html -o shop.html",
        "copal learn shop.html -o shop.html",
        "copal watch shop.html -o data.sqlite --changes shop.html",
    ] {
        refuses(at, line, "shop.html");
    }
    refuses(at, "copal export shop.copal.yaml --to xpath-json -o shop.copal.yaml", "shop.copal.yaml");
    assert_eq!(names(at), ["link.html", "pages", "shop.copal.yaml", "shop.html"], "nothing was made");
    // a file of the same name elsewhere, and a device
    assert_eq!(run(at, "copal extract shop.html -o pages/shop.html").code, 0);
    assert_eq!(run(at, "copal extract shop.html -o /dev/null --format csv").code, 0);
}

#[test]
fn variables_that_are_not_text_are_refused_and_not_left_out() {
    let folder = folder(&[]);
    for name in ["COPAL_HEADERS", "COPAL_COOKIE", "COPAL_PROXY"] {
        let line =
            format!("{name}=$(printf 'X-Key: \\377') copal extract http://127.0.0.1:9999/ --allow-private");
        let ended = run(folder.path(), &line);
        assert_eq!(ended.code, 2, "{}", ended.stderr);
        assert!(ended.stderr.contains(&format!("{name}: not a text in UTF-8")), "{}", ended.stderr);
    }
}

#[test]
fn lists_of_pages_are_read_in_the_encodings_that_shells_write() {
    let folder = folder(&[("one.html", SHOP.as_bytes()), ("zwei-ü.html", BOOKS.as_bytes())]);
    let list = "# pages\r\none.html\r\nzwei-ü.html\r\n";
    let expected = run(folder.path(), "copal extract one.html zwei-ü.html --format csv").stdout;
    let units = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        std::iter::once(0xfeff).chain(list.encode_utf16()).flat_map(order).collect()
    };
    let marked = [b"\xef\xbb\xbf".as_slice(), list.as_bytes()].concat();
    for bytes in [list.as_bytes().to_vec(), marked, units(u16::to_le_bytes), units(u16::to_be_bytes)] {
        fs::write(folder.path().join("list.txt"), bytes).unwrap();
        let read = run(folder.path(), "copal extract --urls list.txt --format csv");
        assert_eq!(read.stdout, expected, "{}", read.stderr);
    }
    fs::write(folder.path().join("list.txt"), b"caf\xe9.html\n").unwrap();
    let refused = run(folder.path(), "copal extract --urls list.txt");
    style(&refused);
    assert!(refused.code == 3 && refused.stderr.contains("not a text in UTF-8"), "{}", refused.stderr);
}

#[test]
fn rows_are_not_appended_to_a_file_with_another_separator() {
    let folder = folder(&[("shop.html", SHOP.as_bytes())]);
    for (separator, text) in [("';'", "title;price\nLamp;9,50\n"), ("'\\t'", "title\tprice\nLamp\t9,50\n")] {
        fs::write(folder.path().join("list.csv"), text).unwrap();
        let refused = run(folder.path(), "copal extract shop.html -o list.csv --append");
        style(&refused);
        assert_eq!(refused.code, 3, "{}", refused.stderr);
        let expected = format!("its cells are separated by {separator}, not by commas");
        assert!(refused.stderr.contains(&expected), "{}", refused.stderr);
        assert_eq!(fs::read_to_string(folder.path().join("list.csv")).unwrap(), text);
    }
}

#[test]
fn settings_that_cannot_be_read_can_be_ignored() {
    let folder = folder(&[("shop.html", SHOP.as_bytes()), ("home/.config/copal/config.toml/x", b"")]);
    let line = "HOME=$PWD/home XDG_CONFIG_HOME= copal extract shop.html --format csv";
    let refused = run(folder.path(), line);
    style(&refused);
    assert_eq!(refused.code, 3);
    assert!(refused.stderr.contains("hint: --no-config ignores"), "{}", refused.stderr);
    assert_eq!(run(folder.path(), &format!("{line} --no-config")).code, 0);
}

#[test]
fn refused_arguments_leave_no_files() {
    let folder = folder(&[("folder.sqlite/x", b"")]);
    for url in ["shop.example", "ftp://shop.example/", "file:///etc", "http://", "''"] {
        let ended = run(folder.path(), &format!("copal site {url} -o out.sqlite"));
        style(&ended);
        assert_eq!(ended.code, 2, "{url}: {}", ended.stderr);
        assert_eq!(names(folder.path()), ["folder.sqlite"], "{url}");
    }
    let folder_as_database = run(folder.path(), "copal diff folder.sqlite");
    assert!(
        folder_as_database.stderr.contains("folder.sqlite: is a folder"),
        "{}",
        folder_as_database.stderr
    );
    fs::create_dir(folder.path().join("folder.csv")).unwrap();
    fs::write(folder.path().join("wide.csv"), b"\xff\xfea\0,\0b\0").unwrap();
    for (file, reason) in [("folder.csv", "is a folder"), ("wide.csv", "not a CSV file: it is not UTF-8")] {
        let refused = run(folder.path(), &format!("copal diff {file} {file}"));
        style(&refused);
        assert!(refused.code == 3 && refused.stderr.contains(reason), "{}", refused.stderr);
    }
    let unnamed = run(folder.path(), "copal extract ''");
    style(&unnamed);
    assert!(unnamed.code == 3 && unnamed.stderr.contains("found an empty name"), "{}", unnamed.stderr);
}

#[test]
fn a_proxy_that_cannot_be_reached_is_named() {
    let folder = folder(&[]);
    let line = "copal extract http://shop.example/ --proxy http://127.0.0.1:1 --no-cache --timeout 5";
    let ended = run(folder.path(), line);
    assert_eq!(ended.code, 3);
    let expected = "could not connect to shop.example: through the proxy http://127.0.0.1:1";
    assert!(ended.stderr.contains(expected), "{}", ended.stderr);
}
