//! Which list is wanted, how certain it must be, and fields by selector.
//!
//! In: `--list`, `--near`, `--select`, `--min-confidence`, `--field`. Out: a [`ListChoice`] and
//! [`FieldRequest`]s, with parsed selectors.

use super::pages::PageKindChoice;
use crate::error::CliError;
use clap::Args;
use copal::wrapper::Css;
use copal::{FieldRequest, ListChoice};
use std::sync::Arc;

#[derive(Debug, Args)]
pub(crate) struct ListChoiceArguments {
    /// Use the list of this rank: 1 is the main list, 2 the next best one (the order of extract --all)
    #[arg(long, value_name = "N", value_parser = parse_rank, conflicts_with_all = ["near", "select"])]
    list: Option<usize>,

    /// Use the list that contains this text
    #[arg(long, value_name = "TEXT", value_parser = parse_text, conflicts_with = "select")]
    near: Option<String>,

    /// Use the list at this CSS selector, which matches the element around the list or its records
    #[arg(long, value_name = "CSS")]
    pub(crate) select: Option<String>,

    /// Least probability, from 0 to 1, that the list is the main one of its page; below it nothing is found.
    /// By default the best likely list is used, with a warning if it is not clearly the main one. Lists of
    /// data and of other methods have no such probability
    #[arg(long, value_name = "P", value_parser = parse_probability)]
    #[arg(conflicts_with_all = ["list", "near", "select"])]
    pub(crate) min_confidence: Option<f64>,
}

impl ListChoiceArguments {
    /// The list that was chosen, if any.
    pub(crate) fn choice(&self, kind: PageKindChoice) -> Result<Option<ListChoice>, CliError> {
        let choice = match (self.list, &self.near, &self.select) {
            (Some(rank), ..) => ListChoice::Rank(rank),
            (_, Some(text), _) => ListChoice::Near(text.clone()),
            (_, _, Some(css)) => {
                let css = Css::parse(css).map_err(|error| CliError::usage(error).about("--select"))?;
                ListChoice::Select(Arc::new(css))
            }
            (None, None, None) => return Ok(None),
        };
        if kind == PageKindChoice::Object {
            return Err(CliError::usage("--list, --near and --select choose a list: omit --kind object"));
        }
        Ok(Some(choice))
    }
}

/// How the choice is described if there is no such list.
pub(crate) fn describe_missing(choice: &ListChoice) -> String {
    match choice {
        ListChoice::Rank(rank) => format!("no list of rank {rank}"),
        ListChoice::Near(text) => format!("no list contains {text:?}"),
        ListChoice::Select(selector) => format!("no list at {:?}", selector.text()),
        _ => "no such list".to_owned(),
    }
}

fn parse_rank(text: &str) -> Result<usize, CliError> {
    let rank = text.parse().ok().filter(|rank| *rank > 0);
    rank.ok_or_else(|| CliError::usage("expected a whole number from 1"))
}

fn parse_probability(text: &str) -> Result<f64, CliError> {
    let probability = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    probability.ok_or_else(|| CliError::usage("expected a number from 0 to 1"))
}

fn parse_text(text: &str) -> Result<String, CliError> {
    if text.trim().is_empty() {
        return Err(CliError::usage("expected some words of a record"));
    }
    Ok(text.to_owned())
}

/// Parses `NAME=CSS` or `NAME=CSS@ATTRIBUTE`. Without a selector, the record itself is meant (`NAME=@id`).
pub(crate) fn parse_field(text: &str) -> Result<FieldRequest, CliError> {
    let expected = || CliError::usage("expected NAME=CSS or NAME=CSS@ATTRIBUTE");
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
    let css = Css::parse(css).map_err(CliError::usage)?;
    let field = FieldRequest::new(name, Arc::new(css));
    Ok(match attribute {
        Some(attribute) => field.from_attribute(attribute.to_ascii_lowercase()),
        None => field,
    })
}

#[cfg(test)]
mod tests {
    use super::parse_field;

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
