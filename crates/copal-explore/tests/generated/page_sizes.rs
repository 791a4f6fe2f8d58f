//! Sites whose lists offer larger pages or all records on one: they are read in a few requests.

use super::{
    COMPLETE, Case, HOMES, Property, Request, Response, cards, case, html, page, path, properties, query,
};

pub(super) fn cases() -> Vec<Case> {
    // a list of 60 in pages of 6, unless the query asks for more
    fn sized(request: &Request, offer: &str) -> Response {
        let query = query(request);
        let size = match query.get("show").map(String::as_str) {
            Some("all") => 60,
            Some(size) => size.parse().unwrap_or(6),
            None => 6,
        };
        let k: usize = query.get("page").and_then(|k| k.parse().ok()).unwrap_or(1);
        let all = properties(60);
        let shown: Vec<Property> = all.into_iter().skip((k - 1) * size).take(size).collect();
        let next = if k * size < 60 {
            format!("<a class=next href='/buy?show={size}&amp;page={}'>Next</a>", k + 1)
        } else {
            String::new()
        };
        let content = format!("<p>60 properties found</p><p>{offer}</p>{}<p>{next}</p>", cards(&shown));
        html(&page("Properties", "", &content))
    }
    let home = || html(&page("Homes", "<a href=/buy>Homes for sale</a>", "<p>Welcome to our homes.</p>"));
    let links = "Show <a href='/buy?show=6'>6</a> <a href='/buy?show=20'>20</a> <a href='/buy?show=30'>30</a> per page";
    let choice = "<form><select name=show><option>6<option>20<option>60</select></form>";
    let all = "<a href='/buy?show=all'>Show all</a>";
    let site = move |name: &'static str, offer: &'static str, max_requests: usize| {
        case(name, properties(60), HOMES, COMPLETE, max_requests, move |request| match path(request) {
            "/" => Some(home()),
            "/buy" => Some(sized(request, offer)),
            _ => None,
        })
    };
    // robots.txt, the sitemap, two pages, the list in its usual pages, and two or one larger pages
    vec![
        site("larger pages", links, 8),
        site("larger pages by a choice", choice, 7),
        site("show all", all, 7),
    ]
}
