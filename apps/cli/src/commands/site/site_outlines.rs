//! The outlines of pages in the report of a site: its first lists, and the page of the form that led to them.
//!
//! In: the report of a run. Out: at most [`MAX_OUTLINES`] pages with what was found on them. Pages come from the cache; if
//! they are shown in a browser, a picture of each is taken.

use super::SiteArguments;
#[cfg(feature = "render")]
use super::site_setup::visit_options;
use copal::Request;
use copal::values::ValueType;
use copal_explore::{PageOutline, SiteReport, page_outline, redacted};
use copal_fetch::PageRequest;
use copal_site::Visitor;

/// Pages that are shown.
const MAX_OUTLINES: usize = 3;
/// Lists of which the first page is shown.
const MAX_OUTLINED_LISTS: usize = 2;

/// The outlines for a report. Pages that cannot be read again are left out.
pub(super) fn site_outlines(
    runtime: &tokio::runtime::Runtime,
    visitor: &Visitor,
    report: &SiteReport,
    request: &Request,
    redacted_types: &[ValueType],
    arguments: &SiteArguments,
) -> Vec<PageOutline> {
    let mut pages: Vec<(PageRequest, String)> = Vec::new();
    for list in report.lists.iter().filter(|list| list.state == "done").take(MAX_OUTLINED_LISTS) {
        pages.push((list.request(), format!("A list: {}", list.outcome)));
    }
    let is_read = |url: &str, form: Option<&str>| {
        let mut lists = report.lists.iter().filter(|list| list.state == "done");
        lists.any(|list| list.url == url && list.form.as_deref() == form)
    };
    let mut forms = report.map.iter().map(|entry| &entry.item).filter(|item| item.role.contains("form"));
    if let Some(item) = forms.find(|item| is_read(&item.url, item.form.as_deref())) {
        pages.push((
            PageRequest::get(&item.parent),
            format!("The form that leads to a list: {}", item.reason),
        ));
    }
    // what was found elsewhere than expected is best seen on the start page
    if pages.is_empty() {
        pages.push((PageRequest::get(&report.start), "The start page".to_owned()));
    }
    let mut outlines: Vec<PageOutline> = Vec::new();
    for (page, title) in pages.into_iter().take(MAX_OUTLINES) {
        // like the run, with the browser where a page needs it
        let Ok(Some(read)) = runtime.block_on(visitor.with_limits(1, 0).read(&page)) else { continue };
        let Some(shown) = read.page else { continue };
        let mut outline = page_outline(&shown, &read.answer, &title);
        if shown.boxes.is_some() && page.form.is_none() {
            outline.picture = picture(runtime, visitor, &page, request, arguments);
        }
        // what a picture shows cannot be taken out of it
        if !redacted_types.is_empty() {
            outline.picture = None;
        }
        for block in &mut outline.blocks {
            for text in [&mut block.text, &mut block.label] {
                if let Some(without) = redacted(text, redacted_types) {
                    *text = without;
                }
            }
        }
        outlines.push(outline);
    }
    outlines
}

/// The page as a browser shows it.
#[cfg(feature = "render")]
fn picture(
    runtime: &tokio::runtime::Runtime,
    visitor: &Visitor,
    page: &PageRequest,
    request: &Request,
    arguments: &SiteArguments,
) -> Option<Vec<u8>> {
    let picture = copal_site::PagePicture::default();
    let mut options = visit_options(arguments, request).ok()?;
    options.rendering = arguments.fetch.render.rendering(arguments.fetch.delay, Some(&picture)).ok()?;
    let visitor = Visitor::with_fetcher(visitor.fetcher().clone(), options);
    runtime.block_on(visitor.with_limits(1, 0).read(page)).ok()?;
    picture.png()
}

#[cfg(not(feature = "render"))]
fn picture(
    _: &tokio::runtime::Runtime,
    _: &Visitor,
    _: &PageRequest,
    _: &Request,
    _: &SiteArguments,
) -> Option<Vec<u8>> {
    None
}
