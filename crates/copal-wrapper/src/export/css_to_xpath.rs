//! CSS selectors as XPath 1.0.
//!
//! In: a selector of a wrapper, and where it is evaluated. Out: an XPath that gives the same elements in the
//! same order with every engine of XPath 1.0, or the reason why there is none. `a > b` becomes
//! `b[parent::a]`, because a selector may name ancestors of the scope, as in CSS; `:scope > b` goes forward
//! from the scope. No bare number precedes an operator, because OXPath's lexer does not accept that.
//! O(length) per selector. Selectors nest at most 32 deep, which bounds the recursion.

use crate::error::WrapperError;
use crate::locate::css::Css;
use crate::locate::{SelectorName, SelectorNames};
use selectors::attr::{
    AttrSelectorOperator as Operator, NamespaceConstraint, ParsedAttrSelectorOperation as Operation,
    ParsedCaseSensitivity,
};
use selectors::parser::{AnPlusB, Combinator, Component, NthType, Selector, SelectorList};

/// Where a path is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathStart {
    /// Anywhere in the document.
    Document,
    /// Inside an element.
    Below,
    /// At an element or inside it.
    AtOrBelow,
}

impl PathStart {
    fn prefix(self) -> &'static str {
        match self {
            PathStart::Document => "//",
            PathStart::Below => "descendant::",
            PathStart::AtOrBelow => "descendant-or-self::",
        }
    }
}

/// One step of an XPath: a name or `*`, and tests.
#[derive(Debug, Clone)]
struct PathStep {
    name: String,
    tests: Vec<String>,
}

impl PathStep {
    fn with_axis(&self, prefix: &str) -> String {
        let tests: String = self.tests.iter().map(|test| format!("[{test}]")).collect();
        format!("{prefix}{}{tests}", self.name)
    }
}

type SelectorPart<'a> = &'a Component<SelectorNames>;

/// The XPath of a selector.
pub(super) fn path(css: &str, start: PathStart) -> Result<String, WrapperError> {
    Ok(alternatives(css, start)?.join(" | "))
}

/// The XPaths that together select what a selector selects.
pub(super) fn alternatives(css: &str, start: PathStart) -> Result<Vec<String>, WrapperError> {
    let css = Css::parse(css)?;
    let mut steps = Vec::new();
    let mut paths = Vec::new();
    for selector in css.list.slice() {
        if let Some(forward) = from_scope(selector)? {
            match (start, forward.is_empty()) {
                (PathStart::AtOrBelow, true) => paths.push("self::node()".to_owned()),
                (PathStart::AtOrBelow | PathStart::Below, false) => paths.push(forward),
                _ => return Err(WrapperError::not_expressible(":scope has no meaning here")),
            }
        } else {
            steps.push(step_of(selector, false)?);
        }
    }
    if let [step] = &steps[..] {
        paths.insert(0, step.with_axis(start.prefix()));
    } else if !steps.is_empty() {
        paths.insert(0, format!("{}*[{}]", start.prefix(), any_of(&steps)));
    }
    Ok(paths)
}

/// A test for whether an element is selected. `:scope` may be any element.
pub(super) fn test(css: &str) -> Result<String, WrapperError> {
    let css = Css::parse(css)?;
    let steps: Result<Vec<PathStep>, WrapperError> =
        css.list.slice().iter().map(|one| step_of(one, true)).collect();
    Ok(any_of(&steps?))
}

fn any_of(steps: &[PathStep]) -> String {
    steps.iter().map(|step| step.with_axis("self::")).collect::<Vec<_>>().join(" or ")
}

