//! Resolves a case into an event and the outcome that it must have.

use super::{
    Case, Expected, Rewritten,
    read::{Reader, Written},
};
use crate::config::{
    raw::{At, Slot, one_of},
    tree::Span,
};
use checkrein_core::{Decision, Edit, Event, InputError, Map, Payload, ToolCall, flat, nearest::nearest};

/// What a case is about and is called.
struct Question {
    payload: Payload,
    label: String,
}

impl Reader<'_, '_> {
    /// Understands a case; `None` if that is impossible, which is then in the report.
    pub(super) fn meant(&mut self, case: Written, span: &Span, line: usize) -> Option<Case> {
        let Written { name, command, tool, input, payload, cwd, expect, .. } = case;
        let whole = !case.has_unknown;
        let question = match &payload {
            Slot::Absent => self.call(command, tool, input, cwd, whole.then_some(span)),
            Slot::Broken => None,
            Slot::Is(_) => {
                let others = [
                    ("command", command.place()),
                    ("tool", tool.place()),
                    ("input", input.place()),
                    ("cwd", cwd.place()),
                ];
                for (key, place) in others {
                    if let Some(place) = place {
                        let message = format!("a whole `payload` leaves no room for `{key}`");
                        self.problem(key, place, &message, None);
                    }
                }
                payload.value().and_then(|payload| self.event(payload))
            }
        };
        let decision = self.decision(expect, whole.then_some(span));
        let rewritten = self.change(case.rewritten, question.as_ref(), decision);
        let texts = |slot: Slot<Vec<String>>| slot.value().map(|texts| texts.value).unwrap_or_default();
        let expected = Expected {
            decision: decision?,
            reasons: texts(case.reason),
            contexts: texts(case.context),
            rewritten,
            stop: case.stop.value().map(|stop| stop.value),
            retry: case.retry.value().and_then(|retry| retry.value),
            failure: case.failure.value().map(|failure| failure.value),
        };
        let Question { payload, label } = question?;
        Some(Case { name: name.value().map_or(label, |name| name.value), line, payload, expected })
    }

    /// A command line, or a tool and its input. `missing` is where to say that there is neither.
    fn call(
        &mut self,
        command: Slot<String>,
        tool: Slot<String>,
        input: Slot<Map>,
        cwd: Slot<String>,
        missing: Option<&Span>,
    ) -> Option<Question> {
        let (tool, label, input) = match (command, tool, input) {
            (Slot::Is(command), tool, Slot::Absent) => {
                let mut input = Map::new();
                input.insert("command".into(), command.value.as_str().into());
                (tool.value().map_or_else(|| "Bash".to_owned(), |tool| tool.value), command.value, input)
            }
            (Slot::Is(_), _, Slot::Is(input)) => {
                let message = "a case has a `command` or an `input`, not both";
                self.problem("input", &input.span, message, None);
                return None;
            }
            (Slot::Absent, Slot::Is(tool), input) => {
                let input = input.value().map(|input| input.value).unwrap_or_default();
                (tool.value.clone(), tool.value, input)
            }
            (Slot::Absent, Slot::Absent, input) => {
                let message = match input {
                    Slot::Absent => "a case needs a `command`, a `tool` or a `payload`",
                    Slot::Is(_) | Slot::Broken => "an `input` needs the `tool` that it is for",
                };
                if let Some(span) = missing {
                    self.problem("", span, message, None);
                }
                return None;
            }
            // Said already.
            (Slot::Broken, _, _) | (_, Slot::Broken, _) | (Slot::Is(_), _, Slot::Broken) => return None,
        };
        let mut payload = Payload::new(Event::PreToolUse { call: ToolCall::new(tool, input) });
        payload.session.cwd = self.directory(cwd.value().map(|cwd| cwd.value));
        Some(Question { payload, label })
    }

    fn event(&mut self, payload: At<Map>) -> Option<Question> {
        let At { span, value } = payload;
        match flat::read(value, None) {
            Ok(mut payload) => {
                payload.session.cwd = self.directory(payload.session.cwd);
                let label = payload.name().to_string();
                Some(Question { payload, label })
            }
            Err(InputError::NoEvent(field)) => {
                let message = format!("a payload needs a `{field}`");
                self.problem("payload", &span, &message, Some("for example `hook_event_name = \"Stop\"`"));
                None
            }
            Err(error) => {
                self.problem("payload", &span, &error.to_string(), None);
                None
            }
        }
    }

    /// The working directory of a case.
    fn directory(&self, named: Option<String>) -> Option<String> {
        let directory = named.map_or_else(|| self.directory.to_owned(), |named| self.directory.join(named));
        Some(directory.to_string_lossy().into_owned())
    }

    fn decision(&mut self, expect: Slot<String>, missing: Option<&Span>) -> Option<Decision> {
        let words = Decision::ALL.map(Decision::as_str);
        let At { span, value } = match expect {
            Slot::Is(word) => word,
            Slot::Broken => return None,
            Slot::Absent => {
                let message = format!("a case needs an `expect`: {}", one_of(&words));
                if let Some(span) = missing {
                    self.problem("", span, &message, None);
                }
                return None;
            }
        };
        let known = Decision::ALL.into_iter().find(|decision| decision.as_str() == value);
        if known.is_none() {
            let message = format!("unknown decision `{value}`, expected {}", one_of(&words));
            let hint = nearest(&value, words).map(|near| format!("did you mean `{near}`?"));
            self.problem("expect", &span, &message, hint.as_deref());
        }
        known
    }

    /// A change that the event cannot carry would never be found.
    fn change(
        &mut self,
        rewritten: Slot<Rewritten>,
        question: Option<&Question>,
        decision: Option<Decision>,
    ) -> Option<Rewritten> {
        let At { span, value } = rewritten.value()?;
        let Question { payload, .. } = question?;
        let fits = match &value {
            Rewritten::Input(_) => Edit::Input(Map::new()).fits(&payload.event),
            Rewritten::Text(_) => {
                Edit::Output("".into()).fits(&payload.event)
                    || Edit::Prompt(String::new()).fits(&payload.event)
            }
        };
        let message = match (&value, decision) {
            (_, Some(Decision::Deny)) => "a denial carries no rewrite".to_owned(),
            _ if fits => return Some(value),
            (Rewritten::Input(_), _) => format!("`{}` has no input that could be rewritten", payload.name()),
            (Rewritten::Text(_), _) => format!("`{}` has no text that could be rewritten", payload.name()),
        };
        self.problem("rewritten", &span, &message, None);
        None
    }
}
