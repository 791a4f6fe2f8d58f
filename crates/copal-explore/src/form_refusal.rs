//! Which forms may be sent, and why others are left alone.
//!
//! In: a form as `copal-forms` understands it. Out: where it is sent to, or the reason not to send it. Only searches of
//! the site itself are sent; one that is sent by POST could change something, and has to be certain.

use crate::link_words::find_word;
use copal_dom::url::{BaseUrl, page_link};
use copal_dom::{Page, attrs, tags};
use copal_forms::{Control, FieldType, Form, FormField, FormType};
use url::Url;

/// Lowest confidence of a search form that is sent by GET.
const MIN_GET_CONFIDENCE: f64 = 0.5;
/// Lowest confidence of a search form that is sent by POST.
pub(crate) const MIN_POST_CONFIDENCE: f64 = 0.9;
/// Words of forms that do something: one of them in the URL or on the button of a form that is sent by POST means that it
/// is left alone, however certain its type is.
const OTHER_PURPOSES: &[&str] = &[
    "add",
    "basket",
    "bid",
    "buy",
    "cart",
    "checkout",
    "comment",
    "contact",
    "delete",
    "donate",
    "login",
    "logout",
    "newsletter",
    "order",
    "pay",
    "post",
    "register",
    "remove",
    "reserve",
    "save",
    "send",
    "signin",
    "signup",
    "sign up",
    "submit order",
    "subscribe",
    "unsubscribe",
    "update",
    "upload",
    "vote",
];

/// Why a form is not sent.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FormRefusal {
    /// It is not a search.
    #[error("not a search but {}", .0.name())]
    NotASearch(FormType),
    /// It asks for what only a person can give.
    #[error("it asks for personal data, a password, a file or a message")]
    PersonalData,
    /// It would be sent by POST, and its words are those of another kind of form.
    #[error("it is sent by POST and says \"{0}\"")]
    OtherPurpose(String),
    /// It may not be a search.
    #[error(
        "{method} forms are sent if they are searches with a confidence of {needed}, not {confidence:.2}"
    )]
    Uncertain {
        /// How it would be sent.
        method: &'static str,
        /// The confidence that this needs.
        needed: f64,
        /// Its confidence.
        confidence: f64,
    },
    /// It has no `<form>` element, and its button has no link.
    #[error("it has no <form> and its button has no link: it needs a browser")]
    NoTarget,
    /// Its URL cannot be made absolute.
    #[error("its URL is not known")]
    UnknownUrl,
    /// Its URL is not a web address.
    #[error("it is sent by a script ({scheme}:)")]
    Script {
        /// The scheme of its URL.
        scheme: String,
    },
    /// It is sent to another website.
    #[error("it is sent to another site: {host}")]
    OtherSite {
        /// The other host.
        host: String,
    },
    /// A field must be filled in, and nothing is known that would fit.
    #[error("no value is known for the field \"{field}\"")]
    NoValue {
        /// Its label or name.
        field: String,
    },
}

/// Where a search is sent to, or why it is never sent.
pub(crate) fn sendable_action(page: &Page, form: &Form) -> Result<Url, FormRefusal> {
    let action = action_url(page, form)?;
    if form.form_type != FormType::Search {
        return Err(FormRefusal::NotASearch(form.form_type));
    }
    let is_private = |field: &FormField| {
        matches!(field.control, Control::Password | Control::File | Control::TextArea)
            || field.field_type.is_personal()
            || matches!(field.field_type, FieldType::Captcha)
    };
    if form.fields.iter().any(is_private) {
        return Err(FormRefusal::PersonalData);
    }
    if form.is_post
        && let Some(word) = other_purpose(form, &action)
    {
        return Err(FormRefusal::OtherPurpose(word.to_owned()));
    }
    let (method, needed) =
        if form.is_post { ("POST", MIN_POST_CONFIDENCE) } else { ("GET", MIN_GET_CONFIDENCE) };
    if form.confidence < needed {
        return Err(FormRefusal::Uncertain { method, needed, confidence: form.confidence });
    }
    Ok(action)
}

/// A word of the form's URL or buttons that speaks of something else than a search.
fn other_purpose(form: &Form, action: &Url) -> Option<&'static str> {
    let buttons = form.fields.iter().filter(|field| field.control == Control::Submit);
    let texts = buttons.flat_map(|field| [field.label.as_deref(), field.value.as_deref(), Some(&field.name)]);
    let texts: Vec<&str> = texts.flatten().chain([action.path()]).collect();
    find_word(&texts.join(" "), OTHER_PURPOSES.iter().copied())
}

/// Where the form is sent to. A form without `<form>` is sent to where its button links.
fn action_url(page: &Page, form: &Form) -> Result<Url, FormRefusal> {
    let base = BaseUrl::of(page);
    let written = match form.index {
        Some(_) => form.action.clone().unwrap_or_default(),
        None => {
            let tree = &page.tree;
            let links = (form.node..tree.end(form.node)).filter(|&node| tree.tag(node) == tags::A);
            let mut targets = links.filter_map(|node| tree.attr(node, attrs::HREF).and_then(page_link));
            targets.next().map(str::to_owned).ok_or(FormRefusal::NoTarget)?
        }
    };
    let own = page.url.clone().unwrap_or_default();
    let url = if written.is_empty() { own.clone() } else { base.resolve(&written) };
    let url = Url::parse(&url).map_err(|_| FormRefusal::UnknownUrl)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(FormRefusal::Script { scheme: url.scheme().to_owned() });
    }
    let is_own =
        Url::parse(&own).is_ok_and(|own| copal_dom::url::same_site(&url, &own) && url.port() == own.port());
    if is_own {
        Ok(url)
    } else {
        Err(FormRefusal::OtherSite { host: url.host_str().unwrap_or_default().to_owned() })
    }
}
