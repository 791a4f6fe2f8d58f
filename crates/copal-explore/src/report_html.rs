//! The report of a site as one HTML file.
//!
//! In: a [`SiteReport`], sample records, outlines of pages and the wrapper. Out: HTML that loads nothing and runs nothing:
//! no script, no font, no image but pictures of pages inside the file, and a content security policy that says so. All text of the site is escaped and cut.

use crate::html_text::{escape, escaped};
use crate::outline_html::{OUTLINE_STYLE, has_picture, push_outlines};
use crate::page_outline::PageOutline;
use crate::site_report::SiteReport;
use std::fmt::Write as _;

/// Pages of the map that are shown.
const MAX_MAP_ROWS: usize = 500;

const STYLE: &str = ":root{--paper:#fff;--panel:#f6f7f8;--ink:#1d2327;--soft:#5d6770;--line:#c9d0d6;--record:#146ea0;\
--field:#6b5b12;--next:#8a2f8a;--counter:#a34a00;--form:#2d6e26}\
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:var(--ink);\
background:var(--paper)}h1{font-size:1.5rem;overflow-wrap:anywhere;margin-bottom:.4rem}h2{font-size:1.15rem;\
margin:2.2rem 0 .5rem;border-bottom:1px solid var(--line);padding-bottom:.25rem}h3{font-size:1rem;margin:1.2rem 0 .1rem}\
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.87rem}th,td{border:1px solid var(--line);\
padding:.3rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere;min-width:4rem}th{background:var(--panel);\
font-weight:600;overflow-wrap:normal}td.number{text-align:right;font-variant-numeric:tabular-nums}.soft,.url{color:var(--soft);font-size:.87rem;\
margin:.1rem 0 .5rem;overflow-wrap:anywhere}.result{border-left:.4rem solid;border-radius:.3rem;padding:.5rem .8rem;\
background:var(--panel)}.effective{border-color:#2d8a45}.partial{border-color:#c98a00}.none{border-color:#c03030}\
.numbers{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:.6rem;margin:0}\
.numbers div{background:var(--panel);border-radius:.4rem;padding:.5rem .8rem}.numbers dt{color:var(--soft);font-size:.8rem}\
.numbers dd{margin:0;font-size:1.25rem;overflow-wrap:anywhere}pre{overflow:auto;background:var(--panel);padding:.7rem;\
border-radius:.4rem;max-height:30rem;font-size:.82rem}summary{cursor:pointer;margin:.4rem 0}\
@media(prefers-color-scheme:dark){:root{--paper:#16191c;--panel:#20252a;--ink:#dde3e8;--soft:#98a4ae;--line:#434c54;\
--record:#6db8e6;--field:#d8c25a;--next:#d98ad9;--counter:#f0a060;--form:#86cf7c}}";

/// Sample records for the report: names of columns, and rows.
#[derive(Debug, Clone, Default)]
pub struct ReportSample {
    /// The columns.
    pub columns: Vec<String>,
    /// A text per column.
    pub rows: Vec<Vec<String>>,
}

/// What the report shows besides what the run knows of itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReportParts<'a> {
    /// Some of the records.
    pub sample: Option<&'a ReportSample>,
    /// The wrapper file.
    pub wrapper: Option<&'a str>,
    /// Pages with what was found on them.
    pub outlines: &'a [PageOutline],
}

