//! Hooks that were written for one host and run under another.
//!
//! Such a hook reads the payload of its host and gives its host's answer. A [`Foreign`] writes that payload for an event of any
//! host, and turns the answer into one of ours. Tools and arguments go through ours: from the host of the event by its table of
//! tools, and to the host of the hook by that one's. A change of the input goes back the same way, over the input as it
//! arrived, so that what the hook did not see stays. One that cannot go back is [`NotInvertible`], never half a change.
//!
//! A payload has the fields of the hook's host only. What the other host did not send has a neutral value. Not
//! reconstructible are transcripts (the path leads to a file of the other host), and results in a host's own structures: a
//! result is its text, in the simplest shape that the hook's host has.

mod call;
mod form;
mod patch;

pub use call::NotInvertible;
pub(crate) use call::{Split, edits};
pub use form::HookForm;
pub(crate) use form::{Sending, none, shell_result};
pub(crate) use patch::{patch_of, taken_apart};

use crate::{ALL, Host, choice, names::Tool};
use call::Shown;
use checkrein_core::{Edit, EventName, Map, Payload, Retry, ToolCall, Verdict, json, nearest::nearest};
use serde_json::Value;

/// A host's protocol, spoken to a hook that was written for it.
#[derive(Clone, Copy, Debug)]
pub struct Foreign {
    host: &'static Host,
    form: &'static HookForm,
    /// The key of the event in a file of the host.
    key: &'static str,
}

/// The reason why a hook cannot be one of a host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForeignError {
    /// No host has the name, or none whose hooks can be run.
    #[error("`{name}` is no agent whose hooks can be run, expected {}{}", choice(hosts().map(Host::name)), hint(nearest.as_deref()))]
    Host {
        /// The name.
        name: String,
        /// The name that was meant.
        nearest: Option<&'static str>,
    },
    /// The host has no event of this name.
    #[error("{title} has no event `{key}`{}", hint(nearest.as_deref()))]
    Event {
        /// The host.
        title: &'static str,
        /// The name of the event.
        key: String,
        /// The name that was meant.
        nearest: Option<&'static str>,
    },
    /// The host's event is another one.
    #[error("`{key}` of {title} is `{is}` here, not `{event}`")]
    OtherEvent {
        /// The host.
        title: &'static str,
        /// The name of the event.
        key: &'static str,
        /// Our event for it.
        is: EventName,
        /// The event of the hook.
        event: EventName,
    },
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

/// Returns the hosts whose hooks can run under others.
pub fn hosts() -> impl Iterator<Item = &'static Host> {
    ALL.iter().copied().filter(|host| host.hooks.is_some())
}

impl Foreign {
    /// Reads `HOST` or `HOST:EVENT`, where the event has the host's own name. Without it, it is the host's first one for
    /// `event`.
    pub fn parse(text: &str, event: EventName) -> Result<Self, ForeignError> {
        let (name, key) = text.split_once(':').map_or((text, None), |(name, key)| (name, Some(key)));
        let found = hosts().find(|host| host.name() == name);
        let (Some(host), Some(form), Some(recipe)) =
            (found, found.and_then(|host| host.hooks), found.and_then(|host| host.recipe))
        else {
            let nearest = nearest(name, hosts().map(Host::name));
            let nearest = hosts().map(Host::name).find(|known| Some((*known).to_owned()) == nearest);
            return Err(ForeignError::Host { name: name.to_owned(), nearest });
        };
        let title = recipe.title;
        let events =
            || recipe.events.iter().map(|fired| (fired.key, fired.event)).chain(form.events.iter().copied());
        let wanted = key.unwrap_or_else(|| recipe.key(event));
        let Some((key, is)) = events().find(|(known, _)| *known == wanted) else {
            let near = nearest(wanted, events().map(|(known, _)| known));
            let nearest = events().map(|(known, _)| known).find(|known| Some((*known).to_owned()) == near);
            return Err(ForeignError::Event { title, key: wanted.to_owned(), nearest });
        };
        if is != event {
            return Err(ForeignError::OtherEvent { title, key, is, event });
        }
        Ok(Self { host, form, key })
    }

