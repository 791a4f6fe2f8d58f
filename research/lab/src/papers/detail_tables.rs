//! AMBER on detail pages: Figures 7.28 (number of input pages), 7.29 (components), 7.30 and 7.31 (features).
//!
//! Pages of a site are read together, with the built-in domain of their vertical. An attribute of a page is right
//! if one of its texts is a gold value, or one holds the other and is at least half as long, as in the scorer of
//! the corpora; attributes are those that any page of the vertical has in the gold.

use super::PapersArgs;
use crate::corpus::{Corpus, CorpusPage};
use crate::error::LabError;
use crate::predict::{DetailRequest, PredictionRequest, Task, predict_all};
use crate::verticals::known_verticals;
use copal::{KindRequest, Request};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

/// How many pages are read together at most, as in the thesis.
const MAX_TOGETHER: usize = 10;
/// How many pages are read together where the number is not what is measured.
const TOGETHER: usize = 8;
/// The components of Figure 7.29 and the features of Figures 7.30 and 7.31.
const COMPONENTS: &[&str] = &["boilerplate", "lists", "dissimilarity"];
const FEATURES: &[&str] = &["dc", "rpr", "ta", "tps", "lp", "ce", "ir"];

/// Right, found and wanted values.
#[derive(Debug, Clone, Copy, Default)]
struct FieldCounts {
    right: usize,
    found: usize,
    wanted: usize,
}

impl AddAssign for FieldCounts {
    fn add_assign(&mut self, other: FieldCounts) {
        self.right += other.right;
        self.found += other.found;
        self.wanted += other.wanted;
    }
}

impl FieldCounts {
    fn precision(self) -> f64 {
        self.right as f64 / self.found.max(1) as f64
    }

    fn recall(self) -> f64 {
        self.right as f64 / self.wanted.max(1) as f64
    }

    fn f1(self) -> f64 {
        2.0 * self.right as f64 / (self.found + self.wanted).max(1) as f64
    }
}

/// Counts by vertical and attribute.
type AttributeCounts = BTreeMap<(String, String), FieldCounts>;

fn total(counts: &AttributeCounts) -> FieldCounts {
    counts.values().fold(FieldCounts::default(), |mut all, one| {
        all += *one;
        all
    })
}

/// The pages with their gold values.
struct DetailGold<'a> {
    corpus: &'a Corpus,
    pages: Vec<&'a CorpusPage>,
    /// The gold of each page, by id.
    gold: BTreeMap<String, Value>,
    /// The attributes of each vertical.
    attributes: BTreeMap<String, BTreeSet<String>>,
}

