//! Check and repair of the navigation in the wrappers of sites, on a site that changes.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::changing_shop::{ShopDesign, changing_shop};
use common::kettle_site::{run, titles};
use common::{Run, folder};
use copal_testserver::Server;
use std::fs;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

const FRESH: &str = "--allow-private --delay 0 --no-cache";

/// A shop on loopback, and a folder with the wrapper of its first design.
struct Shop {
    server: Server,
    folder: TempDir,
    design: Arc<Mutex<ShopDesign>>,
}

impl Shop {
    /// Explores the first design. `start` is where `copal site` begins.
    fn explored(first: ShopDesign, start: &str) -> Shop {
        let design = Arc::new(Mutex::new(first));
        let served = Arc::clone(&design);
        let server = Server::start(move |request| changing_shop(&served.lock().unwrap(), request));
        let shop = Shop { server, folder: folder(&[]), design };
        let site =
            shop.run(&format!("copal site $SITE{start} {FRESH} -o shop.sqlite --wrapper shop.copal.yaml"));
        assert_eq!(site.code, 0, "{}", site.stderr);
        let healthy = shop.run(&format!("copal check shop.copal.yaml {FRESH}"));
        assert_eq!(healthy.code, 0, "{}{}\n{}", healthy.stdout, healthy.stderr, shop.wrapper());
        shop
    }

    fn run(&self, line: &str) -> Run {
        run(&self.server, self.folder.path(), line)
    }

    fn wrapper(&self) -> String {
        let text = fs::read_to_string(self.folder.path().join("shop.copal.yaml")).unwrap();
        text.replace(&self.server.url(""), "$SITE")
    }

    fn becomes(&self, design: ShopDesign) {
        *self.design.lock().unwrap() = design;
    }

    /// The check names the step and the cause, and the repair mends it: afterwards the check is silent, and the records
    /// are those from before.
    fn is_mended(&self, step: &str, cause: &str) -> (Run, Run) {
        let before = titles(&self.folder.path().join("shop.sqlite"));
        let checked = self.run(&format!("copal check shop.copal.yaml {FRESH}"));
        assert_eq!(checked.code, 5, "{}{}", checked.stdout, checked.stderr);
        assert!(
            checked.stdout.lines().any(|line| line.contains(step) && line.contains(cause)),
            "{step}: {cause}: {}{}",
            checked.stdout,
            checked.stderr
        );
        let repaired = self.run(&format!("copal repair shop.copal.yaml {FRESH}"));
        assert_eq!(repaired.code, 0, "{}{}", repaired.stdout, repaired.stderr);
        assert!(repaired.stdout.starts_with("version 1 -> 2"), "{}", repaired.stdout);
        let again = self.run(&format!("copal check shop.copal.yaml {FRESH}"));
        assert_eq!(again.code, 0, "{}{}\n{}", again.stdout, again.stderr, self.wrapper());
        let read = self.run(&format!("copal site run shop.copal.yaml {FRESH} -o again.sqlite"));
        assert_eq!(read.code, 0, "{}\n{}", read.stderr, self.wrapper());
        assert_eq!(titles(&self.folder.path().join("again.sqlite")), before, "{}", self.wrapper());
        (checked, repaired)
    }
}

#[test]
fn a_list_that_has_moved_is_found_again() {
    let shop = Shop::explored(ShopDesign::default(), "/kettles");
    let old = shop.wrapper();
    shop.becomes(ShopDesign { list: "/shop/all-our-kettles", link: "Our kettles", ..ShopDesign::default() });
    let (_, repaired) = shop.is_mended("navigation.open ($SITE/kettles)", "HTTP status 404");
    assert!(repaired.stdout.contains("$SITE/kettles -> $SITE/shop/all-our-kettles"), "{}", repaired.stdout);
    // what the move did not touch is as it was
    let new = shop.wrapper();
    let pages = |text: &str| text[text.find("\npages:").unwrap()..].to_owned();
    assert_eq!(pages(&old), pages(&new));
    assert!(new.contains("version: 2") && new.contains("mended navigation: navigation.open"), "{new}");
    assert!(shop.folder.path().join("shop.copal.v1.yaml").exists());
}

#[test]
fn a_list_that_has_moved_and_looks_different_is_found_and_learned_again() {
    let shop = Shop::explored(ShopDesign::default(), "/kettles");
    shop.becomes(ShopDesign {
        list: "/shop/all-our-kettles",
        link: "Our kettles",
        has_other_records: true,
        ..ShopDesign::default()
    });
    let (_, repaired) = shop.is_mended("navigation.open ($SITE/kettles)", "HTTP status 404");
    assert!(repaired.stdout.contains("in another design"), "{}", repaired.stdout);
    assert!(repaired.stdout.contains("records: .item -> "), "{}", repaired.stdout);
    let changes = "version 2: new locators for";
    assert!(
        shop.wrapper().contains(changes) && shop.wrapper().contains("; mended navigation: navigation.open"),
        "{}",
        shop.wrapper()
    );
}

#[test]
fn a_list_that_redirects_still_works_and_gets_its_new_url() {
    let shop = Shop::explored(ShopDesign::default(), "/kettles");
    shop.becomes(ShopDesign { list: "/all-kettles", old_list: Some("/kettles"), ..ShopDesign::default() });
    let checked = shop.run(&format!("copal check shop.copal.yaml {FRESH}"));
    assert!(
        checked
            .stdout
            .contains("moved: navigation.open ($SITE/kettles): the site redirects to $SITE/all-kettles"),
        "{}{}",
        checked.stdout,
        checked.stderr
    );
    let repaired = shop.run(&format!("copal repair shop.copal.yaml {FRESH}"));
    assert_eq!(repaired.code, 0, "{}{}", repaired.stdout, repaired.stderr);
    assert!(shop.wrapper().contains("open: '$SITE/all-kettles'"), "{}", shop.wrapper());
}

