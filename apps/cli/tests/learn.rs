//! `copal domain learn`: its table, its files, interrupted runs, and errors.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{folder, golden, names, root, run, shell};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A folder with our pages in `pages/`, a seed gazetteer and the true terms.
fn pages() -> TempDir {
    let folder = folder(&[]);
    fs::create_dir(folder.path().join("pages")).unwrap();
    for entry in fs::read_dir(root().join("testdata/learn")).unwrap().map(Result::unwrap) {
        let name = entry.file_name();
        let page = Path::new(&name).extension().is_some_and(|end| end == "html");
        let to = if page { folder.path().join("pages").join(&name) } else { folder.path().join(&name) };
        fs::copy(entry.path(), to).unwrap();
    }
    folder
}

const LEARN: &str = "copal domain learn real-estate pages --attribute location --from seed.txt";

#[test]
fn a_list_grows_from_a_seed() {
    let folder = pages();
    golden(
        "learn",
        folder.path(),
        &[
            &format!("{LEARN} --truth truth.txt"),
            "cat real-estate-location-learned.txt",
            "cat real-estate-location-learned.txt.labels",
            &format!("{LEARN} --verbose -o more.txt"),
            &format!("{LEARN} --upper 1 -o none.txt"),
            &format!("{LEARN} --rounds 1 -o one.txt; cat one.txt"),
            "copal domain learn real-estate pages --attribute property_type --quiet",
        ],
    );
    assert!(!folder.path().join("none.txt").exists(), "nothing was learned, nothing is written");
    let text = fs::read_to_string(folder.path().join("more.txt")).unwrap();
    let terms: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(terms.is_sorted() && !terms.contains(&"Chadlow"), "new terms only, sorted: {terms:?}");
    let left = names(folder.path()).into_iter().find(|name| name.starts_with(".copal"));
    assert_eq!(left, None, "no temporary file is left");
}

/// The learned list is a gazetteer that a domain file can use.
#[test]
fn what_was_learned_can_be_used() {
    let folder = pages();
    assert_eq!(run(folder.path(), &format!("{LEARN} -o places.txt")).code, 0);
    let more = run(
        folder.path(),
        "copal domain learn real-estate pages/2-table.html --attribute location --from places.txt -o again.txt",
    );
    assert_eq!(
        (more.code, more.stdout.lines().nth(1)),
        (1, Some("    1          6        0        0")),
        "{more:?}"
    );
}

/// Pages that do not fit into memory are read again in each round, with the same result.
#[test]
fn pages_need_not_stay_in_memory() {
    let folder = pages();
    let kept = run(folder.path(), &format!("{LEARN} -o a.txt"));
    let read = run(folder.path(), &format!("{LEARN} -o b.txt --memory 0 --jobs 1"));
    assert_eq!((kept.stdout, kept.code), (read.stdout, read.code));
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(text("a.txt"), text("b.txt"));
}

#[test]
fn existing_files_are_not_overwritten() {
    let folder = pages();
    fs::write(folder.path().join("mine.txt"), "mine\n").unwrap();
    fs::write(folder.path().join("other.txt.labels"), "mine\n").unwrap();
    for name in ["mine.txt", "other.txt"] {
        assert_eq!(run(folder.path(), &format!("{LEARN} -o {name}")).code, 2);
    }
    assert_eq!(fs::read_to_string(folder.path().join("mine.txt")).unwrap(), "mine\n");
    assert_eq!(run(folder.path(), &format!("{LEARN} -o mine.txt --overwrite")).code, 0);
    assert!(fs::read_to_string(folder.path().join("mine.txt")).unwrap().contains("\nAldermere\n"));
}

/// A later run starts from the files of an earlier one.
#[test]
fn a_later_run_goes_on_from_the_files() {
    let folder = pages();
    let whole = run(folder.path(), &format!("{LEARN} -o whole.txt"));
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    assert_eq!(run(folder.path(), &format!("{LEARN} --rounds 1 -o places.txt")).code, 0);
    let text = |name: &str| {
        let text = fs::read_to_string(folder.path().join(name)).unwrap_or_default();
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
    };
    let first = text("places.txt");
    assert!(!first.is_empty() && first.len() < text("whole.txt").len(), "{first:?}");
    // a person adds a term to the black list
    let refused = text("whole.txt").into_iter().find(|term| !first.contains(term)).unwrap();
    fs::write(folder.path().join("places.txt.refused"), format!("{refused}\n")).unwrap();
    let again = run(folder.path(), &format!("{LEARN} --continue -o places.txt"));
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(again.stderr.contains("known before)"), "{}", again.stderr);
    let terms = text("places.txt");
    assert!(first.iter().all(|term| terms.contains(term)) && !terms.contains(&refused), "{terms:?}");
    assert_eq!(text("places.txt.refused"), [refused.to_lowercase()]);
    // nothing new: the files stay, and the exit code says so
    let nothing = run(folder.path(), &format!("{LEARN} --continue -o places.txt"));
    assert_eq!((nothing.code, text("places.txt")), (1, terms), "{}", nothing.stderr);
    let both = run(folder.path(), &format!("{LEARN} --continue --overwrite -o places.txt"));
    assert_eq!(both.code, 2);
}

