//! Pages of the web: several hosts at once, answers in the order of the inputs.
//!
//! In: inputs, some of them addresses. Out: each input's answer, given in order as soon as it is there. The first interrupt
//! ends the run in good order: what was read is given out. The second ends it at once.

use crate::extract::file_answer;
use crate::inputs::Input;
use crate::report;
use copal::Answer;
use copal_site::{VisitOptions, VisitProgress, Visitor};
use futures_util::stream::{self, StreamExt};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::time::Duration;

/// Inputs in work at once: hosts differ in speed, and each is asked for one page at a time.
const AT_ONCE: usize = 32;

/// How much is told while it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Telling {
    Nothing,
    Bars,
    Lines,
}

impl Telling {
    pub(crate) fn of(quiet: bool, verbose: bool) -> Telling {
        match () {
            () if quiet => Telling::Nothing,
            () if verbose => Telling::Lines,
            () if io::stderr().is_terminal() => Telling::Bars,
            () => Telling::Nothing,
        }
    }
}

/// One input's answer; none if the run was ended before it began.
pub(crate) type InputAnswer = Result<Option<Answer>, String>;

/// Reads all inputs. The error says why nothing could be begun.
pub(crate) fn read(
    inputs: Vec<Input>,
    fetch: copal_fetch::FetchOptions,
    visit: &VisitOptions,
    (telling, jobs): (Telling, Option<usize>),
    sink: &mut dyn FnMut(String, InputAnswer) -> ControlFlow<()>,
) -> Result<(), String> {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    if let Some(jobs) = jobs {
        runtime.worker_threads(jobs);
    }
    let runtime = runtime.enable_all().build().map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let visitor = Visitor::new(fetch, visit.clone()).map_err(|error| error.to_string())?;
        let interrupt = Interrupts::listen().map_err(|error| error.to_string())?;
        tokio::spawn(interrupts(visitor.clone(), interrupt));
        let bars = MultiProgress::new();
        let options = visit.extract.clone();
        let answer = |input: Input| {
            let (visitor, options) = (visitor.clone(), options.clone());
            let bar = if telling == Telling::Bars {
                bars.add(ProgressBar::new_spinner())
            } else {
                ProgressBar::hidden()
            };
            let name = input.name();
            let work = tokio::spawn(async move {
                if visitor.stopper().is_stopped() {
                    return Ok(None);
                }
                let told = |progress: &VisitProgress| tell(telling, &bar, progress);
                let answer = match &input {
                    Input::Url(url) => {
                        show(&bar, url);
                        visitor.visit(url, told).await.map_err(|error| error.to_string())
                    }
                    file => tokio::task::block_in_place(|| file_answer(file, &options).map(Some)),
                };
                bar.finish_and_clear();
                answer
            });
            async move {
                (
                    name,
                    work.await
                        .unwrap_or_else(|_| Err("internal error on this page: please report it".into())),
                )
            }
        };
        let mut answers = stream::iter(inputs).map(answer).buffered(AT_ONCE);
        while let Some((name, answer)) = answers.next().await {
            // a database client waits by a runtime of its own, which may not stand inside of this one
            if tokio::task::block_in_place(|| bars.suspend(|| sink(name, answer))).is_break() {
                break;
            }
        }
        Ok(())
    })
}

/// Ends the run in good order at the first interrupt, at once at the second.
async fn interrupts(visitor: Visitor, mut interrupt: Interrupts) {
    if !interrupt.next().await {
        return;
    }
    report::warning(
        "interrupted: writing what was read; the same command goes on from the cache (interrupt again to quit at once)",
    );
    visitor.stopper().stop();
    if interrupt.next().await {
        std::process::exit(130);
    }
}

/// The user's interrupts, heard from the moment this is made.
struct Interrupts {
    #[cfg(unix)]
    signal: tokio::signal::unix::Signal,
}

impl Interrupts {
    fn listen() -> io::Result<Interrupts> {
        #[cfg(unix)]
        let signal = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())?;
        Ok(Interrupts {
            #[cfg(unix)]
            signal,
        })
    }

    /// Waits for the next one; false if there will be none.
    async fn next(&mut self) -> bool {
        #[cfg(unix)]
        return self.signal.recv().await.is_some();
        #[cfg(not(unix))]
        return tokio::signal::ctrl_c().await.is_ok();
    }
}

fn show(bar: &ProgressBar, url: &str) {
    bar.set_style(
        ProgressStyle::with_template("{spinner} {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()),
    );
    bar.set_message(report::printable(url));
    bar.enable_steady_tick(Duration::from_millis(120));
}

fn tell(telling: Telling, bar: &ProgressBar, progress: &VisitProgress) {
    let of = progress.announced.as_ref().map_or_else(String::new, |counter| {
        format!(" of {}{}", counter.total, if counter.at_least { " or more" } else { "" })
    });
    let details = progress
        .details
        .map_or_else(String::new, |details| format!(", details {} of {}", details.read, details.total));
    let line = format!(
        "{}: {}, {}{of} records{details}",
        report::printable(&progress.url),
        report::count(progress.pages, "page"),
        progress.records
    );
    match telling {
        Telling::Nothing => {}
        Telling::Bars => bar.set_message(line),
        Telling::Lines => eprintln!("{line}"),
    }
}
