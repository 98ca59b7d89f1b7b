//! `checkrein test`: runs the tests of a policy through the same code as `check` and `hook`.

mod find;
mod junit;
mod trusted;

use crate::{
    args::Test,
    exit::ExitStatus,
    policy,
    term::{data, out, style},
};
use anyhow::{Context, bail};
use checkrein::{
    ConfigError, LayeredConfig, Places, Policy, Session,
    cases::{Case, Difference, TEST_SUFFIX, TestFile},
};
use find::{Chosen, Found};
use serde_json::{Value, json};
use std::{
    io::{IsTerminal, stderr},
    path::{Path, PathBuf},
};
use trusted::Trusting;

pub(crate) fn run(test: &Test) -> anyhow::Result<ExitStatus> {
    let here = std::env::current_dir().context("the working directory no longer exists")?;
    let config = test.config.as_deref().map(std::path::absolute).transpose()?;
    let found = if test.files.is_empty() {
        find::next_to(&stack(&layers(config.as_deref(), &here))?, &here)?
    } else {
        find::named(&test.files)?
    };
    if found.is_empty() {
        bail!("{}", nothing_found());
    }
    let files = read(&found)?;
    let trusting = test.as_trusted.then(Trusting::start).transpose()?;
    let mut results = Vec::new();
    for file in &files {
        let policy = policy_of(file, config.as_deref(), trusting.as_ref())?;
        for case in file.cases() {
            results.push(Result { file: file.path(), case, differences: ask(&policy, case) });
        }
    }
    let failed = results.iter().filter(|result| !result.differences.is_empty()).count();
    if let Some(path) = &test.junit {
        std::fs::write(path, junit::report(&results))
            .with_context(|| format!("cannot write `{}`", style::harmless(&path.to_string_lossy())))?;
    }
    if test.json {
        data!("{}", style::json(as_json(&results, failed)));
    } else {
        results.iter().filter(|result| !result.differences.is_empty()).for_each(show);
        out!("{} passed, {failed} failed", results.len() - failed);
        if !test.as_trusted && results.iter().any(Result::needs_trust) {
            out!("hint: `checkrein test --as-trusted` runs the project's hooks without trust, for CI");
        }
    }
    Ok(ExitStatus::success_if(failed == 0))
}

/// The result of one case.
struct Result<'a> {
    file: &'a Path,
    case: &'a Case,
    differences: Vec<Difference>,
}

impl Result<'_> {
    /// Returns true if a hook was not called.
    fn needs_trust(&self) -> bool {
        self.differences.iter().any(|difference| difference.field == HOOKS)
    }
}

/// The field of a difference that a hook could not be called.
const HOOKS: &str = "hooks";

/// Returns the paths of the layers that are active in `directory`.
fn layers(config: Option<&Path>, directory: &Path) -> Places {
    let session = Session { cwd: Some(directory.to_string_lossy().into_owned()), ..Session::default() };
    policy::places(config, &session)
}

fn broken(problems: &ConfigError) -> anyhow::Error {
    anyhow::anyhow!("the configuration is broken\n{}", problems.for_user(stderr().is_terminal()))
}

fn stack(places: &Places) -> anyhow::Result<LayeredConfig> {
    checkrein::whole(LayeredConfig::load(places)).map_err(|problems| broken(&problems))
}

/// Reads every file, or returns all mistakes of all files.
fn read(found: &[Found]) -> anyhow::Result<Vec<TestFile>> {
    let mut files = Vec::new();
    let mut mistakes: Vec<String> = Vec::new();
    for Found { path, chosen } in found {
        match TestFile::load(path) {
            Err(problems) => mistakes.push(problems.to_string()),
            Ok(file) if *chosen == Chosen::ByProject && file.config().is_some() => mistakes.push(format!(
                "{0}: a test file of a project cannot set `config`, which chooses the hooks to run\n\
                 hint: remove `config`, or name the file: `checkrein test {0}`",
                style::harmless(&path.display().to_string()),
            )),
            Ok(file) => files.push(file),
        }
    }
    match mistakes.as_slice() {
        [] => Ok(files),
        mistakes => bail!("a test file is broken\n{}", mistakes.join("\n\n")),
    }
}

/// Returns the policy for the cases of a file: only the configuration that it names, or the layers that are
/// active in its directory. A broken one is a broken test, not a denial.
fn policy_of(file: &TestFile, config: Option<&Path>, trusting: Option<&Trusting>) -> anyhow::Result<Policy> {
    let mut places = match file.config() {
        Some(own) => Places::default().flag(Some(&shortest(own))),
        None => layers(config, file.directory()),
    };
    if let Some(trusting) = trusting {
        places.state = Some(trusting.state().to_owned());
        trusting.trust(&stack(&places)?)?;
    }
    stack(&places)?;
    Policy::load_or_repair(&places).map_err(|problems| broken(&problems))
}

/// Returns a path as a user in this directory would write it.
fn shortest(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).to_owned()
}

/// Runs one case. If a hook could not be called, the result does not show what the policy does.
fn ask(policy: &Policy, case: &Case) -> Vec<Difference> {
    let active = policy.for_event(&case.payload, &policy::edge());
    let mut differences = case.expected.compare(&active.dispatcher.decide(case.payload.clone()));
    if !active.remarks.is_empty() {
        let expected = "all hooks can run".to_owned();
        differences.push(Difference { field: HOOKS, expected, found: active.remarks.join("\n") });
    }
    differences
}

fn nothing_found() -> String {
    format!(
        "there is no `*{TEST_SUFFIX}` file next to an active configuration file\n\n\
         hint: write `policy{TEST_SUFFIX}` next to the configuration, for example\n\n    \
         [[case]]\n    \
         name = \"a force push is denied\"\n    \
         command = \"git push --force\"\n    \
         expect = \"deny\"\n\n\
         or name test files and directories: `checkrein test FILE`"
    )
}

fn show(result: &Result<'_>) {
    let Result { file, case, differences } = result;
    let place = style::harmless(&format!("{}:{}", file.display(), case.line));
    out!("{}  {place}: {}", bad("failed"), style::harmless(&case.name));
    for Difference { field, expected, found } in differences {
        out!("  {field}");
        out!("    expected  {}", good(&block(expected)));
        out!("    found     {}", bad(&block(found)));
    }
}

fn good(text: &str) -> String {
    format!("\x1b[32m{text}\x1b[0m")
}

fn bad(text: &str) -> String {
    format!("\x1b[31m{text}\x1b[0m")
}

/// Indents a text of several lines.
fn block(text: &str) -> String {
    let lines: Vec<String> = text.trim_end().lines().map(style::harmless).collect();
    lines.join("\n              ")
}

fn as_json(results: &[Result<'_>], failed: usize) -> Value {
    let case = |Result { file, case, differences }: &Result<'_>| {
        let differences: Vec<Value> = differences
            .iter()
            .map(|Difference { field, expected, found }| {
                json!({"field": field, "expected": expected, "found": found})
            })
            .collect();
        json!({
            "file": file.display().to_string(),
            "line": case.line,
            "name": case.name,
            "passed": differences.is_empty(),
            "differences": differences,
        })
    };
    let cases: Vec<Value> = results.iter().map(case).collect();
    json!({"passed": results.len() - failed, "failed": failed, "cases": cases})
}
