//! The real machine, as the guard sees it.

use crate::this_program;
use checkrein_git::{Answer, Question};
use checkrein_guard::{FileKind, MAX_BYTES, Own, World};
use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

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

    /// Looked up in `/etc/passwd`: users who are listed elsewhere are not known here.
    fn account_home(&self) -> Option<String> {
        use std::os::unix::fs::MetadataExt as _;
        let own = std::fs::metadata("/proc/self").ok()?.uid().to_string();
        let accounts = self.text("/etc/passwd")?;
        let mut fields = accounts.lines().map(|line| line.split(':').collect::<Vec<_>>());
        let account = fields.find(|fields| fields.get(2) == Some(&own.as_str()))?;
        account.get(5).map(|home| (*home).to_owned())
    }

    /// Many variables are looked up, few are set, and agents start us with a large environment, so it is walked once.
    fn variables(&self, names: &[&str]) -> Vec<Option<String>> {
        let mut values = vec![None; names.len()];
        for (name, value) in std::env::vars_os() {
            for (_, slot) in
                names.iter().zip(&mut values).filter(|(wanted, slot)| name == **wanted && slot.is_none())
            {
                *slot = value.to_str().map(str::to_owned);
            }
        }
        values
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        let metadata = Path::new(path).symlink_metadata().ok()?;
        let kind = metadata.file_type();
        Some(if kind.is_symlink() {
            FileKind::Link(std::fs::read_link(path).ok()?.to_string_lossy().into_owned())
        } else if kind.is_dir() {
            FileKind::Directory
        } else if kind.is_file() {
            FileKind::File
        } else {
            FileKind::Other
        })
    }

    fn text(&self, path: &str) -> Option<String> {
        // Reading a pipe would wait until a process writes to it.
        if !Path::new(path).symlink_metadata().ok()?.is_file() {
            return None;
        }
        let mut bytes = Vec::new();
        File::open(path).ok()?.take(MAX_BYTES as u64).read_to_end(&mut bytes).ok()?;
        String::from_utf8(bytes).ok()
    }

    fn repository(&self, question: &Question) -> Answer {
        checkrein_git::ask(question, self.home().as_deref().map(Path::new))
    }

    fn untracked(&self, directory: &str) -> Vec<String> {
        checkrein_git::untracked(Path::new(directory)).unwrap_or_default()
    }

    fn own(&self) -> Option<&dyn Own> {
        Some(self)
    }

    fn is_this_program(&self, path: &str) -> bool {
        is_this_program(Path::new(path)).unwrap_or(false)
    }

    fn is_confirming(&self) -> bool {
        crate::Places::of(crate::variable).state.is_some_and(|state| crate::is_confirming(&state))
    }
}

/// Returns true if a file contains the bytes of the program that runs here. Further bytes after them do not keep a
/// copy from running.
///
/// Cheap for other programs: they are shorter, or differ in the first piece.
fn is_this_program(path: &Path) -> io::Result<bool> {
    let ours = File::open(this_program()?)?;
    // Reading a pipe would wait until a process writes to it.
    if !path.metadata()?.is_file() {
        return Ok(false);
    }
    let other = File::open(path)?;
    let length = ours.metadata()?.len();
    if other.metadata()?.len() < length {
        return Ok(false);
    }
    same(ours, other.take(length))
}

fn same(mut one: impl Read, mut other: impl Read) -> io::Result<bool> {
    const PIECE: usize = 64 * 1024;
    let (mut left, mut right) = (vec![0; PIECE], vec![0; PIECE]);
    loop {
        let (read, also) = (fill(&mut one, &mut left)?, fill(&mut other, &mut right)?);
        if left.get(..read) != right.get(..also) {
            return Ok(false);
        }
        if read == 0 {
            return Ok(true);
        }
    }
}

/// Reads until the piece is full or the file is at its end.
fn fill(file: &mut impl Read, piece: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = piece.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match file.read(rest) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_the_same_one_by_one_and_at_once() {
        let names = ["PATH", "CHECKREIN_NOT_SET", "CARGO_MANIFEST_DIR", "PATH"];
        let at_once = Disk.variables(&names);
        assert_eq!(at_once, names.map(|name| Disk.variable(name)));
        assert!(at_once.first().is_some_and(Option::is_some));
    }
}
