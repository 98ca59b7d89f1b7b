//! The hosts: everything that we know of each agent, in a directory of its own, and one row in [`ALL`].
//!
//! A [`Host`] is its [`Dialect`] (bytes to [`Payload`], [`Outcome`] to bytes), the recipe to install us, the checks of
//! `doctor`, and what its processes are recognised by. A dialect says what the host can do on an event ([`Abilities`]);
//! what the host lacks is made stricter and declared by [`Outcome::within`], so a dialect never has to invent a weaker answer.
//!
//! Everything here is a function of texts. Whoever reads files and asks the user is the program.

#![forbid(unsafe_code)]

mod answer;
mod checkrein;
mod claude;
mod codex;
pub mod doctor;
#[cfg(feature = "example-host")]
mod example;
mod host;
pub mod import;
pub mod install;
mod table;
mod text;
mod toml_json;

pub use host::{Host, Markers, OTHERS, markers};
pub use toml_json::toml_to_json;

use checkrein_core::{
    Abilities, Asking, EventName, InputError, Map, Outcome, Payload, Session, json, nearest::nearest,
    sanitize,
};

/// Our own dialect.
pub const OURS: &dyn Dialect = checkrein::HOST.dialect;

/// Every host, our own first.
pub const ALL: &[&Host] = &[
    &checkrein::HOST,
    &claude::HOST,
    &codex::HOST,
    #[cfg(feature = "example-host")]
    &example::HOST,
];

/// Every dialect, our own first.
pub fn dialects() -> impl Iterator<Item = &'static dyn Dialect> {
    ALL.iter().map(|host| host.dialect)
}

/// The host of this name.
pub fn host(name: &str) -> Option<&'static Host> {
    ALL.iter().copied().find(|host| host.name() == name)
}

/// Names in backticks, as a choice: `a`, `b` or `c`.
pub fn choice(names: impl IntoIterator<Item = &'static str>) -> String {
    let mut names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    let last = names.pop().unwrap_or_default();
    if names.is_empty() { last } else { format!("{} or {last}", names.join(", ")) }
}

/// How one host speaks.
pub trait Dialect: Sync {
    /// The name of the host on our command line.
    fn name(&self) -> &'static str;

    /// Reads an event. `expected` is the event of the command line, for hosts whose payload does not name it.
    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError>;

    /// What the host does with a question about `event` in this session: a look into its table, before anything is decided.
    /// [`abilities`](Self::abilities) says the same.
    fn asking(&self, event: EventName, session: &Session) -> Asking;

    /// What the host can do with this outcome on its event.
    fn abilities(&self, outcome: &Outcome) -> Abilities;

    /// Writes an outcome that is within the host's abilities.
    fn encode(&self, outcome: &Outcome) -> Reply;

    /// The answer when the event could not even be read, or the program itself is ending: a denial wherever the event
    /// may be one that a denial prevents. It needs no payload, so that it can be prepared before anything else happens.
    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply;
}

/// What the program writes, and how it exits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The answer.
    pub stdout: Vec<u8>,
    /// What a host reads from stderr; empty unless it does.
    pub stderr: String,
    /// The exit code.
    pub exit: u8,
}

impl Reply {
    /// A JSON answer with exit code 0.
    fn json(answer: &serde_json::Value) -> Self {
        Self::line(answer.to_string().into_bytes())
    }

    /// The same of JSON that is written. Data in it may hold anything, and keeps its value; whoever looks at the bytes sees
    /// all of it.
    fn line(json: Vec<u8>) -> Self {
        let mut stdout = match String::from_utf8(json) {
            Ok(json) => sanitize::json(json).into_bytes(),
            Err(bytes) => bytes.into_bytes(),
        };
        stdout.push(b'\n');
        Self { stdout, ..Self::default() }
    }

    /// The same with the reason on stderr and exit code 2, which most hosts read as a denial by itself.
    fn and_exit_2(mut self, reason: &str) -> Self {
        self.stderr = format!("{reason}\n");
        self.exit = 2;
        self
    }
}

/// A host that we do not know.
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

/// The dialect of the host `name`.
pub fn find(name: &str) -> Result<&'static dyn Dialect, UnknownHost> {
    let dialect = dialects().find(|dialect| dialect.name() == name);
    dialect.ok_or_else(|| UnknownHost {
        name: name.to_owned(),
        nearest: nearest(name, dialects().map(|dialect| dialect.name())),
    })
}

/// Fits the outcome to the host and writes it. The outcome that comes back declares what the host could not do.
pub fn answer(dialect: &dyn Dialect, outcome: Outcome) -> (Outcome, Reply) {
    let abilities = dialect.abilities(&outcome);
    let outcome = outcome.within(abilities);
    let reply = dialect.encode(&outcome);
    (outcome, reply)
}

/// Reads a host's flat JSON object, the form that most of them send.
fn decode_flat(host: &str, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
    decode_flat_after(host, bytes, expected, |_| {})
}

/// The same for a host whose fields have to be put right first.
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
