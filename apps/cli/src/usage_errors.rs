//! Errors of the command line itself: what clap says, and what it cannot know.
//!
//! A command without arguments gets three lines instead of its whole help. An option that only other commands have gets
//! their names.

use crate::cli::Cli;
use crate::reporting;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// An example of each command that needs arguments.
const EXAMPLES: &[(&str, &str, &str)] = &[
    ("extract", "a page: a URL, a file or a folder", "copal extract https://shop.example/lamps -o lamps.csv"),
    ("learn", "a sample page: a URL or a file", "copal learn page.html -o shop.copal.yaml"),
    ("apply", "a wrapper and pages", "copal apply shop.copal.yaml page3.html -o page3.csv"),
    ("check", "a wrapper and pages", "copal check shop.copal.yaml https://shop.example/lamps"),
    ("repair", "a wrapper and pages", "copal repair shop.copal.yaml https://shop.example/lamps"),
    ("export", "a wrapper and a tool", "copal export shop.copal.yaml --to scrapy -o spider.py"),
    ("diff", "a database or two files", "copal diff monday.csv tuesday.csv"),
    ("watch", "pages and a database", "copal watch https://shop.example/lamps -o lamps.sqlite"),
    ("sections", "a page: a URL or a file", "copal sections page.html"),
    ("forms", "a page: a URL or a file", "copal forms https://shop.example/"),
    ("completions", "a shell", "copal completions bash > copal.bash"),
    ("site", "the URL of a site", "copal site https://shop.example/ -o shop.sqlite"),
];

/// Prints the error. Returns the exit code.
pub(crate) fn report(error: &clap::Error) -> u8 {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let command = std::env::args().nth(1).unwrap_or_default();
        if let Some((command, expected, example)) = EXAMPLES.iter().find(|(name, ..)| *name == command) {
            reporting::line(format_args!("copal {command} expects {expected}:"));
            reporting::line(format_args!("  {example}"));
            reporting::line(format_args!("copal {command} -h lists the options"));
            return 2;
        }
    }
    let _ = error.print();
    if error.kind() == ErrorKind::MissingRequiredArgument {
        let command = std::env::args().nth(1).unwrap_or_default();
        if let Some((.., example)) = EXAMPLES.iter().find(|(name, ..)| *name == command)
            && has_missing(error, example)
        {
            reporting::hint(format_args!("an example: {example}"));
        }
    }
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg)
        && let Some(owners) = commands_with(option)
    {
        reporting::hint(format_args!("{option} is an option of {owners}"));
    }
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// True if an example has what is missing: pages and options that are always needed.
fn has_missing(error: &clap::Error, example: &str) -> bool {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else { return false };
    missing.iter().all(|argument| {
        let name = argument.split_whitespace().next().unwrap_or_default();
        // a group of options is `<--all|--list <N>>`
        let is_option = name.contains("--");
        let is_database = name == "--output" && example.starts_with("copal watch");
        !is_option || is_database || example.contains(name)
    })
}

/// The commands that have an option, in words.
fn commands_with(option: &str) -> Option<String> {
    let name = option.strip_prefix("--")?;
    let cli = Cli::command();
    let has_option =
        |command: &&clap::Command| command.get_arguments().any(|argument| argument.get_long() == Some(name));
    let owners: Vec<String> = cli
        .get_subcommands()
        .filter(has_option)
        .map(|command| format!("copal {}", command.get_name()))
        .collect();
    (!owners.is_empty()).then(|| owners.join(", "))
}
