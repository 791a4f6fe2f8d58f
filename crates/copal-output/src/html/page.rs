//! One page of the report: what it is, its downloads, its lists, its outline, the reasons.

use super::escape::{Address, Cut, Esc, Lang, count, grouped};
use super::{download, object, outline, reasons, region};
use copal_extract::{Answer, Region, Role};
use std::fmt::Write;

/// Where in the report a page is.
pub(super) struct View {
    /// Counted from one.
    pub(super) number: usize,
    pub(super) many: bool,
    pub(super) csv_safe: bool,
}

impl View {
    /// A heading so many steps below the page's own.
    pub(super) fn heading(&self, below: usize) -> usize {
        1 + usize::from(self.many) + below
    }

    /// The id of a part of this page.
    pub(super) fn id(&self, part: &str) -> String {
        format!("p{}-{part}", self.number)
    }
}

/// The page's title, or the name of its file.
pub(super) fn title<'a>(name: &'a str, extraction: &'a Answer) -> &'a str {
    extraction.page.title.as_deref().filter(|title| !title.trim().is_empty()).unwrap_or(name)
}

/// What a region is called in headings and legends.
pub(super) fn region_title(number: usize, region: &Region) -> String {
    match region.role {
        Role::Primary => "Main list".to_owned(),
        _ => format!("List {}", number + 1),
    }
}

/// The HTML of a page.
pub(super) fn html(view: &View, name: &str, extraction: &Answer) -> String {
    let mut out = String::new();
    let lang = Lang(extraction.page.lang.as_deref());
    let (h, number) = (view.heading(0), view.number);
    let _ = write!(
        out,
        "<article class=\"page\" id=\"p{number}\" aria-labelledby=\"p{number}-title\">\n<header class=\"top\">\n\
         <h{h} id=\"p{number}-title\" class=\"title\" dir=\"auto\"{lang}>{}</h{h}>\n<p class=\"lead\">{}</p>\n",
        Cut(title(name, extraction), 300),
        summary(extraction)
    );
    push_facts(&mut out, name, extraction);
    push_warnings(&mut out, extraction);
    download::push_links(&mut out, name, extraction, view.csv_safe);
    push_contents(&mut out, view, extraction);
    out.push_str("</header>\n");
    if let Some(detail) = &extraction.object {
        object::push(&mut out, view, detail);
    }
    let mut budget = region::BYTES;
    for (place, region) in extraction.regions.iter().enumerate() {
        region::push(&mut out, view, extraction, (place, region), &mut budget);
    }
    if let Some(outline) = &extraction.outline {
        outline::push(&mut out, view, extraction, outline);
    }
    if let Some(explanation) = &extraction.explanation {
        reasons::push(&mut out, view, explanation);
    }
    if view.many {
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
                    " There {} {} beside it.",
                    if n == 1 { "is" } else { "are" },
                    count(n, "other list")
                ),
            };
            let (records, columns) =
                (count(main.records.len(), "record"), count(main.columns.len(), "column"));
            format!("A main list of {records} in {columns}.{others}")
        }
        (None, lists) => format!("No main list; {} of records.", count(lists, "list")),
    }
}

fn push_facts(out: &mut String, name: &str, extraction: &Answer) {
    let page = &extraction.page;
    let _ = write!(
        out,
        "<dl class=\"facts\">\n<div><dt>Source</dt><dd dir=\"auto\">{}</dd></div>\n",
        Cut(name, 300)
    );
    if let Some(url) = &page.url {
        let _ = writeln!(out, "<div><dt>Address</dt><dd>{}</dd></div>", Address(url));
    }
    let kind = match &extraction.object {
        Some(detail) => detail.kind.name(),
        None if extraction.primary().is_some() => "list",
        None => "other",
    };
    let _ = writeln!(out, "<div><dt>Kind</dt><dd>{kind}</dd></div>");
    if let Some(lang) = &page.lang {
        let _ = writeln!(out, "<div><dt>Language</dt><dd>{}</dd></div>", Cut(lang, 40));
    }
    if let Some(region) = extraction.regions.first() {
        let _ = writeln!(out, "<div><dt>Method</dt><dd>{}</dd></div>", Esc(region.method.name()));
    }
    out.push_str("</dl>\n");
}

fn push_warnings(out: &mut String, extraction: &Answer) {
    if extraction.warnings.is_empty() {
        return;
    }
    out.push_str("<ul class=\"warnings\" aria-label=\"Warnings\">\n");
    for warning in &extraction.warnings {
        let _ = writeln!(out, "<li>{}</li>", Cut(&warning.to_string(), 300));
    }
    out.push_str("</ul>\n");
}

/// Links to the parts of the page.
fn push_contents(out: &mut String, view: &View, extraction: &Answer) {
    let parts = extraction.regions.len() + usize::from(extraction.outline.is_some());
    if parts + usize::from(extraction.explanation.is_some()) < 2 {
        return;
    }
    out.push_str("<nav class=\"parts\" aria-label=\"Parts of this page\">\n<ul>\n");
    for (place, region) in extraction.regions.iter().enumerate() {
        let _ = writeln!(
            out,
            "<li><a class=\"r{}\" href=\"#{}\"><i class=\"swatch\"></i>{} <span class=\"soft\">{}</span></a></li>",
            colour(place),
            view.id(&format!("r{}", place + 1)),
            region_title(place, region),
            grouped(region.records.len())
        );
    }
    if extraction.outline.is_some() {
        let _ = writeln!(out, "<li><a href=\"#{}\">Outline</a></li>", view.id("outline"));
    }
    if extraction.explanation.is_some() {
        let _ = writeln!(out, "<li><a href=\"#{}\">Reasons</a></li>", view.id("reasons"));
    }
    out.push_str("</ul>\n</nav>\n");
}

/// The number of a region's colour in the style sheet.
pub(super) fn colour(place: usize) -> usize {
    place % 8
}
