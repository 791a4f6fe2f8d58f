//! What a text must contain for a rule to match it.
//!
//! In: the syntax tree of a rule. Out: [`RuleNeeds`], clauses that all hold for every text in which the rule
//! matches: one of these words, or one of these characters. A rule is compiled only if a text meets its needs,
//! and most rules of a domain never are. Needs only exclude: a text that meets them may still not match. O(rule).
//!
//! Words are pieces of [`simplified`] texts, in which every digit is a zero, every space the same space, and the
//! ends have marks: a price of one digit and `^` are words too.

use regex_syntax::ast::{
    AssertionKind, Ast, ClassBracketed, ClassPerlKind, ClassSet, ClassSetItem, RepetitionKind,
    RepetitionRange, Visitor, parse::Parser, visit,
};

/// Maximum number of words of a clause, and of the texts that a part of a rule stands for.
const MAX_CLAUSE_WORDS: usize = 400;
/// Maximum number of texts that a repeated part stands for.
const MAX_REPEATED_TEXTS: usize = 24;
/// Maximum number of characters of a class that are words.
const MAX_CLASS_WORDS: u32 = 8;
/// The marks of the beginning and the end of a simplified text.
const BEGIN_MARK: char = '\u{2}';
const END_MARK: char = '\u{3}';
/// Maximum length of a word. What follows is not looked at.
const MAX_WORD_BYTES: usize = 24;
/// Maximum number of clauses of a rule. More would exclude little more.
const MAX_CLAUSES: usize = 6;
/// The letters beyond ASCII that equal one of ASCII when case is ignored: the Kelvin sign and the long s. Texts
/// with them are not filtered.
pub(super) const FOLDED_TO_ASCII: [char; 2] = ['\u{212a}', '\u{17f}'];

const DIGITS: u128 = ((1 << 10) - 1) << b'0';
const SPACES: u128 = 1 << b' ' | ((1 << 5) - 1) << b'\t';
const SMALL_LETTERS: u128 = ((1 << 26) - 1) << b'a';
const CAPITALS: u128 = ((1 << 26) - 1) << b'A';

/// A set of characters: exact for ASCII, in 64 groups for all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct CharMask {
    pub(super) ascii: u128,
    pub(super) other: u64,
}

impl CharMask {
    /// The set of one character, without regard to case.
    pub(super) fn of(c: char) -> CharMask {
        match u8::try_from(c) {
            Ok(byte) if byte.is_ascii() => {
                CharMask { ascii: 1 << byte.to_ascii_lowercase() | 1 << byte.to_ascii_uppercase(), other: 0 }
            }
            // a letter has variants of case, which may be in other groups
            _ if c.is_alphabetic() => CharMask { ascii: 0, other: u64::MAX },
            _ => CharMask { ascii: 0, other: group_of(c) },
        }
    }

    pub(super) fn union(self, other: CharMask) -> CharMask {
        CharMask { ascii: self.ascii | other.ascii, other: self.other | other.other }
    }

    pub(super) fn meets(self, other: CharMask) -> bool {
        self.ascii & other.ascii != 0 || self.other & other.other != 0
    }

    fn is_empty(self) -> bool {
        self == CharMask::default()
    }

    /// The characters of a text. Digits and spaces beyond ASCII also count as `0` and as a space, so that a clause
    /// that needs a digit or a space need not name them.
    pub(super) fn of_text(text: &str) -> CharMask {
        let mut mask = CharMask::default();
        for &byte in text.as_bytes() {
            if byte.is_ascii() {
                mask.ascii |= 1 << byte;
            }
        }
        if !text.is_ascii() {
            for c in text.chars().filter(|c| !c.is_ascii()) {
                mask.other |= group_of(c);
                if c.is_numeric() {
                    mask.ascii |= 1 << b'0';
                } else if c.is_whitespace() {
                    mask.ascii |= 1 << b' ';
                }
            }
        }
        mask
    }
}

