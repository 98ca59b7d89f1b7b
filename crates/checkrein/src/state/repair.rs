//! The permission to ignore a broken configuration, which a user gives for a while at a terminal (`checkrein repair`).

use super::{now, secure_fs};
use std::{fs, path::Path};

/// Name of the permission's file in the state directory. It holds the second at which the permission expires.
pub const PERMIT: &str = "repair-until";

/// Length of the longest permission.
pub const MOST_MINUTES: u16 = 120;

/// Returns true if a user has allowed a broken configuration to be ignored, and the permission has not expired.
pub fn is_allowed(state: Option<&Path>) -> bool {
    let Some(state) = state else { return false };
    let permit = state.join(PERMIT);
    let is_ours =
        fs::symlink_metadata(&permit).is_ok_and(|permit| permit.is_file() && secure_fs::is_ours(&permit));
    let until = fs::read_to_string(&permit).ok().and_then(|text| text.trim().parse().ok());
    // A permission that seems to last longer than the maximum was given before the clock was set back.
    let now = now();
    is_ours && until.is_some_and(|until: u64| (now..now + 60 * u64::from(MOST_MINUTES)).contains(&until))
}