/// One page is a pipe that is filled once. In the second round the run waits for it forever and is killed.
#[test]
fn a_killed_run_keeps_its_finished_rounds() {
    let folder = pages();
    let pipe = folder.path().join("pages/0-pipe.html");
    assert_eq!(run(folder.path(), "mkfifo pages/0-pipe.html").code, 0);
    let mut child =
        shell(folder.path(), &format!("exec {LEARN} pages/0-pipe.html --memory 0 --jobs 1 -o places.txt"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
    // opening the pipe blocks until copal reads it
    fs::OpenOptions::new().write(true).open(&pipe).unwrap().write_all(b"<p>no list here</p>").unwrap();
    let file = folder.path().join("places.txt");
    let start = Instant::now();
    while !file.exists() && start.elapsed() < Duration::from_mins(1) {
        std::thread::sleep(Duration::from_millis(10));
    }
    // the second round has begun and cannot finish
    std::thread::sleep(Duration::from_millis(100));
    assert!(child.try_wait().unwrap().is_none(), "the run should be waiting for its pipe");
    child.kill().unwrap();
    child.wait().unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.starts_with("# terms of location (real-estate) that copal learned, round 1, not complete\n"),
        "{text}"
    );
    assert!(text.ends_with("\nPellingford\n"), "{text}");
}

/// Needs a terminal, which `script` provides. The test is skipped where `script` is missing.
#[test]
fn the_user_confirms_terms() {
    let folder = pages();
    let line = format!("{LEARN} --ask --lower 0.1 --upper 1 -o asked.txt");
    fs::write(folder.path().join("line.sh"), format!("{line}\n")).unwrap();
    // `sh` always starts; whether it finds `script` is checked below
    let mut child = shell(folder.path(), "script -qec 'sh line.sh' /dev/null")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // the terminal buffers what is typed before copal reads it
    let _ = stdin.write_all(b"maybe\ny\nq\n");
    let output = child.wait_with_output().unwrap();
    // closed only now, because the end of the input would end `script` before its command
    drop(stdin);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !text.contains("[y]es") {
        // other systems have a different `script`, or none
        return;
    }
    let question = "% sure, from \"Pellingford\") [y]es, [n]o, [q]uit: ";
    assert!(text.contains("add \"Pellingford\" to location? (") && text.contains(question), "{text}");
    let asked = fs::read_to_string(folder.path().join("asked.txt")).unwrap();
    assert!(asked.ends_with("complete\nPellingford\n"), "{asked}");
}

#[test]
fn wrong_usage_is_reported() {
    let folder = pages();
    fs::write(folder.path().join("empty.txt"), "# nothing\n").unwrap();
    fs::write(folder.path().join("bad.html"), b"\x89PNG\r\n\x1a\n").unwrap();
    fs::write(folder.path().join("there.txt"), "").unwrap();
    let runs = golden(
        "errors-learn",
        folder.path(),
        &[
            "copal domain learn",
            "copal domain learn real-estate pages",
            "copal domain learn real-estate pages --attribute place",
            "copal domain learn real-estate pages --attribute price",
            "copal domain learn real-estate pages --attribute branch_location",
            &format!("{LEARN} --lower 2"),
            &format!("{LEARN} --lower 0.8 --upper 0.2"),
            &format!("{LEARN} --ask --auto"),
            &format!("{LEARN} --ask"),
            &format!("{LEARN} --rounds 0"),
            &format!("{LEARN} -o there.txt"),
            "copal domain learn real-estate pages --attribute location --from empty.txt",
            "copal domain learn real-estate pages --attribute location --from missing.txt",
            "copal domain learn real-estate pages --attribute location --truth missing.txt",
            "copal domain learn real-estate missing.html bad.html --attribute location --jobs 1",
            &format!("{LEARN} missing.html bad.html --rounds 1 --jobs 1 -o some.txt"),
            &format!("{LEARN} --limit-nodes 90 --rounds 1 --jobs 1 -o cut.txt"),
            &format!("{LEARN} -o missing/places.txt"),
        ],
    );
    let codes: Vec<i32> = runs.iter().map(|run| run.code).collect();
    assert_eq!(codes, [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 0, 0, 3]);
    for line in runs.iter().flat_map(|run| run.stderr.lines()) {
        let said = line.split_once(": ").filter(|(word, _)| ["error", "warning"].contains(word));
        let Some((_, text)) = said else { continue };
        assert!(!text.ends_with('.') && !text.starts_with(char::is_uppercase), "{text}");
        assert!(!text.contains("os error"), "{text}");
    }
}

#[test]
fn help_has_examples() {
    let help = run(&root(), "copal domain learn --help");
    assert_eq!(help.code, 0);
    assert!(help.stdout.contains("Examples:\n  copal domain learn "), "{}", help.stdout);
}
