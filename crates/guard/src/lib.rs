//! Finds the effects that a call would have, and judges them by rules.
//!
//! [`judge()`] finds the effects of a shell text (what is deleted, written, read, run or sent, where, and how) and compares them with
//! the rules. [`judge_argv`] does this for an argument vector, [`judge_file`] for a file that is about to be written, and
//! [`judge_call`] for a tool call of an agent:
//!
//! ```
//! use checkrein_core::Decision;
//! use checkrein_guard::{EmptyWorld, CallContext, judge};
//!
//! let judgement = judge("x='-rf /'; r''m $x", &CallContext::default(), &EmptyWorld::new("/home/dev"));
//! assert_eq!(judgement.decision, Decision::Deny);
//! ```
//!
//! A [`Judgement`] has the [`Effect`]s, the [`Rule`]s that match them, and the strictest decision. Everything is pure: what is known
//! about the machine comes from a [`World`].
//!
//! Text is parsed by crates that know nothing about rules: `checkrein-shell` for shell texts, `checkrein-code` for the source of
//! interpreters, `checkrein-sql` for the input of database clients. In this crate, `eval` finds what commands would do, with the
//! tables of `program` and the places of `path`; `tool` finds the commands and files of a tool call.

#![forbid(unsafe_code)]

mod allow;
mod data;
mod day;
mod effect;
mod ere;
mod eval;
mod exception;
mod filled;
mod glob;
mod grade;
mod judge;
mod loss;
#[allow(unreachable_pub, dead_code, reason = "the build script and the tests use the words, too")]
mod monitor;
mod notation;
mod ours;
mod own;
mod own_commands;
mod path;
mod program;
mod qualities;
mod reading;
mod rule;
mod settings;
mod table_word;
mod tool;
mod vocabulary;
mod world;

// Judging: a call in its context becomes a judgement.
pub use judge::{CallContext, Finding, Judgement, ScriptFile, judge, judge_argv, judge_file, rules};
pub use tool::judge_call;
// What a judgement says: effects, in the words of rules.
pub use effect::{Effect, Host, Invocation, Target};
pub use filled::{Filling, Template};
pub use path::{Reach, ResolvedPath};
pub use vocabulary::{
    Action, Actions, Certainties, Certainty, Domain, Domains, Environment, Environments, Modifier, Modifiers,
    Tag, Tags, Taint, Taints, Zone, Zones,
};
// The parts of a text that cannot be read, as the parser describes them.
pub use checkrein_shell::{Opaque, Span, UnreadableReason};
// What users write: rules, exceptions and allow rules.
pub use allow::{AllowRule, NotAllowed, NotCoverable};
pub use day::{Day, DayError};
pub use exception::{Authority, EvalContext, Exception, Suppressed};
pub use grade::{Grade, Graded, graded};
pub use loss::{Loss, Places};
pub use monitor::Monitor;
pub use reading::reading_name;
pub use rule::Rule;
// What is known about the machine.
pub use own::{Belonging, Identity, Kind as BelongingKind, Own};
pub use world::{CachedWorld, EmptyWorld, FileKind, World};

// Not part of the contract: what the other crates of the project share with the evaluator, so that no fact has two places.
// `checkrein` asks which files and programs agents have and which rules have exceptions, `checkrein explain` shows how a call and a
// text are read, and the program knows its own commands by the list that the guard protects.
#[doc(hidden)]
pub use checkrein_shell::{
    Alias, Candidates, CommandId, Edits, Function, Input, MAX_BYTES, Nesting, NewWord, Output, Part,
    Redirect, RedirectKind, Runs, Script, Shell, ShellEnv, SimpleCommand, SuspiciousChar, Unknown,
    UnknownSource, Word, quoted_if_needed, with_words, work,
};
#[doc(hidden)]
pub use data::AGENT_PROGRAMS;
#[doc(hidden)]
pub use eval::shown;
#[doc(hidden)]
pub use exception::{NEVER_SUPPRESSED, is_suppressible};
#[doc(hidden)]
pub use glob::matches as glob_matches;
#[doc(hidden)]
pub use ours::{PluginPlaces, hook_files, plugin_places};
#[doc(hidden)]
pub use own_commands::{
    CAT, CommandClass, HIDDEN_COMMANDS, OWN_COMMANDS, OwnCommand, RUN, SUPERVISE, own_command,
};
#[doc(hidden)]
pub use path::is_temporary;
#[doc(hidden)]
pub use table_word::KnownProgram;
#[doc(hidden)]
pub use tool::{FileAccess, ToolCommand, call_context, rule_file};

/// Reads a text as bash would, and notes what it does to the variables that decide which settings agents find.
#[doc(hidden)]
pub fn read(text: &str, setting: &ShellEnv) -> Script {
    checkrein_shell::read_watching(text, setting, eval::matters_to_agents)
}
