use super::*;
use checkrein_core::{Output, ToolCall};
use serde_json::json;

fn event(session: &str, call: ToolCall) -> Payload {
    let mut payload = Payload::new(Event::PreToolUse { call });
    payload.session.id = Some(session.into());
    payload
}

fn bash(command: &str) -> ToolCall {
    ToolCall::new("Bash", json!({"command": command}).as_object().cloned().unwrap())
}

fn key(payload: &Payload) -> EventKey {
    EventKey::of(payload).unwrap()
}

/// The key of an event as another copy of the program has it.
fn other(payload: &Payload) -> EventKey {
    let mut payload = payload.clone();
    payload.host.name = Some("other".into());
    key(&payload)
}

#[test]
fn the_second_process_learns_what_the_first_noted() {
    let state = tempfile::tempdir().unwrap();
    let claims = Claims::new(state.path());
    let same = key(&event("s", bash("ls").with_id("1")));
    assert_eq!(claims.claim(&same, "trail", "one"), Claim::First);
    assert_eq!(claims.claim(&same, "trail", "two"), Claim::Repeated("one".into()));
    assert_eq!(claims.claim(&same, "undo", ""), Claim::First);
    assert_eq!(claims.claim(&same, "undo", "x"), Claim::Repeated(String::new()));
}

#[test]
fn another_session_event_call_or_input_is_another_event() {
    let first = event("s", bash("ls").with_id("1"));
    let mut after = first.clone();
    after.event = Event::PostToolUse { call: bash("ls").with_id("1"), output: Output::default() };
    for other in [
        event("t", bash("ls").with_id("1")),
        event("s", bash("ls").with_id("2")),
        event("s", bash("ls -l").with_id("1")),
        event("s", bash("ls")),
        after,
    ] {
        assert_ne!(key(&first), key(&other), "{other:?}");
    }
    // The tool has another name in another dialect of the same host.
    assert_eq!(key(&event("s", bash("ls"))), key(&event("s", ToolCall::new("bash", bash("ls").input))));
    assert_eq!(EventKey::of(&event("", bash("ls"))), None);
}

#[test]
fn equal_events_without_a_call_id_are_one_for_two_seconds_and_two_copies() {
    let state = tempfile::tempdir().unwrap();
    let claims = Claims::new(state.path());
    let (with, without) = (event("s", bash("ls").with_id("1")), event("s", bash("ls")));
    let start = now();
    let claim = |key: &EventKey, after: u64| claims.claim_at(key, "trail", "x", start + after);
    let repeated = Claim::Repeated("x".into());
    // The link has the time of the disk, which a test cannot set back.
    assert_eq!((claim(&key(&with), 0), claim(&key(&with), 1)), (Claim::First, repeated.clone()));
    assert_eq!((claim(&other(&with), 100), claim(&other(&with), 500)), (repeated.clone(), Claim::First));
    assert_eq!((claim(&key(&without), 0), claim(&other(&without), 1)), (Claim::First, repeated.clone()));
    // The same copies are asked about the next event.
    assert_eq!((claim(&key(&without), 1), claim(&other(&without), 1)), (Claim::First, repeated));
    assert_eq!(claim(&other(&without), 5), Claim::First);
}

#[test]
fn a_rewritten_event_is_recognised_by_the_input_that_runs() {
    let mut call = bash("ls");
    call.original = Some(bash("cat .env").input);
    let payload = event("s", call);
    assert_eq!(key(&payload), key(&event("s", bash("cat .env"))));
    assert_eq!(EventKey::of_final_input(&payload).unwrap(), key(&event("s", bash("ls"))));
}

