//! Answers of a set on their way between two processes, see [`copal_model::transfer`].

use super::named_answer::NamedAnswer;
use copal_model::TransferredAnswer;
use serde::{Deserialize, Serialize};

/// The answer for a page of a set, before sets are joined, in the form in which it is sent.
#[derive(Debug, Serialize, Deserialize)]
pub struct TransferredNamedAnswer {
    name: String,
    answer: TransferredAnswer,
    page_keys: Vec<String>,
}

impl From<NamedAnswer> for TransferredNamedAnswer {
    fn from(named: NamedAnswer) -> TransferredNamedAnswer {
        let NamedAnswer { name, answer, page_keys, .. } = named;
        TransferredNamedAnswer { name, answer: answer.into(), page_keys }
    }
}

impl From<TransferredNamedAnswer> for NamedAnswer {
    fn from(sent: TransferredNamedAnswer) -> NamedAnswer {
        let TransferredNamedAnswer { name, answer, page_keys } = sent;
        NamedAnswer { name, answer: answer.into(), page_keys, joined_to: None }
    }
}
