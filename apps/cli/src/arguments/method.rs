//! How lists are found: the method, its constants, the domain.

use super::annotators::AnnotatorArguments;
use crate::domain_file;
use crate::error::CliError;
use clap::Args;
use copal::{Domain, KindRequest, Method, Request};
use std::sync::Arc;

/// The section of the help for options that users rarely need.
const HEADING: &str = "Methods (for measurements)";

#[derive(Debug, Args)]
pub(crate) struct MethodArguments {
    /// combined (the default) ranks what all methods find. The others are one paper's system alone; buw:
    /// leaves with repeating paths; mdr: similar adjacent siblings; rdr: where the query's words are dense;
    /// amber: evenly spaced links, or values of a --domain. mdr and rdr do not rank their lists, so that
    /// their main list is the one with most text
    #[arg(long, value_parser = parse_method, value_name = "combined|mdr|buw|rdr|amber")]
    #[arg(help_heading = HEADING)]
    method: Option<Method>,

    /// Words that were searched for (rdr) [default: from the URL, the search field, title and h1]
    #[arg(long, value_name = "WORDS", help_heading = HEADING)]
    query: Option<String>,

    /// What the records are: a built-in domain (see copal domain list) or the path of a domain.yaml. Its
    /// attributes become typed columns before the others; with --method amber there are no others
    #[arg(long, value_name = "NAME|FILE", value_parser = load_domain)]
    pub(crate) domain: Option<Arc<Domain>>,

    #[command(flatten)]
    pub(crate) annotators: AnnotatorArguments,

    /// Further words that go with the query (rdr)
    #[arg(long, value_name = "WORDS", help_heading = HEADING)]
    related: Option<String>,

    /// Set a constant of a method, for measurements (an unknown name lists them all; may be repeated)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_setting, help_heading = HEADING)]
    settings: Vec<(String, String)>,
}

impl MethodArguments {
    /// Adds the method and its constants to a request. A method that was named is one for lists.
    pub(crate) fn add_to(&self, request: &mut Request) {
        request.lists.method = self.method.unwrap_or_default();
        request.lists.rdr.query.clone_from(&self.query);
        request.lists.rdr.related.clone_from(&self.related);
        for (name, value) in &self.settings {
            // `parse_setting` accepted it when the arguments were parsed
            let _ = request.lists.set(name, value);
        }
        if self.method.is_some() && request.kind == KindRequest::Auto {
            request.kind = KindRequest::List;
        }
    }
}

/// Refuses what cannot be set, so that it does not fail later.
fn parse_setting(text: &str) -> Result<(String, String), CliError> {
    let (name, value) = text.split_once('=').ok_or_else(|| CliError::usage("expected NAME=VALUE"))?;
    Request::default().lists.set(name, value).map_err(|error| CliError::usage(error.to_string()))?;
    Ok((name.to_owned(), value.to_owned()))
}

pub(crate) fn load_domain(name: &str) -> Result<Arc<Domain>, CliError> {
    domain_file::load(name).map(Arc::new)
}

fn parse_method(name: &str) -> Result<Method, CliError> {
    name.parse().map_err(CliError::usage)
}
