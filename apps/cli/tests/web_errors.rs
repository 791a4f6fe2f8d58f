//! URLs that do not give a page: messages and exit codes.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::shop::Shop;
use common::{BOOKS, Run, style};
use std::fs;

fn said(shop: &Shop, name: &str, lines: &[&str]) -> Vec<i32> {
    let runs: Vec<Run> = shop.golden(name, lines);
    runs.iter().for_each(style);
    runs.iter().map(|run| run.code).collect()
}

/// None of these may open a connection.
#[test]
fn urls_that_are_not_requested() {
    let shop = Shop::open();
    let codes = said(
        &shop,
        "errors-addresses",
        &[
            "copal extract $SHOP/kettles",
            "copal extract $LOCAL/kettles",
            "copal extract http://0x7f.1/",
            "copal extract http://[::1]/",
            "copal extract http://10.0.0.1/list",
            "copal extract httpS://169.254.169.254/latest/",
            "copal extract http://printer.local/",
            "copal extract http://user:secret@127.0.0.1/ --allow-private",
            "copal extract http://127.0.0.1:25/ --allow-private",
            "copal extract http:// --allow-private",
            "copal extract http://[::1 --allow-private",
            "copal domain test jobs $SHOP/kettles",
        ],
    );
    assert!(codes.iter().all(|code| *code == 3), "{codes:?}");
    assert_eq!(shop.server.connections(), 0);
}

#[test]
fn responses_that_are_not_pages() {
    let shop = Shop::open();
    let codes = said(
        &shop,
        "errors-answers",
        &[
            "copal extract $SHOP/nothing --allow-private --delay 0",
            "copal extract $SHOP/paper --allow-private --delay 0",
            "copal extract $SHOP/closed --allow-private --delay 0",
            "copal extract $SHOP/article --allow-private --delay 0",
            "copal extract $SHOP/books --allow-private --delay 0 --limit-bytes 200 --format csv",
        ],
    );
    assert_eq!(codes, [3, 3, 3, 1, 4]);
}

/// The good pages are written. Failures are listed at the end and change the exit code.
#[test]
fn some_of_many() {
    let shop = Shop::open();
    fs::write(shop.path().join("books.html"), BOOKS).unwrap();
    fs::write(shop.path().join("empty.txt"), "# none yet\n").unwrap();
    let codes = said(
        &shop,
        "errors-some-addresses",
        &[
            "copal extract $SHOP/nothing $SHOP/books missing.html books.html $SHOP/paper --allow-private --delay 0 --format csv",
            "copal extract $SHOP/nothing $SHOP/books --allow-private --delay 0 --quiet -o list.csv",
            "copal extract $SHOP/nothing -o list.csv --allow-private --delay 0; wc -l < list.csv",
            "copal extract $SHOP/article $SHOP/books --allow-private --delay 0 --format csv",
            "copal extract --urls missing.txt",
            "copal extract --urls empty.txt",
            "copal extract books.html --follow all --format csv",
        ],
    );
    assert_eq!(codes, [3, 3, 0, 1, 3, 3, 0]);
}

#[test]
fn invalid_options() {
    let shop = Shop::open();
    let codes = said(
        &shop,
        "errors-web-usage",
        &[
            "copal extract $SHOP/kettles --follow 0",
            "copal extract $SHOP/kettles --follow some",
            "copal extract $SHOP/kettles --details 0",
            "copal extract $SHOP/kettles --delay -1",
            "copal extract $SHOP/kettles --timeout soon",
            "copal extract $SHOP/kettles --contact ''",
            "copal extract $SHOP/kettles --contact a@b.example --user-agent me",
            "copal extract $SHOP/kettles --no-cache --cache-dir pages",
        ],
    );
    assert!(codes.iter().all(|code| *code == 2), "{codes:?}");
    assert_eq!(shop.server.connections(), 0);
}
