//! The built-in judge: the guard as a hook, with the disk of this machine, the rules of the configuration, and a memory of what it
//! denied. What a call would do is up to `checkrein_guard::judge_call`.

mod capture;
mod disk;
mod entries;
mod first_look;
mod neighbours;
mod own;
mod plugins;
mod reason;
mod still;
#[cfg(test)]
mod tests;

pub use capture::Kept;
pub use disk::Disk;
pub(crate) use first_look::FirstLook;
pub(crate) use neighbours::Neighbours;
pub(crate) use own::{on_path, running};
pub use still::Still;

use crate::{
    approval::{AskSupport, Attempt, DenialLog, PriorAttempt},
    config::problem::ConfigError,
    rewrites::Rewrites,
    undo::{self, Keeper},
};
use checkrein_core::{
    Deadline, Decision, Dispatcher, Entry, EventName, Failure, Hook, Payload, Role, ToolCall, Verdict,
};
use checkrein_guard::{
    AllowRule, Belonging, CachedWorld, CallContext, Day, EvalContext, Exception, Grade, Judgement, Monitor,
    NotAllowed, Rule, ToolCommand, World, call_context, judge, judge_call,
};
use reason::Objection;
use std::path::Path;

/// Judges what a call would do, by its effects.
#[derive(Clone, Debug, Default)]
pub struct Guard<W = Disk> {
    world: W,
    /// The rules of configurations, in addition to the built-in ones.
    rules: Vec<Rule>,
    /// Other decisions for the rules that are built in.
    grades: Vec<Grade>,
    /// The rules whose findings are only recorded.
    monitors: Vec<Monitor>,
    /// The exceptions to rules.
    exceptions: Vec<Exception>,
    today: Option<Day>,
    /// The commands that agents may run without a question.
    allow_rules: Vec<AllowRule>,
    /// The log of its denials.
    memory: Option<DenialLog>,
    /// Files that it depends on in addition to those that the machine names.
    belongings: Vec<Belonging>,
    /// The search for rules of other projects.
    neighbours: Option<Neighbours>,
    /// The keeper of files that a call would take away.
    keeper: Option<Keeper>,
    /// The commands that it suggests in place of others.
    rewrites: Option<Rewrites>,
    /// The judgement of the same event by another hook.
    first_look: Option<FirstLook>,
}

/// Says if everything that a rule is about was kept, so that the rule is not raised.
enum Relaxed {
    /// With a line for the user.
    Yes(String),
    No,
    /// It could have been kept, but the store refused it. Contains a line for the user.
    NotKept(String),
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
            dispatcher.add(
                Entry::new(*event, self.clone())
                    .with_role(Role::Judge)
                    .with_may_allow(may_allow)
                    .with_own_voice(true),
            );
        }
    }

    /// Lets it judge its events, and captures its judgements for a caller that shows more than the verdict.
    pub fn join_keeping(self, dispatcher: &mut Dispatcher, kept: &Kept) {
        for event in Self::EVENTS {
            let may_allow = self.may_allow();
            let keeping = capture::Keeping { guard: self.clone(), kept: kept.clone() };
            dispatcher.add(
                Entry::new(*event, keeping)
                    .with_role(Role::Judge)
                    .with_may_allow(may_allow)
                    .with_own_voice(true),
            );
        }
    }
}

impl<W: World> Guard<W> {
    /// The guard of another machine.
    pub const fn of(world: W) -> Self {
        Self {
            world,
            rules: Vec::new(),
            grades: Vec::new(),
            monitors: Vec::new(),
            exceptions: Vec::new(),
            today: None,
            allow_rules: Vec::new(),
            memory: None,
            belongings: Vec::new(),
            neighbours: None,
            keeper: None,
            rewrites: None,
            first_look: None,
        }
    }

    /// Moves the guard to another machine.
    #[must_use]
    pub fn on<V: World>(self, world: V) -> Guard<V> {
        let Self {
            world: _,
            rules,
            grades,
            monitors,
            exceptions,
            today,
            allow_rules,
            memory,
            belongings,
            neighbours,
            keeper,
            rewrites,
            first_look,
        } = self;
        Guard {
            world,
            rules,
            grades,
            monitors,
            exceptions,
            today,
            allow_rules,
            memory,
            belongings,
            neighbours,
            keeper,
            rewrites,
            first_look,
        }
    }

    /// Lets a denial suggest another command.
    #[must_use]
    pub(crate) fn with_rewrites(mut self, rewrites: Rewrites) -> Self {
        self.rewrites = Some(rewrites);
        self
    }

    /// Lets the hooks of one event that judge the same call share one judgement.
    #[must_use]
    pub(crate) fn sharing(mut self, first_look: FirstLook) -> Self {
        self.first_look = Some(first_look);
        self
    }

