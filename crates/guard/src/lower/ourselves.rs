//! Our own program, run by an agent: by its name, by a copy of it, or by something that may be one.

use super::{Context, Lowering, flow::Flow, installed};
use crate::{
    effect::Target,
    glob,
    own_commands::{self, CommandClass, HIDDEN_COMMANDS, OWN_COMMANDS, SUPERVISE},
    path::{Last, Spot},
    program,
    vocabulary::{Mark, Marks, Verb},
    word::Word,
};

/// What we are called.
const NAME: &str = "checkrein";
/// How many words of a program that nobody knows are looked at.
const WRAPPED: usize = 32;
/// How many directories of programs are looked into.
const SEARCHED: usize = 64;

impl Lowering<'_> {
    /// `checkrein` with these words: what only a user may do is for users.
    pub(super) fn ourselves(&mut self, rest: &[Word], context: &Context) -> Flow {
        let is_word = |word: &Word| !word.lead().starts_with('-');
        // The value of an option may stand before the command.
        let of_policy = |word: &Word| word.constant().is_some_and(|word| own_commands::starts_policy(&word));
        let known = |word: &Word| {
            word.constant().is_none_or(|word| {
                let group = format!("{word} ");
                HIDDEN_COMMANDS.contains(&&*word)
                    || &*word == SUPERVISE
                    || OWN_COMMANDS.iter().any(|own| own.name == word || own.name.starts_with(&group))
            })
        };
        let first = rest.iter().position(is_word);
        let misplaced = first.filter(|at| rest.get(*at).is_some_and(|word| !known(word)));
        let later = misplaced.and_then(|_| rest.iter().position(of_policy));
        let Some(at) = later.or(first) else {
            return Flow::default();
        };
        let (Some(command), after) = (rest.get(at), rest.get(at + 1..).unwrap_or_default()) else {
            return Flow::default();
        };
        if command.is_unknown() {
            self.say(Verb::Unprotect, Target::Nothing, Marks::of(&[Mark::Guard, Mark::Unknown]), context);
        }
        for name in self.names_of(command) {
            if name == SUPERVISE {
                // For how long, and what.
                self.argv(after.get(1..).unwrap_or_default(), context);
            }
            let hidden = HIDDEN_COMMANDS.contains(&name.as_str());
            let (commands, flags) = nested(&name, after);
            let changes = commands.iter().any(|name| changes_policy(name, flags));
            if hidden || changes {
                self.say(Verb::Unprotect, Target::Name(name), Marks::of(&[Mark::Guard]), context);
            }
        }
        Flow::default()
    }

    /// Whether a command that has another name is our program: by its bytes, on disk or where the call itself wrote them.
    pub(super) fn is_copy(
        &self,
        name: &str,
        rest: &[Word],
        places: &[(Spot, Marks)],
        context: &Context,
    ) -> bool {
        let written =
            |spot: &Spot| self.files.get(&spot.path).map(|content| content.flow.marks.has(Mark::OwnProgram));
        if places.iter().any(|(spot, _)| written(spot) == Some(true)) {
            return true;
        }
        // Few commands have such a word, so that few files are looked at.
        if context.marks.has(Mark::Elsewhere) || !rest.iter().any(may_be_ours) {
            return false;
        }
        if name.contains('/') {
            let on_disk = |spot: &Spot| written(spot).is_none() && self.world.is_this_program(&spot.path);
            return places.iter().any(|(spot, _)| on_disk(spot));
        }
        // A name that everybody knows is that program.
        if program::find(name).is_some() {
            return false;
        }
        let path = self.world.variable("PATH").unwrap_or_default();
        let directories = path.split(':').filter(|directory| directory.starts_with('/')).take(SEARCHED);
        directories
            .map(|directory| format!("{directory}/{name}"))
            .find(|file| self.world.entry(file).is_some())
            .is_some_and(|file| self.world.is_this_program(&file))
    }

    /// A program that nobody knows is given a command of ours, and it may be us: the call has read our program, or the name
    /// is a pattern that fits us.
    pub(super) fn may_be_ourselves(&mut self, words: &[Word], context: &Context) {
        let Some((first, rest)) = words.split_first() else { return };
        let Some(at) = rest.iter().position(|word| !word.lead().starts_with('-')) else { return };
        let (Some(command), after) = (rest.get(at), rest.get(at + 1..).unwrap_or_default()) else { return };
        let ours = |name: &str| {
            let (names, flags) = nested(name, after);
            names.iter().any(|name| changes_policy(name, flags))
        };
        if context.marks.has(Mark::Elsewhere) || !command.constant().is_some_and(|name| ours(&name)) {
            return;
        }
        if self.has_read_us() || first.constant().is_none() && self.fits_us(first, context) {
            let marks = Marks::of(&[Mark::Guard, Mark::AnyProgram]);
            self.say(Verb::Unprotect, Target::Name(NAME.to_owned()), marks, context);
        }
    }

    /// A program that nobody knows is given our program and a command of ours: it may run what it is given.
    pub(super) fn wraps_us(&mut self, rest: &[Word], context: &Context) {
        let is_us = |at: usize| {
            let name = rest.get(at).and_then(Word::constant)?;
            let given = rest.get(at + 1..).unwrap_or_default();
            let copied = given.first().is_some_and(may_be_ours)
                && self.is_copy(&name, given, &self.program_places(&name, context), context);
            (name.rsplit('/').next() == Some(NAME) || copied).then_some(given)
        };
        if let Some(words) = (0..rest.len().min(WRAPPED)).find_map(is_us) {
            self.ourselves(words, context);
            return;
        }
        // The same as a text for a shell.
        for text in rest.iter().take(WRAPPED).filter_map(Word::constant).filter(|text| text.contains(' ')) {
            for at in text.match_indices(NAME).map(|(at, _)| at).take(4) {
                let (before, command) = text.split_at(at);
                if before.ends_with(|char: char| char.is_alphanumeric() || matches!(char, '-' | '_' | '.')) {
                    continue;
                }
                let script = crate::read(command, &crate::Setting::default());
                if let Some(words) = script.commands.first().and_then(|command| command.words.get(1..)) {
                    self.ourselves(words, context);
                }
            }
        }
    }

    /// Notes that a program is given ours, whatever it makes of it.
    pub(super) fn is_given_us(&mut self, rest: &[Word], context: &Context) {
        if self.given_us {
            return;
        }
        let named = |text: &str| text.rsplit(['/', '=']).next().is_some_and(|base| base.trim_end() == NAME);
        let is_us = |word: &Word| match word.constant() {
            Some(text) => named(&text),
            None => {
                named(&installed::written(word)) || self.value_of(word).text.is_some_and(|text| named(&text))
            }
        };
        self.given_us = !context.marks.has(Mark::Elsewhere) && rest.iter().take(WRAPPED).any(is_us);
    }

    /// Whether the call has read our program, or a directory that it lies in.
    fn has_read_us(&self) -> bool {
        self.given_us
            || self.effects.iter().any(|effect| match &effect.target {
                Target::Path(spot) => {
                    self.is_own_program(spot) || self.world.is_this_program(&format!("{}/{NAME}", spot.path))
                }
                _ => false,
            })
    }

    /// Whether a word that stands for several paths may be the path of our program.
    fn fits_us(&self, word: &Word, context: &Context) -> bool {
        let found = word.unknowns().flat_map(|unknown| self.origin(unknown).paths);
        let found = found.map(|steps| steps.to_string());
        let meant = self.places(word, Last::Follow, context).into_iter().map(|(spot, _)| spot.path);
        found.chain(meant).any(|path| {
            let (directory, name) = path.rsplit_once('/').unwrap_or(("", &path));
            // What is not known of a path may be anything.
            let fits = name.contains('…') || glob::matches(name, NAME);
            let named = name.contains(char::is_alphanumeric) && fits;
            named || fits && self.world.is_this_program(&format!("{directory}/{NAME}"))
        })
    }

    /// Whether our program lies at a place: by its name, or by its bytes.
    pub(super) fn is_own_program(&self, spot: &Spot) -> bool {
        let named = spot.path.rsplit('/').next() == Some(NAME);
        // To look at bytes costs something, and is of use only where a command of ours is named.
        named || self.names_our_command() && self.world.is_this_program(&spot.path)
    }

    /// Whether a text of this call has the name of a command in it that changes policy.
    fn names_our_command(&self) -> bool {
        let policy = OWN_COMMANDS.iter().filter(|command| command.class == CommandClass::ChangesPolicy);
        let names: Vec<&str> = policy.filter_map(|command| command.name.split(' ').next()).collect();
        self.scopes.iter().any(|scope| names.iter().any(|name| scope.text.contains(name)))
    }

    /// The places that a name of a program means.
    pub(super) fn program_places(&self, name: &str, context: &Context) -> Vec<(Spot, Marks)> {
        if name.contains('/') {
            self.places(&Word::text(name, 0..0), Last::Follow, context)
        } else {
            Vec::new()
        }
    }
}

