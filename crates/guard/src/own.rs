//! The facts that the running guard knows about itself on this machine: where its files are, and how the file system
//! tells two paths apart.
//!
//! A literal path says where something usually is. What is active here is a fact of this process, and it comes
//! through this trait, so that the guard stays a function of its input and a test can simulate any machine.

/// Something that the guard depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Belonging {
    /// Its absolute path, as it is used: links are not followed.
    pub path: String,
    /// Its kind.
    pub kind: Kind,
}

impl Belonging {
    /// A file or directory of ours.
    pub fn ours(path: impl Into<String>) -> Self {
        Self { path: path.into(), kind: Kind::Ours }
    }
}

/// The kind of a belonging.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The program, its configuration, its state.
    Ours,
    /// Our state: keys, permits, denials. Nothing but us reads it.
    State,
    /// A file in which an agent is told to ask us. What is in it is judged by its own rules; its directory stays.
    Agent,
    /// Our files in a project, whose own directory belongs to the project.
    Project,
    /// A path at which nothing is: a program there would be found before ours, which is called by its name.
    Before,
    /// The program of an agent.
    AgentProgram,
}

/// The identity of a file: two paths with the same one are one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The number of the device.
    pub device: u64,
    /// The number of the file on it.
    pub inode: u64,
    /// The number of its names.
    pub links: u64,
}

impl Identity {
    /// Returns true if both are one file.
    pub const fn is(self, other: Self) -> bool {
        self.device == other.device && self.inode == other.inode
    }
}

/// The machine, as the running guard sees itself on it.
pub trait Own {
    /// Returns the files that belong to the guard and are in no usual place: the running program and those that
    /// agents were told to call, and configurations that the command line names. `project`: the project that the
    /// session works on.
    fn belongings(&self, project: Option<&str>) -> Vec<Belonging>;

    /// Our entries in the settings of an agent, as they are registered; `None` if the text cannot be read.
    fn entries(&self, _settings: &str) -> Option<Vec<String>> {
        None
    }

    /// Settings of an agent without any of the ways in which characters can be written otherwise.
    fn plainly(&self, _settings: &str) -> Option<String> {
        None
    }

    /// Returns what a configuration of ours names and we run: the programs and scripts of the user's hooks.
    fn named_in(&self, _configuration: &str) -> Vec<Belonging> {
        Vec::new()
    }

    /// Returns the directories of the agents' programs.
    fn agents(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the identity of the file at an absolute path, without following a link.
    fn identity(&self, path: &str) -> Option<Identity>;

    /// The names in a directory. No more than a few hundred.
    fn names(&self, directory: &str) -> Vec<String>;

    /// Returns true if names in this directory are equal when they only differ in case or in how their characters are
    /// composed.
    fn folds(&self, directory: &str) -> bool;

    /// Beginnings of paths that the file system takes for others: the first is the second.
    fn synonyms(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
}
