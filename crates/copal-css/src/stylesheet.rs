//! Stylesheets as rules.
//!
//! In: the text of a stylesheet. Out: its rules that apply on a screen and declare something that is read, in a
//! [`RuleSet`]. Selectors are only parsed for such rules, which are about a third. Nested rules, layers, media
//! queries and imports are understood. Bytes, rules, imports and nesting are limited.

use crate::conditions::{media_matches, supports_matches};
use crate::declaration_block::DeclarationBlock;
use crate::given_sheets::{GivenSheet, Stylesheets};
use crate::layers::{LayerId, Layers};
use crate::properties::Declaration;
use crate::selector_names::{SelectorNames, SelectorParser};
use crate::variables::names_in;
use copal_dom::{Tree, attrs};
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState, QualifiedRuleParser,
    RuleBodyItemParser, RuleBodyParser, StyleSheetParser, Token,
};
use rustc_hash::{FxHashMap, FxHashSet};
use selectors::context::QuirksMode;
use selectors::parser::{AncestorHashes, Component, ParseRelative, Selector, SelectorList};
use std::cell::OnceCell;
use url::Url;

/// Bytes of stylesheets that are read for one page.
const MAX_SHEET_BYTES: usize = 4_000_000;
/// Selectors with declarations that are kept for one page.
const MAX_SELECTORS: usize = 60_000;
/// Longest list of selectors of one rule.
const MAX_PRELUDE_BYTES: usize = 65_536;
/// Combinators of one selector. The `selectors` crate recurses over them.
const MAX_SELECTOR_STEPS: usize = 64;
/// How deep brackets and braces may nest. Parsing recurses over them.
const MAX_NESTING: u8 = 32;
/// How deep stylesheets may import each other.
const MAX_IMPORT_DEPTH: usize = 4;
/// Stylesheets of one page.
const MAX_SHEETS: usize = 256;

/// A selector and what it declares.
#[derive(Debug)]
pub(crate) struct StyleRule {
    pub(crate) selector: Selector<SelectorNames>,
    pub(crate) hashes: AncestorHashes,
    pub(crate) layer: LayerId,
    /// The position among all rules.
    pub(crate) order: u32,
    /// Index into [`RuleSet::blocks`].
    pub(crate) block: u32,
}

/// The rules of all stylesheets of a page.
#[derive(Debug, Default)]
pub(crate) struct RuleSet {
    pub(crate) rules: Vec<StyleRule>,
    pub(crate) blocks: Vec<DeclarationBlock>,
    pub(crate) layers: Layers,
    /// Stylesheets that are imported and not there.
    pub(crate) missing: Vec<String>,
    /// A limit was hit, so that rules are missing.
    pub(crate) is_cut: bool,
    order: u32,
    bytes: usize,
    sheets: usize,
    is_quirks: bool,
}

impl RuleSet {
    pub(crate) fn new(is_quirks: bool) -> RuleSet {
        RuleSet { is_quirks, ..RuleSet::default() }
    }

    /// Adds the rules of a stylesheet. Relative imports refer to `base`.
    pub(crate) fn read(&mut self, text: &str, base: Option<&Url>, sheets: &Stylesheets) {
        self.read_sheet(text, base, sheets, Layers::UNLAYERED, 0);
    }

    fn read_sheet(
        &mut self,
        text: &str,
        base: Option<&Url>,
        sheets: &Stylesheets,
        layer: LayerId,
        import_depth: usize,
    ) {
        self.bytes = self.bytes.saturating_add(text.len());
        self.sheets += 1;
        if self.bytes > MAX_SHEET_BYTES || self.sheets > MAX_SHEETS {
            self.is_cut = true;
            return;
        }
        let mut input = Parser::new(text);
        input.set_nested_block_limit(MAX_NESTING);
        let mut reader = RuleReader { set: self, base, sheets, layer, import_depth, scope: None };
        for _ in StyleSheetParser::new(&mut input, &mut reader) {}
    }

    /// Adds a block for all selectors of a list.
    fn add(
        &mut self,
        selectors: &SelectorList<SelectorNames>,
        block: DeclarationBlock,
        layer: LayerId,
        order: u32,
    ) {
        let quirks = if self.is_quirks { QuirksMode::Quirks } else { QuirksMode::NoQuirks };
        let number = self.blocks.len() as u32;
        self.blocks.push(block);
        for selector in selectors.slice() {
            if self.rules.len() >= MAX_SELECTORS {
                self.is_cut = true;
                return;
            }
            let steps = selector
                .iter_raw_match_order()
                .filter(|part| matches!(part, Component::Combinator(_)))
                .count();
            if selector.has_pseudo_element() || steps > MAX_SELECTOR_STEPS {
                continue;
            }
            let hashes = AncestorHashes::new(selector, quirks);
            self.rules.push(StyleRule { selector: selector.clone(), hashes, layer, order, block: number });
        }
    }
}

