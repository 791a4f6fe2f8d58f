//! Images of a page that a person looks at: fetched with the same checks as pages, and handed on only if they are images.
//!
//! In: URLs. Out: one `data:` URL per image, which a frame can show that may load nothing. What an image is says its
//! content, never its sender; vector graphics are documents that can contain anything, and are left out.

use super::page_source::{MAX_FETCHED_IMAGE_BYTES, PageSourceReader};
use super::runner::{TaskAnswer, json_answer};
use crate::task::TaskOutcome;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Bytes of the images of one task.
const MAX_TOTAL_BYTES: usize = 8_000_000;
/// How long the images of one task may take.
const MAX_TIME: Duration = Duration::from_secs(15);

/// Fetches images, as many as the limits allow. Each has either `data` or what went wrong.
pub(super) fn images(source: &PageSourceReader, urls: &[String]) -> TaskAnswer {
    let end = Instant::now() + MAX_TIME;
    let mut total = 0;
    let mut found: Vec<Value> = Vec::with_capacity(urls.len());
    for url in urls {
        let left = end.saturating_duration_since(Instant::now());
        let image = if left.is_zero() || total > MAX_TOTAL_BYTES {
            Err("the images take too long, or are too large together".to_owned())
        } else {
            source.image(url, left).map_err(|failure| failure.message)
        };
        found.push(match image.and_then(|bytes| data_url(&bytes).map(|data| (bytes.len(), data))) {
            Ok((bytes, data)) => {
                total += bytes;
                json!({ "url": url, "data": data })
            }
            Err(problem) => json!({ "url": url, "problem": problem }),
        });
    }
    json_answer(TaskOutcome::Done, 0, &json!({ "images": found }))
}

/// A `data:` URL, if the bytes are an image that browsers draw as pixels.
fn data_url(bytes: &[u8]) -> Result<String, String> {
    if bytes.len() > MAX_FETCHED_IMAGE_BYTES {
        return Err(format!("the image has more than {MAX_FETCHED_IMAGE_BYTES} bytes"));
    }
    let kind = image_kind(bytes).ok_or("this is not a PNG, JPEG, GIF or WebP image")?;
    Ok(format!("data:image/{kind};base64,{}", STANDARD.encode(bytes)))
}

/// The kind of an image by the first bytes of its file.
fn image_kind(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("png"),
        [0xff, 0xd8, 0xff, ..] => Some("jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pixels_pass() {
        assert_eq!(data_url(b"GIF89a...").unwrap(), "data:image/gif;base64,R0lGODlhLi4u");
        assert!(data_url(b"\x89PNG\r\n\x1a\n").unwrap().starts_with("data:image/png;"));
        assert!(data_url(b"RIFF\0\0\0\0WEBPVP8 ").unwrap().starts_with("data:image/webp;"));
        for other in [
            &b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"[..],
            b"<html><script>alert(1)</script>",
            b"",
            b"GIF",
            b"RIFF\0\0\0\0WAVE",
            b"%PDF-1.7",
            b"\xff\xd8",
        ] {
            assert!(data_url(other).is_err(), "{other:?}");
        }
        assert!(data_url(&[b"GIF89a", vec![0; MAX_FETCHED_IMAGE_BYTES].as_slice()].concat()).is_err());
    }
}
