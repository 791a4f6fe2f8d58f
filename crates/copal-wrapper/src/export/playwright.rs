//! A Playwright script: one file for Node with the wrapper as data. A browser opens the page, and code inside
//! it does what `copal apply` does.

use super::exported::Exported;
use super::literal::LiteralLanguage;
use super::plan::{PathLanguage, export_lists, program_data};
use crate::error::WrapperError;
use crate::format::Wrapper;

const SCRIPT: &str = include_str!("playwright.mjs");
/// The line of the program that is replaced by the wrapper.
const WRAPPER_LINE: &str = "const WRAPPER = []; // copal: the wrapper";

pub(super) fn export(wrapper: &Wrapper) -> Result<Exported, WrapperError> {
    let mut warnings = Vec::new();
    let data = program_data(&export_lists(wrapper, PathLanguage::Css, &mut warnings)?, "css");
    let text = SCRIPT.replacen(
        WRAPPER_LINE,
        &format!("const WRAPPER = {};", data.write(LiteralLanguage::Json, 0)),
        1,
    );
    Ok(Exported { text, warnings })
}
