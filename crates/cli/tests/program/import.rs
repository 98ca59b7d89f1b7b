//! `checkrein import`: samples of every origin with the expected output next to them, and other files.

use crate::{Place, shown};
use insta::assert_snapshot;
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/import")
}

/// Returns every sample: `<origin>/<name>`, with `<name>.expected` next to it.
fn samples() -> Vec<PathBuf> {
    let directories =
        fs::read_dir(corpus()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let files =
        directories.flat_map(|directory| fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()));
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ending| ending != "expected")).collect();
    files.sort();
    files
}

fn expected_of(sample: &Path) -> PathBuf {
    sample.with_file_name(format!("{}.expected", sample.file_name().unwrap().to_str().unwrap()))
}

/// To regenerate them: `UPDATE_EXPECTED=1 cargo test -p checkrein-cli --test program import`.
#[test]
fn samples_of_every_origin() {
    let place = Place::new();
    let mut seen = Vec::new();
    for sample in samples() {
        let output = place.output(&["import", sample.to_str().unwrap()], b"");
        let found = shown(&output, place.directory.path());
        let beside = expected_of(&sample);
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            fs::write(&beside, &found).unwrap();
        }
        let expected = fs::read_to_string(&beside).unwrap_or_default();
        assert_eq!(found, expected, "{}", sample.display());
        // The origin is detected from the content; the directory has the expected name.
        let report = place.output(&["import", "--json", sample.to_str().unwrap()], b"");
        let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
        let directory = sample.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!(report["origin"], directory.as_str());
        let refused = report["refused"].as_u64().unwrap() > 0;
        assert_eq!(output.status.code(), Some(i32::from(refused)));
        seen.push(directory);
    }
    seen.dedup();
    assert_eq!(seen, ["claude", "codex", "codex-fork", "copilot", "cursor", "list", "vscode"]);
}

/// `hooks` shows the imported hooks: event, command, timeout and failure rule of each.
#[test]
fn imported_hooks_are_active() {
    for sample in samples() {
        let place = Place::new();
        let arguments = ["import", "--json", "--output", "hooks.toml", sample.to_str().unwrap()];
        let report = place.output(&arguments, b"");
        let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
        let listed = place.output(&["hooks", "--json", "--config", "hooks.toml"], b"");
        let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
        let imported: Vec<&serde_json::Value> =
            report["hooks"].as_array().unwrap().iter().filter(|hook| hook["status"] != "refused").collect();
        let listed = listed["hooks"].as_array().unwrap().iter().filter(|hook| hook["layer"] != "built in");
        let listed: Vec<&serde_json::Value> = listed.collect();
        assert_eq!(imported.len(), listed.len(), "{}", sample.display());
        for (imported, listed) in imported.into_iter().zip(listed) {
            for key in ["event", "command"] {
                assert_eq!(imported[key], listed[key], "{}: {key}", sample.display());
            }
            assert_eq!(imported["timeout"].as_f64(), listed["timeout"].as_f64(), "{listed}");
            if let Some(rule) = imported["on_failure"].as_str() {
                assert_eq!(listed["failure_rule"], rule);
            }
        }
    }
}

const SETTINGS: &str = r#"{"model": "opus", "hooks": {"PreToolUse": [
    {"matcher": "Bash", "hooks": [{"type": "command", "command": "grep -q 'rm -rf' && exit 2 || exit 0", "timeout": 15}]}
]}}"#;

