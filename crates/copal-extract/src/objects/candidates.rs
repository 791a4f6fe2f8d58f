//! Texts that may be values of a domain's attributes (thesis section 6.6, Algorithm 8, line 5).
//!
//! In: a [`Sheet`], its pairs, its declared properties and its headline. Out: [`Candidate`]s: values behind labels of the attribute, values
//! that the domain's recognisers find, declared properties that labels of the attribute name, the headline. O(what was found).

use super::declared_fields::DeclaredField;
use super::headline;
use super::listed;
use super::pairs::{How, Pair, in_button, in_control};
use super::sheet::{Line, Sheet, hash_beginning};
use copal_dom::hash::mix;
use copal_dom::{Limits, Node, Page, squash, tags};
use copal_domain::{
    AnnotationPlace, AttributeAnnotation, AttributeType, Domain, FoundBy, annotate_object, annotate_parts,
};
use copal_values::find;
use copal_values::labels::{bare, ends_with_colon, is_no_value, separating_colon};
use copal_values::{Value, ValueMatch, ValueType};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What speaks for a candidate apart from the seven features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Behind a label.
    Pair(How),
    /// A recogniser of the domain.
    Recognised(FoundBy),
    /// A declared property.
    Declared,
    /// A part of the page's title.
    Title,
    /// The page's headline.
    Headline,
}

/// A text that may be the value of an attribute.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) attribute: usize,
    pub(super) texts: Vec<String>,
    pub(super) value: Option<Value>,
    pub(super) line: Option<usize>,
    pub(super) node: Node,
    /// Tag path with label: what it is called on all pages of the template.
    pub(super) key: u64,
    pub(super) origin: Origin,
    /// A label of the attribute is beside it.
    pub(super) labelled: bool,
    /// Share of its line that it is.
    pub(super) share: f64,
    /// The page's template has this text on most pages.
    pub(super) fixed: bool,
    pub(super) outside: bool,
    /// Which of the attribute's labels it has: the first ones say it best.
    pub(super) rank: usize,
}

/// Most candidates of a page.
const MOST: usize = 5000;
/// Longest text of an attribute that is words.
const WORDS: usize = 240;
/// Longest line that is looked at for values inside of it.
const SENTENCES: usize = 500;
/// Fewest letters of a long value, and most lines of its parts.
const LEAST_LONG: usize = 25;
const SECTION: usize = 80;
/// Most words of a heading that names a section, and fewest letters of the label in it.
const SECTION_WORDS: usize = 9;
const SECTION_LETTERS: usize = 9;
/// Bytes of a line that is a paragraph.
const PARAGRAPH: usize = 60;

pub(super) fn find_all(
    sheet: &Sheet<'_>,
    domain: &Domain,
    pairs: &[Pair],
    declared: &[DeclaredField],
    headline: Option<usize>,
    area: Option<Node>,
) -> Vec<Candidate> {
    let mut finder = Finder { sheet, domain, area, hits: Vec::new(), found: Vec::new() };
    for pair in pairs {
        finder.pair(pair);
    }
    finder.recognised();
    finder.in_title();
    for property in declared {
        finder.declared(property);
    }
    if let Some(line) = headline {
        finder.headline(line);
    }
    finder.found.truncate(MOST);
    finder.found
}

/// The attributes that a label names: all of it, or without what stands in brackets.
pub(super) fn attributes_of(domain: &Domain, label: &str) -> Vec<u16> {
    let whole = domain.labelled(label);
    if !whole.is_empty() {
        return whole.to_vec();
    }
    let plain = label.split(['(', '[', '/']).next().unwrap_or(label).trim();
    let plain = plain.trim_start_matches(|c: char| !c.is_alphanumeric()).replace('\u{2019}', "'");
    domain.labelled(&plain).to_vec()
}