fn group_of(c: char) -> u64 {
    1 << (u32::from(c).wrapping_mul(0x9e37_79b1) >> 26)
}

/// A text as words are searched in it: in lower case, with `0` for digits, a space for spaces, and marks at both ends.
pub(super) fn simplified(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 2);
    out.push(BEGIN_MARK as u8);
    if text.is_ascii() {
        out.extend(text.bytes().map(simplified_ascii));
    } else {
        for c in text.chars() {
            match u8::try_from(c) {
                Ok(byte) if byte.is_ascii() => out.push(simplified_ascii(byte)),
                _ if c.is_numeric() => out.push(b'0'),
                _ if c.is_whitespace() => out.push(b' '),
                _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
    }
    out.push(END_MARK as u8);
    out
}

fn simplified_ascii(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => b'0',
        b'\t'..=b'\r' => b' ',
        _ => byte.to_ascii_lowercase(),
    }
}

/// One of these words or characters is in every text that matches.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct NeedClause {
    /// Pieces of simplified texts, of two bytes or more, in ASCII.
    pub(super) words: Vec<String>,
    pub(super) chars: CharMask,
}

impl NeedClause {
    /// A clause for any of these texts. `None` if every text has one of them.
    fn any_of(texts: &[String]) -> Option<NeedClause> {
        let mut clause = NeedClause::default();
        let mut words: Vec<&String> = Vec::new();
        for text in texts {
            match text.as_bytes() {
                [] | [2 | 3] => return None,
                [b'0'] => clause.chars.ascii |= DIGITS,
                [b' '] => clause.chars.ascii |= SPACES,
                [byte] => clause.chars = clause.chars.union(CharMask::of(char::from(*byte))),
                _ => words.push(text),
            }
        }
        // Where there is a word, there is also the shorter one in it.
        words.sort_unstable_by_key(|word| (word.len(), *word));
        for word in words {
            if !clause.words.iter().any(|shorter| word.contains(shorter.as_str())) {
                clause.words.push(word.clone());
            }
        }
        clause.words.sort_unstable();
        Some(clause)
    }

    fn union(mut self, other: &NeedClause) -> NeedClause {
        self.words.extend(other.words.iter().cloned());
        self.words.sort_unstable();
        self.words.dedup();
        self.chars = self.chars.union(other.chars);
        self
    }

    /// How often texts meet a clause, roughly: the most selective clause has the lowest.
    fn commonness(&self) -> u32 {
        let common = SMALL_LETTERS | 1 << b' ';
        let letters = (self.chars.ascii & common).count_ones();
        let rest = (self.chars.ascii & !common).count_ones();
        let short = self.words.iter().filter(|word| word.len() < 3).count() as u32;
        1000 * letters
            + 100 * rest.min(9)
            + 50 * short
            + 4 * self.chars.other.count_ones()
            + self.words.len() as u32
    }
}

/// The clauses of a rule; without any, every text meets them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct RuleNeeds {
    pub(super) clauses: Vec<NeedClause>,
}

impl RuleNeeds {
    /// The needs of a rule. A rule that is not understood needs nothing.
    pub(super) fn of(pattern: &str) -> RuleNeeds {
        let Ok(ast) = Parser::new().parse(pattern) else { return RuleNeeds::default() };
        // in this mode, lines begin and end where texts do not
        let is_multi_line = pattern.split("(?").skip(1).any(has_multi_line_flag);
        let Ok(found) = visit(&ast, NeedsVisitor { finished: Vec::new(), is_multi_line });
        let mut clauses = found.into_clauses();
        clauses.sort_by_key(NeedClause::commonness);
        clauses.dedup();
        clauses.truncate(MAX_CLAUSES);
        RuleNeeds { clauses }
    }
}

/// True if the flags of a group, which follow `(?`, have `m`.
fn has_multi_line_flag(group: &str) -> bool {
    group.chars().take_while(|c| c.is_ascii_alphabetic() || *c == '-').any(|c| c == 'm')
}

