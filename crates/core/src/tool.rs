//! Tool calls and kinds of tools.

use crate::Map;
use std::{fmt, str::FromStr};

macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident = $word:literal [$($name:literal),* $(,)?]),+ $(,)?) => {
        /// The purpose of a tool, independent of the host's name for it.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ToolKind {
            $($(#[doc = $doc])+ $kind,)+
            /// Any other tool.
            #[default]
            Other,
        }

        impl ToolKind {
            /// All kinds.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)+ Self::Other];

            /// Returns the word for the kind in patterns (`kind:shell`) and on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$kind => $word,)+ Self::Other => "other" }
            }

            /// Returns the kind of a tool with a well-known name, and `Other` for every other name.
            pub fn of(name: &str) -> Self {
                match name {
                    $($($name)|* => Self::$kind,)+
                    _ if name.starts_with("mcp__") => Self::Mcp,
                    _ => Self::Other,
                }
            }
        }
    };
}

kinds! {
    /// Runs commands.
    Shell = "shell" [
        "Bash", "PowerShell", "Monitor", "bash", "powershell", "shell", "local_shell", "container.exec", "run_shell",
        "run_shell_command", "exec_command", "execute_command", "run_command", "run_terminal_cmd",
        "run_terminal_command", "run_in_terminal", "terminal", "execute_bash", "execute_shell",
        "execute_shell_command", "run_bash", "run_bash_command", "bash_tool", "shell_command", "shell_exec",
        "local_shell_call",
    ],
    /// Runs Python code.
    Python = "python" [
        "python", "python_repl", "run_python", "execute_python", "run_python_code", "execute_python_code", "ipython",
        "python_interpreter", "jupyter",
    ],
    /// Runs JavaScript code outside a page.
    JavaScript = "javascript" ["javascript", "run_javascript", "execute_javascript", "node_repl", "js_repl"],
    /// Runs code in a language that an argument names, or that is not known before it runs.
    Code = "code" ["code_interpreter", "code_execution", "execute_code", "run_code", "repl"],
    /// Reads files.
    Read = "read" ["Read", "read", "read_file", "view"],
    /// Writes whole files.
    Write = "write" ["Write", "write", "write_file", "create_file"],
    /// Changes parts of files.
    Edit = "edit" ["Edit", "MultiEdit", "NotebookEdit", "edit", "edit_file", "apply_patch", "replace"],
    /// Deletes files.
    Delete = "delete" ["Delete", "delete_file"],
    /// Searches for files or text.
    Search = "search" ["Grep", "Glob", "LS", "grep", "glob", "list_files", "list_directory"],
    /// Fetches from the network.
    Fetch = "fetch" ["WebFetch", "web_fetch", "fetch"],
    /// Searches the web.
    WebSearch = "websearch" ["WebSearch", "web_search"],
    /// Belongs to an MCP server.
    Mcp = "mcp" ["mcp"],
    /// Starts another agent.
    Agent = "agent" ["Agent", "Task", "delegate", "spawn_agent"],
    /// Asks the user.
    Question = "question" ["AskUserQuestion"],
    /// Shows or ends a plan.
    Plan = "plan" ["ExitPlanMode", "EnterPlanMode"],
    /// Maintains a to-do list.
    Todo = "todo" ["TodoWrite"],
}

impl ToolKind {
    /// Returns true if a tool of this kind runs source text of an interpreter other than a shell.
    pub const fn runs_code(self) -> bool {
        matches!(self, Self::Python | Self::JavaScript | Self::Code)
    }

    /// Returns true if a call of a tool of this kind leaves files, settings and processes as they are.
    pub const fn only_reads(self) -> bool {
        matches!(
            self,
            Self::Read
                | Self::Search
                | Self::Fetch
                | Self::WebSearch
                | Self::Question
                | Self::Plan
                | Self::Todo
        )
    }
}

impl fmt::Display for ToolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The error for a word that is not a kind of tool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind of tool `{0}`{hint}", hint = crate::nearest::hint(crate::nearest::nearest(.0, ToolKind::ALL.iter().map(|kind| kind.as_str())).as_deref()))]
pub struct UnknownKind(String);

impl FromStr for ToolKind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.iter().copied().find(|kind| kind.as_str() == text);
        known.ok_or_else(|| UnknownKind(text.to_owned()))
    }
}

/// One tool call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolCall {
    /// The kind of the tool.
    pub kind: ToolKind,
    /// The canonical name (Claude Code's, if it has such a tool).
    pub name: String,
    /// The host's own name, where it differs.
    pub host_name: Option<String>,
    /// The host's id of the call.
    pub id: Option<String>,
    /// The arguments, with all edits so far.
    pub input: Map,
    /// The arguments as the host sent them, kept since the first edit.
    pub original: Option<Map>,
}

impl ToolCall {
    /// Creates a call of the tool `name`; the kind follows from the name.
    pub fn new(name: impl Into<String>, input: Map) -> Self {
        let name = name.into();
        Self { kind: ToolKind::of(&name), name, input, ..Self::default() }
    }

    /// Sets the host's id of the call.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Returns the argument that a tool of unknown kind most likely runs, and the kind of tool that would do that.
    /// The guard judges the argument as that; an author who knows better says so with the tool's kind.
    pub fn assumed_kind(&self) -> Option<(&str, ToolKind)> {
        const TEXTS: &[(&str, ToolKind)] = &[
            ("command", ToolKind::Shell),
            ("cmd", ToolKind::Shell),
            ("script", ToolKind::Shell),
            ("code", ToolKind::Code),
        ];
        let known = self.kind != ToolKind::Other;
        TEXTS.iter().copied().find(|(key, _)| !known && self.text(key).is_some())
    }

    /// Returns the string argument `key`, for example `command` or `file_path`.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.input.get(key)?.as_str()
    }

    /// Returns the arguments as the host sent them.
    pub fn original_input(&self) -> &Map {
        self.original.as_ref().unwrap_or(&self.input)
    }

    /// Replaces the arguments with `input`, keeps the original ones, and returns the top-level keys that changed.
    pub(crate) fn replace_input(&mut self, input: Map) -> Vec<String> {
        let changed = changed_keys(&self.input, &input);
        if !changed.is_empty() {
            let before = std::mem::replace(&mut self.input, input);
            self.original.get_or_insert(before);
        }
        changed
    }

    /// Sets the keys of `changes` in the arguments and keeps all others.
    pub(crate) fn merge_input(&mut self, changes: Map) -> Vec<String> {
        let mut input = self.input.clone();
        input.extend(changes);
        self.replace_input(input)
    }
}

/// Returns the top-level keys in which two objects differ.
pub(crate) fn changed_keys(old: &Map, new: &Map) -> Vec<String> {
    let changed = new.iter().filter(|(key, value)| old.get(key.as_str()) != Some(value)).map(|(key, _)| key);
    changed.chain(old.keys().filter(|key| !new.contains_key(key.as_str()))).cloned().collect()
}
