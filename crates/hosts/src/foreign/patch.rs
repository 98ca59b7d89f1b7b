//! Codex's patches as calls that write and edit one file each, and back.

use checkrein_core::{Map, ToolCall};
use serde_json::{Value, json};

const TOOL: &str = "apply_patch";
const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ADD: &str = "*** Add File: ";
const UPDATE: &str = "*** Update File: ";
const DELETE: &str = "*** Delete File: ";
const MOVE: &str = "*** Move to: ";

/// Takes a patch apart: a call of `Write` for each new file, of `Edit` for each changed one, and of `Delete`. A file that is also
/// moved is an edit of both names. A patch names files from `cwd` on, and other hosts' tools by their whole paths.
pub(crate) fn taken_apart(call: &ToolCall, cwd: Option<&str>) -> Option<Vec<ToolCall>> {
    let text =
        [call.input.get("command"), call.input.get("input")].into_iter().flatten().find_map(Value::as_str);
    let text = text.filter(|text| call.name == TOOL && text.contains(BEGIN))?;
    let mut calls: Vec<ToolCall> = Vec::new();
    let mut old: Vec<&str> = Vec::new();
    let mut new: Vec<&str> = Vec::new();
    let mut path: Option<(&str, &str)> = None;
    let mut moved: Option<&str> = None;
    let mut close = |path: &mut Option<(&str, &str)>,
                     moved: &mut Option<&str>,
                     old: &mut Vec<&str>,
                     new: &mut Vec<&str>| {
        if let Some((tool, path)) = path.take() {
            let (before, after) = (lines(old), lines(new));
            for path in std::iter::once(path).chain(moved.take()) {
                let path = absolute(path, cwd);
                calls.push(match tool {
                    "Write" => ToolCall::new(tool, object(json!({"file_path": path, "content": after}))),
                    "Edit" => ToolCall::new(
                        tool,
                        object(json!({"file_path": path, "old_string": before, "new_string": after})),
                    ),
                    tool => ToolCall::new(tool, object(json!({"file_path": path}))),
                });
            }
        }
        old.clear();
        new.clear();
    };
    for line in text.lines() {
        let start = [(ADD, "Write"), (UPDATE, "Edit"), (DELETE, "Delete")]
            .into_iter()
            .find_map(|(mark, tool)| Some((tool, line.strip_prefix(mark)?.trim())));
        if start.is_some() || line.trim_end() == END {
            close(&mut path, &mut moved, &mut old, &mut new);
            path = start;
        } else if let Some(to) = line.strip_prefix(MOVE) {
            moved = Some(to.trim());
        } else if let Some(added) = line.strip_prefix('+') {
            new.push(added);
        } else if let Some(removed) = line.strip_prefix('-') {
            old.push(removed);
        } else if let Some(kept) = line.strip_prefix(' ') {
            old.push(kept);
            new.push(kept);
        }
    }
    close(&mut path, &mut moved, &mut old, &mut new);
    Some(calls).filter(|calls| !calls.is_empty())
}

/// Returns the patch that writes or edits as `call` does; `None` if it does neither.
pub(crate) fn patch_of(call: &ToolCall) -> Option<ToolCall> {
    let text = |key: &str| call.input.get(key).and_then(Value::as_str);
    let path = text("file_path")?;
    let marked =
        |mark: char, text: &str| text.lines().map(|line| format!("{mark}{line}\n")).collect::<String>();
    let body = match call.name.as_str() {
        "Write" => format!("{ADD}{path}\n{}", marked('+', text("content")?)),
        "Edit" => {
            let (old, new) = (text("old_string").unwrap_or_default(), text("new_string").unwrap_or_default());
            format!("{UPDATE}{path}\n@@\n{}{}", marked('-', old), marked('+', new))
        }
        "Delete" => format!("{DELETE}{path}\n"),
        _ => return None,
    };
    let input = object(json!({"command": format!("{BEGIN}\n{body}{END}\n")}));
    Some(ToolCall { name: TOOL.to_owned(), input, ..call.clone() })
}

fn absolute(path: &str, cwd: Option<&str>) -> String {
    match cwd.filter(|_| !path.starts_with('/')) {
        Some(cwd) => format!("{}/{path}", cwd.trim_end_matches('/')),
        None => path.to_owned(),
    }
}

fn lines(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn object(value: Value) -> Map {
    if let Value::Object(map) = value { map } else { Map::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(text: &str) -> ToolCall {
        ToolCall::new(TOOL, object(json!({"command": text})))
    }

    #[test]
    fn a_patch_is_a_call_for_each_of_its_files() {
        let text = "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** Update File: b.txt\n*** Move to: c.txt\n@@\n kept\n\
                    -old\n+new\n*** Delete File: d.txt\n*** End Patch\n";
        let calls = taken_apart(&patch(text), Some("/p")).unwrap();
        let seen: Vec<(&str, Value)> =
            calls.iter().map(|call| (call.name.as_str(), Value::Object(call.input.clone()))).collect();
        let edit =
            |path: &str| json!({"file_path": path, "old_string": "kept\nold\n", "new_string": "kept\nnew\n"});
        assert_eq!(
            seen,
            [
                ("Write", json!({"file_path": "/p/a.txt", "content": "one\ntwo\n"})),
                ("Edit", edit("/p/b.txt")),
                ("Edit", edit("/p/c.txt")),
                ("Delete", json!({"file_path": "/p/d.txt"})),
            ]
        );
        assert_eq!(taken_apart(&patch("no patch"), None), None);
        assert_eq!(taken_apart(&ToolCall::new("Bash", Map::new()), None), None);
    }

    #[test]
    fn a_written_file_is_a_patch_and_back() {
        let write = ToolCall::new("Write", object(json!({"file_path": "/p/a", "content": "one\ntwo\n"})));
        let patch = patch_of(&write).unwrap();
        assert_eq!(patch.name, TOOL);
        assert_eq!(taken_apart(&patch, None).unwrap(), [write]);
        assert_eq!(patch_of(&ToolCall::new("Bash", Map::new())), None);
    }
}
