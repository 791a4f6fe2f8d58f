//! The field of a page that is typed into to get suggestions.
//!
//! In: the page as the browser shows it. Out: the field of a search form that may be sent, and what is typed. O(page).

use crate::form_filling::FormFiller;
use crate::form_refusal::sendable_action;
use crate::page_reading::seen_values;
use copal_dom::Page;
use copal_domain::Domain;
use copal_forms::find_forms;
use copal_site::SearchField;

/// The field of a page that is typed into: that of a search form that may be sent, one that announces suggestions first.
pub(crate) fn search_field(page: &Page, domain: Option<&Domain>) -> Option<SearchField> {
    let names = seen_values(page);
    let wildcards = domain.map_or(&[][..], |domain| &domain.wildcards);
    let examples = domain.map_or(&[][..], |domain| &domain.form_examples);
    let forms = find_forms(page);
    let mut fields: Vec<(bool, SearchField)> = forms
        .iter()
        .filter_map(|form| {
            let action = sendable_action(page, form).ok()?;
            let filler = FormFiller { page, form, action, wildcards, examples };
            let (at, plan) = filler.suggestion_plan(&names)?;
            let field = SearchField {
                node: form.fields[at].node,
                beginnings: plan.beginnings,
                action: filler.action.into(),
                is_post: form.is_post,
            };
            Some((!plan.is_announced, field))
        })
        .collect();
    fields.sort_by_key(|(is_unannounced, _)| *is_unannounced);
    fields.into_iter().next().map(|(_, field)| field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suggestion_plan::MAX_BEGINNINGS;
    use copal_dom::{Limits, attrs};

    fn found(html: &str) -> Option<(String, Vec<String>)> {
        let mut page = Page::from_text(html, &Limits::default());
        page.url = Some("https://a.example/".into());
        let field = search_field(&page, None)?;
        Some((page.tree.attr(field.node, attrs::ID).unwrap_or_default().to_owned(), field.beginnings))
    }

    #[test]
    fn the_field_that_announces_suggestions_is_typed_into() {
        let html = "<main><a href=/o>Oxford</a> <a href=/b>Bad Ems</a></main><form action=/find class=search>\
            <input type=search name=q id=q><input id=place aria-autocomplete=list><button>Search</button></form>";
        let (field, beginnings) = found(html).unwrap();
        assert_eq!(field, "place");
        assert_eq!(&beginnings[..3], ["Oxf", "Bad", "a"]);
        assert_eq!(beginnings.len(), MAX_BEGINNINGS);
        let plain = html.replace("aria-autocomplete=list", "");
        assert_eq!(found(&plain).unwrap().0, "q");
        let by_class = html.replace("aria-autocomplete=list", "class='form-control js-typeahead'");
        assert_eq!(found(&by_class).unwrap().0, "place");
    }

    #[test]
    fn only_searches_that_may_be_sent_have_a_field() {
        let contact = "<form action=/send method=post><input name=name role=combobox><input type=email name=email>\
            <textarea name=message></textarea><button>Send message</button></form>";
        assert_eq!(found(contact), None);
        let elsewhere = "<form action=https://b.example/find class=search><input type=search name=q role=combobox>\
            <button>Search</button></form>";
        assert_eq!(found(elsewhere), None);
    }
}
