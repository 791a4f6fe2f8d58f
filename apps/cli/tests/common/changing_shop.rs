//! A shop whose navigation changes: its lists move, its form gets other names, its next link becomes numbered pages. For
//! tests of the repair of navigation.

use copal_testserver::{Request, Response, html, not_found, redirect};

/// How the shop is built.
#[derive(Debug, Clone)]
pub(crate) struct ShopDesign {
    /// The path of the list of all kettles.
    pub(crate) list: &'static str,
    /// What its records are called.
    pub(crate) thing: &'static str,
    /// What its link says.
    pub(crate) link: &'static str,
    /// An old path that redirects to the list.
    pub(crate) old_list: Option<&'static str>,
    /// The path that the form is sent to, and the name of its choice.
    pub(crate) form: (&'static str, &'static str),
    /// The options of the choice: values and texts.
    pub(crate) states: [(&'static str, &'static str); 2],
    pub(crate) is_post: bool,
    pub(crate) is_numbered: bool,
    /// A text that has nothing to do with the lists.
    pub(crate) news: &'static str,
    /// The records are in other elements, with other class names.
    pub(crate) has_other_records: bool,
    /// The site has a list of everything, or only the search.
    pub(crate) has_list: bool,
    pub(crate) has_search: bool,
}

impl Default for ShopDesign {
    fn default() -> ShopDesign {
        ShopDesign {
            list: "/kettles",
            thing: "Kettle",
            link: "All kettles",
            old_list: None,
            form: ("/results", "state"),
            states: [("new", "New"), ("used", "Used")],
            is_post: false,
            is_numbered: false,
            news: "Open all week.",
            has_other_records: false,
            has_list: true,
            has_search: false,
        }
    }
}

/// Records on a page.
const EACH: usize = 8;
/// Pages of a list.
const PAGES: usize = 4;

fn frame(design: &ShopDesign, title: &str, content: &str) -> Response {
    let mut nav = String::from("<a href=/>Home</a> <a href=/about>About us</a>");
    if design.has_list {
        nav.push_str(&format!(" <a href='{}'>{}</a> <a href=/pans>All pans</a>", design.list, design.link));
    }
    if design.has_search {
        nav.push_str(" <a href=/search>Find kettles</a>");
    }
    html(&format!(
        "<!doctype html><html lang=en><title>{title}</title><nav>{nav}</nav><main><h1>{title}</h1>{content}</main>\
         <footer>{}</footer>",
        design.news
    ))
}

/// A page of a list; `at` is the URL of the list without the number of the page.
fn list(design: &ShopDesign, title: &str, at: &str, thing: &str, pages: usize, page: usize) -> Response {
    let folder = if thing == "pan" { "pan" } else { "kettle" };
    let items: String = (EACH * (page - 1) + 1..=EACH * page)
        .map(|n| {
            format!(
                "<li class=item><h3><a href='/{folder}/{thing}-{n}'>{title} model {n}</a></h3><b class=price>£{n}.50</b>\
                 <p>Made by hand in workshop {n} of {thing}.</p></li>"
            )
        })
        .collect();
    let to = |number: usize| format!("{at}{}page={number}", if at.contains('?') { '&' } else { '?' });
    let pager = if design.is_numbered {
        let numbers = (1..=pages).map(|number| {
            if number == page {
                format!("<li class=on><span>{number}</span></li>")
            } else {
                format!("<li><a href='{}'>{number}</a></li>", to(number))
            }
        });
        format!("<ol class=pages>{}</ol>", numbers.collect::<String>())
    } else if page < pages {
        format!("<p><a class=more rel=next href='{}'>Next page</a></p>", to(page + 1))
    } else {
        String::new()
    };
    let items = if design.has_other_records {
        let items =
            items.replace("<li class=item><h3>", "<article class=card><h2>").replace("</h3>", "</h2>");
        let items = items.replace("<b class=price>", "<div class=amount>").replace("</b>", "</div>");
        items.replace("</li>", "</article>")
    } else {
        items
    };
    let (region, end) =
        if design.has_other_records { ("div class=grid", "div") } else { ("ul class=list", "ul") };
    let total = EACH * pages;
    frame(design, title, &format!("<p class=count>{total} results</p><{region}>{items}</{end}>{pager}"))
}

pub(crate) fn changing_shop(design: &ShopDesign, request: &Request) -> Response {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let fields = if request.method == "POST" { request.body.as_str() } else { query };
    let pairs: Vec<(&str, &str)> = fields.split('&').filter_map(|pair| pair.split_once('=')).collect();
    let value = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
    let page = value("page")
        .and_then(|page| page.parse().ok())
        .filter(|page| (1..=PAGES).contains(page))
        .unwrap_or(1);
    let (action, choice) = design.form;
    match path {
        "/" => frame(design, "Kettle shop", "<p>Welcome to our shop.</p>"),
        "/about" => frame(design, "About us", "<p>We make kettles.</p>"),
        "/search" if design.has_search => {
            let options: String = design
                .states
                .iter()
                .map(|(value, text)| format!("<option value={value}>{text}</option>"))
                .collect();
            let method = if design.is_post { "post" } else { "get" };
            frame(
                design,
                "Find kettles",
                &format!(
                    "<form method={method} action={action} role=search><label>Search <input type=search name=q></label>\
                     <label>State <select name={choice}>{options}</select></label><button class=go>Search</button></form>"
                ),
            )
        }
        path if path == action && design.has_search => {
            let is_shown = !design.is_post || request.method == "POST" || value("page").is_some();
            // a field that is not known is ignored, as many servers do
            let state = value(choice).filter(|state| design.states.iter().any(|(value, _)| value == state));
            let state = state.unwrap_or(design.states[0].0);
            let number = design.states.iter().position(|(value, _)| *value == state).unwrap_or(0);
            let (title, thing) = [("Kettle", "new"), ("Old kettle", "used")][number];
            if is_shown {
                list(design, title, &format!("{action}?{choice}={state}"), thing, PAGES, page)
            } else {
                not_found()
            }
        }
        path if design.has_list && path == design.list => {
            list(design, design.thing, design.list, &design.thing.to_lowercase(), PAGES, page)
        }
        path if design.old_list == Some(path) => redirect(301, design.list),
        "/pans" if design.has_list => list(design, "Pan", "/pans", "pan", 1, page.min(1)),
        _ => not_found(),
    }
}