/// The compounds of a selector from left to right, each with the combinator before it.
fn compounds(selector: &Selector<SelectorNames>) -> Vec<(Option<Combinator>, Vec<SelectorPart<'_>>)> {
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

/// The path from the scope, if the selector begins there. Empty for the scope alone.
fn from_scope(selector: &Selector<SelectorNames>) -> Result<Option<String>, WrapperError> {
    let compounds = compounds(selector);
    let anchor =
        |part: &SelectorPart<'_>| matches!(part, Component::Scope | Component::RelativeSelectorAnchor);
    let Some((_, first)) = compounds.first().filter(|(_, first)| first.iter().any(anchor)) else {
        return Ok(None);
    };
    let rest: Vec<SelectorPart<'_>> = first.iter().copied().filter(|part| !anchor(part)).collect();
    let mut path = if rest.is_empty() { String::new() } else { compound(&rest, false)?.with_axis("self::") };
    for (combinator, parts) in &compounds[1..] {
        let step = compound(parts, false)?;
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(&match combinator {
            Some(Combinator::Child) => step.with_axis("child::"),
            Some(Combinator::Descendant) => step.with_axis("descendant::"),
            Some(Combinator::NextSibling) => format!("following-sibling::*[1]/{}", step.with_axis("self::")),
            Some(Combinator::LaterSibling) => step.with_axis("following-sibling::"),
            _ => return Err(WrapperError::not_expressible("XPath has no such combinator")),
        });
    }
    Ok(Some(path))
}

/// A selector as one step with tests for its siblings and ancestors. With `anywhere`, `:scope` may be any
/// element.
fn step_of(selector: &Selector<SelectorNames>, anywhere: bool) -> Result<PathStep, WrapperError> {
    let mut left: Option<PathStep> = None;
    for (combinator, parts) in compounds(selector) {
        let mut step = compound(&parts, anywhere)?;
        if let Some(left) = left {
            step.tests.push(match combinator {
                Some(Combinator::Child) => left.with_axis("parent::"),
                Some(Combinator::Descendant) => left.with_axis("ancestor::"),
                Some(Combinator::NextSibling) => {
                    format!("preceding-sibling::*[1]/{}", left.with_axis("self::"))
                }
                Some(Combinator::LaterSibling) => left.with_axis("preceding-sibling::"),
                _ => return Err(WrapperError::not_expressible("XPath has no such combinator")),
            });
        }
        left = Some(step);
    }
    left.ok_or_else(|| WrapperError::not_expressible("the selector is empty"))
}

/// A compound selector as a step. With `anywhere`, `:scope` may be any element.
fn compound(parts: &[SelectorPart<'_>], anywhere: bool) -> Result<PathStep, WrapperError> {
    let name = parts.iter().find_map(|part| match part {
        Component::LocalName(name) => Some(name.lower_name.as_ref()),
        _ => None,
    });
    let mut step = PathStep { name: "*".into(), tests: Vec::new() };
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

fn test_of(
    part: SelectorPart<'_>,
    name: Option<&str>,
    anywhere: bool,
) -> Result<Option<String>, WrapperError> {
    Ok(Some(match part {
        Component::LocalName(_) | Component::ExplicitUniversalType | Component::ExplicitAnyNamespace => {
            return Ok(None);
        }
        Component::Scope if anywhere => return Ok(None),
        Component::Scope => return Err(WrapperError::not_expressible(":scope is not at the start")),
        Component::ID(id) => format!("@id={}", quoted(id.as_ref())),
        Component::Class(class) => has_word("@class", class.as_ref()),
        Component::AttributeInNoNamespaceExists { local_name_lower, .. } => attribute(local_name_lower),
        Component::AttributeInNoNamespace { local_name, operator, value, case_sensitivity } => {
            compare(&attribute(local_name), *operator, value.as_ref(), *case_sensitivity)
        }
        Component::AttributeOther(other) => {
            if matches!(other.namespace, Some(NamespaceConstraint::Specific(_))) {
                return Err(WrapperError::not_expressible("namespaces are not supported"));
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
            let paths: Result<Vec<String>, WrapperError> = relative
                .iter()
                .map(|one| {
                    from_scope(&one.selector)?
                        .ok_or_else(|| WrapperError::not_expressible(":has() must begin at its element"))
                })
                .collect();
            paths?.join(" or ")
        }
        Component::Root => "not(parent::*)".into(),
        Component::Empty => "not(child::*) and not(child::text())".into(),
        Component::Nth(nth) => nth_test(nth.ty, nth.an_plus_b, name)?,
        other => {
            return Err(WrapperError::not_expressible(format!("{other:?} has no counterpart in XPath")));
        }
    }))
}

fn tests_of(list: &SelectorList<SelectorNames>) -> Result<String, WrapperError> {
    let steps: Result<Vec<PathStep>, WrapperError> =
        list.slice().iter().map(|one| step_of(one, false)).collect();
    Ok(any_of(&steps?))
}

fn attribute(name: &SelectorName) -> String {
    let name: &str = name.as_ref();
    if is_plain(name) { format!("@{name}") } else { format!("@*[local-name()={}]", quoted(name)) }
}

/// Names that every XPath engine and OXPath's lexer accept.
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

/// A value with ASCII letters in lower case.
pub(super) fn lower_case(value: &str) -> String {
    format!("translate({value}, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')")
}

/// `:nth-child` and its relatives, by the number of siblings before or after.
fn nth_test(kind: NthType, AnPlusB(a, b): AnPlusB, name: Option<&str>) -> Result<String, WrapperError> {
    let of = match (kind.is_of_type(), name.filter(|name| is_plain(name))) {
        (false, _) => "*",
        (true, Some(name)) => name,
        (true, None) => {
            return Err(WrapperError::not_expressible(
                "a position among elements of one type needs the type",
            ));
        }
    };
    let count = |axis: &str| format!("count({axis}-sibling::{of})");
    let (before, after) = (count("preceding"), count("following"));
    let others = match kind {
        NthType::OnlyChild | NthType::OnlyOfType => return Ok(format!("({before}=0) and ({after}=0)")),
        NthType::Child | NthType::OfType => before,
        NthType::LastChild | NthType::LastOfType => after,
    };
    // CSS counts from 1; the number of siblings before the first is 0.
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

/// A text as an XPath string. XPath has no escapes, so a text with both kinds of quotes is concatenated.
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
    use super::{PathStart, path, quoted, test};

    #[test]
    fn selectors_become_paths() {
        for (css, start, expected) in [
            ("main", PathStart::Document, "//main"),
            ("h3", PathStart::AtOrBelow, "descendant-or-self::h3"),
            (
                "a, .b",
                PathStart::Below,
                "descendant::*[self::a or \
                 self::*[contains(concat(' ', normalize-space(@class), ' '), ' b ')]]",
            ),
            ("#x > li", PathStart::Document, "//li[parent::*[@id='x']]"),
            ("ul li", PathStart::Below, "descendant::li[ancestor::ul]"),
            ("dt + dd", PathStart::Below, "descendant::dd[preceding-sibling::*[1]/self::dt]"),
            ("h2 ~ p", PathStart::Below, "descendant::p[preceding-sibling::h2]"),
            (":scope", PathStart::AtOrBelow, "self::node()"),
            (
                ":scope > div > a:first-child",
                PathStart::AtOrBelow,
                "child::div/child::a[count(preceding-sibling::*)=0]",
            ),
            (":scope b", PathStart::Below, "descendant::b"),
            (
                "td:nth-child(2n+1)",
                PathStart::Below,
                "descendant::td[(count(preceding-sibling::*)>=0) \
                 and (((count(preceding-sibling::*) - 0) mod 2)=0)]",
            ),
            (
                "p:not(:first-child)",
                PathStart::Below,
                "descendant::p[not(self::*[count(preceding-sibling::*)=0])]",
            ),
            ("li:has(> a)", PathStart::Below, "descendant::li[child::a]"),
            ("[data-k^='v']", PathStart::Below, "descendant::*[starts-with(@data-k, 'v')]"),
            ("p:last-of-type", PathStart::Below, "descendant::p[count(following-sibling::p)=0]"),
        ] {
            assert_eq!(path(css, start).unwrap(), expected, "{css}");
        }
        assert_eq!(test(":scope > li").unwrap(), "self::li[parent::*]");
    }

    #[test]
    fn selectors_without_a_counterpart_are_refused() {
        for css in [":first-of-type", "p:not(:scope)", ":scope"] {
            assert!(path(css, PathStart::Below).is_err(), "{css}");
        }
    }

    #[test]
    fn strings_are_quoted_without_escapes() {
        for (text, expected) in
            [("a", "'a'"), ("it's", "\"it's\""), ("'\"", "concat('', \"'\", '\"')"), ("\\n", "'\\n'")]
        {
            assert_eq!(quoted(text), expected);
        }
    }
}
