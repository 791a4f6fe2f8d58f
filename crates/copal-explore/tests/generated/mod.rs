//! Websites made by code: the cases of DIADEM's chapter in the AMBER thesis, with known records.

#![allow(dead_code)]

mod page_sizes;
mod posted_searches;
mod required_fields;
pub(crate) mod second_readings;
pub(crate) mod suggestions;

use copal_testserver::{Request, Response, html, not_found, redirect, response};
use std::collections::HashMap;

/// A property that a site offers.
#[derive(Debug, Clone)]
pub(crate) struct Property {
    pub(crate) number: usize,
    pub(crate) title: String,
    pub(crate) price: String,
    pub(crate) about: String,
    pub(crate) town: &'static str,
    pub(crate) is_rent: bool,
}

pub(crate) const TOWNS: [&str; 4] = ["Oxford", "Leeds", "Bristol", "Manchester"];
const STREETS: [&str; 8] = [
    "Mill Lane",
    "High Street",
    "Station Road",
    "Church Walk",
    "Park Avenue",
    "Queen Street",
    "Canal Road",
    "Victoria Terrace",
];
const KINDS: [&str; 4] = ["terraced house", "flat", "bungalow", "cottage"];

pub(crate) fn property(number: usize) -> Property {
    let town = TOWNS[number % 4];
    let is_rent = number % 3 == 2;
    let beds = number % 5 + 1;
    let street = STREETS[number * 7 % 8];
    let kind = KINDS[number * 5 % 4];
    let price = if is_rent {
        format!("£{} pcm", 700 + 25 * number)
    } else {
        let thousands = 150 + 5 * number;
        format!("£{thousands},{:03}", number * 50 % 1000)
    };
    Property {
        number,
        title: format!("{beds} bedroom {kind}, {} {street}, {town}", number + 1),
        price,
        about: format!("A {kind} with {beds} bedrooms and a garden, close to the shops of {town}."),
        town,
        is_rent,
    }
}

pub(crate) fn properties(count: usize) -> Vec<Property> {
    (0..count).map(property).collect()
}

/// A page with a menu, this content and a footer.
pub(crate) fn page(title: &str, menu: &str, content: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><title>{title}</title></head><body><header><a href=/>Ash and Oak</a></header>\
         <nav><a href=/>Home</a> {menu} <a href=/about>About us</a> <a href=/contact>Contact</a> \
         <a href=/login>Log in</a></nav><main><h1>{title}</h1>{content}</main>\
         <footer><a href=/privacy>Privacy</a> <a href=/terms>Terms</a> © Ash and Oak</footer></body></html>"
    )
}

pub(crate) fn cards(properties: &[Property]) -> String {
    let cards: String = properties
        .iter()
        .map(|one| {
            format!(
                "<article class=card><h3><a href='/property/{}'>{}</a></h3><span class=price>{}</span>\
                 <p class=about>{}</p></article>",
                one.number, one.title, one.price, one.about
            )
        })
        .collect();
    format!("<section class=results>{cards}</section>")
}

pub(crate) fn query(request: &Request) -> HashMap<String, String> {
    fields(request.path.split_once('?').map_or("", |(_, query)| query))
}

/// The fields of a query or of a form.
pub(crate) fn fields(text: &str) -> HashMap<String, String> {
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.replace('+', " "))).collect()
}

pub(crate) fn path(request: &Request) -> &str {
    request.path.split('?').next().unwrap_or_default()
}

/// Page `k` of a list with a counter and a pager, as the server of a site would show it.
pub(crate) fn result_page(
    request: &Request,
    all: &[Property],
    shown: usize,
    menu: &str,
    counter: bool,
) -> Response {
    let query = query(request);
    let k: usize = query.get("page").and_then(|k| k.parse().ok()).unwrap_or(1);
    let first = (k.max(1) - 1) * shown;
    let on_page: Vec<Property> = all.iter().skip(first).take(shown).cloned().collect();
    let mut others: Vec<String> = query
        .iter()
        .filter(|(name, _)| *name != "page")
        .map(|(name, value)| format!("{name}={}", value.replace(' ', "+")))
        .collect();
    others.sort();
    let link = |k: usize| {
        let mut parameters = others.clone();
        parameters.push(format!("page={k}"));
        format!("{}?{}", path(request), parameters.join("&amp;"))
    };
    let pages = all.len().div_ceil(shown);
    let numbers: String = (1..=pages)
        .map(|n| if n == k { format!("<b>{n}</b> ") } else { format!("<a href='{}'>{n}</a> ", link(n)) })
        .collect();
    let next =
        if k < pages { format!("<a class=next href='{}'>Next</a>", link(k + 1)) } else { String::new() };
    let counted =
        if counter { format!("<p class=count>{} properties found</p>", all.len()) } else { String::new() };
    let content = format!("{counted}{}<div class=pagination>{numbers}{next}</div>", cards(&on_page));
    html(&page("Properties", menu, &content))
}

