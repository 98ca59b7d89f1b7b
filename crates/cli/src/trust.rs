//! `checkrein trust`: a user looks at a project's hooks, and says yes to exactly what they saw.

use crate::out::out;
use crate::{args::Trust, authority::Authority, check, paint, policy};
use anyhow::{Context, bail};
use checkrein::{
    ConfiguredHook, HookStatus, Layer, LayeredConfig, Session,
    trust::{Content, Store},
};
use std::{path::Path, process::ExitCode};

pub(crate) fn run(trust: &Trust, authority: &Authority) -> anyhow::Result<ExitCode> {
    let cwd = check::working_directory(trust.cwd.as_deref())?;
    let session = Session { cwd: Some(cwd.clone()), ..Session::default() };
    let places = policy::places(None, &session);
    let state = places.state.as_deref().context("there is no home directory to remember trust in")?;
    let store = Store::new(state);
    let stack = LayeredConfig::load(&places)?;
    let wanted = |row: &ConfiguredHook<'_>| {
        row.config.layer() == Layer::Project && (trust.names.is_empty() || trust.names.contains(&row.label()))
    };
    let rows: Vec<ConfiguredHook<'_>> = stack.rows(None).into_iter().filter(wanted).collect();
    let disables: Vec<Content> = stack.untrusted_disables().into_iter().collect::<Result<_, _>>()?;
    if rows.is_empty() && disables.is_empty() {
        bail!("no hook of a project matches in `{cwd}`");
    }
    if trust.revoke {
        return revoke(&store, &rows, authority);
    }
    let mut contents = Vec::new();
    let mut left_out = Vec::new();
    for row in &rows {
        if row.status == HookStatus::Active {
            out!("{} is trusted already.\n", paint::harmless(&row.label()));
            continue;
        }
        let content = row.content().with_context(|| format!("`{}` cannot be read", row.label()))?;
        show(&content, row);
        if content.uncovered.is_empty() || trust.uncovered {
            contents.push(content);
        } else {
            left_out.push(paint::harmless(&content.label));
        }
    }
    if trust.names.is_empty() {
        for content in disables {
            out!(
                "{} takes hooks of yours away: {}\n",
                content.config.display(),
                paint::harmless(&content.definition.to_string())
            );
            contents.push(content);
        }
    }
    for label in &left_out {
        out!(
            "{label} is left out: trust does not cover all of it. Write it as is said there, or accept that with \
             `checkrein trust --uncovered`."
        );
    }
    let exit = if left_out.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) };
    if contents.is_empty() {
        return Ok(exit);
    }
    if !authority.confirms("Let all of this run with your rights whenever an agent works here?")? {
        out!("Nothing was trusted.");
        return Ok(ExitCode::from(1));
    }
    // What was shown is what is remembered: the files are not read again.
    for content in &contents {
        let remembered = if trust.uncovered { store.trust_uncovered(content) } else { store.trust(content) };
        remembered.with_context(|| format!("`{}` cannot be remembered", content.label))?;
    }
    out!("Trusted. A changed byte takes the trust away.");
    Ok(exit)
}

fn revoke(store: &Store, rows: &[ConfiguredHook<'_>], authority: &Authority) -> anyhow::Result<ExitCode> {
    // Hooks that do not run any more protect nothing.
    for row in rows {
        out!("{} on {}", paint::harmless(&row.label()), row.event());
    }
    if !authority.confirms("Take the trust away, so that none of these runs?")? {
        out!("Nothing was changed.");
        return Ok(ExitCode::from(1));
    }
    for row in rows {
        let was = row.revoke(store)?;
        out!(
            "{}: {}",
            paint::harmless(&row.label()),
            if was { "no longer trusted" } else { "was not trusted" }
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn show(content: &Content, row: &ConfiguredHook<'_>) {
    let path = |path: &Path| paint::harmless(&path.to_string_lossy());
    out!("{} on {}, from {}", paint::harmless(&content.label), content.event, path(&content.config));
    if let HookStatus::Changed(what) = &row.status {
        out!("  changed since you trusted it: {}", paint::harmless(what));
    }
    out!("  runs: {}", paint::harmless(&content.command));
    out!("  {}", paint::harmless(&content.definition.to_string()));
    for uncovered in &content.uncovered {
        out!("  not covered: `{}`: {}", paint::harmless(&uncovered.word), uncovered.why);
        out!("    {}", uncovered.why.instead());
    }
    for path in &content.absent {
        out!("  not there yet: `{}`; if it appears, this is not trusted any more", paint::harmless(path));
    }
    for file in &content.files {
        out!("\n  {} ({}, {} bytes)", paint::harmless(&file.name), path(&file.target), file.len());
        out!("  sha256 {}", file.sha256);
        match file.text() {
            Some(text) => text.lines().for_each(|line| out!("    | {}", paint::harmless(line))),
            None => out!("    | (not a text)"),
        }
    }
    out!();
}
