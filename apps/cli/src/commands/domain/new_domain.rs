//! `copal domain new`: a name in, a folder out with a domain that works on an example that it brings along.

use crate::error::CliError;
use crate::outcome::Outcome;
use crate::output_target::write_text;
use crate::reporting;
use std::fs;
use std::path::Path;

/// What the files call the domain.
const PLACEHOLDER: &str = "NAME";
/// Longest name of a domain in bytes.
const MAX_NAME_BYTES: usize = 60;

/// The files of the folder.
const FILES: &[(&str, &str)] = &[
    ("domain.yaml", include_str!("new/domain.yaml")),
    ("makes.txt", include_str!("new/makes.txt")),
    ("tests.yaml", include_str!("new/tests.yaml")),
    ("page.html", include_str!("new/page.html")),
];

/// A name that can be a folder and a word in YAML.
pub(super) fn parse_name(text: &str) -> Result<String, CliError> {
    let is_plain = text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let is_name = is_plain && text.starts_with(|c: char| c.is_ascii_lowercase());
    if !is_name || text.len() > MAX_NAME_BYTES {
        return Err(CliError::usage("expected small letters, digits and hyphens, such as house-boats"));
    }
    Ok(text.to_owned())
}

pub(super) fn run(name: &str) -> Result<Outcome, CliError> {
    if copal::Domain::built_in().contains(&name) {
        return Err(CliError::usage(format_args!("{name} is a built-in domain: choose another name")));
    }
    let folder = Path::new(name);
    if let Err(error) = fs::create_dir(folder) {
        return Err(match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                CliError::usage(format_args!("{name} exists already: choose another name"))
            }
            _ => CliError::writing(&error, name),
        });
    }
    for (file, text) in FILES {
        write_text(Some(&folder.join(file)), &text.replace(PLACEHOLDER, name))?;
    }
    let files: Vec<&str> = FILES.iter().map(|(file, _)| *file).collect();
    reporting::line(format_args!("wrote {name}: {}", files.join(", ")));
    reporting::line("try, then change domain.yaml:");
    reporting::line(format_args!("  copal domain test {name}"));
    reporting::line(format_args!("  copal extract {name}/page.html --domain {name}"));
    Ok(Outcome::Done)
}
