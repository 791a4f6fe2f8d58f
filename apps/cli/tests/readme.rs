//! The command lines in README.md and docs/guide are run, and the output that the documents show is compared
//! with what is really printed.
//!
//! - Every line of a ```` ```sh ```` block is run with `sh`, in a folder that has copies of `examples/` and
//!   `testdata/`. All blocks of one document share the folder, so a later command can use a file that an
//!   earlier one wrote. `cargo run --release -- ` stands for `copal `. The exit code must be 0, or N if the
//!   line ends in `# exit N`.
//! - The block after it (`text`, `csv`, `json` or `yaml`, with only blank lines between) is the output of its
//!   commands. A command that prints nothing on standard output is compared by its standard error, unless it writes a
//!   file and another command of the block prints something. A line `…`
//!   stands for any number of lines, and a line that ends in `…` may go on.
//! - A block without an output block may only have commands that write a file (`-o FILE` or `> FILE`). The
//!   file must exist and have content.
//! - Blocks marked ```` ```sh no-test ```` are not run.
//!
//! `COPAL_BLESS=1 cargo test -p copal-cli --test readme` writes the real output into blocks that show the
//! beginning of it. Read the difference before you commit it.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{folder, root, run};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Stands for any number of lines, or for the rest of a line.
const ELISION: char = '…';

const OUTPUT_LANGUAGES: [&str; 4] = ["text", "csv", "json", "yaml"];

struct Block<'a> {
    info: &'a str,
    lines: Vec<&'a str>,
    /// Line numbers of the content in the document, from 0.
    place: Range<usize>,
    /// Only blank lines are between this block and the one before.
    follows: bool,
}

impl Block<'_> {
    fn is_output(&self) -> bool {
        self.follows && OUTPUT_LANGUAGES.contains(&self.info)
    }
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let (mut inside, mut follows) = (false, false);
    for (number, line) in text.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(_) if inside => (inside, follows) = (false, true),
            Some(info) => {
                inside = true;
                let place = number + 1..number + 1;
                blocks.push(Block { info: info.trim(), lines: Vec::new(), place, follows });
            }
            None if inside => {
                let block = blocks.last_mut().unwrap();
                block.lines.push(line);
                block.place.end = number + 1;
            }
            None => follows &= line.trim().is_empty(),
        }
    }
    blocks
}

/// The command as it is run, and the exit code that it must have.
fn command(line: &str) -> (String, i32) {
    let line = match line.strip_prefix("cargo run --release -- ") {
        Some(rest) => format!("copal {rest}"),
        None => line.to_owned(),
    };
    let code = line.rsplit_once("# exit ").and_then(|(_, code)| code.trim().parse().ok());
    (line, code.unwrap_or(0))
}

/// The file that a command writes.
fn written_file(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    words.find(|word| matches!(*word, "-o" | "--output" | ">"))?;
    words.next()
}

fn line_matches(shown: &str, printed: &str) -> bool {
    shown == printed || shown.strip_suffix(ELISION).is_some_and(|start| printed.starts_with(start))
}

fn lines_match(shown: &[&str], printed: &[&str]) -> bool {
    shown.len() == printed.len()
        && shown.iter().zip(printed).all(|(shown, printed)| line_matches(shown, printed))
}

/// Whether the shown lines are the printed ones: pieces between lines `…` occur in order, the first at the
/// start and the last at the end.
fn output_matches(shown: &[&str], printed: &[&str]) -> bool {
    let pieces: Vec<&[&str]> = shown.split(|line| line.trim() == "…").collect();
    let (first, rest) = pieces.split_first().unwrap();
    if rest.is_empty() {
        return lines_match(first, printed);
    }
    if !printed.get(..first.len()).is_some_and(|start| lines_match(first, start)) {
        return false;
    }
    let mut printed = &printed[first.len()..];
    for (at, piece) in rest.iter().enumerate() {
        let is_last = at + 1 == rest.len();
        let starts = 0..=printed.len().saturating_sub(piece.len());
        let mut fits = starts.filter(|start| {
            printed.get(*start..start + piece.len()).is_some_and(|part| lines_match(piece, part))
        });
        let fit = if is_last && !piece.is_empty() { fits.next_back() } else { fits.next() };
        let Some(start) = fit else { return false };
        printed = &printed[start + piece.len()..];
    }
    pieces.last().is_some_and(|last| last.is_empty()) || printed.is_empty()
}

