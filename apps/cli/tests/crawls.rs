//! Crawls: the long form of archives, parts and checkpoints that survive kills, limits of pages, filters and indexes.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{Run, end, shell};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const RECORDS: usize = 6;

fn list(number: usize, lang: &str) -> String {
    let item = |n: usize| {
        format!(
            "<li class=item><a href='/kettle/{number}-{n}'>Kettle {number}-{n}</a> <b class=price>£{n}.99</b></li>"
        )
    };
    let items: String = (1..=RECORDS).map(item).collect();
    format!(
        "<!doctype html><html lang={lang}><title>Kettles</title><h1>Kettles</h1><ul class=items>{items}</ul></html>"
    )
}

fn record(kind: &str, url: &str, digest: &str, body: &str) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{body}");
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-31T12:00:00Z\r\n\
         WARC-Payload-Digest: {digest}\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {}\r\n\r\n",
        http.len()
    );
    [head.as_bytes(), http.as_bytes(), b"\r\n\r\n"].concat()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn url(number: usize) -> String {
    format!("https://shop{}.example/{number}", number % 3)
}

fn page(number: usize) -> Vec<u8> {
    let lang = if number.is_multiple_of(2) { "en-GB" } else { "de" };
    gzip(&record("response", &url(number), &format!("sha1:{number}"), &list(number, lang)))
}

fn archive(pages: usize) -> Vec<u8> {
    (0..pages).flat_map(page).collect()
}

fn copal(folder: &Path, arguments: &str) -> Run {
    let line = format!("copal {arguments}");
    end(&mut shell(folder, &line), &line, b"")
}

/// The content of all parts, in their order.
fn parts(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.file_name().unwrap().to_string_lossy().starts_with("part-"));
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn the_long_form_has_every_text_in_the_order_of_the_archive() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("crawl.warc.gz"), archive(60)).unwrap();
    let run = copal(folder.path(), "extract crawl.warc.gz --long -o cells.jsonl -j 3");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("60 pages of") && run.stderr.contains("per second"), "{}", run.stderr);
    let lines = fs::read_to_string(folder.path().join("cells.jsonl")).unwrap();
    let titles: Vec<&str> = lines.lines().filter(|line| line.contains(r#""column":"title""#)).collect();
    assert_eq!(titles.len(), 60 * RECORDS);
    for (at, line) in titles.iter().enumerate() {
        let wanted = format!(r#""text":"Kettle {}-{}""#, at / RECORDS, at % RECORDS + 1);
        assert!(line.contains(&wanted), "{at}: {line}");
    }
    // threads of one process give the same rows as processes
    let run = copal(folder.path(), "extract crawl.warc.gz --long --in-process -o threads.jsonl -j 2");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(fs::read_to_string(folder.path().join("threads.jsonl")).unwrap(), lines);
    let line = "mkfifo pipe.warc.gz && (cat crawl.warc.gz > pipe.warc.gz &) && copal extract pipe.warc.gz --long -o pipe.jsonl";
    let run = end(&mut shell(folder.path(), line), line, b"");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(fs::read_to_string(folder.path().join("pipe.jsonl")).unwrap(), lines);
    let run = copal(folder.path(), "extract crawl.warc.gz --long");
    assert!(run.stdout.starts_with("page,url,kind,region,role,record,key,column,text,"), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), lines.lines().count() + 1);
}

#[test]
fn a_run_that_is_killed_again_and_again_gives_the_same_parts() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("crawl.warc.gz"), archive(400)).unwrap();
    fs::write(folder.path().join("second.warc.gz"), archive(30)).unwrap();
    // the default of folders is Parquet, whose files must be equal too, if this build has it
    let format = if cfg!(feature = "parquet") { "parquet" } else { "records" };
    let line = |name: &str| {
        format!(
            "extract crawl.warc.gz second.warc.gz --long --part-pages 40 --format {format} -j 2 -q -o {name}/"
        )
    };
    let run = copal(folder.path(), &line("whole"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let whole = parts(&folder.path().join("whole"));
    assert_eq!(whole.len(), 11);
    let mut kills = 0;
    let path = folder.path().join("killed");
    for attempt in 0..60 {
        let command = format!("exec copal {} --resume", line("killed"));
        let mut child = shell(folder.path(), &command)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let before = count_parts(&path);
        // at least one part more, then a little longer, so that the kill comes at another point each time
        let mut ended = false;
        for _ in 0..24_000 {
            if child.try_wait().unwrap().is_some() {
                ended = true;
                break;
            }
            if count_parts(&path) > before {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        if !ended {
            std::thread::sleep(Duration::from_millis(7 * (attempt % 9)));
            let _ = child.kill();
            kills += 1;
        }
        if child.wait().unwrap().success() {
            break;
        }
    }
    assert!(kills >= 5, "{kills}");
    assert_eq!(parts(&path), whole);
    let again = copal(folder.path(), &(line("killed") + " --resume"));
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(parts(&path), whole);
}

fn count_parts(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).map(|entries| entries.flatten().collect::<Vec<_>>());
    let is_part = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with("part-");
    entries.unwrap_or_default().iter().filter(|entry| is_part(entry)).count()
}

#[test]
fn a_folder_is_not_overwritten_and_a_checkpoint_belongs_to_its_run() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("crawl.warc.gz"), archive(6)).unwrap();
    let run = copal(folder.path(), "extract crawl.warc.gz --long -o cells/ --format csv");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("cells/: 1 part"), "{}", run.stderr);
    let run = copal(folder.path(), "extract crawl.warc.gz --long -o cells/ --format csv");
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("has parts of an earlier run"), "{}", run.stderr);
    let run =
        copal(folder.path(), "extract crawl.warc.gz --long -o cells/ --format csv --resume --fields title");
    assert!(run.code == 2 && run.stderr.contains("of another run"), "{}", run.stderr);
    let run = copal(folder.path(), "extract crawl.warc.gz --long -o cells/ --format csv --resume");
    assert!(run.code == 0 && run.stderr.contains("nothing to resume"), "{}", run.stderr);
    fs::write(folder.path().join("cells/_checkpoint.json"), "{").unwrap();
    let run = copal(folder.path(), "extract crawl.warc.gz --long -o cells/ --format csv --resume");
    assert!(run.code == 3 && run.stderr.contains("not a checkpoint"), "{}", run.stderr);
    for (arguments, message) in [
        ("--long -o cells.parquet --resume", "needs an output in parts"),
        ("--long -o cells.html", "--long is for"),
        ("--long --append -o cells.csv", "--append is not for --long"),
        ("--long --explain -o cells.csv", "--explain is not for --long"),
        ("--long --follow all -o cells.csv", "--follow is not for --long"),
        ("--by-template", "--by-template is for"),
        ("--lang x_y --long", "expected a language"),
        ("--mime html --long", "expected a content type"),
    ] {
        let run = copal(folder.path(), &format!("extract crawl.warc.gz {arguments}"));
        assert!(run.code == 2 && run.stderr.contains(message), "{arguments}: {}", run.stderr);
    }
}

