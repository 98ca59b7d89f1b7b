//! Hooks that follow a script, and random chains of them.
//!
//! A script looks at its payload, because a hook with a constant answer would not notice that it was called
//! in the wrong order, or on the wrong input.

use crate::reference::Line;
use checkrein_core::{
    Class, Deadline, Decision, Edit, Event, EventName, Failure, Hook, Map, OnFailure, Payload, ResultKind,
    Retry, Role, ToolCall, Verdict, flat::Flat,
};
use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::Value;
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

/// The words that scripts look for and insert.
pub const TOKENS: [&str; 3] = ["k0", "k1", "k2"];
/// The tools of random calls and scopes.
pub const TOOLS: [&str; 3] = ["Bash", "Write", "mcp__a__b"];

/// The behaviour of a scripted hook.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few of them, and a box would hide what they are")]
pub enum Say {
    /// Answers.
    Verdict(Verdict),
    /// Fails.
    Fail(Failure),
    /// Panics.
    Panic(PanicWith),
}

/// The payload of a panic.
#[derive(Clone, Copy, Debug)]
pub enum PanicWith {
    /// A string literal.
    Literal,
    /// An owned string.
    Owned,
    /// Not a string.
    Number,
}

/// A hook whose answer depends on its payload.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its name.
    pub name: String,
    /// The word that it looks for in the payload.
    pub token: &'static str,
    /// Its behaviour if the word is there.
    pub there: Say,
    /// Its behaviour if the word is missing.
    pub missing: Say,
}

impl Hook for Script {
    fn name(&self) -> &str {
        &self.name
    }

    fn call(&self, payload: &Payload, _: Deadline) -> Result<Verdict, Failure> {
        let shown = Flat(payload).to_bytes().map_err(|error| Failure::Other(error.to_string()))?;
        let there = String::from_utf8_lossy(&shown).contains(self.token);
        match if there { &self.there } else { &self.missing } {
            Say::Verdict(verdict) => Ok(verdict.clone()),
            Say::Fail(failure) => Err(failure.clone()),
            // Panics without the message that `panic!` would print to stderr.
            Say::Panic(with) => std::panic::resume_unwind(match with {
                PanicWith::Literal => Box::new("a literal"),
                PanicWith::Owned => Box::new(format!("owned by {}", self.name)),
                PanicWith::Number => Box::new(7_u8),
            }),
        }
    }
}

/// A hook that also records its payloads, as flat JSON.
pub struct Recorder<H> {
    hook: H,
    shown: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl<H> Recorder<H> {
    /// Returns `hook` as a recorder, and the record.
    pub fn new(hook: H) -> (Self, Shown) {
        let shown = Arc::new(Mutex::new(Vec::new()));
        (Self { hook, shown: Arc::clone(&shown) }, Shown(shown))
    }
}

/// The payloads that a [`Recorder`] was shown.
#[derive(Clone, Debug, Default)]
pub struct Shown(Arc<Mutex<Vec<Vec<u8>>>>);

impl Shown {
    /// Returns all payloads in order.
    pub fn all(&self) -> Vec<Vec<u8>> {
        self.0.lock().map(|shown| shown.clone()).unwrap_or_default()
    }
}

impl<H: Hook> Hook for Recorder<H> {
    fn name(&self) -> &str {
        self.hook.name()
    }

    fn call(&self, payload: &Payload, deadline: Deadline) -> Result<Verdict, Failure> {
        let bytes = Flat(payload).to_bytes().map_err(|error| Failure::Other(error.to_string()))?;
        self.shown.lock().map_err(|_| Failure::Other("the record is broken".into()))?.push(bytes);
        self.hook.call(payload, deadline)
    }
}

fn token() -> impl Strategy<Value = &'static str> {
    select(&TOKENS[..])
}

fn tool() -> impl Strategy<Value = String> {
    select(&TOOLS[..]).prop_map(str::to_owned)
}

/// Returns a few words, or none.
fn words() -> impl Strategy<Value = String> {
    vec(prop_oneof![3 => token(), 1 => Just("other")], 0..3).prop_map(|words| words.join(" "))
}

