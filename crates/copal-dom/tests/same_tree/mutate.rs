//! Pages of the test data with mistakes in them: pieces that are missing, twice there, or somewhere else.

use crate::generate::PIECES;
use proptest::prelude::*;
use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

/// Bytes of a page that are used: longer ones take longer and find no more.
const WINDOW_BYTES: usize = 4000;

/// All pages below `testdata`, and the inputs of html5lib's tests.
static PAGES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let read = |path| std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let pages = super::html_files(&testdata).into_iter().map(|path| read(path).expect("a page"));
    let tests =
        std::fs::read_dir(testdata.join("html5lib/tree-construction")).expect("the folder of the tests");
    let tests = tests.map(|entry| read(entry.expect("an entry").path()).expect("a test file"));
    pages.chain(tests).collect()
});

/// One mistake. Positions are relative, from 0 to 1.
#[derive(Debug, Clone)]
enum Mistake {
    Delete(f64, f64),
    Repeat(f64, f64),
    Move(f64, f64, f64),
    Insert(f64, String),
}

fn char_boundary(text: &str, position: f64) -> usize {
    text.floor_char_boundary((text.len() as f64 * position) as usize)
}

/// A range of up to a fifth of the text.
fn range(text: &str, start: f64, length: f64) -> Range<usize> {
    char_boundary(text, start)..char_boundary(text, (start + length / 5.0).min(1.0))
}

fn apply(text: &mut String, mistake: &Mistake) {
    match mistake {
        Mistake::Delete(start, length) => text.replace_range(range(text, *start, *length), ""),
        Mistake::Repeat(start, length) => {
            let range = range(text, *start, *length);
            let piece = text[range.clone()].to_owned();
            text.insert_str(range.end, &piece);
        }
        Mistake::Move(start, length, to) => {
            let piece: String = text.drain(range(text, *start, *length)).collect();
            text.insert_str(char_boundary(text, *to), &piece);
        }
        Mistake::Insert(at, piece) => text.insert_str(char_boundary(text, *at), piece),
    }
}

/// A part of a page with one to ten mistakes.
pub(crate) fn page_with_mistakes() -> impl Strategy<Value = String> {
    let at = || 0.0..1.0_f64;
    let inserted = prop_oneof![
        prop::sample::select(&PIECES[..PIECES.len() - 1]).prop_map(str::to_owned),
        prop::sample::select(
            &["</p>", "<table>", "</table>", "<td>", "<b>", "</b>", "<a href=x>", "</a>", "<div>"][..]
        )
        .prop_map(str::to_owned),
        prop::sample::select(
            &["</div>", "<svg>", "</svg>", "<select>", "<form>", "<template>", "</body>", "<li>"][..]
        )
        .prop_map(str::to_owned),
    ];
    let mistake = prop_oneof![
        (at(), at()).prop_map(|(start, length)| Mistake::Delete(start, length)),
        (at(), at()).prop_map(|(start, length)| Mistake::Repeat(start, length)),
        (at(), at(), at()).prop_map(|(start, length, to)| Mistake::Move(start, length, to)),
        (at(), inserted).prop_map(|(at, piece)| Mistake::Insert(at, piece)),
    ];
    (0..PAGES.len(), at(), prop::collection::vec(mistake, 1..10)).prop_map(|(page, start, mistakes)| {
        let page = &PAGES[page];
        let start = char_boundary(page, start);
        let end = page.floor_char_boundary(page.len().min(start + WINDOW_BYTES));
        let mut text = page[start..end].to_owned();
        for mistake in &mistakes {
            apply(&mut text, mistake);
        }
        text
    })
}
