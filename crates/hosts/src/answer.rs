//! Builds an answer in the format that Claude Code introduced and others adopted: top-level fields and an object for
//! the event.
//!
//! An answer has only a few fields, so a list is enough. One answer is prepared before anything of an event is read,
//! so building it must be cheap.

use crate::Reply;
use checkrein_core::EventName;
use serde_json::Value;

/// Fields in the order in which they were first set.
type Fields = Vec<(&'static str, Value)>;

/// The initial capacity, enough for most answers.
const USUAL: usize = 240;

pub(crate) struct Answer {
    /// The host's name of the event.
    event: &'static str,
    top: Fields,
    nested: Fields,
}

impl Answer {
    pub(crate) const fn new(event: EventName) -> Self {
        Self { event: event.as_str(), top: Vec::new(), nested: Vec::new() }
    }

    /// Sets the host's own name of the event.
    pub(crate) fn name_event(&mut self, name: &'static str) {
        self.event = name;
    }

    /// Sets a top-level field.
    pub(crate) fn top(&mut self, key: &'static str, value: impl Into<Value>) {
        set(&mut self.top, key, value.into());
    }

    /// Sets a field of `hookSpecificOutput`.
    pub(crate) fn nested(&mut self, key: &'static str, value: impl Into<Value>) {
        set(&mut self.nested, key, value.into());
    }

    /// Denies in the form of most events.
    pub(crate) fn block(&mut self, reason: String) {
        self.top("decision", "block");
        self.top("reason", reason);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.top.is_empty() && self.nested.is_empty()
    }

    /// Writes the answer. `{}` is the neutral answer, so that stdout is never empty.
    pub(crate) fn reply(self) -> Reply {
        let mut stdout = Vec::with_capacity(USUAL);
        stdout.push(b'{');
        let mut next = Separator::default();
        for (key, value) in &self.top {
            next.before(&mut stdout);
            field(&mut stdout, key, value);
        }
        if !self.nested.is_empty() {
            next.before(&mut stdout);
            stdout.extend(b"\"hookSpecificOutput\":{");
            field(&mut stdout, "hookEventName", &self.event.into());
            for (key, value) in &self.nested {
                stdout.push(b',');
                field(&mut stdout, key, value);
            }
            stdout.push(b'}');
        }
        stdout.push(b'}');
        Reply::line(stdout)
    }
}

/// Returns the denial of an unknown event.
pub(crate) fn blocked(reason: &str) -> Reply {
    let mut stdout = Vec::with_capacity(USUAL);
    stdout.push(b'{');
    field(&mut stdout, "decision", &"block".into());
    stdout.push(b',');
    field(&mut stdout, "reason", &reason.into());
    stdout.push(b'}');
    Reply::line(stdout)
}

fn set(fields: &mut Fields, key: &'static str, value: Value) {
    match fields.iter_mut().find(|(known, _)| *known == key) {
        Some((_, old)) => *old = value,
        None => fields.push((key, value)),
    }
}

/// Writes a comma before every field but the first.
#[derive(Default)]
struct Separator {
    is_needed: bool,
}

impl Separator {
    fn before(&mut self, json: &mut Vec<u8>) {
        if std::mem::replace(&mut self.is_needed, true) {
            json.push(b',');
        }
    }
}

/// Writes a field. The keys are constants that need no escaping.
fn field(json: &mut Vec<u8>, key: &str, value: &Value) {
    json.push(b'"');
    json.extend(key.as_bytes());
    json.extend(b"\":");
    // Writing a value to memory cannot fail.
    let _ = serde_json::to_writer(json, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(answer: Answer) -> String {
        String::from_utf8(answer.reply().stdout).unwrap()
    }

    #[test]
    fn fields_keep_their_order_and_the_last_value() {
        let mut answer = Answer::new(EventName::PreToolUse);
        assert_eq!(written(Answer::new(EventName::PreToolUse)), "{}\n");
        answer.top("continue", false);
        answer.top("reason", "a \"quoted\"\nreason");
        answer.nested("additionalContext", "first");
        answer.nested("retry", true);
        answer.nested("additionalContext", "second");
        assert_eq!(
            written(answer),
            "{\"continue\":false,\"reason\":\"a \\\"quoted\\\"\\nreason\",\"hookSpecificOutput\":\
             {\"hookEventName\":\"PreToolUse\",\"additionalContext\":\"second\",\"retry\":true}}\n"
        );
        assert_eq!(blocked("no").stdout, b"{\"decision\":\"block\",\"reason\":\"no\"}\n");
        let mut nested = Answer::new(EventName::PreToolUse);
        nested.nested("retry", true);
        assert_eq!(
            written(nested),
            "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"retry\":true}}\n"
        );
    }
}