/// The long attributes that a heading names among other words: "Les ingrédients de la recette", "How to make the soup".
pub(super) fn sections_of(domain: &Domain, heading: &str) -> Vec<u16> {
    let lower = heading.to_lowercase();
    let words: Vec<String> = headline::words(heading).take(SECTION_WORDS + 1).collect();
    if words.len() > SECTION_WORDS {
        return Vec::new();
    }
    let named = |label: &String| {
        let first = label.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if !lower.contains(first) {
            return false;
        }
        let label: Vec<String> = headline::words(label).collect();
        match label.as_slice() {
            [] => false,
            [one] => one.len() >= SECTION_LETTERS && words.contains(one),
            several => words.starts_with(several),
        }
    };
    let long = domain.attributes.iter().enumerate().filter(|(_, known)| is_long(&known.name));
    let found = long.filter(|(_, known)| known.labels.iter().any(named));
    found.filter_map(|(attribute, _)| u16::try_from(attribute).ok()).take(1).collect()
}

/// The parts of an enumeration: several short ones between commas.
fn enumerated(text: &str, least: usize) -> Option<Vec<String>> {
    let parts: Vec<&str> = text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()).collect();
    let short = parts.iter().all(|part| part.split_whitespace().count() <= 4 && part.len() <= 40);
    (parts.len() >= least && short).then(|| parts.into_iter().map(str::to_owned).collect())
}

/// The line that shows a declared figure with a word of the attribute: "10 servings" for 10.
fn line_of_figure<'s>(sheet: &'s Sheet<'_>, figure: &str, labels: &[String]) -> Option<&'s str> {
    if figure.len() > 6 || !figure.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let said = |line: &&Line| {
        let words: Vec<String> = headline::words(&line.text).take(4).collect();
        let named = |word: &String| labels.iter().any(|label| label.eq_ignore_ascii_case(word));
        line.text.len() <= 40
            && words.len() <= 3
            && words.iter().any(|word| word == figure)
            && words.iter().any(named)
    };
    sheet.lines.iter().filter(|line| !line.outside).find(said).map(|line| line.text.as_str())
}

/// Lines of a value as the page sets them: the lines of one item or paragraph are one text.
pub(super) fn blocks_of(sheet: &Sheet<'_>, lines: Range<usize>) -> Vec<String> {
    let tree = &sheet.page.tree;
    let mut blocks: Vec<(Node, String)> = Vec::new();
    for line in &sheet.lines[lines] {
        let block = tree
            .ancestors(line.first())
            .take(6)
            .find(|&above| matches!(tree.tag(above), tags::LI | tags::P | tags::TR | tags::DD))
            .unwrap_or(line.first());
        match blocks.last_mut() {
            // long lines of one paragraph are paragraphs, parted by line breaks
            Some((last, text)) if *last == block && text.len().min(line.text.len()) < PARAGRAPH => {
                text.push(' ');
                text.push_str(&line.text);
            }
            _ => blocks.push((block, line.text.clone())),
        }
    }
    blocks.into_iter().map(|(_, text)| text).collect()
}

/// A number in figures, or as a word.
fn says_number(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "studio", "half",
    ];
    text.contains(|c: char| c.is_ascii_digit())
        || headline::words(text).take(6).any(|word| WORDS.contains(&word.as_str()))
}

/// The number that a text begins with: "3 + maid".
fn leading_number(text: &str) -> Option<Value> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number = (1..=6).contains(&end) && !text[end..].starts_with(['.', ',', '/', '-']);
    number.then(|| Value::Number { value: text[..end].to_owned(), max: None, unit: None })
}

/// Letters of several texts.
fn letters_of<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> usize {
    texts.into_iter().map(|text| text.as_ref().chars().filter(|c| c.is_alphabetic()).count()).sum()
}

/// Attributes that are long: lists and paragraphs.
fn is_long(name: &str) -> bool {
    matches!(name, "description" | "ingredients" | "instructions" | "equipment")
}

