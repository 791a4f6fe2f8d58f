//! `copal-lab styles`: do the computed styles of copal-css agree with those of Chromium?
//!
//! In: pages of a corpus that have stylesheets inside. Out: per property the share of elements with the same computed
//! value. Each page is shown in a headless Chromium without network and without its own scripts; a script of ours
//! writes the computed values of every element into an HTML attribute. The document that the browser prints is what
//! copal-css reads, so that both work on the same tree.

use crate::corpus::Corpus;
use crate::error::LabError;
use crate::options::CorpusArgs;
use crate::predict::Task;
use crate::report::{self, Outcome};
use clap::Args;
use copal_css::{Colour, ComputedStyle, Stylesheets, computed_styles};
use copal_dom::{Limits, Page, tags};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Compare computed styles with those of Chromium
#[derive(Debug, Args)]
pub(crate) struct StylesArgs {
    #[command(flatten)]
    corpus: CorpusArgs,

    /// Which pages of the corpus
    #[arg(long, value_enum, default_value = "lists")]
    task: Task,

    /// Number of pages, spread over the corpus
    #[arg(long, value_name = "N", default_value_t = 30)]
    pages: usize,

    /// Least bytes of stylesheets inside a page
    #[arg(long, value_name = "N", default_value_t = 2000)]
    min_css: usize,

    /// Chromium's program
    #[arg(long, value_name = "FILE", default_value = "chromium")]
    browser: PathBuf,

    /// Print the most frequent differences
    #[arg(long)]
    differences: bool,
}

const ATTRIBUTE: &str = "data-computed-style";

/// In the order of [`PROPERTIES`].
const SCRIPT: &str = "addEventListener('load', () => { \
    const names = ['display','visibility','font-size','font-weight','font-style','font-family','color',\
    'background-color','text-decoration-line','text-align','white-space']; \
    const all = [...document.querySelectorAll('*')]; \
    const found = all.map(e => { const s = getComputedStyle(e); \
    return names.map(n => s.getPropertyValue(n)).join('|'); }); \
    all.forEach((e, i) => e.setAttribute('data-computed-style', found[i])); });";

const PROPERTIES: [&str; 11] = [
    "display",
    "visibility",
    "font-size",
    "font-weight",
    "font-style",
    "font-family",
    "color",
    "background-color",
    "text-decoration-line",
    "text-align",
    "white-space",
];

#[derive(Default)]
struct Agreement {
    equal: [usize; PROPERTIES.len()],
    elements: usize,
    pages: usize,
    /// Property, tag, what the browser says, what copal-css says.
    differences: BTreeMap<(usize, String, String, String), usize>,
}

pub(crate) fn run(args: &StylesArgs) -> Result<Outcome, LabError> {
    let corpus = Corpus::read(&args.corpus.corpus)?;
    let pages = args.corpus.pages(&corpus, args.task.name())?;
    let styled: Vec<&str> = pages
        .iter()
        .map(|page| page.id.as_str())
        .filter(|id| corpus.page(id).is_some_and(|page| css_bytes(&page) >= args.min_css))
        .collect();
    let step = (styled.len() / args.pages.max(1)).max(1);
    let mut agreement = Agreement::default();
    let mut failed = 0;
    for id in styled.iter().step_by(step).take(args.pages) {
        let Ok(bytes) = corpus.bytes(id) else { continue };
        match shown_page(&bytes, &args.browser)? {
            Some(page) => agreement.add(&page),
            None => {
                report::error(format!("{id}: the browser did not print the page"));
                failed += 1;
            }
        }
    }
    println!("{} pages, {} elements", agreement.pages, agreement.elements);
    for (name, equal) in PROPERTIES.iter().zip(agreement.equal) {
        println!("{name:22} {:.4}", equal as f64 / agreement.elements.max(1) as f64);
    }
    if args.differences {
        let mut all: Vec<_> = agreement.differences.into_iter().collect();
        all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for ((property, tag, theirs, ours), count) in all.iter().take(60) {
            println!("{count:6} {} <{tag}> browser {theirs:?} copal {ours:?}", PROPERTIES[*property]);
        }
    }
    Ok(Outcome::of_failures(failed))
}

fn css_bytes(page: &Page) -> usize {
    let styles = page.tree.nodes().filter(|&node| page.tree.tag(node) == tags::STYLE);
    styles.map(|node| page.tree.raw_text(node).len()).sum()
}

