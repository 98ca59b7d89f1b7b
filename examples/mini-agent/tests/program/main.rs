//! The agent end to end: the real program, a scripted model on loopback in both protocols, real hooks.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod fixture;
mod hooks;
mod lists;
mod model;
mod sessions;
