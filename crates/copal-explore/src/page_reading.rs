//! What the exploration needs to know about a page.
//!
//! In: a page with its answer, and the domain. Out: [`PageFacts`]. Nothing is fetched. O(nodes), with bounds on
//! links and forms.

use crate::form_filling::{FillContext, plan_form};
use crate::link_words::folded_words;
use crate::page_facts::{Announced, DomainFit, LinkFacts, LinkPosition, ListFacts, PageClass, PageFacts};
use crate::page_size::larger_page;
use crate::url_keys::{canonical_key, url_template};
use copal_dom::url::{BaseUrl, page_link};
use copal_dom::{Node, Page, Tree, attrs, tags};
use copal_domain::Domain;

use copal_extract::{Answer, Impression, Region, paging};
use copal_forms::{FormType, find_forms};
use std::collections::{HashMap, HashSet};
use url::Url;

/// Links of a page that are looked at.
const MAX_LINKS: usize = 500;
/// Characters of a link's text.
const MAX_LINK_CHARS: usize = 120;
/// Lists below this probability are not lists of records.
const MIN_LIST_CONFIDENCE: f64 = 0.3;
/// A column of the domain counts if this share of the records has it.
const MIN_SUPPORT: f64 = 0.5;
/// Characteristic attributes that records of a domain must have.
const MIN_CHARACTERISTIC: usize = 2;
/// Values seen on a page that may be filled into forms.
const MAX_SEEN_VALUES: usize = 8;
/// What pages say if something was not filled in.
const COMPLAINTS: &[&str] = &[
    "please enter",
    "please select",
    "please fill",
    "is required",
    "required field",
    "must be filled",
    "must enter",
    "you must",
    "cannot be blank",
    "can t be blank",
    "missing",
    "bitte geben",
    "bitte wählen",
    "pflichtfeld",
    "veuillez",
    "obligatoire",
    "por favor",
    "obligatorio",
    "obbligatorio",
    "verplicht",
];

/// Reads a page for the planner. `after_form` is true for pages that a filled form has led to.
pub fn read_page_facts(page: &Page, answer: &Answer, domain: Option<&Domain>, after_form: bool) -> PageFacts {
    let url = page.url.clone().unwrap_or_default();
    let list = answer.primary().and_then(|list| list_facts(page, answer, list, domain));
    let object = answer.object.as_ref().map(|object| {
        let names: Vec<&str> = object.fields.iter().map(|field| field.name.as_str()).collect();
        domain_fit(&names, domain)
    });
    let forms = find_forms(page);
    let complaint = complaint(page, list.is_some(), after_form);
    let wildcards = domain.map_or(&[][..], |domain| &domain.wildcards);
    let page_names = if forms.is_empty() { Vec::new() } else { seen_values(page) };
    let seen_values = if complaint.is_some() { page_names.as_slice() } else { &[] };
    let examples = domain.map_or(&[][..], |domain| &domain.form_examples);
    let needs_values = complaint.is_some();
    let context = FillContext { wildcards, needs_values, seen_values, page_names: &page_names, examples };
    let plans =
        forms.iter().filter(|form| !form.fields.is_empty()).map(|form| plan_form(page, form, context));
    let forms: Vec<_> = plans.collect();
    let links = links(page, answer.primary().filter(|_| list.is_some()), &url);
    let frames = frames(page);
    let has_search = forms.iter().any(|form| form.form_type == FormType::Search);
    let can_search = forms.iter().any(|form| form.form_type == FormType::Search && form.refused.is_none());
    let has_other_form = forms.iter().any(|form| form.form_type != FormType::Search);
    let is_short = page.text_of(0).chars().count() < 600;
    let class = match answer.impression {
        // a box for members beside a search does not close the site
        Some(Impression::Login) if !can_search => PageClass::Login,
        Some(Impression::Challenge) => PageClass::Challenge,
        _ if list.is_some() => PageClass::List,
        _ if answer.object.is_some() && !(has_search && is_short) => PageClass::Object,
        Some(Impression::NeedsScripts) if frames.is_empty() && links.is_empty() => PageClass::NeedsScripts,
        _ if !frames.is_empty() && is_short => PageClass::Frame,
        _ if has_search => PageClass::SearchForm,
        _ if forms.iter().any(|form| form.form_type == FormType::Login) && is_short => PageClass::Login,
        _ if !links.is_empty() => PageClass::Hub,
        _ if has_other_form => PageClass::OtherForm,
        _ => PageClass::Other,
    };
    PageFacts { feeds: feeds(page), url, class, list, object, links, forms, frames, complaint }
}