/// What is known about a part of a rule.
#[derive(Debug, Clone, Default)]
struct PartNeeds {
    /// All texts that the part matches, simplified, if they are few.
    texts: Option<Vec<String>>,
    /// Otherwise: texts one of which every match begins with, and one of which it ends with.
    heads: Option<Vec<String>>,
    tails: Option<Vec<String>>,
    /// Otherwise: what every match of the part contains.
    clauses: Vec<NeedClause>,
}

/// All texts that begin with one and end with another, if they are few and short.
fn joined(begins: &[String], ends: &[String]) -> Option<Vec<String>> {
    let longest = |texts: &[String]| texts.iter().map(String::len).max().unwrap_or(0);
    let fits =
        begins.len() * ends.len() <= MAX_CLAUSE_WORDS && longest(begins) + longest(ends) <= MAX_WORD_BYTES;
    let join = |begin: &String, end: &String| {
        // Two marks at one place are one.
        let is_doubled =
            [BEGIN_MARK, END_MARK].iter().any(|&mark| begin.ends_with(mark) && end.starts_with(mark));
        format!("{begin}{}", &end[usize::from(is_doubled)..])
    };
    fits.then(|| begins.iter().flat_map(|begin| ends.iter().map(move |end| join(begin, end))).collect())
}

impl PartNeeds {
    fn text(text: &str) -> PartNeeds {
        PartNeeds::texts(vec![text.to_owned()])
    }

    fn texts(texts: Vec<String>) -> PartNeeds {
        PartNeeds { texts: Some(texts), ..PartNeeds::default() }
    }

    fn chars(chars: CharMask) -> PartNeeds {
        let simple = |mask: u128| chars.other == 0 && chars.ascii != 0 && chars.ascii & !mask == 0;
        let letters = chars.ascii & !CAPITALS;
        if simple(DIGITS) {
            return PartNeeds::text("0");
        } else if simple(SPACES) {
            return PartNeeds::text(" ");
        } else if simple(u128::MAX) && letters.count_ones() <= MAX_CLASS_WORDS {
            let chars = (0..128_u8).filter(|byte| letters & 1 << byte != 0);
            let texts = chars.map(|byte| char::from(simplified_ascii(byte)).to_string());
            return PartNeeds::texts(texts.collect());
        }
        let clause = NeedClause { words: Vec::new(), chars };
        let clauses = if chars.is_empty() { Vec::new() } else { vec![clause] };
        PartNeeds { clauses, ..PartNeeds::default() }
    }

    fn into_clauses(self) -> Vec<NeedClause> {
        match self.texts {
            Some(texts) => NeedClause::any_of(&texts).into_iter().collect(),
            None => self.clauses,
        }
    }

    /// Texts one of which every match begins with.
    fn all_heads(&self) -> Option<&Vec<String>> {
        self.texts.as_ref().or(self.heads.as_ref())
    }

    fn all_tails(&self) -> Option<&Vec<String>> {
        self.texts.as_ref().or(self.tails.as_ref())
    }

    /// A part after another.
    fn concatenation(parts: Vec<PartNeeds>) -> PartNeeds {
        let mut clauses = Vec::new();
        let mut running: Vec<String> = vec![String::new()];
        // What all begins with, once that is known.
        let mut heads: Option<Vec<String>> = None;
        for part in parts {
            let whole = part.texts.as_ref().and_then(|texts| joined(&running, texts));
            if let Some(longer) = whole {
                running = longer;
                continue;
            }
            // What precedes the part is followed by how it begins, and what follows it is preceded by how it ends.
            if let Some(longer) = part.all_heads().and_then(|heads| joined(&running, heads)) {
                running = longer;
            }
            clauses.extend(NeedClause::any_of(&running));
            heads.get_or_insert(running);
            running = part.all_tails().cloned().unwrap_or_else(|| vec![String::new()]);
            clauses.extend(part.into_clauses());
        }
        let Some(heads) = heads else { return PartNeeds::texts(running) };
        clauses.extend(NeedClause::any_of(&running));
        PartNeeds { texts: None, heads: Some(heads), tails: Some(running), clauses }
    }

