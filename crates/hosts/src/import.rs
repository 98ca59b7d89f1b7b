//! What a host's own files of hooks mean, where hosts with Claude Code's form of such a file differ. `checkrein import` reads them.

use crate::install::Recipe;
use checkrein_core::EventName;
use std::hash::{Hash, Hasher};

/// The form of a host's files of hooks: events, groups with a matcher, handlers.
#[derive(Debug)]
pub struct Format {
    /// Its names, its events, and the keys that its file may have.
    pub recipe: &'static Recipe,
    /// What a file of it looks like, for who is told that another one does not.
    pub shape: &'static str,
    /// Whether hooks may stand in TOML, too.
    pub toml: bool,
    /// How a matcher is read.
    pub matchers: Matchers,
    /// Events on which it does not look at a matcher, besides those on which nobody does.
    pub ignores_matcher: &'static [EventName],
    /// The keys of a handler that it has beyond those of all.
    pub handler_keys: &'static [&'static str],
    /// Keys of a handler that are left out, and why.
    pub left_out: &'static [(&'static str, &'static str)],
    /// Kinds of handlers that it does not run itself.
    pub runs_not: &'static [&'static str],
    /// The variable of a file in which hooks of these events can leave variables for its shell.
    pub environment_file: Option<(&'static str, &'static [EventName])>,
    /// What it does with a result that is denied, if not what we do.
    pub shows_denied: Option<&'static str>,
    /// The seconds that a hook has.
    pub seconds: Seconds,
    /// The key of the file that switches off all hooks.
    pub switch: Option<&'static str>,
    /// The names below `features` that switch off all hooks.
    pub features: &'static [&'static str],
    /// Keys of the file that are left out where they are true, and what is to be said.
    pub remarks: &'static [(&'static str, &'static str)],
    /// Keys beside the events that are left out, and why.
    pub beside_events: &'static [(&'static str, &'static str)],
    /// Whether `hooks.state` says of each handler if it is on.
    pub has_state: bool,
    /// Whether `notify` names a program that is told of every finished turn.
    pub has_notify: bool,
    /// What is different for every hook, beyond what is different for those of all hosts.
    pub rule: &'static str,
    /// What tells its files from those of others.
    pub signs: Signs,
}

impl Format {
    /// Its name on the command line.
    pub const fn name(&self) -> &'static str {
        self.recipe.host
    }

    /// Its name in sentences.
    pub const fn title(&self) -> &'static str {
        self.recipe.title
    }

    /// Its events.
    pub fn events(&self) -> impl Iterator<Item = EventName> {
        self.recipe.events.iter().map(|fired| fired.event)
    }

    /// Whether it would read a file with this key.
    pub fn accepts(&self, key: &str) -> bool {
        self.recipe.keys.is_empty() || self.recipe.keys.contains(&key)
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}

impl Hash for Format {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

/// How a matcher is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matchers {
    /// Names between `|` or `,`, or a JavaScript expression.
    JavaScript,
    /// Names between `|`, or a Rust expression.
    Rust,
}

/// The seconds that a hook has.
#[derive(Clone, Copy, Debug)]
pub struct Seconds {
    /// Where the file says nothing.
    pub default: f64,
    /// The same on single events.
    pub default_on: &'static [(EventName, f64)],
    /// The fewest, whatever the file says.
    pub least: f64,
    /// The most on single events, whatever the file says.
    pub most_on: &'static [(EventName, f64)],
}

impl Seconds {
    /// The seconds of a hook of which the file says nothing.
    pub fn default(&self, event: Option<EventName>) -> f64 {
        on(self.default_on, event).unwrap_or(self.default)
    }

    /// What the host makes of the seconds that the file says, if it does not take them as they are.
    pub fn instead(&self, event: Option<EventName>, written: f64) -> Option<f64> {
        let too_few = Some(self.least).filter(|least| written < *least);
        too_few.or_else(|| on(self.most_on, event).filter(|most| written > *most))
    }
}

fn on(table: &[(EventName, f64)], event: Option<EventName>) -> Option<f64> {
    table.iter().find(|(known, _)| Some(*known) == event).map(|(_, seconds)| *seconds)
}

/// What tells a host's files from those of others. Its own events do, too.
#[derive(Clone, Copy, Debug)]
pub struct Signs {
    /// Words in a matcher.
    pub matcher: &'static [&'static str],
    /// Keys of a handler.
    pub handler: &'static [&'static str],
    /// Words in a command.
    pub command: &'static [&'static str],
    /// Keys of a handler that mean nothing to any other.
    pub certain: &'static [&'static str],
}
