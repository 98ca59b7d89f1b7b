//! The options that select records of the trail.

use clap::Args;

/// The options that select records.
#[derive(Debug, Args)]
pub(crate) struct Records {
    /// Only events since then: `30m`, `12h`, `7d`, `2w` or `2026-11-18`
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Only this session (the beginning of its id is enough)
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Only this agent (`claude`, `codex`, ...), or the subagent with this id
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,
    /// Only this decision
    #[arg(long, value_name = "DECISION", value_parser = ["abstain", "allow", "ask", "deny"])]
    pub(crate) decision: Vec<String>,
    /// Only events that this rule matched; `git.*` for all rules of a pack
    #[arg(long, value_name = "RULE")]
    pub(crate) rule: Option<String>,
}
