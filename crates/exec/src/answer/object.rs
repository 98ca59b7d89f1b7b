//! Reads an answer that is a JSON object, in any dialect.
//!
//! The dialects overlap (`decision`, `reason`, `retry`), so they are not detected first: every field is read
//! wherever it may be. If a hook gives two decisions, the stricter one counts; two different edits cannot be carried
//! out, and are a failure.

use super::{Word, bad, fields::Fields};
use checkrein_core::{
    Class, Decision, Edit, EventName, Failure, Map, Output, ResultKind, Retry, Verdict, json, nearest,
};
use serde_json::Value;

/// The reason of a stop without a reason.
const STOPPED: &str = "the hook ended the turn";

/// Fields that hosts know and that have no effect here.
const WITHOUT_EFFECT: &[&str] = &["suppressOutput", "terminalSequence", "async", "asyncTimeout"];

/// Fields inside `hookSpecificOutput` that have no effect here.
const SPECIFIC_WITHOUT_EFFECT: &[&str] = &[
    "classifierContext",
    "content",
    "displayContent",
    "initialUserMessage",
    "reloadSkills",
    "sessionTitle",
    "suppressOriginalPrompt",
    "watchPaths",
    "worktreePath",
];

/// The fields that a typo is most likely to have meant.
const LIKELY: &[&str] = &[
    "block",
    "context",
    "continue",
    "decision",
    "hookSpecificOutput",
    "permissionDecision",
    "reason",
    "rewrite_args",
    "rewrite_output",
    "stop",
    "systemMessage",
];

const SPECIFIC: &str = "hookSpecificOutput";

/// Reads an answer that is already an object.
///
/// A hook that clearly denies still denies, even if another part of the answer is wrong.
pub fn read_object(event: EventName, fields: Map) -> Result<Verdict, Failure> {
    let denies = denies(&fields);
    read_fields(event, fields).or_else(|failure| match denies {
        true => Ok(Verdict::deny(format!("denied, in an answer that is not fully readable ({failure})"))),
        false => Err(failure),
    })
}

/// Returns true if a name is that of a field of an answer, or close to it.
pub(super) fn is_like_a_field(name: &str) -> bool {
    // These are common in logs and mean nothing by themselves.
    !matches!(name, "message" | "reason" | "context" | "prompt")
        && (LIKELY.contains(&name)
            || ["notices", "retry", "tool_input", "tool_output", "stopReason"].contains(&name)
            || nearest::nearest(name, LIKELY.iter().copied().filter(|likely| likely.len() > 5)).is_some())
}

/// Returns true if an unknown field denies or asks.
pub(super) fn objects(fields: &Map) -> bool {
    Fields::new(fields.clone(), "").objecting().is_some()
}

fn denies(fields: &Map) -> bool {
    let says = |value: Option<&Value>| matches!(value.and_then(Value::as_str), Some("deny" | "block"));
    let nested = fields.get(SPECIFIC);
    says(fields.get("decision"))
        || fields.get("block") == Some(&Value::Bool(true))
        || says(fields.get("permissionDecision"))
        || says(nested.and_then(|nested| nested.get("permissionDecision")))
        || says(nested.and_then(|nested| nested.pointer("/decision/behavior")))
}

fn read_fields(event: EventName, fields: Map) -> Result<Verdict, Failure> {
    if fields.is_empty() {
        return Ok(Verdict::abstain());
    }
    let mut top = Fields::new(fields, "");
    let mut draft = Draft::default();
    draft.read_decision(event, &mut top)?;
    draft.read_ours(&mut top)?;
    if event.class() == Class::Result {
        draft.read_result(&mut top)?;
    }
    draft.read_universal(&mut top)?;
    // Hosts silently ignore these outside `hookSpecificOutput`, but their author meant them.
    draft.read_specific(&mut top)?;
    if let Some(specific) = top.object(SPECIFIC)? {
        draft.read_nested(event, Fields::new(specific, "hookSpecificOutput."))?;
    }
    top.accept(WITHOUT_EFFECT);
    no_objection_unheard(&top)?;
    if top.any_known() { draft.finish() } else { Err(nothing_known(&top)) }
}

/// Returns the failure of an answer that announces an edit without content.
pub(super) fn without_content() -> Failure {
    bad("the decision `modify` comes without `content`".to_owned())
}

/// Fails if an unknown field denies or asks: a misspelt `decision` must not be ignored.
fn no_objection_unheard(fields: &Fields) -> Result<(), Failure> {
    let Some(found) = fields.objecting() else { return Ok(()) };
    let found: String = found.chars().take(40).collect();
    let hint = nearest::nearest(&found, LIKELY.iter().copied());
    let hint = hint.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    Err(bad(format!("the unknown field `{found}` denies or asks{hint}")))
}

fn nothing_known(fields: &Fields) -> Failure {
    let found: String = fields.unknown().unwrap_or_default().chars().take(40).collect();
    let hint = nearest::nearest(&found, LIKELY.iter().copied());
    let hint = hint.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    bad(format!("no field of the answer is known, for example `{found}`{hint}"))
}

