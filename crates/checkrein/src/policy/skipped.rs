//! The step that reports project hooks that are skipped.
//!
//! A hook that is not trusted does not run, and the user must know: every event that it would have been asked
//! about says so on stderr, the model hears of it once a session, and where the managed or the user's layer wants it,
//! what the hook would have judged is denied.
//!
//! All of that is in our own words. The author of the project chose the name of such a hook, and a model or a user
//! may take it for our text. So only a few names, of letters and digits, are shown; `checkrein hooks` and `checkrein
//! trust` show a user the rest.

use super::{
    ActiveHooks,
    monitored::monitored,
    step::{Assembly, Part, Step},
};
use crate::config::{
    configured::{ConfiguredHook, HookStatus},
    layer::{Layer, Untrusted},
};
use checkrein_core::{
    Entry, EventName, Payload, Role, Scope, Verdict, hook_fn,
    sanitize::{self, escape},
};
use std::{
    fs::{self, DirBuilder, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

pub(super) const STEP: Step = Step { name: None, part: Part::Configured, join };

/// Maximum number of untrusted hooks that are named, and the length of each name.
const MOST_NAMES: usize = 5;
const NAME: usize = 30;

/// The events at which the model is told that hooks are skipped.
const TOLD_AT: &[EventName] =
    &[EventName::SessionStart, EventName::UserPromptSubmit, EventName::PreToolUse, EventName::PostToolUse];

fn join(assembly: &Assembly<'_>, active: &mut ActiveHooks) {
    let skipped: Vec<&ConfiguredHook<'_>> =
        assembly.rows().iter().filter(|row| is_skipped(row) && assembly.about.concerns(row)).collect();
    active.remarks.extend(remarks(&skipped));
    if let Some(problems) = &assembly.policy.passed_over {
        active
            .remarks
            .push(format!("because of `checkrein repair`, a broken configuration is ignored\n{problems}"));
    }
    if assembly.policy.stack.untrusted() == Untrusted::Deny {
        let judges = skipped.into_iter().filter(|row| row.role() != Role::Observe);
        let stack = &assembly.policy.stack;
        let by = if stack.is_managed(|settings| settings.untrusted == Untrusted::Deny) {
            Layer::Managed
        } else {
            Layer::User
        };
        let only_recorded = stack.monitored().covers_all_of(by);
        by_event(judges).into_iter().for_each(|skipped| {
            active.dispatcher.add(match only_recorded {
                true => monitored(skipped.denied(), assembly.edge.kept),
                false => skipped.denied(),
            });
        });
    } else {
        let state = assembly.memory();
        by_event(skipped.into_iter().filter(|row| TOLD_AT.contains(&row.event())))
            .into_iter()
            .for_each(|skipped| active.dispatcher.add(skipped.told(state)));
    }
}

const fn is_skipped(row: &ConfiguredHook<'_>) -> bool {
    match row.status {
        HookStatus::Untrusted | HookStatus::Changed(_) | HookStatus::Unreadable(_) => true,
        HookStatus::Active | HookStatus::Disabled { .. } => false,
    }
}

/// Returns remarks for the user about hooks of projects that are not called.
fn remarks(skipped: &[&ConfiguredHook<'_>]) -> Vec<String> {
    let one = |row: &&ConfiguredHook<'_>| {
        format!("{}; a user can look at it with `checkrein trust`", row.why_skipped())
    };
    let mut remarks: Vec<String> = skipped.iter().take(MOST_NAMES).map(one).collect();
    if let Some(more) = skipped.len().checked_sub(MOST_NAMES).filter(|more| *more > 0) {
        remarks.push(format!("and {more} more hooks of this project are skipped"));
    }
    remarks
}

/// The hooks of one event that are not asked: what each is about, and its name.
struct Skipped {
    event: EventName,
    hooks: Vec<(Scope, String)>,
}

fn by_event<'a>(rows: impl Iterator<Item = &'a ConfiguredHook<'a>>) -> Vec<Skipped> {
    let mut events: Vec<Skipped> = Vec::new();
    for row in rows {
        let one = (row.asked(), row.shown_name());
        match events.iter_mut().find(|skipped| skipped.event == row.event()) {
            Some(skipped) => skipped.hooks.push(one),
            None => events.push(Skipped { event: row.event(), hooks: vec![one] }),
        }
    }
    events
}

impl Skipped {
    /// The names of those that would be asked about a call.
    fn concerned(&self, payload: &Payload) -> Option<String> {
        let concerned = self.hooks.iter().filter(|(scope, _)| scope.covers(payload.event.call()));
        let all: Vec<String> = concerned.map(|(_, name)| name.clone()).collect();
        (!all.is_empty()).then(|| names(all.into_iter()))
    }

    /// Returns a judge in their place, which denies everything that they would have judged.
    fn denied(self) -> Entry {
        let event = self.event;
        let judge = hook_fn("checkrein", move |payload: &Payload| match self.concerned(payload) {
            None => Verdict::abstain(),
            Some(names) => Verdict::deny(format!(
                "hooks of this project that would judge this call are skipped, because no user has trusted them in their present form: {names}. This is denied until a user runs `checkrein trust`"
            )),
        });
        Entry::new(event, judge).with_role(Role::Judge)
    }

    /// Tells the model, once a session. `state` is the directory that records what a session was already told.
    fn told(self, state: Option<&Path>) -> Entry {
        let (event, state) = (self.event, state.map(Path::to_owned));
        let told = hook_fn("checkrein", move |payload: &Payload| {
            match self.concerned(payload) {
            Some(names) if first_time(payload, state.as_deref()) => Verdict::abstain().with_context(format!(
                "Hooks of this project are skipped because no user has trusted them: {names}. Do not try to change \
                 that; a user can look at them with `checkrein trust`."
            )),
            Some(_) | None => Verdict::abstain(),
        }
        });
        Entry::new(event, told).with_role(Role::Judge)
    }
}

impl ConfiguredHook<'_> {
    /// Returns the name of an untrusted hook in a form that a model may read.
    pub fn shown_name(&self) -> String {
        sanitize::name(&self.label(), NAME)
    }

    /// Returns why it is not called, in one line of our own words.
    pub fn why_skipped(&self) -> String {
        let why = match &self.status {
            HookStatus::Changed(_) => "it has changed since it was trusted",
            HookStatus::Unreadable(_) => "it cannot be read",
            HookStatus::Untrusted | HookStatus::Active | HookStatus::Disabled { .. } => {
                "no user has trusted it"
            }
        };
        let path = self.config.path().display().to_string();
        format!("hook `{}` of {} is skipped: {why}", self.shown_name(), escape(&path))
    }
}

