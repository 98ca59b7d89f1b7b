//! The facts of an event, and the line that is made of them.

use crate::{Cleaner, Line, time::format_time};
use checkrein_core::{Decision, EventId, Map};
use serde_json::Value;

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
    /// The effects of the call, with its targets, and without.
    pub effects: Vec<(String, String)>,
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
    pub policy: String,
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
        let mut json = Json::new();
        json.string("id", Some(&self.id.to_string()));
        json.string("time", Some(&format_time(self.id.micros())));
        let name = |text: Option<&str>| text.map(|text| cleaner.name(text, NAME));
        json.string("host", name(self.host).as_deref());
        json.string("version", Some(self.version));
        json.string("session", name(self.session).as_deref());
        json.string("agent", name(self.agent).as_deref());
        json.string("parent", name(self.parent).as_deref());
        json.string("event", Some(&cleaner.name(self.event, NAME)));
        json.string("tool", name(self.tool).as_deref());
        json.string("call", name(self.call).as_deref());
        let summary = self.summary.as_deref().filter(|_| tells);
        let kept = summary.map(|summary| cleaner.text(summary, SUMMARY));
        json.string("summary", kept.as_deref());
        // Only then can the call be judged again from this line alone.
        json.raw("whole", if kept.is_some() && kept.as_deref() == summary { "true" } else { "false" });
        self.effects(tells, cleaner, &mut json);
        json.string("decision", Some(self.decision.as_str()));
        let rules = self.rules.iter().take(LIST).map(|rule| cleaner.name(rule, NAME));
        json.list("rules", rules.map(Value::String));
        let reason = self.reason.as_deref().filter(|_| tells).map(|reason| cleaner.text(reason, REASON));
        json.string("reason", reason.as_deref());
        json.list("hooks", self.hooks.iter().take(LIST).map(|hook| hook.json(cleaner)));
        json.number("micros", self.micros);
        json.raw("edited", if self.edited { "true" } else { "false" });
        let cwd = self.cwd.filter(|_| tells).map(|cwd| cleaner.text(cwd, PATH));
        json.string("cwd", cwd.as_deref());
        json.string("policy", Some(&self.policy));
        json.raw("monitor", if self.monitor { "true" } else { "false" });
        json.string("undo", name(self.undo).as_deref());
        let (first, last) = self
            .digests
            .as_ref()
            .map_or((None, None), |(first, last)| (Some(first.as_str()), last.as_deref()));
        json.string("digest", first);
        json.string("final_digest", last);
        if let Some(input) = self.input.filter(|_| level >= Level::Full) {
            json.input(input, cleaner);
        }
        if self.alarm {
            json.raw("alarm", "true");
        }
        Line { id: self.id, open: json.0, is_denial: self.decision == Decision::Deny }
    }

    fn effects(&self, tells: bool, cleaner: &Cleaner<'_>, json: &mut Json) {
        let effects = self.effects.iter().take(EFFECTS).map(|(whole, bare)| match tells {
            true => cleaner.text(whole, EFFECT),
            false => bare.clone(),
        });
        json.list("effects", effects.map(Value::String));
    }
}

impl HookEntry<'_> {
    fn json(&self, cleaner: &Cleaner<'_>) -> Value {
        let mut hook = Map::new();
        hook.insert("name".into(), cleaner.name(self.name, NAME).into());
        hook.insert("decision".into(), self.decision.as_str().into());
        hook.insert("micros".into(), self.micros.into());
        Value::Object(hook)
    }
}

/// An object that is still open.
struct Json(Vec<u8>);

impl Json {
    fn new() -> Self {
        let mut bytes = Vec::with_capacity(1024);
        bytes.push(b'{');
        Self(bytes)
    }

    /// Writes a field. Names are constants that need no escaping.
    fn raw(&mut self, name: &str, value: &str) {
        if self.0.len() > 1 {
            self.0.push(b',');
        }
        self.0.push(b'"');
        self.0.extend_from_slice(name.as_bytes());
        self.0.extend_from_slice(b"\":");
        self.0.extend_from_slice(value.as_bytes());
    }

    fn string(&mut self, name: &str, value: Option<&str>) {
        self.raw(name, "");
        // Writing to memory cannot fail.
        let _ = serde_json::to_writer(&mut self.0, &value);
    }

    fn number(&mut self, name: &str, value: Option<u64>) {
        self.raw(name, "");
        let _ = serde_json::to_writer(&mut self.0, &value);
    }

    fn list(&mut self, name: &str, values: impl Iterator<Item = Value>) {
        self.raw(name, "[");
        for (place, value) in values.enumerate() {
            if place > 0 {
                self.0.push(b',');
            }
            let _ = serde_json::to_writer(&mut self.0, &value);
        }
        self.0.push(b']');
    }

    fn input(&mut self, input: &Map, cleaner: &Cleaner<'_>) {
        let clean = cleaner.json(Value::Object(input.clone())).to_string();
        match clean.len() <= INPUT {
            true => self.raw("input", &clean),
            false => self.number("input_omitted", u64::try_from(clean.len()).ok()),
        }
    }
}
