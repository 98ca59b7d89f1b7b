//! The figures, and the lists behind them.

use crate::launch::Case;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

/// What all runs say.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many commands ran.
    pub runs: usize,
    /// How many of them succeeded.
    pub succeeded: usize,
    /// How many did not end in time.
    pub late: usize,
    /// Effects that happened.
    pub happened: u64,
    /// Those of them that happened in runs of which the guard says that a part is not known.
    pub said_unknown: u64,
    /// What programs did for themselves, which no text is about.
    pub own: u64,
    /// Effects that were predicted for commands that succeeded.
    pub predicted: u64,
    unpredicted: BTreeMap<String, Vec<String>>,
    unseen: BTreeMap<String, Vec<String>>,
    deletions: BTreeSet<String>,
}

impl Report {
    /// Adds a run.
    pub fn add(&mut self, case: &Case, answer: &Value) {
        let number = |key: &str| answer.get(key).and_then(Value::as_u64).unwrap_or_default();
        let exit = answer.get("exit").and_then(Value::as_i64);
        self.runs += 1;
        self.succeeded += usize::from(exit == Some(0));
        self.late += usize::from(answer.get("late").and_then(Value::as_bool) == Some(true));
        self.happened += number("happened");
        self.said_unknown += number("unknown");
        self.own += number("own");
        self.predicted += number("predicted");
        let entries = |key: &str| answer.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        for entry in entries("unpredicted") {
            let word = |place: usize| entry.get(place).and_then(Value::as_str).unwrap_or_default().to_owned();
            let line =
                format!("{} {} by {} | {} | {}", word(0), word(1), word(2), case.shell, one_line(&case.text));
            if word(0) == "deleted" {
                self.deletions.insert(line.clone());
            }
            self.unpredicted.entry(word(2)).or_default().push(line);
        }
        for entry in entries("unseen") {
            let word = |place: usize| entry.get(place).and_then(Value::as_str).unwrap_or_default().to_owned();
            let line =
                format!("{} {} by {} | {} | {}", word(0), word(1), word(2), case.shell, one_line(&case.text));
            let program = word(2).split(' ').next().unwrap_or_default().to_owned();
            self.unseen.entry(program).or_default().push(line);
        }
    }

    /// How many effects happened that were not predicted.
    pub fn unpredicted(&self) -> usize {
        self.unpredicted.values().map(Vec::len).sum()
    }

    /// How many predicted effects did not happen.
    pub fn unseen(&self) -> usize {
        self.unseen.values().map(Vec::len).sum()
    }

    /// The deletions that were not predicted, each with its command.
    pub fn deletions(&self) -> impl Iterator<Item = &str> {
        self.deletions.iter().map(String::as_str)
    }

    /// The share of what happened that was not predicted, in percent.
    pub fn unpredicted_share(&self) -> f64 {
        share(self.unpredicted(), self.happened)
    }

    /// The share of what was predicted that did not happen, in percent.
    pub fn unseen_share(&self) -> f64 {
        share(self.unseen(), self.predicted)
    }

    /// The figures in a few lines.
    pub fn summary(&self) -> String {
        let Self { runs, succeeded, late, happened, said_unknown, own, predicted, .. } = self;
        format!(
            "{runs} runs under bash, dash, zsh and busybox; {succeeded} succeeded, {late} were stopped\n  \
             happened and not predicted   {:>6} of {happened:>6}   {:.2} %  (goal: at most 0.50 %)\n  \
             predicted and not happened   {:>6} of {predicted:>6}   {:.2} %  (goal: at most 5.00 %)\n  \
             deletions among the former   {:>6}\n\
             not counted: {said_unknown} effects of texts of which the guard says that a part is unknown, {own} that are a program's \
             own business\n",
            self.unpredicted(),
            self.unpredicted_share(),
            self.unseen(),
            self.unseen_share(),
            self.deletions.len(),
        )
    }

    /// Both lists, by program.
    pub fn lists(&self) -> String {
        let mut text = String::new();
        for (title, lists) in
            [("happened and not predicted", &self.unpredicted), ("predicted and not happened", &self.unseen)]
        {
            let _ = writeln!(text, "# {title}\n");
            let mut programs: Vec<_> = lists.iter().collect();
            programs.sort_by_key(|(_, lines)| std::cmp::Reverse(lines.len()));
            for (program, lines) in programs {
                let _ = writeln!(text, "## {program}: {}\n", lines.len());
                for line in lines {
                    let _ = writeln!(text, "{line}");
                }
                text.push('\n');
            }
        }
        text
    }
}

fn one_line(text: &str) -> String {
    text.replace('\n', "⏎")
}

fn share(part: usize, whole: u64) -> f64 {
    let number = |number: u64| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    if whole == 0 { 0.0 } else { 100.0 * number(part as u64) / number(whole) }
}