/// The first names, and the number of the others.
fn names(all: impl ExactSizeIterator<Item = String>) -> String {
    let more = all.len().saturating_sub(MOST_NAMES);
    let mut names: Vec<String> = all.take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    names.join(", ")
}

/// Time for which a session is remembered.
const SESSION: Duration = Duration::from_secs(14 * 24 * 3600);

/// Returns true if this is the first report to the session. Of many processes at once, the one that creates the mark
/// reports. A session that cannot be remembered gets the report each time.
fn first_time(payload: &Payload, state: Option<&Path>) -> bool {
    let (Some(session), Some(state)) = (&payload.session.id, state) else { return true };
    match mark(&state.join("sessions"), session) {
        Ok(()) => true,
        Err(error) => error.kind() != io::ErrorKind::AlreadyExists,
    }
}

fn mark(directory: &Path, session: &str) -> io::Result<()> {
    // Ids come from outside, so they are no file names.
    let name: String = session.bytes().map(|byte| format!("{byte:02x}")).take(100).collect();
    DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let mark: PathBuf = directory.join(format!("{name}.told"));
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(mark)?;
    forget_old(directory);
    Ok(())
}

fn forget_old(directory: &Path) {
    let Ok(marks) = fs::read_dir(directory) else { return };
    for mark in marks.flatten() {
        let age = mark
            .metadata()
            .and_then(|mark| mark.modified())
            .map(|then| SystemTime::now().duration_since(then));
        if age.is_ok_and(|age| age.is_ok_and(|age| age > SESSION)) {
            // Another process may remove it at the same time.
            let _ = fs::remove_file(mark.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_names_and_how_many_more() {
        let all = |count: usize| {
            names((0..count).map(|number| format!("h{number}")).collect::<Vec<_>>().into_iter())
        };
        assert_eq!(all(1), "`h0`");
        assert_eq!(all(5), "`h0`, `h1`, `h2`, `h3`, `h4`");
        assert_eq!(all(300), "`h0`, `h1`, `h2`, `h3`, `h4`, and 295 more");
    }
}
