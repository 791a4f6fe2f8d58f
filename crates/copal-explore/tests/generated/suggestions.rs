//! Sites whose search takes a town only from the suggestions that a script shows while one types: it fills in a hidden
//! field, and the server refuses a form without it. Tests with a browser read them; without one there is no way in.

use super::{
    Case, HOMES, Property, Request, Response, TOWNS, case, fields, html, page, path, properties, query,
    response, result_page,
};

pub(crate) const SUGGESTED_HOMES: usize = 40;

/// How a site shows its suggestions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SuggestionStyle {
    /// A WAI-ARIA combobox whose options are clicked.
    Combobox,
    /// Elements without roles that are made after typing and listen to `mousedown`; the form is sent by POST.
    Plain,
    /// A combobox that offers "All areas" first.
    Wildcard,
}

const COMBOBOX_FIELD: &str = "<label for=place>Location</label><input id=place name=location role=combobox \
    aria-autocomplete=list aria-controls=places aria-expanded=false autocomplete=off placeholder='Enter a town'>\
    <input type=hidden id=place-id name=location_id><ul id=places role=listbox hidden></ul>";
const COMBOBOX_SCRIPT: &str = "const field = document.getElementById('place'), id = document.getElementById('place-id'), \
    list = document.getElementById('places'); \
    field.addEventListener('input', async () => { \
        id.value = ''; list.hidden = true; \
        if (field.value.length < 2) return; \
        const found = await (await fetch('/suggest?q=' + encodeURIComponent(field.value))).json(); \
        list.replaceChildren(...found.map(one => { \
            const item = document.createElement('li'); item.setAttribute('role', 'option'); item.textContent = one.name; \
            item.addEventListener('click', () => { field.value = one.name; id.value = one.id; list.hidden = true; }); \
            return item; })); \
        list.hidden = found.length === 0; });";

const PLAIN_FIELD: &str = "<label>Search <input type=search id=place name=location placeholder='Search homes'></label>\
    <input type=hidden id=place-id name=location_id>";
const PLAIN_SCRIPT: &str = "const field = document.getElementById('place'), id = document.getElementById('place-id'); \
    let box = null; const close = () => { if (box) box.remove(); box = null; }; \
    field.addEventListener('blur', close); \
    field.addEventListener('keyup', async () => { \
        id.value = ''; \
        if (field.value.length < 2) return close(); \
        const found = await (await fetch('/suggest?q=' + encodeURIComponent(field.value))).json(); \
        close(); if (!found.length) return; \
        box = document.createElement('div'); document.body.append(box); \
        for (const one of found) { \
            const item = document.createElement('div'); item.innerHTML = '<b>' + one.name.slice(0, 2) + '</b>' + one.name.slice(2); \
            item.addEventListener('mousedown', event => { event.preventDefault(); \
                field.value = one.name; id.value = one.id; close(); }); \
            box.append(item); } });";

impl SuggestionStyle {
    /// What the site does with a request.
    pub(crate) fn answer(self, request: &Request) -> Option<Response> {
        match path(request) {
            "/" => Some(self.form("")),
            "/suggest" => Some(self.suggestions(request)),
            "/results" => Some(self.results(request)),
            other => {
                let town = other.strip_prefix("/guide/")?;
                let content =
                    format!("<p>{town} has a market, a park and good schools. Ask us about {town}.</p>");
                Some(html(&page("A guide", "", &content)))
            }
        }
    }

    fn form(self, complaint: &str) -> Response {
        let (method, field, script) = match self {
            SuggestionStyle::Plain => ("post role=search", PLAIN_FIELD, PLAIN_SCRIPT),
            _ => ("get", COMBOBOX_FIELD, COMBOBOX_SCRIPT),
        };
        let guides: String =
            TOWNS.iter().map(|town| format!("<a href='/guide/{town}'>{town}</a> ")).collect();
        let content = format!(
            "{complaint}<form action=/results method={method} class=search>{field}<button>Search</button></form>\
             <p>Our guides: {guides}</p><script>{script}</script>"
        );
        html(&page("Find your home", "", &content))
    }

    fn suggestions(self, request: &Request) -> Response {
        let typed = query(request).get("q").cloned().unwrap_or_default().to_lowercase();
        let towns = TOWNS.iter().enumerate().filter(|(_, town)| town.to_lowercase().starts_with(&typed));
        let mut found: Vec<String> =
            towns.map(|(id, town)| format!("{{\"id\": \"t{id}\", \"name\": \"{town}\"}}")).collect();
        if self == SuggestionStyle::Wildcard {
            found.insert(0, "{\"id\": \"all\", \"name\": \"All areas\"}".to_owned());
        }
        response("200 OK", "Content-Type: application/json\r\n", format!("[{}]", found.join(", ")))
    }

    fn results(self, request: &Request) -> Response {
        let is_post = self == SuggestionStyle::Plain && request.method == "POST";
        let sent = if is_post { fields(&request.body) } else { query(request) };
        let id = sent.get("location_id").map(String::as_str).unwrap_or_default();
        let town = id.strip_prefix('t').and_then(|at| at.parse().ok()).and_then(|at: usize| TOWNS.get(at));
        if town.is_none() && (id != "all" || self != SuggestionStyle::Wildcard) {
            return self.form("<p class=error>Please select a location of the list.</p>");
        }
        let homes = properties(SUGGESTED_HOMES).into_iter();
        let found: Vec<Property> = homes.filter(|one| town.is_none_or(|town| one.town == *town)).collect();
        // the results of a form that is sent by POST fit on one page: its URL has no fields
        result_page(request, &found, if is_post { 40 } else { 8 }, "", true)
    }
}

/// Without a browser, the town cannot be chosen, and the report says so.
pub(super) fn cases() -> Vec<Case> {
    let refused = ("none", "required_field_unknown");
    let plain = case("town of suggestions, by POST", Vec::new(), HOMES, refused, 30, |request| {
        SuggestionStyle::Plain.answer(request)
    });
    vec![
        case("town of suggestions", Vec::new(), HOMES, refused, 30, |request| {
            SuggestionStyle::Combobox.answer(request)
        }),
        Case { posted_search: Some("/results"), ..plain },
    ]
}
