//! Installation into an agent: recipes as data, and edits of its hook file.
//!
//! Everything here is a function from text to text. The program finds the files, asks the user and writes. A file
//! that users edit is never rewritten: an edit touches only its own places, so that order, indentation and line ends
//! stay, and undoing it restores the text.
//!
//! Most agents read strict JSON and reject a file with a comment or an extra comma as a whole, with every hook in
//! it. Such a file is an error here as well: the error says where, and the file is not touched.

mod command;
mod edit;
mod entry;
mod layout;
mod managed;
mod plugin;
mod recipe;
mod tables;
mod tree;
mod whole;
mod yaml;

pub use crate::{
    claude::RECIPE as CLAUDE, cline::RECIPE as CLINE, codex::RECIPE as CODEX, copilot::RECIPE as COPILOT,
    cursor::RECIPE as CURSOR, gemini::RECIPE as GEMINI, grok::RECIPE as GROK,
    hermes::CONSENT as HERMES_CONSENT, hermes::RECIPE as HERMES, kilo::RECIPE as KILO, kimi::RECIPE as KIMI,
    openclaw::RECIPE as OPENCLAW, opencode::RECIPE as OPENCODE, pi::RECIPE as PI, qwen::RECIPE as QWEN,
    vscode::RECIPE as VSCODE,
};
pub use command::{Command, Missing, quoted};
pub use entry::{Entry, Installed, Wanted, check, entries, fails_closed, install, uninstall};
pub use layout::{FailClosed, Kind, Layout, Nesting, Position, Unit};
pub use managed::managed_file;
pub use plugin::{PLUGIN_PROGRAM, plugin_file};
pub use recipe::{BomPolicy, EventSupport, Recipe, Registration, Version, recipes};
pub(crate) use recipe::{always, configured, named, since};
pub use tree::{Comments, Node, SyntaxError, Value as Tree, parse, parse_with};
pub use whole::is_intact;
