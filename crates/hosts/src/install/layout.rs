//! The layout of an agent's hook file: what differs between files that name events and list commands.

use super::tree::{Comments, Node, SyntaxError, parse_with};
use serde_json::{Value as Json, json};

/// The kind of the file that registers us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// JSON with our entries, and with settings of the user.
    Entries,
    /// TOML with our entries as `[[hooks]]` tables, and with settings of the user.
    Tables,
    /// YAML with our entries as one block, and with settings of the user.
    Yaml,
    /// A script for each event, named after it. It is ours as a whole.
    Scripts,
    /// A module that the agent loads: this source, after a few lines with our program and events. It is ours as a
    /// whole.
    Bridge(&'static str),
}

impl Kind {
    /// Returns true if a file of this kind is ours as a whole.
    pub const fn is_whole(self) -> bool {
        match self {
            Self::Entries | Self::Tables | Self::Yaml => false,
            Self::Scripts | Self::Bridge(_) => true,
        }
    }
}

/// The layout of a hook file.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The kind of the file. The rest is about entries.
    pub kind: Kind,
    /// The other files of a module, which are the same in every installation: paths in the agent's directory, and texts.
    pub companions: &'static [(&'static str, &'static str)],
    /// The nesting of handlers in the list of an event.
    pub nesting: Nesting,
    /// The key of the command in a handler.
    pub command: &'static str,
    /// The key of the timeout in a handler.
    pub timeout: &'static str,
    /// The unit of the timeout.
    pub unit: Unit,
    /// The longest timeout that the agent accepts, in seconds.
    pub longest: u32,
    /// The matcher for every tool.
    pub matcher: &'static str,
    /// The treatment of comments.
    pub comments: Comments,
    /// The number that a new file has under `version`, if the agent wants one.
    pub version: Option<u32>,
    /// The place that our entry needs among those of its event.
    pub position: Position,
    /// True if the agent also accepts the canonical name of an event as its key.
    pub accepts_canonical: bool,
    /// The setting of a handler that makes the agent deny where our program fails.
    pub fail_closed: FailClosed,
}

/// The setting of a handler that makes an agent deny where a hook fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailClosed {
    /// `"onFailure": "block"`.
    OnFailure,
    /// `"failClosed": true`.
    Flag,
}

impl FailClosed {
    /// Returns the key in a handler.
    pub const fn key(self) -> &'static str {
        match self {
            Self::OnFailure => "onFailure",
            Self::Flag => "failClosed",
        }
    }

    /// Returns the value that makes the agent deny.
    pub fn value(self) -> Json {
        match self {
            Self::OnFailure => "block".into(),
            Self::Flag => true.into(),
        }
    }

    /// Returns true if the handler has the setting.
    pub fn is_set(self, handler: &Json) -> bool {
        handler.get(self.key()) == Some(&self.value())
    }
}

/// The nesting of handlers in the list of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// In groups with a matcher.
    Groups,
    /// In the list itself; a handler may have a matcher.
    Flat,
}

/// The unit of a timeout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Milliseconds from 1000 on, and seconds below.
    Either,
}

/// The place that our entry needs among those of its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Anywhere: a denial wins, whatever the others answer.
    Any,
    /// At the end: the agent takes the last answer.
    Last,
}

impl Layout {
    /// The layout of Claude Code, which others adopted.
    pub const CLAUDE: Self = Self {
        kind: Kind::Entries,
        companions: &[],
        nesting: Nesting::Groups,
        command: "command",
        timeout: "timeout",
        unit: Unit::Seconds,
        longest: u32::MAX,
        matcher: "*",
        comments: Comments::Rejected,
        version: None,
        position: Position::Any,
        accepts_canonical: true,
        fail_closed: FailClosed::OnFailure,
    };

    /// Parses a file of this layout.
    pub fn parse(&self, text: &str) -> Result<Node, SyntaxError> {
        parse_with(text, self.comments)
    }

    /// Creates a handler.
    pub(crate) fn handler(&self, command: &str, seconds: u32) -> Json {
        json!({"type": "command", self.command: command, self.timeout: self.written(seconds.min(self.longest))})
    }

    /// Creates the element of an event's list that has this handler, for every tool if the event is about one.
    pub(crate) fn element(&self, handler: &Json, has_tool: bool) -> Json {
        match (self.nesting, has_tool) {
            (Nesting::Groups, true) => json!({"matcher": self.matcher, "hooks": [handler]}),
            (Nesting::Groups, false) => json!({"hooks": [handler]}),
            (Nesting::Flat, _) => handler.clone(),
        }
    }

    /// Returns the text of an empty file.
    pub(crate) fn empty(&self) -> String {
        self.version
            .map_or_else(|| "{}\n".to_owned(), |version| format!("{{\n  \"version\": {version}\n}}\n"))
    }

    /// Returns the handlers of one element of an event's list.
    pub(crate) fn handlers<'a>(&self, element: &'a Node) -> &'a [Node] {
        match self.nesting {
            Nesting::Groups => element.get("hooks").and_then(Node::elements).unwrap_or_default(),
            Nesting::Flat => std::slice::from_ref(element),
        }
    }

    /// Returns the timeout of a handler in seconds.
    pub fn seconds(&self, handler: &Json) -> Option<f64> {
        handler.get(self.timeout)?.as_f64().map(|written| self.in_seconds(written))
    }

    /// Returns a timeout of the file in seconds.
    pub fn in_seconds(&self, written: f64) -> f64 {
        match self.unit {
            Unit::Seconds => written,
            Unit::Either if written < 1000.0 => written,
            Unit::Milliseconds | Unit::Either => written / 1000.0,
        }
    }

    /// Returns `seconds` as they are written in the file.
    pub fn written(&self, seconds: u32) -> u32 {
        match self.unit {
            Unit::Seconds => seconds,
            Unit::Milliseconds | Unit::Either => seconds.saturating_mul(1000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Qwen Code reads 30 as seconds and 30000 as milliseconds; Gemini CLI reads both as milliseconds.
    #[test]
    fn a_timeout_is_written_so_that_no_version_reads_another_unit() {
        let either = Layout { unit: Unit::Either, ..Layout::CLAUDE };
        assert_eq!(either.handler("x", 3)["timeout"], 3000);
        assert_eq!(either.seconds(&json!({"timeout": 30})), Some(30.0));
        assert_eq!(either.seconds(&json!({"timeout": 30_000})), Some(30.0));
        let milliseconds = Layout { unit: Unit::Milliseconds, ..Layout::CLAUDE };
        assert_eq!(milliseconds.handler("x", 30)["timeout"], 30_000);
        assert_eq!(milliseconds.seconds(&json!({"timeout": 30})), Some(0.03));
        assert_eq!(Layout::CLAUDE.seconds(&json!({"timeout": 30})), Some(30.0));
        assert_eq!(Layout::CLAUDE.seconds(&json!({})), None);
    }
}
