//! Collects the values that a text assigns to its variables, at any place.
//!
//! The reader knows what a word *is*, and forgets a variable as soon as a branch, a loop or an unknown command may have
//! changed it. A judgement needs what it *may be*: every value that the text assigns anywhere.

use super::{Evaluator, Scope};
use crate::path::PathPattern;
use checkrein_shell::{
    Candidates, Evaluation, Part, Runs, Script, Shell, SimpleCommand, Source, SourceRef, Unknown,
    UnknownSource, Word,
};
use std::collections::BTreeMap;

/// The maximum number of values of one variable that are kept.
const VALUES: usize = 256;
/// Commands that assign by their arguments.
const DECLARATIONS: [&str; 5] = ["export", "declare", "typeset", "local", "readonly"];

/// The assignments of a text.
#[derive(Default)]
pub(super) struct Assigned {
    variables: BTreeMap<String, Values>,
    /// The arguments that the shell is started with, and those that `set --` gives.
    arguments: Vec<Vec<Word>>,
    /// The characters that separate words, in addition to white space.
    separators: String,
    /// A command of the text may set any of its variables, so none is certain.
    wild: bool,
    /// The variables that an arithmetic expression counts up or down.
    counted: Vec<String>,
}

#[derive(Default)]
struct Values {
    words: Vec<Word>,
    /// There were more than are kept.
    more: bool,
    /// One of the assignments happens whenever the text runs, so there is no other value.
    certain: bool,
}

impl Assigned {
    /// Collects the assignments of the text, and the arguments that its shell is started with.
    pub(super) fn of(script: &Script, arguments: Option<Vec<Word>>) -> Self {
        let arguments = arguments.into_iter().filter(|arguments| !arguments.is_empty()).collect();
        let mut assigned = Self { arguments, ..Self::default() };
        // Names that refer to others.
        let mut references: Vec<(String, String)> = Vec::new();
        for simple in &script.commands {
            for (name, value) in &simple.assignments {
                assigned.add(name, value, simple);
            }
            assigned.wild |= sets_anything(simple);
            let mut words = simple.words.iter();
            match words.next().map(Word::lead) {
                Some("set") => {
                    let arguments: Vec<Word> =
                        words.skip_while(|word| word.lead().starts_with(['-', '+'])).cloned().collect();
                    if !arguments.is_empty() && assigned.arguments.len() < VALUES {
                        assigned.arguments.push(arguments);
                    }
                }
                Some(name) if DECLARATIONS.contains(&name) => {
                    let refers = simple
                        .words
                        .iter()
                        .any(|word| word.lead().starts_with('-') && word.lead().contains('n'));
                    for word in words {
                        if let (true, Some((name, target))) = (refers, word.lead().split_once('=')) {
                            references.push((name.to_owned(), target.to_owned()));
                        }
                        if let Some((name, _)) = word.lead().split_once('=') {
                            assigned.add(name, &word.skip(name.len() + 1), simple);
                        }
                    }
                }
                _ => {}
            }
        }
        for evaluation in &script.evaluated {
            if let Evaluation::Arithmetic(word) = evaluation {
                assigned.counted.extend(counted(word));
            }
        }
        for (name, target) in references {
            let words =
                assigned.variables.get(&target).map(|values| values.words.clone()).unwrap_or_default();
            assigned.variables.insert(name, Values { words, more: false, certain: false });
        }
        assigned
    }

    /// Returns true if a command of the text may set any of its variables.
    pub(super) fn is_wild(&self) -> bool {
        self.wild
    }

    fn add(&mut self, name: &str, value: &Word, simple: &SimpleCommand) {
        if name == "IFS" {
            self.separators.push_str(value.lead());
        }
        let values = self.variables.entry(name.to_owned()).or_default();
        // A value that is made of itself would be followed forever.
        let of_itself = value
            .unknowns()
            .any(|unknown| matches!(&unknown.why, UnknownSource::Variable(own) if own == name));
        if !of_itself && !values.words.iter().any(|known| known.parts == value.parts) {
            if values.words.len() < VALUES {
                values.words.push(value.clone());
            } else {
                values.more = true;
            }
        }
        let declares = simple.words.first().is_none_or(|first| DECLARATIONS.contains(&first.lead()));
        values.certain |=
            declares && !of_itself && simple.runs == Runs::Always && simple.shell == Shell::default();
    }
}

/// Returns the variables that an expression counts up or down: `i++`, `--i`, `i += 2`.
fn counted(expression: &Word) -> Vec<String> {
    let text: String = expression
        .parts
        .iter()
        .map(|part| if let Part::Text(text) = part { text.as_str() } else { " " })
        .collect();
    let is_name = |char: char| char == '_' || char.is_ascii_alphanumeric();
    let mut names = Vec::new();
    for operator in ["++", "--", "+=", "-="] {
        for (at, _) in text.match_indices(operator).take(16) {
            let before = text.get(..at).unwrap_or_default().trim_end();
            let after = text.get(at + operator.len()..).unwrap_or_default().trim_start();
            let name = before.rsplit(|char| !is_name(char)).next().unwrap_or_default();
            let next = after.split(|char| !is_name(char)).next().unwrap_or_default();
            names.extend([name, next].into_iter().filter(|name| !name.is_empty()).map(str::to_owned));
        }
    }
    names
}

