//! The Chrome DevTools Protocol over a pipe: commands in, results and events out.
//!
//! Messages are JSON, ended by a zero byte. A thread reads them; callers wait for theirs with a time limit.
//! Only what is needed is parsed here, so that a snapshot of many megabytes is parsed once, by its reader.

use std::collections::{HashMap, VecDeque};
use std::io::{BufReader, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::error::RenderError;

/// Bytes of one message of the browser.
pub(crate) const MAX_MESSAGE_BYTES: usize = 200_000_000;
/// Events that are kept for a session that does not read them. The oldest are dropped.
const MAX_KEPT_EVENTS: usize = 2_000;

/// Time between two questions whether somebody is still interested in a result.
const ASK_EVERY: Duration = Duration::from_millis(200);

/// Dialogs stop all scripts of their page, and with them everything that others wait for, so they are dismissed
/// as soon as they open.
const DIALOG_OPENED: &str = "Page.javascriptDialogOpening";

type Writer = Arc<Mutex<Box<dyn Write + Send>>>;

/// What every message has.
#[derive(Deserialize)]
struct MessageHead {
    id: Option<u64>,
    method: Option<String>,
    #[serde(rename = "sessionId")]
    session: Option<String>,
    error: Option<ProtocolError>,
}

#[derive(Deserialize)]
struct ProtocolError {
    message: String,
}

#[derive(Deserialize)]
struct ResultMessage<T> {
    result: T,
}

#[derive(Deserialize)]
struct EventMessage {
    #[serde(default)]
    params: Value,
}

/// Something that happened in a session.
#[derive(Debug)]
pub(crate) struct BrowserEvent {
    pub(crate) method: String,
    pub(crate) params: Value,
}

type Reply = Result<Vec<u8>, RenderError>;

#[derive(Default)]
struct ConnectionState {
    pending: HashMap<u64, mpsc::Sender<Reply>>,
    /// By session; the browser's own events have an empty name.
    events: HashMap<String, VecDeque<BrowserEvent>>,
    /// Why no more messages come.
    ended: Option<RenderError>,
}

/// A connection to one browser. All clones are the same connection.
#[derive(Clone)]
pub(crate) struct Connection {
    writer: Writer,
    state: Arc<Mutex<ConnectionState>>,
    next_id: Arc<AtomicU64>,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Connection")
    }
}

impl Connection {
    /// Speaks over this pipe. `is_kept` tells which events are kept.
    pub(crate) fn new(
        reader: impl Read + Send + 'static,
        writer: impl Write + Send + 'static,
        is_kept: fn(&str) -> bool,
    ) -> Self {
        let state = Arc::new(Mutex::new(ConnectionState::default()));
        let writer: Writer = Arc::new(Mutex::new(Box::new(writer)));
        let (shared, replies) = (Arc::clone(&state), Arc::clone(&writer));
        thread::spawn(move || read_messages(reader, &shared, &replies, is_kept));
        Self { writer, state, next_id: Arc::default() }
    }

    /// Sends a command and waits for its result.
    pub(crate) fn call<T: DeserializeOwned>(
        &self,
        session: Option<&str>,
        method: &'static str,
        params: &Value,
        time: Duration,
    ) -> Result<T, RenderError> {
        self.call_unless(session, method, params, time, &|| false)
    }

    /// Sends a command and waits for its result, unless `stopped` says that nobody is interested any more.
    pub(crate) fn call_unless<T: DeserializeOwned>(
        &self,
        session: Option<&str>,
        method: &'static str,
        params: &Value,
        time: Duration,
        stopped: &dyn Fn() -> bool,
    ) -> Result<T, RenderError> {
        let message = self.call_raw(session, method, params, time, stopped)?;
        let parsed: ResultMessage<T> = serde_json::from_slice(&message)
            .map_err(|error| RenderError::Browser { reason: format!("{method}: {error}") })?;
        Ok(parsed.result)
    }

    fn call_raw(
        &self,
        session: Option<&str>,
        method: &'static str,
        params: &Value,
        time: Duration,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>, RenderError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed) + 1;
        let (sender, receiver) = mpsc::channel();
        {
            let mut state = lock(&self.state);
            if let Some(error) = &state.ended {
                return Err(error.clone());
            }
            state.pending.insert(id, sender);
        }
        let reply = match send(&self.writer, id, session, method, params) {
            Err(_) => Err(RenderError::Crashed),
            Ok(()) => wait_for_reply(&receiver, method, time, stopped),
        };
        lock(&self.state).pending.remove(&id);
        reply
    }

    /// The events of a session since the last call; `None` for those of the browser.
    pub(crate) fn take_events(&self, session: Option<&str>) -> VecDeque<BrowserEvent> {
        let mut state = lock(&self.state);
        state.events.get_mut(session.unwrap_or_default()).map(std::mem::take).unwrap_or_default()
    }

    /// Forgets a session.
    pub(crate) fn forget_session(&self, session: &str) {
        lock(&self.state).events.remove(session);
    }

    /// True if the browser has closed the connection.
    pub(crate) fn has_ended(&self) -> bool {
        lock(&self.state).ended.is_some()
    }
}

