//! Whole sites, served on loopback by code of our own: what is found, what is sent, and how often.

#![allow(clippy::unwrap_used)]

mod generated;

use copal_domain::Domain;
use copal_explore::{ExploreOptions, Explorer, Frontier, SiteReport};
use copal_extract::{Answer, Request};
use copal_fetch::{CacheOptions, FetchOptions, Politeness};
use copal_site::{VisitOptions, Visitor};
use copal_testserver::Server;
use generated::{Case, cases, other_page};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

fn visitor(cache: &Path, domain: Option<&Arc<Domain>>) -> Visitor {
    let mut fetch = FetchOptions::default();
    fetch.allow_private = true;
    fetch.politeness = Politeness::Off;
    fetch.retries = 0;
    fetch.cache = Some(CacheOptions::new(cache));
    let mut options = VisitOptions::default();
    options.request = Request::default();
    options.request.set_domain(domain.cloned());
    Visitor::new(fetch, options).unwrap()
}

/// What came out: the texts of each record, by its URL.
struct Outcome {
    report: SiteReport,
    records: HashMap<String, Vec<String>>,
    duplicates: usize,
    /// Method, path and body of each request.
    requests: Vec<(String, String, String)>,
}

async fn run(case: Case) -> (Outcome, Vec<generated::Property>) {
    Box::pin(run_with(case, |_| {})).await
}

async fn run_with(
    case: Case,
    change: impl FnOnce(&mut ExploreOptions),
) -> (Outcome, Vec<generated::Property>) {
    let Case { truth, domain, handler, .. } = case;
    let server = Server::start(move |request| handler(request).unwrap_or_else(|| other_page(request)));
    let folder = tempfile::tempdir().unwrap();
    let domain = domain.map(|name| Arc::new(Domain::load(name).unwrap()));
    let mut options = ExploreOptions::default();
    options.domain.clone_from(&domain);
    change(&mut options);
    let frontier = Frontier::open(&folder.path().join("x.frontier")).unwrap();
    let visitor = visitor(&folder.path().join("cache"), domain.as_ref());
    let mut explorer = Explorer::new(&server.url("/"), visitor, frontier, options, &|_| {}).unwrap();
    let (mut records, mut duplicates) = (HashMap::new(), 0);
    let mut sink = |url: &str, answer: &Answer| {
        for list in &answer.regions {
            let column = list.link_column();
            for record in &list.records {
                let own = column.and_then(|column| record.cells[column].first()).unwrap_or(&record.text);
                let texts: Vec<String> = record.cell_texts().map(str::to_owned).collect();
                duplicates += usize::from(records.insert(own.to_owned(), texts).is_some());
            }
        }
        if let Some(object) = &answer.object {
            let texts = object.fields.iter().flat_map(|field| field.texts.clone());
            records.insert(url.to_owned(), texts.collect());
        }
        Ok(())
    };
    let report = explorer.run(&mut sink).await.unwrap();
    let requests = server.requests();
    let requests = requests.into_iter().map(|one| (one.method, one.path, one.body)).collect();
    (Outcome { report, records, duplicates, requests }, truth)
}

/// Share of the titles and prices of the true records that were found exactly.
fn exact_values(outcome: &Outcome, truth: &[generated::Property]) -> (usize, f64) {
    let (mut found, mut exact) = (0, 0);
    for one in truth {
        let ending = format!("/property/{}", one.number);
        let record = outcome.records.iter().find(|(url, _)| url.ends_with(&ending) || truth.len() == 1);
        if let Some((_, texts)) = record {
            found += 1;
            let has = |value: &str| texts.iter().any(|text| text == value);
            exact += usize::from(has(&one.title)) + usize::from(has(&one.price));
        }
    }
    (found, exact as f64 / (2 * truth.len()).max(1) as f64)
}

