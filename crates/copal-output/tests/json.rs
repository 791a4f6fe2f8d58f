//! What the JSON output says about cells and objects.

#![allow(clippy::unwrap_used)]

#[path = "support/cells.rs"]
mod cells;

use copal_dom::{Limits, Page};
use copal_extract::objects::ObjectOptions;
use copal_extract::{Request, extract};
use copal_output::Format;

#[test]
fn only_doubtful_cells_have_a_confidence() {
    let html: String = (1..=6)
        .map(|i| format!("<li><a href='/{i}'>Lamp {i}</a> <span class='price'>£{i}</span></li>"))
        .collect();
    let mut extraction =
        extract(&Page::from_text(&format!("<ul>{html}</ul>"), &Limits::default()), &Request::default());
    let region = &mut extraction.regions[0];
    let price = region.columns.iter().position(|column| column.name == "price").unwrap();
    let title = region.columns.iter().position(|column| column.name == "title").unwrap();
    for record in &mut region.records {
        cells::clear_confidences(record);
        cells::set_confidence(record, title, 0.95);
        cells::set_confidence(record, price, 0.9);
    }
    cells::set_confidence(&mut region.records[2], price, 0.41);
    region.records[2].confidence = Some(0.5);
    let value = copal_output::page_value("a.html", &extraction);
    let records = value["regions"][0]["records"].as_array().unwrap();
    assert_eq!(records[2]["sure"], serde_json::json!({"price": 0.41}));
    assert_eq!(records[2]["confidence"], 0.5);
    assert!(records.iter().enumerate().all(|(i, record)| i == 2 || record.get("sure").is_none()));
}

#[test]
fn an_object_has_its_texts_values_area_and_sources() {
    let html = "<title>Reed flute</title><main><h1>Reed flute</h1><p>Price: £30.00</p>\
                <p>Wood: pear, plum</p></main>";
    let page = Page::from_text(html, &Limits::default());
    let found = copal_extract::objects::answers(&[&page], &ObjectOptions::default());
    let value = copal_output::page_value("a.html", &found[0]);
    assert_eq!(value["page"]["kind"], "object");
    assert_eq!(
        value["fields"],
        serde_json::json!({"title": "Reed flute", "price": "£30.00", "wood": "pear, plum"})
    );
    assert_eq!(value["values"]["price"], serde_json::json!({"amount": "30.00", "currency": "GBP"}));
    assert_eq!(value["area"], "/html/body/main[1]");
    assert_eq!(value["sources"]["wood"]["by"], "label");
}

#[test]
fn sources_are_written_if_asked_for() {
    let item = |n: usize| format!("<li><a href=' /{n}'>Lamp {n}</a> <b>Red</b>, £{n}</li>");
    let html: String = (1..=6).map(item).collect();
    let mut page = Page::from_text(&format!("<ul>{html}</ul>"), &Limits::default());
    page.url = Some("https://a.example/".into());
    let answer = extract(&page, &Request::default());
    let plain = copal_output::page_value("a.html", &answer);
    assert!(plain["regions"][0]["records"][0].get("sources").is_none());
    let mut out = Vec::new();
    let options = copal_output::JsonOptions { sources: true };
    copal_output::PageLines { options }.page(&mut out, "a.html", &answer).unwrap();
    let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let record = &value["regions"][0]["records"][1];
    assert_eq!(record["fields"]["url"], "https://a.example/2");
    let link = "/html/body/ul[1]/li[2]/a[1]";
    let url = serde_json::json!([{"xpath": link, "span": [1, 3], "attribute": "href"}]);
    assert_eq!(record["sources"]["url"], url, "{record}");
    assert_eq!(record["sources"]["title"], serde_json::json!([{"xpath": link, "span": [0, 6]}]), "{record}");
    assert_eq!(
        record["sources"].as_object().unwrap().keys().collect::<Vec<_>>(),
        record["fields"].as_object().unwrap().keys().collect::<Vec<_>>()
    );
}
