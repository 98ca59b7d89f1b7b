//! Tables of the compiled form. They are kept as a file would write them, so that one reader understands both.

use crate::config::{
    fields::Fields,
    format::Notation,
    hook::{HookDefinition, Names},
    keys::{ALLOW, Absent, EXCEPTION, GRADE, HOOK, KeyType, RULE, Table},
    layer::Layer,
    problem::ProblemCollector,
    reader::{Checks, ConfigReader},
    rule,
    tree::{Field, Node, NodeValue},
};
use checkrein_core::Role;
use checkrein_exec::Program;
use checkrein_guard::{AllowRule, Exception, Grade, Rule};
use serde_json::{Map, Value};
use std::{borrow::Cow, path::Path};

/// Returns a hook as a file would write it, with its interpreter.
pub(super) fn hook(hook: &HookDefinition) -> Value {
    let mut value = hook.to_json();
    // A hook without a role does not write one.
    if let (Role::Plain, Some(fields)) = (hook.role, value.as_object_mut()) {
        fields.shift_remove("role");
    }
    compact(&HOOK, value)
}

/// Returns a rule as a file would write it, with its line.
pub(super) fn rule(rule: &Rule) -> Value {
    let mut value = rule::to_json(rule);
    // The layer comes before the name that the file gives it.
    if let (Some(fields), Some((_, id))) = (value.as_object_mut(), rule.id.split_once('.')) {
        fields.insert("id".into(), id.into());
    }
    compact(&RULE, value)
}

/// Returns an exception as a file would write it, with its line.
pub(super) fn exception(exception: &Exception) -> Value {
    compact(&EXCEPTION, rule::exception_to_json(exception))
}

/// Returns an allow rule as a file would write it, with its line.
pub(super) fn allow_rule(allow: &AllowRule) -> Value {
    compact(&ALLOW, rule::allow_rule_to_json(allow))
}

/// Returns a grade as a file would write it, with its line.
pub(super) fn grade(grade: &Grade) -> Value {
    compact(&GRADE, rule::grade_to_json(grade))
}

/// Removes the keys that a file need not write: those without a value, and those with their default.
pub(super) fn compact(table: &Table, mut value: Value) -> Value {
    if let Some(fields) = value.as_object_mut() {
        for key in table.keys {
            let Some(value) = fields.get_mut(key.name) else { continue };
            if let KeyType::Table(inner) = key.holds {
                *value = compact(inner, value.take());
            }
            let is_default = matches!(key.absent, Absent::Default(default) if default.to_json() == *value);
            if is_default || is_empty(value) {
                fields.shift_remove(key.name);
            }
        }
    }
    value
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Reads a hook that [`hook`] wrote; `None` for anything else.
pub(super) fn read_hook(layer: Layer, value: &Value) -> Option<HookDefinition> {
    let mut hook = read(layer, &HOOK, value, |reader, fields| reader.hook(fields, &mut Names::default()))?;
    if let Program::Callable(callable) = &mut hook.program {
        value.get("python")?.as_str()?.clone_into(&mut callable.python);
    }
    Some(hook)
}

/// Reads a table that [`compact`] wrote. `define` gives it its meaning. A problem means that something else wrote it.
pub(super) fn read<'v, T>(
    layer: Layer,
    table: &'static Table,
    value: &'v Value,
    define: impl FnOnce(&mut ConfigReader<'_, 'v>, Fields<'v>) -> Option<T>,
) -> Option<T> {
    let mut problems = ProblemCollector::new(Path::new(""), "");
    let mut reader = ConfigReader::new(&mut problems, Notation::Toml, layer, Checks::Compiled);
    let fields = reader.table(node(table, value)?, table)?;
    let defined = define(&mut reader, fields);
    if problems.is_empty() { defined } else { None }
}

/// Returns a table as the tree of a file. Its position is its line.
fn node<'v>(table: &'static Table, value: &'v Value) -> Option<Node<'v>> {
    let fields = value.as_object()?;
    let line = fields.get("line").and_then(Value::as_u64).and_then(|line| usize::try_from(line).ok());
    let line = line.unwrap_or_default();
    Some(Node { span: line..line, value: NodeValue::Table(known_fields(table, fields)?) })
}

fn known_fields<'v>(table: &'static Table, fields: &'v Map<String, Value>) -> Option<Vec<Field<'v>>> {
    let mut known = Vec::with_capacity(fields.len());
    for (key, value) in fields {
        let Some(row) = table.key(key, Notation::Toml) else { continue };
        let value = match (row.holds, value) {
            (KeyType::Table(inner), Value::Object(fields)) => NodeValue::Table(known_fields(inner, fields)?),
            (_, value) => node_value(value)?,
        };
        known.push(Field { key: Cow::Borrowed(key), key_span: 0..0, node: Node { span: 0..0, value } });
    }
    Some(known)
}

fn node_value(value: &Value) -> Option<NodeValue<'_>> {
    Some(match value {
        Value::Bool(flag) => NodeValue::Bool(*flag),
        Value::Number(number) => NodeValue::Number(number.as_f64()?),
        Value::String(text) => NodeValue::Text(Cow::Borrowed(text)),
        Value::Array(list) => {
            let nodes = list.iter().map(|value| Some(Node { span: 0..0, value: node_value(value)? }));
            NodeValue::List(nodes.collect::<Option<_>>()?)
        }
        Value::Null | Value::Object(_) => return None,
    })
}
