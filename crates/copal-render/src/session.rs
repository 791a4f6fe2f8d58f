//! The connection to one tab: commands, and what happens to the page meanwhile.
//!
//! Windows that the page opens are closed, frames in other processes get sessions of
//! their own, and a crash is remembered.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::connection::Connection;
use crate::error::RenderError;

/// Time for one command.
const COMMAND_TIME: Duration = Duration::from_secs(10);
/// Frames in processes of their own that are read.
const MAX_FRAMES: usize = 50;

/// The events that sessions react to. All others are dropped when they arrive.
pub(crate) fn is_kept_event(method: &str) -> bool {
    matches!(method, "Inspector.targetCrashed" | "Target.attachedToTarget" | "Target.detachedFromTarget")
}

/// A frame in a process of its own.
#[derive(Debug, Clone)]
pub(crate) struct FrameSession {
    pub(crate) frame: String,
    pub(crate) session: String,
}

/// The connection to one tab.
#[derive(Debug)]
pub(crate) struct PageSession {
    connection: Connection,
    pub(crate) session: String,
    target: String,
    pub(crate) frames: Vec<FrameSession>,
    stop: StopCheck,
    crashed: bool,
}

/// Asks whether the run was interrupted.
#[derive(Clone)]
pub(crate) struct StopCheck(pub(crate) Arc<dyn Fn() -> bool + Send + Sync>);

impl std::fmt::Debug for StopCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StopCheck")
    }
}

#[derive(Deserialize)]
struct AttachedSession {
    #[serde(rename = "sessionId")]
    session: String,
}

#[derive(Deserialize)]
struct Evaluated {
    #[serde(default)]
    result: EvaluatedObject,
}

#[derive(Deserialize, Default)]
struct EvaluatedObject {
    #[serde(default)]
    value: Value,
}

impl PageSession {
    /// Attaches to a tab.
    pub(crate) fn attach(
        connection: &Connection,
        target: &str,
        stop: StopCheck,
    ) -> Result<Self, RenderError> {
        let params = json!({ "targetId": target, "flatten": true });
        let attached: AttachedSession =
            connection.call(None, "Target.attachToTarget", &params, COMMAND_TIME)?;
        Ok(Self {
            connection: connection.clone(),
            session: attached.session,
            target: target.to_owned(),
            frames: Vec::new(),
            stop,
            crashed: false,
        })
    }

    /// Sends a command to the tab and waits for its result.
    pub(crate) fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: &Value,
    ) -> Result<T, RenderError> {
        self.connection.call(Some(&self.session), method, params, COMMAND_TIME)
    }

    /// The same for one of the sessions, with another time limit, until the run is interrupted.
    pub(crate) fn call_within<T: DeserializeOwned>(
        &self,
        session: &str,
        method: &'static str,
        params: &Value,
        time: Duration,
    ) -> Result<T, RenderError> {
        self.connection.call_unless(Some(session), method, params, time, &*self.stop.0)
    }

    /// The value of a JavaScript expression in the page, without waiting for promises.
    pub(crate) fn evaluate(&self, expression: &str, time: Duration) -> Result<Value, RenderError> {
        let params = json!({ "expression": expression, "returnByValue": true, "silent": true });
        let evaluated: Evaluated =
            self.connection.call(Some(&self.session), "Runtime.evaluate", &params, time)?;
        Ok(evaluated.result.value)
    }

    /// Reacts to what has happened. Fails if the page crashed or the run was interrupted.
    pub(crate) fn handle_events(&mut self) -> Result<(), RenderError> {
        for event in self.connection.take_events(Some(&self.session)) {
            match event.method.as_str() {
                "Inspector.targetCrashed" => self.crashed = true,
                "Target.attachedToTarget" => self.add_frame(&event.params),
                "Target.detachedFromTarget" => {
                    let gone = event.params["sessionId"].as_str().unwrap_or_default();
                    self.frames.retain(|frame| frame.session != gone);
                    self.connection.forget_session(gone);
                }
                _ => {}
            }
        }
        if self.crashed {
            return Err(RenderError::Crashed);
        }
        if (self.stop.0)() { Err(RenderError::Stopped) } else { Ok(()) }
    }

    fn add_frame(&mut self, params: &Value) {
        let info = &params["targetInfo"];
        let (Some(frame), Some(session)) = (info["targetId"].as_str(), params["sessionId"].as_str()) else {
            return;
        };
        if info["type"] == "iframe" && self.frames.len() < MAX_FRAMES {
            self.frames.push(FrameSession { frame: frame.to_owned(), session: session.to_owned() });
        }
    }

    /// Closes the windows that pages of this context have opened.
    pub(crate) fn close_other_windows(&self, context: &str) -> Result<(), RenderError> {
        #[derive(Deserialize)]
        struct Targets {
            #[serde(rename = "targetInfos")]
            targets: Vec<Value>,
        }
        let found: Targets = self.connection.call(None, "Target.getTargets", &json!({}), COMMAND_TIME)?;
        let is_window = |target: &&Value| {
            target["browserContextId"] == context
                && target["type"] == "page"
                && target["targetId"] != self.target
        };
        for window in found.targets.iter().filter(is_window) {
            let params = json!({ "targetId": window["targetId"] });
            let _: Result<Value, _> = self.connection.call(None, "Target.closeTarget", &params, COMMAND_TIME);
        }
        Ok(())
    }
}

impl Drop for PageSession {
    fn drop(&mut self) {
        for frame in &self.frames {
            self.connection.forget_session(&frame.session);
        }
        self.connection.forget_session(&self.session);
    }
}
