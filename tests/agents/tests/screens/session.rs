//! One session of a user with an agent: a denial, a permission from a second terminal, a question, a user who is away, and monitor
//! mode.

use crate::{
    golden::{Golden, between},
    tmux::{Terminal, Tmux},
};
use checkrein_live::Subject;
use checkrein_model::{Call, Script, Server, Turn};
use serde_json::{Value, json};
use std::{
    fs::{self, FileTimes},
    path::{Path, PathBuf},
    process::{Command, Output},
    time::{Duration, SystemTime},
};

/// The home directory: the same on every machine, because screens name paths. A file system of the sandbox is mounted above it.
const MOUNT: &str = "/mnt";
const HOME: &str = "/mnt/dev";

/// One prompt of the user, the commands that the model calls then, and its last message.
struct Task {
    prompt: &'static str,
    commands: &'static [&'static str],
    end: &'static str,
}

const PUSH: Task = Task {
    prompt: "Push the branch.",
    commands: &["git push --force origin feature/x"],
    end: "The push was not allowed.",
};
const AGAIN: Task = Task {
    prompt: "Try once more.",
    commands: &["git push --force origin feature/x"],
    end: "Now the branch is pushed.",
};
const DELETE: Task = Task {
    prompt: "Delete the old branch.",
    commands: &["git branch -D old"],
    end: "That was the old branch.",
};
/// A command that lasts until the user is away.
const WAIT: &str = "until test -e ../away; do sleep 0.1; done";
const NIGHT: Task = Task {
    prompt: "Tidy up over night.",
    commands: &[WAIT, "git branch -D older"],
    end: "I kept that branch, and finished.",
};
const MONITORED: Task = Task {
    prompt: "Push it by force again.",
    commands: &["git push --force origin feature/x"],
    end: "It is pushed again.",
};
const TASKS: [Task; 5] = [PUSH, AGAIN, DELETE, NIGHT, MONITORED];

/// The date of all commits.
const DATE: &str = "2026-11-16T10:00:00Z";
/// Words of the request for a title.
const TITLE: &str = "single-line task title";

