//! `checkrein undo`: restores what a call destroyed.

mod show;

use crate::{
    args::Undo,
    authority::Authority,
    exit::ExitStatus,
    policy,
    term::{confirm, data, err, out, style},
};
use anyhow::{Context, bail};
use checkrein::{
    Disk, Policy, Session,
    guard::{CallContext, Places, Tag, Zone},
    trail,
    undo::{self, Choice, Head, Plan, Record, Restored, Status, Store, Summary},
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The number of paths that are shown of each kind.
const SHOWN: usize = 20;

pub(crate) fn run(arguments: &Undo, authority: &Authority) -> anyhow::Result<ExitStatus> {
    let store = store()?;
    let here = std::env::current_dir().context("the working directory is not known")?;
    if arguments.list {
        return Ok(list(&store, (!arguments.all).then_some(&here), arguments.json));
    }
    if arguments.prune {
        let removed = store.prune().context("the store cannot be locked")?;
        out!("Removed {}.", records(removed.len()));
        return Ok(ExitStatus::Success);
    }
    if let Some(id) = &arguments.forget {
        if store.open(id).context("what was kept cannot be read")?.is_none() {
            return no_such_id(id);
        }
        if !authority.confirms(&format!("Remove what was kept under `{}` for good?", style::harmless(id)))? {
            out!("Nothing was removed.");
            return Ok(ExitStatus::Failure);
        }
        return match store.forget(id).context("it cannot be removed")? {
            true => {
                out!("Forgot `{}`.", style::harmless(id));
                Ok(ExitStatus::Success)
            }
            false => no_such_id(id),
        };
    }
    let wanted = match arguments.show.as_ref().or(arguments.id.as_ref()) {
        Some(id) => id.clone(),
        None => last(&store, &here)?,
    };
    let Some(record) = store.open(&wanted).context("what was kept cannot be read")? else {
        return no_such_id(&wanted);
    };
    if arguments.show.is_some() {
        return show::show(&record, arguments.json);
    }
    match &arguments.to {
        Some(directory) => copy(&record, directory, arguments),
        None => restore(&store, &record, arguments),
    }
}

fn store() -> anyhow::Result<Store> {
    let places = policy::places(None, &Session::default());
    let state = places.state.clone().context("HOME is not set, so nothing was kept")?;
    // A broken configuration must not keep a user from restoring.
    let store = Policy::load(&places).ok().and_then(|policy| undo::store(&policy));
    Ok(store.unwrap_or_else(|| Store::new(undo::directory(&state))))
}

fn no_such_id(id: &str) -> anyhow::Result<ExitStatus> {
    bail!(
        "nothing was kept under `{}`\n\nhint: `checkrein undo --list --all` shows what was",
        style::harmless(id)
    )
}

/// Returns true if something was kept for the project that a directory is in.
fn is_of(summary: &Summary, here: &Path) -> bool {
    summary.head.project.as_ref().is_some_and(|project| here.starts_with(project))
}

fn last(store: &Store, here: &Path) -> anyhow::Result<String> {
    let of_project = |summary: &Summary| is_of(summary, here) && summary.head.restores.is_none();
    match store.list().into_iter().find(of_project) {
        Some(summary) => Ok(summary.id),
        None => bail!(
            "nothing was kept for this project\n\nhint: `checkrein undo --list --all` shows all projects"
        ),
    }
}

fn list(store: &Store, here: Option<&PathBuf>, as_json: bool) -> ExitStatus {
    let summaries = store.list();
    let shown: Vec<&Summary> =
        summaries.iter().filter(|summary| here.is_none_or(|here| is_of(summary, here))).collect();
    for summary in &shown {
        if as_json {
            data!("{}", style::json(summary_to_json(summary)));
        } else {
            let call = style::one_line(&summary.head.summary);
            out!("{}  {}  {}  {call}", summary.id, time(summary.made), what(summary));
        }
    }
    if shown.is_empty() && !as_json {
        err!("checkrein: nothing was kept{}", if here.is_some() { " for this project" } else { "" });
    }
    ExitStatus::Success
}

fn summary_to_json(summary: &Summary) -> Value {
    json!({
        "id": summary.id,
        "time": time(summary.made),
        "session": summary.head.session,
        "summary": summary.head.summary,
        "files": summary.files,
        "bytes": summary.bytes,
        "git": summary.git,
        "expires": time(summary.expires),
    })
}

fn restore(store: &Store, record: &Record, arguments: &Undo) -> anyhow::Result<ExitStatus> {
    let plan = Plan::of(record).context("the files cannot be compared")?;
    if arguments.dry_run || !arguments.json {
        present(&plan, arguments);
    }
    let todo = plan.iter().any(|(_, status)| match status {
        Status::Missing | Status::AsLeft => true,
        Status::Changed => arguments.force,
        Status::Same | Status::InTheWay => false,
    });
    if arguments.dry_run {
        return Ok(ExitStatus::success_if(conflicts(&plan, arguments.force).next().is_none()));
    }
    if todo && !arguments.yes && !confirm::agrees("Restore this?", || drop(show::show(record, false)))? {
        out!("Nothing was restored.");
        return Ok(ExitStatus::Failure);
    }
    let head = Head {
        summary: format!("checkrein undo {}", record.summary.id),
        project: record.summary.head.project.clone(),
        session: record.summary.head.session.clone(),
        restores: Some(record.summary.id.clone()),
        ..Head::default()
    };
    let protected = Protected::new(record);
    let refuses = |path: &Path| protected.refusal(path);
    let choice = Choice { force: arguments.force, refuses: &refuses };
    let restored = plan.restore(store, &head, &choice);
    let restored = restored.context("what is there now cannot be kept, so nothing was changed")?;
    Ok(report(&restored, arguments.json))
}

fn copy(record: &Record, directory: &Path, arguments: &Undo) -> anyhow::Result<ExitStatus> {
    let base = record.summary.head.project.as_deref().map(Path::new);
    let copied = record.copy_to(directory, base, &|_| None).context("the copies cannot be written")?;
    Ok(report(&copied, arguments.json))
}

/// The paths that are never restored: what protects the user, and what git runs or obeys.
struct Protected {
    places: Places,
}

impl Protected {
    fn new(record: &Record) -> Self {
        let project = record.summary.head.project.clone();
        let place = CallContext { cwd: project.clone(), project, ..CallContext::default() };
        Self { places: Places::new(&place, &Disk) }
    }

    fn refusal(&self, path: &Path) -> Option<String> {
        let (zone, tags) = self.places.of(&path.to_string_lossy());
        let tag = tags.iter().find(|tag| {
            matches!(
                tag,
                Tag::Checkrein
                    | Tag::Remembered
                    | Tag::AgentHooks
                    | Tag::GitHooks
                    | Tag::Autostart
                    | Tag::Holder
            )
        });
        match (tag, zone) {
            (Some(tag), _) => Some(format!("protected ({tag})")),
            (None, Zone::System | Zone::Device | Zone::Root) => {
                Some("protected (it belongs to the system)".to_owned())
            }
            (None, _) => None,
        }
    }
}

fn conflicts<'p>(plan: &'p Plan<'_>, force: bool) -> impl Iterator<Item = (&'p Path, Status)> {
    let is_one = move |status: Status| status == Status::InTheWay || status == Status::Changed && !force;
    plan.iter()
        .filter(move |(_, status)| is_one(*status))
        .map(|(entry, status)| (entry.path.as_path(), status))
}

