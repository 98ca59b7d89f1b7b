//! Typing for the user: keys that are sent to a terminal, text that is pasted there, and looks at what a terminal shows.
//!
//! A terminal runs what is typed into it. So a text that is known is judged as a shell's, all that one call types is one text,
//! and what is not known is asked about. While one of our confirmations is open, an agent neither types nor looks: it would
//! read the word there and give it for the user.

pub(super) mod desktop;
mod keys;
pub(super) mod layout;
pub(super) mod screen;
pub(super) mod tmux;
pub(super) mod windows;

use super::{Evaluator, Frame, flow::Flow};
use crate::{
    effect::Target,
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Modifier},
};
use checkrein_shell::{Part, Unknown, UnknownSource, Word};

/// Names of typing operations, without separators between their words.
const TYPING: [&str; 9] = [
    "sendkeys",
    "sendtext",
    "sendinput",
    "sendsequence",
    "runcommand",
    "writechars",
    "typetext",
    "injecttext",
    "pastetext",
];
/// The maximum number of typed pieces that are joined.
const PIECES: usize = 64;

/// Returns true if an operation of this name types: `sendKeys`, `send-text`.
pub(crate) fn is_typing(name: &str) -> bool {
    let plain: String = name.chars().filter(|char| !matches!(char, '-' | '_')).collect();
    TYPING.contains(&plain.to_ascii_lowercase().as_str())
}

/// A piece of what a call types.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    /// The terminal, by the name that the call has for it.
    terminal: String,
    text: Word,
}

