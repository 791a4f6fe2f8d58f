//! Writing a wrapper file: YAML with comments.
//!
//! In: a [`Wrapper`]. Out: text from which [`Wrapper::parse`] reads an equal wrapper. It is written by hand,
//! because no YAML crate writes comments. O(wrapper).

use super::model::{
    ColumnProfile, ColumnRule, Locator, Navigation, NavigationSearch, NavigationStep, PageKind, PageRule,
    Profile, ReadFrom, TextCut, Wrapper,
};
use crate::locate::fingerprint::Fingerprint;
use std::fmt::{self, Display, Formatter};

/// The first lines of every file.
const FILE_COMMENT: &str = "\
# A wrapper for `copal apply`. You may edit it. Of several locators the first is tried first, and all of them
# are tried if it finds less than expected. Selectors are CSS; :scope is the region or the record.
";

impl Display for Wrapper {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(FILE_COMMENT)?;
        writeln!(f, "copal: {}", self.format_version)?;
        if let Some(url) = &self.url {
            writeln!(f, "url: {}", text(url))?;
        }
        if self.revision != 1 || !self.changes.is_empty() {
            writeln!(f, "version: {}", self.revision)?;
        }
        if !self.changes.is_empty() {
            f.write_str("changes:\n")?;
        }
        for change in &self.changes {
            writeln!(f, "  - {}", text(change))?;
        }
        if let Some(navigation) = &self.navigation {
            write_navigation(f, navigation)?;
        }
        f.write_str("pages:\n")?;
        self.pages.iter().try_for_each(|rule| write_page_rule(f, rule))
    }
}

fn write_page_rule(f: &mut Formatter<'_>, rule: &PageRule) -> fmt::Result {
    let (kind, region) = match rule.kind {
        PageKind::List => ("list", "the element that holds the records"),
        PageKind::Detail => ("detail", "the element that holds the object"),
        PageKind::Section => ("section", "the section"),
    };
    writeln!(f, "  - kind: {kind}")?;
    writeln!(f, "    region:  # {region}")?;
    for css in &rule.region {
        writeln!(f, "      - {}", text(css))?;
    }
    if let Some(record) = &rule.record {
        f.write_str("    record:\n      find:\n")?;
        for css in &record.find {
            writeln!(f, "        - {}", text(css))?;
        }
        if let Some(needs) = &record.needs {
            writeln!(
                f,
                "      needs: {}  # an element without such an element inside is not a record",
                text(needs)
            )?;
        }
        match record.elements {
            1 => {}
            0 => f.write_str("      elements: 0  # all up to the next record\n")?,
            count => writeln!(f, "      elements: {count}  # neighbouring elements")?,
        }
        if let Some(fingerprint) = &record.fingerprint {
            write_fingerprint(f, fingerprint)?;
        }
    }
    if !rule.columns.is_empty() {
        f.write_str("    columns:\n")?;
    }
    for rule in &rule.columns {
        write_column(f, rule)?;
    }
    rule.profile.as_ref().map_or(Ok(()), |profile| write_profile(f, profile))
}

fn write_fingerprint(f: &mut Formatter<'_>, fingerprint: &Fingerprint) -> fmt::Result {
    let Fingerprint { texts, chars, images, linked, digits, alike, paths, words, types, url_part } =
        fingerprint;
    f.write_str(
        "      looks:  # how to recognise them without class names: [fewest, median, most], and shares\n",
    )?;
    writeln!(f, "        texts: [{}, {}, {}]", texts.0, texts.1, texts.2)?;
    writeln!(f, "        chars: [{}, {}, {}]", chars.0, chars.1, chars.2)?;
    let shares =
        [("images", images), ("linked", linked), ("digits", digits), ("alike", alike), ("paths", paths)];
    for (name, share) in shares {
        writeln!(f, "        {name}: {share}")?;
    }
    for (name, all) in [("words", words), ("types", types)].into_iter().filter(|(_, all)| !all.is_empty()) {
        let all: Vec<String> = all.iter().map(|one| text(one)).collect();
        writeln!(f, "        {name}: [{}]", all.join(", "))?;
    }
    url_part.as_ref().map_or(Ok(()), |part| writeln!(f, "        address: {}", text(part)))
}

fn write_navigation(f: &mut Formatter<'_>, navigation: &Navigation) -> fmt::Result {
    f.write_str("navigation:\n")?;
    if let Some(open) = &navigation.open {
        writeln!(f, "  open: {}", text(open))?;
    }
    if !navigation.lists.is_empty() {
        f.write_str("  lists:  # further lists of the site\n")?;
    }
    navigation.lists.iter().try_for_each(|url| writeln!(f, "    - {}", text(url)))?;
    if !navigation.searches.is_empty() {
        f.write_str("  searches:  # search forms that are sent by POST\n")?;
    }
    for search in &navigation.searches {
        let NavigationSearch { page, url, form } = search;
        writeln!(f, "    - {{page: {}, url: {}, form: {}}}", text(page), text(url), text(form))?;
    }
    if !navigation.routes.is_empty() {
        f.write_str("  routes:  # how a visitor gets to the lists\n")?;
    }
    for route in &navigation.routes {
        writeln!(f, "    - from: {}\n      to: {}", text(&route.from), text(&route.to))?;
        write_steps(f, &route.steps, "      ")?;
    }
    write_steps(f, &navigation.steps, "  ")?;
    if !navigation.next.is_empty() {
        f.write_str("  next:  # the link to the next page of the list\n")?;
    }
    navigation.next.iter().try_for_each(|css| writeln!(f, "    - {}", text(css)))?;
    if !navigation.counter.is_empty() {
        f.write_str("  counter:  # the element that says how many records the list has\n")?;
    }
    navigation.counter.iter().try_for_each(|css| writeln!(f, "    - {}", text(css)))
}

