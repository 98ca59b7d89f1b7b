//! The suite with the real agents: where they are installed, and the table of their observed behaviour.
//!
//! `cargo xtask agents` installs the versions that `install/` pins, builds the program, and runs
//! `tests/live.rs`, which starts them offline and compares. `cargo xtask test` does this as its last step.

#![forbid(unsafe_code)]

pub mod inside;
pub mod installed;
pub mod machine;
pub mod picture;
pub mod table;
