//! Signs the checksums of a release with the key of the maintainer who releases it.

use crate::{Failed, Result, run, say};
use std::{path::Path, process::Command};

/// Signs `SHA256SUMS`, which names every other file. The key stays where it is; minisign asks for its password.
pub(super) fn sign(directory: &Path, key: &Path) -> Result<()> {
    if !key.is_file() {
        return Err(Failed::Because(format!(
            "there is no key `{}`\nhint: `minisign -G` makes one; its public half belongs into docs/install.md",
            key.display()
        )));
    }
    say("signing the checksums");
    let mut minisign = Command::new("minisign");
    minisign.arg("-S").arg("-s").arg(key).arg("-m").arg(directory.join("SHA256SUMS"));
    run(&mut minisign)
}
