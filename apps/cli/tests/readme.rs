//! The README's command lines work, and show what they print.
//!
//! Every line of a block ```` ```sh ```` that begins with `copal ` or `cargo run --release -- ` is run, in a folder
//! with copies of `examples/` and `testdata/`. It must end with exit code 0, or with 1 if it ends in `# exit 1`.
//! Blocks marked ```` ```sh no-test ```` are left alone. A block ```` ```text ```` right below a command is the
//! beginning of what it prints, up to a line `…`.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{folder, root, run};
use std::fs;
use std::path::Path;

struct Block<'a> {
    info: &'a str,
    lines: Vec<&'a str>,
    /// Nothing but empty lines is between it and the block before.
    follows: bool,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let (mut inside, mut follows) = (false, false);
    for line in text.lines() {
        match line.trim_start().strip_prefix("```") {
            Some(_) if inside => (inside, follows) = (false, true),
            Some(info) => {
                inside = true;
                blocks.push(Block { info: info.trim(), lines: Vec::new(), follows });
            }
            None if inside => blocks.last_mut().unwrap().lines.push(line),
            None => follows &= line.trim().is_empty(),
        }
    }
    blocks
}

/// The line as `copal …`, if it is one of ours.
fn command(line: &str) -> Option<String> {
    let rest = line.strip_prefix("cargo run --release -- ").or_else(|| line.strip_prefix("copal "))?;
    Some(format!("copal {rest}"))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn command_lines_work() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let folder = folder(&[]);
    for name in ["examples", "testdata"] {
        copy(&root().join(name), &folder.path().join(name));
    }
    let mut count = 0;
    let mut faults = Vec::new();
    let mut printed: Option<String> = None;
    for block in blocks(&text) {
        if let Some(printed) = printed.take().filter(|_| block.follows && block.info == "text") {
            let shown: Vec<&str> =
                block.lines.iter().copied().take_while(|line| line.trim() != "…").collect();
            let real: Vec<&str> = printed.lines().take(shown.len()).collect();
            if shown != real {
                faults.push(format!("shown:\n{}\nprinted:\n{}", shown.join("\n"), real.join("\n")));
            }
        }
        if block.info != "sh" {
            continue;
        }
        for line in block.lines.iter().filter_map(|line| command(line)) {
            count += 1;
            let wanted = i32::from(line.ends_with("# exit 1"));
            let run = run(folder.path(), &line);
            if run.code != wanted {
                faults.push(format!("{line}\nended with {}, not {wanted}\n{}", run.code, run.stderr));
            }
            printed = Some(run.stdout);
        }
    }
    assert!(faults.is_empty(), "README.md:\n{}", faults.join("\n\n"));
    assert!(count >= 5, "only {count} command lines found in README.md");
}

#[test]
fn every_command_is_mentioned() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let help = run(&root(), "copal --help").stdout;
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.contains(&"extract") && commands.contains(&"learn"), "{commands:?}");
    for name in commands {
        assert!(text.contains(&format!("copal {name}")), "README.md does not mention copal {name}");
    }
}

#[test]
fn blocks_are_told_apart() {
    let text = "a\n```sh\ncopal x\nls\n```\n\n```text\nout\n…\n```\nwords\n```text\nnot its output\n```\n```sh no-test\ncopal y\n```\n";
    let found: Vec<(&str, usize, bool)> =
        blocks(text).iter().map(|block| (block.info, block.lines.len(), block.follows)).collect();
    assert_eq!(found, [("sh", 2, false), ("text", 2, true), ("text", 1, false), ("sh no-test", 1, true)]);
    assert_eq!(command("cargo run --release -- extract a").as_deref(), Some("copal extract a"));
    assert_eq!(command("cargo build"), None);
}