fn wait_for_reply(
    receiver: &mpsc::Receiver<Reply>,
    method: &'static str,
    time: Duration,
    stopped: &dyn Fn() -> bool,
) -> Reply {
    let deadline = Instant::now() + time;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match receiver.recv_timeout(left.min(ASK_EVERY)) {
            Ok(reply) => return reply,
            Err(RecvTimeoutError::Disconnected) => return Err(RenderError::Crashed),
            Err(RecvTimeoutError::Timeout) if stopped() => return Err(RenderError::Stopped),
            Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                return Err(RenderError::Timeout { what: method, after: time });
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Sends a command.
fn send(
    writer: &Writer,
    id: u64,
    session: Option<&str>,
    method: &str,
    params: &Value,
) -> std::io::Result<()> {
    let mut message = json!({ "id": id, "method": method, "params": params });
    if let Some(session) = session {
        message["sessionId"] = session.into();
    }
    let mut bytes = message.to_string().into_bytes();
    bytes.push(0);
    let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
    writer.write_all(&bytes)?;
    writer.flush()
}

fn read_messages(
    reader: impl Read,
    state: &Mutex<ConnectionState>,
    writer: &Writer,
    is_kept: fn(&str) -> bool,
) {
    let mut reader = BufReader::with_capacity(1 << 16, reader);
    let error = loop {
        let mut message = Vec::new();
        match read_message(&mut reader, &mut message) {
            Ok(true) => dispatch(message, state, writer, is_kept),
            Ok(false) => break RenderError::Crashed,
            Err(error) => break error,
        }
    };
    let mut state = lock(state);
    for (_, sender) in state.pending.drain() {
        let _ = sender.send(Err(error.clone()));
    }
    state.ended = Some(error);
}

/// Reads up to the next zero byte. Returns false at the end.
fn read_message(reader: &mut impl std::io::BufRead, message: &mut Vec<u8>) -> Result<bool, RenderError> {
    loop {
        let available = match reader.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return Ok(false),
        };
        if available.is_empty() {
            return Ok(false);
        }
        let end = available.iter().position(|&byte| byte == 0);
        let taken = end.unwrap_or(available.len());
        if message.len() + taken > MAX_MESSAGE_BYTES {
            return Err(RenderError::TooLarge { limit: MAX_MESSAGE_BYTES });
        }
        message.extend_from_slice(&available[..taken]);
        reader.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(true);
        }
    }
}

fn dispatch(message: Vec<u8>, state: &Mutex<ConnectionState>, writer: &Writer, is_kept: fn(&str) -> bool) {
    // A message that cannot be parsed is one that nobody waits for: its caller runs into its time limit.
    let Ok(head) = serde_json::from_slice::<MessageHead>(&message) else { return };
    if let Some(id) = head.id {
        let sender = lock(state).pending.remove(&id);
        if let Some(sender) = sender {
            let reply = match head.error {
                Some(error) => Err(RenderError::Browser { reason: printable(&error.message) }),
                None => Ok(message),
            };
            let _ = sender.send(reply);
        }
    } else if head.method.as_deref() == Some(DIALOG_OPENED) {
        // Nobody waits for the reply, which has the number 0.
        let params = json!({ "accept": false });
        let _ = send(writer, 0, head.session.as_deref(), "Page.handleJavaScriptDialog", &params);
    } else if let Some(method) = head.method.filter(|method| is_kept(method)) {
        let Ok(EventMessage { params }) = serde_json::from_slice(&message) else { return };
        let mut state = lock(state);
        let events = state.events.entry(head.session.unwrap_or_default()).or_default();
        if events.len() >= MAX_KEPT_EVENTS {
            events.pop_front();
        }
        events.push_back(BrowserEvent { method, params });
    }
}

/// Text of the browser for a message: short, without control characters.
pub(crate) fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(200).collect()
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: Duration = Duration::from_secs(5);

    /// A browser that has already said everything.
    fn after(messages: &str) -> Connection {
        let bytes = messages.replace('|', "\0").into_bytes();
        let connection = Connection::new(std::io::Cursor::new(bytes), std::io::sink(), |_| true);
        while !connection.has_ended() {
            thread::yield_now();
        }
        connection
    }

    #[test]
    fn events_are_kept_by_session() {
        let connection = after(
            r#"{"method":"A","params":{"x":1},"sessionId":"s"}|{"method":"B"}|not json|{"id":7,"result":{}}|{"cut"#,
        );
        let names = |session| -> Vec<String> {
            connection.take_events(session).into_iter().map(|event| event.method).collect()
        };
        assert_eq!(
            (names(Some("s")), names(None), names(None)),
            (vec!["A".into()], vec!["B".into()], vec![])
        );
    }

    #[test]
    fn calls_fail_when_the_browser_is_gone() {
        let connection = after("");
        let error = connection.call::<Value>(None, "X", &json!({}), TIME).unwrap_err();
        assert!(matches!(error, RenderError::Crashed), "{error}");
    }

    #[test]
    fn calls_have_a_time_limit() {
        let (reader, _writer) = std::io::pipe().unwrap();
        let connection = Connection::new(reader, std::io::sink(), |_| true);
        let error = connection.call::<Value>(None, "X", &json!({}), Duration::from_millis(20)).unwrap_err();
        assert!(matches!(error, RenderError::Timeout { .. }), "{error}");
    }
}