fn write_steps(f: &mut Formatter<'_>, steps: &[NavigationStep], indent: &str) -> fmt::Result {
    if !steps.is_empty() {
        writeln!(f, "{indent}steps:")?;
    }
    for NavigationStep { fill, choose, with, click, submit } in steps {
        let keys = [("fill", fill), ("choose", choose), ("with", with), ("click", click), ("submit", submit)];
        let fields =
            keys.into_iter().filter_map(|(key, value)| Some(format!("{key}: {}", text(value.as_ref()?))));
        writeln!(f, "{indent}  - {{{}}}", fields.collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}

fn write_profile(f: &mut Formatter<'_>, profile: &Profile) -> fmt::Result {
    f.write_str("    profile:  # statistics of the samples, for copal check and copal repair\n")?;
    writeln!(f, "      samples: {}", profile.samples)?;
    let (fewest, most) = profile.records;
    writeln!(f, "      records: [{fewest}, {most}]  # fewest and most on a page")?;
    if let Some(coverage) = profile.coverage {
        writeln!(f, "      coverage: {coverage}  # share of the page's text that is in the records")?;
    }
    if let Some(least) = profile.least_fill {
        writeln!(f, "      least: {least}  # share of the usual cells that the emptiest record has")?;
    }
    let fingerprint = profile.page_fingerprint.as_ref();
    fingerprint.map_or(Ok(()), |fingerprint| writeln!(f, "      look: {}", text(fingerprint)))
}

fn profile_text(profile: &ColumnProfile) -> String {
    let ColumnProfile { typed, length, distinct, letters, digits, examples } = profile;
    let examples: Vec<String> = examples.iter().map(|example| text(example)).collect();
    let typed = typed.map(|typed| format!("typed: {typed}, ")).unwrap_or_default();
    let (shortest, longest) = length;
    let shares = format!("distinct: {distinct}, letters: {letters}, digits: {digits}");
    format!("{{{typed}length: [{shortest}, {longest}], {shares}, examples: [{}]}}", examples.join(", "))
}

fn write_column(f: &mut Formatter<'_>, rule: &ColumnRule) -> fmt::Result {
    writeln!(f, "      - name: {}", text(&rule.name))?;
    if rule.read_from != ReadFrom::Text {
        writeln!(f, "        from: {}", rule.read_from.name())?;
    }
    if let Some(name) = &rule.value_type {
        writeln!(f, "        type: {}", text(name))?;
    }
    if let Some(name) = &rule.date_order {
        writeln!(f, "        order: {name}  # of dates in digits")?;
    }
    f.write_str("        find:\n")?;
    for locator in &rule.find {
        writeln!(f, "          - {}", locator_text(locator))?;
    }
    if rule.many {
        f.write_str("        many: true  # every value that is found, not only the first\n")?;
    }
    if rule.lines {
        f.write_str("        lines: true  # each line of the element is a value\n")?;
    }
    if let Some(cut) = &rule.cut {
        writeln!(f, "        cut: {}", cut_text(cut))?;
    }
    if let Some(presence) = rule.presence {
        writeln!(f, "        presence: {}", (presence * 1000.0).round() / 1000.0)?;
    }
    if let Some(profile) = &rule.profile {
        writeln!(f, "        profile: {}", profile_text(profile))?;
    }
    Ok(())
}

impl Display for Locator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&locator_text(self))
    }
}

fn locator_text(locator: &Locator) -> String {
    let Locator { css, label, value_type, text: own_text, nth, element } = locator;
    if let (Some(css), None, None, None, None, None) = (css, label, value_type, own_text, nth, element) {
        return text(css);
    }
    let mut fields = Vec::new();
    fields.extend(css.as_ref().map(|css| format!("css: {}", text(css))));
    fields.extend(label.as_ref().map(|label| format!("label: {}", text(label))));
    fields.extend(value_type.as_ref().map(|name| format!("type: {}", text(name))));
    fields.extend(own_text.map(|number| format!("text: {number}")));
    fields.extend(nth.map(|nth| format!("nth: {nth}")));
    fields.extend(element.map(|element| format!("element: {element}")));
    format!("{{{}}}", fields.join(", "))
}

fn cut_text(cut: &TextCut) -> String {
    let mut fields = Vec::new();
    fields.extend(cut.after.as_ref().map(|after| format!("after: {}", text(after))));
    fields.extend(cut.before.as_ref().map(|before| format!("before: {}", text(before))));
    fields.extend(cut.split.as_ref().map(|split| format!("split: {}", text(split))));
    fields.extend(cut.piece.map(|piece| format!("piece: {piece}")));
    format!("{{{}}}", fields.join(", "))
}

/// A text as a YAML scalar: plain where that is safe, else in single quotes, else in double quotes with
/// escapes.
fn text(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word = text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(plain);
    let special = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    if word && !special.contains(&text.to_ascii_lowercase().as_str()) {
        return text.to_owned();
    }
    if !text.contains(needs_escape) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if needs_escape(c) => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// True for characters that single quotes cannot hold.
pub(super) fn needs_escape(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{85}' | '\u{fffe}' | '\u{ffff}')
}
