//! tmux: commands that type, paste, look, run something, or hold other commands of tmux.

use super::keys::{self, Line};
use crate::{
    eval::{
        Evaluator, Frame,
        flow::Flow,
        handlers::{Call, join},
    },
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Modifier},
};
use checkrein_shell::Word;

/// The subject of a tmux command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// Its operands are a command, or a text for a shell.
    Runs,
    /// A condition for a shell, then commands of tmux.
    Condition,
    /// Its operands are a command of tmux, after so many other ones.
    Holds(usize),
    Keys,
    SetBuffer,
    LoadBuffer,
    Paste,
    Looks,
    Pipe,
    File,
    Option,
    Variable,
    Stops,
    Nothing,
}

/// The commands with their short names, and the letters of their options that take a value.
const COMMANDS: [(&str, &str, &str, About); 30] = [
    ("new-session", "new", "cefFnstxy", About::Runs),
    ("new-window", "neww", "ceFnt", About::Runs),
    ("split-window", "splitw", "ceFlpt", About::Runs),
    ("respawn-pane", "respawnp", "cet", About::Runs),
    ("respawn-window", "respawnw", "cet", About::Runs),
    ("display-popup", "popup", "bcdehsStTwxy", About::Runs),
    ("run-shell", "run", "cdt", About::Runs),
    ("if-shell", "if", "t", About::Condition),
    ("pipe-pane", "pipep", "t", About::Pipe),
    ("send-keys", "send", "ctN", About::Keys),
    ("set-buffer", "setb", "bnt", About::SetBuffer),
    ("load-buffer", "loadb", "bt", About::LoadBuffer),
    ("paste-buffer", "pasteb", "bst", About::Paste),
    ("capture-pane", "capturep", "bESt", About::Looks),
    ("show-buffer", "showb", "b", About::Looks),
    ("save-buffer", "saveb", "b", About::Looks),
    ("bind-key", "bind", "NT", About::Holds(1)),
    ("set-hook", "", "t", About::Holds(1)),
    ("confirm-before", "confirm", "cpt", About::Holds(0)),
    ("command-prompt", "", "IptT", About::Holds(0)),
    ("display-menu", "menu", "bcCHsStTxy", About::Holds(2)),
    ("choose-tree", "", "FfKOt", About::Holds(0)),
    ("choose-client", "", "FfKOt", About::Holds(0)),
    ("choose-buffer", "", "FfKOt", About::Holds(0)),
    ("source-file", "source", "t", About::File),
    ("set-option", "set", "t", About::Option),
    ("set-window-option", "setw", "t", About::Option),
    ("set-environment", "setenv", "t", About::Variable),
    ("kill-server", "", "", About::Stops),
    ("display-message", "display", "cdtF", About::Nothing),
];

/// Options of tmux whose value is run.
const RUN: [&str; 6] =
    ["default-command", "default-shell", "lock-command", "copy-command", "editor", "command-alias"];

/// A command of tmux as it is read.
struct Given {
    about: About,
    switches: String,
    values: Vec<(char, Word)>,
    operands: Vec<Word>,
}

impl Given {
    fn value(&self, letter: char) -> Option<&Word> {
        self.values.iter().rev().find(|(own, _)| *own == letter).map(|(_, word)| word)
    }

    fn has(&self, letter: char) -> bool {
        self.switches.contains(letter)
    }

    /// The buffer that is meant.
    fn buffer(&self) -> String {
        format!("tmux {}", self.value('b').and_then(|word| word.constant()).unwrap_or_default())
    }
}

/// Follows `tmux`.
pub(in crate::eval) fn tmux(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let mut rest = rest;
    let mut control = false;
    while let Some((first, others)) = rest.split_first() {
        let lead = first.lead();
        let Some(letters) = lead.strip_prefix('-').filter(|letters| !letters.is_empty()) else { break };
        control |= letters.contains('C');
        rest = others;
        if let Some(letter) = letters.chars().last().filter(|letter| "cfLST".contains(*letter)) {
            let Some((value, others)) = rest.split_first() else { break };
            rest = others;
            match letter {
                'c' => evaluator.run_text(value, frame),
                'f' => evaluator.tmux_file(value, frame),
                _ => {}
            }
        }
    }
    let mut flow = Flow::default();
    for command in sequence(rest) {
        flow.add(&evaluator.tmux_command(&command, frame));
    }
    if control && !frame.stdin.is_unknown() {
        // In control mode it is told commands on its input.
        let stdin = frame.stdin.clone();
        evaluator.tmux_source(&stdin, frame);
    }
    flow
}

