//! Configuration files: any text is refused with one line, or gives options; a folder's file never gives forbidden ones.

use crate::config_file::{ConfigScope, read_settings};

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for scope in [ConfigScope::User, ConfigScope::Folder] {
        match read_settings(&text, scope) {
            Ok(settings) => {
                for argument in settings.iter().flat_map(|setting| &setting.arguments) {
                    assert!(argument.starts_with("--"), "{argument}");
                    let is_forbidden =
                        ["--proxy", "--cache-dir", "--header", "--allow-private", "--annotator"]
                            .iter()
                            .any(|option| argument.starts_with(option));
                    assert!(scope == ConfigScope::User || !is_forbidden, "{argument}");
                }
            }
            Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        }
    }
}
