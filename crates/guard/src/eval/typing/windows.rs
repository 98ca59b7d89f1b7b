//! Terminals that are controlled from outside: zellij, kitty, WezTerm.

use super::keys::{self, Line};
use crate::{
    eval::{
        Evaluator, Frame,
        flow::Flow,
        handlers::{Call, join},
    },
    qualities::Qualities,
    vocabulary::Action,
};
use checkrein_shell::Word;

/// Options before and behind the commands of these programs that take a value.
const VALUED: [&str; 48] = [
    "-s",
    "--session",
    "-l",
    "--layout",
    "-c",
    "--config",
    "--config-dir",
    "-n",
    "--data-dir",
    "--max-panes",
    "-p",
    "--pane-id",
    "--name",
    "--cwd",
    "-d",
    "--direction",
    "--to",
    "--password",
    "--password-file",
    "--password-env",
    "-m",
    "--match",
    "-t",
    "--match-tab",
    "--bracketed-paste",
    "--from-file",
    "--type",
    "--title",
    "--tab-title",
    "--env",
    "--location",
    "--next-to",
    "--source-window",
    "--os-window-class",
    "--window-id",
    "--domain-name",
    "--workspace",
    "--class",
    "--percent",
    "--cells",
    "--height",
    "--width",
    "-x",
    "-y",
    "--position",
    "--add-to-session",
    "--start-line",
    "--end-line",
];

/// A command line of one of them: the words that select what is done, then options and operands.
struct Given<'a> {
    options: Vec<(&'a str, Option<&'a Word>)>,
    operands: Vec<&'a Word>,
}

impl<'a> Given<'a> {
    fn of(words: &'a [Word]) -> Self {
        let mut given = Given { options: Vec::new(), operands: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let lead = word.lead();
            if lead == "--" {
                given.operands.extend(words);
                break;
            }
            if lead.len() > 1 && lead.starts_with('-') {
                let value = if VALUED.contains(&lead) { words.next() } else { None };
                given.options.push((lead, value));
            } else {
                given.operands.push(word);
            }
        }
        given
    }

    fn has(&self, wanted: &str) -> bool {
        self.options.iter().any(|(name, _)| {
            *name == wanted || name.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('='))
        })
    }

    fn value(&self, wanted: &str) -> Option<Word> {
        self.options.iter().find_map(|(name, value)| {
            if *name == wanted {
                return value.cloned();
            }
            let joined = name.strip_prefix(wanted)?.strip_prefix('=')?;
            Some(Word::text(joined, 0..0))
        })
    }

    fn words(&self, from: usize) -> Vec<Word> {
        self.operands.iter().skip(from).map(|word| (*word).clone()).collect()
    }

    fn name(&self, place: usize) -> &str {
        self.operands.get(place).map_or("", |word| word.lead())
    }
}

/// The words behind options that a program itself takes: its own command may have others of the same name.
fn command_of(words: &[Word], name: &str) -> Vec<Word> {
    let mut rest = words.iter().skip_while(|word| word.lead() != name).skip(1);
    let mut command = Vec::new();
    while let Some(word) = rest.next() {
        let lead = word.lead();
        if lead == "--" {
            command.extend(rest.cloned());
            break;
        }
        if lead.len() > 1 && lead.starts_with('-') {
            if VALUED.contains(&lead) {
                rest.next();
            }
            continue;
        }
        command.push(word.clone());
        command.extend(rest.cloned());
        break;
    }
    command
}

/// `kitty @ …`, `kitten @ …`; without `@` it starts a program.
pub(in crate::eval) fn kitty(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    match evaluator.kitty_remote(call.rest(), frame) {
        Some(flow) => flow,
        None => evaluator.follow_table(call.parsed, call.rest(), frame),
    }
}

