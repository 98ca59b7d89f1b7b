//! Findings about the trail: where it is, and whether a host ran what was denied.

use super::Finding;
use crate::policy;
use checkrein::{
    Session, TrailSettings,
    trail::{self, Level, Reader},
};
use std::path::Path;

/// Adds what is to be said about the trail.
pub(super) fn report(settings: TrailSettings, facts: &mut Vec<String>, findings: &mut Vec<Finding>) {
    let Some(state) = policy::places(None, &Session::default()).state else { return };
    if settings.level == Level::Off {
        facts.push("trail: off".to_owned());
        return;
    }
    let directory = trail::directory(&state);
    facts.push(format!("trail: {}", directory.display()));
    if let Ok(elsewhere) = std::fs::read_link(&directory) {
        findings.push(Finding::note(
            "trail-elsewhere",
            format!(
                "the state directory is on a network file system, where locks are not reliable; the trail of this machine is in `{}`",
                elsewhere.display()
            ),
            "nothing has to be done",
        ));
    }
    let disobeyed = disobeyed(&directory);
    if disobeyed > 0 {
        findings.push(Finding::problem(
            "host-disobeyed",
            format!("an agent ran {disobeyed} calls that were denied"),
            "`checkrein log --verify` names them; look at the agent's version and settings",
        ));
    }
}

/// Returns how many results of denied calls there are.
fn disobeyed(directory: &Path) -> usize {
    let Ok(reader) = Reader::open(directory) else { return 0 };
    reader.flatten().filter_map(|stored| stored.record).filter(|record| record.is("alarm")).count()
}
