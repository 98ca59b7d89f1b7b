//! Hooks of other agents: one of each dialect, which the program and the real agents run.

/// The reason of every denial.
pub const REASON: &str = "not from here";
/// The command that every rewrite puts in.
pub const REWRITTEN: &str = "cargo doc --offline";
/// The directory in the rewrite of a host that also sends one.
pub const DIRECTORY: &str = "/home/dev/shop";

/// A hook as its own host's documentation shows it.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The value of `written_for`.
    pub written_for: &'static str,
    /// The tool that its matcher names.
    pub tool: &'static str,
    /// The part of its payload that is about the call, up to the command.
    pub sees: &'static str,
    /// Its denial.
    pub denies: &'static str,
    /// Its change of the command, if its host takes one.
    pub rewrites: Option<&'static str>,
    /// Its context for the model, if its host takes one.
    pub tells: Option<&'static str>,
}

const NESTED_DENIAL: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not from here"}}"#;
const NESTED_REWRITE: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"cargo doc --offline"}}}"#;
const NESTED_CONTEXT: &str =
    r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"read the notes"}}"#;

/// One hook for each dialect and spelling.
pub const SAMPLES: &[Sample] = &[
    Sample {
        written_for: "claude",
        tool: "Bash",
        sees: r#""tool_name":"Bash","tool_input":{"command":"#,
        denies: NESTED_DENIAL,
        rewrites: Some(NESTED_REWRITE),
        tells: Some(NESTED_CONTEXT),
    },
    Sample {
        written_for: "codex",
        tool: "Bash",
        sees: r#""tool_name":"Bash","tool_input":{"command":"#,
        denies: r#"{"decision":"block","reason":"not from here"}"#,
        rewrites: Some(NESTED_REWRITE),
        tells: Some(NESTED_CONTEXT),
    },
    Sample {
        written_for: "gemini",
        tool: "run_shell_command",
        sees: r#""tool_name":"run_shell_command","tool_input":{"command":"#,
        denies: r#"{"decision":"deny","reason":"not from here"}"#,
        rewrites: Some(
            r#"{"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"cargo doc --offline"}}}"#,
        ),
        tells: None,
    },
    Sample {
        written_for: "qwen",
        tool: "run_shell_command",
        sees: r#""tool_name":"run_shell_command","tool_input":{"command":"#,
        denies: NESTED_DENIAL,
        rewrites: None,
        tells: Some(NESTED_CONTEXT),
    },
    Sample {
        written_for: "copilot",
        tool: "bash",
        sees: r#""toolName":"bash","toolArgs":{"command":"#,
        denies: r#"{"permissionDecision":"deny","permissionDecisionReason":"not from here"}"#,
        rewrites: Some(r#"{"modifiedArgs":{"command":"cargo doc --offline"}}"#),
        tells: Some(r#"{"additionalContext":"read the notes"}"#),
    },
    Sample {
        written_for: "copilot:PreToolUse",
        tool: "Bash",
        sees: r#""tool_name":"Bash","tool_input":{"command":"#,
        denies: r#"{"permissionDecision":"deny","permissionDecisionReason":"not from here"}"#,
        rewrites: Some(r#"{"modifiedArgs":{"command":"cargo doc --offline"}}"#),
        tells: None,
    },
    Sample {
        written_for: "cursor",
        tool: "Shell",
        sees: r#""tool_name":"Shell","tool_input":{"command":"#,
        denies: r#"{"permission":"deny","user_message":"not from here","agent_message":"not from here"}"#,
        rewrites: Some(
            r#"{"permission":"allow","updated_input":{"command":"cargo doc --offline","working_directory":"/home/dev/shop"}}"#,
        ),
        tells: None,
    },
    Sample {
        written_for: "cursor:beforeShellExecution",
        tool: "Shell",
        sees: r#""command":"#,
        denies: r#"{"permission":"deny","user_message":"not from here","agent_message":"not from here"}"#,
        rewrites: None,
        tells: None,
    },
    Sample {
        written_for: "vscode",
        tool: "run_in_terminal",
        sees: r#""tool_name":"run_in_terminal","tool_input":{"command":"#,
        denies: NESTED_DENIAL,
        rewrites: Some(NESTED_REWRITE),
        tells: Some(NESTED_CONTEXT),
    },
];