#[test]
fn a_form_with_another_action_and_other_names_is_filled_in_again() {
    let first = ShopDesign { has_list: false, has_search: true, ..ShopDesign::default() };
    let changed = ShopDesign {
        form: ("/find", "condition"),
        states: [("mint", "New"), ("second-hand", "Used")],
        ..first.clone()
    };
    for is_post in [false, true] {
        let shop = Shop::explored(ShopDesign { is_post, ..first.clone() }, "/");
        assert!(shop.wrapper().contains("routes:"), "{}", shop.wrapper());
        shop.becomes(ShopDesign { is_post, ..changed.clone() });
        let cause = if is_post { "no form is sent to $SITE/results any more" } else { "HTTP status 404" };
        let (checked, repaired) = shop.is_mended("navigation.", cause);
        assert!(checked.stdout.contains("navigation.routes["), "{}", checked.stdout);
        assert!(repaired.stdout.contains("condition=second-hand"), "{}", repaired.stdout);
        assert!(
            repaired.stdout.contains("the same choice in the form on $SITE/search"),
            "{}",
            repaired.stdout
        );
        let wrapper = shop.wrapper();
        assert!(wrapper.contains("{fill: '[name=\"condition\"]', with: Used}"), "{wrapper}");
        // the way that was mended is the way of exported programs
        let script = shop.run("copal export shop.copal.yaml --to playwright");
        let way = if is_post { "\"with\": \"Used\"" } else { "/find?q=&condition=second-hand\"" };
        assert!(script.stdout.contains(way) && !script.stdout.contains("MISSING"), "{}", script.stdout);
    }
}

#[test]
fn a_field_that_the_server_now_ignores_is_noticed() {
    let first = ShopDesign { has_list: false, has_search: true, ..ShopDesign::default() };
    let shop = Shop::explored(first.clone(), "/");
    // the old URLs still show a list, but always the same one
    shop.becomes(ShopDesign { form: ("/results", "condition"), ..first });
    let (checked, _) = shop.is_mended("navigation.lists[0]", "its form has changed");
    assert!(checked.stdout.contains("no longer has the field `state`"), "{}", checked.stdout);
}

#[test]
fn a_next_link_that_became_numbered_pages_is_followed() {
    let shop = Shop::explored(ShopDesign::default(), "/kettles");
    shop.becomes(ShopDesign { is_numbered: true, ..ShopDesign::default() });
    let (_, repaired) = shop.is_mended("navigation.next", "$SITE/kettles?page=3 is the next page");
    assert!(repaired.stdout.contains("with new records on each"), "{}", repaired.stdout);
    assert!(shop.wrapper().contains(".on + li > a"), "{}", shop.wrapper());
    assert!(!repaired.stdout.contains("navigation.open"), "{}", repaired.stdout);
}

#[test]
fn other_changes_leave_the_wrapper_untouched() {
    let shop = Shop::explored(ShopDesign { has_search: true, ..ShopDesign::default() }, "/kettles");
    let old = shop.wrapper();
    shop.becomes(ShopDesign {
        news: "<a href=/sale>Sale!</a> Closed on Monday.",
        link: "Every kettle",
        has_search: true,
        ..ShopDesign::default()
    });
    let checked = shop.run(&format!("copal check shop.copal.yaml {FRESH}"));
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
    let repaired = shop.run(&format!("copal repair shop.copal.yaml {FRESH}"));
    assert_eq!(repaired.code, 0, "{}{}", repaired.stdout, repaired.stderr);
    assert!(repaired.stderr.contains("nothing to repair"), "{}", repaired.stderr);
    assert_eq!(shop.wrapper(), old);
}

#[test]
fn a_list_that_two_pages_could_be_is_not_guessed() {
    let shop = Shop::explored(ShopDesign::default(), "/kettles");
    let old = shop.wrapper();
    // no record of before is left, and nothing else says which of two lists it was
    shop.becomes(ShopDesign { list: "/range", link: "Range", thing: "Teapot", ..ShopDesign::default() });
    let repaired = shop.run(&format!("copal repair shop.copal.yaml {FRESH}"));
    assert_eq!(repaired.code, 5, "{}{}", repaired.stdout, repaired.stderr);
    assert!(
        repaired.stderr.contains("$SITE/range") && repaired.stderr.contains("could both be it"),
        "{}",
        repaired.stderr
    );
    assert_eq!(shop.wrapper(), old);
}

#[test]
fn what_cannot_be_mended_is_said() {
    let shop = Shop::explored(ShopDesign::default(), "/kettles");
    let old = shop.wrapper();
    // the shop has closed its lists
    shop.becomes(ShopDesign { has_list: false, ..ShopDesign::default() });
    let repaired = shop.run(&format!("copal repair shop.copal.yaml {FRESH}"));
    assert_eq!(repaired.code, 5, "{}{}", repaired.stdout, repaired.stderr);
    assert!(
        repaired.stderr.contains(
            "cannot be mended: navigation.open ($SITE/kettles): HTTP status 404; no page of the site shows"
        ) && repaired.stderr.contains("hint: run copal site again"),
        "{}",
        repaired.stderr
    );
    assert_eq!(shop.wrapper(), old);
    let json = shop.run(&format!("copal check shop.copal.yaml --format json {FRESH}"));
    assert_eq!(json.code, 5, "{}", json.stderr);
    let report: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(report["navigation"][0]["what"], "HTTP status 404");
    assert_eq!(report["navigation"][0]["broken"], true);
}
