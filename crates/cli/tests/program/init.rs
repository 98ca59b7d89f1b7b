//! `checkrein init` and `uninstall`: whole output, real files, real processes.

use crate::{PROGRAM, Place, ended, layers::Home, shown};
use insta::assert_snapshot;
use serde_json::Value;
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A home folder with a program on its PATH, as a person has it.
pub(crate) struct Machine {
    pub(crate) place: Place,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let machine = Self { place: Place::new() };
        fs::create_dir_all(machine.place.path("bin")).unwrap();
        fs::create_dir_all(machine.place.path("work/.git")).unwrap();
        symlink(PROGRAM, machine.place.path("bin/checkrein")).unwrap();
        machine
    }

    /// With the folders of these agents.
    pub(crate) fn with(folders: &[&str]) -> Self {
        let machine = Self::new();
        for folder in folders {
            fs::create_dir_all(machine.place.path(folder)).unwrap();
        }
        machine
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.place.path(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    /// An agent's program that says which version it is.
    pub(crate) fn agent(&self, name: &str, version: &str) {
        self.write(&format!("bin/{name}"), format!("#!/bin/sh\necho '{version}'\n"));
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path(format!("bin/{name}")), executable).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.place.command(arguments);
        command.env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display()));
        command.current_dir(self.path("work")).stdin(Stdio::null());
        command
    }

    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        ended(self.command(arguments).spawn().unwrap())
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        shown(&self.output(arguments), self.place.folder.path())
    }

    pub(crate) fn init(&self) {
        let output = self.output(&["init", "--yes"]);
        assert!(output.status.success(), "{}", shown(&output, self.place.folder.path()));
    }

    /// `checkrein uninstall`, detached, so that an agent that runs this test is no ancestor.
    fn uninstall(&self, flags: &str) -> String {
        let (said, code) = (self.path("said"), self.path("code"));
        let inner = format!(
            "cd work && checkrein uninstall {flags} > ../said 2>&1 < /dev/null; echo $? > ../code.new; mv ../code.new ../code"
        );
        let mut command = Command::new("sh");
        command.args(["-c", &format!("(setsid sh -c '{inner}' > /dev/null 2>&1 &)")]);
        command.current_dir(self.path("")).env_clear().env("HOME", self.path(""));
        command.env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display()));
        assert!(command.status().unwrap().success());
        let patience = Instant::now() + Duration::from_secs(60);
        while !code.exists() {
            assert!(Instant::now() < patience, "`checkrein uninstall` never ended");
            thread::sleep(Duration::from_millis(5));
        }
        let text =
            format!("{}--- exit {}", fs::read_to_string(&said).unwrap(), fs::read_to_string(&code).unwrap());
        fs::remove_file(said).unwrap();
        fs::remove_file(code).unwrap();
        text.replace(self.place.folder.path().to_str().unwrap(), "[folder]")
    }
}

/// Without what makes a snapshot long: the difference itself, which another test looks at, and names that are digests.
fn without_diff(text: &str) -> String {
    let mut shown = String::new();
    let mut inside = false;
    for line in text.lines() {
        inside =
            line.starts_with("--- /") || line.starts_with("--- [folder]") || inside && line.starts_with(DIFF);
        if !inside {
            shown += line;
            shown.push('\n');
        }
    }
    match shown.split_once("/installed/") {
        Some((before, after)) => {
            let after = after.split_once(".json").unwrap().1;
            format!("{before}/installed/[digest].json{after}")
        }
        None => shown,
    }
}

/// How lines of a difference start.
const DIFF: [char; 5] = ['+', '-', ' ', '@', '\\'];

fn corpus(folder: &str) -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/agents").join(folder);
    let mut files: Vec<PathBuf> = corpus.read_dir().unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 5, "only {} files in {folder}", files.len());
    files
}

