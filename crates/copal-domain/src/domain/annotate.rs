//! A domain's attributes on a page (AMBER section 4.2): instances and labels.
//!
//! In: a [`Page`] and a [`Domain`]. Out: [`AttributeAnnotation`] annotations in document order, each on the lowest element that holds it
//! whole. Instances come from rules, gazetteers and generic recognisers; and from labels: the rest of `Label: value`,
//! or what stands right behind a label (Figure 4.2: an icon with `alt="Bedrooms"`, then a bare 7). O(text).

use super::label_places::{self, Headers};
use super::{AttributeType, Domain, compose, elements};
use crate::annotations::{Place, readable};
use crate::former::is_former;
use crate::text_run::TextRun;
use copal_dom::{AttrName, Node, Page, attrs};
use copal_values::Value;
use copal_values::ValueType;
use copal_values::find;
use copal_values::find::Spans;
use copal_values::labels::{bare, is_no_value, starts_with_colon};
use copal_values::numbers;
use copal_values::recognise::Hit;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Longest text behind a label that is taken for its value.
const LONGEST: usize = 60;
/// Longest text behind a label that is looked at for a value of its type.
const FURTHEST: usize = 200;
/// Attributes whose values are read; those of links and of data attributes hold places on maps.
const READABLE: &[AttrName] =
    &[attrs::ALT, attrs::TITLE, attrs::ARIA_LABEL, attrs::CONTENT, attrs::HREF, attrs::SRC];

/// Which recogniser found an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum By {
    /// A rule of the domain.
    Rule,
    /// A term of a gazetteer.
    Term,
    /// The recogniser of its generic type.
    Type,
    /// The label before it.
    Label,
    /// The element itself: an image, a link.
    Element,
}

impl By {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            By::Rule => "rule",
            By::Term => "term",
            By::Type => "type",
            By::Label => "label",
            By::Element => "element",
        }
    }

    /// How far its word is to be trusted: a label says what stands behind it, a term may be many things.
    pub(super) fn trust(self) -> f64 {
        match self {
            By::Label | By::Element => 1.0,
            By::Rule => 0.9,
            By::Type => 0.8,
            By::Term => 0.7,
        }
    }
}

/// An attribute on a node.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AttributeAnnotation {
    /// Which attribute of the domain.
    pub attribute: usize,
    /// A label ("Price:"), not a value.
    pub label: bool,
    /// The lowest element that holds it whole.
    pub node: Node,
    /// Where it stands.
    pub place: Place,
    /// The text, as the page has it.
    pub text: String,
    /// What it says.
    pub value: Value,
    /// Crossed out.
    pub old: bool,
    /// Who found it.
    pub by: By,
    /// Bytes of text that speak for it: all that a rule matched.
    pub claim: usize,
}

impl AttributeAnnotation {
    /// It stands behind a label of the attribute.
    pub fn labelled(&self) -> bool {
        self.by == By::Label
    }
}

