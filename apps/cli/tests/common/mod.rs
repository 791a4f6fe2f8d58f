//! Shared by the tests of the command: running command lines in a folder, golden files, and a few small
//! pages.
//!
//! A golden file (`tests/golden/<name>.txt`) is a transcript: each command line, its output and its exit
//! code. `COPAL_BLESS=1 cargo test -p copal-cli` rewrites them. Read the difference before you commit it.

// each test file is a crate of its own and uses only a part of this module
#![allow(dead_code)]

use snapbox::assert::Action;
use snapbox::data::DataFormat;
use snapbox::{Assert, Data};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

#[cfg(unix)]
pub(crate) mod changing_shop;
#[cfg(unix)]
pub(crate) mod kettle_site;
#[cfg(unix)]
pub(crate) mod searched_shop;
#[cfg(unix)]
pub(crate) mod service;
pub(crate) mod shop;

/// A shop with four lamps and everything that is difficult in CSV: a comma, quotes, formulas, an absent cell,
/// a list of tags.
pub(crate) const SHOP: &str = r#"<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Lamp shop</title></head><body>
<h1>Lamps</h1>
<div class="lamps">
<div class="lamp"><h2><a href="/lamp/1">Blue lamp</a></h2><p class="about">Small, "round" and blue</p>
<span class="price">£12</span><b class="off">-10%</b><ul class="tags"><li>desk</li><li>glass</li></ul></div>
<div class="lamp"><h2><a href="/lamp/2">Red lamp</a></h2><p class="about">=HYPERLINK("http://bad.example")</p>
<span class="price">£14</span><ul class="tags"><li>floor</li></ul></div>
<div class="lamp"><h2><a href="/lamp/3">Green lamp</a></h2><p class="about">@home and at work</p>
<span class="price">£9</span><b class="off">-25%</b><ul class="tags"><li>desk</li><li>steel</li><li>new</li></ul></div>
<div class="lamp"><h2><a href="/lamp/4">Lamp, plain</a></h2><p class="about">+1 bulb</p>
<ul class="tags"><li>floor</li><li>wood</li></ul></div>
</div>
<h2>Seen before</h2>
<ol class="seen"><li><a href="/lamp/7">Paper lamp</a> <i>£5</i></li><li><a href="/lamp/8">Clip lamp</a> <i>£6</i></li>
<li><a href="/lamp/9">Oil lamp</a> <i>£21</i></li><li><a href="/lamp/10">Salt lamp</a> <i>£8</i></li></ol>
</body></html>
"#;

/// Another page with another set of columns.
pub(crate) const BOOKS: &str = r#"<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Books</title></head><body><table>
<tr><th>Title</th><th>Author</th><th>Year</th></tr>
<tr><td><a href="/b/1">The Long Field</a></td><td>Ada Moor</td><td>1987</td></tr>
<tr><td><a href="/b/2">Salt and Rope</a></td><td>Ben Carr</td><td>2003</td></tr>
<tr><td><a href="/b/3">Night Ferry</a></td><td>Ida Lund</td><td>2011</td></tr>
</table></body></html>
"#;

/// A page that shows no list.
pub(crate) const ARTICLE: &str =
    "<!DOCTYPE html><title>One thing</title><p>Only this sentence is here.</p>\n";

/// A command line and its result.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) line: String,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

/// Runs a command line with `sh` in a folder; `copal` in it is the command under test.
pub(crate) fn run(folder: &Path, line: &str) -> Run {
    run_with(folder, line, b"")
}

/// Like [`run`], with a text on standard input.
pub(crate) fn run_with(folder: &Path, line: &str, stdin: &[u8]) -> Run {
    end(&mut shell(folder, line), line, stdin)
}

/// Runs a command and waits for its end.
pub(crate) fn end(command: &mut Command, line: &str, stdin: &[u8]) -> Run {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // a command that does not read its input may have ended already
    let _ = child.stdin.take().unwrap().write_all(stdin);
    let output = child.wait_with_output().unwrap();
    Run {
        line: line.to_owned(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap_or(-1),
    }
}

/// Prepares a command line. Our `copal` is first on the path, environment variables that would change it are
/// removed, and cache and configuration are in the folder, not in the user's home.
pub(crate) fn shell(folder: &Path, line: &str) -> Command {
    let bin = Path::new(env!("CARGO_BIN_EXE_copal")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&path))).unwrap();
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).current_dir(folder).env("PATH", path);
    command.env("XDG_CACHE_HOME", folder.join("kept")).env("XDG_CONFIG_HOME", folder.join("config"));
    for name in ["COPAL_HEADERS", "COPAL_COOKIE", "COPAL_COOKIES", "COPAL_PROXY"] {
        command.env_remove(name);
    }
    for name in ["NO_COLOR", "COLUMNS", "RUST_BACKTRACE", "RAYON_NUM_THREADS", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"] {
        command.env_remove(name).env_remove(name.to_lowercase());
    }
    command
}

