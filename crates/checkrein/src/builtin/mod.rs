//! The built-in judge: it asks the guard what a call would do.
//!
//! It looks at the tools that it knows: shells, file tools, patches, searches, and what servers of known kinds offer. A tool
//! that it does not know is judged by what its arguments are called. One of the host's own that it knows, in a call that it does not understand,
//! is denied: only the tool itself knows what it does, and then it is too late.

mod arguments;
mod call;
mod capture;
mod combine;
mod disk;
mod entries;
mod mcp;
mod own;
mod patch;
mod reading;
mod reason;
mod script_content;
mod skills;
#[cfg(test)]
mod tests;

pub use call::Command;
pub use capture::Kept;
pub use disk::Disk;
pub(crate) use own::on_path;

use crate::approval::{AskSupport, Attempt, DenialLog, PriorAttempt};
use call::{FileAccess, Unreadable};
use checkrein_core::{
    Deadline, Decision, Dispatcher, Entry, EventName, Failure, Hook, Payload, Role, ToolCall, ToolKind,
    Verdict,
};
use checkrein_guard::{
    AllowRule, Belonging, CachedWorld, CallContext, Day, EvalContext, Exception, Finding, Judgement, Mark,
    NotAllowed, Rule, Tag, Target, Verb, World, judge, judge_argv, judge_file, judge_handed, judge_resource,
    work,
};
use mcp::ToolAction;
use reading::{Language, reading};
use std::path::Path;

/// Judges what a call would do, by its effects.
#[derive(Clone, Debug, Default)]
pub struct Guard<W = Disk> {
    world: W,
    /// Those of configurations, besides those that are built in.
    rules: Vec<Rule>,
    /// What rules shall not object to, and the day on which that is asked.
    exceptions: Vec<Exception>,
    today: Option<Day>,
    /// The commands that agents may run without a question.
    allow_rules: Vec<AllowRule>,
    /// Where it remembers what it denied.
    memory: Option<DenialLog>,
    /// Files that it depends on besides those that the machine names.
    belongings: Vec<Belonging>,
}

/// The name of the built-in judge.
pub(crate) const NAME: &str = "guard";

impl Guard {
    /// The events that it judges: every call that can still be prevented.
    pub const EVENTS: &'static [EventName] = &[EventName::PreToolUse, EventName::PermissionRequest];

    /// The guard of this machine.
    pub const fn new() -> Self {
        Self::of(Disk)
    }

    /// Lets it judge its events.
    pub fn join(self, dispatcher: &mut Dispatcher) {
        for event in Self::EVENTS {
            let may_allow = self.may_allow();
            dispatcher.add(Entry::new(*event, self.clone()).with_role(Role::Judge).with_may_allow(may_allow));
        }
    }

    /// Lets it judge its events, and captures its judgements for a caller that shows more than the verdict.
    pub fn join_keeping(self, dispatcher: &mut Dispatcher, kept: &Kept) {
        for event in Self::EVENTS {
            let may_allow = self.may_allow();
            let keeping = capture::Keeping { guard: self.clone(), kept: kept.clone() };
            dispatcher.add(Entry::new(*event, keeping).with_role(Role::Judge).with_may_allow(may_allow));
        }
    }

    /// Returns what a call of a shell tool would run; nothing, if it is a call of another tool.
    pub fn command(call: &ToolCall) -> Option<Command<'_>> {
        call::command(call)
    }

    /// The file that a rule stands in, from the root of the repository. Some stand in none.
    pub fn file_of(rule: &Rule) -> Option<String> {
        let pack = rule.id.split('.').next().unwrap_or_default();
        (pack != combine::PACK).then(|| format!("crates/guard/rules/{pack}.toml"))
    }
}

impl<W: World> Guard<W> {
    /// The guard of another machine.
    pub const fn of(world: W) -> Self {
        Self {
            world,
            rules: Vec::new(),
            exceptions: Vec::new(),
            today: None,
            allow_rules: Vec::new(),
            memory: None,
            belongings: Vec::new(),
        }
    }