/// The pages that every site has.
pub(crate) fn other_page(request: &Request) -> Response {
    match path(request) {
        "/about" => {
            html(&page("About us", "", "<p>We have sold homes since 1986, and we know every street.</p>"))
        }
        "/contact" => html(&page(
            "Contact",
            "",
            "<form method=post action=/send><label>Name <input name=name></label><label>E-mail <input name=email \
             type=email></label><label>Message <textarea name=message></textarea></label><button>Send</button></form>",
        )),
        "/login" => html(&page(
            "Log in",
            "",
            "<form method=post action=/session><label>User name <input name=user></label><label>Password <input \
             name=password type=password></label><button>Log in</button></form>",
        )),
        "/privacy" | "/terms" => html(&page("Terms", "", "<p>We keep nothing, and you agree to that.</p>")),
        path => match path.strip_prefix("/property/").and_then(|number| number.parse().ok()) {
            Some(number) => object_page(&property(number)),
            None => not_found(),
        },
    }
}

pub(crate) fn object_page(one: &Property) -> Response {
    let content = format!(
        "<p class=price>{}</p><p>{}</p><table><tr><th>Bedrooms<td>{}<tr><th>Location<td>{}<tr><th>Tenure<td>Freehold\
         <tr><th>Reference<td>AO{:04}</table>",
        one.price,
        one.about,
        one.number % 5 + 1,
        one.town,
        one.number
    );
    html(&page(&one.title, "", &content))
}

/// What a site does with a request; everything else is [`other_page`].
pub(crate) type SiteHandler = Box<dyn Fn(&Request) -> Option<Response> + Send + Sync>;

/// A site and what must come out.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) truth: Vec<Property>,
    /// The domain to read it with.
    pub(crate) domain: Option<&'static str>,
    pub(crate) status: &'static str,
    pub(crate) reason: &'static str,
    /// Requests that are at most needed.
    pub(crate) max_requests: usize,
    /// The path of its search if that is sent by POST. Nothing else may be sent.
    pub(crate) posted_search: Option<&'static str>,
    pub(crate) handler: SiteHandler,
}

pub(crate) fn case(
    name: &'static str,
    truth: Vec<Property>,
    domain: Option<&'static str>,
    expected: (&'static str, &'static str),
    max_requests: usize,
    handler: impl Fn(&Request) -> Option<Response> + Send + Sync + 'static,
) -> Case {
    let (status, reason) = expected;
    let handler = Box::new(handler);
    Case { name, truth, domain, status, reason, max_requests, posted_search: None, handler }
}