impl Evaluator<'_> {
    /// A text is typed into a terminal. `own`: into the one in which the agent itself runs.
    fn type_text(&mut self, text: &Word, own: bool, frame: &Frame) {
        let known = self.value_of(text);
        let unknown = known.text.is_none() && (text.starts_with_unknown().is_some() || text.parts.is_empty())
            || self.ends_what_is_unseen(text);
        let mut qualities = self.confirmation_marks();
        if own {
            qualities = qualities.with(Modifier::Agent);
        }
        if unknown {
            qualities = qualities.with(Certainty::Unknown);
        }
        self.emit(Action::Type, Target::Nothing, qualities, frame);
        let frame = &frame.without_stdin();
        let plain = keys::read(text);
        self.run_text(&plain, frame);
        if !self.session.terminals.typed.iter().any(|piece| piece.terminal == self.session.terminals.current)
        {
            self.may_end_our_name(&plain, frame);
        }
        if !text.parts.is_empty() {
            if self.session.terminals.typed.len() >= PIECES {
                self.emit(Action::Type, Target::Nothing, qualities![Certainty::Unknown], frame);
                return;
            }
            self.session
                .terminals
                .typed
                .push(Typed { terminal: self.session.terminals.current.clone(), text: text.clone() });
        }
    }

    /// Returns true if the text ends a line whose beginning this call did not type: it was there before, or was
    /// recalled.
    fn ends_what_is_unseen(&self, text: &Word) -> bool {
        let (mut empty, mut fresh, mut recalled) = (true, false, false);
        let before = self
            .session
            .terminals
            .typed
            .iter()
            .filter(|piece| piece.terminal == self.session.terminals.current);
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
    fn type_flow(&mut self, flow: &Flow, own: bool, frame: &Frame) {
        match &flow.text {
            Some(text) => self.type_text(&Word::text(text, 0..0), own, frame),
            None => {
                if !flow.also.is_empty() {
                    self.follow_text(&flow.also, &frame.without_stdin());
                }
                self.type_text(&unknown(), own, frame);
            }
        }
    }

    /// Follows data that is written to a terminal, or into the input of another process.
    pub(super) fn type_into(&mut self, path: &str, flow: &Flow, frame: &Frame) {
        if is_terminal(path) {
            self.type_flow(flow, false, frame);
        }
    }

    /// Follows an unknown program that is told to type: `… sendText yes`, `… send-keys 'npm test'`.
    pub(super) fn follow_type_request(&mut self, rest: &[Word], frame: &Frame) {
        let is_told = |word: &Word| is_typing(word.lead().rsplit(['.', '/']).next().unwrap_or_default());
        let Some(at) = rest.iter().take(PIECES).position(is_told) else { return };
        for word in rest.iter().skip(at + 1).take(PIECES) {
            self.type_text(word, false, frame);
        }
    }

    /// A word that is typed; of a program in another language.
    pub(super) fn type_word(&mut self, text: &Word, frame: &Frame) {
        self.type_text(text, false, frame);
    }

    /// Records that the content of a terminal is read.
    fn emit_screen_read(&mut self, frame: &Frame) -> Flow {
        let qualities = self.confirmation_marks();
        self.emit(Action::Watch, Target::Nothing, qualities, frame);
        Flow::default()
    }

    /// Records that the file of a terminal is read.
    pub(super) fn emit_screen_read_at(&mut self, path: &str, frame: &Frame) {
        if is_terminal(path) || is_console(path) {
            self.emit_screen_read(frame);
        }
    }

    /// The mark of what is typed or looked at while a confirmation is open.
    pub(super) fn confirmation_marks(&self) -> Qualities {
        if self.world.is_confirming() { qualities![Modifier::Confirming] } else { Qualities::NONE }
    }

    /// All that the call typed is one text, in order. What was typed without its end may go on in another call.
    pub(super) fn follow_typed(&mut self, frame: &Frame) {
        let typed = std::mem::take(&mut self.session.terminals.typed);
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
            self.follow_typed_in_order(&pieces, frame);
        }
    }

    fn follow_typed_in_order(&mut self, pieces: &[&Typed], frame: &Frame) {
        let mut whole = Word::default();
        pieces.iter().flat_map(|piece| &piece.text.parts).for_each(|part| whole.push(part.clone()));
        let mut whole = keys::read(&whole);
        let ends = matches!(whole.parts.last(), Some(Part::Text(text)) if text.ends_with(['\n', '\r']));
        if pieces.is_empty() || ends && pieces.len() == 1 {
            return;
        }
        if !ends {
            self.may_begin_our_name(&whole, frame);
            whole.push_text(" ");
            whole.push(Part::Unknown(Unknown::new(UnknownSource::Computed)));
        }
        self.run_text(&whole, frame);
    }

    /// Sends everything that is typed from now on to the terminal of this name.
    fn select_terminal(&mut self, program: &str, name: Option<&Word>) {
        let name = name.map(crate::eval::words::show).unwrap_or_default();
        self.session.terminals.current = format!("{program} {name}");
    }

    /// A command in several words, or a text for a shell in one.
    fn run_words(&mut self, words: &[Word], frame: &Frame) -> Flow {
        match words {
            [] => Flow::default(),
            [text] => match text.constant() {
                Some(text) => self.follow_text(&text, frame),
                None => {
                    self.run_text(text, frame);
                    Flow::default()
                }
            },
            [first, ..] if first.lead().contains(char::is_whitespace) => {
                self.run_text(&super::handlers::join(words), frame);
                Flow::default()
            }
            _ => self.follow_argv(words, frame),
        }
    }

    /// Something is put into a buffer, to be pasted later.
    fn fill_buffer(&mut self, buffer: String, flow: &Flow, appends: bool) {
        // The newest is what is meant if no name is given.
        let newest = buffer.split(' ').next().map(|program| format!("{program} ")).unwrap_or_default();
        for name in [buffer, newest] {
            match self.session.terminals.buffers.get_mut(&name).filter(|_| appends) {
                Some(kept) => kept.add(flow),
                None => drop(self.session.terminals.buffers.insert(name, flow.clone())),
            }
        }
    }

    /// Returns true if a terminal with this name, or without any, is the one that we run in.
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

/// Returns true if a path is the terminal of a user, or the input of another process. `/dev/tty` is our own.
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

/// Returns true if a path is the screen of a console, or its keyboard.
fn is_console(path: &str) -> bool {
    ["/dev/vcs", "/dev/fb", "/dev/input/event"]
        .iter()
        .any(|start| path.strip_prefix(start).is_some_and(|rest| !rest.contains('/')))
}
