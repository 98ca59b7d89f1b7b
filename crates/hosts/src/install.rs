//! How an agent is told to ask us: recipes as data, and edits of its hook file.
//!
//! Everything here is a function from text to text. Whoever finds the files, asks the user and writes is the program.
//! A file that somebody keeps by hand is never written anew: an edit touches the places that it is about, so that order,
//! indentation and line ends stay, and taking it back leaves the text as it was.
//!
//! Both agents read strict JSON and throw a file with a comment or a comma too many away as a whole, with every hook in
//! it. So such a file is broken for us as well: it is shown where, and not touched.

mod command;
mod edit;
mod entry;
mod recipe;
mod tree;

pub use crate::{claude::RECIPE as CLAUDE, codex::RECIPE as CODEX};
pub use command::{Command, quoted};
pub use entry::{Entry, Installed, Wanted, check, entries, install, uninstall};
pub use recipe::{Fired, Mark, Named, Recipe, Version, recipes};
pub(crate) use recipe::{always, configured, since};
pub use tree::{Node, SyntaxError, Value as Tree, parse};
