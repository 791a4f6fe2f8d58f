//! Tag names as small numbers.
//!
//! In: element names from html5ever. Out: [`Tag`] ids. The names listed here have fixed ids, so that code can
//! say [`DIV`]. Other names get ids per page, and names beyond [`Tags::MAX_TAG_NAMES`] share [`OTHER`]. O(1)
//! per lookup.

use html5ever::LocalName;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The id of a tag name within one page; the same on every page for the constants of this module.
pub type Tag = u16;

macro_rules! fixed_tags {
    ($($id:ident $name:literal),* $(,)?) => {
        fixed_tags!(@consts 3u16; $($id $name,)*);
        const FIXED_TAG_NAMES: &[&str] = &["#document", "#text", "#other", $($name),*];
    };
    (@consts $n:expr; $id:ident $name:literal, $($rest:tt)*) => {
        #[doc = concat!("`", $name, "`")]
        pub const $id: Tag = $n;
        fixed_tags!(@consts $n + 1; $($rest)*);
    };
    (@consts $n:expr;) => {};
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
}

static FIXED_TAG_IDS: LazyLock<FxHashMap<LocalName, Tag>> = LazyLock::new(|| {
    FIXED_TAG_NAMES.iter().enumerate().skip(3).map(|(id, name)| (LocalName::from(*name), id as Tag)).collect()
});

/// The tag names of one page.
#[derive(Debug, Clone, Default)]
pub struct Tags {
    /// Names without a fixed id, in the order of their ids.
    page_names: Vec<LocalName>,
    ids: FxHashMap<LocalName, Tag>,
}

impl Tags {
    /// Distinct names that a page may have. Further ones share [`OTHER`].
    pub const MAX_TAG_NAMES: usize = 4096;

    pub(crate) fn intern(&mut self, name: &LocalName) -> Tag {
        if let Some(&id) = FIXED_TAG_IDS.get(name) {
            return id;
        }
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        if self.page_names.len() + FIXED_TAG_NAMES.len() >= Self::MAX_TAG_NAMES {
            return OTHER;
        }
        let id = (FIXED_TAG_NAMES.len() + self.page_names.len()) as Tag;
        self.page_names.push(name.clone());
        self.ids.insert(name.clone(), id);
        id
    }

    /// The name of a tag (`#text` for text nodes).
    pub fn name(&self, tag: Tag) -> &str {
        match FIXED_TAG_NAMES.get(tag as usize) {
            Some(name) => name,
            None => self.page_names.get(tag as usize - FIXED_TAG_NAMES.len()).map_or("#other", |name| name),
        }
    }

    /// The id of a name, if it is fixed or the page has it.
    pub fn find(&self, name: &str) -> Option<Tag> {
        let name = LocalName::from(name);
        FIXED_TAG_IDS.get(&name).or_else(|| self.ids.get(&name)).copied()
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
        assert_eq!(tags.intern(&LocalName::from("td")), TD);
        let own = tags.intern(&LocalName::from("x-card"));
        assert_eq!(tags.name(own), "x-card");
        assert_eq!(tags.find("x-card"), Some(own));
    }

    #[test]
    fn names_beyond_the_limit_share_one_id() {
        let mut tags = Tags::default();
        for i in 0..=Tags::MAX_TAG_NAMES {
            tags.intern(&LocalName::from(format!("x-{i}")));
        }
        assert_eq!(tags.intern(&LocalName::from("x-last")), OTHER);
    }
}
