//! The outline of a page as HTML: nested boxes, with what was found in colours; and a drawing to scale if a browser
//! showed the page.
//!
//! In: a [`PageOutline`]. Out: HTML without scripts, links or requests. All text of the page is escaped and cut; numbers
//! of the browser are checked, and a picture is shown only if it is a PNG of a sane size. Linear in the blocks.

use crate::html_text::escaped;
use crate::outline_marks::BlockKind;
use crate::page_outline::{OutlineBlock, PageOutline};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write as _;

/// Bytes of a picture that is shown.
const MAX_PNG_BYTES: usize = 8_000_000;
/// Pixels of each side of a drawing; more is cut off.
const MAX_PIXELS: f32 = 20_000.0;
/// Characters that are left out without saying how many.
const MIN_COUNTED_CHARACTERS: usize = 30;
/// What the colours mean, in the order of the legend.
const LEGEND: [(BlockKind, &str); 6] = [
    (BlockKind::Record, "record"),
    (BlockKind::Field, "field"),
    (BlockKind::NextLink, "next page"),
    (BlockKind::Counter, "announced number"),
    (BlockKind::SearchForm, "search form"),
    (BlockKind::OtherForm, "form that is never sent"),
];

/// The styles of outlines.
pub(crate) const OUTLINE_STYLE: &str = ".outline{border:1px solid var(--line);border-radius:.5rem;padding:.6rem;margin:.6rem 0;\
background:var(--panel)}.outline .b{border:1px solid var(--line);border-radius:.35rem;margin:.3rem 0;padding:.25rem .5rem;\
background:var(--paper)}.outline .b>b:first-child{font-size:.75rem;letter-spacing:.02em;color:var(--soft);font-weight:600}\
.outline .zone{border-style:dashed}.outline .heading{font-weight:600;border:0;background:none;padding-left:0}\
.outline .text{color:var(--soft);border:0;background:none;padding:0;font-size:.85rem}\
.outline .record,.outline .more{border-color:var(--record);border-left-width:4px}.outline .field{border-color:var(--field);\
display:inline-block;margin:.15rem .3rem .15rem 0;max-width:100%;overflow-wrap:anywhere}.outline .next{border-color:var(--next);\
border-width:2px}.outline .counter{border-color:var(--counter);border-width:2px}.outline .search{border-color:var(--form);\
border-width:2px}.outline .formfield{display:inline-block;border-color:var(--form);margin:.15rem .3rem .15rem 0}\
.outline .other{border-style:dotted;color:var(--soft)}.outline .record>b:first-child,.outline .more>b:first-child{\
color:var(--record)}.outline .field>b:first-child{color:var(--field)}.outline .next>b:first-child{color:var(--next)}\
.outline .counter>b:first-child{color:var(--counter)}.outline .search>b:first-child,.outline .formfield>b:first-child{\
color:var(--form)}.legend span{display:inline-block;margin-right:1rem}.legend i{display:inline-block;width:.8rem;\
height:.8rem;border-radius:.2rem;margin-right:.35rem;vertical-align:-.1rem;border:2px solid}\
.legend .record i,.s-record{border-color:var(--record);stroke:var(--record)}.legend .field i,.s-field{\
border-color:var(--field);stroke:var(--field)}.legend .next i,.s-next{border-color:var(--next);stroke:var(--next)}\
.legend .counter i,.s-counter{border-color:var(--counter);stroke:var(--counter)}.legend .search i,.s-search{\
border-color:var(--form);stroke:var(--form)}.legend .other i,.s-other{border-color:var(--soft);stroke:var(--soft)}\
.drawing{width:100%;height:auto;background:#fff;border:1px solid var(--line);border-radius:.5rem}\
.drawing rect{fill:none;stroke-width:3}.drawing .s-field{stroke-width:2;stroke-dasharray:4 3}.drawing .s-zone{stroke:#999;\
stroke-width:1;stroke-dasharray:8 6}";

/// The class of a kind of blocks.
fn class(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Zone => "zone",
        BlockKind::Heading => "heading",
        BlockKind::Text => "text",
        BlockKind::Record => "record",
        BlockKind::Field => "field",
        BlockKind::MoreRecords => "more",
        BlockKind::NextLink => "next",
        BlockKind::Counter => "counter",
        BlockKind::SearchForm => "search",
        BlockKind::OtherForm => "other",
        BlockKind::FormField => "formfield",
    }
}

/// True if an outline has a picture that is shown: the content security policy must allow it.
pub(crate) fn has_picture(outline: &PageOutline) -> bool {
    picture_size(outline).is_some()
}