/// Follows `wezterm`.
pub(in crate::eval) fn wezterm(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let given = Given::of(rest);
    evaluator.select_terminal("wezterm", given.value("--pane-id").as_ref());
    let inner = frame.without_stdin();
    match (given.name(0), given.name(1)) {
        ("cli", "send-text") if given.operands.len() > 2 => {
            evaluator.type_text(&join(&given.words(2)), false, frame);
        }
        ("cli", "send-text") => {
            let flow = frame.stdin.clone();
            evaluator.type_flow(&flow, false, frame);
        }
        ("cli", "get-text") | ("record", _) => return evaluator.emit_screen_read(frame),
        ("cli", name @ ("spawn" | "split-pane")) | (name @ "start", _) => {
            let name = name.to_owned();
            evaluator.run_words(&command_of(rest, &name), &inner);
        }
        _ => {}
    }
    Flow::default()
}

/// Follows `zellij`.
pub(in crate::eval) fn zellij(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let given = Given::of(rest);
    evaluator.select_terminal("zellij", given.value("-s").or_else(|| given.value("--session")).as_ref());
    let inner = frame.without_stdin();
    match (given.name(0), given.name(1)) {
        ("run" | "r", _) => {
            let name = given.name(0).to_owned();
            evaluator.run_words(&command_of(rest, &name), &inner);
        }
        ("action" | "ac", "write-chars" | "paste") => {
            evaluator.type_text(&join(&given.words(2)), false, frame);
        }
        ("action" | "ac", "send-keys") => {
            let mut line = Line::default();
            given.words(2).iter().for_each(|word| line.key(word));
            evaluator.type_text(&line.typed, false, frame);
        }
        ("action" | "ac", "write") => {
            let codes: Option<String> = given.words(2).iter().map(|word| keys::code(word, 10)).collect();
            match codes {
                Some(text) => evaluator.type_text(&Word::text(&text, 0..0), false, frame),
                None => evaluator.type_text(&super::unknown(), false, frame),
            }
        }
        ("action" | "ac", "dump-screen" | "edit-scrollback") | ("subscribe" | "watch", _) => {
            for path in given.words(2) {
                evaluator.emit_path(Action::Write, &path, Qualities::NONE, frame);
            }
            return evaluator.emit_screen_read(frame);
        }
        ("action" | "ac", "new-pane") => drop(evaluator.run_words(&command_of(rest, "new-pane"), &inner)),
        ("action" | "ac", "new-tab") => drop(evaluator.run_words(&command_of(rest, "new-tab"), &inner)),
        ("options", _) => {
            if let Some(shell) = given.value("--default-shell") {
                evaluator.run_text(&shell, &inner);
            }
        }
        _ => {}
    }
    Flow::default()
}

impl Evaluator<'_> {
    /// Follows a command for a running one; `None` if the words start a program instead.
    fn kitty_remote(&mut self, rest: &[Word], frame: &Frame) -> Option<Flow> {
        let place = rest.iter().position(|word| word.constant().as_deref() == Some("@"))?;
        let rest = rest.get(place + 1..).unwrap_or_default();
        let given = Given::of(rest);
        self.select_terminal("kitty", given.value("--match").or_else(|| given.value("-m")).as_ref());
        let inner = frame.without_stdin();
        match given.name(0) {
            "send-text" => {
                if let Some(file) = given.value("--from-file") {
                    let flow = self.read_file(&file, frame);
                    self.type_flow(&flow, false, frame);
                } else if given.has("--stdin") || given.operands.len() < 2 {
                    let flow = frame.stdin.clone();
                    self.type_flow(&flow, false, frame);
                } else {
                    self.type_text(&keys::unescaped(&join(&given.words(1))), false, frame);
                }
            }
            "send-key" => {
                let mut line = Line::default();
                given.words(1).iter().for_each(|word| line.key(word));
                self.type_text(&line.typed, false, frame);
            }
            "get-text" => return Some(self.emit_screen_read(frame)),
            name @ ("launch" | "run" | "new-window") => {
                let name = name.to_owned();
                self.run_words(&command_of(rest, &name), &inner);
            }
            _ => {}
        }
        Some(Flow::default())
    }
}
