//! What a visitor of a page does to get to the next page: the link that is clicked, the form that is filled in.
//!
//! In: a page, and an item of the frontier that was found on it. Out: actions on elements of the page. O(page).

use crate::frontier_items::FrontierItem;
use crate::suggestion_plan::SUGGESTION_ROLE;
use crate::url_keys::canonical_key;
use copal_dom::url::BaseUrl;
use copal_dom::{Node, Page, attrs, tags};
use copal_forms::{Control, Form, FormField, find_forms};
use std::collections::HashMap;
use url::Url;

/// Something that a visitor does with an element of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RouteAction {
    /// Enters a text into a field, or chooses the option with this text.
    Fill(Node, String),
    /// Types a text into a field, and takes the suggestion with this text.
    Choose(Node, String),
    /// Clicks an element.
    Click(Node),
    /// Sends the form of a field.
    Submit(Node),
}

/// The actions that lead from a page to an item. `None` if no link or form of the page leads there.
pub fn route_actions(page: &Page, to: &FrontierItem) -> Option<Vec<RouteAction>> {
    if matches!(to.role.as_str(), "form" | "filled form" | SUGGESTION_ROLE) {
        return form_actions(page, to);
    }
    let key = canonical_key(&to.url)?;
    let (tree, base) = (&page.tree, BaseUrl::of(page));
    let leads_there = |node: Node| {
        let href = tree.attr(node, attrs::HREF);
        href.is_some_and(|href| canonical_key(&base.resolve(href)).as_ref() == Some(&key))
    };
    let mut links = tree.nodes().filter(|&node| tree.tag(node) == tags::A && page.styles.is_shown(node));
    links.find(|&node| leads_there(node)).map(|link| vec![RouteAction::Click(link)])
}

/// The URL that a click on an element leads to, if it is a link.
pub fn link_target(page: &Page, node: Node) -> Option<String> {
    let href = page.tree.attr(node, attrs::HREF).filter(|_| page.tree.tag(node) == tags::A)?;
    Some(BaseUrl::of(page).resolve(href))
}

/// True if a field can be filled in with a text: any field, or a choice that has an option with this text.
pub fn offers_choice(page: &Page, field: Node, text: &str) -> bool {
    let tree = &page.tree;
    if tree.tag(field) != tags::SELECT {
        return true;
    }
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut options = (field..tree.end(field)).filter(|&node| tree.tag(node) == tags::OPTION);
    options.any(|option| words(tree.raw_text(option)) == words(text))
}

/// The fields of a form that are filled in, and the click on its button.
fn form_actions(page: &Page, to: &FrontierItem) -> Option<Vec<RouteAction>> {
    let forms = find_forms(page);
    let form = forms.iter().find(|form| is_sent_to(page, form, to))?;
    let url = Url::parse(&to.url).ok()?;
    let sent = to.form.as_deref().or_else(|| url.query()).unwrap_or_default();
    let sent: HashMap<String, String> = url::form_urlencoded::parse(sent.as_bytes()).into_owned().collect();
    let mut actions = Vec::new();
    for field in form.fields.iter().filter(|field| !field.name.is_empty()) {
        if let Some(value) = sent.get(&field.name) {
            actions.extend(field_action(page, form, field, value).ok()?);
        }
    }
    if to.role == SUGGESTION_ROLE {
        // without the suggestion, the form would send other values than it did
        let typed = actions.iter_mut().find(|action| {
            matches!(action, RouteAction::Fill(node, _)
            if page.tree.tag(*node) == tags::INPUT)
        })?;
        if let RouteAction::Fill(node, text) = typed {
            *typed = RouteAction::Choose(*node, std::mem::take(text));
        }
    }
    let buttons = || form.fields.iter().filter(|field| field.control == Control::Submit);
    let sends = |button: &&FormField| sent.contains_key(&button.name);
    actions.push(match buttons().find(sends).or_else(|| buttons().next()) {
        Some(button) => RouteAction::Click(button.node),
        None => RouteAction::Submit(form.fields.first()?.node),
    });
    Some(actions)
}

