//! Questions to a person on the terminal.
//!
//! In: a [`Question`]. Out: the [`TermVerdict`]: y, n or q on standard input; its end is q.

use crate::report::printable;
use copal::gazetteer_learning::{Question, TermVerdict};
use std::io::{self, BufRead, IsTerminal, Write};

/// There is somebody to ask.
pub(super) fn is_possible() -> bool {
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
            format!("drop {text:?} from {attribute}? (it does not occur any more where {attribute} stands)")
        }
        _ => return TermVerdict::No,
    };
    let mut input = io::stdin().lock();
    loop {
        eprint!("{} [y]es, [n]o, [q]uit: ", printable(&text));
        let _ = io::stderr().flush();
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