/// Runs command lines and compares them with their golden file.
pub(crate) fn golden(name: &str, folder: &Path, lines: &[&str]) -> Vec<Run> {
    let runs: Vec<Run> = lines.iter().map(|line| run(folder, line)).collect();
    compare(name, &transcript(&runs));
    runs
}

/// The runs as text. Control and direction characters are escaped, so that golden files do not contain them.
pub(crate) fn transcript(runs: &[Run]) -> String {
    let mut out = String::new();
    for run in runs {
        let stderr = if run.stderr.is_empty() { String::new() } else { format!("[stderr]\n{}", run.stderr) };
        write!(out, "$ {}\n{}{stderr}[exit {}]\n\n", run.line, run.stdout, run.code).unwrap();
    }
    let plain = |c: char| {
        let odd = c.is_control() && c != '\n' || matches!(c, '\u{61c}' | '\u{202a}'..='\u{202e}');
        if odd { c.escape_default().to_string() } else { c.to_string() }
    };
    out.trim_end().chars().map(plain).chain(["\n".to_owned()]).collect()
}

/// Compares a text with a golden file, byte by byte: the placeholders of snapbox are off, since pages contain
/// `...` and brackets too.
pub(crate) fn compare(name: &str, got: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
    let is_update = std::env::var_os("COPAL_BLESS").is_some_and(|value| value == "1");
    let action = if is_update { Action::Overwrite } else { Action::Verify };
    let want = Data::read_from(&path, Some(DataFormat::Text)).raw();
    if let Err(difference) = Assert::new().action(action).try_eq(Some(&"now"), Data::text(got).raw(), want) {
        panic!(
            "{difference}\nIf this is intended: COPAL_BLESS=1 cargo test -p copal-cli, and read the difference."
        );
    }
}

/// Asserts that messages follow our style.
pub(crate) fn style(run: &Run) {
    for line in run.stderr.lines() {
        let Some((word, text)) =
            line.split_once(": ").filter(|(word, _)| ["error", "hint", "warning"].contains(word))
        else {
            continue;
        };
        assert!(!text.ends_with('.'), "{word} ends in a full stop: {text}");
        assert!(!text.starts_with(char::is_uppercase), "{word} begins with a capital: {text}");
        assert!(!text.contains("os error"), "{word} names a number of the system: {text}");
    }
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
}

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A temporary folder with these files. Missing parent folders are created.
pub(crate) fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

/// A page with many records.
pub(crate) fn long_page(records: usize) -> String {
    let mut page = String::from("<!DOCTYPE html><title>Long</title><ul>\n");
    for n in 1..=records {
        writeln!(page, "<li><a href='/{n}'>Record number {n}</a> <span class=price>£{n}</span></li>")
            .unwrap();
    }
    page + "</ul>"
}

/// A folder `pages` with this many pages and this many lamps on each. Every lamp has its own URL.
pub(crate) fn many_pages(pages: usize, records: usize) -> TempDir {
    let page = |page: usize| {
        let mut html =
            format!("<!DOCTYPE html><title>Page {page}</title><base href='https://shop.example/'><ul>");
        for n in 1..=records {
            let lamp =
                format!("<h3><a href='/{page}/{n}'>Lamp {n} of {page}</a></h3> <i class=price>£{n}.50</i>");
            write!(html, "<li>{lamp}</li>").unwrap();
        }
        (format!("pages/{page:03}.html"), html + "</ul>")
    };
    let pages: Vec<(String, String)> = (1..=pages).map(page).collect();
    let files: Vec<(&str, &[u8])> =
        pages.iter().map(|(name, html)| (name.as_str(), html.as_bytes())).collect();
    folder(&files)
}

/// Names of the files in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}
