//! Typing for the user: keys that are sent to a terminal, text that is pasted there, and looks at what a terminal shows.
//!
//! A terminal runs what is typed into it. So a text that is known is judged as a shell's, all that one call types is one text,
//! and what is not known is asked about. While one of our confirmations is open, an agent neither types nor looks: it would
//! read the word there and give it for the user.

mod desktop;
mod keys;
mod layout;
mod screen;
mod tmux;
mod windows;

use super::{Context, Evaluator, flow::Flow};
use crate::{
    effect::Target,
    vocabulary::{Mark, Marks, Verb},
};
use checkrein_shell::{Part, Unknown, UnknownSource, Word};

/// What typing is called, without what joins its words.
const TYPING: [&str; 8] =
    ["sendkeys", "sendtext", "sendinput", "runcommand", "writechars", "typetext", "injecttext", "pastetext"];
/// How many pieces of what a call types are put together.
const PIECES: usize = 64;

/// A piece of what a call types.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    /// The terminal, by the name that the call has for it.
    terminal: String,
    text: Word,
}

impl Evaluator<'_> {
    /// A text is typed into a terminal. `own`: into the one in which the agent itself runs.
    fn types(&mut self, text: &Word, own: bool, context: &Context) {
        let known = self.value_of(text);
        let unknown = known.text.is_none() && (text.starts_with_unknown().is_some() || text.parts.is_empty())
            || self.ends_what_is_unseen(text);
        let mut marks = self.confirming();
        if own {
            marks = marks.with(Mark::Agent);
        }
        if unknown {
            marks = marks.with(Mark::Unknown);
        }
        self.say(Verb::Type, Target::Nothing, marks, context);
        let context = &Context { stdin: Flow::default(), ..context.clone() };
        let plain = keys::read(text);
        self.run_text(&plain, context);
        if !self.typed.iter().any(|piece| piece.terminal == self.typing_into) {
            self.may_end_our_name(&plain, context);
        }
        if !text.parts.is_empty() {
            if self.typed.len() >= PIECES {
                self.say(Verb::Type, Target::Nothing, Marks::of(&[Mark::Unknown]), context);
                return;
            }
            self.typed.push(Typed { terminal: self.typing_into.clone(), text: text.clone() });
        }
    }

    /// Whether a line is ended whose beginning this call did not type: it stood there before, or was recalled.
    fn ends_what_is_unseen(&self, text: &Word) -> bool {
        let (mut empty, mut fresh, mut recalled) = (true, false, false);
        let before = self.typed.iter().filter(|piece| piece.terminal == self.typing_into);
        let words = before.map(|piece| (&piece.text, false)).chain([(text, true)]);
        for (part, new) in words.flat_map(|(word, new)| word.parts.iter().map(move |part| (part, new))) {
            let Part::Text(text) = part else {
                empty = false;
                continue;
            };
            for char in text.chars() {
                match char {
                    '\n' | '\r' => {
                        if new && (recalled || empty && !fresh) {
                            return true;
                        }
                        (empty, fresh, recalled) = (true, true, false);
                    }
                    keys::CLEARED => (empty, fresh, recalled) = (true, true, false),
                    keys::RECALLED => recalled = true,
                    // `!!` is what was typed before.
                    '!' if empty => {
                        recalled = true;
                        empty = false;
                    }
                    _ => empty = false,
                }
            }
        }
        false
    }

    /// Something is typed of which only the source is known.
    fn types_flow(&mut self, flow: &Flow, own: bool, context: &Context) {
        match &flow.text {
            Some(text) => self.types(&Word::text(text, 0..0), own, context),
            None => {
                if !flow.also.is_empty() {
                    self.text(&flow.also, &Context { stdin: Flow::default(), ..context.clone() });
                }
                self.types(&unknown(), own, context);
            }
        }
    }

    /// What is written to a terminal, or into the input of another process.
    pub(super) fn types_into(&mut self, path: &str, flow: &Flow, context: &Context) {
        if is_terminal(path) {
            self.types_flow(flow, false, context);
        }
    }

    /// A program that nobody knows is told to type: `… sendText yes`, `… send-keys 'npm test'`.
    pub(super) fn told_to_type(&mut self, rest: &[Word], context: &Context) {
        let is_told = |word: &Word| {
            let last = word.lead().rsplit(['.', '/']).next().unwrap_or_default();
            let plain: String = last
                .chars()
                .filter(|char| !matches!(char, '-' | '_'))
                .collect::<String>()
                .to_ascii_lowercase();
            TYPING.contains(&plain.as_str())
        };
        let Some(at) = rest.iter().take(PIECES).position(is_told) else { return };
        for word in rest.iter().skip(at + 1).take(PIECES) {
            self.types(word, false, context);
        }
    }

    /// A word that is typed; of a program in another language.
    pub(super) fn types_word(&mut self, text: &Word, context: &Context) {
        self.types(text, false, context);
    }

    /// What a terminal shows is read.
    fn watches(&mut self, context: &Context) -> Flow {
        let marks = self.confirming();
        self.say(Verb::Watch, Target::Nothing, marks, context);
        Flow::default()
    }

    /// The same by the file of a terminal.
    pub(super) fn watches_at(&mut self, path: &str, context: &Context) {
        if is_terminal(path) || is_console(path) {
            self.watches(context);
        }
    }

    /// The mark of what is typed or looked at while a confirmation is open.
    pub(super) fn confirming(&self) -> Marks {
        if self.world.is_confirming() { Marks::of(&[Mark::Confirming]) } else { Marks::NONE }
    }

    /// All that the call typed is one text, in order. What was typed without its end may go on in another call.
    pub(super) fn typed_together(&mut self, context: &Context) {
        let typed = std::mem::take(&mut self.typed);
        // One terminal may have several names, so that the whole counts, too.
        let mut terminals: Vec<Option<&str>> = vec![None];
        for piece in &typed {
            if !terminals.contains(&Some(&piece.terminal)) {
                terminals.push(Some(&piece.terminal));
            }
        }
        let alone = terminals.len() == 2;
        for terminal in terminals.into_iter().filter(|terminal| !(alone && terminal.is_some())) {
            let pieces: Vec<&Typed> =
                typed.iter().filter(|piece| terminal.is_none_or(|name| piece.terminal == name)).collect();
            self.typed_in_order(&pieces, context);
        }
    }

    fn typed_in_order(&mut self, pieces: &[&Typed], context: &Context) {
        let mut whole = Word::default();
        pieces.iter().flat_map(|piece| &piece.text.parts).for_each(|part| whole.push(part.clone()));
        let mut whole = keys::read(&whole);
        let ends = matches!(whole.parts.last(), Some(Part::Text(text)) if text.ends_with(['\n', '\r']));
        if pieces.is_empty() || ends && pieces.len() == 1 {
            return;
        }
        if !ends {
            self.may_begin_our_name(&whole, context);
            whole.push_text(" ");
            whole.push(Part::Unknown(Unknown::new(UnknownSource::Computed)));
        }
        self.run_text(&whole, context);
    }

    /// What is typed from now on goes to the terminal of this name.
    fn faces_terminal(&mut self, program: &str, name: Option<&Word>) {
        let name = name.map(crate::eval::words::show).unwrap_or_default();
        self.typing_into = format!("{program} {name}");
    }

    /// A command in several words, or a text for a shell in one.
    fn runs_words(&mut self, words: &[Word], context: &Context) -> Flow {
        match words {
            [] => Flow::default(),
            [text] => match text.constant() {
                Some(text) => self.text(&text, context),
                None => {
                    self.run_text(text, context);
                    Flow::default()
                }
            },
            [first, ..] if first.lead().contains(char::is_whitespace) => {
                self.run_text(&super::handlers::join(words), context);
                Flow::default()
            }
            _ => self.argv(words, context),
        }
    }

    /// Something is put into a buffer, to be pasted later.
    fn keeps(&mut self, buffer: String, flow: &Flow, appends: bool) {
        // The newest is what is meant if no name is given.
        let newest = buffer.split(' ').next().map(|program| format!("{program} ")).unwrap_or_default();
        for name in [buffer, newest] {
            match self.buffers.get_mut(&name).filter(|_| appends) {
                Some(kept) => kept.add(flow),
                None => drop(self.buffers.insert(name, flow.clone())),
            }
        }
    }

    /// Whether a terminal that is not named, or by this name, is the one that we run in.
    fn is_own(&self, target: Option<&str>, variable: &str) -> bool {
        self.world.variable(variable).filter(|own| !own.is_empty()).is_some_and(|own| match target {
            Some(target) => target == own,
            None => true,
        })
    }
}

/// A text of which nothing is known.
fn unknown() -> Word {
    Word { parts: vec![Part::Unknown(Unknown::new(UnknownSource::Computed))], span: 0..0 }
}

/// Whether a path is a terminal of somebody, or the input of another process. `/dev/tty` is our own.
fn is_terminal(path: &str) -> bool {
    let number = |text: &str| {
        !text.is_empty() && text.chars().all(|char| char.is_ascii_digit() || "*?[]-…".contains(char))
    };
    if let Some(name) = path.strip_prefix("/dev/pts/").or_else(|| path.strip_prefix("/dev/tty")) {
        return number(name);
    }
    let steps: Vec<&str> = path.split('/').collect();
    matches!(steps.as_slice(), ["", "proc", process, "fd", descriptor] if *process != "self" && number(descriptor))
}

/// What the screen of a console shows.
fn is_console(path: &str) -> bool {
    path.strip_prefix("/dev/vcs").is_some_and(|rest| !rest.contains('/')) || path == "/dev/fb0"
}
