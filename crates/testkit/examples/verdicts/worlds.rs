//! The machines on which commands are judged. None of them exists, and all have empty disks.

use checkrein_guard::{Action, CallContext, EmptyWorld, FileKind, Judgement, Modifier, Rule, World, judge};

/// A machine, and the place of a call on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machine {
    /// A project in a home directory.
    Plain,
    /// A project under a host that can type into a started process.
    Typed,
    /// A project in a pane of a terminal multiplexer.
    Terminal,
    /// A project while one of our commands waits for a confirmation.
    Confirming,
}

const HOME: &str = "/home/dev";
const PROJECT: &str = "/home/dev/proj";

/// The directories of the rules' examples.
const RULES_HOME: &str = "/home/ann";
const RULES_PROJECT: &str = "/home/ann/shop";

/// A machine and its user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    machine: Machine,
    of_rules: bool,
}

impl Place {
    pub(crate) const PLAIN: Self = Self { machine: Machine::Plain, of_rules: false };
    pub(crate) const TYPED: Self = Self { machine: Machine::Typed, of_rules: false };

    /// Returns a machine to which a rule applies.
    pub(crate) fn of(rule: &Rule) -> Self {
        let machine = if rule.with.has(Modifier::Confirming) {
            Machine::Confirming
        } else if rule.actions.has(Action::Type) {
            Machine::Terminal
        } else if rule.with.has(Modifier::Typed) {
            Machine::Typed
        } else {
            Machine::Plain
        };
        Self { machine, of_rules: true }
    }

    pub(crate) fn name(self) -> &'static str {
        match (self.machine, self.of_rules) {
            (Machine::Plain, false) => "plain",
            (Machine::Typed, false) => "typed",
            (Machine::Terminal, false) => "terminal",
            (Machine::Confirming, false) => "confirming",
            (Machine::Plain, true) => "plain of rules",
            (Machine::Typed, true) => "typed of rules",
            (Machine::Terminal, true) => "terminal of rules",
            (Machine::Confirming, true) => "confirming of rules",
        }
    }

    pub(crate) fn judge(self, text: &str) -> Judgement {
        let (home, project) = if self.of_rules { (RULES_HOME, RULES_PROJECT) } else { (HOME, PROJECT) };
        let project = Some(project.to_owned());
        let place = CallContext { cwd: project.clone(), project, typed: self.machine == Machine::Typed };
        match self.machine {
            Machine::Plain | Machine::Typed => judge(text, &place, &EmptyWorld::new(home)),
            machine => judge(text, &place, &Pane { home, confirming: machine == Machine::Confirming }),
        }
    }
}

/// Returns the machine for payloads, which name their directories themselves.
pub(crate) fn of_payloads() -> EmptyWorld {
    EmptyWorld::new(HOME)
}

struct Pane {
    home: &'static str,
    confirming: bool,
}

impl World for Pane {
    fn home(&self) -> Option<String> {
        Some(self.home.to_owned())
    }

    fn variable(&self, name: &str) -> Option<String> {
        (name == "TMUX_PANE").then(|| "%4".to_owned())
    }

    fn entry(&self, _: &str) -> Option<FileKind> {
        None
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }

    fn is_confirming(&self) -> bool {
        self.confirming
    }
}