#[test]
fn a_page_beyond_its_memory_costs_only_itself() {
    let folder = tempfile::tempdir().unwrap();
    let items: String = (0..120_000).map(|n| format!("<li><a href=/{n}>Item {n}</a> <b>£{n}</b>")).collect();
    let large = record("response", "https://shop.example/large", "sha1:l", &format!("<ul>{items}</ul>"));
    let bytes = [archive(20), gzip(&large), (20..40).flat_map(page).collect()].concat();
    fs::write(folder.path().join("crawl.warc.gz"), bytes).unwrap();
    let run = copal(
        folder.path(),
        "extract crawl.warc.gz --long -o cells.jsonl --page-memory 48 --limit-bytes 90000000",
    );
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert!(
        run.stderr.contains("https://shop.example/large: the page could not be read within 48 MB"),
        "{}",
        run.stderr
    );
    let lines = fs::read_to_string(folder.path().join("cells.jsonl")).unwrap();
    let titles = lines.lines().filter(|line| line.contains(r#""column":"title""#)).count();
    assert_eq!(titles, 40 * RECORDS);
    let errors: Vec<&str> = lines.lines().filter(|line| line.contains(r#""kind":"error""#)).collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("https://shop.example/large"), "{}", errors[0]);
}

/// Stops the worker while it has a page, so that the time of that page runs out on any machine.
#[cfg(target_os = "linux")]
#[test]
fn a_page_beyond_its_time_costs_only_itself() {
    const LARGE_BYTES: usize = 1 << 20;
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("crawl.warc");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let line = "exec copal extract crawl.warc --long -o cells.jsonl -j 1 --page-time 20";
    let command = shell(folder.path(), line).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    let mut write = |number: usize, padding: usize| {
        let body = format!("{}<!--{}-->", list(number, "en"), "x".repeat(padding));
        out.write_all(&record("response", &url(number), &format!("sha1:{number}"), &body)).unwrap();
    };
    write(0, LARGE_BYTES);
    write(1, 0);
    // a worker gets its first page after it said that it is ready
    let has_page = |worker: &u32| bytes_read(*worker).is_some_and(|bytes| bytes > LARGE_BYTES);
    let mut found = None;
    for _ in 0..12_000 {
        found = children(command.id()).into_iter().find(has_page);
        if found.is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let worker = found.expect("a worker with a page");
    assert!(Command::new("kill").args(["-STOP", &worker.to_string()]).status().unwrap().success());
    (2..12).for_each(|number| write(number, 0));
    drop(out);
    let ended = command.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("the page took longer than 20 s"), "{stderr}");
    let lines = fs::read_to_string(folder.path().join("cells.jsonl")).unwrap();
    let count = |text: &str| lines.lines().filter(|line| line.contains(text)).count();
    assert_eq!((count(r#""column":"title""#), count(r#""kind":"error""#)), (11 * RECORDS, 1));
}

/// The processes that a process has started.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_child = |process: &u32| {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        status.lines().any(|line| line == format!("PPid:\t{parent}"))
    };
    numbers.filter(is_child).collect()
}

/// Bytes that a process has read from files and pipes.
#[cfg(target_os = "linux")]
fn bytes_read(process: u32) -> Option<usize> {
    let counters = fs::read_to_string(format!("/proc/{process}/io")).ok()?;
    counters.lines().find_map(|line| line.strip_prefix("rchar: ")?.parse().ok())
}

#[test]
fn templates_give_the_same_rows_with_any_number_of_workers() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("crawl.warc.gz"), archive(700)).unwrap();
    let run = copal(folder.path(), "extract crawl.warc.gz --long --by-template -o one.jsonl -j 1");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("read by template"), "{}", run.stderr);
    let run = copal(folder.path(), "extract crawl.warc.gz --long --by-template -o three.jsonl -j 3");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let one = fs::read_to_string(folder.path().join("one.jsonl")).unwrap();
    assert_eq!(one, fs::read_to_string(folder.path().join("three.jsonl")).unwrap());
    let run = copal(folder.path(), "extract crawl.warc.gz --long -o full.jsonl");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let full = fs::read_to_string(folder.path().join("full.jsonl")).unwrap();
    assert_eq!(cells(&one), cells(&full));
}

/// Page, record, column, text and value of every row: what a template must not change.
fn cells(lines: &str) -> Vec<String> {
    let rows = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    rows.map(|row| {
        ["url", "kind", "record", "column", "text", "value"].map(|key| row[key].to_string()).join(" ")
    })
    .collect()
}

#[test]
fn parts_by_template_have_no_more_pages_than_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("crawl.warc.gz"), archive(230)).unwrap();
    let options = "--long --format records --by-template --template-pages 4 --part-pages 50 -j 2";
    let run = copal(folder.path(), &format!("extract crawl.warc.gz {options} -o cells/"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("read by template"), "{}", run.stderr);
    let pages = |part: &Vec<u8>| {
        let rows: Vec<String> = cells(str::from_utf8(part).unwrap());
        let mut urls: Vec<&str> = rows.iter().map(|row| row.split(' ').next().unwrap()).collect();
        urls.dedup();
        urls.len()
    };
    let counts: Vec<usize> = parts(&folder.path().join("cells")).iter().map(pages).collect();
    assert_eq!(counts, [50, 50, 50, 50, 30]);
}

#[test]
fn pages_are_chosen_by_language_type_and_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("crawl.warc.gz"), archive(10)).unwrap();
    let run = copal(path, "extract crawl.warc.gz --format pages --lang en");
    assert_eq!(run.stdout.lines().count(), 5, "{}", run.stderr);
    assert!(run.stderr.contains("5 left out by --lang"), "{}", run.stderr);
    let run = copal(path, "extract crawl.warc.gz --format pages --mime application/json");
    assert_eq!((run.code, run.stdout.lines().count()), (1, 0), "{}", run.stderr);
    let starts: Vec<usize> =
        (0..10).map(|number| (0..number).map(|before| page(before).len()).sum()).collect();
    let index = format!(
        "example,shop)/ 2026 {{\"filename\": \"data/crawl.warc.gz\", \"offset\": \"{}\"}}\n\
         example,shop)/ 2026 {{\"filename\": \"crawl.warc.gz\", \"offset\": {}}}\n\
         example,shop)/ 2026 {{\"filename\": \"crawl.warc.gz\", \"offset\": {}}}\n\
         example,shop)/ 2026 {{\"filename\": \"other.warc.gz\", \"offset\": 0}}\nnonsense\n",
        starts[7],
        starts[2],
        starts[2] + 3
    );
    fs::write(path.join("index.cdxj"), index).unwrap();
    let run = copal(path, "extract crawl.warc.gz --cdx index.cdxj --long -o chosen.jsonl");
    assert_eq!(run.code, 4, "the third position is wrong: {}", run.stderr);
    assert!(run.stderr.contains("1 line of other archives"), "{}", run.stderr);
    assert!(run.stderr.contains("1 line that could not be read"), "{}", run.stderr);
    assert!(run.stderr.contains("2 pages of") && run.stderr.contains("1 damaged record,"), "{}", run.stderr);
    let lines = fs::read_to_string(path.join("chosen.jsonl")).unwrap();
    assert!(lines.contains("Kettle 2-1") && lines.contains("Kettle 7-6") && !lines.contains("Kettle 3-1"));
    let run = copal(path, "extract crawl.warc.gz --cdx index.cdxj --format csv");
    assert!(run.stdout.contains("Kettle 7-6") && !run.stdout.contains("Kettle 3-1"), "{}", run.stderr);
    fs::write(path.join("page.cdx"), "<html>").unwrap();
    let run = copal(path, "extract crawl.warc.gz --cdx page.cdx --long");
    assert!(run.code == 3 && run.stderr.contains("expected CDX or CDXJ"), "{}", run.stderr);
}

