//! What is visible, and in which style.
//!
//! In: a [`Tree`]. Out: [`Styles`]: for every node whether it is visible, and the id of its computed
//! [`Style`]. One pass in document order, O(nodes + style text).
//!
//! Styles come from the browser's default stylesheet, presentational attributes, inline `style` and `hidden`.
//! Elements with `aria-hidden` are visible, so the attribute is ignored. Stylesheets are not read: a cascade
//! would replace [`Styles::compute`] and keep everything else.

use crate::attrs;
use crate::tags::{self, Tag};
use crate::tree::{Node, Tree};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// How an element takes part in the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Display {
    /// Not rendered.
    None,
    /// Part of a line.
    Inline,
    /// Block, inline block, list item, table cell …
    Block,
}

/// The properties that distinguish texts with different meanings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Style {
    /// Font size in tenths of a pixel.
    pub size: u16,
    /// Font weight is 600 or more.
    pub bold: bool,
    /// Italic or oblique.
    pub italic: bool,
    /// Underlined.
    pub underline: bool,
    /// Struck through.
    pub strike: bool,
    /// Hash of the colour as written; 0 is the default.
    pub colour: u32,
    /// Hash of the background as written; 0 is none.
    pub background: u32,
    /// Hash of the font family as written; 0 is the default.
    pub family: u32,
}

impl Default for Style {
    fn default() -> Self {
        Style {
            size: 160,
            bold: false,
            italic: false,
            underline: false,
            strike: false,
            colour: 0,
            background: 0,
            family: 0,
        }
    }
}

/// Computed styles of a page's nodes.
#[derive(Debug, Clone, Default)]
pub struct Styles {
    shown: Vec<bool>,
    display: Vec<Display>,
    id: Vec<u16>,
    table: Vec<Style>,
}

/// Effects of an element's own declarations that are not part of its [`Style`].
#[derive(Default)]
struct OwnDeclarations {
    display: Option<Display>,
    invisible: bool,
}

impl Styles {
    /// Computes the styles of all nodes.
    pub fn compute(tree: &Tree) -> Styles {
        Styles::compute_with(tree, false)
    }

    /// The styles of all nodes as if scripts had shown what inline styles and `hidden` hide: tabs,
    /// accordions, tables that are filled in the background.
    pub fn compute_revealed(tree: &Tree) -> Styles {
        Styles::compute_with(tree, true)
    }

    fn compute_with(tree: &Tree, is_revealed: bool) -> Styles {
        let n = tree.len();
        let mut styles = Styles {
            shown: Vec::with_capacity(n),
            display: Vec::with_capacity(n),
            id: Vec::with_capacity(n),
            table: vec![Style::default()],
        };
        let mut ids: FxHashMap<Style, u16> = FxHashMap::default();
        ids.insert(Style::default(), 0);
        for node in tree.nodes() {
            let tag = tree.tag(node);
            let above = tree.parent(node) as usize;
            let (parent_shown, parent_id) = match styles.id.get(above) {
                Some(&id) => (styles.shown[above], id),
                None => (true, 0),
            };
            if tag == tags::TEXT {
                styles.push(parent_shown, Display::Inline, parent_id);
                continue;
            }
            let mut style = styles.table[parent_id as usize];
            default_sheet(tag, &mut style);
            let own = declarations(tree, node, tag, &mut style);
            let own_display = own.display.filter(|display| !is_revealed || *display != Display::None);
            let display = own_display.unwrap_or_else(|| default_display(tag));
            let shown = parent_shown && display != Display::None && (is_revealed || !own.invisible);
            let id = if style == styles.table[parent_id as usize] {
                parent_id
            } else {
                intern(style, &mut styles.table, &mut ids)
            };
            styles.push(shown, display, id);
        }
        styles
    }

    /// The styles of nodes that a browser or a cascade computed: for each node whether it is visible, its
    /// display and its style.
    pub fn from_computed(nodes: impl Iterator<Item = (bool, Display, Style)>) -> Styles {
        let mut styles = Styles { table: vec![Style::default()], ..Styles::default() };
        let mut ids = FxHashMap::from_iter([(Style::default(), 0)]);
        for (shown, display, style) in nodes {
            let id = intern(style, &mut styles.table, &mut ids);
            styles.push(shown, display, id);
        }
        styles
    }

