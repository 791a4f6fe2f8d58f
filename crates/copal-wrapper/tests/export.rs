//! Wrappers for other tools: exports are valid in the target's language, whatever a wrapper contains. `make
//! exports` runs them.

#![allow(clippy::unwrap_used)]

mod oxpath;

use copal_wrapper::Wrapper;
use copal_wrapper::export::{ExportOptions, Exported, Target, export, export_with};

const ALL: [Target; 5] =
    [Target::Scrapy, Target::Crawl4ai, Target::Oxpath, Target::Playwright, Target::XpathJson];

/// A text in YAML's double quotes.
fn yaml(text: &str) -> String {
    let escaped =
        |c: char| if c.is_ascii_alphanumeric() { c.to_string() } else { format!("\\U{:08x}", c as u32) };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

/// A wrapper with one column, given its name, its locators and its other keys.
fn wrapper(name: &str, find: &str, more: &str) -> Wrapper {
    let name = yaml(name);
    Wrapper::parse(&format!(
        "{{copal: 1, pages: [{{kind: list, region: [main, body], record: {{find: [li, '.item']}}, \
         columns: [{{name: {name}, find: [{find}]{more}}}]}}]}}"
    ))
    .unwrap()
}

fn exported(wrapper: &Wrapper, target: Target) -> Exported {
    export(wrapper, target, Some("https://a.example/list")).unwrap()
}

/// Texts that would end a string, a comment or a script early.
const HOSTILE: [&str; 12] = [
    "\"; import os; os.system('x') #",
    "\"\"\"\nimport os\n\"\"\"",
    "'''\\",
    "\\\" + process.exit(7) + \\\"",
    "</script><script>alert(1)</script>",
    "<!-- -->",
    "`${process.exit(7)}`",
    "line\nline\r\u{2028}\u{2029}\u{85}",
    "\u{202e}\u{0}\u{7f}\u{feff}",
    "it's a \"quote\"",
    ">]:<x=string(.)>",
    "// */ {} $& $1 copal: the wrapper",
];

#[test]
fn hostile_texts_stay_quoted() {
    for text in HOSTILE {
        let quoted = yaml(text);
        let css = yaml(&format!("[title={}]", copal_wrapper::css::quoted(text)));
        let cut = format!(", cut: {{after: {quoted}, split: {quoted}, piece: 2}}");
        let wrapper = wrapper(text, &format!("{css}, {{label: {quoted}}}"), &cut);
        for target in ALL {
            let exported = exported(&wrapper, target);
            // Strings in OXPath have no escapes.
            assert!(target == Target::Oxpath || !exported.text.contains("</script"), "{target:?}: {text:?}");
            if matches!(target, Target::Crawl4ai | Target::XpathJson) {
                let json: serde_json::Value = serde_json::from_str(&exported.text).unwrap();
                let named =
                    json["fields"][0]["name"] == *text || json["lists"][0]["columns"][text].is_object();
                assert!(named, "{target:?}: {}", exported.text);
            }
        }
        for target in [Target::Scrapy, Target::Playwright] {
            let code = exported(&wrapper, target).text;
            assert!(code.lines().all(|line| !line.starts_with("import os")), "{code}");
            assert!(!code.contains(['\u{2028}', '\u{85}', '\u{202e}', '\0']), "{target:?}: {text:?}");
        }
    }
}

#[test]
fn oxpath_exports_follow_the_grammar() {
    let finds = [
        "h3",
        "'a, .b > i'",
        "':scope > div:nth-child(2n+1)'",
        "'[data-x$=\"y\"]'",
        "'p:not(:first-child, .x)'",
        "'li:has(> a[href])'",
        "'td:nth-last-child(-n+3)'",
        "'[type=radio]'",
        "'b:only-of-type:empty'",
        "{css: p, nth: 3}",
        "{css: p, text: 2}",
        "{label: 'Price per \"night\"'}",
        "{css: '*', element: 1}",
    ];
    for find in finds {
        for more in [
            "",
            ", many: true",
            ", from: href",
            ", from: src",
            ", cut: {after: a, before: 'it''s', split: ' | ', piece: 3}",
        ] {
            let text = exported(&wrapper("x", find, more), Target::Oxpath).text;
            assert_eq!(oxpath::check(&text), Ok(()), "{text}");
            let left_out = find.contains("label") && more.contains("from");
            assert!(text.contains(":<record>") && text.contains(":<x=") != left_out, "{text}");
        }
    }
}

#[test]
fn oxpath_exports_follow_the_grammar_with_hostile_texts() {
    for text in HOSTILE {
        let quoted = yaml(text);
        let css = yaml(&format!("[title={}]", copal_wrapper::css::quoted(text)));
        let wrapper =
            wrapper(text, &format!("{css}, {{label: {quoted}}}"), &format!(", cut: {{before: {quoted}}}"));
        let exported = export(&wrapper, Target::Oxpath, Some(text)).unwrap();
        assert_eq!(oxpath::check(&exported.text), Ok(()), "{}", exported.text);
        assert!(
            exported.warnings.iter().any(|warning| warning.contains("is called")),
            "{:?}",
            exported.warnings
        );
    }
}

#[test]
fn what_a_target_cannot_express_is_reported_by_column() {
    for (find, more, target, expected) in [
        ("{css: p, nth: 2}", "", Target::Crawl4ai, "column \"x\" is left out"),
        ("{label: Price}, b", "", Target::Crawl4ai, "column \"x\": its second locator is used"),
        ("a", ", from: href", Target::Crawl4ai, "column \"x\": URLs stay"),
        ("a", ", from: href", Target::Oxpath, "column \"x\": URLs stay"),
        ("':first-of-type', b", "", Target::Scrapy, "column \"x\": a locator is left out"),
        ("':first-of-type'", "", Target::XpathJson, "column \"x\" is left out"),
        ("p", ", cut: {split: ',', piece: 1000000000}", Target::Oxpath, "column \"x\" is left out"),
        ("p", ", cut: {split: '', piece: 1}", Target::Scrapy, "column \"x\" is left out"),
        ("{css: p, element: 90000}, b", "", Target::XpathJson, "column \"x\": a locator is left out"),
    ] {
        let columns = format!("{find}]{more}}}, {{name: other, find: [i");
        let wrapper = wrapper("x", &columns, "");
        let warnings = exported(&wrapper, target).warnings;
        assert!(warnings.iter().any(|warning| warning.starts_with(expected)), "{find}: {warnings:?}");
    }
    // Scrapy and Playwright can express all of these.
    for find in ["{css: p, nth: 2}", "{label: Price}", "{css: p, text: 1}", "{css: p, element: 2}"] {
        for target in [Target::Scrapy, Target::Playwright] {
            assert_eq!(exported(&wrapper("x", find, ""), target).warnings, [""; 0]);
        }
    }
}

#[test]
fn sections_cannot_be_exported() {
    let section = Wrapper::parse("{copal: 1, pages: [{kind: section, region: [table]}]}").unwrap();
    for target in ALL {
        assert!(export(&section, target, None).unwrap_err().to_string().contains("only sections"));
    }
}

#[test]
fn exports_of_large_wrappers_stay_small() {
    // Close to what a file may have: 200 locators of 4 KB each would exceed its size.
    let long = format!("'{}'", vec!["div"; 64].join(" > "));
    let find = vec![long.as_str(); 100].join(", ");
    let wrapper = wrapper("x", &find, "");
    for target in ALL {
        let text = exported(&wrapper, target).text;
        assert!(text.len() < 1_000_000, "{target:?}: {}", text.len());
    }
}

#[test]
fn exports_turn_pages_and_perform_steps() {
    let wrapper = Wrapper::parse(
        "{copal: 1, navigation: {open: 'https://a.example/', steps: [{fill: '#place', with: London}, \
         {click: 'button.go'}], next: ['a.next', 'li:last-child > a'], \
         counter: ['h1 > span']}, pages: [{kind: list, region: [main], \
         record: {find: [li]}, columns: [{name: x, find: [b]}]}]}",
    )
    .unwrap();
    let options = ExportOptions::default().following(true);
    let text = |target: Target| export_with(&wrapper, target, &options).unwrap().text;
    let expression = text(Target::Oxpath);
    assert_eq!(oxpath::check(&expression), Ok(()), "{expression}");
    for part in [
        "doc(\"https://a.example/\")",
        "/{\"London\" /}",
        "/{click /}",
        "\n  /.:<data_area>[? .//span[parent::h1]:<search_results_number=normalize-space(.)>]\n",
        "/{nextclick /})*",
        ":<record>",
    ] {
        assert!(expression.contains(part), "{part}: {expression}");
    }
    let spider = text(Target::Scrapy);
    assert!(spider.contains("PAGES = \"all\"") && !spider.contains("NEXT = []"), "{spider}");
    let script = text(Target::Playwright);
    assert!(script.contains("\"a.next\"") && script.contains("\"fill\": \"#place\""), "{script}");
    // tools that cannot do it say so, by the name of the key
    for target in [Target::Scrapy, Target::Crawl4ai, Target::XpathJson] {
        let warnings = export_with(&wrapper, target, &options).unwrap().warnings;
        assert!(warnings.iter().any(|one| one.starts_with("navigation.steps are left out")), "{warnings:?}");
    }
    // without the wish, one page is read
    let plain = export(&wrapper, Target::Oxpath, None).unwrap().text;
    assert!(
        !plain.contains("nextclick") && !plain.contains("data_area") && plain.contains("/{click /}"),
        "{plain}"
    );
    assert!(export(&wrapper, Target::Scrapy, None).unwrap().text.contains("PAGES = \"1\""));
}