pub(crate) const HOMES: Option<&str> = Some("real-estate");
pub(crate) const COMPLETE: (&str, &str) = ("effective", "counter_reached");

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = vec![
        case("list behind the menu", properties(23), HOMES, COMPLETE, 20, |request| match path(request) {
            "/" => {
                Some(html(&page("Homes", "<a href=/buy>Homes for sale</a>", "<p>Welcome to our homes.</p>")))
            }
            "/buy" => Some(result_page(request, &properties(23), 6, "", true)),
            _ => None,
        }),
        case("no domain", properties(23), None, COMPLETE, 24, |request| match path(request) {
            "/" => Some(html(&page("Homes", "<a href=/homes>All homes</a>", "<p>Welcome to our homes.</p>"))),
            "/homes" => Some(result_page(request, &properties(23), 6, "", true)),
            _ => None,
        }),
        case("no counter", properties(31), HOMES, ("effective", "lists_complete"), 20, |request| match path(
            request,
        ) {
            "/" => Some(html(&page("Homes", "<a href=/buy>Buy</a>", "<p>Welcome to our homes.</p>"))),
            "/buy" => Some(result_page(request, &properties(31), 8, "", false)),
            _ => None,
        }),
        case("mandatory location", properties(40), HOMES, ("effective", "lists_complete"), 60, |request| {
            let form = |complaint: &str| {
                let towns: String = TOWNS.iter().map(|town| format!("<option value='{town}'>")).collect();
                html(&page(
                    "Find your home",
                    "",
                    &format!(
                        "{complaint}<form action=/results method=get class=search><label for=l>Location</label><input id=l \
                         name=location list=towns placeholder='Enter a town'><datalist id=towns>{towns}</datalist>\
                         <button>Search properties</button></form>"
                    ),
                ))
            };
            match path(request) {
                "/" => Some(form("")),
                "/results" => {
                    let location = query(request).get("location").cloned().unwrap_or_default();
                    let found: Vec<Property> =
                        properties(40).into_iter().filter(|one| one.town == location).collect();
                    Some(if found.is_empty() {
                        form("<p class=error>Please enter a location.</p>")
                    } else {
                        result_page(request, &found, 8, "", true)
                    })
                }
                _ => None,
            }
        }),
        case("buttons are styled links", properties(18), HOMES, COMPLETE, 20, |request| {
            match path(request) {
                "/" => Some(html(&page(
                    "Homes",
                    "",
                    "<div class=finder><label for=q>Search our homes</label><input id=q name=q type=search>\
                 <a class='btn btn-search' href=/results>Search</a></div>",
                ))),
                "/results" => Some(result_page(request, &properties(18), 6, "", true)),
                _ => None,
            }
        }),
        case("results in a frame", properties(20), HOMES, COMPLETE, 20, |request| match path(request) {
            "/" => Some(html(&page("Homes", "", "<iframe src=/frame width=900 height=1200></iframe>"))),
            "/frame" => Some(result_page(request, &properties(20), 7, "", true)),
            _ => None,
        }),
        case(
            "buy or rent",
            properties(30),
            HOMES,
            ("effective", "lists_complete"),
            40,
            |request| match path(request) {
                "/" => Some(html(&page(
                    "Find your home",
                    "",
                    "<form action=/find><fieldset><label><input type=radio name=deal value=buy checked> Buy</label>\
                     <label><input type=radio name=deal value=rent> Rent</label></fieldset>\
                     <select name=beds><option value=''>Any</option><option>1</option><option>2</option></select>\
                     <button>Search</button></form>",
                ))),
                "/find" => {
                    let wants_rent = query(request).get("deal").is_some_and(|deal| deal == "rent");
                    let found: Vec<Property> =
                        properties(30).into_iter().filter(|one| one.is_rent == wants_rent).collect();
                    Some(result_page(request, &found, 8, "", true))
                }
                _ => None,
            },
        ),
        case("predefined queries", properties(24), HOMES, COMPLETE, 30, |request| {
            let band = |one: &Property| one.number / 8;
            match path(request) {
                "/" => Some(html(&page(
                    "Homes",
                    "",
                    "<p>Choose your budget:</p><p><a href='/q/a'>Up to £190,000</a></p><p><a href='/q/b'>Up to £230,000</a>\
                     </p><p><a href='/q/c'>Up to £300,000</a></p>",
                ))),
                "/q/a" | "/q/b" | "/q/c" => {
                    let at = path(request).as_bytes()[3] as usize - b'a' as usize;
                    let found: Vec<Property> =
                        properties(24).into_iter().filter(|one| band(one) == at).collect();
                    Some(result_page(request, &found, 4, "", true))
                }
                _ => None,
            }
        }),
        case("one property only", properties(1), HOMES, ("effective", "single_object"), 12, |request| {
            (path(request) == "/").then(|| object_page(&property(0)))
        }),
        case("login wall", Vec::new(), HOMES, ("none", "login_required"), 10, |request| {
            match path(request) {
                "/login" | "/contact" | "/about" | "/sitemap.xml" | "/robots.txt" => None,
                _ => Some(redirect(302, "/login")),
            }
        }),
        case("endless calendar", properties(16), HOMES, COMPLETE, 40, |request| {
            let path = path(request);
            if let Some(rest) = path.strip_prefix("/viewings/") {
                let mut parts = rest.split('/').map(|part| part.parse::<usize>().unwrap_or(1));
                let (year, month) = (parts.next().unwrap_or(2026), parts.next().unwrap_or(1));
                let (next_year, next_month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
                let days: String = (1..29).map(|day| format!("<td>{day}</td>")).collect();
                let content = format!(
                    "<table><tr>{days}</tr></table><a href='/viewings/{next_year}/{next_month}'>Next month</a>"
                );
                return Some(html(&page(&format!("Viewings {month}/{year}"), "", &content)));
            }
            match path {
                "/" => Some(html(&page(
                    "Homes",
                    "<a href=/viewings/2026/11>Viewings</a> <a href=/buy>Property search</a>",
                    "<p>Welcome.</p>",
                ))),
                "/buy" => Some(result_page(request, &properties(16), 6, "", true)),
                _ => None,
            }
        }),
        case("capped results", properties(48), HOMES, COMPLETE, 80, |request| match path(request) {
            "/" => Some(html(&page("Homes", "<a href=/buy>Homes for sale</a>", "<p>Welcome.</p>"))),
            "/buy" => {
                let town = query(request).get("town").cloned().unwrap_or_default();
                let all = properties(48);
                let found: Vec<Property> =
                    all.iter().filter(|one| town.is_empty() || one.town == town).cloned().collect();
                let total = found.len();
                let shown: Vec<Property> = found.into_iter().take(12).collect();
                let facets: String = TOWNS
                    .iter()
                    .map(|town| format!("<li><a href='/buy?town={town}'>{town}</a></li>"))
                    .collect();
                let content = format!(
                    "<p class=count>{total} properties found</p>{}<aside><h2>Towns</h2><ul>{facets}</ul></aside>",
                    cards(&shown)
                );
                Some(html(&page("Properties", "", &content)))
            }
            _ => None,
        }),
        case("categories", properties(32), HOMES, ("effective", "lists_complete"), 40, |request| {
            let menu: String =
                TOWNS.iter().map(|town| format!("<a href='/homes/{town}'>Homes in {town}</a> ")).collect();
            match path(request) {
                "/" => Some(html(&page("Homes", &menu, "<p>Welcome to our homes.</p>"))),
                path => path.strip_prefix("/homes/").map(|town| {
                    let found: Vec<Property> =
                        properties(32).into_iter().filter(|one| one.town == town).collect();
                    result_page(request, &found, 5, &menu, false)
                }),
            }
        }),
        case("session identifiers", properties(15), HOMES, COMPLETE, 24, |request| {
            let session = format!("{:x}", request.at.elapsed().as_nanos() as u64 ^ 0x5eed);
            match path(request) {
                "/" => Some(html(&page(
                    "Homes",
                    &format!("<a href='/buy?PHPSESSID={session}'>Homes for sale</a>"),
                    "<p>Welcome.</p>",
                ))),
                "/buy" => {
                    let menu = format!("<a href='/buy?PHPSESSID={session}'>Homes for sale</a>");
                    Some(result_page(request, &properties(15), 15, &menu, true))
                }
                _ => None,
            }
        }),
        case("list only in the sitemap", properties(14), HOMES, COMPLETE, 16, |request| {
            match path(request) {
                "/" => Some(html(&page("Homes", "", "<p>Welcome to our homes. Call us.</p>"))),
                "/sitemap.xml" => {
                    let host = request.header("host");
                    let homes: String = (0..14)
                        .map(|number| format!("<url><loc>http://{host}/property/{number}</loc></url>"))
                        .collect();
                    let body =
                        format!("<urlset><url><loc>http://{host}/properties</loc></url>{homes}</urlset>");
                    Some(response("200 OK", "Content-Type: application/xml\r\n", body))
                }
                "/properties" => Some(result_page(request, &properties(14), 7, "", true)),
                _ => None,
            }
        }),
    ];
    cases.extend(page_sizes::cases());
    cases.extend(posted_searches::cases());
    cases.extend(required_fields::cases());
    cases.extend(second_readings::cases());
    cases.extend(suggestions::cases());
    cases.extend(sites_without_records());
    cases
}

