//! What the author of a domain sees: a folder that works, and reasons when something is not found.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{folder, names, run, style};
use std::fs;

#[test]
fn a_new_domain_works_at_once() {
    let folder = folder(&[]);
    let path = folder.path();
    let new = run(path, "copal domain new house-boats");
    assert_eq!(new.code, 0, "{}", new.stderr);
    assert_eq!(names(&path.join("house-boats")), ["domain.yaml", "makes.txt", "page.html", "tests.yaml"]);
    let tested = run(path, "copal domain test house-boats");
    assert_eq!(tested.stdout, "house-boats: 80 strings for 4 attributes, 0 faults\n");
    let line = "copal extract house-boats/page.html --domain house-boats --fields title,make,length,year,price \
                --format csv";
    let list = run(path, line);
    assert_eq!((list.code, list.stderr.as_str()), (0, ""));
    assert_eq!(list.stdout.lines().nth(1), Some("Bellweather 31,Bellweather,9.5 m,1998,\"£24,500\""));
    assert_eq!(list.stdout.lines().count(), 9);
    for (line, message) in [
        ("copal domain new house-boats", "exists already"),
        ("copal domain new books", "is a built-in domain"),
        ("copal domain new ../x", "expected small letters"),
    ] {
        let refused = run(path, line);
        assert_eq!(refused.code, 2, "{line}");
        assert!(refused.stderr.contains(message), "{line}: {}", refused.stderr);
    }
}

#[test]
fn failed_tests_and_absent_attributes_are_named() {
    let folder = folder(&[]);
    let path = folder.path();
    run(path, "copal domain new boats");
    let tests = path.join("boats/tests.yaml");
    fs::write(&tests, fs::read_to_string(&tests).unwrap().replace("\"c. 1958\"", "\"before the war\""))
        .unwrap();
    let failed = run(path, "copal domain test boats");
    assert_eq!(failed.code, 1);
    assert_eq!(
        failed.stdout,
        "year: not found in \"before the war\"\nboats: 80 strings for 4 attributes, 1 fault\n"
    );
    fs::write(path.join("page.html"), "<p>A dinghy for £20").unwrap();
    let absent = run(path, "copal domain test boats page.html").stdout;
    assert!(absent.contains("price                value  <p>  £20"), "{absent}");
    assert!(
        absent.contains("make                 not found (tried: type text, 2 labels, rules or terms)"),
        "{absent}"
    );
}

#[test]
fn extraction_that_finds_nothing_says_which_step_failed() {
    let folder = folder(&[("article.html", common::ARTICLE.as_bytes())]);
    let path = folder.path();
    run(path, "copal domain new boats");
    // no price on the page
    let page = "<title>Tides</title><table><tr><th>Port</th><th>High water</th></tr><tr><td>Oban</td><td>6:12</td></tr>\
                <tr><td>Leith</td><td>2:40</td></tr><tr><td>Wick</td><td>11:05</td></tr></table>";
    fs::write(path.join("tides.html"), page).unwrap();
    let nothing = run(path, "copal extract tides.html --domain boats --method amber");
    style(&nothing);
    assert_eq!(nothing.code, 1, "{}", nothing.stdout);
    assert!(
        nothing.stderr.contains(
            "hint: domain boats: no text on the page is a price, its pivot (0 of 3 other attributes"
        ),
        "{}",
        nothing.stderr
    );
    assert!(nothing.stderr.contains("hint: without --domain: a list of 3 records ("), "{}", nothing.stderr);
    let article = run(path, "copal extract article.html --domain boats");
    style(&article);
    assert!(article.stderr.contains("hint: without --domain: nothing either"), "{}", article.stderr);
}

#[test]
fn learning_nothing_has_a_reason() {
    let folder = folder(&[("seed.txt", b"Atlantis\n")]);
    let path = folder.path();
    run(path, "copal domain new boats");
    let none =
        run(path, "copal domain learn boats boats/page.html --attribute make --from seed.txt -o new.txt");
    style(&none);
    assert_eq!(none.code, 1, "{}", none.stderr);
    assert!(none.stderr.contains("no record of a list has a known term of make"), "{}", none.stderr);
    let known = run(path, "copal domain learn boats boats/page.html --attribute make -o makes.txt");
    style(&known);
    assert_eq!(known.code, 1, "{}", known.stderr);
    assert!(known.stderr.contains("texts with make have terms that are known already"), "{}", known.stderr);
}
