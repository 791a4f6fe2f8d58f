//! Detail pages: one object per page (AMBER, thesis chapter 6).
//!
//! In: pages, as many as there are of a site. Out: one [`Object`] per page, with its fields and the area that
//! holds them. Pages are grouped by template and read together: what differs between them is data, what is
//! equal belongs to the template. Near-linear in the pages together. The stages, in the order of
//! `read_template`:
//!
//! 1. `templates`: groups pages by template.
//! 2. `detail_page`: splits each page into lines and counts what the pages share.
//! 3. `headline`, `object_names`: find the line that names the object, and the name in it.
//! 4. `data_area`: finds where the data is, without `boilerplate` and lists of `other_objects`. Of pages whose template
//!    is known, `template_places` says where these are.
//! 5. `table_heads`, `labelled_values`: read labels with their values.
//! 6. `declared_fields`, `marked_fields`: read what the page declares, if it also shows it (`shown_text`).
//! 7. `object_image`: finds the image.
//! 8. With a domain, `domain_fields`: `field_candidates`, then `field_choice` (by `field_features` and
//!    `field_evidence`), then `majority_place`, then `derived_fields`. Without one, `open_fields` (with
//!    `open_labels`, `open_lines`, `breadcrumb`, `own_values` and `open_roles`).
//! 9. `reported_area`: what users see of the area. `object_side`, `page_kind`, `list_or_object` and
//!    `object_or_nothing`: whether the page is about one object at all.

mod boilerplate;
mod breadcrumb;
mod choice_weights;
mod data_area;
mod declared_fields;
mod derived_fields;
mod detail_page;
mod domain_fields;
mod field_candidates;
mod field_choice;
mod field_class_names;
mod field_evidence;
mod field_features;
mod headline;
pub mod join;
mod kind_weights;
mod labelled_values;
mod list_or_object;
mod listed_names;
mod majority_place;
mod marked_fields;
mod object_image;
mod object_names;
mod object_or_nothing;
mod object_side;
mod open_field_list;
mod open_fields;
mod open_labels;
mod open_lines;
mod open_roles;
mod options;
mod other_objects;
mod own_values;
mod page_findings;
mod page_kind;
mod place_learning;
mod placed_field;
mod reader_forms;
mod reported_area;
mod shown_text;
pub(crate) mod switches;
mod table_heads;
mod tag_paths;
mod template_places;
mod templates;
mod text_forms;

pub use copal_model::{Field, FieldSource, Object, PageKind};
#[cfg(feature = "research")]
pub use object_side::ObjectSideDescription;
pub use options::ObjectOptions;
pub use place_learning::PlaceEvidence;
pub use template_places::TemplatePlaces;
pub use templates::{template_similarity, template_sketch};

use crate::lists::candidate::RankedLists;
use crate::lists::{ListOptions, find_with_signals};
use crate::signals::Signals;
use crate::table::build_region::{PageContext, build_region};
use crate::table::region_xpaths;
use copal_dom::xpath::XPaths;
use copal_dom::{Node, Page, Warning};
use copal_domain::Domain;
use copal_model::{Answer, Method, Region, Role};
use data_area::find_data_area;
use detail_page::{DetailPage, split_into_lines};
use field_candidates::{attributes_of_label, attributes_of_section};
use headline::find_headlines;
use labelled_values::find_labelled_values;
use object_image::find_image;
use object_names::object_names;
use object_side::ObjectSide;
use page_findings::PageFindings;
use page_kind::most_likely_kind;
use placed_field::{MAX_FIELD_COUNT, PlacedField};
use std::borrow::Cow;
use std::cell::LazyCell;
use table_heads::mark_table_heads;

/// Reads the objects of pages, in the given order.
pub fn read(pages: &[&Page], options: &ObjectOptions) -> Vec<Object> {
    read_ranked(pages, &vec![None; pages.len()], options).into_iter().map(|read| read.object).collect()
}

/// An object as it was read.
#[derive(Default)]
pub(crate) struct ReadObject {
    pub(crate) object: Object,
    /// What was left out, if the page has too much of it.
    pub(crate) warnings: Vec<Warning>,
}

/// The same for pages whose lists may have been ranked already: `ranked` has them per page.
pub(crate) fn read_ranked(
    pages: &[&Page],
    ranked: &[Option<&RankedLists>],
    options: &ObjectOptions,
) -> Vec<ReadObject> {
    let mut objects: Vec<ReadObject> = pages.iter().map(|_| ReadObject::default()).collect();
    for (template, members) in templates::group_by_template(pages).into_iter().enumerate() {
        let group: Vec<&Page> = members.iter().map(|&at| pages[at]).collect();
        let known: Vec<Option<&RankedLists>> = members.iter().map(|&at| ranked[at]).collect();
        let read = read_template(&group, &known, &members, options);
        for (at, mut read) in members.into_iter().zip(read) {
            read.object.template = template;
            objects[at] = read;
        }
    }
    objects
}

