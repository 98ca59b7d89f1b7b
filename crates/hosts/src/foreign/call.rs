//! A tool call in the words of another host, and the way back.

use super::Foreign;
use crate::{
    Host,
    names::{self, Tool},
};
use checkrein_core::{Map, ToolCall};

/// Converts a call whose arguments have another shape than those of our tools; `None` for every other call. The second
/// argument is the working directory.
pub(crate) type Split = fn(&ToolCall, Option<&str>) -> Option<Vec<ToolCall>>;

/// A change of the input that the host of the event has no words for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "the hook changes the input of `{tool}` in a way that cannot be written for this agent; wanted: {wanted}"
)]
pub struct NotInvertible {
    /// The tool.
    pub tool: String,
    /// The input that the hook wants, in the words of its own host.
    pub wanted: String,
}

/// A call as the hook sees it.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(super) call: ToolCall,
    /// The keys that the hook sees and those that arrived; `None` if the input has another shape.
    keys: Option<Vec<(String, String)>>,
    /// The tables of the event's host and of the hook's for this tool.
    source: Option<&'static Tool>,
    target: Option<&'static Tool>,
}

/// Returns the calls that the hook sees in place of `call`.
pub(super) fn shown(
    source: Option<&'static Host>,
    hook: &Foreign,
    call: &ToolCall,
    cwd: Option<&str>,
) -> Vec<Shown> {
    let native = call.host_name.as_deref().unwrap_or(&call.name);
    let mut bare = call.clone();
    bare.original = None;
    bare.host_name = None;
    let same = |bare: &ToolCall| bare.input.keys().map(|key| (key.clone(), key.clone())).collect();
    let is_at_home = source.is_some_and(|source| source.name() == hook.host.name());
    if let (true, Some(_)) = (is_at_home, hook.tools()) {
        native.clone_into(&mut bare.name);
        return vec![Shown { keys: Some(same(&bare)), call: bare, source: None, target: None }];
    }
    if let Some(parts) = source.and_then(|source| source.apart).and_then(|apart| apart(call, cwd)) {
        let parts = parts.into_iter().map(|mut part| {
            part.id = part.id.or_else(|| call.id.clone());
            hook.in_its_words(Shown { call: part, keys: None, source: None, target: None })
        });
        return parts.collect();
    }
    let tool = source.and_then(|source| names::tool(source.tools, native)).filter(|tool| tool.converts());
    let keys = match tool {
        Some(tool) => {
            tool.ours.clone_into(&mut bare.name);
            let pairs = |key: &String| (tool.argument(key).to_owned(), key.clone());
            let keys: Vec<(String, String)> = call.input.keys().map(pairs).collect();
            bare.input = call
                .input
                .iter()
                .map(|(key, value)| (tool.argument(key).to_owned(), value.clone()))
                .collect();
            keys
        }
        None => same(&bare),
    };
    // Two names for one argument leave no way back.
    let keys = Some(keys).filter(|keys| keys.len() == bare.input.len());
    vec![hook.in_its_words(Shown { call: bare, keys, source: tool, target: None })]
}

impl Foreign {
    /// Writes a call of ours in the words of the hook's host.
    fn in_its_words(&self, mut shown: Shown) -> Shown {
        let Some(tools) = self.tools() else { return shown };
        if let Some(call) = (self.form.together)(&shown.call) {
            return Shown { call, keys: None, ..shown };
        }
        let call = &mut shown.call;
        if let Some((server, tool)) = call.name.strip_prefix("mcp__").and_then(|name| name.split_once("__")) {
            call.name = (self.form.of_server)(server, tool);
            return shown;
        }
        let Some(tool) = tools.iter().find(|tool| tool.converts() && tool.ours == call.name) else {
            return shown;
        };
        tool.theirs.clone_into(&mut call.name);
        let input = std::mem::take(&mut call.input);
        call.input =
            input.into_iter().map(|(key, value)| (tool.their_argument(&key).to_owned(), value)).collect();
        for (seen, _) in shown.keys.iter_mut().flatten() {
            *seen = tool.their_argument(seen).to_owned();
        }
        shown.target = Some(tool);
        shown
    }
}

impl Shown {
    /// Returns the input as it arrived, with what the hook changed in what it saw.
    pub(super) fn native(&self, arrived: &ToolCall, wanted: &Map) -> Result<Map, NotInvertible> {
        if *wanted == self.call.input {
            return Ok(arrived.input.clone());
        }
        let lost = || NotInvertible {
            tool: arrived.host_name.as_deref().unwrap_or(&arrived.name).to_owned(),
            wanted: serde_json::Value::Object(wanted.clone()).to_string().chars().take(1000).collect(),
        };
        let keys = self.keys.as_ref().ok_or_else(lost)?;
        let mut native = arrived.input.clone();
        for (seen, key) in keys {
            match wanted.get(seen) {
                Some(value) => drop(native.insert(key.clone(), value.clone())),
                None => drop(native.shift_remove(key)),
            }
        }
        for (key, value) in wanted.iter().filter(|(key, _)| !keys.iter().any(|(seen, _)| seen == *key)) {
            match self.call.input.get(key) {
                // It was added for the hook.
                Some(added) if added == value => {}
                Some(_) => return Err(lost()),
                None => {
                    let ours = self.target.map_or(key.as_str(), |tool| tool.argument(key));
                    let theirs = self.source.map_or(ours, |tool| tool.their_argument(ours));
                    native.insert(theirs.to_owned(), value.clone());
                }
            }
        }
        Ok(native)
    }
}

/// Takes an edit with a list of replacements apart. `file` and `texts` are the names of its arguments: the file, the old text and
/// the new one. The file may also be in each replacement.
pub(crate) fn edits(call: &ToolCall, list: &str, file: &str, texts: (&str, &str)) -> Option<Vec<ToolCall>> {
    let replacements = call.input.get(list)?.as_array()?;
    let parts = replacements.iter().map(|replacement| {
        let path = replacement.get(file).or_else(|| call.input.get(file))?;
        let mut input = Map::new();
        input.insert("file_path".to_owned(), path.clone());
        input.insert("old_string".to_owned(), replacement.get(texts.0)?.clone());
        input.insert("new_string".to_owned(), replacement.get(texts.1)?.clone());
        Some(ToolCall::new("Edit", input))
    });
    parts.collect::<Option<Vec<_>>>().filter(|parts| !parts.is_empty())
}
