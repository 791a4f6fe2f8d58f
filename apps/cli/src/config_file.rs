//! Configuration files: TOML text in, options of the command line out.
//!
//! The file of the user may set every key; `copal.toml` in the working folder, which may come with a download, only
//! those about output and politeness, and it cannot make copal less polite than it is by default. Keys are the names of
//! options. Unknown keys are errors, so that a misspelt one is not silently ignored. Values become arguments of the
//! command line, where the parsers of the options check them. O(bytes), at most [`MAX_CONFIG_BYTES`].

use thiserror::Error;
use toml::{Table, Value};

/// Bytes of a configuration file that are read.
pub(crate) const MAX_CONFIG_BYTES: usize = 64 * 1024;
/// Least delay in seconds that a working folder may ask for: the default.
const MIN_FOLDER_DELAY: f64 = 1.0;

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConfigScope {
    /// `~/.config/copal/config.toml`.
    User,
    /// `copal.toml` in the working folder.
    Folder,
}

/// How a value becomes arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SettingKind {
    Text,
    Number,
    /// `true` gives the option, `false` nothing.
    Switch,
    /// `false` gives the option, `true` nothing.
    InvertedSwitch,
    /// Texts, joined by commas.
    Names,
    /// A table of names and commands: the option once for each.
    Commands,
}

/// A key that a file may have.
#[derive(Debug)]
pub(crate) struct SettingKey {
    pub(crate) key: &'static str,
    /// The option that it stands for.
    pub(crate) option: &'static str,
    /// Options that a user gives instead, so that the setting is dropped.
    pub(crate) replaced_by: &'static [&'static str],
    kind: SettingKind,
    /// A working folder may set it.
    in_folder: bool,
}

impl SettingKey {
    /// True if options on the command line add to the setting instead of replacing it.
    pub(crate) fn is_additive(&self) -> bool {
        self.kind == SettingKind::Commands
    }
}

/// Why a file cannot be used. Messages have one line, without the name of the file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum ConfigFileError {
    #[error("more than {MAX_CONFIG_BYTES} bytes: not a configuration file")]
    TooLarge,
    #[error("line {line}: {message}")]
    Syntax { line: usize, message: String },
    #[error("{key:?} cannot be set in a file: {reason}")]
    Refused { key: String, reason: &'static str },
    #[error("unknown key {key:?}: expected one of {expected}")]
    UnknownKey { key: String, expected: String },
    #[error("{key:?} can only be set in the configuration of the user, not in a folder")]
    OnlyUser { key: &'static str },
    #[error("{key}: expected {expected}")]
    WrongValue { key: &'static str, expected: &'static str },
}

const fn setting(
    key: &'static str,
    option: &'static str,
    replaced_by: &'static [&'static str],
    kind: SettingKind,
    in_folder: bool,
) -> SettingKey {
    SettingKey { key, option, replaced_by, kind, in_folder }
}

/// All keys.
pub(crate) const SETTING_KEYS: &[SettingKey] = &[
    setting("delay", "--delay", &[], SettingKind::Number, true),
    setting("timeout", "--timeout", &[], SettingKind::Number, true),
    setting("contact", "--contact", &["--user-agent"], SettingKind::Text, true),
    setting("user-agent", "--user-agent", &["--contact"], SettingKind::Text, false),
    setting("cache", "--no-cache", &["--cache-dir"], SettingKind::InvertedSwitch, false),
    setting("cache-dir", "--cache-dir", &["--no-cache"], SettingKind::Text, false),
    setting("proxy", "--proxy", &[], SettingKind::Text, false),
    setting("jobs", "--jobs", &["-j"], SettingKind::Number, false),
    setting("format", "--format", &["-o", "--output"], SettingKind::Text, true),
    setting("columns", "--fields", &[], SettingKind::Names, true),
    setting("all-columns", "--all-columns", &[], SettingKind::Switch, true),
    setting("wide", "--wide", &[], SettingKind::Switch, true),
    setting("csv-safe", "--csv-safe", &[], SettingKind::Switch, true),
    setting("annotators", "--annotator", &[], SettingKind::Commands, false),
];

