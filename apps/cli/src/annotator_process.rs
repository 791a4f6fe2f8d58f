//! A program as an annotator: one line of JSON to its standard input, one line of JSON from its standard output.
//!
//! The program is started without a shell when the first page needs it, and kept for the following pages. One that
//! ends after an answer is started again. It is ended if it does not answer in time or answers too much. After a
//! failure it is not asked again: pages are then read without it, a warning says why, and the exit code is 4.

use crate::error::describe_io_error;
use crate::grouped_child::GroupedChild;
use crate::reporting;
use copal_domain::{Annotator, AnnotatorRequest, MAX_ANSWER_BYTES, TextAnnotation};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use thiserror::Error;

/// Why a program gave no answer.
#[derive(Debug, Error)]
enum ProcessError {
    #[error("cannot start {program:?}: {}", describe_io_error(.source))]
    NotStarted { program: String, source: io::Error },
    #[error("no answer after {} s", .0.as_secs_f64())]
    Timeout(Duration),
    #[error("its answer is longer than {MAX_ANSWER_BYTES} bytes")]
    TooLong,
    #[error("it ended without an answer")]
    Ended,
}

/// A program that is bound to the name of an annotator.
#[derive(Debug)]
pub(crate) struct AnnotatorProcess {
    name: String,
    /// The program and its arguments.
    command: Vec<String>,
    time_limit: Duration,
    running: Mutex<Option<RunningAnnotator>>,
    has_failed: AtomicBool,
}

impl AnnotatorProcess {
    pub(crate) fn new(name: &str, command: &[String], time_limit: Duration) -> AnnotatorProcess {
        AnnotatorProcess {
            name: name.to_owned(),
            command: command.to_vec(),
            time_limit,
            running: Mutex::new(None),
            has_failed: AtomicBool::new(false),
        }
    }

    /// True if a page was read without it because it failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// The answer to a line. One page is answered after the other.
    fn answer(&self, line: &str) -> Result<Vec<u8>, ProcessError> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let has_answered = running.as_ref().is_some_and(|running| running.has_answered);
        let mut answer = self.ask(&mut running, line);
        if has_answered && matches!(answer, Err(ProcessError::Ended)) {
            // it answers one line and ends
            *running = None;
            answer = self.ask(&mut running, line);
        }
        if answer.is_err() {
            *running = None;
        }
        answer
    }

    fn ask(&self, running: &mut Option<RunningAnnotator>, line: &str) -> Result<Vec<u8>, ProcessError> {
        let running = match running {
            Some(running) => running,
            none => none.insert(RunningAnnotator::start(&self.command)?),
        };
        let sent = running.questions.send(line.to_owned());
        sent.map_err(|_| ProcessError::Ended)?;
        let answer = running.answers.recv_timeout(self.time_limit).map_err(|error| match error {
            RecvTimeoutError::Timeout => ProcessError::Timeout(self.time_limit),
            RecvTimeoutError::Disconnected => ProcessError::Ended,
        })??;
        running.has_answered = true;
        Ok(answer)
    }

    fn fail(&self, reason: impl std::fmt::Display) {
        if !self.has_failed.swap(true, Ordering::Relaxed) {
            reporting::warning(format_args!("annotator {}: {reason}: pages are read without it", self.name));
        }
    }
}

impl Annotator for AnnotatorProcess {
    fn name(&self) -> &str {
        &self.name
    }

    fn annotate(&self, request: &AnnotatorRequest<'_>) -> Vec<TextAnnotation> {
        if self.has_failed() {
            return Vec::new();
        }
        match self.answer(&request.to_line()) {
            Err(error) => self.fail(error),
            Ok(line) => match request.read_answer(&line) {
                Err(error) => self.fail(error),
                Ok(found) => return found,
            },
        }
        Vec::new()
    }
}

/// A started program, and the thread that talks to it. A program that does not read would block whoever writes to
/// it, so that this thread does both, and the page waits for it with a time limit.
#[derive(Debug)]
struct RunningAnnotator {
    /// Ended with this.
    _child: GroupedChild,
    questions: Sender<String>,
    answers: Receiver<Result<Vec<u8>, ProcessError>>,
    has_answered: bool,
}

impl RunningAnnotator {
    fn start(command: &[String]) -> Result<RunningAnnotator, ProcessError> {
        let failed = |source: io::Error| {
            let program = command.first().cloned().unwrap_or_default();
            ProcessError::NotStarted { program, source }
        };
        let mut child =
            GroupedChild::start(command, |start| start.stdin(Stdio::piped()).stdout(Stdio::piped()))
                .map_err(failed)?;
        let (questions, asked) = channel();
        let (answered, answers) = channel();
        if let (Some(stdin), Some(stdout)) = (child.process.stdin.take(), child.process.stdout.take()) {
            thread::spawn(move || converse(stdin, BufReader::new(stdout), &asked, &answered));
        }
        Ok(RunningAnnotator { _child: child, questions, answers, has_answered: false })
    }
}

/// Passes questions and answers on until either side ends.
fn converse(
    mut stdin: ChildStdin,
    mut stdout: BufReader<ChildStdout>,
    asked: &Receiver<String>,
    answered: &Sender<Result<Vec<u8>, ProcessError>>,
) {
    for line in asked {
        // an error here shows when the answer is read
        let _ = stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush());
        let answer = read_line(&mut stdout);
        let is_last = answer.is_err();
        if answered.send(answer).is_err() || is_last {
            return;
        }
    }
}

/// A line without its line break.
fn read_line(stdout: &mut BufReader<ChildStdout>) -> Result<Vec<u8>, ProcessError> {
    let mut line = Vec::new();
    let read = stdout.by_ref().take(MAX_ANSWER_BYTES as u64 + 1).read_until(b'\n', &mut line);
    match read {
        Ok(_) if line.last() == Some(&b'\n') => {
            line.pop();
            Ok(line)
        }
        Ok(_) if line.len() > MAX_ANSWER_BYTES => Err(ProcessError::TooLong),
        // the last line may have no line break
        Ok(_) if !line.is_empty() => Ok(line),
        Ok(_) | Err(_) => Err(ProcessError::Ended),
    }
}
