//! The forms of postal codes, matched without regular expressions: compiling those would be most of the time
//! of a short run.
//!
//! In: a text. Out: for each form, from left to right and without overlap, the places of its two parts. A form
//! is a row of pieces: characters of one class with the least and the greatest number of them. Pieces take as
//! many characters as they can and give them back if the rest does not match. O(length): a form has at most
//! seven pieces of at most six characters.

use super::{
    ReadForm, british, canadian, dashed, dutch, irish, japanese, labelled, polish, portuguese, prefixed,
    state,
};
use std::ops::Range;

/// Where a form was found: where it begins, and its two parts. It ends with the second.
pub(super) struct FormSpans {
    pub(super) start: usize,
    pub(super) first: Range<usize>,
    pub(super) second: Range<usize>,
}

/// At least `min` and at most `max` characters of a class.
struct Piece {
    class: fn(char) -> bool,
    min: usize,
    max: usize,
}

/// Pieces in a row: the first part has the first `first` of them, the second part begins with the piece
/// `second` and has the rest.
struct PostcodeForm {
    pieces: &'static [Piece],
    first: usize,
    second: usize,
    read: ReadForm,
}

const fn piece(class: fn(char) -> bool, min: usize, max: usize) -> Piece {
    Piece { class, min, max }
}

const SPACE: Piece = piece(is_space, 1, 1);
const MAYBE_SPACE: Piece = piece(is_space, 0, 1);
const DASH: Piece = piece(is_hyphen, 1, 1);
const COUNTRY: Piece = piece(is_upper, 1, 3);

/// Forms that begin with a capital letter or a digit, where no word goes on.
static WORD_FORMS: [PostcodeForm; 12] = [
    PostcodeForm {
        pieces: &[
            piece(is_upper, 1, 2),
            piece(is_digit, 1, 1),
            piece(is_upper_or_digit, 0, 1),
            MAYBE_SPACE,
            piece(is_digit, 1, 1),
            piece(is_inward, 2, 2),
        ],
        first: 3,
        second: 4,
        read: british,
    },
    PostcodeForm {
        pieces: &[
            piece(is_canadian_first, 1, 1),
            piece(is_digit, 1, 1),
            piece(is_canadian, 1, 1),
            piece(is_space_or_hyphen, 0, 1),
            piece(is_digit, 1, 1),
            piece(is_canadian, 1, 1),
            piece(is_digit, 1, 1),
        ],
        first: 3,
        second: 4,
        read: canadian,
    },
    PostcodeForm {
        pieces: &[piece(is_irish, 1, 1), piece(is_digit, 2, 2), SPACE, piece(is_irish_or_digit, 4, 4)],
        first: 2,
        second: 3,
        read: irish,
    },
    // D6W is the one routing key with a letter at its end
    PostcodeForm {
        pieces: &[
            piece(|c| c == 'D', 1, 1),
            piece(|c| c == '6', 1, 1),
            piece(|c| c == 'W', 1, 1),
            SPACE,
            piece(is_irish_or_digit, 4, 4),
        ],
        first: 3,
        second: 4,
        read: irish,
    },
    PostcodeForm {
        pieces: &[piece(is_upper, 2, 3), SPACE, piece(is_digit, 5, 5), DASH, piece(is_digit, 4, 4)],
        first: 1,
        second: 2,
        read: state,
    },
    PostcodeForm {
        pieces: &[piece(is_upper, 2, 3), SPACE, piece(is_digit, 4, 5)],
        first: 1,
        second: 2,
        read: state,
    },
    PostcodeForm {
        pieces: &[piece(is_digit, 5, 5), DASH, piece(is_digit, 3, 4)],
        first: 0,
        second: 0,
        read: dashed,
    },
    PostcodeForm {
        pieces: &[piece(is_leading_digit, 1, 1), piece(is_digit, 3, 3), MAYBE_SPACE, piece(is_upper, 2, 2)],
        first: 2,
        second: 3,
        read: dutch,
    },
    PostcodeForm {
        pieces: &[COUNTRY, piece(is_dash, 1, 1), piece(is_digit, 3, 3), SPACE, piece(is_digit, 2, 2)],
        first: 1,
        second: 2,
        read: prefixed,
    },
    PostcodeForm {
        pieces: &[COUNTRY, piece(is_dash, 1, 1), piece(is_digit, 4, 6)],
        first: 1,
        second: 2,
        read: prefixed,
    },
    PostcodeForm {
        pieces: &[piece(is_leading_digit, 1, 1), piece(is_digit, 3, 3), DASH, piece(is_digit, 3, 3)],
        first: 0,
        second: 0,
        read: portuguese,
    },
    PostcodeForm {
        pieces: &[piece(is_digit, 2, 2), DASH, piece(is_digit, 3, 3)],
        first: 0,
        second: 0,
        read: polish,
    },
];

