//! The trail, from the hook to the commands that read it.

use super::{PROGRAM, Place, shown};
use checkrein::EventName;
use serde_json::{Value, json};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

const SECRET_PARTS: [&str; 2] = ["xoxb-148302751946-3920571846203-", "Qm7vT2xKz9LpR4wBn6YcD1fG"];

fn event(name: &str, call: &str, command: &str) -> String {
    json!({
        "hook_event_name": name,
        "session_id": "s1",
        "cwd": "/home/dev/shop",
        "tool_name": "Bash",
        "tool_use_id": call,
        "tool_input": {"command": command},
        "tool_response": {"stdout": "", "stderr": ""},
    })
    .to_string()
}

impl Place {
    fn hook(&self, event: &str) -> String {
        let output = self.output(&["hook", "--host", "claude"], event.as_bytes());
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    }

    fn trail(&self) -> PathBuf {
        self.path(".local/state/checkrein/trail")
    }

    fn log(&self, more: &[&str]) -> Vec<Value> {
        let output = self.output(&[&["log", "--json"], more].concat(), b"");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn code(&self, arguments: &[&str]) -> i32 {
        self.output(arguments, b"").status.code().unwrap()
    }

    fn config(&self, text: &str) {
        fs::create_dir_all(self.path(".config/checkrein")).unwrap();
        fs::write(self.path(".config/checkrein/config.toml"), text).unwrap();
    }
}

fn id_in(answer: &str) -> String {
    let (_, after) = answer.split_once("checkrein why ").unwrap();
    after[..12].to_owned()
}

#[test]
fn a_denial_names_its_record_and_the_record_has_everything() {
    let place = Place::new();
    let id = id_in(&place.hook(&event("PreToolUse", "c1", "git push --force origin main")));
    place.hook(&event("PreToolUse", "c2", "git status"));
    let records = place.log(&[]);
    assert_eq!(records.len(), 2);
    assert_eq!(records[0]["id"], id);
    for name in [
        "id", "time", "host", "session", "agent", "event", "tool", "call", "summary", "effects", "decision",
        "rules", "reason", "hooks", "edited", "cwd", "policy", "monitor", "undo", "honored", "prev",
    ] {
        assert!(records.iter().all(|record| record.get(name).is_some()), "{name}");
    }
    assert_eq!(records[0]["decision"], "deny");
    assert_eq!(records[0]["rules"], json!(["git.force-push"]));
    assert_eq!(records[0]["summary"], "git push --force origin main");
    assert!(records[0]["hooks"][0]["micros"].is_u64());
    assert_eq!(records[1]["decision"], "abstain");
    assert_eq!(records[1]["prev"], records[0]["hash"]);
    let mode = place.trail().join("current.jsonl").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn the_table_shows_the_newest_last() {
    let place = Place::new();
    insta::assert_snapshot!(place.run(&["log"], ""), @r"
    --- stderr
    checkrein: nothing was recorded yet; agents that call checkrein leave a record of each event (`checkrein init`)
    --- exit 0
    ");
    place.hook(&event("PreToolUse", "c1", "git status"));
    place.hook(&event("PreToolUse", "c2", "git push --force origin main"));
    let text = place.run(&["log"], "");
    let rows: Vec<&str> = text.lines().filter(|line| line.contains("  claude")).collect();
    assert!(rows[0].ends_with("claude   ok          Bash             git status"), "{text}");
    assert!(
        rows[1].ends_with(
            "claude   denied      Bash             git push --force origin main  [git.force-push]"
        ),
        "{text}"
    );
    assert_eq!(place.log(&["--decision", "deny"]).len(), 1);
    assert_eq!(place.log(&["--rule", "git.*"]).len(), 1);
    assert_eq!(place.log(&["--rule", "filesystem.*"]).len(), 0);
    assert_eq!(place.log(&["--session", "s"]).len(), 2);
    assert_eq!(place.log(&["--agent", "codex"]).len(), 0);
    assert_eq!(place.log(&["--limit", "1"])[0]["call"], "c2");
    assert_eq!(place.log(&["--since", "1h"]).len(), 2);
    assert_eq!(place.code(&["log", "--since", "yesterday"]), 3);
}

#[test]
fn a_change_is_found() {
    let place = Place::new();
    place.hook(&event("PreToolUse", "c1", "git status"));
    place.hook(&event("PreToolUse", "c2", "git diff"));
    let text = place.run(&["log", "--verify"], "");
    assert!(
        text.contains("whole: 2 records in 1 segment, numbers 1 to 2") && text.ends_with("--- exit 0\n"),
        "{text}"
    );
    let file = place.trail().join("current.jsonl");
    let lines = fs::read_to_string(&file).unwrap();
    fs::write(&file, lines.replacen("git status", "git stash ", 1)).unwrap();
    let text = place.run(&["log", "--verify"], "");
    assert!(text.contains("current.jsonl:1: changed") && text.ends_with("--- exit 1\n"), "{text}");
    let report = place.output(&["log", "--verify", "--json"], b"");
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(report["break"]["kind"], "changed");
}

/// A host that runs what was denied is reported to the user at once, by `log --verify`, and by `honored`.
#[test]
fn a_denied_call_that_ran_is_an_alarm() {
    let place = Place::new();
    place.hook(&event("PreToolUse", "c1", "git push --force origin main"));
    place.hook(&event("PreToolUse", "c2", "git push --force origin main"));
    assert!(!place.hook(&event("PostToolUse", "c3", "git status")).contains("ALARM"));
    assert_eq!(place.code(&["log", "--verify"]), 0);
    let answer = place.hook(&event("PostToolUse", "c1", "git push --force origin main"));
    assert!(answer.contains("ALARM: claude ran a call that checkrein had denied"), "{answer}");
    assert_eq!(place.code(&["log", "--verify"]), 1);
    let honored: Vec<Value> = place.log(&[]).iter().map(|record| record["honored"].clone()).collect();
    assert_eq!(honored, ["no", "yes", "unknown", "unknown"]);
    // Once is enough.
    assert!(!place.hook(&event("PostToolUse", "c1", "git push --force origin main")).contains("ALARM"));
}

#[test]
fn why_judges_again_and_says_what_differs() {
    let place = Place::new();
    let id = id_in(&place.hook(&event("PreToolUse", "c1", "git push --force origin main")));
    let text = place.run(&["why", &id], "");
    assert!(text.contains("judged again\n  nothing differs"), "{text}");
    assert!(text.contains("git.force-push") && text.ends_with("--- exit 2\n"), "{text}");
    place.config("[[exception]]\nrules = \"git.force-push\"\nreason = \"a mirror\"\nuntil = \"never\"\n");
    let output = place.output(&["why", &id, "--json"], b"");
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    let differs: Vec<&str> = object["differs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|differs| differs["what"].as_str().unwrap())
        .collect();
    assert_eq!(differs, ["decision", "rules", "policy"]);
    assert_eq!(object["record"]["decision"], "deny");
    assert_eq!(object["decision"], "abstain");
    assert_eq!(place.code(&["why", "000000000000"]), 3);
    assert_eq!(place.code(&["why", "nonsense"]), 3);
}

#[test]
fn stats_count() {
    let place = Place::new();
    for command in ["git status", "git diff", "git push --force origin main"] {
        place.hook(&event("PreToolUse", "c1", command));
    }
    let output = place.output(&["stats", "--json"], b"");
    let stats: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(stats["all"]["events"], 3);
    assert_eq!(stats["by_rule"]["git.force-push"]["denied"], 1);
    assert_eq!(stats["by_agent"]["claude"]["no_objection"], 2);
    assert!(stats["micros"]["p99"].is_u64());
    assert!(
        place.run(&["stats"], "").contains("Bash                                      3        1        0")
    );
}

#[test]
fn what_is_kept_is_configured() {
    let place = Place::new();
    place.config("trail = \"off\"\n");
    assert!(
        !place.hook(&event("PreToolUse", "c1", "git push --force origin main")).contains("checkrein why")
    );
    assert!(!place.trail().exists());
    place.config("trail = \"structure\"\n");
    place.hook(&event("PreToolUse", "c1", "git push --force origin main"));
    let text = fs::read_to_string(place.trail().join("current.jsonl")).unwrap();
    assert!(
        !text.contains("git push") && !text.contains("/home/dev") && text.contains("git.force-push"),
        "{text}"
    );
    place.config("trail = \"full\"\n");
    place.hook(&event("PreToolUse", "c2", "git push --force origin main"));
    assert_eq!(place.log(&["--limit", "1"])[0]["input"], json!({"command": "git push --force origin main"}));
    place.config("trail = \"required\"\n");
    assert!(place.hook(&event("PreToolUse", "c1", "git status")).contains("\"deny\""));
    let text = place.run(&["check", "git status"], "");
    assert!(text.contains("only the administrator's file can require the trail"), "{text}");
    for (line, problem) in [
        ("trail_days = 0", "expected a whole number from 1 to 3650, found `0`"),
        ("trail_megabytes = 1.5", "expected a whole number from 1 to 65536, found `1.5`"),
        ("trail_sync = \"often\"", "unknown treatment of the disk `often`"),
    ] {
        place.config(&format!("{line}\n"));
        let text = place.run(&["check", "git status"], "");
        assert!(text.contains(problem), "{text}");
    }
}

/// A project decides nothing about what is recorded about it.
#[test]
fn a_project_cannot_turn_it_off() {
    let place = Place::new();
    fs::create_dir(place.path("shop")).unwrap();
    fs::write(place.path("shop/.checkrein.toml"), "trail = \"off\"\n").unwrap();
    let event = event("PreToolUse", "c1", "git status")
        .replace("/home/dev/shop", place.path("shop").to_str().unwrap());
    assert!(place.hook(&event).contains("\"deny\""));
    assert_eq!(place.log(&[]).len(), 1);
}

/// An answer does not depend on the trail, unless the administrator says so.
#[test]
fn a_trail_that_cannot_be_written_is_reported() {
    let place = Place::new();
    fs::create_dir_all(place.trail().parent().unwrap()).unwrap();
    fs::write(place.trail(), "a file").unwrap();
    let answer = place.hook(&event("PreToolUse", "c1", "git push --force origin main"));
    assert!(
        answer.contains("\"deny\"") && answer.contains("the record of this event was not kept"),
        "{answer}"
    );
    let answer = place.hook(&event("PreToolUse", "c1", "git status"));
    assert!(
        answer.starts_with("{}\n") && answer.contains("the record of this event was not kept"),
        "{answer}"
    );
}

/// Secrets in every field of every event are in no file of ours, and in nothing that the commands print.
#[test]
fn a_secret_in_any_event_is_in_no_file() {
    let secret = SECRET_PARTS.concat();
    let place = Place::new();
    place.config("trail = \"full\"\n");
    for event in EventName::ALL {
        for field in [
            "session_id",
            "cwd",
            "agent_id",
            "agent_type",
            "tool_name",
            "tool_use_id",
            "prompt",
            "message",
            "source",
            "transcript_path",
            "permission_mode",
            "error",
        ] {
            let mut payload = json!({
                "hook_event_name": event.as_str(),
                "session_id": "s1",
                "cwd": "/home/dev/shop",
                "tool_name": "Bash",
                "tool_use_id": "c1",
                "tool_input": {"command": format!("curl -H 'Authorization: Bearer {secret}' https://example.com/{secret}"), &secret: [secret.clone()]},
                "tool_response": {"stdout": secret.clone(), "stderr": ""},
                "prompt": secret.clone(),
            });
            payload[field] = secret.clone().into();
            if event.has_tool() || field == "session_id" {
                place.output(&["hook", "--host", "checkrein"], payload.to_string().as_bytes());
            }
        }
    }
    assert!(place.log(&["--limit", "0"]).len() > 60);
    let mut seen = 0;
    each_file(&place.path(".local"), &mut |path, bytes| {
        seen += 1;
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains(SECRET_PARTS[1]), "{}: {text}", path.display());
    });
    assert!(seen > 2);
    place.output(&["report", "--html", "page.html"], b"");
    for output in [
        place.run(&["log", "--limit", "0"], ""),
        place.run(&["stats"], ""),
        fs::read_to_string(place.path("page.html")).unwrap(),
    ] {
        assert!(!output.contains(SECRET_PARTS[1]), "{output}");
    }
}

fn each_file(directory: &Path, see: &mut impl FnMut(&Path, &[u8])) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            each_file(&path, see);
        } else if let Ok(text) = fs::read_link(&path) {
            see(&path, text.as_os_str().as_encoded_bytes());
        } else {
            see(&path, &fs::read(&path).unwrap());
        }
    }
}

