//! The settings of `[mcp]`, for `checkrein mcp-proxy`.

use crate::config::{content::Settings, fields::Fields, keys::ConfigWord, reader::ConfigReader};
use serde_json::{Map, Value};

/// The treatment of the requests of a server to its client. The stricter of two layers counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ServerRequests {
    /// They reach the client.
    Pass,
    /// The client is not told, and the server gets an error.
    #[default]
    Deny,
}

impl ServerRequests {
    /// The word for it in configurations.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Deny => "deny",
        }
    }
}

/// The treatment of a tool whose definition is not the one that was pinned. The stricter of two layers counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangedTools {
    /// The client asks the user; a client that cannot ask does not get the tool.
    #[default]
    Ask,
    /// The client does not get the tool.
    Deny,
}

impl ChangedTools {
    /// The word for it in configurations.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// The table `[mcp]` of one file. A key that is not there leaves the decision to other layers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct McpKeys {
    sampling: Option<ServerRequests>,
    elicitation: Option<ServerRequests>,
    changes: Option<ChangedTools>,
}

impl McpKeys {
    /// Returns the keys as a file would write them.
    pub(crate) fn to_json(self) -> Value {
        let words = [
            ("sampling", self.sampling.map(ConfigWord::word)),
            ("elicitation", self.elicitation.map(ConfigWord::word)),
            ("changes", self.changes.map(ConfigWord::word)),
        ];
        let known = words.into_iter().filter_map(|(key, word)| Some((key.to_owned(), word?.into())));
        Value::Object(known.collect::<Map<String, Value>>())
    }
}

impl<'t> ConfigReader<'_, 't> {
    pub(crate) fn mcp(&mut self, fields: &mut Fields<'t>) -> McpKeys {
        let Some(mut table) = fields.table("mcp").value() else { return McpKeys::default() };
        let keys = McpKeys {
            sampling: self.word(&mut table.value, "sampling"),
            elicitation: self.word(&mut table.value, "elicitation"),
            changes: self.word(&mut table.value, "changes"),
        };
        table.value.finish();
        keys
    }
}

/// The settings for MCP servers of all layers together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct McpSettings {
    /// Requests for the client's model.
    pub sampling: ServerRequests,
    /// Questions to the client's user.
    pub elicitation: ServerRequests,
    /// Tools that changed.
    pub changes: ChangedTools,
}

impl McpSettings {
    /// Merges the files of the layers.
    pub(crate) fn of<'s>(files: &(impl Iterator<Item = &'s Settings> + Clone)) -> Self {
        let keys = || files.clone().map(|settings| settings.mcp);
        Self {
            sampling: keys().filter_map(|keys| keys.sampling).max().unwrap_or_default(),
            elicitation: keys().filter_map(|keys| keys.elicitation).max().unwrap_or_default(),
            changes: keys().filter_map(|keys| keys.changes).max().unwrap_or_default(),
        }
    }
}