/// `PL-` is the only prefix before a code with a dash.
static POLISH_WITH_PREFIX: PostcodeForm = PostcodeForm {
    pieces: &[
        piece(|c| c == 'P', 1, 1),
        piece(|c| c == 'L', 1, 1),
        DASH,
        piece(is_digit, 2, 2),
        DASH,
        piece(is_digit, 3, 3),
    ],
    first: 3,
    second: 3,
    read: polish,
};

static JAPANESE: PostcodeForm = PostcodeForm {
    pieces: &[
        piece(|c| c == '〒', 1, 1),
        MAYBE_SPACE,
        piece(is_digit, 3, 3),
        piece(|c| matches!(c, '-' | '－'), 0, 1),
        piece(is_digit, 4, 4),
    ],
    first: 0,
    second: 2,
    read: japanese,
};

/// Words before a code, in lower case.
const LABELS: [&str; 15] = [
    "zip",
    "zip code",
    "plz",
    "postleitzahl",
    "postcode",
    "postal code",
    "post code",
    "code postal",
    "código postal",
    "cep",
    "cap",
    "postnummer",
    "индекс",
    "邮编",
    "우편번호",
];

/// What follows a label.
static LABELLED: PostcodeForm = PostcodeForm {
    pieces: &[MAYBE_SPACE, piece(|c| matches!(c, ':' | '.'), 0, 1), MAYBE_SPACE, piece(is_digit, 4, 6)],
    first: 0,
    second: 3,
    read: labelled,
};

/// Calls `visit` with every match of every form, in the order of the forms.
pub(super) fn each_form_match(text: &str, mut visit: impl FnMut(FormSpans, ReadForm)) {
    let starts = code_starts(text);
    for form in WORD_FORMS.iter().chain([&POLISH_WITH_PREFIX]) {
        let mut from = 0;
        for &start in &starts {
            if start < from {
                continue;
            }
            if let Some(found) = match_form(form, text, start) {
                from = found.second.end;
                visit(found, form.read);
            }
        }
    }
    for (start, _) in text.match_indices('〒') {
        if let Some(found) = match_form(&JAPANESE, text, start) {
            visit(found, JAPANESE.read);
        }
    }
    each_labelled(text, visit);
}

/// A British code with any whitespace between its parts.
static BRITISH_IN_FULL: [Piece; 6] = [
    piece(is_upper, 1, 2),
    piece(is_digit, 1, 1),
    piece(is_upper_or_digit, 0, 1),
    piece(char::is_whitespace, 0, 1),
    piece(is_digit, 1, 1),
    piece(is_inward, 2, 2),
];

/// The outward code and, if the text has one, the inward code of a British code that is the whole text.
pub(super) fn split_british_code(text: &str) -> Option<(&str, Option<&str>)> {
    let mut ends = [0; MAX_PIECES];
    if match_pieces(&BRITISH_IN_FULL, text, 0, &mut ends) && ends[5] == text.len() {
        return Some((&text[..ends[2]], Some(&text[ends[3]..])));
    }
    let is_outward_form = match_pieces(&BRITISH_IN_FULL[..3], text, 0, &mut ends) && ends[2] == text.len();
    is_outward_form.then_some((text, None))
}

/// Where a code may begin: at a digit or a capital letter that is not inside a word of ASCII characters.
/// Words such as "The" are left out, which are most of those that begin with a capital.
fn code_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let begins = |at: usize| match bytes.get(at + 1) {
        _ if bytes[at].is_ascii_digit() => true,
        _ if !bytes[at].is_ascii_uppercase() => false,
        // a code has at least three characters
        None => false,
        Some(next) => !next.is_ascii_lowercase(),
    };
    (0..bytes.len()).filter(|&at| begins(at) && (at == 0 || !is_word_byte(bytes[at - 1]))).collect()
}