/// A text to read, and where it is.
enum Source<'a> {
    Piece(&'a Range<usize>),
    Attribute(Node, AttrName, &'a str),
}

/// The attributes and labels of a domain's lists on a page.
pub fn annotate(page: &Page, domain: &Domain) -> Vec<AttributeAnnotation> {
    read(page, domain, false, None)
}

/// All attributes and labels of a domain, those of an object's own page too.
pub fn annotate_object(page: &Page, domain: &Domain) -> Vec<AttributeAnnotation> {
    read(page, domain, true, None)
}

/// The same in wanted parts only: texts whose first node, and labels of icons whose element is wanted. Addresses are not read.
pub fn annotate_parts(page: &Page, domain: &Domain, wanted: Wanted<'_>) -> Vec<AttributeAnnotation> {
    read(page, domain, true, Some(wanted))
}

/// Which nodes are read.
type Wanted<'a> = &'a dyn Fn(Node) -> bool;

fn read(page: &Page, domain: &Domain, object: bool, wanted: Option<Wanted<'_>>) -> Vec<AttributeAnnotation> {
    let is_wanted = |node: Node| wanted.is_none_or(|wanted| wanted(node));
    let is_address = |name: AttrName| matches!(name, attrs::HREF | attrs::SRC | attrs::CONTENT);
    let clob = TextRun::new(page);
    let mut sources: Vec<(Node, Source<'_>)> = Vec::new();
    for piece in clob.pieces() {
        let first = clob.leaves(piece).next().unwrap_or(0);
        if is_wanted(first) {
            sources.push((first, Source::Piece(piece)));
        }
    }
    let elements = page.tree.nodes().filter(|&node| !page.tree.is_text(node) && page.styles.is_shown(node));
    for node in elements.filter(|&node| is_wanted(node)) {
        for &name in READABLE.iter().filter(|&&name| wanted.is_none() || !is_address(name)) {
            if let Some(text) = page.tree.attr(node, name).filter(|text| text.len() <= 400) {
                sources.push((node, Source::Attribute(node, name, text)));
            }
        }
        // an icon drawn in the page says what it is in a title of its own
        if let Some(text) = label_places::icon_title(page, node) {
            sources.push((node, Source::Attribute(node, attrs::TITLE, text)));
        }
    }
    // texts and attribute values in document order, so that an icon's label stands before its number
    sources.sort_by_key(|(node, _)| *node);
    let headers = Headers::new(page, &domain.labels);
    let mut reader = Reader {
        page,
        domain,
        clob: &clob,
        headers: &headers,
        found: Vec::new(),
        hits: Vec::new(),
        pending: None,
        bare: None,
        object,
    };
    for (_, source) in &sources {
        reader.read(source);
    }
    let mut found = reader.found;
    if wanted.is_none() {
        elements::find(page, domain, &mut found);
    }
    found.sort_by_key(|found| (found.node, found.attribute));
    found
}

struct Reader<'a> {
    page: &'a Page,
    domain: &'a Domain,
    clob: &'a TextRun,
    found: Vec<AttributeAnnotation>,
    hits: Vec<Hit>,
    headers: &'a Headers,
    /// Attributes whose label was the whole text before, and where it stood.
    pending: Option<(Vec<u16>, Node)>,
    /// The text before, if no label was before it: an icon behind it may be its label.
    bare: Option<Range<usize>>,
    /// The page is an object's own.
    object: bool,
}

impl Reader<'_> {
    fn read(&mut self, source: &Source<'_>) {
        let text = match source {
            Source::Piece(piece) => readable(self.clob.text(piece)),
            Source::Attribute(_, _, text) => text,
        };
        let is_address = matches!(source, Source::Attribute(_, attrs::HREF | attrs::SRC, _));
        let before = self.found.len();
        let domain = self.domain;
        let rules = if is_address { &domain.address_rules } else { &domain.rules };
        for (attribute, regex) in rules.matching(text) {
            for captures in regex.captures_iter(text) {
                let Some(whole) = captures.get(0) else { continue };
                // the value alone is what the attribute says; its words around it ("3 bedrooms") are its label
                let value = captures.name("value").unwrap_or(whole);
                self.push(source, text, *attribute, value.range(), whole.as_str(), By::Rule);
            }
        }
        if is_address {
            return;
        }
        for term in self.domain.instances.find(text) {
            for &attribute in &term.tags {
                let value = &text[term.span.clone()];
                self.push(source, text, attribute as usize, term.span.clone(), value, By::Term);
            }
        }
        self.generic(source, text);
        self.labels(source, text);
        self.beside_labels(source, text, before);
        self.without_repeats(before);
    }

    /// Labels in texts of their own: before the value, at the head of its column, or on an icon behind it.
    fn beside_labels(&mut self, source: &Source<'_>, text: &str, before: usize) {
        let node = self.node_of(source);
        if let Source::Piece(piece) = source {
            self.bare = Some((*piece).clone());
            if let Some((attributes, label)) = self.pending.take()
                && label_places::are_neighbours(self.page, label, node)
            {
                self.behind_label(source, text, &attributes, 0..text.len());
                self.bare = None;
            } else {
                let headers = self.headers;
                self.behind_label(source, text, headers.of(self.page, node), 0..text.len());
            }
        }
        // a text that is nothing but labels: what comes next is their value
        let whole = bare(text);
        let tags = self.domain.labels.get(whole);
        if tags.is_empty() || whole.len() > LONGEST {
            return;
        }
        // "Furnished" is a value, and a label too: what was found as a value here is not a label
        let is_value = |tag: &u16| {
            self.found[before..].iter().any(|found| {
                !found.label && found.attribute == usize::from(*tag) && found.text.len() >= whole.len()
            })
        };
        let wanted = |tag: &u16| self.wants(usize::from(*tag)) && !is_value(tag);
        let tags: Vec<u16> = tags.iter().copied().filter(wanted).collect();
        if tags.is_empty() {
            return;
        }
        if let Source::Attribute(icon, ..) = source
            && let Some(piece) = self.bare.take()
            && self
                .clob
                .leaves(&piece)
                .last()
                .is_some_and(|leaf| label_places::closes(self.page, leaf, *icon))
        {
            let text = readable(self.clob.text(&piece)).to_owned();
            self.behind_label(&Source::Piece(&piece), &text, &tags, 0..text.len());
            self.pending = None;
            return;
        }
        self.pending = Some((tags, node));
    }

    /// The element or text a source begins in.
    fn node_of(&self, source: &Source<'_>) -> Node {
        match source {
            Source::Piece(piece) => self.clob.leaves(piece).next().unwrap_or(0),
            Source::Attribute(node, ..) => *node,
        }
    }

    /// Values of generic types are instances of the attributes that have no rules of their own.
    fn generic(&mut self, source: &Source<'_>, text: &str) {
        let mut hits = std::mem::take(&mut self.hits);
        find(text, &mut hits);
        for hit in hits.drain(..) {
            for attribute in 0..self.domain.attributes.len() {
                let known = &self.domain.attributes[attribute];
                if !known.particular && known.kind == AttributeType::Generic(hit.kind) {
                    self.push_value(
                        source,
                        text,
                        attribute,
                        hit.span.clone(),
                        hit.value.clone(),
                        (By::Type, hit.span.len()),
                    );
                }
            }
        }
        self.hits = hits;
    }

    /// Labels, and the values in `Label: value`.
    fn labels(&mut self, source: &Source<'_>, text: &str) {
        let terms = self.domain.labels.find(text);
        for (i, term) in terms.iter().enumerate() {
            let rest = text[term.span.end..].trim_start();
            let shaped = rest.is_empty() || rest.starts_with([':', '\u{ff1a}']);
            if !shaped
                || term.span.start > 0
                    && !text[..term.span.start].trim_end().ends_with([',', ';', '|', '\u{b7}'])
            {
                continue;
            }
            for &attribute in &term.tags {
                let label = text[term.span.clone()].to_owned();
                self.push_label(source, attribute as usize, term.span.clone(), label);
            }
            let value = rest.trim_start_matches([':', '\u{ff1a}']).trim_start();
            let start = text.len() - value.len();
            // up to what parts it from the next
            let value = value.split(label_places::SEPARATORS).next().unwrap_or_default();
            let next = terms[i + 1..]
                .iter()
                .find(|next| next.span.start > start && starts_with_colon(&text[next.span.end..]));
            let end = next.map_or(value.len(), |next| value.len().min(next.span.start - start));
            let value = &value[..end];
            let value = value.trim_end().trim_end_matches(',');
            if !value.is_empty() {
                self.behind_label(source, text, &term.tags, start..start + value.len());
            }
        }
    }

    /// The text behind a label is its value if its type fits.
    fn behind_label(&mut self, source: &Source<'_>, text: &str, attributes: &[u16], span: Range<usize>) {
        let piece = &text[span.clone()];
        if piece.len() > FURTHEST || is_no_value(piece) {
            return;
        }
        for &attribute in attributes {
            let attribute = attribute as usize;
            let value = match self.domain.attributes[attribute].kind {
                AttributeType::Integer => numbers::parse(piece.trim()).map(|value| number(&value)),
                AttributeType::Text | AttributeType::Place
                    if piece.len() <= LONGEST && self.domain.labels.get(piece).is_empty() =>
                {
                    Some(Value::Text(piece.to_owned()))
                }
                AttributeType::Generic(kind) => {
                    if let Some((value, part)) = self.value_in(kind, piece) {
                        let part = span.start + part.start..span.start + part.end;
                        let claim = (By::Label, span.len());
                        self.push_value(source, text, attribute, part, value, claim);
                    }
                    continue;
                }
                _ => None,
            };
            if let Some(value) = value {
                self.push_value(source, text, attribute, span.clone(), value, (By::Label, span.len()));
            }
        }
    }

    /// A value of this kind that is (nearly) the whole text.
    fn value_of(&mut self, kind: ValueType, text: &str) -> Option<Value> {
        self.value_in(kind, text).map(|(value, _)| value)
    }

    /// The same with its place.
    fn value_in(&mut self, kind: ValueType, text: &str) -> Option<(Value, Range<usize>)> {
        let mut hits = std::mem::take(&mut self.hits);
        find(text, &mut hits);
        let hit = hits
            .iter()
            .find(|hit| hit.kind == kind && 2 * hit.span.len() >= text.len().min(24))
            .map(|hit| (hit.value.clone(), hit.span.clone()));
        hits.clear();
        self.hits = hits;
        let bare = || {
            numbers::parse(text.trim())
                .filter(|_| matches!(kind, ValueType::Distance | ValueType::Number))
                .map(|value| (number(&value), 0..text.len()))
        };
        hit.or_else(bare)
    }

    /// A value found by a rule or a term, typed if its text (or that of the whole match) is of the attribute's type.
    fn push(
        &mut self,
        source: &Source<'_>,
        text: &str,
        attribute: usize,
        span: Range<usize>,
        whole: &str,
        by: By,
    ) {
        let words = &text[span.clone()];
        let value = match self.domain.attributes[attribute].kind {
            AttributeType::Integer => numbers::parse(words.trim()).map(|value| number(&value)),
            AttributeType::Coordinates => coordinates(words),
            AttributeType::Generic(kind) => self.value_of(kind, words).or_else(|| self.value_of(kind, whole)),
            _ => None,
        };
        let value = value.unwrap_or_else(|| Value::Text(words.to_owned()));
        self.push_value(source, text, attribute, span, value, (by, whole.len()));
    }

    fn push_value(
        &mut self,
        source: &Source<'_>,
        text: &str,
        attribute: usize,
        span: Range<usize>,
        value: Value,
        (by, claim): (By, usize),
    ) {
        if !self.wants(attribute) {
            return;
        }
        let range = self.domain.attributes[attribute].range;
        if let (Some((least, most)), Some(number)) = (range, numeric(&value))
            && !(least..=most).contains(&number)
        {
            return;
        }
        let (node, place, old) = self.locate(source, &span);
        let text = text[span].to_owned();
        self.found.push(AttributeAnnotation {
            attribute,
            label: false,
            node,
            place,
            text,
            value,
            old,
            by,
            claim,
        });
    }

    /// Attributes of an object's own page are not looked for in lists.
    fn wants(&self, attribute: usize) -> bool {
        self.object || !self.domain.attributes[attribute].detail
    }

    fn push_label(&mut self, source: &Source<'_>, attribute: usize, span: Range<usize>, text: String) {
        if !self.wants(attribute) {
            return;
        }
        let (node, place, old) = self.locate(source, &span);
        let value = Value::Text(text.clone());
        self.found.push(AttributeAnnotation {
            attribute,
            label: true,
            node,
            place,
            text,
            value,
            old,
            by: By::Label,
            claim: 0,
        });
    }

    fn locate(&self, source: &Source<'_>, span: &Range<usize>) -> (Node, Place, bool) {
        match source {
            Source::Piece(piece) => {
                let span = piece.start + span.start..piece.start + span.end;
                let old = is_former(self.page, self.clob, &span);
                (self.clob.element(self.page, &span), Place::Text(span), old)
            }
            Source::Attribute(node, name, _) => (*node, Place::Attribute(*name, span.clone()), false),
        }
    }

    /// Of overlapping values of one attribute in one text the longest stays, a labelled one first.
    fn without_repeats(&mut self, before: usize) {
        let mut new: Vec<AttributeAnnotation> = self.found.split_off(before);
        new.sort_by_key(|found| std::cmp::Reverse((found.labelled(), found.text.len())));
        let mut taken: FxHashMap<(usize, bool), Spans> = FxHashMap::default();
        new.retain(|found| {
            let span = match &found.place {
                Place::Text(span) => span.clone(),
                // one value for each attribute of an element
                _ => 0..usize::MAX,
            };
            taken.entry((found.attribute, found.label)).or_default().insert(&span)
        });
        compose::reconcile(self.domain, &mut new);
        if let Some(Place::Text(_)) = new.first().map(|found| &found.place) {
            compose::compose(self.page, self.clob, self.domain, &mut new);
        }
        self.found.extend(new);
    }
}

fn number(value: &str) -> Value {
    Value::Number { value: value.to_owned(), max: None, unit: None }
}

/// The first two numbers of a text, if they can be a latitude and a longitude.
pub(super) fn coordinates(text: &str) -> Option<Value> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '.');
    let mut numbers = text.split(|c| !is_part(c)).filter(|part| part.contains('.'));
    let (lat, lon) = (numbers.next()?, numbers.next()?);
    let within = |text: &str, most: f64| text.parse::<f64>().is_ok_and(|number| number.abs() <= most);
    (within(lat, 90.0) && within(lon, 180.0))
        .then(|| Value::Coordinates { lat: lat.to_owned(), lon: lon.to_owned() })
}

fn numeric(value: &Value) -> Option<f64> {
    match value {
        Value::Number { value, .. } | Value::Money { amount: value, .. } | Value::Percent(value) => {
            value.parse().ok()
        }
        Value::Area { value, .. } | Value::Distance { value, .. } => value.parse().ok(),
        _ => None,
    }
}
