//! `checkrein doctor --live` on machines of all kinds, with the real agents: whether the first line is true.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_agents::{
    installed::{checkrein, subjects},
    machine::Machine,
};
use checkrein_hosts::install::{CLAUDE, CODEX};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// What the doctor says of one agent, and its exit code.
struct Said {
    code: Option<i32>,
    agent: Value,
    all: String,
}

impl Said {
    fn verdict(&self) -> &str {
        self.agent["verdict"].as_str().unwrap()
    }

    /// What was seen of the canary under the user's own settings.
    fn own(&self) -> &str {
        let rows = self.agent["findings"].as_array().unwrap();
        let row = rows.iter().find(|row| row["ability"] == "own");
        row.unwrap_or_else(|| panic!("{}", self.all))["seen"].as_str().unwrap()
    }
}

/// A secret of the user's settings.
const SECRET: &str = "sk-canary-5e8d1c";

/// What is tried: everything, or the setup of the machine alone. All that these tests change is the setup, so one test per agent tries
/// everything, and the others take a tenth of the time.
#[derive(Clone, Copy)]
enum Tries {
    All,
    Setup,
}

/// Runs the doctor in the project of a machine. Nothing of it may be another afterwards, and no secret may be told.
fn doctor(machine: &Machine, agent: &str, tries: Tries, more: &[(&str, &Path)]) -> Said {
    run(machine, agent, tries, more, Command::new(checkrein().unwrap()))
}

/// The same where an administrator has files below `/etc`.
fn managed_doctor(machine: &Machine, agent: &str, files: &[(&str, &str)]) -> Said {
    let etc = tempfile::tempdir().unwrap();
    let copied = Command::new("cp").args(["-a", "/etc/."]).arg(etc.path()).stderr(Stdio::null()).status();
    copied.unwrap();
    for (name, text) in files {
        let file = etc.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let root =
        Command::new("unshare").args(["--mount", "true"]).stderr(Stdio::null()).status().unwrap().success();
    let mut command = Command::new("unshare");
    command.args(if root { &["--mount"][..] } else { &["--mount", "--user", "--map-root-user"] });
    command.args(["sh", "-c", "mount --bind \"$0\" /etc && exec \"$@\""]);
    command.arg(etc.path()).arg(checkrein().unwrap());
    run(machine, agent, Tries::Setup, &[], command)
}

fn run(machine: &Machine, agent: &str, tries: Tries, more: &[(&str, &Path)], mut command: Command) -> Said {
    let subjects = subjects(None).unwrap();
    let subject = subjects.iter().find(|subject| subject.agent.name() == agent).unwrap();
    let before = snapshot(machine.home());
    let output = command
        .args(["doctor", "--live", "--json", "--agent", agent])
        .args(match tries {
            Tries::All => None,
            Tries::Setup => Some("--quick"),
        })
        .current_dir(machine.path("shop"))
        .env_clear()
        .env("HOME", machine.home())
        .env("PATH", &subject.path)
        .envs(more.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(snapshot(machine.home()), before);
    let all = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    assert!(!all.contains(SECRET), "{all}");
    let line = all.lines().next().unwrap();
    let report: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {all}"));
    assert_eq!(report["ok"] == true, output.status.success(), "{all}");
    let agent = report["agents"][0].clone();
    assert_eq!(agent["protected"], report["ok"], "{all}");
    Said { code: output.status.code(), agent, all }
}

/// Every file below a directory, and what it holds.
fn snapshot(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else {
                files.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    files
}

/// A machine on which both agents ask us.
fn set_up() -> Machine {
    let machine = Machine::new().unwrap();
    machine.init(&CLAUDE, &checkrein().unwrap()).unwrap();
    machine.init(&CODEX, &checkrein().unwrap()).unwrap();
    machine.trust().unwrap();
    machine
}

#[test]
fn where_init_never_ran_nothing_is_protected() {
    let machine = Machine::new().unwrap();
    for (agent, title) in [("claude", "Claude Code"), ("codex", "Codex")] {
        let said = doctor(&machine, agent, Tries::Setup, &[]);
        assert_eq!(said.code, Some(1), "{}", said.all);
        let expected =
            format!("{title}: NOT protected: {title} is not set up: no hooks file mentions checkrein");
        assert_eq!((said.verdict(), said.own()), (expected.as_str(), "broken"), "{}", said.all);
    }
}

/// Also with hooks, helpers and servers of others: none of them is started, and none of their secrets is told. The agent's
/// own directory lies elsewhere here, and is the one that counts.
#[test]
fn claude_code_that_is_set_up_is_protected_and_starts_nothing_of_others() {
    let machine = Machine::new().unwrap();
    let marker = tempfile::tempdir().unwrap();
    let touch = format!("touch {}/ran; echo {SECRET}", marker.path().display());
    let settings = json!({
        "apiKeyHelper": touch,
        "awsAuthRefresh": touch,
        "otelHeadersHelper": touch,
        "statusLine": {"type": "command", "command": touch},
        "env": {"ANTHROPIC_AUTH_TOKEN": SECRET, "ANTHROPIC_BASE_URL": "http://127.0.0.1:9/"},
        "permissions": {"deny": ["Bash(curl *)"]},
        "hooks": {
            "SessionStart": [{"hooks": [{"type": "command", "command": touch}]}],
            "PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": touch}]}],
        },
    });
    machine.write(".claude/settings.json", &settings.to_string()).unwrap();
    machine.write("shop/.claude/settings.json", &settings.to_string()).unwrap();
    let servers = json!({"mcpServers": {"x": {"command": "sh", "args": ["-c", touch]}}});
    machine.write("shop/.mcp.json", &servers.to_string()).unwrap();
    machine.write(".claude.json", &servers.to_string()).unwrap();
    machine.init(&CLAUDE, &checkrein().unwrap()).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::rename(machine.path(".claude/settings.json"), elsewhere.path().join("settings.json")).unwrap();
    let said = doctor(&machine, "claude", Tries::All, &[("CLAUDE_CONFIG_DIR", elsewhere.path())]);
    assert_eq!((said.code, said.verdict()), (Some(0), "Claude Code: protected"), "{}", said.all);
    assert_eq!(said.own(), "held");
    assert!(said.all.contains("stand-ins answered for them"), "{}", said.all);
    assert!(!marker.path().join("ran").exists());
}

