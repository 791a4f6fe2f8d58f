//! A Scrapy spider: one Python file with the wrapper as data and with code on parsel that does what `copal
//! apply` does.

use super::exported::Exported;
use super::literal::LiteralLanguage;
use super::plan::{PathLanguage, export_lists, program_data};
use crate::error::WrapperError;
use crate::format::Wrapper;

const SPIDER: &str = include_str!("spider.py");
/// The line of the program that is replaced by the wrapper.
const WRAPPER_LINE: &str = "WRAPPER = []  # copal: the wrapper";

pub(super) fn export(wrapper: &Wrapper) -> Result<Exported, WrapperError> {
    let mut warnings = Vec::new();
    let data = program_data(&export_lists(wrapper, PathLanguage::Xpath, &mut warnings)?, "xpath");
    let text =
        SPIDER.replacen(WRAPPER_LINE, &format!("WRAPPER = {}", data.write(LiteralLanguage::Python, 0)), 1);
    Ok(Exported { text, warnings })
}
