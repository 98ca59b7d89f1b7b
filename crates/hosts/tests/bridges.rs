//! Complete answers for the hosts that load our bridge, and the files that `init` writes.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_core::{Decision, Dispatcher, Edit, Entry, EventName, Map, Payload, Verdict, hook_fn};
use checkrein_hosts::{
    find,
    install::{
        CLINE, KILO, Kind, OPENCLAW, OPENCODE, PI, Recipe, Wanted, check, entries, install, is_intact,
        uninstall,
    },
};
use serde_json::{Value, json};

fn decoded(host: &str, event: EventName, fields: &Value) -> Payload {
    find(host).unwrap().decode(fields.to_string().into_bytes(), Some(event)).unwrap()
}

fn answer(host: &str, payload: Payload, verdict: Verdict) -> Value {
    let mut hooks = Dispatcher::new();
    hooks.add(Entry::new(payload.name(), hook_fn("h", move |_: &Payload| verdict.clone())));
    let (_, reply) = checkrein_hosts::answer(find(host).unwrap(), hooks.dispatch(payload));
    // The bridge takes anything else for a failure.
    assert_eq!((reply.exit, reply.stderr.as_str()), (0, ""));
    serde_json::from_slice(&reply.stdout).unwrap()
}

fn call(host: &str, has_ui: bool) -> Payload {
    let fields = json!({
        "host_event_name": "tool_call", "session_id": "s", "cwd": "/home/dev/shop", "tool_name": "bash",
        "tool_input": {"command": "make"}, "tool_use_id": "c1", "session_extra": {"has_ui": has_ui},
    });
    decoded(host, EventName::PreToolUse, &fields)
}

#[test]
fn a_call_is_denied_changed_and_commented() {
    for host in ["pi", "opencode"] {
        let denied = answer(host, call(host, false), Verdict::deny("no"));
        let notice = "Checkrein: hook `h` blocked this call: no";
        assert_eq!(denied, json!({"decision": "deny", "reason": "h: no", "notice": notice}), "{host}");
        let mut input = Map::new();
        input.insert("command".into(), "make test".into());
        let changed = Verdict {
            edit: Some(Edit::MergeInput(input)),
            context: vec!["know".into()],
            ..Verdict::default()
        };
        let expected = json!({"input": {"command": "make test"}, "context": "know", "notice": "Checkrein: hook `h` changed this call"});
        assert_eq!(answer(host, call(host, false), changed), expected, "{host}");
    }
}

/// Pi asks where there is a user interface. opencode cannot ask: its permission hook is never called.
#[test]
fn a_question_is_a_denial_without_a_user_interface() {
    let asked = |host, has_ui| answer(host, call(host, has_ui), Verdict::ask("sure?"))["decision"].clone();
    assert_eq!(asked("pi", true), "ask");
    assert_eq!([asked("pi", false), asked("opencode", true)], ["deny", "deny"]);
}

#[test]
fn a_result_and_a_prompt_are_replaced_or_withheld() {
    for host in ["pi", "opencode"] {
        let result = json!({"tool_name": "bash", "tool_input": {}, "tool_response": [{"type": "text", "text": "key"}]});
        let result = || decoded(host, EventName::PostToolUse, &result);
        let withheld = answer(host, result(), Verdict::deny("secret"));
        assert_eq!(withheld["output"], "[output withheld]\nh: secret", "{host}");
        let replaced = Verdict { edit: Some(Edit::Output("[gone]".into())), ..Verdict::default() };
        assert_eq!(answer(host, result(), replaced), json!({"output": "[gone]"}), "{host}");
        let prompt = || decoded(host, EventName::UserPromptSubmit, &json!({"prompt": "hi"}));
        assert_eq!(answer(host, prompt(), Verdict::deny("no"))["decision"], "deny", "{host}");
        let other = Verdict { edit: Some(Edit::Prompt("hello".into())), ..Verdict::default() };
        assert_eq!(answer(host, prompt(), other), json!({"prompt": "hello"}), "{host}");
    }
}

#[test]
fn what_cannot_be_read_is_denied_with_exit_code_0() {
    for host in ["pi", "opencode"] {
        let dialect = find(host).unwrap();
        for event in [None, Some(EventName::PreToolUse), Some(EventName::UserPromptSubmit)] {
            let reply = dialect.refuse(event, "broken");
            assert_eq!(
                (reply.exit, reply.stdout.as_slice()),
                (0, &b"{\"decision\":\"deny\",\"reason\":\"broken\"}\n"[..])
            );
        }
        assert_eq!(dialect.refuse(Some(EventName::SessionStart), "x").stdout, b"{}\n");
        assert!(Decision::Deny > Decision::Ask);
    }
}

const PROGRAM: &str = "/opt/it's \"here\"/checkrein";

/// Returns the files of an installation.
fn written(recipe: &Recipe) -> Vec<String> {
    let wanted: Vec<Wanted> =
        recipe.registered(None, &[]).map(|fired| Wanted::new(recipe, None, fired, PROGRAM)).collect();
    let files = wanted.chunk_by(|one, next| one.file == next.file);
    files.map(|wanted| install("", recipe, wanted).unwrap().text).collect()
}