fn is_sent_to(page: &Page, form: &Form, to: &FrontierItem) -> bool {
    let action = match form.action.as_deref().filter(|action| !action.is_empty()) {
        Some(action) => BaseUrl::of(page).resolve(action),
        None => page.url.clone().unwrap_or_default(),
    };
    let without_query = |url: &str| url.split(['?', '#']).next().unwrap_or_default().to_owned();
    let is_same = if form.is_post {
        canonical_key(&action) == canonical_key(&to.url)
    } else {
        // a GET form replaces the query of its action
        without_query(&action) == without_query(&to.url)
    };
    form.is_post == to.form.is_some() && is_same
}

/// The value of a field cannot be chosen on the page.
struct UnknownChoice;

/// What is done with a field: nothing if it has the value already.
fn field_action(
    page: &Page,
    form: &Form,
    field: &FormField,
    value: &str,
) -> Result<Option<RouteAction>, UnknownChoice> {
    let chosen = || field.options.iter().find(|option| option.selected);
    let action = match field.control {
        Control::Text if field.value.as_deref().unwrap_or_default() == value => None,
        Control::Text => Some(RouteAction::Fill(field.node, value.to_owned())),
        Control::Select => {
            let option = field.options.iter().find(|option| option.value == value).ok_or(UnknownChoice)?;
            let is_chosen = chosen().or_else(|| field.options.first()) == Some(option);
            (!is_chosen).then(|| RouteAction::Fill(field.node, option.text.clone()))
        }
        Control::Radio if chosen().is_some_and(|option| option.value == value) => None,
        Control::Radio => {
            let tree = &page.tree;
            let is_it = |node: &Node| {
                tree.tag(*node) == tags::INPUT
                    && tree.attr_named(*node, "name") == Some(&field.name)
                    && tree.attr(*node, attrs::VALUE) == Some(value)
            };
            let button = (form.node..tree.end(form.node)).find(is_it).ok_or(UnknownChoice)?;
            Some(RouteAction::Click(button))
        }
        // they are sent as they are
        _ => None,
    };
    Ok(action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    const FORM: &str = "<nav><a href=/homes>Homes</a></nav><form action=/find>\
        <input name=town><input type=radio name=deal value=buy checked><input type=radio name=deal value=rent>\
        <select name=beds><option value=''>Any<option value=2>Two</select><button name=go value=1>Search</button></form>";

    fn actions(role: &str, url: &str, form: Option<&str>) -> Option<Vec<String>> {
        let mut page = Page::from_text(FORM, &Limits::default());
        page.url = Some("https://a.example/".into());
        let item = FrontierItem {
            url: url.to_owned(),
            form: form.map(str::to_owned),
            role: role.to_owned(),
            parent: "https://a.example/".to_owned(),
            priority: 1.0,
            depth: 1,
            template: String::new(),
            reason: String::new(),
        };
        let tree = &page.tree;
        let shown = |action: RouteAction| match action {
            RouteAction::Fill(node, text) => format!("{} = {text}", tree.tag_name(node)),
            RouteAction::Choose(node, text) => format!("{} takes {text}", tree.tag_name(node)),
            RouteAction::Click(node) => {
                let value = tree.attr(node, attrs::VALUE).unwrap_or_default();
                format!("click {} {value}", tree.tag_name(node))
            }
            RouteAction::Submit(node) => format!("submit {}", tree.tag_name(node)),
        };
        Some(route_actions(&page, &item)?.into_iter().map(shown).collect())
    }

    #[test]
    fn links_are_clicked_and_forms_are_filled_in() {
        assert_eq!(actions("link", "https://a.example/homes/", None).unwrap(), ["click a "]);
        assert_eq!(actions("link", "https://a.example/other", None), None);
        let url = "https://a.example/find?town=Oxford&deal=rent&beds=2&go=1";
        let filled = actions("form", url, None).unwrap();
        assert_eq!(filled, ["input = Oxford", "click input rent", "select = Two", "click button 1"]);
        let blank = actions("form", "https://a.example/find?town=&deal=buy&beds=&go=1", None).unwrap();
        assert_eq!(blank, ["click button 1"]);
        let taken = actions("suggestion", "https://a.example/find?town=Oxford&deal=buy&beds=", None).unwrap();
        assert_eq!(taken, ["input takes Oxford", "click button 1"]);
        // a choice that the page does not offer, a form that is not there
        assert_eq!(actions("form", "https://a.example/find?beds=9", None), None);
        assert_eq!(actions("form", "https://a.example/find", Some("town=")), None);
    }
}
