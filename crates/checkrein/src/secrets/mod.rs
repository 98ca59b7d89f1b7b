//! Keeps secrets out of what is shown and stored: the scanner of `checkrein-secrets` with the key of this machine.

mod key;

pub use checkrein_secrets::{Class, Finding, Key, Known, Redactor, Scanner, is_tag};
pub use key::machine_key;

use std::{io, path::Path};

/// Returns a redactor with the built-in rules and the key of this machine, for whatever is written to disk or shown: a log, a record
/// of a call, a report. `state` is the state directory, [`Places::state`](crate::Places).
///
/// ```no_run
/// # fn main() -> std::io::Result<()> {
/// let redactor = checkrein::secrets::redactor(None)?;
/// let (line, found) = redactor.text("PGPASSWORD=kR4vT9xQ2mWz7LpB psql");
/// assert_eq!(found.len(), 1);
/// # Ok(())
/// # }
/// ```
pub fn redactor(state: Option<&Path>) -> io::Result<Redactor> {
    Ok(Redactor::new(Scanner::new(), machine_key(state)?))
}
