//! Events end to end in Claude Code's dialect, through real command hooks.

use crate::{Place, bash};
use insta::assert_snapshot;

/// Returns one hook that prints `answer`.
fn hook(event: &str, answer: &str) -> Place {
    Place::with(&format!(
        "[[hook]]\nevent = \"{event}\"\nname = \"h\"\ncommand = '''printf '%s' '{answer}' '''\n"
    ))
}

fn event(name: &str, fields: &str) -> String {
    format!(r#"{{"session_id":"s","hook_event_name":"{name}"{fields}}}"#)
}

#[test]
fn without_a_configuration_only_the_guard_answers() {
    let place = Place::new();
    assert_snapshot!(place.run(&["hook", "--host", "claude"], bash("ls")), @"
    --- stdout
    {}
    --- exit 0
    ");
    assert_snapshot!(place.run(&["hook", "--host", "checkrein"], bash("ls")), @r#"
    --- stdout
    {"decision":"abstain"}
    --- exit 0
    "#);
    assert_snapshot!(place.run(&["hook", "--host", "claude"], bash("rm -rf /")), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked deleting files that this machine needs: / (filesystem.delete-machine).","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Checkrein denied this [filesystem.delete-machine]. Instead: delete only what the project generated, and name it."}}
    --- exit 0
    "#);
    // Another session, in which it was not tried before.
    let other = bash("rm -rf /").replace(r#""session_id":"s""#, r#""session_id":"t""#);
    assert_snapshot!(place.run(&["hook", "--host", "checkrein"], other), @r#"
    --- stdout
    {"decision":"deny","reason":"Checkrein denied this [filesystem.delete-machine]. Instead: delete only what the project generated, and name it.","reasons":[{"hook":"guard","decision":"deny","text":"Checkrein denied this [filesystem.delete-machine]. Instead: delete only what the project generated, and name it."}],"notices":[{"hook":"guard","text":"Checkrein blocked deleting files that this machine needs: / (filesystem.delete-machine)."}]}
    --- exit 0
    "#);
    // After the call there is nothing to prevent.
    let after =
        event("PostToolUse", r#","tool_name":"Bash","tool_input":{"command":"rm -rf /"},"tool_response":"""#);
    assert_snapshot!(place.run(&["hook", "--host", "checkrein"], after), @r#"
    --- stdout
    {"decision":"abstain"}
    --- exit 0
    "#);
}

/// A shell call without a command is denied, with the reason.
#[test]
fn a_call_that_is_not_understood_is_denied() {
    let fields = r#","tool_name":"Bash","tool_input":{"command":5}"#;
    assert_snapshot!(Place::new().run(&["hook", "--host", "claude"], event("PreToolUse", fields)), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked a shell call that does not say what it runs (call.no-command).","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Checkrein denied this [call.no-command]. Instead: give the tool one command, as a text in `command`."}}
    --- exit 0
    "#);
}

/// The guard also judges the other event that can still prevent a call.
#[test]
fn the_guard_judges_requests_for_permission() {
    let fields = r#","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: /etc/sudoers\n+x\n*** End Patch"}"#;
    let answer = Place::new().run(&["hook", "--host", "checkrein"], event("PermissionRequest", fields));
    assert!(answer.contains(r#""decision":"deny""#), "{answer}");
}

#[test]
fn pre_tool_use() {
    assert_snapshot!(hook("PreToolUse", r#"{"decision":"deny","reason":"no"}"#).claude(&bash("ls")), @r#"
    --- stdout
    {"systemMessage":"Checkrein: hook `h` blocked this call: no","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"h: no"}}
    --- exit 0
    "#);
    assert_snapshot!(hook("PreToolUse", r#"{"decision":"ask","reason":"sure?"}"#).claude(&bash("ls")), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"h: sure?"}}
    --- exit 0
    "#);
    assert_snapshot!(hook("PreToolUse", r#"{"decision":"allow"}"#).claude(&bash("ls")), @"
    --- stdout
    {}
    --- exit 0
    ");
    assert_snapshot!(hook("PreToolUse", r#"{"rewrite_args":{"command":"ls -a"}}"#).claude(&bash("ls")), @r#"
    --- stdout
    {"systemMessage":"Checkrein: hook `h` changed this call","hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls -a"}}}
    --- exit 0
    "#);
    assert_snapshot!(hook("PreToolUse", r#"{"decision":"den"}"#).claude(&bash("ls")), @r#"
    --- stdout
    {"systemMessage":"Checkrein: hook `h` blocked this call: the hook failed: bad answer: `decision` should be `abstain`, `allow`, `ask`, `deny`, `approve`, `proceed`, `block`, `modify` or `edit`, found `den`","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"h: the hook failed: bad answer: `decision` should be `abstain`, `allow`, `ask`, `deny`, `approve`, `proceed`, `block`, `modify` or `edit`, found `den`"}}
    --- stderr
    checkrein: hook `h` failed, so it is denied: bad answer: `decision` should be `abstain`, `allow`, `ask`, `deny`, `approve`, `proceed`, `block`, `modify` or `edit`, found `den`
    --- exit 0
    "#);
}

#[test]
fn an_allow_needs_may_allow() {
    let place = Place::with(
        "[[hook]]\nevent = \"PreToolUse\"\nname = \"h\"\nmay_allow = true\ncommand = ['printf', '{\"decision\":\"allow\"}']\n",
    );
    assert_snapshot!(place.claude(&bash("ls")), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}
    --- exit 0
    "#);
}

#[test]
fn post_tool_use() {
    let result = event(
        "PostToolUse",
        r#","tool_name":"Bash","tool_input":{"command":"env"},"tool_response":{"stdout":"KEY=1","stderr":"","interrupted":false}"#,
    );
    assert_snapshot!(hook("PostToolUse", r#"{"rewrite_output":"KEY=-"}"#).claude(&result), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"KEY=-","stderr":"","interrupted":false}}}
    --- exit 0
    "#);
    assert_snapshot!(hook("PostToolUse", r#"{"decision":"deny","reason":"a key"}"#).claude(&result), @r#"
    --- stdout
    {"systemMessage":"Checkrein: hook `h` withheld this output: a key","hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"[output withheld]\nh: a key","stderr":"","interrupted":false}}}
    --- exit 0
    "#);
    assert_snapshot!(hook("PostToolUse", r#"{"context":"note"}"#).claude(&result), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"note"}}
    --- exit 0
    "#);
    assert_snapshot!(hook("PostToolUse", r#"{"stop":"enough","context":"note","rewrite_output":""}"#).claude(&result), @r#"
    --- stdout
    {"continue":false,"stopReason":"enough","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"note","updatedToolOutput":{"stdout":"","stderr":"","interrupted":false}}}
    --- exit 0
    "#);
}

#[test]
fn post_tool_use_failure() {
    let failure =
        event("PostToolUseFailure", r#","tool_name":"Bash","tool_input":{"command":"x"},"error":"boom""#);
    let answer = r#"{"rewrite_output":"a clearer text","retry":{"command":"y"}}"#;
    let place = hook("PostToolUseFailure", answer);
    assert_snapshot!(place.run(&["hook", "--host", "checkrein", "--config", "hooks.toml"], &failure), @r#"
    --- stdout
    {"decision":"abstain","tool_output":"a clearer text","retry":{"command":"y"}}
    --- exit 0
    "#);
    assert_snapshot!(hook("PostToolUseFailure", r#"{"context":"look there"}"#).claude(&failure), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"look there"}}
    --- exit 0
    "#);
}

#[test]
fn sessions_and_prompts() {
    let start = event("SessionStart", r#","source":"startup""#);
    assert_snapshot!(hook("SessionStart", "the rules of this house").claude(&start), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"the rules of this house"}}
    --- exit 0
    "#);
    let prompt = event("UserPromptSubmit", r#","prompt":"hi""#);
    assert_snapshot!(hook("UserPromptSubmit", r#"{"decision":"deny","reason":"not today"}"#).claude(&prompt), @r#"
    --- stdout
    {"decision":"block","reason":"h: not today"}
    --- exit 0
    "#);
    assert_snapshot!(hook("UserPromptSubmit", "today is Monday").claude(&prompt), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"today is Monday"}}
    --- exit 0
    "#);
}

#[test]
fn ends() {
    let stop = event("Stop", r#","stop_hook_active":false"#);
    assert_snapshot!(hook("Stop", r#"{"decision":"block","reason":"the tests fail"}"#).claude(&stop), @r#"
    --- stdout
    {"decision":"block","reason":"h: the tests fail"}
    --- exit 0
    "#);
    let stop = event("SubagentStop", r#","agent_id":"a","stop_hook_active":false"#);
    assert_snapshot!(hook("SubagentStop", r#"{"decision":"block","reason":"go on"}"#).claude(&stop), @r#"
    --- stdout
    {"decision":"block","reason":"h: go on"}
    --- exit 0
    "#);
    let crashed = Place::with("[[hook]]\nevent = \"Stop\"\nname = \"h\"\ncommand = \"exit 1\"\n");
    assert_snapshot!(crashed.claude(&event("Stop", "")), @"
    --- stdout
    {}
    --- stderr
    checkrein: hook `h` failed, ignored: exited with code 1
    --- exit 0
    ");
}

#[test]
fn notifications_and_compaction() {
    let notification = event("Notification", r#","message":"m""#);
    assert_snapshot!(hook("Notification", r#"{"context":"noted"}"#).claude(&notification), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"Notification","additionalContext":"noted"}}
    --- exit 0
    "#);
    let compact = event("PreCompact", r#","trigger":"auto""#);
    assert_snapshot!(hook("PreCompact", r#"{"decision":"deny","reason":"not now"}"#).claude(&compact), @r#"
    --- stdout
    {"decision":"block","reason":"h: not now"}
    --- exit 0
    "#);
}