/// The names of the commands that a word and those after it mean, and the words that are left.
fn nested<'a>(name: &str, after: &'a [Word]) -> (Vec<String>, &'a [Word]) {
    let group = format!("{name} ");
    if !OWN_COMMANDS.iter().any(|command| command.name.starts_with(&group)) {
        return (vec![name.to_owned()], after);
    }
    let inner = after.iter().position(|word| !word.lead().starts_with('-'));
    match inner.and_then(|at| Some((after.get(at)?, after.get(at + 1..)?))) {
        Some((word, rest)) => match word.constant() {
            Some(inner) => (vec![format!("{group}{inner}")], rest),
            // It may be any of them.
            None => {
                let all = OWN_COMMANDS.iter().filter(|command| command.name.starts_with(&group));
                (all.map(|command| command.name.to_owned()).collect(), rest)
            }
        },
        None => (Vec::new(), after),
    }
}

/// Whether a command changes policy with these words after it.
fn changes_policy(name: &str, words: &[Word]) -> bool {
    let Some(command) = own_commands::own_command(name) else { return false };
    let shows = |word: &Word| {
        word.constant()
            .is_some_and(|word| matches!(&*word, "--help" | "-h") || command.shows.contains(&&*word))
    };
    let flags = || words.iter().take_while(|word| word.lead() != "--");
    command.class == CommandClass::ChangesPolicy && !flags().any(shows)
}

/// Whether a word may be a command of ours that an agent may not run.
fn may_be_ours(word: &Word) -> bool {
    word.constant().is_none_or(|word| {
        own_commands::starts_policy(&word) || HIDDEN_COMMANDS.contains(&&*word) || &*word == SUPERVISE
    })
}
