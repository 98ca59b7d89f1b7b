//! GNU Screen: the commands that `-X` sends to a session.

use super::keys;
use crate::{
    eval::{
        Evaluator, Frame,
        flow::Flow,
        handlers::{Call, join},
    },
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty},
};
use checkrein_shell::Word;

/// `screen -X command…`; without it, it starts a program.
pub(in crate::eval) fn screen(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    match evaluator.screen_remote(call.rest(), frame) {
        Some(flow) => flow,
        None => evaluator.follow_table(call.parsed, call.rest(), frame),
    }
}

impl Evaluator<'_> {
    /// Follows a command for a running one; `None` if the words start a program instead.
    fn screen_remote(&mut self, rest: &[Word], frame: &Frame) -> Option<Flow> {
        let place =
            rest.iter().position(|word| word.lead().starts_with('-') && word.lead().ends_with('X'))?;
        let named = rest.iter().take(place).any(|word| word.lead().starts_with("-S"));
        let own = !named && self.is_own(None, "STY");
        // The session and the window, however they are written.
        let name = join(rest.get(..place).unwrap_or_default());
        self.select_terminal("screen", Some(&name));
        self.screen_command(rest.get(place + 1..).unwrap_or_default(), own, frame);
        Some(Flow::default())
    }

    fn screen_command(&mut self, words: &[Word], own: bool, frame: &Frame) {
        let Some((name, rest)) = words.split_first() else { return };
        if self.sink.is_too_deep() || !self.sink.burn(64) {
            self.emit(Action::Opaque, crate::effect::Target::Nothing, qualities![Certainty::TooMuch], frame);
            return;
        }
        self.sink.descend();
        let inner = frame.without_stdin();
        // `-e encoding`, `-h`, and switches.
        let mut operands = rest;
        while let Some((first, others)) =
            operands.split_first().filter(|(first, _)| first.lead().starts_with('-'))
        {
            let takes = first.lead() == "-e" || first.lead() == "-t" && name.lead() == "screen";
            operands = if takes { others.get(1..).unwrap_or_default() } else { others };
        }
        let buffer = |name: &str| format!("screen {name}");
        let first = operands.first().and_then(|word| word.constant()).unwrap_or_default().into_owned();
        match name.constant().as_deref() {
            Some("stuff") => {
                let typed =
                    if operands.is_empty() { super::unknown() } else { keys::unescaped(&join(operands)) };
                self.type_text(&typed, own, frame);
            }
            Some("register") => {
                let flow = self.value_of(&keys::unescaped(&join(operands.get(1..).unwrap_or_default())));
                self.fill_buffer(buffer(&first), &flow, false);
            }
            Some(reads @ ("readbuf" | "readreg")) => {
                let (name, file) = match (reads, operands) {
                    ("readreg", [_, file, ..]) => (buffer(&first), Some(file)),
                    ("readreg", _) => (buffer(&first), None),
                    (_, files) => (buffer("."), files.first()),
                };
                let flow = file.map(|file| self.read_file(file, frame)).unwrap_or_default();
                self.fill_buffer(name, &flow, false);
            }
            Some("paste" | "process") => {
                let names: Vec<String> = if first.is_empty() {
                    vec![buffer(".")]
                } else {
                    first.chars().map(|char| buffer(&char.to_string())).collect()
                };
                for name in names {
                    let flow = self.session.terminals.buffers.get(&name).cloned().unwrap_or_default();
                    self.type_flow(&flow, own, frame);
                }
            }
            Some("hardcopy" | "log" | "logfile" | "copy" | "writebuf") => {
                for path in operands.iter().filter(|word| !matches!(word.lead(), "on" | "off" | "flush")) {
                    self.emit_path(Action::Write, path, Qualities::NONE, frame);
                }
                self.emit_screen_read(frame);
            }
            Some("exec") => {
                let plain = |word: &&Word| {
                    word.lead().chars().all(|char| ".!|:".contains(char)) && !word.lead().is_empty()
                };
                let pattern = operands.iter().take_while(plain).count();
                let printed = self.run_words(operands.get(pattern..).unwrap_or_default(), &inner);
                // By the second and third character, what it prints is input of the program in the window.
                let types = |word: &Word| word.lead().chars().skip(1).any(|char| matches!(char, '!' | ':'));
                if operands.iter().take(pattern).any(types) {
                    self.type_flow(&printed, own, frame);
                }
            }
            Some("screen" | "blankerprg" | "shell" | "defshell" | "printcmd") => {
                drop(self.run_words(operands, &inner));
            }
            Some("backtick") => drop(self.run_words(operands.get(3..).unwrap_or_default(), &inner)),
            Some("eval" | "colon") => {
                for text in operands {
                    let flow = self.value_of(text);
                    self.screen_lines(&flow, own, frame);
                }
            }
            Some("source") => {
                for file in operands {
                    let flow = self.read_file(file, frame);
                    self.screen_lines(&flow, own, frame);
                }
            }
            Some("bind" | "bindkey" | "at" | "idle") => {
                self.screen_command(operands.get(1..).unwrap_or_default(), own, frame);
            }
            Some(_) => {}
            None => self.type_text(&super::unknown(), own, frame),
        }
        self.sink.ascend();
    }

    fn screen_lines(&mut self, flow: &Flow, own: bool, frame: &Frame) {
        let Some(text) = &flow.text else { return self.type_text(&super::unknown(), own, frame) };
        for line in text.lines().take(64) {
            let script = crate::read(line, &checkrein_shell::ShellEnv::default());
            for command in script.commands {
                self.screen_command(&command.words, own, frame);
            }
        }
    }
}