    /// The styles of a tree that was made of parts of other trees, given the parts in document order.
    pub fn of_parts<'s>(parts: impl Iterator<Item = (&'s Styles, Range<Node>)>) -> Styles {
        let node =
            |styles: &'s Styles, node| (styles.is_shown(node), styles.display(node), *styles.style(node));
        Styles::from_computed(parts.flat_map(|(styles, nodes)| nodes.map(move |at| node(styles, at))))
    }

    fn push(&mut self, shown: bool, display: Display, id: u16) {
        self.shown.push(shown);
        self.display.push(display);
        self.id.push(id);
    }

    /// True if the node is visible. It may still be empty.
    #[inline]
    pub fn is_shown(&self, node: Node) -> bool {
        self.shown[node as usize]
    }

    /// The node's display.
    #[inline]
    pub fn display(&self, node: Node) -> Display {
        self.display[node as usize]
    }

    /// The id of the computed style: nodes with equal ids have equal styles.
    #[inline]
    pub fn id(&self, node: Node) -> u16 {
        self.id[node as usize]
    }

    /// The node's computed style.
    pub fn style(&self, node: Node) -> &Style {
        &self.table[self.id(node) as usize]
    }
}

/// The id of a style, which is added to the table if it is new.
fn intern(style: Style, table: &mut Vec<Style>, ids: &mut FxHashMap<Style, u16>) -> u16 {
    *ids.entry(style).or_insert_with(|| {
        // an id has 16 bits: all styles beyond 65,535 share the last id
        if table.len() < usize::from(u16::MAX) {
            table.push(style);
        }
        (table.len() - 1) as u16
    })
}

/// The display of an element without any declaration.
pub fn default_display(tag: Tag) -> Display {
    use tags::*;
    match tag {
        HEAD | TITLE | META | LINK | BASE | SCRIPT | STYLE | NOSCRIPT | TEMPLATE | IFRAME | NOFRAMES
        | OBJECT | EMBED | AUDIO | VIDEO | CANVAS | AREA | SOURCE | COL | COLGROUP | DATALIST | OPTION
        | OPTGROUP => Display::None,
        HTML | BODY | DIV | P | CENTER | HR | PRE | H1 | H2 | H3 | H4 | H5 | H6 | HGROUP | UL | OL | LI
        | DL | DT | DD | MENU | DIR | TABLE | CAPTION | THEAD | TBODY | TFOOT | TR | TD | TH | FORM
        | FIELDSET | LEGEND | HEADER | FOOTER | NAV | MAIN | SECTION | ARTICLE | ASIDE | ADDRESS
        | BLOCKQUOTE | FIGURE | FIGCAPTION | DETAILS | SUMMARY | DIALOG | DOCUMENT => Display::Block,
        _ => Display::Inline,
    }
}

fn default_sheet(tag: Tag, style: &mut Style) {
    use tags::*;
    match tag {
        B | STRONG | TH => style.bold = true,
        I | EM | CITE | VAR | DFN | ADDRESS => style.italic = true,
        U | INS => style.underline = true,
        S | STRIKE | DEL => style.strike = true,
        A => {
            style.underline = true;
            style.colour = 1;
        }
        SMALL | SUB | SUP => style.size = scale(style.size, 0.83),
        BIG => style.size = scale(style.size, 1.2),
        CODE | PRE | TT | KBD | SAMP => style.family = 1,
        H1 | H2 | H3 | H4 | H5 | H6 => {
            style.bold = true;
            style.size = [320, 240, 187, 160, 133, 107][(tag - H1) as usize];
        }
        _ => {}
    }
}

fn scale(size: u16, by: f32) -> u16 {
    (f32::from(size) * by).clamp(1.0, 6000.0) as u16
}

fn declarations(tree: &Tree, node: Node, tag: Tag, style: &mut Style) -> OwnDeclarations {
    let mut own = OwnDeclarations::default();
    let [hidden, background, text] = tree.attrs(node, [attrs::HIDDEN, attrs::BGCOLOR, attrs::STYLE]);
    if hidden.is_some() {
        own.display = Some(Display::None);
    }
    if tag == tags::FONT {
        if let Some(colour) = tree.attr(node, attrs::COLOR) {
            style.colour = hash(colour);
        }
        if let Some(face) = tree.attr(node, attrs::FACE) {
            style.family = hash(face);
        }
        if let Some(size) = tree.attr(node, attrs::SIZE) {
            style.size = font_size_attribute(size, style.size);
        }
    }
    if tag == tags::INPUT && tree.attr(node, attrs::TYPE).is_some_and(|t| t.eq_ignore_ascii_case("hidden")) {
        own.display = Some(Display::None);
    }
    if let Some(background) = background {
        style.background = hash(background);
    }
    if let Some(text) = text {
        for declaration in text.split(';') {
            if let Some((property, value)) = declaration.split_once(':') {
                declare(property.trim(), value.trim(), style, &mut own);
            }
        }
    }
    own
}