impl<'a> DetailGold<'a> {
    fn read(args: &PapersArgs, corpus: &'a Corpus) -> Result<DetailGold<'a>, LabError> {
        let pages = args.corpus.pages(corpus, "details")?;
        let mut gold = BTreeMap::new();
        let mut attributes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for page in &pages {
            let of_page = corpus.gold(&page.id)?;
            let names = of_page["fields"].as_object().into_iter().flat_map(|fields| fields.keys().cloned());
            attributes.entry(page.vertical.clone()).or_default().extend(names);
            gold.insert(page.id.clone(), of_page);
        }
        Ok(DetailGold { corpus, pages, gold, attributes })
    }

    /// Reads all pages and compares them with the gold.
    fn measure(&self, together: usize, without: &[&str]) -> AttributeCounts {
        let request = PredictionRequest {
            task: Task::Details,
            taken: KindRequest::Object,
            extraction: Request::default(),
            details: DetailRequest {
                together,
                domains: known_verticals(),
                without: without.iter().map(|&part| part.to_owned()).collect(),
            },
        };
        let pages = predict_all(&request, self.corpus, &self.pages, |page, found| self.compare(page, &found));
        let mut all = AttributeCounts::new();
        for (key, counts) in pages.into_iter().flatten() {
            *all.entry(key).or_default() += counts;
        }
        all
    }

    fn compare(&self, page: &CorpusPage, found: &Value) -> Vec<((String, String), FieldCounts)> {
        let gold = &self.gold[&page.id];
        let texts = |value: &Value| -> Vec<String> {
            let all = value.as_array().into_iter().flatten().filter_map(Value::as_str);
            all.map(normalised).filter(|text| !text.is_empty()).collect()
        };
        let attributes = self.attributes.get(&page.vertical).into_iter().flatten();
        let counts = attributes.filter_map(|name| {
            let (wanted, got) = (texts(&gold["fields"][name]), texts(&found["fields"][name]));
            // what the page does not show is not scored
            if wanted.is_empty() && gold["hidden"].get(name).is_some() {
                return None;
            }
            let is_right = got.iter().any(|one| wanted.iter().any(|gold| agree(one, gold)));
            let counts = FieldCounts {
                right: usize::from(is_right),
                found: usize::from(!got.is_empty()),
                wanted: usize::from(!wanted.is_empty()),
            };
            Some(((page.vertical.clone(), name.clone()), counts))
        });
        counts.collect()
    }
}

fn normalised(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn agree(a: &str, b: &str) -> bool {
    let (short, long) = (a.len().min(b.len()), a.len().max(b.len()));
    a == b || ((a.contains(b) || b.contains(a)) && 2 * short >= long)
}

/// Figure 7.28: how many pages of a site are read together.
pub(super) fn input_sizes(args: &PapersArgs, corpus: &Corpus) -> Result<(), LabError> {
    let gold = DetailGold::read(args, corpus)?;
    let mut of_site: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for page in &gold.pages {
        *of_site.entry((&page.vertical, &page.site)).or_default() += 1;
    }
    let most = of_site.values().copied().max().unwrap_or(1).min(MAX_TOGETHER);
    println!("{} pages of {} sites", gold.pages.len(), of_site.len());
    println!("| pages together | P | R | F1 |\n|--:|--:|--:|--:|");
    for together in 1..=most {
        let all = total(&gold.measure(together, &[]));
        println!("| {together} | {:.3} | {:.3} | {:.3} |", all.precision(), all.recall(), all.f1());
    }
    Ok(())
}

/// Figures 7.29 to 7.31: what is lost without a component or a feature, and by which attributes.
pub(super) fn features(args: &PapersArgs, corpus: &Corpus) -> Result<(), LabError> {
    let gold = DetailGold::read(args, corpus)?;
    let whole = gold.measure(TOGETHER, &[]);
    let all = total(&whole);
    println!("| without | P | R | F1 | attributes that lose most (F1) |\n|---|--:|--:|--:|---|");
    println!("| nothing | {:.3} | {:.3} | {:.3} | |", all.precision(), all.recall(), all.f1());
    for part in COMPONENTS.iter().chain(FEATURES) {
        let without = gold.measure(TOGETHER, &[part]);
        let now = total(&without);
        println!(
            "| {part} | {:+.3} | {:+.3} | {:+.3} | {} |",
            now.precision() - all.precision(),
            now.recall() - all.recall(),
            now.f1() - all.f1(),
            largest_losses(&whole, &without)
        );
    }
    println!("\n| vertical | attribute | wanted | P | R | F1 |\n|---|---|--:|--:|--:|--:|");
    for ((vertical, name), counts) in &whole {
        let [p, r, f1] = [counts.precision(), counts.recall(), counts.f1()];
        println!("| {vertical} | {name} | {} | {p:.3} | {r:.3} | {f1:.3} |", counts.wanted);
    }
    Ok(())
}

/// The three attributes that lose most.
fn largest_losses(whole: &AttributeCounts, without: &AttributeCounts) -> String {
    let loss = |key: &(String, String)| without.get(key).map_or(0.0, |now| whole[key].f1() - now.f1());
    let mut losses: Vec<(f64, &(String, String))> = whole.keys().map(|key| (loss(key), key)).collect();
    losses.sort_by(|a, b| b.0.total_cmp(&a.0));
    let shown = losses.iter().take(3).filter(|(loss, _)| *loss >= 0.01);
    let shown = shown.map(|(loss, (vertical, name))| format!("{vertical} {name} -{loss:.2}"));
    shown.collect::<Vec<_>>().join(", ")
}
