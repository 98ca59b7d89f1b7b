//! One table per dialect: event, stdout, and the verdict.

use super::*;
use checkrein_core::{Edit, EventName as E, Map, Output, ResultKind, Retry};
use serde_json::{Value, json};

fn map(value: Value) -> Map {
    let Value::Object(map) = value else { panic!("not an object") };
    map
}

fn stdout(event: E, text: &str) -> Result<Verdict, Failure> {
    read(event, Exit::Code(0), text.as_bytes(), b"")
}

/// Checks rows of (event, stdout, verdict).
fn means(rows: impl IntoIterator<Item = (E, &'static str, Verdict)>) {
    for (event, text, verdict) in rows {
        assert_eq!(stdout(event, text), Ok(verdict), "{event}: {text}");
    }
}

/// Checks rows of (event, stdout, part of the message of a bad reply). A clear denial still denies, and says what is
/// wrong with it.
fn fails(rows: impl IntoIterator<Item = (E, &'static str, &'static str)>) {
    for (event, text, message) in rows {
        match stdout(event, text) {
            Err(Failure::BadReply(found)) => assert!(found.contains(message), "{text}: {found}"),
            Ok(Verdict { decision: Decision::Deny, reason: Some(found), edit: None, .. })
                if found.starts_with("denied, in an answer that is not fully readable") =>
            {
                assert!(found.contains(message), "{text}: {found}");
            }
            other => panic!("{event}: {text}: {other:?}"),
        }
    }
}

fn output(text: &str) -> Verdict {
    Verdict::edit(Edit::Output(text.into()))
}

fn input(value: Value) -> Verdict {
    Verdict::edit(Edit::Input(map(value)))
}

fn decided(decision: Decision) -> Verdict {
    Verdict { decision, ..Verdict::default() }
}

fn retry(retry: Retry) -> Verdict {
    Verdict { retry: Some(retry), ..Verdict::default() }
}

fn notice(text: &str) -> Verdict {
    Verdict { notice: Some(text.into()), ..Verdict::default() }
}

#[test]
fn exit_codes() {
    let event = E::PreToolUse;
    for (out, err, reason) in [
        ("", "", NO_REASON),
        (" \n", "\t", NO_REASON),
        ("out", "", "out"),
        ("out", " err\n", "err"),
        (r#"{"decision":"allow"}"#, "", r#"{"decision":"allow"}"#),
        (r#"{"decision":"allow"}"#, "no", "no"),
    ] {
        let verdict = read(event, Exit::Code(2), out.as_bytes(), err.as_bytes());
        assert_eq!(verdict, Ok(Verdict::deny(reason)));
    }
    assert_eq!(read(event, Exit::Code(2), b"", b"\xffno"), Ok(Verdict::deny("\u{fffd}no")));
    for code in [1, 3, 126, 127, 255, -1] {
        let failure = read(event, Exit::Code(code), br#"{"decision":"allow"}"#, b" why\n");
        assert_eq!(failure, Err(Failure::Exited { code, stderr: "why".into() }));
    }
    let failure = read(event, Exit::Signal(9), br#"{"decision":"allow"}"#, b"");
    assert_eq!(failure, Err(Failure::Killed { signal: 9, stderr: String::new() }));
}

#[test]
fn a_failure_shows_the_end_of_a_long_stderr() {
    let stderr = format!("{}the end", "é".repeat(5000));
    let Err(Failure::Exited { stderr, .. }) = read(E::Stop, Exit::Code(1), b"", stderr.as_bytes()) else {
        panic!("no failure")
    };
    assert!(stderr.len() < SHOWN + 10 && stderr.starts_with("… é") && stderr.ends_with("éthe end"));
}

#[test]
fn bare_and_quoted_words() {
    for (word, decision) in [
        ("abstain", Decision::Abstain),
        ("proceed", Decision::Abstain),
        ("allow", Decision::Allow),
        ("approve", Decision::Allow),
        ("ask", Decision::Ask),
        ("deny", Decision::Deny),
        ("block", Decision::Deny),
    ] {
        for text in [
            word.to_owned(),
            word.to_uppercase(),
            format!("\u{feff} {word}\r\n"),
            format!("\"{word}\""),
            format!("{{\"decision\":\"{word}\"}}"),
        ] {
            assert_eq!(stdout(E::PreToolUse, &text), Ok(decided(decision)), "{text}");
        }
    }
    let without = "without `content`";
    fails([
        (E::PreToolUse, "modify", without),
        (E::PreToolUse, "Edit", without),
        (E::PreToolUse, "\"modify\"", without),
    ]);
}

#[test]
fn json_that_is_not_an_object_is_not_an_answer() {
    let neither = "neither an object nor a decision";
    fails(
        ["null", "true", "1", "-0.5e3", "[]", "[\"deny\"]", "\"\"", "\"Deny!\"", "\"DENY\"", "\"\\ud800\""]
            .map(|text| (E::PreToolUse, text, neither)),
    );
    // Neither depth nor a duplicate key makes it plain text.
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for text in [deep.as_str(), r#"[{"a":1,"a":2}]"#] {
        assert!(matches!(stdout(E::PreToolUse, text), Err(Failure::BadReply(_))));
    }
}

#[test]
fn plain_text() {
    for text in ["all is well", "[INFO] allow", "deny it", "\"deny", "[1, 2", "a\0b", "(", "null and void"] {
        for event in [E::PreToolUse, E::PostToolUse, E::Stop, E::Notification, E::SubagentStart] {
            assert_eq!(stdout(event, text), Ok(Verdict::abstain()), "{text}");
        }
        for event in [E::SessionStart, E::UserPromptSubmit, E::UserPromptExpansion] {
            let padded = format!("\n{text}  ");
            assert_eq!(stdout(event, &padded), Ok(Verdict::abstain().with_context(text)), "{text}");
        }
    }
    for text in ["", " \r\n\t", "\u{feff}", "{}", " { } "] {
        assert_eq!(stdout(E::SessionStart, text), Ok(Verdict::abstain()), "{text:?}");
    }
}

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

#[test]
fn the_strictest_of_several_decisions_counts_with_its_reason() {
    means([
        (
            E::PreToolUse,
            r#"{"decision":"allow","reason":"a","hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"d"}}"#,
            Verdict::deny("d"),
        ),
        (
            E::PreToolUse,
            r#"{"decision":"block","reason":"a","hookSpecificOutput":{"permissionDecision":"allow","permissionDecisionReason":"d"}}"#,
            Verdict::deny("a"),
        ),
        (
            E::PreToolUse,
            r#"{"permissionDecision":"deny","hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"d"}}"#,
            Verdict::deny("d"),
        ),
        (E::PreToolUse, r#"{"decision":"allow","block":true}"#, decided(Decision::Deny)),
    ]);
}

#[test]
fn two_edits_cannot_both_be_made() {
    fails(
        [
            r#"{"rewrite_args":{"a":1},"hookSpecificOutput":{"updatedInput":{"a":2}}}"#,
            r#"{"rewrite_args":{"a":1},"rewrite_output":"x"}"#,
            r#"{"rewrite_output":"x","tool_output":"y"}"#,
            r#"{"tool_input":{},"updatedInput":{"a":1}}"#,
            r#"{"decision":"modify","content":{},"rewrite_args":{"a":1}}"#,
        ]
        .map(|text| (E::PreToolUse, text, "more than one edit")),
    );
}

#[test]
fn text_that_starts_like_an_object_must_be_one_answer() {
    fails([
        (E::PreToolUse, "{", "stdout starts like a JSON object"),
        (E::PreToolUse, r#"{"decision":"den"#, "stdout starts like a JSON object"),
        (E::PreToolUse, r#"{"decision":"deny"} trailing"#, "stdout starts like a JSON object"),
        (E::PreToolUse, r#"{"decision":"deny"}{"decision":"allow"}"#, "stdout starts like a JSON object"),
        (E::PreToolUse, r#"{"decision":"deny","decision":"allow"}"#, "duplicate key `decision`"),
        (E::PreToolUse, r#"{"decision":"deny","\u0064ecision":"allow"}"#, "duplicate key `decision`"),
        (E::PreToolUse, r#"{"decision":"deny","x":{"a":1,"a":2}}"#, "duplicate key `a`"),
        (E::PreToolUse, "{\"decision\":\"de\0ny\"}", "stdout starts like a JSON object"),
        (E::PreToolUse, "{\0}", "stdout starts like a JSON object"),
        (E::PreToolUse, r#"{"decison":"deny"}"#, "did you mean `decision`?"),
        (E::PreToolUse, r#"{"x":1}"#, "no field of the answer is known, for example `x`"),
        (E::SessionStart, "{braces} are not always JSON", "stdout starts like a JSON object"),
    ]);
    for bytes in [&b"\xff\xfe{\0}\0"[..], b"deny\xff", b"{\"decision\":\"\xff\"}"] {
        let failure = read(E::PreToolUse, Exit::Code(0), bytes, b"");
        assert!(matches!(&failure, Err(Failure::BadReply(text)) if text.contains("UTF-8")), "{failure:?}");
    }
}

#[test]
fn hostile_sizes_are_answered() {
    let deep = 100_000;
    for text in [
        "{\"a\":".repeat(deep),
        format!("{}1{}", "{\"a\":".repeat(deep), "}".repeat(deep)),
        format!("{{\"decision\":\"deny\",\"x\":{}{}}}", "[".repeat(deep), "]".repeat(deep)),
        format!("{{\"{}\":1}}", "k".repeat(1 << 20)),
        format!("{{\"decision\":\"{}\"}}", "d".repeat(1 << 20)),
    ] {
        match stdout(E::PreToolUse, &text) {
            Err(Failure::BadReply(message)) => assert!(message.len() < 300, "{message}"),
            other => panic!("{other:?}"),
        }
    }
    let many: String = (0..100_000).map(|key| format!("\"{key}\":{key},")).collect();
    assert_eq!(
        stdout(E::PreToolUse, &format!("{{{many}\"decision\":\"deny\"}}")),
        Ok(decided(Decision::Deny))
    );
    let huge = "x".repeat(1 << 20);
    assert_eq!(stdout(E::PreToolUse, &huge), Ok(Verdict::abstain()));
    assert_eq!(
        stdout(E::PreToolUse, &format!(r#"{{"decision":"deny","reason":"{huge}"}}"#)),
        Ok(Verdict::deny(huge))
    );
}

/// A clear denial is a denial, whatever else is wrong with the answer or the exit code.
#[test]
fn a_clear_denial_is_a_denial() {
    let denies = |exit, text: &str| {
        let verdict = read(E::PostToolUse, exit, text.as_bytes(), b"");
        assert_eq!(verdict.map(|verdict| verdict.decision), Ok(Decision::Deny), "{exit:?}: {text}");
    };
    for text in [
        r#"{"decision":"deny","reason":"x"}"#,
        r#"{"decision":"block","reason":5}"#,
        r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","permissionDecision":"deny","additionalContext":null}}"#,
        r#"{"block":true,"reason":[]}"#,
        "starting up\n{\"decision\":\"deny\"}",
        "{\"decision\":\"deny\"}\ndone",
    ] {
        denies(Exit::Code(0), text);
        denies(Exit::Code(1), text);
        denies(Exit::Signal(9), text);
    }
    // Less than a denial is a failure with another exit code, whose rule may be stricter.
    for text in ["", "deny it", r#"{"decision":"ask"}"#, r#"{"decision":"allow"}"#] {
        assert!(read(E::PostToolUse, Exit::Code(1), text.as_bytes(), b"").is_err(), "{text}");
    }
}

/// A typo must not let a call through.
#[test]
fn an_objection_in_an_unknown_field_is_a_failure() {
    fails([
        (E::PreToolUse, r#"{"decison":"deny","reason":"x"}"#, "did you mean `decision`?"),
        (E::PreToolUse, r#"{"Decision":"deny","reason":"x"}"#, "`Decision` denies or asks"),
        (E::PreToolUse, r#"{"action":"block","message":"x"}"#, "`action` denies or asks"),
        (E::PreToolUse, r#"{"continue":true,"permission":"deny"}"#, "`permission` denies or asks"),
        (E::PreToolUse, r#"{"ok":false,"reason":"x"}"#, "`ok` denies or asks"),
        (E::PreToolUse, r#"{"cancel":true,"reason":"x"}"#, "`cancel` denies or asks"),
        (E::PreToolUse, r#"{"suppressOutput":true,"deny":true}"#, "`deny` denies or asks"),
        (
            E::PreToolUse,
            r#"{"hookSpecificOutput":{"permissionDecison":"deny","additionalContext":"x"}}"#,
            "`permissionDecison` denies or asks",
        ),
        (
            E::PreToolUse,
            r#"{"hookSpecificOutput":{"block":true,"additionalContext":"x"}}"#,
            "`block` denies or asks",
        ),
    ]);
    means([
        (
            E::PreToolUse,
            r#"{"reason":"x","note":"we do not block this","level":"ask me"}"#,
            Verdict::abstain().with_reason("x"),
        ),
        (E::PreToolUse, r#"{"reason":"x","ok":true,"cancel":false}"#, Verdict::abstain().with_reason("x")),
    ]);
}

/// Every decision, in every form, with noise on every side.
#[test]
fn an_answer_among_noise_counts() {
    let forms = |word: &str| {
        [
            format!("{{\"decision\":\"{word}\",\"reason\":\"x\"}}"),
            format!("{{\n  \"decision\": \"{word}\",\n  \"reason\": \"x\"\n}}"),
            format!(
                "{{\"hookSpecificOutput\":{{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"{word}\",\"permissionDecisionReason\":\"x\"}}}}"
            ),
        ]
    };
    let noises =
        ["hello", "[INFO] start\nmore: {\"a\": 1}", "12", "{\"level\":\"info\",\"message\":\"starting\"}"];
    for event in [E::PreToolUse, E::UserPromptSubmit, E::Stop, E::PostToolUse] {
        for (word, decision) in
            [("deny", Decision::Deny), ("ask", Decision::Ask), ("allow", Decision::Abstain)]
        {
            for form in forms(word) {
                // Only this event has the nested form.
                if form.contains("hookSpecific") && event != E::PreToolUse {
                    continue;
                }
                for noise in noises {
                    let before = format!("{noise}\n{form}");
                    let around = format!("{noise}\r\n\n  {form}  \nbye");
                    for text in [before, around] {
                        if text.starts_with('{') {
                            // It starts like an answer and is more than one: only a denial is clear.
                            let said = stdout(event, &text);
                            assert!(said.is_err() || decision == Decision::Deny, "{event} {text}: {said:?}");
                            continue;
                        }
                        let said = stdout(event, &text).map(|verdict| (verdict.decision, verdict.reason));
                        assert_eq!(said, Ok((decision, Some("x".to_owned()))), "{event} {text}");
                    }
                    let stuck = format!("progress... {}", forms(word)[0]);
                    let said = stdout(event, &stuck).map(|verdict| verdict.decision);
                    assert_eq!(said, Ok(decision), "{event} {stuck}");
                }
            }
            let bare = format!("hello\n{word}\nbye");
            assert_eq!(stdout(event, &bare).map(|verdict| verdict.decision), Ok(decision), "{bare}");
        }
    }
    // The strictest of several.
    let two = "x\n{\"decision\":\"ask\"}\n{\"decision\":\"deny\"}\n{\"decision\":\"allow\"}";
    assert_eq!(stdout(E::PreToolUse, two), Ok(decided(Decision::Deny)));
    let two = "x\n{\"decision\":\"allow\"}\n{\"decision\":\"ask\"}";
    assert_eq!(stdout(E::PreToolUse, two), Ok(decided(Decision::Ask)));
    // An edit is not noise.
    let edit = "x\n{\"rewrite_args\":{\"a\":1}}";
    assert_eq!(
        stdout(E::PreToolUse, edit),
        Ok(Verdict::edit(Edit::MergeInput(map(serde_json::json!({"a": 1})))))
    );
}

#[test]
fn a_typo_among_noise_is_a_failure() {
    fails([
        (E::PreToolUse, "hello\n{\"decison\":\"ask\"}", "did you mean `decision`?"),
        (E::PreToolUse, "hello\n{\"decision\":\"aks\"}", "found `aks`"),
        (E::PreToolUse, "hello\n{\"verdict\":\"deny\"}", "`verdict` denies or asks"),
        (E::PreToolUse, "hello\n{\"decision\":\"ask\"", "looks like an answer"),
        (E::PreToolUse, "hello\n{'decision': 'ask'}", "looks like an answer"),
        (E::UserPromptSubmit, "hello\n{\"decision\":\"block!\"}", "found `block!`"),
        (
            E::PreToolUse,
            "x\n{\"rewrite_args\":{\"a\":1}}\n{\"rewrite_args\":{\"a\":2}}",
            "more than one answer",
        ),
    ]);
    // A log, and texts that only mention answers.
    for text in [
        "hello\n{\"level\":\"info\",\"message\":\"started\",\"pid\":3}",
        "hello\n{}",
        "diff\n{\n  let x = 1;\n}",
        "use {\"decision\":\"deny\"} to deny",
        "hello\n{braces}",
        "payload: {\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}",
    ] {
        assert_eq!(stdout(E::PreToolUse, text), Ok(Verdict::abstain()), "{text}");
    }
    let many = "{\n".repeat(100_000);
    assert_eq!(stdout(E::PreToolUse, &format!("x\n{many}")), Ok(Verdict::abstain()));
}