/// Keys that people may expect and that no file can set, with the reason.
const REFUSED_KEYS: &[(&str, &str)] = &[
    ("header", "headers are for one site: use --header @FILE or COPAL_HEADERS"),
    ("cookie", "cookies are for one site: use --cookie @FILE or COPAL_COOKIE"),
    ("cookies", "cookies are for one site: use --cookies FILE or COPAL_COOKIES"),
    ("allow-private", "private networks are only allowed on the command line"),
    ("ignore-robots", "robots.txt is only ignored on the command line"),
];

/// A value of a file, as arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) key: &'static str,
    /// The option and its value; empty if the setting is the default.
    pub(crate) arguments: Vec<String>,
    /// The value as it is shown.
    pub(crate) shown: String,
}

/// Reads a file.
pub(crate) fn read_settings(text: &str, scope: ConfigScope) -> Result<Vec<Setting>, ConfigFileError> {
    if text.len() > MAX_CONFIG_BYTES {
        return Err(ConfigFileError::TooLarge);
    }
    let table: Table =
        toml::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| syntax_error(text, &error))?;
    table.iter().map(|(key, value)| read_setting(key, value, scope)).collect()
}

fn syntax_error(text: &str, error: &toml::de::Error) -> ConfigFileError {
    let at = error.span().map_or(0, |span| span.start.min(text.len()));
    let line = text.get(..at).map_or(0, |before| before.matches('\n').count()) + 1;
    let message = error.message().lines().next().unwrap_or("not TOML").trim_end_matches('.').to_owned();
    ConfigFileError::Syntax { line, message }
}

fn read_setting(key: &str, value: &Value, scope: ConfigScope) -> Result<Setting, ConfigFileError> {
    let Some(known) = SETTING_KEYS.iter().find(|known| known.key == key) else {
        let key = key.to_owned();
        return Err(match REFUSED_KEYS.iter().find(|(refused, _)| *refused == key) {
            Some((_, reason)) => ConfigFileError::Refused { key, reason },
            None => {
                let keys: Vec<&str> = SETTING_KEYS.iter().map(|known| known.key).collect();
                ConfigFileError::UnknownKey { key, expected: keys.join(", ") }
            }
        });
    };
    let key = known.key;
    if scope == ConfigScope::Folder && !known.in_folder {
        return Err(ConfigFileError::OnlyUser { key });
    }
    let option = known.option.to_owned();
    let expected = |expected: &'static str| ConfigFileError::WrongValue { key, expected };
    let (arguments, shown) = match (known.kind, value) {
        (SettingKind::Text, Value::String(text)) if !text.trim().is_empty() => {
            (vec![format!("{option}={text}")], shown_text(known, text))
        }
        (SettingKind::Text, _) => return Err(expected("a text in quotes")),
        (SettingKind::Number, Value::Integer(_) | Value::Float(_)) => {
            let integer = value.as_integer().map(|integer| integer as f64);
            let number = value.as_float().or(integer).unwrap_or_default();
            if scope == ConfigScope::Folder && key == "delay" && number < MIN_FOLDER_DELAY {
                return Err(expected("at least 1 in a folder's file (--delay can be shorter)"));
            }
            (vec![format!("{option}={number}")], number.to_string())
        }
        (SettingKind::Number, _) => return Err(expected("a number")),
        (SettingKind::Switch | SettingKind::InvertedSwitch, Value::Boolean(is)) => {
            let gives_option = *is == (known.kind == SettingKind::Switch);
            (if gives_option { vec![option] } else { Vec::new() }, is.to_string())
        }
        (SettingKind::Switch | SettingKind::InvertedSwitch, _) => return Err(expected("true or false")),
        (SettingKind::Names, Value::Array(names)) if names.iter().all(Value::is_str) && !names.is_empty() => {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            (vec![format!("{option}={}", names.join(","))], names.join(", "))
        }
        (SettingKind::Names, _) => return Err(expected("a list of names, such as [\"title\", \"price\"]")),
        (SettingKind::Commands, Value::Table(commands)) if commands.values().all(Value::is_str) => {
            let commands = commands.iter().filter_map(|(name, command)| Some((name, command.as_str()?)));
            let bound: Vec<String> = commands.map(|(name, command)| format!("{name}={command}")).collect();
            (bound.iter().map(|one| format!("{option}={one}")).collect(), bound.join(", "))
        }
        (SettingKind::Commands, _) => {
            return Err(expected("names and commands, such as { ner = \"python3 ner.py\" }"));
        }
    };
    Ok(Setting { key: known.key, arguments, shown })
}

