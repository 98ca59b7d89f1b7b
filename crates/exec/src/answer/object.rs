//! An answer that is a JSON object, whichever dialect it is written in.
//!
//! The dialects overlap (`decision`, `reason`, `retry`), so they are not told apart first: every field is read wherever
//! it may stand. A hook that says two things says the stricter one; a hook that makes two different edits says
//! something that cannot be carried out, and fails.

use super::{Word, bad, fields::Fields};
use checkrein_core::{Decision, Edit, EventName, Failure, Map, Output, Retry, Verdict, json, nearest};
use serde_json::Value;

/// The reason of a stop whose hook gave none.
const STOPPED: &str = "the hook ended the turn";

/// Fields that hosts know, and that mean nothing to us.
const WITHOUT_EFFECT: &[&str] = &["suppressOutput", "terminalSequence", "async", "asyncTimeout"];

/// The same inside `hookSpecificOutput`.
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

/// The fields that a slip of the pen is most likely to have meant.
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

/// Reads an answer that is an object already, for doors that are handed one.
///
/// A hook that plainly denies and says something else wrongly still denies.
pub fn read_object(event: EventName, fields: Map) -> Result<Verdict, Failure> {
    let denies = denies(&fields);
    read_fields(event, fields).or_else(|failure| match denies {
        true => Ok(Verdict::deny(format!("denied, in an answer that cannot be read whole ({failure})"))),
        false => Err(failure),
    })
}

/// Whether a name is that of a field of an answer, or nearly.
pub(super) fn is_like_a_field(name: &str) -> bool {
    // Both are common in logs, and say nothing by themselves.
    !matches!(name, "message" | "reason" | "context" | "prompt")
        && (LIKELY.contains(&name)
            || ["notices", "retry", "tool_input", "tool_output", "stopReason"].contains(&name)
            || nearest::nearest(name, LIKELY.iter().copied().filter(|likely| likely.len() > 5)).is_some())
}

/// Whether a field that we do not know objects.
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
    draft.read_universal(&mut top)?;
    // Hosts ignore these outside of `hookSpecificOutput`, silently. Whoever wrote them there meant them all the same.
    draft.read_specific(&mut top)?;
    if let Some(specific) = top.object(SPECIFIC)? {
        draft.read_nested(event, Fields::new(specific, "hookSpecificOutput."))?;
    }
    top.accept(WITHOUT_EFFECT);
    no_objection_unheard(&top)?;
    if top.any_known() { draft.finish() } else { Err(nothing_known(&top)) }
}

/// The failure of an answer that announces an edit and holds none.
pub(super) fn without_content() -> Failure {
    bad("the decision `modify` comes without `content`".to_owned())
}

/// A misspelt `decision` beside a known `reason` must not be silence.
fn no_objection_unheard(fields: &Fields) -> Result<(), Failure> {
    let Some(found) = fields.objecting() else { return Ok(()) };
    let found: String = found.chars().take(40).collect();
    let hint = nearest::nearest(&found, LIKELY.iter().copied());
    let hint = hint.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    Err(bad(format!("the unknown field `{found}` holds an objection{hint}")))
}

fn nothing_known(fields: &Fields) -> Failure {
    let found: String = fields.unknown().unwrap_or_default().chars().take(40).collect();
    let hint = nearest::nearest(&found, LIKELY.iter().copied());
    let hint = hint.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    bad(format!("no field of the answer is known, for example `{found}`{hint}"))
}

/// A verdict in the making.
#[derive(Default)]
struct Draft {
    verdict: Verdict,
    /// Each decision with its reason.
    claims: Vec<(Decision, Option<String>)>,
    /// Whether an edit was announced.
    announced: Announced,
}

#[derive(Default, PartialEq, Eq)]
enum Announced {
    #[default]
    Nothing,
    Edit,
}

impl Draft {
    /// `decision` with its reason: ours, the ancestor's, the Codex fork's, Claude Code's, and Pi's `block`.
    fn read_decision(&mut self, event: EventName, top: &mut Fields) -> Result<(), Failure> {
        let mut decision = Decision::Abstain;
        if let Some(word) = top.string("decision")? {
            match Word::of(&word).ok_or_else(|| top.unknown_word("decision", Word::ALL, &word))? {
                Word::Plain(plain) => decision = plain,
                Word::Modify => {
                    self.announced = Announced::Edit;
                    // Elsewhere `content` is not a field that we know.
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

    /// What is only ours and the ancestor's.
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

    /// What Claude Code and Codex take on every event.
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

    /// What Claude Code and Codex expect inside `hookSpecificOutput`, and that is not mistaken elsewhere.
    fn read_specific(&mut self, fields: &mut Fields) -> Result<(), Failure> {
        let word = fields.string("permissionDecision")?;
        let reason = fields.string("permissionDecisionReason")?;
        let decision = match word.as_deref() {
            None => Decision::Abstain,
            Some("allow") => Decision::Allow,
            Some("deny") => Decision::Deny,
            // A deferred decision is one that somebody else must still take.
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

    /// `hookSpecificOutput`.
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
        // The name of the event alone does not show that the author and we speak of the same things.
        if fields.any_known() { Ok(()) } else { Err(nothing_known(&fields)) }
    }

    /// The answer to a permission request.
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

    /// Takes an edit over. The same edit twice is one edit: hooks name an output for older and newer hosts.
    fn edit(&mut self, edit: Edit) -> Result<(), Failure> {
        match &self.verdict.edit {
            Some(other) if *other != edit => Err(bad("the answer holds more than one edit".to_owned())),
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
        // The reason of the strictest decision, else any: a reason without a decision is worth hearing too.
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

/// The edit that the Codex fork's `content` makes on `event`.
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
