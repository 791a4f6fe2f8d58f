//! One page of the report: a summary, its downloads, its lists, its outline, the reasons.
//!
//! In: an extraction. Out: an `<article>`. Linear in what is shown.

use super::context::{PageContext, colour, region_title};
use super::escape::{Escaped, LangAttribute, Truncated, WebLink, count, grouped};
use super::links::SourceLinks;
use super::{download, object, outline, picture, reasons, region};
use copal_model::{Answer, Role};
use std::fmt::Write;

/// The title of the page, or the name of its file.
pub(super) fn title<'a>(name: &'a str, extraction: &'a Answer) -> &'a str {
    extraction.page.title.as_deref().filter(|title| !title.trim().is_empty()).unwrap_or(name)
}

/// The HTML of a page.
pub(super) fn html(context: &PageContext, name: &str, extraction: &Answer) -> String {
    let mut out = String::new();
    let lang = LangAttribute(extraction.page.lang.as_deref());
    let (h, number) = (context.heading(0), context.number);
    let _ = write!(
        out,
        "<article class=\"page\" id=\"p{number}\" aria-labelledby=\"p{number}-title\">\n\
         <header class=\"top\">\n\
         <h{h} id=\"p{number}-title\" class=\"title\" dir=\"auto\"{lang}>{}</h{h}>\n\
         <p class=\"lead\">{}</p>\n",
        Truncated(title(name, extraction), 300),
        summary(extraction)
    );
    push_facts(&mut out, name, extraction);
    push_warnings(&mut out, extraction);
    download::push_links(&mut out, name, extraction, context.csv_safe);
    push_contents(&mut out, context, extraction);
    out.push_str("</header>\n");
    if let Some(detail) = &extraction.object {
        object::push(&mut out, context, detail);
    }
    let mut budget = region::MAX_ROW_BYTES;
    let mut links = SourceLinks::new(context, extraction);
    for (place, region) in extraction.regions.iter().enumerate() {
        let shown = region::push(&mut out, context, extraction, (place, region), &links, &mut budget);
        links.set_shown_rows(place, shown);
    }
    picture::push(&mut out, context, extraction);
    if let Some(outline) = &extraction.outline {
        outline::push(&mut out, context, extraction, outline, &links);
    }
    if let Some(explanation) = &extraction.explanation {
        reasons::push(&mut out, context, explanation);
    }
    if context.many {
        out.push_str("<p class=\"back\"><a href=\"#contents\">All pages</a></p>\n");
    }
    out.push_str("</article>\n");
    out
}

fn summary(extraction: &Answer) -> String {
    if let Some(detail) = &extraction.object {
        return format!("One object with {}.", count(detail.fields.len(), "field"));
    }
    match (extraction.primary(), extraction.regions.len()) {
        (_, 0) => "No list of records was found on this page.".to_owned(),
        (Some(main), lists) => {
            let others = match lists - 1 {
                0 => String::new(),
                n => format!(
                    " There {} {} besides it.",
                    if n == 1 { "is" } else { "are" },
                    count(n, "other list")
                ),
            };
            let (records, columns) =
                (count(main.records.len(), "record"), count(main.columns.len(), "column"));
            let what = if main.role == Role::Possible { "possible main" } else { "main" };
            format!("A {what} list of {records} in {columns}.{others}")
        }
        (None, lists) => format!("No main list; {} of records.", count(lists, "list")),
    }
}

fn push_facts(out: &mut String, name: &str, extraction: &Answer) {
    let page = &extraction.page;
    let _ = write!(
        out,
        "<dl class=\"facts\">\n<div><dt>Source</dt><dd dir=\"auto\">{}</dd></div>\n",
        Truncated(name, 300)
    );
    if let Some(url) = &page.url {
        let _ = writeln!(out, "<div><dt>URL</dt><dd>{}</dd></div>", WebLink(url));
    }
    let _ = writeln!(out, "<div><dt>Kind</dt><dd>{}</dd></div>", extraction.kind.name());
    if let Some(lang) = &page.lang {
        let _ = writeln!(out, "<div><dt>Language</dt><dd>{}</dd></div>", Truncated(lang, 40));
    }
    if let Some(region) = extraction.regions.first() {
        let _ = writeln!(out, "<div><dt>Method</dt><dd>{}</dd></div>", Escaped(region.method.name()));
    }
    out.push_str("</dl>\n");
}

fn push_warnings(out: &mut String, extraction: &Answer) {
    if extraction.warnings.is_empty() {
        return;
    }
    out.push_str("<ul class=\"warnings\" aria-label=\"Warnings\">\n");
    for warning in &extraction.warnings {
        let _ = writeln!(out, "<li>{}</li>", Truncated(&warning.to_string(), 300));
    }
    out.push_str("</ul>\n");
}

/// Links to the sections of the page.
fn push_contents(out: &mut String, context: &PageContext, extraction: &Answer) {
    let parts = extraction.regions.len() + usize::from(extraction.outline.is_some());
    if parts + usize::from(extraction.explanation.is_some()) < 2 {
        return;
    }
    out.push_str("<nav class=\"parts\" aria-label=\"Parts of this page\">\n<ul>\n");
    for (place, region) in extraction.regions.iter().enumerate() {
        let _ = writeln!(
            out,
            "<li><a class=\"r{}\" href=\"#{}\"><i class=\"swatch\"></i>\
             {} <span class=\"soft\">{}</span></a></li>",
            colour(place),
            context.id(&format!("r{}", place + 1)),
            region_title(place, region),
            grouped(region.records.len())
        );
    }
    if picture::is_shown(extraction) {
        let _ = writeln!(out, "<li><a href=\"#{}\">Picture</a></li>", context.id("picture"));
    }
    if extraction.outline.is_some() {
        let _ = writeln!(out, "<li><a href=\"#{}\">Outline</a></li>", context.id("outline"));
    }
    if extraction.explanation.is_some() {
        let _ = writeln!(out, "<li><a href=\"#{}\">Reasons</a></li>", context.id("reasons"));
    }
    out.push_str("</ul>\n</nav>\n");
}
