//! Sites that announce no number: what a second way to their records says.

use super::{
    Case, HOMES, Property, Request, Response, cards, case, html, page, path, properties, property, query,
    response, result_page,
};

const AGREE: (&str, &str) = ("effective", "two_ways_agree");

fn home() -> Response {
    html(&page("Homes", "<a href=/buy>Homes for sale</a>", "<p>Welcome to our homes.</p>"))
}

/// A list without a counter that can be ordered by price; it shows at most `shown` records.
fn ordered(request: &Request, shown: usize) -> Response {
    let query = query(request);
    let mut all = properties(24);
    let order = query.get("sort").map(String::as_str);
    if order == Some("price") {
        all.reverse();
    }
    all.truncate(shown);
    let k: usize = query.get("page").and_then(|k| k.parse().ok()).unwrap_or(1);
    let on_page: Vec<Property> = all.iter().skip(6 * (k - 1)).take(6).cloned().collect();
    let order = order.map_or_else(String::new, |order| format!("sort={order}&amp;"));
    let next = if 6 * k < all.len() {
        format!("<a class=next href='/buy?{order}page={}'>Next</a>", k + 1)
    } else {
        String::new()
    };
    let orders = "<p>Order: <a href='/buy?sort=date'>newest</a> <a href='/buy?sort=price'>price</a></p>";
    html(&page("Properties", "", &format!("{orders}{}<p>{next}</p>", cards(&on_page))))
}

pub(crate) fn in_another_order() -> Case {
    case("another order", properties(24), HOMES, AGREE, 24, |request| match path(request) {
        "/" => Some(home()),
        "/buy" => Some(ordered(request, 24)),
        _ => None,
    })
}

pub(super) fn cases() -> Vec<Case> {
    let by_kind = case("a list and the parts of a form", properties(20), HOMES, AGREE, 30, |request| {
        let form = "<form action=/find role=search><label>Search <input type=search name=q></label><label>Deal \
            <select name=deal><option value=''>Any</option><option value=buy>Buy</option><option value=rent>Rent</option>\
            </select></label><button>Search</button></form>";
        match path(request) {
            "/" => Some(home()),
            "/buy" => {
                let Response::Bytes(bytes) = result_page(request, &properties(20), 10, "", false) else {
                    return None;
                };
                let text = String::from_utf8(bytes).ok()?;
                let body = text.split_once("\r\n\r\n")?.1.replace("<section", &format!("{form}<section"));
                Some(html(&body))
            }
            "/find" => {
                let deal = query(request).get("deal").cloned().unwrap_or_default();
                let is_shown = |one: &Property| deal.is_empty() || one.is_rent == (deal == "rent");
                let found: Vec<Property> = properties(20).into_iter().filter(is_shown).collect();
                Some(result_page(request, &found, 10, "", false))
            }
            _ => None,
        }
    });
    let in_sitemap = case(
        "as many as in the sitemap",
        properties(14),
        HOMES,
        AGREE,
        8,
        |request| match path(request) {
            "/" => Some(home()),
            "/buy" => Some(result_page(request, &properties(14), 7, "", false)),
            "/sitemap.xml" => {
                let urls: String = (0..14)
                    .map(|n| {
                        format!(
                            "<url><loc>http://{}/property/{}</loc></url>",
                            request.header("host"),
                            property(n).number
                        )
                    })
                    .collect();
                let xml = format!(
                    "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>"
                );
                Some(response("200 OK", "Content-Type: application/xml\r\n", xml))
            }
            _ => None,
        },
    );
    vec![in_another_order(), by_kind, in_sitemap]
}

/// A list that hides half of its records, in each order others.
pub(crate) fn hidden_half() -> Case {
    case("a list that hides records", properties(24), HOMES, ("partial", "ways_differ"), 24, |request| {
        match path(request) {
            "/" => Some(home()),
            "/buy" => Some(ordered(request, 12)),
            _ => None,
        }
    })
}
