//! What all requests share.

use super::guard::RequestGuard;
use super::metrics::Metrics;
use super::problem::Problem;
use crate::engine::Engine;
use crate::jobs::JobRunner;
use crate::options::StoreOption;
use crate::settings::{ServiceLimits, StartPage};
use crate::task::StoreTarget;
use crate::workspace::{MAX_WRAPPER_BYTES, Workspace};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The service.
#[derive(Debug)]
pub(crate) struct ServiceState {
    pub(crate) engine: Arc<Engine>,
    pub(crate) workspace: Workspace,
    pub(crate) jobs: Arc<JobRunner>,
    pub(crate) limits: ServiceLimits,
    pub(crate) guard: RequestGuard,
    pub(crate) metrics: Metrics,
    /// PostgreSQL databases by name.
    pub(crate) databases: BTreeMap<String, String>,
    /// The page that the studio opens first.
    pub(crate) start: Option<StartPage>,
    /// The beginning of request ids: differs between two starts of the service.
    pub(crate) id_prefix: String,
    pub(crate) next_id: AtomicU64,
}

impl ServiceState {
    pub(crate) fn new_request_id(&self) -> String {
        format!("{}-{}", self.id_prefix, self.next_id.fetch_add(1, Ordering::Relaxed))
    }

    /// The database that a request may store in: one named at the start, else a file of the workspace.
    pub(crate) fn store_target(&self, option: &StoreOption, command: &str) -> Result<StoreTarget, Problem> {
        self.workspace.check_quota()?;
        let location = match self.databases.get(&option.database) {
            Some(url) => url.clone(),
            None => self.workspace.database(&option.database)?.to_string_lossy().into_owned(),
        };
        Ok(StoreTarget {
            location,
            table: option.table.clone(),
            key: option.key.clone(),
            command: command.to_owned(),
        })
    }

    /// The text of the wrapper that a request names or contains, and the name.
    pub(crate) fn wrapper_text(
        &self,
        name: Option<&str>,
        text: Option<String>,
    ) -> Result<(Option<String>, String), Problem> {
        match (name, text) {
            (Some(name), None) => Ok((Some(name.to_owned()), self.workspace.read_wrapper(name, None)?.1)),
            (None, Some(text)) if text.len() <= MAX_WRAPPER_BYTES => Ok((None, text)),
            (None, Some(_)) => {
                Err(Problem::bad_request(format_args!("a wrapper has at most {MAX_WRAPPER_BYTES} bytes")))
            }
            _ => Err(Problem::bad_request("expected either wrapper (a name) or wrapper_text")),
        }
    }
}
