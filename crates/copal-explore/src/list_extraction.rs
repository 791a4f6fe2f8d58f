//! Reads the lists that were chosen, and divides those that hide records.
//!
//! In: lists of the frontier. Out: records that no list before had, given to the sink; the frontier is told after
//! they were stored. Part of [`Explorer`](crate::explorer::Explorer).

use crate::error::ExploreError;
use crate::explorer::{Explorer, OBJECT_KIND, RecordSink, found_list};
use crate::form_filling::FormSubmission;
use crate::frontier_items::{FoundList, page_request};
use crate::page_facts::{ListFacts, ListRead, PageFacts};
use crate::page_reading::{read_page_facts, record_keys};
use crate::post_search::request_key;
use copal_extract::Answer;
use copal_fetch::PageRequest;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use url::Url;

/// How often a list is divided into parts of parts.
const MAX_SPLIT_DEPTH: usize = 2;
/// Filters of one group that are followed.
const MAX_SPLIT_PARTS: usize = 60;

/// How much is read of a list, besides the budget of the run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadingLimits {
    pub(crate) pages: usize,
    /// Read the pages of its records too, if that is needed or asked for.
    pub(crate) has_details: bool,
}

impl ReadingLimits {
    const NONE: ReadingLimits = ReadingLimits { pages: usize::MAX, has_details: true };
}

