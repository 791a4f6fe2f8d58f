//! Logs on standard error and in the file of a service: events of `tracing`, as text or as one JSON object per line.
//!
//! In: events of copal's own crates, up to the level that `-v`, `-vv` and `-vvv` ask for. Out: lines. Other libraries
//! are not logged: their events could contain headers. Spans are not used.

use crate::log_file::LogFile;
use crate::reporting;
use serde_json::{Map, Value as Json};
use std::fmt::Debug;
use std::sync::OnceLock;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Starts logging; `verbosity` is how often `-v` was given.
pub(crate) fn start(verbosity: u8) {
    let level = match verbosity {
        0 => return,
        1 => Level::INFO,
        2 => Level::DEBUG,
        _ => Level::TRACE,
    };
    start_at(level, true);
}

/// Starts logging to a file once [`write_to`] names it, and to standard error if `prints`.
#[cfg(feature = "serve")]
pub(crate) fn start_service(prints: bool) {
    start_at(Level::INFO, prints);
}

/// The file that gets all events from now on.
#[cfg(feature = "serve")]
pub(crate) fn write_to(file: LogFile) {
    // the first file stays: a process has one service
    let _ = LOG_FILE.set(file);
}

fn start_at(level: Level, prints: bool) {
    // fails only if it was called before, which then decides
    let _ = tracing::subscriber::set_global_default(LogSubscriber { level, prints });
}

static LOG_FILE: OnceLock<LogFile> = OnceLock::new();

struct LogSubscriber {
    level: Level,
    /// Print events on standard error.
    prints: bool,
}

impl Subscriber for LogSubscriber {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= self.level && metadata.target().starts_with("copal")
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::from_level(self.level))
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = EventFields::default();
        event.record(&mut fields);
        let level = event.metadata().level().as_str().to_ascii_lowercase();
        if self.prints {
            reporting::log_event(&level, &fields.message, &fields.values);
        }
        if let Some(file) = LOG_FILE.get() {
            file.write_line(&reporting::json_event(&level, &fields.message, &fields.values).to_string());
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The message and the other fields of an event.
#[derive(Default)]
struct EventFields {
    message: String,
    values: Map<String, Json>,
}

impl Visit for EventFields {
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.values.insert(field.name().to_owned(), value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            value.clone_into(&mut self.message);
        } else {
            self.values.insert(field.name().to_owned(), value.into());
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.record_str(field, &format!("{value:?}"));
    }
}
