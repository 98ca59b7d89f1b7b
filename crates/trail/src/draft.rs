//! The facts of an event, and the line that is made of them.

use crate::{
    Cleaner, Line,
    json::{Json, Key, key},
    time::format_time,
};
use checkrein_core::{Decision, EventId, Map};

/// The maximum number of characters of each text, and of entries of each list.
const NAME: usize = 128;
const SUMMARY: usize = 400;
const REASON: usize = 600;
const EFFECT: usize = 160;
const EFFECTS: usize = 12;
const PATH: usize = 300;
const LIST: usize = 24;
/// The maximum number of bytes of an input that a line of the level `full` keeps.
const INPUT: usize = 64 * 1024;

/// The level of detail that is kept of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing.
    Off,
    /// Names, decisions, rules and digests: no command, path or reason.
    Structure,
    /// In addition one line for each call, its effects, and the reason.
    #[default]
    Summary,
    /// In addition the whole input of each call, without secrets.
    Full,
}

/// The facts of an event, as they are: secrets leave in [`line`](Self::line).
#[derive(Clone, Debug)]
pub struct Draft<'a> {
    /// The id.
    pub id: EventId,
    /// The host's name.
    pub host: Option<&'a str>,
    /// The version of the program.
    pub version: &'a str,
    /// The host's id of the session.
    pub session: Option<&'a str>,
    /// The host's id of a subagent.
    pub agent: Option<&'a str>,
    /// The agent that started it.
    pub parent: Option<&'a str>,
    /// The event.
    pub event: &'a str,
    /// The tool.
    pub tool: Option<&'a str>,
    /// The host's id of the call.
    pub call: Option<&'a str>,
    /// The call in short: a command, a path.
    pub summary: Option<String>,
    /// The summary of the call as the host sent it, if a hook changed it.
    pub before: Option<String>,
    /// The effects of the call, for [`Level::Summary`] and above.
    pub effects: Vec<String>,
    /// The effects of the call without their targets, for [`Level::Structure`].
    pub bare_effects: Vec<String>,
    /// The decision.
    pub decision: Decision,
    /// The ids of the rules that match.
    pub rules: Vec<String>,
    /// The reason.
    pub reason: Option<String>,
    /// The answers of the hooks.
    pub hooks: Vec<HookEntry<'a>>,
    /// The time of the whole event, in microseconds.
    pub micros: Option<u64>,
    /// True if a hook changed it.
    pub edited: bool,
    /// The working directory.
    pub cwd: Option<&'a str>,
    /// The policy that decided.
    pub policy: &'a str,
    /// True if the decision was only recorded.
    pub monitor: bool,
    /// The id under which what the call destroys is kept.
    pub undo: Option<&'a str>,
    /// A keyed digest of the input as the host sent it, and of the input that runs.
    pub digests: Option<(String, Option<String>)>,
    /// The input that was judged, for [`Level::Full`].
    pub input: Option<&'a Map>,
    /// True if it is the result of a call that was denied.
    pub alarm: bool,
}

/// The answer of one hook.
#[derive(Clone, Debug)]
pub struct HookEntry<'a> {
    /// The hook.
    pub name: &'a str,
    /// Its decision.
    pub decision: Decision,
    /// The time that it took, in microseconds.
    pub micros: Option<u64>,
}