struct Finder<'a, 'p> {
    sheet: &'a Sheet<'p>,
    domain: &'a Domain,
    area: Option<Node>,
    hits: Vec<ValueMatch>,
    found: Vec<Candidate>,
}

impl Finder<'_, '_> {
    fn pair(&mut self, pair: &Pair) {
        let mut attributes = attributes_of(self.domain, &pair.label);
        if attributes.is_empty() && pair.how == How::Heading {
            attributes = sections_of(self.domain, &pair.label);
        }
        let lengthy = |attribute: &u16| is_long(&self.domain.attributes[usize::from(*attribute)].name);
        let shared = attributes.iter().any(lengthy);
        for attribute in attributes {
            let attribute = usize::from(attribute);
            let long = is_long(&self.domain.attributes[attribute].name);
            // "Method" is how to cook, or a word that says by what
            if shared && !long && (pair.values.len() > 1 || letters_of(&pair.values) >= LEAST_LONG) {
                continue;
            }
            let blocks = long && !pair.lines.is_empty();
            let own = if blocks { &blocks_of(self.sheet, self.section(pair)) } else { &pair.values };
            if long && letters_of(own) < LEAST_LONG {
                continue;
            }
            let Some((texts, value)) = self.fitting(attribute, own, pair.how) else { continue };
            let line = &self.sheet.lines[pair.line];
            let key = mix(line.path ^ hash_beginning(&pair.label.to_lowercase()) ^ pair.how as u64);
            let labels = &self.domain.attributes[attribute].labels;
            let rank = labels
                .iter()
                .position(|label| label.eq_ignore_ascii_case(&pair.label))
                .unwrap_or(labels.len());
            self.found.push(Candidate {
                attribute,
                texts,
                value,
                line: Some(pair.line),
                node: pair.node,
                key,
                origin: Origin::Pair(pair.how),
                labelled: true,
                share: 1.0,
                fixed: pair.fixed,
                outside: line.outside,
                rank,
            });
        }
    }

    /// The lines of a long value. A short one ("For the sauce") heads the first of several parts: they go on to the next label, or to
    /// the next heading of the label's own level.
    fn section(&self, pair: &Pair) -> Range<usize> {
        let lines = &self.sheet.lines;
        let heads = letters_of(lines[pair.lines.clone()].iter().map(|line| &line.text)) < LEAST_LONG;
        if !heads {
            return pair.lines.clone();
        }
        let tree = &self.sheet.page.tree;
        let heading = |line: &Line| {
            let near = std::iter::once(line.first()).chain(tree.ancestors(line.first())).take(4);
            near.map(|above| tree.tag(above)).find(|&tag| tags::is_heading(tag))
        };
        let label = lines.get(pair.lines.start.wrapping_sub(1)).and_then(heading).unwrap_or(tags::H2);
        let ends = |line: &&Line| {
            line.outside
                || heading(line).is_some_and(|tag| tag <= label)
                || !attributes_of(self.domain, bare(&line.text)).is_empty()
        };
        let more = lines[pair.lines.end..].iter().take(SECTION).take_while(|line| !ends(line)).count();
        pair.lines.start..pair.lines.end + more
    }