/// The new lines of a block when golden output is rewritten: as many printed lines as the block had. `None`
/// if the block shows pieces of the output, because a person has to choose those.
fn blessed(shown: &[&str], printed: &[&str]) -> Option<Vec<String>> {
    let at = shown.iter().position(|line| line.trim() == "…");
    if at.is_some_and(|at| at + 1 != shown.len()) {
        return None;
    }
    let count = at.unwrap_or(printed.len()).min(printed.len());
    let mut lines: Vec<String> = Vec::new();
    for (number, line) in printed[..count].iter().enumerate() {
        // a line that was cut stays as long as it was
        let cut = shown.get(number).filter(|shown| shown.ends_with(ELISION) && !line.ends_with(ELISION));
        lines.push(match cut {
            Some(shown) => line.chars().take(shown.chars().count() - 1).chain([ELISION]).collect(),
            None => (*line).to_owned(),
        });
    }
    if count < printed.len() {
        lines.push(ELISION.to_string());
    }
    Some(lines)
}

/// True if a command writes a format that this build does not have.
fn needs_missing_feature(block: &Block<'_>) -> bool {
    let has = |text: &str| block.lines.iter().any(|line| line.contains(text));
    !cfg!(feature = "parquet") && has(".parquet") || !cfg!(feature = "sqlite") && has(".sqlite")
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

fn markdown_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    files.sort();
    files
}

/// README.md and the pages of the guide.
fn documents() -> Vec<PathBuf> {
    let mut documents = vec![root().join("README.md")];
    documents.extend(markdown_files(&root().join("docs/guide")));
    documents
}

/// Runs the commands of one block. Returns what they print, and what is wrong with them.
fn run_block(block: &Block<'_>, folder: &Path, has_output: bool) -> (String, Vec<String>) {
    let (mut printed, mut messages, mut faults) = (String::new(), String::new(), Vec::new());
    for line in block.lines.iter().filter(|line| !line.trim().is_empty()) {
        let (line, wanted) = command(line);
        // the documents show a terminal of 100 columns
        let run = run(folder, &format!("export COLUMNS=100; {line}"));
        if run.code != wanted {
            faults.push(format!("$ {line}\nexit code {}, expected {wanted}\n{}", run.code, run.stderr));
        }
        match written_file(&line) {
            Some(name) => {
                let size = fs::metadata(folder.join(name)).map_or(0, |file| file.len());
                if size == 0 {
                    faults.push(format!("$ {line}\n{name} was not written, or is empty"));
                }
            }
            None if !has_output => faults.push(format!(
                "$ {line}\nthe document does not show its output: add a text block, or mark the block no-test"
            )),
            None => {}
        }
        if run.stdout.is_empty() && written_file(&line).is_none() {
            printed.push_str(&run.stderr);
        }
        printed.push_str(&run.stdout);
        messages.push_str(&run.stderr);
    }
    (if printed.is_empty() { messages } else { printed }, faults)
}

/// Runs the commands of a document. Returns the number of blocks that were run, and what is wrong.
fn check_document(path: &Path, bless: bool) -> (usize, Vec<String>) {
    let text = fs::read_to_string(path).unwrap();
    let folder = folder(&[]);
    for name in ["examples", "testdata"] {
        copy(&root().join(name), &folder.path().join(name));
    }
    let (mut count, mut faults) = (0, Vec::new());
    let mut new_lines: Vec<(Range<usize>, Vec<String>)> = Vec::new();
    let blocks = blocks(&text);
    for (at, block) in blocks.iter().enumerate().filter(|(_, block)| block.info == "sh") {
        count += 1;
        if needs_missing_feature(block) {
            continue;
        }
        let output = blocks.get(at + 1).filter(|next| next.is_output());
        let (printed, wrong) = run_block(block, folder.path(), output.is_some());
        faults.extend(wrong);
        let Some(output) = output else { continue };
        let printed: Vec<&str> = printed.trim_end().lines().collect();
        if output_matches(&output.lines, &printed) {
            continue;
        }
        match blessed(&output.lines, &printed).filter(|_| bless) {
            Some(lines) => new_lines.push((output.place.clone(), lines)),
            None => faults.push(format!(
                "$ {}\nthe document shows:\n{}\nprinted was:\n{}",
                block.lines.join("\n$ "),
                output.lines.join("\n"),
                printed.iter().take(output.lines.len().max(20)).copied().collect::<Vec<_>>().join("\n")
            )),
        }
    }
    if !new_lines.is_empty() {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (place, new) in new_lines.into_iter().rev() {
            lines.splice(place, new);
        }
        fs::write(path, lines.join("\n") + "\n").unwrap();
    }
    (count, faults)
}