fn declare(property: &str, value: &str, style: &mut Style, own: &mut OwnDeclarations) {
    // "background-color", the longest property that matters, has 16 letters
    if property.len() > 16 {
        return;
    }
    let is = |word: &str| value.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    match property.to_ascii_lowercase().as_str() {
        "display" => {
            own.display = Some(if is("none") {
                Display::None
            } else if value.eq_ignore_ascii_case("inline") || is("contents") {
                Display::Inline
            } else {
                Display::Block
            });
        }
        "visibility" => own.invisible = is("hidden") || is("collapse"),
        "font-size" => style.size = font_size(value, style.size),
        "font-weight" => {
            style.bold =
                is("bold") || value.get(..3).and_then(|w| w.parse::<u16>().ok()).is_some_and(|w| w >= 600);
        }
        "font-style" => style.italic = is("italic") || is("oblique"),
        "font-family" => style.family = hash(value),
        "color" => style.colour = hash(value),
        "background" | "background-color" => style.background = hash(value),
        "text-decoration" => {
            style.underline = is("underline");
            style.strike = is("line-through");
        }
        _ => {}
    }
}

/// The size of `<font size>`, which is 1 to 7 or relative to 3.
fn font_size_attribute(size: &str, now: u16) -> u16 {
    let size = size.trim();
    let Ok(number) = size.trim_start_matches('+').parse::<i32>() else { return now };
    let step = if size.starts_with(['+', '-']) { 3 + number } else { number };
    [100, 130, 160, 180, 240, 320, 480][(step.clamp(1, 7) - 1) as usize]
}

fn font_size(value: &str, now: u16) -> u16 {
    let value = value.trim();
    let digits = value.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(value.len());
    let Ok(number) = value[..digits].parse::<f32>() else {
        return match value.to_ascii_lowercase().as_str() {
            "xx-small" => 90,
            "x-small" => 100,
            "small" => 130,
            "medium" => 160,
            "large" => 180,
            "x-large" => 240,
            "xx-large" => 320,
            "smaller" => scale(now, 0.83),
            "larger" => scale(now, 1.2),
            _ => now,
        };
    };
    let unit = value[digits..].trim_start();
    let unit = unit
        .get(..unit.find(|c: char| !c.is_ascii_alphabetic() && c != '%').unwrap_or(unit.len()))
        .unwrap_or("");
    let size = match unit.to_ascii_lowercase().as_str() {
        "px" => number * 10.0,
        "pt" => number * 10.0 * 4.0 / 3.0,
        "em" => f32::from(now) * number,
        "%" => f32::from(now) * number / 100.0,
        "rem" => 160.0 * number,
        _ => return now,
    };
    size.clamp(0.0, 6000.0) as u16
}

/// FNV-1a of the value in lower case without white space. Never 0 or 1, which are defaults.
fn hash(value: &str) -> u32 {
    let mut h = 0x811c_9dc5_u32;
    for b in value.bytes().filter(|b| !b.is_ascii_whitespace()) {
        h = (h ^ u32::from(b.to_ascii_lowercase())).wrapping_mul(0x0100_0193);
    }
    h.max(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, parse::parse};

    fn text_styles(html: &str) -> Vec<(String, bool, Style)> {
        let (tree, _) = parse(html, &Limits::default());
        let styles = Styles::compute(&tree);
        let texts = tree.nodes().filter(|&n| tree.is_text(n));
        texts.map(|n| (tree.raw_text(n).to_owned(), styles.is_shown(n), *styles.style(n))).collect()
    }

    #[test]
    fn hidden_elements_are_not_visible() {
        let html = "<title>t</title><p hidden>a</p><p style='Display: NONE'>b<b>c</b></p>\
            <p style='visibility:hidden'>d</p>\
            <script>e</script><template><p>f</p></template><noscript>g</noscript><p aria-hidden=true>h</p>i\
            <select><option>j</select>";
        let shown: Vec<String> = text_styles(html).into_iter().filter(|t| t.1).map(|t| t.0).collect();
        assert_eq!(shown, ["h", "i"]);
    }

    #[test]
    fn defaults_attributes_and_inline_styles_are_combined() {
        let got = text_styles(
            "<h2>a <small>b</small></h2><font color=Red size=+2>c</font>\
            <i style='font-size:20px;font-weight:700'>d</i>",
        );
        assert!(got[0].2.bold && got[0].2.size == 240);
        assert!(got[1].2.bold && got[1].2.size < 240);
        assert!(got[2].2.size == 240 && got[2].2.colour == hash("red"));
        assert!(got[3].2.italic && got[3].2.bold && got[3].2.size == 200);
    }

    #[test]
    fn odd_values_do_not_panic() {
        for value in ["", "1e9px", "99999999999999999999px", "é", "calc(1px)", "-5px", "5"] {
            text_styles(&format!("<p style='font-size:{value};font-weight:{value};display:{value}'>x"));
        }
    }
}
