//! The traps of hosts: answers that look right and do not hold. Each is a test that is named after it; those that concern every
//! host are here, and the list says where the others are.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod calls;

use calls::calls;
use checkrein_core::{Dispatcher, Edit, Entry, EventName, Map, Outcome, Payload, Verdict, hook_fn};
use checkrein_hosts::{Reply, install::recipes};
use serde_json::Value;
use std::{fs, path::Path};

/// A trap, and the tests that hold it: file and name.
type Trap = (&'static str, &'static [(&'static str, &'static str)]);

const TRAPS: &[Trap] = &[
    (
        "Codex runs the call for an answer that it does not fully understand",
        &[
            ("crates/hosts/tests/edge.rs", "codex_rejects_no_answer"),
            ("crates/hosts/tests/codex.rs", "pre_tool_use"),
        ],
    ),
    (
        "Codex and Hermes silently skip a hook without consent",
        &[("tests/agents/tests/live.rs", "codex_and_hermes_skip_an_entry_that_the_user_has_not_agreed_to")],
    ),
    (
        "a changed command line takes Codex's trust away",
        &[("crates/hosts/src/install/entry.rs", "the_entry_of_a_moved_program_is_updated_in_place")],
    ),
    (
        "Gemini CLI: JSON overrules exit code 2",
        &[("crates/hosts/tests/gemini.rs", "json_overrules_the_exit_code_so_a_refusal_is_both")],
    ),
    (
        "Gemini CLI ignores Claude Code's nested decision",
        &[("crates/hosts/tests/gemini.rs", "the_nested_decision_of_claude_code_is_not_used")],
    ),
    (
        "Gemini CLI hangs on a question without a terminal",
        &[("crates/hosts/tests/gemini.rs", "an_ask_would_hang_without_a_terminal_so_it_is_a_denial")],
    ),
    (
        "some count in seconds, some in milliseconds, Qwen Code in both",
        &[(
            "crates/hosts/src/install/layout.rs",
            "a_timeout_is_written_so_that_no_version_reads_another_unit",
        )],
    ),
    (
        "Copilot CLI: a crash denies and a timeout allows",
        &[(
            "tests/agents/tests/live.rs",
            "without_our_program_copilot_stops_except_after_a_timeout_and_qwen_continues",
        )],
    ),
    (
        "Copilot CLI: the spelling of an event's key decides about the payload",
        &[
            ("crates/hosts/tests/copilot.rs", "both_spellings_are_one_payload"),
            (
                "crates/hosts/tests/copilot.rs",
                "without_an_event_on_the_command_line_the_first_spelling_is_an_error",
            ),
        ],
    ),
    (
        "Copilot CLI: arguments may be JSON in a string",
        &[("crates/hosts/tests/copilot.rs", "arguments_may_be_json_in_a_string_and_no_other_string")],
    ),
    (
        "Copilot CLI runs the call for anything but one JSON document",
        &[("crates/hosts/tests/traps.rs", "nothing_but_one_answer_is_on_stdout")],
    ),
    (
        "Cursor ignores a question before any tool",
        &[("crates/hosts/tests/cursor.rs", "cursor_ignores_ask_before_a_tool")],
    ),
    (
        "Cursor: JSON in strings, matchers that are command texts, fails open",
        &[
            ("crates/hosts/tests/cursor.rs", "cursor_writes_json_inside_of_json"),
            ("crates/hosts/tests/cursor.rs", "cursor_fails_open_without_its_setting"),
            ("crates/hosts/tests/cursor.rs", "cursor_gets_no_unknown_event"),
        ],
    ),
    (
        "VS Code ignores matchers, and ends a turn for a bare `stopReason`",
        &[
            ("crates/hosts/tests/vscode.rs", "vscode_ignores_matchers"),
            ("crates/hosts/tests/vscode.rs", "vscode_ends_a_turn_for_a_bare_stop_reason"),
        ],
    ),
    (
        "Qwen Code: a later allow cancels a denial",
        &[
            ("crates/hosts/tests/corpus.rs", "qwen_ours_must_be_the_last_entry"),
            ("crates/hosts/tests/qwen.rs", "ours_is_the_last_entry"),
        ],
    ),
    (
        "Qwen Code: exit code 2 without a text allows",
        &[("crates/hosts/tests/qwen.rs", "a_refusal_has_a_text_on_stderr")],
    ),
    (
        "a changed input replaces the whole input",
        &[("crates/hosts/tests/traps.rs", "a_changed_input_is_complete")],
    ),
    (
        "`continue: false` is no denial before a tool",
        &[("crates/hosts/tests/traps.rs", "a_denial_before_a_tool_is_never_the_end_of_the_turn")],
    ),
    (
        "exit code 2 is no denial everywhere, and exit code 1 nearly nowhere",
        &[
            ("crates/hosts/tests/traps.rs", "a_decision_has_exit_code_0"),
            ("crates/hosts/tests/cline.rs", "cline_honours_only_cancel"),
            ("crates/hosts/tests/hermes.rs", "hermes_ignores_exit_2"),
        ],
    ),
    (
        "a hook that always blocks a stop loops for ever",
        &[("crates/hosts/tests/traps.rs", "a_stop_is_not_blocked_for_ever")],
    ),
    (
        "a timeout of the agent lets the call run",
        &[("crates/hosts/src/install/recipe.rs", "the_agent_waits_longer_than_we_take")],
    ),
    (
        "the end of a session is hardly waited for",
        &[("crates/hosts/tests/traps.rs", "the_end_of_a_session_is_short")],
    ),
    (
        "a long reason hangs an agent, or runs the call",
        &[("crates/hosts/tests/traps.rs", "a_reason_is_short_for_every_host")],
    ),
    (
        "Copilot CLI, Grok Build, Cursor and VS Code also run Claude Code's hooks",
        &[("crates/hosts/tests/traps.rs", "a_call_that_arrives_from_another_agents_file_is_the_same_event")],
    ),
    (
        "Grok Build cuts the input at 128 KiB and runs the whole call",
        &[("crates/hosts/tests/grok.rs", "grok_cuts_input_at_128_kib_so_a_cut_event_is_denied")],
    ),
    (
        "OpenClaw's `agent exec` calls no hook",
        &[("crates/hosts/tests/bridges.rs", "openclaw_agent_exec_calls_no_hook")],
    ),
    (
        "Kimi Code gives every text of a prompt's hook to the model",
        &[("crates/hosts/tests/kimi.rs", "kimi_gives_every_text_on_stdout_of_a_prompt_to_the_model")],
    ),
    (
        "Kimi Code and Hermes cannot rewrite",
        &[
            ("crates/hosts/tests/kimi.rs", "kimi_cannot_rewrite_so_the_model_gets_the_proposed_call"),
            ("crates/hosts/tests/hermes.rs", "hermes_cannot_rewrite_so_the_model_gets_the_proposed_call"),
        ],
    ),
    (
        "opencode ignores arguments that replace its own object",
        &[("tests/agents/tests/bridges/main.rs", "arguments_are_changed_in_place")],
    ),
    (
        "of two rewrites, Claude Code and Codex take the one that ends last",
        &[
            ("crates/cli/tests/program/copies.rs", "a_rewritten_call_is_not_rewritten_again"),
            ("crates/cli/tests/program/doctor.rs", "duplicate_entries"),
        ],
    ),
    (
        "a request for permission has no id of its call",
        &[("crates/cli/tests/program/allow.rs", "a_user_allows_a_denied_call_and_it_passes_once")],
    ),
    (
        "the event after a call means success, or both success and failure",
        &[("crates/hosts/tests/traps.rs", "a_failure_is_read_from_the_event_that_tells_it")],
    ),
    (
        "without an answer most agents run the call, and each fault has another effect",
        &[
            ("crates/hosts/src/install/recipe.rs", "the_fail_closed_option_is_set_where_there_is_one"),
            ("tests/agents/tests/live.rs", "without_our_program_claude_code_stops_and_codex_continues"),
            ("tests/agents/tests/live.rs", "a_crash_of_our_program_denies"),
        ],
    ),
    (
        "a hook inherits the agent's environment with its keys",
        &[
            ("crates/exec/tests/command.rs", "the_environment_is_exactly_what_was_given"),
            ("crates/checkrein/tests/run.rs", "the_environment"),
        ],
    ),
    (
        "some actions of an agent have no event",
        &[
            ("crates/hosts/tests/codex.rs", "typed_input_has_no_event"),
            ("tests/agents/tests/live.rs", "an_interactive_shell_is_not_opened"),
        ],
    ),
    (
        "Codex in code mode runs calls from a script",
        &[
            ("crates/hosts/tests/payloads.rs", "recorded_payloads_are_read_and_answered_neutrally"),
            ("crates/hosts/tests/transcripts.rs", "codex_records_patches_lists_and_scripts"),
        ],
    ),
    (
        "an old Node silently installs old agents",
        &[("tests/agents/tests/live.rs", "the_agents_have_the_pinned_versions")],
    ),
    (
        "an agent that loads code runs the call if the code answers nonsense",
        &[("tests/agents/tests/live.rs", "without_our_program_a_bridge_and_a_script_of_ours_deny")],
    ),
];

