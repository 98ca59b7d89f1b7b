//! The keys of `[mcp]`.

use super::{Absent, DefaultValue, Key, KeyType, Table, words};
use crate::config::{
    layer::Layer,
    mcp::{ChangedTools, ServerRequests},
};

const ABOUT_SERVERS: &str = "a project does not decide what MCP servers may do; write it into your own file";

/// The row of the table in its file.
pub(super) const KEY: Key = Key::new(
    "mcp",
    KeyType::Table(&MCP),
    Absent::Means("the defaults of its keys"),
    "What `checkrein mcp-proxy` lets MCP servers do.",
);

/// A `[mcp]`.
pub(crate) static MCP: Table = Table::new(
    "mcp",
    "the settings about MCP servers",
    &[
        Key::new(
            "sampling",
            KeyType::Word(words::<ServerRequests>),
            Absent::Default(DefaultValue::Text(ServerRequests::Deny.as_str())),
            "Whether a server may ask the client's model for text (`sampling/createMessage`).",
        )
        .note("The stricter of two layers counts.")
        .refused(&[(Layer::Project, ABOUT_SERVERS)]),
        Key::new(
            "elicitation",
            KeyType::Word(words::<ServerRequests>),
            Absent::Default(DefaultValue::Text(ServerRequests::Deny.as_str())),
            "Whether a server may ask the user questions (`elicitation/create`).",
        )
        .note("The stricter of two layers counts. Checkrein's own questions are not affected.")
        .refused(&[(Layer::Project, ABOUT_SERVERS)]),
        Key::new(
            "changes",
            KeyType::Word(words::<ChangedTools>),
            Absent::Default(DefaultValue::Text(ChangedTools::Ask.as_str())),
            "What happens to a tool that was added or whose definition changed since the server was first used: the user is asked, or the tool is held back.",
        )
        .note(
            "The stricter of two layers counts. A client that cannot ask does not get the tool; `checkrein mcp-pins --accept SERVER` accepts the change.",
        )
        .refused(&[(Layer::Project, ABOUT_SERVERS)]),
    ],
);
