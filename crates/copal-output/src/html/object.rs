//! The object of a page: its fields, each with its texts and where it was read.

use super::escape::{Cut, Esc};
use super::page::View;
use copal_extract::objects::Object;
use std::fmt::Write as _;

/// Most characters of a text, and texts of a field.
const TEXT: usize = 1_000;
const TEXTS: usize = 50;

pub(super) fn push(out: &mut String, view: &View, detail: &Object) {
    let (h, id) = (view.heading(1), view.id("object"));
    let _ = write!(
        out,
        "<section class=\"region\" id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h{h} id=\"{id}-title\">The page's object</h{h}>\n"
    );
    if let Some(area) = &detail.area {
        let _ = writeln!(out, "<p>Its data stands in <code>{}</code>.</p>", Cut(area, 300));
    }
    out.push_str(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Fields\"><table>\n<thead><tr><th scope=\"col\">field</th>\
         <th scope=\"col\">value</th><th scope=\"col\">read from</th></tr></thead>\n<tbody>\n",
    );
    for field in &detail.fields {
        let _ =
            write!(out, "<tr><th scope=\"row\" dir=\"auto\">{}</th><td dir=\"auto\">", Cut(&field.name, 100));
        match field.texts.as_slice() {
            [one] => {
                let _ = write!(out, "{}", Cut(one, TEXT));
            }
            several => {
                out.push_str("<ul>");
                for text in several.iter().take(TEXTS) {
                    let _ = write!(out, "<li>{}</li>", Cut(text, TEXT));
                }
                out.push_str("</ul>");
            }
        }
        let _ = writeln!(out, "</td><td>{}</td></tr>", Esc(field.source.name()));
    }
    out.push_str("</tbody>\n</table></div>\n</section>\n");
}
