//! `checkrein allow`: a user allows one denied call, once.
//!
//! The code of a denial identifies one call: its effects, its directory and its session. The user sees all of that before
//! confirming, because the code alone, which comes from a model, says nothing.

use crate::{
    args::Allow,
    authority::Authority,
    exit::ExitStatus,
    policy,
    term::{out, style},
};
use anyhow::{Context, bail};
use checkrein::{
    ExceptionPolicy, LayeredConfig, Session,
    approval::{Code, PendingApproval, Permit, Permits},
};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The longest time that a permission is valid.
pub(crate) const MOST_MINUTES: u16 = 120;

/// The number of denials in the list.
const MOST_LISTED: usize = 20;

pub(crate) fn run(allow: &Allow, authority: &Authority) -> anyhow::Result<ExitStatus> {
    if let Some(code) = &allow.code {
        return once(code, allow.minutes, authority);
    }
    let permits = permits(&Session::default())?;
    match &allow.revoke {
        Some(code) => revoke(&permits, code),
        None => {
            list(&permits, allow);
            Ok(ExitStatus::Success)
        }
    }
}

fn permits(session: &Session) -> anyhow::Result<Permits> {
    let places = policy::places(None, session);
    Ok(Permits::new(places.state.as_deref().context("HOME is not set; cannot store the permission")?))
}

fn parse(code: &str) -> anyhow::Result<Code> {
    code.parse().with_context(|| format!("`{code}` is not a valid code"))
}

fn once(code: &str, minutes: u16, authority: &Authority) -> anyhow::Result<ExitStatus> {
    authority.required()?;
    let code = parse(code)?;
    let permits = permits(&Session::default())?;
    let Some(call) = permits.waiting(&code) else {
        bail!(
            "no recent denial has the code `{code}`\n\nhint: `checkrein allow --list` lists recent denials"
        );
    };
    let session = Session { cwd: Some(call.binding.cwd.clone()), ..Session::default() };
    let stack = checkrein::whole(LayeredConfig::load(&policy::places(None, &session)))?;
    if stack.leave() == ExceptionPolicy::Refuse {
        bail!("the configuration refuses exceptions (`exceptions = \"refuse\"`)");
    }
    show(&call);
    if !authority.confirms("Allow exactly this call, once?")? {
        out!("Nothing was allowed.");
        return Ok(ExitStatus::Failure);
    }
    permits
        .allow(&call, Duration::from_secs(60 * u64::from(minutes)))
        .context("cannot store the permission")?;
    out!(
        "Allowed once, within {minutes} minutes, in that session and directory. Tell the agent to try again. \
         To revoke, run `checkrein allow --revoke {code}`."
    );
    Ok(ExitStatus::Success)
}

fn revoke(permits: &Permits, code: &str) -> anyhow::Result<ExitStatus> {
    let code = parse(code)?;
    if permits.revoke(&code)? {
        out!("{code} is no longer allowed.");
        Ok(ExitStatus::Success)
    } else {
        out!("{code} is not allowed, or was already used.");
        Ok(ExitStatus::Failure)
    }
}

/// Shows the call that the user confirms. All of this text comes from a model.
fn show(call: &PendingApproval) {
    for command in &call.commands {
        out!("  runs:   {}", style::harmless(&command.replace('\n', "⏎")));
    }
    for effect in &call.binding.effects {
        out!("  effect: {}", style::harmless(effect));
    }
    let shown = |word: &&String| !call.commands.contains(word);
    for word in call.binding.words.iter().filter(shown) {
        out!("  with:   {}", style::harmless(word));
    }
    out!("  in:     {}", style::harmless(&call.binding.cwd));
    out!(
        "  tool:   {}, session {}",
        style::harmless(&call.binding.tool),
        style::harmless(&call.binding.session)
    );
    for (rule, user) in &call.findings {
        out!("  rule {}: {}", style::harmless(rule), style::harmless(user));
    }
    out!("  denied {}\n", ago(call.at));
}

fn list(permits: &Permits, allow: &Allow) {
    let allowed = permits.all();
    let is_allowed = |call: &PendingApproval| allowed.iter().any(|permit| permit.call.digest == call.digest);
    let waiting: Vec<PendingApproval> =
        permits.all_waiting().into_iter().filter(|call| !is_allowed(call)).collect();
    if allow.json {
        let allowed: Vec<Value> = allowed.iter().map(permit_json).collect();
        let waiting: Vec<Value> = waiting.iter().map(call_json).collect();
        out!("{}", style::json(json!({"allowed": allowed, "denied": waiting})));
        return;
    }
    for permit in &allowed {
        let left = permit.until.saturating_sub(now()).div_ceil(60);
        out!("{}  allowed once, for {left} more minutes", permit.call.code());
        show(&permit.call);
    }
    for call in waiting.iter().take(MOST_LISTED) {
        out!("{}  can be allowed once", call.code());
        show(call);
    }
    if allowed.is_empty() && waiting.is_empty() {
        out!("No active permissions and no recent denials.");
    }
}

fn permit_json(permit: &Permit) -> Value {
    let mut call = call_json(&permit.call);
    if let Some(call) = call.as_object_mut() {
        call.insert("until".into(), permit.until.into());
    }
    call
}

fn call_json(call: &PendingApproval) -> Value {
    let rules: Vec<&str> = call.findings.iter().map(|(rule, _)| rule.as_str()).collect();
    json!({
        "code": call.code().to_string(),
        "session": call.binding.session,
        "cwd": call.binding.cwd,
        "tool": call.binding.tool,
        "commands": call.commands,
        "effects": call.binding.effects,
        "rules": rules,
        "at": call.at,
    })
}

fn ago(at: u64) -> String {
    match now().saturating_sub(at) / 60 {
        0 => "a moment ago".to_owned(),
        1 => "a minute ago".to_owned(),
        minutes @ 2..120 => format!("{minutes} minutes ago"),
        minutes => format!("{} hours ago", minutes / 60),
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
