//! The cost of each stage compared with html5ever's parser alone, in one run over a folder of pages.
//!
//! `cargo bench -p copal --bench stages [-- FOLDER]` (default: `testdata`, or the folder in `COPAL_CORPUS`).
//! Every stage runs several times per page, and its fastest run counts. Times are processor time: on a busy
//! machine, a long stage is interrupted in each of its runs and a short one in none, so that ratios of
//! elapsed times grow. The table has the sums over all pages, the ratios to the plain parser, and the
//! slowest page. With `--memory` it has the size of the tree per byte of HTML instead. With `--in-turn` each
//! stage reads all pages one after the other, as a run over a folder does: a short loop over one page is
//! learned by the branch prediction of the processor, whose caches have the page.

#![allow(missing_docs)]

mod bare_sink;

use bare_sink::parse_with_html5ever;
use copal::{Limits, Method, Page};
use copal_dom::{Index, Styles, parse};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

const RUNS: usize = 5;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let folder = args.iter().find(|arg| !arg.starts_with("--")).map(PathBuf::from);
    let folder = folder.or_else(|| std::env::var_os("COPAL_CORPUS").map(PathBuf::from)).unwrap_or(own);
    let pages = pages(&folder);
    let bytes: usize = pages.iter().map(|(_, text)| text.len()).sum();
    println!("{} pages, {:.1} MB of text, fastest of {RUNS} runs", pages.len(), bytes as f64 / 1e6);
    if args.iter().any(|arg| arg == "--memory") {
        return memory(&pages);
    }
    if args.iter().any(|arg| arg == "--in-turn") {
        return stages_in_turn(&pages);
    }
    stages(&pages, bytes);
}

fn pages(folder: &Path) -> Vec<(String, String)> {
    let mut todo = vec![folder.to_owned()];
    let mut pages = Vec::new();
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            todo.extend(std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
        } else if path.extension().is_some_and(|ending| ending == "html")
            && let Ok(bytes) = std::fs::read(&path)
            && let Ok(decoded) = copal_dom::decode::decode(&bytes, None, Limits::default().bytes)
        {
            pages.push((path.display().to_string(), decoded.text));
        }
    }
    pages.sort();
    pages
}

/// The time for which this thread has run so far.
fn processor_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.try_into().unwrap_or(0), now.tv_nsec.try_into().unwrap_or(0))
}

/// Milliseconds of the fastest run.
fn fastest(mut work: impl FnMut()) -> f64 {
    let time = |work: &mut dyn FnMut()| {
        let start = processor_time();
        work();
        processor_time().saturating_sub(start).as_secs_f64() * 1000.0
    };
    (0..RUNS).map(|_| time(&mut work)).fold(f64::INFINITY, f64::min)
}

fn stages(pages: &[(String, String)], bytes: usize) {
    const NAMES: [&str; 14] = [
        "html5ever alone",
        "parse to arena",
        "style",
        "index",
        "mdr",
        "buw",
        "rdr",
        "mdr+buw+rdr",
        "amber (links)",
        "combined",
        "next page and counters",
        "annotate (generic types)",
        "annotate (real-estate)",
        "extract, bytes to cells",
    ];
    let limits = Limits::default();
    let domain = copal::Domain::load("real-estate").expect("a built-in domain");
    let mut sums = [0.0; NAMES.len()];
    let mut slowest = vec![(0.0, ""); NAMES.len()];
    for (name, text) in pages {
        let tree = parse::parse(text, &limits).0;
        let styles = Styles::compute(&tree);
        let page = Page::from_text(text, &limits);
        let find = |method: Method| {
            let mut options = copal_extract::Request::default();
            options.lists.method = method;
            fastest(|| drop(black_box(copal_extract::find(&page, &options.lists))))
        };
        let methods = Method::ALL.map(find);
        let found = copal::extract_page(&page, &copal::Request::default());
        let whole = fastest(|| drop(black_box(copal::extract(text, &copal::Request::default()))));
        let times = [
            fastest(|| {
                black_box(parse_with_html5ever(text));
            }),
            fastest(|| drop(black_box(parse::parse(text, &limits)))),
            fastest(|| drop(black_box(Styles::compute(&tree)))),
            fastest(|| drop(black_box(Index::compute(&tree, &styles)))),
            methods[0],
            methods[1],
            methods[2],
            methods[..3].iter().sum(),
            methods[3],
            methods[4],
            fastest(|| drop(black_box(copal::paging::page_info(&page, found.primary())))),
            fastest(|| drop(black_box(copal_domain::Annotations::new(&page)))),
            fastest(|| drop(black_box(copal_domain::annotate(&page, &domain)))),
            whole,
        ];
        for (i, &time) in times.iter().enumerate() {
            sums[i] += time;
            if time > slowest[i].0 {
                slowest[i] = (time, name);
            }
        }
    }
    println!("{:32} {:>9} {:>8} {:>9} {:>9}  slowest page", "stage", "sum ms", "MB/s", "of parse", "most ms");
    for (i, name) in NAMES.iter().enumerate() {
        let rate = bytes as f64 / 1e3 / sums[i];
        let (most, page) = slowest[i];
        let page = page.rsplit('/').next().unwrap_or_default();
        println!("{name:32} {:9.1} {rate:8.1} {:9.3} {most:9.2}  {page}", sums[i], sums[i] / sums[0]);
    }
}

/// Whole runs over all pages; the fastest run of each page counts.
fn stages_in_turn(pages: &[(String, String)]) {
    type Stage = (&'static str, fn(&str));
    const STAGES: [Stage; 4] = [
        ("html5ever alone", |text| {
            black_box(parse_with_html5ever(text));
        }),
        ("parse to arena", |text| drop(black_box(parse::parse(text, &Limits::default())))),
        ("parse, style, index", |text| drop(black_box(Page::from_text(text, &Limits::default())))),
        ("extract, bytes to cells", |text| {
            drop(black_box(copal::extract(text, &copal::Request::default())));
        }),
    ];
    let mut fastest_of_page = vec![[f64::INFINITY; STAGES.len()]; pages.len()];
    for _ in 0..RUNS {
        for (stage, (_, work)) in STAGES.iter().enumerate() {
            for ((_, text), best) in pages.iter().zip(&mut fastest_of_page) {
                let start = processor_time();
                work(text);
                best[stage] = best[stage].min(processor_time().saturating_sub(start).as_secs_f64() * 1000.0);
            }
        }
    }
    let sum = |stage: usize| fastest_of_page.iter().map(|best| best[stage]).sum::<f64>();
    println!("{:32} {:>9} {:>9}", "stage, pages in turn", "sum ms", "of parse");
    for (stage, (name, _)) in STAGES.iter().enumerate() {
        println!("{name:32} {:9.1} {:9.3}", sum(stage), sum(stage) / sum(0));
    }
}

fn memory(pages: &[(String, String)]) {
    let (mut tree_bytes, mut bytes, mut most) = (0, 0, 0.0f64);
    for (_, text) in pages {
        let held = parse::parse(text, &Limits::default()).0.heap_bytes();
        tree_bytes += held;
        bytes += text.len();
        if text.len() > 10_000 {
            most = most.max(held as f64 / text.len() as f64);
        }
    }
    println!("arena tree: {:.2} bytes per byte of HTML, at most {most:.2}", tree_bytes as f64 / bytes as f64);
}
