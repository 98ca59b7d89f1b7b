//! The names of records. A name has everything that making room needs, so that no manifest is read for it.

use std::{fs::File, io::Read, path::Path, time::Duration};

/// The letters of an id: no two that look alike.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// The number of letters after the first, which is always `k`.
const LENGTH: usize = 5;

/// The parts of a record's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) id: String,
    /// When it was made, in microseconds since 1970.
    pub(crate) made: u64,
    /// Its bytes on the disk.
    pub(crate) bytes: u64,
    /// True if an answer rests on it, so that it stays for its whole time.
    pub(crate) relied_on: bool,
}

impl Name {
    pub(crate) fn directory(&self) -> String {
        let kind = if self.relied_on { 'r' } else { 'k' };
        format!("{}-{}-{}-{kind}", self.id, self.made, self.bytes)
    }

    pub(crate) fn read(name: &str) -> Option<Self> {
        let mut parts = name.split('-');
        let (id, made, bytes, kind) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let relied_on = match kind {
            "r" => true,
            "k" => false,
            _ => return None,
        };
        let name =
            Self { id: id.to_owned(), made: made.parse().ok()?, bytes: bytes.parse().ok()?, relied_on };
        (is_id(id) && parts.next().is_none()).then_some(name)
    }

    /// Returns its age.
    pub(crate) fn age(&self, now: u64) -> Duration {
        Duration::from_micros(now.saturating_sub(self.made))
    }
}

/// Returns true if a text can be an id.
pub(crate) fn is_id(text: &str) -> bool {
    let mut bytes = text.bytes();
    text.len() == LENGTH + 1 && bytes.next() == Some(b'k') && bytes.all(|byte| LETTERS.contains(&byte))
}

/// Returns a random id.
pub(crate) fn random_id() -> std::io::Result<String> {
    let mut random = [0_u8; LENGTH];
    File::open(Path::new("/dev/urandom"))?.read_exact(&mut random)?;
    let letter = |byte: &u8| LETTERS.get(usize::from(byte % 32)).copied().map(char::from);
    Ok(std::iter::once('k').chain(random.iter().filter_map(letter)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_it_was_written() {
        let name = Name { id: random_id().unwrap(), made: 1_790_000_000_000_000, bytes: 42, relied_on: true };
        assert_eq!(Name::read(&name.directory()), Some(name));
        for other in
            ["", "kaaaaa", "kaaaaa-1-2-x", "kaaaaa-1-2-r-3", "kaaaa-1-2-r", "../aaa-1-2-r", "k.aaaa-1-2-r"]
        {
            assert_eq!(Name::read(other), None, "{other}");
        }
    }
}