/// A text as `copal config` prints it: the URL of a proxy may contain a password.
fn shown_text(known: &SettingKey, text: &str) -> String {
    if known.key == "proxy" { "(set)".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str, scope: ConfigScope) -> Result<Vec<String>, String> {
        let settings = read_settings(text, scope).map_err(|error| error.to_string())?;
        Ok(settings.into_iter().flat_map(|setting| setting.arguments).collect())
    }

    #[test]
    fn settings_become_options() {
        let text = "delay = 2.5\ncontact = \"me@a.example\"\ncache = false\nwide = true\ncsv-safe = false\n\
                    columns = [\"title\", \"price\"]\nproxy = \"http://u:s3cret@p.example:1\"\n";
        let all = arguments(text, ConfigScope::User).unwrap();
        for wanted in
            ["--delay=2.5", "--contact=me@a.example", "--no-cache", "--wide", "--fields=title,price"]
        {
            assert!(all.iter().any(|argument| argument == wanted), "{wanted}: {all:?}");
        }
        assert!(!all.iter().any(|argument| argument.starts_with("--csv-safe")));
        let settings = read_settings(text, ConfigScope::User).unwrap();
        assert!(settings.iter().all(|setting| !setting.shown.contains("s3cret")), "{settings:?}");
    }

    #[test]
    fn annotators_are_bound_by_name() {
        let text = "[annotators]\nner = \"python3 'my ner.py'\"\nplaces = \"places\"\n";
        let all = arguments(text, ConfigScope::User).unwrap();
        assert_eq!(all, ["--annotator=ner=python3 'my ner.py'", "--annotator=places=places"]);
    }

    #[test]
    fn folders_set_neither_network_nor_secrets() {
        for text in [
            "proxy = \"http://p.example\"",
            "cache-dir = \"/tmp\"",
            "cache = false",
            "user-agent = \"x\"",
            "delay = 0",
            "delay = 0.99",
            "header = \"X: y\"",
            "allow-private = true",
            "ignore-robots = true",
            "jobs = 1",
            "annotators = { ner = \"rm -rf x\" }",
            "[annotators]\nner = \"x\"",
        ] {
            assert!(arguments(text, ConfigScope::Folder).is_err(), "{text}");
        }
        assert_eq!(arguments("delay = 3", ConfigScope::Folder).unwrap(), ["--delay=3"]);
        for text in ["header = \"X: s3cret\"", "cookie = \"s3cret\"", "allow-private = true"] {
            let error = arguments(text, ConfigScope::User).unwrap_err();
            assert!(!error.contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn hostile_files_are_errors_of_one_line() {
        let deep = format!("columns = {}", "[".repeat(5000));
        let long = "a".repeat(MAX_CONFIG_BYTES + 1);
        for text in [
            "delay",
            "delay = ",
            "delay = \"2\"",
            "= 1",
            "delay = 1\ndelay = 2",
            "columns = [1]",
            "columns = []",
            "contact = \"\"",
            "annotators = \"ner=x\"",
            "annotators = { ner = 1 }",
            "annotators = { ner = { run = \"x\" } }",
            "[section]\nx = 1",
            "dealy = 1",
            "\0",
            deep.as_str(),
            long.as_str(),
        ] {
            let error = arguments(text, ConfigScope::User).unwrap_err();
            assert!(!error.contains('\n') && error.len() < 400, "{error}");
        }
        assert_eq!(arguments("", ConfigScope::User).unwrap(), [""; 0]);
        assert!(arguments("x = 1\ny = [", ConfigScope::User).unwrap_err().starts_with("line 2"));
    }
}