/// Agents are denied what other sessions did: the files and the commands that show it.
#[test]
fn agents_neither_read_nor_change_it() {
    let place = Place::new();
    place.hook(&event("PreToolUse", "c1", "git status"));
    let file = place.trail().join("current.jsonl");
    let file = file.to_str().unwrap();
    let trail = place.trail();
    let trail = trail.to_str().unwrap();
    for command in [
        format!("cat {file}"),
        format!("echo x >> {file}"),
        format!("rm -rf {trail}"),
        format!("cp -r {trail} /tmp/x"),
        format!("python3 -c 'print(open(\"{file}\").read())'"),
        format!("truncate -s 0 {file}"),
        format!("{PROGRAM} log --json"),
        format!("{PROGRAM} why 000000000000"),
        format!("{PROGRAM} stats"),
        format!("{PROGRAM} report --html /tmp/page.html"),
    ] {
        let answer = place.hook(&event("PreToolUse", "c2", &command));
        assert!(answer.contains("\"permissionDecision\":\"deny\""), "{command}: {answer}");
    }
    for command in [
        "git log --oneline".to_owned(),
        format!("{PROGRAM} explain git status"),
        "cat trail/current.jsonl".to_owned(),
    ] {
        let answer = place.hook(&event("PreToolUse", "c2", &command));
        assert!(answer.starts_with("{}"), "{command}: {answer}");
    }
}

#[test]
fn a_report_is_one_page() {
    let place = Place::new();
    place.hook(&event("PreToolUse", "c1", "echo '</script><img src=x onerror=alert(1)>'"));
    let output = place.output(&["report", "--html", "page.html"], b"");
    insta::assert_snapshot!(shown(&output, &place.path("")), @r"
    --- stdout
    Written: page.html, with 1 event
    --- exit 0
    ");
    let page = fs::read_to_string(place.path("page.html")).unwrap();
    assert!(
        page.contains("Content-Security-Policy")
            && !page.contains("<img")
            && !page.contains("http-equiv=\"refresh")
    );
    assert_eq!(place.code(&["report", "--html", "no/such/directory/page.html"]), 4);
}