impl Draft<'_> {
    /// Makes the line: without secrets, and with no more than the level allows.
    pub fn line(&self, level: Level, cleaner: &Cleaner<'_>) -> Line {
        let tells = level >= Level::Summary;
        self.examine(tells, cleaner);
        let mut json = Json::new();
        let name = |text: Option<&str>, json: &mut Json, key: Key| {
            json.cleaned_field(key, text.map(|text| cleaner.name(text, NAME)));
        };
        json.display(key!("id"), self.id);
        json.plain_field(key!("time"), Some(&format_time(self.id.micros())));
        name(self.host, &mut json, key!("host"));
        json.string(key!("version"), Some(self.version));
        name(self.session, &mut json, key!("session"));
        name(self.agent, &mut json, key!("agent"));
        name(self.parent, &mut json, key!("parent"));
        name(Some(self.event), &mut json, key!("event"));
        name(self.tool, &mut json, key!("tool"));
        name(self.call, &mut json, key!("call"));
        let summary = self.summary.as_deref().filter(|_| tells);
        let kept = summary.map(|summary| cleaner.text(summary, SUMMARY));
        // Only then can the call be judged again from this line alone.
        let is_whole = kept.is_some() && kept.as_deref() == summary;
        json.cleaned_field(key!("summary"), kept);
        json.boolean(key!("whole"), is_whole);
        json.list(key!("effects"), self.kept_effects(tells), |effect, json| {
            json.cleaned(cleaner.text(effect, EFFECT));
        });
        json.plain_field(key!("decision"), Some(self.decision.as_str()));
        json.list(key!("rules"), self.rules.iter().take(LIST), |rule, json| {
            json.cleaned(cleaner.name(rule, NAME));
        });
        let reason = self.reason.as_deref().filter(|_| tells).map(|reason| cleaner.text(reason, REASON));
        json.cleaned_field(key!("reason"), reason);
        json.list(key!("hooks"), self.hooks.iter().take(LIST), |hook, json| hook.write(cleaner, json));
        json.number(key!("micros"), self.micros);
        json.boolean(key!("edited"), self.edited);
        let cwd = self.cwd.filter(|_| tells).map(|cwd| cleaner.text(cwd, PATH));
        json.cleaned_field(key!("cwd"), cwd);
        json.string(key!("policy"), Some(self.policy));
        json.boolean(key!("monitor"), self.monitor);
        name(self.undo, &mut json, key!("undo"));
        let digests = self.digests.as_ref();
        json.plain_field(key!("digest"), digests.map(|(first, _)| first.as_str()));
        json.plain_field(key!("final_digest"), digests.and_then(|(_, last)| last.as_deref()));
        if let Some(before) = self.before.as_deref().filter(|_| tells) {
            json.cleaned_field(key!("before"), Some(cleaner.text(before, SUMMARY)));
        }
        if let Some(input) = self.input.filter(|_| level >= Level::Full) {
            json.input(&cleaner.json(input.clone().into()), INPUT);
        }
        if self.alarm {
            json.boolean(key!("alarm"), true);
        }
        Line { id: self.id, open: json.into_bytes(), is_denial: self.decision == Decision::Deny }
    }

    fn kept_effects(&self, tells: bool) -> impl Iterator<Item = &str> {
        let effects = if tells { &self.effects } else { &self.bare_effects };
        effects.iter().take(EFFECTS).map(String::as_str)
    }

    /// Lets the cleaner examine everything that it is going to be given.
    fn examine(&self, tells: bool, cleaner: &Cleaner<'_>) {
        let names = [
            self.host,
            self.session,
            self.agent,
            self.parent,
            Some(self.event),
            self.tool,
            self.call,
            self.undo,
        ];
        let rules = self.rules.iter().take(LIST).map(String::as_str);
        let hooks = self.hooks.iter().take(LIST).map(|hook| hook.name);
        let texts = [self.summary.as_deref(), self.before.as_deref(), self.reason.as_deref(), self.cwd]
            .map(|text| text.filter(|_| tells));
        let effects = self.kept_effects(tells);
        cleaner.examine(
            names.into_iter().flatten().chain(rules).chain(hooks),
            texts.into_iter().flatten().chain(effects),
        );
    }
}

impl HookEntry<'_> {
    fn write(&self, cleaner: &Cleaner<'_>, json: &mut Json) {
        json.open();
        json.cleaned_field(key!("name"), Some(cleaner.name(self.name, NAME)));
        json.plain_field(key!("decision"), Some(self.decision.as_str()));
        json.number(key!("micros"), self.micros);
        json.close();
    }
}
