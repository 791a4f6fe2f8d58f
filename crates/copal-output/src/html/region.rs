//! One list of the report: what is known of it, its columns, its records as a table.
//!
//! Rows are bounded in number and bytes; a line below the table says how many are left out.

use super::cells;
use super::escape::{Cut, Esc, Lang, count, grouped, percent};
use super::page::{View, colour, region_title};
use copal_extract::{Answer, CellSource, Column, NamedBy, Origin, Record, Region};
use std::fmt::Write;

/// Rows of a list, and of a list inside of a record.
const ROWS: usize = 2000;
const CHILD_ROWS: usize = 50;
/// Bytes of all rows of a page.
pub(super) const BYTES: usize = 4 << 20;
/// How deep lists inside of records are shown.
const DEEPEST: usize = 3;

/// Appends a list's section.
pub(super) fn push(
    out: &mut String,
    view: &View,
    extraction: &Answer,
    (place, region): (usize, &Region),
    budget: &mut usize,
) {
    let id = view.id(&format!("r{}", place + 1));
    let (h, title) = (view.heading(1), region_title(place, region));
    let _ = write!(
        out,
        "<section class=\"region r{}\" id=\"{id}\" aria-labelledby=\"{id}-title\">\n\
         <h{h} id=\"{id}-title\"><i class=\"swatch\"></i>{title}</h{h}>\n",
        colour(place)
    );
    push_facts(out, region);
    push_columns(out, region);
    let _ = writeln!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{title}: records\">"
    );
    let lang = Lang(extraction.page.lang.as_deref());
    let shown = push_table(out, region, Some(&id), &lang, ROWS, 0, budget);
    out.push_str("</div>\n");
    push_rest(out, shown, region.records.len());
    out.push_str("</section>\n");
}

fn push_rest(out: &mut String, shown: usize, all: usize) {
    if shown < all {
        let (left, all) = (count(all - shown, "record"), grouped(all));
        let _ = writeln!(
            out,
            "<p class=\"rest\">{left} of {all} not shown here. The downloads have all, or say what they leave out.</p>"
        );
    }
}

fn push_facts(out: &mut String, region: &Region) {
    out.push_str("<dl class=\"facts\">\n");
    let mut fact = |name: &str, value: String| {
        let _ = writeln!(out, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    };
    fact("Role", region.role.name().to_owned());
    fact("Layout", region.layout.name().to_owned());
    fact("Records", grouped(region.records.len()));
    if let Some(confidence) = region.confidence {
        fact("Confidence", percent(confidence));
    }
    fact("Score", format!("{:.2}", region.score));
    if region.origin != Origin::Page {
        fact("Stands in", "data for the page’s scripts".to_owned());
    }
    fact("Place", format!("<code>{}</code>", Cut(&region.xpath(), 400)));
    out.push_str("</dl>\n");
}

/// What is known of the columns, and why they have their names.
fn push_columns(out: &mut String, region: &Region) {
    let sure = region.columns.iter().any(|column| column.confidence.is_some());
    let _ = write!(
        out,
        "<details class=\"columns\">\n<summary>{} and why they have their names</summary>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Columns\">\n<table>\n<thead><tr>\
         <th scope=\"col\">Column</th><th scope=\"col\">Named after</th><th scope=\"col\">Type</th>\
         <th scope=\"col\">Read from</th><th scope=\"col\">Records with it</th>{}</tr></thead>\n<tbody>\n",
        count(region.columns.len(), "column"),
        if sure { "<th scope=\"col\">Confidence</th>" } else { "" }
    );
    for column in &region.columns {
        let confidence = column.confidence.map(percent).unwrap_or_default();
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\" dir=\"auto\">{}</th><td>{}</td><td>{}</td><td>{}</td>\
             <td class=\"share\"><span class=\"track\">{}</span> {}</td>{}</tr>",
            Cut(&column.name, 80),
            named_after(column.named_by),
            column.kind.unwrap_or("not typed"),
            read_from(column.source),
            bar(column.support, "own"),
            percent(column.support),
            if sure { format!("<td>{confidence}</td>") } else { String::new() }
        );
    }
    out.push_str("</tbody>\n</table>\n</div>\n</details>\n");
}

/// A bar as long as a share; the number stands beside it.
pub(super) fn bar(share: f64, class: &str) -> String {
    let steps = (share.clamp(0.0, 1.0) * 20.0).round() as usize;
    format!("<i class=\"bar w{steps} {class}\"></i>")
}