    /// Adds files that the guard depends on: they may only be read.
    #[must_use]
    pub fn depending_on<'a>(mut self, files: impl IntoIterator<Item = &'a Path>) -> Self {
        let absolute = files.into_iter().filter_map(|file| std::path::absolute(file).ok());
        let named = absolute.filter_map(|file| file.to_str().map(Belonging::ours));
        self.belongings.extend(named);
        self
    }

    /// Adds rules of configurations. They can only make its answers stricter.
    #[must_use]
    pub fn with_rules(mut self, rules: Vec<Rule>) -> Self {
        self.rules.extend(rules);
        self
    }

    /// Adds exceptions to rules, as they apply on this day. What they suppress is not objected to; nothing is allowed.
    #[must_use]
    pub fn with_exceptions(mut self, exceptions: Vec<Exception>, today: Day) -> Self {
        self.exceptions.extend(exceptions);
        self.today = Some(today);
        self
    }

    /// Adds allow rules: a call that they cover as a whole is allowed, unless another hook denies it.
    #[must_use]
    pub fn with_allow_rules(mut self, allow_rules: Vec<AllowRule>) -> Self {
        self.allow_rules.extend(allow_rules);
        self
    }

    /// Adds a log of denials. It tells a second attempt from a first, and lets a user allow a call once; it is touched
    /// only by calls that the guard objects to.
    #[must_use]
    pub fn remembering(mut self, memory: DenialLog) -> Self {
        self.memory = Some(memory);
        self
    }

    /// Returns whether there is anything that it could allow.
    pub const fn may_allow(&self) -> bool {
        !self.allow_rules.is_empty()
    }

    /// Returns what the guard says of the call of an event. Nothing, if there is no call, or none of a tool that it knows.
    pub fn judgement(&self, payload: &Payload) -> Option<Judgement> {
        let judgement = self.effects(payload)?.with_rules(&self.rules);
        let (Some(today), false) = (self.today, judgement.findings.is_empty() || self.exceptions.is_empty())
        else {
            return Some(judgement);
        };
        let place = self.place(payload.event.call()?, payload);
        let at = EvalContext { place: &place, home: self.world.home(), today };
        Some(judgement.with_exceptions(&self.exceptions, &at))
    }

    /// Returns whether allow rules cover a call that was judged, and why not; nothing, if there are no allow rules.
    pub fn allowed(&self, payload: &Payload, judgement: &Judgement) -> Option<Result<(), NotAllowed>> {
        let call = payload.event.call().filter(|_| self.may_allow())?;
        Some(judgement.allowed(&self.allow_rules, &self.place(call, payload)))
    }

    /// Returns what it says of a call by the rules that are built in.
    fn effects(&self, payload: &Payload) -> Option<Judgement> {
        let call = payload.event.call()?;
        let world = CachedWorld::new(&self.world).also(&self.belongings);
        // A call can bring many texts, and all of them burn one fuel.
        work::one_call(|| Self::effects_of(call, payload, &world))
    }

    fn effects_of(call: &ToolCall, payload: &Payload, world: &CachedWorld<'_>) -> Option<Judgement> {
        match call::command(call) {
            Some(command) => Some(shell(&command, &place(call, payload, world), world)),
            None if call.kind.runs_code()
                || matches!(call.kind, ToolKind::Mcp | ToolKind::Fetch | ToolKind::Other) =>
            {
                // Arguments may stand in a text, as JSON.
                let opened = arguments::opened(&call.input)
                    .filter(|_| call.kind != ToolKind::Fetch)
                    .map(|input| ToolCall { input, ..call.clone() });
                let mut found = mcp::deeds(call);
                found.extend(opened.iter().flat_map(mcp::deeds));
                // Most tools do neither, and where the call is made is asked of the disk.
                if found.is_empty() && !skills::loads(call) {
                    return None;
                }
                let place = place(call, payload, world);
                let loaded = skills::loaded(call, &place, world);
                let done = (!found.is_empty()).then(|| deeds(&found, &place, world));
                match (done, loaded) {
                    (Some(mut done), Some(loaded)) => {
                        combine::add(&mut done, loaded);
                        Some(done)
                    }
                    (done, loaded) => done.or(loaded),
                }
            }
            None => match call::touches(call) {
                Ok(touches) if touches.is_empty() => None,
                Ok(mut touches) => {
                    let place = place(call, payload, world);
                    whole(call, &mut touches, &place, world);
                    Some(files(&touches, &place, world))
                }
                Err(Unreadable::Wrong(why)) => Some(combine::no_path(&why)),
                Err(Unreadable::Missing(why)) => Some(combine::unknown_path(&why)),
            },
        }
    }

    /// Returns where a call is made. Its own working directory beats the session's.
    pub fn place(&self, call: &ToolCall, payload: &Payload) -> CallContext {
        place(call, payload, &self.world)
    }

    /// Returns what a judgement comes to.
    fn verdict(&self, payload: &Payload, judgement: &Judgement) -> Verdict {
        let objects: fn(String) -> Verdict = match judgement.decision {
            Decision::Abstain | Decision::Allow => {
                return match self.allowed(payload, judgement) {
                    Some(Ok(())) => Verdict::allow().with_reason(reason::ALLOWED),
                    Some(Err(_)) | None => Verdict::abstain(),
                };
            }
            Decision::Ask => Verdict::ask,
            Decision::Deny => Verdict::deny,
        };
        match self.recall(payload, judgement) {
            PriorAttempt::Permitted => {
                Verdict { notice: Some(reason::once(judgement)), ..Verdict::abstain() }
            }
            PriorAttempt::Attempt(attempt) => objects(reason::for_model(judgement, &attempt)),
        }
    }

    /// Returns what is remembered of a call that is objected to. A question that the host asks needs no memory.
    fn recall(&self, payload: &Payload, judgement: &Judgement) -> PriorAttempt {
        let denied = |memory: &&DenialLog| {
            judgement.decision == Decision::Deny || memory.becomes() == AskSupport::Denied
        };
        match (self.memory.as_ref().filter(denied), payload.event.call()) {
            (Some(memory), Some(call)) => memory.recall(payload, &self.place(call, payload), judgement),
            (None, _) | (_, None) => PriorAttempt::Attempt(Attempt::default()),
        }
    }
}

