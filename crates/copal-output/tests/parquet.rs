//! A Parquet file has typed columns and one row per record.

#![cfg(feature = "parquet")]
#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::{Request, extract};
use copal_output::rows::RowOptions;
use copal_output::{Format, Parquet};
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::{self, File};

#[test]
fn columns_are_typed_and_rows_are_complete() {
    let mut format = Parquet::new(RowOptions::default());
    for shop in 1..=2 {
        let rows: String = (1..=3)
            .map(|n| {
                format!("<li><h3><a href='/{shop}/{n}'>Lamp {n}</a></h3> <i class=price>£{n}.50</i></li>")
            })
            .collect();
        let mut page = Page::from_text(&format!("<ul>{rows}</ul>"), &Limits::default());
        page.url = Some("https://shop.example/".into());
        format.page(&mut Vec::new(), "page.html", &extract(&page, &Request::default())).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lamps.parquet");
    format.finish(&mut File::create(&path).unwrap()).unwrap();
    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    let rows: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    assert_eq!(rows.len(), 6);
    assert!(rows[1].contains("key: \"https://shop.example/1/2\""), "{}", rows[1]);
    assert!(rows[1].contains("price: \"£2.50\", price_amount: 2.5, price_currency: \"GBP\""), "{}", rows[1]);
    assert!(rows[1].contains("page: \"https://shop.example/\", method: \"combined\""), "{}", rows[1]);
    // Without pages it is a valid file without rows.
    Parquet::new(RowOptions::default()).finish(&mut File::create(&path).unwrap()).unwrap();
    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    assert_eq!(reader.get_row_iter(None).unwrap().count(), 0);
    assert!(fs::metadata(&path).unwrap().len() > 0);
}

#[test]
fn nested_records_have_the_keys_of_their_records() {
    let reply = |n: usize, r: usize| {
        format!(
            "<li><b class=who>Reader {n}{r}</b> <i class=mood>Mood {r}{n}</i> <p>Reply {r} to {n}, with words</p></li>"
        )
    };
    let thread = |n: usize| {
        let replies = reply(n, 1) + &reply(n, 2);
        format!(
            "<div class=thread><h2><a href='/t/{n}'>Thread number {n}</a></h2><p class=about>What {n} is about</p>\
             <ul class=replies>{replies}</ul></div>"
        )
    };
    let threads: String = (1..=6).map(thread).collect();
    let answer = extract(
        &Page::from_text(&format!("<title>Forum</title><main>{threads}</main>"), &Limits::default()),
        &Request::default(),
    );
    let folder = tempfile::tempdir().unwrap();
    let rows = |mut format: Parquet, name: &str| -> Vec<String> {
        let path = folder.path().join(name);
        // twice the same page: equal keys are numbered in both files
        for _ in 0..2 {
            format.page(&mut Vec::new(), "page.html", &answer).unwrap();
        }
        format.finish(&mut File::create(&path).unwrap()).unwrap();
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect()
    };
    let value = |row: &str, name: &str| -> String {
        let start = row.find(&format!("{name}: \"")).unwrap() + name.len() + 3;
        row[start..].split('"').next().unwrap().to_owned()
    };
    let mut options = RowOptions::default();
    options.leaves_out_nested = true;
    let records = rows(Parquet::new(options.clone()), "records.parquet");
    let nested = rows(Parquet::nested(options), "nested.parquet");
    assert_eq!((records.len(), nested.len()), (12, 24));
    let keys: Vec<String> = records.iter().map(|row| value(row, "key")).collect();
    assert_eq!(keys.iter().collect::<std::collections::HashSet<_>>().len(), 12, "{keys:?}");
    let parents: Vec<String> = nested.iter().map(|row| value(row, "parent")).collect();
    let wanted: Vec<&String> = keys.iter().flat_map(|key| [key; 2]).collect();
    assert_eq!(parents.iter().collect::<Vec<_>>(), wanted);
    assert!(records.iter().all(|row| !row.contains("children")), "{}", records[0]);
}

#[test]
fn arrow_has_the_same_columns() {
    let rows: String = (1..=3)
        .map(|n| format!("<li><h3><a href='/{n}'>Lamp {n}</a></h3> <i class=price>£{n}.50</i></li>"))
        .collect();
    let mut page = Page::from_text(&format!("<ul>{rows}</ul>"), &Limits::default());
    page.url = Some("https://shop.example/".into());
    let mut format = copal_output::Arrow::new(RowOptions::default());
    format.page(&mut Vec::new(), "page.html", &extract(&page, &Request::default())).unwrap();
    let mut bytes = Vec::new();
    format.finish(&mut bytes).unwrap();
    let reader = arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(bytes), None).unwrap();
    let names: Vec<String> = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!(names, ["key", "url", "title", "price", "price_amount", "price_currency", "page", "method"]);
    let batches: Vec<_> = reader.map(Result::unwrap).collect();
    assert_eq!((batches.len(), batches[0].num_rows()), (1, 3));
    let amounts = batches[0].column_by_name("price_amount").unwrap();
    let amounts = amounts.as_any().downcast_ref::<arrow_array::Float64Array>().unwrap();
    assert_eq!(amounts.values().to_vec(), [1.5, 2.5, 3.5]);
}
