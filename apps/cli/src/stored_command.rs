//! The command line as databases store it with a run.

use crate::inputs::without_password;

/// Options whose values are never stored.
const SECRET_OPTIONS: &[&str] = &["--header", "--cookie", "--cookies", "--proxy"];

/// Options without a value that only concern messages.
const MESSAGE_FLAGS: &[&str] = &["-q", "--quiet", "-v", "-vv", "-vvv", "--verbose"];

/// The command as it may be stored: without passwords. If options are left out, which have a value, so are those that
/// only concern messages.
pub(crate) fn command_line(left_out: &[&str]) -> String {
    let arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    storable(arguments, left_out)
}

fn storable(arguments: impl Iterator<Item = String>, left_out: &[&str]) -> String {
    let shown = |argument: String| match argument.find("postgres") {
        Some(at) if argument[at..].contains("://") => {
            format!("{}{}", &argument[..at], copal_store::without_credentials(&argument[at..]))
        }
        _ => without_password(&argument),
    };
    let mut line = "copal".to_owned();
    let (mut hides_next, mut skips_next) = (false, false);
    for argument in arguments {
        if std::mem::take(&mut skips_next) {
            continue;
        }
        let named = |options: &[&'static str]| -> Option<&'static str> {
            options.iter().copied().find(|option| names_option(&argument, option))
        };
        if let Some(option) = left_out.iter().find(|option| names_option(&argument, option)) {
            skips_next = argument == **option;
            continue;
        }
        if !left_out.is_empty() && MESSAGE_FLAGS.contains(&argument.as_str()) {
            continue;
        }
        let option = named(SECRET_OPTIONS);
        line.push(' ');
        line.push_str(&match option {
            _ if std::mem::take(&mut hides_next) => "…".to_owned(),
            Some(option) if argument == option => {
                hides_next = true;
                argument
            }
            Some(option) => format!("{option}=…"),
            None => shown(argument),
        });
    }
    line
}

/// True for `--option` and `--option=value`.
fn names_option(argument: &str, option: &str) -> bool {
    argument.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
}

#[cfg(test)]
mod tests {
    use super::storable;

    #[test]
    fn secrets_and_options_that_do_not_matter_are_left_out() {
        let line = |text: &str| storable(text.split(' ').map(str::to_owned), &["--every", "--exec"]);
        let stored = "copal watch https://…@a.example/ -o postgres://db/x --cookie …";
        for same in [
            "watch https://u:p@a.example/ -o postgres://ann:pw@db/x --cookie a=b",
            "watch -q --every 1h https://u:p@a.example/ -o postgres://ann:pw@db/x --exec=mail --cookie a=b",
        ] {
            assert_eq!(line(same), stored);
        }
        assert_eq!(line("watch x --header=a:b"), "copal watch x --header=…");
    }
}
