//! GNU Screen: the commands that `-X` sends to a session.

use super::keys;
use crate::{
    eval::{Context, Evaluator, flow::Flow, handlers::join},
    vocabulary::{Mark, Marks, Verb},
};
use checkrein_shell::Word;

impl Evaluator<'_> {
    /// `screen -X command…`; without it, it starts a program.
    pub(in crate::eval) fn screen(&mut self, rest: &[Word], context: &Context) -> Option<Flow> {
        let place =
            rest.iter().position(|word| word.lead().starts_with('-') && word.lead().ends_with('X'))?;
        let named = rest.iter().take(place).any(|word| word.lead().starts_with("-S"));
        let own = !named && self.is_own(None, "STY");
        // The session and the window, however they are written.
        let name = join(rest.get(..place).unwrap_or_default());
        self.faces_terminal("screen", Some(&name));
        self.screen_command(rest.get(place + 1..).unwrap_or_default(), own, context);
        Some(Flow::default())
    }

    fn screen_command(&mut self, words: &[Word], own: bool, context: &Context) {
        let Some((name, rest)) = words.split_first() else { return };
        if self.depth >= crate::eval::DEPTH || !self.burn(64) {
            self.say(Verb::Opaque, crate::effect::Target::Nothing, Marks::of(&[Mark::TooMuch]), context);
            return;
        }
        self.depth += 1;
        let inner = Context { stdin: Flow::default(), ..context.clone() };
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
                self.types(&typed, own, context);
            }
            Some("register") => {
                let flow = self.value_of(&keys::unescaped(&join(operands.get(1..).unwrap_or_default())));
                self.keeps(buffer(&first), &flow, false);
            }
            Some(reads @ ("readbuf" | "readreg")) => {
                let (name, file) = match (reads, operands) {
                    ("readreg", [_, file, ..]) => (buffer(&first), Some(file)),
                    ("readreg", _) => (buffer(&first), None),
                    (_, files) => (buffer("."), files.first()),
                };
                let flow = file.map(|file| self.reads(file, context)).unwrap_or_default();
                self.keeps(name, &flow, false);
            }
            Some("paste" | "process") => {
                let names: Vec<String> = if first.is_empty() {
                    vec![buffer(".")]
                } else {
                    first.chars().map(|char| buffer(&char.to_string())).collect()
                };
                for name in names {
                    let flow = self.buffers.get(&name).cloned().unwrap_or_default();
                    self.types_flow(&flow, own, context);
                }
            }
            Some("hardcopy" | "log" | "logfile" | "copy" | "writebuf") => {
                for path in operands.iter().filter(|word| !matches!(word.lead(), "on" | "off" | "flush")) {
                    self.path(Verb::Write, path, Marks::NONE, context);
                }
                self.watches(context);
            }
            Some("exec") => {
                let plain = |word: &&Word| {
                    word.lead().chars().all(|char| ".!|:".contains(char)) && !word.lead().is_empty()
                };
                let pattern = operands.iter().take_while(plain).count();
                self.runs_words(operands.get(pattern..).unwrap_or_default(), &inner);
            }
            Some("screen" | "blankerprg" | "shell" | "defshell" | "printcmd") => {
                drop(self.runs_words(operands, &inner));
            }
            Some("backtick") => drop(self.runs_words(operands.get(3..).unwrap_or_default(), &inner)),
            Some("eval" | "colon") => {
                for text in operands {
                    let flow = self.value_of(text);
                    self.screen_lines(&flow, own, context);
                }
            }
            Some("source") => {
                for file in operands {
                    let flow = self.reads(file, context);
                    self.screen_lines(&flow, own, context);
                }
            }
            Some("bind" | "bindkey" | "at" | "idle") => {
                self.screen_command(operands.get(1..).unwrap_or_default(), own, context);
            }
            Some(_) => {}
            None => self.types(&super::unknown(), own, context),
        }
        self.depth -= 1;
    }

    fn screen_lines(&mut self, flow: &Flow, own: bool, context: &Context) {
        let Some(text) = &flow.text else { return self.types(&super::unknown(), own, context) };
        for line in text.lines().take(64) {
            let script = crate::read(line, &checkrein_shell::ShellEnv::default());
            for command in script.commands {
                self.screen_command(&command.words, own, context);
            }
        }
    }
}
