//! Probabilities on synthetic lists.

use super::RegionJudge;
use super::confidence_weights::{CELL_WEIGHTS, COLUMN_WEIGHTS, RECORD_WEIGHTS};
use super::linear::ConfidenceModel;
use super::region_measures::{Measures, measure_region};
use crate::{Answer, CellSource, Method, Region, Request, Role, extract};
use copal_dom::{Limits, Page};
use std::fmt::Write;

/// A shop's list; `odd` is put into the fifth record.
fn shop(odd: &str) -> Page {
    let mut html = String::from("<h1>Lamps</h1><ul>");
    let colours = ["Blue", "Red", "Green", "White", "Black", "Brown", "Pink", "Grey"];
    for (i, colour) in colours.iter().enumerate() {
        let odd = if i == 4 { odd } else { "" };
        let _ = write!(
            html,
            "<li><h3><a href='/{i}'>{colour} lamp for a desk</a></h3>\
             <p>A {colour} lamp that stands on its own.</p>\
             <span class='price'>£{i}2.50</span>{odd}</li>"
        );
    }
    html.push_str("</ul>");
    Page::from_text(&html, &Limits::default())
}

const ODD_RECORD_HTML: &str = "<div><b>Seen lately</b> <i>One</i> <i>Two</i> \
    <img src='a.png'> <img src='b.png'> <i>Three</i> <i>Four</i> <i>Five</i> \
    <p>And much more of what other people looked at before they went on.</p></div>";

fn read(page: &Page, method: Method) -> Answer {
    let mut options = Request { all: true, navigation: true, ..Request::default() };
    options.lists.method = method;
    options.lists.combined.min_confidence = Some(0.0);
    extract(page, &options)
}

fn list(page: &Page) -> Region {
    read(page, Method::Combined).primary().unwrap().clone()
}

#[test]
fn judged_parts_have_a_probability() {
    let region = list(&shop(ODD_RECORD_HTML));
    assert_eq!(region.records.len(), 8);
    let is_probability = |p: f64| (0.0..=1.0).contains(&p);
    for (c, column) in region.columns.iter().enumerate() {
        let is_text = column.source == CellSource::Text;
        assert_eq!(column.confidence.is_some_and(is_probability), is_text, "{column:?}");
        for record in &region.records {
            let judged = is_text && !record.cells[c].is_empty();
            assert_eq!(record.cells[c].confidence.is_some_and(is_probability), judged, "{record:?}");
        }
    }
    assert!(region.records.iter().all(|record| record.confidence.is_some_and(is_probability)));
}

#[test]
fn an_odd_record_has_a_lower_confidence() {
    let sure = |region: &Region, r: usize| region.records[r].confidence.unwrap();
    let region = list(&shop(ODD_RECORD_HTML));
    for other in [1, 2, 3, 5, 6] {
        assert!(
            sure(&region, 4) + 0.01 < sure(&region, other),
            "{} {}",
            sure(&region, 4),
            sure(&region, other)
        );
    }
    let even = list(&shop(""));
    assert!((sure(&even, 4) - sure(&even, 3)).abs() < 0.01);
}

#[test]
fn likeness_never_lowers_the_confidence_of_a_record() {
    let page = shop(ODD_RECORD_HTML);
    let region = list(&page);
    let judge = RegionJudge::new(&page, &region).unwrap();
    let mut last = 0.0;
    for likeness in [-1.0, -0.5, -0.1, 0.0, 0.1, 0.5] {
        let mut measures = judge.record(4);
        measures.iter_mut().find(|measure| measure.0 == "likeness").unwrap().1 = likeness;
        let p = RECORD_WEIGHTS.probability(&measures);
        assert!(p >= last);
        last = p;
    }
}

#[test]
fn a_rare_column_has_a_lower_confidence() {
    let region = list(&shop("<em>sold out until the end of next week</em>"));
    let of = |holds: &dyn Fn(f64) -> bool| {
        let columns = region.columns.iter().filter(|column| holds(column.support));
        columns.filter_map(|column| column.confidence).fold(f64::NAN, f64::max)
    };
    assert!(of(&|support| support < 0.2) + 0.1 < of(&|support| support > 0.99), "{:?}", region.columns);
}

#[test]
fn models_fit_the_measures() {
    let page = shop(ODD_RECORD_HTML);
    let measured = measure_region(&page, &list(&page)).unwrap();
    let cell = measured.cells.iter().flatten().flatten().next().unwrap();
    let column = measured.columns.iter().flatten().next().unwrap();
    let tables: [(&ConfidenceModel, &Measures); 3] =
        [(&RECORD_WEIGHTS, &measured.records[0]), (&COLUMN_WEIGHTS, column), (&CELL_WEIGHTS, cell)];
    for (table, measures) in tables {
        let names: Vec<&str> = measures.iter().map(|measure| measure.0).collect();
        assert_eq!(table.terms.iter().map(|term| term.0).collect::<Vec<_>>(), names);
        assert!(measures.iter().all(|measure| measure.1.is_finite()));
        assert!(table.bias.is_finite());
        assert!(table.terms.iter().all(|term| term.1.is_finite() && term.2 > 0.0 && term.3.is_finite()));
    }
}

#[test]
fn unjudged_regions_have_no_confidence() {
    let page = shop("");
    let unknown = |region: &Region| {
        region.columns.iter().all(|column| column.confidence.is_none())
            && region.records.iter().all(|record| {
                record.confidence.is_none() && record.cells.iter().all(|cell| cell.confidence.is_none())
            })
    };
    for method in [Method::Mdr, Method::Buw, Method::Rdr, Method::Amber] {
        let found = read(&page, method);
        assert!(!found.regions.is_empty() && found.regions.iter().all(unknown), "{method}");
    }
    // in other lists only the records are judged
    let mut other = list(&page);
    other.role = Role::Secondary;
    let measured = measure_region(&page, &other).unwrap();
    assert!(measured.columns.iter().all(Option::is_none) && measured.records.len() == 8);
    other.role = Role::Navigation;
    assert!(measure_region(&page, &other).is_none());
}