/// The page as the browser prints it, with its computed styles.
fn shown_page(bytes: &[u8], browser: &Path) -> Result<Option<Page>, LabError> {
    let limits = Limits::default();
    let Ok(decoded) = copal_dom::decode::decode(bytes, None, limits.bytes) else { return Ok(None) };
    let folder = std::env::temp_dir().join(format!("copal-lab-styles-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(LabError::write(&folder))?;
    let file = folder.join("page.html");
    std::fs::write(&file, with_script(&decoded.text)).map_err(LabError::write(&file))?;
    let printed = Command::new(browser)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom", "--window-size=1280,1024"])
        .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=5000", "--no-first-run"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let _ = std::fs::remove_dir_all(&folder);
    let printed = printed.map_err(LabError::read(browser))?;
    let text = String::from_utf8_lossy(&printed.stdout);
    Ok(text.contains(ATTRIBUTE).then(|| Page::from_text(&text, &limits)))
}

/// The page with our script, and with a policy that lets no other script run.
fn with_script(text: &str) -> String {
    let head = format!(
        "<meta charset=utf-8><meta http-equiv=Content-Security-Policy content=\"script-src 'nonce-copal'\">\
         <script nonce=copal>{SCRIPT}</script>"
    );
    let lower = text.to_ascii_lowercase();
    let tag_end = |name: &str| lower.find(name).and_then(|at| lower[at..].find('>').map(|end| at + end + 1));
    let at = tag_end("<head>").or_else(|| tag_end("<head ")).or_else(|| tag_end("<!doctype")).unwrap_or(0);
    format!("\u{feff}{}{head}{}", &text[..at], &text[at..])
}

impl Agreement {
    fn add(&mut self, page: &Page) {
        let tree = &page.tree;
        let Some(computed) = computed_styles(tree, &Stylesheets::default()) else { return };
        let Some(attribute) = tree.attr_name(ATTRIBUTE) else { return };
        self.pages += 1;
        for node in tree.nodes().filter(|&node| !tree.is_text(node) && !tree.is_foreign(node)) {
            let Some(theirs) = tree.attr(node, attribute) else { continue };
            let theirs: Vec<&str> = theirs.split('|').collect();
            if theirs.len() != PROPERTIES.len() {
                continue;
            }
            self.elements += 1;
            let ours = values(computed.of(node));
            for (at, (theirs, ours)) in theirs.into_iter().zip(ours).enumerate() {
                if is_equal(at, theirs, &ours) {
                    self.equal[at] += 1;
                } else {
                    let key = (at, tree.tag_name(node).to_owned(), theirs.to_owned(), ours);
                    *self.differences.entry(key).or_default() += 1;
                }
            }
        }
    }
}

/// In the order of [`PROPERTIES`].
fn values(style: &ComputedStyle) -> [String; PROPERTIES.len()] {
    let decoration = style.decoration;
    let lines = [
        (decoration.underline, "underline"),
        (decoration.overline, "overline"),
        (decoration.line_through, "line-through"),
    ];
    let lines: Vec<&str> = lines.iter().filter(|(is_there, _)| *is_there).map(|(_, name)| *name).collect();
    [
        style.display.to_owned(),
        style.visibility.to_owned(),
        style.font_size.to_string(),
        style.font_weight.to_string(),
        style.font_style.to_owned(),
        style.font_family.to_string(),
        format!("{:?}", style.colour),
        format!("{:?}", style.background),
        if lines.is_empty() { "none".to_owned() } else { lines.join(" ") },
        style.text_align.to_owned(),
        style.white_space.to_owned(),
    ]
}

fn is_equal(property: usize, theirs: &str, ours: &str) -> bool {
    match PROPERTIES[property] {
        "font-size" => {
            let number = |text: &str| text.trim_end_matches("px").parse::<f32>().ok();
            number(theirs).zip(number(ours)).is_some_and(|(a, b)| (a - b).abs() < 0.05)
        }
        "color" | "background-color" => {
            Colour::from_css(theirs).is_some_and(|colour| format!("{colour:?}") == ours)
        }
        "font-family" => {
            let plain: String = theirs.to_ascii_lowercase().replace(['"', '\''], "").replace(", ", ",");
            plain == ours || ours.is_empty() && plain == "times new roman"
        }
        _ => theirs == ours,
    }
}
