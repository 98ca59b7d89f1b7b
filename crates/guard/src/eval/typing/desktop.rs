//! Keys for the window in front: xdotool, ydotool, wtype, dotool and the like.

use super::keys::{self, Line};
use crate::eval::{
    Evaluator, Frame,
    flow::Flow,
    handlers::{Call, join},
};
use checkrein_shell::Word;

/// Commands of xdotool that end what `key` is given.
const COMMANDS: [&str; 22] = [
    "type",
    "key",
    "keydown",
    "keyup",
    "search",
    "exec",
    "windowactivate",
    "windowfocus",
    "getactivewindow",
    "click",
    "sleep",
    "mousemove",
    "selectwindow",
    "behave",
    "windowraise",
    "getwindowfocus",
    "mousedown",
    "mouseup",
    "windowmap",
    "set_window",
    "getmouselocation",
    "windowsize",
];

/// Follows `desktop`.
pub(in crate::eval) fn desktop(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    let name = parsed.program.name.first().copied().unwrap_or_default();
    // Whatever types goes to the window in front.
    evaluator.select_terminal("desktop", None);
    let inner = frame.without_stdin();
    match name {
        "xdotool" => match rest.first().filter(|first| is_script(first)) {
            // Its commands are on its input, or in a file.
            Some(script) => {
                let flow = if script.lead() == "-" {
                    frame.stdin.clone()
                } else {
                    evaluator.read_file(script, frame)
                };
                evaluator.xdotool_script(&flow, frame);
            }
            None => evaluator.xdotool(rest, frame),
        },
        "ydotool" | "wlrctl" => {
            let place = rest.iter().position(|word| word.lead() == "type");
            match place {
                Some(place) => evaluator.type_operands(rest.get(place + 1..).unwrap_or_default(), frame),
                // Codes of keys: 28 is the one that ends a line.
                None if rest.iter().any(|word| word.lead().starts_with("28:")) => {
                    evaluator.type_text(&Word::text("\n", 0..0), false, frame);
                }
                None => {}
            }
        }
        "wtype" => {
            let mut line = Line::default();
            let mut held = false;
            let mut words = rest.iter();
            while let Some(word) = words.next() {
                match word.lead() {
                    "-k" => words.next().into_iter().for_each(|key| line.key(key)),
                    "-" if frame.stdin.text.is_some() => {
                        line.text(frame.stdin.text.as_deref().unwrap_or_default());
                    }
                    "-" => line.typed.push(checkrein_shell::Part::Unknown(checkrein_shell::Unknown::new(
                        checkrein_shell::UnknownSource::Computed,
                    ))),
                    "-M" => {
                        held |= words.next().is_some_and(|word| matches!(word.lead(), "ctrl" | "logo"));
                    }
                    "-m" => {
                        words.next();
                        held = false;
                    }
                    "-P" | "-p" | "-s" | "-d" => drop(words.next()),
                    "v" | "V" if held => line.key(&Word::text("c-v", 0..0)),
                    _ => word.parts.iter().for_each(|part| line.typed.push(part.clone())),
                }
            }
            evaluator.type_text(&line.typed, false, frame);
        }
        // `t:text`, `kp:return`.
        "cliclick" => {
            let mut line = Line::default();
            for word in rest {
                if word.lead().starts_with("t:") {
                    word.skip(2).parts.into_iter().for_each(|part| line.typed.push(part));
                } else if word.lead().starts_with("kp:") {
                    line.key(&word.skip(3));
                }
            }
            evaluator.type_text(&line.typed, false, frame);
        }
        "xvkbd" => {
            if let Some(place) = rest.iter().position(|word| word.lead() == "-text") {
                let text = rest.get(place + 1).cloned().unwrap_or_else(super::unknown);
                evaluator.type_text(&keys::unescaped(&text), false, frame);
            }
        }
        // What they read is typed into a session.
        "dtach" | "abduco" => {
            if rest.iter().any(|word| word.lead() == "-p") {
                let flow = frame.stdin.clone();
                evaluator.type_flow(&flow, false, frame);
            } else if let Some(at) = rest.iter().position(|word| !word.lead().starts_with('-')) {
                evaluator.follow_argv(rest.get(at + 1..).unwrap_or_default(), &inner);
            }
        }
        // It shows a console, and what it reads is typed there.
        "conspy" => {
            evaluator.emit_screen_read(frame);
            let looks = |word: &Word| matches!(word.lead(), "-v" | "--viewonly" | "-V");
            if !rest.iter().any(looks) {
                let flow = frame.stdin.clone();
                evaluator.type_flow(&flow, false, frame);
            }
        }
        // The terminal, then the text.
        "ttyecho" | "writevt" | "ttyinject" => {
            let text = join(rest.get(1..).unwrap_or_default());
            evaluator.type_text(&text, false, frame);
        }
        // Recordings, and scripts that are not visible here.
        "evemu-play" => evaluator.type_text(&super::unknown(), false, frame),
        // One action on each line of their input, or in each word.
        _ => {
            let given = rest.iter().filter(|word| word.lead().contains(' '));
            let text = given.filter_map(Word::constant).collect::<Vec<_>>().join("\n");
            let stdin = &frame.stdin;
            match (text.is_empty(), &stdin.text) {
                (false, _) => evaluator.actions(&text, &inner),
                (true, Some(text)) => evaluator.actions(&text.clone(), &inner),
                (true, None) => evaluator.type_text(&super::unknown(), false, frame),
            }
        }
    }
    Flow::default()
}