impl<W: World + Send + Sync> Hook for Guard<W> {
    fn name(&self) -> &str {
        NAME
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        Ok(self
            .judgement(payload)
            .map_or_else(Verdict::abstain, |judgement| self.verdict(payload, &judgement)))
    }
}

fn place(call: &ToolCall, payload: &Payload, world: &dyn World) -> CallContext {
    let session = payload.session.cwd.as_deref();
    let cwd = match (call::directory(call), session) {
        (Some(own), Some(session)) if !own.starts_with('/') => Some(format!("{session}/{own}")),
        (Some(own), _) => Some(own.to_owned()),
        (None, session) => session.map(str::to_owned),
    };
    let project =
        payload.session.project_dir.clone().or_else(|| repository(session.or(cwd.as_deref())?, world));
    // Only what a shell started is there to be typed into.
    let typed = payload.host.types_unseen && call.kind == ToolKind::Shell;
    CallContext { cwd, project, typed }
}

/// The nearest directory upward that holds a repository.
fn repository(from: &str, world: &dyn World) -> Option<String> {
    let directories = Path::new(from).ancestors().filter_map(Path::to_str);
    let mut directories = directories.filter(|directory| !directory.is_empty() && *directory != "/");
    directories.find(|directory| world.entry(&format!("{directory}/.git")).is_some()).map(str::to_owned)
}

fn shell(command: &Command<'_>, place: &CallContext, world: &dyn World) -> Judgement {
    match command {
        Command::Shell(text) => judge(text, place, world),
        Command::PowerShell(text) => {
            let words = ["pwsh".to_owned(), "-Command".to_owned(), (*text).to_owned()];
            judge_argv(&words, place, world)
        }
        Command::Arguments(words) => judge_argv(words, place, world),
        Command::NotUnderstood(why) => combine::no_command(why),
    }
}

/// A change of settings or instructions of an agent is judged by the whole file that it leaves, where the disk tells.
fn whole(call: &ToolCall, touches: &mut Vec<FileAccess<'_>>, place: &CallContext, world: &dyn World) {
    let [first, ..] = touches.as_slice() else { return };
    // Most changes are about neither: this is asked of each of them.
    let settings = [".json", ".jsonc", ".toml", ".yaml", ".yml"];
    if !settings.iter().any(|ending| first.path.ends_with(ending)) {
        return;
    }
    let same = first.verb == Verb::Append && touches.iter().all(|touch| touch.path == first.path);
    let path = match &place.cwd {
        Some(cwd) if !first.path.starts_with(['/', '~']) => format!("{cwd}/{}", first.path),
        Some(_) | None => first.path.clone().into_owned(),
    };
    let decides = same
        && judge_file(Verb::Write, &first.path, None, place, world)
            .effects
            .iter()
            .any(|effect| matches!(&effect.target, Target::Path(spot) if spot.tags.has(Tag::AgentHooks)));
    if decides && let Some(after) = world.text(&path).and_then(|before| skills::after(&call.input, &before)) {
        let path = first.path.clone().into_owned().into();
        touches.insert(0, FileAccess { verb: Verb::Write, path, content: Some(after.into()) });
    }
}

