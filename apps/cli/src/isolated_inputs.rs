//! `--isolate`: saved pages are tried in worker processes before the command reads them.
//!
//! In: inputs. Out: the same inputs, with an error in the place of pages that need too much time or memory.

use crate::error::CliError;
use crate::inputs::Input;
#[cfg(any(feature = "serve", feature = "mcp"))]
use copal_service::{Isolation, SavedBytes, ServiceLimits};

/// Pages in memory at once.
#[cfg(any(feature = "serve", feature = "mcp"))]
const BATCH_PAGES: usize = 64;

/// Tries all files; `limit` is that of the bytes of a page.
#[cfg(any(feature = "serve", feature = "mcp"))]
pub(crate) fn try_inputs(inputs: &[Input], limit: usize) -> Result<Vec<Input>, CliError> {
    refuse_others(inputs)?;
    let mut limits = ServiceLimits::default();
    limits.body_bytes = limit;
    let isolation = Isolation::new(&limits).map_err(CliError::unreadable)?;
    let mut tried = Vec::with_capacity(inputs.len());
    for batch in inputs.chunks(BATCH_PAGES) {
        // what cannot be read at all is reported when it is read again
        let read = |input: &Input| input.read_bytes(limit).unwrap_or_default();
        let pages = batch.iter().map(|input| SavedBytes { name: input.name(), bytes: read(input) }).collect();
        let failures = isolation.failures(pages);
        tried.extend(batch.iter().zip(failures).map(|(input, failure)| match failure {
            Some(message) => Input::Broken(input.name(), CliError::unreadable(message)),
            None => input.clone(),
        }));
    }
    Ok(tried)
}

#[cfg(not(any(feature = "serve", feature = "mcp")))]
pub(crate) fn try_inputs(inputs: &[Input], _: usize) -> Result<Vec<Input>, CliError> {
    refuse_others(inputs)?;
    Err(CliError::missing_feature("isolate pages", "serve"))
}

/// URLs are read page by page in this process, and standard input can be read only once.
fn refuse_others(inputs: &[Input]) -> Result<(), CliError> {
    if inputs.iter().any(|input| matches!(input, Input::Url(_) | Input::Stdin)) {
        return Err(CliError::usage("--isolate is for saved pages")
            .with_hint("copal serve reads the pages of URLs in processes of their own"));
    }
    Ok(())
}