fn map() -> impl Strategy<Value = Map> {
    let value = prop_oneof![
        Just(Value::Null),
        Just(Value::Bool(true)),
        Just(Value::from(1)),
        words().prop_map(Value::from)
    ];
    vec((token(), value), 0..3)
        .prop_map(|pairs| pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// Returns an edit of any kind.
pub fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        map().prop_map(Edit::Input),
        map().prop_map(Edit::MergeInput),
        words().prop_map(|text| Edit::Output(text.into())),
        words().prop_map(Edit::Prompt),
    ]
}

/// Returns an edit that fits the event `name`, if any does.
pub fn fitting_edit(name: EventName) -> BoxedStrategy<Option<Edit>> {
    match name {
        EventName::PreToolUse | EventName::PermissionRequest | EventName::PreModelRequest => {
            prop_oneof![map().prop_map(Edit::Input), map().prop_map(Edit::MergeInput)].prop_map(Some).boxed()
        }
        EventName::PostToolUse | EventName::PostToolUseFailure | EventName::PostModelResponse => {
            words().prop_map(|text| Some(Edit::Output(text.into()))).boxed()
        }
        EventName::UserPromptSubmit => words().prop_map(|text| Some(Edit::Prompt(text))).boxed(),
        _ => Just(None).boxed(),
    }
}

/// Returns a failure of any kind that a hook can have by itself.
pub fn failure() -> impl Strategy<Value = Failure> {
    prop_oneof![
        Just(Failure::TimedOut { after: Duration::from_secs(5) }),
        Just(Failure::NotStarted("no such file".into())),
        Just(Failure::Exited { code: 1, stderr: "oops".into() }),
        Just(Failure::Killed { signal: 9, stderr: String::new() }),
        Just(Failure::TooMuchOutput { stream: "stdout", limit: 1 << 20 }),
        Just(Failure::BadReply("not an answer".into())),
        Just(Failure::EditNotAllowed("not this".into())),
        Just(Failure::Panicked("caught elsewhere".into())),
        Just(Failure::Other("in a way of its own".into())),
    ]
}

fn retry() -> impl Strategy<Value = Retry> {
    prop_oneof![Just(Retry::Same), map().prop_map(Retry::With)]
}

/// Returns a verdict on the event `name`; its edit mostly fits.
pub fn verdict(name: EventName) -> impl Strategy<Value = Verdict> {
    let decision = prop_oneof![
        6 => Just(Decision::Abstain),
        5 => Just(Decision::Allow),
        1 => Just(Decision::Ask),
        1 => Just(Decision::Deny)
    ];
    let edit = prop_oneof![
        3 => Just(None),
        5 => fitting_edit(name),
        1 => edit().prop_map(Some)
    ];
    let reason = option::of(prop_oneof![3 => token().prop_map(str::to_owned), 1 => Just(" ".to_owned())]);
    let context = vec(token().prop_map(str::to_owned), 0..2);
    let stop = option::weighted(0.1, token().prop_map(str::to_owned));
    let notice = option::weighted(0.2, token().prop_map(str::to_owned));
    let weight = if name.class() == Class::Result { 0.2 } else { 0.02 };
    let result = option::weighted(weight, select(&[ResultKind::Success, ResultKind::Error][..]));
    (decision, edit, reason, context, notice, stop, option::weighted(0.2, retry()), result).prop_map(
        |(decision, edit, reason, context, notice, stop, retry, result)| Verdict {
            decision,
            reason,
            edit,
            context,
            notice,
            stop,
            retry,
            result,
        },
    )
}

/// Returns any behaviour of a hook on the event `name`.
pub fn say(name: EventName) -> impl Strategy<Value = Say> {
    prop_oneof![
        12 => verdict(name).prop_map(Say::Verdict),
        1 => failure().prop_map(Say::Fail),
        1 => select(&[PanicWith::Literal, PanicWith::Owned, PanicWith::Number][..]).prop_map(Say::Panic),
    ]
}

