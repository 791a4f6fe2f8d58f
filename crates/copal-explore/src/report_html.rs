//! The report of a site as one HTML file.
//!
//! In: a [`SiteReport`], sample records and the wrapper. Out: HTML that loads nothing and runs nothing: no script, no
//! font, no image, and a content security policy that says so. All text of the site is escaped and cut.

use crate::site_report::SiteReport;
use std::fmt::Write as _;

/// Characters of a text that are shown.
const MAX_TEXT: usize = 300;
/// Pages of the map that are shown.
const MAX_MAP_ROWS: usize = 500;

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;\
color:#222;background:#fff}table{border-collapse:collapse;width:100%;font-size:.87rem}\
th,td{border:1px solid #ccc;padding:.25rem .45rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}\
.effective{color:#176b2c}.partial{color:#8a5a00}.none{color:#a11}pre{overflow:auto;background:#f4f4f4;padding:.6rem}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}th,td{border-color:#555}pre{background:#2a2a2a}\
.effective{color:#7fd494}.partial{color:#e8b85a}.none{color:#ff8a8a}}";

/// Sample records for the report: names of columns, and rows.
#[derive(Debug, Clone, Default)]
pub struct ReportSample {
    /// The columns.
    pub columns: Vec<String>,
    /// A text per column.
    pub rows: Vec<Vec<String>>,
}

/// The report as HTML.
pub fn report_html(report: &SiteReport, sample: &ReportSample, wrapper: Option<&str>) -> String {
    let mut out = String::new();
    let status = report.status.name();
    let _ = write!(
        out,
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{0}</title><style>{STYLE}</style><h1>{0}</h1><p class={status}><b>{status}</b>: {1} \
         (<code>{2}</code>)</p>",
        escaped(&report.start),
        escaped(report.reason.describe()),
        report.reason.code()
    );
    push_numbers(&mut out, report);
    out.push_str("<h2>How it went</h2><ol>");
    for (state, reason) in &report.states {
        let _ = write!(out, "<li><b>{state}</b>: {}</li>", escaped(reason));
    }
    out.push_str("</ol>");
    if let Some((kind, reason)) = &report.kind {
        let _ = write!(out, "<p>Records: <code>{}</code> ({})</p>", escaped(kind), escaped(reason));
    }
    push_lists(&mut out, report);
    push_sample(&mut out, sample);
    if let Some(wrapper) = wrapper {
        let _ = write!(out, "<h2>Wrapper</h2><pre>{}</pre>", escape(wrapper));
    }
    push_map(&mut out, report);
    out.push_str("</html>\n");
    out
}

fn push_numbers(out: &mut String, report: &SiteReport) {
    let announced = match report.announced {
        Some(announced) if announced.at_least => format!("at least {}", announced.total),
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
    out.push_str("<h2>Numbers</h2><table>");
    for (name, value) in rows {
        let _ = write!(out, "<tr><th>{name}<td>{value}");
    }
    out.push_str("</table>");
}

fn push_lists(out: &mut String, report: &SiteReport) {
    out.push_str("<h2>Lists</h2><table><tr><th>URL<th>state<th>result");
    for list in &report.lists {
        let _ = write!(
            out,
            "<tr><td>{}<td>{}<td>{}",
            escaped(&list.shown()),
            escaped(&list.state),
            escaped(&list.outcome)
        );
    }
    out.push_str("</table>");
}

fn push_sample(out: &mut String, sample: &ReportSample) {
    if sample.rows.is_empty() {
        return;
    }
    out.push_str("<h2>Sample</h2><table><tr>");
    for column in &sample.columns {
        let _ = write!(out, "<th>{}", escaped(column));
    }
    for row in &sample.rows {
        out.push_str("<tr>");
        for text in row {
            let _ = write!(out, "<td>{}", escaped(text));
        }
    }
    out.push_str("</table>");
}

fn push_map(out: &mut String, report: &SiteReport) {
    out.push_str("<h2>Map of the exploration</h2><table><tr><th>page<th>state<th>why<th>what was found");
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
    out.push_str("</table>");
    if report.map.len() > MAX_MAP_ROWS {
        let _ = write!(out, "<p>and {} more</p>", report.map.len() - MAX_MAP_ROWS);
    }
}

/// The text, cut and escaped.
fn escaped(text: &str) -> String {
    let cut: String = text.chars().take(MAX_TEXT).collect();
    let mut shown = escape(&cut);
    if cut.len() < text.len() {
        shown.push('…');
    }
    shown
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
