//! Learning a wrapper from pages whose main list is known.
//!
//! In: pages with their extractions. Out: a [`Wrapper`] with several locators for the region, the records and every column. A
//! locator is kept if on the samples it finds what the extraction found: elements for records, texts and addresses for
//! columns. Work is bounded: few records are looked at for candidates, and selectors have fuel.

use crate::candidates::{self, Candidate, Family, choose};
use crate::css::{Arena, Css};
use crate::file::{ColumnRule, From, PageKind, PageRule, RecordRule, Wrapper, kind_named};
use crate::looks::Looks;
use crate::navigation::Navigation;
use crate::regions::{self, heads_of};
use crate::{learn_columns, profile};
use copal_dom::{Node, Page};
use copal_extract::located::{root_of, tops};
use copal_extract::{Answer, Origin, Parts, Region};
use rustc_hash::FxHashSet;

/// Locators of one thing, at most.
pub(crate) const LOCATORS: usize = 5;
/// Records whose elements give candidates.
const SAMPLE: usize = 6;
/// Least agreement with the sample's records.
const LEAST: f64 = 0.9;
/// Elements inside of a record that may tell it from what is none.
const INSIDE: usize = 300;

/// A page, its main list, and what is asked of selectors on it.
pub(crate) struct Sample<'a> {
    pub(crate) page: &'a Page,
    pub(crate) list: &'a Region,
    pub(crate) arena: Arena<'a>,
    root: Node,
    /// The first element of each record.
    heads: Vec<Node>,
}

/// What was learned.
#[derive(Debug)]
pub struct Learned {
    /// The wrapper.
    pub wrapper: Wrapper,
    /// What it leaves out, and why.
    pub notes: Vec<String>,
}

/// Learns from pages of one kind and their extractions.
pub fn learn(samples: &[(&Page, &Answer)]) -> Result<Learned, String> {
    let mut notes = Vec::new();
    let mut known = Vec::new();
    for (page, extraction) in samples {
        match extraction
            .primary()
            .filter(|list| list.origin == Origin::Page)
            .and_then(|list| Sample::of(page, list))
        {
            Some(sample) => known.push(sample),
            None => notes.push("a page without a list that can be learned was left out".into()),
        }
    }
    let Some(first) = known.first() else {
        return Err("no page has a main list whose records are elements side by side".into());
    };
    let mut record = record_rule(&known)?;
    let region = region_locators(&known, &record);
    if region.is_empty() {
        return Err("no selector finds the element that holds the records".into());
    }
    if region[0] == regions::ANYWHERE {
        record.find.retain(|css| regions::is_named(css));
    }
    let columns = learn_columns::columns(&known, &mut notes);
    record.looks = looks(&known, &columns);
    let rule = PageRule { kind: PageKind::List, region, record: Some(record), columns, profile: None };
    let mut wrapper = Wrapper::new(first.page.url.as_deref().and_then(site_of), rule);
    wrapper.navigation = Navigation::learn(first.page, first.list);
    // the profile is of what the wrapper reads, which may be less than what was extracted
    let read: Vec<(&Page, Answer)> =
        known.iter().map(|sample| (sample.page, crate::apply(&wrapper, sample.page))).collect();
    let lists: Vec<(&Page, &Region)> =
        read.iter().filter_map(|(page, read)| Some((*page, read.primary()?))).collect();
    profile::fill(&mut wrapper.pages[0], &lists);
    Ok(Learned { wrapper, notes })
}

/// What the samples' records look like.
fn looks(samples: &[Sample<'_>], columns: &[ColumnRule]) -> Option<Looks> {
    let records: Vec<(&Page, Vec<Parts>)> = samples
        .iter()
        .map(|sample| {
            (sample.page, sample.list.records.iter().map(|record| record.place.parts.clone()).collect())
        })
        .collect();
    let texts = columns.iter().filter(|column| column.from == From::Text);
    Looks::of(&records, &texts.filter_map(|column| kind_named(column.kind.as_deref()?)).collect())
}

impl<'a> Sample<'a> {
    /// None if records are in several parts, or have no element.
    pub(crate) fn of(page: &'a Page, list: &'a Region) -> Option<Sample<'a>> {
        let mut heads = Vec::with_capacity(list.records.len());
        for record in &list.records {
            let [part] = &record.place.parts[..] else { return None };
            heads.push(*tops(page, part).first()?);
        }
        let parts: Vec<_> = list.records.iter().map(|record| record.place.parts.clone()).collect();
        let root = root_of(page, &parts);
        Some(Sample { page, list, arena: Arena::new(&page.tree), root, heads })
    }
}

/// Scheme and host of an address, and anything behind.
pub(crate) fn site_of(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty())?;
    Some(format!("{scheme}://{host}/*"))
}