/// A name in the list that no test has any more would be a trap without a test.
#[test]
fn every_trap_is_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (trap, tests) in TRAPS {
        assert!(!tests.is_empty(), "{trap}");
        for (file, name) in *tests {
            let text = fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(text.contains(&format!("fn {name}(")), "{trap}: {file} has no test `{name}`");
        }
    }
}

/// Returns what each host answers to its shell call under a hook with this verdict.
fn answers(verdict: &Verdict) -> Vec<(&'static str, Outcome, Reply)> {
    let one = |(host, call): (&'static str, Value)| {
        let dialect = checkrein_hosts::find(host).unwrap();
        let payload = dialect.decode(call.to_string().into_bytes(), Some(EventName::PreToolUse)).unwrap();
        let mut hooks = Dispatcher::new();
        let verdict = verdict.clone();
        let hook = hook_fn("h", move |_: &Payload| verdict.clone());
        hooks.add(Entry::new(EventName::PreToolUse, hook).with_may_allow(true));
        let (outcome, reply) = checkrein_hosts::answer(dialect, hooks.dispatch(payload));
        (host, outcome, reply)
    };
    calls("make all").into_iter().map(one).collect()
}

fn merge(command: &str) -> Verdict {
    let mut input = Map::new();
    input.insert("command".into(), command.into());
    Verdict { edit: Some(Edit::MergeInput(input)), ..Verdict::default() }
}

