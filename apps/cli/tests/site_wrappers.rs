//! The wrapper that `copal site` writes, and the commands that read it: check, repair, apply, export.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::folder;
use common::kettle_site::{KETTLES, OWN, all_titles, run, shop, titles};
use common::searched_shop::searched_shop;
use copal_testserver::{Request, Response, Server, html, not_found};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn the_way_to_lists_is_exported_as_in_the_thesis() {
    let server = Server::start(searched_shop);
    let folder = folder(&[]);
    let line = format!("copal site $SITE/ {OWN} -o shop.sqlite --wrapper shop.copal.yaml");
    let site = run(&server, folder.path(), &line);
    assert_eq!(site.code, 0, "{}", site.stderr);
    let wrapper = fs::read_to_string(folder.path().join("shop.copal.yaml")).unwrap();
    assert!(wrapper.contains("routes:") && wrapper.contains("searches:"), "{wrapper}");
    let oxpath = run(&server, folder.path(), "copal export shop.copal.yaml --to oxpath");
    assert_eq!(oxpath.code, 0, "{}", oxpath.stderr);
    // start page, link, form, button, announced number, next links, records: in this order
    let mut rest = oxpath.stdout.as_str();
    for part in [
        "doc(\"$SITE/\")",
        "/{click /}",
        "/{click /}",
        ":<data_area>",
        "search_results_number",
        "nextclick",
        ":<record>",
    ] {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part} is missing: {}", oxpath.stdout));
        rest = &rest[at + part.len()..];
    }
    assert!(oxpath.stderr.contains("one of the 2 lists of the site is written"), "{}", oxpath.stderr);
    let script = run(&server, folder.path(), "copal export shop.copal.yaml --to playwright");
    assert!(
        script.stdout.contains("\"with\": \"Used\"") && !script.stdout.contains("MISSING"),
        "{}",
        script.stdout
    );
    let spider = run(&server, folder.path(), "copal export shop.copal.yaml --to scrapy");
    assert!(spider.stdout.contains("state=used"), "{}", spider.stdout);
    // formats that only describe a page say what they lack
    let paths = run(&server, folder.path(), "copal export shop.copal.yaml --to xpath-json");
    assert!(paths.stderr.contains("navigation.searches are left out"), "{}", paths.stderr);
    // a way that is not known is not left out silently
    let text = wrapper.split("  routes:").next().unwrap().to_owned()
        + "  next:"
        + wrapper.split("  next:").nth(1).unwrap();
    fs::write(folder.path().join("lost.yaml"), text).unwrap();
    let lost = run(&server, folder.path(), "copal export lost.yaml --to oxpath");
    assert_eq!((lost.code, lost.stdout.as_str()), (1, ""), "{}", lost.stderr);
    assert!(lost.stderr.contains("reached by a search form that is sent by POST"), "{}", lost.stderr);
    let lost = run(&server, folder.path(), "copal export lost.yaml --to playwright -q");
    assert!(lost.stdout.starts_with("// MISSING: navigation.searches"), "{}", lost.stdout);
}

#[test]
fn commands_without_pages_read_the_lists_of_the_site() {
    let server = Server::start(searched_shop);
    let folder = folder(&[]);
    let line = format!("copal site $SITE/ {OWN} -o shop.sqlite --wrapper shop.copal.yaml");
    assert_eq!(run(&server, folder.path(), &line).code, 0);
    let checked = run(&server, folder.path(), &format!("copal check shop.copal.yaml {OWN}"));
    assert_eq!(
        (checked.code, checked.stdout.as_str()),
        (0, "unchanged: 16 records on 2 pages\n"),
        "{}",
        checked.stderr
    );
    let all =
        run(&server, folder.path(), &format!("copal apply shop.copal.yaml {OWN} --follow all --format csv"));
    assert_eq!((all.code, all.stdout.lines().count()), (0, 1 + 32), "{}{}", all.stdout, all.stderr);
    let healthy = run(&server, folder.path(), &format!("copal repair shop.copal.yaml {OWN}"));
    assert_eq!(healthy.code, 0, "{}", healthy.stderr);
    fs::write(folder.path().join("plain.yaml"), "{copal: 1, pages: [{kind: section, region: [table]}]}")
        .unwrap();
    let plain = run(&server, folder.path(), "copal check plain.yaml");
    assert_eq!(plain.code, 2);
    assert!(plain.stderr.contains("expected at least one PAGE"), "{}", plain.stderr);
}

#[test]
fn a_redesigned_site_is_repaired_from_its_own_lists() {
    let is_new = Arc::new(AtomicBool::new(false));
    let design = Arc::clone(&is_new);
    let server = Server::start(move |request| {
        let shown = shop(&Request { headers: Vec::new(), ..request.clone() });
        if design.load(Ordering::SeqCst) { redesigned(shown) } else { shown }
    });
    let folder = folder(&[]);
    let line = format!("copal site $SITE/ {OWN} -o shop.sqlite --wrapper shop.copal.yaml");
    assert_eq!(run(&server, folder.path(), &line).code, 0);
    is_new.store(true, Ordering::SeqCst);
    let fresh = "--allow-private --delay 0 --no-cache";
    let changed = run(
        &server,
        folder.path(),
        &format!("copal check shop.copal.yaml $SITE/kettles \"$SITE/kettles?page=2\" {fresh}"),
    );
    assert_eq!(changed.code, 5, "{}{}", changed.stdout, changed.stderr);
    let repaired = run(&server, folder.path(), &format!("copal repair shop.copal.yaml {fresh}"));
    assert_eq!(repaired.code, 0, "{}{}", repaired.stdout, repaired.stderr);
    assert!(repaired.stdout.contains("version 1 -> 2, tested on 3 pages"), "{}", repaired.stdout);
    let again =
        run(&server, folder.path(), &format!("copal site run shop.copal.yaml {fresh} -o again.sqlite"));
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(
        again.stderr.starts_with(&format!("{KETTLES} records of {KETTLES} announced")),
        "{}",
        again.stderr
    );
    assert_eq!(titles(&folder.path().join("again.sqlite")), all_titles());
}

/// The same records in other elements, with other class names.
fn redesigned(shown: Response) -> Response {
    let Response::Bytes(bytes) = shown else { return shown };
    let text = String::from_utf8(bytes).unwrap();
    let Some((_, body)) = text.split_once("\r\n\r\n").filter(|_| text.starts_with("HTTP/1.1 200")) else {
        return not_found();
    };
    let mut body = body.to_owned();
    for (old, new) in [
        ("<ul class=kettles>", "<div class=grid>"),
        ("</ul>", "</div>"),
        ("<li class=item><h3>", "<article class=card><h2>"),
        ("</h3>", "</h2>"),
        ("<span class=price>", "<div class=amount>"),
        ("</span>", "</div>"),
        ("class=about", "class=text"),
        ("class=by", "class=maker"),
        ("</li>", "</article>"),
        ("rel=next", "class=onward"),
    ] {
        body = body.replace(old, new);
    }
    html(&body)
}