fn named_after(by: NamedBy) -> &'static str {
    match by {
        NamedBy::Domain => "the domain’s attribute",
        NamedBy::Header => "the head of the table’s column",
        NamedBy::Property => "a property that the page declares",
        NamedBy::Label => "a label that stands before the values",
        NamedBy::Role => "its part in every record (title, link, picture)",
        NamedBy::Class => "a class of its elements",
        NamedBy::Kind => "the type of its values",
        NamedBy::Position => "its place: nothing else names it",
        _ => by.name(),
    }
}

fn read_from(source: CellSource) -> &'static str {
    match source {
        CellSource::Text => "text",
        CellSource::Href => "links",
        CellSource::Src => "images",
        CellSource::Embedded => "embedded data",
        CellSource::Detail => "the record's own page",
    }
}

/// Appends a table of records; how many rows it got. With an `id`, rows can be linked to.
pub(super) fn push_table(
    out: &mut String,
    region: &Region,
    id: Option<&str>,
    lang: &Lang<'_>,
    rows: usize,
    depth: usize,
    budget: &mut usize,
) -> usize {
    out.push_str("<table class=\"records\">\n<thead><tr><th scope=\"col\" class=\"n\">#</th>");
    let order = order(region);
    for &c in &order {
        push_head(out, &region.columns[c]);
    }
    let _ = write!(out, "</tr></thead>\n<tbody{lang}>\n");
    let mut shown = 0;
    for record in region.records.iter().take(rows) {
        let from = out.len();
        push_row(out, region, &order, record, id, shown + 1);
        if depth < DEEPEST {
            push_children(out, region, record, lang, depth, *budget);
        }
        let size = out.len() - from;
        if size > *budget {
            out.truncate(from);
            break;
        }
        *budget -= size;
        shown += 1;
    }
    out.push_str("</tbody>\n</table>\n");
    shown
}

fn push_head(out: &mut String, column: &Column) {
    let mut about: Vec<String> = Vec::new();
    about.extend(column.kind.map(str::to_owned));
    if column.source == CellSource::Embedded {
        about.push("embedded".to_owned());
    }
    about.push(format!("by {}", column.named_by.name()));
    about.push(percent(column.support));
    if let Some(confidence) = column.confidence {
        about.push(format!("{} sure", percent(confidence)));
    }
    let class = if column.source == CellSource::Embedded { " class=\"embedded\"" } else { "" };
    let _ = write!(
        out,
        "<th scope=\"col\"{class}><span dir=\"auto\">{}</span><small>{}</small></th>",
        Cut(&column.name, 80),
        Esc(&about.join(" · "))
    );
}

/// Titles first, addresses last: what is read before what is followed.
fn order(region: &Region) -> Vec<usize> {
    let mut order: Vec<usize> = (0..region.columns.len()).collect();
    let place = |c: usize| {
        let column = &region.columns[c];
        let is_address = matches!(column.source, CellSource::Href | CellSource::Src);
        (column.name != "title", is_address)
    };
    order.sort_by_key(|&c| place(c));
    order
}

fn push_row(
    out: &mut String,
    region: &Region,
    order: &[usize],
    record: &Record,
    id: Option<&str>,
    number: usize,
) {
    match id {
        Some(id) => {
            let _ = write!(out, "<tr id=\"{id}-{number}\">");
        }
        None => out.push_str("<tr>"),
    }
    let sure = record.confidence.map(|sure| format!("<small>{}</small>", percent(sure))).unwrap_or_default();
    let _ = write!(out, "<th scope=\"row\" class=\"n\">{}{sure}</th>", grouped(number));
    for &c in order {
        cells::push(out, region, record, c);
    }
    out.push_str("</tr>\n");
}

/// Lists inside of a record, in a row of their own below it.
fn push_children(
    out: &mut String,
    region: &Region,
    record: &Record,
    lang: &Lang<'_>,
    depth: usize,
    mut budget: usize,
) {
    if record.children.is_empty() {
        return;
    }
    let _ = write!(out, "<tr class=\"inside\"><td></td><td colspan=\"{}\">", region.columns.len().max(1));
    for child in &record.children {
        let _ = writeln!(out, "<details><summary>{} inside</summary>", count(child.records.len(), "record"));
        let shown = push_table(out, child, None, lang, CHILD_ROWS, depth + 1, &mut budget);
        push_rest(out, shown, child.records.len());
        out.push_str("</details>");
    }
    out.push_str("</td></tr>\n");
}
