//! Calls as types of their own, so that an author does not dig in JSON.

use checkrein::{Agent, Edit, Failure, Map, Output, Payload, Session, ToolCall as Call, Verdict};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// The input of one tool as a type.
///
/// ```
/// use checkrein_harness::{ToolCall, ToolInput, Verdict, before};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct WriteFile { path: String }
///
/// impl ToolInput for WriteFile {
///     const TOOL: &str = "write_file";
/// }
///
/// fn keep_licence(call: &ToolCall<WriteFile>) -> Verdict {
///     if call.input.path.ends_with("LICENSE") { Verdict::deny("the licence stays as it is") } else { Verdict::abstain() }
/// }
///
/// let hook = before("keep-licence", keep_licence).judge();
/// ```
pub trait ToolInput: DeserializeOwned {
    /// The tool's name, or a pattern for names.
    const TOOL: &'static str;
}

/// A call with its input as a `T`.
#[derive(Debug)]
pub struct ToolCall<'a, T> {
    /// The input.
    pub input: T,
    call: &'a Call,
    payload: &'a Payload,
}

impl<'a, T: ToolInput> ToolCall<'a, T> {
    /// The call that `payload` is about. An input that is no `T` is a failure of the hook, and so a denial: who cannot
    /// read a call cannot have judged it.
    pub(crate) fn of(payload: &'a Payload) -> Result<Self, Failure> {
        let call = payload.event.call().ok_or_else(|| Failure::Other("the event is about no call".into()))?;
        let input = T::deserialize(&call.input)
            .map_err(|error| Failure::Other(format!("cannot read the input of `{}`: {error}", call.name)))?;
        Ok(Self { input, call, payload })
    }

    /// The call as it is.
    pub const fn raw(&self) -> &'a Call {
        self.call
    }

    /// The input as the model sent it, before any hook.
    pub fn original(&self) -> &'a Map {
        self.call.original_input()
    }

    /// How often the call was tried, this time included.
    pub const fn attempt(&self) -> u32 {
        self.payload.attempt
    }

    /// The session.
    pub const fn session(&self) -> &'a Session {
        &self.payload.session
    }

    /// The agent, and the agents that started it.
    pub const fn agent(&self) -> &'a Agent {
        &self.payload.agent
    }

    /// A verdict that puts `input` in the place of this call's. Fields that `T` does not know stay.
    pub fn rewrite(&self, input: &T) -> Result<Verdict, Failure>
    where
        T: Serialize,
    {
        match serde_json::to_value(input) {
            Ok(Value::Object(fields)) => Ok(Verdict::edit(Edit::MergeInput(fields))),
            Ok(_) => Err(Failure::EditNotAllowed("the new input is no object".into())),
            Err(error) => Err(Failure::EditNotAllowed(format!("the new input is no JSON: {error}"))),
        }
    }
}

/// What the tool answered, or the text of its failure.
pub(crate) fn output_of(payload: &Payload) -> Result<&Output, Failure> {
    payload.event.output().ok_or_else(|| Failure::Other("the event has no output".into()))
}
