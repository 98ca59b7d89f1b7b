//! The known ways in which guards are broken, each as a group of cases.
//!
//! The groups are the classes of evasion that were seen in public reports: S for the syntax of the shell, W for wrappers,
//! interpreters and programs that are thought to be safe, P for paths. Each group has dangerous commands and harmless
//! twins, because a guard that stops everything passes the first half.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod agents;
mod carriers;
mod commands;
mod disk;
mod group;
mod inherited;
mod listed;
mod ourselves;
mod paths;
mod programs;
mod roundabout;
mod searches;
mod state;
mod statements;
mod supposed;
mod switches;
mod terminals;
mod whole;
mod windows;
mod words;
mod wrappers;

#[path = "../support/mod.rs"]
mod support;
