//! Sites whose search form is sent by POST, beside forms that must never be sent: a contact form, a login, a newsletter
//! and an order. Everything that is sent to a path other than that of the search is a fault of the test.

use super::{
    COMPLETE, Case, HOMES, Property, Request, Response, TOWNS, case, fields, html, page, path, properties,
    redirect, response, result_page,
};

/// Forms that do something, on every page.
const OTHER_FORMS: &str = "<form method=post action=/send><label>Name <input name=name></label><label>E-mail <input name=email \
    type=email></label><label>Message <textarea name=message></textarea></label><button>Send</button></form>\
    <form method=post action=/session><label>User name <input name=user></label><label>Password <input name=password \
    type=password></label><button>Log in</button></form>\
    <form method=post action=/news><label>Newsletter <input type=email name=mail></label><button>Subscribe</button></form>\
    <form method=post action=/cart/add><input type=hidden name=item value=7><label>Quantity <input name=quantity value=1></label>\
    <button>Add to basket</button></form>";

fn search_form(inner: &str) -> String {
    format!(
        "<form method=post action=/find class=search role=search>{inner}<label>Search <input type=search name=q \
         placeholder='Search homes'></label><button>Search</button></form>"
    )
}

fn town_choice() -> String {
    let towns: String = TOWNS.iter().map(|town| format!("<option>{town}</option>")).collect();
    format!("<select name=town><option value=''>Any town</option>{towns}</select>")
}

fn start(form: &str) -> Response {
    html(&page("Find your home", "", &format!("<p>Welcome.</p>{form}{OTHER_FORMS}")))
}

fn is_posted(request: &Request) -> bool {
    request.method == "POST"
}

fn of_town(all: usize, request: &Request) -> Vec<Property> {
    let town = fields(&request.body).get("town").cloned().unwrap_or_default();
    properties(all).into_iter().filter(|one| town.is_empty() || one.town == town).collect()
}

pub(super) fn cases() -> Vec<Case> {
    let posted = |case: Case| Case { posted_search: Some("/find"), ..case };
    vec![
        posted(case("search by POST", properties(22), HOMES, COMPLETE, 16, |request| match path(request) {
            "/" => Some(start(&search_form(&town_choice()))),
            // further pages of the results are links
            "/find" if is_posted(request) || request.path.contains("page=") => {
                Some(result_page(request, &properties(22), 8, "", true))
            }
            _ => None,
        })),
        posted(case(
            "search by POST, redirected",
            properties(22),
            HOMES,
            COMPLETE,
            16,
            |request| match path(request) {
                "/" => Some(start(&search_form(""))),
                "/find" if is_posted(request) => Some(redirect(303, "/results")),
                "/results" => Some(result_page(request, &properties(22), 8, "", true)),
                _ => None,
            },
        )),
        posted(case("buy or rent by POST, with a token", properties(30), HOMES, COMPLETE, 20, |request| {
            let token = format!("t{:x}", request.at.elapsed().as_nanos());
            let deals = "<label><input type=radio name=deal value=buy checked> Buy</label>\
                             <label><input type=radio name=deal value=rent> Rent</label>";
            match path(request) {
                "/" => {
                    let hidden = format!("<input type=hidden name=csrf_token value={token}>{deals}");
                    let content = page("Find your home", "", &(search_form(&hidden) + OTHER_FORMS));
                    let headers = format!("Content-Type: text/html\r\nSet-Cookie: csrf={token}\r\n");
                    Some(response("200 OK", &headers, content))
                }
                "/find" if is_posted(request) => {
                    let sent = fields(&request.body);
                    let has_token = sent
                        .get("csrf_token")
                        .is_some_and(|token| request.header("cookie").contains(&format!("csrf={token}")));
                    if !has_token {
                        return Some(response("403 Forbidden", "", "no token"));
                    }
                    let wants_rent = sent.get("deal").is_some_and(|deal| deal == "rent");
                    let found: Vec<Property> =
                        properties(30).into_iter().filter(|one| one.is_rent == wants_rent).collect();
                    Some(result_page(request, &found, 40, "", true))
                }
                _ => None,
            }
        })),
        posted(case("capped results by POST", properties(48), HOMES, COMPLETE, 20, |request| {
            match path(request) {
                "/" => Some(start(&search_form(&town_choice()))),
                "/find" if is_posted(request) => {
                    let found = of_town(48, request);
                    let shown: Vec<Property> = found.iter().take(12).cloned().collect();
                    let content = format!(
                        "{}<p class=count>{} properties found</p>{}",
                        search_form(&town_choice()),
                        found.len(),
                        super::cards(&shown)
                    );
                    Some(html(&page("Properties", "", &content)))
                }
                _ => None,
            }
        })),
    ]
}
