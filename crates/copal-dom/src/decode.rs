//! Bytes to text, as browsers do it but a little more forgiving.
//!
//! In: the bytes of a page and the charset of its HTTP header, if there was one. Out: text, the encoding that
//! was used, and warnings. O(bytes).
//!
//! The first of these decides: byte-order mark, HTTP charset, `<meta charset>`, detection (chardetng). Labels
//! are often wrong, so one that does not fit the bytes is overruled: valid UTF-8 with several multi-byte
//! characters is UTF-8 whatever the label says, and if the bytes are malformed in their declared encoding,
//! detection decides instead.

use crate::limits::{Limit, Warning};
use crate::mhtml::{self, SavedStylesheet};
use crate::warc::is_warc;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// A decoded page.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Decoded {
    /// The page's text.
    pub text: String,
    /// Name of the encoding of the bytes.
    pub encoding: &'static str,
    /// The URL that a saved page (MHTML) says it came from.
    pub url: Option<String>,
    /// Stylesheets saved with the page (MHTML).
    pub stylesheets: Vec<SavedStylesheet>,
    /// Problems that did not keep the page from being read.
    pub warnings: Vec<Warning>,
}

/// Why bytes are not a page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// There are no bytes, or only white space.
    #[error("input is empty: expected an HTML page")]
    Empty,
    /// The bytes are another type of file, or not text.
    #[error("input is {0}, not a web page: expected HTML or MHTML text")]
    Binary(&'static str),
    /// The bytes are an archive of many pages.
    #[error(
        "input is a WARC archive, which only copal extract reads, as a file whose name ends with .warc or .warc.gz, \
         or from standard input"
    )]
    WebArchive,
    /// The bytes are an MHTML archive without an HTML part.
    #[error("input is an MHTML archive without an HTML part")]
    NoHtmlPart,
}

/// The first bytes of files that are often given by mistake.
const BINARY_SIGNATURES: &[(&[u8], &str)] = &[
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF media file"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"\x7fELF", "an executable"),
    (b"SQLite format 3", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
];

/// Bytes searched for `<meta charset>`. Browsers search 1024, but real pages have it later too.
const PRESCAN_BYTES: usize = 8192;
/// With at least this many multi-byte characters, bytes that are valid UTF-8 are not so by accident.
const MIN_MULTIBYTE_CHARS: usize = 3;

/// Decodes the first `max_bytes` bytes of a page. If there are more, a warning says so.
pub fn decode(bytes: &[u8], http_charset: Option<&str>, max_bytes: usize) -> Result<Decoded, DecodeError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(DecodeError::Empty);
    }
    let mut warnings = Vec::new();
    let bytes = if bytes.len() > max_bytes {
        warnings.push(Warning::Limit(Limit::Bytes));
        &bytes[..max_bytes]
    } else {
        bytes
    };
    if is_warc(bytes) {
        return Err(DecodeError::WebArchive);
    }
    if let Some((_, what)) = BINARY_SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature)) {
        return Err(DecodeError::Binary(what));
    }
    if mhtml::is_mhtml(bytes) {
        let archive = mhtml::read(bytes).ok_or(DecodeError::NoHtmlPart)?;
        let (text, encoding) = to_text(&archive.html, archive.charset.as_deref(), &mut warnings);
        return Ok(Decoded {
            text,
            encoding: encoding.name(),
            url: archive.url,
            stylesheets: archive.stylesheets,
            warnings,
        });
    }
    if looks_binary(bytes) {
        return Err(DecodeError::Binary("binary data"));
    }
    let (text, encoding) = to_text(bytes, http_charset, &mut warnings);
    Ok(Decoded { text, encoding: encoding.name(), url: None, stylesheets: Vec::new(), warnings })
}

