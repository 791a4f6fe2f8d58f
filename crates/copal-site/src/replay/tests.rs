//! Pages as a browser would give them, and responses that a script would make them from.

use super::*;
use copal_dom::style::{Display, Style};
use copal_dom::{Rect, RenderedLook, RenderedPageBuilder, tags};
use serde_json::json;

/// The markup of one record: tags, attributes and texts in order; `/` closes.
type Markup = Vec<(&'static str, Vec<(&'static str, String)>, String)>;

fn look() -> RenderedLook {
    let rect = Rect { width: 9.0, ..Rect::default() };
    RenderedLook { display: Display::Block, visible: true, style: Style::default(), rect }
}

/// A page with a list of these records, and their places.
fn page_with(records: &[Markup]) -> (Page, Vec<Range<Node>>) {
    let mut builder = RenderedPageBuilder::new(&Limits::default());
    for name in ["html", "body", "ul"] {
        builder.open(name, false, std::iter::empty(), Some(look()));
    }
    for record in records {
        builder.open("li", false, [("class", "lamp")].into_iter(), Some(look()));
        for (name, attributes, text) in record {
            let attributes = attributes.iter().map(|(name, value)| (*name, value.as_str()));
            builder.open(name, false, attributes, Some(look()));
            builder.text(text, Some(look()));
            builder.close();
        }
        builder.close();
    }
    builder.close();
    builder.open("p", false, std::iter::empty(), Some(look()));
    builder.text("the end", Some(look()));
    let mut page = builder.finish();
    page.url = Some("https://shop.example/lamps".to_owned());
    let list = page.tree.find(tags::UL).unwrap();
    let places = page.tree.elements(list).map(|node| node..page.tree.end(node)).collect();
    (page, places)
}

fn lamp(n: usize) -> Value {
    json!({ "id": n, "title": format!("Lamp {n:03}"), "price": n as f64 + 0.5,
        "badge": if n.is_multiple_of(3) { Some(format!("{n}% off")) } else { None } })
}

fn lamps(numbers: Range<usize>) -> Value {
    json!({ "total": 9, "items": numbers.map(lamp).collect::<Vec<_>>() })
}

/// What a script makes of a lamp.
fn markup(lamp: &Value) -> Markup {
    let href = format!("/lamp/{}", lamp["id"]);
    let title = lamp["title"].as_str().unwrap().to_owned();
    let price = format!("€{:.2}", lamp["price"].as_f64().unwrap());
    let mut markup = vec![("a", vec![("href", href)], title), ("b", vec![], price)];
    if let Some(badge) = lamp["badge"].as_str() {
        markup.push(("i", vec![], format!("Now {badge}")));
    }
    markup
}

fn markups(document: &Value, markup: &dyn Fn(&Value) -> Markup) -> Vec<Markup> {
    document["items"].as_array().unwrap().iter().map(markup).collect()
}

fn seen(from: usize, document: &Value, markup: &dyn Fn(&Value) -> Markup) -> SeenPage {
    let (page, places) = page_with(&markups(document, markup));
    let url = format!("https://shop.example/lamps.json?from={from}");
    let body = document.to_string();
    let other = br#"{"menu":[{"name":"Lamps"},{"name":"Chairs"}]}"#;
    let responses = [(url.as_str(), body.as_bytes()), ("https://shop.example/menu.json", &other[..])];
    SeenPage::new(&page, &places, &responses).unwrap()
}

fn plan(markup: &dyn Fn(&Value) -> Markup) -> Option<ReplayPlan> {
    let first = seen(0, &lamps(0..6), markup);
    assert_eq!(first.response(), Some(0));
    ReplayPlan::learn(&first, &seen(6, &lamps(6..12), markup))
}

