//! Secrets that are read and not shown.
//!
//! To count the lines of `.env`, to look whether a name is in it, to list its names or to load it into the environment is
//! everyday work, and nobody sees a value by it.

use super::Lowering;
use crate::{
    script::{Id, Input, Place, Script, Simple},
    word::Word,
};

/// Commands that take what is printed for themselves.
const LOADERS: [&str; 8] = ["export", "env", "declare", "typeset", "local", "readonly", "set", "eval"];
/// Programs that print something of what they read, whatever it is.
const FILTERS: [&str; 12] =
    ["sort", "uniq", "cat", "grep", "egrep", "head", "tail", "xargs", "tr", "tee", "sed", "awk"];
/// How far a pipeline is followed.
const STAGES: usize = 8;

impl Lowering<'_> {
    /// Whether nobody sees the values that a command reads.
    pub(super) fn unseen(&self, simple: &Simple, script: &Script) -> bool {
        let Some(place) = script.commands.iter().position(|other| std::ptr::eq(other, simple)) else {
            return false;
        };
        shows_no_value(simple, of_names(simple))
            || ends_unseen(Id(place), of_names(simple), script, 0)
            || is_loaded(simple, script)
    }
}

/// Whether all that a command reads are lists of names and values.
fn of_names(simple: &Simple) -> bool {
    simple.words.iter().skip(1).any(|word| word.lead().contains(".env"))
}

/// Whether a stage that follows lets no value through.
fn ends_unseen(id: Id, names: bool, script: &Script, stage: usize) -> bool {
    let reads = |simple: &&Simple| matches!(&simple.stdin, Input::Pipe(ids) if ids.contains(&id));
    let Some(place) = script.commands.iter().position(|simple| reads(&simple)).filter(|_| stage < STAGES)
    else {
        return false;
    };
    let Some(next) = script.commands.get(place) else { return false };
    let filters = next.words.first().is_some_and(|name| FILTERS.contains(&name.lead()));
    shows_no_value(next, names)
        || filters && (ends_unseen(Id(place), names, script, stage + 1) || is_loaded(next, script))
}

/// Whether what a command prints is taken as variables by the command around it.
fn is_loaded(simple: &Simple, script: &Script) -> bool {
    simple.within.contains(&Place::Substitution)
        && script.commands.iter().any(|outer| {
            outer.words.first().is_some_and(|name| LOADERS.contains(&name.lead()))
                && outer.span.start < simple.span.start
                && simple.span.end < outer.span.end
        })
}

/// Whether a command prints figures or names of what it reads, and no values.
fn shows_no_value(simple: &Simple, names: bool) -> bool {
    let Some((name, rest)) = simple.words.split_first() else { return false };
    let has = |wanted: &[&str]| rest.iter().filter_map(Word::constant).any(|word| wanted.contains(&&*word));
    match name.lead() {
        "wc" | "sha256sum" | "sha1sum" | "md5sum" | "shasum" | "cksum" | "b2sum" => true,
        "grep" | "egrep" | "fgrep" | "rg" => rest.iter().any(|word| is_silent(word.lead())),
        // A line without a `=` would be printed whole, so these are for files that have one in every line.
        "cut" => names && has(&["-d=", "="]) && has(&["-f1", "1"]),
        "awk" | "gawk" | "mawk" => {
            names && has(&["-F=", "="]) && has(&["{print $1}", "{ print $1 }", "{print $1;}"])
        }
        "sed" => names && rest.iter().any(|word| hides_values(word.lead())),
        _ => false,
    }
}

/// An option of `grep` by which it prints no line.
fn is_silent(lead: &str) -> bool {
    matches!(lead, "--quiet" | "--silent" | "--count" | "--files-with-matches" | "--files-without-match")
        || lead.starts_with('-')
            && !lead.starts_with("--")
            && lead.contains(['q', 'c', 'l', 'L'])
            && !lead.contains('e')
}

/// `s/=.*/…/`.
fn hides_values(lead: &str) -> bool {
    lead.strip_prefix('s').is_some_and(|rest| {
        let rest = rest.trim_start_matches(['/', '|', '#', ',']);
        rest.starts_with("=.*") && !rest.contains(['&', '\\'])
    })
}
