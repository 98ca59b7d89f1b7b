//! The script of the model.

use crate::Message;
use serde_json::Value;

/// One call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The tool's name, as the agent offers it.
    pub tool: String,
    /// Its input. An object, or a text for the free-form tools of OpenAI Responses.
    pub input: Value,
    /// The namespace that the tool is offered in, which only OpenAI Responses has.
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
    /// A text, then calls. Either may be empty; with neither, the model has nothing to say.
    Say {
        /// What it says.
        text: String,
        /// What it then wants to do.
        calls: Vec<Call>,
    },
    /// The beginning of an answer, and then the connection breaks.
    Cut {
        /// What it was about to say. The last piece of it is not sent.
        text: String,
    },
    /// An error instead of an answer.
    Fail {
        /// The HTTP status.
        status: u16,
        /// What the error says.
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
/// Each request takes the next turn. Agents also ask their model things on the side, such as a title for the session:
/// a request is one of these if it does not offer a tool that the next turn calls, or offers no tool at all although the
/// script calls some. It gets a short text and takes no turn.
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

/// Whether requests may be questions on the side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Asides {
    #[default]
    Some,
    /// Every request takes a turn, so that a model can also call what it was not offered.
    None,
}

impl Script {
    /// The turns in their order.
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self { turns: turns.into_iter().collect(), asides: Asides::Some, branches: Vec::new() }
    }

    /// The same with one turn more.
    #[must_use]
    pub fn then(mut self, turn: Turn) -> Self {
        self.turns.push(turn);
        self
    }

    /// The same, with turns of their own for a conversation in which a message holds `word`. An agent that has started
    /// another goes on meanwhile, so that nobody knows who of the two asks next.
    #[must_use]
    pub fn branch(mut self, word: impl Into<String>, turns: impl IntoIterator<Item = Turn>) -> Self {
        self.branches.push(Branch { word: word.into(), turns: turns.into_iter().collect() });
        self
    }

    /// The same for an agent that asks nothing on the side: every request takes a turn, also one that calls a tool which
    /// was not offered.
    #[must_use]
    pub const fn without_asides(mut self) -> Self {
        self.asides = Asides::None;
        self
    }

    /// How many turns there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether there is nothing to say.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// The turn with this number.
    #[must_use]
    pub fn turn(&self, number: usize) -> Option<&Turn> {
        self.turns.get(number)
    }

    /// The number of the branch that a conversation with these messages follows.
    pub(crate) fn branch_of(&self, messages: &[Message]) -> Option<usize> {
        let holds = |branch: &Branch| messages.iter().any(|message| message.text.contains(&branch.word));
        self.branches.iter().position(holds)
    }

    /// The turn with this number of a branch, or of the conversation itself.
    pub(crate) fn turn_of(&self, branch: Option<usize>, number: usize) -> Option<&Turn> {
        match branch {
            None => self.turn(number),
            Some(branch) => self.branches.get(branch)?.turns.get(number),
        }
    }

    /// Whether a request that offers `tools` is a question on the side when `turn` is next.
    pub(crate) fn is_aside(&self, turn: &Turn, tools: &[String]) -> bool {
        if self.asides == Asides::None {
            return false;
        }
        let calls_any = self.turns.iter().any(|turn| !turn.wants().is_empty());
        (tools.is_empty() && calls_any) || turn.wants().iter().any(|call| !tools.contains(&call.tool))
    }
}
