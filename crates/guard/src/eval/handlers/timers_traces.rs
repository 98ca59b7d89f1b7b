//! Timers, traces, and ourselves.

use super::Reader;
use crate::{
    effect::Target,
    eval::{Context, Evaluator, flow::Flow},
    program::Parsed,
    vocabulary::{Mark, Marks, Verb},
};
use checkrein_shell::Word;

impl Evaluator<'_> {
    /// `date` and `hostname` without an operand show what is set, and with one they set it. A format is no time.
    pub(super) fn clock(&mut self, parsed: &Parsed, rest: &[Word], context: &mut Context) -> Flow {
        let is_time = |word: &Word| {
            let lead = word.lead();
            let digits = lead.chars().filter(char::is_ascii_digit).count();
            digits >= 6 && lead.chars().all(|char| char.is_ascii_digit() || char == '.')
        };
        let sets = match parsed.program.name {
            ["hostname"] => !parsed.operands.is_empty(),
            _ => !parsed.marks.has(Mark::Lists) && parsed.operands.iter().any(is_time),
        };
        if sets && !parsed.marks.has(Mark::Help) {
            self.tell(Verb::Machine, "", &[], context);
        }
        self.plain(parsed, rest, context)
    }

    pub(super) fn history(&mut self, rest: &[Word], context: &Context) -> Flow {
        if rest.iter().any(|word| word.lead().starts_with('-') && word.lead().contains(['c', 'd', 'w'])) {
            self.tell(Verb::Tamper, "history", &[Mark::Remove], context);
            return Flow::default();
        }
        // People type passwords; and whoever runs it, runs everything again.
        Flow::marked(&[Mark::Secret, Mark::Computed])
    }

    /// `parted` takes several commands in one line; those that change nothing are known.
    pub(super) fn partitions(&mut self, rest: &[Word], context: &Context) -> Flow {
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
            self.tell(Verb::Device, disk.lead(), &[], context);
        }
        self.through(rest, context)
    }

    pub(super) fn crontab(&mut self, rest: &[Word], context: &Context) -> Flow {
        let mut reader = Reader::new(rest);
        while let Some(word) = reader.next() {
            match word.lead() {
                "-l" | "--help" | "-V" | "-T" => return Flow::default(),
                "-r" => {
                    let asks = rest.iter().any(|word| word.lead() == "-i");
                    let marks: &[Mark] = if asks { &[Mark::Remove, Mark::Asks] } else { &[Mark::Remove] };
                    self.tell(Verb::Persist, "crontab", marks, context);
                    return Flow::default();
                }
                "-ri" | "-ir" => {
                    self.tell(Verb::Persist, "crontab", &[Mark::Remove, Mark::Asks], context);
                    return Flow::default();
                }
                "-u" => drop(reader.next()),
                "-e" | "-i" => {}
                lead if lead.starts_with('-') && lead.len() > 1 => {}
                _ => {
                    let flow =
                        if word.lead() == "-" { context.stdin.clone() } else { self.reads(word, context) };
                    if word.lead() != "-" && flow.text.is_none() {
                        // Nobody has seen what is in it.
                        let marks = context.marks.with(Mark::Later);
                        self.run_file(word, &Context { marks, ..context.clone() });
                    }
                    self.table_of_times(&flow, context);
                    return Flow::default();
                }
            }
        }
        self.hears(&context.stdin, context);
        if !context.stdin.is_unknown() {
            let flow = context.stdin.clone();
            self.table_of_times(&flow, context);
        }
        Flow::default()
    }

    /// What a crontab would run, line by line.
    fn table_of_times(&mut self, flow: &Flow, context: &Context) {
        self.hears(flow, context);
        self.tell(Verb::Persist, "crontab", &[Mark::Later], context);
        let inner =
            Context { marks: context.marks.with(Mark::Later), stdin: Flow::default(), ..context.clone() };
        for line in flow.text.as_deref().unwrap_or(&flow.also).lines().take(64) {
            let fields = if line.trim_start().starts_with('@') { 1 } else { 5 };
            let command: Vec<&str> = line.split_whitespace().skip(fields).collect();
            if !line.trim_start().starts_with('#') && !command.is_empty() {
                self.text(&command.join(" "), &inner);
            }
        }
    }

    /// Notes something that is done to a target without a path.
    pub(in crate::eval) fn tell(&mut self, verb: Verb, name: &str, marks: &[Mark], context: &Context) {
        let target = if name.is_empty() { Target::Nothing } else { Target::Name(name.to_owned()) };
        self.say(verb, target, Marks::of(marks), context);
    }
}
