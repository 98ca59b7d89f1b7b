//! The differences between hosts whose hook files have Claude Code's format. `checkrein import` uses them.

use crate::install::Recipe;
use checkrein_core::EventName;
use std::hash::{Hash, Hasher};

/// The format of a host's hook files: events, groups with a matcher, handlers.
#[derive(Debug)]
pub struct Format {
    /// The recipe with the names, the events and the permitted keys of the file.
    pub recipe: &'static Recipe,
    /// The expected format, for an error message.
    pub shape: &'static str,
    /// True if hooks may also be in TOML.
    pub toml: bool,
    /// The form of an entry of an event.
    pub entries: Entries,
    /// The syntax of a matcher.
    pub matchers: Matchers,
    /// Events whose matcher the host ignores, in addition to those that every host ignores.
    pub ignores_matcher: &'static [EventName],
    /// Keys of a handler that only this host has.
    pub handler_keys: &'static [&'static str],
    /// Keys of a handler that are left out, and why.
    pub left_out: &'static [(&'static str, &'static str)],
    /// Kinds of handlers that the host does not run itself.
    pub runs_not: &'static [&'static str],
    /// The variable that names a file in which hooks of these events can leave variables for the shell.
    pub environment_file: Option<(&'static str, &'static [EventName])>,
    /// The host's treatment of a denied result, if it differs from ours.
    pub shows_denied: Option<&'static str>,
    /// The timeouts of hooks, in seconds.
    pub seconds: Seconds,
    /// The key of the file that disables all hooks.
    pub switch: Option<&'static str>,
    /// The names below `features` that disable all hooks.
    pub features: &'static [&'static str],
    /// Keys of the file that are left out if they are true, and the remark about each.
    pub remarks: &'static [(&'static str, &'static str)],
    /// Keys next to the events that are left out, and why.
    pub beside_events: &'static [(&'static str, &'static str)],
    /// True if `hooks.state` says which handlers are enabled.
    pub has_state: bool,
    /// True if `notify` names a program that is told about every finished turn.
    pub has_notify: bool,
    /// A difference that concerns every hook, in addition to those of all hosts.
    pub rule: &'static str,
    /// The signs that distinguish its files from those of other hosts.
    pub signs: Signs,
    /// True if its files look like those of another host, so that only a sign makes them its own.
    pub needs_sign: bool,
}

impl Format {
    /// Returns the name on the command line.
    pub const fn name(&self) -> &'static str {
        self.recipe.host
    }

    /// Returns the name for sentences.
    pub const fn title(&self) -> &'static str {
        self.recipe.title
    }

    /// Returns the events.
    pub fn events(&self) -> impl Iterator<Item = EventName> {
        self.recipe.events.iter().map(|fired| fired.event)
    }

    /// Returns the event that the host fires under this key of the file.
    pub fn event(&self, key: &str) -> Option<EventName> {
        let registered = self.recipe.events.iter().find(|fired| fired.key == key).map(|fired| fired.event);
        registered.or_else(|| {
            self.entries.more_events.iter().find(|(known, _)| *known == key).map(|(_, event)| *event)
        })
    }

    /// Returns the keys of the events in the file.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> {
        let more = self.entries.more_events.iter().map(|(key, _)| *key);
        self.recipe.events.iter().map(|fired| fired.key).chain(more)
    }

    /// Returns the `written_for` of a hook under this key; `None` if its host has no form of its own.
    pub fn written_for(&self, key: &str, event: EventName) -> Option<String> {
        let host = crate::host(self.name()).filter(|host| host.hooks.is_some())?;
        let name = host.name();
        Some(if self.recipe.key(event) == key { name.to_owned() } else { format!("{name}:{key}") })
    }

    /// Returns true if the host accepts a file with this key.
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

/// The form of an entry of an event.
#[derive(Clone, Copy, Debug)]
pub struct Entries {
    /// True if an entry is a handler with a matcher of its own, and not a group of them.
    pub flat: bool,
    /// True if a handler without a `type` is a command.
    pub kind_optional: bool,
    /// The keys of a command for `bash`, in addition to `command`.
    pub bash: &'static [&'static str],
    /// The keys of the timeout.
    pub timeout: &'static [&'static str],
    /// The key of a handler that makes its failure a denial.
    pub fail_closed: Option<&'static str>,
    /// Events on which the failure of a hook is a denial without that.
    pub denies_on: &'static [EventName],
    /// Keys of events in addition to those that we register.
    pub more_events: &'static [(&'static str, EventName)],
    /// Keys of events whose matcher is compared with something else than a tool, and with what.
    pub other_matchers: &'static [(&'static str, &'static str)],
    /// Keys of events whose hooks get less here, and what is missing.
    pub missing: &'static [(&'static str, &'static str)],
}

impl Entries {
    /// Groups of handlers, as Claude Code has them.
    pub const GROUPS: Self = Self {
        flat: false,
        kind_optional: false,
        bash: &[],
        timeout: &["timeout"],
        fail_closed: None,
        denies_on: &[],
        more_events: &[],
        other_matchers: &[],
        missing: &[],
    };
}

/// The syntax of a matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matchers {
    /// Names separated by `|` or `,`, or a JavaScript expression.
    JavaScript,
    /// Names separated by `|`, or a Rust expression.
    Rust,
    /// Names separated by `|`, or a JavaScript expression for a part of the name.
    Part,
    /// Names separated by `|`, or a JavaScript expression for the whole name.
    Whole,
    /// None: the host calls every hook.
    Ignored,
}

/// The timeouts of hooks, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Seconds {
    /// The default.
    pub default: f64,
    /// The default on single events.
    pub default_on: &'static [(EventName, f64)],
    /// The minimum.
    pub least: f64,
    /// The maximum on single events.
    pub most_on: &'static [(EventName, f64)],
}

impl Seconds {
    /// Returns the default timeout.
    pub fn default(&self, event: Option<EventName>) -> f64 {
        on(self.default_on, event).unwrap_or(self.default)
    }

    /// Returns the timeout that the host uses instead of the configured one, if it differs.
    pub fn instead(&self, event: Option<EventName>, written: f64) -> Option<f64> {
        let too_few = Some(self.least).filter(|least| written < *least);
        too_few.or_else(|| on(self.most_on, event).filter(|most| written > *most))
    }
}

fn on(table: &[(EventName, f64)], event: Option<EventName>) -> Option<f64> {
    table.iter().find(|(known, _)| Some(*known) == event).map(|(_, seconds)| *seconds)
}

/// The signs that distinguish a host's files from those of others, in addition to its own events.
#[derive(Clone, Copy, Debug)]
pub struct Signs {
    /// Words in a matcher.
    pub matcher: &'static [&'static str],
    /// Keys of a handler.
    pub handler: &'static [&'static str],
    /// Words in a command.
    pub command: &'static [&'static str],
    /// Keys of a handler that no other host knows.
    pub certain: &'static [&'static str],
}