fn each_labelled(text: &str, mut visit: impl FnMut(FormSpans, ReadForm)) {
    let mut from = 0;
    for (start, c) in text.char_indices() {
        if start < from || !may_begin_label(c) || text[..start].bytes().last().is_some_and(is_word_byte) {
            continue;
        }
        let found = LABELS.iter().find_map(|label| {
            let end = start + label_length(&text[start..], label)?;
            match_form(&LABELLED, text, end).map(|found| FormSpans {
                start,
                first: start..end,
                second: found.second,
            })
        });
        if let Some(found) = found {
            from = found.second.end;
            visit(found, LABELLED.read);
        }
    }
}

fn may_begin_label(c: char) -> bool {
    matches!(c, 'z' | 'Z' | 'p' | 'P' | 'c' | 'C' | 'и' | 'И' | '邮' | '우')
}

/// The length of a label at the beginning of a text in any letter case.
fn label_length(text: &str, label: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    for expected in label.chars() {
        let (_, c) = chars.next()?;
        if c != expected && !c.to_lowercase().eq([expected]) {
            return None;
        }
    }
    Some(chars.offset())
}

fn match_form(form: &PostcodeForm, text: &str, start: usize) -> Option<FormSpans> {
    let mut ends = [start; MAX_PIECES];
    if !match_pieces(form.pieces, text, start, &mut ends) {
        return None;
    }
    let after = |count: usize| if count == 0 { start } else { ends[count - 1] };
    Some(FormSpans {
        start,
        first: start..after(form.first),
        second: after(form.second)..after(form.pieces.len()),
    })
}

/// Most pieces of a form, and most characters of a piece.
const MAX_PIECES: usize = 7;
const MAX_PIECE_CHARS: usize = 6;

/// Matches pieces in a row and writes where each ends. No word may go on after the last. Calls itself once per
/// piece.
fn match_pieces(pieces: &[Piece], text: &str, at: usize, ends: &mut [usize]) -> bool {
    let (Some((piece, rest)), Some((end, rest_ends))) = (pieces.split_first(), ends.split_first_mut()) else {
        return pieces.is_empty() && !text.as_bytes().get(at).copied().is_some_and(is_word_byte);
    };
    let mut reached = [at; MAX_PIECE_CHARS + 1];
    let mut count = 0;
    for c in text[at..].chars().take(piece.max.min(MAX_PIECE_CHARS)).take_while(|&c| (piece.class)(c)) {
        reached[count + 1] = reached[count] + c.len_utf8();
        count += 1;
    }
    (piece.min..=count).rev().any(|taken| {
        *end = reached[taken];
        match_pieces(rest, text, reached[taken], rest_ends)
    })
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_upper(c: char) -> bool {
    c.is_ascii_uppercase()
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn is_leading_digit(c: char) -> bool {
    matches!(c, '1'..='9')
}

fn is_upper_or_digit(c: char) -> bool {
    is_upper(c) || is_digit(c)
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}')
}

fn is_hyphen(c: char) -> bool {
    c == '-'
}

fn is_space_or_hyphen(c: char) -> bool {
    is_space(c) || is_hyphen(c)
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '–')
}

/// Letters of the second half of a British code.
fn is_inward(c: char) -> bool {
    matches!(c, 'A' | 'B' | 'D'..='H' | 'J' | 'L' | 'N' | 'P'..='U' | 'W'..='Z')
}

/// First letters of Canadian codes.
fn is_canadian_first(c: char) -> bool {
    matches!(c, 'A'..='C' | 'E' | 'G' | 'H' | 'J'..='N' | 'P' | 'R'..='T' | 'V' | 'X' | 'Y')
}

/// Other letters of Canadian codes.
fn is_canadian(c: char) -> bool {
    matches!(c, 'A'..='C' | 'E' | 'G' | 'H' | 'J'..='N' | 'P' | 'R'..='T' | 'V'..='Z')
}

/// Letters of Irish codes.
fn is_irish(c: char) -> bool {
    matches!(c, 'A' | 'C'..='F' | 'H' | 'K' | 'N' | 'P' | 'R' | 'T' | 'V'..='Y')
}

fn is_irish_or_digit(c: char) -> bool {
    is_irish(c) || is_digit(c)
}