/// Runs one session, and compares what the user sees.
pub(crate) fn run(subject: &Subject, columns: usize) {
    let machine = Machine::new(subject);
    let turns = TASKS.iter().flat_map(|task| {
        // Codex does not wait for a command that lasts.
        let is_asked = subject.agent.name() == "claude";
        let commands = task.commands.iter().filter(move |command| is_asked || **command != WAIT);
        let calls = commands.map(|command| Turn::call(call(subject, command)));
        calls.chain([Turn::text(task.end)])
    });
    // Codex asks for a title of the session, at any time and with a tool.
    let script = Script::new(turns).branch(TITLE, [Turn::text("Work on a branch")]);
    let server = Server::start(script).unwrap();
    let tmux = Tmux::new(machine.home().join("tmux"), columns, machine.environment(subject, &server.url()));
    let mut golden = Golden::new(subject.agent.name(), columns);

    let launch = launch(subject, &server.url());
    let launch: Vec<&str> = launch.iter().map(String::as_str).collect();
    let agent = tmux.open("agent", &machine.shop(), &launch);
    start(subject, &agent);

    // A denial, with a code that only the user sees in full.
    let denied = ask(&agent, &PUSH);
    assert_eq!(machine.remote(), machine.first(), "a denied push arrived");
    let code = machine.code(PUSH.commands[0]);
    assert!(denied.contains(&code), "the user is not told the code:\n{denied}");
    golden.code(&code);
    golden.ids(&machine.ids());
    golden.compare("denial", &denied);
    golden.picture("denial", &agent.coloured(), PUSH.prompt, PUSH.end);

    // The user allows it, in another terminal.
    let second = tmux.open("second", &machine.shop(), &["sh"]);
    second.types(&format!("clear; checkrein allow {code}"));
    second.waits_for("Type `");
    let shown = second.screen();
    let word = shown.rsplit_once("Type `").and_then(|(_, rest)| rest.split('`').next()).unwrap().to_owned();
    golden.code(&word);
    second.types(&word);
    second.waits_for("Allowed once");
    golden.ids(&machine.ids());
    golden.compare("allow", &between(&second.screen(), "runs:", "revoke"));
    second.close();
    let allowed = ask(&agent, &AGAIN);
    assert_eq!(machine.remote(), machine.local(), "an allowed push did not arrive");
    golden.ids(&machine.ids());
    golden.compare("allowed", &allowed);

    // A question, while the user is there to answer it.
    agent.types(DELETE.prompt);
    if subject.agent.name() == "claude" {
        agent.waits_for("Do you want to proceed?");
        golden.code(&machine.code(DELETE.commands[0]));
        golden.ids(&machine.ids());
        golden.compare("question", &between(&agent.screen(), DELETE.prompt, "Esc to cancel"));
        assert!(machine.has("old"), "the branch went before the answer");
        agent.presses_until("Enter", DELETE.end);
        assert!(!machine.has("old"), "the user's yes had no effect");
    } else {
        // Codex has no question for hooks: it is a denial, and says how to allow it.
        agent.waits_for(DELETE.end);
        golden.code(&machine.code(DELETE.commands[0]));
        golden.ids(&machine.ids());
        golden.compare("question", &between(&agent.screen(), DELETE.prompt, DELETE.end));
        assert!(machine.has("old"), "what was asked about ran without an answer");
    }

    // The user is away: the question becomes a denial, and the run goes on to its end by itself.
    agent.types(NIGHT.prompt);
    if subject.agent.name() == "claude" {
        agent.waits_for("until test");
        machine.leave(&agent.file());
    }
    agent.waits_for(NIGHT.end);
    golden.code(&machine.code(NIGHT.commands[1]));
    golden.ids(&machine.ids());
    golden.compare("unattended", &between(&agent.screen(), NIGHT.prompt, NIGHT.end));
    assert!(machine.has("older"), "what was asked about ran without an answer");

    // Monitor mode: nothing is blocked, and everything is recorded.
    machine.monitor();
    let before = machine.records("deny");
    let monitored = ask(&agent, &MONITORED);
    assert!(!monitored.contains("Checkrein blocked"), "{monitored}");
    golden.ids(&machine.ids());
    golden.compare("monitor", &monitored);
    let records = machine.records("deny");
    let newest = records.last().unwrap();
    assert!(records.len() > before.len() && newest["monitor"] == true, "{newest}");
    golden.finish();
}

/// Gives the agent a task, and returns what it shows of it.
fn ask(agent: &Terminal<'_>, task: &Task) -> String {
    agent.types(task.prompt);
    agent.waits_for(task.end);
    between(&agent.screen(), task.prompt, task.end)
}

fn call(subject: &Subject, command: &str) -> Call {
    match subject.agent.name() {
        "claude" => Call::new("Bash", json!({"command": command, "description": "Work on the repository"})),
        _ => subject.agent.shell(command),
    }
}

/// Returns the command line with which a user starts the agent.
fn launch(subject: &Subject, url: &str) -> Vec<String> {
    let program = subject.program.to_str().unwrap().to_owned();
    let words: Vec<String> = match subject.agent.name() {
        "claude" => ["--model", "claude-sonnet-4-5"].map(str::to_owned).into(),
        _ => [
            "model=\"gpt-5.5\"",
            "model_provider=\"scripted\"",
            &format!(
                "model_providers.scripted={{name=\"scripted\", base_url=\"{url}/v1\", wire_api=\"responses\", \
                 env_key=\"SCRIPTED_KEY\", request_max_retries=0, stream_max_retries=0, supports_websockets=false}}"
            ),
            "approval_policy=\"never\"",
            "sandbox_mode=\"danger-full-access\"",
            "check_for_update_on_startup=false",
            "analytics.enabled=false",
        ]
        .into_iter()
        .flat_map(|setting| ["-c".to_owned(), setting.to_owned()])
        .collect(),
    };
    std::iter::once(program).chain(words).collect()
}