impl Explorer<'_> {
    /// Reads the first list that was not read yet.
    pub(crate) async fn extract_one(&mut self, sink: RecordSink<'_>) -> Result<(), ExploreError> {
        let (_, lists) = self.chosen_lists()?;
        let Some((list, facts)) = lists.iter().find(|(list, _)| list.state == "queued") else {
            return Ok(());
        };
        let Some(facts) = facts else { return self.extract_object(list, sink).await };
        let has_whole = lists.iter().any(|(_, other)| {
            other.as_ref().and_then(|other| other.read.as_ref()).is_some_and(|read| read.whole)
        });
        if has_whole && self.frontier.new_record_keys(&facts.keys)?.is_empty() {
            let outcome = "skipped: the records of its first page are in a list that was read";
            return self.frontier.finish_list(list, "skipped", outcome, &list.facts, &[]);
        }
        self.extract_list(list, facts.clone(), ReadingLimits::NONE, sink).await.map(drop)
    }

    /// Reads a list over all its pages. Returns its facts, or nothing if the run was stopped or the page failed.
    pub(crate) async fn extract_list(
        &mut self,
        list: &FoundList,
        mut facts: ListFacts,
        limits: ReadingLimits,
        sink: RecordSink<'_>,
    ) -> Result<Option<ListFacts>, ExploreError> {
        self.frontier.begin_list(list)?;
        let pages_left = self.options.max_pages.saturating_sub(self.pages).max(1).min(limits.pages);
        let wants_details = !facts.fit.missing.is_empty() && facts.link_template.is_some();
        let details = match (limits.has_details, wants_details) {
            (false, _) => 0,
            (true, true) => pages_left,
            (true, false) => self.options.max_details.min(pages_left),
        };
        let visitor = self.visitor.with_limits(pages_left.max(2), details);
        let requests = AtomicUsize::new(0);
        let (before, state) = (self.pages, self.state);
        let (began, known) = (self.began, self.frontier.record_count()?);
        let (queued, errors, on_progress) =
            (self.frontier.item_count("queued")?, self.errors, self.on_progress);
        let report = |progress: &copal_site::VisitProgress| {
            let read = progress.pages + progress.details.map_or(0, |details| details.read);
            requests.store(read, Ordering::Relaxed);
            on_progress(&crate::explore_options::SiteProgress {
                state,
                pages: before + read,
                records: known + progress.records as u64,
                queued,
                errors,
                seconds: began.elapsed().as_secs_f64(),
                url: progress.url.clone(),
            });
        };
        // the time of the run ends a long list in good order
        let time_left = self.options.max_time.saturating_sub(self.began.elapsed());
        let timer = {
            let stopper = self.visitor.stopper();
            tokio::spawn(async move {
                tokio::time::sleep(time_left).await;
                stopper.stop();
            })
        };
        let visited = visitor.visit_request(&list.request(), report).await;
        timer.abort();
        self.pages += requests.load(Ordering::Relaxed).max(1);
        let answer = match visited {
            Ok(Some(answer)) => answer,
            // queued again by the next run
            Ok(None) => return Ok(None),
            Err(error) => {
                self.errors += 1;
                let outcome = format!("failed: {error}");
                self.frontier.finish_list(list, "done", &outcome, &list.facts, &[])?;
                return Ok(None);
            }
        };
        let (new_answer, keys) = self.new_records(answer)?;
        let read = list_read(&new_answer.0, new_answer.1, keys.len());
        // a list that was cut by an interrupt or the budget is read again, from the cache, by the next run
        let is_unfinished =
            self.visitor.stopper().is_stopped() && read.cut || self.is_budget_spent() && !read.whole;
        if !keys.is_empty() {
            sink(&list.url, &new_answer.0).map_err(ExploreError::Sink)?;
        }
        let outcome = format!(
            "{} records from {} pages, {} of them new: {}",
            read.records, read.pages, read.new, read.stopped
        );
        facts.read = Some(read);
        let text = serde_json::to_string(&facts).unwrap_or_default();
        let state = if is_unfinished { "queued" } else { "done" };
        self.frontier.finish_list(list, state, &outcome, &text, &keys)?;
        self.progress(&list.url)?;
        Ok(Some(facts))
    }

    /// Keeps the records that no list before had. Also returns how many there were at first, and the new keys.
    fn new_records(&mut self, mut answer: Answer) -> Result<((Answer, usize), Vec<String>), ExploreError> {
        answer.regions.retain(|region| region.role.is_main());
        answer.regions.truncate(1);
        let Some(list) = answer.regions.first_mut() else { return Ok(((answer, 0), Vec::new())) };
        let all = list.records.len();
        let keys = record_keys(list);
        if let Some(compared) = &mut self.compared {
            compared.add(list, &keys);
        }
        let new: HashSet<String> = self.frontier.new_record_keys(&keys)?.into_iter().collect();
        let mut written: HashSet<&String> = HashSet::new();
        let mut index = 0;
        list.records.retain(|_| {
            let key = &keys[index];
            index += 1;
            new.contains(key) && written.insert(key)
        });
        let kept = keys.iter().filter(|key| new.contains(*key)).cloned().collect::<HashSet<_>>();
        Ok(((answer, all), kept.into_iter().collect()))
    }

    /// Stores the object of a page.
    async fn extract_object(&mut self, list: &FoundList, sink: RecordSink<'_>) -> Result<(), ExploreError> {
        self.frontier.begin_list(list)?;
        self.pages += 1;
        let outcome = match self.visitor.with_limits(1, 0).read(&list.request()).await {
            Ok(None) => return Ok(()),
            Ok(Some(read)) if read.answer.object.is_some() => {
                let answer = Answer { regions: Vec::new(), ..read.answer };
                sink(&list.url, &answer).map_err(ExploreError::Sink)?;
                "one object".to_owned()
            }
            Ok(Some(_)) => "no object on a second reading".to_owned(),
            Err(error) => format!("failed: {error}"),
        };
        let keys =
            if outcome == "one object" { vec![format!("{OBJECT_KIND} {}", list.url)] } else { Vec::new() };
        self.frontier.finish_list(list, "done", &outcome, "null", &keys)
    }

    /// Divides the lists that announce more records than they show, until nothing is missing.
    pub(crate) async fn split_lists(&mut self, sink: RecordSink<'_>) -> Result<(), ExploreError> {
        let (kind, lists) = self.chosen_lists()?;
        let Some((kind, _)) = kind else { return Ok(()) };
        let counted = lists.into_iter().filter_map(|(list, facts)| Some((list, facts?.announced?)));
        let Some((largest, wanted)) = counted.max_by_key(|(_, announced)| announced.total) else {
            return Ok(());
        };
        let mut open = vec![(largest.request(), 0)];
        while let Some((whole, depth)) = open.pop() {
            for group in self.split_groups(&whole).await? {
                let before = self.frontier.record_count()?;
                for part in &group {
                    if self.must_stop() || self.frontier.record_count()? >= wanted.total {
                        return Ok(());
                    }
                    if let Some(part_facts) = Box::pin(self.read_part(part, &kind, sink)).await?
                        && depth + 1 < MAX_SPLIT_DEPTH
                        && is_capped(&part_facts)
                    {
                        open.push((part.clone(), depth + 1));
                    }
                }
                // one filter that divides the list is enough
                if self.frontier.record_count()? > before {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Reads one part of a list, unless it was read before.
    async fn read_part(
        &mut self,
        part: &PageRequest,
        kind: &str,
        sink: RecordSink<'_>,
    ) -> Result<Option<ListFacts>, ExploreError> {
        let key = request_key(&part.url, part.form.as_deref());
        let mut lists = self.frontier.lists()?.into_iter();
        let known = lists.find(|list| request_key(&list.url, list.form.as_deref()) == key);
        if known.is_some_and(|list| list.state != "queued") {
            return Ok(None);
        }
        let Some(page) = self.page_facts(part).await? else { return Ok(None) };
        let Some(facts) = page.list.filter(|list| list.kind() == kind) else { return Ok(None) };
        let list = FoundList { form: part.form.clone(), ..found_list(&part.url, kind, &facts) };
        self.frontier.add_list(&list)?;
        self.extract_list(&list, facts, ReadingLimits::NONE, sink).await
    }

    /// The ways to divide a list: the choices of its search form, and groups of filters that the page links to.
    async fn split_groups(&mut self, whole: &PageRequest) -> Result<Vec<Vec<PageRequest>>, ExploreError> {
        let Some(page) = self.page_facts(whole).await? else { return Ok(Vec::new()) };
        let links = filter_groups(&page).into_iter();
        let mut groups: Vec<Vec<PageRequest>> =
            links.map(|urls| urls.into_iter().map(PageRequest::get).collect()).collect();
        if self.options.uses_forms {
            let splits =
                page.forms.iter().filter(|form| form.refused.is_none()).flat_map(|form| &form.splits);
            let request = |one: &FormSubmission| page_request(&one.url, one.body.as_deref());
            groups.extend(splits.map(|group| group.iter().map(request).collect()));
        }
        Ok(groups)
    }

    pub(crate) async fn page_facts(
        &mut self,
        request: &PageRequest,
    ) -> Result<Option<PageFacts>, ExploreError> {
        self.pages += 1;
        match self.visitor.with_limits(1, 0).read(request).await {
            Ok(Some(read)) => Ok(read
                .page
                .as_ref()
                .map(|page| read_page_facts(page, &read.answer, self.options.domain.as_deref(), false))),
            Ok(None) => Ok(None),
            Err(_) => {
                self.errors += 1;
                Ok(None)
            }
        }
    }
}

/// True if a list announces more records than it showed.
fn is_capped(facts: &ListFacts) -> bool {
    let read = facts.read.as_ref().map_or(0, |read| read.records as u64);
    facts.announced.is_some_and(|announced| announced.total > read)
}

fn list_read(answer: &Answer, records: usize, new: usize) -> ListRead {
    let followed = answer.followed.as_ref();
    ListRead {
        pages: followed.map_or(1, |followed| followed.pages.len()),
        records,
        new,
        whole: followed.is_some_and(|followed| followed.whole),
        cut: followed.is_some_and(|followed| followed.cut),
        stopped: followed.map_or_else(|| "one page".to_owned(), |followed| followed.stopped.clone()),
    }
}

/// Groups of links that add one parameter to the URL of the page, by the name of the parameter.
fn filter_groups(page: &PageFacts) -> Vec<Vec<String>> {
    let pairs = |url: &str| -> Vec<(String, String)> {
        Url::parse(url).map(|url| url.query_pairs().into_owned().collect()).unwrap_or_default()
    };
    let own: HashSet<(String, String)> = pairs(&page.url).into_iter().collect();
    let mut groups: HashMap<String, Vec<String>> = HashMap::new();
    for link in page.links.iter().filter(|link| link.is_filter) {
        let added: Vec<(String, String)> =
            pairs(&link.url).into_iter().filter(|pair| !own.contains(pair) && !pair.1.is_empty()).collect();
        let is_order = |name: &str| {
            let name = name.to_lowercase();
            ["sort", "order", "page", "view", "dir", "lang"].iter().any(|word| name.contains(word))
        };
        if let [(name, _)] = added.as_slice()
            && !is_order(name)
        {
            groups.entry(name.clone()).or_default().push(link.url.clone());
        }
    }
    let mut groups: Vec<(String, Vec<String>)> =
        groups.into_iter().filter(|(_, urls)| (2..=MAX_SPLIT_PARTS).contains(&urls.len())).collect();
    groups.sort();
    groups.into_iter().map(|(_, urls)| urls).collect()
}
