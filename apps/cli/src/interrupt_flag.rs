//! A flag that the first Ctrl-C (or SIGTERM, SIGHUP) raises, and a wait that it ends. The second signal ends the process.
//!
//! A build without the cargo feature `fetch` does not listen: the first signal ends the process.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;
#[cfg(feature = "fetch")]
use {
    crate::error::CliError,
    crate::interrupts::{INTERRUPT_EXIT_CODE, Interrupts},
    std::sync::mpsc::channel,
    std::{io, thread},
};

/// Raised by the first signal.
#[derive(Debug, Clone, Default)]
pub(crate) struct InterruptFlag {
    state: Arc<(Mutex<bool>, Condvar)>,
}

impl InterruptFlag {
    /// Listens to signals from now on, in a thread of its own.
    #[cfg(feature = "fetch")]
    pub(crate) fn listen() -> Result<InterruptFlag, CliError> {
        let flag = InterruptFlag::default();
        let raised = flag.clone();
        let (ready, is_ready) = channel::<io::Result<()>>();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = match runtime {
                Ok(runtime) => runtime,
                Err(error) => return ready.send(Err(error)).unwrap_or_default(),
            };
            runtime.block_on(async {
                let mut interrupts = match Interrupts::listen() {
                    Ok(interrupts) => interrupts,
                    Err(error) => return ready.send(Err(error)).unwrap_or_default(),
                };
                let _ = ready.send(Ok(()));
                if !interrupts.next().await {
                    return;
                }
                raised.raise();
                if interrupts.next().await {
                    std::process::exit(INTERRUPT_EXIT_CODE);
                }
            });
        });
        match is_ready.recv() {
            Ok(Err(error)) => Err(CliError::unreadable(error)),
            _ => Ok(flag),
        }
    }

    #[cfg(feature = "fetch")]
    fn raise(&self) {
        let (flag, changed) = &*self.state;
        *flag.lock().unwrap_or_else(PoisonError::into_inner) = true;
        changed.notify_all();
    }

    pub(crate) fn is_raised(&self) -> bool {
        *self.state.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a time, or until the flag is raised. True if it is raised.
    pub(crate) fn wait_until(&self, time: Instant) -> bool {
        let (flag, changed) = &*self.state;
        let rest = time.saturating_duration_since(Instant::now());
        let flag = flag.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = changed.wait_timeout_while(flag, rest, |is_raised| !*is_raised);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}