/// Sites that must give nothing: other domains, and no data at all.
fn sites_without_records() -> Vec<Case> {
    let books = |request: &Request| -> Option<Response> {
        let books: String = (1..=24)
            .map(|n| {
                format!(
                    "<article><h3><a href='/book/{n}'>The {n}th lantern</a></h3><p class=author>by Ada Moor</p>\
                     <p class=isbn>978-3-16-1484{n:02}-0</p><p>Paperback, 212 pages</p></article>"
                )
            })
            .collect();
        match path(request) {
            "/" => Some(html(&page("Books", "<a href=/books>All books</a>", "<p>We review books.</p>"))),
            "/books" => Some(html(&page("All books", "", &format!("<p>24 books</p>{books}")))),
            _ => None,
        }
    };
    let forum = |request: &Request| -> Option<Response> {
        let threads: String = (1..=30)
            .map(|n| {
                format!(
                    "<tr><td><a href='/thread/{n}'>How do I oil hinge {n}?</a><td>{n} replies<td>user{n}</tr>"
                )
            })
            .collect();
        match path(request) {
            "/" => Some(html(&page("Forum", "", &format!("<table>{threads}</table>")))),
            _ => None,
        }
    };
    let recipes = |request: &Request| -> Option<Response> {
        let recipes: String = (1..=20)
            .map(|n| {
                format!(
                    "<li><a href='/recipe/{n}'>Soup number {n}</a> <span>{} minutes</span> <span>serves 4</span></li>",
                    n * 5
                )
            })
            .collect();
        match path(request) {
            "/" => Some(html(&page("Recipes", "", &format!("<ul class=recipes>{recipes}</ul>")))),
            _ => None,
        }
    };
    let other = ("none", "other_domain");
    vec![
        case("other domain: books", Vec::new(), HOMES, other, 16, books),
        case("other domain: forum", Vec::new(), HOMES, other, 16, forum),
        case("other domain: recipes", Vec::new(), HOMES, other, 16, recipes),
        case("no data", Vec::new(), HOMES, ("none", "no_list"), 12, |request| {
            (path(request) == "/").then(|| html(&page("Homes", "", "<p>We are closed for the season.</p>")))
        }),
    ]
}
