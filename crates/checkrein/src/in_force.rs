//! The hooks that are asked, and what is said about those that are not.
//!
//! A hook that nobody trusted is not asked, and that must not stay a secret: every event that it would have been asked
//! about says so on stderr, the model hears of it once a session, and where the managed or the user's layer wants it,
//! what the hook would have judged is denied.

use crate::{
    build::Setup,
    layer::Untrusted,
    stack::{Row, Stack, Standing},
};
use checkrein_core::{Dispatcher, Entry, EventName, Payload, Role, Verdict, hook_fn};
use std::{
    fs::{self, DirBuilder, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// What is asked about an event.
#[derive(Clone, Debug, Default)]
pub struct InForce {
    /// The hooks.
    pub dispatcher: Dispatcher,
    /// What the person should know about it, for stderr.
    pub remarks: Vec<String>,
}

/// How many skipped hooks are named one by one.
const MOST_REMARKS: usize = 10;

/// The events at which the model is told that hooks are skipped.
const TOLD_AT: &[EventName] =
    &[EventName::SessionStart, EventName::UserPromptSubmit, EventName::PreToolUse, EventName::PostToolUse];

impl Stack {
    /// What is asked about `payload`'s event. `state` is the folder in which is kept what a session has heard already.
    pub fn in_force(&self, payload: &Payload, state: Option<&Path>, setup: &Setup) -> InForce {
        let event = payload.name();
        let (mut dispatcher, skipped) = self.dispatcher(Some(event), setup);
        let concerned: Vec<Row<'_>> =
            skipped.into_iter().filter(|row| row.definition.scope.covers(payload.event.call())).collect();
        let mut remarks = Vec::new();
        for row in concerned.iter().take(MOST_REMARKS) {
            remarks.push(format!("{}; a person can look at it with `checkrein trust`", remark(row)));
        }
        if let Some(more) = concerned.len().checked_sub(MOST_REMARKS).filter(|more| *more > 0) {
            remarks.push(format!("and {more} more hooks of this project are skipped"));
        }
        if self.untrusted() == Untrusted::Deny {
            for row in concerned.iter().filter(|row| row.definition.role != Role::Observe) {
                let reason =
                    format!("{}, and this is denied until a person runs `checkrein trust`", remark(row));
                let stand_in = hook_fn(row.label(), move |_: &Payload| Verdict::deny(reason.clone()));
                dispatcher.add(Entry::new(event, stand_in).role(Role::Judge));
            }
        } else if !concerned.is_empty() && TOLD_AT.contains(&event) && first_time(payload, state) {
            let names: Vec<String> =
                concerned.iter().map(|row| format!("`{}`", plain(&row.label()))).collect();
            let text = format!(
                "Hooks of this project are skipped because no person has trusted them: {}. Do not try to change that; \
                 a person can look at them with `checkrein trust`.",
                names.join(", ")
            );
            let told = hook_fn("checkrein", move |_: &Payload| Verdict::abstain().with_context(text.clone()));
            dispatcher.add(Entry::new(event, told).role(Role::Judge));
        }
        InForce { dispatcher, remarks }
    }
}

/// Why a hook is not asked, in one line.
fn remark(row: &Row<'_>) -> String {
    let why = match &row.standing {
        Standing::Changed(what) => format!("is skipped: it has changed since it was trusted ({what})"),
        Standing::Unreadable(why) => format!("is skipped: it cannot be read ({why})"),
        Standing::Untrusted | Standing::InForce | Standing::Disabled { .. } => {
            "is skipped: nobody has trusted it".to_owned()
        }
    };
    format!("hook `{}` of {} {why}", plain(&row.label()), row.config.path().display())
}

/// A name that nobody has trusted, as something that can only be read as a name: it goes to a terminal and to a model.
fn plain(label: &str) -> String {
    const MOST: usize = 60;
    let fits = |c: char| c == ' ' || c.is_alphanumeric() || (c.is_ascii_punctuation() && c != '`');
    let mut name: String = label.chars().take(MOST).map(|c| if fits(c) { c } else { '?' }).collect();
    if label.chars().nth(MOST).is_some() {
        name.push('…');
    }
    name
}

/// How long a session is remembered.
const SESSION: Duration = Duration::from_secs(14 * 24 * 3600);

/// Whether this session hears of it for the first time. Whoever creates the mark is the first, also among many
/// processes at once. A session that cannot be remembered hears it each time.
fn first_time(payload: &Payload, state: Option<&Path>) -> bool {
    let (Some(session), Some(state)) = (&payload.session.id, state) else { return true };
    match mark(&state.join("sessions"), session) {
        Ok(()) => true,
        Err(error) => error.kind() != io::ErrorKind::AlreadyExists,
    }
}

fn mark(folder: &Path, session: &str) -> io::Result<()> {
    // Ids come from outside, so they are no file names.
    let name: String = session.bytes().map(|byte| format!("{byte:02x}")).take(100).collect();
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mark: PathBuf = folder.join(format!("{name}.told"));
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(mark)?;
    forget_old(folder);
    Ok(())
}

fn forget_old(folder: &Path) {
    let Ok(marks) = fs::read_dir(folder) else { return };
    for mark in marks.flatten() {
        let age = mark
            .metadata()
            .and_then(|mark| mark.modified())
            .map(|then| SystemTime::now().duration_since(then));
        if age.is_ok_and(|age| age.is_ok_and(|age| age > SESSION)) {
            // Somebody else may forget it at the same time.
            let _ = fs::remove_file(mark.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_a_name() {
        assert_eq!(plain("./hooks/a.sh --x"), "./hooks/a.sh --x");
        assert_eq!(plain("a`. Now\n\u{1b}[2J\u{202e}"), "a?. Now??[2J?");
        assert_eq!(plain(&"x".repeat(100)).chars().count(), 61);
    }
}
