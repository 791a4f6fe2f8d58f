//! `--annotator NAME=COMMAND`: which programs the annotators of a domain are.

use crate::annotator_process::AnnotatorProcess;
use crate::error::CliError;
use crate::outcome::Outcome;
use crate::reporting;
use clap::Args;
use copal::Domain;
use std::sync::Arc;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct AnnotatorArguments {
    /// Let a program find the attributes of the domain that name this annotator (may be repeated). The command is
    /// a program and its arguments, separated by spaces; quotes keep spaces, and no shell is used
    #[arg(long = "annotator", value_name = "NAME=COMMAND", value_parser = parse_binding)]
    bindings: Vec<AnnotatorBinding>,

    /// Seconds in which an annotator must answer for a page
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = parse_seconds)]
    annotator_timeout: f64,
}

/// A name, and the program that it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
struct AnnotatorBinding {
    name: String,
    command: Vec<String>,
}

fn parse_binding(text: &str) -> Result<AnnotatorBinding, CliError> {
    let expected = || CliError::usage("expected NAME=COMMAND, such as ner='python3 ner.py'");
    let (name, command) = text.split_once('=').ok_or_else(expected)?;
    let command = shlex::split(command).ok_or_else(|| CliError::usage("a quote is not closed"))?;
    if name.trim().is_empty() || command.first().is_none_or(String::is_empty) {
        return Err(expected());
    }
    Ok(AnnotatorBinding { name: name.trim().to_owned(), command })
}

fn parse_seconds(text: &str) -> Result<f64, CliError> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.1..=3600.0).contains(seconds));
    seconds.ok_or_else(|| CliError::usage("expected a number of seconds from 0.1 to 3600"))
}

/// A domain whose annotators are bound.
#[derive(Debug, Default)]
pub(crate) struct BoundDomain {
    pub(crate) domain: Option<Arc<Domain>>,
    processes: Vec<Arc<AnnotatorProcess>>,
}

impl AnnotatorArguments {
    /// Binds the annotators that a domain names. Others that are given are ignored: the configuration may bind
    /// annotators of several domains.
    pub(crate) fn bind(&self, domain: Option<&Arc<Domain>>, quiet: bool) -> BoundDomain {
        let Some(given) = domain else { return BoundDomain::default() };
        let names: Vec<String> = given.annotator_names().into_iter().map(str::to_owned).collect();
        if names.is_empty() {
            return BoundDomain { domain: Some(given.clone()), processes: Vec::new() };
        }
        let mut bound = Domain::clone(given);
        let mut processes = Vec::new();
        for name in names {
            // the command line comes after the configuration
            let Some(binding) = self.bindings.iter().rfind(|binding| binding.name == name) else {
                if !quiet {
                    reporting::warning(format_args!(
                        "the domain {} names the annotator {name}, which is not bound: give --annotator \
                         {name}=COMMAND",
                        given.name
                    ));
                }
                continue;
            };
            let limit = Duration::from_secs_f64(self.annotator_timeout);
            let process = Arc::new(AnnotatorProcess::new(&name, &binding.command, limit));
            bound.bind_annotator(process.clone());
            processes.push(process);
        }
        let domain = if processes.is_empty() { given.clone() } else { Arc::new(bound) };
        BoundDomain { domain: Some(domain), processes }
    }
}

impl BoundDomain {
    /// What the run comes to, so far as annotators decide it: a page that was read without one is partial.
    pub(crate) fn outcome(&self) -> Outcome {
        let has_failed = self.processes.iter().any(|process| process.has_failed());
        if has_failed { Outcome::Partial } else { Outcome::Done }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_without_a_shell() {
        let parsed = parse_binding("ner=python3 'my ner.py' --model=a $HOME;ls").unwrap();
        assert_eq!(parsed.name, "ner");
        assert_eq!(parsed.command, ["python3", "my ner.py", "--model=a", "$HOME;ls"]);
        for wrong in ["ner", "=x", "ner=", "ner=  ", "ner='x", "ner=''"] {
            assert!(parse_binding(wrong).is_err(), "{wrong}");
        }
    }
}
