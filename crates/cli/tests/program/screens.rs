//! Every screen of the program as a user sees it: on a terminal with 80 columns, where no line may be longer.

use crate::machine::Machine;
use std::{fs, path::Path};

use Check::{Fits, Golden};

/// The check of a screen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    /// It fits, and its words are those of its file.
    Golden,
    /// It fits. Its words are those of the rules, the agents or the arguments, which have tests of their own.
    Fits,
}

/// The screens: a name, and the command line. All of them only show something.
const SCREENS: &[(&str, &str, Check)] = &[
    ("nothing", "", Fits),
    ("help-init", "help init", Fits),
    ("version", "version", Golden),
    ("check-deny", "check rm -rf /", Golden),
    ("check-ask", "check git branch -D topic", Golden),
    ("check-harmless", "check ls", Golden),
    ("explain", "explain git push --force origin topic", Fits),
    ("hooks", "hooks", Fits),
    ("rules", "rules git.force-push", Fits),
    ("effects", "effects send", Fits),
    ("coverage", "coverage", Fits),
    ("coverage-one", "coverage qwen", Fits),
    ("allow-list", "allow --list", Golden),
    ("log", "log", Golden),
    ("stats", "stats", Golden),
    ("doctor", "doctor", Golden),
    ("init", "init --dry-run --agent codex", Fits),
    ("uninstall", "uninstall --dry-run --agent claude", Golden),
    ("test-none", "test", Golden),
    ("trust-none", "trust", Golden),
    ("import-missing", "import nowhere.json", Golden),
    ("schema-key", "schema hook.timeout", Golden),
    ("unknown-agent", "init --agent clod", Fits),
    ("unknown-command", "chekc ls", Golden),
    ("hook-waits", "hook --host claude", Golden),
];

/// Lines that a user copies stay whole: a diff, and what a file or a machine named.
fn may_be_long(line: &str) -> bool {
    line.starts_with(['+', '-', '@', '{']) || line.trim().split(' ').count() < 3
}

/// Replaces the times, which differ between runs.
fn settled(text: &str) -> String {
    let line = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let is_time =
            |at: usize| words.get(at + 1).is_some_and(|unit| unit.trim_end_matches([',', ')']) == "µs");
        let shown: Vec<&str> =
            words.iter().enumerate().map(|(at, word)| if is_time(at) { "[n]" } else { *word }).collect();
        shown.join(" ").trim_end().to_owned()
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// Returns the words of a screen: where a line breaks depends on the length of the home directory's name.
fn words(screen: &str) -> Vec<&str> {
    screen.split_whitespace().collect()
}

fn compare(name: &str, screen: &str, differences: &mut Vec<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens").join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, screen).unwrap();
        return;
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    if words(&golden) != words(screen) {
        differences.push(format!("--- {name}\n{golden}\n+++ now\n{screen}"));
    }
}

/// Commands that list calls, figures, rules or words, and mistakes.
const OF_A_HISTORY: &[&str] = &[
    "log",
    "log --verify",
    "stats",
    "allow --list",
    "replay --since all",
    "suggest --since all",
    "learn list",
    "undo --list --all",
    "mcp-pins",
    "monitor",
    "demo",
    "rules",
    "effects",
    "hooks",
    "coverage",
    "scan",
    "doctor",
    "help",
    "help allow",
    "allow abcd-efgh --json",
    "check --nope",
    "import nowhere.json --json",
    "log --decision maybe",
    "schema hook.tiemout",
];

/// Screens of a machine on which something happened, in a wide, a usual and a narrow terminal.
#[test]
fn screens_with_a_history_fit_every_width() {
    let machine = Machine::with(&[".claude"]);
    machine.agent("claude", "2.1.325 (Claude Code)");
    machine.init();
    let texts = [
        "git push --force origin a-branch-with-a-rather-long-name-that-does-not-fit-next-to-the-rest",
        "rm -rf ~",
        "npm publish",
        "ls",
        "kubectl delete namespace production",
    ];
    let mut history = String::new();
    for (number, command) in texts.iter().enumerate() {
        let input = serde_json::json!({"command": command});
        let event = serde_json::json!({
            "hook_event_name": "PreToolUse", "session_id": "s1", "tool_name": "Bash", "tool_input": input, "tool_use_id": number.to_string(),
        });
        machine.write("event.json", event.to_string());
        let said = machine.start("checkrein hook --host claude --event PreToolUse < ../event.json").output();
        assert!(said.status.success());
        let call =
            serde_json::json!({"type": "tool_use", "id": number.to_string(), "name": "Bash", "input": input});
        let record = serde_json::json!({
            "type": "assistant", "sessionId": "s1", "timestamp": "2026-11-01T10:00:00.000Z", "message": {"content": [call]},
        });
        history.push_str(&format!("{record}\n"));
    }
    machine.write(".claude/projects/-p/s1.jsonl", history);
    machine.write(
        ".config/checkrein/config.toml",
        "[[allow]]\nprograms = [\"ls *\", \"cat *\", \"grep *\", \"head *\", \"tail *\", \"sort *\", \"uniq *\", \"wc *\"]\n\n\
         [[hook]]\nevent = \"Stop\"\ncommand = \"./a-hook-with-a-long-name --and --options --that --do --not --fit --into --a --line\"\n",
    );
    let mut wide = Vec::new();
    for columns in [110, 80, 60] {
        for arguments in OF_A_HISTORY {
            // The progress is on stderr, and is erased before the answer.
            let said = machine.typed_at(columns, arguments).replace("\x1b[K", "");
            assert!(said.lines().count() > 1, "{arguments}: {said}");
            wide.extend(
                said.lines()
                    .filter(|line| line.chars().count() > usize::from(columns) && !may_be_long(line))
                    .map(|line| format!("{columns}, {arguments}: {line}")),
            );
        }
    }
    assert!(wide.is_empty(), "wider than the terminal:\n{}", wide.join("\n"));
    let log = machine.typed_at(80, "log");
    assert!(
        log.contains("\n    git push --force origin\n      a-branch-with"),
        "a long call has a line of its own:\n{log}"
    );
}

#[test]
fn every_screen_fits_80_columns() {
    let machine = Machine::with(&[".claude"]);
    machine.agent("claude", "2.1.325 (Claude Code)");
    machine.init();
    let (mut differences, mut wide) = (Vec::new(), Vec::new());
    for (name, arguments, check) in SCREENS {
        let said = machine.typed_at_80(arguments);
        wide.extend(
            said.lines()
                .filter(|line| line.chars().count() > 80 && !may_be_long(line))
                .map(|line| format!("{name}: {line}")),
        );
        let shown =
            settled(&said.replace(machine.path("").to_str().unwrap().trim_end_matches('/'), "[home]"));
        if *check == Golden {
            compare(name, &shown, &mut differences);
        }
    }
    assert!(wide.is_empty(), "wider than 80 columns:\n{}", wide.join("\n"));
    assert!(
        differences.is_empty(),
        "`UPDATE_GENERATED=1 cargo test -p checkrein-cli screens` accepts these:\n{}",
        differences.join("\n")
    );
}