#[test]
fn the_end_of_a_period_separates_nothing() {
    let state = tempfile::tempdir().unwrap();
    let claims = Claims::new(state.path());
    let same = key(&event("s", bash("ls").with_id("1")));
    // Only the name of the directory comes from the given time; what is in it has the time of the disk.
    let border = (now() / PERIOD + 1) * PERIOD;
    assert_eq!(claims.claim_at(&same, "trail", "one", border - 1), Claim::First);
    let place = claims.place(border / PERIOD - 1, (&same.name, "trail"));
    let near = rustix::fs::Timespec { tv_sec: i64::try_from(border - 1).unwrap(), tv_nsec: 0 };
    let times = rustix::fs::Timestamps { last_access: near, last_modification: near };
    rustix::fs::utimensat(rustix::fs::CWD, &place, &times, rustix::fs::AtFlags::SYMLINK_NOFOLLOW).unwrap();
    assert_eq!(claims.claim_at(&same, "trail", "two", border + 1), Claim::Repeated("one".into()));
}

#[test]
fn old_periods_are_removed() {
    let state = tempfile::tempdir().unwrap();
    let claims = Claims::new(state.path());
    let same = key(&event("s", bash("ls").with_id("1")));
    for period in 10..14 {
        assert_eq!(claims.claim_at(&same, "trail", "", period * PERIOD + 500), Claim::First);
    }
    let mut left: Vec<_> =
        fs::read_dir(&claims.directory).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["12", "13"]);
}

#[test]
fn of_many_processes_at_once_one_is_first() {
    let state = tempfile::tempdir().unwrap();
    let same = key(&event("s", bash("ls").with_id("1")));
    let first = std::sync::atomic::AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..32 {
            scope.spawn(|| {
                if Claims::new(state.path()).claim(&same, "trail", "") == Claim::First {
                    first.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(first.into_inner(), 1);
}

#[test]
fn without_a_place_for_claims_everyone_is_first() {
    let claims = Claims::new(Path::new("/proc/nowhere"));
    let same = key(&event("s", bash("ls")));
    assert_eq!(claims.claim(&same, "trail", ""), Claim::First);
    assert_eq!(claims.claim(&same, "trail", ""), Claim::First);
}

/// Cursor sends two events before a command and before a call of an MCP server.
#[test]
fn the_two_events_before_one_call_of_cursor_are_one() {
    let state = tempfile::tempdir().unwrap();
    let claims = Claims::new(state.path());
    let cursor = checkrein_hosts::host("cursor").unwrap().dialect;
    let read = |mut payload: serde_json::Value| {
        payload["conversation_id"] = "s".into();
        payload["cwd"] = "/p".into();
        cursor.decode(payload.to_string().into_bytes(), None).unwrap()
    };
    let any = |command: &str, id: &str| {
        read(json!({"hook_event_name": "preToolUse", "tool_name": "Shell", "tool_use_id": id,
                    "tool_input": {"command": command, "timeout": 3}}))
    };
    let shell = |command: &str| read(json!({"hook_event_name": "beforeShellExecution", "command": command}));
    assert_eq!(claims.claim(&key(&any("ls", "1")), "trail", "x"), Claim::First);
    assert_eq!(claims.claim(&key(&shell("ls")), "trail", "y"), Claim::Repeated("x".into()));
    assert_eq!(claims.claim(&key(&shell("ls -l")), "trail", "y"), Claim::First);
    let tool = read(json!({"hook_event_name": "preToolUse", "tool_name": "MCP:add", "tool_use_id": "2",
                           "tool_input": {"text": "a"}}));
    let server = read(json!({"hook_event_name": "beforeMCPExecution", "tool_name": "add",
                             "tool_input": "{\"text\":\"a\"}"}));
    assert_eq!(key(&tool).name, key(&server).name);
    assert_ne!(key(&tool).copy, key(&server).copy);
    // Other tools have one event, and keep their id.
    let write = |id: &str| {
        read(json!({"hook_event_name": "preToolUse", "tool_name": "Write", "tool_use_id": id,
                    "tool_input": {"file_path": "/p/a", "content": ""}}))
    };
    assert_ne!(key(&write("1")), key(&write("2")));
}
