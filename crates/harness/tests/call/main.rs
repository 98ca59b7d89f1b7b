//! Tests of a call, stage by stage.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod after;
mod approval;
mod batch;
mod before;
mod cancel;
mod changing;
mod config;
mod deadlines;
mod desk;
mod forms;
mod kinds;
mod layers;
mod sessions;
mod trail;
mod world;
