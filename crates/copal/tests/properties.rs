//! Properties that every answer must have, tested on generated pages whose content is known.

#![allow(clippy::unwrap_used)]

mod generated;

use copal::{Answer, CellSource, Page, Region, Request, Role};
use generated::{Piece, SECRET, page, without_space};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::ops::Range;
use std::time::Duration;

const URL: &str = "https://shop.example/list/all";

/// Requests every list of the page, with its embedded data.
fn request() -> Request {
    let mut request = Request::default();
    request.all = true;
    request.navigation = true;
    request.embedded = true;
    // a result may depend on the clock if the time limit is hit, which must not happen here
    request.limits.time = Duration::from_hours(1);
    request
}

fn extract(page: &Piece) -> Answer {
    copal::extract(&page.html, &request())
}

/// `PROPTEST_CASES` may ask for more.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: default.cases.max(500), failure_persistence: None, ..default }
}

/// True for a text or a URL of the page, or a value of its data.
fn occurs(page: &Piece, text: &str, source: CellSource, value: &str) -> bool {
    match source {
        CellSource::Text | CellSource::Detail => text.contains(&without_space(value)),
        // it is above the record, not in it
        CellSource::Heading => page.html.contains(value.split([' ', '&']).next().unwrap_or_default()),
        CellSource::Embedded => page.data.contains(value) || page.addresses.iter().any(|own| own == value),
        CellSource::Href | CellSource::Src => page.addresses.iter().any(|own| own == value),
    }
}

/// The part of a URL that does not change when it is made absolute.
fn tail(address: &str) -> &str {
    address.trim_start_matches(['.', '/'])
}

fn in_unit(value: f64) -> bool {
    (0.0..=1.0).contains(&value)
}

fn ranges(region: &Region) -> Vec<Range<u32>> {
    let mut all: Vec<_> = region.records.iter().flat_map(|record| record.place.parts.clone()).collect();
    all.sort_by_key(|part| part.start);
    all
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_answer_is_the_same_each_time_and_on_every_thread(page in page()) {
        let first = format!("{:?}", extract(&page));
        prop_assert_eq!(&first, &format!("{:?}", extract(&page)));
        let others: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..2).map(|_| scope.spawn(|| format!("{:?}", extract(&page)))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        prop_assert!(others.iter().all(|other| *other == first));
    }

    #[test]
    fn every_cell_is_in_the_page(page in page()) {
        for region in extract(&page).regions {
            for record in &region.records {
                let text = without_space(&record.text);
                for (column, values) in region.columns.iter().zip(&record.cells) {
                    for value in values.texts() {
                        prop_assert!(occurs(&page, &text, column.source, value), "{:?} {value:?} of {:?}", column, record);
                        prop_assert!(!value.contains(SECRET), "{:?} {value:?} is hidden", column);
                    }
                }
            }
        }
    }

    #[test]
    fn an_absolute_address_ends_as_the_page_has_it(page in page()) {
        let mut request = request();
        request.url = Some(URL.to_owned());
        for region in copal::extract(&page.html, &request).regions {
            let links = |&c: &usize| matches!(region.columns[c].source, CellSource::Href | CellSource::Src);
            for column in (0..region.columns.len()).filter(links) {
                for value in region.records.iter().flat_map(|record| record.cells[column].texts()) {
                    let own = page.addresses.iter().any(|own| value.ends_with(tail(own)));
                    prop_assert!(own && value.starts_with("https://"), "{value:?} is no link of the page");
                }
            }
        }
    }

    #[test]
    fn a_record_s_text_is_what_the_page_shows(page in page()) {
        let tree = Page::from_text(&page.html, &request().limits);
        for region in extract(&page).regions.iter().filter(|region| region.origin == copal::Origin::Page) {
            for record in &region.records {
                let pieces: Vec<String> = record.place.parts.iter().map(|part| tree.visible_text(part.clone())).collect();
                prop_assert_eq!(without_space(&record.text), without_space(&pieces.concat()));
                for piece in pieces {
                    prop_assert!(page.shown.contains(&without_space(&piece)), "{piece:?} is not shown by {}", page.html);
                }
            }
        }
    }

    #[test]
    fn records_do_not_overlap(page in page()) {
        let found = extract(&page);
        for region in &found.regions {
            let parts = ranges(region);
            prop_assert!(parts.windows(2).all(|pair| pair[0].end <= pair[1].start), "{:?}", parts);
            let starts: Vec<u32> = region.records.iter().filter_map(|r| r.place.parts.first()).map(|part| part.start).collect();
            prop_assert!(starts.is_sorted(), "not in the page's order: {starts:?}");
        }
        let mut all: Vec<_> = found.regions.iter().flat_map(ranges).collect();
        all.sort_by_key(|part| (part.start, part.end));
        prop_assert!(all.windows(2).all(|pair| pair[0].end <= pair[1].start), "lists overlap: {:?}", all);
    }

    #[test]
    fn confidences_are_probabilities_and_roles_are_in_order(page in page()) {
        let found = extract(&page);
        let roles: Vec<Role> = found.regions.iter().map(|region| region.role).collect();
        prop_assert!(roles.is_sorted(), "{roles:?}");
        prop_assert!(roles.iter().filter(|role| role.is_main()).count() <= 1, "{roles:?}");
        for region in &found.regions {
            prop_assert!(region.confidence.is_none_or(in_unit), "{:?}", region.confidence);
            for column in &region.columns {
                prop_assert!(in_unit(column.support) && column.confidence.is_none_or(in_unit), "{:?}", column);
            }
            for record in &region.records {
                prop_assert!(record.confidence.is_none_or(in_unit) && record.cells.iter().filter_map(|cell| cell.confidence).all(in_unit), "{:?}", record);
                prop_assert_eq!(record.cells.len(), region.columns.len());
            }
        }
    }
}

/// The generated pages must have lists, links and data, because the properties would hold trivially without
/// them.
#[test]
fn generated_pages_have_what_the_properties_speak_of() {
    let mut runner = TestRunner::deterministic();
    let mut counts = [0; 5];
    for _ in 0..200 {
        let page = page().new_tree(&mut runner).unwrap().current();
        let found = extract(&page);
        let any =
            |source| found.regions.iter().any(|r| r.columns.iter().any(|column| column.source == source));
        let seen = [
            found.primary().is_some(),
            found.regions.len() > 1,
            any(CellSource::Text),
            any(CellSource::Href),
            any(CellSource::Embedded),
        ];
        for (count, seen) in counts.iter_mut().zip(seen) {
            *count += usize::from(seen);
        }
    }
    assert!(
        counts.iter().all(|&count| count >= 20),
        "pages, of 200, with main list, lists, texts, links, data: {counts:?}"
    );
}
