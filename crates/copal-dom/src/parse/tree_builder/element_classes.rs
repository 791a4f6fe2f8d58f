//! What the standard says about elements by name, as bits: which are special (13.2.4.2), which end a scope, which are
//! closed by implication (13.2.6.3), and what the table modes ask for.
//!
//! In: a tag. Out: its classes. O(1).
//!
//! The lists are those of html5ever: like it, `search` and the elements of SVG and `MathML` that the standard also
//! calls special are not.

use crate::tags::{self, FIXED_TAG_COUNT, Tag, TagName};

/// Bits of an element on the stack.
pub(super) type Classes = u32;

/// The category "special" (13.2.4.2).
pub(super) const SPECIAL: Classes = 1;
/// Special elements without `address`, `div` and `p`: where the search for an open `li`, `dd` or `dt` ends.
pub(super) const ENDS_ITEM_SEARCH: Classes = 1 << 1;
/// Ends every scope.
pub(super) const SCOPE: Classes = 1 << 2;
/// Ends list item scope, besides [`SCOPE`].
pub(super) const LIST_ITEM_SCOPE: Classes = 1 << 3;
/// Ends button scope, besides [`SCOPE`].
pub(super) const BUTTON_SCOPE: Classes = 1 << 4;
/// Ends table scope, and is what "clear the stack back to a table context" stops at.
pub(super) const TABLE_SCOPE: Classes = 1 << 5;
/// Closed by "generate implied end tags" (13.2.6.3).
pub(super) const IMPLIED_END: Classes = 1 << 6;
/// Closed by "generate all implied end tags thoroughly".
pub(super) const THOROUGH_END: Classes = 1 << 7;
/// `h1` to `h6`.
pub(super) const HEADING: Classes = 1 << 8;
/// Text and elements in these are moved before the table (13.2.6.1).
pub(super) const FOSTERS: Classes = 1 << 9;
/// What "clear the stack back to a table body context" stops at.
pub(super) const BODY_CONTEXT: Classes = 1 << 10;
/// What "clear the stack back to a table row context" stops at.
pub(super) const ROW_CONTEXT: Classes = 1 << 11;
/// `td` and `th`.
pub(super) const CELL: Classes = 1 << 12;
/// `table`, `tbody` and `tfoot`.
pub(super) const TABLE_PART: Classes = 1 << 13;

/// An element of SVG or `MathML`.
pub(super) const FOREIGN: Classes = 1 << 16;
pub(super) const IN_SVG: Classes = 1 << 17;
pub(super) const IN_MATHML: Classes = 1 << 18;
/// A `MathML` text integration point (13.2.6.5).
pub(super) const TEXT_POINT: Classes = 1 << 19;
/// An HTML integration point of SVG.
pub(super) const HTML_POINT: Classes = 1 << 20;
/// `annotation-xml`.
pub(super) const ANNOTATION: Classes = 1 << 21;
/// An `annotation-xml` that contains HTML.
pub(super) const HTML_ANNOTATION: Classes = 1 << 22;

/// Bit of a name on the stack that says that the element is foreign: such a name equals no name of HTML.
pub(super) const FOREIGN_NAME: TagName = 1 << 31;

static HTML_CLASSES: [Classes; FIXED_TAG_COUNT] = {
    use tags::*;
    let mut table = [0; FIXED_TAG_COUNT];
    let special = [
        ADDRESS, APPLET, AREA, ARTICLE, ASIDE, BASE, BASEFONT, BGSOUND, BLOCKQUOTE, BODY, BR, BUTTON,
        CAPTION, CENTER, COL, COLGROUP, DD, DETAILS, DIR, DIV, DL, DT, EMBED, FIELDSET, FIGCAPTION, FIGURE,
        FOOTER, FORM, FRAME, FRAMESET, H1, H2, H3, H4, H5, H6, HEAD, HEADER, HGROUP, HR, HTML, IFRAME, IMG,
        INPUT, ISINDEX, LI, LINK, LISTING, MAIN, MARQUEE, MENU, META, NAV, NOEMBED, NOFRAMES, NOSCRIPT,
        OBJECT, OL, P, PARAM, PLAINTEXT, PRE, SCRIPT, SECTION, SELECT, SOURCE, STYLE, SUMMARY, TABLE, TBODY,
        TD, TEMPLATE, TEXTAREA, TFOOT, TH, THEAD, TITLE, TR, TRACK, UL, WBR, XMP,
    ];
    mark(&mut table, &special, SPECIAL | ENDS_ITEM_SEARCH);
    table[ADDRESS as usize] &= !ENDS_ITEM_SEARCH;
    table[DIV as usize] &= !ENDS_ITEM_SEARCH;
    table[P as usize] &= !ENDS_ITEM_SEARCH;
    mark(&mut table, &[APPLET, CAPTION, HTML, TABLE, TD, TH, MARQUEE, OBJECT, SELECT, TEMPLATE], SCOPE);
    mark(&mut table, &[OL, UL], LIST_ITEM_SCOPE);
    mark(&mut table, &[BUTTON], BUTTON_SCOPE);
    mark(&mut table, &[HTML, TABLE, TEMPLATE], TABLE_SCOPE);
    mark(&mut table, &[DD, DT, LI, OPTION, OPTGROUP, P, RB, RP, RT, RTC], IMPLIED_END | THOROUGH_END);
    mark(&mut table, &[CAPTION, COLGROUP, TBODY, TD, TFOOT, TH, THEAD, TR], THOROUGH_END);
    mark(&mut table, &[H1, H2, H3, H4, H5, H6], HEADING);
    mark(&mut table, &[TABLE, TBODY, TFOOT, THEAD, TR], FOSTERS);
    mark(&mut table, &[TBODY, TFOOT, THEAD, TEMPLATE, HTML], BODY_CONTEXT);
    mark(&mut table, &[TR, TEMPLATE, HTML], ROW_CONTEXT);
    mark(&mut table, &[TD, TH], CELL);
    mark(&mut table, &[TABLE, TBODY, TFOOT], TABLE_PART);
    table
};

const fn mark(table: &mut [Classes; FIXED_TAG_COUNT], tags: &[Tag], classes: Classes) {
    let mut at = 0;
    while at < tags.len() {
        table[tags[at] as usize] |= classes;
        at += 1;
    }
}

/// The classes of an HTML element.
#[inline]
pub(super) fn html_classes(name: TagName) -> Classes {
    HTML_CLASSES.get(name as usize).copied().unwrap_or(0)
}

/// The classes of an element of SVG or `MathML` (given as [`IN_SVG`] or [`IN_MATHML`]) with this name in lower case.
pub(super) fn foreign_classes(namespace: Classes, tag: Tag) -> Classes {
    use tags::*;
    FOREIGN
        | namespace
        | match (namespace, tag) {
            (IN_MATHML, MI | MO | MN | MS | MTEXT) => TEXT_POINT | SCOPE,
            (IN_MATHML, ANNOTATION_XML) => ANNOTATION,
            (IN_SVG, FOREIGN_OBJECT | DESC | TITLE) => HTML_POINT | SCOPE,
            _ => 0,
        }
}
