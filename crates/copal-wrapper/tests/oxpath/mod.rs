//! A checker for OXPath expressions, after the grammar of the reference implementation (OXPathGrammar.jjt).
//!
//! In: an expression. Out: nothing, or where it is wrong. The lexer has the grammar's states, since what a
//! character means hangs on them: behind an operand `*` multiplies and `and` is an operator, elsewhere both
//! are names; behind a whole number no operator is read. The parser is the grammar's, rule by rule, without
//! the trees it builds. URLs in angle brackets are left out.

use std::iter::once;

/// What is lexed next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Default,
    PathOp,
    Action,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Fixed(&'static str),
    Axis,
    NodeTest,
    Function,
    Doc,
    Literal,
    Digits,
    Number,
    Name,
    Wildcard,
    EqualsDefault,
    EndMark,
    Wait,
    End,
}

const AXES: &[&str] = &[
    "style",
    "attribute",
    "child",
    "descendant-or-self",
    "descendant",
    "following-sibling",
    "following",
    "namespace",
    "self",
    "ancestor-or-self",
    "ancestor",
    "parent",
    "preceding-sibling",
    "preceding",
];
const NODE_TESTS: &[&str] = &["comment", "text", "processing-instruction", "node", "field", "any-field"];
const FUNCTIONS: &[&str] = &[
    "position",
    "last",
    "count",
    "id",
    "namespace-uri",
    "local-name",
    "name",
    "string",
    "concat",
    "starts-with",
    "contains",
    "substring-before",
    "substring-after",
    "substring",
    "string-length",
    "normalize-space",
    "translate",
    "substring-before-reverse",
    "substring-after-reverse",
    "substring-reverse",
    "replace",
    "current-url",
    "boolean",
    "not",
    "true",
    "false",
    "lang",
    "number",
    "sum",
    "floor",
    "ceiling",
    "round",
];
/// Tokens of both states of expressions, with the state behind them.
const COMMON: &[(&str, State)] = &[
    ("(", State::Default),
    (")", State::PathOp),
    ("[?", State::Default),
    ("[", State::Default),
    ("]", State::PathOp),
    ("{", State::Action),
    ("}", State::Default),
    (",", State::Default),
    ("//", State::Default),
    ("/{", State::Action),
    ("/(", State::Default),
    ("*{", State::Default),
    ("/", State::Default),
    (":<", State::Default),
];
const OPERATORS: &[&str] =
    &["and", "or", "mod", "div", "*", "|", "+", "-", "<=", "<", ">=", ">", "!=", "=", ".", "#", "~=", "#="];
const ACTIONS: &[&str] = &[
    "focus",
    "click",
    "nextclick",
    "clkwithchange",
    "movetoframe",
    "dblclick",
    "wheel",
    "submit",
    "check",
    "uncheck",
];

type Token = (Kind, usize, State);

fn name_length(text: &str) -> usize {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    if !text.starts_with(first) {
        return 0;
    }
    text.find(|c: char| !(first(c) || c == '-' || c.is_ascii_digit())).unwrap_or(text.len())
}

/// The longest token; of equal ones the first.
fn lex(text: &str, state: State) -> Option<Token> {
    let mut found: Vec<Token> = Vec::new();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let expression = state != State::Action;
    if expression {
        found.extend(
            COMMON
                .iter()
                .filter(|(fixed, _)| text.starts_with(fixed))
                .map(|&(fixed, next)| (Kind::Fixed(fixed), fixed.len(), next)),
        );
        if let Some(rest) = text.get(digits..).and_then(|rest| rest.strip_prefix('.')) {
            let more = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            if digits + more > 0 {
                found.push((Kind::Number, digits + 1 + more, State::PathOp));
            }
        }
        for word in ["wait", "until"] {
            if text.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with('=')) {
                found.push((Kind::Wait, text.find('=')? + 1, state));
            }
        }
    }
    match state {
        State::Default => {
            let behind = |word: &str, sign: &str| {
                let rest = text.strip_prefix(word)?.trim_start();
                rest.strip_prefix(sign).map(|rest| text.len() - rest.len())
            };
            let listed =
                |words: &[&str], sign: &str| words.iter().filter_map(|word| behind(word, sign)).max();
            found.extend(behind("doc", "(").map(|length| (Kind::Doc, length, State::Default)));
            found.extend(listed(AXES, "::").map(|length| (Kind::Axis, length, State::Default)));
            found.extend(listed(NODE_TESTS, "(").map(|length| (Kind::NodeTest, length, State::Default)));
            found.extend(listed(FUNCTIONS, "(").map(|length| (Kind::Function, length, State::Default)));
            for (fixed, next) in
                [(".", State::PathOp), ("..", State::PathOp), ("@", State::Default), ("-", State::Default)]
            {
                found.extend(text.starts_with(fixed).then_some((Kind::Fixed(fixed), fixed.len(), next)));
            }
            found.extend(text.starts_with('=').then_some((Kind::EqualsDefault, 1, State::Default)));
            found.extend(text.starts_with('>').then_some((Kind::EndMark, 1, State::Default)));
            found.extend(text.starts_with('*').then_some((Kind::Wildcard, 1, State::PathOp)));
        }
        State::PathOp => found.extend(
            OPERATORS
                .iter()
                .filter(|word| text.starts_with(**word))
                .map(|&word| (Kind::Fixed(word), word.len(), State::Default)),
        ),
        State::Action => found.extend(
            ACTIONS
                .iter()
                .filter(|word| text.starts_with(**word))
                .map(|&word| (Kind::Fixed(word), word.len(), State::Default)),
        ),
    }
    if state != State::PathOp {
        found.extend((digits > 0).then_some((Kind::Digits, digits, State::Default)));
        let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
        let end = quote.and_then(|quote| text[1..].find(quote));
        found.extend(end.map(|end| (Kind::Literal, end + 2, State::PathOp)));
    }
    if expression {
        let length = name_length(text);
        found.extend((length > 0).then_some((Kind::Name, length, State::PathOp)));
        found.extend(text.starts_with(':').then_some((Kind::Fixed(":"), 1, state)));
    }
    let longest = found.iter().map(|token| token.1).max()?;
    found.into_iter().find(|token| token.1 == longest)
}

