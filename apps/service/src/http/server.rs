//! Starts and ends the service.

// The service listens on a socket, which clippy.toml allows to copal-fetch and the server only.
#![allow(clippy::disallowed_types)]

use super::connections::serve_connections;
use super::guard::RequestGuard;
use super::metrics::Metrics;
use super::router::router;
use super::state::ServiceState;
use crate::engine::Engine;
use crate::jobs::{JobRunner, JobStore};
use crate::settings::ServeSettings;
use crate::workspace::{Workspace, WorkspaceError};
#[cfg(unix)]
use copal_tasks::is_hangup_ignored;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

/// Fewest characters of a token.
const MIN_TOKEN_CHARS: usize = 16;

/// Why the service cannot run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Others could use it.
    #[error("{0} can be reached by others: listening there needs a token (--token-file FILE or COPAL_TOKEN)")]
    NeedsToken(SocketAddr),
    /// The token can be guessed.
    #[error("the token is too short or has spaces: expected at least {MIN_TOKEN_CHARS} printable characters")]
    WeakToken,
    /// The address cannot be listened on.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The workspace cannot be used.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// Anything else.
    #[error("the service cannot run: {0}")]
    Setup(String),
}

/// Runs the service until a signal ends it. `on_start` gets the address that it listens on.
pub fn serve(settings: &ServeSettings, on_start: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| ServeError::Setup(error.to_string()))?;
    let served = runtime.block_on(run(settings, on_start));
    // workers of pages that still run are killed with the runtime
    runtime.shutdown_background();
    served
}

async fn run(settings: &ServeSettings, on_start: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    let wanted = SocketAddr::new(settings.address, settings.port);
    match &settings.token {
        None if !settings.address.is_loopback() => return Err(ServeError::NeedsToken(wanted)),
        Some(token) if token.len() < MIN_TOKEN_CHARS || !token.chars().all(|c| c.is_ascii_graphic()) => {
            return Err(ServeError::WeakToken);
        }
        _ => {}
    }
    let workspace = Workspace::open(&settings.workspace, settings.quota)?;
    let store =
        JobStore::open(&workspace.jobs_file()).map_err(|error| ServeError::Setup(error.to_string()))?;
    let engine = Arc::new(Engine::new(&settings.limits, &settings.network, Some(workspace.cache())));
    let jobs = Arc::new(JobRunner::new(store, engine.clone(), settings.limits.workers));
    let listener = TcpListener::bind(wanted).await.map_err(|error| ServeError::Listen(wanted, error))?;
    let address = listener.local_addr().map_err(|error| ServeError::Listen(wanted, error))?;
    let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis());
    let state = Arc::new(ServiceState {
        engine,
        workspace,
        jobs: jobs.clone(),
        limits: settings.limits.clone(),
        guard: RequestGuard { token: settings.token.clone(), address },
        metrics: Metrics::default(),
        databases: settings.databases.clone(),
        start: settings.start.clone(),
        id_prefix: format!("{started:x}"),
        next_id: AtomicU64::new(1),
    });
    let running_jobs = tokio::spawn(jobs.run(settings.retention));
    let (stop, stopped) = watch::channel(false);
    // installed before the service announces that it runs
    let signals = EndSignals::listen();
    tokio::spawn(async move {
        signals.wait().await;
        let _ = stop.send(true);
    });
    on_start(address);
    let limits = &settings.limits;
    serve_connections(listener, router(state), limits.connections, limits.client_time, stopped).await;
    running_jobs.abort();
    Ok(())
}

/// Signals of the user or the system that want the service to end: Ctrl-C, and on Unix SIGTERM, and SIGHUP of a terminal
/// that is closed.
struct EndSignals {
    #[cfg(unix)]
    signals: [Option<Signal>; 3],
}

impl EndSignals {
    /// Catches signals from now on. One that cannot be caught ends the process as usual.
    fn listen() -> EndSignals {
        #[cfg(unix)]
        {
            // a service under `nohup` is to outlive its terminal
            let hangup = if is_hangup_ignored() { None } else { signal(SignalKind::hangup()).ok() };
            EndSignals {
                signals: [signal(SignalKind::interrupt()).ok(), signal(SignalKind::terminate()).ok(), hangup],
            }
        }
        #[cfg(not(unix))]
        EndSignals {}
    }

    /// Waits for the first signal.
    #[cfg(unix)]
    async fn wait(self) {
        let [interrupt, terminate, hangup] = self.signals;
        tokio::select! {
            () = received(interrupt) => {}
            () = received(terminate) => {}
            () = received(hangup) => {}
        }
    }

    /// Waits for the first signal.
    #[cfg(not(unix))]
    async fn wait(self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// Waits for a signal, forever if it is not listened to.
#[cfg(unix)]
async fn received(signal: Option<Signal>) {
    match signal {
        Some(mut signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}
