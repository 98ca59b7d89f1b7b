//! Exceptions: what a user has decided that rules shall not object to.
//!
//! An exception suppresses a finding and permits nothing: the call is judged as if the rule did not exist, and every
//! other finding still counts. It is compared with every effect that the rule matches, and not only with the first: a
//! call that also does something that the exception does not cover is not suppressed.
//!
//! What is not known before the run is never inside a scope: an exception for a path does not cover a path that may be
//! another one.

use crate::{
    day::Day,
    effect::{Effect, Host, Invocation, Target},
    glob,
    judge::{CallContext, Finding, Judgement},
    path::ResolvedPath,
    rule::Rule,
    vocabulary::{Certainties, Certainty, Zone},
};

/// Prefixes of the rule ids to which no exception can be made: those that protect the guard itself, and those about
/// calls that cannot be understood.
pub const NEVER_SUPPRESSED: &[&str] = &["protection.", "call."];

/// The prefix of the administrator's rule ids.
pub(crate) const MANAGED: &str = "managed.";

/// Whose exception it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authority {
    /// The administrator's.
    Managed,
    /// The user's. It cannot take away what the administrator wants.
    User,
    /// A project's. It takes nothing away.
    Project,
}

/// An exception: which objections, where, why, until when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// Its line in the configuration file.
    pub line: u32,
    /// Whose it is.
    pub authority: Authority,
    /// Patterns of the ids of rules.
    pub rules: Vec<String>,
    /// By which program: one of these patterns, if there are any.
    pub programs: Vec<String>,
    /// To what: one of these patterns, if there are any. `~/` is the home directory.
    pub targets: Vec<String>,
    /// The directories to which it is restricted, if there are any: the call is made in one of them, and affects only
    /// what is in them.
    pub directories: Vec<String>,
    /// The reason, as the user wrote it.
    pub reason: String,
    /// The last day on which it holds; none, if it holds for good.
    pub until: Option<Day>,
}

/// A finding and the exception that is about it.
#[derive(Clone, Debug)]
pub struct Suppressed {
    /// The finding.
    pub finding: Finding,
    /// The exception.
    pub by: Exception,
}

/// The place and the time at which exceptions are evaluated.
#[derive(Clone, Debug)]
pub struct EvalContext<'a> {
    /// The place of the call.
    pub place: &'a CallContext,
    /// The home directory.
    pub home: Option<String>,
    /// The day.
    pub today: Day,
}

impl Exception {
    /// Returns true if the exception is about a rule.
    pub fn is_about(&self, rule: &Rule) -> bool {
        let beyond = self.authority != Authority::Managed && rule.id.starts_with(MANAGED);
        !beyond && is_suppressible(rule) && self.rules.iter().any(|pattern| glob::matches(pattern, &rule.id))
    }

    /// Returns true if it has expired.
    pub fn is_over(&self, today: Day) -> bool {
        self.until.is_some_and(|until| until < today)
    }

    /// Returns true if an effect is within its scope.
    fn covers(&self, effect: &Effect, ran: Option<&Invocation>, at: &EvalContext<'_>) -> bool {
        (self.programs.is_empty() || ran.is_some_and(|ran| is_by(&self.programs, ran)))
            && (self.targets.is_empty() || self.names_it(effect, at.home.as_deref()))
            && (self.directories.is_empty() || self.is_there(effect, ran, at))
    }

    fn names_it(&self, effect: &Effect, home: Option<&str>) -> bool {
        // The names that a text shows are not those that it means.
        if effect.certainty.has_any(Certainties::of(&[Certainty::Unknown, Certainty::EmptyVariable])) {
            return false;
        }
        let patterns = || self.targets.iter().filter_map(|name| expanded(name, home));
        match &effect.target {
            Target::Path(spot) => is_certain(spot) && patterns().any(|pattern| holds(&pattern, &spot.path)),
            Target::Host(Host { name, .. }) | Target::Name(name) => {
                is_plain(name) && patterns().any(|pattern| holds(&pattern, name))
            }
            Target::Nothing => false,
        }
    }

    fn is_there(&self, effect: &Effect, ran: Option<&Invocation>, at: &EvalContext<'_>) -> bool {
        let directories: Vec<String> =
            self.directories.iter().filter_map(|directory| expanded(directory, at.home.as_deref())).collect();
        let within = |path: &str| directories.iter().any(|directory| is_below(path, directory));
        let made = at.place.cwd.as_deref().is_some_and(within);
        // A tool that touches a file runs nothing.
        let runs = ran.is_none_or(|ran| ran.directory.as_deref().is_some_and(within) && !goes_elsewhere(ran));
        let touches = match &effect.target {
            Target::Path(spot) => is_certain(spot) && within(&spot.path),
            Target::Host(_) | Target::Name(_) | Target::Nothing => true,
        };
        made && runs && touches
    }
}

