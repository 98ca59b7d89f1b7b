//! Runs `checkrein doctor --live` on various machines with the real agents, and checks that its first line
//! is true.
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

/// The doctor's report on one agent, and its exit code.
struct DoctorReport {
    code: Option<i32>,
    agent: Value,
    all: String,
}

impl DoctorReport {
    fn verdict(&self) -> &str {
        self.agent["verdict"].as_str().unwrap()
    }

    /// Returns the finding for the canary under the user's own settings.
    fn own(&self) -> &str {
        let rows = self.agent["findings"].as_array().unwrap();
        let row = rows.iter().find(|row| row["ability"] == "own");
        row.unwrap_or_else(|| panic!("{}", self.all))["seen"].as_str().unwrap()
    }
}

/// A secret in the user's settings.
const SECRET: &str = "sk-canary-5e8d1c";

/// The scope of a run: everything, or only the machine's own setup. These tests change nothing but the
/// setup, so one test per agent tries everything, and the others take a tenth of the time.
#[derive(Clone, Copy)]
enum Tries {
    All,
    Setup,
}

/// Runs the doctor in the project of a machine. It must change no file and reveal no secret.
fn doctor(machine: &Machine, agent: &str, tries: Tries, more: &[(&str, &Path)]) -> DoctorReport {
    run(machine, agent, tries, more, Command::new(checkrein().unwrap()))
}

/// Runs the doctor where an administrator has files below `/etc`.
fn managed_doctor(machine: &Machine, agent: &str, files: &[(&str, &str)]) -> DoctorReport {
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

fn run(
    machine: &Machine,
    agent: &str,
    tries: Tries,
    more: &[(&str, &Path)],
    mut command: Command,
) -> DoctorReport {
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
    DoctorReport { code: output.status.code(), agent, all }
}

/// Returns every file below a directory with its content.
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

/// Creates a machine on which both agents are set up.
fn set_up() -> Machine {
    let machine = Machine::new().unwrap();
    machine.init(&CLAUDE, &checkrein().unwrap()).unwrap();
    machine.init(&CODEX, &checkrein().unwrap()).unwrap();
    machine.trust().unwrap();
    machine
}

#[test]
fn without_init_nothing_is_protected() {
    let machine = Machine::new().unwrap();
    for (agent, title) in [("claude", "Claude Code"), ("codex", "Codex")] {
        let said = doctor(&machine, agent, Tries::Setup, &[]);
        assert_eq!(said.code, Some(1), "{}", said.all);
        let expected = format!("{title}: NOT protected: it is not set up: no hooks file mentions checkrein");
        assert_eq!((said.verdict(), said.own()), (expected.as_str(), "broken"), "{}", said.all);
    }
}

/// The settings also have hooks, helpers and servers of other programs: none of them starts, and none of
/// their secrets is revealed. The agent's configuration directory is elsewhere here, and that one counts.
#[test]
fn claude_code_is_protected_after_init_and_starts_no_other_programs() {
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
fn disabled_hooks_protect_nothing() {
    let machine = set_up();
    machine.write("shop/.claude/settings.local.json", "{\"disableAllHooks\": true}").unwrap();
    let said = doctor(&machine, "claude", Tries::Setup, &[]);
    assert_eq!((said.code, said.own()), (Some(1), "broken"), "{}", said.all);
    let start = "Claude Code: NOT protected: hooks are disabled in ~/shop/.claude/settings.local.json";
    assert!(said.verdict().starts_with(start), "{}", said.all);
}

/// No file shows this: an entry that starts a program which is not ours.
#[test]
fn an_entry_that_starts_another_program_protects_nothing() {
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
fn codex_is_protected_only_after_its_hooks_are_trusted() {
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

/// Hooks that only an administrator registered need no trust, and the user cannot disable them.
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
