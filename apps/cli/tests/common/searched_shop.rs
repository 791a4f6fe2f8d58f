//! A website with two lists of kettles behind a search form that is sent by POST. For tests of wrappers of sites.

use copal_testserver::{Request, Response, html, not_found};

/// A shop with a list that a link leads to, and with lists of a search form that is sent by POST for "new" and "used".
pub(crate) fn searched_shop(request: &Request) -> Response {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let fields = if request.method == "POST" { request.body.as_str() } else { query };
    let state = if fields.contains("state=used") { "used" } else { "new" };
    match path {
        "/" => html(
            "<!doctype html><title>Kettles</title><nav><a href=/about>About us</a> <a href=/search>Find kettles</a></nav>\
             <main><h1>Kettle shop</h1><p>Welcome.</p></main>",
        ),
        "/search" => html(
            "<!doctype html><title>Find</title><main><h1>Find kettles</h1><form method=post action=/results role=search>\
             <input type=hidden name=csrf_token value=t1><label>Search <input type=search name=q id=q></label>\
             <label>State <select name=state><option value=new>New</option><option value=used>Used</option></select>\
             </label><button class=go>Search</button></form></main>",
        ),
        "/results" if request.method == "POST" || query.contains("page=") => {
            let page = if query.contains("page=2") { 2 } else { 1 };
            let items: String = (8 * (page - 1)..8 * page)
                .map(|n| {
                    format!(
                        "<li class=item><h3><a href='/kettle/{state}-{n}'>Kettle {state} {n}</a></h3><b class=price>£{n}.50</b>\
                         <p>Made by hand in workshop {n} of {state}.</p></li>"
                    )
                })
                .collect();
            let next = if page == 1 {
                format!("<a class=more rel=next href='/results?state={state}&page=2'>Next page</a>")
            } else {
                String::new()
            };
            html(&format!(
                "<!doctype html><title>Results</title><main><h1>Results</h1><p class=count>16 results</p>\
                 <ul>{items}</ul>{next}</main>"
            ))
        }
        _ => not_found(),
    }
}
