//! Why the lists are what they are: for the chosen ones and the runners-up what spoke for and against them, and the texts
//! that were recognised.

use super::escape::{Cut, Esc, count};
use super::page::View;
use super::region::bar;
use copal_extract::{Decision, Evidence, Explanation, RecognisedText, Role};
use std::fmt::Write;

/// Reasons and recognised texts that are shown.
const REASONS: usize = 60;
const READINGS: usize = 300;

/// Appends the section of reasons.
pub(super) fn push(out: &mut String, view: &View, explanation: &Explanation) {
    let (h, id) = (view.heading(1), view.id("reasons"));
    let _ = write!(
        out,
        "<section class=\"reasons\" id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h{h} id=\"{id}-title\">Reasons</h{h}>\n"
    );
    let mut runner_up = 0;
    for (i, reason) in explanation.reasons.iter().take(REASONS).enumerate() {
        let title = match reason.role {
            Some(Role::Primary) => "Chosen as the main list".to_owned(),
            Some(_) => {
                runner_up += 1;
                format!("Runner-up {runner_up}")
            }
            None if reason.about == "/" => "No main list".to_owned(),
            None => "Given up".to_owned(),
        };
        push_reason(out, &title, reason, i == 0);
    }
    if explanation.reasons.len() > REASONS {
        let _ = writeln!(
            out,
            "<p class=\"rest\">{} not shown.</p>",
            count(explanation.reasons.len() - REASONS, "further reason")
        );
    }
    if !explanation.readings.is_empty() {
        push_readings(out, &explanation.readings);
    }
    out.push_str("</section>\n");
}

fn push_reason(out: &mut String, title: &str, reason: &Decision, open: bool) {
    let _ = write!(
        out,
        "<details class=\"reason\"{}>\n<summary><b>{title}</b> <code>{}</code></summary>\n",
        if open { " open" } else { "" },
        Cut(&reason.about, 400)
    );
    if reason.grounds.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", Cut(&reason.text, 600));
    } else {
        push_told(out, &reason.grounds);
        out.push_str("<div class=\"scales\">\n");
        let is = |sign: f64| {
            reason.grounds.iter().filter(move |ground| ground.weight.is_some_and(|w| w * sign > 0.0))
        };
        let most = reason.grounds.iter().filter_map(|ground| ground.weight).map(f64::abs).fold(0.0, f64::max);
        push_weighed(out, "Spoke for it", "for", is(1.0), most);
        push_weighed(out, "Spoke against it", "against", is(-1.0), most);
        out.push_str("</div>\n");
    }
    out.push_str("</details>\n");
}

fn push_told(out: &mut String, grounds: &[Evidence]) {
    out.push_str("<ul class=\"told\">\n");
    for ground in grounds.iter().filter(|ground| ground.weight.is_none()) {
        let _ = writeln!(out, "<li>{}</li>", Cut(&ground.text, 600));
    }
    out.push_str("</ul>\n");
}

fn push_weighed<'a>(
    out: &mut String,
    title: &str,
    class: &str,
    grounds: impl Iterator<Item = &'a Evidence>,
    most: f64,
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
            Cut(&ground.text, 120),
            bar(weight.abs() / most, class)
        );
    }
    out.push_str("</tbody></table>\n");
}

fn push_readings(out: &mut String, readings: &[RecognisedText]) {
    let _ = write!(
        out,
        "<details class=\"reason\">\n<summary><b>{} recognised</b></summary>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Recognised texts\">\n<table>\n<thead><tr>\
         <th scope=\"col\">Type</th><th scope=\"col\">Text</th><th scope=\"col\">By</th><th scope=\"col\">Place</th>\
         </tr></thead>\n<tbody>\n",
        count(readings.len(), "text")
    );
    for reading in readings.iter().take(READINGS) {
        let what = match (reading.label, reading.old) {
            (true, _) => " <small>label</small>",
            (_, true) => " <small>crossed out</small>",
            _ => "",
        };
        let _ = writeln!(
            out,
            "<tr><td>{}{what}</td><td dir=\"auto\">{}</td><td>{}</td><td><code>{}</code></td></tr>",
            Esc(&reading.kind),
            Cut(&reading.text, 200),
            reading.by,
            Cut(&reading.xpath, 200)
        );
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    if readings.len() > READINGS {
        let _ = writeln!(
            out,
            "<p class=\"rest\">{} not shown.</p>",
            count(readings.len() - READINGS, "further text")
        );
    }
    out.push_str("</details>\n");
}
