//! Imports hooks files in Claude Code's form: events, groups with a matcher, handlers.

use super::{
    Found, Origin,
    draft::Draft,
    handler::{Context, handler},
    permissions,
    read::{Reading, as_json},
    write,
};
use crate::config::{
    format::Notation,
    tree::{Field, Node, NodeValue},
};
use checkrein_core::{EventName, nearest::nearest};
use checkrein_hosts::import::Format;
use std::collections::HashMap;

/// Reads the whole file.
pub(super) fn read<'t>(root: Node<'t>, format: &'static Format, reading: &mut Reading<'_, 't>) -> Found {
    let mut found = Found { rules: write::rules_of(Origin::Host(format)), ..Found::default() };
    let mut off: Option<String> = None;
    let mut switched = Vec::new();
    let title = format.title();
    for Field { key, key_span, node } in reading.table("", root).unwrap_or_default() {
        let remark = format.remarks.iter().find(|(known, _)| *known == key);
        match &*key {
            "hooks" => {
                for event in reading.table("hooks", node).unwrap_or_default() {
                    let beside = format.beside_events.iter().find(|(known, _)| *known == event.key);
                    match (&*event.key, beside) {
                        ("state", _) if format.has_state => switched = state(event.node, reading),
                        (key, Some((_, why))) => {
                            found.remarks.push(format!("`hooks.{key}` was left out: {why}"));
                        }
                        (_, None) => read_event(format, event, &mut found, reading),
                    }
                }
            }
            key if Some(key) == format.switch => {
                if reading.boolean(key, &node) == Some(true) {
                    off = Some(format!("`{key}` is true, so {title} runs none of its hooks"));
                }
            }
            "features" if !format.features.is_empty() => {
                for feature in reading.table("features", node).unwrap_or_default() {
                    let is_hooks = format.features.contains(&&*feature.key);
                    if is_hooks && matches!(feature.node.value, NodeValue::Bool(false)) {
                        off = Some(format!("`features.{}` is false, so {title} runs no hooks", feature.key));
                    }
                }
            }
            "permissions" if reading.notation == Notation::Json => {
                permissions::read(node, &mut found, reading);
            }
            "notify" if format.has_notify => found.hooks.push(notify(&node, reading.line(&key_span))),
            key => {
                if let Some((_, text)) = remark {
                    if reading.boolean(key, &node) == Some(true) {
                        found.remarks.push((*text).to_owned());
                    }
                } else if reading.notation == Notation::Json && !format.accepts(key) {
                    found.remarks.push(format!("{title} rejects this file for its key `{key}`"));
                }
            }
        }
    }
    switch_off(format, &mut found, &switched);
    if let Some(off) = off {
        found
            .remarks
            .insert(0, format!("ALL OF THESE HOOKS ARE OFF: {off}. They are only comments in the result"));
        found.hooks.iter_mut().for_each(|hook| hook.refuse(off.as_str()));
    }
    found
}

fn read_event<'t>(
    format: &'static Format,
    event: Field<'t>,
    found: &mut Found,
    reading: &mut Reading<'_, 't>,
) {
    let Field { key, node, .. } = event;
    let known = format.event(&key);
    let unknown = known.is_none().then(|| {
        let near = nearest(&key, format.keys());
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        format!("{} has no event `{key}`{near}", format.title())
    });
    let path = format!("hooks.{key}");
    for (number, group) in reading.list(&path, node).unwrap_or_default().into_iter().enumerate() {
        if reading.report.is_full() {
            return;
        }
        let path = format!("{path}[{number}]");
        read_group(
            &Context { format, key: &key, event: known, unknown: unknown.as_deref() },
            &path,
            group,
            found,
            reading,
        );
    }
}

fn read_group<'t>(
    context: &Context<'_>,
    path: &str,
    group: Node<'t>,
    found: &mut Found,
    reading: &mut Reading<'_, 't>,
) {
    if context.format.entries.flat {
        let mut draft = Draft::new(path.to_owned(), reading.line(&group.span), as_json(&group));
        if handler(context, None, &[], group, &mut draft, reading) {
            found.hooks.push(draft);
        }
        return;
    }
    let span = group.span.clone();
    let Some(fields) = reading.table(path, group) else { return };
    let (mut matcher, mut handlers) = (None, None);
    let mut unknown = Vec::new();
    for Field { key, node, .. } in fields {
        match &*key {
            "matcher" => matcher = reading.text(&format!("{path}.matcher"), node),
            "hooks" => handlers = Some(reading.list(&format!("{path}.hooks"), node).unwrap_or_default()),
            _ => unknown.push(key.into_owned()),
        }
    }
    let Some(handlers) = handlers else {
        let hint = "for example `\"hooks\": [{\"type\": \"command\", \"command\": \"./hook.sh\"}]`";
        reading.problem(path, &span, "a group needs a list of `hooks`", Some(hint));
        return;
    };
    for (number, node) in handlers.into_iter().enumerate() {
        let path = format!("{path}.hooks[{number}]");
        let mut draft = Draft::new(path, reading.line(&node.span), as_json(&node));
        if let (Some(was), Some(matcher)) = (draft.was.as_object_mut(), &matcher) {
            was.insert("matcher".to_owned(), (**matcher).into());
        }
        if handler(context, matcher.as_deref(), &unknown, node, &mut draft, reading) {
            found.hooks.push(draft);
        }
    }
}

/// The keys of handlers that the user has switched off in the host: `<file>:<event>:<group>:<handler>`.
fn state<'t>(node: Node<'t>, reading: &mut Reading<'_, 't>) -> Vec<String> {
    let mut off = Vec::new();
    for Field { key, node, .. } in reading.table("hooks.state", node).unwrap_or_default() {
        let path = format!("hooks.state.{key}");
        for field in reading.table(&path, node).unwrap_or_default() {
            if field.key == "enabled"
                && reading.boolean(&format!("{path}.enabled"), &field.node) == Some(false)
            {
                off.push(key.clone().into_owned());
            }
        }
    }
    off
}

fn switch_off(format: &Format, found: &mut Found, switched: &[String]) {
    let places: HashMap<String, usize> =
        found.hooks.iter().enumerate().map(|(index, hook)| (hook.place.clone(), index)).collect();
    let title = format.title();
    for key in switched {
        match place_of(format, key).and_then(|place| found.hooks.get_mut(*places.get(&place)?)) {
            Some(hook) => hook.refuse(format!("it is switched off in {title} (`hooks.state.\"{key}\"`)")),
            None => found.remarks.push(format!("`{key}` is switched off in {title}; it is not in this file")),
        }
    }
}

/// Returns the place of the handler of a key of `hooks.state`, if that is in a `config.toml`.
fn place_of(format: &Format, key: &str) -> Option<String> {
    let mut parts = key.rsplitn(4, ':');
    let (handler, group, event, file) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let event = format.events().find(|known| snake(*known) == event)?;
    file.ends_with("config.toml").then(|| format!("hooks.{event}[{group}].hooks[{handler}]"))
}

/// `pre_tool_use` for `PreToolUse`.
fn snake(event: EventName) -> String {
    let mut snake = String::new();
    for c in event.as_str().chars() {
        if c.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// The program that is told of every finished turn in an argument.
pub(super) fn notify(node: &Node<'_>, line: usize) -> Draft {
    let mut draft = Draft::new("notify".to_owned(), line, as_json(node));
    draft.event = Some(EventName::AfterAgent);
    draft.refuse("it gets its event as an argument, and hooks here get it on stdin");
    draft
}
