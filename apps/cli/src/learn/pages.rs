//! The pages of a run: read and parsed once, kept while they fit, else read again in every round.
//!
//! In: inputs. Out: for every round what a function makes of each page, in the order of the inputs. A page that cannot
//! be read is a warning, once; it gives the default of what is asked for.

use crate::extract::{guarded, progress};
use crate::inputs::Input;
use crate::report;
use copal::{Limits, Page, PageSource};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A parsed page takes some five times the bytes of its HTML.
const PARSED: usize = 5;

enum Kept {
    Unread,
    Page(Box<Page>),
    /// Does not fit: read again.
    Input,
    Bad,
}

pub(super) struct Pages {
    pages: Vec<(Input, Kept)>,
    limits: Limits,
    /// Bytes of HTML that may still be kept.
    room: AtomicUsize,
    quiet: bool,
}

impl Pages {
    pub(super) fn new(inputs: Vec<Input>, limits: Limits, megabytes: usize, quiet: bool) -> Pages {
        let pages = inputs.into_iter().map(|input| (input, Kept::Unread)).collect();
        let room = AtomicUsize::new(megabytes.saturating_mul(1_000_000) / PARSED);
        Pages { pages, limits, room, quiet }
    }

    /// Pages that were read at least once.
    pub(super) fn readable(&self) -> usize {
        self.pages.iter().filter(|(_, kept)| matches!(kept, Kept::Page(_) | Kept::Input)).count()
    }

    /// What `work` makes of every page; pages run in parallel.
    pub(super) fn map<T: Default + Send>(&mut self, work: impl Fn(&Page) -> T + Sync) -> Vec<T> {
        let bar = progress(self.pages.len(), self.quiet);
        let (limits, room, quiet) = (&self.limits, &self.room, self.quiet);
        let found = self
            .pages
            .par_iter_mut()
            .map(|(input, kept)| {
                let tell = |why: &str| warn(&bar, input, why, quiet);
                let found = one(input, kept, limits, room, &tell, &work);
                bar.inc(1);
                found.unwrap_or_else(|why| {
                    *kept = Kept::Bad;
                    warn(&bar, input, &why, quiet);
                    T::default()
                })
            })
            .collect();
        bar.finish_and_clear();
        found
    }
}

fn one<T: Default>(
    input: &Input,
    kept: &mut Kept,
    limits: &Limits,
    room: &AtomicUsize,
    tell: &dyn Fn(&str),
    work: &(impl Fn(&Page) -> T + Sync),
) -> Result<T, String> {
    match kept {
        Kept::Bad => return Ok(T::default()),
        Kept::Page(page) => return guarded(|| Ok(work(page))),
        Kept::Unread | Kept::Input => {}
    }
    let bytes = input.read(limits.bytes)?;
    let page =
        guarded(|| Page::from_bytes(&bytes, PageSource::default(), limits).map_err(|e| e.to_string()))?;
    let found = guarded(|| Ok(work(&page)))?;
    if matches!(kept, Kept::Unread) {
        page.warnings.iter().for_each(|warning| tell(&warning.to_string()));
    }
    // standard input cannot be read twice
    let fits = || {
        room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| room.checked_sub(bytes.len())).is_ok()
    };
    *kept = match kept {
        Kept::Unread if matches!(input, Input::Stdin) || fits() => Kept::Page(Box::new(page)),
        _ => Kept::Input,
    };
    Ok(found)
}

fn warn(bar: &ProgressBar, input: &Input, why: &str, quiet: bool) {
    if !quiet {
        bar.suspend(|| report::warning(format_args!("{}: {why}", input.name())));
    }
}