impl Evaluator<'_> {
    fn tmux_command(&mut self, words: &[Word], frame: &Frame) -> Flow {
        let Some((name, rest)) = words.split_first() else { return Flow::default() };
        let formats: Vec<String> = words.iter().flat_map(|word| self.names_of(word)).collect();
        for text in formats.iter().filter(|text| text.contains("#(")) {
            self.formats(text, frame);
        }
        let Some(name) = name.constant() else {
            self.emit(Action::Type, crate::effect::Target::Nothing, qualities![Certainty::Unknown], frame);
            return Flow::default();
        };
        let is_meant = |(full, short, _, _): &&(&str, &str, &str, About)| *full == name || *short == name;
        let begins = |(full, _, _, _): &&(&str, &str, &str, About)| full.starts_with(&*name);
        let found = COMMANDS.iter().find(is_meant).or_else(|| COMMANDS.iter().find(begins));
        let Some((_, _, letters, about)) = found else { return Flow::default() };
        let given = read(rest, letters, *about);
        self.tmux_action(&given, frame)
    }

    fn tmux_action(&mut self, given: &Given, frame: &Frame) -> Flow {
        let mut inner = frame.without_stdin();
        for (letter, value) in &given.values {
            match (letter, given.about) {
                ('e', About::Runs) => {
                    self.setting(value, frame);
                    self.set_var_word(value, &mut inner);
                }
                ('c', About::Runs) if !given.has('C') => self.change_directory(Some(value), &mut inner),
                _ => {}
            }
        }
        self.select_terminal("tmux", given.value('t'));
        let target = given.value('t').and_then(|word| word.constant());
        let target = target.as_deref().filter(|target| !self.is_current(target));
        let own = self.is_own(target, "TMUX_PANE");
        match given.about {
            About::Runs if given.has('C') => {
                let text = self.value_of(&join(&given.operands));
                self.tmux_source(&text, frame);
            }
            About::Runs => drop(self.run_words(&given.operands, &inner)),
            About::Condition => {
                if let Some(condition) = given.operands.first().filter(|_| !given.has('F')) {
                    self.run_text(condition, &inner);
                }
                for word in given.operands.iter().skip(1) {
                    let text = self.value_of(word);
                    self.tmux_source(&text, frame);
                }
            }
            About::Holds(before) => self.tmux_held(given.operands.get(before..).unwrap_or_default(), frame),
            About::Keys if given.has('X') => {
                // A command of the mode that copies: some give what they copied to a shell.
                let pipes = given.operands.first().is_some_and(|name| name.lead().contains("pipe"));
                if let Some(command) = given.operands.get(1).filter(|_| pipes) {
                    self.run_text(command, &inner);
                }
            }
            About::Keys => {
                let mut line = Line::default();
                for word in &given.operands {
                    match keys::code(word, 16).filter(|_| given.has('H')) {
                        Some(char) => line.text(&char.to_string()),
                        None if given.has('l') => {
                            word.parts.iter().for_each(|part| line.typed.push(part.clone()));
                        }
                        None => line.key(word),
                    }
                }
                self.type_text(&line.typed, own, frame);
            }
            About::SetBuffer => {
                let flow = given.operands.first().map(|word| self.value_of(word)).unwrap_or_default();
                self.fill_buffer(given.buffer(), &flow, given.has('a'));
            }
            About::LoadBuffer => {
                let Some(path) = given.operands.first() else { return Flow::default() };
                let flow = self.read_file(path, frame);
                self.fill_buffer(given.buffer(), &flow, false);
            }
            About::Paste => {
                let flow = self.session.terminals.buffers.get(&given.buffer()).cloned().unwrap_or_default();
                self.type_flow(&flow, own, frame);
            }
            About::Looks => {
                // It may be kept in a file.
                for path in given.operands.iter().filter(|word| word.lead() != "-") {
                    self.emit_path(Action::Write, path, Qualities::NONE, frame);
                }
                return self.emit_screen_read(frame);
            }
            About::Pipe => {
                if !given.operands.is_empty() {
                    self.emit_screen_read(frame);
                    let flow = self.run_words(&given.operands, &inner);
                    if given.has('I') {
                        self.type_flow(&flow, own, frame);
                    }
                }
            }
            About::File => given.operands.iter().for_each(|path| self.tmux_file(path, frame)),
            About::Option => {
                let name = given.operands.first().and_then(|word| word.constant()).unwrap_or_default();
                let is_run = RUN.iter().any(|run| name.starts_with(run)) || name.ends_with("-command");
                match given.operands.get(1).filter(|_| is_run) {
                    Some(value) if name.starts_with("command-alias") => {
                        let text = self.value_of(value).text.unwrap_or_default();
                        let command = text.split_once('=').map_or("", |(_, command)| command).to_owned();
                        self.tmux_source(&Flow::text(command), frame);
                    }
                    Some(value) => {
                        self.run_text(
                            value,
                            &Frame { qualities: inner.qualities.with(Modifier::Later), ..inner },
                        );
                    }
                    None => {}
                }
            }
            About::Variable => {
                if let [name, value, ..] = given.operands.as_slice() {
                    let name = name.constant().unwrap_or_default().into_owned();
                    self.variable(&name, value, frame);
                    self.session.finds = self.session.finds.max(self.settings_after(&name, Some(value)));
                }
            }
            About::Stops => self.emit_named(Action::Service, "", qualities![Modifier::Stop], frame),
            About::Nothing => {}
        }
        Flow::default()
    }

    /// Returns true if a target means the current one: nothing but separators, or the session in which we run.
    fn is_current(&self, target: &str) -> bool {
        let session =
            self.world.variable("TMUX").and_then(|tmux| Some(format!("${}", tmux.rsplit(',').next()?)));
        let target = target.trim_start_matches('=').trim_end_matches(['.', ':']);
        target.is_empty() || Some(target) == session.as_deref()
    }

    /// Commands of tmux that another one holds: in several words, or each in one.
    fn tmux_held(&mut self, words: &[Word], frame: &Frame) {
        match words {
            [] => {}
            [text] => {
                let text = self.value_of(text);
                self.tmux_source(&text, frame);
            }
            words => {
                for command in sequence(words) {
                    if command.first().is_some_and(|first| first.lead().contains(' ')) {
                        let text = self.value_of(&join(&command));
                        self.tmux_source(&text, frame);
                    } else {
                        self.tmux_command(&command, frame);
                    }
                }
            }
        }
    }

    /// A file with commands of tmux.
    fn tmux_file(&mut self, path: &Word, frame: &Frame) {
        if path.constant().as_deref() == Some("/dev/null") {
            return;
        }
        let flow = self.read_file(path, frame);
        self.tmux_source(&flow, frame);
    }

    /// A text with commands of tmux. What is not known may type anything.
    fn tmux_source(&mut self, flow: &Flow, frame: &Frame) {
        let Some(text) = &flow.text else {
            let qualities = self.confirmation_marks().with(Certainty::Unknown);
            self.emit(Action::Type, crate::effect::Target::Nothing, qualities, frame);
            return;
        };
        if self.sink.is_too_deep() || !self.sink.burn(text.len() + 64) {
            self.emit(Action::Opaque, crate::effect::Target::Nothing, qualities![Certainty::TooMuch], frame);
            return;
        }
        self.sink.descend();
        // Its quotes are those of a shell, and its braces hold commands.
        for line in
            text.replace(['{', '}'], ";").split([';', '\n']).filter(|line| !line.trim().is_empty()).take(64)
        {
            let script = crate::read(line, &checkrein_shell::ShellEnv::default());
            // A `;` in quotes ends nothing: then the whole line is read.
            if !script.opaque.is_empty() {
                let whole = crate::read(text, &checkrein_shell::ShellEnv::default());
                for command in whole.commands {
                    self.tmux_command(&command.words, frame);
                }
                break;
            }
            for command in script.commands {
                self.tmux_command(&command.words, frame);
            }
        }
        self.sink.ascend();
    }

    /// `#(command)` in a format is run by a shell.
    fn formats(&mut self, text: &str, frame: &Frame) {
        for (start, _) in text.match_indices("#(").take(8) {
            let inside = text.get(start + 2..).unwrap_or_default();
            let end = inside.rfind(')').unwrap_or(inside.len());
            let command = inside.get(..end).unwrap_or_default().to_owned();
            self.follow_text(&command, &frame.without_stdin());
        }
    }
}

