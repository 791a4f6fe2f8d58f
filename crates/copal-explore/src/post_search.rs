//! Searches that are sent by POST: their keys, and their tokens.
//!
//! In: the URL of a form and the fields that are sent. Out: a key that is equal for equal searches although many sites
//! put another token into the form each time, and the fields with the tokens of a page that was just read.

use crate::url_keys::canonical_key;
use copal_dom::Page;
use copal_dom::url::BaseUrl;
use copal_forms::find_forms;
use std::collections::HashMap;

/// Parts of the names of fields that prove that a form was shown before it is sent.
const TOKEN_NAMES: &[&str] =
    &["csrf", "xsrf", "token", "nonce", "viewstate", "eventvalidation", "form_build_id", "formhash"];

/// A key that is equal for requests that show the same page: the URL's key, and the fields without tokens.
pub(crate) fn request_key(url: &str, form: Option<&str>) -> String {
    let key = canonical_key(url).unwrap_or_else(|| url.to_owned());
    let Some(form) = form else { return key };
    let mut fields: Vec<(String, String)> = url::form_urlencoded::parse(form.as_bytes())
        .filter(|(name, _)| !is_token(name))
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    fields.sort();
    let fields = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    // URLs have no spaces: no GET request has such a key
    format!("POST {key} {fields}")
}

pub(crate) fn is_token(name: &str) -> bool {
    let name = name.to_lowercase();
    TOKEN_NAMES.iter().any(|part| name.contains(part))
}

/// The fields with the tokens that a page's form has now. `None` if the page has no such form.
pub fn renewed_form(page: &Page, url: &str, form: &str) -> Option<String> {
    let base = BaseUrl::of(page);
    let own = page.url.clone().unwrap_or_default();
    let target = |action: Option<&String>| match action.filter(|action| !action.is_empty()) {
        Some(action) => base.resolve(action),
        None => own.clone(),
    };
    let forms = find_forms(page);
    let shown = forms
        .iter()
        .find(|shown| shown.is_post && canonical_key(&target(shown.action.as_ref())) == canonical_key(url))?;
    let tokens: HashMap<&str, &str> = shown
        .hidden
        .iter()
        .filter(|(name, _)| is_token(name))
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let fields = url::form_urlencoded::parse(form.as_bytes()).map(|(name, value)| {
        let value = tokens.get(&*name).map_or_else(|| value.into_owned(), |token| (*token).to_owned());
        (name.into_owned(), value)
    });
    Some(url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    #[test]
    fn tokens_do_not_make_another_search() {
        let key = |form| request_key("https://a.example/find/", Some(form));
        assert_eq!(key("town=Oxford&csrf_token=1a"), key("csrf_token=2b&town=Oxford"));
        assert_ne!(key("town=Oxford&csrf_token=1a"), key("town=Leeds&csrf_token=1a"));
        assert_ne!(key(""), request_key("https://a.example/find", None));
    }

    #[test]
    fn tokens_are_those_of_the_page() {
        let html = "<form action=/login method=post><input type=hidden name=token value=0><input type=password name=p>\
            </form><form action=/find method=post><input type=hidden name=token value='new one'><input name=q></form>";
        let mut page = Page::from_text(html, &Limits::default());
        page.url = Some("https://a.example/".into());
        let renewed = |url| renewed_form(&page, url, "token=old&q=a+b");
        assert_eq!(renewed("https://a.example/find").as_deref(), Some("token=new+one&q=a+b"));
        assert_eq!(renewed("https://a.example/other"), None);
    }
}
