//! Amounts in pieces: `<span>$</span><span>9</span><span>.68</span>` is one value.
//!
//! In: a part of a record. Out: for each node that begins an amount of several siblings, where the amount ends.
//! The pieces are a currency, a whole number and decimals, in the usual orders. Two digits without a decimal
//! sign are cents only with a currency, and directly after the number. O(nodes): only short siblings are read.

use copal_dom::{Node, Page};
use copal_values::numbers;
use copal_values::recognise::is_currency;
use std::ops::Range;

/// Longest piece of an amount, in characters.
const MAX_PIECE_CHARS: u32 = 16;
/// Most pieces of an amount.
const MAX_PIECES: usize = 4;

/// What a piece of an amount is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AmountPiece {
    /// A sign, code or name of a currency.
    Currency,
    /// A number without decimals; with its currency, maybe.
    Whole { with_currency: bool },
    /// A number with decimals.
    Full,
    /// `.68` or `,68`
    Decimals,
    /// Two digits.
    Cents,
}

/// A sibling that may be a piece of an amount.
struct PieceNode {
    node: Node,
    kind: AmountPiece,
    /// No white space separates it from the piece before it.
    glued: bool,
}

/// Calls `mark` with the first node and the end of every amount that is in several pieces. `is_inline` says
/// whether a node is inside one line.
pub(super) fn each_amount(
    page: &Page,
    part: &Range<Node>,
    is_inline: impl Fn(Node) -> bool,
    mut mark: impl FnMut(Node, Node),
) {
    let tree = &page.tree;
    let mut of_children = |from: Node, to: Node| {
        let mut pieces: Vec<PieceNode> = Vec::new();
        let mut glued = false;
        let mut at = from;
        while at < to {
            let (node, next) = (at, tree.end(at));
            at = next;
            if !page.styles.is_shown(node) {
                continue;
            }
            let is_blank = tree.is_text(node) && tree.raw_text(node).trim().is_empty();
            if is_blank {
                glued = false;
                continue;
            }
            let kind = if is_inline(node) { piece_kind(page, node, next) } else { None };
            match kind {
                Some(kind) => {
                    let touches = glued && !starts_with_space(page, node);
                    pieces.push(PieceNode { node, kind, glued: touches });
                    glued = !ends_with_space(page, node);
                }
                None => {
                    mark_amounts(page, &pieces, &mut mark);
                    pieces.clear();
                    glued = false;
                }
            }
        }
        mark_amounts(page, &pieces, &mut mark);
    };
    of_children(part.start, part.end);
    for node in part.clone().filter(|&node| !tree.is_text(node) && tree.end(node) > node + 2) {
        of_children(node + 1, tree.end(node));
    }
}

/// Marks the amounts among consecutive pieces, the longest first.
fn mark_amounts(page: &Page, pieces: &[PieceNode], mark: &mut impl FnMut(Node, Node)) {
    let mut at = 0;
    while at + 1 < pieces.len() {
        let longest = MAX_PIECES.min(pieces.len() - at);
        let found = (2..=longest).rev().find(|&count| is_amount(&pieces[at..at + count]));
        match found {
            Some(count) => {
                mark(pieces[at].node, page.tree.end(pieces[at + count - 1].node));
                at += count;
            }
            None => at += 1,
        }
    }
}

fn is_amount(pieces: &[PieceNode]) -> bool {
    use AmountPiece::{Cents, Currency, Decimals, Full, Whole};
    let kinds: Vec<AmountPiece> = pieces.iter().map(|piece| piece.kind).collect();
    let last = &pieces[pieces.len() - 1];
    match kinds[..] {
        [Currency, Whole { with_currency: false } | Full | Cents]
        | [Whole { with_currency: false } | Full | Cents, Currency]
        | [Whole { .. } | Cents, Decimals]
        | [Currency, Whole { with_currency: false } | Cents, Decimals]
        | [Whole { with_currency: false } | Cents, Decimals, Currency] => true,
        [Whole { with_currency: true }, Cents]
        | [Currency, Whole { with_currency: false } | Cents, Cents] => last.glued,
        [Whole { with_currency: false } | Cents, Cents, Currency] => pieces[1].glued,
        _ => false,
    }
}

