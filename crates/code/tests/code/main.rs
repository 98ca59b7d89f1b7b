//! The actions of source code, as tables: the dangerous forms of each language, their harmless twins, texts that hide
//! what they do, and texts that only mention it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod any_text;
mod applescript;
mod awk;
mod bounds;
mod command_lines;
mod go;
mod javascript;
mod lua;
mod make;
mod modules;
mod objects;
mod perl;
mod php;
mod powershell;
mod python;
mod ruby;
mod sed;
mod started;
mod table;
