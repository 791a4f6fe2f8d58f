//! The differences between one page and the profile of its wrapper.
//!
//! In: a wrapper, a page and what the wrapper reads on it. Out: [`Drift`]s. A single page proves little;
//! [`super::check`] decides over several. O(text of the cells + elements of the page).

use super::drift_level::{Drift, DriftLevel};
use super::evidence::Evidence;
use super::profile::{CellCounts, coverage};
use crate::format::{ColumnRule, PageKind, PageRule, Profile, Wrapper};
use crate::locate::page_fingerprint::{page_fingerprint, page_similarity};
use crate::proportions::{chance_of_so_few, fell};
use copal_dom::Page;
use copal_extract::objects::Object;
use copal_extract::{Answer, Region};

/// Minimum number of cells for which lengths and characters are compared.
const MIN_CELLS_FOR_STYLE: usize = 5;
/// Pages that are less similar than this have another template.
const MIN_PAGE_SIMILARITY: f64 = 0.2;
/// With at least this many samples it is known how much the pages of a site differ.
const MIN_SAMPLES_FOR_STRICT: usize = 3;

/// A column that would be as rare by chance with a lower probability than this was lost.
pub(super) const UNLIKELY: f64 = 0.001;
/// Maximum number of records of the samples that are counted.
const MAX_RECORDS_BEFORE: f64 = 10_000.0;

/// How far a page may differ from the samples.
struct Tolerance {
    /// Columns with a lower presence on the samples are not compared.
    frequent: f64,
    /// Share of its presence that a column may lose.
    presence: f64,
    /// Share of its cells with the right type that a column may lose.
    typed: f64,
    /// How much the shares of letters and digits together may change.
    shape: f64,
    /// How many times longer or shorter the median cell may be than nearly all cells of the samples.
    length: usize,
    /// Columns with a larger share of distinct cells must not have the same text in all records.
    varied: f64,
    /// Share of its coverage that the list may lose.
    coverage: f64,
    /// How many times more or fewer records there may be.
    count: usize,
}

/// For three samples or more, which show how much the pages of a site differ.
const STRICT_TOLERANCE: Tolerance = Tolerance {
    frequent: 0.3,
    presence: 0.3,
    typed: 0.2,
    shape: 0.6,
    length: 4,
    varied: 0.5,
    coverage: 0.6,
    count: 3,
};

/// For one or two samples, which do not: a column that half of the records have on one page is missing on the
/// next, and a page of 30 results is followed by one of 4. Measured on unchanged pages (`make survive`), the
/// strict tolerance gives an alarm on one page in four.
const LOOSE_TOLERANCE: Tolerance = Tolerance {
    frequent: 0.9,
    presence: 0.85,
    typed: 0.85,
    shape: 1.3,
    length: 10,
    varied: 0.9,
    coverage: 0.9,
    count: 8,
};

fn tolerance(profile: Option<&Profile>) -> &'static Tolerance {
    if profile.is_some_and(|profile| profile.samples >= MIN_SAMPLES_FOR_STRICT) {
        &STRICT_TOLERANCE
    } else {
        &LOOSE_TOLERANCE
    }
}

/// The rule that read a list.
pub(crate) fn rule_of<'a>(wrapper: &'a Wrapper, list: &Region) -> Option<&'a PageRule> {
    let names = |rule: &&PageRule| {
        rule.columns.len() == list.columns.len()
            && rule.columns.iter().zip(&list.columns).all(|(rule, column)| rule.name == column.name)
    };
    wrapper.pages.iter().find(names)
}

/// All differences between a page and the profile.
pub(super) fn page_drifts(
    wrapper: &Wrapper,
    page: &Page,
    read: &Answer,
    evidence: Option<&Evidence>,
) -> Vec<Drift> {
    let structure = |message: String| vec![Drift { level: DriftLevel::Structure, column: None, message }];
    if let Some(detail) = &read.object {
        return object_drifts(wrapper, detail);
    }
    let Some(list) = read.primary().filter(|list| !list.records.is_empty()) else {
        let message = match wrapper.pages.first().map(|rule| rule.kind) {
            Some(PageKind::Section) => "no section found",
            Some(PageKind::Detail) => "no object found",
            _ => "no records found",
        };
        return if read.regions.is_empty() { structure(message.into()) } else { Vec::new() };
    };
    let Some(rule) = rule_of(wrapper, list) else { return Vec::new() };
    let mut drifts = Vec::new();
    let tolerance = tolerance(rule.profile.as_ref());
    if let Some(profile) = &rule.profile {
        let is_sure = evidence.is_some_and(Evidence::is_sure);
        drifts.extend(list_drifts(profile, tolerance, page, read, list, is_sure));
    }
    drifts.extend(evidence.into_iter().flat_map(|evidence| evidence.drifts(list.records.len())));
    for (at, column) in rule.columns.iter().enumerate() {
        let mut counts = CellCounts::default();
        counts.add(list, at);
        let message = column_drift(rule, column, tolerance, counts);
        drifts.extend(message.map(|message| Drift {
            level: DriftLevel::Value,
            column: Some(column.name.clone()),
            message,
        }));
    }
    drifts
}

