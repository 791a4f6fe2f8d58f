//! What a person points at: the pattern of an element, how it becomes unique, what it reads (DEUDS); and corrections.

use super::answers::no_content;
use super::output;
use super::runner::{NamedPage, TaskAnswer, json_answer, parse_wrapper, wrapper_summary};
use crate::options::{AnswerFormat, ExtractOptions};
use crate::task::{CorrectionBody, FailureKind, PointTarget, TaskFailure, TaskOutcome};
use copal::gazetteer_learning::{LearnOptions, Learner, Question, TermEvidence, TermVerdict};
use copal::wrapper::{
    ChosenElements, Correction, ReadFrom, WrapperError, apply, correct, example_records, learn_section,
    page_sections, pattern_choice, select,
};
use copal::{Answer, ListChoice, Page, Request, SetPage};
use copal_dom::Node;
use copal_tasks::learn_pages;
use serde_json::{Value, json};
use std::sync::Arc;

/// Elements of a pattern that are named in an answer.
const MAX_NAMED_MATCHES: usize = 2000;
/// Questions in one answer.
const MAX_QUESTIONS: usize = 200;
/// Terms that are less sure than this are not learned.
const ASK_FROM: f64 = 0.3;
/// Terms that are surer than this are learned without a question.
const ASK_UP_TO: f64 = 0.7;
/// Terms that a request may give as known.
const MAX_KNOWN_TERMS: usize = 20_000;

fn usage(error: WrapperError) -> TaskFailure {
    TaskFailure::new(FailureKind::Usage, error)
}

/// The pattern of an element, or the elements of a pattern, and the data that it reads.
pub(super) fn point(
    (named, page): &NamedPage,
    target: &PointTarget,
    options: &ExtractOptions,
) -> Result<TaskAnswer, TaskFailure> {
    let (element, given) = match target {
        PointTarget::Node(node) => (checked_element(page, *node)?, None),
        PointTarget::Pattern(pattern) => {
            let found = select(page, pattern).map_err(usage)?;
            let nothing = || WrapperError::NothingSelected { path: pattern.clone() };
            (found.first().copied().ok_or_else(nothing).map_err(usage)?, Some(pattern))
        }
    };
    let choice = pattern_choice(page, element).map_err(usage)?;
    let pattern = match (given, choice.steps.last()) {
        (Some(given), _) => given.clone(),
        (None, Some(last)) => last.pattern.clone(),
        (None, None) => return Err(usage(WrapperError::NoUniquePattern)),
    };
    let matches = select(page, &pattern).map_err(usage)?;
    let mut wrapper = learn_section(page, &pattern).map_err(usage)?;
    if let Some(rule) = wrapper.pages.first_mut() {
        rule.region = vec![pattern.clone()];
    }
    let answer = apply(&wrapper, page);
    let kind = page_sections(page).into_iter().find(|section| section.node == element);
    let counted = |list: Vec<copal::wrapper::CountedPattern>| -> Vec<Value> {
        list.into_iter().map(|one| json!({ "pattern": one.pattern, "matches": one.matches })).collect()
    };
    let attributes: Vec<Value> =
        page.tree.attributes(element).take(100).map(|(name, value)| json!([name, value])).collect();
    let body = json!({
        "node": element,
        "tag": page.tree.tag_name(element),
        "kind": kind.map(|section| section.kind.name()),
        "attributes": attributes,
        "pattern": pattern,
        "matches": matches.len(),
        "nodes": matches.iter().take(MAX_NAMED_MATCHES).collect::<Vec<&Node>>(),
        "steps": counted(choice.steps),
        "others": counted(choice.others),
        "wrapper": wrapper.to_string(),
    });
    with_answer(json_answer(TaskOutcome::Done, 1, &body), &named.name, answer, options)
}

fn checked_element(page: &Page, node: Node) -> Result<Node, TaskFailure> {
    if node == 0 || node as usize >= page.tree.len() {
        let message = format!("there is no element {node} on this page");
        return Err(TaskFailure::new(FailureKind::Usage, message));
    }
    Ok(if page.tree.is_text(node) { page.tree.parent(node) } else { node })
}

/// Adds what was read to a JSON object, as its field `answer`. It is written once: a large list as a [`Value`] would
/// cost more than everything else in a correction.
fn with_answer(
    (report, mut body): TaskAnswer,
    name: &str,
    answer: Answer,
    options: &ExtractOptions,
) -> Result<TaskAnswer, TaskFailure> {
    let mut answers = [(name.to_owned(), answer)];
    output::choose_rows(&mut answers, options);
    let options = ExtractOptions { sources: true, format: AnswerFormat::Pages, ..options.clone() };
    let line = output::write(&answers, &options, false)?;
    body.truncate(body.len().saturating_sub(1));
    body.extend_from_slice(b",\"answer\":");
    body.extend_from_slice(line.trim_ascii_end());
    body.push(b'}');
    Ok((report, body))
}

