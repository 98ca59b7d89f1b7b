//! `env`: a command in a changed environment.

use super::{Call, WordReader};
use crate::{
    effect::Target,
    eval::{Evaluator, Frame, agent_settings::Finds, flow::Flow, installed, variables::environment_of},
    qualities::qualities,
    vocabulary::{Action, Modifier, Taint},
};
use checkrein_shell::Word;

/// Follows `env`.
pub(in crate::eval) fn env(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    evaluator.env(call.rest(), frame)
}

impl Evaluator<'_> {
    pub(super) fn env(&mut self, rest: &[Word], frame: &Frame) -> Flow {
        let mut inner = frame.clone();
        let mut reader = WordReader::new(rest);
        let mut empty = false;
        // Variables that lead agents to their settings, and are not there.
        let mut missing: Vec<&str> = Vec::new();
        while let Some(word) = reader.next() {
            let lead = word.lead();
            if let Some(option) = EnvOption::of(lead) {
                if option.empties {
                    (empty, inner.exported) = (true, None);
                    missing = self.settings_variables();
                }
                let attached = option.value.map(|from| word.skip(from));
                let value = || attached.as_ref();
                match option.letter {
                    // Without the variable, or with its value from before the text: not known.
                    Some('u') => {
                        if let Some(name) = value().or_else(|| reader.next()) {
                            inner.finds = inner.finds.max(self.settings_after(name.lead(), None));
                            inner.forget_var(name.lead());
                        }
                    }
                    Some('C') => self.change_directory(value().or_else(|| reader.next()), &mut inner),
                    Some('S') => {
                        let text = value().or_else(|| reader.next());
                        return self.split_string(text, reader.rest(), &inner);
                    }
                    Some('a' | 'P') if attached.is_none() => drop(reader.next()),
                    Some('?') => return Flow::default(),
                    _ => {}
                }
            } else if let Some((name, _)) = lead.split_once('=') {
                let name = name.to_owned();
                let value = word.skip(name.len() + 1);
                self.variable(&name, &value, &inner);
                inner.environment = inner.environment.and(environment_of(&name, &value));
                missing.retain(|missing| *missing != name);
                inner.finds = inner.finds.max(self.settings_after(&name, Some(&value)));
                inner.set_var(&name, &self.settled_value(&value));
            } else if lead.is_empty()
                && installed::written(word).starts_with('=')
                && !reader.rest().is_empty()
            {
                // An unknown variable.
                inner.finds = inner.finds.max(Finds::Unknown);
            } else {
                let command: Vec<Word> = std::iter::once(word).chain(reader.rest()).cloned().collect();
                if !missing.is_empty() {
                    inner.finds = Finds::Others;
                }
                self.may_wrap_agent(&command, &inner);
                return self.follow_argv(&command, &inner);
            }
        }
        if empty {
            Flow::default()
        } else {
            Flow::of(qualities![Taint::Environment, Taint::Secret, Modifier::All])
        }
    }

    /// `env -S`: the text is split into words, and what follows is added.
    fn split_string(&mut self, text: Option<&Word>, rest: &[Word], frame: &Frame) -> Flow {
        let Some(text) = text.and_then(Word::constant) else {
            self.emit(Action::Opaque, Target::Nothing, qualities![Taint::Computed, Modifier::Shell], frame);
            return Flow::default();
        };
        let script = crate::read(&env_words(&text), &checkrein_shell::ShellEnv::default());
        let Some(command) = script.commands.into_iter().next() else { return Flow::default() };
        let assigned = command.assignments.iter().map(|(name, value)| {
            let mut word = Word::text(&format!("{name}="), value.span.clone());
            value.parts.iter().for_each(|part| word.push(part.clone()));
            word
        });
        let words: Vec<Word> =
            assigned.chain(command.words.iter().cloned()).chain(rest.iter().cloned()).collect();
        self.env(&words, frame)
    }
}