/// The rule whose braces are open.
struct RuleScope<'i> {
    prelude: &'i str,
    /// The selectors of the rule around it.
    outer: Option<SelectorList<SelectorNames>>,
    /// Its own selectors once they are needed; `None` inside if they are invalid.
    selectors: OnceCell<Option<SelectorList<SelectorNames>>>,
    block: DeclarationBlock,
}

impl RuleScope<'_> {
    fn selectors(&self) -> Option<&SelectorList<SelectorNames>> {
        let (prelude, outer) = (self.prelude, &self.outer);
        self.selectors
            .get_or_init(|| {
                if prelude.len() > MAX_PRELUDE_BYTES {
                    return None;
                }
                let mut input = Parser::new(prelude);
                input.set_nested_block_limit(MAX_NESTING);
                let relative = if outer.is_some() { ParseRelative::ForNesting } else { ParseRelative::No };
                let list =
                    SelectorList::parse(&SelectorParser::FOR_STYLESHEETS, &mut input, relative).ok()?;
                Some(outer.as_ref().map_or_else(|| list.clone(), |outer| list.replace_parent_selector(outer)))
            })
            .as_ref()
    }
}

struct RuleReader<'i, 's> {
    set: &'s mut RuleSet,
    base: Option<&'s Url>,
    sheets: &'s Stylesheets,
    layer: LayerId,
    import_depth: usize,
    scope: Option<RuleScope<'i>>,
}

impl<'i> RuleReader<'i, '_> {
    /// The text up to the end of the input.
    fn rest(input: &mut Parser<'i>) -> &'i str {
        let start = input.position();
        while input.next().is_ok() {}
        input.slice_from(start).trim()
    }

    /// Reads the content of a conditional group: rules, and declarations if it is inside a rule.
    fn read_group(&mut self, input: &mut Parser<'i>) {
        for _ in RuleBodyParser::new(input, self) {}
    }
}

/// What stands between the name and the braces of an at-rule.
enum AtRulePrelude {
    /// The rules inside apply.
    Group,
    /// `@layer` with its names.
    Layer(Vec<String>),
    Import {
        url: String,
        layer: Option<String>,
        applies: bool,
    },
}

impl<'i> AtRuleParser<'i> for RuleReader<'i, '_> {
    type Prelude = AtRulePrelude;
    type AtRule = ();
    type Error = ();

    fn parse_prelude(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
    ) -> Result<AtRulePrelude, ParseError<()>> {
        let applies = match name.to_ascii_lowercase().as_str() {
            "media" => media_matches(input),
            "supports" => {
                let applies = supports_matches(input);
                Self::rest(input);
                applies
            }
            "layer" => {
                let names = Self::rest(input).split(',').map(|name| name.trim().to_owned()).collect();
                return Ok(AtRulePrelude::Layer(names));
            }
            "import" => return import(input),
            // `@font-face`, `@keyframes`, `@page`, and `@container`, whose sizes are not known
            _ => false,
        };
        if applies { Ok(AtRulePrelude::Group) } else { Err(ParseError::unexpected_token()) }
    }

    fn rule_without_block(&mut self, prelude: AtRulePrelude, _: &ParserState) -> Result<(), ()> {
        match prelude {
            AtRulePrelude::Group => {}
            AtRulePrelude::Layer(names) => {
                for name in names.iter().filter(|name| !name.is_empty()) {
                    self.set.layers.inside(self.layer, name);
                }
            }
            AtRulePrelude::Import { url, layer, applies } => {
                let layer = match layer {
                    Some(name) => self.set.layers.inside(self.layer, &name),
                    None => self.layer,
                };
                let Some(url) = self.sheets.resolve(self.base, &url).filter(|_| applies) else {
                    return Ok(());
                };
                if self.import_depth >= MAX_IMPORT_DEPTH || self.scope.is_some() {
                    return Ok(());
                }
                match self.sheets.sheet(&url) {
                    GivenSheet::Text(text) => {
                        self.set.read_sheet(text, Some(&url), self.sheets, layer, self.import_depth + 1);
                    }
                    GivenSheet::Unreadable => {}
                    GivenSheet::Missing => self.set.missing.push(url.into()),
                }
            }
        }
        Ok(())
    }

