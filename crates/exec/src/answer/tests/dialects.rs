//! One table per dialect: event, stdout, and the verdict.

use super::*;

#[test]
fn our_dialect_and_the_predecessors() {
    let deny = Verdict::deny("no");
    means([
        (E::PreToolUse, r#"{"decision":"deny","reason":"no"}"#, deny.clone()),
        (E::PreToolUse, r#"{"decision":"deny","reason":"no","message":"m","other":[1]}"#, deny.clone()),
        (E::PreToolUse, "\u{feff}{\"decision\":\"deny\",\"reason\":\"no\"}\n", deny),
        (E::PreToolUse, r#"{"decision":"ask","reason":"sure?"}"#, Verdict::ask("sure?")),
        // A hook that prints every field of a record prints nulls.
        (
            E::PreToolUse,
            r#"{"decision":"allow","reason":null,"message":null,"rewrite_args":null,"rewrite_output":null,"context":null,"stop":null,"retry":null}"#,
            Verdict::allow(),
        ),
        (E::PreToolUse, r#"{"reason":"  "}"#, Verdict::abstain()),
        (
            E::PostToolUse,
            r#"{"reason":"redacted 2 secrets"}"#,
            Verdict::abstain().with_reason("redacted 2 secrets"),
        ),
        (
            E::PreToolUse,
            r#"{"rewrite_args":{"b":null,"a":1}}"#,
            Verdict::edit(Edit::MergeInput(map(json!({"b": null, "a": 1})))),
        ),
        (E::PreToolUse, r#"{"rewrite_args":{}}"#, Verdict::abstain()),
        (E::PostToolUse, r#"{"rewrite_output":"x"}"#, output("x")),
        (E::PostToolUse, r#"{"rewrite_output":""}"#, output("")),
        (E::PostToolUse, r#"{"rewrite_output":"","rewrite_args":{}}"#, output("")),
        (E::Stop, r#"{"context":"c"}"#, Verdict::abstain().with_context("c")),
        (E::Stop, r#"{"context":["c","","d"]}"#, Verdict::abstain().with_context("c").with_context("d")),
        (E::Stop, r#"{"context":[]}"#, Verdict::abstain()),
        (E::Stop, r#"{"stop":"done"}"#, Verdict::abstain().with_stop("done")),
        (E::Stop, r#"{"stop":true}"#, Verdict::abstain().with_stop("the hook ended the turn")),
        (E::Stop, r#"{"stop":""}"#, Verdict::abstain().with_stop("the hook ended the turn")),
        (E::Stop, r#"{"stop":false}"#, Verdict::abstain()),
        (E::PostToolUseFailure, r#"{"retry":true}"#, retry(Retry::Same)),
        (E::PostToolUseFailure, r#"{"retry":false}"#, Verdict::abstain()),
        (E::PostToolUseFailure, r#"{"retry":{"a":1}}"#, retry(Retry::With(map(json!({"a": 1}))))),
    ]);
    fails([
        (E::PreToolUse, r#"{"decision":null}"#, "`decision` should be a string, found null"),
        (E::PreToolUse, r#"{"decision":true}"#, "`decision` should be a string, found a boolean"),
        (E::PreToolUse, r#"{"decision":{"behavior":"deny"}}"#, "`decision` should be a string"),
        (E::PreToolUse, r#"{"decision":""}"#, "`decision` should be `abstain`"),
        (E::PreToolUse, r#"{"decision":"Deny"}"#, "or `edit`, found `Deny`"),
        (E::PreToolUse, r#"{"reason":1}"#, "`reason` should be a string, found a number"),
        (E::PreToolUse, r#"{"decision":"deny","message":[]}"#, "`message` should be a string"),
        (E::PreToolUse, r#"{"rewrite_args":"{}"}"#, "`rewrite_args` should be an object, found a string"),
        (E::PostToolUse, r#"{"rewrite_output":{}}"#, "`rewrite_output` should be a string, found an object"),
        (E::Stop, r#"{"context":[1]}"#, "`context` should be a string or a list of strings"),
        (E::Stop, r#"{"context":[{"hook":"h"}]}"#, "`context` should be a string or a list"),
        (E::Stop, r#"{"stop":1}"#, "`stop` should be"),
        (E::Stop, r#"{"stop":{"hook":"h"}}"#, "`stop` should hold a `reason`"),
        (E::Stop, r#"{"retry":"yes"}"#, "`retry` should be"),
    ]);
}

#[test]
fn a_result_turns_into_an_error_or_back() {
    let turned = |kind| Verdict::abstain().with_result(kind);
    means([
        (E::PostToolUse, r#"{"is_error":true}"#, turned(ResultKind::Error)),
        (E::PostToolUseFailure, r#"{"isError":false}"#, turned(ResultKind::Success)),
        (
            E::PostToolUseFailure,
            r#"{"rewrite_output":"fine","is_error":false}"#,
            output("fine").with_result(ResultKind::Success),
        ),
        // Before a tool ran there is no result, and a hook may print a whole record.
        (E::PreToolUse, r#"{"decision":"allow","is_error":false}"#, Verdict::allow()),
    ]);
    fails([(E::PostToolUse, r#"{"is_error":"yes"}"#, "`is_error` should be true or false")]);
}

#[test]
fn an_engine_can_be_a_hook_of_another() {
    means([
        (E::PreToolUse, r#"{"decision":"abstain","tool_input":{"a":1}}"#, input(json!({"a": 1}))),
        (E::PostToolUse, r#"{"decision":"abstain","tool_output":""}"#, output("")),
        (E::UserPromptSubmit, r#"{"prompt":"p"}"#, Verdict::edit(Edit::Prompt("p".into()))),
        (
            E::PostToolUse,
            r#"{"decision":"deny","reason":"h: no","reasons":[{"hook":"h","decision":"deny","text":"no"}],
                "context":[{"hook":"h","text":"c"}],"stop":{"hook":"h","reason":"s"},
                "notices":[{"hook":"h","text":"n"},"m"],"failures":[],"downgraded":["d"]}"#,
            Verdict {
                notice: Some("n\nm".into()),
                ..Verdict::deny("h: no").with_context("c").with_stop("s")
            },
        ),
    ]);
    fails([
        (E::PreToolUse, r#"{"tool_input":null}"#, "`tool_input` should be an object, found null"),
        (E::PostToolUse, r#"{"tool_output":{}}"#, "`tool_output` should be a string"),
        (E::UserPromptSubmit, r#"{"prompt":3}"#, "`prompt` should be a string"),
    ]);
}

#[test]
fn the_codex_fork() {
    means([
        (E::PreToolUse, r#"{"decision":"proceed","message":null,"content":null}"#, Verdict::abstain()),
        (E::PreToolUse, r#"{"decision":"block","message":"no"}"#, Verdict::deny("no")),
        (E::PreToolUse, r#"{"decision":"block","reason":" ","message":"no"}"#, Verdict::deny("no")),
        (E::PreToolUse, r#"{"decision":"modify","content":{"a":1}}"#, input(json!({"a": 1}))),
        (E::PreToolUse, r#"{"decision":"edit","content":"{\"a\":1}"}"#, input(json!({"a": 1}))),
        (E::PermissionRequest, r#"{"decision":"modify","content":{}}"#, input(json!({}))),
        (
            E::PreToolUse,
            r#"{"decision":"modify","message":"m","content":{}}"#,
            input(json!({})).with_reason("m"),
        ),
        (E::PostToolUse, r#"{"decision":"modify","content":""}"#, output("")),
        (E::PostToolUseFailure, r#"{"decision":"modify","content":"x"}"#, output("x")),
        (
            E::UserPromptSubmit,
            r#"{"decision":"modify","content":""}"#,
            Verdict::edit(Edit::Prompt(String::new())),
        ),
        (
            E::PreToolUse,
            r#"{"decision":"modify","rewrite_args":{"a":1}}"#,
            Verdict::edit(Edit::MergeInput(map(json!({"a": 1})))),
        ),
        (E::PostToolUse, r#"{"decision":"modify","content":null,"rewrite_output":""}"#, output("")),
        // Without `modify` it is an unknown field like any other.
        (E::PreToolUse, r#"{"decision":"allow","content":"x"}"#, Verdict::allow()),
    ]);
    let without = "without `content`";
    fails([
        (E::PreToolUse, r#"{"decision":"modify"}"#, without),
        (E::PreToolUse, r#"{"decision":"modify","content":null}"#, without),
        (E::PreToolUse, r#"{"decision":"modify","rewrite_args":{}}"#, without),
        (E::PreToolUse, r#"{"decision":"modify","content":""}"#, "`content` should be an object"),
        (E::PreToolUse, r#"{"decision":"modify","content":"ls"}"#, "`content` should be an object"),
        (E::PreToolUse, r#"{"decision":"modify","content":"{\"a\":1,\"a\":2}"}"#, "duplicate key"),
        (E::PreToolUse, r#"{"decision":"modify","content":[]}"#, "found a list"),
        (E::PostToolUse, r#"{"decision":"modify","content":{}}"#, "should be a string on `PostToolUse`"),
        (E::UserPromptSubmit, r#"{"decision":"modify","content":1}"#, "should be a string"),
        (E::Stop, r#"{"decision":"modify","content":"x"}"#, "`Stop` has nothing"),
        (E::PermissionDenied, r#"{"decision":"modify","content":{}}"#, "has nothing"),
        (E::PreToolUse, r#"{"content":{}}"#, "no field of the answer is known"),
    ]);
}

#[test]
fn claude_code_and_codex() {
    means([
        (E::Stop, r#"{"decision":"block","reason":"go on"}"#, Verdict::deny("go on")),
        (E::PreToolUse, r#"{"decision":"approve"}"#, Verdict::allow()),
        (E::Stop, r#"{"continue":true}"#, Verdict::abstain()),
        (E::Stop, r#"{"continue":true,"stopReason":"x"}"#, Verdict::abstain()),
        (E::Stop, r#"{"continue":false}"#, Verdict::abstain().with_stop("the hook ended the turn")),
        (E::Stop, r#"{"continue":false,"stopReason":"x"}"#, Verdict::abstain().with_stop("x")),
        (E::Stop, r#"{"systemMessage":"x"}"#, notice("x")),
        (E::Stop, r#"{"systemMessage":""}"#, Verdict::abstain()),
        (E::Stop, r#"{"suppressOutput":true}"#, Verdict::abstain()),
        (E::Stop, r#"{"terminalSequence":"\u0007"}"#, Verdict::abstain()),
        (E::Stop, r#"{"async":true,"asyncTimeout":5}"#, Verdict::abstain()),
        (
            E::PreToolUse,
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#,
            Verdict::deny("no"),
        ),
        (E::PreToolUse, r#"{"hookSpecificOutput":{"permissionDecision":"allow"}}"#, Verdict::allow()),
        (E::PreToolUse, r#"{"hookSpecificOutput":{"permissionDecision":"ask"}}"#, decided(Decision::Ask)),
        (E::PreToolUse, r#"{"hookSpecificOutput":{"permissionDecision":"defer"}}"#, decided(Decision::Ask)),
        (
            E::PreToolUse,
            r#"{"hookSpecificOutput":{"updatedInput":{"command":"ls"},"additionalContext":"c"}}"#,
            input(json!({"command": "ls"})).with_context("c"),
        ),
        (
            E::PostToolUse,
            r#"{"hookSpecificOutput":{"updatedToolOutput":{"stdout":"x"}}}"#,
            Verdict::edit(Edit::Output(Output::from_native(json!({"stdout": "x"})))),
        ),
        (E::PostToolUse, r#"{"hookSpecificOutput":{"updatedMCPToolOutput":"x"}}"#, output("x")),
        (
            E::PostToolUse,
            r#"{"hookSpecificOutput":{"updatedToolOutput":"x","updatedMCPToolOutput":"x"}}"#,
            output("x"),
        ),
        (E::PreToolUse, r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse"}}"#, Verdict::abstain()),
        (E::PreToolUse, r#"{"hookSpecificOutput":{}}"#, Verdict::abstain()),
        (E::SessionStart, r#"{"hookSpecificOutput":{"sessionTitle":"t"}}"#, Verdict::abstain()),
        // Hosts silently ignore these at the top.
        (
            E::PreToolUse,
            r#"{"permissionDecision":"deny","permissionDecisionReason":"no"}"#,
            Verdict::deny("no"),
        ),
        (
            E::PreToolUse,
            r#"{"permissionDecision":"allow","updatedInput":{"a":1}}"#,
            Verdict { decision: Decision::Allow, ..input(json!({"a": 1})) },
        ),
    ]);
    fails([
        (E::PreToolUse, r#"{"continue":"no"}"#, "`continue` should be true or false"),
        (E::PreToolUse, r#"{"continue":null}"#, "`continue` should be true or false"),
        (E::PreToolUse, r#"{"stopReason":null}"#, "`stopReason` should be a string"),
        (E::PreToolUse, r#"{"systemMessage":{}}"#, "`systemMessage` should be a string"),
        (E::PreToolUse, r#"{"hookSpecificOutput":null}"#, "`hookSpecificOutput` should be an object"),
        (E::PreToolUse, r#"{"hookSpecificOutput":"deny"}"#, "`hookSpecificOutput` should be an object"),
        (
            E::PreToolUse,
            r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","permissionDecision":"allow"}}"#,
            "`hookSpecificOutput.hookEventName` should be `PreToolUse`, found `PostToolUse`",
        ),
        (
            E::PreToolUse,
            r#"{"hookSpecificOutput":{"permissionDecision":"block"}}"#,
            "`hookSpecificOutput.permissionDecision` should be `allow`, `deny`, `ask` or `defer`",
        ),
        (E::PreToolUse, r#"{"hookSpecificOutput":{"permissionDecision":null}}"#, "found null"),
        (E::PreToolUse, r#"{"hookSpecificOutput":{"updatedInput":"ls"}}"#, "should be an object"),
        (E::PreToolUse, r#"{"hookSpecificOutput":{"additionalContext":["c"]}}"#, "should be a string"),
        (
            E::PreToolUse,
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecison":"deny"}}"#,
            "did you mean `permissionDecision`?",
        ),
        (E::PreToolUse, r#"{"permissionDecision":"no"}"#, "`permissionDecision` should be"),
    ]);
}

#[test]
fn permission_requests_and_elicitations() {
    let event = E::PermissionRequest;
    means([
        (event, r#"{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}"#, Verdict::allow()),
        (
            event,
            r#"{"hookSpecificOutput":{"decision":{"behavior":"allow","updatedInput":{"a":1},"updatedPermissions":[]}}}"#,
            Verdict { decision: Decision::Allow, ..input(json!({"a": 1})) },
        ),
        (
            event,
            r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no"}}}"#,
            Verdict::deny("no"),
        ),
        (
            event,
            r#"{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"no","interrupt":true}}}"#,
            Verdict::deny("no").with_stop("no"),
        ),
        (E::PermissionDenied, r#"{"hookSpecificOutput":{"retry":true}}"#, retry(Retry::Same)),
        (E::Elicitation, r#"{"hookSpecificOutput":{"action":"decline"}}"#, decided(Decision::Deny)),
        (E::ElicitationResult, r#"{"hookSpecificOutput":{"action":"cancel"}}"#, decided(Decision::Deny)),
        (E::Elicitation, r#"{"hookSpecificOutput":{"action":"accept","content":{}}}"#, Verdict::allow()),
    ]);
    fails([
        (event, r#"{"hookSpecificOutput":{"decision":"deny"}}"#, "`hookSpecificOutput.decision` should be"),
        (event, r#"{"hookSpecificOutput":{"decision":{}}}"#, "`hookSpecificOutput.decision.behavior` should"),
        (
            event,
            r#"{"hookSpecificOutput":{"decision":{"behavior":"ask"}}}"#,
            "`allow` or `deny`, found `ask`",
        ),
        (event, r#"{"hookSpecificOutput":{"decision":{"behavior":"deny","interrupt":1}}}"#, "interrupt"),
        (E::Elicitation, r#"{"hookSpecificOutput":{"action":"refuse"}}"#, "`accept`, `decline` or `cancel`"),
    ]);
}

#[test]
fn pi() {
    means([
        (E::PreToolUse, r#"{"block":true,"reason":"no"}"#, Verdict::deny("no")),
        (E::PreToolUse, r#"{"block":true}"#, decided(Decision::Deny)),
        (E::PreToolUse, r#"{"block":false,"reason":"fine"}"#, Verdict::abstain().with_reason("fine")),
    ]);
    fails([
        (E::PreToolUse, r#"{"block":"true"}"#, "`block` should be true or false"),
        (E::PreToolUse, r#"{"block":null}"#, "`block` should be true or false"),
    ]);
}
