//! The real machine, as the guard sees it.

use checkrein_guard::{Entry, MAX_BYTES, Own, World};
use std::{fs::File, io::Read, path::Path};

/// The disk and the environment of this process. Nothing is changed, and nothing is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl World for Disk {
    fn home(&self) -> Option<String> {
        self.variable("HOME").filter(|home| home.starts_with('/'))
    }

    fn variable(&self, name: &str) -> Option<String> {
        crate::variable(name).and_then(|value| value.into_string().ok())
    }

    fn entry(&self, path: &str) -> Option<Entry> {
        let metadata = Path::new(path).symlink_metadata().ok()?;
        let kind = metadata.file_type();
        Some(if kind.is_symlink() {
            Entry::Link(std::fs::read_link(path).ok()?.to_string_lossy().into_owned())
        } else if kind.is_dir() {
            Entry::Folder
        } else if kind.is_file() {
            Entry::File
        } else {
            Entry::Other
        })
    }

    fn text(&self, path: &str) -> Option<String> {
        // A pipe would wait for somebody to write into it.
        if !Path::new(path).symlink_metadata().ok()?.is_file() {
            return None;
        }
        let mut bytes = Vec::new();
        File::open(path).ok()?.take(MAX_BYTES as u64).read_to_end(&mut bytes).ok()?;
        String::from_utf8(bytes).ok()
    }

    fn own(&self) -> Option<&dyn Own> {
        Some(self)
    }
}
