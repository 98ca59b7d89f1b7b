//! `checkrein trust`: a user reviews a project's hooks and trusts exactly what was shown.

use crate::{
    args::Trust,
    authority::Authority,
    commands::check,
    exit::ExitStatus,
    install::diff,
    policy,
    term::{data, out, style},
};
use anyhow::{Context, bail};
use checkrein::{
    ConfiguredHook, HookStatus, Layer, LayeredConfig, Session,
    learn::shared_file,
    trust::{Content, Store, TrustState},
};
use std::path::Path;

pub(crate) fn run(trust: &Trust, authority: &Authority) -> anyhow::Result<ExitStatus> {
    let cwd = check::working_directory(trust.cwd.as_deref())?;
    let session = Session { cwd: Some(cwd.clone()), ..Session::default() };
    let places = policy::places(None, &session);
    let state = places.state.as_deref().context("HOME is not set; cannot store trust")?;
    let store = Store::new(state);
    let stack = LayeredConfig::load(&places)?;
    let wanted = |row: &ConfiguredHook<'_>| {
        row.config.layer() == Layer::Project && (trust.names.is_empty() || trust.names.contains(&row.label()))
    };
    let rows: Vec<ConfiguredHook<'_>> = stack.rows(None).into_iter().filter(wanted).collect();
    let disables: Vec<Content> = stack.untrusted_disables().into_iter().collect::<Result<_, _>>()?;
    let shared = shared(&store, trust, cwd.as_ref())?;
    if rows.is_empty() && disables.is_empty() && shared.is_none() {
        match trust.names.is_empty() {
            true => bail!(
                "the project of `{cwd}` configures no hooks\n\nhint: your own hooks need no trust; `checkrein hooks` lists them"
            ),
            false => bail!(
                "the project of `{cwd}` has no hook with such a name\n\nhint: `checkrein hooks` lists them"
            ),
        }
    }
    if trust.revoke {
        return revoke(&store, &rows, shared.as_ref().map(|(content, _)| content), authority);
    }
    let (mut contents, left_out) = reviewed(trust, &store, &rows, disables)?;
    if let Some((content, is_trusted)) = shared
        && is_new(&content, is_trusted, &store)?
    {
        contents.push(content);
    }
    let exit = ExitStatus::success_if(left_out.is_empty());
    if contents.is_empty() {
        return Ok(exit);
    }
    if !authority.confirms("Allow all of this to run with your permissions whenever an agent works here?")? {
        out!("Nothing was trusted.");
        return Ok(ExitStatus::Failure);
    }
    // Trust covers what was shown: the files are not read again.
    for content in &contents {
        let remembered = if trust.uncovered { store.trust_uncovered(content) } else { store.trust(content) };
        remembered.with_context(|| format!("cannot store trust for `{}`", content.label))?;
    }
    out!("Trusted. Any change to these files revokes it.");
    Ok(exit)
}

