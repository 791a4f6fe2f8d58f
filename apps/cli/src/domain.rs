//! `copal domain`: list, show, begin and try domains.

use crate::args::{DomainArgs, DomainCommand};
use crate::report::{self, Outcome};
use crate::{inputs, learn};
use copal::{Domain, Limits, Page, PageSource};
use copal_domain::annotate_object;
use copal_domain::domain_tests::run_domain_tests;
use std::io::{self, Write};

/// A file to begin with.
const NEW: &str = include_str!("new-domain.yaml");

pub(crate) fn run(args: &DomainArgs) -> Outcome {
    if let DomainCommand::Learn(args) = &args.command {
        return learn::run(args);
    }
    let mut out = io::stdout().lock();
    let written = match &args.command {
        DomainCommand::List => list(&mut out),
        DomainCommand::New { name } => {
            out.write_all(NEW.replace("NAME", name).as_bytes()).map(|()| Outcome::Done)
        }
        DomainCommand::Show { name } => with_domain(name, |domain| show(&mut out, domain)),
        DomainCommand::Test { name, pages } if pages.is_empty() => {
            with_domain(name, |domain| strings(&mut out, name, domain))
        }
        // above: it writes while it works
        DomainCommand::Learn(_) => Ok(Outcome::Done),
        DomainCommand::Test { name, pages } => with_domain(name, |domain| test(&mut out, domain, pages)),
    };
    match written.and_then(|outcome| out.flush().map(|()| outcome)) {
        Ok(outcome) => outcome,
        Err(error) => report::write_failed(&error, "standard output"),
    }
}

fn with_domain(name: &str, work: impl FnOnce(&Domain) -> io::Result<Outcome>) -> io::Result<Outcome> {
    match Domain::load(name) {
        Ok(domain) => work(&domain),
        Err(error) => {
            report::error(error);
            Ok(Outcome::Usage)
        }
    }
}

fn list(out: &mut dyn Write) -> io::Result<Outcome> {
    for name in Domain::built_in() {
        match Domain::load(name) {
            Ok(domain) => {
                writeln!(
                    out,
                    "{name}: {} of a {}, {} terms",
                    report::count(domain.attributes.len(), "attribute"),
                    domain.object,
                    domain.terms()
                )?;
            }
            Err(error) => report::warning(error),
        }
    }
    Ok(Outcome::Done)
}

fn show(out: &mut dyn Write, domain: &Domain) -> io::Result<Outcome> {
    writeln!(out, "{} (a {}), pivot {}", domain.name, domain.object, domain.attributes[domain.pivot].name)?;
    for (i, attribute) in domain.attributes.iter().enumerate() {
        let mark = if domain.characteristic.contains(&i) { "characteristic" } else { "" };
        writeln!(
            out,
            "  {:20} {:12} {:14} {}",
            attribute.name,
            attribute.attribute_type.name(),
            mark,
            attribute.labels.join(", ")
        )?;
    }
    Ok(Outcome::Done)
}

/// The pack's own strings.
fn strings(out: &mut dyn Write, name: &str, domain: &Domain) -> io::Result<Outcome> {
    let tests = Domain::tests(name).map_err(|error| error.to_string());
    let faults = match tests
        .and_then(|tests| run_domain_tests(domain, &tests).map_err(|error| format!("{name}: {error}")))
    {
        Ok(faults) => faults,
        Err(why) => {
            report::error(why);
            return Ok(Outcome::Usage);
        }
    };
    for fault in &faults {
        writeln!(out, "{}", report::printable(&fault.to_string()))?;
    }
    writeln!(out, "{}: {}", domain.name, report::count(faults.len(), "fault"))?;
    Ok(if faults.is_empty() { Outcome::Done } else { Outcome::NothingFound })
}

fn test(out: &mut dyn Write, domain: &Domain, pages: &[String]) -> io::Result<Outcome> {
    let limits = Limits::default();
    let mut worst = Outcome::Done;
    for input in inputs::collect(pages) {
        let name = input.name();
        let page = input.read(limits.bytes).and_then(|bytes| {
            Page::from_bytes(&bytes, PageSource::default(), &limits).map_err(|error| error.to_string())
        });
        let page = match page {
            Ok(page) => page,
            Err(why) => {
                report::error(format_args!("{name}: {why}"));
                worst = worst.max(Outcome::Unreadable);
                continue;
            }
        };
        let found = annotate_object(&page, domain);
        writeln!(out, "== {}", report::printable(&name))?;
        for annotation in &found {
            let kind = if annotation.label { "label" } else { "value" };
            let attribute = &domain.attributes[annotation.attribute].name;
            let tag = page.tree.tag_name(annotation.node);
            writeln!(out, "  {attribute:20} {kind}  <{tag}>  {}", report::printable(&annotation.text))?;
        }
        for attribute in
            domain.attributes.iter().enumerate().filter(|(i, _)| !found.iter().any(|f| f.attribute == *i))
        {
            writeln!(out, "  {:20} not found", attribute.1.name)?;
        }
        if found.is_empty() {
            worst = worst.max(Outcome::NothingFound);
        }
    }
    Ok(worst)
}
