//! Sites whose search needs a value that neither the site nor the domain knows.

use super::{Case, HOMES, Response, case, html, page, path, properties, query, result_page};

const UNKNOWN: (&str, &str) = ("none", "required_field_unknown");

fn form(required: &str, complaint: &str) -> Response {
    html(&page(
        "Find your home",
        "",
        &format!(
            "{complaint}<form action=/results role=search><label for=k>Search by key word</label>\
             <input id=k type=search name=keyword {required}><button>Search</button></form>"
        ),
    ))
}

pub(super) fn cases() -> Vec<Case> {
    let results = |request: &copal_testserver::Request, required: &'static str| match path(request) {
        "/" => Some(form(required, "")),
        "/results" if query(request).get("keyword").is_some_and(|word| word == "xylophone") => {
            Some(result_page(request, &properties(12), 6, "", true))
        }
        "/results" => Some(form(required, "<p class=error>Please enter a key word that we know.</p>")),
        _ => None,
    };
    vec![
        // nothing is sent: the page itself says that the field must be filled in
        case("required field, nothing known", Vec::new(), None, UNKNOWN, 6, move |request| {
            results(request, "required")
        }),
        // the empty form is sent once, and then what the page and the domain offer
        case("complaint, nothing that helps", Vec::new(), HOMES, UNKNOWN, 22, move |request| {
            results(request, "")
        }),
    ]
}
