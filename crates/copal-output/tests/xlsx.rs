//! An Excel workbook has typed cells, and texts are never formulas.

#![cfg(feature = "xlsx")]
#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::{Request, extract};
use copal_output::rows::RowOptions;
use copal_output::{Format, Xlsx};

/// The workbook of a page as the bytes of its file.
fn workbook(html: &str) -> Vec<u8> {
    let answer = extract(&Page::from_text(html, &Limits::default()), &Request::default());
    let mut format = Xlsx::new(RowOptions::default(), false);
    format.page(&mut Vec::new(), "page.html", &answer).unwrap();
    let mut bytes = Vec::new();
    format.finish(&mut bytes).unwrap();
    bytes
}

/// The text of a part of the workbook, which is a ZIP archive of deflated XML files.
fn part(bytes: &[u8], name: &str) -> String {
    let header = b"PK\x03\x04";
    let starts = (0..bytes.len() - 4).filter(|&at| bytes[at..].starts_with(header));
    for start in starts {
        let number = |at: usize| usize::from(u16::from_le_bytes([bytes[start + at], bytes[start + at + 1]]));
        let (name_length, more_length) = (number(26), number(28));
        let name_start = start + 30;
        if &bytes[name_start..name_start + name_length] == name.as_bytes() {
            let data = &bytes[name_start + name_length + more_length..];
            let mut text = String::new();
            let mut decoder = flate2::read::DeflateDecoder::new(data);
            std::io::Read::read_to_string(&mut decoder, &mut text).unwrap();
            return text;
        }
    }
    panic!("no part {name}");
}

#[test]
fn cells_are_typed_and_never_formulas() {
    let item = |n: usize| {
        format!("<li><h3>=SUM(A{n})</h3> <i class=price>£{n}.50</i> <p>-{n} of the best lamps</p></li>")
    };
    let items: String = (1..=4).map(item).collect();
    let bytes = workbook(&format!("<ul>{items}</ul>"));
    let sheet = part(&bytes, "xl/worksheets/sheet1.xml");
    assert!(sheet.contains("<v>1.5</v>"), "{sheet}");
    assert!(!sheet.contains("<f>"), "{sheet}");
    assert!(part(&bytes, "xl/sharedStrings.xml").contains("=SUM(A1)"));
    assert!(part(&bytes, "xl/workbook.xml").contains("name=\"records\""));
}

#[test]
fn dates_are_dates() {
    let item = |n: usize| {
        format!(
            "<li><h3>Talk {n}</h3> <time datetime='2024-0{n}-17'>17.0{n}.2024</time> <p>In hall {n}</p></li>"
        )
    };
    let items: String = (1..=4).map(item).collect();
    let bytes = workbook(&format!("<ul>{items}</ul>"));
    // 17 January 2024 is day 45308 of Excel
    let sheet = part(&bytes, "xl/worksheets/sheet1.xml");
    assert!(sheet.contains("<v>45308</v>"), "{sheet}");
    assert!(part(&bytes, "xl/styles.xml").contains("formatCode=\"yyyy-mm-dd\""));
    // the text of the page stays
    assert!(part(&bytes, "xl/sharedStrings.xml").contains("17.01.2024"));
}

#[test]
fn a_workbook_without_records_is_a_workbook() {
    assert!(workbook("<p>Nothing here").starts_with(b"PK"));
}
