//! Notifications: tells a user who looks elsewhere that something was denied or waits for them.
//!
//! A notification is a program that is started after the answer and not waited for: the desktop's, or the one that the configuration
//! names. The texts are its arguments and never part of a script, so that nothing in them is obeyed. They have the id of the
//! record, the rule and the agent, and what was called only if the configuration wants it, without secrets. Nothing here opens a
//! connection.

mod limit;
mod settings;

pub use settings::{NotifyOn, NotifySettings};

use crate::{Policy, Setup, config::layer::Layer, state};
use checkrein_core::{
    Deadline, Decision, Dispatcher, Event, EventName, Hook, Outcome, Payload, sanitize::one_line,
};
use checkrein_exec::{CommandHook, CommandObserver, Program};
use limit::Limit;
use std::time::Duration;

/// Variables that programs need to reach the desktop, in addition to those that every hook gets.
const DESKTOP: &[&str] = &["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS"];
/// The time that a program has.
const LIMIT: Duration = Duration::from_secs(20);
/// The longest name and the longest detail, in characters.
const NAME: usize = 60;
const DETAIL: usize = 200;

/// The facts about a decided event that a notification may name.
#[derive(Clone, Copy, Debug)]
pub struct Decided<'a> {
    /// The outcome.
    pub outcome: &'a Outcome,
    /// The ids of the rules that matched.
    pub rules: &'a [String],
}

/// Notifies the user about an event, if the configuration wants that, and returns what went wrong.
pub fn notify(policy: &Policy, decided: Decided<'_>, setup: &dyn Fn() -> Setup) -> Vec<String> {
    let mut wrong = Vec::new();
    let Some(state) = policy.state() else { return wrong };
    for (layer, settings) in policy.stack().notify() {
        let Some(limit) = Limit::open(state, layer_word(layer)) else {
            wrong.push(
                "cannot limit notifications, so none is sent: the state directory cannot be used".to_owned(),
            );
            continue;
        };
        let Some(message) = Message::about(decided, settings, &limit) else { continue };
        for words in programs(settings, &message) {
            wrong.extend(start(words, &message, setup).err());
        }
    }
    wrong
}

const fn layer_word(layer: Layer) -> &'static str {
    match layer {
        Layer::Managed => "managed",
        Layer::User | Layer::Project | Layer::Flag => "user",
    }
}

/// The two texts of a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Message {
    title: String,
    text: String,
}

impl Message {
    /// Returns the message about an event; `None` if there is none.
    fn about(decided: Decided<'_>, settings: &NotifySettings, limit: &Limit) -> Option<Self> {
        let payload = &decided.outcome.payload;
        let session = payload.session.id.as_deref().unwrap_or_default();
        let agent = one_line(payload.host.name.as_deref().unwrap_or("an agent"), NAME);
        if payload.name() == EventName::SessionEnd {
            let denials = limit.denials(session);
            return (denials > 0 && settings.wants(NotifyOn::End)).then(|| Self {
                title: "Checkrein: a session ended".to_owned(),
                text: format!("{agent}: {} denied (checkrein log)", calls(denials)),
            });
        }
        let (on, title) = match decided.outcome.decision {
            Decision::Deny if payload.name().is_preventable() => (NotifyOn::Deny, "Checkrein blocked a call"),
            Decision::Ask => (NotifyOn::Ask, "Checkrein asks you"),
            Decision::Deny | Decision::Abstain | Decision::Allow => return None,
        };
        let call = payload.event.call();
        if !limit.is_new(payload) {
            return None;
        }
        if on == NotifyOn::Deny {
            limit.denied(session);
        }
        if !settings.wants(on) {
            return None;
        }
        let left_out = limit.take(state::now())?;
        let mut text = decided.rules.first().map_or_else(|| "a hook".to_owned(), |rule| one_line(rule, NAME));
        text.push_str(&format!(", {agent}"));
        if let Some(id) = payload.id {
            text.push_str(&format!(" (checkrein why {id})"));
        }
        if let (true, Some(call)) = (settings.detail, call) {
            let summary = crate::trail::summary_of(call).unwrap_or_else(|| call.name.clone());
            text.push_str(&format!(": {}", one_line(&checkrein_secrets::conceal(&summary), DETAIL)));
        }
        if left_out > 0 {
            text.push_str(&format!("; {} before it", calls(left_out)));
        }
        Some(Self { title: title.to_owned(), text })
    }
}

fn calls(number: u64) -> String {
    if number == 1 { "1 call".to_owned() } else { format!("{number} calls") }
}

/// Returns the programs to start, with the texts as their last arguments.
fn programs(settings: &NotifySettings, message: &Message) -> Vec<Vec<String>> {
    let texts = || [message.title.clone(), message.text.clone()];
    let desktop =
        settings.desktop.then(|| desktop().iter().map(|word| (*word).to_owned()).chain(texts()).collect());
    let command =
        (!settings.command.is_empty()).then(|| settings.command.iter().cloned().chain(texts()).collect());
    desktop.into_iter().chain(command).collect()
}

/// Returns the program of the desktop and its first arguments.
const fn desktop() -> &'static [&'static str] {
    if cfg!(target_os = "macos") {
        &[
            "osascript",
            "-e",
            "on run texts",
            "-e",
            "display notification (item 2 of texts) with title (item 1 of texts)",
            "-e",
            "end run",
        ]
    } else {
        &["notify-send", "--app-name=Checkrein", "--"]
    }
}

/// Starts a program. It gets the texts as an event on stdin as well, for programs that read JSON.
fn start(words: Vec<String>, message: &Message, setup: &dyn Fn() -> Setup) -> Result<(), String> {
    let name = words.first().cloned().unwrap_or_default();
    let setup = setup();
    let hook = CommandHook::new(Program::List(words)).environment(setup.share(DESKTOP));
    let mut payload = Payload::new(Event::Other(EventName::Notification));
    payload.extra.insert("title".into(), message.title.clone().into());
    payload.extra.insert("message".into(), message.text.clone().into());
    let told = Dispatcher::new().decide(payload);
    CommandObserver::new(hook, setup.observers())
        .observe(&told, Deadline::after(LIMIT))
        .map_err(|failure| format!("the notification with `{}` failed: {failure}", one_line(&name, NAME)))
}
