//! The declarations between the braces of a rule, or in the attribute `style`.

use crate::declarations::{MAX_VALUE_BYTES, known_name, parse_value};
use crate::properties::Declaration;
use crate::variables::has_variables;
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState, QualifiedRuleParser,
};
use cssparser::{RuleBodyItemParser, RuleBodyParser, Token};

/// Declarations of one block that are kept, beyond one per property.
const MAX_LATE_DECLARATIONS: usize = 256;

/// The declarations of a block that are read.
#[derive(Debug, Clone, Default)]
pub(crate) struct DeclarationBlock {
    pub(crate) normal: Vec<Declaration>,
    pub(crate) important: Vec<Declaration>,
}

impl DeclarationBlock {
    pub(crate) fn is_empty(&self) -> bool {
        self.normal.is_empty() && self.important.is_empty()
    }

    /// Reads the attribute `style`.
    pub(crate) fn from_attribute(text: &str) -> DeclarationBlock {
        let mut block = DeclarationBlock::default();
        let mut input = Parser::new(text);
        for _ in RuleBodyParser::new(&mut input, &mut AttributeReader { block: &mut block }) {}
        block
    }

    /// Adds a declaration. The input ends where the value ends. Properties that are not read are skipped.
    /// Fails if what looked like a declaration is a nested rule (`a:hover { … }`).
    pub(crate) fn read_declaration<'i>(
        &mut self,
        name: &CowRcStr<'i>,
        input: &mut Parser<'i>,
    ) -> Result<(), ParseError<()>> {
        let start = input.position();
        let is_custom = name.starts_with("--");
        while let Ok(token) = input.next() {
            if matches!(token, Token::CurlyBracketBlock) && !is_custom {
                return Err(ParseError::unexpected_token());
            }
        }
        let text = input.slice_from(start).trim();
        let (text, is_important) = match text.rsplit_once('!') {
            Some((value, word)) if word.trim().eq_ignore_ascii_case("important") => (value.trim_end(), true),
            _ => (text, false),
        };
        if text.len() > MAX_VALUE_BYTES {
            return Ok(());
        }
        let kept = if is_important { &mut self.important } else { &mut self.normal };
        if is_custom {
            let custom = Declaration::Custom { name: name.as_ref().into(), text: text.into() };
            add(kept, custom);
            return Ok(());
        }
        // the longest property that is read has 20 letters
        if name.len() > 20 {
            return Ok(());
        }
        let Some(name) = known_name(&name.to_ascii_lowercase()) else { return Ok(()) };
        if has_variables(text) {
            add(kept, Declaration::Raw { name, text: text.into() });
        } else {
            parse_value(name, text, None).into_iter().flatten().for_each(|one| add(kept, one));
        }
        Ok(())
    }
}

/// Adds a declaration in the place of an earlier one of the same property.
fn add(kept: &mut Vec<Declaration>, new: Declaration) {
    let is_same = |old: &Declaration| match (old, &new) {
        (Declaration::Of(old, _), Declaration::Of(new, _)) => old == new,
        (Declaration::Custom { name: old, .. }, Declaration::Custom { name: new, .. }) => old == new,
        (Declaration::Raw { name: old, .. }, Declaration::Raw { name: new, .. }) => old == new,
        _ => false,
    };
    // values that are parsed late may be invalid, so that earlier ones have to stay before them
    if matches!(new, Declaration::Of(..)) || kept.len() >= MAX_LATE_DECLARATIONS {
        kept.retain(|old| !is_same(old));
    }
    if kept.len() < MAX_LATE_DECLARATIONS || matches!(new, Declaration::Of(..)) {
        kept.push(new);
    }
}

struct AttributeReader<'b> {
    block: &'b mut DeclarationBlock,
}

impl<'i> DeclarationParser<'i> for AttributeReader<'_> {
    type Declaration = ();
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _: &ParserState,
    ) -> Result<(), ParseError<()>> {
        self.block.read_declaration(&name, input)
    }
}

impl AtRuleParser<'_> for AttributeReader<'_> {
    type Prelude = ();
    type AtRule = ();
    type Error = ();
}

impl QualifiedRuleParser<'_> for AttributeReader<'_> {
    type Prelude = ();
    type QualifiedRule = ();
    type Error = ();
}

impl RuleBodyItemParser<'_, (), ()> for AttributeReader<'_> {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn important_declarations_are_kept_apart() {
        let text =
            "COLOR : red ; display:none!important; margin: 0; font-size: 1px; font-size: 2px; --x: {a}; top";
        let block = DeclarationBlock::from_attribute(text);
        assert_eq!((block.normal.len(), block.important.len()), (3, 1));
        assert!(DeclarationBlock::from_attribute("margin:0;;;}{").is_empty());
    }

    #[test]
    fn endless_blocks_are_cut() {
        let text: String = (0..5000).map(|n| format!("--a{n}:1;color:red;color:var(--b{n});")).collect();
        let block = DeclarationBlock::from_attribute(&text);
        assert!(block.normal.len() <= MAX_LATE_DECLARATIONS + crate::properties::Property::ALL.len());
    }
}
