//! The built-in guard as functions.

use crate::{outcome::decision, value};
use checkrein::{
    Event, Guard, Map, Payload, ToolCall,
    guard::{Judgement, Target},
};
use pyo3::{prelude::*, types::PyList};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The guard's judgement of a command.
#[pyclass(frozen, get_all, module = "checkrein")]
pub(crate) struct Check {
    /// The strictest decision of a rule.
    decision: Py<PyAny>,
    /// The rules that match the command, the strictest first.
    rules: Vec<String>,
    /// The reasons.
    reasons: Vec<String>,
    /// The effects of the command.
    effects: Py<PyList>,
}

#[pymethods]
impl Check {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let decision = self.decision.getattr(py, "value")?;
        Ok(format!("<Check: {}, rules {:?}>", decision.extract::<String>(py)?, self.rules))
    }
}

fn judged(py: Python<'_>, command: &str, cwd: Option<PathBuf>) -> PyResult<Judgement> {
    let cwd = match cwd {
        Some(cwd) => std::path::absolute(cwd)?,
        None => std::env::current_dir()?,
    };
    let mut input = Map::new();
    input.insert("command".into(), command.into());
    let mut payload = Payload::new(Event::PreToolUse { call: ToolCall::new("Bash", input) });
    payload.session.cwd = Some(cwd.to_string_lossy().into_owned());
    Ok(py.detach(|| Guard::new().judgement(&payload)).unwrap_or_default())
}

/// Returns the verdict of the built-in rules on a shell command. `cwd` is where it would run; by default,
/// the current directory.
#[pyfunction]
#[pyo3(signature = (command, *, cwd=None))]
pub(crate) fn check(py: Python<'_>, command: &str, cwd: Option<PathBuf>) -> PyResult<Check> {
    let judgement = judged(py, command, cwd)?;
    let rules = judgement.findings.iter().map(|finding| finding.rule.id.to_string()).collect();
    let mut reasons: Vec<String> = Vec::new();
    for finding in &judgement.findings {
        let reason = finding.rule.reason.to_string();
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let effects = effect_list(py, &judgement)?.unbind();
    Ok(Check { decision: decision(py, judgement.decision)?.unbind(), rules, reasons, effects })
}

/// Returns the effects of a shell command, as the guard sees them.
#[pyfunction]
#[pyo3(signature = (command, *, cwd=None))]
pub(crate) fn effects<'py>(
    py: Python<'py>,
    command: &str,
    cwd: Option<PathBuf>,
) -> PyResult<Bound<'py, PyList>> {
    effect_list(py, &judged(py, command, cwd)?)
}

fn effect_list<'py>(py: Python<'py>, judgement: &Judgement) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for effect in &judgement.effects {
        let mut fields = Map::new();
        fields.insert("effect".into(), effect.action.as_str().into());
        match &effect.target {
            Target::Nothing => {}
            Target::Path(spot) => {
                fields.insert("path".into(), spot.path.as_str().into());
                fields.insert("zone".into(), spot.zone.as_str().into());
                set(&mut fields, "tags", spot.tags.iter().map(|tag| tag.as_str()));
            }
            Target::Host(host) => drop(fields.insert("host".into(), host.name.as_str().into())),
            Target::Name(name) => drop(fields.insert("name".into(), name.as_str().into())),
        }
        for kind in ["with", "data", "domain", "environment", "certainty"] {
            set(&mut fields, kind, effect.words().filter(|(of, ..)| *of == kind).map(|(_, word, _)| word));
        }
        list.append(value::write_object(py, &fields, &value::Numbers::default())?)?;
    }
    Ok(list)
}

fn set<'a>(fields: &mut Map, key: &str, words: impl Iterator<Item = &'a str>) {
    let words: Vec<Value> = words.map(|word| json!(word)).collect();
    if !words.is_empty() {
        fields.insert(key.into(), words.into());
    }
}