fn region_locators(samples: &[Sample<'_>], record: &RecordRule) -> Vec<String> {
    let mut all = Vec::new();
    let mut several: Option<(f64, String)> = None;
    let mut seen = FxHashSet::default();
    for sample in samples.iter().take(SAMPLE) {
        for candidate in candidates::of(&sample.page.tree, 0, sample.root) {
            if !seen.insert(candidate.css.clone()) {
                continue;
            }
            let Ok(css) = Css::parse(&candidate.css) else { continue };
            let found: Vec<Vec<Node>> = samples.iter().map(|sample| css.select(&sample.arena)).collect();
            let count = |is: &dyn Fn(&[Node], Node) -> bool| {
                found.iter().zip(samples).filter(|(found, sample)| is(found, sample.root)).count() as f64
            };
            let share = count(&|found, root| found == [root]) / samples.len() as f64;
            let among = count(&|found, root| found.len() <= regions::MOST_REGIONS && found.contains(&root));
            if share > 0.0 {
                all.push((candidate.family, candidate.score * share, candidate.css));
            } else if among as usize == samples.len()
                && candidate.family == Family::Name
                && several.as_ref().is_none_or(|(score, _)| candidate.score > *score)
            {
                several = Some((candidate.score, candidate.css));
            }
        }
    }
    // records that are known by a name need no region around them
    let free = is_free(samples, record).then(|| regions::ANYWHERE.to_owned());
    if all.iter().all(|(family, ..)| *family == Family::Position) {
        // parents until it is unique
        let first = &samples[0];
        let pattern = crate::deuds::pattern(&first.arena, first.root).ok();
        let several = several.map(|(_, css)| css);
        let found = free.into_iter().chain(choose(all, 1)).chain(several).chain(pattern);
        return found.take(LOCATORS).collect();
    }
    let mut found = choose(all, LOCATORS);
    if found.len() == LOCATORS && free.is_some() {
        found.pop();
    }
    found.extend(free);
    found
}

/// True if the records' first selector has a name in it and finds the same below `body`.
fn is_free(samples: &[Sample<'_>], record: &RecordRule) -> bool {
    regions::is_named(&record.find[0])
        && samples.iter().all(|sample| {
            let body = sample.page.tree.find(copal_dom::tags::BODY);
            let starts = |region: Node| -> Vec<Node> {
                let records = regions::records(sample.page, &sample.arena, region, record, 0);
                records.iter().map(|parts| parts[0].start).collect()
            };
            body.is_some_and(|body| starts(body) == starts(sample.root))
        })
}

/// A selector for records, with what it finds on the samples.
struct Tried {
    candidate: Candidate,
    /// By sample.
    found: Vec<Vec<Node>>,
}

fn record_rule(samples: &[Sample<'_>]) -> Result<RecordRule, String> {
    let mut tried: Vec<Tried> = Vec::new();
    let mut seen = FxHashSet::default();
    for sample in samples.iter().take(SAMPLE) {
        let step = sample.heads.len().div_ceil(SAMPLE).max(1);
        let some = sample.heads.iter().step_by(step).chain(sample.heads.last());
        for candidate in some.flat_map(|&head| candidates::of(&sample.page.tree, sample.root, head)) {
            if !seen.insert(candidate.css.clone()) {
                continue;
            }
            let Ok(css) = Css::parse(&candidate.css) else { continue };
            let found = samples
                .iter()
                .map(|sample| heads_of(sample.page, &sample.arena, sample.root, &css))
                .collect();
            tried.push(Tried { candidate, found });
        }
    }
    let (mut find, mut needs) = (good(&tried, samples), None);
    if find.iter().all(|(_, score, _)| *score < 0.0) {
        if let Some((css, inside)) = with_needs(&tried, samples) {
            (find, needs) = (css, Some(inside));
        } else if let Some(both) = union(&tried, samples) {
            find = vec![both];
        }
    }
    for (_, score, _) in &mut find {
        *score = score.abs();
    }
    let find = choose(find, LOCATORS);
    if find.is_empty() {
        return Err("no selector finds the records".into());
    }
    let elements = elements(samples, &find[0], needs.as_deref());
    Ok(RecordRule { find, needs, elements, looks: None })
}

/// Selectors that find (nearly) the records: those that find just them have a score above zero, the others below.
fn good(tried: &[Tried], samples: &[Sample<'_>]) -> Vec<(Family, f64, String)> {
    let all = tried.iter().filter_map(|one| {
        let f1 = agreement(&one.found, samples);
        let exact = f1 >= 1.0;
        let score = one.candidate.score * f1.powi(8);
        (f1 >= LEAST)
            .then(|| (one.candidate.family, if exact { score } else { -score }, one.candidate.css.clone()))
    });
    let all: Vec<_> = all.collect();
    if all.iter().any(|(_, score, _)| *score > 0.0) {
        return all.into_iter().filter(|(_, score, _)| *score > 0.0).collect();
    }
    all
}

/// F1 of elements that were found.
fn agreement(found: &[Vec<Node>], samples: &[Sample<'_>]) -> f64 {
    let (mut right, mut all) = (0, 0);
    for (found, sample) in found.iter().zip(samples) {
        right += found.iter().filter(|node| sample.heads.binary_search(node).is_ok()).count();
        all += found.len() + sample.heads.len();
    }
    2.0 * right as f64 / all.max(1) as f64
}

type Scored = (Family, f64, String);

/// Selectors that find all records and more, with what only the records have inside.
fn with_needs(tried: &[Tried], samples: &[Sample<'_>]) -> Option<(Vec<Scored>, String)> {
    let covers = |one: &&Tried| {
        one.found.iter().zip(samples).all(|(found, sample)| {
            sample.heads.iter().all(|head| found.binary_search(head).is_ok())
                && found.len() < 20 * sample.heads.len() + 20
        })
    };
    let first = &samples[0];
    let &head = first.heads.first()?;
    let tree = &first.page.tree;
    let mut inside: Vec<(f64, String)> = Vec::new();
    for node in (head + 1..tree.end(head)).filter(|&node| !tree.is_text(node)).take(INSIDE) {
        inside.extend(candidates::names(tree, node));
        inside.push((0.75, crate::css::identifier(tree.tag_name(node))));
    }
    inside.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    inside.dedup();
    let wide: Vec<&Tried> = tried.iter().filter(covers).collect();
    for (_, needs) in inside.into_iter().take(60) {
        let css = Css::parse(&needs).ok()?;
        let have: Vec<Vec<Node>> =
            samples.iter().map(|sample| css.select_below(&sample.arena, sample.root)).collect();
        let mut right: Vec<Scored> = Vec::new();
        for one in &wide {
            let exact = one.found.iter().zip(samples).zip(&have).all(|((found, sample), have)| {
                let kept = found.iter().filter(|&&node| regions::has_inside(&sample.page.tree, node, have));
                kept.eq(&sample.heads)
            });
            if exact {
                right.push((one.candidate.family, one.candidate.score, one.candidate.css.clone()));
            }
        }
        if !right.is_empty() {
            return Some((right, needs));
        }
    }
    None
}

/// Several selectors that each find records only, together as many as can be.
fn union(tried: &[Tried], samples: &[Sample<'_>]) -> Option<Scored> {
    let pure = |one: &&Tried| {
        one.found
            .iter()
            .zip(samples)
            .all(|(found, sample)| found.iter().all(|node| sample.heads.binary_search(node).is_ok()))
    };
    let pure: Vec<&Tried> = tried.iter().filter(pure).collect();
    let mut covered: Vec<FxHashSet<Node>> = vec![FxHashSet::default(); samples.len()];
    let mut parts: Vec<String> = Vec::new();
    let mut score = 1.0f64;
    while parts.len() < 4 {
        let gain = |one: &Tried| -> usize {
            one.found
                .iter()
                .zip(&covered)
                .map(|(found, covered)| found.iter().filter(|node| !covered.contains(node)).count())
                .sum()
        };
        let best = pure.iter().max_by(|a, b| {
            (gain(a) as f64 * a.candidate.score).total_cmp(&(gain(b) as f64 * b.candidate.score))
        })?;
        if gain(best) == 0 {
            break;
        }
        for (found, covered) in best.found.iter().zip(&mut covered) {
            covered.extend(found);
        }
        score = score.min(best.candidate.score);
        parts.push(best.candidate.css.clone());
    }
    let all: usize = samples.iter().map(|sample| sample.heads.len()).sum();
    let have: usize = covered.iter().map(FxHashSet::len).sum();
    (have as f64 >= LEAST * all as f64).then(|| (Family::Name, score, parts.join(", ")))
}

/// How many elements make a record: the number that gives back most records as they are.
fn elements(samples: &[Sample<'_>], find: &str, needs: Option<&str>) -> usize {
    let counts: FxHashSet<usize> = samples
        .iter()
        .flat_map(|sample| {
            sample.list.records.iter().map(|record| tops(sample.page, &record.place.parts[0]).len())
        })
        .collect();
    let mut options: Vec<usize> = counts.into_iter().collect();
    options.sort_unstable();
    if options.len() > 1 {
        options.insert(0, 0);
    }
    options.truncate(8);
    let right = |elements: usize| -> usize {
        let rule = RecordRule {
            find: vec![find.to_owned()],
            needs: needs.map(str::to_owned),
            elements,
            looks: None,
        };
        samples
            .iter()
            .map(|sample| {
                let again = regions::records(sample.page, &sample.arena, sample.root, &rule, 0);
                let known: FxHashSet<_> =
                    sample.list.records.iter().map(|record| record.place.parts[0].clone()).collect();
                again.iter().filter(|parts| known.contains(&parts[0])).count()
            })
            .sum()
    };
    let mut best = (1, 0);
    for option in options {
        let right = right(option);
        if right > best.1 {
            best = (option, right);
        }
    }
    best.0
}
