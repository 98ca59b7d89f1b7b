//! The key under which values become tags: 32 random bytes below the state directory, which the guard protects from reading.

use crate::policy;
use checkrein_secrets::Key;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

const NAME: &str = "secrets.key";

/// Returns the key of this machine, and makes it if there is none. Where none can be kept, it is a new one for this run.
/// Without any randomness there is no key: a known one would let a reader of a tag guess the value.
pub(super) fn of_this_machine() -> io::Result<Key> {
    let places = policy::places(None, &checkrein::Session::default());
    let kept = places.state.as_deref().and_then(|state| read(state).or_else(|_| make(state)).ok());
    Ok(Key::new(kept.map_or_else(random, Ok)?))
}

fn read(state: &Path) -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    File::open(state.join(NAME))?.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Makes the key. Of two processes at once, both use the one that came first.
fn make(state: &Path) -> io::Result<[u8; 32]> {
    let key = random()?;
    fs::create_dir_all(state)?;
    let unfinished = state.join(format!("{NAME}.{}", std::process::id()));
    let written = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished);
    let written = written.and_then(|mut file| file.write_all(&key));
    let linked = written.and_then(|()| fs::hard_link(&unfinished, state.join(NAME)));
    // A file that is left behind is useless, not wrong.
    let _ = fs::remove_file(&unfinished);
    linked.map(|()| key).or_else(|_| read(state))
}

fn random() -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}
