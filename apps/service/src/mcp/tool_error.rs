//! Why a tool gives no answer. Agents read the message, so that it says what to do.

use super::inputs::InputError;
use crate::engine::EngineError;
use crate::workspace::WorkspaceError;

/// Why a tool gives no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum ToolError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    #[error("{}", engine_message(.0))]
    Engine(#[from] EngineError),
    #[error("the server was started without --dir: nothing can be stored")]
    NoWorkspace,
    #[error("expected 1 to {max} pages")]
    PageCount { max: usize },
    #[error("the cursor is not one that this server gave")]
    Cursor,
    #[error("there is no such list on the page: try find_lists, or read_object")]
    NoList,
    #[error("the page has no fields that could be read: try find_lists")]
    NoFields,
    #[error("nothing was stored")]
    NothingStored,
    #[error("the worker sent no wrapper")]
    NoWrapper,
}

/// The message of a task with its hint.
fn engine_message(error: &EngineError) -> String {
    match error {
        EngineError::Failed(failure) => match &failure.hint {
            Some(hint) => format!("{} ({hint})", failure.message),
            None => failure.message.clone(),
        },
        other => other.to_string(),
    }
}
