//! The judge that is built in: it asks the guard what a call would do.

mod disk;
mod reason;

pub use disk::Disk;

use checkrein_core::{
    Deadline, Decision, Dispatcher, Entry, EventName, Failure, Hook, Payload, Role, ToolCall, ToolKind,
    Verdict,
};
use checkrein_guard::{CallPlace, Judgement, Rule, Verb, World, judge, judge_argv, judge_file};
use serde_json::Value;
use std::path::Path;

/// Judges what a call would do, by its effects.
#[derive(Clone, Debug, Default)]
pub struct Guard<W = Disk> {
    world: W,
    /// Those of configurations, besides those that are built in.
    rules: Vec<Rule>,
}

/// The name of the built-in judge.
const NAME: &str = "guard";

impl Guard {
    /// The events that it judges: every call that can still be prevented.
    pub const EVENTS: &'static [EventName] = &[EventName::PreToolUse, EventName::PermissionRequest];

    /// The guard of this machine.
    pub const fn new() -> Self {
        Self { world: Disk, rules: Vec::new() }
    }

    /// Lets it judge its events.
    pub fn join(self, dispatcher: &mut Dispatcher) {
        for event in Self::EVENTS {
            dispatcher.add(Entry::new(*event, self.clone()).role(Role::Judge));
        }
    }
}

impl<W: World> Guard<W> {
    /// The guard of another machine.
    pub const fn of(world: W) -> Self {
        Self { world, rules: Vec::new() }
    }

    /// The same with rules of configurations. They can only make its answers stricter.
    #[must_use]
    pub fn with_rules(mut self, rules: Vec<Rule>) -> Self {
        self.rules.extend(rules);
        self
    }

    /// What the guard says of the call of an event; nothing, if there is none.
    pub fn judgement(&self, payload: &Payload) -> Option<Judgement> {
        self.effects(payload).map(|judgement| judgement.with_rules(&self.rules))
    }

    /// The same by the rules that are built in.
    fn effects(&self, payload: &Payload) -> Option<Judgement> {
        let call = payload.event.call()?;
        let place = self.place(call, payload);
        match call.kind {
            ToolKind::Shell => self.shell(call, &place),
            ToolKind::Read => self.file(Verb::Read, call, &place),
            ToolKind::Write => self.file(Verb::Write, call, &place),
            ToolKind::Edit => self.file(Verb::Append, call, &place),
            ToolKind::Delete => self.file(Verb::Delete, call, &place),
            _ => None,
        }
    }

    /// Where a call is made. Its own working directory beats the session's.
    fn place(&self, call: &ToolCall, payload: &Payload) -> CallPlace {
        let own =
            ["cwd", "workdir", "working_directory", "dir_path"].into_iter().find_map(|key| call.text(key));
        let session = payload.session.cwd.as_deref();
        let cwd = match (own, session) {
            (Some(own), Some(session)) if !own.starts_with('/') => Some(format!("{session}/{own}")),
            (Some(own), _) => Some(own.to_owned()),
            (None, session) => session.map(str::to_owned),
        };
        let project =
            payload.session.project_dir.clone().or_else(|| self.repository(session.or(cwd.as_deref())?));
        CallPlace { cwd, project }
    }

    /// The nearest folder upward that holds a repository.
    fn repository(&self, from: &str) -> Option<String> {
        let folders = Path::new(from).ancestors().filter_map(Path::to_str);
        let mut folders = folders.filter(|folder| !folder.is_empty() && *folder != "/");
        folders.find(|folder| self.world.entry(&format!("{folder}/.git")).is_some()).map(str::to_owned)
    }

    fn shell(&self, call: &ToolCall, place: &CallPlace) -> Option<Judgement> {
        let command = ["command", "cmd", "script"].into_iter().find_map(|key| call.input.get(key))?;
        match command {
            Value::String(text) if is_powershell(&call.name) => Some(judge_argv(
                &["pwsh".to_owned(), "-Command".to_owned(), text.clone()],
                place,
                &self.world,
            )),
            Value::String(text) => Some(judge(text, place, &self.world)),
            Value::Array(words) => {
                let words: Option<Vec<String>> =
                    words.iter().map(|word| word.as_str().map(str::to_owned)).collect();
                Some(judge_argv(&words?, place, &self.world))
            }
            _ => None,
        }
    }

    fn file(&self, verb: Verb, call: &ToolCall, place: &CallPlace) -> Option<Judgement> {
        let path = ["file_path", "path", "notebook_path", "filename", "filePath"]
            .into_iter()
            .find_map(|key| call.text(key))?;
        let content = ["content", "new_string", "file_text"].into_iter().find_map(|key| call.text(key));
        Some(judge_file(verb, path, content, place, &self.world))
    }
}

fn is_powershell(name: &str) -> bool {
    name.eq_ignore_ascii_case("powershell") || name.eq_ignore_ascii_case("pwsh")
}

impl<W: World + Send + Sync> Hook for Guard<W> {
    fn name(&self) -> &str {
        NAME
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        let Some(judgement) = self.judgement(payload) else { return Ok(Verdict::abstain()) };
        Ok(match judgement.decision {
            Decision::Abstain | Decision::Allow => Verdict::abstain(),
            Decision::Ask => Verdict::ask(reason::for_model(&judgement)),
            Decision::Deny => Verdict::deny(reason::for_model(&judgement)),
        })
    }
}
