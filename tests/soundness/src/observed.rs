//! What a run did to the scratch tree, from the calls that it made.
//!
//! Files that the command made and removed again are its own business and do not count; neither does what happens to one that it made.

use crate::trace::{Call, Event};
use std::collections::{BTreeMap, BTreeSet};

/// Something that happened to what was there before, or something new that is there afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It is gone, or is elsewhere.
    Deleted,
    /// Its content was replaced, cut or changed.
    Changed,
    /// It was opened for changing, and its content was not cut: it counts if its content is another one afterwards.
    Opened,
    /// It is new.
    Created,
    /// Its permissions changed.
    Mode,
    /// Its owner changed.
    Owner,
    /// A program was started.
    Started,
    /// A connection was tried.
    Connected,
}

impl Kind {
    /// The word for it in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Deleted => "deleted",
            Self::Changed => "changed",
            Self::Opened => "opened",
            Self::Created => "created",
            Self::Mode => "mode",
            Self::Owner => "owner",
            Self::Started => "started",
            Self::Connected => "connected",
        }
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Happened {
    /// What it is.
    pub kind: Kind,
    /// The path, the program or the address.
    pub what: String,
    /// The program that did it.
    pub by: String,
}

/// Finds what happened. `before`: the paths that were there.
pub fn find(events: &[Event], before: &BTreeSet<String>) -> Vec<Happened> {
    let mut run = Run { before, made: BTreeMap::new(), gone: BTreeSet::new(), all: BTreeSet::new() };
    for event in events {
        run.event(event);
    }
    let Run { made, gone, mut all, .. } = run;
    // What was removed and made anew has been replaced.
    all.retain(|one| one.kind != Kind::Deleted || gone.contains(&one.what));
    all.extend(made.into_iter().map(|(what, by)| Happened { kind: Kind::Created, what, by }));
    all.into_iter().collect()
}

struct Run<'a> {
    before: &'a BTreeSet<String>,
    /// What the command made and is still there, with the program that made it.
    made: BTreeMap<String, String>,
    gone: BTreeSet<String>,
    all: BTreeSet<Happened>,
}

impl Run<'_> {
    fn event(&mut self, event: &Event) {
        let by = event.program.as_str();
        match &event.call {
            Call::Exec(path) => self.add(Kind::Started, path, by),
            Call::Connect(address) => self.add(Kind::Connected, address, by),
            Call::Open { path, truncated, creates } if counts(path) => {
                if self.is_there(path) {
                    self.add_old(if *truncated { Kind::Changed } else { Kind::Opened }, path, by);
                } else if *creates {
                    self.make(path, by);
                }
            }
            Call::Truncate(path) if counts(path) => self.add_old(Kind::Changed, path, by),
            Call::Remove(path) if counts(path) => self.remove(path, by),
            Call::Rename(from, to) if counts(from) && counts(to) => {
                self.remove(from, by);
                self.arrive(to, by);
            }
            Call::Exchange(one, other) if counts(one) && counts(other) => {
                self.add_old(Kind::Changed, one, by);
                self.add_old(Kind::Changed, other, by);
            }
            Call::Make(path) if counts(path) => self.arrive(path, by),
            Call::Mode(path) if counts(path) => self.add_old(Kind::Mode, path, by),
            Call::Owner(path) if counts(path) => self.add_old(Kind::Owner, path, by),
            _ => {}
        }
    }

    fn is_there(&self, path: &str) -> bool {
        self.made.contains_key(path) || (self.before.contains(path) && !self.gone.contains(path))
    }

    fn add(&mut self, kind: Kind, what: &str, by: &str) {
        self.all.insert(Happened { kind, what: what.to_owned(), by: by.to_owned() });
    }

    /// Adds what happened to something that was there before the command.
    fn add_old(&mut self, kind: Kind, path: &str, by: &str) {
        if !self.made.contains_key(path) && self.before.contains(path) {
            self.add(kind, path, by);
        }
    }

    fn make(&mut self, path: &str, by: &str) {
        if self.before.contains(path) {
            // It was removed, and something else has its name.
            self.gone.remove(path);
            self.add(Kind::Changed, path, by);
        } else {
            self.made.entry(path.to_owned()).or_insert_with(|| by.to_owned());
        }
    }

    fn arrive(&mut self, path: &str, by: &str) {
        if self.is_there(path) {
            self.add_old(Kind::Changed, path, by);
        } else {
            self.make(path, by);
        }
    }

    fn remove(&mut self, path: &str, by: &str) {
        let below = format!("{path}/");
        self.made.retain(|made, _| made != path && !made.starts_with(&below));
        if self.before.contains(path) && self.gone.insert(path.to_owned()) {
            self.add(Kind::Deleted, path, by);
        }
    }
}

/// Whether a path is one of the scratch tree: not a device, not the table of processes.
fn counts(path: &str) -> bool {
    let elsewhere = ["/dev/", "/proc/", "/sys/", "/usr/"];
    path.starts_with('/') && !elsewhere.iter().any(|directory| path.starts_with(directory))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(calls: Vec<Call>) -> Vec<(Kind, String)> {
        let before = ["/p", "/p/a", "/p/b"].map(str::to_owned).into_iter().collect();
        let events: Vec<Event> =
            calls.into_iter().map(|call| Event { program: "x".to_owned(), call }).collect();
        find(&events, &before).into_iter().map(|happened| (happened.kind, happened.what)).collect()
    }

    fn open(path: &str) -> Call {
        Call::Open { path: path.to_owned(), truncated: true, creates: true }
    }

    #[test]
    fn what_a_command_makes_for_itself_does_not_count() {
        assert_eq!(found(vec![open("/p/tmp"), Call::Remove("/p/tmp".to_owned())]), []);
        let replaced = vec![open("/p/tmp"), Call::Rename("/p/tmp".to_owned(), "/p/a".to_owned())];
        assert_eq!(found(replaced), [(Kind::Changed, "/p/a".to_owned())]);
        assert_eq!(found(vec![open("/p/new"), open("/p/new")]), [(Kind::Created, "/p/new".to_owned())]);
    }

    #[test]
    fn what_was_there_counts() {
        let moved = vec![Call::Rename("/p/a".to_owned(), "/p/c".to_owned())];
        assert_eq!(found(moved), [(Kind::Deleted, "/p/a".to_owned()), (Kind::Created, "/p/c".to_owned())]);
        assert_eq!(found(vec![open("/p/b")]), [(Kind::Changed, "/p/b".to_owned())]);
        let again = vec![Call::Remove("/p/b".to_owned()), open("/p/b")];
        assert_eq!(found(again), [(Kind::Changed, "/p/b".to_owned())]);
    }
}