#[test]
fn the_difference_is_shown_and_nothing_is_written() {
    let machine = Machine::with(&[".codex"]);
    machine.write(".codex/hooks.json", "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}\n    ]\n  }\n}\n");
    let before = machine.read(".codex/hooks.json");
    assert_snapshot!(machine.run(&["init", "--dry-run"]), @r#"
    --- stdout
    --- [folder]/.codex/hooks.json
    +++ [folder]/.codex/hooks.json
    @@ -1,7 +1,107 @@
     {
       "hooks": {
         "Stop": [
    -      {"hooks": [{"type": "command", "command": "say done"}]}
    +      {"hooks": [{"type": "command", "command": "say done"}]},
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[folder]/bin/checkrein hook --host codex --event Stop",
    +            "timeout": 30
    +          }
    +        ]
    +      }
    +    ],
    +    "SessionStart": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[folder]/bin/checkrein hook --host codex --event SessionStart",
    +            "timeout": 30
    +          }
    +        ]
    +      }
    +    ],
    +    "UserPromptSubmit": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[folder]/bin/checkrein hook --host codex --event UserPromptSubmit",
    +            "timeout": 30
    +          }
    +        ]
    +      }
    +    ],
    +    "PreToolUse": [
    +      {
    +        "matcher": "*",
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[folder]/bin/checkrein hook --host codex --event PreToolUse",
    +            "timeout": 30
    +          }
    +        ]
    +      }
    +    ],
    +    "PermissionRequest": [
    +      {
    +        "matcher": "*",
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[folder]/bin/checkrein hook --host codex --event PermissionRequest",
    +            "timeout": 30
    +          }
    +        ]
    +      }
    +    ],
    +    "PostToolUse": [
    +      {
    +        "matcher": "*",
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[folder]/bin/checkrein hook --host codex --event PostToolUse",
    +            "timeout": 30
    +          }
    +        ]
    +      }
    +    ],
    +    "SubagentStart": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[folder]/bin/checkrein hook --host codex --event SubagentStart",
    +            "timeout": 30
    +          }
    +        ]
    +      }
    +    ],
    +    "SubagentStop": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[folder]/bin/checkrein hook --host codex --event SubagentStop",
    +            "timeout": 30
    +          }
    +        ]
    +      }
    +    ],
    +    "SessionEnd": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[folder]/bin/checkrein hook --host codex --event SessionEnd",
    +            "timeout": 3
    +          }
    +        ]
    +      }
         ]
       }
     }
    This is what `checkrein init` would write; nothing was written.
    --- exit 0
    "#);
    assert_eq!(machine.read(".codex/hooks.json"), before);
    assert!(!machine.path(".local").exists());
}

