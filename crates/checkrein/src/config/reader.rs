//! The state of reading one file: where its problems go, and how much more it may contain.

use crate::config::{
    bounds::Bounds,
    fields::{At, Fields, Slot, Texts, one_of},
    format::Notation,
    keys::ConfigWord,
    layer::Layer,
    problem::ProblemCollector,
    tree::Span,
};
use checkrein_core::nearest::nearest;
use checkrein_guard::{Action, Certainty, Domain, Environment, Taint};

/// The extent of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checks {
    /// Everything, including the examples of rules.
    All,
    /// Everything but the examples of rules.
    WithoutExamples,
    /// Nothing that was checked before the file was compiled.
    Compiled,
}

/// Reads one file.
pub(crate) struct ConfigReader<'r, 't> {
    pub(crate) report: &'r mut ProblemCollector<'t>,
    pub(crate) notation: Notation,
    pub(crate) layer: Layer,
    pub(crate) checks: Checks,
    /// The remaining bounds of this file.
    pub(crate) bounds: Bounds,
    /// The table that is being read, by its name and its index; `None` for the file itself.
    pub(crate) position: Option<(&'static str, usize)>,
}

impl<'r, 't> ConfigReader<'r, 't> {
    pub(crate) const fn new(
        report: &'r mut ProblemCollector<'t>,
        notation: Notation,
        layer: Layer,
        checks: Checks,
    ) -> Self {
        Self { report, notation, layer, checks, bounds: Bounds::of(layer), position: None }
    }

    /// Adds a problem with `key` of this table, or with the table as a whole.
    pub(crate) fn problem(&mut self, key: &str, span: &Span, message: &str, hint: Option<&str>) {
        self.report.add(self.whole_key(key), span, message, hint);
    }

    /// Returns a key with the table that it is in, such as `hook[0].event`.
    pub(crate) fn whole_key(&self, key: &str) -> String {
        let Some((table, index)) = self.position else { return key.to_owned() };
        let table = match self.notation {
            Notation::Toml => table,
            Notation::Json => "",
        };
        let dot = if key.is_empty() { "" } else { "." };
        format!("{table}[{index}]{dot}{key}")
    }

    /// Returns the line on which a table begins.
    pub(crate) fn line_of(&self, fields: &Fields<'_>) -> u32 {
        let line = match self.checks {
            // The compiled form has lines in place of positions.
            Checks::Compiled => fields.span.start,
            Checks::All | Checks::WithoutExamples => self.report.line(&fields.span),
        };
        u32::try_from(line).unwrap_or(u32::MAX)
    }

    /// Takes the value of a key that holds one word; `None` if it is absent or unknown.
    pub(crate) fn word<T: ConfigWord>(&mut self, fields: &mut Fields<'t>, key: &str) -> Option<T> {
        let At { span, value } = fields.text(key).value()?;
        let known = T::of_word(&value);
        if known.is_none() {
            let words: Vec<&str> = T::CHOICES.iter().map(|choice| choice.word()).collect();
            let message = format!("unknown {} `{value}`, expected {}", T::NOUN, one_of(&words));
            let hint = nearest(&value, words).map(|near| format!("did you mean `{near}`?"));
            self.problem(key, &span, &message, hint.as_deref());
        }
        known
    }

    /// Parses words of a vocabulary; `None` if one of them is unknown.
    pub(crate) fn words<T: ConfigWord>(&mut self, key: &str, slot: Slot<Texts<'_>>) -> Option<Vec<T>> {
        let words = match slot {
            Slot::Absent => return Some(Vec::new()),
            Slot::Broken => return None,
            Slot::Is(words) => words.value,
        };
        let mut known = Some(Vec::new());
        for At { span, value } in words {
            match (T::of_word(&value), &mut known) {
                (Some(word), Some(known)) => known.push(word),
                (Some(_), None) => {}
                (None, _) => {
                    let renamed = RENAMED_WORDS.iter().find(|(old, _)| *old == value).map(|(_, new)| *new);
                    let near = || nearest(&value, T::CHOICES.iter().map(|choice| choice.word()));
                    let present = renamed.unwrap_or(&value);
                    let hint = match key_of_word(key, present) {
                        Some(own) => format!("write `{own} = \"{present}\"`"),
                        None => {
                            match (everyday_hint::<T>(&value), renamed.map(str::to_owned).or_else(near)) {
                                (Some(hint), _) => hint,
                                (None, Some(near)) => format!("did you mean `{near}`?"),
                                (None, None) => format!(
                                    "`checkrein effects` lists the words of `{key}`; `checkrein explain COMMAND` shows those of a command"
                                ),
                            }
                        }
                    };
                    self.problem(key, &span, &format!("unknown {} `{value}`", T::NOUN), Some(&hint));
                    known = None;
                }
            }
        }
        known
    }
}

/// Returns the effect that an everyday word means: "a push is the effect `send`".
fn everyday_hint<T: ConfigWord>(word: &str) -> Option<String> {
    let action = Action::of_everyday_word(word).filter(|_| T::NOUN == Action::NOUN)?;
    let article = if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    Some(format!("{article} {word} is the effect `{action}`"))
}

/// Former words of the guard, and the present ones.
pub(crate) const RENAMED_WORDS: &[(&str, &str)] = &[("rehearsal", "test")];

/// Returns the key that a word belongs to, if it is under a key for modifiers: once all of these words were modifiers.
fn key_of_word(key: &str, word: &str) -> Option<String> {
    let kinds = [
        (Taint::of(word).is_some(), "data"),
        (Domain::of(word).is_some(), "domain"),
        (Environment::of(word).is_some(), "environment"),
        (Certainty::of(word).is_some(), "certainty"),
    ];
    let (_, kind) = kinds.into_iter().find(|(is, _)| *is)?;
    match key {
        "with" | "with_any" => Some(kind.to_owned()),
        "unless" => Some(format!("not_{kind}")),
        _ => None,
    }
}
