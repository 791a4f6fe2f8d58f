//! A Playwright script: one file for Node with the wrapper as data. A browser opens the page, and code inside
//! it does what `copal apply` does.

use super::ExportOptions;
use super::exported::Exported;
use super::literal::{Literal, LiteralLanguage};
use super::plan::{PathLanguage, export_lists, program_data};
use super::site_steps::{self, SiteSteps};
use crate::error::WrapperError;
use crate::format::Wrapper;

const SCRIPT: &str = include_str!("playwright.mjs");
/// The line of the program that is replaced by the wrapper.
const WRAPPER_LINE: &str = "const WRAPPER = []; // copal: the wrapper";

/// The line that is replaced by the selectors of the next link.
const NEXT_LINE: &str = "const NEXT = []; // copal: the next link";
/// The line that is replaced by what is done before the first page is read.
const STEPS_LINE: &str = "const STEPS = []; // copal: the steps";
/// The line that is replaced by the first pages of the site's lists.
const START_LINE: &str = "const START = []; // copal: the lists of the site";
/// The line that is replaced by how many pages are read.
const PAGES_LINE: &str = "const PAGES = \"1\"; // copal: how many pages";

pub(super) fn export(wrapper: &Wrapper, options: &ExportOptions) -> Result<Exported, WrapperError> {
    let mut warnings = Vec::new();
    let data = program_data(&export_lists(wrapper, PathLanguage::Css, &mut warnings)?, "css");
    let site = SiteSteps::of(wrapper, PathLanguage::Css, &mut warnings);
    let own_steps = wrapper.navigation.as_ref().map_or(&[][..], |navigation| &navigation.steps);
    let steps = site_steps::actions_data(&site_steps::page_actions(own_steps, PathLanguage::Css)?);
    let mut starts = Vec::new();
    for start in site_steps::all_starts(wrapper, &mut warnings) {
        let actions = site_steps::page_actions(start.steps, PathLanguage::Css)?;
        let keys = [("url", start.url.into()), ("steps", site_steps::actions_data(&actions))];
        starts.push(Literal::Map(keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()));
    }
    let follow = options.follow || site_steps::is_site(wrapper);
    let pages = if follow { "const PAGES = \"all\";" } else { "const PAGES = \"1\";" };
    let constant =
        |name: &str, data: &Literal| format!("const {name} = {};", data.write(LiteralLanguage::Json, 0));
    // the wrapper comes last: its texts may look like the other lines
    let text = SCRIPT
        .replacen(PAGES_LINE, pages, 1)
        .replacen(NEXT_LINE, &constant("NEXT", &site.next_data()), 1)
        .replacen(STEPS_LINE, &constant("STEPS", &steps), 1)
        .replacen(START_LINE, &constant("START", &Literal::List(starts)), 1)
        .replacen(WRAPPER_LINE, &constant("WRAPPER", &data), 1);
    Ok(Exported { text: site_steps::missing_comments(&warnings, "//") + &text, warnings })
}