#[test]
fn repeated_visits_have_the_content_of_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let visit = gzip(&record("revisit", "https://shop.example/again", "sha1:1", ""));
    let unknown = gzip(&record("revisit", "https://shop.example/gone", "sha1:99", ""));
    let bytes = [archive(3), visit, unknown, (3..5).flat_map(page).collect()].concat();
    fs::write(folder.path().join("crawl.warc.gz"), bytes).unwrap();
    let run = copal(folder.path(), "extract crawl.warc.gz --format pages --revisits");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let pages: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(pages.len(), 6, "{}", run.stderr);
    assert!(
        pages[3].contains("https://shop.example/again") && pages[3].contains("Kettle 1-1"),
        "{}",
        pages[3]
    );
    assert!(run.stderr.contains("1 not pages or stored elsewhere"), "{}", run.stderr);
    let run = copal(folder.path(), "extract crawl.warc.gz --format pages");
    assert_eq!(run.stdout.lines().count(), 5);
}

/// A zip file with stored entries.
fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in entries {
        let start = bytes.len() as u32;
        let size = (content.len() as u32).to_le_bytes();
        let name_length = (name.len() as u16).to_le_bytes();
        bytes.extend(b"PK\x03\x04\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0");
        bytes.extend([size, size].concat());
        bytes.extend([name_length, [0, 0]].concat());
        bytes.extend(name.as_bytes());
        bytes.extend(*content);
        directory.extend(b"PK\x01\x02\x0a\0\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0");
        directory.extend([size, size].concat());
        directory.extend(name_length);
        directory.extend([0; 12]);
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, length, count) = (bytes.len() as u32, directory.len() as u32, entries.len() as u16);
    bytes.extend(directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    bytes.extend([length.to_le_bytes(), start.to_le_bytes()].concat());
    bytes.extend([0, 0]);
    bytes
}

