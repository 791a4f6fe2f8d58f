//! The picture of a page in the report: lists, records and cells outlined, numbered as in the tables.
//!
//! In: a PNG and marks. Out: a `<figure>` with an SVG that has the picture as a `data:` URL. Numbers come from the
//! browser and are checked; the picture is left out if it is not a PNG or too large. Linear in both.

use super::context::{PageContext, colour, region_title};
use super::download::push_base64;
use super::escape::Truncated;
use copal_model::{Answer, PictureMark};
use std::fmt::Write;

/// Bytes of a picture that is shown.
const MAX_PNG_BYTES: usize = 8_000_000;
/// Pixels of each side of a picture that is shown.
const MAX_PIXELS: u32 = 20_000;
/// Lists whose cells are outlined too. More would hide the page.
const MAX_LISTS_WITH_CELLS: usize = 1;

/// Stroke colours of lists, as in the style sheet.
const STROKES: [&str; 8] =
    ["#b06a00", "#146ea0", "#3c7d32", "#963c96", "#be3c3c", "#007d7d", "#5a50be", "#736928"];

/// True if the answer has a picture that is shown.
pub(super) fn is_shown(extraction: &Answer) -> bool {
    shown_size(extraction).is_some()
}

/// The size of the picture, if it is shown.
fn shown_size(extraction: &Answer) -> Option<(u32, u32)> {
    let png = extraction.picture.as_ref()?.png.as_ref()?;
    let is_png = png.starts_with(b"\x89PNG\r\n\x1a\n") && png.get(12..16) == Some(b"IHDR");
    let number = |at: usize| png.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    let (width, height) = (number(16)?, number(20)?);
    let fits = |pixels| (1..=MAX_PIXELS).contains(&pixels);
    (is_png && png.len() <= MAX_PNG_BYTES && fits(width) && fits(height)).then_some((width, height))
}

/// Appends the picture.
pub(super) fn push(out: &mut String, context: &PageContext, extraction: &Answer) {
    let Some((width, height)) = shown_size(extraction) else { return };
    let Some(picture) = &extraction.picture else { return };
    let Some(png) = &picture.png else { return };
    let h = context.heading(1);
    let id = context.id("picture");
    let _ = write!(
        out,
        "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h{h} id=\"{id}-title\">Picture</h{h}>\n<figure>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"100%\" role=\"img\" \
         aria-label=\"The page as the browser shows it\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <image width=\"{width}\" height=\"{height}\" href=\"data:image/png;base64,"
    );
    push_base64(out, png);
    out.push_str("\"/>\n");
    for mark in &picture.marks {
        push_mark(out, extraction, mark);
    }
    out.push_str("</svg>\n<figcaption>");
    for (place, region) in extraction.regions.iter().enumerate() {
        let _ = write!(
            out,
            "<span class=\"r{}\"><i class=\"swatch\"></i>{}</span> ",
            colour(place),
            region_title(place, region)
        );
    }
    out.push_str("Records and columns have the numbers of the table.</figcaption>\n</figure>\n</section>\n");
}

/// One outline with its number.
fn push_mark(out: &mut String, extraction: &Answer, mark: &PictureMark) {
    let stroke = STROKES[colour(mark.region) % STROKES.len()];
    let (rect, region) = (mark.rect, mark.region + 1);
    let (line, label) = match (mark.record, mark.column) {
        (_, Some(_)) if mark.region >= MAX_LISTS_WITH_CELLS => return,
        (_, Some(column)) => {
            let columns = extraction.regions.get(mark.region).map(|region| &region.columns);
            let Some(name) =
                columns.and_then(|columns| columns.get(column)).map(|column| column.name.as_str())
            else {
                return;
            };
            let _ = writeln!(
                out,
                "<rect x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{:.0}\" fill=\"none\" stroke=\"{stroke}\" \
                 stroke-dasharray=\"3 2\"><title>column {}: {}</title></rect>",
                rect.x,
                rect.y,
                rect.width,
                rect.height,
                column + 1,
                Truncated(name, 60)
            );
            // the first record names the columns
            if mark.record != Some(0) {
                return;
            }
            let _ = writeln!(
                out,
                "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\" fill=\"{stroke}\" font-size=\"11\">{}</text>",
                rect.x + rect.width,
                rect.y + rect.height,
                column + 1
            );
            return;
        }
        (Some(record), None) => (2, format!("{}", record + 1)),
        (None, None) => (4, format!("list {region}")),
    };
    // records are numbered in their upper right corner, where there is least text
    let (anchor, x, y) = match mark.record {
        Some(_) => ("end", rect.x + rect.width - 4.0, rect.y + 14.0),
        None => ("start", rect.x + 3.0, rect.y - 4.0),
    };
    let _ = writeln!(
        out,
        "<rect x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{:.0}\" fill=\"none\" stroke=\"{stroke}\" \
         stroke-width=\"{line}\"/>\n<text x=\"{x:.0}\" y=\"{y:.0}\" text-anchor=\"{anchor}\" fill=\"{stroke}\" \
         font-weight=\"bold\" stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">{label}</text>",
        rect.x, rect.y, rect.width, rect.height,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::html::Html;
    use copal_dom::Rect;
    use copal_extract::Request;
    use copal_model::Picture;

    /// The beginning of a PNG of this size.
    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes
    }

    fn report(png: Vec<u8>) -> String {
        let rect = Rect { x: 10.4, y: 20.0, width: 300.0, height: 50.0 };
        let mark = |record, column| PictureMark { region: 0, record, column, rect };
        let items: String =
            (1..9).map(|n| format!("<li><a href=/{n}>Blue lamp {n}</a> <i>£{n}2</i></li>")).collect();
        let mut answer = copal_extract::extract_html(&format!("<ul>{items}</ul>"), &Request::default());
        answer.regions[0].columns[0].name = "<b>price".to_owned();
        let marks =
            vec![mark(None, None), mark(Some(0), None), mark(Some(0), Some(0)), mark(Some(7), Some(99))];
        answer.picture = Some(Picture { png: Some(png.into()), marks });
        let (mut html, mut out) = (Html::new(false, false), Vec::new());
        html.page(&mut out, "page", &answer).unwrap();
        html.finish(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_picture_is_outlined_and_allowed() {
        let html = report(png(1280, 2000));
        assert!(
            html.contains("viewBox=\"0 0 1280 2000\"") && html.contains("data:image/png;base64,iVBORw0KGgo")
        );
        assert!(html.contains("default-src 'none'; img-src data:; style-src"));
        assert!(html.contains(">list 1</text>") && html.contains(">1</text>"));
        assert!(html.contains("column 1: &lt;b&gt;price"), "{html}");
        assert_eq!(html.matches("<rect ").count(), 3);
    }

    #[test]
    fn what_is_not_a_picture_is_left_out() {
        for png in
            [Vec::new(), b"<svg onload=x>".to_vec(), png(0, 10), png(10, 1_000_000), png(5, 5)[..20].to_vec()]
        {
            let html = report(png);
            assert!(!html.contains("<svg") && !html.contains("img-src"));
        }
        let mut large = png(1280, 2000);
        large.resize(MAX_PNG_BYTES + 1, 0);
        assert!(!report(large).contains("<svg"));
    }
}
