//! Test helpers that several crates share. Not published.
//!
//! - [`reference`](mod@reference): a second, deliberately simple dispatcher, which the real one is compared
//!   with;
//! - [`scripted`]: hooks that follow a script, and random chains of them;
//! - [`corpus`]: the cases of `corpus/semantics`, run through the library and through the program;
//! - [`doors`]: the cases of `corpus/doors`, which the program, the harness and Python run;
//! - [`foreign`]: a hook of each other agent's dialect, run under every agent;
//! - [`model`]: a model that follows a script, for agents.

#![forbid(unsafe_code)]

pub mod corpus;
pub mod doors;
pub mod foreign;
pub mod reference;
pub mod scripted;

pub use checkrein_model as model;