/// Shows what restoring would do.
fn present(plan: &Plan<'_>, arguments: &Undo) {
    let summary = &plan.record.summary;
    if arguments.json {
        let paths = |wanted: &[Status]| -> Vec<Value> {
            let found = plan.iter().filter(|(_, status)| wanted.contains(status));
            found.map(|(entry, _)| entry.path.to_string_lossy().into()).collect()
        };
        let report = json!({
            "would_restore": paths(&[Status::Missing, Status::AsLeft]),
            "conflicts": paths(&[Status::Changed, Status::InTheWay]),
            "unchanged": paths(&[Status::Same]).len(),
        });
        data!("{}", style::json(report));
        return;
    }
    out!("{}: {}, kept as of {}", summary.id, what(summary), time(summary.made));
    out!("  {}", style::one_line(&summary.head.summary));
    for why in &summary.head.left_out {
        out!("  not kept: {}", style::one_line(why));
    }
    for (word, wanted) in [
        ("missing", Status::Missing),
        ("changed by the call", Status::AsLeft),
        ("changed since", Status::Changed),
        ("in the way", Status::InTheWay),
    ] {
        let found: Vec<&Path> = plan
            .iter()
            .filter(|(entry, status)| *status == wanted && (entry.is_file() || wanted == Status::InTheWay))
            .map(|(entry, _)| entry.path.as_path())
            .collect();
        for path in found.iter().take(SHOWN) {
            out!("  {word}: {}", style::harmless(&path.to_string_lossy()));
        }
        if found.len() > SHOWN {
            out!("  {word}: {} more", found.len() - SHOWN);
        }
    }
}

