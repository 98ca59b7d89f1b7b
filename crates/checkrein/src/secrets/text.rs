//! The text of a shell call, as far as the hooks about secrets look at its commands.

use checkrein_guard::{
    Action, CallContext, Judgement, Nesting, Output, Script, ShellEnv, SimpleCommand, Target, World, read,
};
use std::ops::Range;

/// Reads the text of a call in its directory.
pub(super) fn script(text: &str, place: &CallContext, world: &dyn World) -> Script {
    let setting = ShellEnv { home: world.home(), cwd: place.cwd.clone(), ..ShellEnv::default() };
    read(text, &setting)
}

/// Returns whether a part of a text goes on when the shell has ended: what it writes is written after the event about the end.
pub(super) fn goes_on(script: &Script, judgement: &Judgement) -> bool {
    let has_background =
        |script: &Script| script.commands.iter().any(|simple| simple.within.contains(&Nesting::Background));
    let is_shell_inside = judgement.ran.iter().any(|ran| ran.depth > 0);
    has_background(script)
        || is_shell_inside
            && script.commands.iter().flat_map(|simple| &simple.words).any(|word| {
                word.constant().is_some_and(|text| has_background(&read(&text, &ShellEnv::default())))
            })
}

/// Returns whether a value stays with the commands that have it among their words: nothing in the call can take it from there to
/// another command, by a variable, a pipe, a file or a text that runs.
pub(super) fn stays_apart(text: &str, script: &Script, judgement: &Judgement, value: &str) -> bool {
    let is_read_as_a_whole = script.opaque.is_empty()
        && script.functions.is_empty()
        && script.aliases.is_empty()
        && script.evaluated.is_empty();
    let writes = judgement.effects.iter().any(|effect| {
        matches!(effect.action, Action::Write | Action::Append | Action::Create | Action::Truncate)
            && matches!(&effect.target, Target::Path(_))
    });
    let mut places = text.match_indices(value).map(|(at, _)| at..at + value.len()).peekable();
    // What is not known may be the words of the command before: `$_`.
    let words = script.commands.iter().flat_map(|simple| &simple.words);
    let assigned = script.commands.iter().flat_map(|simple| &simple.assignments).map(|(_, word)| word);
    is_read_as_a_whole
        && !writes
        && words.chain(assigned).all(|word| word.constant().is_some())
        && places.peek().is_some()
        && places.all(|place| script.commands.iter().any(|simple| keeps(simple, judgement, &place)))
}

/// Returns whether a command has a place of the text among its words, connects to a machine with it, and prints only to the
/// conversation.
fn keeps(simple: &SimpleCommand, judgement: &Judgement, place: &Range<usize>) -> bool {
    let words: Option<Vec<String>> =
        simple.words.iter().map(|word| word.constant().map(std::borrow::Cow::into_owned)).collect();
    let connects = words.is_some_and(|words| {
        judgement.effects.iter().any(|effect| {
            matches!(effect.action, Action::Connect | Action::Send)
                && judgement.ran.get(effect.by).is_some_and(|ran| ran.words == words)
        })
    });
    connects
        && simple.words.iter().any(|word| word.span.start <= place.start && place.end <= word.span.end)
        && matches!(simple.stdout, Output::Inherited)
        && simple.redirects.is_empty()
        && simple.inherited.is_empty()
        && !simple.within.iter().any(|nesting| {
            matches!(nesting, Nesting::Substitution | Nesting::Process | Nesting::Sink | Nesting::Background)
        })
}
