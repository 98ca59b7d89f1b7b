//! `checkrein allow`: a user lets an agent do once what the guard denied.
//!
//! The code of a denial stands for one call: what it would do, in its directory, in its session. A user is shown all of that
//! before they say yes, since the code alone, which a model told them, says nothing.

use crate::{
    args::Allow,
    authority::Authority,
    exit::ExitStatus,
    policy,
    term::{out, style},
};
use anyhow::{Context, bail};
use checkrein::{
    ExceptionPolicy, Session, Stack,
    once::{Code, Permit, Permits, Waiting},
};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The longest that a permit waits to be used.
pub(crate) const MOST_MINUTES: u16 = 120;

/// How many denials are listed.
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
    Ok(Permits::new(places.state.as_deref().context("there is no home directory to remember leave in")?))
}

fn parse(code: &str) -> anyhow::Result<Code> {
    code.parse().with_context(|| format!("`{code}` is no code"))
}

fn once(code: &str, minutes: u16, authority: &Authority) -> anyhow::Result<ExitStatus> {
    authority.required()?;
    let code = parse(code)?;
    let permits = permits(&Session::default())?;
    let Some(call) = permits.waiting(&code) else {
        bail!(
            "no denial of the last day showed `{code}`\n\nhint: `checkrein allow --list` shows those that there were"
        );
    };
    let session = Session { cwd: Some(call.binding.cwd.clone()), ..Session::default() };
    let stack = checkrein::whole(Stack::load(&policy::places(None, &session)))?;
    if stack.leave() == ExceptionPolicy::Refuse {
        bail!("the configuration refuses exceptions (`exceptions = \"refuse\"`)");
    }
    show(&call);
    if !authority.confirms("Let the agent do exactly this, once?")? {
        out!("Nothing was allowed.");
        return Ok(ExitStatus::Failure);
    }
    permits.allow(&call, Duration::from_secs(60 * u64::from(minutes))).context("it cannot be remembered")?;
    out!(
        "Allowed once, within {minutes} minutes, in that session and directory. Tell the agent to try again; \
         `checkrein allow --revoke {code}` takes it back."
    );
    Ok(ExitStatus::Success)
}

fn revoke(permits: &Permits, code: &str) -> anyhow::Result<ExitStatus> {
    let code = parse(code)?;
    if permits.revoke(&code)? {
        out!("{code} is no longer allowed.");
        Ok(ExitStatus::Success)
    } else {
        out!("{code} was not allowed, or is used.");
        Ok(ExitStatus::Failure)
    }
}

/// What a user says yes to. All of it comes from a model.
fn show(call: &Waiting) {
    for command in &call.commands {
        out!("  runs: {}", style::harmless(&command.replace('\n', "⏎")));
    }
    for effect in &call.binding.effects {
        out!("  does: {}", style::harmless(effect));
    }
    let shown = |word: &&String| !call.commands.contains(word);
    for word in call.binding.words.iter().filter(shown) {
        out!("  with: {}", style::harmless(word));
    }
    out!("  in:   {}", style::harmless(&call.binding.cwd));
    out!(
        "  tool: {}, session {}",
        style::harmless(&call.binding.tool),
        style::harmless(&call.binding.session)
    );
    for (rule, user) in &call.findings {
        out!("  against {}: {}", style::harmless(rule), style::harmless(user));
    }
    out!("  denied {}\n", ago(call.at));
}

fn list(permits: &Permits, allow: &Allow) {
    let allowed = permits.all();
    let is_allowed = |call: &Waiting| allowed.iter().any(|permit| permit.call.digest == call.digest);
    let waiting: Vec<Waiting> = permits.all_waiting().into_iter().filter(|call| !is_allowed(call)).collect();
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
        out!("Nothing is allowed, and nothing was denied lately.");
    }
}

fn permit_json(permit: &Permit) -> Value {
    let mut call = call_json(&permit.call);
    if let Some(call) = call.as_object_mut() {
        call.insert("until".into(), permit.until.into());
    }
    call
}

fn call_json(call: &Waiting) -> Value {
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
