//! Learning templates from pages: what they show, and where.
//!
//! In: some pages of one template. Out: its [`TemplateContent`]. The extraction of single pages is not always right, so that
//! one page of four may be otherwise than the others, or read otherwise: what most pages show is what the template shows.
//! Costs the full extraction of the pages and two to four readings of each.

use crate::full_reason::FullReason;
use crate::template_reading::{TemplateContent, TemplateReader, can_use_templates, field_names};
use copal::objects::PlaceEvidence;
use copal::wrapper::learn_records;
use copal::{Answer, Document, Origin, Page, Received, Region, Request, Role};
use std::collections::BTreeSet;

/// Agreement with the full extraction from which a page is read like it (F1 of cells with their names).
const MIN_AGREEMENT: f64 = 0.95;
/// Least mean agreement of the pages.
const MIN_MEAN_AGREEMENT: f64 = 0.9;
/// Share of the pages that must show the same kind of content, and be read like the full extraction reads them.
const MIN_PAGE_SHARE: f64 = 0.75;
/// Mean agreement that is not improved by trying other places.
const SUFFICIENT_AGREEMENT: f64 = 0.995;
/// Places of objects that are tried, best first by their speed: the share of lines with a path that must be about
/// other objects, and whether lines that all pages show are left out.
const PLACE_CHOICES: [(f64, bool); 4] = [(1.0, true), (0.5, true), (1.0, false), (0.5, false)];

/// A page that a template is learned from.
#[derive(Debug, Clone, Default)]
pub struct TemplateSample {
    /// Its address.
    pub url: Option<String>,
    /// The type that its server stated.
    pub content_type: Option<String>,
    /// The charset that its server stated.
    pub charset: Option<String>,
    /// Its content.
    pub body: Vec<u8>,
}

/// Learns the template of pages: [`TemplateContent::Refused`] if it would not read them as the full extraction of each
/// page does.
pub fn learn_template(samples: &[TemplateSample], request: &Request) -> TemplateContent {
    learn(samples, request).unwrap_or_else(TemplateContent::Refused)
}

