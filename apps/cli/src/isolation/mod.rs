//! `--isolate`: pages are read in processes of their own, with limits on time and memory.
//!
//! ```text
//! command ─bytes of pages→ worker (the same command line, with --isolated-worker) ─answers→ command
//! ```
//!
//! A worker parses the same arguments as the command and so builds the same request, with its domain and annotators. It
//! gets bytes, and sends answers. Files, standard input and the network stay with the command. A page that ends its
//! worker, by a lack of memory or a stack overflow, is reported as unreadable, and the others are read without it.

mod messages;
mod pool;
mod worker;

pub(crate) use messages::{IsolatedAnswer, IsolatedPage};
pub(crate) use pool::WorkerPool;
pub(crate) use worker::run_isolated_worker;
