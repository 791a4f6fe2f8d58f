//! Questions to the user on the terminal.
//!
//! In: a [`Question`]. Out: the [`TermVerdict`]: y, n or q on standard input. The end of the input counts as
//! q.

use crate::reporting::printable;
use copal::gazetteer_learning::{Question, TermVerdict};
use std::io::{self, BufRead, IsTerminal, Write};

/// True if there is a terminal to ask on.
pub(super) fn has_terminal() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

pub(super) fn ask(attribute: &str, question: &Question<'_>) -> TermVerdict {
    let text = match question {
        Question::Term { text, confidence, instance } => {
            format!("add {text:?} to {attribute}? ({:.0}% sure, from {instance:?})", 100.0 * confidence)
        }
        Question::Label { text, confidence } => {
            format!("add {text:?} to the labels of {attribute}? ({:.0}% sure)", 100.0 * confidence)
        }
        Question::Drop { text } => {
            format!("drop {text:?} from {attribute}? (it no longer occurs where {attribute} is)")
        }
        _ => return TermVerdict::No,
    };
    let mut input = io::stdin().lock();
    loop {
        let mut err = io::stderr();
        let asked = write!(err, "{} [y]es, [n]o, [q]uit: ", printable(&text)).and_then(|()| err.flush());
        if asked.is_err() {
            return TermVerdict::Quit;
        }
        let mut line = String::new();
        match input.read_line(&mut line) {
            Ok(0) | Err(_) => return TermVerdict::Quit,
            Ok(_) => match line.trim().to_lowercase().as_str() {
                "y" | "yes" => return TermVerdict::Yes,
                "n" | "no" => return TermVerdict::No,
                "q" | "quit" => return TermVerdict::Quit,
                _ => {}
            },
        }
    }
}