    /// Returns the host.
    pub const fn host(&self) -> &'static Host {
        self.host
    }

    /// Returns the name for sentences.
    pub fn title(&self) -> &'static str {
        self.host.recipe.map_or(self.host.name(), |recipe| recipe.title)
    }

    /// Returns the requests that the hook gets for an event: none if its host would not have sent it to the hook, several if
    /// one call is several there. `now` is in milliseconds since 1970.
    pub fn requests(&self, payload: &Payload, now: u64) -> Vec<Request> {
        let source = payload.host.name.as_deref().and_then(crate::host);
        let fields = form::common(payload, source.is_some_and(|source| source.name() == self.host.name()));
        let write = |call: Option<&ToolCall>| {
            let mut fields = fields.clone();
            if let Some(call) = call {
                fields.insert("tool_name".to_owned(), call.name.clone().into());
                fields.insert("tool_input".to_owned(), call.input.clone().into());
            }
            (self.form.write)(&mut fields, &Sending { key: self.key, payload, call, now });
            fields
        };
        let Some(call) = payload.event.call() else {
            return vec![Request { fields: write(None), shown: None }];
        };
        let shown = call::shown(source, self, call, payload.session.cwd.as_deref());
        let sent = shown.into_iter().filter_map(|mut shown| {
            (self.form.adjust)(self.key, &mut shown.call, payload).then(|| {
                let fields = write(Some(&shown.call));
                Request { fields, shown: Some(shown) }
            })
        });
        sent.collect()
    }

    /// Returns the variables of the hook, apart from the ones that all hooks get.
    pub fn variables(&self, payload: &Payload) -> Vec<(&'static str, String)> {
        let session = &payload.session;
        let project = session.project_dir.as_ref().or(session.cwd.as_ref());
        let name = self.host.project_variable;
        name.into_iter().zip(project.cloned()).collect()
    }

    /// Returns the exit code that means the same among ours.
    pub fn exit_code(&self, event: EventName, code: i32) -> i32 {
        if code != 0 && (self.form.denies)(event, code) { 2 } else { code }
    }

    /// Returns the answer on stdout with our names of its fields; `None` if it is no object, so that it means what a text of any
    /// hook means.
    pub fn answer(&self, event: EventName, stdout: &str) -> Option<Map> {
        let mut fields = json::parse_object((self.form.strip)(stdout).trim().as_bytes()).ok()?;
        let nested = fields.get_mut("hookSpecificOutput").and_then(|nested| nested.get_mut("hookEventName"));
        if let Some(name) = nested
            && (name.as_str() == Some(self.key)
                || name.as_str() == self.host.recipe.map(|recipe| recipe.key(event)))
        {
            *name = event.as_str().into();
        }
        (self.form.read)(event, &mut fields);
        Some(fields)
    }

    /// The table of tools that the hook knows; `None` if it knows ours.
    fn tools(&self) -> Option<&'static [Tool]> {
        (self.form.knows_ours)(self.key).then_some(()).map_or(Some(self.host.tools), |()| None)
    }
}

/// The payload that a hook gets on its stdin.
#[derive(Clone, Debug)]
pub struct Request {
    fields: Map,
    shown: Option<Shown>,
}

impl Request {
    /// Returns the fields of the payload.
    pub const fn fields(&self) -> &Map {
        &self.fields
    }

    /// Returns the call as the hook's host would have sent it.
    pub fn call(&self) -> Option<&ToolCall> {
        self.shown.as_ref().map(|shown| &shown.call)
    }

    /// Turns what the hook changes into changes of the event as it arrived.
    pub fn restore(&self, payload: &Payload, verdict: Verdict) -> Result<Verdict, NotInvertible> {
        let edit = match (verdict.edit, &self.shown, payload.event.call()) {
            (Some(Edit::Input(input)), Some(shown), Some(call)) => {
                Some(Edit::Input(shown.native(call, &input)?))
            }
            (Some(Edit::MergeInput(changes)), Some(shown), Some(call)) => {
                let mut input = shown.call.input.clone();
                input.extend(changes);
                Some(Edit::Input(shown.native(call, &input)?))
            }
            (Some(Edit::Output(output)), _, _) => Some(Edit::Output(self.output(payload, output))),
            (edit, _, _) => edit,
        };
        let retry = match (verdict.retry, &self.shown, payload.event.call()) {
            (Some(Retry::With(changes)), Some(shown), Some(call)) => {
                let mut input = shown.call.input.clone();
                input.extend(changes);
                Some(Retry::With(shown.native(call, &input)?))
            }
            (retry, _, _) => retry,
        };
        // A text that a hook leaves unchanged is not a change.
        let same = matches!((&edit, payload.event.call()), (Some(Edit::Input(input)), Some(call)) if *input == call.input);
        Ok(Verdict { edit: edit.filter(|_| !same), retry, ..verdict })
    }

    /// A result in the shape of the hook's host fits only if the event's host has the same; its text always fits.
    fn output(&self, payload: &Payload, output: checkrein_core::Output) -> checkrein_core::Output {
        let sent = payload.event.output().and_then(checkrein_core::Output::native);
        let is_as_sent = sent.is_some_and(|sent| self.fields.get("tool_response") == Some(&*sent));
        if is_as_sent { output } else { output.text().into() }
    }
}

/// Moves a field to another name.
pub(crate) fn renamed(fields: &mut Map, from: &str, to: &str) {
    if let Some(value) = fields.shift_remove(from) {
        fields.insert(to.to_owned(), value);
    }
}

/// Returns a text of the fields.
pub(crate) fn text<'f>(fields: &'f Map, key: &str) -> Option<&'f str> {
    fields.get(key).and_then(Value::as_str)
}