    /// The texts of a value that fit an attribute, and what the first of them says.
    fn fitting(
        &mut self,
        attribute: usize,
        values: &[String],
        how: How,
    ) -> Option<(Vec<String>, Option<Value>)> {
        let known = &self.domain.attributes[attribute];
        let long = is_long(&known.name);
        let real: Vec<&String> = values.iter().filter(|text| !is_no_value(text)).collect();
        let first = *real.first()?;
        // below a heading stand labels with values of their own
        if how == How::Heading && !long && separating_colon(first).is_some() {
            return None;
        }
        match known.attribute_type {
            AttributeType::Generic(ValueType::Image | ValueType::Link) => None,
            AttributeType::Generic(kind) => {
                // the value is in the first lines, or it is not the label's
                real.iter().take(3).find_map(|text| {
                    let (value, shown) = self.typed(kind, text)?;
                    Some((vec![shown], value))
                })
            }
            AttributeType::Integer => {
                let counts = first.len() <= 60 && says_number(first);
                let value = self.typed(ValueType::Number, first).and_then(|(value, _)| value);
                counts.then(|| (vec![first.clone()], value.or_else(|| leading_number(first))))
            }
            AttributeType::Text | AttributeType::Place => {
                if long {
                    return Some((real.into_iter().cloned().collect(), None));
                }
                if let [one] = real.as_slice()
                    && known.attribute_type == AttributeType::Text
                    && !self.domain.headline.contains(&attribute)
                    && let Some(parts) = enumerated(one, if known.name == "keywords" { 2 } else { 3 })
                {
                    return Some((parts, None));
                }
                if how == How::Heading && real.len() > 12 || first.len() > WORDS {
                    return None;
                }
                Some((real.into_iter().filter(|text| text.len() <= WORDS).take(30).cloned().collect(), None))
            }
            _ => None,
        }
    }

    /// What a text says if it has a value of a kind, and the text to show: all of it, if it is short.
    fn typed(&mut self, kind: ValueType, text: &str) -> Option<(Option<Value>, String)> {
        self.hits.clear();
        find(text, &mut self.hits);
        let hit =
            self.hits.iter().find(|hit| hit.value_type == kind || hit.value_type.general() == Some(kind));
        if let Some(hit) = hit {
            // a price or date is given without the words around it, a measure with them
            let exact = matches!(
                kind,
                ValueType::Date
                    | ValueType::Phone
                    | ValueType::Money
                    | ValueType::Email
                    | ValueType::Url
                    | ValueType::Isbn
                    | ValueType::Postcode
            );
            let all = text.len() <= 60 && (!exact || 10 * hit.span.len() >= 7 * text.len());
            let shown = if all { text } else { &text[hit.span.clone()] };
            return Some((Some(hit.value.clone()), shown.to_owned()));
        }
        let digits = text.chars().filter(char::is_ascii_digit).count();
        let loose = match kind {
            ValueType::Number
            | ValueType::Distance
            | ValueType::Date
            | ValueType::Area
            | ValueType::Duration
            | ValueType::Count
            | ValueType::Rating => digits > 0 && text.len() <= 40,
            ValueType::Phone => digits >= 7 && text.len() <= 40,
            ValueType::Money => digits > 0 && text.len() <= 24 && 2 * digits >= text.len(),
            ValueType::Url => text.contains('.') && !text.contains(' '),
            _ => false,
        };
        loose.then(|| (None, text.to_owned()))
    }