fn files(touches: &[FileAccess<'_>], place: &CallContext, world: &dyn World) -> Judgement {
    let mut all = Judgement::default();
    for FileAccess { verb, path, content } in touches {
        let file = judge_file(*verb, path, content.as_deref(), place, world);
        let runs = file
            .effects
            .iter()
            .any(|effect| matches!(&effect.target, Target::Path(spot) if spot.tags.has(Tag::AgentRuns)));
        combine::add(&mut all, file);
        let written = content.as_deref().filter(|_| *verb != Verb::Read);
        let instructs = written.filter(|_| runs);
        if let Some(more) = instructs.and_then(|text| skills::judged(*verb, path, text, place, world)) {
            combine::add(&mut all, more);
        }
        if let Some(more) = written.and_then(|text| script_content::judged(*verb, path, text, place, world)) {
            combine::add(&mut all, more);
        }
    }
    all
}

fn deeds(deeds: &[ToolAction<'_>], place: &CallContext, world: &dyn World) -> Judgement {
    let mut all = Judgement::default();
    for deed in deeds {
        let one = match deed {
            ToolAction::Command(command) => shell(command, place, world),
            ToolAction::Code { language, text, quiet } => code(*language, text, *quiet, place, world),
            ToolAction::Foreign(text) => foreign(text, place, world),
            ToolAction::Keys(text) => typed(text, place, world),
            ToolAction::TooMany => combine::too_many(),
            ToolAction::FileAccess(touch) => files(std::slice::from_ref(touch), place, world),
            ToolAction::Given { verb, path } => given(*verb, path, place, world),
            ToolAction::Destroy { name, marks } => judge_resource(Verb::Destroy, name, *marks, place, world),
        };
        combine::add(&mut all, one);
    }
    all
}

/// Returns what a path comes to that a tool of another server is given: it counts if it is one of ours.
fn given(verb: Option<Verb>, path: &str, place: &CallContext, world: &dyn World) -> Judgement {
    let judgement = match verb {
        // It only lists names.
        Some(Verb::Run) => return Judgement::default(),
        Some(verb) => judge_file(verb, path, None, place, world),
        None => judge_handed(path, place, world),
    };
    let protects = |_: &Judgement, finding: &Finding| finding.rule.id.starts_with("protection.");
    let mut judgement = combine::only(judgement, protects);
    if judgement.findings.is_empty() {
        judgement.effects.clear();
    }
    judgement
}

/// Returns what a program text does that a tool is given. Where its language is not known, it is read in those that are usual.
fn code(
    language: Option<Language>,
    text: &str,
    quiet: bool,
    place: &CallContext,
    world: &dyn World,
) -> Judgement {
    const USUAL: [&str; 6] = ["sh", "python", "javascript", "ruby", "php", "lua"];
    let languages: Vec<Language> = match language {
        Some(language) => vec![language],
        None => USUAL.into_iter().filter_map(Language::named).collect(),
    };
    let mut all = Judgement::default();
    for language in languages {
        let reading = reading(language, text, place, world);
        let too_much = reading.too_much;
        for one in reading.said {
            let one = if quiet { combine::only(one, is_denied) } else { one };
            combine::add(&mut all, one);
        }
        if too_much {
            combine::add(&mut all, combine::unread_script("it is too long or too deep to be read"));
        }
    }
    all
}

/// Returns what the literals of a program come to whose language is not read here: one that would be denied as a command is asked
/// about.
fn foreign(text: &str, place: &CallContext, world: &dyn World) -> Judgement {
    let found = reading::literals(text).into_iter().find_map(|literal| {
        let said = combine::only(judge(&literal, place, world), is_denied);
        said.findings.first().map(|finding| combine::script(&finding.rule))
    });
    found.unwrap_or_default()
}

/// Returns what is typed into something that runs. Most of what is typed anywhere is a command of a shell; a program of another
/// language, or a statement, counts if it would be denied.
fn typed(text: &str, place: &CallContext, world: &dyn World) -> Judgement {
    let readable = |judgement: &Judgement, finding: &Finding| {
        judgement.effects.get(finding.effect).is_some_and(|effect| !effect.marks.has(Mark::Unreadable))
    };
    let mut all = combine::only(judge(text, place, world), readable);
    for name in ["python", "javascript"] {
        combine::add(&mut all, code(Language::named(name), text, true, place, world));
    }
    let statement = ["psql", "-c", text].map(str::to_owned);
    combine::add(&mut all, combine::only(judge_argv(&statement, place, world), is_denied));
    all
}

/// Returns whether a finding denies, and not only because nobody can read the text.
fn is_denied(judgement: &Judgement, finding: &Finding) -> bool {
    finding.rule.decision == Decision::Deny && reading::is_told(judgement, finding)
}