#[test]
fn wacz_files_and_folders_of_pages_are_crawled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (first, second) = (archive(3), archive(2));
    let wacz = zip(&[
        ("datapackage.json", b"{}"),
        ("archive/data.warc.gz", &first),
        ("archive/more.warc.gz", &second),
    ]);
    fs::write(path.join("site.wacz"), wacz).unwrap();
    let run = copal(path, "extract site.wacz --format pages");
    assert_eq!((run.code, run.stdout.lines().count()), (0, 5), "{}", run.stderr);
    let run = copal(path, "extract site.wacz --format csv");
    assert_eq!((run.code, run.stdout.lines().count()), (0, 1 + 5 * RECORDS), "{}", run.stderr);
    fs::write(path.join("cut.wacz"), &zip(&[("archive/data.warc.gz", &first)])[..200]).unwrap();
    let run = copal(path, "extract cut.wacz --long");
    assert!(run.code == 3 && run.stderr.contains("not a zip file, or its end is missing"), "{}", run.stderr);
    fs::create_dir(path.join("saved")).unwrap();
    fs::write(path.join("saved/a.html.gz"), gzip(list(1, "en").as_bytes())).unwrap();
    let mhtml = format!(
        "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"B\"\r\n\r\n--B\r\n\
         Content-Type: text/html\r\nContent-Location: https://shop.example/m\r\n\r\n{}\r\n--B--\r\n",
        list(2, "en")
    );
    fs::write(path.join("saved/b.mhtml"), mhtml).unwrap();
    let run = copal(path, "extract saved --long -o cells.jsonl");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let lines = fs::read_to_string(path.join("cells.jsonl")).unwrap();
    assert!(lines.contains("Kettle 1-6") && lines.contains("Kettle 2-6"), "{lines}");
}
