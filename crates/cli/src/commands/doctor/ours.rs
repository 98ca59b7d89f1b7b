//! Findings about checkrein itself: the program and the configuration.

use super::{Finding, Report, trail, verdict::MONITOR};
use crate::{
    caller,
    commands::monitor,
    install::{
        elf,
        program::{self, Unfit},
    },
    policy,
    sys::processes,
};
use checkrein::{LayeredConfig, MonitorMode, MonitorState, Session, trail::Level};
use serde_json::json;
use std::path::Path;

/// Reports on the program and the configuration.
pub(crate) fn report() -> Report {
    let program = program::stable();
    let mut findings = Vec::new();
    let path = match &program {
        Ok(program) => {
            findings.extend(place(program));
            findings.extend(program::doubt(program).map(|doubt| {
                Finding::warning("program-passing", doubt, "if this file disappears, agents run unchecked")
            }));
            findings.extend(dynamic(program));
            findings.extend(untried(std::env::consts::OS));
            Some(program.to_string_lossy().into_owned())
        }
        Err(error) => {
            findings.push(Finding::problem(
                "program-unknown",
                format!("{error:#}"),
                "install checkrein under its own name",
            ));
            None
        }
    };
    if !caller::can_see_parents() {
        findings.push(Finding::note(
            "lineage-unchecked",
            "the process table cannot be read, so checkrein cannot detect that an agent started a command for users; only the \
             confirmation at the terminal protects them",
            processes::VISIBILITY_HINT,
        ));
    }
    let mut facts = Vec::new();
    let (mut policy, mut files) = (None, Vec::new());
    match stack() {
        Ok(stack) => {
            policy = Some(stack.policy_hash());
            files.extend(stack.configs().iter().map(|config| {
                json!({"layer": config.layer().to_string(), "path": config.path().to_string_lossy(), "hash": config.hash()})
            }));
            for config in stack.configs() {
                facts.push(format!("{} configuration: {}", config.layer(), config.path().display()));
            }
            findings.extend(monitor(&stack));
            trail::report(stack.trail(), &mut facts, &mut findings);
        }
        Err(problems) => findings.push(Finding::problem(
            "configuration-broken",
            format!("the configuration is broken, so all preventable actions will be denied: {problems}"),
            "run `checkrein hooks --check` for details",
        )),
    }
    let version = env!("CARGO_PKG_VERSION");
    let shown = path.as_deref().map(|path| format!(" {path}")).unwrap_or_default();
    Report {
        name: "checkrein".to_owned(),
        title: format!("checkrein {version}{shown}"),
        fields: json!({"program": path, "version": version, "policy": {"hash": policy, "files": files}}),
        facts,
        findings,
    }
}

/// Reports monitor mode: while it is on, nothing is blocked.
fn monitor(stack: &LayeredConfig) -> Vec<Finding> {
    let one = |mode: &MonitorMode<'_>| {
        let text = monitor::sentence(mode);
        match mode.state {
            MonitorState::Active if stack.trail().level == Level::Off => Finding::problem(
                "monitor-unrecorded",
                format!("{text} But the trail is off, so nothing is recorded"),
                "remove `trail = \"off\"` from the configuration, or run `checkrein monitor --off`",
            ),
            MonitorState::Active => {
                Finding::warning(MONITOR, text, "to block again, run `checkrein monitor --off`")
            }
            MonitorState::Expired => Finding::note(
                "monitor-ended",
                text,
                "remove `[monitor]`, for example with `checkrein monitor --off`",
            ),
            MonitorState::Refused(_) => {
                Finding::note("monitor-refused", text, "remove `[monitor]` from the file")
            }
        }
    };
    stack.monitor_modes().iter().map(one).collect()
}

/// Returns a note if the program is dynamically linked: the loader can fail before it can deny anything.
fn dynamic(program: &Path) -> Option<Finding> {
    elf::is_dynamic(program).then(|| {
        Finding::note(
            "program-dynamic",
            format!(
                "`{}` is dynamically linked: if the loader fails, for example for lack of memory, it exits without an answer",
                program.display()
            ),
            "install the static build of `cargo xtask dist` on your PATH, and run `checkrein init`",
        )
    })
}

/// Returns a note if the program was never tried on this system.
fn untried(system: &str) -> Option<Finding> {
    (system != "linux").then(|| {
        Finding::note(
            "system-untried",
            format!("checkrein was built for {system}, but its tests have never run there"),
            "make a harmless call that one of your rules denies, and check that the agent obeys",
        )
    })
}

/// Returns a finding if the location of a program is not safe.
pub(crate) fn place(program: &Path) -> Option<Finding> {
    let unfit = program::unfit(program)?;
    let (text, fix) = (unfit.to_string(), unfit.fix());
    Some(match unfit {
        Unfit::Open(..) => Finding::problem("program-writable", text, fix),
        Unfit::Temporary(_) => Finding::warning("program-temporary", text, fix),
        Unfit::Project(..) => Finding::warning("program-in-project", text, fix),
        Unfit::Versioned(_) => Finding::warning("program-versioned", text, fix),
        Unfit::Unseen(..) => Finding::warning("program-unseen", text, fix),
    })
}

/// Returns the layers that are active in this directory.
pub(crate) fn stack() -> Result<LayeredConfig, String> {
    let cwd = std::env::current_dir().ok().map(|directory| directory.to_string_lossy().into_owned());
    let project_dir = policy::project_dir();
    let session = Session { cwd, project_dir, ..Session::default() };
    let stack = checkrein::whole(LayeredConfig::load(&policy::places(None, &session)));
    stack.map_err(|problems| problems.one_line())
}

#[cfg(test)]
mod tests {
    use super::untried;

    #[test]
    fn a_system_without_tests_is_named() {
        assert!(untried("linux").is_none());
        assert!(untried("macos").is_some_and(|finding| finding.text.contains("macos")));
    }
}