    /// One part or another.
    fn alternation(parts: Vec<PartNeeds>) -> PartNeeds {
        let count: usize = parts.iter().filter_map(|part| part.texts.as_ref()).map(Vec::len).sum();
        if parts.iter().all(|part| part.texts.is_some()) && count <= MAX_CLAUSE_WORDS {
            let texts = parts.into_iter().filter_map(|part| part.texts).flatten().collect();
            return PartNeeds::texts(texts);
        }
        let union = |each: Option<Vec<&Vec<String>>>| {
            let all = each?.into_iter().flatten().cloned().collect::<Vec<String>>();
            Some(all).filter(|all| all.len() <= MAX_CLAUSE_WORDS)
        };
        let heads = union(parts.iter().map(PartNeeds::all_heads).collect());
        let tails = union(parts.iter().map(PartNeeds::all_tails).collect());
        let mut each: Vec<Vec<NeedClause>> = parts.into_iter().map(PartNeeds::into_clauses).collect();
        for clauses in &mut each {
            clauses.sort_by_key(NeedClause::commonness);
        }
        // Any clause of one part together with any clause of the others is a clause of the whole. The most
        // selective ones are combined, then the next: an amount has a currency, and it has a digit.
        let depth = each.iter().map(Vec::len).max().unwrap_or(0).min(MAX_CLAUSES);
        let clauses = (0..depth).filter_map(|rank| {
            let chosen = each.iter().map(|clauses| clauses.get(rank).or_else(|| clauses.last()));
            chosen.collect::<Option<Vec<&NeedClause>>>()
        });
        let clauses = clauses.map(|chosen| chosen.into_iter().fold(NeedClause::default(), NeedClause::union));
        let clauses = clauses.filter(|clause| clause.words.len() <= MAX_CLAUSE_WORDS).collect();
        PartNeeds { texts: None, heads, tails, clauses }
    }

    fn repeated(self, kind: &RepetitionKind) -> PartNeeds {
        let (least, most) = match *kind {
            RepetitionKind::ZeroOrOne => (0, Some(1)),
            RepetitionKind::ZeroOrMore => (0, None),
            RepetitionKind::OneOrMore => (1, None),
            RepetitionKind::Range(RepetitionRange::Exactly(count)) => (count, Some(count)),
            RepetitionKind::Range(RepetitionRange::AtLeast(least)) => (least, None),
            RepetitionKind::Range(RepetitionRange::Bounded(least, most)) => (least, Some(most)),
        };
        if (least, most) == (1, Some(1)) {
            return self;
        }
        if let (Some(most), Some(texts)) = (most, &self.texts)
            && let Some(texts) = repeated_texts(texts, least, most)
        {
            return PartNeeds::texts(texts);
        }
        if least == 0 {
            return PartNeeds::default();
        }
        let (heads, tails) = (self.all_heads().cloned(), self.all_tails().cloned());
        PartNeeds { texts: None, heads, tails, clauses: self.into_clauses() }
    }
}

/// All texts that are one of these several times, if they are few.
fn repeated_texts(texts: &[String], least: u32, most: u32) -> Option<Vec<String>> {
    let mut all: Vec<String> = Vec::new();
    let mut times: Vec<String> = vec![String::new()];
    for count in 0..=most {
        if count > 0 {
            times = joined(&times, texts)?;
        }
        if count >= least {
            all.extend_from_slice(&times);
        }
        if all.len().max(times.len()) > MAX_REPEATED_TEXTS {
            return None;
        }
    }
    Some(all)
}

/// Collects the needs of the parts of a rule, from the inside out. The visitor keeps its own stack, so that a rule may
/// be nested as deep as the parser allows.
struct NeedsVisitor {
    finished: Vec<PartNeeds>,
    is_multi_line: bool,
}

impl NeedsVisitor {
    fn take(&mut self, count: usize) -> Vec<PartNeeds> {
        self.finished.split_off(self.finished.len().saturating_sub(count))
    }
}

