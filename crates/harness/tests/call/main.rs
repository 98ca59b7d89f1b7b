//! Tests of a call, stage by stage.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod after;
mod approval;
mod batch;
mod before;
mod cancel;
mod config;
mod desk;
mod forms;
mod layers;
mod sessions;
