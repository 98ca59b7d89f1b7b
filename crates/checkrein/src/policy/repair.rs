//! The permit to pass over a broken configuration, which a user at a terminal gives for a while (`checkrein repair`).

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

/// The file of the permit, in the directory of our state. It holds the second at which it ends.
pub const PERMIT: &str = "repair-until";

/// The longest permit.
pub const MOST_MINUTES: u16 = 120;

/// Whether a user has allowed that a broken configuration is passed over, and the time is not up.
pub fn is_allowed(state: Option<&Path>) -> bool {
    let Some(state) = state else { return false };
    let permit = state.join(PERMIT);
    let ours = fs::symlink_metadata(&permit).is_ok_and(|permit| {
        permit.is_file() && permit.uid() == rustix::process::geteuid().as_raw() && permit.mode() & 0o077 == 0
    });
    let until = fs::read_to_string(&permit).ok().and_then(|text| text.trim().parse().ok());
    // No permit is for longer than the longest that can be given.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    ours && until.is_some_and(|until: u64| (now..now + 60 * u64::from(MOST_MINUTES)).contains(&until))
}
