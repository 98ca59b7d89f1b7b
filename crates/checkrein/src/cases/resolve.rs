//! Resolves a case into an event and the outcome that it must have.

use super::{Case, Expected, Rewritten, read::CaseReader};
use crate::config::{
    fields::{At, Fields, Slot, one_of},
    tree::Span,
};
use checkrein_core::{Decision, Edit, Event, InputError, Map, Payload, ToolCall, flat, nearest::nearest};

/// The event of a case, and a name for it.
struct Question {
    payload: Payload,
    label: String,
}

impl<'t> CaseReader<'_, 't> {
    /// Parses a case; `None` if that is impossible, which has been reported.
    pub(super) fn case(&mut self, mut fields: Fields<'t>, line: usize) -> Option<Case> {
        let name = self.text(&mut fields, "name");
        let (command, tool) = (self.text(&mut fields, "command"), self.text(&mut fields, "tool"));
        let (input, payload) = (self.object(&mut fields, "input"), self.object(&mut fields, "payload"));
        let cwd = self.text(&mut fields, "cwd");
        let question = match payload {
            Slot::Absent => self.call(command, tool, input, cwd, &fields.span),
            Slot::Broken => None,
            Slot::Is(payload) => {
                let others = [
                    ("command", command.span()),
                    ("tool", tool.span()),
                    ("input", input.span()),
                    ("cwd", cwd.span()),
                ];
                for (key, span) in others {
                    if let Some(span) = span {
                        let message = format!("`{key}` cannot be used together with `payload`");
                        self.problem(key, span, &message, None);
                    }
                }
                self.event(payload)
            }
        };
        let expect = self.text(&mut fields, "expect");
        let decision = self.decision(expect);
        let rewritten = self.rewritten(&mut fields);
        let expected = Expected {
            rewritten: self.change(rewritten, question.as_ref(), decision),
            reasons: self.texts(&mut fields, "reason"),
            contexts: self.texts(&mut fields, "context"),
            stop: self.text(&mut fields, "stop").value().map(|stop| stop.value),
            retry: self.retry(&mut fields),
            failure: self.text(&mut fields, "failure").value().map(|failure| failure.value),
            decision: decision.unwrap_or_default(),
        };
        fields.finish();
        decision?;
        let Question { payload, label } = question?;
        Some(Case { name: name.value().map_or(label, |name| name.value), line, payload, expected })
    }

    /// Parses a command line, or a tool and its input. `case` is the position of the case.
    fn call(
        &mut self,
        command: Slot<String>,
        tool: Slot<String>,
        input: Slot<Map>,
        cwd: Slot<String>,
        case: &Span,
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
                self.problem("", case, message, None);
                return None;
            }
            // Already reported.
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
                payload.session.cwd = self.directory(payload.session.cwd.take());
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

    /// Returns the working directory of a case.
    fn directory(&self, named: Option<String>) -> Option<String> {
        let directory = named.map_or_else(|| self.directory.to_owned(), |named| self.directory.join(named));
        Some(directory.to_string_lossy().into_owned())
    }

    fn decision(&mut self, expect: Slot<String>) -> Option<Decision> {
        let At { span, value } = expect.value()?;
        let known = Decision::ALL.into_iter().find(|decision| decision.as_str() == value);
        if known.is_none() {
            let words = Decision::ALL.map(Decision::as_str);
            let message = format!("unknown decision `{value}`, expected {}", one_of(&words));
            let hint = nearest(&value, words).map(|near| format!("did you mean `{near}`?"));
            self.problem("expect", &span, &message, hint.as_deref());
        }
        known
    }

    /// Parses the expected rewrite. One that the event cannot carry would never be found.
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
            (_, Some(Decision::Deny)) => "a denial cannot have a rewrite".to_owned(),
            _ if fits => return Some(value),
            (Rewritten::Input(_), _) => format!("`{}` has no input that could be rewritten", payload.name()),
            (Rewritten::Text(_), _) => format!("`{}` has no text that could be rewritten", payload.name()),
        };
        self.problem("rewritten", &span, &message, None);
        None
    }
}
