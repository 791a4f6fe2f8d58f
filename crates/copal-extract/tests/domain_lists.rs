//! Lists of a domain's objects: with AMBER alone, and as a part of the combined extractor.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_domain::Domain;
use copal_extract::{Answer, Method, Provenance, Request, extract};
use std::sync::Arc;

fn read(html: &str, domain: Option<&str>, method: Method) -> Answer {
    let page = Page::from_text(html, &Limits::default());
    let mut request = Request::for_lists();
    request.lists.method = method;
    request.set_domain(domain.map(|name| Arc::new(Domain::load(name).unwrap())));
    extract(&page, &request)
}

fn column(answer: &Answer, name: &str) -> Option<Vec<String>> {
    let list = answer.primary()?;
    let at = list.columns.iter().position(|column| column.name == name)?;
    Some(list.records.iter().map(|record| record.cells[at].join("|")).collect())
}

const STREETS: [&str; 6] =
    ["Corn Street", "High Street", "Mill Lane", "Park Road", "Church Lane", "West End"];

/// A list of homes; `price` writes the price of the home with this number.
fn homes(price: impl Fn(usize) -> String) -> String {
    let home = |(at, street): (usize, &&str)| {
        format!(
            "<li><h3><a href=/{at}>{} {street}, Witney, Oxfordshire</a></h3><p class=p>{}</p>
             <p class=b>{} bedrooms, 1 bathroom, semi-detached house</p><p class=a>Agent {}</p></li>",
            at + 1,
            price(at),
            at % 3 + 2,
            ["Alder", "Beech", "Cedar", "Dogwood", "Elm", "Fir"][at]
        )
    };
    let list: String = STREETS.iter().enumerate().map(home).collect();
    format!("<body><h1>Homes for sale</h1><ul>{list}</ul></body>")
}

#[test]
fn an_inferred_value_is_one_of_its_type() {
    // the fourth home shows something else where the others have the price
    let html =
        homes(|at| if at == 3 { "Viewing by appointment".into() } else { format!("£{}25,000", at + 1) });
    let answer = read(&html, Some("real-estate"), Method::Amber);
    let prices = column(&answer, "price").unwrap();
    assert_eq!(prices.len(), 6);
    assert_eq!((prices[2].as_str(), prices[3].as_str()), ("£325,000", ""));
}

#[test]
fn inferred_places_keep_their_value() {
    let html =
        homes(|at| format!("£{}25,000", at + 1)).replace("3 Mill Lane, Witney, Oxfordshire", "Old Zzyx");
    let answer = read(&html, Some("real-estate"), Method::Amber);
    let list = answer.primary().unwrap();
    let at = list.columns.iter().position(|column| column.name == "location").unwrap();
    let inferred = &list.records[2].cells[at];
    assert_eq!((inferred.join("|").as_str(), inferred.provenance), ("Old Zzyx", Provenance::Inferred));
    assert!(inferred.value.is_some());
}

#[test]
fn the_combined_extractor_types_columns_with_a_domain_and_keeps_the_others() {
    let html = homes(|at| format!("£{}25,000", at + 1));
    let without = read(&html, None, Method::Combined);
    let with = read(&html, Some("real-estate"), Method::Combined);
    let places = |answer: &Answer| {
        answer.primary().unwrap().records.iter().map(|record| record.place.parts.clone()).collect::<Vec<_>>()
    };
    assert_eq!(places(&with), places(&without));
    assert_eq!(column(&with, "bedrooms").unwrap(), ["2", "3", "4", "2", "3", "4"]);
    assert_eq!(column(&with, "price").unwrap()[0], "£125,000");
    // no attribute of the domain is an agent
    let list = with.primary().unwrap();
    let agents = list.columns.iter().filter(|column| column.named_by.name() != "domain").count();
    assert!(agents >= 1, "{:?}", list.columns.iter().map(|column| &column.name).collect::<Vec<_>>());
    assert!(list.records[0].cell_texts().any(|text| text.contains("Alder")));
    // AMBER alone gives only the attributes of the domain
    let amber = read(&html, Some("real-estate"), Method::Amber);
    assert!(amber.primary().unwrap().columns.iter().all(|column| column.named_by.name() == "domain"));
}

#[test]
fn a_list_of_the_domain_comes_before_a_longer_list_of_something_else() {
    let news: String = (0..14)
        .map(|at| {
            format!(
                "<div class=item><a href=/n{at}><img src={at}.jpg></a><h4><a href=/n{at}>News number {at}</a></h4>
                 <p>What happened on day {at} in the office, told at some length for everybody to read.</p></div>"
            )
        })
        .collect();
    let html = homes(|at| format!("£{}25,000", at + 1)).replace("</ul>", &format!("</ul><div>{news}</div>"));
    let html = html
        .replace("<h1>", &format!("<div>{}</div><h1>", "<p>About the town and its people.</p>".repeat(30)));
    let with = read(&html, Some("real-estate"), Method::Combined);
    assert_eq!(with.primary().map(|list| list.records.len()), Some(6));
    assert!(column(&with, "price").is_some());
}

#[test]
fn objects_without_any_mandatory_attribute_are_not_objects() {
    let mut html = homes(|at| format!("£{}25,000", at + 1));
    html =
        html.replace("</ul>", "<li><table><tr><td>3 bedrooms</td><td>1 bathroom</td></tr></table></li></ul>");
    let answer = read(&html, Some("real-estate"), Method::Amber);
    assert_eq!(answer.primary().unwrap().records.len(), 6);
}

#[test]
fn a_gallery_without_links_is_found_by_its_images() {
    let pictures: String = ["Dawn", "Noon", "Dusk", "Night", "Storm", "Frost"]
        .iter()
        .map(|name| format!("<figure><img src={name}.jpg><figcaption>{name} over the bay, oil on wood</figcaption></figure>"))
        .collect();
    let html = format!(
        "<body><ul><li><a href=/>Home</a></li><li><a href=/a>About</a></li></ul><div>{pictures}</div></body>"
    );
    let answer = read(&html, None, Method::Amber);
    assert_eq!(answer.primary().map(|list| list.records.len()), Some(6));
}
