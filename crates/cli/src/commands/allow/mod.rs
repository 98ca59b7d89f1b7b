//! `checkrein allow`: a user allows a denied call once, or what rules object to in it for longer.
//!
//! The code of a denial or a question identifies one call: its effects, its directory and its session. The user sees all of that
//! before confirming, because the code alone, which may come from a model, says nothing. A code is a name and not a right.

pub(super) mod lasting;

use crate::{
    args::Allow,
    authority::Authority,
    exit::ExitStatus,
    policy,
    term::{data, out, style, wrap::fitted},
};
use anyhow::{Context, bail};
use checkrein::{
    ExceptionPolicy, LayeredConfig, Session,
    approval::{Code, PendingApproval, Permit, Permits, SessionGrant},
};
use lasting::Until;
use serde_json::{Value, json};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The longest time that a permission is valid.
pub(crate) const MOST_MINUTES: u16 = 120;

/// The number of denials in the list.
const MOST_LISTED: usize = 20;

pub(crate) fn run(allow: &Allow, authority: &Authority) -> anyhow::Result<ExitStatus> {
    if let Some(code) = &allow.code {
        return give(code, &Extent::of(allow)?, authority);
    }
    let permits = permits(&Session::default())?;
    match &allow.revoke {
        Some(code) => revoke(&permits, code, authority),
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

/// For how long, and where, something is allowed.
#[derive(Clone, Copy, Debug)]
enum Extent {
    /// This call, once, within this many minutes.
    Once(u16),
    /// Everything that the rules object to in it, in this session.
    Session,
    /// Everything that the rules object to in it, in this directory.
    Lasting(Until),
}

impl Extent {
    fn of(allow: &Allow) -> anyhow::Result<Self> {
        Ok(match &allow.time {
            Some(time) => Self::Lasting(Until::parse(time)?),
            None if allow.always => Self::Lasting(Until::Never),
            None if allow.here => Self::Lasting(Until::Days(lasting::DAYS)),
            None if allow.session => Self::Session,
            None => Self::Once(allow.minutes),
        })
    }

    fn question(self) -> String {
        match self {
            Self::Once(_) => "Allow exactly this call, once?".to_owned(),
            Self::Session => {
                "Allow this to these targets, by this program, for the rest of this session?".to_owned()
            }
            Self::Lasting(until) => format!("Allow this in every session {}?", until.shown()),
        }
    }
}

fn give(code: &str, extent: &Extent, authority: &Authority) -> anyhow::Result<ExitStatus> {
    authority.required()?;
    let code = parse(code)?;
    let permits = permits(&Session::default())?;
    let Some(call) = permits.waiting(&code) else {
        bail!(
            "no recent denial or question has the code `{code}`\n\nhint: `checkrein allow --list` lists them"
        );
    };
    let session = Session { cwd: Some(call.binding.cwd.clone()), ..Session::default() };
    let places = policy::places(None, &session);
    let stack = checkrein::whole(LayeredConfig::load(&places))?;
    if stack.exception_policy() == ExceptionPolicy::Refuse {
        bail!("the configuration refuses exceptions (`exceptions = \"refuse\"`)");
    }
    let entries = match extent {
        Extent::Lasting(until) => Some(lasting::entries(&call, &code, *until)?),
        Extent::Once(_) | Extent::Session => None,
    };
    show(&call);
    if let Some(entries) = &entries {
        for worst in lasting::worst(&call) {
            row("worst:", &format!("this lets through {worst}"));
        }
        out!("\nThis is added to your configuration:");
        data!("{}", style::lines(entries.trim_end()));
        out!("");
    }
    if !authority.confirms(&extent.question())? {
        out!("Nothing was allowed.");
        return Ok(ExitStatus::Failure);
    }
    let how = match (extent, &entries) {
        (Extent::Once(minutes), _) => {
            permits
                .allow(&call, Duration::from_secs(60 * u64::from(*minutes)))
                .context("cannot store the permission")?;
            format!("once, within {minutes} minutes, in that session and directory")
        }
        (Extent::Lasting(until), Some(entries)) => {
            let file = lasting::write(&places, entries)?;
            format!("{}, in that directory: {}", until.shown(), file.display())
        }
        (Extent::Session | Extent::Lasting(_), _) => {
            permits.allow_session(&call).context("cannot store the permission")?;
            "for the rest of that session".to_owned()
        }
    };
    let done = format!(
        "Allowed {how}. Tell the agent to try again. To revoke, run `checkrein allow --revoke {code}`."
    );
    fitted(&done, 0).iter().for_each(|line| out!("{line}"));
    Ok(ExitStatus::Success)
}

/// Takes back every permission that was given with a code. A user at the terminal may do that without a confirmation, since
/// it only takes permissions away.
fn revoke(permits: &Permits, code: &str, authority: &Authority) -> anyhow::Result<ExitStatus> {
    let code = parse(code)?;
    let places = policy::places(None, &Session::default());
    let kept = lasting::codes(&places).contains(&code.to_string());
    if kept {
        // This changes the user's own file.
        authority.required()?;
    }
    let stored = permits.revoke(&code)?;
    if lasting::remove(&places, &code)? || stored {
        out!("{code} is no longer allowed.");
        Ok(ExitStatus::Success)
    } else {
        out!("{code} is not allowed, or was already used.");
        Ok(ExitStatus::Failure)
    }
}

/// Prints one line of what is shown, wrapped at the width of the terminal.
fn row(name: &str, text: &str) {
    let mut lines = fitted(&style::harmless(text), 11).into_iter();
    out!("  {name:7} {}", lines.next().unwrap_or_default());
    for line in lines {
        out!("          {line}");
    }
}

/// Shows the call that the user confirms. Commands, targets and names come from a model; the words are ours, and what the agent
/// says about the call is not shown.
fn show(call: &PendingApproval) {
    for command in &call.commands {
        row("runs:", &command.replace('\n', "⏎"));
    }
    for effect in &call.binding.effects {
        row("effect:", effect);
    }
    let shown = |word: &&String| !call.commands.contains(word);
    for word in call.binding.words.iter().filter(shown) {
        row("with:", word);
    }
    row("in:", &call.binding.cwd);
    row("tool:", &format!("{}, session {}", call.binding.tool, call.binding.session));
    for (rule, user) in &call.findings {
        row("rule:", &format!("{rule}: {user}"));
    }
    row("when:", &ago(call.at));
    out!("");
}

fn list(permits: &Permits, allow: &Allow) {
    let places = policy::places(None, &Session::default());
    let grants = permits.session_grants();
    let allowed = permits.all();
    let is_allowed = |call: &PendingApproval| allowed.iter().any(|permit| permit.call.digest == call.digest);
    let waiting: Vec<PendingApproval> =
        permits.all_waiting().into_iter().filter(|call| !is_allowed(call)).collect();
    if allow.json {
        let allowed: Vec<Value> = allowed.iter().map(permit_json).collect();
        let waiting: Vec<Value> = waiting.iter().map(call_json).collect();
        let sessions: Vec<Value> = grants.iter().map(grant_json).collect();
        let lasting = lasting::codes(&places);
        data!(
            "{}",
            style::json(
                json!({"allowed": allowed, "sessions": sessions, "lasting": lasting, "denied": waiting})
            )
        );
        return;
    }
    for code in lasting::codes(&places) {
        out!("{code}  allowed in your configuration: `checkrein hooks` shows the exception");
    }
    for grant in &grants {
        let target = grant.scope.target.as_deref().unwrap_or("this call");
        row(&grant.code, &format!("{} for {target}, in session {}", grant.scope.rule, grant.session));
    }
    for permit in &allowed {
        let left = permit.until.saturating_sub(now()).div_ceil(60);
        out!("{}  allowed once, for {left} more minutes", permit.call.code());
        show(&permit.call);
    }
    for call in waiting.iter().take(MOST_LISTED) {
        out!("{}  can be allowed", call.code());
        show(call);
    }
    if allowed.is_empty() && waiting.is_empty() && grants.is_empty() {
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

fn grant_json(grant: &SessionGrant) -> Value {
    json!({
        "code": grant.code,
        "session": grant.session,
        "rule": grant.scope.rule,
        "target": grant.scope.target,
        "program": grant.scope.program,
    })
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
