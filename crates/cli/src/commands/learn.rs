//! `checkrein learn`: shows and forgets which commands failed in a project, and what worked.

use crate::{
    args::{Learn, LearnCommand},
    authority::Authority,
    exit::ExitStatus,
    policy,
    term::{data, out, style},
};
use anyhow::{Context, bail};
use checkrein::{
    Policy, Session,
    learn::{self, Lesson, Memory, ProjectMemory, project_of, shared_text},
    trail,
};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The number of days if no configuration can be read.
const DAYS: u32 = 30;

pub(crate) fn run(learn: &Learn, authority: &Authority) -> anyhow::Result<ExitStatus> {
    let here = std::env::current_dir().context("the working directory is not known")?;
    let (memory, is_on) = memory()?;
    let all = memory.all();
    match &learn.command {
        LearnCommand::List(arguments) => {
            Ok(list(&all, (!arguments.all).then_some(&here), arguments.json, is_on))
        }
        LearnCommand::Show(arguments) => {
            let (project, lesson) = found(&all, &here, &arguments.id)?;
            show(project, lesson, arguments.json);
            Ok(ExitStatus::Success)
        }
        LearnCommand::Forget(arguments) => match &arguments.id {
            Some(id) => {
                let (project, lesson) = found(&all, &here, id)?;
                let question = format!("Forget that `{}` failed?", lesson.failed);
                forget(&memory, &project.project, &question, authority, |known| known.id() == *id)
            }
            None => {
                let Some(project) = project_of(&all, &here) else {
                    out!("Nothing is remembered about this project.");
                    return Ok(ExitStatus::Success);
                };
                let question = format!("Forget {} in this project?", failures(project.lessons.len()));
                forget(&memory, &project.project, &question, authority, |_| true)
            }
        },
        LearnCommand::Export(_) => {
            let lessons =
                project_of(&all, &here).map(|project| project.lessons.as_slice()).unwrap_or_default();
            data!("{}", shared_text(lessons).trim_end());
            Ok(ExitStatus::Success)
        }
    }
}

/// Returns the memory, and whether anything is added to it.
fn memory() -> anyhow::Result<(Memory, bool)> {
    let places = policy::places(None, &Session::default());
    let state = places.state.clone().context("HOME is not set, so nothing is remembered")?;
    // A broken configuration must not keep a user from looking.
    Ok(match Policy::load(&places) {
        Ok(policy) => {
            let settings = policy.stack().learning();
            (learn::memory(&policy).unwrap_or_else(|| Memory::new(&state, settings.days)), settings.on)
        }
        Err(_) => (Memory::new(&state, DAYS), false),
    })
}

fn found<'m>(
    all: &'m [ProjectMemory],
    here: &Path,
    id: &str,
) -> anyhow::Result<(&'m ProjectMemory, &'m Lesson)> {
    let project = project_of(all, here);
    let lesson = |project: &'m ProjectMemory| project.lessons.iter().find(|lesson| lesson.id() == id);
    match project.and_then(|project| Some((project, lesson(project)?))) {
        Some(found) => Ok(found),
        None => bail!(
            "nothing is remembered under `{}` for this project\n\nhint: `checkrein learn list` shows what is",
            style::harmless(id)
        ),
    }
}

fn list(all: &[ProjectMemory], here: Option<&PathBuf>, as_json: bool, is_on: bool) -> ExitStatus {
    let shown: Vec<&ProjectMemory> = match here {
        Some(here) => project_of(all, here).into_iter().collect(),
        None => all.iter().collect(),
    };
    for project in &shown {
        if here.is_none() && !as_json {
            out!("{}", style::harmless(&project.project.to_string_lossy()));
        }
        for lesson in &project.lessons {
            match as_json {
                true => data!("{}", style::json(to_json(project, lesson))),
                false => out!(
                    "{}  {}  `{}` failed ({}); `{}` worked",
                    lesson.id(),
                    day(lesson),
                    lesson.failed,
                    lesson.kind.shown(),
                    lesson.worked
                ),
            }
        }
    }
    if shown.is_empty() && !as_json {
        out!("Nothing is remembered{}.", if here.is_some() { " about this project" } else { "" });
        if !is_on {
            out!("To remember what fails, write `on = true` below `[learn]` into your configuration.");
        }
    }
    ExitStatus::Success
}

fn show(project: &ProjectMemory, lesson: &Lesson, as_json: bool) {
    if as_json {
        data!("{}", style::json(to_json(project, lesson)));
        return;
    }
    out!("failed:   {}", lesson.failed);
    out!("because:  {}", lesson.kind.shown());
    out!("worked:   {}", lesson.worked);
    out!("seen:     {}, last on {}", times(lesson.seen), day(lesson));
    out!("project:  {}", style::harmless(&project.project.to_string_lossy()));
    if !lesson.is_shareable() {
        out!("It applies to one command with exactly these words, so it is not exported.");
    }
}

fn forget(
    memory: &Memory,
    project: &Path,
    question: &str,
    authority: &Authority,
    is_meant: impl Fn(&Lesson) -> bool,
) -> anyhow::Result<ExitStatus> {
    if !authority.confirms(question)? {
        out!("Nothing was forgotten.");
        return Ok(ExitStatus::Failure);
    }
    let removed = memory.forget(project, is_meant).context("the memory cannot be written")?;
    out!("Forgot {}.", failures(removed));
    Ok(ExitStatus::Success)
}

fn to_json(project: &ProjectMemory, lesson: &Lesson) -> Value {
    let mut value = lesson.to_json();
    if let Some(fields) = value.as_object_mut() {
        fields.remove("rest");
        fields.insert("id".to_owned(), lesson.id().into());
        fields.insert("time".to_owned(), trail::format_time(lesson.time.saturating_mul(1_000_000)).into());
        fields.insert("project".to_owned(), project.project.to_string_lossy().into());
        fields.insert("shareable".to_owned(), lesson.is_shareable().into());
    }
    value
}

fn day(lesson: &Lesson) -> String {
    trail::format_time(lesson.time.saturating_mul(1_000_000)).chars().take(10).collect()
}

fn failures(count: usize) -> String {
    if count == 1 { "1 failure".to_owned() } else { format!("{count} failures") }
}

fn times(count: u32) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