#[test]
fn the_report() {
    let place = Place::new();
    fs::write(place.path("settings.json"), SETTINGS).unwrap();
    assert_snapshot!(place.run(&["import", "--json", "settings.json"], ""), @r#"
    --- stdout
    {"origin":"claude","file":"settings.json","imported":1,"changed":0,"refused":0,"remarks":[],"hooks":[{"place":"hooks.PreToolUse[0].hooks[0]","line":2,"status":"imported","event":"PreToolUse","tools":["Bash"],"command":"grep -q 'rm -rf' && exit 2 || exit 0","written_for":"claude","timeout":15.0,"on_failure":"ignore","changes":[],"reasons":[],"was":{"type":"command","command":"grep -q 'rm -rf' && exit 2 || exit 0","timeout":15,"matcher":"Bash"}}]}
    --- stderr
    Claude Code: 1 hook imported
    --- exit 0
    "#);
}

#[test]
fn a_new_file_never_replaces_another() {
    let place = Place::new();
    fs::write(place.path("settings.json"), SETTINGS).unwrap();
    assert_snapshot!(place.run(&["import", "settings.json", "--output", "hooks.toml"], ""), @"
    --- stderr
    Claude Code: 1 hook imported
    Next: remove the imported hooks from settings.json. Until then they run twice where hooks.toml is active; `checkrein doctor` lists them.
    --- exit 0
    ");
    // The imported hook works.
    let denied = place.output(&["check", "--config", "hooks.toml", "rm -rf x"], b"");
    assert_eq!(denied.status.code(), Some(2));
    let fine = place.output(&["check", "--config", "hooks.toml", "ls"], b"");
    assert_eq!(fine.status.code(), Some(0));

    let before = fs::read(place.path("hooks.toml")).unwrap();
    symlink("nowhere", place.path("link")).unwrap();
    fs::create_dir(place.path("directory")).unwrap();
    assert_snapshot!(place.run(&["import", "settings.json", "--output", "hooks.toml"], ""), @"
    --- stderr
    checkrein: cannot write `hooks.toml`: the file already exists
    --- exit 3
    ");
    assert_snapshot!(place.run(&["import", "settings.json", "--output", "link"], ""), @"
    --- stderr
    checkrein: cannot write `link`: the file already exists
    --- exit 3
    ");
    assert_snapshot!(place.run(&["import", "settings.json", "--output", "directory"], ""), @"
    --- stderr
    checkrein: cannot write `directory`: the file already exists
    --- exit 3
    ");
    assert_eq!(fs::read(place.path("hooks.toml")).unwrap(), before);
    let mut left: Vec<_> =
        fs::read_dir(place.directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(
        left,
        ["directory", "hooks.toml", "link", "settings.json"],
        "nothing unfinished is left behind"
    );
}

#[test]
fn an_explicit_origin_overrides_the_detected_one() {
    let place = Place::new();
    fs::write(
        place.path("hooks.json"),
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#,
    )
    .unwrap();
    let text = place.run(&["import", "--from", "codex", "hooks.json"], "");
    assert!(
        text.contains("on_failure = \"ignore\"  # as in Codex, which continues when a hook fails"),
        "{text}"
    );
    assert!(text.ends_with("Codex: 1 hook imported\n--- exit 0\n"), "{text}");
    assert_snapshot!(place.run(&["import", "--from", "list", "hooks.json"], ""), @r#"
    --- stderr
    hooks.json:1:1: expected a JSON list of hooks
    1 | {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}…
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    --- exit 3
    "#);
    assert_snapshot!(place.run(&["import", "--from", "claud", "hooks.json"], ""), @"
    --- stderr
    checkrein: `--from`: expected [agents], `codex-fork` or `list`, found `claud`, did you mean `claude`?
    --- exit 3
    ");
}

/// Runs it on a file with this content.
fn on(content: impl AsRef<[u8]>) -> String {
    let place = Place::new();
    fs::write(place.path("their.json"), content).unwrap();
    place.run(&["import", "their.json"], "")
}

#[test]
fn files_that_are_not_hooks() {
    assert_snapshot!(on(""), @"
    --- stderr
    their.json:1:1: there are no hooks in it
    1 | 
      | ^
    hint: known are `hooks` of Claude Code and Codex, the Codex fork's `[[hooks.<event>]]`, and a JSON list of hooks
    --- exit 3
    ");
    assert_snapshot!(on("{}"), @"
    --- stderr
    their.json:1:1: there are no hooks in it
    1 | {}
      | ^
    hint: known are `hooks` of Claude Code and Codex, the Codex fork's `[[hooks.<event>]]`, and a JSON list of hooks
    --- exit 3
    ");
    assert_snapshot!(on(SETTINGS.split_at(80).0), @r#"
    --- stderr
    their.json:2:36: not valid JSON: EOF while parsing a string
    2 |     {"matcher": "Bash", "hooks": [{"
      |                                    ^
    --- exit 3
    "#);
    assert_snapshot!(on("[[hooks.pre_tool_use]]\ncommand = ["), @"
    --- stderr
    their.json:2:12: not valid TOML: unclosed array, expected `]`
    2 | command = [
      |            ^
    --- exit 3
    ");
    assert_snapshot!(on(r#"{"hooks": {"Stop": [], "Stop": []}}"#), @r#"
    --- stderr
    their.json:1:29: not valid JSON: duplicate key `Stop`
    1 | {"hooks": {"Stop": [], "Stop": []}}
      |                             ^
    --- exit 3
    "#);
    assert_snapshot!(on("[hooks]\nstop = []\nstop = []\n"), @"
    --- stderr
    their.json:3:1: not valid TOML: duplicate key
    3 | stop = []
      | ^^^^
    --- exit 3
    ");
    assert_snapshot!(on("[[hook]]\nevent = \"Stop\"\ncommand = \"x\"\n"), @"
    --- stderr
    their.json:1:1: this is a configuration of Checkrein already
    1 | [[hook]]
      | ^
    hint: there is nothing to import; it loads as it is
    --- exit 3
    ");
    assert_snapshot!(on(b"{\"hooks\": {\n\"\xff\": []}}"), @"
    --- stderr
    their.json: the text is not UTF-8 in line 2
    --- exit 3
    ");
    assert_snapshot!(on(r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": 1, "timeout": "5"}]}], "Setup": 1}}"#), @r#"
    --- stderr
    their.json:1:63: hooks.Stop[0].hooks[0].command: expected a string, found a number
    1 | {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": 1, "timeout": "5"}]}], "Setup": 1}}
      |                                                               ^

    their.json:1:77: hooks.Stop[0].hooks[0].timeout: expected a number, found a string
    1 | {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": 1, "timeout": "5"}]}], "Setup": 1}}
      |                                                                             ^^^

    their.json:1:95: hooks.Setup: expected a list, found a number
    1 | …oks": {"Stop": [{"hooks": [{"type": "command", "command": 1, "timeout": "5"}]}], "Setup": 1}}
      |                                                                                            ^
    --- exit 3
    "#);
    assert_snapshot!(on(r#"{"hooks": "./hooks.json"}"#), @r#"
    --- stderr
    their.json:1:11: hooks: expected an object, found a string
    1 | {"hooks": "./hooks.json"}
      |           ^^^^^^^^^^^^^^
    --- exit 3
    "#);
}

#[test]
fn endless_nesting() {
    for content in [
        "[".repeat(100_000),
        format!("{{\"hooks\": {}", "[".repeat(100_000)),
        format!("{{\"hooks\": {}", "{\"a\":".repeat(100_000)),
        format!("hooks = {}", "[".repeat(100_000)),
        format!("hooks{} = 1", ".a".repeat(100_000)),
        format!("[hooks{}]", ".a".repeat(100_000)),
    ] {
        let text = on(&content);
        assert!(text.ends_with("--- exit 3\n") && text.starts_with("--- stderr\ntheir.json:1:"), "{text}");
        assert!(text.len() < 2_000, "{}", text.len());
    }
}

#[test]
fn other_kinds_of_files() {
    let place = Place::new();
    fs::create_dir(place.path("directory")).unwrap();
    fs::File::create(place.path("big.json")).unwrap().set_len(1 << 30).unwrap();
    symlink("loop", place.path("loop")).unwrap();
    assert!(Command::new("mkfifo").arg(place.path("fifo")).status().unwrap().success());
    let all: Vec<String> = ["directory", "missing.json", "big.json", "loop", "fifo", "/dev/zero"]
        .into_iter()
        .map(|name| place.run(&["import", name], ""))
        .collect();
    assert_snapshot!(all.concat(), @"
    --- stderr
    directory: expected a configuration file, found a directory
    --- exit 3
    --- stderr
    missing.json: the configuration file does not exist
    --- exit 3
    --- stderr
    big.json: the configuration file is larger than 2 MiB
    --- exit 3
    --- stderr
    loop: expected a configuration file, found symbolic links that lead in a circle
    --- exit 3
    --- stderr
    fifo: expected a configuration file, found a FIFO
    --- exit 3
    --- stderr
    /dev/zero: expected a configuration file, found a device
    --- exit 3
    ");
}

/// As large as a file may be, and hostile: it is answered in a time that a user would wait.
#[test]
fn a_large_file() {
    let handler = r#"{"type":"command","command":"x $A $B"},"#;
    let many = 20_000;
    let content = format!(
        r#"{{"hooks":{{"PreToolUse":[{{"matcher":"Bash","hooks":[{}{{"type":"command","command":"last"}}]}}]}}}}"#,
        handler.repeat(many)
    );
    let place = Place::new();
    fs::write(place.path("their.json"), content).unwrap();
    let output = place.output(&["import", "their.json"], b"");
    // 20 000 blocks do not fit into a configuration file, and the error says so.
    assert_eq!(output.status.code(), Some(3));
    assert_snapshot!(shown(&output, place.directory.path()), @"
    --- stderr
    their.json: its hooks do not fit into one configuration file
    --- exit 3
    ");
}

/// The first place to write to is a directory that is not there yet; and what was imported runs twice until it is removed.
#[test]
fn the_directory_is_created_and_doctor_lists_what_runs_twice() {
    let machine = crate::machine::Machine::with(&[".claude"]);
    machine.agent("claude", "2.1.325 (Claude Code)");
    machine.write(".claude/settings.json", SETTINGS);
    let (from, to) = (machine.path(".claude/settings.json"), machine.path(".config/checkrein/config.toml"));
    let output = machine.output(&["import", from.to_str().unwrap(), "--output", to.to_str().unwrap()]);
    assert!(output.status.success() && to.is_file());
    machine.init();
    let said = machine.run(&["doctor", "--agent", "claude"]);
    assert!(said.contains("it runs twice [imported-and-kept]"), "{said}");
    fs::write(&to, "").unwrap();
    assert!(!machine.run(&["doctor", "--agent", "claude"]).contains("imported-and-kept"));
}
