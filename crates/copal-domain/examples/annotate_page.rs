//! Prints the attributes of a domain on a page.
//!
//! `cargo run -p copal-domain --example annotate_page -- page.html real-estate`

use copal_dom::{Limits, Page};
use copal_domain::{Domain, annotate_object};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(name)) = (arguments.next(), arguments.next()) else {
        let domains = Domain::built_in().join(", ");
        return Err(format!("expected a page and a domain: annotate_page page.html <{domains}>").into());
    };
    let domain = Domain::load(&name)?;
    let page = Page::from_text(&std::fs::read_to_string(path)?, &Limits::default());
    for found in annotate_object(&page, &domain) {
        let attribute = &domain.attributes[found.attribute].name;
        let role = if found.label { "label" } else { "value" };
        let tag = page.tree.tag_name(found.node);
        println!("{attribute:20} {role} by {:8} <{tag}> {:?}", found.found_by.name(), found.text);
    }
    Ok(())
}
