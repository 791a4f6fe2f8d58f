//! Embedded data joined to records, on generated pages: every record gets the fields of its own object,
//! whatever the order of the objects, what is missing, and what else the data contains.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::{Answer, CellSource, Origin, Request, Role, extract};
use proptest::prelude::*;
use std::fmt::Write;

fn run(html: &str) -> Answer {
    let mut options = Request::default();
    options.embedded = true;
    options.lists.explain = true;
    extract(&Page::from_text(html, &Limits::default()), &options)
}

fn cards(titles: &[String]) -> String {
    titles.iter().enumerate().fold(String::from("<h1>Shop</h1><main>"), |mut html, (i, title)| {
        let about = ["from the old mill", "made by hand", "as good as new"][i % 3];
        write!(html, "<div class=card><h2>{title}</h2><p class=about>{about}, number {i}</p></div>").unwrap();
        html
    })
}

/// The title and the SKU of every record, from the page and its data.
fn skus(found: &Answer) -> Vec<(String, Option<String>)> {
    let region = found.primary().unwrap();
    let at = |name: &str| region.columns.iter().position(|column| column.name == name);
    let (title, sku) = (at("title").unwrap(), at("sku"));
    let of = |cell: &copal_extract::Cell| cell.first().map(str::to_owned);
    region
        .records
        .iter()
        .map(|r| (of(&r.cells[title]).unwrap(), sku.and_then(|at| of(&r.cells[at]))))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_record_gets_its_own_object(
        words in prop::collection::hash_set("[a-z]{5,9} [a-z]{4,8}", 5..14),
        order in any::<prop::sample::Index>(),
        left_out in any::<prop::sample::Index>(),
    ) {
        let titles: Vec<String> = words.into_iter().collect();
        let mut objects: Vec<(usize, String)> = titles
            .iter()
            .enumerate()
            .map(|(i, title)| (i, format!("{{\"name\": \"{title}\", \"sku\": \"K-{i}x\", \"n\": {}}}", i % 3)))
            .collect();
        let turn = order.index(objects.len());
        objects.rotate_left(turn);
        let missing = objects.remove(left_out.index(objects.len())).0;
        let list: Vec<&str> = objects.iter().map(|(_, object)| object.as_str()).collect();
        let other = "[{\"name\": \"Colour\", \"sku\": \"no\"}, {\"name\": \"Size\", \"sku\": \"no\"}]";
        let html = format!("{}<script>s = {{\"f\": {other}, \"l\": [{}]}};</script>", cards(&titles), list.join(","));
        for (i, (title, sku)) in skus(&run(&html)).into_iter().enumerate() {
            prop_assert_eq!(&title, &titles[i]);
            prop_assert_eq!(sku, (i != missing).then(|| format!("K-{i}x")));
        }
    }

    #[test]
    fn any_script_gives_regions_with_complete_rows(text in r#"(x ?= ?|JSON\.parse\("|\[|\]|\{|\}|"|,|:|"name"|"url"|"/p/1"|[0-9a-z]{1,3}|\\){0,60}"#) {
        let html = format!("{}</main><script>{text}</script><p data-x='{text}'>y</p>", cards(&["One lamp".into(), "Two lamps".into(), "Three".into()]));
        for region in run(&html).regions {
            for record in &region.records {
                prop_assert_eq!(record.cells.len(), region.columns.len());
                prop_assert_eq!(record.place.parts.is_empty(), region.origin == Origin::Embedded);
            }
        }
    }
}

#[test]
fn records_with_the_same_title_are_joined_by_position() {
    let titles = ["Oak lamp", "Oak lamp", "Pine lamp", "Elm lamp"].map(str::to_owned);
    let objects: Vec<String> = titles
        .iter()
        .enumerate()
        .map(|(i, title)| format!("{{\"name\":\"{title}\",\"sku\":\"K{i}\"}}"))
        .collect();
    let found = run(&format!("{}<script>x=[{}]</script>", cards(&titles), objects.join(",")));
    let skus: Vec<Option<String>> = skus(&found).into_iter().map(|(_, sku)| sku).collect();
    assert_eq!(skus, ["K0", "K1", "K2", "K3"].map(|sku| Some(sku.to_owned())));
}

#[test]
fn a_list_that_agrees_with_few_records_is_not_joined() {
    let titles: Vec<String> = (0..8)
        .map(|i| format!("Lamp of kind {}", ["oak", "elm", "ash", "fir", "yew", "box", "tin", "jet"][i]))
        .collect();
    let objects: Vec<String> = titles
        .iter()
        .take(4)
        .map(|title| format!("{{\"name\":\"{title}\",\"sku\":\"K{}\"}}", title.len()))
        .collect();
    let found = run(&format!("{}<script>x=[{}]</script>", cards(&titles), objects.join(",")));
    let columns = &found.primary().unwrap().columns;
    assert!(
        columns.iter().all(|column| column.source != CellSource::Embedded),
        "half is not most: {columns:?}"
    );
}

#[test]
fn menus_remain_navigation_next_to_data() {
    let mut html = String::from("<nav><ul>");
    for word in ["Home", "Shops", "Garden", "About us", "Contact"] {
        write!(html, "<li><a href='/{word}'>{word}</a></li>").unwrap();
    }
    html.push_str("</ul></nav><div id=app></div><script>window.__STATE__ = {\"products\": [");
    for n in 0..8 {
        let comma = if n == 0 { "" } else { "," };
        write!(html, "{comma}{{\"name\": \"Garden lamp {n}\", \"url\": \"/p/{n}\", \"price\": 1{n}, \"about\": \"Burns {n} hours\"}}")
            .unwrap();
    }
    html.push_str("]};</script>");
    let mut options = Request::default();
    options.embedded = true;
    options.all = true;
    options.navigation = true;
    let found = extract(&Page::from_text(&html, &Limits::default()), &options);
    let main = found.primary().unwrap();
    assert_eq!((main.origin, main.records.len()), (Origin::Embedded, 8));
    let menu = found.regions.iter().find(|region| region.records[0].text == "Home").unwrap();
    assert_eq!(menu.role, Role::Navigation);
    assert_eq!(found.regions.iter().filter(|region| region.role == Role::Primary).count(), 1);
}
