//! A shell text whose commands can be given other words.

use checkrein_guard::{
    CallContext, CommandId, Invocation, Judgement, NewWord, Script, ShellEnv, SimpleCommand, Word, World,
    judge, judge_argv, read, shown, with_words,
};
use std::cell::OnceCell;

/// The maximum depth of texts inside texts, as in `bash -c`.
const DEPTH: usize = 3;
/// Shells that are given a text.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh"];

/// New words for commands.
pub(super) type Changes = Vec<(CommandId, Vec<NewWord>)>;

/// A text that is understood as a whole.
pub(super) struct Scene<'a> {
    pub(super) text: &'a str,
    pub(super) place: &'a CallContext,
    pub(super) world: &'a dyn World,
    pub(super) script: Script,
    known: Known<'a>,
    judgement: OnceCell<Judgement>,
}

/// Returns the judgement of a text, if it was judged before.
pub(super) type Known<'a> = &'a dyn Fn(&str) -> Option<Judgement>;

/// A program in command position, with its arguments.
pub(super) struct Command<'s> {
    pub(super) id: CommandId,
    pub(super) simple: &'s SimpleCommand,
    /// The place of the program among the words; others are before it if something else runs it.
    pub(super) first: usize,
    scene: &'s Scene<'s>,
    ran: Invocation,
}

impl<'s> Command<'s> {
    /// The words of the program, from its name on.
    pub(super) fn words(&self) -> &'s [Word] {
        self.simple.words.get(self.first..).unwrap_or_default()
    }

    /// The text of one of these words, if it is known.
    pub(super) fn word(&self, index: usize) -> Option<String> {
        self.words().get(index)?.constant().map(std::borrow::Cow::into_owned)
    }

    /// The name of the program, without its directory.
    pub(super) fn name(&self) -> String {
        let name = self.word(0).unwrap_or_default();
        name.rsplit('/').next().unwrap_or_default().to_owned()
    }

    /// The directory that it runs in, if that is certain: what the guard has followed in the whole text.
    pub(super) fn directory(&self) -> Option<&'s str> {
        let mut same = self.scene.judgement().ran.iter().filter(|ran| ran.words == self.ran.words);
        let first = same.next()?.directory.as_deref()?;
        same.all(|other| other.directory.as_deref() == Some(first)).then_some(first)
    }

    /// Returns the words of the whole command with other words from the program's name on.
    pub(super) fn with(&self, words: impl IntoIterator<Item = NewWord>) -> (CommandId, Vec<NewWord>) {
        let shifted = words.into_iter().map(|word| match word {
            NewWord::Kept(index) => NewWord::Kept(index + self.first),
            NewWord::New(text) => NewWord::New(text),
        });
        (self.id, (0..self.first).map(NewWord::Kept).chain(shifted).collect())
    }
}

impl<'a> Scene<'a> {
    /// Reads a text; `None` if a part of it is not understood, or if it gives names other meanings.
    pub(super) fn read(
        text: &'a str,
        place: &'a CallContext,
        world: &'a dyn World,
        known: Known<'a>,
    ) -> Option<Self> {
        let script = read(text, &env(place, world));
        let is_plain = script.opaque.is_empty()
            && script.functions.is_empty()
            && script.aliases.is_empty()
            && script.evaluated.is_empty();
        is_plain.then(|| Self { text, place, world, script, known, judgement: OnceCell::new() })
    }

    /// Returns the judgement of the text. It takes longer than everything else, and most texts have no command that is wanted.
    pub(super) fn judgement(&self) -> &Judgement {
        let judged = || (self.known)(self.text).unwrap_or_else(|| judge(self.text, self.place, self.world));
        self.judgement.get_or_init(judged)
    }

