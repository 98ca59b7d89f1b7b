//! The arguments of `checkrein mcp-pins`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct McpPins {
    /// Accept what changed in this server's tools
    #[arg(long, value_name = "SERVER", conflicts_with = "forget")]
    pub(crate) accept: Option<String>,
    /// Forget this server: its tools are pinned anew when it is used again
    #[arg(long, value_name = "SERVER")]
    pub(crate) forget: Option<String>,
    /// Print one JSON object
    #[arg(long, conflicts_with_all = ["accept", "forget"])]
    pub(crate) json: bool,
}
