//! The object of a page: its fields, each with its texts and its source.

use super::context::PageContext;
use super::escape::{Escaped, Truncated};
use copal_model::Object;
use std::fmt::Write as _;

/// Maximum number of characters that are shown of one text of a field.
const MAX_FIELD_TEXT_CHARS: usize = 1_000;
/// Maximum number of texts that are shown of one field.
const MAX_FIELD_TEXTS: usize = 50;

/// Appends the section of the object.
pub(super) fn push(out: &mut String, context: &PageContext, detail: &Object) {
    let (h, id) = (context.heading(1), context.id("object"));
    let _ = write!(
        out,
        "<section class=\"region\" id=\"{id}\" aria-labelledby=\"{id}-title\">\n\
         <h{h} id=\"{id}-title\">The object of the page</h{h}>\n"
    );
    if let Some(area) = &detail.area {
        let _ = writeln!(out, "<p>Its data is in <code>{}</code>.</p>", Truncated(area, 300));
    }
    out.push_str(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Fields\"><table>\n<thead><tr>\
         <th scope=\"col\">field</th><th scope=\"col\">value</th><th scope=\"col\">read from</th></tr></thead>\n\
         <tbody>\n",
    );
    for field in &detail.fields {
        let _ = write!(
            out,
            "<tr><th scope=\"row\" dir=\"auto\">{}</th><td dir=\"auto\">",
            Truncated(&field.name, 100)
        );
        match field.texts.as_slice() {
            [one] => {
                let _ = write!(out, "{}", Truncated(one, MAX_FIELD_TEXT_CHARS));
            }
            several => {
                out.push_str("<ul>");
                for text in several.iter().take(MAX_FIELD_TEXTS) {
                    let _ = write!(out, "<li>{}</li>", Truncated(text, MAX_FIELD_TEXT_CHARS));
                }
                out.push_str("</ul>");
            }
        }
        let _ = writeln!(out, "</td><td>{}</td></tr>", Escaped(field.source.name()));
    }
    out.push_str("</tbody>\n</table></div>\n</section>\n");
}
