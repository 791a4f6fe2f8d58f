//! Which list is wanted, how certain it must be, and fields by selector.
//!
//! In: `--list`, `--near`, `--select`, `--min-confidence`, `--field`. Out: a [`ListChoice`] and
//! [`FieldRequest`]s, with parsed selectors.

use super::LIST_HEADING;
use super::pages::PageKindChoice;
use crate::error::CliError;
use clap::Args;
use copal::{FieldRequest, ListChoice};
use copal_tasks::{OptionStyle, list_choice};

#[derive(Debug, Args)]
pub(crate) struct ListChoiceArguments {
    /// Use the list of this rank: 1 is the main list, 2 the next best one (the order of extract --all)
    #[arg(long, value_name = "N", value_parser = parse_rank, conflicts_with_all = ["near", "select"])]
    #[arg(help_heading = LIST_HEADING)]
    list: Option<usize>,

    /// Use the list that contains this text
    #[arg(long, value_name = "TEXT", value_parser = parse_text, conflicts_with = "select")]
    #[arg(help_heading = LIST_HEADING)]
    near: Option<String>,

    /// Use the list at this CSS selector, which matches the element around the list or its records
    #[arg(long, value_name = "CSS", help_heading = LIST_HEADING)]
    pub(crate) select: Option<String>,

    /// Minimum probability, from 0 to 1, that the list is the main one of its page; below it nothing is found.
    /// By default the best likely list is used, with a warning if it is not clearly the main one. Lists of
    /// data and of other methods have no such probability
    #[arg(long, value_name = "P", value_parser = parse_probability, help_heading = LIST_HEADING)]
    #[arg(conflicts_with_all = ["list", "near", "select"])]
    pub(crate) min_confidence: Option<f64>,
}

impl ListChoiceArguments {
    /// The list that was chosen, if any.
    pub(crate) fn choice(&self, kind: PageKindChoice) -> Result<Option<ListChoice>, CliError> {
        let (near, select) = (self.near.as_deref(), self.select.as_deref());
        Ok(list_choice(self.list, near, select, kind.request(), OptionStyle::CommandLine)?)
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

/// Parses `NAME=CSS` or `NAME=CSS@ATTRIBUTE`.
pub(crate) fn parse_field(text: &str) -> Result<FieldRequest, CliError> {
    Ok(copal_tasks::parse_field(text)?)
}