/// The differences of one object: fields that nearly all samples had and it does not have, or not with their
/// type.
fn object_drifts(wrapper: &Wrapper, detail: &Object) -> Vec<Drift> {
    let Some(rule) = wrapper.pages.iter().find(|rule| rule.kind == PageKind::Detail) else {
        return Vec::new();
    };
    let mut drifts = Vec::new();
    for column in
        rule.columns.iter().filter(|column| column.presence.unwrap_or(0.0) >= LOOSE_TOLERANCE.frequent)
    {
        let field = detail.fields.iter().find(|field| field.name == column.name);
        let typed = column
            .profile
            .as_ref()
            .and_then(|profile| profile.typed)
            .is_some_and(|typed| typed >= LOOSE_TOLERANCE.frequent);
        let message = match field {
            None => "missing, but nearly all samples had it".to_owned(),
            Some(field) if typed && field.value.is_none() => {
                format!("not of type {}", column.value_type.as_deref().unwrap_or_default())
            }
            Some(_) => continue,
        };
        drifts.push(Drift { level: DriftLevel::Value, column: Some(column.name.clone()), message });
    }
    drifts
}

/// The differences of the page and of the list as a whole.
fn list_drifts(
    profile: &Profile,
    tolerance: &Tolerance,
    page: &Page,
    read: &Answer,
    list: &Region,
    is_sure: bool,
) -> Vec<Drift> {
    let mut drifts = Vec::new();
    let mut push = |level, message: String| drifts.push(Drift { level, column: None, message });
    let found = list.records.len();
    let (fewest, most) = profile.records;
    if let Some(shown) = read.page.range.map(|(first, last)| (last + 1).saturating_sub(first) as usize)
        && (10 * found < 7 * shown || 10 * found > 25 * shown)
    {
        push(DriftLevel::Count, format!("{found} records, but the page says that it shows {shown}"));
    } else if tolerance.count * found < fewest || found > tolerance.count * most {
        push(DriftLevel::Count, format!("{found} records, but {fewest} to {most} on the samples"));
    }
    // Pages with more text around the same list are not a change.
    if let Some(before) = profile.coverage.filter(|_| !is_sure) {
        let now = coverage(page, list);
        if now < (1.0 - tolerance.coverage) * before {
            let (now, before) = (percent(now), percent(before));
            push(DriftLevel::Structure, format!("records have {now} of the page's text, before {before}"));
        }
    }
    let known = profile.page_fingerprint.as_deref();
    if let Some(similarity) = known.and_then(|known| page_similarity(known, &page_fingerprint(page)))
        && similarity < MIN_PAGE_SIMILARITY
    {
        let similarity = percent(similarity);
        let message = format!("the page has another template: {similarity} of its elements are as before");
        push(DriftLevel::Structure, message);
    }
    drifts
}

/// The first difference that the cells of a column show.
fn column_drift(
    rule: &PageRule,
    column: &ColumnRule,
    tolerance: &Tolerance,
    mut counts: CellCounts,
) -> Option<String> {
    let before = column.presence.unwrap_or(0.0);
    let now = counts.presence();
    if before < tolerance.frequent {
        // Of a rare column only its complete loss is certain.
        let (cells, records) = cells_before(rule, column);
        let is_lost =
            counts.cells == 0 && chance_of_so_few(cells, records, counts.cells, counts.records) < UNLIKELY;
        return is_lost.then(|| presence_message((counts.cells, counts.records), (cells, records)));
    }
    if now < (1.0 - tolerance.presence) * before && fell(before, now, counts.records) {
        return Some(presence_message((counts.cells, counts.records), cells_before(rule, column)));
    }
    let profile = column.profile.as_ref()?;
    if counts.cells == 0 {
        return None;
    }
    if let Some(typed) = profile.typed
        && counts.typed() < (1.0 - tolerance.typed) * typed
        && fell(typed, counts.typed(), counts.cells)
    {
        let value_type = column.value_type.as_deref().unwrap_or("typed");
        let (now, before) = (percent(counts.typed()), percent(typed));
        return Some(format!("{now} of the cells are of type {value_type}, before {before}"));
    }
    if counts.cells < MIN_CELLS_FOR_STYLE {
        return None;
    }
    if profile.distinct > tolerance.varied && counts.distinct() * counts.cells as f64 <= 1.0 {
        return Some("all cells have the same text, but they differed before".into());
    }
    let moved = (counts.letters() - profile.letters).abs() + (counts.digits() - profile.digits).abs();
    if moved > tolerance.shape {
        return Some(format!(
            "{} letters and {} digits, before {} and {}",
            percent(counts.letters()),
            percent(counts.digits()),
            percent(profile.letters),
            percent(profile.digits)
        ));
    }
    let (median, (short, long)) = (counts.length(0.5), profile.length);
    if median > tolerance.length * long.max(4) || tolerance.length * median < short {
        return Some(format!("cells have {median} characters, before {short} to {long}"));
    }
    None
}

/// How many cells a column had on the samples, and of how many records, as far as the profile tells.
pub(super) fn cells_before(rule: &PageRule, column: &ColumnRule) -> (usize, usize) {
    let records = rule.profile.as_ref().map_or(0.0, |profile| {
        let (fewest, most) = profile.records;
        profile.samples as f64 * (fewest as f64 + most as f64) / 2.0
    });
    // More records than this do not make a share any surer, and the file may say anything.
    let records = records.min(MAX_RECORDS_BEFORE);
    ((column.presence.unwrap_or(0.0).clamp(0.0, 1.0) * records).round() as usize, records.round() as usize)
}

pub(super) fn presence_message((now, records): (usize, usize), before: (usize, usize)) -> String {
    let share = |(cells, records): (usize, usize)| percent(cells as f64 / records.max(1) as f64);
    format!("{} of the records have it, before {}", share((now, records)), share(before))
}

/// True for rules that were learned from so many samples that it is known how much the pages differ.
pub(super) fn has_many_samples(rule: &PageRule) -> bool {
    rule.profile.as_ref().is_some_and(|profile| profile.samples >= MIN_SAMPLES_FOR_STRICT)
}

fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}