impl Visitor for NeedsVisitor {
    type Output = PartNeeds;
    type Err = std::convert::Infallible;

    fn finish(mut self) -> Result<PartNeeds, Self::Err> {
        Ok(self.finished.pop().unwrap_or_default())
    }

    fn visit_post(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        let part = match ast {
            Ast::Assertion(assertion) if !self.is_multi_line => match assertion.kind {
                AssertionKind::StartLine | AssertionKind::StartText => PartNeeds::text("\u{2}"),
                AssertionKind::EndLine | AssertionKind::EndText => PartNeeds::text("\u{3}"),
                _ => PartNeeds::text(""),
            },
            // Nothing is consumed, and what follows follows directly.
            Ast::Empty(_) | Ast::Assertion(_) | Ast::Flags(_) => PartNeeds::text(""),
            // These cannot be told from the marks.
            Ast::Literal(literal) if [BEGIN_MARK, END_MARK].contains(&literal.c) => PartNeeds::default(),
            Ast::Literal(literal) => match u8::try_from(literal.c) {
                Ok(byte) if byte.is_ascii() => {
                    PartNeeds::text(&char::from(simplified_ascii(byte)).to_string())
                }
                _ if FOLDED_TO_ASCII.contains(&literal.c) => PartNeeds::default(),
                _ => PartNeeds::chars(CharMask::of(literal.c)),
            },
            Ast::ClassPerl(class) if !class.negated => PartNeeds::chars(perl_class(&class.kind)),
            Ast::Dot(_) | Ast::ClassUnicode(_) | Ast::ClassPerl(_) => PartNeeds::default(),
            Ast::ClassBracketed(class) => {
                bracketed_class(class).map_or_else(PartNeeds::default, PartNeeds::chars)
            }
            Ast::Repetition(repetition) => match self.finished.pop() {
                Some(part) => part.repeated(&repetition.op.kind),
                None => PartNeeds::default(),
            },
            // A group has the needs of what is in it.
            Ast::Group(_) => return Ok(()),
            Ast::Alternation(alternation) => PartNeeds::alternation(self.take(alternation.asts.len())),
            Ast::Concat(concat) => PartNeeds::concatenation(self.take(concat.asts.len())),
        };
        self.finished.push(part);
        Ok(())
    }
}

fn perl_class(kind: &ClassPerlKind) -> CharMask {
    let (ascii, other) = match kind {
        ClassPerlKind::Digit => (DIGITS, 0),
        ClassPerlKind::Space => (SPACES, 0),
        ClassPerlKind::Word => (DIGITS | SMALL_LETTERS | CAPITALS | 1 << b'_', u64::MAX),
    };
    CharMask { ascii, other }
}

/// The characters of a class in brackets; `None` if they are too many to be of use.
fn bracketed_class(class: &ClassBracketed) -> Option<CharMask> {
    if class.negated {
        return None;
    }
    let ClassSet::Item(item) = &class.kind else { return None };
    let mut mask = CharMask::default();
    let mut items = vec![item];
    while let Some(item) = items.pop() {
        mask = mask.union(match item {
            ClassSetItem::Empty(_) => CharMask::default(),
            ClassSetItem::Literal(literal) if FOLDED_TO_ASCII.contains(&literal.c) => return None,
            ClassSetItem::Literal(literal) if [BEGIN_MARK, END_MARK].contains(&literal.c) => return None,
            ClassSetItem::Literal(literal) => CharMask::of(literal.c),
            ClassSetItem::Range(range) if range.start.c >= ' ' && range.end.c.is_ascii() => {
                (range.start.c..=range.end.c).fold(CharMask::default(), |mask, c| mask.union(CharMask::of(c)))
            }
            ClassSetItem::Perl(class) if !class.negated => perl_class(&class.kind),
            ClassSetItem::Union(union) => {
                items.extend(&union.items);
                continue;
            }
            _ => return None,
        });
    }
    Some(mask)
}
