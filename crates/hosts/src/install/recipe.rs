//! Recipes: where an agent looks for hooks, which events it fires since which version, and how its versions differ.

use super::layout::{Kind, Layout};
use crate::doctor::Content;
use checkrein_core::EventName;
use std::fmt;

/// The version of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// Returns the first version in `text`, for example in the output of `--version`.
    pub fn find(text: &str) -> Option<Self> {
        text.split(|c: char| !(c.is_ascii_digit() || c == '.')).find_map(|word| {
            let mut parts = word.split('.').map(str::parse::<u32>);
            let version = Self(parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
            parts.next().is_none().then_some(version)
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// Tells when an event is registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registration {
    /// Always: the guard, or a policy of any kind, needs it.
    Always,
    /// Only if a hook is configured for it, to avoid a useless process for each event.
    WhenConfigured,
}

/// An event that an agent fires.
#[derive(Clone, Copy, Debug)]
pub struct EventSupport {
    /// The canonical name of the event.
    pub event: EventName,
    /// The agent's own name of the event, which is the key in its file.
    pub key: &'static str,
    /// The first version that has the event; `None` if every known version does.
    pub since: Option<Version>,
    /// When the event is registered.
    pub registration: Registration,
    /// The timeout in seconds for the agent: longer than ours, so that we answer before it gives up and continues.
    pub timeout: u32,
}

/// An agent's treatment of a byte order mark before its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BomPolicy {
    /// The agent skips the mark.
    Skip,
    /// The agent rejects the file.
    Reject,
}

/// The recipe to install checkrein into one agent.
#[derive(Debug)]
pub struct Recipe {
    /// The name of its dialect.
    pub host: &'static str,
    /// The display name.
    pub title: &'static str,
    /// The program that a user starts.
    pub program: &'static str,
    /// The package that it is published as.
    pub package: &'static str,
    /// The path of its directory in the home directory.
    pub directory: &'static str,
    /// Paths in the home directory that show that it is installed; empty if its own directory does.
    pub signs: &'static [&'static str],
    /// The path of its directory in a project; empty if a project has no hooks.
    pub project: &'static str,
    /// The variable that overrides the directory in the home directory.
    pub variable: &'static str,
    /// The path of its directory below the value of the variable; empty if the variable names the directory itself.
    pub below_variable: &'static str,
    /// The file in that directory that we write hooks into, or the directory of our files if each event has one.
    pub file: &'static str,
    /// Other files of a project that may have hooks.
    pub beside: &'static [&'static str],
    /// The paths of an administrator's settings.
    pub managed: &'static [&'static str],
    /// The keys that the file may have; any other makes the agent reject it. Empty if any key is accepted.
    pub keys: &'static [&'static str],
    /// The treatment of a byte order mark.
    pub bom: BomPolicy,
    /// The oldest version that is known.
    pub oldest: Version,
    /// The version that everything was tested on; `None` if it is supported from its documentation alone, and not proved.
    pub measured: Option<Version>,
    /// The first version with a setting to treat a failing hook as a denial.
    pub fails_closed_since: Option<Version>,
    /// The events that the agent fires.
    pub events: &'static [EventSupport],
    /// The kind of the file that we write hooks into.
    pub content: Content,
    /// The layout of that file.
    pub layout: Layout,
    /// True if it reads the settings of the directory that it is started in, and not those above.
    pub reads_here: bool,
    /// True if it runs equal commands of one event once.
    pub runs_equal_once: bool,
    /// True if the files in a directory next to the administrator's file, of its name with the ending `.d`, count
    /// too.
    pub has_drop_ins: bool,
    /// The remaining steps for the user after the hooks are in the file.
    pub left_to_do: &'static [&'static str],
}

/// Creates an event that is always registered.
pub(crate) const fn always(event: EventName) -> EventSupport {
    EventSupport {
        event,
        key: event.as_str(),
        since: None,
        registration: Registration::Always,
        timeout: event.patience().as_secs() as u32,
    }
}

/// Creates an event that is registered if a hook is configured for it.
pub(crate) const fn configured(event: EventName) -> EventSupport {
    EventSupport { registration: Registration::WhenConfigured, ..always(event) }
}

/// Limits an event to versions since `version`.
pub(crate) const fn since(version: Version, fired: EventSupport) -> EventSupport {
    EventSupport { since: Some(version), ..fired }
}

/// Gives an event the name that the agent has for it.
pub(crate) const fn named(key: &'static str, fired: EventSupport) -> EventSupport {
    EventSupport { key, ..fired }
}

/// Returns every agent that checkrein can be installed into.
pub fn recipes() -> impl Iterator<Item = &'static Recipe> {
    crate::ALL.iter().filter_map(|host| host.recipe)
}

