//! What the tests of several crates share. Not published.
//!
//! - [`reference`](mod@reference): a second dispatcher, written for the eye only, which the real one is compared with;
//! - [`scripted`]: hooks that follow a script, and random chains of them;
//! - [`corpus`]: the cases of `corpus/semantics`, run through the library and through the program;
//! - [`model`]: a model that follows a script, for agents.

#![forbid(unsafe_code)]

pub mod corpus;
pub mod reference;
pub mod scripted;

pub use checkrein_model as model;