/// Returns a script for the event `name`.
pub fn script(name: EventName, hook: String) -> impl Strategy<Value = Script> {
    (token(), say(name), say(name)).prop_map(move |(token, there, missing)| Script {
        name: hook.clone(),
        token,
        there,
        missing,
    })
}

/// Returns an event of any class; those with something to edit are more frequent.
pub fn event_name() -> impl Strategy<Value = EventName> {
    prop_oneof![
        6 => Just(EventName::PreToolUse),
        2 => Just(EventName::PermissionRequest),
        2 => Just(EventName::PostToolUse),
        2 => Just(EventName::PostToolUseFailure),
        3 => Just(EventName::UserPromptSubmit),
        2 => Just(EventName::PreModelRequest),
        2 => Just(EventName::PostModelResponse),
        3 => select(EventName::ALL),
    ]
}

/// Returns a payload of the event `name`.
pub fn payload(name: EventName) -> impl Strategy<Value = Payload> {
    (tool(), map(), words(), 1..4_u32).prop_map(move |(tool, input, text, attempt)| {
        let call = ToolCall::new(tool, input.clone());
        let mut payload = Payload::new(match name {
            EventName::PreToolUse => Event::PreToolUse { call },
            EventName::PermissionRequest => Event::PermissionRequest { call },
            EventName::PermissionDenied => Event::PermissionDenied { call },
            EventName::PostToolUse => Event::PostToolUse { call, output: text.into() },
            EventName::PostToolUseFailure => Event::PostToolUseFailure { call, error: text.into() },
            EventName::UserPromptSubmit => Event::UserPromptSubmit { prompt: text },
            // Some hosts send these two without their content.
            EventName::PreModelRequest if attempt > 1 => Event::ModelRequest { request: input },
            EventName::PostModelResponse if attempt > 1 => Event::ModelResponse { response: text.into() },
            other => Event::Other(other),
        });
        if name.has_tool() {
            payload.attempt = attempt;
        }
        payload
    })
}

/// Returns a role; the plain one is more frequent.
pub fn role() -> impl Strategy<Value = Role> {
    prop_oneof![
        3 => Just(Role::Plain),
        2 => Just(Role::Edit),
        2 => Just(Role::Judge),
        1 => Just(Role::Observe)
    ]
}

/// Returns an `on_failure`, or none.
pub fn on_failure() -> impl Strategy<Value = Option<OnFailure>> {
    option::of(select(&[OnFailure::Deny, OnFailure::Ask, OnFailure::Ignore][..]))
}

/// Returns a rank, in no order: a list sorted by authority is one of many.
pub fn rank() -> impl Strategy<Value = u8> {
    prop_oneof![2 => Just(0), 1 => Just(1), 1 => Just(2)]
}

/// Returns one scripted hook, mostly on the event `name`.
pub fn line(name: EventName, hook: String) -> impl Strategy<Value = Line> {
    let event = prop_oneof![9 => Just(name), 1 => event_name()];
    let only = option::weighted(0.2, vec(tool(), 0..3));
    let except = prop_oneof![4 => Just(Vec::new()), 1 => vec(tool(), 1..2)];
    (script(name, hook), event, only, except, role(), on_failure(), any::<bool>(), rank(), any::<bool>())
        .prop_map(|(script, event, only, except, role, on_failure, may_allow, rank, in_process)| Line {
            about: format!("{script:?}"),
            hook: Arc::new(script),
            event,
            only,
            except,
            role,
            on_failure,
            may_allow,
            rank,
            in_process,
        })
}

/// Returns up to eight scripted hooks, `h0`, `h1`, ..., for the event `name`.
pub fn chain(name: EventName) -> impl Strategy<Value = Vec<Line>> {
    (0..=8_usize)
        .prop_flat_map(move |length| (0..length).map(|at| line(name, format!("h{at}"))).collect::<Vec<_>>())
}

/// Returns a payload of any event, with a chain of hooks for it.
pub fn case() -> impl Strategy<Value = (Payload, Vec<Line>)> {
    event_name().prop_flat_map(|name| (payload(name), chain(name)))
}
