//! Imports mini-coding-agent's JSON list. It loads as it is, so the result is what our own reader makes of it.

use super::{
    Found, Origin,
    draft::{Draft, Key, Tools},
    handler::program_notes,
    read::{Reading, as_json},
    rules, shell, write,
};
use crate::config::{
    format::Notation,
    hook::Names,
    keys::HOOK,
    layer::Layer,
    reader::{Checks, ConfigReader},
    tree::{Node, NodeValue},
};
use checkrein_core::{Entry, OnFailure, Pattern};
use checkrein_exec::{Cwd, Program};

/// Reads the whole list.
pub(super) fn read<'t>(root: Node<'t>, reading: &mut Reading<'_, 't>) -> Found {
    let mut found = Found { rules: write::rules_of(Origin::List), ..Found::default() };
    for (index, mut node) in reading.list("", root).unwrap_or_default().into_iter().enumerate() {
        if reading.report.is_full() {
            break;
        }
        let draft = Draft::new(format!("[{index}]"), reading.line(&node.span), as_json(&node));
        nameless(&mut node);
        let mut reader = ConfigReader::new(reading.report, Notation::Json, Layer::Flag, Checks::All);
        reader.position = Some((HOOK.name, index));
        found.hooks.extend(entry(draft, node, reader));
    }
    found
}

/// mini-coding-agent takes an empty name for none.
fn nameless(node: &mut Node<'_>) {
    if let NodeValue::Table(fields) = &mut node.value {
        let is_empty_text =
            |value: &NodeValue<'_>| matches!(value, NodeValue::Text(text) if text.trim().is_empty());
        fields.retain(|field| !(field.key == "name" && is_empty_text(&field.node.value)));
    }
}

fn entry<'t>(mut draft: Draft, node: Node<'t>, mut reader: ConfigReader<'_, 't>) -> Option<Draft> {
    let fields = reader.table(node, &HOOK)?;
    draft.cwd = Cwd::Config;
    draft.explain(Key::Cwd, "the list runs its hooks in its own directory");
    let timeout = fields.number("timeout");
    let definition = reader.hook(fields, &mut Names::default())?;
    draft.event = Some(definition.event);
    draft.name = definition.name;
    draft.tools = definition
        .scope
        .tools()
        .map_or(Tools::All, |patterns| Tools::Only(patterns.iter().map(Pattern::to_string).collect()));
    draft.program = Some(definition.program);
    literal_names(&mut draft);
    draft.warn_of_foreign_names();
    program_notes(&mut draft);
    if let Some(Program::Shell(text)) = &draft.program
        && shell::mentions_variable(text, "HOOK_TOOL_INPUT")
    {
        draft.env.retain(|name| name != "HOOK_TOOL_INPUT");
        draft.change(Key::Command, "`HOOK_TOOL_INPUT` is not set here; read `tool_input` from stdin");
    }
    if definition.event.is_preventable() {
        draft.on_failure = Some(OnFailure::Deny);
        draft.explain(Key::OnFailure, "as in the list: a hook that fails denies");
    }
    rules::withholds(&mut draft, "mini-coding-agent ignores it");
    rules::timeout(&mut draft, Origin::List.title(), timeout, Entry::TIMEOUT.as_secs_f64());
    Some(draft)
}

/// mini-coding-agent compared names letter by letter.
fn literal_names(draft: &mut Draft) {
    let Tools::Only(patterns) = &draft.tools else { return };
    let patterns: Vec<String> = patterns
        .iter()
        .filter(|name| name.ends_with('*') || name.starts_with("kind:") || name.starts_with('/'))
        .cloned()
        .collect();
    for pattern in patterns {
        draft.change(
            Key::Match,
            format!("`{pattern}` is a pattern here; {} compared it letter by letter", Origin::List.title()),
        );
    }
}