fn learn(samples: &[TemplateSample], request: &Request) -> Result<TemplateContent, FullReason> {
    if !can_use_templates(request) {
        return Err(FullReason::Request);
    }
    let read = |sample: &TemplateSample| {
        let received = Received {
            url: sample.url.clone(),
            content_type: sample.content_type.clone(),
            charset: sample.charset.clone(),
        };
        match copal::read(&sample.body, &received, request) {
            Ok(Document::Page(page)) => Some(*page),
            _ => None,
        }
    };
    let pages = samples.iter().map(read).collect::<Option<Vec<Page>>>();
    let pages = pages.filter(|pages| !pages.is_empty()).ok_or(FullReason::UnreadableSamples)?;
    let answers: Vec<Answer> = pages.iter().map(|page| copal::extract_page(page, request)).collect();
    let pages: Vec<ReadSample<'_>> = pages.iter().zip(&answers).collect();
    let is_most = |some: &[ReadSample<'_>]| some.len() as f64 >= MIN_PAGE_SHARE * pages.len() as f64;
    let (objects, others): (Vec<_>, Vec<_>) =
        pages.iter().copied().partition(|(_, answer)| answer.object.is_some());
    if is_most(&objects) {
        learn_object(&objects, request)
    } else if is_most(&others) {
        learn_list(&others, request)
    } else {
        Err(FullReason::MixedSamples)
    }
}

/// A page and its full extraction.
type ReadSample<'a> = (&'a Page, &'a Answer);

fn learn_object(samples: &[ReadSample<'_>], request: &Request) -> Result<TemplateContent, FullReason> {
    let names = samples.iter().map(|(_, answer)| field_names(answer));
    let common_fields = names.reduce(|one, other| &one & &other).unwrap_or_default();
    let area = |answer: &Answer| answer.object.as_ref().and_then(|object| object.area_node);
    let with_areas: Vec<_> = samples.iter().map(|&(page, answer)| (page, area(answer))).collect();
    let evidence = PlaceEvidence::new(&with_areas);
    let choices = PLACE_CHOICES.iter().map(|&(min_share, with_furniture)| {
        let places = evidence.places(min_share, with_furniture);
        TemplateContent::Object {
            common_fields: common_fields.clone(),
            foreign_paths: places.others(),
            furniture: places.furniture(),
        }
    });
    best_choice(choices, samples, request)
}

fn learn_list(samples: &[ReadSample<'_>], request: &Request) -> Result<TemplateContent, FullReason> {
    let lists: Option<Vec<(&Page, &Region)>> =
        samples.iter().map(|&(page, answer)| Some((page, known_list(answer)?))).collect();
    let lists = lists.ok_or(FullReason::UncertainSamples)?;
    let confidences = lists.iter().filter_map(|(_, list)| list.confidence);
    let confidence = confidences.sum::<f64>() / lists.len() as f64;
    let wrapper = learn_records(&lists).map_err(|_| FullReason::NoLocators)?.to_string();
    // few pages have data that names columns, and reading it takes as long as parsing
    let choices = [false, true].into_iter().map(|names_by_data| TemplateContent::List {
        wrapper: wrapper.clone(),
        confidence,
        names_by_data,
    });
    best_choice(choices, samples, request)
}

/// The content that reads the samples most like their full extraction. The first choices are the fastest.
fn best_choice(
    choices: impl Iterator<Item = TemplateContent>,
    samples: &[ReadSample<'_>],
    request: &Request,
) -> Result<TemplateContent, FullReason> {
    let mut best: Result<(Agreement, TemplateContent), FullReason> = Err(FullReason::Disagreement);
    for content in choices {
        match (Agreement::of(&content, samples, request), &best) {
            (Ok(found), Ok((known, _))) if found.mean <= known.mean => {}
            (Ok(found), _) => best = Ok((found, content)),
            (Err(reason), Err(_)) => best = Err(reason),
            (Err(_), Ok(_)) => {}
        }
        if best.as_ref().is_ok_and(|(known, _)| known.mean >= SUFFICIENT_AGREEMENT) {
            break;
        }
    }
    let (agreement, content) = best?;
    if agreement.is_enough() { Ok(content) } else { Err(FullReason::Disagreement) }
}

/// How a template reads the pages that it was learned from, compared with their full extraction.
#[derive(Debug)]
struct Agreement {
    mean: f64,
    /// Share of the pages that are read alike.
    alike: f64,
}

impl Agreement {
    /// Samples that would be extracted in full are left out, if there are not too many.
    fn of(
        content: &TemplateContent,
        samples: &[ReadSample<'_>],
        request: &Request,
    ) -> Result<Agreement, FullReason> {
        let reader = TemplateReader::new(content.clone()).ok_or(FullReason::NoLocators)?;
        let (mut sum, mut alike, mut read) = (0.0, 0_u32, 0_u32);
        let mut refusal = FullReason::Disagreement;
        for (page, full) in samples {
            match reader.answer(page, request) {
                Ok(answer) => {
                    let agreement = agreement(full, &answer);
                    read += 1;
                    sum += agreement;
                    alike += u32::from(agreement >= MIN_AGREEMENT);
                }
                Err(reason) => refusal = reason,
            }
        }
        if f64::from(read) < MIN_PAGE_SHARE * samples.len() as f64 {
            return Err(refusal);
        }
        Ok(Agreement { mean: sum / f64::from(read), alike: f64::from(alike) / f64::from(read) })
    }

    fn is_enough(&self) -> bool {
        self.mean >= MIN_MEAN_AGREEMENT && self.alike >= MIN_PAGE_SHARE
    }
}

/// The main list of a page, if its records can be found again by locators: not if it is only possible, is hidden or comes
/// from embedded data.
fn known_list(answer: &Answer) -> Option<&Region> {
    let list = answer.primary()?;
    (list.role == Role::Primary && list.origin == Origin::Page && answer.object.is_none()).then_some(list)
}

/// The F1 of the cells of two answers, with their records and the names of their columns.
fn agreement(one: &Answer, other: &Answer) -> f64 {
    let (one, other) = (cells(one), cells(other));
    let both = one.intersection(&other).count();
    if one.is_empty() && other.is_empty() {
        0.0
    } else {
        2.0 * both as f64 / (one.len() + other.len()) as f64
    }
}

/// List, record, column and text of all cells, and the fields of the object.
fn cells(answer: &Answer) -> BTreeSet<(usize, usize, &str, &str)> {
    let mut cells = BTreeSet::new();
    for (number, list) in answer.regions.iter().enumerate() {
        for (row, record) in list.records.iter().enumerate() {
            for (column, cell) in list.columns.iter().zip(&record.cells) {
                let texts = cell.texts.iter();
                cells.extend(texts.map(|text| (number, row, column.name.as_str(), text.text.as_str())));
            }
        }
    }
    for field in answer.object.iter().flat_map(|object| &object.fields) {
        let texts = field.texts.iter();
        cells.extend(texts.map(|text| (usize::MAX, 0, field.name.as_str(), text.as_str())));
    }
    cells
}
