//! A Scrapy spider: one Python file with the wrapper as data and with code on parsel that does what `copal
//! apply` does.

use super::ExportOptions;
use super::exported::Exported;
use super::literal::LiteralLanguage;
use super::plan::{PathLanguage, export_lists, program_data};
use super::site_steps::SiteSteps;
use crate::error::WrapperError;
use crate::format::Wrapper;

const SPIDER: &str = include_str!("spider.py");
/// The line of the program that is replaced by the wrapper.
const WRAPPER_LINE: &str = "WRAPPER = []  # copal: the wrapper";
/// The line that is replaced by the paths of the next link.
const NEXT_LINE: &str = "NEXT = []  # copal: the next link";
/// The line that is replaced by how many pages are read.
const PAGES_LINE: &str = "PAGES = \"1\"  # copal: how many pages";

pub(super) fn export(wrapper: &Wrapper, options: &ExportOptions) -> Result<Exported, WrapperError> {
    let mut warnings = Vec::new();
    let data = program_data(&export_lists(wrapper, PathLanguage::Xpath, &mut warnings)?, "xpath");
    // a link that cannot be expressed is only missed by those who want it
    let mut next_warnings = Vec::new();
    let next = SiteSteps::of(wrapper, PathLanguage::Xpath, &mut next_warnings).next_data();
    warnings.extend(next_warnings.into_iter().filter(|_| options.follow));
    let pages = if options.follow { "PAGES = \"all\"" } else { "PAGES = \"1\"" };
    let python = LiteralLanguage::Python;
    // the wrapper comes last: its texts may look like the other lines
    let text = SPIDER
        .replacen(PAGES_LINE, pages, 1)
        .replacen(NEXT_LINE, &format!("NEXT = {}", next.write(python, 0)), 1)
        .replacen(WRAPPER_LINE, &format!("WRAPPER = {}", data.write(python, 0)), 1);
    Ok(Exported { text, warnings })
}
