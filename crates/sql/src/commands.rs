//! Commands that are no danger in themselves, from `commands.toml`.

include!(concat!(env!("OUT_DIR"), "/commands.rs"));