fn verdicts() -> Vec<Verdict> {
    let context = Verdict { context: vec!["know".to_owned()], ..Verdict::default() };
    vec![
        Verdict::default(),
        Verdict::deny("no"),
        Verdict::ask("sure?"),
        Verdict::allow(),
        merge("make -n"),
        context,
    ]
}

#[test]
fn nothing_but_one_answer_is_on_stdout() {
    for verdict in verdicts() {
        for (host, _, reply) in answers(&verdict) {
            let text = String::from_utf8(reply.stdout).unwrap();
            assert_eq!(text.lines().count(), 1, "{host}: {text}");
            let answer: Value = serde_json::from_str(&text).unwrap();
            assert!(answer.is_object(), "{host}: {text}");
        }
    }
}

/// On stderr there would be a second reason, and agents differ in which one they read.
#[test]
fn a_decision_has_exit_code_0() {
    for verdict in verdicts() {
        for (host, _, reply) in answers(&verdict) {
            assert_eq!((reply.exit, reply.stderr.as_str()), (0, ""), "{host}");
        }
    }
}

#[test]
fn a_denial_before_a_tool_is_never_the_end_of_the_turn() {
    for (host, _, reply) in answers(&Verdict::deny("no")) {
        let answer: Value = serde_json::from_slice(&reply.stdout).unwrap();
        assert_eq!(answer.get("continue"), None, "{host}: {answer}");
        assert_eq!(answer.get("stopReason"), None, "{host}: {answer}");
    }
}

#[test]
fn a_changed_input_is_complete() {
    for (host, call) in calls("make all") {
        let dialect = checkrein_hosts::find(host).unwrap();
        let payload = dialect.decode(call.to_string().into_bytes(), Some(EventName::PreToolUse)).unwrap();
        // A hook adds one key, and says nothing of the command.
        let mut input = Map::new();
        input.insert("timeout".into(), 5.into());
        let verdict = Verdict { edit: Some(Edit::MergeInput(input)), ..Verdict::default() };
        let mut hooks = Dispatcher::new();
        hooks.add(Entry::new(EventName::PreToolUse, hook_fn("h", move |_: &Payload| verdict.clone())));
        let (_, reply) = checkrein_hosts::answer(dialect, hooks.dispatch(payload));
        let answer = String::from_utf8(reply.stdout).unwrap();
        // Where the host cannot change it, the denial proposes the whole input.
        assert!(answer.contains("make all"), "{host}: {answer}");
    }
}

