//! One list of the report: facts about it, its columns, its records as a table.
//!
//! In: a region. Out: a section. Rows are bounded in number and bytes; a line below the table says how many
//! are left out. O(shown cells).

use super::context::{PageContext, bar, colour, region_title};
use super::escape::{Escaped, LangAttribute, Truncated, count, grouped, percent};
use super::links::SourceLinks;
use super::record_cell;
use copal_model::{Answer, CellSource, Column, NamedBy, Origin, Record, Region};
use std::fmt::Write;

/// Maximum number of rows that are shown of a list.
const MAX_ROW_COUNT: usize = 2000;
/// Maximum number of rows that are shown of a nested list.
const MAX_NESTED_ROW_COUNT: usize = 50;
/// Maximum number of bytes of all rows of a page.
pub(super) const MAX_ROW_BYTES: usize = 4 << 20;
/// How many levels of nested lists are shown. This also bounds the recursion of `push_table`.
const MAX_NESTING_DEPTH: usize = 3;
/// Maximum number of characters that are shown of the name of a column.
const MAX_COLUMN_NAME_CHARS: usize = 80;

/// Appends the section of a list and returns how many of its records are shown.
pub(super) fn push(
    out: &mut String,
    context: &PageContext,
    extraction: &Answer,
    (place, region): (usize, &Region),
    links: &SourceLinks<'_>,
    budget: &mut usize,
) -> usize {
    let id = context.id(&format!("r{}", place + 1));
    let (h, title) = (context.heading(1), region_title(place, region));
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
    let lang = LangAttribute(extraction.page.lang.as_deref());
    let shown = push_table(out, region, Some((place, links)), &lang, MAX_ROW_COUNT, 0, budget);
    out.push_str("</div>\n");
    push_rest(out, shown, region.records.len());
    out.push_str("</section>\n");
    shown
}

fn push_rest(out: &mut String, shown: usize, all: usize) {
    if shown < all {
        let (left, all) = (count(all - shown, "record"), grouped(all));
        let _ = writeln!(
            out,
            "<p class=\"rest\">{left} of {all} not shown here. \
             The downloads have all, or say what they omit.</p>"
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
        fact("Found in", "data for the page’s scripts".to_owned());
    }
    fact("Place", format!("<code>{}</code>", Truncated(&region.xpath(), 400)));
    out.push_str("</dl>\n");
}

/// Facts about the columns, and why they have their names.
fn push_columns(out: &mut String, region: &Region) {
    let has_confidence = region.columns.iter().any(|column| column.confidence.is_some());
    let _ = write!(
        out,
        "<details class=\"columns\">\n<summary>{} and why they have their names</summary>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Columns\">\n<table>\n<thead><tr>\
         <th scope=\"col\">Column</th><th scope=\"col\">Named after</th><th scope=\"col\">Type</th>\
         <th scope=\"col\">Read from</th><th scope=\"col\">Records with it</th>{}</tr></thead>\n<tbody>\n",
        count(region.columns.len(), "column"),
        if has_confidence { "<th scope=\"col\">Confidence</th>" } else { "" }
    );
    for column in &region.columns {
        let confidence = column.confidence.map(percent).unwrap_or_default();
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\" dir=\"auto\">{}</th><td>{}</td><td>{}</td><td>{}</td>\
             <td class=\"share\"><span class=\"track\">{}</span> {}</td>{}</tr>",
            Truncated(&column.name, MAX_COLUMN_NAME_CHARS),
            named_after(column.named_by),
            column.value_type.unwrap_or("not typed"),
            read_from(column.source),
            bar(column.support, "own"),
            percent(column.support),
            if has_confidence { format!("<td>{confidence}</td>") } else { String::new() }
        );
    }
    out.push_str("</tbody>\n</table>\n</div>\n</details>\n");
}

fn named_after(by: NamedBy) -> &'static str {
    match by {
        NamedBy::Domain => "the domain’s attribute",
        NamedBy::Header => "the header of the table’s column",
        NamedBy::Property => "a property that the page declares",
        NamedBy::Label => "a label before the values",
        NamedBy::Role => "its role in every record (title, link, picture)",
        NamedBy::Class => "a class of its elements",
        NamedBy::ValueType => "the type of its values",
        NamedBy::Position => "its position: nothing else names it",
        NamedBy::Wrapper => by.name(),
    }
}

