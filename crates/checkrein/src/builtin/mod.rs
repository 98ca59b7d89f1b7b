//! The judge that is built in: it asks the guard what a call would do.
//!
//! It looks at the tools that it knows: shells, file tools, patches, searches. A tool that it does not know is none of its
//! business. One that it knows, in a call that it does not understand, is stopped: whoever could say what it does would be
//! the tool itself, and that is too late.

mod call;
mod disk;
mod harmless;
mod kept;
mod patch;
mod reason;
#[cfg(test)]
mod tests;
mod together;

pub use call::Command;
pub use disk::Disk;
pub use harmless::{harmless, is_hidden};
pub use kept::Kept;

use crate::{
    problem::{Problem, Problems},
    stack::Stack,
};
use call::{Touch, Untold};
use checkrein_core::{
    Deadline, Decision, Dispatcher, Entry, EventName, Failure, Hook, Payload, Role, ToolCall, Verdict,
};
use checkrein_guard::{CallPlace, Judgement, Rule, World, judge, judge_argv, judge_file};
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

    /// The same, and what it says is kept for a caller who shows more than the verdict.
    pub fn join_kept(self, dispatcher: &mut Dispatcher) -> Kept {
        let kept = Kept::default();
        for event in Self::EVENTS {
            let keeping = kept::Keeping { guard: self.clone(), kept: kept.clone() };
            dispatcher.add(Entry::new(*event, keeping).role(Role::Judge));
        }
        kept
    }

    /// What a call of a shell tool would run; nothing, if it is a call of another tool.
    pub fn command(call: &ToolCall) -> Option<Command<'_>> {
        call::command(call)
    }

    /// The file that a rule stands in, from the root of the repository. Some stand in none.
    pub fn file_of(rule: &Rule) -> Option<String> {
        let pack = rule.id.split('.').next().unwrap_or_default();
        (pack != together::PACK).then(|| format!("crates/guard/rules/{pack}.toml"))
    }

    /// Refuses layers that want to take the guard away: whoever writes that must hear that it does not happen.
    pub fn stays(stack: &Stack) -> Result<(), Problems> {
        let mut problems: Option<Problems> = None;
        for config in stack.configs().iter().filter(|config| config.disable.iter().any(|name| name == NAME)) {
            let more = Problems::from(Problem::of_file(
                config.path(),
                format_args!("disable: `{NAME}` is built in and cannot be disabled; remove it from the list"),
            ));
            match &mut problems {
                Some(problems) => problems.append(more),
                None => problems = Some(more),
            }
        }
        problems.map_or(Ok(()), Err)
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

    /// What the guard says of the call of an event. Nothing, if there is no call, or none of a tool that it knows.
    pub fn judgement(&self, payload: &Payload) -> Option<Judgement> {
        self.effects(payload).map(|judgement| judgement.with_rules(&self.rules))
    }

    /// The same by the rules that are built in.
    fn effects(&self, payload: &Payload) -> Option<Judgement> {
        let call = payload.event.call()?;
        match call::command(call) {
            Some(command) => Some(self.shell(&command, &self.place(call, payload))),
            None => match call::touches(call) {
                Ok(touches) if touches.is_empty() => None,
                Ok(touches) => Some(self.files(&touches, &self.place(call, payload))),
                Err(Untold::Wrong(why)) => Some(together::no_path(&why)),
                Err(Untold::Missing(why)) => Some(together::unknown_path(&why)),
            },
        }
    }

    /// Where a call is made. Its own working directory beats the session's.
    pub fn place(&self, call: &ToolCall, payload: &Payload) -> CallPlace {
        let session = payload.session.cwd.as_deref();
        let cwd = match (call::folder(call), session) {
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

    fn shell(&self, command: &Command<'_>, place: &CallPlace) -> Judgement {
        match command {
            Command::Shell(text) => judge(text, place, &self.world),
            Command::PowerShell(text) => {
                let words = ["pwsh".to_owned(), "-Command".to_owned(), (*text).to_owned()];
                judge_argv(&words, place, &self.world)
            }
            Command::Arguments(words) => judge_argv(words, place, &self.world),
            Command::NotUnderstood(why) => together::no_command(why),
        }
    }

    fn files(&self, touches: &[Touch<'_>], place: &CallPlace) -> Judgement {
        let mut all = Judgement::default();
        for Touch { verb, path, content } in touches {
            together::add(&mut all, judge_file(*verb, path, content.as_deref(), place, &self.world));
        }
        all
    }

    /// What a judgement comes to.
    fn verdict(judgement: &Judgement) -> Verdict {
        match judgement.decision {
            Decision::Abstain | Decision::Allow => Verdict::abstain(),
            Decision::Ask => Verdict::ask(reason::for_model(judgement)),
            Decision::Deny => Verdict::deny(reason::for_model(judgement)),
        }
    }
}

impl<W: World + Send + Sync> Hook for Guard<W> {
    fn name(&self) -> &str {
        NAME
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        Ok(self.judgement(payload).as_ref().map_or_else(Verdict::abstain, Self::verdict))
    }
}
