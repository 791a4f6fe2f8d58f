//! CSS selectors as XPath 1.0.
//!
//! In: a selector as wrappers have it, and where it is asked. Out: an XPath with the same elements in the same order, for every
//! engine of XPath 1.0, or why there is none. `a > b` is `b[parent::a]`, so that what stands above the scope may be named too,
//! as in CSS; `:scope > b` goes forward from the scope. No bare number stands before an operator, since OXPath's lexer
//! reads none there. O(length) a selector, which has at most 4 KB; brackets nest at most 32 deep.

use crate::css::{Css, Name, Names};
use selectors::attr::{
    AttrSelectorOperator as Operator, NamespaceConstraint, ParsedAttrSelectorOperation as Operation,
    ParsedCaseSensitivity,
};
use selectors::parser::{AnPlusB, Combinator, Component, NthType, Selector, SelectorList};

/// Where a path is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Anywhere in the document.
    Document,
    /// Below an element.
    Below,
    /// At an element or below it.
    AtOrBelow,
}

impl Start {
    fn prefix(self) -> &'static str {
        match self {
            Start::Document => "//",
            Start::Below => "descendant::",
            Start::AtOrBelow => "descendant-or-self::",
        }
    }
}

/// An element that a step reaches: a name or `*`, and tests.
#[derive(Debug, Clone)]
struct Step {
    name: String,
    tests: Vec<String>,
}

impl Step {
    fn on(&self, prefix: &str) -> String {
        let tests: String = self.tests.iter().map(|test| format!("[{test}]")).collect();
        format!("{prefix}{}{tests}", self.name)
    }
}

type Part<'a> = &'a Component<Names>;

/// The XPath of a selector.
pub(super) fn path(css: &str, start: Start) -> Result<String, String> {
    Ok(alternatives(css, start)?.join(" | "))
}

/// The XPaths that select together what a selector does.
pub(super) fn alternatives(css: &str, start: Start) -> Result<Vec<String>, String> {
    let css = Css::parse(css)?;
    let mut steps = Vec::new();
    let mut paths = Vec::new();
    for selector in css.list.slice() {
        if let Some(forward) = from_scope(selector)? {
            match (start, forward.is_empty()) {
                (Start::AtOrBelow, true) => paths.push("self::node()".to_owned()),
                (Start::AtOrBelow | Start::Below, false) => paths.push(forward),
                _ => return Err(":scope is nothing there".into()),
            }
        } else {
            steps.push(step_of(selector, false)?);
        }
    }
    if let [step] = &steps[..] {
        paths.insert(0, step.on(start.prefix()));
    } else if !steps.is_empty() {
        paths.insert(0, format!("{}*[{}]", start.prefix(), any_of(&steps)));
    }
    Ok(paths)
}

/// Whether the element at hand is selected, as a test; `:scope` may be any element.
pub(super) fn test(css: &str) -> Result<String, String> {
    let css = Css::parse(css)?;
    let steps: Result<Vec<Step>, String> = css.list.slice().iter().map(|one| step_of(one, true)).collect();
    Ok(any_of(&steps?))
}

fn any_of(steps: &[Step]) -> String {
    steps.iter().map(|step| step.on("self::")).collect::<Vec<_>>().join(" or ")
}

/// The compounds of a selector from left to right, each with the combinator before it.
fn compounds(selector: &Selector<Names>) -> Vec<(Option<Combinator>, Vec<Part<'_>>)> {
    let mut out = vec![(None, Vec::new())];
    for part in selector.iter_raw_match_order() {
        if let Component::Combinator(combinator) = part {
            if let Some(last) = out.last_mut() {
                last.0 = Some(*combinator);
            }
            out.push((None, Vec::new()));
        } else if let Some(last) = out.last_mut() {
            last.1.push(part);
        }
    }
    out.reverse();
    out
}

/// The path from the scope, if the selector begins there; empty for the scope alone.
fn from_scope(selector: &Selector<Names>) -> Result<Option<String>, String> {
    let compounds = compounds(selector);
    let anchor = |part: &Part<'_>| matches!(part, Component::Scope | Component::RelativeSelectorAnchor);
    let Some((_, first)) = compounds.first().filter(|(_, first)| first.iter().any(anchor)) else {
        return Ok(None);
    };
    let rest: Vec<Part<'_>> = first.iter().copied().filter(|part| !anchor(part)).collect();
    let mut path = if rest.is_empty() { String::new() } else { compound(&rest, false)?.on("self::") };
    for (combinator, parts) in &compounds[1..] {
        let step = compound(parts, false)?;
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(&match combinator {
            Some(Combinator::Child) => step.on("child::"),
            Some(Combinator::Descendant) => step.on("descendant::"),
            Some(Combinator::NextSibling) => format!("following-sibling::*[1]/{}", step.on("self::")),
            Some(Combinator::LaterSibling) => step.on("following-sibling::"),
            _ => return Err("a combinator that XPath has not".into()),
        });
    }
    Ok(Some(path))
}