/// The report as HTML.
pub fn report_html(report: &SiteReport, parts: ReportParts<'_>) -> String {
    let mut out = String::new();
    let status = report.status.name();
    // nothing is loaded: a picture is part of the file
    let images = if parts.outlines.iter().any(has_picture) { "; img-src data:" } else { "" };
    let _ = write!(
        out,
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'{images}\">\
         <title>{0}</title><style>{STYLE}{OUTLINE_STYLE}</style><h1>{0}</h1><p class='result {status}'><b>{status}</b>: {1} \
         (<code>{2}</code>)</p>",
        escaped(&report.start),
        escaped(report.reason.describe()),
        report.reason.code()
    );
    push_numbers(&mut out, report);
    push_outlines(&mut out, parts.outlines);
    if let Some(sample) = parts.sample {
        push_sample(&mut out, sample);
    }
    push_lists(&mut out, report);
    out.push_str("<h2>How it went</h2><ol>");
    for (state, reason) in &report.states {
        let _ = write!(out, "<li><b>{state}</b>: {}</li>", escaped(reason));
    }
    out.push_str("</ol>");
    if let Some((kind, reason)) = &report.kind {
        let _ = write!(out, "<p>Records: <code>{}</code> ({})</p>", escaped(kind), escaped(reason));
    }
    if let Some(reading) = &report.second_reading {
        let _ = write!(out, "<p>Second reading: {}</p>", escaped(&reading.describe()));
    }
    if let Some(wrapper) = parts.wrapper {
        let _ = write!(out, "<h2>Wrapper</h2><pre>{}</pre>", escape(wrapper));
    }
    push_map(&mut out, report);
    out.push_str("</html>\n");
    out
}

fn push_numbers(out: &mut String, report: &SiteReport) {
    let announced = match report.announced {
        Some(announced) if announced.at_least => format!("{} or more", announced.total),
        Some(announced) => announced.total.to_string(),
        None => "no number".to_owned(),
    };
    let per_record = report.pages as f64 / report.records.max(1) as f64;
    let rows = [
        ("unique records", report.records.to_string()),
        ("announced by the site", announced),
        ("in its sitemap", report.in_sitemap.map_or_else(|| "unknown".to_owned(), |count| count.to_string())),
        ("pages asked for", report.pages.to_string()),
        ("pages per record", format!("{per_record:.2}")),
        ("pages that failed", report.errors.to_string()),
        ("seconds", format!("{:.0}", report.seconds)),
    ];
    out.push_str("<h2>Numbers</h2><dl class=numbers>");
    for (name, value) in rows {
        let _ = write!(out, "<div><dt>{name}<dd>{value}</div>");
    }
    out.push_str("</dl>");
}

fn push_lists(out: &mut String, report: &SiteReport) {
    out.push_str("<h2>Lists</h2><div class=scroll><table><tr><th>URL<th>state<th>result");
    for list in &report.lists {
        let _ = write!(
            out,
            "<tr><td>{}<td>{}<td>{}",
            escaped(&list.shown()),
            escaped(&list.state),
            escaped(&list.outcome)
        );
    }
    out.push_str("</table></div>");
}

fn push_sample(out: &mut String, sample: &ReportSample) {
    if sample.rows.is_empty() {
        return;
    }
    out.push_str("<h2>Sample</h2><div class=scroll><table><tr>");
    for column in &sample.columns {
        let _ = write!(out, "<th>{}", escaped(column));
    }
    for row in &sample.rows {
        out.push_str("<tr>");
        for text in row {
            let _ = write!(out, "<td>{}", escaped(text));
        }
    }
    out.push_str("</table></div>");
}

fn push_map(out: &mut String, report: &SiteReport) {
    out.push_str("<h2>Map of the exploration</h2><div class=scroll><table><tr><th>page<th>state<th>why<th>what was found");
    for entry in report.map.iter().take(MAX_MAP_ROWS) {
        let _ = write!(
            out,
            "<tr><td>{}<td>{}<td>{} {:.1}: {}<td>{}",
            escaped(&entry.item.shown()),
            escaped(&entry.state),
            escaped(&entry.item.role),
            entry.item.priority,
            escaped(&entry.item.reason),
            escaped(&entry.outcome)
        );
    }
    out.push_str("</table></div>");
    if report.map.len() > MAX_MAP_ROWS {
        let _ = write!(out, "<p>and {} more</p>", report.map.len() - MAX_MAP_ROWS);
    }
}