/// What a sibling is as a piece of an amount; `None` if it is not one.
fn piece_kind(page: &Page, node: Node, end: Node) -> Option<AmountPiece> {
    let chars = page.index.chars(&(node..end));
    if chars == 0 || chars > MAX_PIECE_CHARS {
        return None;
    }
    let text = page.text_of(node);
    let text = text.trim();
    if is_currency(text) {
        return Some(AmountPiece::Currency);
    }
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let before = text[..text.len() - digits.len()].trim();
    let number = &digits[..numbers::scan(digits)];
    let after = &digits[number.len()..];
    let parsed = numbers::parse(number)?;
    match before {
        "." | "," if after.is_empty() && (1..=2).contains(&number.len()) => {
            return Some(AmountPiece::Decimals);
        }
        "" => {}
        sign if is_currency(sign) => {}
        _ => return None,
    }
    // "9." before a piece with the cents
    let has_currency = !before.is_empty();
    match after {
        "" | "." | "," => {}
        _ => return None,
    }
    Some(match parsed.contains('.') {
        true => AmountPiece::Full,
        false if !has_currency && number.len() == 2 && after.is_empty() => AmountPiece::Cents,
        false => AmountPiece::Whole { with_currency: has_currency },
    })
}

fn starts_with_space(page: &Page, node: Node) -> bool {
    let first = (node..page.tree.end(node)).find(|&inner| page.tree.is_text(inner));
    first.is_some_and(|inner| page.tree.raw_text(inner).starts_with(char::is_whitespace))
}

fn ends_with_space(page: &Page, node: Node) -> bool {
    let last = (node..page.tree.end(node)).rev().find(|&inner| page.tree.is_text(inner));
    last.is_some_and(|inner| page.tree.raw_text(inner).ends_with(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    /// The texts of the amounts in a body.
    fn amounts(body: &str) -> Vec<String> {
        let page = Page::from_text(&format!("<body>{body}"), &Limits::default());
        let part = 0..page.tree.len() as Node;
        let mut found = Vec::new();
        each_amount(&page, &part, |_| true, |from, to| found.push(from..to));
        found.into_iter().map(|nodes| crate::structure::line_text::line_text(&page, nodes)).collect()
    }

    #[test]
    fn pieces_are_joined() {
        for (body, want) in [
            ("<p><span>$9</span><span>.68</span></p>", "$9.68"),
            ("<p><i>$</i><i>9</i><i>.68</i></p>", "$9.68"),
            ("<p><span>11</span><span>,99</span> <span>€</span></p>", "11,99 €"),
            ("<p><span>$</span>25,850<span>00</span></p>", "$25,850 00"),
            ("<p>$9<sup>68</sup></p>", "$9 68"),
            ("<p><b>CHF</b> <b>12.50</b></p>", "CHF 12.50"),
            ("<p><span>1 234</span> <span>Kč</span></p>", "1 234 Kč"),
        ] {
            assert_eq!(amounts(body), [want], "{body}");
        }
    }

    #[test]
    fn other_siblings_are_left_alone() {
        for body in [
            "<p><span>9</span><span>68</span></p>",
            "<p><span>$9</span> <span>68</span></p>",
            "<p><span>3</span><span>reviews</span></p>",
            "<p><span>$9.68</span><span>$8.68</span></p>",
            "<p><span>.68</span><span>$9</span></p>",
            "<p><span>USD</span><span>EUR</span></p>",
        ] {
            assert!(amounts(body).is_empty(), "{body}: {:?}", amounts(body));
        }
    }
}
