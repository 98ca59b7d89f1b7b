//! Secrets that are read and not shown.
//!
//! To count the lines of `.env`, to look whether a name is in it, to list its names or to load it into the environment is
//! everyday work, and nobody sees a value by it.

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
/// How far from a command its neighbours are looked for. Texts of thousands of commands exist, and each is looked at.
const NEAR: usize = 64;

/// Whether nobody sees the values that the command at this place of a text reads.
pub(super) fn is_unseen(place: usize, simple: &Simple, script: &Script) -> bool {
    let names = of_names(simple);
    shows_no_value(simple, names)
        || ends_unseen(Id(place), names, script, 0)
        || is_loaded(place, simple, script)
}

/// Whether all that a command reads are lists of names and values.
fn of_names(simple: &Simple) -> bool {
    simple.words.iter().skip(1).any(|word| word.lead().contains(".env"))
}

/// Whether a stage that follows lets no value through.
fn ends_unseen(id: Id, names: bool, script: &Script, stage: usize) -> bool {
    let reads = |simple: &&Simple| matches!(&simple.stdin, Input::Pipe(ids) if ids.contains(&id));
    let mut later = script.commands.iter().enumerate().skip(id.0).take(NEAR);
    let Some((place, next)) = later.find(|(_, simple)| reads(simple)).filter(|_| stage < STAGES) else {
        return false;
    };
    let filters = next.words.first().is_some_and(|name| FILTERS.contains(&name.lead()));
    shows_no_value(next, names)
        || filters && (ends_unseen(Id(place), names, script, stage + 1) || is_loaded(place, next, script))
}

/// Whether what a command prints is taken as variables by the command around it.
fn is_loaded(place: usize, simple: &Simple, script: &Script) -> bool {
    let near = || script.commands.iter().skip(place.saturating_sub(NEAR)).take(2 * NEAR);
    simple.within.contains(&Place::Substitution)
        && near().any(|outer| {
            outer.words.first().is_some_and(|name| LOADERS.contains(&name.lead()))
                && outer.span.start < simple.span.start
                && simple.span.end < outer.span.end
        })
}

/// Whether a command prints figures or names of what it reads, and no values.
pub(super) fn shows_no_value(simple: &Simple, names: bool) -> bool {
    let Some((name, rest)) = simple.words.split_first() else { return false };
    let has = |wanted: &[&str]| rest.iter().filter_map(Word::constant).any(|word| wanted.contains(&&*word));
    match name.lead() {
        "wc" | "sha256sum" | "sha1sum" | "md5sum" | "shasum" | "cksum" | "b2sum" => true,
        "grep" | "egrep" | "fgrep" | "rg" => {
            let only = |word: &Word| word.lead().starts_with('-') && word.lead().contains('o');
            rest.iter().any(|word| is_silent(word.lead()))
                || names && rest.iter().any(only) && rest.iter().any(|word| is_of_names(word.lead()))
        }
        // A line without a `=` would be printed whole, so these are for files that have one in every line.
        "cut" => {
            let at_equals = |word: &Word| word.lead().starts_with('-') && word.lead().ends_with("d=");
            names && (has(&["="]) || rest.iter().any(at_equals)) && has(&["-f1", "1"])
        }
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

/// `^[A-Z_]*`: a pattern from the beginning of a line that does not reach beyond a `=`.
fn is_of_names(lead: &str) -> bool {
    lead.strip_prefix('^').is_some_and(|rest| {
        let rest = rest.strip_suffix("(?==)").or_else(|| rest.strip_suffix('=')).unwrap_or(rest);
        !rest.is_empty() && !rest.contains(['.', '=', '^', '$', '\\'])
    })
}

/// `s/=.*/…/`, `s/^\(NAME\)=.*/\1=…/`: what follows the `=` is taken away, and nothing brings it back.
fn hides_values(lead: &str) -> bool {
    let Some(rest) = lead.strip_prefix('s') else { return false };
    let Some(mark) = rest.chars().next().filter(char::is_ascii_punctuation) else { return false };
    let mut parts = rest.split(mark).skip(1);
    let (Some(pattern), Some(instead)) = (parts.next(), parts.next()) else { return false };
    let value = pattern.split_once('=').map(|(_, value)| value.trim_end_matches('$'));
    value == Some(".*") && !instead.contains('&')
}
