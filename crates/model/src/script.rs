//! The script of the model.

use crate::Message;
use serde_json::Value;

/// One tool call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The tool's name, as the agent offers it.
    pub tool: String,
    /// Its input: an object, or a string for the free-form tools of OpenAI Responses.
    pub input: Value,
    /// The namespace of the tool, which only OpenAI Responses has.
    pub namespace: Option<String>,
}

impl Call {
    /// Creates a call of `tool` with `input`.
    pub fn new(tool: impl Into<String>, input: Value) -> Self {
        Self { tool: tool.into(), input, namespace: None }
    }

    /// Sets the namespace of the tool.
    #[must_use]
    pub fn within(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }
}

/// The answer to one request.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// A text, then calls. Either may be empty.
    Say {
        /// The text.
        text: String,
        /// The calls after it.
        calls: Vec<Call>,
    },
    /// The beginning of an answer, and then the connection breaks.
    Cut {
        /// The text of the answer. Its last piece is not sent.
        text: String,
    },
    /// An error instead of an answer.
    Fail {
        /// The HTTP status.
        status: u16,
        /// The message of the error.
        message: String,
    },
}

impl Turn {
    /// Creates a text without a call, which ends the agent's turn.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Say { text: text.into(), calls: Vec::new() }
    }

    /// Creates one call.
    pub fn call(call: Call) -> Self {
        Self::calls([call])
    }

    /// Creates several calls in one answer.
    pub fn calls(calls: impl IntoIterator<Item = Call>) -> Self {
        Self::Say { text: String::new(), calls: calls.into_iter().collect() }
    }

    /// Creates a text followed by calls.
    pub fn say(text: impl Into<String>, calls: impl IntoIterator<Item = Call>) -> Self {
        Self::Say { text: text.into(), calls: calls.into_iter().collect() }
    }

    /// Creates a stream that breaks before its end.
    pub fn cut(text: impl Into<String>) -> Self {
        Self::Cut { text: text.into() }
    }

    /// Creates an error of the service.
    pub fn fail(status: u16, message: impl Into<String>) -> Self {
        Self::Fail { status, message: message.into() }
    }

    pub(crate) fn wants(&self) -> &[Call] {
        match self {
            Self::Say { calls, .. } => calls,
            Self::Cut { .. } | Self::Fail { .. } => &[],
        }
    }
}

/// The turns of a conversation.
///
/// Each request takes the next turn. Agents also send side requests to their model, such as for a title of
/// the session. A request is a side request if it does not offer a tool that the next turn calls, or offers
/// no tool at all although the script calls some. It gets a short text and takes no turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    turns: Vec<Turn>,
    asides: Asides,
    branches: Vec<Branch>,
}

/// The turns of another conversation.
#[derive(Clone, Debug, PartialEq)]
struct Branch {
    word: String,
    turns: Vec<Turn>,
}

/// The treatment of side requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Asides {
    #[default]
    Some,
    /// Every request takes a turn, so that a model can also call a tool that was not offered.
    None,
}

impl Script {
    /// Creates a script with these turns.
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self { turns: turns.into_iter().collect(), asides: Asides::Some, branches: Vec::new() }
    }

    /// Adds a turn.
    #[must_use]
    pub fn then(mut self, turn: Turn) -> Self {
        self.turns.push(turn);
        self
    }

    /// Adds separate turns for a conversation that has a message with `word`. An agent that has started
    /// another continues in the meantime, so the order of their requests is not known.
    #[must_use]
    pub fn branch(mut self, word: impl Into<String>, turns: impl IntoIterator<Item = Turn>) -> Self {
        self.branches.push(Branch { word: word.into(), turns: turns.into_iter().collect() });
        self
    }

    /// Disables side requests: every request takes a turn, also one that calls a tool which was not
    /// offered.
    #[must_use]
    pub const fn without_asides(mut self) -> Self {
        self.asides = Asides::None;
        self
    }

    /// Returns the number of turns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Returns true if there are no turns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Returns the turn with this number.
    #[must_use]
    pub fn turn(&self, number: usize) -> Option<&Turn> {
        self.turns.get(number)
    }

    /// Returns the number of the branch that a conversation with these messages follows.
    pub(crate) fn branch_of(&self, messages: &[Message]) -> Option<usize> {
        let holds = |branch: &Branch| messages.iter().any(|message| message.text.contains(&branch.word));
        self.branches.iter().position(holds)
    }

    /// Returns the turn with this number of a branch, or of the main conversation.
    pub(crate) fn turn_of(&self, branch: Option<usize>, number: usize) -> Option<&Turn> {
        match branch {
            None => self.turn(number),
            Some(branch) => self.branches.get(branch)?.turns.get(number),
        }
    }

    /// Returns true if a request that offers `tools` is a side request when `turn` is next.
    pub(crate) fn is_aside(&self, turn: &Turn, tools: &[String]) -> bool {
        if self.asides == Asides::None {
            return false;
        }
        let calls_any = self.turns.iter().any(|turn| !turn.wants().is_empty());
        (tools.is_empty() && calls_any) || turn.wants().iter().any(|call| !tools.contains(&call.tool))
    }
}
