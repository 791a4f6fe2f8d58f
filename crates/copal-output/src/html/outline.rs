//! The outline of the page in the report: nested `<details>`, coloured by region and record.
//!
//! In: the lines of an [`Outline`]. Out: HTML. The path to each list and its first record are open. Linear in
//! the lines times their depth, which is bounded.

use super::context::{PageContext, colour, region_title};
use super::escape::{Escaped, count};
use super::links::SourceLinks;
use copal_model::{Answer, Outline, OutlineContent, OutlineElement, OutlineLine};
use std::fmt::Write;

/// On a page without lists, lines above this depth are open.
const OPEN_DEPTH: usize = 3;

/// Appends the section of the outline.
pub(super) fn push(
    out: &mut String,
    context: &PageContext,
    extraction: &Answer,
    outline: &Outline,
    links: &SourceLinks<'_>,
) {
    let (h, id) = (context.heading(1), context.id("outline"));
    let _ = write!(
        out,
        "<section class=\"outline\" id=\"{id}\" aria-labelledby=\"{id}-title\">\n\
         <h{h} id=\"{id}-title\">Outline of the page</h{h}>\n"
    );
    push_legend(out, extraction);
    out.push_str(
        "<div class=\"tree scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Elements of the page\">\n",
    );
    let open = open_lines(outline);
    // For each open <details>: its depth, and the region and the record that contain it.
    let mut around: Vec<(usize, Option<(usize, usize)>)> = Vec::new();
    for (i, line) in outline.lines.iter().enumerate() {
        while around.last().is_some_and(|(depth, _)| *depth >= line.depth) {
            around.pop();
            out.push_str("</details>\n");
        }
        let record = line.record.or(around.last().and_then(|(_, record)| *record));
        let has_inside = outline.lines.get(i + 1).is_some_and(|next| next.depth > line.depth);
        let attributes = format!("{}{}", id_attribute(links, line), classes(line));
        if has_inside {
            let state = if open[i] { " open" } else { "" };
            let _ = write!(out, "<details{attributes}{state}><summary>");
            push_line(out, context, extraction, line, record, links);
            out.push_str("</summary>\n");
            around.push((line.depth, record));
        } else {
            let _ = write!(out, "<div{attributes}>");
            push_line(out, context, extraction, line, record, links);
            out.push_str("</div>\n");
        }
    }
    for _ in around {
        out.push_str("</details>\n");
    }
    out.push_str("</div>\n</section>\n");
}

fn push_legend(out: &mut String, extraction: &Answer) {
    out.push_str(
        "<p class=\"soft\">The visible elements of the page, from the outside in. Lists are coloured, \
         their records \
         shaded alternately, and elements that a column is read from carry its name, which links to the cell.</p>\n",
    );
    if extraction.regions.is_empty() {
        return;
    }
    out.push_str("<ul class=\"legend\">\n");
    for (place, region) in extraction.regions.iter().enumerate() {
        let _ = writeln!(
            out,
            "<li class=\"r{}\"><i class=\"swatch\"></i>{}</li>",
            colour(place),
            region_title(place, region)
        );
    }
    out.push_str("</ul>\n");
}

/// Which lines are open: those that contain lists, and everything in the first record of each list.
fn open_lines(outline: &Outline) -> Vec<bool> {
    let lines = &outline.lines;
    let mut open = vec![false; lines.len()];
    let mut around: Vec<usize> = Vec::new();
    let mut first_until = None;
    let any = lines.iter().any(|line| line.region.is_some());
    for (i, line) in lines.iter().enumerate() {
        while around.last().is_some_and(|&up| lines[up].depth >= line.depth) {
            around.pop();
        }
        if first_until.is_some_and(|depth| line.depth <= depth) {
            first_until = None;
        }
        if line.record.is_some_and(|(_, record)| record == 0) && first_until.is_none() {
            first_until = Some(line.depth);
        }
        open[i] = first_until.is_some() || line.region.is_some() || !any && line.depth < OPEN_DEPTH;
        if line.region.is_some() || line.record.is_some_and(|(_, record)| record == 0) {
            for &up in &around {
                open[up] = true;
            }
        }
        around.push(i);
    }
    open
}

