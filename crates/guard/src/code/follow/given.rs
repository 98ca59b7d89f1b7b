//! What a program is started with, by the names under which each language finds it.

use super::{Follower, Value};
use crate::{
    Word,
    code::{Language, Started},
};
use std::collections::HashMap;

/// The names of the arguments, with their values. None if there are no arguments: then nothing is known of them.
pub(super) fn given(language: Language, started: &Started) -> HashMap<&'static str, Value> {
    if started.arguments.is_empty() {
        return HashMap::new();
    }
    let own = || Value::word(Word::text("CHECKREIN_PROGRAM", 0..0));
    let file = || started.file.clone().map_or_else(own, Value::word);
    let arguments = || started.arguments.iter().cloned().map(Value::word);
    let after = |before: Vec<Value>| Value::list(before.into_iter().chain(arguments()).collect());
    match language {
        Language::Python => {
            HashMap::from([("sys.argv", after(vec![file()])), ("sys.orig_argv", after(vec![file()]))])
        }
        Language::JavaScript => {
            // A program in the command line has no name of its own.
            let mut before = vec![own()];
            before.extend(started.file.clone().map(Value::word));
            HashMap::from([
                ("process.argv", after(before.clone())),
                ("Bun.argv", after(before)),
                ("Deno.args", after(Vec::new())),
            ])
        }
        Language::Ruby => HashMap::from([("ARGV", after(Vec::new())), ("$*", after(Vec::new()))]),
        Language::Perl => HashMap::from([("$ARGV", after(Vec::new()))]),
        Language::Php => HashMap::from([("$argv", after(vec![file()]))]),
        Language::Lua => HashMap::from([("arg", after(vec![file()]))]),
        Language::Awk | Language::Sed | Language::PowerShell | Language::AppleScript | Language::Make => {
            HashMap::new()
        }
    }
}

impl Follower {
    /// The list that Perl takes from where none is named: the arguments of the program, or of the function.
    pub(super) fn own_arguments(&self) -> &'static str {
        if self.current.is_empty() { "$ARGV" } else { "@_" }
    }
}
