//! A Playwright script: one file for Node with the wrapper as data; a browser opens the page and a reader inside of it does what
//! `copal apply` does.

use super::Exported;
use super::literal::Language;
use super::plan::{Paths, lists, program_data};
use crate::file::Wrapper;

const SCRIPT: &str = include_str!("playwright.mjs");
/// The line of the file that the wrapper takes the place of.
const HERE: &str = "const WRAPPER = []; // copal: the wrapper";

pub(super) fn export(wrapper: &Wrapper) -> Result<Exported, String> {
    let mut warnings = Vec::new();
    let data = program_data(&lists(wrapper, Paths::Css, &mut warnings)?, "css");
    let text = SCRIPT.replacen(HERE, &format!("const WRAPPER = {};", data.write(Language::Json, 0)), 1);
    Ok(Exported { text, warnings })
}