struct Parser<'t> {
    tokens: Vec<(Kind, &'t str)>,
    at: usize,
}

type Parsed = Result<(), String>;

/// Whether a text is an expression of the grammar.
pub(crate) fn check(text: &str) -> Parsed {
    let mut tokens = Vec::new();
    let (mut rest, mut state) = (text, State::Default);
    loop {
        if state != State::Action {
            rest = rest.trim_start_matches([' ', '\t', '\n', '\r']);
        }
        if rest.is_empty() {
            break;
        }
        let (kind, length, next) =
            lex(rest, state).ok_or_else(|| format!("no token of {state:?} at {rest:.40}"))?;
        tokens.push((kind, &rest[..length]));
        (rest, state) = (&rest[length..], next);
    }
    let mut parser = Parser { tokens, at: 0 };
    parser.expression()?;
    if parser.kind() == Kind::End { Ok(()) } else { Err(parser.wrong("the end")) }
}

impl Parser<'_> {
    fn kind(&self) -> Kind {
        self.tokens.get(self.at).map_or(Kind::End, |token| token.0)
    }

    fn is(&self, fixed: &str) -> bool {
        matches!(self.kind(), Kind::Fixed(own) if own == fixed)
    }

    fn wrong(&self, expected: &str) -> String {
        let near: Vec<&str> =
            self.tokens.iter().skip(self.at.saturating_sub(3)).take(7).map(|token| token.1).collect();
        format!("expected {expected}, found {:?} near {}", self.kind(), near.join(" "))
    }

    fn take(&mut self, fixed: &str) -> bool {
        let there = self.is(fixed);
        self.at += usize::from(there);
        there
    }

    fn need(&mut self, fixed: &str) -> Parsed {
        if self.take(fixed) { Ok(()) } else { Err(self.wrong(fixed)) }
    }

    fn need_kind(&mut self, kind: Kind) -> Parsed {
        if self.kind() != kind {
            return Err(self.wrong(&format!("{kind:?}")));
        }
        self.at += 1;
        Ok(())
    }

    /// `XPathExpr`: the levels of operators differ in strength only, which a checker need not know.
    fn expression(&mut self) -> Parsed {
        loop {
            while self.take("-") {}
            self.path()?;
            let binary = OPERATORS.iter().filter(|word| !matches!(**word, "." | "#"));
            let Some(operator) = binary.into_iter().find(|word| self.is(word)) else { return Ok(()) };
            // the end of a marker is no operator
            if *operator == ">" && self.marker_ends() {
                return Ok(());
            }
            self.at += 1;
        }
    }

    /// Behind `>` of a marker stands what no operand begins with.
    fn marker_ends(&self) -> bool {
        let behind = self.tokens.get(self.at + 1).map_or(Kind::End, |token| token.0);
        matches!(behind, Kind::End | Kind::Fixed("]" | "[" | "[?" | ":<" | "/" | "//" | ")"))
    }

    /// `XPathPathExpr`.
    fn path(&mut self) -> Parsed {
        match self.kind() {
            Kind::Fixed("(") | Kind::Literal | Kind::Number | Kind::Digits | Kind::Function => {
                self.primary()?;
                self.behind_step()?;
            }
            Kind::Doc | Kind::Fixed("/{" | "/(") => {}
            Kind::Fixed("/" | "//") => self.behind_step()?,
            _ => self.step()?,
        }
        self.complex()
    }

    fn primary(&mut self) -> Parsed {
        match self.kind() {
            Kind::Literal | Kind::Number | Kind::Digits => self.at += 1,
            Kind::Fixed("(") => {
                self.at += 1;
                self.expression()?;
                self.need(")")?;
            }
            Kind::Function => {
                self.at += 1;
                if !self.is(")") {
                    self.expression()?;
                    while self.take(",") {
                        self.expression()?;
                    }
                }
                self.need(")")?;
            }
            _ => return Err(self.wrong("a primary expression")),
        }
        Ok(())
    }

    /// `SimpleOXPathStepPath`.
    fn step(&mut self) -> Parsed {
        if self.take(".") || self.take("..") {
            return self.behind_step();
        }
        if self.kind() == Kind::Axis || self.is("@") {
            self.at += 1;
        }
        match self.kind() {
            Kind::Wildcard | Kind::Name => self.at += 1,
            Kind::NodeTest => {
                self.at += 1;
                self.need(")")?;
            }
            _ => return Err(self.wrong("a node test")),
        }
        self.behind_step()
    }

    /// `OXPathPostStepList`, as often as it comes.
    fn behind_step(&mut self) -> Parsed {
        loop {
            if self.take("/") || self.take("//") {
                return self.step();
            } else if self.take(".") || self.take("#") {
                self.need_kind(Kind::Name)?;
            } else if self.take("[") || self.take("[?") {
                self.expression()?;
                self.need("]")?;
            } else if self.take(":<") {
                self.marker()?;
            } else {
                return Ok(());
            }
        }
    }

    /// `OXPathExtractionMarker` behind its beginning.
    fn marker(&mut self) -> Parsed {
        self.need_kind(Kind::Name)?;
        if self.take("=") {
            self.primary()?;
        }
        if self.kind() == Kind::EndMark || self.is(">") {
            self.at += 1;
            return Ok(());
        }
        Err(self.wrong(">"))
    }

    /// `ComplexOXPathStepPath`: actions and Kleene stars, and what follows them.
    fn complex(&mut self) -> Parsed {
        loop {
            match self.kind() {
                Kind::Doc => {
                    self.at += 1;
                    self.need_kind(Kind::Literal)?;
                    self.need(")")?;
                }
                Kind::Fixed("/{") => {
                    self.at += 1;
                    let known = ACTIONS.iter().any(|word| self.is(word));
                    if !known && !matches!(self.kind(), Kind::Digits | Kind::Literal) {
                        return Err(self.wrong("an action"));
                    }
                    self.at += 1;
                    self.take("/");
                    self.need("}")?;
                }
                Kind::Fixed("/(") => {
                    self.at += 1;
                    self.path()?;
                    self.need(")")?;
                    if !self.take("*") {
                        self.need("*{")?;
                        self.need_kind(Kind::Digits)?;
                        if self.take(",") {
                            self.need_kind(Kind::Digits)?;
                        }
                        self.need("}")?;
                    }
                }
                _ => return Ok(()),
            }
            if self.take("/") || self.take("//") {
                self.step()?;
            }
        }
    }
}

