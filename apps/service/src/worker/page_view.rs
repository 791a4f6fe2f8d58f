//! The view of a page: its source as all further requests should send it, the copy that is shown, its stylesheets.
//!
//! A page that was fetched, or shown in a browser, is written as HTML again and read anew, so that the numbers of the
//! elements in the view are those that every later request with the same source sees.

use super::answers::no_content;
use super::page_copy::copy_page;
use super::page_source::{PageSourceReader, as_page};
use super::runner::{TaskAnswer, json_answer};
use crate::task::{FailureKind, Task, TaskFailure, TaskOutcome, TaskPage};
use copal::{Page, Request};
use copal_dom::{Node, attrs, serialise, tags};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Bytes of all stylesheets of a view.
const MAX_STYLE_BYTES: usize = 2_000_000;

/// Answers a task with one page.
pub(super) fn view(
    source: &PageSourceReader,
    task: &Task,
    bodies: &[Vec<u8>],
    request: &Request,
    wants_styles: bool,
) -> Result<TaskAnswer, TaskFailure> {
    let [page] = task.pages.as_slice() else {
        return Err(TaskFailure::new(FailureKind::Usage, "expected one page"));
    };
    let mut warnings: Vec<String> = Vec::new();
    let body = page.body.and_then(|at| bodies.get(at));
    let given_text = body
        .filter(|_| page.charset.as_deref() == Some("utf-8"))
        .and_then(|body| std::str::from_utf8(body).ok());
    let (text, read, url) = match (body, given_text) {
        (Some(body), Some(text)) => {
            let read = as_page(&page.name, PageSourceReader::given(page, body, request)?)?;
            (text.to_owned(), read, page.url.clone())
        }
        (Some(body), None) => {
            let read = as_page(&page.name, PageSourceReader::given(page, body, request)?)?;
            written_again(page, &read, page.url.clone(), request)?
        }
        (None, _) => {
            let url = page.url.as_deref().ok_or_else(no_content)?;
            let read = source.opened(&page.name, url, task.options.render, request)?;
            let url = read.url.clone().unwrap_or_else(|| url.to_owned());
            warnings.extend(read.warnings.iter().map(ToString::to_string));
            written_again(page, &read, Some(url), request)?
        }
    };
    warnings.extend(read.warnings.iter().map(ToString::to_string));
    warnings.dedup();
    let linked = if wants_styles { source.linked_stylesheets(&read) } else { HashMap::new() };
    let styles = styles(&read, &linked);
    let copy = copy_page(&read);
    if copy.is_cut {
        warnings.push("the page is too large to be shown completely".to_owned());
    }
    let answer = json!({
        "name": page.name,
        "url": url,
        "title": read.title(),
        "source": text,
        "shown": copy.shown,
        "elements": copy.elements,
        "styles": styles,
        "warnings": warnings,
    });
    Ok(json_answer(TaskOutcome::Done, 1, &answer))
}

/// The page as HTML, and read again from it.
fn written_again(
    page: &TaskPage,
    read: &Page,
    url: Option<String>,
    request: &Request,
) -> Result<(String, Page, Option<String>), TaskFailure> {
    let doctype = if read.tree.is_quirks() { "" } else { "<!DOCTYPE html>" };
    let text = format!("{doctype}{}", serialise::html(&read.tree, 0));
    let again = TaskPage {
        name: page.name.clone(),
        url: url.clone(),
        charset: Some("utf-8".to_owned()),
        content_type: Some("text/html".to_owned()),
        ..TaskPage::default()
    };
    let read = as_page(&page.name, PageSourceReader::given(&again, text.as_bytes(), request)?)?;
    Ok((text, read, url))
}

/// The stylesheets of a page in their order: those in it, and those that it links to, as far as they
/// are there.
fn styles(page: &Page, linked: &HashMap<String, String>) -> Vec<Value> {
    let base = copal_dom::url::BaseUrl::of(page);
    let tree = &page.tree;
    let mut found = Vec::new();
    let mut bytes = 0;
    let mut push = |text: &str| {
        bytes += text.len();
        if bytes <= MAX_STYLE_BYTES {
            found.push(Value::from(text));
        }
    };
    let text_of = |node: Node| -> String {
        (node + 1..tree.end(node))
            .filter(|&inner| tree.is_text(inner))
            .map(|inner| tree.raw_text(inner))
            .collect()
    };
    for node in tree.nodes().filter(|&node| !tree.is_foreign(node)) {
        if tree.tag(node) == tags::STYLE {
            push(&text_of(node));
        } else if tree.tag(node) == tags::LINK
            && let Some(href) = tree.attr(node, attrs::HREF)
            && let Some(text) = linked.get(&base.resolve(href))
        {
            push(text);
        }
    }
    found
}