#[test]
fn a_reason_is_short_for_every_host() {
    let answers = answers(&Verdict::deny("x".repeat(4 << 20)));
    // Our own dialect has no agent behind it that could hang.
    for (host, _, reply) in answers.iter().filter(|(host, ..)| *host != "checkrein") {
        assert!(reply.stdout.len() < 20_000, "{host}: {} bytes", reply.stdout.len());
    }
}

/// These end a turn by themselves after some denials in a row; nothing is known of the others.
const LIMITED: &[&str] = &["checkrein", "claude", "qwen", "copilot", "grok", "cursor"];

#[test]
fn a_stop_is_not_blocked_for_ever() {
    for host in checkrein_hosts::ALL.iter().filter(|host| !LIMITED.contains(&host.name())) {
        let dialect = host.dialect;
        let mut payload = Payload::new(checkrein_core::Event::Other(EventName::Stop));
        payload.extra.insert("stop_hook_active".into(), true.into());
        let mut hooks = Dispatcher::new();
        hooks.add(Entry::new(EventName::Stop, hook_fn("h", |_: &Payload| Verdict::deny("go on"))));
        let (_, reply) = checkrein_hosts::answer(dialect, hooks.dispatch(payload));
        let said = String::from_utf8(reply.stdout).unwrap();
        assert!(reply.exit == 0 && !said.contains("go on"), "{}: {said}", host.name());
    }
}

#[test]
fn the_end_of_a_session_is_short() {
    for recipe in recipes() {
        if let Some(fired) = recipe.fired(EventName::SessionEnd) {
            assert!(fired.timeout <= 3, "{}: {} s", recipe.host, fired.timeout);
        }
    }
}

/// Some have an event of its own for a failed call, and others tell it with the result.
#[test]
fn a_failure_is_read_from_the_event_that_tells_it() {
    let failed = serde_json::json!({"error": "boom"});
    let result = |result: Value| serde_json::json!({"tool_response": result});
    let gemini = serde_json::json!({"llmContent": "Error: boom", "error": {"message": "boom", "type": "x"}});
    for (host, event, fields) in [
        ("claude", EventName::PostToolUseFailure, failed.clone()),
        ("kimi", EventName::PostToolUseFailure, failed.clone()),
        ("cursor", EventName::PostToolUseFailure, serde_json::json!({"error_message": "boom"})),
        ("codex", EventName::PostToolUse, result("boom".into())),
        ("gemini", EventName::PostToolUse, result(gemini)),
        ("opencode", EventName::PostToolUse, result("boom".into())),
    ] {
        let dialect = checkrein_hosts::find(host).unwrap();
        let recipe = checkrein_hosts::host(host).unwrap().recipe.unwrap();
        let mut sent = calls::call(host, "make").as_object().unwrap().clone();
        sent.extend(fields.as_object().unwrap().clone());
        let names_event =
            if sent.contains_key("host_event_name") { "host_event_name" } else { "hook_event_name" };
        sent.insert(names_event.into(), recipe.key(event).into());
        let payload = dialect.decode(Value::Object(sent).to_string().into_bytes(), Some(event)).unwrap();
        assert_eq!(payload.name(), event, "{host}");
        assert!(payload.event.output().unwrap().text().contains("boom"), "{host}: {:?}", payload.event);
        // The host tells of failures by one of the two events.
        assert!(recipe.fired(event).is_some(), "{host}");
    }
}

/// The entry that we write for Claude Code is then called with the payload of another agent.
#[test]
fn a_call_that_arrives_from_another_agents_file_is_the_same_event() {
    let claude = checkrein_hosts::find("claude").unwrap();
    for (host, call) in calls("make all") {
        if !["grok", "vscode"].contains(&host) {
            continue;
        }
        let payload = claude.decode(call.to_string().into_bytes(), Some(EventName::PreToolUse)).unwrap();
        let seen = payload.event.call().unwrap();
        assert_eq!(
            (seen.kind, seen.text("command")),
            (checkrein_core::ToolKind::Shell, Some("make all")),
            "{host}"
        );
    }
}
