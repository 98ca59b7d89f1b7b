//! What a call would do, and whether a rule objects.
//!
//! [`judge()`] lowers a shell text to its effects (what is deleted, written, read, run, sent and so on, where, and how) and
//! holds the rules against them. [`judge_argv`] does the same for an argument vector, [`judge_file`] for a file that is
//! about to be written:
//!
//! ```
//! use checkrein_core::Decision;
//! use checkrein_guard::{EmptyWorld, CallContext, judge};
//!
//! let judgement = judge("x='-rf /'; r''m $x", &CallContext::default(), &EmptyWorld::new("/home/dev"));
//! assert_eq!(judgement.decision, Decision::Deny);
//! ```
//!
//! Text is read by crates of their own, which know nothing of rules: `checkrein-shell` reads shell texts, `checkrein-code` the
//! source of interpreters, `checkrein-sql` what database clients are given. `eval` says
//! what the commands would do, with what `program` knows of programs and `path` of places. `tool` says which commands and files a
//! tool call brings. Everything here is pure: what
//! is known about the machine comes from a [`World`].

#![forbid(unsafe_code)]

mod allow;
mod data;
mod day;
mod effect;
mod ere;
mod eval;
mod exception;
mod glob;
mod judge;
#[allow(unreachable_pub, dead_code, reason = "the build script and the tests use the words, too")]
mod notation;

mod ours;
mod own;
mod own_commands;
mod path;
mod program;
mod qualities;
mod rule;
mod tool;
mod vocabulary;
mod world;

// What a judgement says of a text it says in the words of the reader, so that its users need one crate only.
pub use checkrein_shell::{
    Alias, Candidates, CommandId, Function, Input, MAX_BYTES, MAX_DEPTH, Nesting, Opaque, Output, Part,
    Redirect, RedirectKind, Runs, Script, Shell, ShellEnv, SimpleCommand, Span, SuspiciousChar, Unknown,
    UnknownSource, UnreadableReason, Word, work,
};

pub use allow::{AllowRule, NotAllowed, NotCoverable};
pub use data::AGENT_PROGRAMS;
pub use day::{Day, DayError};
pub use effect::{Effect, Host, Invocation, Target};
pub use exception::{Authority, EvalContext, Exception, NEVER_SUPPRESSED, Suppressed, is_suppressible};
pub use glob::matches as glob_matches;
pub use judge::{
    CallContext, Finding, Judgement, judge, judge_argv, judge_file, judge_handed, judge_resource, rules,
};
pub use ours::hook_files;
pub use own::{Belonging, Identity, Kind as BelongingKind, Own};
pub use own_commands::{CommandClass, HIDDEN_COMMANDS, OWN_COMMANDS, OwnCommand, SUPERVISE, own_command};
pub use path::{Reach, ResolvedPath, is_temporary};
pub use rule::Rule;
pub use tool::{ToolCommand, call_context, judge_call, rule_file};
pub use vocabulary::{
    Action, Actions, Certainties, Certainty, Domain, Domains, Environment, Environments, Modifier, Modifiers,
    Tag, Tags, Taint, Taints, Zone, Zones,
};
pub use world::{CachedWorld, EmptyWorld, FileKind, World};

/// Reads a text as bash would, and notes what it does to the variables that decide which settings agents find.
pub fn read(text: &str, setting: &ShellEnv) -> Script {
    checkrein_shell::read_watching(text, setting, eval::leads_agents)
}