fn read_from(source: CellSource) -> &'static str {
    match source {
        CellSource::Text => "text",
        CellSource::Href => "links",
        CellSource::Src => "images",
        CellSource::Embedded => "embedded data",
        CellSource::Detail => "the record's own page",
        CellSource::Heading => "the heading above the record's part of the list",
    }
}

/// Appends a table of records and returns the number of its rows. With `links` and the position of
/// the region among those of the page, rows and cells can be linked to.
pub(super) fn push_table(
    out: &mut String,
    region: &Region,
    links: Option<(usize, &SourceLinks<'_>)>,
    lang: &LangAttribute<'_>,
    max_rows: usize,
    depth: usize,
    budget: &mut usize,
) -> usize {
    out.push_str("<table class=\"records\">\n<thead><tr><th scope=\"col\" class=\"n\">#</th>");
    let order = column_order(region);
    for &c in &order {
        push_head(out, &region.columns[c]);
    }
    let _ = write!(out, "</tr></thead>\n<tbody{lang}>\n");
    let mut shown = 0;
    for record in region.records.iter().take(max_rows) {
        let from = out.len();
        push_row(out, region, &order, record, shown, links);
        if depth < MAX_NESTING_DEPTH {
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
    about.extend(column.value_type.map(str::to_owned));
    if column.source == CellSource::Embedded {
        about.push("embedded".to_owned());
    }
    // what named a column is in the list of columns above the table
    about.push(if column.support >= 1.0 {
        "in all".to_owned()
    } else {
        format!("in {}", percent(column.support))
    });
    if let Some(confidence) = column.confidence {
        about.push(format!("{} sure", percent(confidence)));
    }
    let class = if column.source == CellSource::Embedded { " class=\"embedded\"" } else { "" };
    let _ = write!(
        out,
        "<th scope=\"col\"{class}><span dir=\"auto\">{}</span><small>{}</small></th>",
        Truncated(&column.name, MAX_COLUMN_NAME_CHARS),
        Escaped(&about.join(" · "))
    );
}

/// Titles first, URLs last: what is read before what is followed.
fn column_order(region: &Region) -> Vec<usize> {
    let mut order: Vec<usize> = (0..region.columns.len()).collect();
    let place = |c: usize| {
        let column = &region.columns[c];
        let is_url = matches!(column.source, CellSource::Href | CellSource::Src);
        (region.title_column() != Some(c), is_url)
    };
    order.sort_by_key(|&c| place(c));
    order
}

fn push_row(
    out: &mut String,
    region: &Region,
    order: &[usize],
    record: &Record,
    row: usize,
    links: Option<(usize, &SourceLinks<'_>)>,
) {
    match links {
        Some((place, links)) => {
            let _ = write!(out, "<tr id=\"{}\">", links.row_id(place, row));
        }
        None => out.push_str("<tr>"),
    }
    let links = links.and_then(|(place, links)| links.record(place, row));
    let confidence = record.confidence.map(|p| format!("<small>{}</small>", percent(p))).unwrap_or_default();
    let _ = write!(out, "<th scope=\"row\" class=\"n\">{}{confidence}</th>", grouped(row + 1));
    for &c in order {
        record_cell::push(out, region, record, c, links);
    }
    out.push_str("</tr>\n");
}

/// The nested lists of a record, in a row of their own below it.
fn push_children(
    out: &mut String,
    region: &Region,
    record: &Record,
    lang: &LangAttribute<'_>,
    depth: usize,
    mut budget: usize,
) {
    if record.children.is_empty() {
        return;
    }
    let _ = write!(out, "<tr class=\"inside\"><td></td><td colspan=\"{}\">", region.columns.len().max(1));
    for child in &record.children {
        let _ = writeln!(out, "<details><summary>{} inside</summary>", count(child.records.len(), "record"));
        let shown = push_table(out, child, None, lang, MAX_NESTED_ROW_COUNT, depth + 1, &mut budget);
        push_rest(out, shown, child.records.len());
        out.push_str("</details>");
    }
    out.push_str("</td></tr>\n");
}