fn report(restored: &Restored, as_json: bool) -> ExitStatus {
    let complete = restored.conflicts.is_empty() && restored.skipped.is_empty();
    if as_json {
        let text = |path: &Path| Value::from(path.to_string_lossy());
        let skipped = restored.skipped.iter().map(|(path, why)| json!({"path": text(path), "why": why}));
        let report = json!({
            "restored": restored.restored.iter().map(|path| text(path)).collect::<Vec<_>>(),
            "conflicts": restored.conflicts.iter().map(|conflict| text(&conflict.path)).collect::<Vec<_>>(),
            "skipped": skipped.collect::<Vec<_>>(),
            "undo": restored.undo.as_ref().map(|undo| undo.id.as_str()),
        });
        data!("{}", style::json(report));
        return ExitStatus::success_if(complete);
    }
    for conflict in restored.conflicts.iter().take(SHOWN) {
        let why = match conflict.status {
            Status::InTheWay => "something else is there",
            _ => "changed since; `--force` replaces it",
        };
        err!("checkrein: not restored: {} ({why})", style::harmless(&conflict.path.to_string_lossy()));
    }
    for (path, why) in restored.skipped.iter().take(SHOWN) {
        err!(
            "checkrein: not restored: {} ({})",
            style::harmless(&path.to_string_lossy()),
            style::one_line(why)
        );
    }
    match (restored.restored.len(), complete) {
        (0, true) => out!("Nothing to restore: everything is as it was kept."),
        (many, _) => out!("Restored {}.", restored_files(many, restored.of_git)),
    }
    if let Some(undo) = &restored.undo {
        out!("To take this back: checkrein undo {}", undo.id);
    }
    ExitStatus::success_if(complete)
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

/// Returns what a record has, in a few words.
fn what(summary: &Summary) -> String {
    restored_files(summary.files + usize::from(summary.git), usize::from(summary.git))
}

fn restored_files(all: usize, of_git: usize) -> String {
    match (all - of_git.min(all), of_git) {
        (count, 0) => files(count),
        (0, _) => "the state of git".to_owned(),
        (count, _) => format!("{} and the state of git", files(count)),
    }
}

fn records(count: usize) -> String {
    if count == 1 { "1 record".to_owned() } else { format!("{count} records") }
}

/// Returns a time to the second.
fn time(micros: u64) -> String {
    let exact = trail::format_time(micros);
    exact.split_once('.').map_or(exact.clone(), |(whole, _)| format!("{whole}Z"))
}