/// The answers for detail pages, one per page, in the given order. [`Answer::object`] has the fields of each;
/// its regions are the lists of other objects. Pages of one template are read together, so give all pages of
/// a site at once.
///
/// ```
/// use copal_dom::{Limits, Page};
/// use copal_extract::objects::{ObjectOptions, answers};
/// let page = |name: &str, price: &str, isbn: &str| {
///     let html = format!(
///         "<title>{name}</title><h1>{name}</h1><p>Price: {price}</p><p>ISBN: {isbn}</p><p>Free delivery</p>"
///     );
///     Page::from_text(&html, &Limits::default())
/// };
/// let pages = [page("Middlemarch", "£9.99", "9780141439549"), page("Emma", "£7.50", "9780141439587")];
/// let answers = answers(&pages.each_ref(), &ObjectOptions::default());
/// let emma = answers[1].object.as_ref().expect("an object");
/// let fields: Vec<(&str, &str)> =
///     emma.fields.iter().map(|f| (f.name.as_str(), f.texts[0].as_str())).collect();
/// assert_eq!(fields, [("title", "Emma"), ("price", "£7.50"), ("isbn", "9780141439587")]);
/// ```
pub fn answers(pages: &[&Page], options: &ObjectOptions) -> Vec<Answer> {
    let options = ObjectOptions { lists: true, ..options.clone() };
    let objects = read_ranked(pages, &vec![None; pages.len()], &options).into_iter().zip(pages);
    let answer = |(ReadObject { mut object, warnings }, page): (ReadObject, &&Page)| Answer {
        page: crate::paging::page_info(page, None),
        regions: std::mem::take(&mut object.lists),
        warnings: page.warnings.iter().cloned().chain(warnings).collect(),
        kind: PageKind::Object,
        object: Some(object),
        ..Answer::default()
    };
    objects.map(answer).collect()
}

/// Reads pages of one template. `page_numbers` are their positions among all pages.
fn read_template<'a>(
    pages: &[&Page],
    ranked: &[Option<&'a RankedLists>],
    page_numbers: &[usize],
    options: &ObjectOptions,
) -> Vec<ReadObject> {
    let domain = options.domain.as_deref();
    let signals: Vec<Signals<'_>> = pages.iter().map(|page| Signals::new(page)).collect();
    let ranked_lists = |(signals, ranked): (&Signals<'_>, Option<&'a RankedLists>)| match ranked {
        Some(ranked) => Cow::Borrowed(ranked),
        None => Cow::Owned(find_with_signals(signals, &ListOptions::default())),
    };
    let ranked: Vec<Cow<'a, RankedLists>> =
        signals.iter().zip(ranked.iter().copied()).map(ranked_lists).collect();
    let findings = find_in_template(pages, &ranked, &signals, options);
    let fields: Vec<(Vec<PlacedField>, bool)> = match domain {
        Some(domain) => {
            let fields = domain_fields::read_domain_fields(&findings, page_numbers, domain, options);
            // the method that finds lists with a domain reads at least the same texts, and warns
            fields.into_iter().map(|fields| (fields, false)).collect()
        }
        None => {
            let record = |number: &usize| options.records.get(*number).map_or(&[][..], Vec::as_slice);
            let pages = findings.iter().zip(page_numbers);
            pages.map(|(page, number)| open_fields::read_open_fields(page, record(number))).collect()
        }
    };
    let read = findings.iter().zip(fields).zip(ranked.iter().zip(&signals));
    read.map(|((findings, (fields, is_partial)), (ranked, signals))| {
        let object = object_of(findings, fields, ranked, signals, options);
        let warning = is_partial.then_some(Warning::LeftOut { what: "fields of a very long page".into() });
        ReadObject { object, warnings: warning.into_iter().collect() }
    })
    .collect()
}

