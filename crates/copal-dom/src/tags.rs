//! Tag names as small numbers.
//!
//! In: element names. Out: [`Tag`] ids. The names listed here have fixed ids, so that code can say [`DIV`]. Other
//! names get ids per page, and names beyond [`Tags::MAX_TAG_NAMES`] share [`OTHER`]. O(length) per lookup.

use crate::names::Names;
use std::sync::LazyLock;

/// The id of a tag name within one page; the same on every page for the constants of this module.
pub type Tag = u16;

macro_rules! fixed_tags {
    ($($id:ident $name:literal),* $(,)?) => {
        /// Only counts.
        #[allow(clippy::upper_case_acronyms, non_camel_case_types, dead_code)]
        enum Position { Document, Text, Other, $($id),* }
        $(
            #[doc = concat!("`", $name, "`")]
            pub const $id: Tag = Position::$id as Tag;
        )*
        const FIXED_TAG_NAMES: &[&str] = &["#document", "#text", "#other", $($name),*];
        /// All ids below this are the same on every page.
        pub(crate) const FIXED_TAG_COUNT: usize = FIXED_TAG_NAMES.len();
    };
}

/// The root above `html`.
pub const DOCUMENT: Tag = 0;
/// A text node.
pub const TEXT: Tag = 1;
/// Any name beyond [`Tags::MAX_TAG_NAMES`].
pub const OTHER: Tag = 2;

fixed_tags! {
    HTML "html", HEAD "head", BODY "body", TITLE "title", META "meta", LINK "link", BASE "base",
    SCRIPT "script", STYLE "style", NOSCRIPT "noscript", TEMPLATE "template", IFRAME "iframe",
    NOFRAMES "noframes", OBJECT "object", EMBED "embed", VIDEO "video", AUDIO "audio", CANVAS "canvas",
    MAP "map", AREA "area", SVG "svg", MATH "math", PICTURE "picture", SOURCE "source", IMG "img",
    DIV "div", SPAN "span", P "p", A "a", B "b", STRONG "strong", I "i", EM "em", U "u", S "s", SMALL "small",
    BIG "big", FONT "font", CENTER "center", BR "br", HR "hr", WBR "wbr", SUB "sub", SUP "sup", MARK "mark",
    CODE "code", PRE "pre", TT "tt", KBD "kbd", SAMP "samp", CITE "cite", Q "q", DEL "del", INS "ins",
    STRIKE "strike", ABBR "abbr", ACRONYM "acronym", TIME "time", VAR "var", DFN "dfn", NOBR "nobr",
    H1 "h1", H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6", HGROUP "hgroup",
    UL "ul", OL "ol", LI "li", DL "dl", DT "dt", DD "dd", MENU "menu", DIR "dir",
    TABLE "table", CAPTION "caption", COLGROUP "colgroup", COL "col", THEAD "thead", TBODY "tbody",
    TFOOT "tfoot", TR "tr", TD "td", TH "th",
    FORM "form", INPUT "input", BUTTON "button", SELECT "select", OPTION "option", OPTGROUP "optgroup",
    TEXTAREA "textarea", LABEL "label", FIELDSET "fieldset", LEGEND "legend", DATALIST "datalist",
    HEADER "header", FOOTER "footer", NAV "nav", MAIN "main", SECTION "section", ARTICLE "article",
    ASIDE "aside", ADDRESS "address", BLOCKQUOTE "blockquote", FIGURE "figure", FIGCAPTION "figcaption",
    DETAILS "details", SUMMARY "summary", DIALOG "dialog",
    // further names that the tree builder treats in a special way
    APPLET "applet", BASEFONT "basefont", BGSOUND "bgsound", FRAME "frame", FRAMESET "frameset", IMAGE "image",
    ISINDEX "isindex", KEYGEN "keygen", LISTING "listing", MARQUEE "marquee", NOEMBED "noembed", PARAM "param",
    PLAINTEXT "plaintext", RB "rb", RP "rp", RT "rt", RTC "rtc", RUBY "ruby", SEARCH "search", TRACK "track",
    XMP "xmp", MI "mi", MO "mo", MN "mn", MS "ms", MTEXT "mtext", MGLYPH "mglyph", MALIGNMARK "malignmark",
    ANNOTATION_XML "annotation-xml", DESC "desc", FOREIGN_OBJECT "foreignobject",
}

