//! Pages read with a wrapper: inputs in, answers in their order out.

use crate::error::{CliError, catch_panic};
use crate::inputs::Input;
use crate::page_pipeline::{Named, PageReader};
use crate::reporting;
use copal::wrapper::{Wrapper, apply};
use copal::{Answer, Page};
use copal_tasks::{OptionStyle, TaskError, WrapperPages};
use rayon::prelude::*;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// How a wrapper reads its inputs.
pub(crate) struct WrapperRun<'a> {
    pub(crate) wrapper: &'a Wrapper,
    pub(crate) reader: &'a PageReader<'a>,
    /// Maximum number of pages of a list.
    pub(crate) max_pages: usize,
    /// Maximum number of detail pages.
    pub(crate) max_details: usize,
    pub(crate) quiet: bool,
}

impl WrapperRun<'_> {
    /// Refuses to follow and to read details if the wrapper does not know how.
    pub(crate) fn check(&self) -> Result<(), CliError> {
        Ok(self.with_site(|site| site.check(OptionStyle::CommandLine))?)
    }

    /// Gives each page with its answer to the sink, until the sink has enough.
    pub(crate) fn for_each_answer(
        &self,
        inputs: &[Input],
        sink: impl FnMut(String, Result<(Page, Answer), CliError>) -> ControlFlow<()>,
    ) {
        self.with_site(|site| self.answer_batches(site, inputs, sink));
    }

    fn with_site<T>(&self, work: impl FnOnce(&WrapperPages<'_>) -> T) -> T {
        let read_page =
            |url: &str| self.reader.page(&Input::Url(url.to_owned())).map_err(TaskError::unreadable);
        work(&WrapperPages {
            wrapper: self.wrapper,
            read_page: &read_page,
            max_pages: self.max_pages,
            max_details: self.max_details,
        })
    }

    fn answer_batches(
        &self,
        site: &WrapperPages<'_>,
        inputs: &[Input],
        mut sink: impl FnMut(String, Result<(Page, Answer), CliError>) -> ControlFlow<()>,
    ) {
        let urls: HashSet<String> = inputs
            .iter()
            .filter(|input| matches!(input, Input::Url(_) | Input::Search(_)))
            .map(Input::name)
            .collect();
        let bar = reporting::progress_bar(inputs.len(), self.quiet);
        let answer = |(name, page): Named<Page>| {
            let answer = page.and_then(|page| {
                let mut answer = catch_panic(|| Ok(apply(self.wrapper, &page)))?;
                if urls.contains(name.as_str()) {
                    site.complete(&page, page.url.as_deref().unwrap_or(&name), &mut answer);
                }
                Ok((page, answer))
            });
            (name, answer)
        };
        self.reader.for_each_batch(|batch| {
            // threads for one page would only wait
            let answers: Vec<Named<(Page, Answer)>> = if batch.len() == 1 {
                batch.into_iter().map(answer).collect()
            } else {
                batch.into_par_iter().map(answer).collect()
            };
            for (name, answer) in answers {
                bar.inc(1);
                if bar.suspend(|| sink(name, answer)).is_break() {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        bar.finish_and_clear();
    }

    /// Warns about steps of the wrapper that are not done.
    pub(crate) fn warn_about_steps(&self, inputs: &[Input]) {
        let has_steps = self.wrapper.navigation.as_ref().is_some_and(|steps| !steps.steps.is_empty());
        if has_steps && inputs.iter().any(Input::is_url) && !self.quiet {
            reporting::warning("navigation.steps are not performed: copal does not fill in forms");
        }
    }
}
