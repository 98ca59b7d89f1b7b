//! The recipes: where an agent looks for hooks, which events it fires since when, and what we know of its versions.

use crate::doctor::Content;
use checkrein_core::EventName;
use std::fmt;

/// The version of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// The first version that stands in `text`, for example in what `--version` prints.
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

/// When an event is registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// Always: the guard, or a policy of any kind, needs it.
    Always,
    /// Only if a hook is configured for it: a process for each of them would be for nothing.
    WhenConfigured,
}

/// An event that an agent fires.
#[derive(Clone, Copy, Debug)]
pub struct Fired {
    /// Its name.
    pub event: EventName,
    /// The version that has it first; `None` if every one does that we know of.
    pub since: Option<Version>,
    /// Whether it is registered.
    pub named: Named,
    /// The seconds that the agent is told to wait: more than we take, so that we answer before it gives up and goes on.
    pub timeout: u32,
}

/// What an agent makes of a mark of the byte order before its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It passes over it.
    PassedOver,
    /// It rejects the file.
    Rejected,
}

/// How one agent is set up.
#[derive(Debug)]
pub struct Recipe {
    /// The name of its dialect.
    pub host: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The program that a user starts.
    pub program: &'static str,
    /// The package that it is published as.
    pub package: &'static str,
    /// Its directory, in the home directory and in a project.
    pub directory: &'static str,
    /// The variable that names another directory than that in the home directory.
    pub variable: &'static str,
    /// The file in that directory that we write hooks into.
    pub file: &'static str,
    /// Other files of a project that may hold hooks.
    pub beside: &'static [&'static str],
    /// Where an administrator's settings lie.
    pub managed: &'static [&'static str],
    /// The keys that the file may have; any other makes the agent reject all of it. Empty if it does not mind.
    pub keys: &'static [&'static str],
    /// What becomes of a file with a mark of the byte order.
    pub mark: Mark,
    /// The oldest version that we know anything of.
    pub oldest: Version,
    /// The version that everything was measured on.
    pub measured: Version,
    /// The version that has a switch to treat a failing hook as a denial.
    pub fails_closed_since: Option<Version>,
    /// What it fires.
    pub events: &'static [Fired],
    /// What kind of file it is that we write hooks into.
    pub content: Content,
    /// It reads the settings of the directory that it is started in, and not those above.
    pub reads_here: bool,
    /// It runs equal commands of one event once.
    pub runs_equal_once: bool,
    /// Beside an administrator's file, those in a directory of its name with the ending `.d` count, too.
    pub has_drop_ins: bool,
    /// What a user has to do after the hooks are in the file.
    pub left_to_do: &'static [&'static str],
}

/// An event that is always registered.
pub(crate) const fn always(event: EventName) -> Fired {
    Fired { event, since: None, named: Named::Always, timeout: event.patience().as_secs() as u32 }
}

/// An event that is registered if a hook is configured for it.
pub(crate) const fn configured(event: EventName) -> Fired {
    Fired { named: Named::WhenConfigured, ..always(event) }
}

/// An event that older versions do not have.
pub(crate) const fn since(version: Version, fired: Fired) -> Fired {
    Fired { since: Some(version), ..fired }
}

/// Every agent that we can set up.
pub fn recipes() -> impl Iterator<Item = &'static Recipe> {
    crate::ALL.iter().filter_map(|host| host.recipe)
}

impl Recipe {
    /// The recipe of a host.
    pub fn of(host: &str) -> Option<&'static Self> {
        recipes().find(|recipe| recipe.host == host)
    }

    /// What this agent fires under this name.
    pub fn fired(&self, event: EventName) -> Option<&Fired> {
        self.events.iter().find(|fired| fired.event == event)
    }

    /// The events to register with `version` of the agent (the newest, if it is not known), when hooks are `configured`.
    pub fn registered<'a>(
        &'a self,
        version: Option<Version>,
        configured: &'a [EventName],
    ) -> impl Iterator<Item = &'a Fired> {
        self.events.iter().filter(move |fired| {
            let there = match (version, fired.since) {
                (Some(version), Some(since)) => version >= since,
                (None, _) | (_, None) => true,
            };
            there && (fired.named == Named::Always || configured.contains(&fired.event))
        })
    }

    /// Whether `version` has a switch to treat a failing hook as a denial; a version that is not known is taken for new.
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
    fn an_old_agent_is_not_told_of_events_that_it_does_not_know() {
        let events = |version, configured: &[EventName]| -> Vec<EventName> {
            CODEX.registered(version, configured).map(|fired| fired.event).collect()
        };
        assert!(!events(Some(Version(0, 144, 9)), &[]).contains(&EventName::SessionEnd));
        assert!(events(Some(Version(0, 145, 0)), &[]).contains(&EventName::SessionEnd));
        assert!(events(None, &[]).contains(&EventName::SessionEnd));
        assert!(!events(None, &[]).contains(&EventName::PreCompact));
        assert!(events(None, &[EventName::PreCompact]).contains(&EventName::PreCompact));
        // What it never fires is not registered, whatever is configured.
        assert!(!events(None, &[EventName::Notification]).contains(&EventName::Notification));
    }

    #[test]
    fn the_agent_waits_longer_than_we_take() {
        for fired in recipes().flat_map(|recipe| recipe.events) {
            assert!(u64::from(fired.timeout) > fired.event.budget().as_secs(), "{}", fired.event);
        }
    }

    #[test]
    fn the_switch_is_set_where_there_is_one() {
        assert!(CLAUDE.fails_closed(None) && CLAUDE.fails_closed(Some(Version(2, 1, 300))));
        assert!(!CLAUDE.fails_closed(Some(Version(2, 1, 299))) && !CODEX.fails_closed(None));
    }
}