    /// What the domain's rules, terms and types find.
    fn recognised(&mut self) {
        let mut pieces: FxHashMap<(usize, usize), Range<usize>> = FxHashMap::default();
        let mut skip = vec![false; self.sheet.page.tree.len()];
        // boilerplate and running text have nothing that would be chosen
        for line in self.sheet.lines.iter().filter(|line| line.outside || line.text.len() > SENTENCES) {
            skip[line.first() as usize] = true;
        }
        let tree = &self.sheet.page.tree;
        let area = self.area.map_or(0..tree.len() as Node, |area| area..tree.end(area));
        let wanted = |node: Node| (tree.is_text(node) || area.contains(&node)) && !skip[node as usize];
        let found = annotate_parts(self.sheet.page, self.domain, &wanted);
        let located: Vec<(usize, Range<usize>, &AttributeAnnotation)> = found
            .iter()
            .filter(|found| {
                !found.label && (!found.crossed_out || self.domain.attributes[found.attribute].crossed_out)
            })
            .filter_map(|found| {
                let AnnotationPlace::Text(span) = &found.place else { return None };
                let line = self.sheet.line_at(span.start)?;
                let start = self.sheet.lines[line].start;
                let span = span.start - start..span.end - start;
                self.sheet.lines[line].text.get(span.clone()).map(|_| (line, span, found))
            })
            .collect();
        // what rules find piece by piece is one value: "5.3L 315 hp V8"
        for (line, span, found) in located.iter().filter(|(_, _, found)| found.found_by == FoundBy::Rule) {
            let all = pieces.entry((*line, found.attribute)).or_insert_with(|| span.clone());
            *all = all.start.min(span.start)..all.end.max(span.end);
        }
        let mut items: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (line, _, found) in &located {
            if found.found_by == FoundBy::Rule && is_long(&self.domain.attributes[found.attribute].name) {
                items.entry(found.attribute).or_default().push(*line);
            }
        }
        for (at, span, found) in located {
            let line = &self.sheet.lines[at];
            let is_control = || in_button(self.sheet, found.node) || self.behind_control(at, span.start);
            if items.contains_key(&found.attribute) || found.labelled() && is_control() {
                continue;
            }
            let kind = self.domain.attributes[found.attribute].attribute_type;
            let is_text = matches!(kind, AttributeType::Text | AttributeType::Place);
            let mut span = span;
            if let Some(all) =
                pieces.get(&(at, found.attribute)).filter(|_| is_text && found.found_by == FoundBy::Rule)
                && all.len() <= 60
            {
                span = all.clone();
            }
            let share = span.len() as f64 / line.text.len().max(1) as f64;
            // "4 Mill Lane, Witney": what stands before a place, up to a comma, belongs to its address
            let head = line.text[..span.start].trim_end();
            let begins = head.is_empty() || head.ends_with(',') && head.len() <= 60;
            let address = kind == AttributeType::Place && begins && line.text.len() <= 120;
            let nearly = is_text && (share >= 0.6 || address) && !found.labelled();
            let text = if nearly { &line.text } else { &line.text[span] };
            let long = is_long(&self.domain.attributes[found.attribute].name);
            if long && letters_of([text]) < LEAST_LONG {
                continue;
            }
            let label = if found.labelled() { 7 } else { 0 };
            self.found.push(Candidate {
                attribute: found.attribute,
                texts: vec![text.to_owned()],
                value: Some(found.value.clone()),
                line: Some(at),
                node: found.node,
                key: mix(self.sheet.paths[found.node as usize] ^ label),
                origin: Origin::Recognised(found.found_by),
                labelled: found.labelled(),
                share,
                fixed: self.sheet.is_static(at),
                outside: line.outside,
                rank: 0,
            });
        }
        for (attribute, fitting) in items {
            self.listed(attribute, &fitting);
        }
    }

    /// What stands before a place of a line is a link or button without a colon: a tab, not a label.
    fn behind_control(&self, line: usize, place: usize) -> bool {
        let own = &self.sheet.lines[line];
        let before = own.leaves.iter().rev().find(|leaf| leaf.span.end <= place).map(|leaf| (own, leaf));
        let above = || {
            let line = &self.sheet.lines[line.checked_sub(1)?];
            line.leaves.last().map(|leaf| (line, leaf))
        };
        before.or_else(above).is_some_and(|(line, leaf)| {
            !ends_with_colon(&line.text[leaf.span.clone()]) && in_control(self.sheet, leaf.node)
        })
    }

    /// Lists without a label, by what their items say.
    fn listed(&mut self, attribute: usize, fitting: &[usize]) {
        for list in listed::find(self.sheet, fitting) {
            let line = &self.sheet.lines[list.line];
            self.found.push(Candidate {
                attribute,
                texts: list.texts,
                value: None,
                line: Some(list.line),
                node: line.first(),
                key: mix(self.sheet.paths[list.holder as usize]),
                origin: Origin::Recognised(FoundBy::Label),
                // the items say what they are
                labelled: true,
                share: 1.0,
                fixed: false,
                outside: line.outside,
                rank: 0,
            });
        }
    }