#[test]
fn what_is_written_and_what_is_left_to_do() {
    let machine = Machine::with(&[".codex"]);
    machine.write(".claude/settings.json", "{\"model\": \"opus\"}\n");
    assert_snapshot!(without_diff(&machine.run(&["init", "--yes"])), @"
    --- stdout
    Written: [folder]/.claude/settings.json
      what was there is kept in [folder]/.local/state/checkrein/installed/[digest].json
    Written: [folder]/.codex/hooks.json

    Left to do:
      Claude Code: sessions that are open keep their old hooks: start them anew
      Codex: start `codex`, type `/hooks`, look at the hooks of checkrein and trust them: until then Codex skips them without a word
      Codex: it goes on without an answer if the program is missing, crashes or hangs, and has no switch against that
      `checkrein doctor` says whether all is well
    --- exit 0
    ");
    // Again is not twice.
    let (claude, codex) = (machine.read(".claude/settings.json"), machine.read(".codex/hooks.json"));
    assert_snapshot!(machine.run(&["init", "--yes"]), @"
    --- stdout
    Claude Code asks checkrein already: [folder]/.claude/settings.json
    Codex asks checkrein already: [folder]/.codex/hooks.json

    Left to do:
      Claude Code: sessions that are open keep their old hooks: start them anew
      Codex: start `codex`, type `/hooks`, look at the hooks of checkrein and trust them: until then Codex skips them without a word
      Codex: it goes on without an answer if the program is missing, crashes or hangs, and has no switch against that
      `checkrein doctor` says whether all is well
    --- exit 0
    ");
    assert_eq!((machine.read(".claude/settings.json"), machine.read(".codex/hooks.json")), (claude, codex));
    assert_snapshot!(without_diff(&machine.uninstall("--yes")), @"
    Claude Code does not ask checkrein any more: [folder]/.claude/settings.json
    Codex does not ask checkrein any more: [folder]/.codex/hooks.json
    --- exit 0
    ");
    assert_eq!(machine.read(".claude/settings.json"), "{\"model\": \"opus\"}\n");
    assert!(!machine.path(".codex/hooks.json").exists() && machine.path(".codex").is_dir());
    assert_snapshot!(machine.uninstall("--yes"), @"
    Nothing of checkrein's is in [folder]/.claude/settings.json
    Nothing of checkrein's is in [folder]/.codex/hooks.json
    --- exit 0
    ");
}

#[test]
fn what_the_entries_start_answers() {
    let machine = Machine::with(&[".claude", ".codex"]);
    machine.init();
    for (file, event) in [(".claude/settings.json", "claude"), (".codex/hooks.json", "codex")] {
        let settings: Value = serde_json::from_str(&machine.read(file)).unwrap();
        let command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
        let call = serde_json::json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
                                      "tool_input": {"command": "ls"}, "session_id": "s"});
        machine.write("event.json", call.to_string());
        let output = Command::new("sh")
            .args(["-c", &format!("{command} < {}", machine.path("event.json").display())])
            .env_clear()
            .env("HOME", machine.path(""))
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "{}\n", "{event}");
        assert!(output.status.success());
    }
}

#[test]
fn without_a_terminal_somebody_must_have_said_yes() {
    let machine = Machine::with(&[".claude"]);
    assert_snapshot!(without_diff(&machine.run(&["init"])), @"
    --- stdout
    checkrein: there is no terminal to ask at: look with `--dry-run`, then say `--yes`
    --- exit 3
    ");
    assert!(!machine.path(".claude/settings.json").exists());
    assert_snapshot!(machine.run(&["uninstall"]), @"
    --- stderr
    checkrein: only a person at a terminal can take checkrein out of the agents' files: there is no terminal here
    --- exit 3
    ");
}

#[test]
fn at_a_terminal_it_asks_once() {
    let home = Home::new();
    fs::create_dir_all(home.place.path(".claude")).unwrap();
    fs::create_dir_all(home.place.path(".codex")).unwrap();
    let init = format!("{PROGRAM} init");
    let said = home.at_a_terminal("/usr/bin/script", &init, |_| "n".to_owned());
    assert_eq!(said.matches("Write this? [y/N]").count(), 1, "{said}");
    assert!(said.ends_with("Nothing was written.\n"), "{said}");
    assert!(!home.place.path(".claude/settings.json").exists());
    let said = home.at_a_terminal("/usr/bin/script", &init, |_| "y".to_owned());
    assert_eq!(said.matches("Written: ").count(), 2, "{said}");
    // To take it out again needs the word.
    let uninstall = format!("{PROGRAM} uninstall");
    let said = home.at_a_terminal("/usr/bin/script", &uninstall, |_| "y".to_owned());
    assert!(said.ends_with("Nothing was written.\n"), "{said}");
    assert!(home.place.path(".claude/settings.json").exists());
    let said = home.at_a_terminal("/usr/bin/script", &uninstall, str::to_owned);
    assert!(said.contains("Claude Code does not ask checkrein any more"), "{said}");
    assert!(!home.place.path(".claude/settings.json").exists());
}

#[test]
fn an_agent_cannot_take_it_out() {
    let machine = Machine::with(&[".claude"]);
    machine.init();
    let written = machine.read(".claude/settings.json");
    let mut command = machine.command(&["uninstall", "--yes"]);
    let output = ended(command.env("CLAUDECODE", "1").spawn().unwrap());
    assert_snapshot!(shown(&output, machine.place.folder.path()), @"
    --- stderr
    checkrein: only a person at a terminal can take checkrein out of the agents' files: `CLAUDECODE` is set, as an agent does for what it starts
    --- exit 3
    ");
    assert_eq!(machine.read(".claude/settings.json"), written);
}

#[test]
fn which_agents_and_whose_files() {
    let machine = Machine::new();
    assert_snapshot!(machine.run(&["init", "--yes"]), @"
    --- stderr
    checkrein: no agent is found here: neither `claude` nor `codex` is on your PATH or has a folder; name one with `--agent`
    --- exit 3
    ");
    assert_snapshot!(machine.run(&["init", "--yes", "--agent", "clod"]), @"
    --- stderr
    checkrein: unknown agent `clod`, expected `claude` or `codex`
    --- exit 3
    ");
    // Found by its program alone.
    machine.agent("codex", "codex-cli 0.144.0");
    assert!(machine.output(&["init", "--yes"]).status.success());
    let hooks = machine.read(".codex/hooks.json");
    assert!(hooks.contains("--event Stop") && !hooks.contains("--event SessionEnd"), "{hooks}");
    assert!(!machine.path(".claude").exists());
    // The project's own, where it is named although nothing is found.
    let said = machine.run(&["init", "--yes", "--project", "--agent", "claude"]);
    assert!(said.contains("Written: [folder]/work/.claude/settings.json"), "{said}");
    assert!(said.contains("it asks once whether you trust this project"), "{said}");
    assert!(!machine.path(".claude").exists());
    machine.uninstall("--yes --project --agent claude");
    assert!(!machine.path("work/.claude").exists());
    assert_eq!(machine.read(".codex/hooks.json"), hooks);
    machine.uninstall("--yes");
    assert!(!machine.path(".codex").exists());
}

#[test]
fn as_json() {
    let machine = Machine::with(&[".claude"]);
    machine.write(".codex/hooks.json", "{\n  \"x\": 1\n}\n");
    let output = machine.output(&["init", "--yes", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let status = |at: usize| {
        (said["files"][at]["agent"].as_str().unwrap(), said["files"][at]["status"].as_str().unwrap())
    };
    assert_eq!((status(0), status(1)), (("claude", "written"), ("codex", "broken")));
    assert!(said["files"][0]["diff"].as_str().unwrap().starts_with("--- /dev/null\n+++ "));
    assert!(said["files"][1]["problem"].as_str().unwrap().starts_with("line 2, column 3: "));
    assert!(!said["left_to_do"].as_array().unwrap().is_empty());
}

/// Whatever a person keeps there: in and out again is nothing.
#[test]
fn init_and_uninstall_leave_every_file_as_it_was() {
    for (folder, name) in [("claude", ".claude/settings.json"), ("codex", ".codex/hooks.json")] {
        for file in corpus(folder) {
            let shown = file.display();
            let before = fs::read(&file).unwrap();
            let machine = Machine::new();
            machine.write(name, &before);
            fs::set_permissions(machine.path(name), fs::Permissions::from_mode(0o640)).unwrap();
            machine.init();
            let installed = fs::read(machine.path(name)).unwrap();
            let text = String::from_utf8(installed.clone()).unwrap();
            let line = format!("hook --host {folder} --event PreToolUse\"");
            assert_eq!(text.matches(&line).count(), 1, "{shown}: {text}");
            machine.init();
            assert_eq!(fs::read(machine.path(name)).unwrap(), installed, "{shown}");
            let said = machine.uninstall("--yes");
            assert!(said.ends_with("--- exit 0\n"), "{shown}: {said}");
            assert_eq!(fs::read(machine.path(name)).unwrap(), before, "{shown}");
            let mode = fs::metadata(machine.path(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o640, "{shown}");
            let kept = machine.path(".local/state/checkrein/installed").read_dir().unwrap().count();
            let around = machine.path(name).parent().unwrap().read_dir().unwrap().count();
            assert_eq!((kept, around), (0, 1), "{shown}");
        }
    }
}

/// Somebody wrote to the file meanwhile: that stays, and ours goes.
#[test]
fn what_others_wrote_in_between_stays() {
    for (folder, name) in [("claude", ".claude/settings.json"), ("codex", ".codex/hooks.json")] {
        for file in corpus(folder) {
            let before = fs::read_to_string(&file).unwrap();
            let read = |text: &str| serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')).ok();
            let Some(value) = read(&before).filter(|value| *value != serde_json::json!({})) else { continue };
            // A blank somewhere is a change like any other.
            let edited = |text: &str| text.replacen('{', "{ \n", 1);
            for later in ["", "\n"] {
                let machine = Machine::new();
                machine.write(name, &before);
                machine.init();
                machine.write(name, edited(&machine.read(name)));
                // The next time we write, what they did is in the backup.
                let config = "[[hook]]\nevent = \"PreCompact\"\ncommand = \"true\"\n";
                machine.write(".config/checkrein/config.toml", config);
                machine.init();
                assert!(machine.read(name).contains("--event PreCompact"));
                machine.write(name, machine.read(name) + later);
                machine.uninstall("--yes");
                let after = machine.read(name);
                if opened(&value) {
                    assert_eq!(read(&after).unwrap(), value, "{}", file.display());
                } else {
                    assert_eq!(after, edited(&before) + later, "{}", file.display());
                }
            }
        }
    }
}

/// Whether something empty had to be opened, which leaves its blanks behind.
fn opened(value: &Value) -> bool {
    let empty = |list: &Value| list.as_array().is_some_and(Vec::is_empty);
    let hooks = value.pointer("/hooks").and_then(Value::as_object);
    hooks.is_some_and(|hooks| hooks.is_empty() || hooks.values().any(empty))
}

#[test]
fn a_broken_file_is_shown_and_not_touched() {
    let mut told = String::new();
    for file in corpus("broken") {
        let before = fs::read(&file).unwrap();
        let machine = Machine::new();
        machine.write(".claude/settings.json", &before);
        let output = machine.output(&["init", "--yes"]);
        assert_eq!(output.status.code(), Some(1), "{}", file.display());
        assert_eq!(fs::read(machine.path(".claude/settings.json")).unwrap(), before);
        let said = shown(&output, machine.place.folder.path());
        let line = said.lines().find(|line| line.starts_with("checkrein: ")).unwrap();
        told += &format!("{}: {line}\n", file.file_name().unwrap().to_str().unwrap());
    }
    assert_snapshot!(told, @"
    comma.json: checkrein: [folder]/.claude/settings.json: line 3, column 1: `}` stands where a name in quotes is expected; the file is left as it is
    comment.json: checkrein: [folder]/.claude/settings.json: line 2, column 3: a comment, which agents do not read in this file, stands where a name in quotes is expected; the file is left as it is
    conflict.json: checkrein: [folder]/.claude/settings.json: line 2, column 1: `<` stands where a name in quotes is expected; the file is left as it is
    event-object.json: checkrein: [folder]/.claude/settings.json: line 3, column 13: `Stop` should be a list; the file is left as it is
    half.json: checkrein: [folder]/.claude/settings.json: line 4, column 46: this text is not closed; the file is left as it is
    hooks-list.json: checkrein: [folder]/.claude/settings.json: line 2, column 12: `hooks` should be an object; the file is left as it is
    hooks-twice.json: checkrein: [folder]/.claude/settings.json: line 4, column 3: `hooks` stands here for the second time; the file is left as it is
    list.json: checkrein: [folder]/.claude/settings.json: line 1, column 1: an object is expected here; the file is left as it is
    not-utf8.json: checkrein: [folder]/.claude/settings.json: line 2, column 13: this is not UTF-8; the file is left as it is
    ");
}

/// A file in a folder of dotfiles is reached over a link, which stays one.
#[test]
fn a_link_stays_a_link() {
    let machine = Machine::with(&[".claude", "dotfiles"]);
    machine.write("dotfiles/claude.json", "{\"model\": \"opus\"}\n");
    symlink("../dotfiles/claude.json", machine.path(".claude/settings.json")).unwrap();
    machine.init();
    assert!(fs::symlink_metadata(machine.path(".claude/settings.json")).unwrap().is_symlink());
    assert!(machine.read("dotfiles/claude.json").contains("--event PreToolUse"));
    machine.uninstall("--yes");
    assert_eq!(machine.read("dotfiles/claude.json"), "{\"model\": \"opus\"}\n");
    // One that leads nowhere is somebody's mistake, and not ours to guess about.
    fs::remove_file(machine.path("dotfiles/claude.json")).unwrap();
    let said = machine.run(&["init", "--yes"]);
    assert!(said.contains("it is a link that leads nowhere"), "{said}");
    assert!(!machine.path("dotfiles/claude.json").exists());
}

/// Codex binds trust to the entry, so an upgrade must not change a byte of it.
#[test]
fn an_upgrade_changes_nothing_in_the_files() {
    let machine = Machine::with(&[".claude", ".codex"]);
    machine.init();
    let before = (machine.read(".claude/settings.json"), machine.read(".codex/hooks.json"));
    assert!(before.1.contains(&format!(
        "{}/bin/checkrein hook",
        machine.path("").display().to_string().trim_end_matches('/')
    )));
    // By another process: a program that is open for writing anywhere cannot be started.
    let newer = format!("mkdir -p versions/2 && cp {PROGRAM} versions/2/ && echo >> versions/2/checkrein");
    assert!(
        Command::new("sh").args(["-c", &newer]).current_dir(machine.path("")).status().unwrap().success()
    );
    fs::remove_file(machine.path("bin/checkrein")).unwrap();
    symlink(machine.path("versions/2/checkrein"), machine.path("bin/checkrein")).unwrap();
    let mut command = Command::new(machine.path("bin/checkrein"));
    command.args(["init", "--yes"]).current_dir(machine.path("work")).env_clear();
    command.env("HOME", machine.path("")).env("PATH", machine.path("bin"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!((machine.read(".claude/settings.json"), machine.read(".codex/hooks.json")), before);
}

/// A program that was moved is mended where its entry stands.
#[test]
fn a_moved_program_is_mended() {
    let machine = Machine::with(&[".codex"]);
    machine.init();
    let before = machine.read(".codex/hooks.json");
    fs::create_dir_all(machine.path("other")).unwrap();
    fs::rename(machine.path("bin/checkrein"), machine.path("other/checkrein")).unwrap();
    let mut command = machine.command(&["init", "--yes"]);
    command.env("PATH", machine.path("other"));
    assert!(ended(command.spawn().unwrap()).status.success());
    assert_eq!(machine.read(".codex/hooks.json"), before.replace("/bin/checkrein", "/other/checkrein"));
}

#[test]
fn a_build_is_no_place_to_stay() {
    let machine = Machine::with(&[".claude"]);
    fs::remove_file(machine.path("bin/checkrein")).unwrap();
    let output = machine.output(&["init", "--dry-run"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.starts_with("warning: ") && said.contains("where builds do not stay"), "{said}");
}

/// At whatever moment we are killed, the file is the old one or the new one.
#[test]
fn a_kill_leaves_the_old_file_or_the_new_one() {
    const ROUNDS: u32 = 24;
    let old = fs::read_to_string(corpus("claude").iter().find(|file| file.ends_with("tabs.json")).unwrap())
        .unwrap();
    // Long enough for half of it to be seen.
    let old = old.replacen('{', &format!("{{\n\t\"env\": {{\"A\": \"{}\"}},", "a".repeat(1 << 17)), 1);
    let machine = Machine::new();
    let name = ".claude/settings.json";
    machine.write(name, &old);
    fs::hard_link(machine.path(name), machine.path("old.json")).unwrap();
    let start = Instant::now();
    machine.init();
    // What was there is not written over: whoever has it open reads on.
    assert!(machine.read("old.json") == old);
    let whole = start.elapsed();
    let new = machine.read(name);
    let (mut olds, mut news) = (0, 0);
    for round in 0..ROUNDS {
        machine.write(name, &old);
        let mut child = machine.command(&["init", "--yes"]).spawn().unwrap();
        thread::sleep(whole * round / ROUNDS);
        child.kill().unwrap();
        child.wait().unwrap();
        match machine.read(name) {
            text if text == old => olds += 1,
            text if text == new => news += 1,
            text => panic!("after round {round}: {} bytes", text.len()),
        }
        // Whoever comes next is not in the way of what was left behind.
        machine.init();
        assert!(machine.read(name) == new);
        let said = machine.uninstall("--yes");
        assert!(said.ends_with("--- exit 0\n"), "round {round}");
        assert!(machine.read(name) == old);
        assert_eq!(machine.path(".claude").read_dir().unwrap().count(), 1);
    }
    assert_eq!(olds + news, ROUNDS);
    assert!(olds > 0, "no kill came early enough to matter");
}

#[test]
fn many_at_once_are_as_one() {
    let machine = Machine::with(&[".claude", ".codex"]);
    machine.write(".claude/settings.json", "{\"model\":\"opus\"}");
    let children: Vec<_> = (0..8).map(|_| machine.command(&["init", "--yes"]).spawn().unwrap()).collect();
    for child in children {
        let output = ended(child);
        assert!(output.status.success(), "{}", shown(&output, machine.place.folder.path()));
    }
    for (name, host) in [(".claude/settings.json", "claude"), (".codex/hooks.json", "codex")] {
        let text = machine.read(name);
        serde_json::from_str::<Value>(&text).unwrap();
        assert_eq!(text.matches(&format!("--host {host} --event PreToolUse\"")).count(), 1, "{text}");
    }
    machine.uninstall("--yes");
    assert_eq!(machine.read(".claude/settings.json"), "{\"model\":\"opus\"}");
    assert!(!machine.path(".codex/hooks.json").exists());
}
