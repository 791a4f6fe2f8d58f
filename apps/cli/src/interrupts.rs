//! Signals that end a run: Ctrl-C, and on Unix SIGTERM and SIGHUP.
//!
//! The first signal ends a run in good order: what was read is given out. The second ends it at once.

use crate::reporting;
use copal_site::Visitor;
use std::io;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The exit code of programs that Ctrl-C ended.
pub(crate) const INTERRUPT_EXIT_CODE: i32 = 130;

/// Stops the visits of a visitor in good order at the first signal, and the process at the second.
pub(crate) async fn stop_on_interrupt(visitor: Visitor, interrupts: Interrupts) {
    end_on_interrupt(|| visitor.stopper().stop(), interrupts).await;
}

/// Calls `stop` at the first signal, and ends the process at the second.
pub(crate) async fn end_on_interrupt(stop: impl FnOnce(), mut interrupts: Interrupts) {
    if !interrupts.next().await {
        return;
    }
    reporting::warning(
        "interrupted: writing what was read; run the same command again to continue, without fetching cached pages \
         again (interrupt again to quit at once)",
    );
    stop();
    if interrupts.next().await {
        std::process::exit(INTERRUPT_EXIT_CODE);
    }
}

/// Signals to end, caught from the moment this is made.
pub(crate) struct Interrupts {
    #[cfg(unix)]
    interrupt: Signal,
    #[cfg(unix)]
    terminate: Signal,
    /// `None` if the run is to outlive its terminal.
    #[cfg(unix)]
    hangup: Option<Signal>,
}

impl Interrupts {
    pub(crate) fn listen() -> io::Result<Interrupts> {
        Ok(Interrupts {
            #[cfg(unix)]
            interrupt: signal(SignalKind::interrupt())?,
            #[cfg(unix)]
            terminate: signal(SignalKind::terminate())?,
            #[cfg(unix)]
            hangup: if copal_tasks::is_hangup_ignored() { None } else { Some(signal(SignalKind::hangup())?) },
        })
    }

    /// Waits for the next signal; false if there will be none.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) -> bool {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            signal = self.interrupt.recv() => signal.is_some(),
            signal = self.terminate.recv() => signal.is_some(),
            signal = hangup => signal.is_some(),
        }
    }

    /// Waits for the next signal; false if there will be none.
    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) -> bool {
        tokio::signal::ctrl_c().await.is_ok()
    }
}
