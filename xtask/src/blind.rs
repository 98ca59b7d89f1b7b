//! The figures on commands by authors who had not seen the guard, and the held-out lists.

use crate::{Failed, Result, cannot, cargo, root, run, say};
use sealed::{FILE, veil};
use std::fs;

#[path = "../../crates/guard/tests/support/sealed.rs"]
mod sealed;

/// The variable that makes the test write its figures into the README.
const UPDATE: &str = "CHECKREIN_UPDATE_FIGURES";

/// Writes the figures into the README.
pub(crate) fn figures() -> Result<()> {
    run(cargo().args(["test", "--package", "checkrein-guard", "--test", "blind"]).env(UPDATE, "1"))
}

/// Adds a list to the held-out ones. Its content is not shown.
pub(crate) fn seal(list: &str) -> Result<()> {
    let file = root().join(FILE);
    let here = std::env::current_dir().unwrap_or_default().join(list);
    let more = fs::read_to_string(&here).map_err(|error| cannot("read", list, &error))?;
    if let Some(number) =
        more.lines().position(|line| serde_json::from_str::<serde_json::Value>(line).is_err())
    {
        return Err(Failed::Because(format!("`{list}`: line {} is not JSON", number + 1)));
    }
    let mut all = veil(&fs::read(&file).unwrap_or_default());
    all.extend(more.lines().flat_map(|line| format!("{line}\n").into_bytes()));
    fs::write(&file, veil(&all)).map_err(|error| cannot("write", FILE, &error))?;
    say(&format!(
        "{} commands are held back; delete `{list}`",
        all.iter().filter(|byte| **byte == b'\n').count()
    ));
    Ok(())
}