    fn parse_block(
        &mut self,
        prelude: AtRulePrelude,
        _: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), ParseError<()>> {
        let layer = self.layer;
        match prelude {
            AtRulePrelude::Import { .. } => return Err(ParseError::unexpected_token()),
            AtRulePrelude::Group => {}
            AtRulePrelude::Layer(names) => {
                self.layer = self.set.layers.inside(layer, names.first().map_or("", String::as_str));
            }
        }
        self.read_group(input);
        self.layer = layer;
        Ok(())
    }
}

fn import(input: &mut Parser<'_>) -> Result<AtRulePrelude, ParseError<()>> {
    let url = input.expect_url_or_string()?.as_ref().to_owned();
    let (mut layer, mut applies) = (None, true);
    loop {
        let start = input.state();
        match input.next() {
            Ok(Token::Ident(word)) if word.eq_ignore_ascii_case("layer") => layer = Some(String::new()),
            Ok(Token::Function(name)) if name.eq_ignore_ascii_case("layer") => {
                let name = input.parse_nested_block(|input| {
                    let start = input.position();
                    while input.next().is_ok() {}
                    Ok::<_, ParseError<()>>(input.slice_from(start).trim().to_owned())
                });
                layer = Some(name?);
            }
            Ok(Token::Function(name)) if name.eq_ignore_ascii_case("supports") => {
                let skip = |input: &mut Parser<'_>| {
                    while input.next().is_ok() {}
                    Ok::<_, ParseError<()>>(())
                };
                input.parse_nested_block(skip)?;
            }
            _ => {
                input.reset(&start);
                applies &= media_matches(input);
                while input.next().is_ok() {}
                return Ok(AtRulePrelude::Import { url, layer, applies });
            }
        }
    }
}

impl<'i> QualifiedRuleParser<'i> for RuleReader<'i, '_> {
    type Prelude = &'i str;
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<&'i str, ParseError<()>> {
        Ok(Self::rest(input))
    }

    fn parse_block(
        &mut self,
        prelude: &'i str,
        _: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), ParseError<()>> {
        let outer = match &self.scope {
            Some(scope) => Some(scope.selectors().cloned().ok_or_else(ParseError::<()>::unexpected_token)?),
            None => None,
        };
        self.set.order += 1;
        let order = self.set.order;
        let scope =
            RuleScope { prelude, outer, selectors: OnceCell::new(), block: DeclarationBlock::default() };
        let outside = self.scope.replace(scope);
        self.read_group(input);
        let scope = std::mem::replace(&mut self.scope, outside);
        if let Some(mut scope) = scope
            && !scope.block.is_empty()
        {
            let block = std::mem::take(&mut scope.block);
            if let Some(selectors) = scope.selectors() {
                self.set.add(selectors, block, self.layer, order);
            }
        }
        Ok(())
    }
}

impl<'i> DeclarationParser<'i> for RuleReader<'i, '_> {
    type Declaration = ();
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _: &ParserState,
    ) -> Result<(), ParseError<()>> {
        match &mut self.scope {
            Some(scope) => scope.block.read_declaration(&name, input),
            None => Err(ParseError::unexpected_token()),
        }
    }
}

impl<'i> RuleBodyItemParser<'i, (), ()> for RuleReader<'i, '_> {
    fn parse_declarations(&self) -> bool {
        self.scope.is_some()
    }

    fn parse_qualified(&self) -> bool {
        true
    }
}

impl RuleSet {
    /// Drops custom properties that no value refers to, directly or through other custom properties.
    /// Values are those of the rules and of the page's attributes.
    pub(crate) fn keep_used_custom_properties(&mut self, tree: &Tree) {
        let mut texts: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        let mut queue: Vec<&str> = Vec::new();
        for text in tree.nodes().filter_map(|node| tree.attr(node, attrs::STYLE)) {
            queue.extend(names_in(text));
        }
        for declaration in self.blocks.iter().flat_map(|block| block.normal.iter().chain(&block.important)) {
            match declaration {
                Declaration::Custom { name, text } => texts.entry(name).or_default().push(text),
                Declaration::Raw { text, .. } => queue.extend(names_in(text)),
                Declaration::Of(..) => {}
            }
        }
        let mut used: FxHashSet<String> = FxHashSet::default();
        while let Some(name) = queue.pop() {
            if used.contains(name) {
                continue;
            }
            used.insert(name.to_owned());
            queue.extend(texts.get(name).into_iter().flatten().flat_map(|text| names_in(text)));
        }
        let is_used = |declaration: &Declaration| match declaration {
            Declaration::Custom { name, .. } => used.contains(&**name),
            _ => true,
        };
        for block in &mut self.blocks {
            block.normal.retain(is_used);
            block.important.retain(is_used);
        }
    }
}