/// Commands with `;` between them: as a word of its own, at the end of one, or in braces.
fn sequence(words: &[Word]) -> Vec<Vec<Word>> {
    let mut commands = vec![Vec::new()];
    for word in words {
        let text = word.constant();
        let text = text.as_deref();
        let mut add = |word: Word| {
            if let Some(last) = commands.last_mut() {
                last.push(word);
            }
        };
        match text {
            Some(";" | "{" | "}") => commands.push(Vec::new()),
            Some(text) if text.ends_with(';') && !text.ends_with("\\;") => {
                add(Word::text(text.trim_end_matches(';'), word.span.clone()));
                commands.push(Vec::new());
            }
            _ => add(word.clone()),
        }
    }
    commands.retain(|command| !command.is_empty());
    commands
}

/// Parses the options of a command, which precede its operands.
fn read(rest: &[Word], letters: &str, about: About) -> Given {
    let mut given = Given { about, switches: String::new(), values: Vec::new(), operands: Vec::new() };
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        let lead = word.lead();
        let Some(own) = lead.strip_prefix('-').filter(|own| !own.is_empty()) else {
            given.operands.push(word.clone());
            break;
        };
        if own == "-" {
            break;
        }
        for (place, letter) in own.char_indices() {
            if !letters.contains(letter) {
                given.switches.push(letter);
                continue;
            }
            let joined = word.skip(1 + place + letter.len_utf8());
            let value = if joined.parts.is_empty() { words.next().cloned() } else { Some(joined) };
            given.values.extend(value.map(|value| (letter, value)));
            break;
        }
    }
    given.operands.extend(words.cloned());
    given
}
