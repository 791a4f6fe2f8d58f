//! `copal mcp`: the MCP server for agents.

use crate::arguments::service::{ServiceLimitArguments, ServiceNetworkArguments};
use crate::error::CliError;
use crate::outcome::Outcome;
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  copal mcp                                  web pages only; nothing is stored
  copal mcp --root pages                     also files of this folder
  copal mcp --dir workspace                  also wrappers and databases

In the configuration of an agent: {\"mcpServers\": {\"copal\": {\"command\": \"copal\", \"args\": [\"mcp\"]}}}
Tools: find_lists, read_list, read_object, learn_wrapper, apply_wrapper, store_list.
Exit codes: 0 the client went away, 2 wrong usage, 3 the server cannot run.";

/// Start the MCP server: copal's tools for agents, on standard input and output
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[cfg_attr(not(feature = "mcp"), allow(dead_code))]
pub(crate) struct McpArguments {
    /// Allow reading files below this folder
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,

    /// Workspace folder for wrappers and databases [default: none, so that nothing is stored]
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,

    #[command(flatten)]
    limits: ServiceLimitArguments,

    #[command(flatten)]
    network: ServiceNetworkArguments,
}

#[cfg(not(feature = "mcp"))]
pub(crate) fn run(_: &McpArguments) -> Result<Outcome, CliError> {
    Err(CliError::missing_feature("run the MCP server", "mcp"))
}

#[cfg(feature = "mcp")]
pub(crate) fn run(arguments: &McpArguments) -> Result<Outcome, CliError> {
    use copal_service::{McpError, McpSettings, serve_mcp};

    let mut settings = McpSettings::default();
    settings.root.clone_from(&arguments.root);
    settings.workspace.clone_from(&arguments.dir);
    settings.limits = arguments.limits.limits();
    settings.network = arguments.network.network();
    serve_mcp(&settings).map_err(|error| match error {
        McpError::Root(_) => CliError::usage(error),
        _ => CliError::unreadable(error),
    })?;
    Ok(Outcome::Done)
}