#[tokio::test(flavor = "multi_thread")]
async fn mandatory_columns_come_from_detail_pages() {
    let truth = generated::properties(9);
    // the list says neither town nor street, which real estate must have
    let list: String = truth
        .iter()
        .map(|one| {
            format!(
                "<article class=card><h3><a href='/property/{n}'>{beds} bedroom home, our number {n}</a></h3>\
                 <span class=price>{price}</span><p>{beds} bedrooms</p></article>",
                n = one.number,
                beds = one.number % 5 + 1,
                price = one.price
            )
        })
        .collect();
    let list = generated::page("Homes", "", &format!("<p>9 properties found</p><section>{list}</section>"));
    let case = Case {
        name: "details",
        truth,
        domain: Some("real-estate"),
        status: "effective",
        reason: "counter_reached",
        max_requests: 20,
        posted_search: None,
        handler: Box::new(move |request| {
            (generated::path(request) == "/").then(|| copal_testserver::html(&list))
        }),
    };
    let (outcome, truth) = Box::pin(run(case)).await;
    assert_eq!(outcome.report.status.name(), "effective", "{}", outcome.report.map_text());
    let details = outcome.requests.iter().filter(|(_, path, _)| path.starts_with("/property/")).count();
    assert_eq!(details, truth.len(), "one request per record: {:?}", outcome.requests);
    for one in &truth {
        let ending = format!("/property/{}", one.number);
        let texts = outcome.records.iter().find(|(url, _)| url.ends_with(&ending)).map(|(_, texts)| texts);
        assert!(
            texts.is_some_and(|texts| texts.iter().any(|text| text == one.town)),
            "{}: {texts:?}",
            one.town
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_order_shows_that_a_list_hides_records() {
    let (outcome, _) = Box::pin(run(generated::second_readings::hidden_half())).await;
    let report = &outcome.report;
    assert_eq!(
        (report.status.name(), report.reason.code()),
        ("partial", "ways_differ"),
        "{}",
        report.map_text()
    );
    // what the other order shows is stored
    assert_eq!(outcome.records.len(), 24, "{}", report.map_text());
    assert!(report.map_text().contains("second reading: its list in another order"), "{}", report.map_text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_reading_takes_nothing_from_the_first() {
    let case = || generated::second_readings::in_another_order();
    let (once, _) = Box::pin(run_with(case(), |options| options.reads_twice = false)).await;
    assert_eq!(once.report.reason.code(), "lists_complete", "{}", once.report.map_text());
    assert!(once.report.second_reading.is_none());
    // the budget is enough for the first reading and two pages more
    let pages = once.report.pages + 2;
    let (short, _) = Box::pin(run_with(case(), |options| options.max_pages = pages)).await;
    let report = &short.report;
    assert_eq!(
        (report.status.name(), report.reason.code()),
        ("effective", "lists_complete"),
        "{}",
        report.map_text()
    );
    assert!(
        report.pages <= pages && report.map_text().contains("may ask for fewer pages"),
        "{}",
        report.map_text()
    );
    let (twice, _) = Box::pin(run(case())).await;
    let reading = twice.report.second_reading.clone().unwrap();
    assert!(reading.agrees && reading.records == 24 && reading.pages <= 2 * 4 + 4, "{reading:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cases_of_the_thesis() {
    let only = std::env::var("COPAL_SITE_CASE").ok();
    let mut failures = Vec::new();
    println!("| site | status | reason | records | true | exact values | requests |");
    println!("|---|---|---|---|---|---|---|");
    for case in cases() {
        if only.as_ref().is_some_and(|only| !case.name.contains(only.as_str())) {
            continue;
        }
        let (name, status, reason, max_requests) = (case.name, case.status, case.reason, case.max_requests);
        let posted_search = case.posted_search;
        let (outcome, truth) = Box::pin(run(case)).await;
        let report = &outcome.report;
        let (found, exact) = exact_values(&outcome, &truth);
        println!(
            "| {name} | {} | {} | {found} of {} | {} | {exact:.3} | {} |",
            report.status.name(),
            report.reason.code(),
            outcome.records.len(),
            truth.len(),
            outcome.requests.len()
        );
        let mut faults = Vec::new();
        if (report.status.name(), report.reason.code()) != (status, reason) {
            faults.push(format!(
                "{} {}, expected {status} {reason}",
                report.status.name(),
                report.reason.code()
            ));
        }
        if found < truth.len() || outcome.records.len() > truth.len() {
            faults.push(format!("{found} of {} records, {} in all", truth.len(), outcome.records.len()));
        }
        if !truth.is_empty() && exact < 0.97 {
            faults.push(format!("{exact:.3} of the values are exact"));
        }
        if outcome.duplicates > 0 {
            faults.push(format!("{} records were stored twice", outcome.duplicates));
        }
        if outcome.requests.len() > max_requests {
            faults.push(format!("{} requests, expected at most {max_requests}", outcome.requests.len()));
        }
        let posted: Vec<_> = outcome.requests.iter().filter(|(method, ..)| method != "GET").collect();
        if let Some(other) = posted.iter().find(|(_, path, _)| Some(path.as_str()) != posted_search) {
            faults.push(format!("something was sent: {other:?}"));
        }
        if posted.is_empty() && posted_search.is_some() {
            faults.push("the search was not sent".to_owned());
        }
        let mut paths = outcome.requests.clone();
        paths.sort();
        paths.dedup();
        if paths.len() < outcome.requests.len() {
            faults.push("a page was fetched twice".to_owned());
        }
        if !faults.is_empty() {
            failures.push(format!("{name}: {}\n{}", faults.join("; "), report.map_text()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
