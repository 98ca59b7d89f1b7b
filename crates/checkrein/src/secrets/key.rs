//! The key of this machine: 32 random bytes below the state directory, which the guard protects from reading.

use crate::state::secure_fs;
use checkrein_secrets::Key;
use rustix::{
    fd::OwnedFd,
    fs::{Mode, OFlags},
};
use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::Path,
};

const NAME: &str = "secrets.key";
const LENGTH: usize = 32;

/// Returns the key below a state directory, and makes it if there is none. Without a directory, or where none can be kept, it is
/// a new one for this process: values are still hidden, and only their tags differ from those of another process.
///
/// Without any randomness there is no key: a known one would let a reader of a tag guess the value.
pub fn machine_key(state: Option<&Path>) -> io::Result<Key> {
    let kept = state.and_then(|state| read(state).or_else(|_| make(state)).ok());
    Ok(Key::new(kept.map_or_else(random, Ok)?))
}

/// Returns the key for digests of inputs, and the open file that it came from. It is read with two system calls, since that happens
/// for every event; whether others can write the file is checked where the key makes tags.
pub(crate) fn digest_key(state: &Path) -> Option<(Key, Option<OwnedFd>)> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    if let Ok(file) = rustix::fs::open(state.join(NAME), flags, Mode::empty()) {
        let mut bytes = [0; LENGTH];
        if rustix::io::read(&file, &mut bytes) == Ok(LENGTH) {
            return Some((Key::new(bytes), Some(file)));
        }
    }
    // A home directory that does not exist is not created.
    let kept = Some(state).filter(|state| secure_fs::is_below_something(state));
    machine_key(kept).ok().map(|key| (key, None))
}

fn read(state: &Path) -> io::Result<[u8; LENGTH]> {
    let bytes = secure_fs::read(&state.join(NAME), LENGTH as u64)?;
    bytes.try_into().map_err(|_| io::Error::other("the key is too short"))
}

/// Makes the key. Of two processes at once, both use the one that came first.
fn make(state: &Path) -> io::Result<[u8; LENGTH]> {
    let key = random()?;
    secure_fs::directory(state)?;
    let unfinished = state.join(format!("{NAME}.{}", std::process::id()));
    let written = secure_fs::create_new(&unfinished).and_then(|mut file| file.write_all(&key));
    let linked = written.and_then(|()| fs::hard_link(&unfinished, state.join(NAME)));
    // A file that is left behind is useless, not wrong.
    let _ = fs::remove_file(&unfinished);
    linked.map(|()| key).or_else(|_| read(state))
}

fn random() -> io::Result<[u8; LENGTH]> {
    random_bytes()
}

/// Returns random bytes of the system.
pub(super) fn random_bytes<const COUNT: usize>() -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn tag(state: &Path) -> String {
        machine_key(Some(state)).unwrap().tag("value", b"kR4vT9xQ2mWz7LpB")
    }

    #[test]
    fn the_key_is_kept_and_private() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        assert_eq!(tag(one.path()), tag(one.path()));
        assert_ne!(tag(one.path()), tag(other.path()));
        let mode = one.path().join(NAME).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    /// A key that others could have written is not used: they would know which value a tag has.
    #[test]
    fn a_key_that_others_can_write_is_not_used() {
        let state = tempfile::tempdir().unwrap();
        let file = state.path().join(NAME);
        fs::write(&file, [7; LENGTH]).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
        let known = Key::new([7; LENGTH]).tag("value", b"kR4vT9xQ2mWz7LpB");
        assert_ne!(tag(state.path()), known);
    }
}
