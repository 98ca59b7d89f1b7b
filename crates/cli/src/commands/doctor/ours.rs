//! Our own part: the program and the configuration.

use super::{Finding, Report};
use crate::{
    caller,
    install::{
        elf,
        program::{self, Unfit},
    },
    policy,
};
use checkrein::{Session, Stack};
use serde_json::json;
use std::path::Path;

/// What is to be said of ourselves.
pub(crate) fn report() -> Report {
    let program = program::stable();
    let mut findings = Vec::new();
    let path = match &program {
        Ok(program) => {
            findings.extend(place(program));
            findings.extend(program::doubt(program).map(|doubt| {
                Finding::warning("program-passing", doubt, "an agent whose hook is gone asks nobody")
            }));
            findings.extend(dynamic(program));
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
            "the table of processes cannot be read here, so that commands for users do not see whether an agent started them; \
             the word at the terminal decides alone",
            "mount `/proc` without `hidepid` for those who run agents",
        ));
    }
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

/// A program that a loader must put together can die before it could deny anything.
fn dynamic(program: &Path) -> Option<Finding> {
    elf::is_dynamic(program).then(|| {
        Finding::note(
            "program-dynamic",
            format!(
                "`{}` is linked dynamically: killed in the loader, or with too little memory for it, it ends without an answer",
                program.display()
            ),
            "put the static program of `cargo xtask dist` on your PATH, and run `checkrein init`",
        )
    })
}

/// What is wrong with where a program lies.
pub(crate) fn place(program: &Path) -> Option<Finding> {
    let unfit = program::unfit(program)?;
    let (text, fix) = (unfit.to_string(), unfit.fix());
    Some(match unfit {
        Unfit::Open(..) => Finding::problem("program-writable", text, fix),
        Unfit::Temporary(_) => Finding::warning("program-temporary", text, fix),
        Unfit::Project(..) => Finding::warning("program-in-project", text, fix),
        Unfit::Unseen(..) => Finding::warning("program-unseen", text, fix),
    })
}

/// The layers active in this directory.
pub(crate) fn stack() -> Result<Stack, String> {
    let cwd = std::env::current_dir().ok().map(|directory| directory.to_string_lossy().into_owned());
    let project_dir = policy::project_dir();
    let session = Session { cwd, project_dir, ..Session::default() };
    let stack = checkrein::whole(Stack::load(&policy::places(None, &session)));
    stack.map_err(|problems| problems.one_line())
}