/// A verdict under construction.
#[derive(Default)]
struct Draft {
    verdict: Verdict,
    /// Each decision with its reason.
    claims: Vec<(Decision, Option<String>)>,
    /// Tells if an edit was announced.
    announced: Announced,
}

#[derive(Default, PartialEq, Eq)]
enum Announced {
    #[default]
    Nothing,
    Edit,
}

impl Draft {
    /// Reads `decision` with its reason: ours, the predecessor's, the Codex fork's, Claude Code's, and Pi's `block`.
    fn read_decision(&mut self, event: EventName, top: &mut Fields) -> Result<(), Failure> {
        let mut decision = Decision::Abstain;
        if let Some(word) = top.string("decision")? {
            match Word::of(&word).ok_or_else(|| top.unknown_word("decision", Word::ALL, &word))? {
                Word::Plain(plain) => decision = plain,
                Word::Modify => {
                    self.announced = Announced::Edit;
                    // Elsewhere `content` is an unknown field.
                    if let Some(content) = top.take("content").filter(|content| !content.is_null()) {
                        self.edit(edit_of_content(event, content)?)?;
                    }
                }
            }
        }
        if top.boolean("block")? == Some(true) {
            decision = Decision::Deny;
        }
        let reason = top.string_or_null("reason")?;
        let message = top.string_or_null("message")?;
        self.claims.push((decision, reason.filter(|text| !text.trim().is_empty()).or(message)));
        Ok(())
    }

    /// Reads the fields that only our dialect and the predecessor's have.
    fn read_ours(&mut self, top: &mut Fields) -> Result<(), Failure> {
        if let Some(changes) = top.object_or_null("rewrite_args")?.filter(|changes| !changes.is_empty()) {
            self.edit(Edit::MergeInput(changes))?;
        }
        if let Some(text) = top.string_or_null("rewrite_output")? {
            self.edit(Edit::Output(text.into()))?;
        }
        if let Some(input) = top.object("tool_input")? {
            self.edit(Edit::Input(input))?;
        }
        if let Some(text) = top.string("tool_output")? {
            self.edit(Edit::Output(text.into()))?;
        }
        if let Some(text) = top.string("prompt")? {
            self.edit(Edit::Prompt(text))?;
        }
        let context = top.texts_or_null("context")?;
        self.verdict.context.extend(context);
        for text in top.texts_or_null("notices")? {
            self.notice(text);
        }
        match top.take("stop") {
            None | Some(Value::Null | Value::Bool(false)) => {}
            Some(Value::Bool(true)) => self.stop(None),
            Some(Value::String(reason)) => self.stop(Some(reason)),
            Some(Value::Object(mut stop)) => match stop.swap_remove("reason") {
                Some(Value::String(reason)) => self.stop(Some(reason)),
                _ => return Err(bad("`stop` should hold a `reason` that is a string".to_owned())),
            },
            Some(other) => return Err(top.wrong("stop", "a string, true or false", &other)),
        }
        match top.take("retry") {
            None | Some(Value::Null | Value::Bool(false)) => {}
            Some(Value::Bool(true)) => self.verdict.retry = Some(Retry::Same),
            Some(Value::Object(input)) => self.verdict.retry = Some(Retry::With(input)),
            Some(other) => return Err(top.wrong("retry", "true, false or an object", &other)),
        }
        Ok(())
    }

    /// Reads what the model should take a result for: ours and Pi's.
    fn read_result(&mut self, top: &mut Fields) -> Result<(), Failure> {
        let ours = top.boolean("is_error")?;
        let is_error = top.boolean("isError")?.or(ours);
        self.verdict.result =
            is_error.map(|error| if error { ResultKind::Error } else { ResultKind::Success });
        Ok(())
    }

    /// Reads the fields that Claude Code and Codex accept on every event.
    fn read_universal(&mut self, top: &mut Fields) -> Result<(), Failure> {
        let go_on = top.boolean("continue")?;
        let reason = top.string("stopReason")?;
        if go_on == Some(false) {
            self.stop(reason);
        }
        if let Some(text) = top.string("systemMessage")? {
            self.notice(text);
        }
        Ok(())
    }

    /// Reads the fields that Claude Code and Codex expect inside `hookSpecificOutput`, and that are unambiguous
    /// elsewhere.
    fn read_specific(&mut self, fields: &mut Fields) -> Result<(), Failure> {
        let word = fields.string("permissionDecision")?;
        let reason = fields.string("permissionDecisionReason")?;
        let decision = match word.as_deref() {
            None => Decision::Abstain,
            Some("allow") => Decision::Allow,
            Some("deny") => Decision::Deny,
            // A deferred decision must still be made by the user.
            Some("ask" | "defer") => Decision::Ask,
            Some(word) => {
                let expected = "`allow`, `deny`, `ask` or `defer`";
                return Err(fields.unknown_word("permissionDecision", expected, word));
            }
        };
        self.claims.push((decision, reason));
        if let Some(input) = fields.object("updatedInput")? {
            self.edit(Edit::Input(input))?;
        }
        for field in ["updatedToolOutput", "updatedMCPToolOutput"] {
            if let Some(output) = fields.take(field) {
                self.edit(Edit::Output(Output::from_native(output)))?;
            }
        }
        let context = fields.string("additionalContext")?;
        self.verdict.context.extend(context.filter(|text| !text.trim().is_empty()));
        Ok(())
    }

