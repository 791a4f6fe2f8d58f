//! The command line: its commands.

use crate::build_features::long_version;
use crate::commands::apply::ApplyArguments;
use crate::commands::check::CheckArguments;
use crate::commands::completions::CompletionsArguments;
use crate::commands::config::ConfigArguments;
use crate::commands::diff::DiffArguments;
use crate::commands::doctor::DoctorArguments;
use crate::commands::domain::DomainArguments;
use crate::commands::export::ExportArguments;
use crate::commands::extract::ExtractArguments;
use crate::commands::forms::FormsArguments;
use crate::commands::learn::LearnArguments;
use crate::commands::manual::ManualArguments;
use crate::commands::mcp::McpArguments;
use crate::commands::repair::RepairArguments;
use crate::commands::sections::SectionsArguments;
use crate::commands::serve::ServeArguments;
use crate::commands::site::SiteArguments;
use crate::commands::studio::StudioArguments;
use crate::commands::watch::WatchArguments;
use crate::commands::{
    apply, check, completions, config, diff, doctor, domain, export, extract, forms, learn, manual, mcp,
    repair, sections, serve, site, studio, watch,
};
use crate::error::CliError;
use crate::outcome::Outcome;
use clap::{Args, CommandFactory, Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  copal extract https://shop.example/lamps                               the main list of a page
  copal extract https://shop.example/lamps --follow all -o lamps.csv     the list of all its pages
  copal watch https://shop.example/lamps -o lamps.sqlite                 what changed since the last run
  copal learn page.html -o shop.copal.yaml                               learn a wrapper
  copal apply shop.copal.yaml 'pages/*.html' -o all.csv                  read pages with it";

/// Turn web pages into tables
#[derive(Debug, Parser)]
#[command(name = "copal", version, long_version = long_version(), propagate_version = true, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(flatten)]
    general: GeneralArguments,

    #[command(subcommand)]
    command: Command,
}

/// What every command has.
#[derive(Debug, Args)]
struct GeneralArguments {
    /// Ignore the configuration files (see copal config)
    #[arg(long, global = true, hide_short_help = true)]
    no_config: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Extract(Box<ExtractArguments>),
    Site(Box<SiteArguments>),
    Watch(Box<WatchArguments>),
    Diff(DiffArguments),
    Learn(Box<LearnArguments>),
    Apply(Box<ApplyArguments>),
    Check(Box<CheckArguments>),
    Repair(Box<RepairArguments>),
    Export(ExportArguments),
    Domain(DomainArguments),
    Studio(Box<StudioArguments>),
    Serve(Box<ServeArguments>),
    Mcp(Box<McpArguments>),
    Sections(Box<SectionsArguments>),
    Forms(Box<FormsArguments>),
    Config(ConfigArguments),
    /// Read pages for the service (internal)
    #[command(hide = true)]
    Worker,
    Doctor(DoctorArguments),
    Completions(CompletionsArguments),
    #[command(hide = true)]
    Manual(ManualArguments),
}

impl Cli {
    /// Sets what depends on the command and has no option.
    pub(crate) fn complete(mut self) -> Cli {
        if let Command::Watch(arguments) = &mut self.command {
            arguments.read_anew();
        }
        self
    }

    pub(crate) fn run(&self) -> Result<Outcome, CliError> {
        match &self.command {
            Command::Extract(arguments) => extract::run(arguments),
            Command::Domain(arguments) => domain::run(arguments),
            Command::Doctor(arguments) => doctor::run(arguments),
            Command::Forms(arguments) => forms::run(arguments),
            Command::Site(arguments) => site::run(arguments),
            Command::Learn(arguments) => learn::run(arguments),
            Command::Apply(arguments) => apply::run(arguments),
            Command::Check(arguments) => check::run(arguments),
            Command::Repair(arguments) => repair::run(arguments),
            Command::Diff(arguments) => diff::run(arguments),
            Command::Watch(arguments) => watch::run(arguments),
            Command::Export(arguments) => export::run(arguments),
            Command::Sections(arguments) => sections::run(arguments),
            Command::Studio(arguments) => studio::run(arguments),
            Command::Serve(arguments) => serve::run(arguments),
            Command::Mcp(arguments) => mcp::run(arguments),
            Command::Worker => run_worker(),
            Command::Completions(arguments) => completions::run(arguments, Cli::command()),
            Command::Manual(arguments) => manual::run(arguments, Cli::command()),
            Command::Config(_) => config::run(self.general.no_config),
        }
    }
}

/// The definition of one command without the others, which would be half of a short run. It reads the same arguments;
/// help and errors need the whole one.
pub(crate) fn definition_of_one(name: &str) -> Option<clap::Command> {
    let new = clap::Command::new;
    let command = match name {
        "extract" => ExtractArguments::augment_args(new("extract")),
        "learn" => LearnArguments::augment_args(new("learn")),
        "apply" => ApplyArguments::augment_args(new("apply")),
        "check" => CheckArguments::augment_args(new("check")),
        "repair" => RepairArguments::augment_args(new("repair")),
        "export" => ExportArguments::augment_args(new("export")),
        "sections" => SectionsArguments::augment_args(new("sections")),
        "diff" => DiffArguments::augment_args(new("diff")),
        "watch" => WatchArguments::augment_args(new("watch")),
        "forms" => FormsArguments::augment_args(new("forms")),
        "site" => SiteArguments::augment_args(new("site")),
        "domain" => DomainArguments::augment_args(new("domain")),
        "--version" | "-V" => {
            return Some(new("copal").version(env!("CARGO_PKG_VERSION")).long_version(long_version()));
        }
        _ => return None,
    };
    let root = GeneralArguments::augment_args(new("copal")).version(env!("CARGO_PKG_VERSION"));
    Some(root.propagate_version(true).subcommand_required(true).subcommand(command))
}

#[cfg(any(feature = "serve", feature = "mcp"))]
fn run_worker() -> Result<Outcome, CliError> {
    copal_service::run_worker().map_err(CliError::unreadable)?;
    Ok(Outcome::Done)
}

#[cfg(not(any(feature = "serve", feature = "mcp")))]
fn run_worker() -> Result<Outcome, CliError> {
    Err(CliError::missing_feature("run workers", "serve"))
}

#[cfg(test)]
mod tests {
    use super::{Cli, definition_of_one};
    use clap::CommandFactory;

    #[test]
    fn one_command_has_the_same_arguments_as_among_all() {
        let described = |command: &clap::Command| -> Vec<String> {
            command.get_arguments().map(|argument| format!("{argument:?}")).collect()
        };
        let mut count = 0;
        for whole in Cli::command().get_subcommands() {
            let Some(root) = definition_of_one(whole.get_name()) else { continue };
            let alone = root.get_subcommands().next().expect("the command");
            assert_eq!(described(alone), described(whole), "{}", whole.get_name());
            let names = |command: &clap::Command| -> Vec<Vec<String>> {
                command.get_subcommands().map(described).collect()
            };
            assert_eq!(names(alone), names(whole), "{}", whole.get_name());
            count += 1;
        }
        assert_eq!(count, 12);
    }
}
