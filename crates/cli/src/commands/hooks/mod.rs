//! `checkrein hooks`: lists the configured hooks, their source, order and status.

mod exceptions;
pub(crate) mod grades;
pub(crate) mod guard;
mod rules;

use crate::{
    args::Hooks,
    commands::check,
    exit::ExitStatus,
    policy,
    term::{data, out, style},
};
use anyhow::Context;
use checkrein::{ConfiguredHook, EventName, HookStatus, LayeredConfig, Places, Session, ToolCall};
use guard::BuiltIn;
use serde_json::{Value, json};
use std::io::{IsTerminal, stderr};

pub(crate) fn run(hooks: &Hooks) -> anyhow::Result<ExitStatus> {
    let cwd = check::working_directory(hooks.cwd.as_deref())?;
    let project_dir = policy::project_dir();
    let session = Session { cwd: Some(cwd), project_dir, ..Session::default() };
    let places = policy::places(hooks.config.as_deref(), &session);
    let event: Option<EventName> = hooks.event.as_deref().map(str::parse).transpose().context("`--event`")?;
    let stack = match checkrein::whole(LayeredConfig::load(&places)) {
        Ok(stack) => stack,
        Err(problems) if hooks.json => {
            let problems: Vec<String> =
                problems.iter().map(|problem| style::harmless(&problem.one_line())).collect();
            data!("{}", style::json(json!({"files": [], "hooks": [], "problems": problems})));
            return Ok(ExitStatus::Failure);
        }
        Err(problems) => {
            crate::term::err!(
                "{}\n\nthe configuration is broken: all preventable actions will be denied",
                style::lines(&problems.for_user(stderr().is_terminal()))
            );
            return Ok(ExitStatus::Failure);
        }
    };
    let call = hooks.tool.as_ref().map(|tool| ToolCall::new(tool, checkrein::Map::new()));
    let concerned = |row: &ConfiguredHook<'_>| call.as_ref().is_none_or(|call| row.covers(Some(call)));
    let rows: Vec<ConfiguredHook<'_>> = stack.rows(event).into_iter().filter(concerned).collect();
    let guard = BuiltIn::of(event, &stack);
    if hooks.json {
        let rows: Vec<Value> = rows.iter().map(as_json).chain(guard.rows()).collect();
        data!(
            "{}",
            style::json(json!({
                "files": files(&stack),
                "hooks": rows,
                "monitor": grades::monitor_rows(&stack),
                "rules": rules::rows(&stack, event),
                "grades": grades::rows(&stack, event),
                "exceptions": exceptions::exceptions(&stack, event),
                "allow": exceptions::allow_rules(&stack, event),
                "guard": guard.rules(),
            }))
        );
    } else {
        grades::show_monitor(&stack);
        show(&stack, &rows, &places);
        rules::show(&stack, event);
        grades::show(&stack, event);
        exceptions::show(&stack, event);
        guard.show();
    }
    let warnings = warnings(&stack, &rows);
    for warning in &warnings {
        crate::term::err!("warning: {}", style::harmless(warning));
    }
    Ok(ExitStatus::success_if(!hooks.check || warnings.is_empty()))
}

fn files(stack: &LayeredConfig) -> Vec<Value> {
    let files = stack.configs().iter();
    files
        .map(|config| json!({"layer": config.layer().as_str(), "path": config.path().to_string_lossy()}))
        .collect()
}

fn as_json(row: &ConfiguredHook<'_>) -> Value {
    let mut fields = json!({
        "label": style::harmless(&row.label()),
        "layer": row.config.layer().as_str(),
        "path": row.config.path().to_string_lossy(),
        "status": status(&row.status),
        "failure_rule": row.failure_rule().as_str(),
    });
    if let (Some(fields), Value::Object(mut definition)) = (fields.as_object_mut(), row.as_json()) {
        if !row.uncovered.is_empty() {
            fields.insert("uncovered".into(), json!(row.uncovered));
        }
        fields.append(&mut definition);
    }
    fields
}

fn status(status: &HookStatus) -> String {
    match status {
        HookStatus::Active => "active".to_owned(),
        HookStatus::Disabled { by } => format!("disabled by the {by} layer"),
        HookStatus::Untrusted => "not trusted".to_owned(),
        HookStatus::Changed(what) => format!("changed since it was trusted: {what}"),
        HookStatus::Unreadable(why) => format!("cannot be read: {why}"),
    }
}

fn show(stack: &LayeredConfig, rows: &[ConfiguredHook<'_>], places: &Places) {
    if stack.is_empty() {
        out!("No configuration. These files would be read:");
        let files = [&places.managed, &places.user].into_iter().flatten();
        for file in files {
            out!("  {}", style::harmless(&file.to_string_lossy()));
        }
        out!("  {} in the directories of a project", checkrein::PROJECT_FILE);
        return;
    }
    for config in stack.configs() {
        out!("{:9} {}", config.layer(), style::harmless(&config.path().to_string_lossy()));
    }
    let mut event = None;
    for row in rows {
        if event != Some(row.event()) {
            event = Some(row.event());
            out!("\n{}", row.event());
        }
        out!(
            "  {} {}  {}, {}, {} s, on failure {}",
            if row.status == HookStatus::Active { "•" } else { "-" },
            style::harmless(&row.label()),
            row.scope(),
            row.role(),
            row.timeout().as_secs_f64(),
            row.failure_rule(),
        );
        out!("    {}: {}", row.config.layer(), style::harmless(&status(&row.status)));
        for word in &row.uncovered {
            out!("    accepted, not covered by trust: {}", style::harmless(word));
        }
    }
    if rows.is_empty() {
        out!("\nNo configured hook matches.");
    }
}

/// Returns warnings about valid configuration that is probably a mistake.
pub(crate) fn warnings(stack: &LayeredConfig, rows: &[ConfiguredHook<'_>]) -> Vec<String> {
    let mut warnings = exceptions::warnings(stack);
    warnings.extend(grades::warnings(stack));
    for (config, name) in stack.void_disables() {
        warnings.push(format!("{}: `{name}` cannot be disabled from here", config.path().display()));
    }
    for row in rows {
        if let Some(program) = row.missing_program() {
            let path = row.config.path().display();
            warnings.push(format!(
                "{path}: `{}` runs `{}`, which does not exist",
                row.label(),
                program.display()
            ));
        }
    }
    for row in rows.iter().filter(|row| !row.event().has_tool() && row.scope().tools().is_some()) {
        let path = row.config.path().display();
        warnings.push(format!("{path}: `{}` never runs: `{}` events have no tool", row.label(), row.event()));
    }
    warnings
}
