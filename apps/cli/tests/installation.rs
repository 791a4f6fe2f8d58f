//! What packages and new users need: completions, manual pages, the version, and `copal doctor`.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{SHOP, end, folder, names, run, shell};
use std::fs;
use std::process::Command;

#[test]
fn completions_know_the_commands_and_their_options() {
    let folder = folder(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(folder.path(), &format!("copal completions {shell}"));
        assert_eq!((script.code, script.stderr.as_str()), (0, ""), "{shell}");
        for word in ["extract", "watch", "domain", "follow", "every"] {
            assert!(script.stdout.contains(word), "{shell}: {word}");
        }
    }
    let unknown = run(folder.path(), "copal completions tcsh");
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("possible values: bash"), "{}", unknown.stderr);
}

#[test]
fn bash_completes_an_option() {
    if Command::new("bash").arg("--version").output().is_err() {
        return;
    }
    let folder = folder(&[]);
    let line = "copal completions bash > copal.bash";
    assert_eq!(run(folder.path(), line).code, 0);
    let script = "source ./copal.bash; COMP_WORDS=(copal watch --ev); COMP_CWORD=2; \
                  _copal copal --ev watch; echo \"${COMPREPLY[@]}\"";
    let mut bash = Command::new("bash");
    let completed = end(bash.args(["-c", script]).current_dir(folder.path()), script, b"");
    assert_eq!(completed.stdout.trim(), "--every", "{}", completed.stderr);
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = folder(&[]);
    let written = run(folder.path(), "mkdir man && copal manual man");
    assert_eq!(written.code, 0, "{}", written.stderr);
    let pages = names(&folder.path().join("man"));
    for name in ["copal.1", "copal-extract.1", "copal-watch.1", "copal-domain-learn.1"] {
        assert!(pages.iter().any(|page| page == name), "{name}: {pages:?}");
    }
    assert!(!pages.iter().any(|page| page.contains("worker") || page.contains("manual")), "{pages:?}");
    let page = fs::read_to_string(folder.path().join("man/copal-watch.1")).unwrap();
    for text in [".TH copal-watch", "SH NAME", "SH OPTIONS", "\\-\\-every", "Ignore the configuration files"]
    {
        assert!(page.contains(text), "{text}: {page}");
    }
    let missing = run(folder.path(), "copal manual absent");
    assert_eq!(missing.code, 3, "{}", missing.stderr);
}

#[test]
fn the_version_lists_the_features() {
    let folder = folder(&[]);
    let version = format!("copal {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(run(folder.path(), "copal -V").stdout, version);
    let long = run(folder.path(), "copal --version").stdout;
    let features = long.strip_prefix(&format!("{version}features: ")).unwrap();
    let has = |name: &str| features.trim_end().split(", ").any(|feature| feature == name);
    assert_eq!(has("sqlite"), cfg!(feature = "sqlite"), "{long}");
    assert_eq!(has("parquet"), cfg!(feature = "parquet"), "{long}");
}

#[test]
fn doctor_names_features_cache_and_configuration() {
    let folder = folder(&[("config/copal/config.toml", b"delay = 2")]);
    let report = |line: &str| {
        let mut command = shell(folder.path(), line);
        end(command.env("HOME", folder.path()), line, b"")
    };
    let found = report("copal doctor --browser /absent");
    let shown = found.stdout.replace(folder.path().to_str().unwrap(), "HOME");
    assert!(shown.contains("\nfeatures: "), "{shown}");
    assert!(shown.contains("\nbrowser: "), "{shown}");
    assert!(shown.contains("\ncache: HOME/kept/copal (made when the first page is fetched)\n"), "{shown}");
    assert!(
        shown.contains("\nconfiguration: HOME/config/copal/config.toml (copal config shows it)\n"),
        "{shown}"
    );
    assert!(shown.contains("\nconfiguration of this folder: copal.toml (not there)\n"), "{shown}");
    if !cfg!(all(feature = "xlsx", feature = "render", feature = "postgres", feature = "serve")) {
        assert!(shown.contains("\n  cargo install --path apps/cli --features postgres,parquet,"), "{shown}");
    }
    fs::write(folder.path().join("copal.toml"), "colour = 3").unwrap();
    fs::create_dir_all(folder.path().join("kept")).unwrap();
    fs::write(folder.path().join("kept/copal"), "").unwrap();
    let wrong = report("copal doctor --browser /absent").stdout;
    assert!(wrong.contains("unknown key"), "{wrong}");
    assert!(wrong.contains("is not a folder (--cache-dir FOLDER)"), "{wrong}");
}

#[test]
#[cfg(feature = "sqlite")]
fn doctor_tries_a_database() {
    let folder = folder(&[
        ("page.html", SHOP.as_bytes()),
        ("text.db", b"not a database, but a text that is long enough"),
    ]);
    let stored = run(folder.path(), "copal extract page.html -o lamps.sqlite");
    assert_eq!(stored.code, 0, "{}", stored.stderr);
    let doctor = |name: &str| run(folder.path(), &format!("copal doctor --database {name}"));
    assert!(doctor("lamps.sqlite").stdout.contains("\ndatabase: lamps.sqlite (1 run)\n"));
    for (name, reason) in [("absent.sqlite", "absent.sqlite"), ("text.db", "not a SQLite database")] {
        let found = doctor(name);
        assert_eq!(found.code, 1, "{}", found.stdout);
        assert!(found.stdout.contains(reason), "{}", found.stdout);
    }
    assert_eq!(doctor("lamps.csv").code, 2);
}
