//! Replaces `fetching` in a build without the cargo feature `fetch`: every URL is an error that names the
//! feature.

use crate::arguments::network::{FetchArguments, VisitPlan};
use crate::error::CliError;
use crate::inputs::Input;
use copal::{Answer, Document, Page, Received, Request, Warning};
use std::ops::ControlFlow;

/// The answer for one input.
pub(crate) type InputAnswer = Result<Option<Answer>, CliError>;

/// What is given out for an input.
#[allow(dead_code)]
pub(crate) enum VisitEvent {
    /// A page of a list that is still being read.
    Page(Box<Answer>),
    /// The answer for the input.
    Done(Box<InputAnswer>),
}

/// Cannot be made.
pub(crate) enum Fetching {}

/// What a fetched page would be. Nothing makes one.
#[allow(dead_code)]
pub(crate) struct FetchedBytes {
    pub(crate) received: Received,
    pub(crate) body: Vec<u8>,
    pub(crate) next: Option<String>,
    pub(crate) warnings: Vec<Warning>,
}

/// Only fetched pages lead to another URL.
pub(crate) fn refresh_target(_: &Page, _: &str) -> Option<String> {
    None
}

impl Fetching {
    pub(crate) fn new(
        _: &FetchArguments,
        _: &Request,
        _: Option<&VisitPlan>,
        _: &[Input],
    ) -> Result<Fetching, CliError> {
        Err(CliError::missing_feature("fetch URLs", "fetch"))
    }

    pub(crate) fn write_picture(&self, _: bool) -> Result<(), CliError> {
        match *self {}
    }

    pub(crate) fn add_picture(&self, _: &mut Answer) {
        match *self {}
    }

    pub(crate) fn search_document(&self, _: &copal::wrapper::NavigationSearch) -> Result<Document, CliError> {
        match *self {}
    }

    pub(crate) fn bytes(&self, _: &str) -> Result<FetchedBytes, CliError> {
        match *self {}
    }

    pub(crate) fn documents(&self, _: &[&str]) -> Vec<Result<Document, CliError>> {
        match *self {}
    }

    pub(crate) fn visit_all(
        &self,
        _: Vec<Input>,
        _: fn(&Input, &Request) -> Result<Answer, CliError>,
        _: &mut dyn FnMut(String, VisitEvent) -> ControlFlow<()>,
    ) -> Result<(), CliError> {
        match *self {}
    }
}
