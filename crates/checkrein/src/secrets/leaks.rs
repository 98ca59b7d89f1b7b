//! The judge of secrets in the input of a call: where they would go.

use super::{NAME, Secrets, handles, restore, text, tracked::Tracked};
use crate::builtin::Disk;
use checkrein_core::{Deadline, Failure, Hook, Payload, ToolCall, Verdict};
use checkrein_guard::{
    Action, CachedWorld, CallContext, FileAccess, Invocation, Judgement, Target, ToolCommand, World,
    call_context, judge_call,
};
use checkrein_secrets::{Class, Kind, scan, tags};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Objects to calls that would take a secret where it does not belong.
#[derive(Clone, Debug)]
pub(super) struct Leaks(pub(super) Secrets);

impl Hook for Leaks {
    fn name(&self) -> &str {
        NAME
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        let Some(call) = payload.event.call() else { return Ok(Verdict::abstain()) };
        let mut secrets: Vec<Secret> = Vec::new();
        let mut has_tags = false;
        for text in strings(&call.input) {
            has_tags = has_tags || tags(text).next().is_some();
            secrets.extend(scan(text.as_bytes()).into_iter().filter_map(|finding| {
                Some(Secret { kind: finding.kind, value: text.get(finding.range)?.to_owned() })
            }));
        }
        self.learn(payload, call);
        let may_run = runs_us(call);
        if secrets.is_empty() && !has_tags && !may_run {
            return Ok(Verdict::abstain());
        }
        let world = CachedWorld::new(&Disk);
        let judgement = judge_call(call, payload, &world).unwrap_or_default();
        let place = call_context(call, payload, &world);
        let is_covered = match ToolCommand::of(call) {
            Some(ToolCommand::Shell(text)) if has_tags || may_run => {
                match handles::covered(&self.0, payload, text, &place, &judgement, &world) {
                    Ok(covered) => covered,
                    Err(reason) => return Ok(Verdict::deny(reason)),
                }
            }
            _ => false,
        };
        if has_tags
            && !is_covered
            && let Some(verdict) = restore::before(&self.0, payload, call, &judgement, &place, &world)
        {
            return Ok(verdict);
        }
        let cwd = place.cwd.as_deref().map(PathBuf::from).unwrap_or_default();
        let scene = Scene { call, judgement: &judgement, cwd: &cwd, place: &place, world: &world };
        let objections = secrets.iter().filter_map(|secret| {
            scene.sends(secret).or_else(|| scene.writes(secret)).or_else(|| scene.records(secret))
        });
        // The strictest counts.
        Ok(objections.max_by_key(|verdict| verdict.decision).unwrap_or_default())
    }
}

impl Leaks {
    /// Records where the values of a file came from and where they may go, before the call changes the file.
    fn learn(&self, payload: &Payload, call: &ToolCall) {
        let cwd = payload.session.cwd.as_deref().map(Path::new).unwrap_or(Path::new(""));
        let files = handles::learn::named_files(call, cwd);
        if !files.is_empty() {
            handles::learn::learn(&self.0, payload, &files, false);
        }
    }
}

/// Returns whether a call may start `checkrein run`, which is looked at even if it has no tag.
fn runs_us(call: &ToolCall) -> bool {
    matches!(ToolCommand::of(call), Some(ToolCommand::Shell(text)) if text.contains("--ticket"))
}

struct Secret {
    kind: Kind,
    value: String,
}

impl Secret {
    fn is_sure(&self) -> bool {
        self.kind.class() > Class::Generic
    }

    fn is_private_key(&self) -> bool {
        self.kind.label().ends_with("private_key")
    }
}

/// A call with what it would do.
struct Scene<'a> {
    call: &'a ToolCall,
    judgement: &'a Judgement,
    cwd: &'a Path,
    place: &'a CallContext,
    world: &'a dyn World,
}

