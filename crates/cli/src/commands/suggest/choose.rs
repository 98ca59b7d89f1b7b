//! Chooses the entries: those that cover the most days and sessions, one after another.

use crate::commands::replay::{Call, Want};
use std::collections::{BTreeMap, BTreeSet};

/// The number of days on which something must have been needed.
pub(super) const DAYS: usize = 2;
/// The number of sessions in which something must have been needed.
pub(super) const SESSIONS: usize = 2;
/// The most programs in one entry.
const PROGRAMS: usize = 3;
/// The number of different needs that are remembered.
const MOST: usize = 20_000;
/// The number of examples of each need.
const EXAMPLES: usize = 5;

/// The names of one entry: programs, or files that a rule is about. Zones are not part of it.
type Need = BTreeSet<Key>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Program(String),
    File { rule: String, program: Option<String>, target: String, directory: String },
}

/// The calls with the same needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Covered {
    pub(super) calls: u64,
    pub(super) days: BTreeSet<String>,
    pub(super) sessions: BTreeSet<String>,
    pub(super) examples: BTreeSet<String>,
    /// The zones in which each program read.
    pub(super) zones: BTreeSet<String>,
}

impl Covered {
    fn join(&mut self, other: &Self) {
        self.calls += other.calls;
        self.days.extend(other.days.iter().cloned());
        self.sessions.extend(other.sessions.iter().cloned());
        self.zones.extend(other.zones.iter().cloned());
        let room = EXAMPLES.saturating_sub(self.examples.len());
        self.examples.extend(other.examples.iter().take(room).cloned());
    }
}

/// An entry, and the calls that it covers and none before it did.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) keys: Need,
    pub(super) covered: Covered,
}

/// Everything that calls would have needed.
#[derive(Debug, Default)]
pub(super) struct Needs(BTreeMap<Need, Covered>);

impl Needs {
    /// Adds a call.
    pub(super) fn add(&mut self, call: &Call) {
        let Some(day) = call.time.get(..10).filter(|_| !call.wants.is_empty()) else { return };
        let mut need = Need::new();
        let mut zones: Vec<&String> = Vec::new();
        for want in &call.wants {
            match want {
                Want::Allow { program, zones: read } => {
                    need.insert(Key::Program(program.clone()));
                    zones.extend(read);
                }
                Want::Exception { rule, program, target, directory } => {
                    let (rule, program) = (rule.clone(), program.clone());
                    need.insert(Key::File {
                        rule,
                        program,
                        target: target.clone(),
                        directory: directory.clone(),
                    });
                }
            }
        }
        if self.0.len() >= MOST && !self.0.contains_key(&need) {
            return;
        }
        let covered = self.0.entry(need).or_default();
        covered.calls += 1;
        covered.days.insert(day.to_owned());
        covered.sessions.insert(format!("{} {}", call.agent, call.session));
        covered.zones.extend(zones.into_iter().cloned());
        if covered.examples.len() < EXAMPLES && !call.command.is_empty() {
            covered.examples.insert(call.command.clone());
        }
    }

    /// Chooses entries until none is left that is worth it.
    pub(super) fn choose(mut self, most: usize) -> Vec<Choice> {
        let mut chosen = Vec::new();
        let mut named = Need::new();
        while chosen.len() < most {
            let Some(keys) = self.best(&named) else { break };
            named.extend(keys.iter().cloned());
            let covered = self.take(&named);
            chosen.push(Choice { keys, covered });
        }
        chosen
    }

    /// Returns what to name next.
    fn best(&self, named: &Need) -> Option<Need> {
        let missing: BTreeSet<Need> =
            self.0.keys().map(|need| need.difference(named).cloned().collect()).collect();
        let worth = |keys: &Need| {
            let all: Need = named.union(keys).cloned().collect();
            let covered = self.covered(&all);
            let enough = covered.days.len() >= DAYS && covered.sessions.len() >= SESSIONS;
            // Of two that are worth the same, the one that names less.
            let less = usize::MAX - keys.len();
            enough.then_some((covered.days.len(), covered.sessions.len(), less, covered.calls))
        };
        let small = missing.into_iter().filter(|keys| (1..=PROGRAMS).contains(&keys.len()));
        small.filter_map(|keys| Some((worth(&keys)?, keys))).max().map(|(_, keys)| keys)
    }

    fn covered(&self, named: &Need) -> Covered {
        let mut all = Covered::default();
        self.0.iter().filter(|(need, _)| need.is_subset(named)).for_each(|(_, covered)| all.join(covered));
        all
    }

    /// Takes out what is covered.
    fn take(&mut self, named: &Need) -> Covered {
        let all = self.covered(named);
        self.0.retain(|need, _| !need.is_subset(named));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(day: u32, session: &str, programs: &[&str]) -> Call {
        let want =
            |program: &&str| Want::Allow { program: (*program).to_owned(), zones: vec!["project".into()] };
        Call {
            time: format!("2026-11-{day:02}T10:00:00Z"),
            session: session.to_owned(),
            command: programs.join(" && "),
            wants: programs.iter().map(want).collect(),
            ..Call::default()
        }
    }

    fn names(choices: &[Choice]) -> Vec<Vec<&str>> {
        let name = |key: &'_ Key| match key {
            Key::Program(name) => name.clone(),
            Key::File { target, .. } => target.clone(),
        };
        let all = choices.iter().map(|choice| choice.keys.iter().map(name).collect::<Vec<_>>());
        all.map(|names| names.into_iter().map(|name| &*name.leak()).collect()).collect()
    }

    /// An agent that repeats a call in one session, or on one day, gets nothing for it.
    #[test]
    fn history_cannot_be_stuffed() {
        let mut needs = Needs::default();
        for _ in 0..10_000 {
            needs.add(&call(1, "a", &["cat"]));
        }
        for session in ["b", "c", "d", "e"] {
            needs.add(&call(1, session, &["head"]));
        }
        for day in 1..9 {
            needs.add(&call(day, "long", &["tail"]));
        }
        assert_eq!(names(&needs.choose(10)), [[""; 0]; 0]);
    }

    #[test]
    fn days_come_before_sessions_and_sessions_before_calls() {
        let mut needs = Needs::default();
        for day in 1..=4 {
            needs.add(&call(day, if day % 2 == 0 { "a" } else { "b" }, &["rg"]));
        }
        for (number, day) in [1, 2, 3].into_iter().cycle().take(60).enumerate() {
            needs.add(&call(day, &number.to_string(), &["ls"]));
        }
        let choices = needs.choose(10);
        assert_eq!(names(&choices), [["rg"], ["ls"]]);
        assert_eq!((choices[1].covered.calls, choices[1].covered.days.len()), (60, 3));
        assert!(names(&Needs::default().choose(0)).is_empty());
    }

    /// A call that runs several programs needs all of them, and one entry can name them.
    #[test]
    fn programs_that_belong_together_are_one_entry() {
        let mut needs = Needs::default();
        for day in 1..=3 {
            needs.add(&call(day, &day.to_string(), &["cd", "git log"]));
            needs.add(&call(day, &day.to_string(), &["cd", "git log", "head", "sort", "wc"]));
        }
        needs.add(&call(1, "1", &["git log"]));
        for day in 1..=3 {
            // More than one entry may name.
            needs.add(&call(day, &day.to_string(), &["awk", "comm", "cut", "join"]));
        }
        let choices = needs.choose(10);
        assert_eq!(names(&choices), [vec!["cd", "git log"], vec!["head", "sort", "wc"]]);
        assert_eq!(choices[0].covered.calls, 4);
    }
}
