//! The answers of a set of files, which wait until all files are read: the page that a record links to may come last.
//!
//! In: answers in the order of the files. Out: the same, with objects joined to the records that link to them. The
//! answers of a large set are in an [`AnswerSpool`], and only some of them are in memory at a time.

use super::answer_spool::{AnswerSpool, SpooledValue};
use crate::error::{CliError, internal_error};
use crate::page_pipeline::Named;
use copal::model::Object;
use copal::{Answer, LinkedObjects, LinkedRecord, NamedAnswer, TransferredNamedAnswer, join_linked_objects};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Answers that are read from the spool together.
const LOADED_ANSWERS: usize = 32;

/// Answers that one thread writes or reads before another may take some: each takes less time than starting a thread.
const MIN_SHARE: usize = 8;

/// The answer for a document that was read: a page of the set, or data, which is joined to nothing.
pub(super) enum AnsweredDocument {
    Page(Box<NamedAnswer>),
    Data(Box<Answer>),
}

/// The answers of a set.
#[derive(Default)]
pub(super) struct WaitingAnswers {
    /// Only large sets have one: to write and read answers takes time.
    spool: Option<AnswerSpool>,
    answers: Vec<WaitingAnswer>,
    /// Some page of the set is about one object, so that lists were joined.
    has_objects: bool,
}

/// One answer of a set.
pub(super) struct WaitingAnswer {
    name: String,
    kept: KeptAnswer,
    /// Keys under which other pages may link to the page of this object.
    page_keys: Vec<String>,
    /// Objects may be joined to the records of its list.
    has_main_list: bool,
    /// Its object was joined to a record of another page.
    is_joined: bool,
}

enum KeptAnswer {
    InMemory(Box<NamedAnswer>),
    Spooled(SpooledValue<TransferredNamedAnswer>),
    Failed(CliError),
}

impl WaitingAnswers {
    /// A place for few answers, or for many.
    pub(super) fn new(are_many: bool) -> WaitingAnswers {
        WaitingAnswers { spool: are_many.then(AnswerSpool::default), ..WaitingAnswers::default() }
    }

    /// Prepares answers to be added. Several threads may do so at once.
    pub(super) fn prepare(&self, batch: Vec<Named<AnsweredDocument>>) -> Vec<WaitingAnswer> {
        let prepare = |(name, answered)| self.prepare_one(name, answered);
        match &self.spool {
            None => batch.into_iter().map(prepare).collect(),
            Some(_) => batch.into_par_iter().with_min_len(MIN_SHARE).map(prepare).collect(),
        }
    }

    /// Adds the answers of the next files.
    pub(super) fn add(&mut self, prepared: Vec<WaitingAnswer>) {
        self.answers.extend(prepared);
    }

    fn prepare_one(&self, name: String, answered: Result<AnsweredDocument, CliError>) -> WaitingAnswer {
        let (mut page, is_of_set) = match answered {
            Ok(AnsweredDocument::Page(page)) => (page, true),
            Ok(AnsweredDocument::Data(answer)) => {
                (Box::new(NamedAnswer::unlinked(name.clone(), *answer)), false)
            }
            Err(error) => return WaitingAnswer::failed(name, error),
        };
        WaitingAnswer {
            page_keys: page.take_page_keys(),
            has_main_list: is_of_set && page.answer.primary().is_some(),
            ..WaitingAnswer::of(name, self.keep(page))
        }
    }

    fn keep(&self, page: Box<NamedAnswer>) -> KeptAnswer {
        match &self.spool {
            None => KeptAnswer::InMemory(page),
            Some(spool) => spool
                .keep(&TransferredNamedAnswer::from(*page))
                .map_or_else(KeptAnswer::Failed, KeptAnswer::Spooled),
        }
    }

    fn load(&self, kept: KeptAnswer) -> Result<Box<NamedAnswer>, CliError> {
        match kept {
            KeptAnswer::InMemory(page) => Ok(page),
            KeptAnswer::Spooled(place) => self.load_spooled(&place),
            KeptAnswer::Failed(error) => Err(error),
        }
    }

    fn load_spooled(
        &self,
        place: &SpooledValue<TransferredNamedAnswer>,
    ) -> Result<Box<NamedAnswer>, CliError> {
        let spool = self.spool.as_ref().ok_or_else(internal_error)?;
        Ok(Box::new(spool.load(place)?.into()))
    }

