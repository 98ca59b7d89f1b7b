//! Tables of answers: event, exit code or stdout, and the verdict. `dialects.rs` has one for each dialect.

mod dialects;

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
