//! A search form that has changed, filled in for the same choice as before.
//!
//! In: a page, and the fields that were sent once. Out: what differs, or the requests that make the same choice in the
//! page's forms now. A value finds its field by the old name, by an option with the same value or text, or, if it was
//! entered, in the only text field. Sends nothing. O(forms x fields x options).

use crate::form_filling::{FormFiller, FormSubmission};
use crate::form_refusal::sendable_action;
use crate::link_words::folded_words;
use crate::post_search::is_token;
use crate::url_keys::canonical_key;
use copal_dom::Page;
use copal_dom::url::BaseUrl;
use copal_forms::{Control, Form, FormField, find_forms};
use url::Url;

/// A search as it was sent once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentSearch {
    /// Where it was sent to; with the fields, if it was sent by GET.
    pub url: String,
    /// The fields, if it was sent by POST.
    pub form: Option<String>,
    /// The texts that were entered or chosen, as a visitor reads them; what must be found again.
    pub chosen: Vec<String>,
}

impl SentSearch {
    /// The fields that have a value, without tokens.
    fn fields(&self) -> Vec<(String, String)> {
        let url = Url::parse(&self.url).ok();
        let query = url.as_ref().and_then(Url::query);
        let sent = self.form.as_deref().or(query).unwrap_or_default();
        let fields = url::form_urlencoded::parse(sent.as_bytes()).into_owned();
        fields.filter(|(name, value)| !value.is_empty() && !is_token(name)).collect()
    }
}

/// How the forms of a page differ from the one that a search was sent with, in words. `None` if one of them still sends
/// the same fields to the same URL.
pub fn form_difference(page: &Page, search: &SentSearch) -> Option<String> {
    let sent = search.fields();
    let without_query = |url: &str| canonical_key(url.split(['?', '#']).next().unwrap_or_default());
    let base = BaseUrl::of(page);
    let is_target = |form: &Form| {
        let action = match form.action.as_deref().filter(|action| !action.is_empty()) {
            Some(action) => base.resolve(action),
            None => page.url.clone().unwrap_or_default(),
        };
        form.is_post == search.form.is_some() && without_query(&action) == without_query(&search.url)
    };
    let forms = find_forms(page);
    let targets: Vec<&Form> = forms.iter().filter(|form| is_target(form)).collect();
    if targets.is_empty() {
        let target = search.url.split(['?', '#']).next().unwrap_or_default();
        return Some(format!("no form is sent to {target} any more"));
    }
    let missing = |form: &Form| -> Vec<String> {
        let has = |name: &str, value: &str| {
            form.hidden.iter().any(|(hidden, _)| hidden == name)
                || form.fields.iter().any(|field| field.name == name && accepts(field, value))
        };
        sent.iter().filter(|(name, value)| !has(name, value)).map(|(name, _)| name.clone()).collect()
    };
    let least = targets.into_iter().map(missing).min_by_key(Vec::len)?;
    let names: Vec<String> = least.iter().map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| {
        format!("the form no longer has the field {} with the value that was sent", names.join(", "))
    })
}

/// True if a field can be sent with a value.
fn accepts(field: &FormField, value: &str) -> bool {
    match field.control {
        Control::Select | Control::Radio | Control::Checkbox => {
            field.options.iter().any(|option| option.value == value)
        }
        Control::Submit => field.value.as_deref() == Some(value),
        Control::Text => true,
        _ => false,
    }
}

/// The requests that make the same choice with the search forms of a page, at most one per form.
pub fn refilled_searches(page: &Page, search: &SentSearch) -> Vec<FormSubmission> {
    let sent = search.fields();
    let forms = find_forms(page);
    forms.iter().filter_map(|form| refilled(page, form, &sent, &search.chosen)).collect()
}

fn refilled(
    page: &Page,
    form: &Form,
    sent: &[(String, String)],
    chosen: &[String],
) -> Option<FormSubmission> {
    let action = sendable_action(page, form).ok()?;
    let filler = FormFiller { page, form, action, wildcards: &[], examples: &[] };
    let mut values = filler.blank_values();
    let mut used = vec![false; form.fields.len()];
    let mut placed: Vec<String> = Vec::new();
    for (name, value) in sent {
        let texts: Vec<&str> =
            std::iter::once(value.as_str()).chain(chosen.iter().map(String::as_str)).collect();
        let Some((at, sent_value, text)) = place(form, name, value, &texts, &used) else { continue };
        used[at] = true;
        values[at] = Some(sent_value);
        placed.extend([value.clone(), text]);
    }
    let is_placed = |text: &String| placed.iter().any(|other| same_text(other, text));
    if !chosen.iter().all(is_placed) || chosen.is_empty() && sent.iter().any(|(_, value)| !is_placed(value)) {
        return None;
    }
    Some(filler.submission(&values, "what was chosen before".to_owned()))
}