/// Goes through what the agent asks at its start.
fn start(subject: &Subject, agent: &Terminal<'_>) {
    if subject.agent.name() == "claude" {
        return agent.waits_for("Checkrein: ");
    }
    agent.waits_for("Trust all and continue");
    agent.presses_until("2", "› 2. Trust all and continue");
    agent.presses_until("Enter", "Ask Codex to do anything");
}

/// The user's machine.
struct Machine {
    home: PathBuf,
    path: String,
    checkrein: PathBuf,
    first: String,
}

impl Machine {
    /// Sets up a project with a branch that was pushed and then changed, an agent, and our hooks.
    fn new(subject: &Subject) -> Self {
        let mounted = Command::new("mount").args(["-t", "tmpfs", "tmpfs", MOUNT]).status().unwrap();
        assert!(mounted.success(), "cannot mount over {MOUNT}");
        let home = PathBuf::from(HOME);
        // Installed as a user installs it: where no other user can replace it.
        let programs = home.join(".local/bin");
        let path = format!("{}:{}", programs.display(), subject.path.to_str().unwrap());
        let mut machine = Self { home, path, checkrein: programs.join("checkrein"), first: String::new() };
        fs::create_dir_all(machine.shop()).unwrap();
        fs::create_dir_all(&programs).unwrap();
        fs::copy(&subject.checkrein, &machine.checkrein).unwrap();
        fs::create_dir_all(machine.home.join("tmp")).unwrap();
        let git = |line: &str| machine.git(line);
        git("config --global user.name Dev");
        git("config --global user.email dev@example.test");
        git("config --global init.defaultBranch main");
        git("config --global advice.detachedHead false");
        git("init -q --bare ../remote.git");
        git("init -q");
        git("remote add origin ../remote.git");
        for branch in ["old", "older", "feature/x"] {
            git("commit -q --allow-empty -m start");
            git(&format!("checkout -q -b {branch}"));
            git(&format!("commit -q --allow-empty -m {}", branch.replace('/', "-")));
        }
        git("push -q origin feature/x");
        machine.first = machine.remote();
        machine.git("commit -q --amend --allow-empty -m changed");
        machine.settle(subject);
        machine.configure("");
        let output = machine.command(&machine.checkrein, &["init", "--agent", subject.agent.name(), "--yes"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        machine
    }

    /// Writes what the agent knows of a user who has used it before.
    fn settle(&self, subject: &Subject) {
        let shop = self.shop();
        let shop = shop.to_string_lossy();
        if subject.agent.name() == "claude" {
            let seen = json!({
                "hasCompletedOnboarding": true,
                "theme": "dark",
                "projects": {shop: {"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}},
            });
            self.write(".claude.json", &seen.to_string());
            // The agent itself asks nothing, so that every question is ours.
            self.write(".claude/settings.json", "{\"permissions\": {\"allow\": [\"Bash\"]}}\n");
        } else {
            let project = json!(shop);
            // Advertisements of newer models were seen, too.
            let config = format!(
                "[notice.model_migrations]\n\"gpt-5.5\" = \"gpt-6-sol\"\n\n[projects.{project}]\ntrust_level = \"trusted\"\n"
            );
            self.write(".codex/config.toml", &config);
        }
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.home.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn home(&self) -> &Path {
        &self.home
    }

    fn shop(&self) -> PathBuf {
        self.home.join("shop")
    }

    /// Returns the environment of the user's terminals.
    fn environment(&self, subject: &Subject, url: &str) -> Vec<(String, String)> {
        let own: &[(&str, &str)] = match subject.agent.name() {
            "claude" => &[
                ("ANTHROPIC_BASE_URL", url),
                ("ANTHROPIC_AUTH_TOKEN", "not-a-key"),
                ("DISABLE_AUTOUPDATER", "1"),
                ("DISABLE_TELEMETRY", "1"),
                ("DISABLE_ERROR_REPORTING", "1"),
                ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ],
            _ => &[("SCRIPTED_KEY", "not-a-key")],
        };
        let all = [
            ("HOME", HOME),
            ("PATH", &self.path),
            ("TMPDIR", "/mnt/dev/tmp"),
            ("LANG", "C.UTF-8"),
            ("TERM", "xterm-256color"),
            ("SHELL", "/bin/sh"),
            ("COLORTERM", "truecolor"),
        ];
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        all.into_iter().chain(own.iter().copied()).map(owned).collect()
    }

    fn command(&self, program: &Path, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.shop()).env_clear();
        command.env("HOME", &self.home).env("PATH", &self.path).env("LANG", "C.UTF-8");
        // Screens show the names of commits.
        command.envs([("GIT_AUTHOR_DATE", DATE), ("GIT_COMMITTER_DATE", DATE)]);
        command.output().unwrap()
    }

    /// Runs git in the project, and returns what it prints.
    fn git(&self, line: &str) -> String {
        let output = self.command(Path::new("git"), &line.split(' ').collect::<Vec<_>>());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {line}: {said}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// The commit that was pushed first.
    fn first(&self) -> &str {
        &self.first
    }

    /// The commit that the remote has.
    fn remote(&self) -> String {
        self.git("--git-dir ../remote.git rev-parse feature/x")
    }

    fn local(&self) -> String {
        self.git("rev-parse feature/x")
    }

    fn has(&self, branch: &str) -> bool {
        self.git("branch --format %(refname:short)").lines().any(|name| name == branch)
    }

    /// Returns what our program prints as JSON lines.
    fn lines(&self, arguments: &[&str]) -> Vec<Value> {
        let output = self.command(&self.checkrein, arguments);
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Returns the records with a decision, the newest last.
    fn records(&self, decision: &str) -> Vec<Value> {
        self.lines(&["log", "--json", "--limit", "0", "--decision", decision])
    }

    /// Returns the ids of all events.
    fn ids(&self) -> Vec<String> {
        let records = self.lines(&["log", "--json", "--limit", "0"]);
        records.iter().map(|record| record["id"].as_str().unwrap().to_owned()).collect()
    }

    /// Returns the code of a call that was stopped.
    fn code(&self, command: &str) -> String {
        let list = self.lines(&["allow", "--list", "--json"]);
        let denied = list.first().and_then(|list| list["denied"].as_array()).unwrap();
        let runs = |call: &&Value| {
            call["commands"].as_array().is_some_and(|all| all.iter().any(|one| one == command))
        };
        let found = denied.iter().find(runs).unwrap_or_else(|| panic!("no code of `{command}` in {list:?}"));
        found["code"].as_str().unwrap().to_owned()
    }

    /// Writes the user's configuration. Nothing is kept, so that deleting a branch is asked about.
    fn configure(&self, more: &str) {
        self.write(".config/checkrein/config.toml", &format!("[undo]\noff = true\n\n{more}"));
    }

    /// Turns monitor mode on.
    fn monitor(&self) {
        let until = day(SystemTime::now() + Duration::from_secs(10 * 24 * 3600));
        self.configure(&format!("[monitor]\nuntil = {until}\n"));
    }

    /// The user has not pressed a key for a while.
    fn leave(&self, terminal: &Path) {
        let then = SystemTime::now() - Duration::from_secs(30 * 60);
        let file = fs::OpenOptions::new().write(true).open(terminal).unwrap();
        file.set_times(FileTimes::new().set_accessed(then)).unwrap();
        self.write("away", "");
    }
}

/// Returns the day of a time, as TOML writes it.
fn day(time: SystemTime) -> String {
    let micros = time.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_micros();
    checkrein::trail::local_day(u64::try_from(micros).unwrap(), 0)
}
