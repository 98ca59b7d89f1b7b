//! Lines of the predecessors' specification that only the whole program can show. Each test has the id of its line;
//! `corpus/semantics/lines.toml` names them.

use crate::{Place, layers::Home};
use serde_json::{Value, json};
use std::{fs, path::Path};

/// A hook before a tool that tells the model its name.
fn telling(name: &str, more: &str) -> String {
    format!(
        "[[hook]]\nevent = \"PreToolUse\"\nname = \"{name}\"\n{more}\
         command = \"echo '{{\\\"context\\\": \\\"{name} was called\\\"}}'\"\n"
    )
}

/// Returns what a host's dialect answers to a call of a shell in the project of `home`.
fn answer(home: &Home, host: &str, command: &str, more: &[&str]) -> Value {
    let event = json!({
        "session_id": "s", "turn_id": "1", "hook_event_name": "PreToolUse", "tool_use_id": "t1",
        "cwd": home.place.path("project"), "tool_name": "Bash", "tool_input": {"command": command},
    });
    let output = home.output(&[&["hook", "--host", host], more].concat(), &event.to_string());
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn reason(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap_or_default()
}

fn listed(home: &Home, more: &[&str]) -> Vec<Value> {
    let output = home.output(&[&["hooks", "--json"], more].concat(), "");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    found["hooks"].as_array().unwrap().clone()
}

/// A file that is named counts, in the predecessor's form too; without one the workspace's own file counts.
#[test]
fn m48_a_named_file_or_the_one_of_the_workspace() {
    let home = Home::new();
    let list = home.place.path("list.json");
    fs::write(&list, r#"[{"event": "PreToolUse", "name": "listed", "command": "exit 2"}]"#).unwrap();
    assert_eq!(answer(&home, "claude", "ls", &[]), json!({}));
    let named = ["--config", list.to_str().unwrap()];
    assert_eq!(
        reason(&answer(&home, "claude", "ls", &named)),
        "listed: blocked by the hook (exit 2, no reason given)"
    );
    // A name without a file is an error, which denies.
    let missing = ["--config", "nowhere.json"];
    assert!(reason(&answer(&home, "claude", "ls", &missing)).contains("nowhere.json"));
    home.project(&telling("workspace", ""));
    let workspace = listed(&home, &[]).into_iter().find(|hook| hook["layer"] == "project").unwrap();
    assert_eq!(workspace["name"], "workspace");
}

/// A finding is shown as a tag with its kind, clean text as it is, and the scanner denies nothing.
#[test]
fn m59_a_secret_is_masked_with_its_kind_and_clean_text_stays() {
    let place = Place::new();
    fs::create_dir_all(place.path("project/.git")).unwrap();
    let kinds = [
        ("github-pat-classic", "secret_github_token_"),
        ("stripe-secret-live", "secret_stripe_key_"),
        ("npm-access-token", "secret_npm_token_"),
    ];
    let after = |text: &str| {
        let event = json!({
            "session_id": "s", "hook_event_name": "PostToolUse", "tool_use_id": "t", "cwd": place.path("project"),
            "tool_name": "Bash", "tool_input": {"command": "env"},
            "tool_response": {"stdout": text, "stderr": "", "interrupted": false, "isImage": false},
        });
        let output = place.output(&["hook", "--host", "claude"], event.to_string().as_bytes());
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let mut found = 0;
    for kind in checkrein_secrets::Kind::all() {
        let Some((_, tag)) = kinds.iter().find(|(name, _)| *name == kind.name()) else { continue };
        let value =
            checkrein_secrets::sample::of(kind, &mut checkrein_secrets::sample::Random::new(3)).unwrap();
        let answer = after(&format!("the key is {value} today"));
        let text = answer.to_string();
        assert!(!text.contains(&value), "{text}");
        assert!(text.contains(&format!("the key is {tag}")) && text.contains(" today"), "{tag}: {text}");
        assert_eq!(answer.get("decision"), None, "{text}");
        found += 1;
    }
    assert_eq!(found, kinds.len());
    assert_eq!(after("nothing to see"), json!({}));
}

/// The layers are asked in their order, and what a higher one does not offer cannot be disabled from below.
#[test]
fn g8_layers_follow_each_other_and_one_disables_what_it_may() {
    let home = Home::new();
    home.user(&(telling("user", "overridable = true\n") + &telling("firm", "")));
    let flag = home.place.path("flag.toml");
    fs::write(&flag, telling("flag", "")).unwrap();
    let contexts = |home: &Home| {
        let answer = answer(home, "claude", "ls", &["--config", flag.to_str().unwrap()]);
        answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(contexts(&home), "user was called\nfirm was called\nflag was called");
    fs::write(&flag, format!("disable = [\"user\", \"firm\"]\n{}", telling("flag", ""))).unwrap();
    assert_eq!(contexts(&home), "firm was called\nflag was called");
}

/// The TOML of the Codex fork is read: an argument vector, its matcher, its default of 30 seconds within the time of the event.
#[test]
fn f20_the_forks_configuration_is_read_and_ours_has_a_schema() {
    let home = Home::new();
    let file = home.place.path("project/config.toml");
    let text = "[[hooks.pre_tool_use]]\ncommand = [\"sh\", \"-c\", \"echo '{\\\"decision\\\":\\\"block\\\",\\\"message\\\":\\\"fork\\\"}'\"]\nmatcher = \"*\"\n\n\
                [[hooks.post_tool_use]]\ncommand = [\"true\"]\ntimeout = 7\n";
    fs::write(&file, text).unwrap();
    let written = home.place.path("imported.toml");
    let output = home.output(
        &[
            "import",
            "--json",
            "--from",
            "codex-fork",
            "--output",
            written.to_str().unwrap(),
            file.to_str().unwrap(),
        ],
        "",
    );
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let hooks = report["hooks"].as_array().unwrap();
    let seconds: Vec<Option<f64>> = hooks.iter().map(|hook| hook["timeout"].as_f64()).collect();
    assert_eq!(seconds, [Some(20.0), Some(7.0)], "{report}");
    assert_eq!(hooks[0]["command"][0], "sh");
    let named = ["--config", written.to_str().unwrap()];
    assert!(reason(&answer(&home, "codex", "ls", &named)).contains("fork"));
    // The schema that is kept in the repository knows the same keys.
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema/checkrein.schema.json");
    let schema: Value = serde_json::from_slice(&fs::read(schema).unwrap()).unwrap();
    let same = json!({"hook": [{"event": "PreToolUse", "command": hooks[0]["command"], "timeout": 20, "on_failure": "deny"}]});
    assert!(jsonschema::is_valid(&schema, &same), "{same}");
    let wrong = json!({"hook": [{"event": "PreToolUse", "command": "true", "timeuot": 3}]});
    assert!(!jsonschema::is_valid(&schema, &wrong));
}

/// Other kinds of handlers are named, with what to do instead, and not run.
#[test]
fn u3_commands_run_and_other_kinds_are_named() {
    let home = Home::new();
    let file = home.place.path("hooks.json");
    let handlers = json!([
        {"type": "command", "command": "exit 2"},
        {"type": "prompt", "prompt": "is this wise?"},
        {"type": "agent", "prompt": "look at this"},
        {"type": "mcp_tool", "server": "x", "tool": "y"},
    ]);
    let text = json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": handlers}]}}).to_string();
    fs::write(&file, text).unwrap();
    let report = home.output(&["import", "--json", "--from", "claude", file.to_str().unwrap()], "");
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    let statuses: Vec<&str> =
        report["hooks"].as_array().unwrap().iter().map(|hook| hook["status"].as_str().unwrap()).collect();
    assert_eq!(statuses.iter().filter(|status| **status == "refused").count(), 3, "{report}");
    assert_ne!(statuses[0], "refused");
    for instead in ["a command can ask one", "a command can call it"] {
        assert!(report.to_string().contains(instead), "{report}");
    }
}

/// The text for the model names the reason, and the hook or the effect that it is about.
#[test]
fn u20_a_denial_names_its_reason_and_its_object() {
    let home = Home::new();
    home.user("[[hook]]\nevent = \"PreToolUse\"\nname = \"freeze\"\nmatch = { tool = \"Bash\" }\ncommand = \"echo 'no deploys today' >&2; exit 2\"\n");
    assert_eq!(reason(&answer(&home, "codex", "make deploy", &[])), "freeze: no deploys today");
    home.user("# none\n");
    let denied = answer(&home, "codex", "cd / && rm -rf /usr/share", &[]);
    assert!(
        reason(&denied).contains("Checkrein denied this") && reason(&denied).contains("[filesystem."),
        "{denied}"
    );
    assert!(denied["systemMessage"].as_str().is_some_and(|text| text.contains("/usr/share")), "{denied}");
}

/// All sources count at once: the user's file, the project's, the session's.
#[test]
fn u23_every_source_counts() {
    let home = Home::new();
    home.user(&telling("user", ""));
    home.project(&telling("project", ""));
    let flag = home.place.path("flag.toml");
    fs::write(&flag, telling("flag", "")).unwrap();
    let hooks = listed(&home, &["--config", flag.to_str().unwrap(), "--event", "PreToolUse"]);
    let layers: Vec<&str> = hooks.iter().map(|hook| hook["layer"].as_str().unwrap()).collect();
    assert_eq!(layers, ["user", "project", "--config", "built in"]);
}

/// A project cannot trust itself: neither its file nor its place says so, and an untrusted hook does not run.
#[test]
fn u24_a_project_cannot_trust_itself() {
    let home = Home::new();
    home.project("[[hook]]\nevent = \"PreToolUse\"\nname = \"p\"\ncommand = \"exit 2\"\n");
    let status = |home: &Home| {
        let hooks = listed(home, &[]);
        hooks.iter().find(|hook| hook["layer"] == "project").map(|hook| hook["status"].clone())
    };
    assert_eq!(status(&home), Some(json!("not trusted")));
    assert!(reason(&answer(&home, "claude", "ls", &[])).is_empty());
    for line in ["untrusted = \"run\"", "trusted = true", "trust = [\".\"]"] {
        home.project(&format!(
            "{line}\n[[hook]]\nevent = \"PreToolUse\"\nname = \"p\"\ncommand = \"exit 2\"\n"
        ));
        let told = answer(&home, "claude", "ls", &[]);
        // A broken file denies, and its hook did not run.
        assert!(reason(&told).contains(".checkrein.toml"), "{line}: {told}");
        assert!(!reason(&told).contains("blocked by hook `p`"), "{line}: {told}");
    }
}

/// The preview and the record agree: the same hooks by the same names, each with its status and its time.
#[test]
fn u26_the_preview_names_the_hooks_that_the_record_has() {
    let home = Home::new();
    home.user(
        &(telling("first", "match = { tool = \"Bash\" }\n")
            + &telling("other", "match = { tool = \"Read\" }\n")
            + &telling("second", "")),
    );
    let preview: Vec<String> = listed(&home, &["--event", "PreToolUse", "--tool", "Bash"])
        .iter()
        .filter(|hook| hook["layer"] != "built in")
        .map(|hook| {
            assert_eq!(hook["status"], "active");
            hook["label"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(preview, ["first", "second"]);
    assert_ne!(answer(&home, "claude", "ls", &[]), json!({}));
    let log = home.output(&["log", "--json"], "");
    let record: Value = serde_json::from_slice(&log.stdout).unwrap();
    let hooks = record["hooks"].as_array().unwrap_or_else(|| panic!("{record}"));
    let ran: Vec<&str> = hooks.iter().map(|hook| hook["name"].as_str().unwrap_or_default()).collect();
    assert!(ran.starts_with(&["first", "second"]), "{record}");
    assert!(hooks.iter().all(|hook| hook["micros"].is_number()), "{record}");
}