    /// Reads `hookSpecificOutput`.
    fn read_nested(&mut self, event: EventName, mut fields: Fields) -> Result<(), Failure> {
        let name = fields.string("hookEventName")?;
        if let Some(name) = name.filter(|name| name != event.as_str()) {
            return Err(fields.unknown_word("hookEventName", &format!("`{event}`"), &name));
        }
        let mut fields = fields.rest();
        if fields.is_empty() {
            return Ok(());
        }
        self.read_specific(&mut fields)?;
        if let Some(decision) = fields.object("decision")? {
            self.read_permission(Fields::new(decision, "hookSpecificOutput.decision."))?;
        }
        if fields.boolean("retry")? == Some(true) {
            self.verdict.retry.get_or_insert(Retry::Same);
        }
        if let Some(action) = fields.string("action")? {
            let decision = match action.as_str() {
                "accept" => Decision::Allow,
                "decline" | "cancel" => Decision::Deny,
                _ => {
                    let expected = "`accept`, `decline` or `cancel`";
                    return Err(fields.unknown_word("action", expected, &action));
                }
            };
            self.claims.push((decision, None));
        }
        fields.accept(SPECIFIC_WITHOUT_EFFECT);
        no_objection_unheard(&fields)?;
        // The event name alone does not show that the answer is in a known dialect.
        if fields.any_known() { Ok(()) } else { Err(nothing_known(&fields)) }
    }

    /// Reads the answer to a permission request.
    fn read_permission(&mut self, mut fields: Fields) -> Result<(), Failure> {
        let behavior = fields.string("behavior")?.unwrap_or_default();
        let decision = match behavior.as_str() {
            "allow" => Decision::Allow,
            "deny" => Decision::Deny,
            _ => return Err(fields.unknown_word("behavior", "`allow` or `deny`", &behavior)),
        };
        let message = fields.string("message")?;
        if fields.boolean("interrupt")? == Some(true) {
            self.stop(message.clone());
        }
        self.claims.push((decision, message));
        if let Some(input) = fields.object("updatedInput")? {
            self.edit(Edit::Input(input))?;
        }
        Ok(())
    }

    /// Adds an edit. Equal edits count once: hooks repeat an output for older and newer hosts.
    fn edit(&mut self, edit: Edit) -> Result<(), Failure> {
        match &self.verdict.edit {
            Some(other) if *other != edit => Err(bad("the answer has more than one edit".to_owned())),
            _ => {
                self.verdict.edit = Some(edit);
                Ok(())
            }
        }
    }

    fn stop(&mut self, reason: Option<String>) {
        let reason = reason.filter(|reason| !reason.trim().is_empty());
        self.verdict.stop.get_or_insert(reason.unwrap_or_else(|| STOPPED.to_owned()));
    }

    fn notice(&mut self, text: String) {
        if text.trim().is_empty() {
            return;
        }
        self.verdict.notice = Some(match self.verdict.notice.take() {
            Some(notice) => format!("{notice}\n{text}"),
            None => text,
        });
    }

    fn finish(mut self) -> Result<Verdict, Failure> {
        if self.announced == Announced::Edit && self.verdict.edit.is_none() {
            return Err(without_content());
        }
        let decision = self.claims.iter().map(|(decision, _)| *decision).max().unwrap_or_default();
        // The reason of the strictest decision, otherwise any: a reason without a decision is useful too.
        let (of_strictest, of_others): (Vec<_>, Vec<_>) =
            self.claims.into_iter().partition(|(claimed, _)| *claimed == decision);
        self.verdict.decision = decision;
        self.verdict.reason = of_strictest
            .into_iter()
            .chain(of_others)
            .find_map(|(_, reason)| reason.filter(|reason| !reason.trim().is_empty()));
        Ok(self.verdict)
    }
}

/// Returns the edit that the Codex fork's `content` makes on `event`.
fn edit_of_content(event: EventName, content: Value) -> Result<Edit, Failure> {
    let wrong = |expected: &str, found: &Value| {
        bad(format!("`content` should be {expected} on `{event}`, found {}", json::type_name(found)))
    };
    match event {
        EventName::PreToolUse | EventName::PermissionRequest => match content {
            Value::Object(input) => Ok(Edit::Input(input)),
            Value::String(text) => json::parse_object(text.as_bytes())
                .map(Edit::Input)
                .map_err(|error| bad(format!("`content` should be an object, or one as a string: {error}"))),
            other => Err(wrong("an object, or one as a string", &other)),
        },
        EventName::PostToolUse | EventName::PostToolUseFailure => match content {
            Value::String(text) => Ok(Edit::Output(text.into())),
            other => Err(wrong("a string", &other)),
        },
        EventName::UserPromptSubmit => match content {
            Value::String(text) => Ok(Edit::Prompt(text)),
            other => Err(wrong("a string", &other)),
        },
        _ => Err(bad(format!("`{event}` has nothing that `content` could change"))),
    }
}