/// A file of ours is found again with its program and its events; a changed one is not taken for ours as it is.
#[test]
fn our_files_are_recognised_and_a_change_is_found() {
    for recipe in [&CLINE, &PI, &OPENCODE, &KILO, &OPENCLAW] {
        let mut events = Vec::new();
        for text in written(recipe) {
            assert!(is_intact(&text, recipe), "{text}");
            check(&text, recipe).unwrap();
            for entry in entries(&text, recipe).unwrap() {
                assert_eq!(entry.command.program, PROGRAM);
                assert_eq!(entry.command.host.as_deref(), Some(recipe.host));
                let fired = recipe.fired(entry.event.unwrap()).unwrap();
                assert_eq!(
                    recipe.layout.seconds(&entry.handler),
                    Some(f64::from(fired.timeout.min(recipe.layout.longest)))
                );
                events.push(entry.event.unwrap());
            }
            assert_eq!(uninstall(&text, recipe, None).unwrap(), "");
            for (from, to) in
                [("exec ", "true # "), ("deny", "ask"), ("printf", "true"), ("PROGRAM, [", "\"true\", [")]
            {
                if text.contains(from) {
                    assert!(!is_intact(&text.replacen(from, to, 1), recipe), "{from}");
                }
            }
        }
        let wanted: Vec<EventName> = recipe.registered(None, &[]).map(|fired| fired.event).collect();
        assert_eq!(events, wanted);
    }
}

#[test]
fn another_programs_file_is_neither_changed_nor_removed() {
    let theirs = "#!/bin/sh\nexec lint\n";
    for recipe in [&CLINE, &PI, &OPENCODE, &KILO, &OPENCLAW] {
        assert!(install(theirs, recipe, &[]).is_err() && check(theirs, recipe).is_err());
        assert_eq!(entries(theirs, recipe).unwrap(), []);
        assert_eq!(uninstall(theirs, recipe, None).unwrap(), theirs);
    }
}

/// A plugin of OpenClaw is three files; two of them are the same in every installation, and all of them go.
#[test]
fn the_other_files_of_openclaws_plugin_come_and_go() {
    let fired = OPENCLAW.fired(EventName::PreToolUse).unwrap();
    let wanted = Wanted::with_companions(&OPENCLAW, vec![Wanted::new(&OPENCLAW, None, fired, PROGRAM)]);
    let names: Vec<&str> = wanted.iter().map(|wanted| wanted.file.as_str()).collect();
    assert_eq!(names, OPENCLAW.files());
    for wanted in wanted.iter().skip(1) {
        let text = install("", &OPENCLAW, std::slice::from_ref(wanted)).unwrap().text;
        let file: Value = serde_json::from_str(&text).unwrap();
        assert!(file["name"].as_str().unwrap().eq_ignore_ascii_case("checkrein"));
        check(&text, &OPENCLAW).unwrap();
        assert_eq!(uninstall(&text, &OPENCLAW, None).unwrap(), "");
        assert!(install("{\"name\": \"theirs\"}", &OPENCLAW, std::slice::from_ref(wanted)).is_err());
    }
}

/// `agent exec` calls no plugin, so `init` says which command does.
#[test]
fn openclaw_agent_exec_calls_no_hook() {
    assert!(OPENCLAW.left_to_do.iter().any(|line| line.contains("`openclaw agent exec` calls no plugin")));
}

/// It gives up after 15 seconds with a message of its own, so the bridge answers before.
#[test]
fn openclaw_waits_15_seconds_at_most() {
    let text = written(&OPENCLAW).swap_remove(0);
    let start = "const EVENTS: Readonly<Record<string, number>> = ";
    let line = text.lines().find_map(|line| line.strip_prefix(start)).unwrap();
    let events: Value = serde_json::from_str(line.trim_end_matches(';')).unwrap();
    assert!(events.as_object().unwrap().values().all(|seconds| seconds.as_u64().unwrap() < 15), "{events}");
}

/// Cline reads only the answer, so its script has one if our program gives none: if it is killed, missing or silent.
#[test]
fn the_script_of_a_gate_denies_without_our_program() {
    let directory = tempfile::tempdir().unwrap();
    let run = |program: Option<&str>| {
        let path = directory.path().join("checkrein");
        let _ = std::fs::remove_file(&path);
        if let Some(text) = program {
            std::fs::write(&path, text).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(&path, mode).unwrap();
        }
        let fired = CLINE.fired(EventName::PreToolUse).unwrap();
        let script =
            install("", &CLINE, &[Wanted::new(&CLINE, None, fired, &path.to_string_lossy())]).unwrap().text;
        let output = std::process::Command::new("sh").arg("-c").arg(script).output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    for broken in [
        None,
        Some("#!/bin/sh\nkill -KILL $$\n"),
        Some("#!/bin/sh\nexit 0\n"),
        Some("#!/bin/sh\necho hello\n"),
    ] {
        assert_eq!(run(broken)["cancel"], true, "{broken:?}");
    }
    assert_eq!(run(Some("#!/bin/sh\necho '{}'\n")), json!({}));
    assert_eq!(
        run(Some("#!/bin/sh\necho '{\"cancel\":true,\"errorMessage\":\"no\"}'\nexit 2\n"))["errorMessage"],
        "no"
    );
    assert!(matches!(PI.layout.kind, Kind::Bridge(_)));
}
