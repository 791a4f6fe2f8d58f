//! Prints the forms of an HTML file: `cargo run -p copal-forms --example show_forms -- page.html`.

use copal_dom::{Limits, Page, PageSource};
use copal_forms::find_forms;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("expected the path of an HTML file")?;
    let page = Page::from_bytes(&std::fs::read(path)?, PageSource::default(), &Limits::default())?;
    for form in find_forms(&page) {
        println!("{} ({:.2}), {} fields", form.form_type.name(), form.confidence, form.fields.len());
        for field in &form.fields {
            println!("  {:<24} {}", field.field_type.name(), field.label.as_deref().unwrap_or(&field.name));
        }
    }
    Ok(())
}