    /// Returns the programs in command position whose name is wanted, also behind others that run them.
    pub(super) fn commands(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<Command<'_>> {
        let mut found = Vec::new();
        for (at, simple) in self.script.commands.iter().enumerate() {
            let is_candidate = |word: &Word| word.constant().is_some_and(|word| is_wanted(base(&word)));
            if !simple.words.iter().any(is_candidate) || inner_text(simple).is_some() {
                continue;
            }
            let words: Vec<String> = simple.words.iter().map(shown).collect();
            // The guard knows which programs run others, and where their words begin.
            for ran in judge_argv(&words, self.place, self.world).ran {
                if let Some(first) = words.len().checked_sub(ran.words.len())
                    && words.get(first..) == Some(ran.words.as_slice())
                    && simple.words.get(first).is_some_and(is_candidate)
                    && !is_module(&words, first)
                {
                    found.push(Command { id: CommandId(at), simple, first, scene: self, ran });
                }
            }
        }
        found
    }

    /// Returns the text with other words for some of its commands.
    pub(super) fn with(&self, changes: &Changes) -> Option<String> {
        with_words(self.text, &env(self.place, self.world), changes)
    }
}

/// Returns true if a word is a module that an interpreter runs, and not a program: `python -m pip`.
fn is_module(words: &[String], index: usize) -> bool {
    index.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|word| word == "-m")
}

fn env(place: &CallContext, world: &dyn World) -> ShellEnv {
    ShellEnv { home: world.home(), cwd: place.cwd.clone(), ..ShellEnv::default() }
}

/// The last part of a path.
fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// Returns the index of the word that a command gives to a shell as a text, and the text: `bash -c TEXT`, also behind other programs.
fn inner_text(simple: &SimpleCommand) -> Option<(usize, String)> {
    let constant = |index: usize| simple.words.get(index).and_then(Word::constant);
    let is_shell = |index: &usize| constant(*index).is_some_and(|word| SHELLS.contains(&base(&word)));
    let shell = (0..simple.words.len()).find(is_shell)?;
    let is_option = constant(shell + 1).is_some_and(|word| {
        word.strip_prefix('-').is_some_and(|letters| {
            letters.ends_with('c') && letters.chars().all(|letter| "celuxi".contains(letter))
        })
    });
    let text = constant(shell + 2).filter(|_| is_option)?;
    Some((shell + 2, text.into_owned()))
}

/// Returns the text with what `change` makes of its commands, and of those of texts inside it; `None` if nothing changes. An
/// error is why nothing was changed although something could be.
pub(super) fn rewritten(
    text: &str,
    place: &CallContext,
    world: &dyn World,
    known: Known<'_>,
    change: &dyn Fn(&Scene<'_>) -> Result<Changes, String>,
) -> Result<Option<String>, String> {
    nested(text, place, world, known, change, DEPTH)
}

fn nested(
    text: &str,
    place: &CallContext,
    world: &dyn World,
    known: Known<'_>,
    change: &dyn Fn(&Scene<'_>) -> Result<Changes, String>,
    depth: usize,
) -> Result<Option<String>, String> {
    let Some(scene) = Scene::read(text, place, world, known) else { return Ok(None) };
    let mut changes = change(&scene)?;
    for (at, simple) in scene.script.commands.iter().enumerate() {
        let Some((index, inner)) = inner_text(simple).filter(|_| depth > 0) else { continue };
        let words: Vec<String> = simple.words.iter().map(shown).collect();
        let mut same = scene.judgement().ran.iter().filter(|ran| ran.words == words);
        let cwd = same.next().and_then(|ran| ran.directory.clone());
        let inside = CallContext { cwd, ..place.clone() };
        if let Some(new) = nested(&inner, &inside, world, &|_| None, change, depth - 1)? {
            let all = (0..simple.words.len()).map(|word| match word == index {
                true => NewWord::New(new.clone()),
                false => NewWord::Kept(word),
            });
            changes.push((CommandId(at), all.collect()));
        }
    }
    if changes.is_empty() {
        return Ok(None);
    }
    let new = scene.with(&changes).ok_or("it is written in a way that cannot be changed")?;
    Ok((new != text).then_some(new))
}