static NO_PAGE_NAMES: LazyLock<Names> = LazyLock::new(|| Names::new(FIXED_TAG_NAMES, 3));

/// The number of a name on one page. Unlike [`Tag`] it is never shared; numbers below [`FIXED_TAG_COUNT`] are the
/// ids of tags.
pub(crate) type TagName = u32;

/// The tag names of one page.
#[derive(Debug, Clone)]
pub struct Tags {
    names: Names,
}

impl Default for Tags {
    fn default() -> Tags {
        Tags { names: NO_PAGE_NAMES.clone() }
    }
}

impl Tags {
    /// Distinct names that a page may have. Further ones share [`OTHER`].
    pub const MAX_TAG_NAMES: usize = 4096;

    pub(crate) fn intern(&mut self, name: &str) -> TagName {
        self.names.intern(name, u32::MAX as usize).unwrap_or(TagName::from(OTHER))
    }

    /// The number of a name, also of one without a tag of its own.
    pub(crate) fn number(&self, name: &str) -> Option<TagName> {
        self.names.find(name)
    }

    /// The tag of a name.
    pub(crate) fn tag(name: TagName) -> Tag {
        if (name as usize) < Self::MAX_TAG_NAMES { name as Tag } else { OTHER }
    }

    /// The name of a tag (`#text` for text nodes).
    pub fn name(&self, tag: Tag) -> &str {
        self.names.name(TagName::from(tag))
    }

    /// The id of a name, if it is fixed or the page has it.
    pub fn find(&self, name: &str) -> Option<Tag> {
        self.number(name).filter(|&name| (name as usize) < Self::MAX_TAG_NAMES).map(|name| name as Tag)
    }
}

/// True for elements that have no end tag.
pub fn is_void(tag: Tag) -> bool {
    matches!(tag, META | LINK | BASE | EMBED | SOURCE | IMG | AREA | BR | HR | WBR | INPUT | COL)
}

/// True for elements that only format words and say nothing about structure.
pub fn is_formatting(tag: Tag) -> bool {
    matches!(
        tag,
        B | STRONG
            | I
            | EM
            | U
            | S
            | SMALL
            | BIG
            | FONT
            | SUB
            | SUP
            | MARK
            | CODE
            | TT
            | KBD
            | SAMP
            | CITE
            | Q
            | DEL
            | INS
            | STRIKE
            | ABBR
            | ACRONYM
            | VAR
            | DFN
            | NOBR
            | WBR
    )
}

/// True for `h1` to `h6`.
pub fn is_heading(tag: Tag) -> bool {
    (H1..=H6).contains(&tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_and_page_names_are_found() {
        let mut tags = Tags::default();
        assert_eq!(tags.name(DIV), "div");
        assert_eq!(tags.name(DIALOG), "dialog");
        assert_eq!(tags.intern("td"), TagName::from(TD));
        let own = tags.intern("x-card");
        assert_eq!(tags.name(Tags::tag(own)), "x-card");
        assert_eq!(tags.find("x-card"), Some(Tags::tag(own)));
        assert_eq!(tags.find("x-list"), None);
        assert_ne!(Tags::tag(tags.intern("#text")), TEXT, "no page can name an element like a text");
    }

    #[test]
    fn names_beyond_the_limit_share_one_id() {
        let mut tags = Tags::default();
        for i in 0..=Tags::MAX_TAG_NAMES {
            tags.intern(&format!("x-{i}"));
        }
        let last = tags.intern("x-last");
        assert_eq!((Tags::tag(last), tags.number("x-last"), tags.find("x-last")), (OTHER, Some(last), None));
    }
}
