//! `checkrein explain`: every step of the pass, as text and as JSON.

use crate::Place;
use insta::assert_snapshot;
use serde_json::{Value, json};

/// Removes times, which vary.
fn timeless(text: &str) -> String {
    let without_number = |text: &str| text.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let line = |line: &str| match line.split_once(" µs") {
        Some((before, _)) => format!("{}[time]\n", without_number(before)),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

fn explain(place: &Place, arguments: &[&str]) -> String {
    let mut all = vec!["explain"];
    all.extend(arguments);
    timeless(&place.run(&all, ""))
}

/// Returns the JSON object and the exit code.
fn object(place: &Place, arguments: &[&str]) -> (Value, i32) {
    let mut all = vec!["explain", "--json"];
    all.extend(arguments);
    let output = place.output(&all, b"");
    (serde_json::from_slice(&output.stdout).unwrap(), output.status.code().unwrap())
}

/// Returns one field of each object in a list.
fn texts<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|item| item[field].as_str().unwrap()).collect()
}

#[test]
fn the_whole_pass() {
    assert_snapshot!(explain(&Place::new(), &[r#"sudo r""m -rf "$SCRATCH_DIR"/* && tac .env"#]), @"
    --- stdout
    read
      1  sudo rm -rf …/*
         … `$SCRATCH_DIR`, whose value is not known
         … if that is empty, `/*` remains
      2  tac .env
         only after a condition

    would run
      sudo rm -rf $SCRATCH_DIR/*  known as sudo
        rm -rf $SCRATCH_DIR/*  known as rm
      tac .env  known as tac

    effects
      1  privilege
         by sudo rm -rf $SCRATCH_DIR/*
      2  delete …/* (unknown)  recursive, force, sweeping, privileged, unknown
         by rm -rf $SCRATCH_DIR/*
      3  delete /* (root)  recursive, force, sweeping, privileged, empty-variable
         by rm -rf $SCRATCH_DIR/*
      4  read [directory]/.env (personal, secret)
         by tac .env

      effect    privilege       It uses the rights of another user.
      effect    delete          It deletes a file or a directory.
      effect    read            It reads content.
      zone      unknown         The path is not known before the call runs.
      zone      root            The path is the root of the file system or of a drive.
      zone      personal        The path is something that a user keeps in the home directory: documents, pictures, settings.
      tag       secret          The path holds keys, passwords or tokens.
      with      recursive       It includes everything below a directory.
      with      force           It does not ask, or it overrides a refusal.
      with      sweeping        It applies to everything in a directory, by a pattern or by a search that names nothing.
      with      privileged      It runs with the rights of an administrator.
      certainty unknown         The target is not known before the call runs.
      certainty empty-variable  The target is this one if a variable is empty.

    rules
      deny filesystem.delete-machine  built in
         It deletes files that this machine or its users need.
         because of effect 3: this deletes the root, a system directory or a whole home directory
         suggestion: delete only what the project generated, and name it
      ask filesystem.delete-unknown  built in
         It deletes a directory that cannot be determined in advance.
         because of effect 2: this deletes a directory that cannot be determined in advance
         suggestion: write the path out
      ask secrets.read-secret  built in
         It reads a file that contains secrets.
         because of effect 4: this reads keys, passwords or tokens, exposing them in the conversation
         suggestion: check only whether it exists

    hooks
      secrets (edit): no objection  [time]
      secrets (judge): no objection  [time]
      guard (judge): deny  [time]
         Checkrein denied this [filesystem.delete-machine]. Instead: delete only what the project generated, and name it.
         tells the user: Checkrein blocked deleting files that this machine needs: '/*' (filesystem.delete-machine).

    decision
      denied

    time
      read           [time]
      judge          [time]
      configuration  [time]
      hooks          [time]
      whole pass     [time]
    --- exit 2
    ");
}

#[test]
fn positions_of_commands_and_unknown_parts() {
    let place = Place::new();
    let text = "f() { wc -l < \"$1\"; }; for x in a 'b c'; do (tee \"$x\" <<< \"$(date)\" | sort > o 2>&1); done; \
                A=1 touch $((RANDOM)) & { f *; } 2> err";
    let shown = explain(&place, &[text]);
    assert_snapshot!(shown[..shown.find("\nwould run\n").unwrap()], @"
    --- stdout
    read
      1  wc -l < …
         in the function `f`, when that is called
         … `$1`, which only the shell knows
      2  date
         in a loop
         in parentheses
         in a pipeline
         in a command substitution
      3  tee … <<< …
         in a loop
         in parentheses
         in a pipeline
         prints to command 4
         … `$x`, one of `a`, `b c`
         … the output of command 2
      4  sort > o 2>&1
         in a loop
         in parentheses
         in a pipeline
         reads the output of command 3
      5  A=1 touch …
         in the background
         … a number that the shell computes
      6  2> err
      7  f *
         inside `2> err`
    ");
}

#[test]
fn unreadable_parts_are_shown() {
    let place = Place::new();
    for (text, why) in [
        ("echo 'open", "cannot be parsed from `open` on: a quote is not closed"),
        ("bash -c 'if x'", "a nested script cannot be parsed: a compound command is not finished"),
        (&"echo x; ".repeat(10_000), "the text is too long to be read"),
    ] {
        let shown = explain(&place, &["--", text]);
        assert!(shown.contains(why), "{why}:\n{shown}");
        assert!(!shown.contains("exit 0"), "what cannot be read is never safe:\n{shown}");
    }
    let shown = explain(&place, &["--input", r#"{"command":"echo a\u0000b"}"#]);
    assert!(shown.contains("the text holds a NUL byte"), "{shown}");
    assert!(explain(&place, &["# nothing"]).contains("read\n  no command\n"));
}

#[test]
fn json_is_one_object() {
    let (object, code) = object(&Place::new(), &[r#"env -i sh -c 'unlink "$NOWHERE"/etc/hostname' > log"#]);
    assert_eq!(code, 2, "{object:#}");
    assert_eq!(object["decision"], "deny");
    let command = &object["read"]["commands"][0];
    assert_eq!(
        texts(&command["words"], "text"),
        ["env", "-i", "sh", "-c", "unlink \"$NOWHERE\"/etc/hostname"]
    );
    assert_eq!(command["redirects"][0]["shown"], "> log");
    assert_eq!((&command["from"], &command["to"]), (&json!(0), &json!(51)));
    let ran = object["ran"].as_array().unwrap();
    let known: Vec<Option<&str>> = ran.iter().map(|ran| ran["known_as"].as_str()).collect();
    assert_eq!(known, [Some("env"), Some("sh"), Some("unlink")]);
    let depths: Vec<u64> = ran.iter().map(|ran| ran["depth"].as_u64().unwrap()).collect();
    assert!(depths.is_sorted_by(|one, next| one < next), "each is inside of the one before: {depths:?}");
    let rule = &object["rules"][0];
    let effect = &object["effects"][usize::try_from(rule["effect"].as_u64().unwrap()).unwrap()];
    assert_eq!((&effect["effect"], &effect["path"]), (&json!("delete"), &json!("/etc/hostname")));
    assert_eq!(ran[usize::try_from(effect["by"].as_u64().unwrap()).unwrap()]["known_as"], "unlink");
    let words = texts(&object["words"], "word");
    for word in ["delete", "system", "empty-variable"] {
        assert!(words.contains(&word), "{word} is not explained: {words:?}");
    }
    assert_eq!(texts(&object["hooks"], "name"), ["secrets", "secrets", "guard"]);
    for part in ["read", "judge", "configuration", "hooks", "whole"] {
        assert!(object["micros"][part].is_f64(), "{part}");
    }
}

/// A rule is shown with its place in the source.
#[test]
fn the_place_of_a_rule_is_right() {
    let (object, _) = object(&Place::new(), &["rm -rf /etc/ssl && tac ~/.netrc && git push -f"]);
    let rules = object["rules"].as_array().unwrap();
    assert!(rules.len() >= 3, "{rules:?}");
    for rule in rules {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(rule["file"].as_str().unwrap());
        let text = std::fs::read_to_string(file).unwrap();
        let line = text.lines().nth(usize::try_from(rule["line"].as_u64().unwrap()).unwrap() - 1).unwrap();
        let (_, name) = rule["id"].as_str().unwrap().split_once('.').unwrap();
        assert_eq!(line, format!("id = \"{name}\""));
    }
}

#[test]
fn it_decides_as_check_does() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("shop/.git")).unwrap();
    for (text, exit) in [
        ("ls -la", 0),
        ("rm -rf node_modules", 0),
        ("grep -rn 'rm -rf /usr' .", 0),
        ("tac .env", 1),
        ("sh -c 'rm -rf /usr/share'", 2),
        ("echo $(", 1),
    ] {
        let (explained, code) = object(&place, &["--cwd", "shop", "--", text]);
        let checked: Value = serde_json::from_slice(
            &place.output(&["check", "--json", "--cwd", "shop", "--", text], b"").stdout,
        )
        .unwrap();
        assert_eq!(code, exit, "{text}: {explained:#}");
        assert_eq!(explained["decision"], checked["decision"], "{text}");
        let rules: Vec<&str> =
            checked["rules"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(texts(&explained["rules"], "id"), rules, "{text}");
        let count = |object: &Value| object["effects"].as_array().map(Vec::len);
        assert_eq!(count(&explained), count(&checked), "{text}");
    }
}

#[test]
fn wrong_usage_is_an_error_with_a_message() {
    let place = Place::new();
    let nothing =
        "--- stderr\ncheckrein: nothing to explain\n\nhint: give a command line or `--input`\n--- exit 3\n";
    assert_eq!(explain(&place, &[]), nothing);
    // A program that asked for JSON gets the error as JSON as well.
    let json =
        "--- stdout\n{\"error\":\"nothing to explain\",\"hint\":\"give a command line or `--input`\"}\n";
    assert_eq!(explain(&place, &["--json", " \n"]), format!("{json}{nothing}"));
    assert_snapshot!(explain(&place, &["--input", "{"]), @"
    --- stderr
    checkrein: `--input` is not a JSON object: EOF while parsing an object at line 1 column 1
    --- exit 3
    ");
    assert_snapshot!(explain(&place, &["--cwd", "nowhere", "ls"]), @"
    --- stderr
    checkrein: no such directory: `nowhere`: No such file or directory (os error 2)
    --- exit 3
    ");
}

#[test]
fn other_tools() {
    let place = Place::new();
    assert_snapshot!(explain(&place, &["--tool", "Read", "--input", r#"{"file_path":"config/.env"}"#]), @"
    --- stdout
    read
      no shell command

    would run
      no command

    effects
      1  read [directory]/config/.env (home, secret)

      effect read    It reads content.
      zone   home    The path is elsewhere in the home directory.
      tag    secret  The path holds keys, passwords or tokens.

    rules
      ask secrets.read-secret  built in
         It reads a file that contains secrets.
         because of effect 1: this reads keys, passwords or tokens, exposing them in the conversation
         suggestion: check only whether it exists

    hooks
      secrets (edit): no objection  [time]
      secrets (judge): no objection  [time]
      guard (judge): ask  [time]
         Checkrein asks before reading a file with secrets: config/.env (secrets.read-secret).

    decision
      ask

    time
      judge          [time]
      configuration  [time]
      hooks          [time]
      whole pass     [time]
    --- exit 1
    ");
    let shown = explain(&place, &["--input", r#"{"command":["rm","-r","/etc/ssl; ls"]}"#]);
    assert!(shown.contains("a program with its arguments, run without a shell"), "{shown}");
    assert!(shown.contains("rm -r '/etc/ssl; ls'"), "one word stays one:\n{shown}");
    let shown = explain(&place, &["--tool", "PowerShell", "Get-ChildItem"]);
    assert!(shown.contains("a PowerShell script"), "{shown}");
    let shown = explain(&place, &["--tool", "WebSearch", "--input", r#"{"query":"weather"}"#]);
    assert!(shown.contains("nothing in this call is checked by the guard"), "{shown}");
}

#[test]
fn the_working_directory_of_the_call_is_shown() {
    let place = Place::new();
    let (object, _) = object(&place, &["--input", r#"{"command":"touch $PWD/x","workdir":"/srv/app"}"#]);
    assert_eq!(object["read"]["commands"][0]["words"][1]["text"], "/srv/app/x");
}

const HOOKS: &str = r#"
[[hook]]
event = "PreToolUse"
name = "namer"
role = "edit"
command = '''case "$(cat)" in *draft*) echo '{"rewrite_args":{"command":"touch final"},"reason":"not a draft"}';; esac'''

[[hook]]
event = "PreToolUse"
name = "judge"
role = "judge"
command = '''case "$(cat)" in *forbidden*) echo "not this" >&2; exit 2;; *broken*) exit 7;; esac'''
on_failure = "ask"
"#;

#[test]
fn the_other_hooks_are_shown() {
    let place = Place::with(HOOKS);
    let said = |text: &str| {
        let shown = explain(&place, &["--config", "hooks.toml", text]);
        shown[shown.find("hooks\n").unwrap()..shown.find("\ntime\n").unwrap()].to_owned()
    };
    assert_snapshot!(said("touch draft"), @r#"
    hooks
      namer (edit): no objection  [time]
         not a draft
         changes `command`
      secrets (edit): no objection  [time]
      judge (judge): no objection  [time]
      secrets (judge): no objection  [time]
      guard (judge): no objection  [time]

    decision
      rewritten
      now: {"command":"touch final"}
    "#);
    assert_snapshot!(said("touch forbidden"), @"
    hooks
      namer (edit): no objection  [time]
      secrets (edit): no objection  [time]
      judge (judge): deny  [time]
         not this
      guard: not asked, because the call was already denied

    decision
      denied
    ");
    assert_snapshot!(said("touch broken"), @"
    hooks
      namer (edit): no objection  [time]
      secrets (edit): no objection  [time]
      judge (judge): ask  [time]
         failed: exited with code 7
      secrets (judge): no objection  [time]
      guard (judge): no objection  [time]

    decision
      ask
    ");
    let shown = explain(&place, &["--config", "hooks.toml", "touch draft"]);
    assert!(shown.contains("1  touch final\n"), "what is read is what would run:\n{shown}");
}

#[test]
fn a_broken_configuration_denies_and_the_guard_is_still_shown() {
    let place = Place::with("[[hook]]\nevent = \"PreToolUse\"\ncomand = \"true\"\n");
    let shown = explain(&place, &["--config", "hooks.toml", "rm -r /etc/ssl"]);
    for part in [
        "filesystem.delete-machine",
        "hooks.toml:3:1: hook[0].comand: unknown key `comand`",
        "guard: not asked, because the call was already denied",
        "decision\n  denied\n",
        "--- exit 2",
    ] {
        assert!(shown.contains(part), "{part}:\n{shown}");
    }
}

/// A command must not move the cursor, set the title or reverse the text around it.
#[test]
fn a_command_does_not_control_the_terminal() {
    let place = Place::with(HOOKS);
    let text = "ec\u{202e}ho \u{1b}]0;title\u{7}\u{9b}2J\u{2066}x\r > \u{200b}o; touch /etc/\u{1b}[2K\u{7f}; cat << E\n\u{1b}[1A\nE\n";
    let hidden = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{200b}' | '\u{202e}' | '\u{2066}');
    for arguments in [
        &["explain", "--", text][..],
        &["explain", "--json", "--", text],
        &["explain", "--config", "hooks.toml", "--", text],
        &["explain", "--tool", "Write", "--input", "{\"file_path\":\"/etc/\\u001b[2J\\u202e\"}"],
    ] {
        let mut command = place.command(arguments);
        let plain = command.output().unwrap().stdout;
        let coloured = command.env("CLICOLOR_FORCE", "1").output().unwrap().stdout;
        for shown in [plain, coloured] {
            let mut shown = String::from_utf8(shown).unwrap();
            for ours in ["0", "1", "2", "31", "32", "33", "36"] {
                shown = shown.replace(&format!("\u{1b}[{ours}m"), "");
            }
            let found: Vec<char> = shown.chars().filter(|c| hidden(*c)).collect();
            assert!(found.is_empty(), "{found:?} in\n{shown:?}");
        }
    }
    let (object, _) = object(&place, &["--", text]);
    assert_eq!(object["input"]["command"], text, "an escape is the same to a reader of JSON");
}

#[test]
fn colors_on_a_terminal_only() {
    let place = Place::new();
    let mut command = place.command(&["explain", "rm -r /etc/ssl"]);
    let mut shown = |force: Option<&str>| {
        command.envs(force.map(|force| ("CLICOLOR_FORCE", force)));
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert!(!shown(None).contains('\u{1b}'));
    assert!(shown(Some("1")).contains("\u{1b}[31mdeny\u{1b}[0m filesystem.delete-machine"));
}

/// The output grows linearly with the command, not with its square.
#[test]
fn an_overlong_command_is_explained_briefly() {
    let place = Place::new();
    let many = |text: &str| text.repeat(5000);
    for text in [
        format!("x=$({}); echo {}", many("a;"), many("$x ")),
        format!("for x in {} b; do echo {}; done", many("long"), many("$x ")),
        format!("echo {}", ('\u{e0000}'..'\u{e0fff}').collect::<String>()),
    ] {
        for arguments in [&["explain", "--", &text][..], &["explain", "--json", "--", &text]] {
            let output = place.output(arguments, b"");
            assert!(
                output.status.code().is_some_and(|code| code < 3),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
            assert!(
                output.stdout.len() < 200 * text.len(),
                "{} bytes of {}",
                output.stdout.len(),
                text.len()
            );
        }
    }
}