/// Shows everything that could be trusted, and returns what will be, and the names of hooks that are left out.
fn reviewed(
    trust: &Trust,
    store: &Store,
    rows: &[ConfiguredHook<'_>],
    disables: Vec<Content>,
) -> anyhow::Result<(Vec<Content>, Vec<String>)> {
    let mut contents = Vec::new();
    let mut left_out = Vec::new();
    for row in rows {
        if row.status == HookStatus::Active {
            out!("{} is already trusted.\n", style::harmless(&row.label()));
            continue;
        }
        let content = row.content().with_context(|| format!("cannot read `{}`", row.label()))?;
        show(&content, row, store)?;
        if content.uncovered.is_empty() || trust.uncovered {
            contents.push(content);
        } else {
            left_out.push(style::harmless(&content.label));
        }
    }
    if trust.names.is_empty() {
        for content in disables {
            out!(
                "{} disables some of your hooks: {}\n",
                content.config.display(),
                style::harmless(&content.definition.to_string())
            );
            contents.push(content);
        }
    }
    for label in &left_out {
        out!(
            "{label} is left out: trust cannot cover all of it. Change it as suggested above, or accept the risk with \
             `checkrein trust --uncovered`."
        );
    }
    Ok((contents, left_out))
}

/// Returns the file of lessons that the project shares, and whether it is trusted already.
fn shared(store: &Store, trust: &Trust, directory: &Path) -> anyhow::Result<Option<(Content, bool)>> {
    let content = shared_file(directory).context("the shared file cannot be read")?;
    let is_meant = |content: &Content| trust.names.is_empty() || trust.names.contains(&content.label);
    let Some(content) = content.filter(is_meant) else { return Ok(None) };
    let is_trusted = matches!(store.look(&content)?, TrustState::Trusted(_));
    Ok(Some((content, is_trusted)))
}

/// Shows shared lessons, unless they are trusted already.
fn is_new(content: &Content, is_trusted: bool, store: &Store) -> anyhow::Result<bool> {
    if is_trusted {
        out!("{} is already trusted.\n", style::harmless(&content.label));
    } else {
        out!(
            "{} says what agents are told about failures here",
            style::harmless(&content.config.to_string_lossy())
        );
        show_files(content, store)?;
        out!();
    }
    Ok(!is_trusted)
}

fn revoke(
    store: &Store,
    rows: &[ConfiguredHook<'_>],
    shared: Option<&Content>,
    authority: &Authority,
) -> anyhow::Result<ExitStatus> {
    // Hooks that no longer run do not protect anything, so this needs confirmation too.
    for row in rows {
        out!("{} on {}", style::harmless(&row.label()), row.event());
    }
    if let Some(content) = shared {
        out!("{}", style::harmless(&content.config.to_string_lossy()));
    }
    if !authority.confirms("Revoke trust, so that none of these hooks runs?")? {
        out!("Nothing was changed.");
        return Ok(ExitStatus::Failure);
    }
    for row in rows {
        let was = row.revoke(store)?;
        out!(
            "{}: {}",
            style::harmless(&row.label()),
            if was { "no longer trusted" } else { "was not trusted" }
        );
    }
    if let Some(content) = shared {
        let was = store.revoke(content)?;
        out!("{}: {}", content.label, if was { "no longer trusted" } else { "was not trusted" });
    }
    Ok(ExitStatus::Success)
}

fn show(content: &Content, row: &ConfiguredHook<'_>, store: &Store) -> anyhow::Result<()> {
    let path = |path: &Path| style::harmless(&path.to_string_lossy());
    out!("{} on {}, from {}", style::harmless(&content.label), content.event, path(&content.config));
    if let HookStatus::Changed(what) = &row.status {
        out!("  changed since you trusted it: {}", style::harmless(what));
    }
    out!("  runs: {}", style::harmless(&content.command));
    for (key, value) in content.settings() {
        out!(
            "  {key}: {}",
            style::harmless(&value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        );
    }
    for uncovered in &content.uncovered {
        out!("  not covered: `{}`: {}", style::harmless(&uncovered.word), uncovered.why);
        out!("    {}", uncovered.why.instead());
    }
    for path in &content.absent {
        out!("  does not exist yet: `{}`; trust is revoked if it is created", style::harmless(path));
    }
    show_files(content, store)?;
    out!();
    Ok(())
}

fn show_files(content: &Content, store: &Store) -> anyhow::Result<()> {
    let path = |path: &Path| style::harmless(&path.to_string_lossy());
    for file in &content.files {
        out!("\n  {} ({}, {} bytes)", style::harmless(&file.name), path(&file.target), file.len());
        out!("  sha256 {}", file.sha256);
        let before = store.trusted_text(content, &file.name).context("cannot read what was trusted")?;
        match (file.text(), before) {
            (Some(text), Some(before)) if text == before => out!("    | (as you trusted it)"),
            (Some(text), Some(before)) => diff::plain(&file.name, Some(&before), Some(text))
                .lines()
                .skip(2)
                .for_each(|line| data!("    {}", style::harmless(line))),
            (Some(text), None) => text.lines().for_each(|line| data!("    | {}", style::harmless(line))),
            (None, _) => out!("    | (binary file)"),
        }
    }
    Ok(())
}