/// Appends the outlines of pages.
pub(crate) fn push_outlines(out: &mut String, outlines: &[PageOutline]) {
    if outlines.is_empty() {
        return;
    }
    out.push_str(
        "<h2>Where it was found</h2><p class=soft>The pages in outline: their parts from top to bottom, with what was \
         recognised in colours.</p><p class=legend>",
    );
    for (kind, name) in LEGEND {
        let _ = write!(out, "<span class={}><i></i>{name}</span>", class(kind));
    }
    out.push_str("</p>");
    for outline in outlines {
        let _ = write!(out, "<h3>{}</h3><p class=url>{}</p>", escaped(&outline.title), escaped(&outline.url));
        push_drawing(out, outline);
        push_blocks(out, outline);
    }
}

fn push_blocks(out: &mut String, outline: &PageOutline) {
    out.push_str("<div class=outline>");
    let mut open: Vec<usize> = Vec::new();
    // the records that are only in the drawing
    let shown = |block: &&OutlineBlock| block.kind != BlockKind::MoreRecords || block.rect.is_none();
    for block in outline.blocks.iter().filter(shown) {
        while open.last().is_some_and(|depth| *depth >= block.depth) {
            open.pop();
            out.push_str("</div>");
        }
        let name = match block.kind {
            BlockKind::NextLink => "next page".to_owned(),
            BlockKind::SearchForm => format!("search form: {}", block.label),
            BlockKind::OtherForm => format!("form: {}", block.label),
            _ => block.label.clone(),
        };
        let _ = write!(out, "<div class='b {}'>", class(block.kind));
        if !name.is_empty() {
            let _ = write!(out, "<b>{}</b> ", escaped(&name));
        }
        out.push_str(&escaped(&block.text));
        if block.kind == BlockKind::NextLink {
            let _ = write!(out, " <span class=soft>{}</span>", escaped(&block.label));
        }
        let hidden = block.characters.saturating_sub(block.text.chars().count());
        if hidden >= MIN_COUNTED_CHARACTERS {
            let _ = write!(out, " <span class=soft>… {hidden} more characters</span>");
        } else if hidden > 0 {
            out.push('…');
        }
        open.push(block.depth);
    }
    for _ in open {
        out.push_str("</div>");
    }
    out.push_str("</div>");
}

/// The page to scale, if a browser showed it: its picture, or an empty sheet, with what was found.
fn push_drawing(out: &mut String, outline: &PageOutline) {
    let is_sane = |value: f32| value.is_finite() && (0.0..=MAX_PIXELS).contains(&value);
    let placed = outline.blocks.iter().filter_map(|block| Some((block, block.rect?)));
    let placed = placed.filter(|(_, rect)| {
        [rect.x, rect.y, rect.width, rect.height].into_iter().all(is_sane)
            && rect.width > 0.0
            && rect.height > 0.0
    });
    let marked: Vec<_> = placed
        .filter(|(block, _)| {
            !matches!(block.kind, BlockKind::Text | BlockKind::Heading | BlockKind::FormField)
        })
        .collect();
    let picture = picture_size(outline);
    if marked.is_empty() {
        return;
    }
    let (width, height) = picture.unwrap_or_else(|| {
        let side =
            |end: fn(&copal_dom::Rect) -> f32| marked.iter().map(|(_, rect)| end(rect)).fold(1.0, f32::max);
        (side(|rect| rect.x + rect.width), side(|rect| rect.y + rect.height))
    });
    let _ = write!(
        out,
        "<svg class=drawing xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.0} {height:.0}' role=img \
         aria-label='The page as the browser shows it'>"
    );
    if let Some(png) = outline.picture.as_ref().filter(|_| picture.is_some()) {
        let _ = write!(
            out,
            "<image width='{width:.0}' height='{height:.0}' href='data:image/png;base64,{}'/>",
            STANDARD.encode(png)
        );
    }
    for (block, rect) in marked {
        let kind = if block.kind == BlockKind::MoreRecords { BlockKind::Record } else { block.kind };
        let _ = write!(
            out,
            "<rect class='s-{}' x='{:.0}' y='{:.0}' width='{:.0}' height='{:.0}'><title>{}</title></rect>",
            class(kind),
            rect.x,
            rect.y,
            rect.width,
            rect.height,
            escaped(&block.label)
        );
    }
    out.push_str("</svg>");
}

/// The size of the picture, if it is a PNG that is shown.
fn picture_size(outline: &PageOutline) -> Option<(f32, f32)> {
    let png = outline.picture.as_ref()?;
    let is_png = png.starts_with(b"\x89PNG\r\n\x1a\n") && png.get(12..16) == Some(b"IHDR");
    let number = |at: usize| png.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    let (width, height) = (number(16)? as f32, number(20)? as f32);
    let fits = |pixels: f32| (1.0..=MAX_PIXELS).contains(&pixels);
    (is_png && png.len() <= MAX_PNG_BYTES && fits(width) && fits(height)).then_some((width, height))
}