fn to_text(bytes: &[u8], http: Option<&str>, warnings: &mut Vec<Warning>) -> (String, &'static Encoding) {
    if let Some((encoding, skip)) = Encoding::for_bom(bytes) {
        return (encoding.decode_without_bom_handling(&bytes[skip..]).0.into_owned(), encoding);
    }
    let label = http.map(str::to_owned).or_else(|| meta_charset(bytes));
    let declared = label.as_deref().and_then(|label| Encoding::for_label(label.trim().as_bytes()));
    // a page that declares UTF-16 in ASCII letters is not UTF-16
    let declared = declared.map(|e| if e == UTF_16LE || e == UTF_16BE { UTF_8 } else { e });

    let multibyte = valid_utf8_multibyte(bytes);
    let chosen = match (declared, multibyte) {
        (_, Some(n)) if n >= MIN_MULTIBYTE_CHARS => UTF_8,
        (Some(encoding), _) => encoding,
        // ISO-2022-JP consists of ASCII bytes too, but some are escapes
        (None, Some(_)) if !bytes.contains(&0x1b) => UTF_8,
        (None, _) => detect(bytes),
    };
    let (text, _, malformed) = chosen.decode(bytes);
    let (text, used) = if malformed && !only_the_end_is_malformed(bytes, chosen) {
        let other = detect(bytes);
        let (again, _, also_malformed) = other.decode(bytes);
        let fewer = replacement_count(&again) < replacement_count(&text);
        if other != chosen && (!also_malformed || fewer) { (again, other) } else { (text, chosen) }
    } else {
        (text, chosen)
    };
    if let (Some(declared), Some(label)) = (declared, label)
        && declared != used
        && !(declared == WINDOWS_1252 && bytes.is_ascii())
    {
        warnings.push(Warning::Charset { declared: label.trim().to_owned(), used: used.name().to_owned() });
    }
    (text.into_owned(), used)
}

fn detect(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    // `false` tells the detector that more bytes may follow. Otherwise an incomplete character at the end,
    // where the page was cut, would count as evidence for another encoding.
    detector.feed(bytes, false);
    detector.guess(None, Utf8Detection::Allow)
}

/// The number of characters beyond ASCII (counted up to a bound) if the bytes are UTF-8. A cut character at
/// the end is forgiven.
fn valid_utf8_multibyte(bytes: &[u8]) -> Option<usize> {
    let valid = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    if valid.is_ascii() {
        return Some(0);
    }
    // most blocks are ASCII, which is seen at once
    let blocks = valid.as_bytes().chunks(64).filter(|block| !block.is_ascii());
    Some(blocks.flatten().filter(|b| **b >= 0xc0).take(MIN_MULTIBYTE_CHARS + 1).count())
}

/// True if the text is well-formed except for an incomplete character at its end. The byte limit may cut a
/// page inside a character.
fn only_the_end_is_malformed(bytes: &[u8], encoding: &'static Encoding) -> bool {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len()));
    // `false` tells the decoder that more bytes may follow, so it does not report the incomplete character.
    let (_, _, malformed) = decoder.decode_to_string(bytes, &mut text, false);
    !malformed
}

fn replacement_count(text: &str) -> usize {
    text.matches('\u{fffd}').count()
}

/// The charset of the first `<meta charset=…>` or `<meta … content="…charset=…">`, or of an XML declaration.
fn meta_charset(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(PRESCAN_BYTES)]).to_ascii_lowercase();
    if let Some(xml) = head.trim_start().strip_prefix("<?xml") {
        let declaration = &xml[..xml.find("?>")?];
        if let Some(at) = declaration.find("encoding") {
            return value_after(&declaration[at + 8..]);
        }
    }
    let mut rest = head.as_str();
    while let Some(at) = rest.find("<meta") {
        let tag_end = rest[at..].find('>').map_or(rest.len(), |end| at + end);
        if let Some(found) = rest[at..tag_end].find("charset")
            && let Some(label) = value_after(&rest[at + found + 7..tag_end])
        {
            return Some(label);
        }
        rest = &rest[tag_end..];
    }
    None
}

/// `= "label"`, `='label'` or `=label`.
fn value_after(text: &str) -> Option<String> {
    let text = text.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
    let label: String = text
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
        .collect();
    (!label.is_empty()).then_some(label)
}