#[test]
fn the_checker_knows_the_language() {
    let right = [
        "doc(\"http://a.example/\")//div[@class='x']:<record>[? .//a:<url=string(@href)>][? .//b:<t=normalize-space(.)>]",
        "doc('http://a.example/')//a[.#='next']/{click /}//h2:<title=string(.)>",
        "doc('http://a.example/')/descendant::input[1]/{\"words\"}/following::input/{click /}/(//a[contains(.,'Next')]/{nextclick /})*{0,9}//li:<r>",
        "(//a | //b)[2]:<x=substring-before(string(.), ':')>",
        "//td[((count(preceding-sibling::*) - 1) mod 2)=0]",
        "//*[count(*)>=2]",
    ];
    let wrong = [
        "",
        "doc(http://a.example/)//div",
        "//div[@class='x'",
        "//div:<>",
        "//div:<record",
        "//div:<name=.//b>",
        "//div[position()=1 and @x]",
        "//div[1=position()]",
        "//div:<wait=string(.)>",
        "//div:<prix \u{e9}=string(.)>",
        "//div[@class='it's']",
    ];
    for text in right {
        assert_eq!(check(text), Ok(()), "{text}");
    }
    for text in wrong.into_iter().chain(once("//div]")) {
        assert!(check(text).is_err(), "{text}");
    }
}