/// Finds everything on the pages of a template that fields are made of.
fn find_in_template<'p>(
    pages: &[&'p Page],
    ranked: &[Cow<'_, RankedLists>],
    signals: &[Signals<'_>],
    options: &ObjectOptions,
) -> Vec<PageFindings<'p>> {
    let domain = options.domain.as_deref();
    let mut detail_pages = split_into_lines(pages);
    if let Some(places) = &options.places {
        for page in &mut detail_pages {
            page.lines.retain(|line| !places.is_furniture(line));
        }
    }
    let headlines = find_headlines(&detail_pages);
    let names = object_names(&detail_pages, &headlines);
    detail_pages
        .into_iter()
        .zip(headlines.into_iter().zip(names))
        .zip(ranked.iter().zip(signals))
        .map(|((page, named), (ranked, signals))| find_in_page(page, named, ranked, signals, domain, options))
        .collect()
}

/// A candidate for a field, for fitting the choice between candidates.
#[cfg(feature = "research")]
#[derive(Debug)]
pub struct FieldDescription {
    /// The number of its page.
    pub page: usize,
    /// Pages that were read together with it.
    pub page_count: usize,
    /// The attribute of the domain.
    pub attribute: String,
    /// Its texts.
    pub texts: Vec<String>,
    /// Names and values of its features.
    pub features: Vec<(&'static str, f64)>,
}

/// All candidates for the fields of a domain, for fitting.
#[cfg(feature = "research")]
pub fn describe_fields(pages: &[&Page], options: &ObjectOptions) -> Vec<FieldDescription> {
    let Some(domain) = options.domain.as_deref() else { return Vec::new() };
    let mut described = Vec::new();
    for members in templates::group_by_template(pages) {
        let group: Vec<&Page> = members.iter().map(|&at| pages[at]).collect();
        let signals: Vec<Signals<'_>> = group.iter().map(|page| Signals::new(page)).collect();
        let ranked: Vec<Cow<'_, RankedLists>> = signals
            .iter()
            .map(|signals| Cow::Owned(find_with_signals(signals, &ListOptions::default())))
            .collect();
        let findings = find_in_template(&group, &ranked, &signals, options);
        let fields = domain_fields::describe_domain_fields(&findings, domain, options);
        described.extend(fields.into_iter().map(|(attribute, own)| FieldDescription {
            page: members[own.page],
            page_count: members.len(),
            attribute,
            texts: own.texts,
            features: own.features,
        }));
    }
    described
}

/// What the kind of a page is decided by, apart from its lists, for fitting.
#[cfg(feature = "research")]
pub fn describe_object_side(page: &Page, options: &ListOptions) -> Option<ObjectSideDescription> {
    let signals = Signals::new(page);
    let ranked = find_with_signals(&signals, options);
    let mut detail_pages = split_into_lines(&[page]);
    let headline = find_headlines(&detail_pages).pop().flatten();
    let detail_page = detail_pages.pop()?;
    let findings =
        find_in_page(detail_page, (headline, None), &ranked, &signals, None, &ObjectOptions::default());
    Some(ObjectSide::new(&findings, signals.declared()).describe())
}

/// Finds everything on a page that fields are made of, given its headline and the name in it.
fn find_in_page<'p>(
    mut page: DetailPage<'p>,
    (headline, name): (Option<usize>, Option<String>),
    ranked: &RankedLists,
    signals: &Signals<'_>,
    domain: Option<&Domain>,
    options: &ObjectOptions,
) -> PageFindings<'p> {
    let area =
        find_data_area(&mut page, headline, ranked, domain, options.places.as_deref(), &options.switches);
    let is_known_label =
        |text: &str| domain.is_some_and(|domain| !attributes_of_label(domain, text).is_empty());
    let is_known_section =
        |text: &str| domain.is_some_and(|domain| !attributes_of_section(domain, text).is_empty());
    let column_heads = mark_table_heads(&mut page);
    let labelled = find_labelled_values(&page, &is_known_label, &is_known_section, &column_heads);
    let declared = if options.switches.declared {
        declared_fields::find(&page, signals.declared(), headline)
    } else {
        Vec::new()
    };
    let image = find_image(&page, headline, area.as_ref().map(|area| area.node), signals.declared());
    PageFindings { page, headline, name, area, labelled, declared, image }
}

/// Puts an object together.
fn object_of(
    findings: &PageFindings<'_>,
    fields: Vec<PlacedField>,
    ranked: &RankedLists,
    signals: &Signals<'_>,
    options: &ObjectOptions,
) -> Object {
    let page = findings.page.dom;
    let xpaths = XPaths::new(&page.tree);
    // Without a domain, the fields are all that was found, and would not narrow the area.
    let chosen: Vec<Node> = match options.domain {
        Some(_) => fields.iter().filter_map(|placed| placed.node).collect(),
        None => Vec::new(),
    };
    let data_area = findings.area.as_ref();
    let area = data_area.map(|area| reported_area::reported_area(findings, area.node, &chosen));
    let with_xpath = |placed: PlacedField| Field {
        xpath: placed.node.and_then(|node| xpaths.bounded(node)),
        ..placed.field
    };
    let side = ObjectSide::new(findings, signals.declared());
    let (kind, kind_confidence) = most_likely_kind(page, &side, ranked);
    let other_lists = data_area.into_iter().flat_map(|area| &area.other_lists).filter(|_| options.lists);
    let context = LazyCell::new(|| PageContext::new(page));
    let mut lists: Vec<Region> = other_lists
        .map(|&rank| build_region(&context, &ranked.regions[rank], Method::Combined, Role::Secondary))
        .collect();
    if !lists.is_empty() {
        region_xpaths::add_xpaths(page, &mut lists);
    }
    Object {
        area: area.and_then(|node| xpaths.bounded(node)),
        area_node: area,
        fields: fields.into_iter().take(MAX_FIELD_COUNT).map(with_xpath).collect(),
        lists,
        kind,
        kind_confidence,
        template: 0,
    }
}
