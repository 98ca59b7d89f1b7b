//! Our own part: the program and the configuration.

use super::{Finding, Report};
use crate::{install::program, policy};
use checkrein::{Session, Stack, variable};
use serde_json::json;

/// What is to be said of ourselves.
pub(crate) fn report() -> Report {
    let program = program::stable();
    let mut findings = Vec::new();
    let path = match &program {
        Ok(program) => {
            findings.extend(program::doubt(program).map(|doubt| {
                Finding::warning("program-passing", doubt, "an agent whose hook is gone asks nobody")
            }));
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
    let mut facts = Vec::new();
    match stack() {
        Ok(stack) => {
            for config in stack.configs() {
                facts.push(format!("{} configuration: {}", config.layer(), config.path().display()));
            }
        }
        Err(problems) => findings.push(Finding::problem(
            "configuration-broken",
            format!("the configuration is broken, so that agents are denied what can be denied: {problems}"),
            "`checkrein hooks --check` shows what is wrong",
        )),
    }
    let version = env!("CARGO_PKG_VERSION");
    let shown = path.as_deref().map(|path| format!(" {path}")).unwrap_or_default();
    Report {
        title: format!("checkrein {version}{shown}"),
        fields: json!({"program": path, "version": version}),
        facts,
        findings,
    }
}

/// The layers in force in this folder.
pub(crate) fn stack() -> Result<Stack, String> {
    let cwd = std::env::current_dir().ok().map(|folder| folder.to_string_lossy().into_owned());
    let project_dir = variable("CLAUDE_PROJECT_DIR").map(|folder| folder.to_string_lossy().into_owned());
    let session = Session { cwd, project_dir, ..Session::default() };
    let stack = policy::whole(Stack::load(&policy::places(None, &session)));
    stack.map_err(|problems| problems.one_line())
}
