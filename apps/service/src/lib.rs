//! The HTTP service and the MCP server of copal: the same extraction for programs and agents.
//!
//! ```text
//! HTTP request, MCP call, job ─task→ engine ─frames→ worker process ─answer→ response
//! ```
//!
//! | module | job |
//! |---|---|
//! | `options`, `task` | what may be asked for, and the messages between service and worker |
//! | `worker` | the worker process: reads pages and does tasks, within a memory limit |
//! | `engine` | starts, feeds, times and replaces workers; one task at a time per host |
//! | `workspace` | the folder with wrappers, databases, jobs and cached pages |
//! | `jobs` | many pages in the background, which survive a kill |
//! | `http` | the HTTP service, and the files of the studio |
//! | `mcp` | the MCP server |
//!
//! Pages, request bodies, wrappers and URLs are untrusted. Requests are checked before a task is built from them, and
//! pages are only parsed in worker processes.

// the service and the MCP server each use only a part of what they share
#![cfg_attr(not(all(feature = "http", feature = "mcp")), allow(dead_code))]

mod engine;
mod frames;
#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "http")]
mod jobs;
#[cfg(feature = "mcp")]
mod mcp;
mod options;
mod settings;
mod task;
mod worker;
mod workspace;

#[cfg(feature = "http")]
pub use http::{ServeError, serve};
#[cfg(feature = "mcp")]
pub use mcp::{McpError, serve_mcp};
pub use settings::{McpSettings, ServeSettings, ServiceLimits, ServiceNetwork, StartPage};
pub use worker::run_worker;
#[doc(hidden)]
pub use worker::{fuzz_corrections, fuzz_page_copy};
pub use workspace::WorkspaceError;