/// The field for a value, what is sent, and what a visitor reads. `texts` are the value and what was chosen.
fn place(
    form: &Form,
    name: &str,
    value: &str,
    texts: &[&str],
    used: &[bool],
) -> Option<(usize, String, String)> {
    let free = || form.fields.iter().enumerate().filter(|(at, _)| !used[*at]);
    let option_of = |field: &FormField| {
        let by_value = field.options.iter().find(|option| same_text(&option.value, value));
        let by_text =
            || field.options.iter().find(|option| texts.iter().any(|text| same_text(&option.text, text)));
        by_value.or_else(by_text).map(|option| (option.value.clone(), option.text.clone()))
    };
    let in_field = |(at, field): (usize, &FormField)| match field.control {
        Control::Select | Control::Radio | Control::Checkbox => {
            option_of(field).map(|(value, text)| (at, value, text))
        }
        Control::Submit => {
            let is_same = field.value.as_deref().is_some_and(|own| same_text(own, value));
            is_same.then(|| (at, value.to_owned(), value.to_owned()))
        }
        Control::Text if field.name == name => Some((at, value.to_owned(), value.to_owned())),
        _ => None,
    };
    let named = free().filter(|(_, field)| field.name == name).find_map(in_field);
    let by_choice = || free().filter(|(_, field)| !field.name.is_empty()).find_map(in_field);
    // the value of a button, for example, was not entered by anybody
    let is_entered = texts[1..].contains(&value);
    let only_text = || {
        let mut texts = free().filter(|(_, field)| field.control == Control::Text && !field.name.is_empty());
        let (at, _) = texts.next()?;
        (is_entered && texts.next().is_none()).then(|| (at, value.to_owned(), value.to_owned()))
    };
    named.or_else(by_choice).or_else(only_text)
}

fn same_text(a: &str, b: &str) -> bool {
    a == b || !folded_words(a).trim().is_empty() && folded_words(a) == folded_words(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    fn page(html: &str) -> Page {
        let mut page = Page::from_text(html, &Limits::default());
        page.url = Some("https://a.example/".into());
        page
    }

    fn form(html: &str) -> Page {
        page(&format!("<main><h1>Find homes</h1>{html}</main>"))
    }

    const OLD: &str = "<form action=/find role=search><label>Search <input type=search name=q></label><label>Deal <select name=deal>\
        <option value=buy>Buy</option><option value=rent>Rent</option></select></label><button name=go value=1>Search</button></form>";
    const NEW: &str = "<form action=/search role=search><label>Search <input type=search name=term></label><label>Offer <select name=offer>\
        <option value=sale>For sale</option><option value=let>Rent</option></select></label><button>Search</button></form>";

    fn sent(chosen: &[&str]) -> SentSearch {
        SentSearch {
            url: "https://a.example/find?q=&deal=rent&go=1".to_owned(),
            form: None,
            chosen: chosen.iter().map(|&text| text.to_owned()).collect(),
        }
    }

    #[test]
    fn differences_of_a_form_are_named() {
        assert_eq!(form_difference(&form(OLD), &sent(&["Rent"])), None);
        let moved = form_difference(&form(NEW), &sent(&["Rent"])).unwrap();
        assert_eq!(moved, "no form is sent to https://a.example/find any more");
        let renamed = form(&OLD.replace("name=deal", "name=offer"));
        let renamed = form_difference(&renamed, &sent(&["Rent"])).unwrap();
        assert!(renamed.contains("`deal`") && !renamed.contains("`go`"), "{renamed}");
        // other texts and another order are no difference
        assert_eq!(form_difference(&form(&OLD.replace(">Rent<", ">To let<")), &sent(&["Rent"])), None);
    }

    #[test]
    fn values_find_their_fields_again() {
        let urls = |html: &str, chosen: &[&str]| -> Vec<String> {
            refilled_searches(&form(html), &sent(chosen)).into_iter().map(|one| one.url).collect()
        };
        assert_eq!(urls(NEW, &["Rent"]), ["https://a.example/search?term=&offer=let"]);
        let same_values = NEW.replace("value=let>Rent", "value=rent>To let");
        assert_eq!(
            urls(&same_values, &[]),
            Vec::<String>::new(),
            "`go` has no place, and nothing says that it is a button"
        );
        assert_eq!(
            urls(&same_values.replace("<button>", "<button name=x value=1>"), &[]),
            ["https://a.example/search?term=&offer=rent&x=1"]
        );
        // nothing offers what was chosen
        assert_eq!(urls(&NEW.replace("Rent", "Holiday"), &["Rent"]), Vec::<String>::new());
        // other forms are never sent
        assert_eq!(
            urls(
                "<form method=post action=/login><input name=u><input type=password name=p></form>",
                &["Rent"]
            ),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_text_goes_into_the_only_text_field() {
        let search = SentSearch {
            url: "https://a.example/find?town=Oxford".to_owned(),
            form: None,
            chosen: vec!["Oxford".to_owned()],
        };
        let html = "<form action=/s role=search><input type=search name=place placeholder='Search homes'><button>Search</button></form>";
        let urls: Vec<String> =
            refilled_searches(&form(html), &search).into_iter().map(|one| one.url).collect();
        assert_eq!(urls, ["https://a.example/s?place=Oxford"]);
    }
}
