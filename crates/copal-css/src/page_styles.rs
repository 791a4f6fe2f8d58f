//! A page with the styles of its stylesheets.

use crate::cascade::{ComputedStyles, cascade};
use crate::colours::Colour;
use crate::computed_style::ComputedStyle;
use crate::given_sheets::Stylesheets;
use crate::linked_sheets::{has_stylesheets, read_stylesheets};
use crate::stylesheet::RuleSet;
use copal_dom::style::{Display, Style, default_display};
use copal_dom::{Node, Page, Styles, Tree, Warning};

/// What became of the stylesheets of a page.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct StylingReport {
    /// The page has the styles of its stylesheets. False if it has no stylesheets, or if they take too many steps:
    /// then the page keeps the styles that it had.
    pub is_styled: bool,
    /// Stylesheets that the page links to or imports and that were not given, as URLs.
    pub missing: Vec<String>,
}

/// Computes the styles of a page from its stylesheets: those in the page, and those that were given.
pub fn style_page(page: &mut Page, sheets: &Stylesheets) -> StylingReport {
    if page.boxes.is_some() || !has_stylesheets(&page.tree) {
        return StylingReport::default();
    }
    let mut rules = RuleSet::new(page.tree.is_quirks());
    read_stylesheets(&page.tree, sheets, &mut rules);
    let missing = std::mem::take(&mut rules.missing);
    let is_cut = rules.is_cut;
    rules.keep_used_custom_properties(&page.tree);
    let styles = if rules.rules.is_empty() { None } else { Some(cascade(&page.tree, &rules)) };
    let is_styled = matches!(styles, Some(Some(_)));
    let warning = Warning::LeftOut { what: "styles".into() };
    if (is_cut || matches!(styles, Some(None))) && !page.warnings.contains(&warning) {
        page.warnings.push(warning);
    }
    if let Some(Some(styles)) = styles {
        page.set_stylesheet_styles(page_styles(&page.tree, &styles));
    }
    StylingReport { is_styled, missing }
}

/// The computed styles of a page with its own stylesheets and those given; `None` if that takes too many steps.
pub fn computed_styles(tree: &Tree, sheets: &Stylesheets) -> Option<ComputedStyles> {
    let mut rules = RuleSet::new(tree.is_quirks());
    read_stylesheets(tree, sheets, &mut rules);
    rules.keep_used_custom_properties(tree);
    cascade(tree, &rules)
}

/// The styles in the form that extraction uses.
fn page_styles(tree: &Tree, computed: &ComputedStyles) -> Styles {
    let shown = shown_nodes(tree, computed);
    let table: Vec<Style> = computed.table().iter().map(text_style).collect();
    let mut nodes: Vec<(bool, Display, Style)> = Vec::with_capacity(tree.len());
    for node in tree.nodes() {
        let above = nodes.get(tree.parent(node) as usize).copied();
        let mut style = table[computed.id(node) as usize];
        // decorations and backgrounds are painted over descendants without being inherited
        if let Some((_, _, above)) = above {
            style.underline |= above.underline;
            style.strike |= above.strike;
            if style.background == 0 {
                style.background = above.background;
            }
        }
        let is_shown = shown[node as usize];
        let display =
            if tree.is_text(node) { Display::Inline } else { display(tree, node, computed.of(node)) };
        nodes.push((is_shown, display, style));
    }
    Styles::from_computed(nodes.into_iter())
}

fn display(tree: &Tree, node: Node, style: &ComputedStyle) -> Display {
    if tree.parent(node) == copal_dom::NONE {
        return Display::Block;
    }
    match style.display {
        // browsers show frames and media, but their content is not text of the page
        _ if default_display(tree.tag(node)) == Display::None => Display::None,
        "none" => Display::None,
        "inline" | "contents" | "ruby" | "ruby-text" => Display::Inline,
        // controls are part of their line
        "inline-block" if default_display(tree.tag(node)) == Display::Inline && is_control(tree, node) => {
            Display::Inline
        }
        _ => Display::Block,
    }
}

fn is_control(tree: &Tree, node: Node) -> bool {
    use copal_dom::tags::{BUTTON, INPUT, SELECT, TEXTAREA};
    matches!(tree.tag(node), BUTTON | INPUT | SELECT | TEXTAREA)
}

/// What is visible itself, and every element around it.
fn shown_nodes(tree: &Tree, computed: &ComputedStyles) -> Vec<bool> {
    // hidden with everything inside
    let mut gone: Vec<bool> = Vec::with_capacity(tree.len());
    let mut shown: Vec<bool> = Vec::with_capacity(tree.len());
    for node in tree.nodes() {
        let above = gone.get(tree.parent(node) as usize).copied().unwrap_or(false);
        let style = computed.of(node);
        let is_text = tree.is_text(node);
        let is_gone =
            above || !is_text && (display(tree, node, style) == Display::None || style.is_clipped_away());
        gone.push(is_gone);
        let is_out_of_sight = is_text && (style.is_indented_away || style.font_size < 1.0);
        shown.push(!is_gone && style.visibility == "visible" && !is_out_of_sight);
    }
    for node in tree.nodes().skip(1).rev() {
        if shown[node as usize] {
            shown[tree.parent(node) as usize] = true;
        }
    }
    shown
}

fn text_style(computed: &ComputedStyle) -> Style {
    Style {
        size: (computed.font_size * 10.0).round().clamp(0.0, 6000.0) as u16,
        bold: computed.font_weight >= 600,
        italic: computed.font_style != "normal",
        underline: computed.decoration.underline,
        strike: computed.decoration.line_through,
        colour: match computed.colour {
            Colour::BLACK => 0,
            Colour::LINK => 1,
            colour => colour_number(colour),
        },
        background: if computed.background.is_transparent() { 0 } else { colour_number(computed.background) },
        family: match &*computed.font_family {
            "" => 0,
            "monospace" => 1,
            family => crate::colours::notation_hash(family).max(2),
        },
    }
}

/// A number for each colour; 0 and 1 are defaults.
fn colour_number(colour: Colour) -> u32 {
    match colour {
        Colour::Rgba(rgba) => u32::from_be_bytes(rgba).max(2),
        Colour::Other(hash) => hash.max(2),
    }
}