/// A word of `env` that is an option, however short it is written.
#[derive(Debug, Default, PartialEq, Eq)]
struct EnvOption {
    /// True if the environment is emptied.
    empties: bool,
    /// The option that takes a value, or `?` for one that only shows something.
    letter: Option<char>,
    /// The start of the value in the word, if it is there.
    value: Option<usize>,
}

impl EnvOption {
    fn of(lead: &str) -> Option<Self> {
        const LONG: &[(&str, char)] = &[
            ("argv0", 'a'),
            ("block-signal", '-'),
            ("chdir", 'C'),
            ("debug", 'v'),
            ("default-signal", '-'),
            ("help", '?'),
            ("ignore-environment", 'i'),
            ("ignore-signal", '-'),
            ("list-signal-handling", '-'),
            ("null", '0'),
            ("split-string", 'S'),
            ("unset", 'u'),
            ("version", '?'),
        ];
        let mut option = Self::default();
        if let Some(long) = lead.strip_prefix("--") {
            let (name, value) =
                long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            // The beginning of a name is enough.
            let known = LONG.iter().find(|(known, _)| !name.is_empty() && known.starts_with(name));
            option.letter = known.map(|(_, letter)| *letter);
            option.empties = option.letter == Some('i');
            option.value = value.map(|value| lead.len() - value.len());
            return Some(option);
        }
        let letters = lead.strip_prefix('-')?;
        option.empties = letters.is_empty();
        for (at, letter) in letters.char_indices() {
            option.empties |= letter == 'i';
            if "uaPCS".contains(letter) {
                let value = 1 + at + letter.len_utf8();
                (option.letter, option.value) = (Some(letter), (value < lead.len()).then_some(value));
                break;
            }
        }
        Some(option)
    }
}

/// The words that `env -S` makes of a text, as a shell would write them. Its quotes look like those of a shell, and its
/// escapes are others: `\_` parts words, and `\c` ends the text.
fn env_words(text: &str) -> String {
    let mut words = String::new();
    let mut quote = None;
    let mut rest = text.chars().peekable();
    let mut starts = true;
    let literal = |words: &mut String, char: char| match char {
        '\'' => words.push_str("\"'\""),
        char => words.extend(['\'', char, '\'']),
    };
    while let Some(char) = rest.next() {
        let started = std::mem::replace(&mut starts, false);
        match (char, quote) {
            ('\'' | '"', None) => {
                quote = Some(char);
                words.push_str("''");
            }
            ('\'' | '"', Some(open)) if open == char => quote = None,
            ('#', None) if started => break,
            ('\\', Some('\'')) => match rest.next_if(|next| matches!(next, '\\' | '\'')) {
                Some(next) => literal(&mut words, next),
                None => literal(&mut words, char),
            },
            ('\\', _) => match rest.next() {
                Some('_') if quote.is_none() => {
                    words.push(' ');
                    starts = true;
                }
                Some('c') if quote.is_none() => break,
                Some('_') => literal(&mut words, ' '),
                Some('f') => literal(&mut words, '\u{c}'),
                Some('n') => literal(&mut words, '\n'),
                Some('r') => literal(&mut words, '\r'),
                Some('t') => literal(&mut words, '\t'),
                Some('v') => literal(&mut words, '\u{b}'),
                Some(next) => literal(&mut words, next),
                None => literal(&mut words, char),
            },
            // Only this form is known to it.
            ('$', None | Some('"')) if rest.peek() == Some(&'{') => {
                let name: String = rest.by_ref().skip(1).take_while(|char| *char != '}').collect();
                let is_name = |char: char| char == '_' || char.is_ascii_alphanumeric();
                words.push_str("\"${");
                words.extend(name.chars().filter(|char| is_name(*char)));
                words.push_str("}\"");
            }
            (char, None) if char.is_ascii_whitespace() || char == '\u{b}' => {
                words.push(' ');
                starts = true;
            }
            (char, _) => literal(&mut words, char),
        }
    }
    words
}