impl Evaluator<'_> {
    /// `type text`, `str text`, `key enter`, one on each line.
    fn actions(&mut self, text: &str, frame: &Frame) {
        let mut line = Line::default();
        for action in text.lines().take(256) {
            match action.trim_start().split_once(' ') {
                Some(("type" | "str" | "typedelay", text)) => line.text(text),
                Some(("key", name)) => line.key(&Word::text(name.trim(), 0..0)),
                _ => {}
            }
        }
        self.type_text(&line.typed, false, frame);
    }

    /// The commands of xdotool, one on each line.
    fn xdotool_script(&mut self, flow: &Flow, frame: &Frame) {
        let Some(text) = &flow.text else { return self.type_text(&super::unknown(), false, frame) };
        let script = crate::read(text, &checkrein_shell::ShellEnv::default());
        let words: Vec<Word> =
            script.commands.iter().take(256).flat_map(|command| command.words.iter().cloned()).collect();
        self.xdotool(&words, frame);
    }

    fn xdotool(&mut self, rest: &[Word], frame: &Frame) {
        let mut line = Line::default();
        let mut words = rest;
        let mut typed = false;
        while let Some((word, others)) = words.split_first() {
            words = others;
            match word.lead() {
                "type" => {
                    typed = true;
                    let (given, left) = operands(words);
                    match given {
                        Some(given) => join(&given).parts.into_iter().for_each(|part| line.typed.push(part)),
                        None => super::unknown().parts.into_iter().for_each(|part| line.typed.push(part)),
                    }
                    words = left;
                }
                "key" => {
                    typed = true;
                    let is_key = |word: &&Word| !COMMANDS.contains(&word.lead());
                    let count = words.iter().take_while(is_key).count();
                    let (given, left) = words.split_at_checked(count).unwrap_or((words, &[]));
                    let mut given = given.iter();
                    while let Some(word) = given.next() {
                        match word.lead() {
                            "--window" | "--delay" | "--repeat" | "--repeat-delay" => drop(given.next()),
                            lead if lead.starts_with('-') => {}
                            _ => line.key(word),
                        }
                    }
                    words = left;
                }
                "exec" => {
                    let command: Vec<Word> =
                        words.iter().skip_while(|word| word.lead().starts_with('-')).cloned().collect();
                    self.follow_argv(&command, &frame.without_stdin());
                    break;
                }
                _ => {}
            }
        }
        if typed {
            self.type_text(&line.typed, false, frame);
        }
    }

    /// The operands of `ydotool type`.
    fn type_operands(&mut self, rest: &[Word], frame: &Frame) {
        let (given, _) = operands(rest);
        match given {
            Some(given) if given.is_empty() => {
                let flow = frame.stdin.clone();
                self.type_flow(&flow, false, frame);
            }
            Some(given) => self.type_text(&keys::unescaped(&join(&given)), false, frame),
            None => self.type_text(&super::unknown(), false, frame),
        }
    }
}

/// Returns true if a first word of xdotool is no command, but where its commands are.
fn is_script(word: &Word) -> bool {
    word.lead() == "-" || word.lead().contains('/') || word.is_unknown() && word.lead().is_empty()
}

/// Returns the operands of `type`, and the words after them; `None` if the text is in a file.
fn operands(rest: &[Word]) -> (Option<Vec<Word>>, &[Word]) {
    let mut words = rest;
    let (mut count, mut end) = (None, None);
    while let Some((word, others)) = words.split_first().filter(|(word, _)| word.lead().starts_with('-')) {
        words = others;
        let value =
            |words: &[Word]| words.first().and_then(|word| word.constant()).map(|text| text.into_owned());
        match word.lead() {
            "--" => break,
            "--file" | "-f" => return (None, &[]),
            "--args" => count = value(words).and_then(|text| text.parse::<usize>().ok()),
            "--terminator" => end = value(words),
            "--delay" | "--window" | "-d" | "-D" | "-H" | "--key-delay" | "--key-hold" | "--next-delay" => {}
            _ => continue,
        }
        words = words.get(1..).unwrap_or_default();
    }
    let length = match (count, end) {
        (Some(count), _) => count.min(words.len()),
        (None, Some(end)) => {
            let is_end = |word: &Word| word.constant().as_deref() == Some(end.as_str());
            words.iter().position(is_end).unwrap_or(words.len())
        }
        (None, None) => words.len(),
    };
    let (given, left) = words.split_at_checked(length).unwrap_or((words, &[]));
    (Some(given.to_vec()), left)
}