/// Returns true if a command may set a variable whose name it does not show: by a text, a file, a reference, or a
/// computed name.
fn sets_anything(simple: &SimpleCommand) -> bool {
    let mut words = simple.words.iter().skip_while(|word| matches!(word.lead(), "command" | "builtin"));
    let Some(name) = words.next() else { return false };
    let mut words = words.peekable();
    match name.lead() {
        "eval" | "source" | "." => true,
        "printf" => words.next().is_some_and(|word| word.lead().starts_with("-v")),
        "getopts" | "coproc" => true,
        // Some signals come between the commands.
        "trap" => words.any(|word| matches!(word.lead(), "DEBUG" | "ERR" | "RETURN" | "SIGDEBUG")),
        name if DECLARATIONS.contains(&name) => {
            let refers =
                |word: &Word| name != "export" && word.lead().starts_with('-') && word.lead().contains('n');
            words.any(|word| refers(word) || word.starts_with_unknown().is_some())
        }
        _ => false,
    }
}

impl Scope {
    /// Returns true if the text counts with this variable.
    pub(super) fn is_counted(&self, unknown: &Unknown) -> bool {
        matches!(&unknown.why, UnknownSource::Variable(name) if self.assigned.counted.contains(name))
    }

    /// Returns true if the text assigns more values to it than are followed.
    pub(super) fn has_more_values(&self, unknown: &Unknown) -> bool {
        let values = match &unknown.why {
            UnknownSource::Variable(name) | UnknownSource::Element(name) => self.assigned.variables.get(name),
            _ => None,
        };
        values.is_some_and(|values| values.more)
    }

    /// The words that a variable is given anywhere in the text.
    pub(super) fn values(&self, name: &str) -> &[Word] {
        self.assigned.variables.get(name).map_or(&[], |values| &values.words)
    }

    /// The values that the text may give to an unknown part, and whether it can be nothing else.
    pub(super) fn may_be(&self, unknown: &Unknown) -> (&[Word], bool) {
        match &unknown.why {
            UnknownSource::Variable(name) | UnknownSource::Element(name) => {
                match self.assigned.variables.get(name) {
                    Some(values) => (
                        &values.words,
                        matches!(unknown.why, UnknownSource::Variable(_))
                            && values.certain
                            && !self.assigned.wild
                            && values.words.len() < VALUES
                            && !self.variables.contains_key(name),
                    ),
                    None => (&[], false),
                }
            }
            _ => (&[], false),
        }
    }
}

/// Returns the assignments of a text that are commands by themselves, as they are written.
pub(super) fn sources(script: &Script, text: SourceRef<'_>) -> Source {
    const MOST: usize = 2048;
    let alone =
        script.commands.iter().filter(|simple| simple.words.is_empty() && !simple.assignments.is_empty());
    let mut sources = Source::default();
    for source in alone.filter_map(|simple| text.get(simple.span.clone())) {
        if sources.len() + source.len() < MOST {
            sources.push_source(&source);
            sources.push_text("\n");
        }
    }
    sources
}

/// The words of an array.
fn words_of_array(value: &Word) -> Option<Vec<Word>> {
    match value.parts.as_slice() {
        [
            Part::Unknown(Unknown {
                why: UnknownSource::Array,
                among: Candidates::TheseOrAnything(words),
                ..
            }),
        ] => Some(words.to_vec()),
        _ => None,
    }
}

impl Evaluator<'_> {
    /// The directories of `CDPATH`, if the text sets it.
    pub(super) fn search_directories(&self) -> Vec<PathPattern> {
        let values = self.scope().and_then(|scope| scope.assigned.variables.get("CDPATH"));
        let texts = values.into_iter().flat_map(|values| &values.words).flat_map(|word| self.texts(word));
        texts.flat_map(|text| text.split(':').map(PathPattern::of).collect::<Vec<_>>()).take(VALUES).collect()
    }

    /// The words that a command name may become: a text is split as the shell would do it.
    pub(super) fn split<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let separators = self.scope().map(|scope| scope.assigned.separators.as_str()).unwrap_or_default();
        text.split(|char: char| char.is_ascii_whitespace() || separators.contains(char))
            .filter(|word| !word.is_empty())
            .collect()
    }

    /// The commands that `"$@"` may be.
    pub(super) fn arguments_of(&self, first: &Word) -> Vec<Vec<Word>> {
        let all = matches!(first.parts.as_slice(), [Part::Unknown(Unknown { why: UnknownSource::Special(name), .. })] if matches!(name.as_str(), "@" | "*"));
        let Some(scope) = self.scope() else { return Vec::new() };
        match first.parts.as_slice() {
            _ if all => scope.assigned.arguments.clone(),
            [Part::Unknown(Unknown { why: UnknownSource::Element(_), .. })] => Vec::new(),
            [Part::Unknown(unknown)] => scope.may_be(unknown).0.iter().filter_map(words_of_array).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the words that `$1` and the like may be.
    pub(super) fn argument_of(&self, unknown: &Unknown) -> Vec<&Word> {
        let UnknownSource::Special(name) = &unknown.why else { return Vec::new() };
        let Some(scope) = self.scope() else { return Vec::new() };
        match (name.as_str(), name.parse::<usize>()) {
            ("@" | "*", _) => scope.assigned.arguments.iter().flatten().take(VALUES).collect(),
            (_, Ok(number)) => scope
                .assigned
                .arguments
                .iter()
                .filter_map(|words| words.get(number.checked_sub(1)?))
                .collect(),
            (_, Err(_)) => Vec::new(),
        }
    }
}
