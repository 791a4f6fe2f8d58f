//! Which list is wanted, and fields by selector.
//!
//! In: what the user wrote. Out: a [`ListChoice`] and [`FieldRequest`]s, with parsed selectors.

use crate::error::TaskError;
use crate::option_style::OptionStyle;
use copal::wrapper::Css;
use copal::{FieldRequest, KindRequest, ListChoice};
use std::sync::Arc;

/// The list of a rank, near a text or at a selector; `None` if none of them is given. At most one is expected.
pub fn list_choice(
    rank: Option<usize>,
    near: Option<&str>,
    select: Option<&str>,
    kind: KindRequest,
    style: OptionStyle,
) -> Result<Option<ListChoice>, TaskError> {
    let choice = match (rank, near, select) {
        (Some(rank), ..) => ListChoice::Rank(rank),
        (_, Some(text), _) => ListChoice::Near(text.to_owned()),
        (_, _, Some(css)) => {
            let wrong = |error| TaskError::usage(format_args!("{}: {error}", style.written("select")));
            let css = Css::parse(css).map_err(wrong)?;
            ListChoice::Select(Arc::new(css))
        }
        (None, None, None) => return Ok(None),
    };
    if kind == KindRequest::Object {
        let [list, near, select, kind] = ["list", "near", "select", "kind"].map(|name| style.written(name));
        let message = format!("{list}, {near} and {select} choose a list: omit {kind} object");
        return Err(TaskError::usage(message));
    }
    Ok(Some(choice))
}

/// How the choice is described if there is no such list.
pub fn describe_missing(choice: &ListChoice) -> String {
    match choice {
        ListChoice::Rank(rank) => format!("no list of rank {rank}"),
        ListChoice::Near(text) => format!("no list contains {text:?}"),
        ListChoice::Select(selector) => format!("no list at {:?}", selector.text()),
        _ => "no such list".to_owned(),
    }
}

/// Parses `NAME=CSS` or `NAME=CSS@ATTRIBUTE`. Without a selector, the record itself is meant (`NAME=@id`).
pub fn parse_field(text: &str) -> Result<FieldRequest, TaskError> {
    let expected = || TaskError::usage("expected NAME=CSS or NAME=CSS@ATTRIBUTE");
    let (name, rest) = text.split_once('=').ok_or_else(expected)?;
    let name = name.trim();
    let is_attribute_name = |name: &str| {
        !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
    };
    let (css, attribute) = match rest.rsplit_once('@') {
        Some((css, attribute)) if is_attribute_name(attribute.trim()) => (css, Some(attribute.trim())),
        _ => (rest, None),
    };
    if name.is_empty() || css.trim().is_empty() && attribute.is_none() {
        return Err(expected());
    }
    let css = if css.trim().is_empty() { ":scope" } else { css.trim() };
    let css = Css::parse(css).map_err(TaskError::usage)?;
    let field = FieldRequest::new(name, Arc::new(css));
    Ok(match attribute {
        Some(attribute) => field.from_attribute(attribute.to_ascii_lowercase()),
        None => field,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_write_options_as_the_user_does() {
        let message = |style: OptionStyle, select: &str| {
            list_choice(None, None, Some(select), KindRequest::Object, style).unwrap_err().message
        };
        let wrong = "--list, --near and --select choose a list: omit --kind object";
        assert_eq!(message(OptionStyle::CommandLine, "ul"), wrong);
        assert_eq!(message(OptionStyle::Parameter, "ul"), wrong.replace("--", ""));
        assert!(message(OptionStyle::CommandLine, "ul[").starts_with("--select: "));
        assert!(message(OptionStyle::Parameter, "ul[").starts_with("select: "));
    }

    #[test]
    fn fields_are_a_name_a_selector_and_an_html_attribute() {
        let parts = |text: &str| {
            let field = parse_field(text).unwrap();
            (field.name, field.selector.text().to_owned(), field.html_attribute)
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(parts("now=.price b"), ("now".into(), ".price b".into(), None));
        assert_eq!(parts("alt=img@alt"), ("alt".into(), "img".into(), some("alt")));
        assert_eq!(parts("id=@data-id"), ("id".into(), ":scope".into(), some("data-id")));
        assert_eq!(parts("mail=a[href*='@x']"), ("mail".into(), "a[href*='@x']".into(), None));
        for wrong in ["price", "=b", "price=", "price=[", "price= "] {
            assert!(parse_field(wrong).is_err(), "{wrong}");
        }
    }
}
