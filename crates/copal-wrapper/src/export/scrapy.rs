//! A Scrapy spider: one Python file with the wrapper as data and a reader on parsel that does what `copal apply` does.

use super::Exported;
use super::literal::Language;
use super::plan::{Paths, lists, program_data};
use crate::file::Wrapper;

const SPIDER: &str = include_str!("spider.py");
/// The line of the file that the wrapper takes the place of.
const HERE: &str = "WRAPPER = []  # copal: the wrapper";

pub(super) fn export(wrapper: &Wrapper) -> Result<Exported, String> {
    let mut warnings = Vec::new();
    let data = program_data(&lists(wrapper, Paths::Xpath, &mut warnings)?, "xpath");
    let text = SPIDER.replacen(HERE, &format!("WRAPPER = {}", data.write(Language::Python, 0)), 1);
    Ok(Exported { text, warnings })
}