    /// Lets the rules of other projects hold for what a call does to them.
    #[must_use]
    pub(crate) fn with_neighbours(mut self, neighbours: Neighbours) -> Self {
        self.neighbours = Some(neighbours);
        self
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

    /// Adds other decisions for built-in rules.
    #[must_use]
    pub fn with_grades(mut self, grades: Vec<Grade>) -> Self {
        self.grades.extend(grades);
        self
    }

    /// Adds monitors: what they cover is only recorded, in [`Judgement::monitored`].
    #[must_use]
    pub fn with_monitors(mut self, monitors: Vec<Monitor>) -> Self {
        self.monitors.extend(monitors);
        self
    }

    /// Adds exceptions to rules, as they apply on this day. They suppress findings and allow nothing.
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

    /// Adds the keeper, which copies files before a call: for calls that the guard does not object to, and for calls whose
    /// findings become unnecessary because of the copies.
    #[must_use]
    pub(crate) fn keeping(mut self, keeper: Keeper) -> Self {
        self.keeper = Some(keeper);
        self
    }

    /// Returns true if there is anything that it could allow.
    pub const fn may_allow(&self) -> bool {
        !self.allow_rules.is_empty()
    }

    /// Returns the judgement of an event's call; `None` if there is no call, or none of a tool that the guard knows.
    pub fn judgement(&self, payload: &Payload) -> Option<Judgement> {
        Some(self.judged(payload)?.0)
    }

    /// Returns the judgement of a call by the built-in rules, and keeps it for the hook that judges the same event.
    pub(crate) fn first_look(&self, payload: &Payload) -> Option<Judgement> {
        let world = CachedWorld::new(&self.world).also(&self.belongings);
        let judgement = judge_call(payload.event.call()?, payload, &world)?;
        if let Some(look) = &self.first_look {
            look.put(payload, &judgement);
        }
        Some(judgement)
    }

    /// Returns the judgement, and the problem with the configuration of another project that the call touches.
    fn judged(&self, payload: &Payload) -> Option<(Judgement, Option<ConfigError>)> {
        let call = payload.event.call()?;
        let world = CachedWorld::new(&self.world).also(&self.belongings);
        let before = self.first_look.as_ref().and_then(|look| look.take(payload));
        let judgement = before.or_else(|| judge_call(call, payload, &world))?;
        let mut judgement = judgement.with_grades(&self.grades).with_rules(&self.rules);
        let mut broken = None;
        if let Some(neighbours) = &self.neighbours {
            let found = neighbours.rules(&judgement, call_context(call, payload, &world).cwd.as_deref());
            for (directory, rules) in found.unwrap_or_else(|problem| {
                broken = Some(problem);
                Vec::new()
            }) {
                judgement = judgement.with_rules_for(&rules, |effect| neighbours::is_in(effect, &directory));
            }
        }
        if let (Some(today), false) =
            (self.today, judgement.findings.is_empty() || self.exceptions.is_empty())
        {
            let place = call_context(call, payload, &world);
            let at = EvalContext { place: &place, home: self.world.home(), today };
            judgement = judgement.with_exceptions(&self.exceptions, &at);
        }
        Some((judgement.with_monitors(&self.monitors), broken))
    }

    /// Returns the verdict on a call. It is a failure if the rules of a project that the call touches are not known.
    fn answer(
        &self,
        payload: &Payload,
        judgement: &Judgement,
        broken: Option<ConfigError>,
    ) -> Result<Verdict, Failure> {
        match broken {
            None => Ok(self.verdict(payload, judgement)),
            Some(problem) => {
                let why = problem.for_model();
                Err(Failure::Other(format!(
                    "the configuration of a project that this touches is broken: {why}"
                )))
            }
        }
    }

    /// Returns if allow rules cover a call that was judged, and why not; `None` if there are no allow rules.
    pub fn allowed(&self, payload: &Payload, judgement: &Judgement) -> Option<Result<(), NotAllowed>> {
        let call = payload.event.call().filter(|_| self.may_allow())?;
        let allowed = judgement.allowed(&self.allow_rules, &self.place(call, payload));
        Some(allowed.and_then(|()| judgement.settings(&self.world)))
    }

    /// Returns the place of a call. Its own working directory overrides the session's.
    pub fn place(&self, call: &ToolCall, payload: &Payload) -> CallContext {
        call_context(call, payload, &self.world)
    }

    /// Returns the verdict for a judgement.
    fn verdict(&self, payload: &Payload, judgement: &Judgement) -> Verdict {
        if matches!(judgement.decision, Decision::Abstain | Decision::Allow) {
            return self.no_objection(payload, judgement);
        }
        let asks = judgement.decision == Decision::Ask;
        let questions = match &self.memory {
            Some(memory) if asks => memory.becomes(payload),
            Some(_) | None => AskSupport::Asked,
        };
        let denied = !asks || questions != AskSupport::Asked;
        let call = payload.event.call();
        let place = call.map(|call| self.place(call, payload)).unwrap_or_default();
        let not_kept = match self.relax(payload, &place, judgement, questions) {
            Relaxed::Yes(notice) => return Verdict::abstain().with_notice(notice),
            Relaxed::No => None,
            Relaxed::NotKept(why) => Some(why),
        };
        let attempt = match self.recall(payload, &place, judgement, denied) {
            PriorAttempt::Permitted => {
                let notice = reason::allowed(judgement);
                return Verdict::abstain().with_notice(match self.keep(payload, judgement) {
                    Some(kept) => format!("{notice}; {kept}"),
                    None => notice,
                });
            }
            PriorAttempt::Attempt(attempt) => attempt,
        };
        if asks && questions == AskSupport::Asked {
            self.keep(payload, judgement);
        }
        let passes = |text: &str| judge(text, &place, &self.world).decision == Decision::Abstain;
        let rewrites = self.suggestions(payload, judgement, &place, &passes);
        let objection = Objection {
            judgement,
            rewrites: &rewrites,
            call,
            cwd: place.cwd.as_deref(),
            attempt: &attempt,
            questions,
            passes: &passes,
        };
        match (asks, questions) {
            (true, AskSupport::Asked) => {
                let verdict = Verdict::ask(objection.asked());
                match not_kept {
                    Some(why) => verdict.with_notice(why),
                    None => verdict,
                }
            }
            // The host's edge makes a denial of it.
            (true, AskSupport::Denied) => {
                Verdict::ask(objection.for_model()).with_notice(objection.blocked())
            }
            (true, AskSupport::Unattended) | (false, _) => {
                Verdict::deny(objection.for_model()).with_notice(objection.blocked())
            }
        }
    }

    /// Returns the verdict for a call that no rule matches.
    fn no_objection(&self, payload: &Payload, judgement: &Judgement) -> Verdict {
        let notice = self.keep(payload, judgement);
        let verdict = match self.allowed(payload, judgement) {
            // In monitor mode a call that would be blocked is not allowed either: the host decides as it does without us.
            Some(_) if !judgement.monitored.is_empty() => Verdict::abstain(),
            Some(Ok(())) => Verdict::allow().with_reason(reason::ALLOWED),
            Some(Err(_)) | None => Verdict::abstain(),
        };
        match notice {
            Some(notice) => verdict.with_notice(notice),
            None => verdict,
        }
    }

    /// Keeps what a call takes away, if it runs. Returns a line for the user.
    fn keep(&self, payload: &Payload, judgement: &Judgement) -> Option<String> {
        let keeper = self.keeper.as_ref().filter(|_| payload.name() == EventName::PreToolUse)?;
        if judgement.losses.is_empty() {
            return None;
        }
        let place = self.place(payload.event.call()?, payload);
        let attempt = keeper.attempt(judgement, &place, &self.world)?;
        attempt.commit(payload, &place, false).ok().flatten()
    }

    /// Keeps everything that the findings are about, if that makes them unnecessary.
    fn relax(
        &self,
        payload: &Payload,
        place: &CallContext,
        judgement: &Judgement,
        questions: AskSupport,
    ) -> Relaxed {
        let wanted = |keeper: &&Keeper| {
            keeper.relaxes() || keeper.relaxes_unattended && questions == AskSupport::Unattended
        };
        let Some(keeper) = self.keeper.as_ref().filter(wanted) else { return Relaxed::No };
        if !undo::may_relax(judgement) {
            return Relaxed::No;
        }
        let Some(attempt) = keeper.attempt(judgement, place, &self.world) else { return Relaxed::No };
        if !attempt.covers(judgement) {
            return Relaxed::No;
        }
        match attempt.commit(payload, place, true) {
            Ok(notice) => Relaxed::Yes(notice.unwrap_or_else(|| reason::NOTHING_LOST.to_owned())),
            Err(why) => Relaxed::NotKept(reason::not_kept(&why)),
        }
    }

    /// Returns the commands that pass in place of one that is objected to, as suggestions.
    fn suggestions(
        &self,
        payload: &Payload,
        judgement: &Judgement,
        place: &CallContext,
        passes: &dyn Fn(&str) -> bool,
    ) -> Vec<String> {
        let (Some(rewrites), Some(call)) = (&self.rewrites, payload.event.call()) else { return Vec::new() };
        let Some(ToolCommand::Shell(text)) = ToolCommand::of(call) else { return Vec::new() };
        let found = rewrites.suggestions(text, judgement, place, &self.world);
        let readable =
            |text: &str| !text.contains(['`', '\n']) && !text.contains(checkrein_core::sanitize::is_hidden);
        let passing = found.into_iter().filter(|(text, _)| readable(text) && passes(text));
        passing.map(|(text, why)| format!("`{text}` {why}")).collect()
    }

    /// Returns what is remembered about a call that is objected to.
    fn recall(
        &self,
        payload: &Payload,
        place: &CallContext,
        judgement: &Judgement,
        denied: bool,
    ) -> PriorAttempt {
        match (&self.memory, payload.event.call()) {
            (Some(memory), Some(_)) => memory.recall(payload, place, judgement, denied),
            (None, _) | (_, None) => PriorAttempt::Attempt(Attempt::default()),
        }
    }
}

impl<W: World + Send + Sync> Hook for Guard<W> {
    fn name(&self) -> &str {
        NAME
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        let Some((judgement, broken)) = self.judged(payload) else { return Ok(Verdict::abstain()) };
        self.answer(payload, &judgement, broken)
    }
}