/// True if more than 1 of 20 bytes at the start are control bytes that text does not contain, and nothing
/// there looks like a tag. Real pages have a few NUL bytes, which the parser drops.
fn looks_binary(bytes: &[u8]) -> bool {
    if Encoding::for_bom(bytes).is_some() {
        return false;
    }
    let head = &bytes[..bytes.len().min(PRESCAN_BYTES)];
    let odd = head.iter().filter(|&&b| b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b)).count();
    odd * 20 > head.len()
        && !head.windows(2).any(|w| w[0] == b'<' && (w[1].is_ascii_alphabetic() || w[1] == b'!'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], http: Option<&str>) -> Decoded {
        decode(bytes, http, 1 << 20).unwrap()
    }

    #[test]
    fn byte_order_mark_header_meta_and_detection_decide_in_this_order() {
        assert_eq!(read(b"\xef\xbb\xbf<p>\xc3\xa9", Some("latin1")).encoding, "UTF-8");
        assert_eq!(
            read(b"<meta charset=utf-8><p>\xe9", Some("iso-8859-1")).text,
            "<meta charset=utf-8><p>\u{e9}"
        );
        assert_eq!(read(b"<meta charset='koi8-r'><p>\xf0", None).encoding, "KOI8-R");
        let meta = b"<META http-equiv=Content-Type content='text/html; charset=Shift_JIS'>\x93\xfa\x96\x7b";
        assert_eq!(read(meta, None).text.chars().last(), Some('本'));
        let (bytes, _, _) =
            encoding_rs::WINDOWS_1251.encode("<p>Это обычный русский текст без объявления кодировки</p>");
        assert_eq!(read(&bytes, None).encoding, "windows-1251");
    }

    #[test]
    fn wrong_labels_are_overruled() {
        let page = "<meta charset=iso-8859-1><p>naïve café €uro</p>";
        let got = read(page.as_bytes(), None);
        assert_eq!(got.text, page);
        assert_eq!(got.warnings.len(), 1);
        let (bytes, _, _) =
            encoding_rs::GBK.encode("<meta charset=utf-8><p>这是一个声明错误的中文网页，内容是新闻列表</p>");
        let got = read(&bytes, None);
        assert!(got.text.contains("中文网页"), "{}", got.text);
        assert!(matches!(&got.warnings[0], Warning::Charset { declared, .. } if declared == "utf-8"));
        assert_eq!(read(b"<meta charset=utf-16le><p>x", None).encoding, "UTF-8");
    }

    #[test]
    fn a_cut_character_at_the_end_is_forgiven() {
        let got = read(b"<p>caf\xc3\xa9 \xe2\x82", None);
        assert_eq!(got.text, "<p>caf\u{e9} \u{fffd}");
    }

    #[test]
    fn other_types_of_files_are_named_in_the_error() {
        assert_eq!(decode(b" \n", None, 100).unwrap_err(), DecodeError::Empty);
        let error = decode(b"\x89PNG\r\n\x1a\n", None, 100).unwrap_err();
        assert_eq!(error.to_string(), "input is a PNG image, not a web page: expected HTML or MHTML text");
        assert_eq!(
            decode(&[0, 1, 2, 3, 4, 5, 250], None, 100).unwrap_err(),
            DecodeError::Binary("binary data")
        );
        assert!(decode(b"<p>NUL \0 inside", None, 100).is_ok());
    }

    #[test]
    fn saved_pages_are_read_with_their_stylesheets() {
        let page = "From: <Saved by Blink>\r\nSubject: t\r\nMIME-Version: 1.0\r\n\
            Content-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"--B\"\r\n\r\n\
            ----B\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\
            Content-Location: http://shop.example/list\r\n\r\n\
            <meta charset=3D\"utf-8\"><p>caf=C3=A9</p>\r\n\
            ----B\r\nContent-Type: text/css\r\nContent-Transfer-Encoding: quoted-printable\r\n\
            Content-Location: cid:css-1@mhtml.blink\r\n\r\n\
            p { color: red }\r\n----B--\r\n";
        let got = read(page.as_bytes(), None);
        assert!(got.text.contains("<p>café</p>"), "{}", got.text);
        assert_eq!(got.url.as_deref(), Some("http://shop.example/list"));
        assert!(got.stylesheets[0].text.contains("color: red"));
        assert_eq!(got.stylesheets[0].url, "cid:css-1@mhtml.blink");
        let none = "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=B\r\n\r\n\
            --B\r\nContent-Type: image/png\r\n\r\nx\r\n--B--\r\n";
        assert_eq!(decode(none.as_bytes(), None, 9999).unwrap_err(), DecodeError::NoHtmlPart);
    }
}
