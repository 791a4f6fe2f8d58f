//! A checker for OXPath expressions, after the grammar of the reference implementation (OXPathGrammar.jjt).
//!
//! In: an expression. Out: nothing, or the position of the first error. The lexer has the states of the
//! grammar, because the meaning of a character depends on them: after an operand `*` multiplies and `and` is
//! an operator, elsewhere both are names; after a whole number no operator is accepted. The parser follows
//! the grammar rule by rule, but builds no trees. URLs in angle brackets are not supported.

use std::iter::once;

/// What the lexer expects next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LexerState {
    Default,
    PathOp,
    Action,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenKind {
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
/// Tokens of both states of expressions, with the state that follows them.
const COMMON: &[(&str, LexerState)] = &[
    ("(", LexerState::Default),
    (")", LexerState::PathOp),
    ("[?", LexerState::Default),
    ("[", LexerState::Default),
    ("]", LexerState::PathOp),
    ("{", LexerState::Action),
    ("}", LexerState::Default),
    (",", LexerState::Default),
    ("//", LexerState::Default),
    ("/{", LexerState::Action),
    ("/(", LexerState::Default),
    ("*{", LexerState::Default),
    ("/", LexerState::Default),
    (":<", LexerState::Default),
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

type Token = (TokenKind, usize, LexerState);

fn name_length(text: &str) -> usize {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    if !text.starts_with(first) {
        return 0;
    }
    text.find(|c: char| !(first(c) || c == '-' || c.is_ascii_digit())).unwrap_or(text.len())
}

/// The longest token; of several the first.
fn lex(text: &str, state: LexerState) -> Option<Token> {
    let mut found: Vec<Token> = Vec::new();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let expression = state != LexerState::Action;
    if expression {
        found.extend(
            COMMON
                .iter()
                .filter(|(fixed, _)| text.starts_with(fixed))
                .map(|&(fixed, next)| (TokenKind::Fixed(fixed), fixed.len(), next)),
        );
        if let Some(rest) = text.get(digits..).and_then(|rest| rest.strip_prefix('.')) {
            let more = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            if digits + more > 0 {
                found.push((TokenKind::Number, digits + 1 + more, LexerState::PathOp));
            }
        }
        for word in ["wait", "until"] {
            if text.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with('=')) {
                found.push((TokenKind::Wait, text.find('=')? + 1, state));
            }
        }
    }
    match state {
        LexerState::Default => {
            let after = |word: &str, sign: &str| {
                let rest = text.strip_prefix(word)?.trim_start();
                rest.strip_prefix(sign).map(|rest| text.len() - rest.len())
            };
            let listed = |words: &[&str], sign: &str| words.iter().filter_map(|word| after(word, sign)).max();
            found.extend(after("doc", "(").map(|length| (TokenKind::Doc, length, LexerState::Default)));
            found.extend(listed(AXES, "::").map(|length| (TokenKind::Axis, length, LexerState::Default)));
            found.extend(
                listed(NODE_TESTS, "(").map(|length| (TokenKind::NodeTest, length, LexerState::Default)),
            );
            found.extend(
                listed(FUNCTIONS, "(").map(|length| (TokenKind::Function, length, LexerState::Default)),
            );
            for (fixed, next) in [
                (".", LexerState::PathOp),
                ("..", LexerState::PathOp),
                ("@", LexerState::Default),
                ("-", LexerState::Default),
            ] {
                found.extend(text.starts_with(fixed).then_some((TokenKind::Fixed(fixed), fixed.len(), next)));
            }
            found.extend(text.starts_with('=').then_some((TokenKind::EqualsDefault, 1, LexerState::Default)));
            found.extend(text.starts_with('>').then_some((TokenKind::EndMark, 1, LexerState::Default)));
            found.extend(text.starts_with('*').then_some((TokenKind::Wildcard, 1, LexerState::PathOp)));
        }
        LexerState::PathOp => found.extend(
            OPERATORS
                .iter()
                .filter(|word| text.starts_with(**word))
                .map(|&word| (TokenKind::Fixed(word), word.len(), LexerState::Default)),
        ),
        LexerState::Action => found.extend(
            ACTIONS
                .iter()
                .filter(|word| text.starts_with(**word))
                .map(|&word| (TokenKind::Fixed(word), word.len(), LexerState::Default)),
        ),
    }
    if state != LexerState::PathOp {
        found.extend((digits > 0).then_some((TokenKind::Digits, digits, LexerState::Default)));
        let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
        let end = quote.and_then(|quote| text[1..].find(quote));
        found.extend(end.map(|end| (TokenKind::Literal, end + 2, LexerState::PathOp)));
    }
    if expression {
        let length = name_length(text);
        found.extend((length > 0).then_some((TokenKind::Name, length, LexerState::PathOp)));
        found.extend(text.starts_with(':').then_some((TokenKind::Fixed(":"), 1, state)));
    }
    let longest = found.iter().map(|token| token.1).max()?;
    found.into_iter().find(|token| token.1 == longest)
}

struct OxpathParser<'t> {
    tokens: Vec<(TokenKind, &'t str)>,
    at: usize,
}

type Parsed = Result<(), String>;

/// Checks that a text is an expression of the grammar.
pub(crate) fn check(text: &str) -> Parsed {
    let mut tokens = Vec::new();
    let (mut rest, mut state) = (text, LexerState::Default);
    loop {
        if state != LexerState::Action {
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
    let mut parser = OxpathParser { tokens, at: 0 };
    parser.expression()?;
    if parser.kind() == TokenKind::End { Ok(()) } else { Err(parser.wrong("the end")) }
}

impl OxpathParser<'_> {
    fn kind(&self) -> TokenKind {
        self.tokens.get(self.at).map_or(TokenKind::End, |token| token.0)
    }

    fn is(&self, fixed: &str) -> bool {
        matches!(self.kind(), TokenKind::Fixed(own) if own == fixed)
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

    fn need_kind(&mut self, kind: TokenKind) -> Parsed {
        if self.kind() != kind {
            return Err(self.wrong(&format!("{kind:?}")));
        }
        self.at += 1;
        Ok(())
    }

    /// `XPathExpr`. The levels of operators differ only in precedence, which a checker does not need.
    fn expression(&mut self) -> Parsed {
        loop {
            while self.take("-") {}
            self.path()?;
            let binary = OPERATORS.iter().filter(|word| !matches!(**word, "." | "#"));
            let Some(operator) = binary.into_iter().find(|word| self.is(word)) else { return Ok(()) };
            // The end of a marker is not an operator.
            if *operator == ">" && self.marker_ends() {
                return Ok(());
            }
            self.at += 1;
        }
    }

    /// True at the `>` that ends a marker: what follows cannot begin an operand.
    fn marker_ends(&self) -> bool {
        let after = self.tokens.get(self.at + 1).map_or(TokenKind::End, |token| token.0);
        matches!(after, TokenKind::End | TokenKind::Fixed("]" | "[" | "[?" | ":<" | "/" | "//" | ")"))
    }

    /// `XPathPathExpr`.
    fn path(&mut self) -> Parsed {
        match self.kind() {
            TokenKind::Fixed("(")
            | TokenKind::Literal
            | TokenKind::Number
            | TokenKind::Digits
            | TokenKind::Function => {
                self.primary()?;
                self.after_step()?;
            }
            TokenKind::Doc | TokenKind::Fixed("/{" | "/(") => {}
            TokenKind::Fixed("/" | "//") => self.after_step()?,
            _ => self.step()?,
        }
        self.complex()
    }

    fn primary(&mut self) -> Parsed {
        match self.kind() {
            TokenKind::Literal | TokenKind::Number | TokenKind::Digits => self.at += 1,
            TokenKind::Fixed("(") => {
                self.at += 1;
                self.expression()?;
                self.need(")")?;
            }
            TokenKind::Function => {
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
            return self.after_step();
        }
        if self.kind() == TokenKind::Axis || self.is("@") {
            self.at += 1;
        }
        match self.kind() {
            TokenKind::Wildcard | TokenKind::Name => self.at += 1,
            TokenKind::NodeTest => {
                self.at += 1;
                self.need(")")?;
            }
            _ => return Err(self.wrong("a node test")),
        }
        self.after_step()
    }

    /// `OXPathPostStepList`, any number of times.
    fn after_step(&mut self) -> Parsed {
        loop {
            if self.take("/") || self.take("//") {
                return self.step();
            } else if self.take(".") || self.take("#") {
                self.need_kind(TokenKind::Name)?;
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

    /// `OXPathExtractionMarker` without its first token.
    fn marker(&mut self) -> Parsed {
        self.need_kind(TokenKind::Name)?;
        if self.take("=") {
            self.primary()?;
        }
        if self.kind() == TokenKind::EndMark || self.is(">") {
            self.at += 1;
            return Ok(());
        }
        Err(self.wrong(">"))
    }

    /// `ComplexOXPathStepPath`: actions and Kleene stars, and what follows them.
    fn complex(&mut self) -> Parsed {
        loop {
            match self.kind() {
                TokenKind::Doc => {
                    self.at += 1;
                    self.need_kind(TokenKind::Literal)?;
                    self.need(")")?;
                }
                TokenKind::Fixed("/{") => {
                    self.at += 1;
                    let known = ACTIONS.iter().any(|word| self.is(word));
                    if !known && !matches!(self.kind(), TokenKind::Digits | TokenKind::Literal) {
                        return Err(self.wrong("an action"));
                    }
                    self.at += 1;
                    self.take("/");
                    self.need("}")?;
                }
                TokenKind::Fixed("/(") => {
                    self.at += 1;
                    self.path()?;
                    self.need(")")?;
                    if !self.take("*") {
                        self.need("*{")?;
                        self.need_kind(TokenKind::Digits)?;
                        if self.take(",") {
                            self.need_kind(TokenKind::Digits)?;
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
fn the_checker_accepts_the_language_and_nothing_else() {
    let right = [
        "doc(\"http://a.example/\")//div[@class='x']:<record>[? .//a:<url=string(@href)>]\
         [? .//b:<t=normalize-space(.)>]",
        "doc('http://a.example/')//a[.#='next']/{click /}//h2:<title=string(.)>",
        "doc('http://a.example/')/descendant::input[1]/{\"words\"}/following::input/{click /}\
         /(//a[contains(.,'Next')]/{nextclick /})*{0,9}//li:<r>",
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
