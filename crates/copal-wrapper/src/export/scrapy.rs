//! A Scrapy spider: one Python file with the wrapper as data and with code on parsel that does what `copal
//! apply` does.

use super::ExportOptions;
use super::exported::Exported;
use super::literal::{Literal, LiteralLanguage};
use super::plan::{PathLanguage, export_lists, program_data};
use super::site_steps::{self, SiteSteps};
use crate::error::WrapperError;
use crate::format::Wrapper;

const SPIDER: &str = include_str!("spider.py");
/// The line of the program that is replaced by the wrapper.
const WRAPPER_LINE: &str = "WRAPPER = []  # copal: the wrapper";
/// The line that is replaced by the paths of the next link.
const NEXT_LINE: &str = "NEXT = []  # copal: the next link";
/// The line that is replaced by the URLs of the site's lists.
const START_LINE: &str = "START = []  # copal: the lists of the site";
/// The line that is replaced by the searches that lead to further lists.
const SEARCHES_LINE: &str = "SEARCHES = []  # copal: searches by POST";
/// The line that is replaced by how many pages are read.
const PAGES_LINE: &str = "PAGES = \"1\"  # copal: how many pages";

pub(super) fn export(wrapper: &Wrapper, options: &ExportOptions) -> Result<Exported, WrapperError> {
    let mut warnings = Vec::new();
    let data = program_data(&export_lists(wrapper, PathLanguage::Xpath, &mut warnings)?, "xpath");
    // a link that cannot be expressed is only missed by those who want it
    let mut next_warnings = Vec::new();
    let next = SiteSteps::of(wrapper, PathLanguage::Xpath, &mut next_warnings).next_data();
    warnings.extend(next_warnings.into_iter().filter(|_| options.follow || site_steps::is_site(wrapper)));
    site_steps::warn_of_navigation(wrapper, "Scrapy", &["steps"], &mut warnings);
    let follow = options.follow || site_steps::is_site(wrapper);
    let pages = if follow { "PAGES = \"all\"" } else { "PAGES = \"1\"" };
    let python = LiteralLanguage::Python;
    // the wrapper comes last: its texts may look like the other lines
    let text = SPIDER
        .replacen(PAGES_LINE, pages, 1)
        .replacen(START_LINE, &format!("START = {}", start_data(wrapper).write(python, 0)), 1)
        .replacen(SEARCHES_LINE, &format!("SEARCHES = {}", search_data(wrapper).write(python, 0)), 1)
        .replacen(NEXT_LINE, &format!("NEXT = {}", next.write(python, 0)), 1)
        .replacen(WRAPPER_LINE, &format!("WRAPPER = {}", data.write(python, 0)), 1);
    Ok(Exported { text: site_steps::missing_comments(&warnings, "#") + &text, warnings })
}

/// The URLs of the lists.
fn start_data(wrapper: &Wrapper) -> Literal {
    let Some(site) = &wrapper.navigation else { return Literal::List(Vec::new()) };
    let urls = site.open.iter().chain(&site.lists);
    Literal::List(urls.map(|url| url.as_str().into()).collect())
}

/// The searches by POST: the page of the form, the URL that it is sent to, and its fields as in a query.
fn search_data(wrapper: &Wrapper) -> Literal {
    let searches = wrapper.navigation.iter().flat_map(|site| &site.searches).map(|search| {
        let map = vec![
            ("page".to_owned(), search.page.as_str().into()),
            ("url".to_owned(), search.url.as_str().into()),
            ("form".to_owned(), search.form.as_str().into()),
        ];
        Literal::Map(map)
    });
    Literal::List(searches.collect())
}