/// A selector as one step that looks back at what stands before and around it; `anywhere` if `:scope` may be any element.
fn step_of(selector: &Selector<Names>, anywhere: bool) -> Result<Step, String> {
    let mut left: Option<Step> = None;
    for (combinator, parts) in compounds(selector) {
        let mut step = compound(&parts, anywhere)?;
        if let Some(left) = left {
            step.tests.push(match combinator {
                Some(Combinator::Child) => left.on("parent::"),
                Some(Combinator::Descendant) => left.on("ancestor::"),
                Some(Combinator::NextSibling) => format!("preceding-sibling::*[1]/{}", left.on("self::")),
                Some(Combinator::LaterSibling) => left.on("preceding-sibling::"),
                _ => return Err("a combinator that XPath has not".into()),
            });
        }
        left = Some(step);
    }
    left.ok_or_else(|| "an empty selector".into())
}

/// Tests of one element; `anywhere` if `:scope` may be any element.
fn compound(parts: &[Part<'_>], anywhere: bool) -> Result<Step, String> {
    let name = parts.iter().find_map(|part| match part {
        Component::LocalName(name) => Some(name.lower_name.as_ref()),
        _ => None,
    });
    let mut step = Step { name: "*".into(), tests: Vec::new() };
    match name {
        Some(name) if is_plain(name) => name.clone_into(&mut step.name),
        Some(name) => step.tests.push(format!("local-name()={}", quoted(name))),
        None => {}
    }
    for part in parts {
        if let Some(test) = test_of(part, name, anywhere)? {
            step.tests.push(test);
        }
    }
    Ok(step)
}

fn test_of(part: Part<'_>, name: Option<&str>, anywhere: bool) -> Result<Option<String>, String> {
    Ok(Some(match part {
        Component::LocalName(_) | Component::ExplicitUniversalType | Component::ExplicitAnyNamespace => {
            return Ok(None);
        }
        Component::Scope if anywhere => return Ok(None),
        Component::Scope => return Err(":scope stands inside".into()),
        Component::ID(id) => format!("@id={}", quoted(id.as_ref())),
        Component::Class(class) => has_word("@class", class.as_ref()),
        Component::AttributeInNoNamespaceExists { local_name_lower, .. } => attribute(local_name_lower),
        Component::AttributeInNoNamespace { local_name, operator, value, case_sensitivity } => {
            compare(&attribute(local_name), *operator, value.as_ref(), *case_sensitivity)
        }
        Component::AttributeOther(other) => {
            if matches!(other.namespace, Some(NamespaceConstraint::Specific(_))) {
                return Err("a namespace".into());
            }
            let name = attribute(&other.local_name_lower);
            match &other.operation {
                Operation::Exists => name,
                Operation::WithValue { operator, case_sensitivity, value } => {
                    compare(&name, *operator, value.as_ref(), *case_sensitivity)
                }
            }
        }
        Component::Negation(list) => format!("not({})", tests_of(list)?),
        Component::Is(list) | Component::Where(list) => tests_of(list)?,
        Component::Has(relative) => {
            let paths: Result<Vec<String>, String> = relative
                .iter()
                .map(|one| from_scope(&one.selector)?.ok_or_else(|| ":has of another kind".to_owned()))
                .collect();
            paths?.join(" or ")
        }
        Component::Root => "not(parent::*)".into(),
        Component::Empty => "not(child::*) and not(child::text())".into(),
        Component::Nth(nth) => place(nth.ty, nth.an_plus_b, name)?,
        other => return Err(format!("{other:?} has no counterpart")),
    }))
}

fn tests_of(list: &SelectorList<Names>) -> Result<String, String> {
    let steps: Result<Vec<Step>, String> = list.slice().iter().map(|one| step_of(one, false)).collect();
    Ok(any_of(&steps?))
}

fn attribute(name: &Name) -> String {
    let name: &str = name.as_ref();
    if is_plain(name) { format!("@{name}") } else { format!("@*[local-name()={}]", quoted(name)) }
}

/// Names that every XPath engine and OXPath's lexer read as one.
fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

fn has_word(value: &str, word: &str) -> String {
    format!("contains(concat(' ', normalize-space({value}), ' '), {})", quoted(&format!(" {word} ")))
}

fn compare(name: &str, operator: Operator, value: &str, case: ParsedCaseSensitivity) -> String {
    let sensitive =
        matches!(case, ParsedCaseSensitivity::CaseSensitive | ParsedCaseSensitivity::ExplicitCaseSensitive);
    let lower = value.to_ascii_lowercase();
    let differs = lower != value.to_ascii_uppercase();
    let (of, value) =
        if sensitive || !differs { (name.to_owned(), value) } else { (lower_case(name), lower.as_str()) };
    let text = quoted(value);
    let never = value.is_empty() || value.contains(|c: char| c.is_ascii_whitespace());
    match operator {
        Operator::Equal => format!("{of}={text}"),
        Operator::Includes if never => "false()".into(),
        Operator::Includes => has_word(&of, value),
        Operator::DashMatch => format!("{of}={text} or starts-with({of}, {})", quoted(&format!("{value}-"))),
        _ if value.is_empty() => "false()".into(),
        Operator::Prefix => format!("starts-with({of}, {text})"),
        Operator::Substring => format!("contains({of}, {text})"),
        Operator::Suffix => {
            format!("substring({of}, string-length({of}) - string-length({text}) + 1)={text}")
        }
    }
}

/// A value with ASCII letters made small.
pub(super) fn lower_case(value: &str) -> String {
    format!("translate({value}, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')")
}

/// `:nth-child` and its kin, by the number of siblings before or behind.
fn place(kind: NthType, AnPlusB(a, b): AnPlusB, name: Option<&str>) -> Result<String, String> {
    let of = match (kind.is_of_type(), name.filter(|name| is_plain(name))) {
        (false, _) => "*",
        (true, Some(name)) => name,
        (true, None) => return Err("a place among elements of one type needs the type".into()),
    };
    let count = |axis: &str| format!("count({axis}-sibling::{of})");
    let (before, behind) = (count("preceding"), count("following"));
    let others = match kind {
        NthType::OnlyChild | NthType::OnlyOfType => return Ok(format!("({before}=0) and ({behind}=0)")),
        NthType::Child | NthType::OfType => before,
        NthType::LastChild | NthType::LastOfType => behind,
    };
    // siblings before it, so from 0
    let (a, b) = (i64::from(a), i64::from(b) - 1);
    Ok(match a {
        0 if b < 0 => "false()".into(),
        0 => format!("{others}={b}"),
        _ => {
            let (sign, far) = if b < 0 { ('+', -b) } else { ('-', b) };
            let bound = match (a > 0, b >= 0) {
                (true, true) => format!("({others}>={b})"),
                (true, false) => "true()".into(),
                (false, true) => format!("({others}<={b})"),
                (false, false) => "false()".into(),
            };
            format!("{bound} and ((({others} {sign} {far}) mod {})=0)", a.abs())
        }
    })
}

/// A text as an XPath string; there are no escapes, so one with both quotes is joined.
pub(super) fn quoted(text: &str) -> String {
    match (text.contains('\''), text.contains('"')) {
        (false, _) => format!("'{text}'"),
        (true, false) => format!("\"{text}\""),
        (true, true) => {
            let parts: Vec<String> = text.split('\'').map(|part| format!("'{part}'")).collect();
            format!("concat({})", parts.join(", \"'\", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Start, path, quoted, test};

    #[test]
    fn selectors_are_paths() {
        for (css, start, expected) in [
            ("main", Start::Document, "//main"),
            ("h3", Start::AtOrBelow, "descendant-or-self::h3"),
            (
                "a, .b",
                Start::Below,
                "descendant::*[self::a or self::*[contains(concat(' ', normalize-space(@class), ' '), ' b ')]]",
            ),
            ("#x > li", Start::Document, "//li[parent::*[@id='x']]"),
            ("ul li", Start::Below, "descendant::li[ancestor::ul]"),
            ("dt + dd", Start::Below, "descendant::dd[preceding-sibling::*[1]/self::dt]"),
            ("h2 ~ p", Start::Below, "descendant::p[preceding-sibling::h2]"),
            (":scope", Start::AtOrBelow, "self::node()"),
            (
                ":scope > div > a:first-child",
                Start::AtOrBelow,
                "child::div/child::a[count(preceding-sibling::*)=0]",
            ),
            (":scope b", Start::Below, "descendant::b"),
            (
                "td:nth-child(2n+1)",
                Start::Below,
                "descendant::td[(count(preceding-sibling::*)>=0) and (((count(preceding-sibling::*) - 0) mod 2)=0)]",
            ),
            (
                "p:not(:first-child)",
                Start::Below,
                "descendant::p[not(self::*[count(preceding-sibling::*)=0])]",
            ),
            ("li:has(> a)", Start::Below, "descendant::li[child::a]"),
            ("[data-k^='v']", Start::Below, "descendant::*[starts-with(@data-k, 'v')]"),
            ("p:last-of-type", Start::Below, "descendant::p[count(following-sibling::p)=0]"),
        ] {
            assert_eq!(path(css, start).as_deref(), Ok(expected), "{css}");
        }
        assert_eq!(test(":scope > li").as_deref(), Ok("self::li[parent::*]"));
    }

    #[test]
    fn what_has_no_counterpart_is_refused() {
        for css in [":first-of-type", "p:not(:scope)", ":scope"] {
            assert!(path(css, Start::Below).is_err(), "{css}");
        }
    }

    #[test]
    fn strings_need_no_escapes() {
        for (text, expected) in
            [("a", "'a'"), ("it's", "\"it's\""), ("'\"", "concat('', \"'\", '\"')"), ("\\n", "'\\n'")]
        {
            assert_eq!(quoted(text), expected);
        }
    }
}
