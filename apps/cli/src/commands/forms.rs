//! `copal forms`: pages in; out come their forms, what each is for and what each field wants.

use crate::arguments::pages::PageArguments;
use crate::error::{CliError, catch_panic};
use crate::outcome::Outcome;
use crate::page_pipeline::PageReader;
use crate::reporting;
use clap::{Args, ValueEnum};
use copal::forms::{Form, FormField, find_forms};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::ops::ControlFlow;

const EXAMPLES: &str = "\
Examples:
  copal forms page.html                              what the forms of a page are for
  copal forms https://shop.example/ --format json    with all fields, choices and hidden values

Nothing is filled in and nothing is sent.
Exit codes: 0 done, 1 no form found, 2 wrong usage, 3 input unreadable, 4 a page was incomplete.";

/// Choices of a field that the text report shows.
const MAX_SHOWN_CHOICES: usize = 6;

/// Show the forms of pages: what they are for and what their fields want
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct FormsArguments {
    /// Format of the output
    #[arg(long, value_enum, default_value = "text")]
    format: FormsFormat,

    #[command(flatten)]
    pages: PageArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormsFormat {
    /// One line per form and field
    Text,
    /// One JSON array, with one object per page
    Json,
}

pub(crate) fn run(arguments: &FormsArguments) -> Result<Outcome, CliError> {
    let reading = &arguments.pages.reading;
    reading.run.start_threads()?;
    let (request, inputs) = (reading.request(), arguments.pages.inputs()?);
    let reader = PageReader::new(&inputs, &request, &reading.fetch)?;
    let (mut worst, mut found, mut read) = (Outcome::Done, 0, 0);
    let (mut text, mut pages) = (String::new(), Vec::new());
    reader.for_each_batch(|batch| {
        for (name, page) in batch {
            let forms = page.and_then(|page| {
                worst = worst.max(reporting::partial_page(&name, &page, reading.run.quiet));
                catch_panic(|| Ok(find_forms(&page)))
            });
            match forms {
                Ok(forms) => {
                    read += 1;
                    found += forms.len();
                    match arguments.format {
                        FormsFormat::Text => push_report(&mut text, &name, inputs.len() > 1, &forms),
                        FormsFormat::Json => {
                            let forms: Vec<Value> = forms.iter().map(form_json).collect();
                            pages.push(json!({ "page": name, "forms": forms }));
                        }
                    }
                }
                Err(error) => {
                    worst = worst.max(error.outcome());
                    reporting::error(&error.about(name));
                }
            }
        }
        ControlFlow::Continue(())
    });
    match arguments.format {
        FormsFormat::Text => reporting::print(&text)?,
        FormsFormat::Json => reporting::print(&format!("{:#}\n", Value::Array(pages)))?,
    }
    if read > 0 && found == 0 {
        if !reading.run.quiet {
            reporting::warning("no form found");
        }
        worst = worst.max(Outcome::NothingFound);
    }
    Ok(worst)
}

fn push_report(out: &mut String, name: &str, has_several_pages: bool, forms: &[Form]) {
    if has_several_pages {
        let _ = writeln!(out, "{}", reporting::printable(name));
    }
    for form in forms {
        let method = if form.is_post { "POST" } else { "GET" };
        let action = form.action.as_deref().filter(|action| !action.is_empty()).unwrap_or("this page");
        let _ = writeln!(
            out,
            "{} ({:.2}): {method} {}",
            form.form_type.name(),
            form.confidence,
            reporting::printable(action)
        );
        for field in &form.fields {
            let _ = writeln!(out, "  {}", reporting::printable(&field_line(field)));
        }
    }
}

/// For example `search query  q  "Search products"`.
fn field_line(field: &FormField) -> String {
    let mut line = format!("{:<28} {}", field.field_type.name(), field.name);
    if let Some(label) = &field.label {
        let _ = write!(line, "  \"{label}\"");
    }
    if field.required {
        line.push_str("  required");
    }
    if field.options.len() > 1 {
        let texts: Vec<&str> =
            field.options.iter().take(MAX_SHOWN_CHOICES).map(|option| option.text.as_str()).collect();
        let _ = write!(line, "  {}", texts.join(" | "));
        if field.options.len() > MAX_SHOWN_CHOICES {
            let _ = write!(line, " | … ({} choices)", field.options.len());
        }
    }
    line
}

fn form_json(form: &Form) -> Value {
    let fields: Vec<Value> = form.fields.iter().map(field_json).collect();
    let hidden: Vec<Value> =
        form.hidden.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    json!({
        "index": form.index, "type": form.form_type.name(), "confidence": rounded(form.confidence),
        "method": if form.is_post { "post" } else { "get" }, "action": form.action,
        "fields": fields, "hidden": hidden,
    })
}

fn field_json(field: &FormField) -> Value {
    let options: Vec<Value> = field
        .options
        .iter()
        .map(|option| json!({ "value": option.value, "text": option.text, "selected": option.selected }))
        .collect();
    json!({
        "name": field.name, "type": field.field_type.name(), "control": field.control.name(),
        "label": field.label, "value": field.value, "required": field.required, "options": options,
    })
}

fn rounded(probability: f64) -> f64 {
    (probability * 1000.0).round() / 1000.0
}