impl Recipe {
    /// Returns the recipe of a host.
    pub fn of(host: &str) -> Option<&'static Self> {
        recipes().find(|recipe| recipe.host == host)
    }

    /// Returns the display name, with a remark if no run of the agent has shown that it obeys.
    pub fn labelled(&self) -> String {
        match self.measured {
            Some(_) => self.title.to_owned(),
            None => format!("{} (not proved)", self.title),
        }
    }

    /// Returns the path of the file that registers us for an event, in the agent's directory.
    pub fn file_of(&self, fired: &EventSupport) -> String {
        match self.layout.kind {
            Kind::Entries | Kind::Tables | Kind::Yaml | Kind::Bridge(_) => self.file.to_owned(),
            Kind::Scripts => format!("{}/{}.sh", self.file, fired.key),
        }
    }

    /// Returns the paths of all files that may register us, in the agent's directory.
    pub fn files(&self) -> Vec<String> {
        match self.layout.kind {
            Kind::Entries | Kind::Tables | Kind::Yaml => vec![self.file.to_owned()],
            Kind::Bridge(_) => {
                let others = self.layout.companions.iter().map(|(name, _)| (*name).to_owned());
                std::iter::once(self.file.to_owned()).chain(others).collect()
            }
            Kind::Scripts => self.events.iter().map(|fired| self.file_of(fired)).collect(),
        }
    }

    /// Returns the agent's support of an event.
    pub fn fired(&self, event: EventName) -> Option<&EventSupport> {
        self.events.iter().find(|fired| fired.event == event)
    }

    /// Returns the agent's name of an event.
    pub fn key(&self, event: EventName) -> &'static str {
        self.fired(event).map_or(event.as_str(), |fired| fired.key)
    }

    /// Returns the event that the agent fires under this key of its file.
    pub fn event(&self, key: &str) -> Option<EventName> {
        let fired = self.events.iter().find(|fired| fired.key == key).map(|fired| fired.event);
        fired.or_else(|| key.parse().ok().filter(|_| self.layout.accepts_canonical))
    }

    /// Returns the events to register for `version` of the agent (the newest, if unknown) and the `configured`
    /// hooks.
    pub fn registered<'a>(
        &'a self,
        version: Option<Version>,
        configured: &'a [EventName],
    ) -> impl Iterator<Item = &'a EventSupport> {
        self.events.iter().filter(move |fired| {
            let there = match (version, fired.since) {
                (Some(version), Some(since)) => version >= since,
                (None, _) | (_, None) => true,
            };
            there && (fired.registration == Registration::Always || configured.contains(&fired.event))
        })
    }

    /// Returns true if `version` has a setting to treat a failing hook as a denial; an unknown version counts as
    /// new.
    pub fn fails_closed(&self, version: Option<Version>) -> bool {
        self.fails_closed_since.is_some_and(|since| version.is_none_or(|version| version >= since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install::{CLAUDE, CODEX};

    #[test]
    fn versions_are_found_and_ordered() {
        for (text, version) in [
            ("2.1.325 (Claude Code)", Some(Version(2, 1, 325))),
            ("codex-cli 0.166.0\n", Some(Version(0, 166, 0))),
            ("v1.2.3-beta", Some(Version(1, 2, 3))),
            ("1.2.3.4", None),
            ("none", None),
            ("99999999999.1.1", None),
        ] {
            assert_eq!(Version::find(text), version, "{text}");
        }
        assert!(Version(0, 145, 0) < Version(0, 166, 0) && Version(2, 1, 99) < Version(2, 1, 197));
    }

    #[test]
    fn an_old_agent_gets_no_entries_for_events_that_it_does_not_know() {
        let events = |version, configured: &[EventName]| -> Vec<EventName> {
            CODEX.registered(version, configured).map(|fired| fired.event).collect()
        };
        assert!(!events(Some(Version(0, 144, 9)), &[]).contains(&EventName::SessionEnd));
        assert!(events(Some(Version(0, 145, 0)), &[]).contains(&EventName::SessionEnd));
        assert!(events(None, &[]).contains(&EventName::SessionEnd));
        assert!(!events(None, &[]).contains(&EventName::PreCompact));
        assert!(events(None, &[EventName::PreCompact]).contains(&EventName::PreCompact));
        // An event that the agent never fires is not registered, whatever is configured.
        assert!(!events(None, &[EventName::Notification]).contains(&EventName::Notification));
    }

    #[test]
    fn the_agent_waits_longer_than_we_take() {
        for fired in recipes().flat_map(|recipe| recipe.events) {
            assert!(u64::from(fired.timeout) > fired.event.budget().as_secs(), "{}", fired.event);
        }
    }

    #[test]
    fn the_fail_closed_option_is_set_where_there_is_one() {
        assert!(CLAUDE.fails_closed(None) && CLAUDE.fails_closed(Some(Version(2, 1, 300))));
        assert!(!CLAUDE.fails_closed(Some(Version(2, 1, 299))) && !CODEX.fails_closed(None));
    }
}