#[test]
fn hooks_that_are_disabled_protect_nothing() {
    let machine = set_up();
    machine.write("shop/.claude/settings.local.json", "{\"disableAllHooks\": true}").unwrap();
    let said = doctor(&machine, "claude", Tries::Setup, &[]);
    assert_eq!((said.code, said.own()), (Some(1), "broken"), "{}", said.all);
    let start = "Claude Code: NOT protected: hooks are disabled in ~/shop/.claude/settings.local.json";
    assert!(said.verdict().starts_with(start), "{}", said.all);
}

/// What nothing in a file shows: an entry that starts something that is not us.
#[test]
fn a_program_that_is_not_ours_protects_nothing() {
    let machine = set_up();
    machine.write("bin/checkrein", "#!/bin/sh\nexit 0\n").unwrap();
    let program = machine.path("bin/checkrein");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&program, mode).unwrap();
    machine.write(".claude/settings.json", "{}").unwrap();
    machine.init(&CLAUDE, &program).unwrap();
    let said = doctor(&machine, "claude", Tries::Setup, &[]);
    assert_eq!((said.code, said.own()), (Some(1), "broken"), "{}", said.all);
    assert!(said.verdict().starts_with("Claude Code: NOT protected: "), "{}", said.all);
}

#[test]
fn codex_is_protected_once_its_hooks_are_trusted_and_not_before() {
    let machine = Machine::new().unwrap();
    let marker = tempfile::tempdir().unwrap();
    let ran = marker.path().join("ran");
    let config = format!(
        "model_provider = \"theirs\"\nnotify = [\"touch\", \"{0}\"]\n\n[model_providers.theirs]\nname = \"theirs\"\n\
         base_url = \"http://127.0.0.1:9/v1\"\nexperimental_bearer_token = \"{SECRET}\"\n\n\
         [mcp_servers.x]\ncommand = \"touch\"\nargs = [\"{0}\"]\nenv = {{ TOKEN = \"{SECRET}\" }}\n\n",
        ran.display()
    );
    machine.write(".codex/config.toml", &config).unwrap();
    machine.init(&CODEX, &checkrein().unwrap()).unwrap();
    let said = doctor(&machine, "codex", Tries::Setup, &[]);
    assert_eq!((said.code, said.own()), (Some(1), "broken"), "{}", said.all);
    let start = "Codex: NOT protected: these hooks are not trusted yet";
    assert!(said.verdict().starts_with(start), "{}", said.all);
    machine.trust().unwrap();
    let said = doctor(&machine, "codex", Tries::All, &[]);
    assert_eq!(
        (said.code, said.verdict(), said.own()),
        (Some(0), "Codex: protected", "held"),
        "{}",
        said.all
    );
    assert!(!ran.exists());
}

/// What only an administrator has registered protects without anybody's trust, and against the user's own switch.
#[test]
fn an_administrators_hooks_protect() {
    let registered = set_up();
    let read = |name: &str| fs::read_to_string(registered.path(name)).unwrap();
    let machine = Machine::new().unwrap();
    machine.write(".claude/settings.json", "{\"disableAllHooks\": true}").unwrap();
    let files = [
        ("claude-code/managed-settings.json", "{\"allowManagedHooksOnly\": true}"),
        ("claude-code/managed-settings.d/10-checkrein.json", &read(".claude/settings.json")),
    ];
    let said = managed_doctor(&machine, "claude", &files);
    assert_eq!((said.code, said.verdict()), (Some(0), "Claude Code: protected"), "{}", said.all);
    let hooks: Value = serde_json::from_str(&read(".codex/hooks.json")).unwrap();
    let mut requirements = "allow_managed_hooks_only = true\n".to_owned();
    for (event, groups) in hooks["hooks"].as_object().unwrap() {
        let handler = &groups[0]["hooks"][0];
        let matcher =
            groups[0].get("matcher").map(|matcher| format!("matcher = {matcher}\n")).unwrap_or_default();
        requirements += &format!(
            "[[hooks.{event}]]\n{matcher}[[hooks.{event}.hooks]]\ntype = \"command\"\ncommand = {}\ntimeout = {}\n",
            handler["command"], handler["timeout"]
        );
    }
    let said = managed_doctor(&machine, "codex", &[("codex/requirements.toml", &requirements)]);
    assert_eq!((said.code, said.verdict()), (Some(0), "Codex: protected"), "{}", said.all);
}
