//! Hands a text to a program that a user named: on its standard input, without a shell, within limits.
//!
//! In: the program with its arguments, and the text. Out: what the program printed, or why it failed. One that takes
//! too long or prints too much is ended together with whatever it started.

use crate::error::describe_io_error;
use crate::grouped_child::GroupedChild;
use std::io::{self, Read, Write};
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// What a program may print, in bytes, on each of its two outputs.
const MAX_PRINTED_BYTES: usize = 1_000_000;
/// Time between two looks at a program that is still running.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Time for the last output after a program has ended. What it started itself may keep its outputs open.
const LAST_OUTPUT_TIME: Duration = Duration::from_millis(500);

/// Why a program did not take the text.
#[derive(Debug, Error)]
pub(crate) enum HandOverError {
    #[error("cannot start {program:?}: {}", describe_io_error(.source))]
    NotStarted { program: String, source: io::Error },
    #[error("{program:?} has not ended after {} s", .limit.as_secs_f64())]
    Timeout { program: String, limit: Duration },
    #[error("{program:?} prints more than {MAX_PRINTED_BYTES} bytes")]
    TooMuchOutput { program: String },
    #[error("{program:?} failed ({status}){}", shown_end(.printed))]
    Failed { program: String, status: ExitStatus, printed: String },
}

/// The last line that a failed program printed.
fn shown_end(printed: &str) -> String {
    printed.trim_end().lines().next_back().map_or_else(String::new, |line| format!(": {line}"))
}

/// Runs a program and returns what it printed on its standard output.
pub(crate) fn hand_over(
    command: &[String],
    text: String,
    time_limit: Duration,
) -> Result<String, HandOverError> {
    let deadline = Instant::now() + time_limit;
    let program = command.first().cloned().unwrap_or_default();
    let failed = |source| HandOverError::NotStarted { program: program.clone(), source };
    let piped = Stdio::piped;
    let mut child =
        GroupedChild::start(command, |start| start.stdin(piped()).stdout(piped()).stderr(piped()))
            .map_err(failed)?;
    if let Some(mut stdin) = child.process.stdin.take() {
        // a program that does not read its input would block whoever writes it
        thread::spawn(move || stdin.write_all(text.as_bytes()));
    }
    let stdout = child.process.stdout.take().map(read_bounded);
    let stderr = child.process.stderr.take().map(read_bounded);
    let (mut printed, mut messages) = (None, None);
    let status = loop {
        for (receiver, read) in [(&stdout, &mut printed), (&stderr, &mut messages)] {
            if let Some(bytes) = receiver.as_ref().and_then(|receiver| receiver.try_recv().ok()) {
                if bytes.len() > MAX_PRINTED_BYTES {
                    return Err(HandOverError::TooMuchOutput { program });
                }
                *read = Some(bytes);
            }
        }
        match child.process.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() >= deadline => {
                return Err(HandOverError::Timeout { program, limit: time_limit });
            }
            Ok(None) => thread::sleep(POLL_INTERVAL),
            Err(source) => return Err(HandOverError::NotStarted { program, source }),
        }
    };
    let last = |receiver: Option<Receiver<Vec<u8>>>, read: Option<Vec<u8>>| match (read, receiver) {
        (Some(bytes), _) => bytes,
        (None, Some(receiver)) => receiver.recv_timeout(LAST_OUTPUT_TIME).unwrap_or_default(),
        (None, None) => Vec::new(),
    };
    let (printed, messages) = (last(stdout, printed), last(stderr, messages));
    if printed.len().max(messages.len()) > MAX_PRINTED_BYTES {
        return Err(HandOverError::TooMuchOutput { program });
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if status.success() {
        return Ok(text(&printed));
    }
    let said = if messages.is_empty() { &printed } else { &messages };
    Err(HandOverError::Failed { program, status, printed: text(said) })
}

/// Reads a stream in a thread of its own: all of it, or one byte more than is allowed.
fn read_bounded(stream: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.take(MAX_PRINTED_BYTES as u64 + 1).read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn hand(line: &str, text: &str, seconds: f64) -> Result<String, HandOverError> {
        let command: Vec<String> = ["sh", "-c", line].map(str::to_owned).to_vec();
        hand_over(&command, text.to_owned(), Duration::from_secs_f64(seconds))
    }

    #[test]
    fn a_program_gets_the_text_and_its_output_is_returned() {
        assert_eq!(hand("cat", "one\ntwo", 60.0).unwrap(), "one\ntwo");
        // nobody reads the input
        assert_eq!(hand("echo done", &"x".repeat(1_000_000), 60.0).unwrap(), "done\n");
    }

    #[test]
    fn programs_that_fail_hang_or_print_too_much_are_ended() {
        let failed = hand("echo why >&2; exit 7", "", 60.0).unwrap_err();
        assert!(failed.to_string().ends_with("7): why"), "{failed}");
        assert!(matches!(hand("sleep 100", "", 0.2), Err(HandOverError::Timeout { .. })));
        assert!(matches!(hand("yes", "", 60.0), Err(HandOverError::TooMuchOutput { .. })));
        let missing = hand_over(&["no-such-program".to_owned()], String::new(), Duration::from_secs(1));
        assert!(missing.unwrap_err().to_string().contains("no such file or folder"));
    }
}
