//! The MCP server: copal's tools for agents, over standard input and output.
//!
//! Few tools that return little: an agent first asks which lists a page has, then reads rows of one of them. Files and
//! private networks are out of reach unless the server was started with a root folder or with private networks allowed.

mod inputs;
mod parameters;
mod tool_error;
mod tools;

use crate::engine::Engine;
use crate::settings::McpSettings;
use crate::workspace::{Workspace, WorkspaceError};
use rmcp::ServiceExt;
use rmcp::transport::stdio;
use tools::CopalTools;

/// Bytes that the workspace of an agent may have.
const WORKSPACE_QUOTA: u64 = 10_000_000_000;

/// Why the MCP server cannot run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum McpError {
    /// The root is not a folder.
    #[error("{0} is not a folder: --root needs one")]
    Root(std::path::PathBuf),
    /// The workspace cannot be used.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The client did not speak MCP, or anything else.
    #[error("the MCP server cannot run: {0}")]
    Setup(String),
}

/// Serves one client on standard input and output until it goes away.
pub fn serve_mcp(settings: &McpSettings) -> Result<(), McpError> {
    let root = match &settings.root {
        Some(folder) => {
            let found = folder.canonicalize().ok().filter(|folder| folder.is_dir());
            Some(found.ok_or_else(|| McpError::Root(folder.clone()))?)
        }
        None => None,
    };
    let workspace = settings.workspace.as_deref().map(|folder| Workspace::open(folder, WORKSPACE_QUOTA));
    let workspace = workspace.transpose()?;
    let setup = |error: &dyn std::fmt::Display| McpError::Setup(error.to_string());
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| setup(&error))?;
    let cache = workspace.as_ref().map(Workspace::cache);
    let served = runtime.block_on(async {
        let engine = Engine::new(&settings.limits, &settings.network, cache);
        let tools = CopalTools::new(engine, workspace, root, settings.limits.body_bytes);
        let running = tools.serve(stdio()).await.map_err(|error| setup(&error))?;
        running.waiting().await.map_err(|error| setup(&error))?;
        Ok(())
    });
    // standard input cannot be cancelled: the thread that reads it is left behind
    runtime.shutdown_background();
    served
}