/// Returns true if exceptions to a rule are possible.
pub fn is_suppressible(rule: &Rule) -> bool {
    is_suppressible_id(&rule.id)
}

pub(crate) fn is_suppressible_id(id: &str) -> bool {
    NEVER_SUPPRESSED.iter().all(|never| !id.starts_with(never))
}

fn is_by(programs: &[String], ran: &Invocation) -> bool {
    let name = ran.known_as.as_deref().or(ran.words.first().map(String::as_str)).unwrap_or_default();
    programs.iter().any(|program| glob::matches(program, name))
}

/// A program that is told to work in another directory than the one it runs in.
fn goes_elsewhere(ran: &Invocation) -> bool {
    let named = ["-C", "--git-dir", "--work-tree", "--directory"];
    ran.words.iter().any(|word| named.iter().any(|option| word.starts_with(option)))
}

/// A path whose every step is known, or a pattern.
pub(crate) fn is_certain(spot: &ResolvedPath) -> bool {
    spot.zone != Zone::Unknown && !spot.path.contains('…')
}

/// Returns true if a name is literal: what is only known at run time is shown as it is written.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains(['$', '`', '…'])
}

/// Returns true if a pattern matches everything that a name may mean. The name may be a pattern itself.
fn holds(pattern: &str, name: &str) -> bool {
    const WILD: [char; 3] = ['*', '?', '['];
    if !name.contains(WILD) {
        return glob::matches(pattern, name);
    }
    // Of two patterns it is only plain that the one holds the other where they are the same, or where the one is
    // everything below a directory.
    let below =
        pattern.strip_suffix('*').filter(|directory| directory.ends_with('/') && !directory.contains(WILD));
    pattern == name || below.is_some_and(|directory| name.starts_with(directory))
}

/// Returns true if a path is a directory or is below it.
pub(crate) fn is_below(path: &str, directory: &str) -> bool {
    let directory = directory.trim_end_matches('/');
    !directory.is_empty()
        && path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        && !path.split('/').any(|step| step == "..")
}

/// A path with the home directory written out; nothing, if that is not known.
fn expanded(path: &str, home: Option<&str>) -> Option<String> {
    match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            Some(format!("{}{rest}", home?.trim_end_matches('/')))
        }
        Some(_) | None => Some(path.to_owned()),
    }
}

impl Judgement {
    /// Suppresses the findings that exceptions cover. The others count as before.
    #[must_use]
    pub fn with_exceptions(mut self, exceptions: &[Exception], at: &EvalContext<'_>) -> Self {
        if exceptions.is_empty() || self.findings.is_empty() {
            return self;
        }
        for finding in std::mem::take(&mut self.findings) {
            match self.suppress(&finding, exceptions, at) {
                Suppression::Whole(by) => self.suppressed.push(Suppressed { finding, by }),
                Suppression::Not { effect, expired } => {
                    let finding = Finding { effect, ..finding };
                    self.expired.extend(expired.map(|by| Suppressed { finding: finding.clone(), by }));
                    self.findings.push(finding);
                }
            }
        }
        self.sorted()
    }

    fn suppress(&self, finding: &Finding, exceptions: &[Exception], at: &EvalContext<'_>) -> Suppression {
        let about: Vec<&Exception> =
            exceptions.iter().filter(|exception| exception.is_about(&finding.rule)).collect();
        let mut by = None;
        for (index, effect) in self.effects.iter().enumerate() {
            let ran = self.ran.get(effect.by);
            if !finding.rule.is_about(effect, ran) {
                continue;
            }
            let mut covering = about.iter().filter(|exception| exception.covers(effect, ran, at));
            match covering.clone().find(|exception| !exception.is_over(at.today)) {
                Some(exception) => by = by.or(Some((*exception).clone())),
                None => {
                    return Suppression::Not {
                        effect: index,
                        expired: covering.next().map(|exception| (*exception).clone()),
                    };
                }
            }
        }
        by.map_or(Suppression::Not { effect: finding.effect, expired: None }, Suppression::Whole)
    }
}

/// The result of comparing exceptions with a finding.
enum Suppression {
    /// Every effect that the rule is about is suppressed, the first of them by this one.
    Whole(Exception),
    /// This effect is not suppressed; an expired exception would have covered it.
    Not { effect: usize, expired: Option<Exception> },
}