    /// Calls `visit` with the answer at a position, if there is one.
    fn visit<R>(&self, at: usize, visit: impl FnOnce(&NamedAnswer) -> R) -> Option<R> {
        match &self.answers[at].kept {
            KeptAnswer::InMemory(page) => Some(visit(page)),
            KeptAnswer::Spooled(place) => self.load_spooled(place).ok().map(|page| visit(&page)),
            KeptAnswer::Failed(_) => None,
        }
    }

    /// Joins objects to the records that link to them. Returns how many pages were joined.
    pub(super) fn join(&mut self) -> usize {
        let mut objects = LinkedObjects::default();
        for (at, one) in self.answers.iter_mut().enumerate() {
            objects.add(at, std::mem::take(&mut one.page_keys));
        }
        self.has_objects = !objects.is_empty();
        for (at, links) in self.links(&objects) {
            self.join_list(at, &links);
        }
        self.answers.iter().filter(|one| one.is_joined).count()
    }

    /// The lists whose records link to pages of the set, with these links.
    fn links(&self, objects: &LinkedObjects) -> Vec<(usize, Vec<LinkedRecord>)> {
        let lists = 0..if objects.is_empty() { 0 } else { self.answers.len() };
        let lists = lists.filter(|&at| self.answers[at].has_main_list);
        let links_of = |at: usize| {
            let links = self.visit(at, |page| objects.linked_from(at, page))?;
            (!links.is_empty()).then_some((at, links))
        };
        match &self.spool {
            None => lists.filter_map(links_of).collect(),
            Some(_) => {
                let lists = lists.collect::<Vec<_>>().into_par_iter();
                lists.with_min_len(MIN_SHARE).filter_map(links_of).collect()
            }
        }
    }

    /// Joins objects to the list at a position.
    fn join_list(&mut self, at: usize, links: &[LinkedRecord]) {
        let object = |page: usize| self.visit(page, |one| one.answer.object.clone()).flatten();
        let objects: BTreeMap<usize, Object> =
            links.iter().filter_map(|link| Some((link.page, object(link.page)?))).collect();
        let kept = std::mem::replace(&mut self.answers[at].kept, KeptAnswer::Failed(internal_error()));
        self.answers[at].kept = match self.load(kept) {
            Err(error) => KeptAnswer::Failed(error),
            Ok(mut list) => {
                let named_object =
                    |page: usize| Some((self.answers[page].name.as_str(), objects.get(&page)?));
                for page in join_linked_objects(&mut list, links, named_object) {
                    self.answers[page].is_joined = true;
                }
                self.keep(list)
            }
        };
    }

    /// Gives the answers to `take` in the order of the files, until it has enough. The fields of a page that was joined
    /// to a list are in that list.
    pub(super) fn give_out(
        mut self,
        with_joined: bool,
        mut take: impl FnMut(&str, Result<Answer, CliError>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut answers = std::mem::take(&mut self.answers);
        answers.retain(|one| with_joined || !one.is_joined);
        let mut answers = answers.into_iter();
        loop {
            let next: Vec<WaitingAnswer> = answers.by_ref().take(LOADED_ANSWERS).collect();
            if next.is_empty() {
                return ControlFlow::Continue(());
            }
            let load = |one: WaitingAnswer| (one.name.clone(), self.finished(one));
            let loaded: Vec<Named<Answer>> = match &self.spool {
                None => next.into_iter().map(load).collect(),
                Some(_) => next.into_par_iter().with_min_len(MIN_SHARE).map(load).collect(),
            };
            for (name, answer) in loaded {
                take(&name, answer)?;
            }
        }
    }

    fn finished(&self, one: WaitingAnswer) -> Result<Answer, CliError> {
        let mut page = self.load(one.kept)?;
        if self.has_objects && one.has_main_list {
            // lists without links are not changed before, but their columns get distinct names as well
            join_linked_objects(&mut page, &[], |_| None);
        }
        Ok(page.answer)
    }
}

impl WaitingAnswer {
    fn of(name: String, kept: KeptAnswer) -> WaitingAnswer {
        WaitingAnswer { name, kept, page_keys: Vec::new(), has_main_list: false, is_joined: false }
    }

    fn failed(name: String, error: CliError) -> WaitingAnswer {
        WaitingAnswer::of(name, KeptAnswer::Failed(error))
    }
}
