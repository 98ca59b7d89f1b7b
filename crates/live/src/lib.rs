//! Proof that an agent obeys: the real agent, offline, against a scripted model, with the real program as
//! its hook.
//!
//! The commonest complaints about hooks are that they never run, that their verdicts are ignored, and that
//! an error opens the gate. Documentation cannot settle this; only the agent itself can. So we start it in
//! a scratch directory, with an empty environment, in its own network namespace that has only loopback. A
//! scripted model makes it try *canaries*, harmless calls that leave a mark if they run; hooks of a scratch
//! configuration deny them, rewrite them, or replace their output. The evidence is the disk and the
//! requests to the model.
//!
//! ```text
//! prove ─► Sandbox: unshare ─► checkrein (hidden command) ─ inside ─► model on loopback ◄─► the agent
//!                                                                                          │ for every event
//!                                                                    checkrein hook ◄──────┘
//!                                                                          └─► checkrein (hidden command) ─ answer
//! ```
//!
//! `checkrein doctor --live` shows the findings to a user; `tests/agents` compares them with the documented
//! behaviour.

#![forbid(unsafe_code)]

mod agent;
mod answer;
mod canary;
mod copy;
mod finding;
mod judge;
mod mounts;
mod netns;
mod own;
mod play;
mod prove;
mod proved;
mod runner;
mod sandbox;
mod scenario;
mod workdir;

pub use agent::{ALL, Agent, Launch};
pub use answer::answer;
pub use finding::{Ability, Finding, Seen, Shown};
pub use judge::NOT_BY_THE_GUARD;
pub use netns::bring_up as bring_up_loopback;
pub use own::{Form, Own, OwnFile, Stage};
pub use play::{Played, play};
pub use prove::{Proof, Subject, offered, prove, prove_own, prove_plugins, record};
pub use proved::{Proved, proved, written};
pub use runner::{enter, inside};
pub use sandbox::{Sandbox, SandboxError, network};
pub use scenario::Scenario;
pub use workdir::Workdir;

/// The hidden command that runs [`inside()`], followed by the directory of the scenario.
pub const INSIDE: &str = "live-inside";

/// The hidden command that runs [`answer()`].
pub const ANSWER: &str = "live-answer";
