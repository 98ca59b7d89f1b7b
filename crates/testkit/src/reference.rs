//! The merge and failure rules once more, as plainly as possible.
//!
//! This dispatcher is slow, copies everything and shares only the types of the contract with the real one.
//! Where the two differ, one of them does not do what ARCHITECTURE.md says about the pass; property tests
//! search for such chains. Change it only together with that page.

use checkrein_core::{
    Class, Deadline, Decision, Edit, Entry, Event, EventName, Failure, Hook, OnFailure, Pattern, Payload,
    ResultKind, Retry, Role, Scope, ToolCall, Verdict,
};
use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

/// One configured hook.
#[derive(Clone)]
pub struct Line {
    /// The hook.
    pub hook: Arc<dyn Hook>,
    /// Its description, for the message of a failed test.
    pub about: String,
    /// The event that it is called on.
    pub event: EventName,
    /// The tools that it is called for; `None` means every event.
    pub only: Option<Vec<String>>,
    /// The tools that it is not called for.
    pub except: Vec<String>,
    /// Its role.
    pub role: Role,
    /// Its `on_failure`, if set.
    pub on_failure: Option<OnFailure>,
    /// True if its `allow` counts.
    pub may_allow: bool,
    /// The authority of the layer that configured it: 0 is the highest.
    pub rank: u8,
    /// True if it is a function of the application itself.
    pub in_process: bool,
}

impl Line {
    /// Creates a plain hook on every `event`.
    pub fn new(event: EventName, hook: Arc<dyn Hook>) -> Self {
        let (only, except) = (None, Vec::new());
        let about = hook.name().to_owned();
        Self {
            hook,
            about,
            event,
            only,
            except,
            role: Role::Plain,
            on_failure: None,
            may_allow: false,
            rank: 0,
            in_process: false,
        }
    }

    /// Returns the hook for the real dispatcher. A name that is not a pattern is an error.
    pub fn entry(&self) -> Result<Entry, checkrein_core::PatternError> {
        let parse =
            |names: &[String]| names.iter().map(|name| name.parse()).collect::<Result<Vec<Pattern>, _>>();
        let scope = match &self.only {
            None => Scope::all(),
            Some(names) => Scope::only(parse(names)?),
        };
        let entry = Entry::new(self.event, Arc::clone(&self.hook))
            .with_scope(scope.except(parse(&self.except)?))
            .with_role(self.role)
            .with_may_allow(self.may_allow)
            .with_rank(self.rank)
            .with_in_process(self.in_process);
        Ok(self.on_failure.map_or(entry.clone(), |rule| entry.with_on_failure(rule)))
    }

    /// Returns its clock: hooks of the highest authority have their own.
    pub const fn clock(&self) -> Clock {
        if self.rank == 0 { Clock::OfTheHighest } else { Clock::OfTheOthers }
    }

    fn concerns(&self, event: &Event) -> bool {
        let named = |names: &[String]| event.call().is_some_and(|call| names.contains(&call.name));
        event.name() == self.event && self.only.as_deref().is_none_or(named) && !named(&self.except)
    }

    fn failure(&self) -> Decision {
        let default = match self.event.class() {
            Class::Gate => OnFailure::Deny,
            // It may have been the function that redacts.
            Class::Result if self.in_process => OnFailure::Deny,
            Class::Result if self.role != Role::Plain && self.event == EventName::PostToolUse => {
                OnFailure::Deny
            }
            Class::Result | Class::Finish | Class::Report => OnFailure::Ignore,
        };
        match self.on_failure.unwrap_or(default) {
            OnFailure::Deny => Decision::Deny,
            OnFailure::Ask => Decision::Ask,
            OnFailure::Ignore => Decision::Abstain,
        }
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hook: _, about, event, only, except, role, on_failure, may_allow, rank, in_process } =
            self;
        write!(f, "{role} on {event}, only {only:?}, except {except:?}, on failure {on_failure:?}, ")?;
        write!(f, "may allow {may_allow}, rank {rank}, in process {in_process}: {about}")
    }
}

/// The merged answer of all hooks.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The strictest decision.
    pub decision: Decision,
    /// The event with every edit in it.
    pub event: Event,
    /// Reasons with their hooks, in the order of configuration.
    pub reasons: Vec<(String, String)>,
    /// Texts for the model, in the order of configuration.
    pub contexts: Vec<(String, String)>,
    /// Texts for the user, in the order of configuration.
    pub notices: Vec<(String, String)>,
    /// The first request to end the turn.
    pub stop: Option<(String, String)>,
    /// The first request to retry.
    pub retry: Option<Retry>,
    /// The last word on whether the result is an error.
    pub result: Option<ResultKind>,
    /// The calls in order: the hook, whether it was its second call, and the resulting decision.
    pub asked: Vec<(String, Turn, Decision)>,
}

/// The first or the second call of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The first call.
    First,
    /// Another call, with an input that it had not seen.
    Again,
}

