//! One page in, everything that the demo shows out.
//!
//! In: the bytes of a page, and what a person chose. Out: one JSON document with the answer as the command writes it
//! (`copal extract --all --format json`) and one CSV table per list. The work and its limits are those of
//! [`copal::extract_page`].

use copal::output::{Csv, Format, page_value};
use copal::{Answer, Document, Domain, Received, Request};
use serde_json::{Value, json};
use std::sync::Arc;

/// What a person chose on the page.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct PageOptions {
    /// Where the page came from. It makes links absolute.
    pub url: Option<String>,
    /// The name of a built-in domain.
    pub domain: Option<String>,
}

impl PageOptions {
    /// Reads `--url URL` and `--domain NAME`. An empty value is none, since an empty field of the page gives one.
    ///
    /// ```
    /// let arguments = ["--url", "https://shop.example/", "--domain", ""];
    /// let options = copal_wasm::PageOptions::parse(arguments.map(String::from)).unwrap();
    /// assert_eq!(options.url.as_deref(), Some("https://shop.example/"));
    /// assert_eq!(options.domain, None);
    /// ```
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<PageOptions, String> {
        let mut options = PageOptions::default();
        let mut arguments = arguments.into_iter();
        while let Some(name) = arguments.next() {
            let place = match name.as_str() {
                "--url" => &mut options.url,
                "--domain" => &mut options.domain,
                _ => return Err(format!("expected --url or --domain, found {name:?}")),
            };
            let value = arguments.next().ok_or_else(|| format!("expected a value after {name}"))?;
            *place = Some(value).filter(|value| !value.trim().is_empty());
        }
        Ok(options)
    }
}

/// Extracts a page.
///
/// The document has the keys `answer` (see the JSON Schema in `crates/copal-output/schema`) and `csv`, a text per list,
/// or one text for an object. `impression` says what a page without either seems to be.
pub fn page_document(bytes: &[u8], options: &PageOptions) -> Result<Value, String> {
    let mut request = Request::default();
    request.all = true;
    request.url.clone_from(&options.url);
    if let Some(name) = &options.domain {
        let domain = Domain::load(name).map_err(|error| error.to_string())?;
        request.set_domain(Some(Arc::new(domain)));
    }
    let received = Received { url: options.url.clone(), ..Received::default() };
    let answer = match copal::read(bytes, &received, &request).map_err(|error| error.to_string())? {
        Document::Page(page) => copal::extract_page(&page, &request),
        Document::Data(answer) => *answer,
    };
    let mut document = json!({ "answer": page_value(options.url.as_deref().unwrap_or("page"), &answer) });
    if let Some(impression) = answer.impression {
        document["impression"] = Value::from(impression.describe());
    }
    document["csv"] = Value::from(csv_tables(answer)?);
    Ok(document)
}

/// A CSV text per list, or one for the object.
fn csv_tables(mut answer: Answer) -> Result<Vec<String>, String> {
    if answer.object.is_some() {
        return Ok(vec![csv_text(&answer)?]);
    }
    let regions = std::mem::take(&mut answer.regions);
    let texts = regions.into_iter().map(|region| {
        answer.regions = vec![region];
        csv_text(&answer)
    });
    texts.collect()
}

fn csv_text(answer: &Answer) -> Result<String, String> {
    let mut csv = Csv::new();
    // The file is opened in a spreadsheet by a click, and nobody has looked at what the page wrote into it.
    csv.escape_formulas = true;
    let mut bytes = Vec::new();
    csv.page(&mut bytes, "page", answer).map_err(|error| error.to_string())?;
    csv.finish(&mut bytes).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const SHOP: &[u8] = include_bytes!("../../../examples/shop.html");

    #[test]
    fn a_shop_gives_its_lists_and_a_csv_table_for_each() {
        let options = PageOptions { url: Some("https://shop.example/".into()), domain: None };
        let document = page_document(SHOP, &options).unwrap();
        let regions = document["answer"]["regions"].as_array().unwrap();
        let tables = document["csv"].as_array().unwrap();
        assert_eq!(regions.len(), tables.len());
        assert_eq!(regions[0]["role"], "primary");
        let rows: Vec<&str> = tables[0].as_str().unwrap().lines().collect();
        assert!(rows[0].contains("title") && rows[0].contains("price"), "{}", rows[0]);
        assert_eq!(rows.len() - 1, regions[0]["records"].as_array().unwrap().len());
        assert!(rows[1].contains("https://shop.example/"), "links are absolute: {}", rows[1]);
    }

    #[test]
    fn a_domain_names_the_columns() {
        let options = PageOptions { url: None, domain: Some("products".into()) };
        let document = page_document(SHOP, &options).unwrap();
        assert!(document["csv"][0].as_str().unwrap().lines().next().unwrap().contains("review_count"));
        let options = PageOptions { url: None, domain: Some("boats".into()) };
        assert!(page_document(SHOP, &options).unwrap_err().contains("boats"));
    }

    #[test]
    fn cells_that_a_spreadsheet_would_run_are_escaped() {
        let rows: String = (1..6).map(|n| format!("<tr><td>=1+{n}</td><td>Lamp {n}</td></tr>")).collect();
        let page = format!("<table><tr><th>Formula</th><th>Name</th></tr>{rows}</table>");
        let document = page_document(page.as_bytes(), &PageOptions::default()).unwrap();
        assert!(document["csv"][0].as_str().unwrap().contains("'=1+1"), "{document}");
    }

    #[test]
    fn what_is_not_a_page_is_an_error_and_an_empty_page_has_no_tables() {
        assert!(page_document(b"%PDF-1.7\n", &PageOptions::default()).is_err());
        assert!(page_document(b"", &PageOptions::default()).is_err());
        let document = page_document(b"<p>Nothing here.", &PageOptions::default()).unwrap();
        assert_eq!(document["csv"].as_array().unwrap().len(), 0);
        assert!(PageOptions::parse(["--page".to_owned()]).is_err());
        assert!(PageOptions::parse(["--url".to_owned()]).is_err());
    }
}