#[test]
fn commands_print_what_the_documents_show() {
    let bless = std::env::var_os("COPAL_BLESS").is_some();
    let (mut count, mut faults) = (0, Vec::new());
    for path in documents() {
        let (blocks, wrong) = check_document(&path, bless);
        count += blocks;
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        faults.extend(wrong.into_iter().map(|fault| format!("{name}:\n{fault}")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(count >= 20, "only {count} blocks with commands were found");
}

#[test]
fn every_command_is_documented() {
    let mut text = String::new();
    for path in documents().into_iter().chain(markdown_files(&root().join("docs/measurements"))) {
        text.push_str(&fs::read_to_string(path).unwrap());
    }
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
        assert!(text.contains(&format!("copal {name}")), "no document shows copal {name}");
    }
}

/// The targets of Markdown links in a text, outside code blocks.
fn link_targets(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut targets = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside;
        }
        if !inside {
            let links = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
            targets.extend(links.map(|(target, _)| target.to_owned()));
        }
    }
    targets
}

/// The anchors of a document's headings, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let names = headings.map(|line| line.trim_start_matches('#').trim().to_lowercase());
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    names.map(|name| name.chars().filter(kept).collect::<String>().replace(' ', "-")).collect()
}

#[test]
fn links_between_documents_work() {
    let mut files = markdown_files(&root());
    for name in ["docs", "docs/guide", "docs/papers", "docs/measurements", "docs/decisions"] {
        files.extend(markdown_files(&root().join(name)));
    }
    let mut broken = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for target in link_targets(&text).into_iter().filter(|target| !target.contains("://")) {
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path = if path.is_empty() { file.clone() } else { file.parent().unwrap().join(path) };
            let has_anchor =
                || anchors(&fs::read_to_string(&path).unwrap()).iter().any(|name| name == anchor);
            if !path.exists() || !anchor.is_empty() && !has_anchor() {
                broken.push(format!("{}: {target}", file.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn documents_can_be_rendered_and_their_pages_link_to_each_other() {
    let folder = folder(&[]);
    let python = std::process::Command::new("python3")
        .arg(root().join("packaging/render_docs.py"))
        .arg(folder.path())
        .output();
    // nothing else in these tests needs python3
    let Ok(rendered) = python else { return };
    let message = String::from_utf8_lossy(&rendered.stderr).into_owned();
    assert!(rendered.status.success(), "{message}");
    let page = folder.path().join("docs/guide/watching.html");
    let text = fs::read_to_string(&page).unwrap();
    let heading =
        "<h2 id=\"what-counts-as-gone\"><a href=\"#what-counts-as-gone\">What counts as gone</a></h2>";
    assert!(text.contains(heading), "{text}");
    assert!(
        folder.path().join("docs/images/terminal.png").is_file(),
        "the pictures of the README are missing"
    );
    let links: Vec<&str> = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(links.len() > 20, "{links:?}");
    for link in links {
        match link.split('#').next().unwrap() {
            "" => assert!(text.contains(&format!("id=\"{}\"", &link[1..])), "{link}"),
            file => assert!(page.parent().unwrap().join(file).is_file(), "{link}"),
        }
    }
}

#[test]
fn a_block_knows_whether_it_follows_another() {
    let text = "a\n```sh\ncopal x\nls\n```\n\n```text\nout\n…\n```\nwords\n```text\nnot its output\n```\n```sh no-test\ncopal y\n```\n";
    let found: Vec<(&str, usize, bool)> =
        blocks(text).iter().map(|block| (block.info, block.lines.len(), block.follows)).collect();
    assert_eq!(found, [("sh", 2, false), ("text", 2, true), ("text", 1, false), ("sh no-test", 1, true)]);
    assert_eq!(
        command("cargo run --release -- extract a  # exit 1"),
        ("copal extract a  # exit 1".into(), 1)
    );
    assert_eq!(written_file("copal extract a -o b.csv  # a file"), Some("b.csv"));
    assert_eq!(anchors("# List or `object`?\ntext"), ["list-or-object"]);
    assert_eq!(link_targets("[a](b.md), [c](d#e)\n```\n[f](g)\n```"), ["b.md", "d#e"]);
}

#[test]
fn elisions_stand_for_lines_and_ends_of_lines() {
    let printed = ["a", "b one", "c", "d"];
    for shown in
        [&["a", "…"][..], &["a", "b…", "…", "d"], &["…", "c", "…"], &["…"], &["a", "b one", "c", "d"]]
    {
        assert!(output_matches(shown, &printed), "{shown:?}");
    }
    for shown in [&["a"][..], &["b one", "…"], &["a", "…", "c"], &["…", "d", "c", "…"]] {
        assert!(!output_matches(shown, &printed), "{shown:?}");
    }
    assert_eq!(blessed(&["x", "y…", "…"], &printed).unwrap(), ["a", "b…", "…"]);
    assert_eq!(blessed(&["x", "…", "y"], &printed), None);
}
