//! Changes to a shell text that leave everything else as it is written: quotes, wrappers, pipes, comments.
//!
//! A change is made at a place in the source, and not by writing the commands anew. Places are not always what they seem (inside
//! `` ` ` `` a shell reads a text that was rewritten before, and one `{a,b}` is two words), so [`with_words`] reads its result again
//! and gives it out only if it is the same script but for the words that were to change.

use crate::{
    Candidates, CommandId, Evaluation, Part, Redirect, Script, ShellEnv, SimpleCommand, Span, Word, read,
    script::{Input, Output},
    source::quoted,
};
use checkrein_core::SmallSort as _;
use std::sync::Arc;

/// Changes of a text, by places in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits(Vec<(Span, String)>);

impl Edits {
    /// Puts a text in the place of a part.
    pub fn replace(&mut self, span: Span, new: impl Into<String>) {
        self.0.push((span, new.into()));
    }

    /// Returns true if nothing changes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the changed text; `None` if two changes overlap, or one of them is not at a place of this text.
    ///
    /// ```
    /// use checkrein_shell::Edits;
    /// let mut edits = Edits::default();
    /// edits.replace(3..4, "x");
    /// edits.replace(0..2, "ls");
    /// assert_eq!(edits.apply("rm y; z").as_deref(), Some("ls x; z"));
    /// edits.replace(1..3, "");
    /// assert_eq!(edits.apply("rm y; z"), None);
    /// ```
    pub fn apply(&self, text: &str) -> Option<String> {
        let mut changes: Vec<&(Span, String)> = self.0.iter().collect();
        // An insertion at a place comes before the replacement of the part that starts there.
        changes.small_sort_by_key(|(span, _)| (span.start, span.end));
        let (mut whole, mut at) = (String::with_capacity(text.len() + 64), 0);
        for (span, new) in changes {
            whole.push_str(text.get(at..span.start)?);
            whole.push_str(new);
            at = span.end.max(span.start);
        }
        whole.push_str(text.get(at..)?);
        Some(whole)
    }
}

/// A word of a changed command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewWord {
    /// The word that the command has at this index, as it is written.
    Kept(usize),
    /// Another word.
    New(String),
}

/// Returns the text with other words for some of its commands, and everything else as it is. The words that are kept must be in
/// their order. `None` if the text cannot be changed in this way alone.
///
/// ```
/// use checkrein_shell::{CommandId, NewWord, ShellEnv, with_words};
///
/// let words = vec![NewWord::Kept(0), NewWord::New("-i".into()), NewWord::Kept(1)];
/// let text = with_words("ls | grep  \"$X\" 2>&1", &ShellEnv::default(), &[(CommandId(1), words)]);
/// assert_eq!(text.as_deref(), Some("ls | grep -i  \"$X\" 2>&1"));
/// ```
pub fn with_words(text: &str, setting: &ShellEnv, commands: &[(CommandId, Vec<NewWord>)]) -> Option<String> {
    let mut script = read(text, setting);
    let mut edits = Edits::default();
    for (id, words) in commands {
        change(text, script.get(*id)?, words, &mut edits)?;
    }
    let changed = edits.apply(text)?;
    for (id, words) in commands {
        let simple = script.commands.get_mut(id.index())?;
        let word = |word: &NewWord| match word {
            NewWord::Kept(index) => simple.words.get(*index).cloned(),
            NewWord::New(text) => Some(Word::owned(text.clone(), 0..0)),
        };
        simple.words = words.iter().map(word).collect::<Option<_>>()?;
    }
    (script.opaque.is_empty() && without_places(script) == without_places(read(changed.as_str(), setting)))
        .then_some(changed)
}

/// A word for a shell: in quotes only where it needs them.
pub fn quoted_if_needed(word: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_./:=@%+,^".contains(char);
    if !word.is_empty() && word.chars().all(is_plain) { word.to_owned() } else { quoted(word) }
}

/// Adds the changes of one command.
fn change(text: &str, simple: &SimpleCommand, words: &[NewWord], edits: &mut Edits) -> Option<()> {
    let mut next = 0;
    let mut fresh: Vec<String> = Vec::new();
    for word in words {
        match word {
            NewWord::New(word) => fresh.push(quoted_if_needed(word)),
            NewWord::Kept(index) => {
                between(text, simple, next..*index, &mut fresh, edits)?;
                next = index + 1;
            }
        }
    }
    between(text, simple, next..simple.words.len(), &mut fresh, edits)
}

/// Replaces the words of a range by others.
fn between(
    text: &str,
    simple: &SimpleCommand,
    gone: std::ops::Range<usize>,
    fresh: &mut Vec<String>,
    edits: &mut Edits,
) -> Option<()> {
    let new = std::mem::take(fresh).join(" ");
    let mut old = simple.words.get(gone.clone())?.iter();
    if !new.is_empty() {
        match (old.next(), gone.start.checked_sub(1)) {
            (Some(first), _) => edits.replace(first.span.clone(), new),
            (None, Some(before)) => {
                let end = simple.words.get(before)?.span.end;
                edits.replace(end..end, format!(" {new}"));
            }
            (None, None) => {
                let start = simple.words.first()?.span.start;
                edits.replace(start..start, format!("{new} "));
            }
        }
    }
    for word in old {
        let before = text.get(..word.span.start)?;
        let start = before.trim_end_matches([' ', '\t']).len();
        edits.replace(start..word.span.end, "");
    }
    Some(())
}

/// A script without the places of its parts, so that it can be compared with that of another text.
fn without_places(mut script: Script) -> Script {
    for simple in &mut script.commands {
        simple.span = 0..0;
        simple.words.iter_mut().for_each(no_place);
        simple.assignments.iter_mut().for_each(|(_, word)| no_place(word));
        for redirect in simple.redirects.iter_mut().chain(&mut simple.inherited) {
            *redirect = moved(redirect);
        }
        if let Input::Text(redirect) | Input::File(redirect) | Input::Descriptor(redirect) = &mut simple.stdin
        {
            *redirect = moved(redirect);
        }
        if let Output::File(redirect) | Output::Descriptor(redirect) = &mut simple.stdout {
            *redirect = moved(redirect);
        }
    }
    script.functions.iter_mut().for_each(|function| function.span = 0..0);
    script.aliases.iter_mut().for_each(|alias| no_place(&mut alias.value));
    script.opaque.iter_mut().for_each(|opaque| opaque.span = 0..0);
    script.endless.iter_mut().for_each(|span| *span = 0..0);
    for evaluated in &mut script.evaluated {
        if let Evaluation::Arithmetic(word) | Evaluation::Prompt(word) = evaluated {
            no_place(word);
        }
    }
    script
}

fn moved(redirect: &Arc<Redirect>) -> Arc<Redirect> {
    let mut redirect = Redirect::clone(redirect);
    no_place(&mut redirect.target);
    Arc::new(redirect)
}

fn no_place(word: &mut Word) {
    word.span = 0..0;
    for part in &mut word.parts {
        let Part::Unknown(unknown) = part else { continue };
        if let Candidates::These(words) | Candidates::TheseOrAnything(words) = &mut unknown.among {
            let mut own: Vec<Word> = words.to_vec();
            own.iter_mut().for_each(no_place);
            *words = own.into();
        }
    }
}
