//! Timers, traces, and ourselves.

use super::WordReader;
use crate::{
    effect::Target,
    eval::{Evaluator, Frame, flow::Flow, handlers::Call},
    program::ParseFlag,
    qualities::{Qualities, qualities},
    vocabulary::{Action, Modifier, Taint},
};
use checkrein_shell::Word;

/// `date` and `hostname` without an operand show what is set, and with one they set it. A format is not a time.
pub(in crate::eval) fn clock(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    let is_time = |word: &Word| {
        let lead = word.lead();
        let digits = lead.chars().filter(char::is_ascii_digit).count();
        digits >= 6 && lead.chars().all(|char| char.is_ascii_digit() || char == '.')
    };
    let sets = match parsed.program.name.items() {
        ["hostname"] => !parsed.operands.is_empty(),
        _ => !parsed.qualities.has(Modifier::Lists) && parsed.operands.iter().any(is_time),
    };
    if sets && !parsed.qualities.has(ParseFlag::Help) {
        evaluator.emit_named(Action::Machine, "", Qualities::NONE, frame);
    }
    evaluator.follow_table(parsed, rest, frame)
}

/// Follows `crontab`.
pub(in crate::eval) fn crontab(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let mut reader = WordReader::new(rest);
    while let Some(word) = reader.next() {
        match word.lead() {
            "-l" | "--help" | "-V" | "-T" => return Flow::default(),
            "-r" => {
                let asks = rest.iter().any(|word| word.lead() == "-i");
                let qualities = if asks {
                    qualities![Modifier::Remove, Modifier::Asks]
                } else {
                    qualities![Modifier::Remove]
                };
                evaluator.emit_named(Action::Persist, "crontab", qualities, frame);
                return Flow::default();
            }
            "-ri" | "-ir" => {
                evaluator.emit_named(
                    Action::Persist,
                    "crontab",
                    qualities![Modifier::Remove, Modifier::Asks],
                    frame,
                );
                return Flow::default();
            }
            "-u" => drop(reader.next()),
            "-e" | "-i" => {}
            lead if lead.starts_with('-') && lead.len() > 1 => {}
            _ => {
                let flow =
                    if word.lead() == "-" { frame.stdin.clone() } else { evaluator.read_file(word, frame) };
                if word.lead() != "-" && flow.text.is_none() {
                    // Its content is unknown.
                    let qualities = frame.qualities.with(Modifier::Later);
                    evaluator.run_file(word, &Frame { qualities, ..frame.clone() });
                }
                evaluator.table_of_times(&flow, frame);
                return Flow::default();
            }
        }
    }
    evaluator.consume_typed(&frame.stdin, frame);
    if !frame.stdin.is_unknown() {
        let flow = frame.stdin.clone();
        evaluator.table_of_times(&flow, frame);
    }
    Flow::default()
}

/// Follows `history`.
pub(in crate::eval) fn history(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    if rest.iter().any(|word| word.lead().starts_with('-') && word.lead().contains(['c', 'd', 'w'])) {
        evaluator.emit_named(Action::Tamper, "history", qualities![Modifier::Remove], frame);
        return Flow::default();
    }
    // Users type passwords there, and running it runs everything again.
    Flow::of(qualities![Taint::Secret, Taint::Computed])
}

/// `parted` takes several commands in one line; those that change nothing are known.
pub(in crate::eval) fn partitions(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    const QUIET: [&str; 22] = [
        "print",
        "p",
        "unit",
        "align-check",
        "help",
        "quit",
        "q",
        "free",
        "all",
        "list",
        "devices",
        "s",
        "b",
        "kb",
        "mb",
        "gb",
        "tb",
        "kib",
        "mib",
        "gib",
        "%",
        "optimal",
    ];
    let is_disk = |word: &Word| word.lead().starts_with("/dev/");
    let is_quiet = |word: &Word| {
        let lead = word.lead().to_ascii_lowercase();
        QUIET.contains(&lead.as_str())
            || lead.starts_with('-')
            || lead.chars().all(|char| char.is_ascii_digit())
    };
    let Some(disk) = rest.iter().find(|word| is_disk(word)) else { return Flow::default() };
    if !rest.iter().all(|word| is_disk(word) || is_quiet(word) && word.constant().is_some()) {
        evaluator.emit_named(Action::Device, disk.lead(), Qualities::NONE, frame);
    }
    evaluator.passthrough(rest, frame)
}

impl Evaluator<'_> {
    /// Follows what a crontab would run, line by line.
    fn table_of_times(&mut self, flow: &Flow, frame: &Frame) {
        self.consume_typed(flow, frame);
        self.emit_named(Action::Persist, "crontab", qualities![Modifier::Later], frame);
        let inner = Frame {
            qualities: frame.qualities.with(Modifier::Later),
            stdin: Flow::default(),
            ..frame.clone()
        };
        for line in flow.text.as_deref().unwrap_or(&flow.also).lines().take(64) {
            let fields = if line.trim_start().starts_with('@') { 1 } else { 5 };
            let command: Vec<&str> = line.split_whitespace().skip(fields).collect();
            if !line.trim_start().starts_with('#') && !command.is_empty() {
                self.follow_text(&command.join(" "), &inner);
            }
        }
    }

    /// Notes something that is done to a target without a path.
    pub(in crate::eval) fn emit_named(
        &mut self,
        action: Action,
        name: &str,
        qualities: Qualities,
        frame: &Frame,
    ) {
        let target = if name.is_empty() { Target::Nothing } else { Target::Name(name.to_owned()) };
        self.emit(action, target, qualities, frame);
    }
}