/// A wrapper that follows corrections, and what it reads on the page.
pub(super) fn corrected(
    pages: &[NamedPage],
    given: Option<&str>,
    examples: &[Node],
    corrections: &[CorrectionBody],
    request: &Request,
    options: &ExtractOptions,
) -> Result<TaskAnswer, TaskFailure> {
    let (named, page) = pages.first().ok_or_else(no_content)?;
    let mut notes = Vec::new();
    let wrapper = match given {
        Some(text) => parse_wrapper(text)?,
        None => {
            let mut request = request.clone();
            if !examples.is_empty() {
                let nodes = example_records(page, examples).map_err(usage)?;
                request.choice = Some(ListChoice::Select(Arc::new(ChosenElements { nodes })));
            }
            let set = pages
                .iter()
                .map(|(named, page)| SetPage::analyse(named.name.clone(), page.clone(), &request))
                .collect();
            let learned = learn_pages(set, &request)?;
            notes.extend(learned.notes);
            learned.wrapper
        }
    };
    let corrections: Vec<Correction> = corrections.iter().cloned().map(Correction::from).collect();
    let corrected = correct(wrapper, page, &corrections).map_err(usage)?;
    notes.extend(corrected.notes);
    let mut body = wrapper_summary(&corrected.wrapper);
    let answer = apply(&corrected.wrapper, page);
    body["wrapper"] = corrected.wrapper.to_string().into();
    body["notes"] = notes.into();
    with_answer(json_answer(TaskOutcome::Done, pages.len(), &body), &named.name, answer, options)
}

impl From<CorrectionBody> for Correction {
    fn from(body: CorrectionBody) -> Correction {
        match body {
            CorrectionBody::Rename { column, to } => Correction::Rename { column, to },
            CorrectionBody::Type { column, to } => {
                Correction::SetType { column, value_type: to.filter(|to| !to.is_empty()) }
            }
            CorrectionBody::Hide { column } => Correction::Hide { column },
            CorrectionBody::Order { columns } => Correction::Order { columns },
            CorrectionBody::Split { column, at, names } => Correction::Split { column, at, names },
            CorrectionBody::Merge { columns, to } => Correction::Merge { columns, to },
            CorrectionBody::Add { name, node, from } => {
                let read_from = match from.as_deref() {
                    Some("href") => ReadFrom::Href,
                    Some("src") => ReadFrom::Src,
                    _ => ReadFrom::Text,
                };
                Correction::Add { name, node, read_from }
            }
            CorrectionBody::Exclude { records } => Correction::Exclude { records },
            CorrectionBody::Include { records } => Correction::Include { records },
        }
    }
}

/// What a person has answered the learner so far.
pub(super) struct GivenAnswers<'a> {
    /// Terms that were accepted.
    pub(super) known: &'a [String],
    /// Labels that were accepted.
    pub(super) labels: &'a [String],
    /// Terms and labels that were refused.
    pub(super) refused: &'a [String],
}

/// What the learner of a gazetteer would add, and what it asks a person about (AMBER, section 4.7). One round: who
/// answers sends the answers with the next request.
pub(super) fn questions(
    pages: &[NamedPage],
    attribute: &str,
    answers: &GivenAnswers<'_>,
    request: &Request,
) -> Result<TaskAnswer, TaskFailure> {
    let failed = |message: String| TaskFailure::new(FailureKind::Usage, message);
    let GivenAnswers { known, labels, refused } = answers;
    if known.len() + labels.len() + refused.len() > MAX_KNOWN_TERMS {
        return Err(failed(format!("more than {MAX_KNOWN_TERMS} terms were given")));
    }
    let domain = request.domain().ok_or_else(|| failed("options.domain is missing".to_owned()))?;
    let options = LearnOptions { lower: ASK_FROM, upper: ASK_UP_TO, ..LearnOptions::default() };
    let mut learner =
        Learner::new(domain, attribute, None, options).map_err(|error| failed(error.to_string()))?;
    learner.resume(known, labels, refused);
    let reader = learner.reader();
    let evidence: Vec<TermEvidence> = pages.iter().map(|(_, page)| reader.read(page)).collect();
    let mut asked: Vec<Value> = Vec::new();
    let mut collect = |question: &Question<'_>| {
        let entry = match question {
            Question::Term { text, confidence, instance } => {
                json!({ "kind": "term", "text": text, "confidence": confidence, "context": instance })
            }
            Question::Label { text, confidence } => {
                json!({ "kind": "label", "text": text, "confidence": confidence })
            }
            Question::Drop { text } => json!({ "kind": "drop", "text": text }),
            _ => return TermVerdict::No,
        };
        if asked.len() < MAX_QUESTIONS {
            asked.push(entry);
        }
        TermVerdict::No
    };
    let round = learner.finish(&evidence, Some(&mut collect));
    let learned: Vec<Value> = round
        .learned
        .iter()
        .map(|term| json!({ "text": term.text, "confidence": term.confidence }))
        .collect();
    let body = json!({
        "attribute": attribute,
        "extracted": round.extracted,
        "learned": learned,
        "questions": asked,
    });
    Ok(json_answer(TaskOutcome::Done, pages.len(), &body))
}
