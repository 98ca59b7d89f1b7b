//! The guard protects what is really active: through the program, on real directories, through every tool.
//!
//! The last test is a property: it traces the files that a decision opens, and checks for each whether an
//! agent may change it, remove it, or move a directory above it. It needs `strace`.

mod plugins;

use crate::{PROGRAM, ended_with};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use tempfile::TempDir;

/// A home directory with one particular setup of the guard.
struct Setup {
    what: &'static str,
    home: TempDir,
    program: PathBuf,
    variables: Vec<(&'static str, PathBuf)>,
    config: Option<PathBuf>,
    claude: PathBuf,
    codex: PathBuf,
}

impl Setup {
    /// Creates a setup: the program is at `program` below the home directory; `variables` name directories
    /// below it.
    fn new(what: &'static str, program: &str, variables: &[(&'static str, &str)]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let below = |path: &str| home.path().join(path);
        let of = |name: &str, usual: &str| {
            let moved = variables.iter().find(|(known, _)| *known == name).map(|(_, path)| *path);
            below(moved.unwrap_or(usual))
        };
        let config = of("XDG_CONFIG_HOME", ".config").join("checkrein");
        let setup = Self {
            what,
            program: below(program),
            variables: variables.iter().map(|(name, path)| (*name, below(path))).collect(),
            config: None,
            claude: of("CLAUDE_CONFIG_DIR", ".claude"),
            codex: of("CODEX_HOME", ".codex"),
            home,
        };
        fs::create_dir_all(setup.path("work/.git")).unwrap();
        fs::create_dir_all(setup.path("work/src")).unwrap();
        fs::create_dir_all(setup.program.parent().unwrap()).unwrap();
        fs::copy(PROGRAM, &setup.program).unwrap();
        for (directory, file) in [(&setup.claude, "settings.json"), (&setup.codex, "hooks.json")] {
            fs::create_dir_all(directory).unwrap();
            let command = format!("{} hook --host claude --event PreToolUse", setup.program.display());
            let text =
                json!({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": command}]}]}});
            fs::write(directory.join(file), text.to_string()).unwrap();
        }
        fs::create_dir_all(&config).unwrap();
        fs::write(config.join("config.toml"), "# mine\n").unwrap();
        setup
    }

    fn path(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("HOME", self.home.path()).env("PATH", "/usr/bin:/bin");
        command.envs(self.variables.iter().map(|(name, path)| (*name, path)));
        command.current_dir(self.path("work"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn arguments(&self) -> Vec<String> {
        let mut arguments: Vec<String> = ["hook", "--host", "claude"].map(str::to_owned).to_vec();
        if let Some(config) = &self.config {
            arguments.extend(["--config".to_owned(), config.to_str().unwrap().to_owned()]);
        }
        arguments
    }

    /// Returns the decision about a call; empty if there is none.
    fn decided(&self, tool: &str, input: &Value) -> String {
        let event = json!({
            "session_id": "s", "hook_event_name": "PreToolUse", "cwd": self.path("work"), "tool_name": tool,
            "tool_input": input, "tool_use_id": "t",
        });
        let mut command = self.command(&self.program);
        command.args(self.arguments());
        let output = ended_with(command.spawn().unwrap(), event.to_string().as_bytes());
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or_default().to_owned()
    }

    fn shell(&self, text: &str) -> String {
        self.decided("Bash", &json!({"command": text}))
    }

    /// Returns the files that a decision opens below the home directory and outside the project's own
    /// files.
    fn opened(&self, command: &str) -> BTreeSet<PathBuf> {
        let log = self.path("work/trace");
        let mut strace = self.command("strace");
        strace
            .args(["-f", "-qq", "-s", "4096", "-e", "trace=file", "-o"])
            .arg(&log)
            .arg(&self.program)
            .args(self.arguments());
        let event = json!({
            "session_id": "s", "hook_event_name": "PreToolUse", "cwd": self.path("work"), "tool_name": "Bash",
            "tool_input": {"command": command}, "tool_use_id": "t",
        });
        let child = strace.spawn().unwrap_or_else(|error| {
            panic!("this test needs `strace` (apt-get install strace), which cannot be started: {error}")
        });
        let output = ended_with(child, event.to_string().as_bytes());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = fs::read_to_string(&log).unwrap();
        let calls = ["open(", "openat(", "execve(", "rename(", "renameat2(", "mkdir(", "unlink("];
        let mut opened = BTreeSet::new();
        for line in text.lines().filter(|line| calls.iter().any(|call| line.contains(call))) {
            for path in line.split('"').skip(1).step_by(2).filter(|path| path.starts_with('/')) {
                opened.insert(PathBuf::from(path));
            }
        }
        fs::remove_file(log).unwrap();
        let project = self.path("work");
        let mut seen: BTreeSet<PathBuf> = opened
            .into_iter()
            .filter(|path| path.starts_with(self.home.path()) && !path.starts_with(&project))
            .collect();
        // The host opens the program itself.
        seen.insert(self.program.clone());
        seen.insert(self.program.canonicalize().unwrap());
        seen
    }
}

fn setups() -> Vec<Setup> {
    let mut setups = vec![
        Setup::new("usual", ".local/bin/checkrein", &[]),
        Setup::new(
            "moved by XDG",
            ".cargo/bin/checkrein",
            &[("XDG_CONFIG_HOME", "xdg/c"), ("XDG_STATE_HOME", "xdg/deep/s"), ("XDG_CACHE_HOME", "xdg/k")],
        ),
        Setup::new(
            "agents elsewhere",
            "tools/checkrein",
            &[("CLAUDE_CONFIG_DIR", "cfg/claude"), ("CODEX_HOME", "cfg/codex")],
        ),
        Setup::new("in ~/bin", "bin/checkrein", &[]),
        Setup::new("the wheel of a project", "work/.venv/bin/checkrein", &[]),
        Setup::new("by another name", "opt/x/watcher", &[]),
    ];
    let mut linked = Setup::new("behind a link", "store/abc/checkrein", &[]);
    fs::create_dir_all(linked.path(".local/bin")).unwrap();
    symlink("../../store/abc/checkrein", linked.path(".local/bin/checkrein")).unwrap();
    linked.program = linked.path(".local/bin/checkrein");
    let settings = fs::read_to_string(linked.claude.join("settings.json")).unwrap();
    let named = settings.replace("store/abc/checkrein", ".local/bin/checkrein");
    fs::write(linked.claude.join("settings.json"), named).unwrap();
    setups.push(linked);
    let mut named = Setup::new("with --config", ".local/bin/checkrein", &[]);
    fs::create_dir_all(named.path("etc/mine")).unwrap();
    fs::write(named.path("etc/mine/policy.toml"), "# mine\n").unwrap();
    named.config = Some(named.path("etc/mine/policy.toml"));
    setups.push(named);
    setups.push(with_hooks());
    setups
}

/// The files that the hooks of [`with_hooks`] run, below the home directory.
const HOOKED: &[&str] = &[
    "hooks/gate.sh",
    "scripts/stop.py",
    "tools/start",
    ".config/checkrein/rules/extra.json",
    ".config/checkrein/pack/rules.py",
    ".local/bin/fmt-hook",
];

/// Returns a user with hooks of every form.
fn with_hooks() -> Setup {
    let setup = Setup::new("with hooks", ".local/bin/checkrein", &[]);
    for file in HOOKED {
        let file = setup.path(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    fs::create_dir_all(setup.path("data")).unwrap();
    let text = format!(
        "[[hook]]\nevent = \"PreToolUse\"\ncommand = \"~/hooks/gate.sh\"\n\
         [[hook]]\nevent = \"Stop\"\ncommand = [\"python3\", \"{home}/scripts/stop.py\", \"--root\", \"{home}/data\"]\n\
         files = [\"rules/extra.json\"]\n\
         [[hook]]\nevent = \"SessionStart\"\ncommand = \"sh -c 'exec $HOME/tools/start' >> ~/logs/start.log\"\n\
         [[hook]]\nevent = \"Stop\"\nname = \"fmt\"\ncommand = \"fmt-hook --fix\"\n\
         [[hook]]\nevent = \"Stop\"\nname = \"py\"\ncallable = \"pack.rules:check\"\n",
        home = setup.home.path().display()
    );
    fs::write(setup.path(".config/checkrein/config.toml"), text).unwrap();
    setup
}

/// A change to a file that the user's hooks run changes their answers, whatever event they are for.
#[test]
fn files_that_the_users_hooks_run_are_protected() {
    let mut setup = with_hooks();
    let path = format!("{}:/usr/bin:/bin", setup.path(".local/bin").display());
    setup.variables.push(("PATH", path.into()));
    // The first round reads the configuration, the second its compiled form.
    for round in 0..2 {
        let mut wrong = Vec::new();
        for file in HOOKED.iter().map(|file| setup.path(file)) {
            let (shown, above) = (file.display(), file.parent().unwrap().display());
            for text in [
                format!("echo x > {shown}"),
                format!("rm {shown}"),
                format!("sudo mv {shown} /tmp/x"),
                format!("bash -c 'chmod -x {shown}'"),
                format!("echo {shown} | xargs rm"),
                format!("find {above} -name {} -exec rm {{}} +", file.file_name().unwrap().display()),
                format!("python3 -c 'import os; os.remove(\"{shown}\")'"),
                format!("mv {above} {above}-2"),
                format!("ln -sfn /tmp/x {above}"),
            ] {
                if setup.shell(&text) != "deny" {
                    wrong.push(text);
                }
            }
            for (tool, input) in [
                ("Write", json!({"file_path": file, "content": "x"})),
                ("Edit", json!({"file_path": file, "old_string": "a", "new_string": "b"})),
                ("mcp__filesystem__write_file", json!({"path": file, "content": "x"})),
            ] {
                if setup.decided(tool, &input) != "deny" {
                    wrong.push(format!("{tool} {shown}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
        for text in [
            "echo x > ~/data/x",
            "echo x >> ~/logs/start.log",
            "cat ~/hooks/gate.sh",
            "touch ~/hooks/notes.txt",
            "cp tool ~/.local/bin/",
            "rm -rf build",
        ] {
            assert_eq!(setup.shell(text), "", "{text}");
        }
        if round == 0 {
            // A file that has just changed is not compiled.
            std::thread::sleep(std::time::Duration::from_millis(2100));
            setup.shell("ls");
            let kept = setup.path(".local/state/checkrein/compiled");
            assert!(fs::read_dir(kept).unwrap().next().is_some());
        }
    }
}

/// Our registered entry is exact: another program, matcher, timeout or condition makes it another entry.
#[test]
fn a_registered_entry_is_protected() {
    let setup = Setup::new("usual", ".local/bin/checkrein", &[]);
    let file = setup.claude.join("settings.json");
    let program = setup.program.display().to_string();
    let command = format!("{program} hook --host claude --event PreToolUse");
    let registered = json!({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [
        {"type": "command", "command": command, "timeout": 60, "onFailure": "block"}]}]}});
    let registered = serde_json::to_string_pretty(&registered).unwrap();
    fs::write(&file, &registered).unwrap();
    let lost = [
        (program.as_str(), "/tmp/checkrein"),
        ("--event PreToolUse", "--event Stop"),
        ("\"*\"", "\"Read\""),
        ("60", "1"),
        ("\"block\"", "\"ignore\""),
        ("\"type\": \"command\"", "\"type\": \"command\", \"async\": true"),
        ("\"type\": \"command\"", "\"type\": \"command\", \"if\": \"Bash(ls)\""),
        ("\"matcher\"", "\"disabled\": true, \"matcher\""),
        ("\"PreToolUse\":", "\"PreToolUse_\":"),
        ("{\n  \"hooks\"", "{\n  \"disable\\u0041llHooks\": true,\n  \"hooks\""),
    ];
    for (from, to) in lost {
        assert!(registered.contains(from), "{from}");
        let write = json!({"file_path": file, "content": registered.replace(from, to)});
        assert_eq!(setup.decided("Write", &write), "deny", "Write {from} → {to}");
        let edit = json!({"file_path": file, "old_string": from, "new_string": to});
        assert_eq!(setup.decided("Edit", &edit), "deny", "Edit {from} → {to}");
    }
    for text in ["sed -i s/60/1/ ~/.claude/settings.json", "sed -i 's#block#x#' ~/.claude/settings.json"] {
        assert_eq!(setup.shell(text), "deny", "{text}");
    }
    let (from, to) = ("{\n  \"hooks\"", "{\n  \"model\": \"x\",\n  \"hooks\"");
    let write = json!({"file_path": file, "content": registered.replace(from, to)});
    assert_eq!(setup.decided("Write", &write), "ask");
    let edit = json!({"file_path": file, "old_string": from, "new_string": to});
    assert_eq!(setup.decided("Edit", &edit), "ask");
}

/// Tools of MCP servers whose effect on a path is unknown.
#[test]
fn our_paths_are_protected_in_any_tool() {
    let setup = Setup::new("usual", ".local/bin/checkrein", &[]);
    let config = setup.path(".config/checkrein/config.toml");
    let state = setup.path(".local/state/checkrein/once/x");
    for (tool, input, expected) in [
        ("mcp__x__delete", json!({"uri": format!("file://{}", config.display())}), "deny"),
        ("mcp__x__rename", json!({"old_path": setup.path(".config"), "new_path": "/tmp/x"}), "deny"),
        ("mcp__x__symlink", json!({"target": "x", "link": setup.program}), "deny"),
        ("mcp__x__chmod", json!({"path": setup.path(".config"), "mode": "000"}), "deny"),
        ("mcp__browser__take_screenshot", json!({"anything": config}), "deny"),
        ("mcp__x__extract", json!({"archive": "a.zip", "dest": setup.path(".config")}), "ask"),
        ("mcp__x__frobnicate", json!({"where": config}), "ask"),
        ("mcp__x__frobnicate", json!({"changes": {config.to_str().unwrap(): "x"}}), "ask"),
        ("mcp__x__read", json!({"where": state}), "deny"),
        ("mcp__x__read", json!({"where": config}), ""),
        ("mcp__x__list", json!({"path": setup.path(".config")}), ""),
        ("mcp__x__frobnicate", json!({"where": setup.path("work/src")}), ""),
        ("mcp__github__create_issue", json!({"body": format!("see {}", config.display())}), ""),
    ] {
        assert_eq!(setup.decided(tool, &input), expected, "{tool} {input}");
    }
}

/// Returns the directories above a file, up to the home directory.
fn parents<'a>(path: &'a Path, home: &'a Path) -> impl Iterator<Item = &'a Path> {
    path.ancestors().skip(1).take_while(move |above| *above != home).filter(|above| !above.ends_with("work"))
}

#[test]
fn every_file_that_a_decision_opens_is_protected() {
    let is_there = Command::new("strace").arg("-V").output().is_ok();
    if !is_there && std::env::var_os("CI").is_none() {
        eprintln!(
            "SKIPPED: what a decision opens is traced with `strace` (apt-get install strace), which is missing"
        );
        return;
    }
    for setup in setups() {
        let mut files = setup.opened("echo x > notes.txt");
        files.extend(setup.opened("rm -rf ~"));
        assert!(files.len() > 3, "{}: {files:?}", setup.what);
        let mut wrong = Vec::new();
        let mut texts: BTreeSet<String> = BTreeSet::new();
        for file in &files {
            let shown = file.display();
            texts.extend([format!("rm -rf {shown}"), format!("mv {shown} /tmp/x")]);
            for above in parents(file, setup.home.path()) {
                let above = above.display();
                texts.extend([format!("mv {above} {above}-2"), format!("ln -sfn /tmp/x {above}")]);
                texts.extend([format!("rm -rf {above}"), format!("chmod a-x {above}")]);
            }
            // A directory cannot be written.
            if file.is_dir() {
                continue;
            }
            texts.insert(format!("echo x > {shown}"));
            let input = json!({"file_path": file, "content": "x"});
            if setup.decided("Write", &input) != "deny" {
                wrong.push(format!("Write {shown}"));
            }
        }
        wrong.extend(texts.iter().filter(|text| setup.shell(text) != "deny").cloned());
        assert!(wrong.is_empty(), "{}: {wrong:#?}\nopened: {files:#?}", setup.what);
        assert_eq!(setup.shell("echo x > notes.txt"), "", "{}", setup.what);
        assert_eq!(setup.shell("mkdir -p ~/.config/foo ~/other && echo x > ~/other/y"), "", "{}", setup.what);
    }
}

#[test]
fn every_step_of_a_forged_permission_is_denied() {
    for (setup, state) in [
        (Setup::new("usual", ".local/bin/checkrein", &[]), ".local/state"),
        (Setup::new("moved", ".local/bin/checkrein", &[("XDG_STATE_HOME", "st")]), "st"),
    ] {
        let forged = setup.path("work/st");
        fs::create_dir_all(forged.join("checkrein/once")).unwrap();
        // A denial leaves a note, and so creates the state directory.
        assert_eq!(setup.shell("git push --force origin main"), "deny");
        let state = setup.path(state);
        let note = state.join("checkrein/once/0123");
        let patch = format!("*** Begin Patch\n*** Add File: {}\n+x\n*** End Patch\n", note.display());
        let compiled = state.join("checkrein/compiled/x");
        for (tool, input) in [
            ("Write", json!({"file_path": note, "content": "x"})),
            ("Edit", json!({"file_path": note, "old_string": "a", "new_string": "b"})),
            ("MultiEdit", json!({"file_path": compiled, "edits": [{"old_string": "a", "new_string": "b"}]})),
            ("Read", json!({"file_path": note})),
            ("apply_patch", json!({"input": patch})),
            ("mcp__filesystem__write_file", json!({"path": note, "content": "x"})),
            ("mcp__filesystem__read_file", json!({"path": note})),
            ("mcp__filesystem__move_file", json!({"source": state, "destination": "/tmp/st"})),
            ("mcp__filesystem__move_file", json!({"source": forged.join("x"), "destination": note})),
        ] {
            assert_eq!(setup.decided(tool, &input), "deny", "{}: {tool} {input}", setup.what);
        }
        let (state, note) = (state.display(), note.display());
        for text in [
            format!("cp -r {state} /tmp/st"),
            format!("tar c {state} > /tmp/st.tar"),
            format!("mv {state} {state}2"),
            format!("mv -T st {state}"),
            format!("cp -r st/. {state}"),
            format!("rsync -a st/ {state}/"),
            format!("ln -sfn ~/work/st {state}"),
            format!("cp p {note}"),
            format!("cat {note}"),
            format!("echo 9999999999 > {state}/checkrein/repair-until"),
            format!("touch {state}/checkrein/repair-until"),
            format!("mkdir -p -m700 {state}/checkrein/once"),
            format!("ln st/x {note}"),
            format!("python3 -c 'import os; os.rename(\"st\", \"{state}/checkrein\")'"),
            format!("python3 -c 'open(\"{note}\", \"w\").write(\"x\")'"),
            format!("node -e 'require(\"fs\").cpSync(\"st\", \"{state}\", {{recursive: true}})'"),
            format!("perl -e 'rename \"{state}\", \"/tmp/x\"'"),
        ] {
            assert_eq!(setup.shell(&text), "deny", "{}: {text}", setup.what);
        }
        assert_eq!(setup.shell(&format!("tar -C {state} -xf a.tar")), "ask", "{}", setup.what);
        assert_eq!(setup.shell(&format!("ls {state}")), "", "{}", setup.what);
    }
}

#[test]
fn a_second_name_on_the_real_disk_is_the_same_file() {
    let setup = Setup::new("usual", ".local/bin/checkrein", &[]);
    fs::hard_link(setup.claude.join("settings.json"), setup.path("work/h")).unwrap();
    fs::hard_link(setup.path(".config/checkrein/config.toml"), setup.path("work/c")).unwrap();
    fs::hard_link(&setup.program, setup.path("work/p")).unwrap();
    symlink(setup.path(".config"), setup.path("work/s")).unwrap();
    fs::write(setup.path("work/one"), "").unwrap();
    fs::hard_link(setup.path("work/one"), setup.path("work/two")).unwrap();
    for text in [
        "echo > h",
        "echo >> c",
        "cp /bin/true p",
        "echo > s/checkrein/config.toml",
        "rm s/checkrein/config.toml",
    ] {
        assert_eq!(setup.shell(text), "deny", "{text}");
    }
    for text in ["echo > two", "cat h", "echo x > s/foo", "rm s"] {
        assert_eq!(setup.shell(text), "", "{text}");
    }
}
