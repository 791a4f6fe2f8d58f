//! Tag names as small numbers.
//!
//! In: element names of html5ever. Out: [`Tag`] ids. The names listed here have fixed ids, so that code can say
//! [`DIV`]; other names get ids per page, and names beyond [`Tags::LIMIT`] share [`OTHER`]. O(1) a lookup.

use html5ever::LocalName;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// A tag name within one page; fixed for the names below.
pub type Tag = u16;

macro_rules! known_tags {
    ($($id:ident $name:literal),* $(,)?) => {
        known_tags!(@consts 3u16; $($id $name,)*);
        const KNOWN: &[&str] = &["#document", "#text", "#other", $($name),*];
    };
    (@consts $n:expr; $id:ident $name:literal, $($rest:tt)*) => {
        #[doc = concat!("`", $name, "`")]
        pub const $id: Tag = $n;
        known_tags!(@consts $n + 1; $($rest)*);
    };
    (@consts $n:expr;) => {};
}

/// The root above `html`.
pub const DOCUMENT: Tag = 0;
/// A text node.
pub const TEXT: Tag = 1;
/// Any name beyond [`Tags::LIMIT`].
pub const OTHER: Tag = 2;

known_tags! {
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

static KNOWN_IDS: LazyLock<FxHashMap<LocalName, Tag>> = LazyLock::new(|| {
    KNOWN.iter().enumerate().skip(3).map(|(id, name)| (LocalName::from(*name), id as Tag)).collect()
});

/// The tag names of one page.
#[derive(Debug, Clone, Default)]
pub struct Tags {
    own: Vec<LocalName>,
    ids: FxHashMap<LocalName, Tag>,
}

impl Tags {
    /// Distinct names a page may have before further ones share [`OTHER`].
    pub const LIMIT: usize = 4096;

    pub(crate) fn intern(&mut self, name: &LocalName) -> Tag {
        if let Some(&id) = KNOWN_IDS.get(name) {
            return id;
        }
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        if self.own.len() + KNOWN.len() >= Self::LIMIT {
            return OTHER;
        }
        let id = (KNOWN.len() + self.own.len()) as Tag;
        self.own.push(name.clone());
        self.ids.insert(name.clone(), id);
        id
    }

    /// The name of a tag (`#text` for text nodes).
    pub fn name(&self, tag: Tag) -> &str {
        match KNOWN.get(tag as usize) {
            Some(name) => name,
            None => self.own.get(tag as usize - KNOWN.len()).map_or("#other", |name| name),
        }
    }

    /// The id of a name, if the page (or the fixed list) has it.
    pub fn find(&self, name: &str) -> Option<Tag> {
        let name = LocalName::from(name);
        KNOWN_IDS.get(&name).or_else(|| self.ids.get(&name)).copied()
    }
}

/// Elements that have no end tag.
pub fn is_void(tag: Tag) -> bool {
    matches!(tag, META | LINK | BASE | EMBED | SOURCE | IMG | AREA | BR | HR | WBR | INPUT | COL)
}

/// Elements that only format the words inside them: they do not make structure.
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

/// `h1` to `h6`.
pub fn is_heading(tag: Tag) -> bool {
    (H1..=H6).contains(&tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_ids_name_themselves() {
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
        for i in 0..=Tags::LIMIT {
            tags.intern(&LocalName::from(format!("x-{i}")));
        }
        assert_eq!(tags.intern(&LocalName::from("x-last")), OTHER);
    }
}