/// The two clocks of an event, so that no other hook can use up the time of the highest authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clock {
    /// The clock for hooks of the highest authority.
    OfTheHighest,
    /// The clock for all others.
    OfTheOthers,
}

/// The result of one call.
struct Note {
    place: usize,
    turn: Turn,
    said: Verdict,
    /// True if it edited the event.
    rewrote: bool,
}

/// Calls `lines` on `payload`, and allows `retries` retries.
pub fn dispatch(lines: &[Line], payload: &Payload, retries: u32) -> Answer {
    let mut now = payload.clone();
    let mut notes: Vec<Note> = Vec::new();
    let gate = payload.name().class() == Class::Gate;
    let over = |notes: &[Note]| gate && notes.iter().any(|note| note.said.decision == Decision::Deny);

    // Editors, and hooks without a role, in order; each sees the edits of those before it.
    for (place, line) in lines.iter().enumerate() {
        if matches!(line.role, Role::Plain | Role::Edit) && line.concerns(&now.event) && !over(&notes) {
            notes.push(ask(place, line, &mut now, Turn::First));
        }
    }
    // Judges; then again hooks without a role that accepted an input which was changed afterwards; and
    // again hooks that may rewrite, if one of lower authority changed what they had seen.
    for (place, line) in lines.iter().enumerate() {
        let turn = match line.role {
            Role::Judge if line.concerns(&now.event) => Turn::First,
            Role::Plain if was_content_with_another(place, &notes, &now) => Turn::Again,
            Role::Plain | Role::Edit if was_overruled(place, lines, &notes, &now) => Turn::Again,
            Role::Plain | Role::Judge | Role::Edit | Role::Observe => continue,
        };
        if !over(&notes) {
            notes.push(ask(place, line, &mut now, turn));
        }
    }
    summary(lines, now, &notes, retries)
}

/// Returns true if the hook at `place` did not rewrite, even if it failed, and what would run was changed
/// afterwards.
fn was_content_with_another(place: usize, notes: &[Note], now: &Payload) -> bool {
    let content = |note: &Note| note.place == place && !note.rewrote;
    notes.iter().position(content).is_some_and(|at| changed_after(at, notes, now))
}

/// Returns true if a hook of lower authority changed what would run after the first call of the hook at
/// `place`.
fn was_overruled(place: usize, lines: &[Line], notes: &[Note], now: &Payload) -> bool {
    let rank = |place: usize| lines.get(place).map_or(u8::MAX, |line| line.rank);
    let asked = notes.iter().position(|note| note.place == place && note.turn == Turn::First);
    let lower = |note: &Note| note.rewrote && rank(note.place) > rank(place);
    now.event.output().is_none() && asked.is_some_and(|at| notes.iter().skip(at + 1).any(lower))
}

/// Returns true if what would run was changed after this note. A result has already run.
fn changed_after(at: usize, notes: &[Note], now: &Payload) -> bool {
    now.event.output().is_none() && notes.iter().skip(at + 1).any(|note| note.rewrote)
}

/// Calls one hook, and applies its edit.
fn ask(place: usize, line: &Line, now: &mut Payload, turn: Turn) -> Note {
    let called = catch_unwind(AssertUnwindSafe(|| line.hook.call(now, Deadline::after(Entry::TIMEOUT))));
    let answer = called.unwrap_or_else(|panic| Err(Failure::Panicked(text_of(&*panic))));
    // A hook that objects and also requests an impossible edit still objects.
    let objection = match &answer {
        Ok(said) if said.decision >= Decision::Ask => said.decision,
        _ => Decision::Abstain,
    };
    let changes = |said: &Verdict| said.edit.is_some() || said.result.is_some();
    let answer = answer.and_then(|said| match &said.edit {
        _ if line.role == Role::Judge && changes(&said) => {
            Err(Failure::EditNotAllowed("a judge cannot rewrite; its role must be `edit`".into()))
        }
        _ if said.result.is_some() && now.name().class() != Class::Result => {
            Err(Failure::EditNotAllowed(format!("`{}` has no tool result", now.name())))
        }
        Some(edit) => match edited(edit, &now.event) {
            Some(event) => Ok((said, event)),
            None => {
                let why = format!("`{}` has nothing that this edit could change", now.name());
                Err(Failure::EditNotAllowed(why))
            }
        },
        None => Ok((said, now.event.clone())),
    });
    let (mut said, event) = match answer {
        Ok(answer) => answer,
        Err(failure) => {
            let said = Verdict { decision: line.failure().max(objection), ..Verdict::default() };
            let heard = said.decision != Decision::Abstain;
            let reason = heard.then(|| failure.reason(now.name()));
            return Note { place, turn, said: Verdict { reason, ..said }, rewrote: false };
        }
    };
    if said.decision == Decision::Allow && !line.may_allow {
        said.decision = Decision::Abstain;
    }
    let mut rewrote = event != now.event;
    if turn == Turn::Again && rewrote {
        // The hooks do not agree about the input, so the user should look at it.
        said.decision = said.decision.max(Decision::Ask);
        let own = said.reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        said.reason = Some(format!("would overwrite the edit of a later hook{own}"));
        rewrote = false;
    } else if said.decision == Decision::Deny && now.name().class() == Class::Gate {
        rewrote = false;
    }
    if rewrote {
        now.event = event;
    }
    Note { place, turn, said, rewrote }
}

