//! The arguments of `checkrein mcp-proxy`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct McpProxy {
    /// The name of the server: its tools are `mcp__NAME__TOOL` in rules and hooks, and are pinned under it (default: from the command)
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// A configuration file to use in addition to the usual ones
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Only print the entry for a client's `mcpServers`
    #[arg(long)]
    pub(crate) entry: bool,
    /// The program of the server, and its arguments
    #[arg(value_name = "SERVER", required = true, last = true)]
    pub(crate) command: Vec<String>,
}
