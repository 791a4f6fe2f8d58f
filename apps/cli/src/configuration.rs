//! The configuration in force: the file of the user, and `copal.toml` of the working folder.
//!
//! In: the command line. Out: the command line with the settings as options, before those that the user gives. A
//! setting is dropped if the command does not have its option, or if the user gives it (or what replaces it). The
//! folder's file has precedence over the user's. `--no-config` ignores both.

use crate::config_file::{ConfigScope, MAX_CONFIG_BYTES, SETTING_KEYS, Setting, SettingKey, read_settings};
use crate::error::CliError;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The file of a working folder.
const FOLDER_FILE: &str = "copal.toml";

/// A setting and the file that it comes from.
pub(crate) struct SourcedSetting {
    pub(crate) setting: Setting,
    pub(crate) file: PathBuf,
}

/// The files that exist or could exist, the one with precedence first.
pub(crate) fn config_paths() -> Vec<(PathBuf, ConfigScope)> {
    let from = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = from("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
    let folder = folder.or_else(|| Some(from("HOME")?.join(".config")));
    let user = folder.map(|folder| (folder.join("copal").join("config.toml"), ConfigScope::User));
    [(PathBuf::from(FOLDER_FILE), ConfigScope::Folder)].into_iter().chain(user).collect()
}

/// The settings in force.
pub(crate) fn load() -> Result<Vec<SourcedSetting>, CliError> {
    let mut settings: Vec<SourcedSetting> = Vec::new();
    for (file, scope) in config_paths() {
        let Some(text) = read_file(&file)? else { continue };
        let found =
            read_settings(&text, scope).map_err(|error| CliError::usage(error).about(file.display()))?;
        for setting in found {
            if !settings.iter().any(|known| known.setting.key == setting.key) {
                settings.push(SourcedSetting { setting, file: file.clone() });
            }
        }
    }
    Ok(settings)
}

/// The text of a file; `None` if there is none.
fn read_file(path: &Path) -> Result<Option<String>, CliError> {
    let mut bytes = Vec::new();
    let read =
        fs::File::open(path).and_then(|file| file.take(MAX_CONFIG_BYTES as u64 + 1).read_to_end(&mut bytes));
    match read {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let error = CliError::reading(&error).about(path.display());
            Err(error.with_hint("--no-config ignores the configuration files"))
        }
        Ok(_) => String::from_utf8(bytes)
            .map(Some)
            .map_err(|_| CliError::usage("not a text in UTF-8").about(path.display())),
    }
}

/// The command line with the settings as options. `words` is the number of words of the program and the command;
/// `has_option` tells whether the command has an option.
pub(crate) fn with_settings(
    arguments: Vec<OsString>,
    words: usize,
    settings: &[SourcedSetting],
    has_option: impl Fn(&str) -> bool,
) -> Vec<OsString> {
    let given: Vec<String> = arguments
        .iter()
        .map(|argument| argument.to_string_lossy().into_owned())
        .take_while(|argument| argument != "--")
        .collect();
    let is_given = |option: &str| {
        given.iter().any(|argument| {
            let rest = argument.strip_prefix(option);
            // a short option may have its value attached
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('=') || !option.starts_with("--"))
        })
    };
    let known = |key: &str| SETTING_KEYS.iter().find(|known| known.key == key);
    let applies = |known: &SettingKey| {
        has_option(known.option)
            && (known.is_additive() || !is_given(known.option))
            && !known.replaced_by.iter().any(|other| is_given(other))
    };
    let added: Vec<OsString> = settings
        .iter()
        .filter(|sourced| known(sourced.setting.key).is_some_and(&applies))
        .flat_map(|sourced| sourced.setting.arguments.iter().map(OsString::from))
        .collect();
    // after the program and the command
    let mut all = arguments;
    let at = all.len().min(words);
    all.splice(at..at, added);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(arguments: &[&str], config: &str) -> Vec<String> {
        let settings = read_settings(config, ConfigScope::User).unwrap().into_iter();
        let settings: Vec<SourcedSetting> =
            settings.map(|setting| SourcedSetting { setting, file: PathBuf::new() }).collect();
        let arguments = arguments.iter().map(OsString::from).collect();
        let all = with_settings(arguments, 2, &settings, |option| option != "--wide");
        all.into_iter().map(|argument| argument.into_string().unwrap()).collect()
    }

    #[test]
    fn options_of_the_user_replace_settings() {
        let config = "delay = 3\nwide = true";
        assert_eq!(line(&["copal", "extract", "x"], config), ["copal", "extract", "--delay=3", "x"]);
        for given in ["--delay=1", "--delay"] {
            assert_eq!(line(&["copal", "extract", given, "1"], config), ["copal", "extract", given, "1"]);
        }
        let config = "contact = \"me\"";
        assert_eq!(
            line(&["copal", "extract", "--user-agent", "x"], config),
            ["copal", "extract", "--user-agent", "x"]
        );
        let config = "format = \"csv\"";
        assert_eq!(line(&["copal", "extract", "-olist.json"], config), ["copal", "extract", "-olist.json"]);
        assert_eq!(line(&["copal"], config), ["copal", "--format=csv"]);
        // what follows -- is not an option
        assert_eq!(
            line(&["copal", "extract", "--", "-o"], config),
            ["copal", "extract", "--format=csv", "--", "-o"]
        );
    }
}
