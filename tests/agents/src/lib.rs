//! The suite with the real agents: where they lie, and the table of what they were seen to do.
//!
//! `cargo xtask agents` installs the versions that `install/` pins, builds the program, and runs `tests/live.rs`, which
//! starts them offline and compares. `cargo xtask test` does the same as its last step.

#![forbid(unsafe_code)]

pub mod installed;
pub mod machine;
pub mod table;
