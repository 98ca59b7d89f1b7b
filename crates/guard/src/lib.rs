//! What a shell text would run.
//!
//! [`read`] turns a text into the simple commands that the shell would see, wherever they stand in it: in substitutions,
//! loops, functions, here-documents. Its words are expanded as far as that can be done without running anything. What
//! depends on the run is carried as unknown, and what cannot be read is said, never guessed:
//!
//! ```
//! use checkrein_guard::{Setting, read};
//!
//! let script = read("x='-rf /'; r''m $x \"$UNSET\"/*", &Setting::default());
//! let words = &script.commands[1].words;
//! assert_eq!(words[0].constant().as_deref(), Some("rm"));
//! assert_eq!(words[2].constant().as_deref(), Some("/"));
//! assert_eq!(words[3].if_unknowns_are_empty().as_deref(), Some("/*"));
//! assert!(script.opaque.is_empty());
//! ```
//!
//! Two steps, each a directory: `parse` finds out what the shell would read, `resolve` what it would make of it. Both are pure
//! functions without recursion that a text could drive too deep, and without time or memory that it could drive too high.

#![forbid(unsafe_code)]

mod allow;
pub mod code;
mod data;
mod day;
mod decode;
mod effect;
mod ere;
mod exception;
mod glob;
mod judge;
mod lower;
mod ours;
mod own;
mod own_commands;
mod parse;
mod path;
mod program;
mod resolve;
mod rule;
mod script;
mod setting;
pub mod sql;
mod syntax;
mod vocabulary;
mod word;
pub mod work;
mod world;

pub use allow::{AllowRule, Loose, NotAllowed};
pub use data::AGENT_PROGRAMS;
pub use day::{Day, DayError};
pub use effect::{Effect, Host, Ran, Target};
pub use exception::{Authority, Circumstances, Exception, NEVER_SUPPRESSED, Suppressed, is_suppressible};
pub use glob::matches as glob_matches;
pub use judge::{
    Finding, Judgement, Place as CallPlace, judge, judge_argv, judge_file, judge_handed, judge_thing, rules,
};
pub use ours::hook_files;
pub use own::{Belonging, Identity, Kind as BelongingKind, Own};
pub use own_commands::{CommandClass, HIDDEN_COMMANDS, OWN_COMMANDS, OwnCommand, SUPERVISE, own_command};
pub use parse::{MAX_BYTES, MAX_DEPTH};
pub use path::{Reach, Spot, is_temporary};
pub use rule::Rule;
pub use script::{
    Alias, Cause, Function, Id, Input, Opaque, Output, Place, Redirect, RedirectKind, Runs, Script, Shell,
    Simple, Span,
};
pub use setting::Setting;
pub use vocabulary::{Mark, Marks, Tag, Tags, Verb, Verbs, Zone, Zones};
pub use word::{Among, Odd, Part, Unknown, Why, Word};
pub use world::{Bare, Entry, Remembered, World};

/// Reads a text as bash would.
pub fn read(text: &str, setting: &Setting) -> Script {
    let refused = |why| Script { opaque: vec![Opaque { span: 0..text.len(), why }], ..Script::default() };
    if text.len() > MAX_BYTES {
        return refused(Cause::TooLong);
    }
    if text.contains('\0') {
        return refused(Cause::Nul);
    }
    work::one_call(|| {
        if !work::burn(READ * text.len()) {
            return refused(Cause::TooMuch);
        }
        let (tree, opaque) = parse::parse(text);
        resolve::resolve(&tree, opaque, setting)
    })
}

/// What it costs to read a byte.
const READ: usize = 16;

/// Reads a text that may not even be one.
pub fn read_bytes(bytes: &[u8], setting: &Setting) -> Script {
    match std::str::from_utf8(bytes) {
        Ok(text) => read(text, setting),
        Err(_) => {
            let why = if bytes.len() > MAX_BYTES { Cause::TooLong } else { Cause::NotUtf8 };
            Script { opaque: vec![Opaque { span: 0..bytes.len(), why }], ..Script::default() }
        }
    }
}