impl Scene<'_> {
    /// Objects to a secret that is sent to a host other than its own. For a kind without known hosts that cannot be
    /// decided.
    fn sends(&self, secret: &Secret) -> Option<Verdict> {
        let hosts: Vec<&str> = secret.kind.hosts().collect();
        if !secret.is_sure() || hosts.is_empty() {
            return None;
        }
        let is_foreign = |host: &String| !hosts.iter().any(|own| is_host(host, own));
        let (kind, own) = (secret.kind.name(), hosts.join(", "));
        if let Some(foreign) = self.hosts(secret).into_iter().find(is_foreign) {
            return Some(Verdict::deny(format!(
                "this sends a secret ({kind}) to `{foreign}`, which is not a host of its service ({own}); leave the secret out"
            )));
        }
        let foreign = self.senders().find(is_foreign).filter(|_| !self.stays_apart(secret))?;
        Some(Verdict::ask(format!(
            "this has a secret ({kind}) in it and sends something to `{foreign}`, which is not a host of its service ({own}); \
             leave the secret out, or make two calls of it"
        )))
    }

    /// Returns whether a secret reaches its own service and nothing else of the call.
    fn stays_apart(&self, secret: &Secret) -> bool {
        let Some(ToolCommand::Shell(text)) = ToolCommand::of(self.call) else { return false };
        text::stays_apart(text, &text::script(text, self.place, self.world), self.judgement, &secret.value)
    }

    /// The machines that any command of the call sends data to: what comes through a pipe or a here-document is not among its words.
    fn senders(&self) -> impl Iterator<Item = String> {
        self.judgement.effects.iter().filter_map(|effect| match (effect.action, &effect.target) {
            (Action::Send, Target::Host(host)) if !host.local && !host.name.is_empty() => {
                Some(host.name.clone())
            }
            _ => None,
        })
    }

    /// The machines that a call with this secret in it connects to.
    fn hosts(&self, secret: &Secret) -> Vec<String> {
        let mut hosts: Vec<String> = Vec::new();
        for effect in &self.judgement.effects {
            let (Action::Connect | Action::Send, Target::Host(host)) = (effect.action, &effect.target) else {
                continue;
            };
            let by = self.judgement.ran.get(effect.by);
            if !host.local && !host.name.is_empty() && by.is_none_or(|ran| mentions(ran, secret)) {
                hosts.push(host.name.clone());
            }
        }
        if let Some(host) = self.call.text("url").filter(|url| url.contains(&secret.value)).and_then(host_of)
        {
            hosts.push(host);
        }
        hosts
    }

    /// Objects to a secret that is written into a file that git tracks and that does not have it yet.
    fn writes(&self, secret: &Secret) -> Option<Verdict> {
        if !secret.is_sure() {
            return None;
        }
        let written = |access: &FileAccess<'_>| {
            matches!(access.action, Action::Write | Action::Append | Action::Create)
                && access.content.as_ref().is_some_and(|content| content.contains(&secret.value))
        };
        let mut paths: Vec<PathBuf> = FileAccess::of(self.call)
            .iter()
            .filter(|access| written(access))
            .map(|access| self.cwd.join(access.path.as_ref()))
            .collect();
        for effect in &self.judgement.effects {
            let by = self.judgement.ran.get(effect.by);
            if let (Action::Write | Action::Append | Action::Create, Target::Path(path)) =
                (effect.action, &effect.target)
                && by.is_some_and(|ran| mentions(ran, secret))
            {
                paths.push(self.cwd.join(&path.path));
            }
        }
        let mut tracked = Tracked::default();
        let is_new =
            |path: &PathBuf| !super::known::text(path).is_some_and(|text| text.contains(&secret.value));
        let path = paths.into_iter().find(|path| tracked.has(path) && is_new(path))?;
        let what = format!(
            "this writes a secret ({}) into `{}`, which git tracks; put it into a file that git ignores and refer to it",
            secret.kind.name(),
            path.display(),
        );
        Some(if secret.is_private_key() { Verdict::deny(what) } else { Verdict::ask(what) })
    }

    /// Objects to a secret in a command whose words are kept: in a commit, in a log, in the history of an image.
    fn records(&self, secret: &Secret) -> Option<Verdict> {
        let ran = self.judgement.ran.iter().filter(|ran| mentions(ran, secret));
        let place = ran.filter_map(|ran| record_of(&ran.words)).next().or_else(|| self.log(secret))?;
        Some(Verdict::ask(format!(
            "this puts a secret ({}) into {place}, where it stays; leave it out, or let the program read it from a file",
            secret.kind.name(),
        )))
    }

    fn log(&self, secret: &Secret) -> Option<&'static str> {
        let is_log = |effect: &checkrein_guard::Effect| {
            let Target::Path(path) = &effect.target else { return false };
            let by = self.judgement.ran.get(effect.by);
            matches!(effect.action, Action::Write | Action::Append)
                && path.path.ends_with(".log")
                && by.is_some_and(|ran| mentions(ran, secret))
        };
        self.judgement.effects.iter().any(is_log).then_some("a log")
    }
}

/// Returns the place where the words of a command are kept, if they are.
fn record_of(words: &[String]) -> Option<&'static str> {
    let mut words = words.iter().map(String::as_str);
    let program = words.next()?;
    let mut operands = words.filter(|word| !word.starts_with('-'));
    let first = operands.next().unwrap_or_default();
    match (program.rsplit('/').next().unwrap_or(program), first) {
        ("git", "commit" | "tag" | "notes" | "merge" | "stash") => Some("the history of the repository"),
        ("gh" | "glab", "pr" | "issue" | "release" | "mr" | "gist" | "repo") => {
            Some("a page of the code host")
        }
        ("logger" | "systemd-cat" | "wall", _) => Some("a log"),
        ("docker" | "podman" | "buildah", "build" | "commit" | "buildx") => Some("the history of an image"),
        _ => None,
    }
}

fn mentions(ran: &Invocation, secret: &Secret) -> bool {
    ran.words.iter().any(|word| word.contains(&secret.value))
}

/// Returns true if a host matches a pattern such as `*.slack.com`.
fn is_host(host: &str, own: &str) -> bool {
    let host = host.to_ascii_lowercase();
    match own.strip_prefix("*.") {
        Some(domain) => host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.')),
        None => host == own,
    }
}

fn host_of(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    // Clients that follow the URL standard read a backslash as a slash.
    let authority = rest.split(['/', '\\', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let host = host.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(host, |(host, _)| host);
    (!matches!(host, "" | "localhost" | "127.0.0.1" | "[::1]")).then(|| host.to_owned())
}

/// Every string in the input of a call.
fn strings(input: &checkrein_core::Map) -> impl Iterator<Item = &str> {
    let mut left: Vec<&Value> = input.values().collect();
    std::iter::from_fn(move || {
        loop {
            match left.pop()? {
                Value::String(text) => return Some(text.as_str()),
                Value::Array(items) => left.extend(items),
                Value::Object(members) => left.extend(members.values()),
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
    })
}

#[cfg(test)]
mod tests;