#[test]
fn following_pages_are_what_the_script_would_show() {
    let mut plan = plan(&markup).unwrap();
    let limits = Limits::default();
    assert_eq!(plan.total, Some(9));
    let again = plan.page_for(lamps(6..12).to_string().as_bytes(), &limits).unwrap();
    assert!(plan.is_confirmed_by(&again));
    let changed = plan.page_for(lamps(7..13).to_string().as_bytes(), &limits).unwrap();
    assert!(!plan.is_confirmed_by(&changed));
    let following = lamps(12..17);
    let replayed = plan.page_for(following.to_string().as_bytes(), &limits).unwrap();
    let (wanted, _) = page_with(&markups(&following, &markup));
    assert_eq!(replayed.page.text_of(0), wanted.text_of(0));
    assert_eq!(
        copal_dom::serialise::html(&replayed.page.tree, 0),
        copal_dom::serialise::html(&wanted.tree, 0)
    );
    assert_eq!((replayed.count, replayed.page.url), (5, Some("https://shop.example/lamps".to_owned())));
    assert_eq!(plan.next_url().as_deref(), Some("https://shop.example/lamps.json?from=12"));
    let empty = plan.page_for(br#"{"items":[]}"#, &limits).unwrap();
    assert_eq!(empty.count, 0);
}

#[test]
fn objects_unlike_those_seen_are_refused() {
    let plan = plan(&markup).unwrap();
    let refusal = |document: Value| {
        plan.page_for(document.to_string().as_bytes(), &Limits::default()).map(|page| page.count)
    };
    let with = |key: &str, value: Value| {
        let mut lamp = lamp(20);
        lamp[key] = value;
        json!({ "items": [lamp] })
    };
    assert_eq!(refusal(with("id", json!(20))), Ok(1));
    // a script may show these in ways that were never seen
    for (key, value) in [
        ("price", Value::Null),
        ("price", json!(0)),
        ("title", json!(["a", "b"])),
        ("badge", json!(true)),
        ("sold_out", json!(true)),
        ("price", json!(1.125)),
    ] {
        assert_eq!(refusal(with(key, value.clone())), Err(ReplayRefusal::OtherObject), "{key}: {value}");
    }
    assert_eq!(refusal(json!({ "items": ["x"] })), Err(ReplayRefusal::OtherObject));
    assert_eq!(refusal(json!({ "error": 1 })), Err(ReplayRefusal::OtherDocument));
    let bytes: [&[u8]; 4] = [b"", b"{\"items\":[{", b"\xff\xfe", b"null"];
    for bytes in bytes {
        assert!(plan.page_for(bytes, &Limits::default()).is_err());
    }
}

#[test]
fn texts_that_no_key_gives_are_not_replayed() {
    let formatted = |lamp: &Value| {
        let mut markup = markup(lamp);
        markup[1].2 = format!("{} euros", lamp["price"].as_f64().unwrap() * 1.19);
        markup
    };
    assert!(plan(&formatted).is_none());
    let hashed = |lamp: &Value| {
        let mut markup = markup(lamp);
        markup[0].1[0].1 = format!("/lamp/{}", lamp["id"].as_u64().unwrap() * 7 + 3);
        markup
    };
    assert!(plan(&hashed).is_none());
}

#[test]
fn records_that_are_not_those_of_the_response_are_not_replayed() {
    let (page, places) = page_with(&markups(&lamps(0..6), &markup));
    let body = lamps(50..56).to_string();
    let seen = SeenPage::new(&page, &places, &[("https://shop.example/l.json", body.as_bytes())]).unwrap();
    assert_eq!(seen.response(), None);
    assert!(SeenPage::new(&page, &[], &[]).is_none());
    let nested = [places[0].clone(), places[0].start + 1..places[0].end];
    assert!(SeenPage::new(&page, &nested, &[]).is_none());
    let beyond = std::slice::from_ref(&(0..Node::MAX));
    assert!(SeenPage::new(&page, beyond, &[]).is_none());
}

#[test]
fn large_and_deep_responses_are_bounded() {
    let plan = plan(&markup).unwrap();
    let many = json!({ "items": vec![lamp(1); 5_000] }).to_string();
    assert!(plan.page_for(many.as_bytes(), &Limits::default()).is_err());
    let deep = "{\"items\":".repeat(100_000);
    assert!(plan.page_for(deep.as_bytes(), &Limits::default()).is_err());
    let long = json!({ "items": [{ "id": 1, "title": "x".repeat(1_000_000), "price": 1.5, "badge": null }] });
    assert!(plan.page_for(long.to_string().as_bytes(), &Limits::default()).is_err());
    let mut limits = Limits::default();
    limits.nodes = 50;
    let cut = plan.page_for(lamps(6..12).to_string().as_bytes(), &limits).unwrap();
    assert!(cut.page.tree.len() <= 50);
}

#[test]
fn damaged_responses_give_a_page_or_nothing() {
    let bodies: Vec<String> = [0..6, 6..12, 12..17].map(|part| lamps(part).to_string()).into();
    // a fixed sequence of numbers that look random
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut damage = |body: &str| {
        let mut bytes = body.as_bytes().to_vec();
        for _ in 0..random(4) {
            let at = random(bytes.len());
            match random(4) {
                0 => bytes[at] = b"{}[]\",:019nt"[random(12)],
                1 => drop(bytes.remove(at)),
                2 => bytes.truncate(at.max(1)),
                _ => {
                    let end = (at + random(40)).min(bytes.len());
                    let piece = bytes[at..end].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        bytes
    };
    let (mut learned, mut replayed) = (0, 0);
    for _ in 0..1_500 {
        let seen: Vec<SeenPage> = (0..2)
            .map(|number| {
                let body = damage(&bodies[number]);
                // a script shows what it could read, or else what it showed before
                let document = serde_json::from_slice::<Value>(&body).ok().filter(|document| {
                    let items = document["items"].as_array();
                    items.is_some_and(|items| !items.is_empty() && items.iter().all(has_texts))
                });
                let document = document.unwrap_or_else(|| lamps(6 * number..6 * number + 6));
                let (page, places) = page_with(&markups(&document, &markup));
                let url = format!("https://shop.example/lamps.json?page={}", number + 1);
                SeenPage::new(&page, &places, &[(url.as_str(), body.as_slice())]).unwrap()
            })
            .collect();
        let Some(mut plan) = ReplayPlan::learn(&seen[0], &seen[1]) else { continue };
        learned += 1;
        let _ = plan.next_url();
        if let Ok(page) = plan.page_for(&damage(&bodies[2]), &Limits::default()) {
            replayed += 1;
            assert!(page.page.tree.len() < 1_000 && page.count <= 20);
            plan.advance("https://shop.example/lamps.json?page=3".to_owned(), page);
            let _ = plan.next_url();
        }
    }
    assert!(learned > 100 && replayed > 50, "{learned} plans, {replayed} pages: nothing was tested");
}

/// True if a script could write this lamp.
fn has_texts(lamp: &Value) -> bool {
    lamp["title"].is_string() && lamp["price"].is_number()
}
