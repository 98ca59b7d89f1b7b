//! Host abilities as a table: the shape that hosts with Claude Code's answer format share.
//!
//! A row has the form of a denial and the other abilities of the host. Anything that depends on the outcome itself
//! (a result without room for a text, a call of which the host accepts only a part) is code of the dialect, and only ever
//! removes abilities.

use crate::{
    Reply,
    answer::{Answer, blocked},
    text::{CONTEXT, REASON, cut, for_the_user, join},
};
use checkrein_core::{Abilities, Asking, Class, Editing, EventName, Outcome, Stopping};
use serde_json::{Value, json};

/// The form of a denial on an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `hookSpecificOutput.permissionDecision`.
    Permission,
    /// `hookSpecificOutput.decision.behavior`.
    Behaviour,
    /// `decision: "block"` with the reason.
    Block,
    /// `decision: "block"`, but not twice in a row: the host itself has no limit.
    BlockOnce,
    /// `decision: "block"`, whose reason replaces the result.
    Replace,
    /// `hookSpecificOutput.updatedToolOutput` with the reason in it.
    Withhold,
    /// `hookSpecificOutput.action: "decline"`.
    Decline,
    /// `continue: false`.
    EndTurn,
    /// Exit code 2 with the reason on stderr.
    ExitCode,
    /// No denial is possible.
    Never,
}

/// The host's handling of answers to one event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) event: EventName,
    pub(crate) form: Form,
    pub(crate) abilities: Abilities,
    /// True if `systemMessage` is shown.
    message: bool,
    /// True if stdout is not an answer, so that it must be empty without content.
    bare: bool,
}

impl Row {
    /// Creates a row with this form of denial and no other abilities.
    pub(crate) const fn new(event: EventName, form: Form) -> Self {
        let deny = !matches!(form, Form::Never);
        Self { event, form, abilities: Abilities { deny, ..Abilities::NONE }, message: false, bare: false }
    }

    /// Adds: an `allow` lets the host skip its own prompt.
    pub(crate) const fn allows(mut self) -> Self {
        self.abilities.allow = true;
        self
    }

    /// Sets the handling of `ask`.
    pub(crate) const fn asks(mut self, asking: Asking) -> Self {
        self.abilities.ask = asking;
        self
    }

    /// Sets the handling of an edit.
    pub(crate) const fn edits(mut self, editing: Editing) -> Self {
        self.abilities.edit = editing;
        self
    }

    /// Adds: the host passes text to the model.
    pub(crate) const fn tells(mut self) -> Self {
        self.abilities.context = true;
        self
    }

    /// Sets the handling of a request to end the turn.
    pub(crate) const fn stops(mut self, stopping: Stopping) -> Self {
        self.abilities.stop = stopping;
        self
    }

    /// Adds: a call can be retried.
    pub(crate) const fn retries(mut self) -> Self {
        self.abilities.retry = true;
        self
    }

    /// Marks a denial as ineffective although there is a form for it.
    pub(crate) const fn in_vain(mut self) -> Self {
        self.abilities.deny = false;
        self
    }

    /// Adds: the user is shown messages.
    pub(crate) const fn shows(mut self) -> Self {
        self.message = true;
        self
    }

    /// Makes an answer without content empty instead of `{}`.
    pub(crate) const fn bare(mut self) -> Self {
        self.bare = true;
        self
    }

    /// Starts an answer with the parts that all events share: context, the end of the turn, a retry, a message for
    /// the user.
    pub(crate) fn begin(&self, outcome: &Outcome) -> Answer {
        let mut answer = Answer::new(self.event);
        let contexts = outcome.contexts();
        if self.abilities.context && !contexts.is_empty() {
            answer.nested("additionalContext", cut(&join(&contexts), CONTEXT));
        }
        if self.abilities.stop != Stopping::Cannot
            && let Some(stop) = &outcome.stop
        {
            end_turn(&mut answer, &stop.reason);
        }
        if outcome.retry.is_some() {
            answer.nested("retry", true);
        }
        if self.message
            && let Some(text) = for_the_user(outcome)
        {
            answer.top("systemMessage", text);
        }
        answer
    }

