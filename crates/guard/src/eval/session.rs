//! The session of a call: what its commands have changed so far, for the commands that come after them.

use super::{agent_settings::Finds, flow::Flow, handlers::Hunt, typing::Typed};
use crate::{glob, qualities::Qualities};
use checkrein_shell::{Source, Word};
use std::collections::BTreeMap;

/// The maximum number of files of the call that one path may mean.
const FILES: usize = 16;

/// The changes that the call has made so far. Nothing here comes from the disk.
#[derive(Clone, Default)]
pub(super) struct Session {
    /// Files that the call wrote, by path.
    pub(super) files: BTreeMap<String, Content>,
    /// Directories that the call fetched from another machine.
    pub(super) fetched: Vec<String>,
    /// Files that a shell in the background reads before they are written: named pipes.
    pub(super) awaited: Vec<String>,
    /// Links that the call made, from path to target.
    pub(super) links: BTreeMap<String, String>,
    /// Descriptors that lead to other machines.
    pub(super) sockets: BTreeMap<u32, Word>,
    /// The data that is read from descriptors that were opened before.
    pub(super) descriptors: BTreeMap<u32, Flow>,
    /// The files that descriptors were opened for to be written.
    pub(super) outputs: BTreeMap<u32, Word>,
    /// Functions that were defined, with their bodies.
    pub(super) functions: BTreeMap<String, Source>,
    /// Aliases of the shell.
    pub(super) aliases: BTreeMap<String, Word>,
    /// Functions and aliases that are being followed: a call of one of them is a loop.
    pub(super) active: Vec<String>,
    /// The call's changes to git's configuration.
    pub(super) git: GitSession,
    /// The deployment environment that the text has selected for everything after it.
    pub(super) environment: Qualities,
    /// The text has selected an environment for development for everything after it.
    pub(super) development: bool,
    /// The call has started a database in a container, so a client on this machine reaches that one.
    pub(super) own_database: bool,
    /// A program of the text has the list of all processes.
    pub(super) lists_processes: bool,
    /// The call's search for processes.
    pub(super) hunt: Option<Hunt>,
    /// The call's input to terminals.
    pub(super) terminals: Terminals,
    /// The program of another language that is being followed has searched for us, or has read an agent's hooks.
    pub(super) found_us: bool,
    /// A program of the text was given our program.
    pub(super) given_us: bool,
    /// The settings that agents find after what the text has done.
    pub(super) finds: Finds,
    /// Commands of the text repeat, overlap or wait: their order in the text is not that in time.
    pub(super) repeats: bool,
    /// The shell exports every variable that it sets.
    pub(super) exports_all: bool,
}

impl Session {
    /// The files of the call that a path may mean: the one of that name, or all that fit a pattern.
    pub(super) fn written(&self, path: &str) -> Vec<Content> {
        match self.files.get(path) {
            Some(content) => vec![content.clone()],
            None if path.contains(['*', '?', '[', '…']) && !self.files.is_empty() => {
                // What is not known may be no directory at all.
                let pattern = path.replace("…/", "*").replace('…', "*");
                let meant = self.files.iter().filter(|(path, _)| glob::matches(&pattern, path));
                meant.map(|(_, content)| content.clone()).take(FILES).collect()
            }
            None => Vec::new(),
        }
    }

    /// The files that the call wrote whose whole text is known, by path.
    pub(super) fn texts(&self) -> Vec<(String, String)> {
        let known = self.files.iter().filter_map(|(path, content)| {
            let text = content.flow.text.as_ref().filter(|text| text.contains(char::is_whitespace))?;
            Some((path.clone(), text.clone()))
        });
        known.take(FILES).collect()
    }

    /// The names by which a program may load the files that the call wrote.
    pub(super) fn modules(&self) -> Vec<String> {
        let stem = |path: &String| {
            let name = path.rsplit('/').next()?;
            let (stem, ending) = name.rsplit_once('.')?;
            matches!(ending, "py" | "js" | "mjs" | "cjs" | "ts" | "rb" | "php").then(|| stem.to_owned())
        };
        self.files.keys().filter_map(stem).take(FILES).collect()
    }
}

/// A file that the call wrote.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    /// The program that the file is a copy of.
    pub(super) program: Option<String>,
    /// Its content.
    pub(super) flow: Flow,
}

/// The call's changes to git's configuration.
#[derive(Clone, Default)]
pub(super) struct GitSession {
    /// Aliases that the call set.
    pub(super) aliases: BTreeMap<String, String>,
    /// Values of `GIT_CONFIG_KEY_<n>`, by `n`: the first half of a setting.
    pub(super) keys: BTreeMap<String, String>,
    /// Values of `GIT_CONFIG_VALUE_<n>`, by `n`: the other half.
    pub(super) values: BTreeMap<String, Word>,
    /// Settings files that were read, by path.
    pub(super) files: BTreeMap<String, GitFile>,
    /// The call has stashed the changes of the work tree.
    pub(super) stashed: bool,
}

/// A settings file of git that was read.
#[derive(Clone)]
pub(super) struct GitFile {
    /// The number of bytes that the call itself had written to it. More since then means that it has to be read
    /// again.
    pub(super) written: usize,
    /// The aliases in it.
    pub(super) aliases: BTreeMap<String, String>,
}

/// The call's input to terminals.
#[derive(Clone, Default)]
pub(super) struct Terminals {
    /// The text that it typed, in order.
    pub(super) typed: Vec<Typed>,
    /// The terminal that it types into.
    pub(super) current: String,
    /// The contents of the terminals' buffers, by name.
    pub(super) buffers: BTreeMap<String, Flow>,
}
