//! The greeting: one line at the start of a session with a screen, which says what is active.
//!
//! It comes once a day for each agent and project, and whenever what it says has changed, so that a user notices a policy that
//! is not the one of yesterday. Only the start of a session comes here, so an ordinary event pays nothing for it.

use crate::attendance;
use checkrein::{
    EventName, HookStatus, LayeredConfig, MonitorState, Outcome, Places, Policy, guard::rules, state_file,
    today,
};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The number of characters of the policy's hash that are shown.
const SHOWN: usize = 4;

/// Adds the greeting to the answer, if it is due.
pub(crate) fn greet(outcome: &mut Outcome, places: &Places, policy: &Policy) {
    if outcome.payload.name() != EventName::SessionStart
        || !policy.stack().greets()
        || attendance::is_headless(&outcome.payload)
        || attendance::terminal().is_none()
    {
        return;
    }
    let Some(state) = places.state.as_deref() else { return };
    // The policy of an event has only what that event needs. A broken configuration was reported before.
    let Ok(stack) = LayeredConfig::load(places) else { return };
    let text = greeting(&stack);
    let file = file(outcome, state);
    let new = format!("{}\n{text}\n", today());
    let old = fs::read_to_string(&file).unwrap_or_default();
    if old == new {
        return;
    }
    // A session that cannot be remembered is greeted each time.
    let _ = state_file::write(&file, new.as_bytes());
    let has_changed = old.lines().nth(1).is_some_and(|before| before != text);
    outcome.notify(if has_changed { format!("{text} (changed)") } else { text });
}

fn file(outcome: &Outcome, state: &Path) -> PathBuf {
    let payload = &outcome.payload;
    let project = payload.session.project_dir.as_deref().or(payload.session.cwd.as_deref());
    let key =
        format!("{}\0{}", payload.host.name.as_deref().unwrap_or_default(), project.unwrap_or_default());
    state_file::greetings(state).join(state_file::name_of(&key))
}

/// Returns the line without line breaks, in our own words: a project's names are not in it.
fn greeting(stack: &LayeredConfig) -> String {
    let rows = stack.rows(None);
    // A hook may be about several events.
    let names = |wanted: &dyn Fn(&HookStatus) -> bool| {
        let rows = rows.iter().filter(|row| wanted(&row.status));
        rows.map(|row| (row.config.path(), row.label())).collect::<BTreeSet<_>>().len()
    };
    let active = names(&|status| matches!(status, HookStatus::Active));
    let skipped = names(&|status| !matches!(status, HookStatus::Active | HookStatus::Disabled { .. }));
    let policy: String = stack.policy_hash().chars().take(SHOWN).collect();
    let mut parts = vec![
        counted(rules().len() + stack.rules().len(), "rule"),
        counted(active, "hook"),
        format!("policy {policy}"),
    ];
    if skipped > 0 {
        parts.push(format!("{} not trusted", counted(skipped, "hook")));
    }
    for mode in stack.monitor_modes().iter().filter(|mode| mode.state == MonitorState::Active) {
        let what = if mode.rules.is_empty() { "nothing is blocked" } else { "some rules only record" };
        parts.push(format!("monitor until {}: {what}", mode.until));
    }
    parts.join(", ")
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
