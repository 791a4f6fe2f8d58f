//! Pages tried in worker processes, for the command line (`copal extract --isolate`).
//!
//! In: saved pages. Out: for each page nothing, or why it cannot be read within the limits. A page that aborts its worker
//! would have aborted the whole command. The command then reads the pages that passed; extraction is deterministic, so
//! that they pass again. This costs each page twice.

use crate::engine::{Engine, EngineError};
use crate::options::ExtractOptions;
use crate::settings::{ServiceLimits, ServiceNetwork};
use crate::task::{Operation, Task, TaskPage};
use futures_util::stream::{self, StreamExt};
use std::io;
use tokio::runtime::Runtime;

/// A page as it was saved.
#[derive(Debug)]
pub struct SavedBytes {
    /// How messages name it.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Tries pages in worker processes.
#[derive(Debug)]
pub struct Isolation {
    runtime: Runtime,
    engine: Engine,
    workers: usize,
}

impl Isolation {
    /// Starts no process yet.
    pub fn new(limits: &ServiceLimits) -> io::Result<Isolation> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let engine = Engine::new(limits, &ServiceNetwork::default(), None);
        Ok(Isolation { runtime, engine, workers: limits.workers.max(1) })
    }

    /// For each page why it cannot be read within the limits; `None` for pages that can, and for those whose error the
    /// command reports itself.
    pub fn failures(&self, pages: Vec<SavedBytes>) -> Vec<Option<String>> {
        // more than any request needs: all lists, and the data of scripts
        let options =
            ExtractOptions { all: true, navigation: true, embedded: true, ..ExtractOptions::default() };
        let check = |page: SavedBytes| {
            let mut task = Task::new(Operation::Extract);
            task.options = ExtractOptions { max_rows: Some(0), ..options.clone() };
            task.pages = vec![TaskPage { name: page.name, body: Some(0), ..TaskPage::default() }];
            async move {
                match self.engine.run_in_background(&task, &[page.bytes], &|_, _| {}).await {
                    Ok(_) | Err(EngineError::Failed(_)) => None,
                    Err(error) => Some(error.to_string()),
                }
            }
        };
        self.runtime.block_on(stream::iter(pages).map(check).buffered(self.workers).collect())
    }
}
