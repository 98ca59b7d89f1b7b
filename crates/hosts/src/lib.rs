//! The supported hosts: each agent has a directory of its own and one row in [`ALL`].
//!
//! A [`Host`] has a [`Dialect`] (bytes to [`Payload`], [`Outcome`] to bytes), a recipe to install checkrein, the
//! checks of `doctor`, and the markers of its processes. A dialect declares the host's abilities on an event
//! ([`Abilities`]); [`Outcome::within`] makes the answer stricter where the host lacks one, so a dialect never has
//! to invent a weaker answer.
//!
//! Everything here is a pure function of texts. The program reads files and asks the user.

#![forbid(unsafe_code)]

mod answer;
mod bridge;
mod checkrein;
mod claude;
mod cline;
mod codex;
mod copilot;
pub mod coverage;
mod cursor;
pub mod doctor;
#[cfg(feature = "example-host")]
mod example;
pub mod foreign;
mod gemini;
mod grok;
mod hermes;
mod host;
pub mod import;
pub mod install;
mod kilo;
mod kimi;
mod names;
mod openclaw;
mod opencode;
mod pi;
mod qwen;
pub mod sqlite;
mod table;
mod text;
mod toml_json;
pub mod transcript;
mod vscode;

pub use host::{Host, Markers, OTHERS, markers};
pub use names::Tool;
pub use text::reason_with_notices;
pub use toml_json::toml_to_json;

use checkrein_core::{
    Abilities, Asking, EventName, InputError, Map, Outcome, Payload, Session, ToolCall, json,
    nearest::nearest, sanitize,
};

/// Our own dialect.
pub const OURS: &dyn Dialect = checkrein::HOST.dialect;

/// All hosts, our own first.
pub const ALL: &[&Host] = &[
    &checkrein::HOST,
    &claude::HOST,
    &codex::HOST,
    &gemini::HOST,
    &qwen::HOST,
    &copilot::HOST,
    &cline::HOST,
    &pi::HOST,
    &opencode::HOST,
    &kilo::HOST,
    &kimi::HOST,
    &grok::HOST,
    &openclaw::HOST,
    &hermes::HOST,
    &cursor::HOST,
    &vscode::HOST,
    #[cfg(feature = "example-host")]
    &example::HOST,
];

/// Returns all dialects, our own first.
pub fn dialects() -> impl Iterator<Item = &'static dyn Dialect> {
    ALL.iter().map(|host| host.dialect)
}

/// Returns the host of this name.
pub fn host(name: &str) -> Option<&'static Host> {
    ALL.iter().copied().find(|host| host.name() == name)
}

/// Formats names in backticks as a choice: `a`, `b` or `c`.
pub fn choice(names: impl IntoIterator<Item = &'static str>) -> String {
    let mut names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    let last = names.pop().unwrap_or_default();
    if names.is_empty() { last } else { format!("{} or {last}", names.join(", ")) }
}

/// The protocol of one host.
pub trait Dialect: Sync {
    /// Returns the name of the host on our command line.
    fn name(&self) -> &'static str;

    /// Reads an event. `expected` is the event of the command line, for hosts whose payload does not name it.
    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError>;

    /// Returns how the host handles `ask` on `event` in this session, without an outcome. It agrees with
    /// [`abilities`](Self::abilities).
    fn asking(&self, event: EventName, session: &Session) -> Asking;

    /// Returns true if the host says, by the variables that it sets for its hooks, that it runs without a user interface.
    fn is_headless(&self, _variable: &dyn Fn(&str) -> Option<std::ffi::OsString>) -> bool {
        false
    }

    /// Returns true if the host sends an event when this call is over, and not only when it has begun. Without such an event
    /// nothing can be done after a call, so the default is no.
    fn reports_end(&self, _call: &ToolCall) -> bool {
        false
    }

    /// Returns true if the host sends a second event before this call, which has no id of it.
    fn sends_again(&self, _call: &ToolCall) -> bool {
        false
    }