/// Returns the event with the edit applied, if the edit fits it.
fn edited(edit: &Edit, event: &Event) -> Option<Event> {
    let new_input = |call: &ToolCall, input: checkrein_core::Map| {
        let mut call = call.clone();
        if input != call.input {
            call.original = call.original.or(Some(call.input));
            call.input = input;
        }
        call
    };
    let call_with = |call: &ToolCall| match edit {
        Edit::Input(input) => Some(new_input(call, input.clone())),
        Edit::MergeInput(changes) => {
            let mut input = call.input.clone();
            for (key, value) in changes {
                input.insert(key.clone(), value.clone());
            }
            Some(new_input(call, input))
        }
        Edit::Output(_) | Edit::Prompt(_) => None,
    };
    match (event, edit) {
        (Event::PreToolUse { call }, _) => Some(Event::PreToolUse { call: call_with(call)? }),
        (Event::PermissionRequest { call }, _) => Some(Event::PermissionRequest { call: call_with(call)? }),
        (Event::PostToolUse { call, .. }, Edit::Output(output)) => {
            Some(Event::PostToolUse { call: call.clone(), output: output.clone() })
        }
        (Event::PostToolUseFailure { call, .. }, Edit::Output(error)) => {
            Some(Event::PostToolUseFailure { call: call.clone(), error: error.clone() })
        }
        (Event::ModelRequest { .. }, Edit::Input(request)) => {
            Some(Event::ModelRequest { request: request.clone() })
        }
        (Event::ModelRequest { request }, Edit::MergeInput(changes)) => {
            let mut request = request.clone();
            for (key, value) in changes {
                request.insert(key.clone(), value.clone());
            }
            Some(Event::ModelRequest { request })
        }
        (Event::ModelResponse { .. }, Edit::Output(response)) => {
            Some(Event::ModelResponse { response: response.clone() })
        }
        (Event::UserPromptSubmit { .. }, Edit::Prompt(prompt)) => {
            Some(Event::UserPromptSubmit { prompt: prompt.clone() })
        }
        _ => None,
    }
}

/// Merges the notes: the strictest decision, texts in the order of configuration, the first requests. Then
/// the observers run.
fn summary(lines: &[Line], now: Payload, notes: &[Note], retries: u32) -> Answer {
    let name = |place: usize| lines.get(place).map(|line| line.hook.name().to_owned()).unwrap_or_default();
    let mut decision = notes.iter().map(|note| note.said.decision).max().unwrap_or_default();
    // An `allow` counts only if nothing changed after it; a hook also allows its own change.
    let may_allow = |note: &Note| note.said.decision == Decision::Allow;
    let counts = |(at, note): (usize, &Note)| may_allow(note) && !changed_after(at, notes, &now);
    if decision == Decision::Allow && !notes.iter().enumerate().any(counts) {
        decision = Decision::Abstain;
    }
    let mut ordered: Vec<&Note> = notes.iter().collect();
    ordered.sort_by_key(|note| note.place);
    let texts = |of: fn(&Verdict) -> Vec<String>| {
        let mut list: Vec<(String, String)> = Vec::new();
        for note in &ordered {
            for text in of(&note.said) {
                let one = (name(note.place), text);
                // A text that a hook repeats on its second call is not added twice.
                if note.turn == Turn::First || !list.contains(&one) {
                    list.push(one);
                }
            }
        }
        list
    };
    let reasons = texts(|said| said.reason.iter().filter(|text| !text.trim().is_empty()).cloned().collect());
    let contexts = texts(|said| said.context.clone());
    let notices = texts(|said| said.notice.iter().cloned().collect());
    let stop = notes.iter().find_map(|note| Some((name(note.place), note.said.stop.clone()?)));
    // Only a call that failed, or that the host itself refused, can be retried.
    let could = matches!(now.name(), EventName::PostToolUseFailure | EventName::PermissionDenied);
    let may_retry = could && decision != Decision::Deny && now.attempt <= retries;
    let retry = notes.iter().find_map(|note| note.said.retry.clone()).filter(|_| may_retry);
    let result = notes.iter().rev().find_map(|note| note.said.result);
    let said = |note: &Note| (name(note.place), note.turn, note.said.decision);
    let mut asked: Vec<(String, Turn, Decision)> = notes.iter().map(said).collect();
    for (place, line) in lines.iter().enumerate() {
        if line.role == Role::Observe && line.concerns(&now.event) {
            asked.push((name(place), Turn::First, Decision::Abstain));
        }
    }
    Answer { decision, event: now.event, reasons, contexts, notices, stop, retry, result, asked }
}

fn text_of(panic: &(dyn std::any::Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else {
        "no message".to_owned()
    }
}
