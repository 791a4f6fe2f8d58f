//! What the JSON output says about cells and objects.

#![allow(clippy::unwrap_used)]

#[path = "support/cells.rs"]
mod cells;

use copal_dom::{Limits, Page};
use copal_extract::objects::ObjectOptions;
use copal_extract::{Options, extract};

#[test]
fn only_doubtful_cells_have_a_confidence() {
    let html: String = (1..=6)
        .map(|i| format!("<li><a href='/{i}'>Lamp {i}</a> <span class='price'>£{i}</span></li>"))
        .collect();
    let mut extraction =
        extract(&Page::from_text(&format!("<ul>{html}</ul>"), &Limits::default()), &Options::default());
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
