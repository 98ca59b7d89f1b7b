//! The guard as a hook that is always active, and its output on a terminal.

use crate::{Place, bash};
use insta::assert_snapshot;
use std::{fs, path::Path};

#[test]
fn the_guard_is_listed_with_every_rule() {
    let place = Place::new();
    let listed = place.output(&["hooks", "--json"], b"");
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    let hooks = listed["hooks"].as_array().unwrap();
    let events: Vec<&str> = hooks.iter().map(|hook| hook["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["PreToolUse", "PermissionRequest"]);
    for hook in hooks {
        assert_eq!(hook["name"], "guard");
        assert_eq!(hook["layer"], "built in");
        assert_eq!(hook["role"], "judge");
        assert_eq!(hook["status"], "active");
        assert_eq!(hook["overridable"], false);
    }
    let rules = listed["guard"]["rules"].as_array().unwrap();
    let packs = listed["guard"]["packs"].as_array().unwrap();
    let counted: u64 = packs.iter().map(|pack| pack["rules"].as_u64().unwrap()).sum();
    assert_eq!(usize::try_from(counted).unwrap(), rules.len());
    assert!(place.run(&["hooks"], "").contains(&format!("{} rules: ", rules.len())));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for rule in rules {
        let file = fs::read_to_string(root.join(rule["file"].as_str().unwrap())).unwrap();
        let line = usize::try_from(rule["line"].as_u64().unwrap()).unwrap();
        let (_, name) = rule["id"].as_str().unwrap().split_once('.').unwrap();
        let below: Vec<&str> = file.lines().skip(line - 1).take(2).collect();
        assert!(below.join("\n").contains(name), "{rule}");
    }
    assert!(!place.run(&["hooks", "--event", "Stop"], "").contains("guard"));
}

/// No layer can remove the guard, and an attempt is reported.
#[test]
fn the_guard_cannot_be_disabled() {
    let place = Place::with("disable = [\"guard\"]\n");
    assert_snapshot!(place.run(&["hooks", "--config", "hooks.toml"], ""), @"
    --- stderr
    hooks.toml: disable: `guard` is built in and cannot be disabled; remove it from the list

    the configuration is broken: all preventable actions will be denied
    --- exit 1
    ");
    assert_snapshot!(place.claude(&bash("ls")), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked this call: hooks.toml: disable: `guard` is built in and cannot be disabled; remove it from the list. To fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: hooks.toml: disable: `guard` is built in and cannot be disabled; remove it from the list.\nTo fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    hooks.toml: disable: `guard` is built in and cannot be disabled; remove it from the list
    --- exit 0
    "#);
    assert_snapshot!(shown_check(&place), @"
    --- stdout
    denied
      checkrein: hooks.toml: disable: `guard` is built in and cannot be disabled; remove it from the list
      
      To fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it
    --- exit 2
    ");
}

/// Returns the output of `check`, without the time.
fn shown_check(place: &Place) -> String {
    let text = place.run(&["check", "--config", "hooks.toml", "ls"], "");
    match text.split_once("denied  ").and_then(|(before, after)| Some((before, after.split_once('\n')?.1))) {
        Some((before, after)) => format!("{before}denied\n{after}"),
        None => text,
    }
}

/// Characters that a terminal would obey, that reverse a line, or that are invisible.
const HOSTILE: &str = "\u{1b}[2J\u{9b}1m\u{202e}\u{61c}\u{ad}\u{e0041}\u{2066}\u{200b}\u{7f}";

/// Whatever a call, a hook or a file contains, none of it controls the user's terminal.
#[test]
fn nothing_from_outside_controls_a_terminal() {
    let place = Place::with(
        "[[hook]]\nevent = \"PreToolUse\"\nname = \"h\"\nrole = \"judge\"\ncommand = '''cat >&2; exit 2'''\n",
    );
    let input = serde_json::json!({
        "command": format!("rm -rf ~ '{HOSTILE}'"),
        "file_path": format!("/x/{HOSTILE}/.env"),
    });
    let input = input.to_string();
    let line = serde_json::json!({"id": HOSTILE, "command": format!("cat '{HOSTILE}/.env'")}).to_string();
    let event = serde_json::json!({"hook_event_name": HOSTILE, "tool_name": "Bash"}).to_string();
    let asked: &[(&[&str], &str)] = &[
        (&["check", "--input", &input], ""),
        (&["check", "--json", "--input", &input], ""),
        (&["check", "--tool", "Read", "--input", &input], ""),
        (&["check", "--tool", "Read", "--json", "--input", &input], ""),
        (&["check", "--config", "hooks.toml", "--input", &input], ""),
        (&["check", "--config", HOSTILE, "ls"], ""),
        (&["check", "--cwd", HOSTILE, "ls"], ""),
        (&["check", "--batch"], &line),
        (&["explain", "--input", &input], ""),
        (&["explain", "--json", "--input", &input], ""),
        (&["hooks", "--config", HOSTILE], ""),
    ];
    for (arguments, stdin) in asked {
        let output = place.output(arguments, stdin.as_bytes());
        for said in [output.stdout, output.stderr] {
            let said = String::from_utf8(said).unwrap();
            let acts = said.chars().find(|char| *char != '\n' && checkrein::sanitize::is_hidden(*char));
            assert_eq!(acts, None, "{arguments:?}\n{said:?}");
        }
    }
    // The agent reads JSON; the user reads the text on stderr.
    let talk = place.output(&["hook", "--host", "claude"], event.as_bytes()).stderr;
    let talk = String::from_utf8(talk).unwrap();
    assert!(talk.contains("unknown event"), "{talk:?}");
    assert!(!talk.contains(|char| char != '\n' && checkrein::sanitize::is_hidden(char)), "{talk:?}");
}

/// `check` shows the guard's effects even if another hook denied first.
#[test]
fn effects_are_shown_whichever_hook_denies() {
    let place = Place::with("[[hook]]\nevent = \"PreToolUse\"\nname = \"no\"\ncommand = 'exit 2'\n");
    for config in [&[][..], &["--config", "hooks.toml"]] {
        let arguments = [&["check", "--json"], config, &["cat notes.txt"]].concat();
        let answer = place.output(&arguments, b"").stdout;
        let answer: serde_json::Value = serde_json::from_slice(&answer).unwrap();
        let reads = answer["effects"].as_array().unwrap().iter().any(|effect| effect["effect"] == "read");
        assert!(reads, "{answer}");
    }
}
