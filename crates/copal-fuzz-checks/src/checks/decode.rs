//! Bytes to text: any bytes, with and without a charset from a header, with and without a cap.

use copal_dom::decode::decode;

const CHARSETS: [&str; 8] = [
    "utf-8",
    "windows-1252",
    "gbk",
    "shift_jis",
    "iso-2022-jp",
    "utf-16le",
    "windows-874",
    "no such charset",
];

pub(crate) fn check(data: &[u8]) {
    // the last byte says what the header said and how much may be read
    let choice = data.last().copied().unwrap_or_default();
    let charset = CHARSETS[usize::from(choice % 8)];
    for (charset, cap) in [(None, 10_000_000), (Some(charset), 10_000_000), (None, usize::from(choice) * 8)] {
        let first = decode(data, charset, cap);
        assert_eq!(
            format!("{first:?}"),
            format!("{:?}", decode(data, charset, cap)),
            "decoding is not deterministic"
        );
        if let Ok(page) = first {
            // a malformed byte becomes U+FFFD, three bytes; no encoding gives more for one
            assert!(page.text.len() <= 3 * data.len() + 3, "{} bytes became {}", data.len(), page.text.len());
        }
    }
}
