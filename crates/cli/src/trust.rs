//! `checkrein trust`: a person looks at a project's hooks, and says yes to exactly what they saw.

use crate::{args::Trust, check, paint, person, policy};
use anstream::println;
use anyhow::{Context, bail};
use checkrein::{
    Layer, Row, Session, Stack, Standing,
    trust::{Content, Store},
};
use std::process::ExitCode;

/// How many lines of a script are shown; the rest is in the file, whose checksum is shown.
const LINES: usize = 200;

pub(crate) fn run(trust: &Trust) -> anyhow::Result<ExitCode> {
    person::require("trust a project's hooks")?;
    let cwd = check::working_directory(trust.cwd.as_deref())?;
    let session = Session { cwd: Some(cwd.clone()), ..Session::default() };
    let places = policy::places(None, &session);
    let state = places.state.as_deref().context("there is no home folder to remember trust in")?;
    let store = Store::new(state);
    let stack = Stack::load(&places)?;
    let wanted = |row: &Row<'_>| {
        row.config.layer() == Layer::Project && (trust.names.is_empty() || trust.names.contains(&row.label()))
    };
    let rows: Vec<Row<'_>> = stack.rows(None).into_iter().filter(wanted).collect();
    if rows.is_empty() {
        bail!("no hook of a project matches in `{cwd}`");
    }
    if trust.revoke {
        return revoke(&store, &rows);
    }
    let mut contents = Vec::new();
    for row in &rows {
        if row.standing == Standing::InForce {
            println!("{} is trusted already.\n", row.label());
            continue;
        }
        let content = row.content().with_context(|| format!("`{}` cannot be read", row.label()))?;
        show(&content, row);
        contents.push(content);
    }
    if contents.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let what =
        if contents.len() == 1 { "this hook".to_owned() } else { format!("these {} hooks", contents.len()) };
    let question = format!("Run {what} with your rights whenever an agent works here? Type `yes`:");
    if person::ask(&question)? != "yes" {
        println!("Nothing was trusted.");
        return Ok(ExitCode::from(1));
    }
    // What was shown is what is remembered: the files are not read again.
    for content in &contents {
        store.trust(content).with_context(|| format!("`{}` cannot be remembered", content.label))?;
    }
    println!("Trusted. A changed byte takes the trust away.");
    Ok(ExitCode::SUCCESS)
}

fn revoke(store: &Store, rows: &[Row<'_>]) -> anyhow::Result<ExitCode> {
    for row in rows {
        let was = store.revoke(&row.content()?)?;
        println!("{}: {}", row.label(), if was { "no longer trusted" } else { "was not trusted" });
    }
    Ok(ExitCode::SUCCESS)
}

fn show(content: &Content, row: &Row<'_>) {
    println!("{} on {}, from {}", content.label, content.event, content.config.display());
    if let Standing::Changed(what) = &row.standing {
        println!("  changed since you trusted it: {what}");
    }
    println!("  runs: {}", paint::harmless(&content.command));
    println!("  {}", content.definition);
    for path in &content.unknown {
        println!("  not covered: what `{}` means is decided when it runs", paint::harmless(path));
    }
    for file in &content.files {
        println!("\n  {} ({}, {} bytes)", file.name, file.target.display(), file.len());
        println!("  sha256 {}", file.sha256);
        let text = file.text();
        for line in text.lines().take(LINES) {
            println!("    | {}", paint::harmless(line));
        }
        let more = text.lines().count().saturating_sub(LINES);
        if more > 0 {
            println!("    | … {more} lines more");
        }
    }
    println!();
}
