//! How a run ended, as an exit code and as a word.

/// How a run, or one page of it, ended. The order is that of severity: the worst outcome of a run wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Done,
    NothingFound,
    /// Two runs, or a site and its wrapper, differ.
    Changed,
    Partial,
    Unreadable,
    Usage,
}

impl Outcome {
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Outcome::Done => 0,
            Outcome::NothingFound => 1,
            Outcome::Usage => 2,
            Outcome::Unreadable => 3,
            Outcome::Partial => 4,
            Outcome::Changed => 5,
        }
    }

    /// The word that databases store for a run.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::NothingFound => "nothing found",
            Outcome::Usage => "wrong usage",
            Outcome::Unreadable => "some pages unreadable",
            Outcome::Partial => "partial",
            Outcome::Changed => "changed",
        }
    }
}