    /// What the page's title says, part by part: "Name - Team - Site".
    fn in_title(&mut self) {
        if !self.sheet.title_varies || self.sheet.title.len() > 400 {
            return;
        }
        let parts: Vec<&str> = self
            .sheet
            .title
            .split(['|', '\u{2013}', '\u{2014}', ':'])
            .flat_map(|part| part.split(" - "))
            .collect();
        let escaped: String = parts
            .iter()
            .map(|part| format!("<p>{}</p>", part.replace('&', "&amp;").replace('<', "&lt;")))
            .collect();
        let page = Page::from_text(&escaped, &Limits::default());
        for found in annotate_object(&page, self.domain) {
            let words = page.text_of(found.node);
            let share = found.text.len() as f64 / words.len().max(1) as f64;
            if found.label || !matches!(found.found_by, FoundBy::Term | FoundBy::Rule) || share < 0.9 {
                continue;
            }
            self.found.push(Candidate {
                attribute: found.attribute,
                texts: vec![found.text.clone()],
                value: Some(found.value),
                line: None,
                node: 0,
                key: mix(u64::from(found.node)),
                origin: Origin::Title,
                labelled: false,
                share,
                fixed: false,
                outside: false,
                rank: 0,
            });
        }
    }

    /// A declared property: the label is its name, its last words or without "name", "value" at its end.
    fn declared(&mut self, property: &DeclaredField) {
        let words: Vec<&str> = property.name.split(' ').collect();
        let mut attributes = Vec::new();
        for from in 0..words.len().min(4) {
            let tail = words[from..].join(" ");
            let cut =
                ["name", "value", "text"].iter().find_map(|end| tail.strip_suffix(end)).map(str::trim_end);
            for name in std::iter::once(tail.as_str()).chain(cut).filter(|name| !name.is_empty()) {
                attributes.extend_from_slice(self.domain.labelled(name));
            }
            if !attributes.is_empty() {
                break;
            }
        }
        for attribute in attributes {
            let attribute = usize::from(attribute);
            let Some((texts, value)) = self.fitting(attribute, &property.texts, How::Inline) else {
                continue;
            };
            let line = property.line.map(|line| &self.sheet.lines[line]);
            let counted =
                self.domain.attributes[attribute].attribute_type == AttributeType::Generic(ValueType::Count);
            // as the page shows it, if a line shows nothing else
            let texts = match line {
                Some(line) if texts.len() == 1 && squash(&line.text) == squash(&texts[0]) => {
                    let words = |text: &str| text.split_whitespace().count();
                    // a tag of joined words ("SanFrancisco") shows it too, but does not spell it
                    let spelt = words(&line.text) >= words(&texts[0]);
                    vec![if spelt { line.text.clone() } else { texts[0].clone() }]
                }
                None if texts.len() == 1 && counted => {
                    let labels = &self.domain.attributes[attribute].labels;
                    vec![line_of_figure(self.sheet, &texts[0], labels).unwrap_or(&texts[0]).to_owned()]
                }
                _ => texts,
            };
            self.found.push(Candidate {
                attribute,
                texts,
                value,
                line: property.line,
                node: line.map_or(0, Line::first),
                key: mix(hash_beginning(&property.name)),
                origin: Origin::Declared,
                labelled: true,
                share: 1.0,
                fixed: false,
                outside: false,
                rank: 0,
            });
        }
    }

    fn headline(&mut self, at: usize) {
        let line = &self.sheet.lines[at];
        let text = headline::name(line);
        for &attribute in &self.domain.headline {
            self.found.push(Candidate {
                attribute,
                texts: vec![text.to_owned()],
                value: None,
                line: Some(at),
                node: line.first(),
                key: mix(line.path),
                origin: Origin::Headline,
                labelled: false,
                share: 1.0,
                fixed: false,
                outside: false,
                rank: 0,
            });
        }
    }
}
