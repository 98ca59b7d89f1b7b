//! mini-coding-agent's hook list, unchanged: commands and Python functions, named relative to the directory
//! above the list.

use crate::fixture::{BACKENDS, Fixture};
use checkrein_testkit::model::{Call, Turn};
use serde_json::json;

const LIST: &str = r#"[
  {"event": "PreToolUse", "match": {"tool": ["write_file", "edit_file"]}, "command": "./example_hooks/note.sh"},
  {"event": "PreToolUse", "callable": "example_hooks.judge:paths", "name": "paths", "timeout": 20},
  {"event": "PostToolUse", "match": {"tool": "read_file"}, "callable": "example_hooks.judge:secrets", "timeout": 20}
]"#;

const NOTE: &str = "#!/bin/sh\ncat > /dev/null\necho \"$HOOK_TOOL_NAME\" >> \"$HOOK_CONFIG_DIR/noted\"\n";

const JUDGE: &str = r#"
calls = 0

def paths(payload):
    global calls
    calls += 1
    if payload["tool_input"].get("path", "").startswith("keep/"):
        return {"decision": "deny", "reason": f"kept, said call {calls} of one process"}
    return None

def secrets(payload):
    return {"rewrite_output": payload["tool_output"].replace("s3cret", "[redacted]")}
"#;

fn write(path: &str) -> Turn {
    Turn::call(Call::new("write_file", json!({"path": path, "content": "the word is s3cret"})))
}

#[test]
fn the_predecessors_list_runs_unchanged() {
    for backend in BACKENDS {
        let turns = [
            write("a.txt"),
            write("keep/a.txt"),
            Turn::call(Call::new("read_file", json!({"path": "a.txt"}))),
            Turn::text("Done."),
        ];
        let fixture = Fixture::new(backend, turns);
        let list = fixture.write("example_hooks/hooks.json", LIST);
        let script = fixture.write("example_hooks/note.sh", NOTE);
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755)).unwrap();
        fixture.write("example_hooks/__init__.py", "");
        fixture.write("example_hooks/judge.py", JUDGE);
        let ran = fixture.run(&["--hooks-file", list.to_str().unwrap(), "--approval", "auto", "go"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "Done.\n"), "{ran}");
        let results: Vec<String> = fixture.results().into_iter().map(|result| result.text).collect();
        assert!(results[0].starts_with("wrote 18 bytes"), "{results:?}\n{ran}");
        assert_eq!(results[1], "error: blocked by paths: kept, said call 2 of one process", "{ran}");
        assert_eq!(results[2], "the word is [redacted]", "{ran}");
        assert_eq!(fixture.read("noted").as_deref(), Some("write_file\nwrite_file\n"), "{ran}");
        assert_eq!(fixture.read("keep/a.txt"), None);
    }
}

#[test]
fn a_list_whose_scripts_are_missing_denies() {
    let fixture = Fixture::new("openai", [write("a.txt"), Turn::text("Done.")]);
    let list =
        fixture.write("example_hooks/hooks.json", r#"[{"event": "PreToolUse", "command": "./gone.sh"}]"#);
    let ran = fixture.run(&["--hooks-file", list.to_str().unwrap(), "--approval", "auto", "go"]);
    assert!(fixture.result().contains("the hook failed"), "{ran}");
    assert_eq!(fixture.read("a.txt"), None);
}

/// mini-coding-agent ran any list that it found in its working directory.
#[test]
fn a_list_that_the_user_did_not_name_does_not_run() {
    let fixture = Fixture::new("openai", [write("a.txt"), Turn::text("Done.")]);
    fixture.write(".mini-coding-agent/hooks.json", r#"[{"event": "PreToolUse", "command": "touch ran"}]"#);
    let ran = fixture.run(&["--approval", "auto", "go"]);
    assert!(ran.stderr.contains("is not used; name it with `--hooks-file`"), "{ran}");
    assert!(fixture.result().starts_with("wrote") && fixture.read("ran").is_none(), "{ran}");
}
