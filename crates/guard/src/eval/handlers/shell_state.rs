//! The state of a shell: its options, its variables, and the paths of programs that it found.

use crate::{
    effect::Target,
    eval::{Evaluator, Frame, agent_settings::Finds, flow::Flow, handlers::Call, limits, matters_to_agents},
    qualities::qualities,
    vocabulary::{Action, Modifier, Taint},
};
use checkrein_shell::Word;
use std::borrow::Cow;

/// Follows a program that keeps variables for the programs that start later: `setx NAME value`, `mise set NAME=value`.
pub(in crate::eval) fn environment(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    frame: &mut Frame,
) -> Flow {
    for word in &call.parsed.operands {
        evaluator.emit_kept_variable(word, frame);
    }
    Flow::default()
}

impl Evaluator<'_> {
    /// A variable that is kept, and that decides which settings agents find.
    fn emit_kept_variable(&mut self, word: &Word, frame: &Frame) {
        let name = word.lead().split('=').next().unwrap_or_default();
        if matters_to_agents(name) {
            let name = name.to_owned();
            self.emit(Action::Configure, Target::Name(name), qualities![Modifier::Agent], frame);
        }
    }
}

/// Variables without which a shell keeps no history.
const TRACES: [&str; 5] = ["HISTFILE", "HISTSIZE", "HISTFILESIZE", "SAVEHIST", "fish_history"];

/// Follows `alias`. What it defines was noted when the text was read.
pub(in crate::eval) fn alias(_: &mut Evaluator<'_>, _: &Call<'_>, _: &mut Frame) -> Flow {
    Flow::default()
}

/// `set`, `unset`, `ulimit` and `hash`.
pub(in crate::eval) fn shell_state(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    frame: &mut Frame,
) -> Flow {
    let words = call.words;
    let (name, rest) = words.split_first().map_or(("", words), |(name, rest)| (name.lead(), rest));
    let texts: Vec<Cow<'_, str>> = rest.iter().filter_map(Word::constant).collect();
    match name {
        "unset" => {
            for trace in texts.iter().filter(|name| TRACES.contains(&name.as_ref())) {
                evaluator.emit_named(Action::Tamper, trace, qualities![Modifier::Stop], frame);
            }
        }
        // fish: `set -Ux NAME value` is kept.
        "set" if texts.first().is_some_and(|first| first.starts_with('-') && first.contains('U')) => {
            if let Some(word) = rest.iter().find(|word| !word.lead().starts_with('-')) {
                evaluator.emit_kept_variable(word, frame);
            }
        }
        "ulimit" => {
            let words: Vec<Option<String>> =
                rest.iter().map(|word| word.constant().map(Cow::into_owned)).collect();
            if !limits::shell_limits_leave_room(&words) {
                evaluator.session.finds = evaluator.session.finds.max(Finds::Unknown);
            }
        }
        "hash" => {
            if texts.iter().any(|option| option == "-t") {
                let found: Vec<String> = texts
                    .iter()
                    .filter(|name| !name.starts_with('-'))
                    .map(|name| format!("/usr/bin/{name}"))
                    .collect();
                return Flow::text(found.join("\n"));
            }
            // `hash -p file name`: from now on the name is that file.
            if let [option, file, names @ ..] = rest
                && option.lead() == "-p"
            {
                for name in names.iter().filter_map(Word::constant) {
                    evaluator.session.aliases.insert(name.into_owned(), file.clone());
                }
            }
        }
        _ => {
            let off =
                |pair: &[Cow<'_, str>]| matches!(pair, [option, what] if option == "+o" && what == "history");
            if texts.windows(2).any(off) {
                evaluator.emit_named(Action::Tamper, "history", qualities![Modifier::Stop], frame);
            }
            for (place, option) in texts.iter().enumerate() {
                let named = texts.get(place + 1).is_some_and(|name| name == "allexport");
                let letters = option.get(1..).unwrap_or_default();
                if named && letters.ends_with('o') || letters.contains('a') && !option.starts_with("--") {
                    match option.get(..1) {
                        Some("-") => evaluator.session.exports_all = true,
                        Some("+") => evaluator.session.exports_all = false,
                        _ => {}
                    }
                }
            }
            // Alone it prints every variable.
            if rest.is_empty() {
                return Flow::of(qualities![Taint::Environment, Taint::Secret, Modifier::All]);
            }
        }
    }
    Flow::default()
}
