//! Why the lists were chosen: the evidence for and against each candidate, and the recognised texts.
//!
//! In: an [`Explanation`]. Out: a section of the report. Linear in what is shown, which is bounded.

use super::context::{PageContext, bar};
use super::escape::{Escaped, Truncated, count};
use copal_model::{Decision, Evidence, Explanation, RecognisedText, Role};
use std::fmt::Write;

/// Maximum number of reasons that are shown.
const MAX_REASON_COUNT: usize = 60;
/// Maximum number of recognised texts that are shown.
const MAX_ANNOTATION_COUNT: usize = 300;

/// Appends the section of reasons.
pub(super) fn push(out: &mut String, context: &PageContext, explanation: &Explanation) {
    let (h, id) = (context.heading(1), context.id("reasons"));
    let _ = write!(
        out,
        "<section class=\"reasons\" id=\"{id}\" aria-labelledby=\"{id}-title\">\n\
         <h{h} id=\"{id}-title\">Reasons</h{h}>\n"
    );
    let mut runner_up = 0;
    for (i, reason) in explanation.reasons.iter().take(MAX_REASON_COUNT).enumerate() {
        let title = match reason.role {
            Some(Role::Primary) => "Chosen as the main list".to_owned(),
            Some(Role::Possible) => "Chosen as a possible main list".to_owned(),
            Some(_) => {
                runner_up += 1;
                format!("Runner-up {runner_up}")
            }
            None if reason.about == "/" => "No main list".to_owned(),
            None => "Rejected".to_owned(),
        };
        push_reason(out, &title, reason, i == 0);
    }
    if explanation.reasons.len() > MAX_REASON_COUNT {
        let _ = writeln!(
            out,
            "<p class=\"rest\">{} not shown.</p>",
            count(explanation.reasons.len() - MAX_REASON_COUNT, "further reason")
        );
    }
    if !explanation.readings.is_empty() {
        push_annotations(out, &explanation.readings);
    }
    out.push_str("</section>\n");
}

fn push_reason(out: &mut String, title: &str, reason: &Decision, open: bool) {
    let _ = write!(
        out,
        "<details class=\"reason\"{}>\n<summary><b>{title}</b> <code>{}</code></summary>\n",
        if open { " open" } else { "" },
        Truncated(&reason.about, 400)
    );
    if reason.grounds.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", Truncated(&reason.text, 600));
    } else {
        push_unweighted(out, &reason.grounds);
        out.push_str("<div class=\"scales\">\n");
        let with_sign = |sign: f64| {
            reason.grounds.iter().filter(move |ground| ground.weight.is_some_and(|w| w * sign > 0.0))
        };
        let weights = reason.grounds.iter().filter_map(|ground| ground.weight);
        let max_weight = weights.map(f64::abs).fold(0.0, f64::max);
        push_weighted(out, "Evidence for it", "for", with_sign(1.0), max_weight);
        push_weighted(out, "Evidence against it", "against", with_sign(-1.0), max_weight);
        out.push_str("</div>\n");
    }
    out.push_str("</details>\n");
}

fn push_unweighted(out: &mut String, grounds: &[Evidence]) {
    out.push_str("<ul class=\"told\">\n");
    for ground in grounds.iter().filter(|ground| ground.weight.is_none()) {
        let _ = writeln!(out, "<li>{}</li>", Truncated(&ground.text, 600));
    }
    out.push_str("</ul>\n");
}

fn push_weighted<'a>(
    out: &mut String,
    title: &str,
    class: &str,
    grounds: impl Iterator<Item = &'a Evidence>,
    max_weight: f64,
) {
    let mut grounds = grounds.peekable();
    if grounds.peek().is_none() {
        return;
    }
    let _ = writeln!(out, "<table class=\"weights\"><caption>{title}</caption><tbody>");
    for ground in grounds {
        let weight = ground.weight.unwrap_or(0.0);
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{weight:+.2}</td><td>{}</td></tr>",
            Truncated(&ground.text, 120),
            bar(weight.abs() / max_weight, class)
        );
    }
    out.push_str("</tbody></table>\n");
}

fn push_annotations(out: &mut String, readings: &[RecognisedText]) {
    let _ = write!(
        out,
        "<details class=\"reason\">\n<summary><b>{} recognised</b></summary>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Recognised texts\">\n<table>\n\
         <thead><tr>\
         <th scope=\"col\">Type</th><th scope=\"col\">Text</th><th scope=\"col\">By</th>\
         <th scope=\"col\">Place</th>\
         </tr></thead>\n<tbody>\n",
        count(readings.len(), "text")
    );
    for reading in readings.iter().take(MAX_ANNOTATION_COUNT) {
        let what = match (reading.label, reading.old) {
            (true, _) => " <small>label</small>",
            (_, true) => " <small>crossed out</small>",
            _ => "",
        };
        let _ = writeln!(
            out,
            "<tr><td>{}{what}</td><td dir=\"auto\">{}</td><td>{}</td><td><code>{}</code></td></tr>",
            Escaped(&reading.attribute),
            Truncated(&reading.text, 200),
            reading.by,
            Truncated(&reading.xpath, 200)
        );
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    if readings.len() > MAX_ANNOTATION_COUNT {
        let _ = writeln!(
            out,
            "<p class=\"rest\">{} not shown.</p>",
            count(readings.len() - MAX_ANNOTATION_COUNT, "further text")
        );
    }
    out.push_str("</details>\n");
}
