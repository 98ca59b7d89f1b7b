//! What the guard may ask of the machine, and nothing else.
//!
//! The guard is a function: the same text in the same world is judged the same. Disk and environment come through this
//! trait, so that a test needs neither, and a judgement can be explained or repeated elsewhere.

/// What is there, without following a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link to this.
    Link(String),
    /// A device, a pipe, a socket.
    Other,
}

/// The machine, as far as the guard looks at it.
pub trait World {
    /// The home folder of the person.
    fn home(&self) -> Option<String>;

    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<String>;

    /// What is at an absolute path.
    fn entry(&self, path: &str) -> Option<Entry>;

    /// The beginning of a text file, no more than [`crate::MAX_BYTES`].
    fn text(&self, path: &str) -> Option<String>;
}

/// A machine of which only the home folder is known. Nothing is on its disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bare {
    /// The home folder.
    pub home: Option<String>,
}

impl Bare {
    /// A machine with this home folder.
    pub fn new(home: impl Into<String>) -> Self {
        Self { home: Some(home.into()) }
    }
}

impl World for Bare {
    fn home(&self) -> Option<String> {
        self.home.clone()
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn entry(&self, _: &str) -> Option<Entry> {
        None
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }
}