fn id_attribute(links: &SourceLinks<'_>, line: &OutlineLine) -> String {
    if line.nodes.is_empty() {
        return String::new();
    }
    format!(" id=\"{}\"", links.line_id(line.nodes.start))
}

fn classes(line: &OutlineLine) -> String {
    let mut classes = String::from(" class=\"line");
    let region = line.region.or(line.record.map(|(region, _)| region));
    if let Some(region) = region {
        let _ = write!(classes, " r{}", colour(region));
    }
    if line.region.is_some() {
        classes.push_str(" root");
    }
    if let Some((_, record)) = line.record {
        classes.push_str(if record % 2 == 0 { " even" } else { " odd" });
    }
    classes.push('"');
    classes
}

fn push_line(
    out: &mut String,
    context: &PageContext,
    extraction: &Answer,
    line: &OutlineLine,
    around: Option<(usize, usize)>,
    links: &SourceLinks<'_>,
) {
    match &line.what {
        OutlineContent::Elements(steps) => push_steps(out, steps),
        OutlineContent::Text => out.push_str("<code class=\"text\">text</code>"),
        OutlineContent::More { records, others } => {
            let counts =
                [(*records, "more record"), (*others, if *records > 0 { "other" } else { "more element" })];
            let counts = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| count(*n, what));
            let _ = write!(out, "<span class=\"more\">… {}</span>", counts.collect::<Vec<_>>().join(" and "));
        }
    }
    if let Some((place, region)) = line.region.and_then(|place| Some((place, extraction.regions.get(place)?)))
    {
        let _ = write!(
            out,
            " <a class=\"badge\" href=\"#{}\">{}, {}</a>",
            context.id(&format!("r{}", place + 1)),
            region_title(place, region),
            count(region.records.len(), "record")
        );
    }
    if let Some((place, record)) = line.record {
        let text = format!("record {}", record + 1);
        let _ = if links.is_shown(place, record) {
            write!(out, " <a class=\"badge\" href=\"#{}\">{text}</a>", links.row_id(place, record))
        } else {
            write!(out, " <b class=\"badge\">{text}</b>")
        };
    }
    if let Some((place, record)) = around {
        push_columns(out, extraction, line, (place, record), links);
    }
    if !line.words.is_empty() {
        let _ = write!(out, " <span class=\"words\" dir=\"auto\">{}</span>", Escaped(&line.words));
    }
}

/// The columns that are read from a line; each links to the cell of the record if that is shown.
fn push_columns(
    out: &mut String,
    extraction: &Answer,
    line: &OutlineLine,
    (place, record): (usize, usize),
    links: &SourceLinks<'_>,
) {
    let Some(region) = extraction.regions.get(place) else { return };
    let cells = links.record(place, record).filter(|_| links.is_shown(place, record));
    for &c in &line.columns {
        let Some(column) = region.columns.get(c) else { continue };
        let name = Escaped(&column.name);
        let _ = match cells.and_then(|cells| cells.cell_id(c)) {
            Some(id) => write!(out, " <a class=\"col\" dir=\"auto\" href=\"#{id}\">{name}</a>"),
            None => write!(out, " <b class=\"col\" dir=\"auto\">{name}</b>"),
        };
    }
}

fn push_steps(out: &mut String, steps: &[OutlineElement]) {
    out.push_str("<code>");
    for (i, step) in steps.iter().enumerate() {
        if i > 0 {
            out.push_str("<i> › </i>");
        }
        out.push_str(&Escaped(&step.tag).to_string());
        if let Some(id) = &step.id {
            let _ = write!(out, "<em>#{}</em>", Escaped(id));
        }
        if !step.classes.is_empty() {
            let _ = write!(out, "<span>.{}</span>", Escaped(&step.classes.join(".")));
        }
    }
    out.push_str("</code>");
}
