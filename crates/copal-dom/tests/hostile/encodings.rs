//! Bytes that are cut off or are hardly text.

use crate::support::{hits, limits, read, read_bytes};
use copal_dom::{DecodeError, Page, PageSource};

#[test]
fn empty_and_tiny_inputs_do_not_panic() {
    assert_eq!(hits(&read("nothing", "", &limits())), []);
    for bytes in [&b""[..], b" \n\t ", b"\r\n"] {
        let error = Page::from_bytes(bytes, PageSource::default(), &limits()).expect_err("not a page");
        assert_eq!(error, DecodeError::Empty);
    }
    for bytes in [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff", b"<", b"&", b"\xc3", b"\0<p>"] {
        assert_eq!(hits(&read_bytes(bytes, &limits())), [], "{bytes:?}");
    }
}

/// Encodings, each with a text that it can represent.
const TEXT_BY_ENCODING: &[(&str, &str)] = &[
    ("utf-8", "это обычный текст 日本語"),
    ("shift_jis", "これは普通の日本語の文章です。商品の一覧と価格"),
    ("euc-jp", "これは普通の日本語の文章です。商品の一覧と価格"),
    ("iso-2022-jp", "これは普通の日本語の文章です。商品の一覧と価格"),
    ("gbk", "这是一个普通的中文网页，内容是商品列表和价格"),
    ("gb18030", "这是一个普通的中文网页，内容是商品列表和价格"),
    ("big5", "這是一個普通的中文網頁，內容是商品列表和價格"),
    ("euc-kr", "이것은 평범한 한국어 문장입니다 상품 목록과 가격"),
    ("windows-1251", "это обычный русский текст о товарах и ценах"),
    ("koi8-r", "это обычный русский текст о товарах и ценах"),
    ("windows-1252", "naïve café déjà vu à côté"),
];

/// A limit or a broken connection cuts pages anywhere. The characters before the cut must survive.
#[test]
fn a_page_cut_inside_a_character_keeps_its_encoding() {
    for (label, words) in TEXT_BY_ENCODING {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a known label");
        for declared in [true, false] {
            let meta = if declared { format!("<meta charset={label}>") } else { String::new() };
            let text = format!("{meta}<p>{}", format!("{words} ").repeat(4));
            let (bytes, _, unmappable) = encoding.encode(&text);
            assert!(!unmappable, "{label}");
            for cut in 0..12 {
                let page = read_bytes(&bytes[..bytes.len() - cut], &limits());
                let got = page.tree.raw_text(0).trim_end_matches('\u{fffd}').trim_end();
                let same = got.chars().zip(words.chars()).take_while(|(a, b)| a == b).count();
                // a cut character may decode as another, shorter one
                let whole = format!("{words} ").repeat(4).starts_with(got)
                    || format!("{words} ")
                        .repeat(4)
                        .starts_with(got.trim_end_matches(|c: char| !words.contains(c)));
                assert!(
                    same == words.chars().count() && whole,
                    "{label} (declared: {declared}), {cut} bytes cut: read as {}, {got}",
                    page.encoding
                );
            }
        }
    }
}

#[test]
fn utf_16_is_read_if_it_has_a_byte_order_mark() {
    let text = format!("<p>{}", "日本語 text 😀 ".repeat(1000));
    for (mark, bytes) in [
        (*b"\xff\xfe", text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        (*b"\xfe\xff", text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
    ] {
        let bytes = [&mark[..], &bytes].concat();
        let page = read_bytes(&bytes, &limits());
        assert!(page.encoding.starts_with("UTF-16"));
        assert_eq!(page.tree.raw_text(0), &text[3..]);
        // cut inside a unit, and inside a surrogate pair
        for cut in [1, 3, 4, 5] {
            let page = read_bytes(&bytes[..bytes.len() - cut], &limits());
            let got = page.tree.raw_text(0).trim_end_matches('\u{fffd}');
            assert!(text[3..].starts_with(got) && got.len() + 8 > text.len() - 3, "{cut} bytes cut");
        }
    }
    // lone surrogates
    let page = read_bytes(b"\xff\xfe<\0p\0>\0\x00\xd8x\0\x00\xdcy\0", &limits());
    assert_eq!(page.tree.raw_text(0), "\u{fffd}x\u{fffd}y");
}
