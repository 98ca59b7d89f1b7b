//! What the running guard knows of itself on this machine: where it lies, and how the file system tells two paths apart.
//!
//! A literal path says where something usually lies. What is active here is a fact of this process, and it comes through
//! this trait, so that the guard stays a function of its input and a test can make any machine it likes.

/// Something that the guard depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Belonging {
    /// Its absolute path, as it is used: links are not followed.
    pub path: String,
    /// What it is.
    pub kind: Kind,
}

impl Belonging {
    /// A file or directory of ours.
    pub fn ours(path: impl Into<String>) -> Self {
        Self { path: path.into(), kind: Kind::Ours }
    }
}

/// What a belonging is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The program, its configuration, its state.
    Ours,
    /// What we remember: keys, permits, denials. Nobody else reads it.
    State,
    /// A file in which an agent is told to ask us. What is in it is judged by its own rules; its directory stays.
    Agent,
    /// The same in a project, whose own directory belongs to the project.
    Project,
    /// A path at which nothing lies: a program there would be found before ours, which is called by its name.
    Before,
    /// The program of an agent.
    AgentProgram,
}

/// What makes two paths one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The number of the device.
    pub device: u64,
    /// The number of the file on it.
    pub inode: u64,
    /// How many names it has.
    pub links: u64,
}

impl Identity {
    /// Whether both are one file.
    pub const fn is(self, other: Self) -> bool {
        self.device == other.device && self.inode == other.inode
    }
}

/// The machine, as the running guard sees itself on it.
pub trait Own {
    /// What belongs to the guard and is in no usual place: the running program and those that agents were told to ask,
    /// configurations that the command line names. `project`: what the session works on.
    fn belongings(&self, project: Option<&str>) -> Vec<Belonging>;

    /// Our entries in the settings of an agent, as they are registered; `None` if the text cannot be read.
    fn entries(&self, _settings: &str) -> Option<Vec<String>> {
        None
    }

    /// Settings of an agent without any of the ways in which characters can be written otherwise.
    fn plainly(&self, _settings: &str) -> Option<String> {
        None
    }

    /// What a configuration of ours names that is run for us: the programs and scripts of the user's hooks.
    fn named_in(&self, _configuration: &str) -> Vec<Belonging> {
        Vec::new()
    }

    /// Where the programs of agents lie.
    fn agents(&self) -> Vec<String> {
        Vec::new()
    }

    /// What is at an absolute path, without following a link.
    fn identity(&self, path: &str) -> Option<Identity>;

    /// The names in a directory. No more than a few hundred.
    fn names(&self, directory: &str) -> Vec<String>;

    /// Whether names in this directory are the same that only differ in case or in how their characters are composed.
    fn folds(&self, directory: &str) -> bool;

    /// Beginnings of paths that the file system takes for others: the first is the second.
    fn synonyms(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
}
