//! A browser that runs: its process and the connection to it.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::connection::Connection;
use crate::error::RenderError;
use crate::executable::FoundBrowser;
use crate::process::BrowserProcess;
use crate::session::is_kept_event;

/// Time for the browser to start.
const START_TIME: Duration = Duration::from_mins(1);
/// Time for a command to the browser itself.
const COMMAND_TIME: Duration = Duration::from_secs(20);

/// A browser that runs.
#[derive(Debug)]
pub(crate) struct RunningBrowser {
    pub(crate) connection: Connection,
    process: BrowserProcess,
}

impl RunningBrowser {
    pub(crate) fn start(found: &FoundBrowser, sandbox: bool) -> Result<Self, RenderError> {
        let (process, reader, writer) = BrowserProcess::start(&found.path, sandbox)?;
        let connection = Connection::new(reader, writer, is_kept_event);
        match connection.call::<Value>(None, "Browser.getVersion", &json!({}), START_TIME) {
            Ok(_) => Ok(Self { connection, process }),
            Err(_) => {
                process.kill();
                Err(process.start_error())
            }
        }
    }

    /// Sends a command to the browser itself. A browser that does not answer such a command hangs, and is ended.
    pub(crate) fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: &Value,
    ) -> Result<T, RenderError> {
        self.connection.call(None, method, params, COMMAND_TIME).map_err(|error| match error {
            RenderError::Timeout { .. } => {
                self.kill();
                RenderError::Crashed
            }
            other => other,
        })
    }

    /// The id of the browser's process.
    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Ends the browser. Its tabs fail with [`RenderError::Crashed`].
    pub(crate) fn kill(&self) {
        self.process.kill();
    }
}
