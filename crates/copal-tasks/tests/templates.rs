//! Templates: what is read with a template is what the full extraction reads, and other pages are extracted in full.

#![allow(clippy::unwrap_used)]

use copal::objects::template_sketch;
use copal::{Answer, Page, Request};
use copal_tasks::{
    FullReason, KnownTemplate, LearnedTemplates, TemplateContent, TemplateSample, learn_template,
};

const HOST: &str = "shop.example";

fn url(number: usize) -> String {
    format!("https://{HOST}/{number}")
}

fn samples(pages: &[String]) -> Vec<TemplateSample> {
    let sample = |(number, body): (usize, &String)| TemplateSample {
        url: Some(url(number)),
        content_type: Some("text/html".to_owned()),
        charset: None,
        body: body.as_bytes().to_vec(),
    };
    pages.iter().enumerate().map(sample).collect()
}

fn page(html: &str) -> Page {
    let mut page = Page::from_text(html, &copal::Limits::default());
    page.url = Some(url(99));
    page
}

fn shop(number: usize) -> String {
    let item = |n: usize| {
        format!(
            "<li class=item><a href='/i/{number}-{n}'>Kettle {number}-{n}</a> <b class=price>£{n}.99</b></li>"
        )
    };
    let items: String = (1..=8 + number % 4).map(item).collect();
    format!(
        "<!doctype html><title>Kettles</title><div id=main><h1>Kettles</h1><ul class=items>{items}</ul></div>"
    )
}

/// Pages of one book each.
const BOOKS: [&str; 4] = [
    include_str!("../../../testdata/objects/books/1.html"),
    include_str!("../../../testdata/objects/books/2.html"),
    include_str!("../../../testdata/objects/books/3.html"),
    include_str!("../../../testdata/objects/books/4.html"),
];

fn learned(pages: &[String]) -> LearnedTemplates {
    let content = learn_template(&samples(pages), &Request::default());
    let template =
        KnownTemplate { host: HOST.to_owned(), sketch: template_sketch(&page(&pages[0])), content };
    assert_eq!(KnownTemplate::from_json(&template.to_json()).unwrap(), template);
    let mut templates = LearnedTemplates::default();
    let broken =
        TemplateContent::List { wrapper: "not a wrapper".to_owned(), confidence: 1.0, names_by_data: false };
    templates.add(KnownTemplate { content: broken, ..template.clone() });
    templates.add(template);
    templates
}

/// Names and texts of everything in an answer.
fn texts(answer: &Answer) -> Vec<String> {
    let cells = answer.regions.iter().flat_map(|list| {
        list.records.iter().flat_map(|record| {
            let cells = list.columns.iter().zip(&record.cells);
            cells.map(|(column, cell)| format!("{}: {:?} {:?}", column.name, cell.first(), cell.value))
        })
    });
    let fields = answer.object.iter().flat_map(|object| &object.fields);
    cells.chain(fields.map(|field| format!("{}: {:?} {:?}", field.name, field.texts, field.value))).collect()
}

fn read(templates: &LearnedTemplates, host: &str, html: &str, request: &Request) -> Option<FullReason> {
    let page = page(html);
    let read = templates.answer(host, &page, request);
    let full = copal::extract_page(&page, request);
    assert_eq!(texts(&read.answer), texts(&full), "{html}");
    assert_eq!(read.answer.kind, full.kind);
    assert_eq!(read.sketch.is_some(), read.full_reason.is_some());
    read.full_reason
}

#[test]
fn lists_of_a_template_are_read_as_in_full() {
    let request = Request::default();
    let templates = learned(&[shop(0), shop(1), shop(2), shop(3)]);
    assert_eq!(read(&templates, HOST, &shop(6), &request), None);
    assert_eq!(read(&templates, "other.example", &shop(6), &request), Some(FullReason::NoTemplate));
    let rows: String = (0..9).map(|n| format!("<tr><td>Town {n}<td>{n} km")).collect();
    let table = format!("<table>{rows}</table>");
    assert_eq!(read(&templates, HOST, &table, &request), Some(FullReason::OtherTemplate));
    // what a template leaves out is wanted here
    let mut all = Request::default();
    all.all = true;
    assert_eq!(read(&templates, HOST, &shop(6), &all), Some(FullReason::Request));
}

#[test]
fn objects_of_a_template_are_read_as_in_full() {
    let request = Request::default();
    let pages: Vec<String> = BOOKS[..3].iter().map(ToString::to_string).collect();
    assert!(copal::extract_page(&page(&pages[0]), &request).object.is_some(), "the pages are about objects");
    let templates = learned(&pages);
    assert_eq!(read(&templates, HOST, BOOKS[3], &request), None);
    // the same frame without the object
    let empty =
        "<!doctype html><title>Book - Shop</title><div id=main><h1>Sorry</h1><p>This book is gone.</p></div>";
    assert!(read(&templates, HOST, empty, &request).is_some());
}

#[test]
fn pages_that_cannot_be_learned_have_no_template() {
    let learn = |pages: &[String]| learn_template(&samples(pages), &Request::default());
    let refused = TemplateContent::Refused;
    let nothing = learn(&["<p>One.".to_owned(), "<p>Two.".to_owned()]);
    assert_eq!(nothing, refused(FullReason::UncertainSamples));
    assert_eq!(learn(&[]), refused(FullReason::UnreadableSamples));
    let mixed = learn(&[shop(1), shop(2), BOOKS[0].to_owned(), BOOKS[1].to_owned()]);
    assert_eq!(mixed, refused(FullReason::MixedSamples));
    let template =
        KnownTemplate { host: HOST.to_owned(), sketch: template_sketch(&page(&shop(1))), content: mixed };
    let mut templates = LearnedTemplates::default();
    templates.add(KnownTemplate::from_json(&template.to_json()).unwrap());
    let reason = read(&templates, HOST, &shop(1), &Request::default());
    assert_eq!(reason, Some(FullReason::MixedSamples), "its pages are counted");
    assert!(KnownTemplate::from_json("{}").is_err());
}
