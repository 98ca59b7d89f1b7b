//! Finds the commands that a shell text would run, without running it.
//!
//! [`read`] turns a text into the simple commands that bash would see, wherever they are in it: in substitutions, loops,
//! functions, here-documents. It expands their words as far as that is possible without running anything. What depends
//! on the run is an [`Unknown`] part of its [`Word`], and what cannot be read is listed in [`Script::opaque`], never
//! guessed:
//!
//! ```
//! use checkrein_shell::{ShellEnv, read};
//!
//! let script = read("x='-rf /'; r''m $x \"$UNSET\"/*", &ShellEnv::default());
//! let words = &script.commands[1].words;
//! assert_eq!(words[0].constant().as_deref(), Some("rm"));
//! assert_eq!(words[2].constant().as_deref(), Some("/"));
//! assert_eq!(words[3].if_unknowns_are_empty().as_deref(), Some("/*"));
//! assert!(script.opaque.is_empty());
//! ```
//!
//! A [`ShellEnv`] has what is known beforehand. The system is never asked, so the same text gives the same commands
//! everywhere:
//!
//! ```
//! use checkrein_shell::{RedirectKind, ShellEnv, read};
//!
//! let setting = ShellEnv { home: Some("/home/dev".to_owned()), ..ShellEnv::default() };
//! let script = read("for f in a b; do sort $f; done > ~/sorted", &setting);
//! // The first command is the redirection itself, which has no words.
//! let sort = &script.commands[1];
//! assert!(sort.words[1].is_unknown());
//! assert_eq!(sort.inherited[0].kind, RedirectKind::Write);
//! assert_eq!(sort.inherited[0].target.constant().as_deref(), Some("/home/dev/sorted"));
//! ```
//!
//! There are two steps, each in a directory: `parse` reads the text as the shell would, and `resolve` expands the words. Both
//! are pure functions. Their depth, time and memory are bounded, whatever the text is; [`work`] counts across several texts.

#![forbid(unsafe_code)]

mod edit;
mod parse;
mod resolve;
mod script;
mod setting;
mod source;
mod stand_in;
mod syntax;
mod word;
pub mod work;
/// Texts of zsh.
pub mod zsh;

pub use edit::{Edits, NewWord, quoted_if_needed, with_words};
pub use parse::{MAX_BYTES, MAX_DEPTH};
// For the guard, which follows the texts of `Script::evaluated` further. No part of the interface.
#[doc(hidden)]
pub use resolve::names as arithmetic_names;
pub use script::{
    ANY, Alias, CommandId, Evaluation, Function, Input, Nesting, Opaque, Output, Redirect, RedirectKind,
    Runs, Script, Shell, SimpleCommand, Span, UnreadableReason, Watched,
};
pub use setting::{ShellEnv, Watch};
pub use source::{HOLE, Hole, Source, SourceRef, quoted};
pub use stand_in::StandIns;
pub use word::{Candidates, Part, SuspiciousChar, Unknown, UnknownSource, Word};

/// Reads a text as bash would. A hole of a [`Source`] never changes how the text around it is read.
pub fn read<'a>(text: impl Into<SourceRef<'a>>, setting: &ShellEnv) -> Script {
    read_with(text.into(), setting, None)
}

/// Reads a text as bash would, and notes in [`SimpleCommand::watched`] what it does to the variables that `watch` names: by an
/// assignment, a default, a reference, or a name that is not known.
pub fn read_watching<'a>(text: impl Into<SourceRef<'a>>, setting: &ShellEnv, watch: Watch) -> Script {
    read_with(text.into(), setting, Some(watch))
}

fn read_with(source: SourceRef<'_>, setting: &ShellEnv, watch: Option<Watch>) -> Script {
    let text = source.text();
    let refused = |why| Script { opaque: vec![Opaque { span: 0..text.len(), why }], ..Script::default() };
    if text.len() > MAX_BYTES {
        return refused(UnreadableReason::TooLong);
    }
    if text.contains('\0') {
        return refused(UnreadableReason::Nul);
    }
    work::one_call(|| {
        if !work::burn(READ * text.len()) {
            return refused(UnreadableReason::TooMuch);
        }
        let (tree, opaque) = parse::parse(source);
        resolve::resolve(&tree, opaque, setting, watch)
    })
}

/// The fuel that reading one byte costs.
const READ: usize = 16;

/// Reads a text that may not even be one.
pub fn read_bytes(bytes: &[u8], setting: &ShellEnv) -> Script {
    match std::str::from_utf8(bytes) {
        Ok(text) => read(text, setting),
        Err(_) => {
            let why =
                if bytes.len() > MAX_BYTES { UnreadableReason::TooLong } else { UnreadableReason::NotUtf8 };
            Script { opaque: vec![Opaque { span: 0..bytes.len(), why }], ..Script::default() }
        }
    }
}