    /// Returns the abilities of the host for this outcome.
    fn abilities(&self, outcome: &Outcome) -> Abilities;

    /// Writes an outcome that is within the host's abilities.
    fn encode(&self, outcome: &Outcome) -> Reply;

    /// Returns the answer for an event that could not be read, or for a program that is about to die: a denial
    /// wherever the event may be one that a denial prevents. It needs no payload, so that it can be prepared before
    /// anything else.
    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply;
}

/// Returns true if a call says that it goes on after the host's event about its end.
pub(crate) fn goes_on(call: &ToolCall) -> bool {
    let is_set = |name: &str| call.input.get(name).and_then(serde_json::Value::as_bool).unwrap_or_default();
    let mode = call.input.get("mode").and_then(serde_json::Value::as_str);
    ["run_in_background", "is_background", "isBackground", "background", "detach"].into_iter().any(is_set)
        || mode.is_some_and(|mode| matches!(mode, "async" | "background" | "detached"))
}

/// The output and the exit code of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The answer.
    pub stdout: Vec<u8>,
    /// The text for stderr, if the host reads it.
    pub stderr: String,
    /// The exit code.
    pub exit: u8,
}

impl Reply {
    /// Creates a JSON answer with exit code 0.
    fn json(answer: &serde_json::Value) -> Self {
        Self::line(answer.to_string().into_bytes())
    }

    /// Creates an answer from serialised JSON. Hidden characters in it are escaped, so the values stay the same and
    /// the bytes are readable.
    fn line(json: Vec<u8>) -> Self {
        let mut stdout = match String::from_utf8(json) {
            Ok(json) => sanitize::json(json).into_bytes(),
            Err(bytes) => bytes.into_bytes(),
        };
        stdout.push(b'\n');
        Self { stdout, ..Self::default() }
    }

    /// Adds the reason on stderr and exit code 2, which most hosts read as a denial.
    fn and_exit_2(mut self, reason: &str) -> Self {
        self.stderr = format!("{reason}\n");
        self.exit = 2;
        self
    }
}

/// The error for an unknown host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown host `{name}`, expected one of {}{}", known(), hint(nearest.as_deref()))]
pub struct UnknownHost {
    name: String,
    nearest: Option<String>,
}

fn known() -> String {
    dialects().map(|dialect| format!("`{}`", dialect.name())).collect::<Vec<_>>().join(", ")
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

/// Returns the dialect of the host `name`.
pub fn find(name: &str) -> Result<&'static dyn Dialect, UnknownHost> {
    let dialect = dialects().find(|dialect| dialect.name() == name);
    dialect.ok_or_else(|| UnknownHost {
        name: name.to_owned(),
        nearest: nearest(name, dialects().map(|dialect| dialect.name())),
    })
}

/// Adapts the outcome to the host and writes it. The returned outcome records what the host could not do.
pub fn answer(dialect: &dyn Dialect, outcome: Outcome) -> (Outcome, Reply) {
    let abilities = dialect.abilities(&outcome);
    let outcome = outcome.within(abilities);
    let reply = dialect.encode(&outcome);
    (outcome, reply)
}

/// Reads a host's flat JSON object, the format that most hosts send.
fn decode_flat(host: &str, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
    decode_flat_after(host, bytes, expected, |_| {})
}

/// Reads a flat JSON object whose fields have to be adjusted first.
fn decode_flat_after(
    host: &str,
    bytes: Vec<u8>,
    expected: Option<EventName>,
    put_right: impl FnOnce(&mut Map),
) -> Result<Payload, InputError> {
    if bytes.trim_ascii().is_empty() {
        return Err(InputError::Empty);
    }
    let mut fields = json::parse_object(&bytes)?;
    put_right(&mut fields);
    let mut payload = checkrein_core::flat::read(fields, expected)?;
    payload.host.name.get_or_insert_with(|| host.to_owned());
    payload.raw = bytes;
    Ok(payload)
}