fn list_facts(page: &Page, answer: &Answer, list: &Region, domain: Option<&Domain>) -> Option<ListFacts> {
    let confidence = list.confidence.unwrap_or(1.0);
    if confidence < MIN_LIST_CONFIDENCE || list.records.is_empty() {
        return None;
    }
    let supported = list.columns.iter().filter(|column| column.support >= MIN_SUPPORT);
    let columns: Vec<&str> = supported.map(|column| column.name.as_str()).collect();
    let announced = answer.page.counter.as_ref();
    let links = paging::next_links(page, Some(list));
    let has_next = links.first().is_some_and(|link| link.score >= paging::SURE);
    let is_part = has_next || announced.is_some_and(|counter| counter.total > list.records.len() as u64);
    Some(ListFacts {
        records: list.records.len(),
        confidence,
        announced: announced.map(|counter| Announced { total: counter.total, at_least: counter.at_least }),
        fit: domain_fit(&columns, domain),
        link_template: link_template(list),
        has_next,
        larger_page: if is_part { larger_page(page, list.records.len()) } else { None },
        keys: record_keys(list),
        columns: columns.into_iter().map(str::to_owned).collect(),
        read: None,
    })
}

/// How columns fit a domain: its pivot must be there, and enough of its characteristic attributes.
fn domain_fit(columns: &[&str], domain: Option<&Domain>) -> DomainFit {
    let Some(domain) = domain else { return DomainFit { fits: true, ..DomainFit::default() } };
    let has = |index: &usize| columns.contains(&domain.attributes[*index].name.as_str());
    let names = |indices: Vec<usize>| {
        indices.into_iter().map(|index| domain.attributes[index].name.clone()).collect::<Vec<_>>()
    };
    let found: Vec<usize> = (0..domain.attributes.len()).filter(|index| has(index)).collect();
    let characteristic = domain.characteristic.iter().filter(|index| has(index)).count();
    let needed = MIN_CHARACTERISTIC.min(domain.characteristic.len());
    let missing = domain.mandatory.iter().copied().filter(|index| !has(index)).collect();
    DomainFit {
        fits: has(&domain.pivot) && characteristic >= needed,
        found: names(found),
        missing: names(missing),
    }
}

/// The most frequent URL template of the records' own pages.
fn link_template(list: &Region) -> Option<String> {
    let column = list.link_column()?;
    let mut counts: HashMap<String, usize> = HashMap::new();
    for url in list.records.iter().filter_map(|record| record.cells[column].first()) {
        *counts.entry(url_template(url)).or_default() += 1;
    }
    let best = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)))?;
    (2 * best.1 >= list.records.len()).then_some(best.0)
}

/// A key per record: the URL of its own page if most records have one, else its texts. A thing that is in a list twice
/// has one key.
pub fn record_keys(list: &Region) -> Vec<String> {
    let urls: Vec<Option<String>> = match list.link_column() {
        Some(column) => {
            list.records.iter().map(|record| record.cells[column].first().and_then(canonical_key)).collect()
        }
        None => vec![None; list.records.len()],
    };
    let distinct: HashSet<&String> = urls.iter().flatten().collect();
    // a calendar shows an event on several days; a link that most records share is not their own
    let linked = urls.iter().flatten().count();
    let has_own_urls = 10 * linked >= 9 * list.records.len() && 5 * distinct.len() >= 2 * linked;
    let keys = list.records.iter().zip(urls).map(|(record, url)| match url.filter(|_| has_own_urls) {
        Some(url) => url,
        None => format!("text {}", folded_words(&record.text).trim()),
    });
    keys.collect()
}

fn links(page: &Page, list: Option<&Region>, own_url: &str) -> Vec<LinkFacts> {
    let tree = &page.tree;
    let base = BaseUrl::of(page);
    let Ok(own) = Url::parse(own_url) else { return Vec::new() };
    let own_key = canonical_key(own_url);
    let pagers: HashSet<Option<String>> =
        paging::next_links(page, list).iter().map(|link| canonical_key(&link.url)).collect();
    let in_record = |node: Node| {
        list.is_some_and(|list| {
            let mut parts = list.records.iter().flat_map(|record| &record.place.parts);
            parts.any(|part| part.contains(&node))
        })
    };
    let mut known = HashSet::new();
    let mut found = Vec::new();
    for node in tree.nodes().filter(|&node| matches!(tree.tag(node), tags::A | tags::AREA)) {
        if found.len() >= MAX_LINKS {
            break;
        }
        let Some(href) = tree.attr(node, attrs::HREF).and_then(page_link) else { continue };
        let Ok(url) = Url::parse(&base.resolve(href)) else { continue };
        if !copal_dom::url::same_site(&url, &own) || url.port() != own.port() || !page.styles.is_shown(node) {
            continue;
        }
        let key = canonical_key(url.as_str());
        if key.is_none() || key == own_key || pagers.contains(&key) {
            continue;
        }
        let text = link_text(page, node);
        let is_page_number = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        if is_page_number || is_download(&url) || !known.insert(key) {
            continue;
        }
        let is_filter = url.path() == own.path();
        let position = if in_record(node) { LinkPosition::Record } else { position(tree, node) };
        found.push(LinkFacts { url: url.into(), text, position, is_filter });
    }
    found
}

