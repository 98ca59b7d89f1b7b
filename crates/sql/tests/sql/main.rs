//! The effects of texts for database clients: tables of dangerous texts, their harmless twins, disguises and mentions.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod any_text;
mod arguments;
mod bounds;
mod destroys;
mod disguises;
mod kept;
mod mentions;
mod table;
mod ways_out;