    /// Writes the answer.
    pub(crate) fn reply(&self, answer: Answer) -> Reply {
        if self.bare && answer.is_empty() { Reply::default() } else { answer.reply() }
    }
}

/// The events with an answer; all others only report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table(pub(crate) &'static [Row]);

impl Table {
    /// Returns the row of an event.
    pub(crate) fn row(self, event: EventName) -> Row {
        let known = self.0.iter().find(|row| row.event == event);
        known.copied().unwrap_or(Row::new(event, Form::Never))
    }

    /// Returns the answer without an outcome: a denial wherever the event may be one that a denial prevents.
    pub(crate) fn refuse(self, event: Option<EventName>, reason: &str) -> Reply {
        let reason = &cut(reason, REASON);
        let Some(event) = event else {
            // Most events understand this form; for the others there is exit code 2 with the reason on stderr.
            return blocked(reason).and_exit_2(reason);
        };
        let row = self.row(event);
        let mut answer = Answer::new(event);
        if event.class() != Class::Gate {
            if row.message {
                answer.top("systemMessage", format!("checkrein: {reason}"));
            }
            return row.reply(answer);
        }
        match row.form {
            Form::Permission => {
                answer.nested("permissionDecision", "deny");
                answer.nested("permissionDecisionReason", reason.as_str());
            }
            Form::Behaviour => answer.nested("decision", json!({"behavior": "deny", "message": reason})),
            Form::Decline => answer.nested("action", "decline"),
            // The host reads it only with exit code 0.
            Form::EndTurn => {
                end_turn(&mut answer, reason);
                return answer.reply();
            }
            Form::Block | Form::BlockOnce | Form::Replace | Form::Withhold | Form::ExitCode | Form::Never => {
                answer.block(reason.clone());
            }
        }
        answer.reply().and_exit_2(reason)
    }
}

/// Returns true if the agent continues because a hook blocked its previous stop.
pub(crate) fn went_on_already(outcome: &Outcome) -> bool {
    outcome.payload.field("stop_hook_active") == Some(&Value::Bool(true))
}

/// Sets `continue: false`.
pub(crate) fn end_turn(answer: &mut Answer, reason: &str) {
    answer.top("continue", false);
    answer.top("stopReason", cut(reason, REASON));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_without_a_row_only_reports() {
        const TABLE: Table = Table(&[Row::new(EventName::PreToolUse, Form::Permission).allows()]);
        assert_eq!(TABLE.row(EventName::Stop).abilities, Abilities::NONE);
        let known = TABLE.row(EventName::PreToolUse).abilities;
        assert!(known.deny && known.allow && known.ask == Asking::Cannot);
    }

    /// A gate is denied whatever the table says about it, in the form of its row.
    #[test]
    fn every_gate_is_refused() {
        const fn only(form: Form) -> [Row; 1] {
            [Row::new(EventName::PreToolUse, form)]
        }
        const BLOCK: &str = r#"{"decision":"block","reason":"no"}"#;
        const CASES: &[(&[Row], &str, u8)] = &[
            (&[], BLOCK, 2),
            (
                &only(Form::Permission),
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#,
                2,
            ),
            (
                &only(Form::Behaviour),
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","decision":{"behavior":"deny","message":"no"}}}"#,
                2,
            ),
            (&only(Form::Block), BLOCK, 2),
            (&only(Form::BlockOnce), BLOCK, 2),
            (&only(Form::Replace), BLOCK, 2),
            (&only(Form::Withhold), BLOCK, 2),
            (
                &only(Form::Decline),
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","action":"decline"}}"#,
                2,
            ),
            (&only(Form::EndTurn), r#"{"continue":false,"stopReason":"no"}"#, 0),
            (&only(Form::ExitCode), BLOCK, 2),
            (&only(Form::Never), BLOCK, 2),
        ];
        for (rows, stdout, exit) in CASES {
            let reply = Table(rows).refuse(Some(EventName::PreToolUse), "no");
            let written = String::from_utf8(reply.stdout).unwrap();
            assert_eq!((written.trim_end(), reply.exit), (*stdout, *exit));
        }
        let unknown = Table(&[]).refuse(None, "no");
        assert_eq!((unknown.exit, unknown.stderr.as_str()), (2, "no\n"));
    }
}