fn link_text(page: &Page, node: Node) -> String {
    let tree = &page.tree;
    let text = page.text_of(node);
    let names = [tree.attr(node, attrs::ARIA_LABEL), tree.attr(node, attrs::TITLE)];
    let images = (node..tree.end(node)).filter_map(|inner| tree.attr(inner, attrs::ALT));
    let first = std::iter::once(text.as_str()).chain(names.into_iter().flatten()).chain(images);
    let first = first.map(str::trim).find(|text| !text.is_empty()).unwrap_or_default();
    first.chars().take(MAX_LINK_CHARS).collect()
}

/// True for files that are not pages.
fn is_download(url: &Url) -> bool {
    let ending = url.path().rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let endings = [
        "pdf", "jpg", "jpeg", "png", "gif", "webp", "svg", "zip", "gz", "mp3", "mp4", "avi", "doc", "docx",
        "xls", "xlsx", "ppt", "pptx", "css", "js", "ico", "exe", "dmg", "ics", "csv", "atom",
    ];
    url.path().contains('.') && endings.contains(&ending.as_str())
}

fn position(tree: &Tree, node: Node) -> LinkPosition {
    for up in tree.ancestors(node) {
        match tree.tag(up) {
            tags::NAV => return LinkPosition::Navigation,
            tags::FOOTER | tags::ASIDE => return LinkPosition::Margin,
            tags::HEADER => return LinkPosition::Header,
            tags::MAIN => return LinkPosition::Main,
            _ => {}
        }
        let role = tree.attr(up, attrs::ROLE).unwrap_or_default();
        let names = folded_words(&format!(
            "{} {}",
            tree.attr(up, attrs::ID).unwrap_or_default(),
            tree.attr(up, attrs::CLASS).unwrap_or_default()
        ));
        let has = |word: &str| names.contains(&format!(" {word} "));
        if role == "navigation" || has("nav") || has("menu") || has("navbar") || has("navigation") {
            return LinkPosition::Navigation;
        }
        if role == "contentinfo" || has("footer") || has("sidebar") {
            return LinkPosition::Margin;
        }
    }
    LinkPosition::Main
}

/// The pages in frames, the largest first. Frames that are only a few pixels large are left out.
fn frames(page: &Page) -> Vec<String> {
    let tree = &page.tree;
    let base = BaseUrl::of(page);
    let size = |node: Node, name: &str| {
        let written = tree.attr_named(node, name)?;
        let digits: String = written.chars().take_while(char::is_ascii_digit).collect();
        (!written.contains('%')).then(|| digits.parse::<u64>().ok()).flatten()
    };
    let mut found: Vec<(u64, String)> = tree
        .nodes()
        .filter(|&node| matches!(tree.tag_name(node), "iframe" | "frame"))
        .filter_map(|node| {
            let source = tree.attr_named(node, "src").and_then(page_link)?;
            let url = base.resolve(source);
            let area = size(node, "width").unwrap_or(800) * size(node, "height").unwrap_or(600);
            (area >= 20_000 && canonical_key(&url).is_some()).then_some((area, url))
        })
        .collect();
    found.sort_by_key(|(area, _)| std::cmp::Reverse(*area));
    found.into_iter().map(|(_, url)| url).take(2).collect()
}

fn feeds(page: &Page) -> Vec<String> {
    let tree = &page.tree;
    let base = BaseUrl::of(page);
    let links = tree.nodes().filter(|&node| tree.tag(node) == tags::LINK);
    let feeds = links.filter(|&node| {
        let kind = tree.attr(node, attrs::TYPE).unwrap_or_default().to_ascii_lowercase();
        kind.contains("rss+xml") || kind.contains("atom+xml")
    });
    let urls = feeds.filter_map(|node| tree.attr(node, attrs::HREF).and_then(page_link));
    urls.map(|href| base.resolve(href)).take(2).collect()
}

/// What the page says about a field that was not filled in. Only pages that a form has led to are asked.
fn complaint(page: &Page, has_list: bool, after_form: bool) -> Option<String> {
    if has_list || !after_form {
        return None;
    }
    let tree = &page.tree;
    let is_marked = |node: Node| tree.attr_named(node, "aria-invalid").is_some_and(|value| value == "true");
    if tree.nodes().any(is_marked) {
        return Some("a field is marked as invalid".to_owned());
    }
    let text = folded_words(&page.text_of(0));
    let found = COMPLAINTS.iter().find(|phrase| text.contains(&format!(" {phrase} ")))?;
    Some(format!("the page says \"{found}\""))
}

/// Short names on the page that a search may want: the texts of links in the content.
pub(crate) fn seen_values(page: &Page) -> Vec<String> {
    let tree = &page.tree;
    let is_name = |text: &String| {
        let words = text.split_whitespace().count();
        (1..=3).contains(&words)
            && text.chars().next().is_some_and(char::is_uppercase)
            && text.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '\''))
    };
    let links =
        tree.nodes().filter(|&node| tree.tag(node) == tags::A && position(tree, node) == LinkPosition::Main);
    let texts = links.map(|node| page.text_of(node).trim().to_owned());
    texts.filter(is_name).take(MAX_SEEN_VALUES).collect()
}
