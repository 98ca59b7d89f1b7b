//! Exceptions, allow rules and one-time permissions, through the program.

use crate::{
    PROGRAM, bash,
    layers::{Home, without_rules},
    without_code,
};
use insta::assert_snapshot;
use serde_json::{Value, json};
use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

const FORCE: &str = "git push --force origin topic";

/// Returns an event of the project's session. Each call has its own id; Claude Code's permission requests
/// have none.
fn event(home: &Home, name: &str, command: &str) -> String {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let mut event: Value = serde_json::from_str(&bash(command)).unwrap();
    event["cwd"] = home.place.path("project").to_str().unwrap().into();
    event["hook_event_name"] = name.into();
    match name {
        "PermissionRequest" => drop(event.as_object_mut().unwrap().remove("tool_use_id")),
        _ => event["tool_use_id"] = format!("toolu_{}", CALLS.fetch_add(1, Ordering::Relaxed)).into(),
    }
    event.to_string()
}

fn claude(home: &Home, command: &str) -> String {
    home.run(&["hook", "--host", "claude"], &event(home, "PreToolUse", command))
}

/// Returns the code in the denial of a command.
fn code(home: &Home, command: &str) -> String {
    let answer = claude(home, command);
    let (_, rest) = answer.split_once("checkrein allow ").unwrap_or_else(|| panic!("{answer}"));
    rest.get(..9).unwrap().to_owned()
}

/// Allows a call, as a user at a terminal.
fn allow(home: &Home, code: &str) -> String {
    allow_for(home, code, "")
}

/// Allows a call with an option, as a user at a terminal.
fn allow_for(home: &Home, code: &str, option: &str) -> String {
    let command = format!("{PROGRAM} allow {code} {option}");
    home.at_a_terminal("/usr/bin/script", &command, str::to_owned).replace(code, "[code]")
}

const PASSES: &str = "--- stdout\n{\"systemMessage\":\"Checkrein let this pass, because you allowed it (git.force-push).\"}\n--- exit 0\n";

#[test]
fn a_user_allows_a_denied_call_and_it_passes_once() {
    let home = Home::new();
    assert_snapshot!(without_code(&claude(&home, FORCE)), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked a force push to topic (git.force-push). Allow it once: checkrein allow [code]","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Checkrein denied this [git.force-push]. Instead: `git push --force-with-lease --force-if-includes origin topic` stops if others pushed. The user can allow it."}}
    --- exit 0
    "#);
    assert_snapshot!(without_code(&claude(&home, FORCE)), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked a force push to topic (git.force-push). Allow it once: checkrein allow [code]","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Checkrein denied this again, for the same reason [git.force-push]. Rephrasing does not help: take a different approach or ask the user."}}
    --- exit 0
    "#);
    let code = code(&home, FORCE);
    assert_snapshot!(allow(&home, &code), @"
      runs:   git push --force origin topic
      effect: overwrite topic +force +remote
      effect: send topic +remote
      in:     [directory]/project
      tool:   Bash, session s
      rule:   git.force-push: It force-pushes over a published branch.
      when:   a moment ago

    Allow exactly this call, once? Type `[word]`: [word]
    Allowed once, within 15 minutes, in that session and directory. Tell the agent to try again. To revoke, run `checkrein allow --revoke [code]`.
    ");
    let listed = home.run_apart(&["allow", "--list"]).replace(&code, "[code]");
    assert_snapshot!(listed, @"
    --- stdout
    [code]  allowed once, for 15 more minutes
      runs:   git push --force origin topic
      effect: overwrite topic +force +remote
      effect: send topic +remote
      in:     [directory]/project
      tool:   Bash, session s
      rule:   git.force-push: It force-pushes over a published branch.
      when:   a moment ago

    --- exit 0
    ");
    // Neither `check` nor another call uses it.
    let project = home.place.path("project");
    let asked = home.run(&["check", "--cwd", project.to_str().unwrap(), FORCE], "");
    assert!(asked.contains("--- exit 2"), "{asked}");
    assert!(claude(&home, "git push --force origin other").contains("\"deny\""));
    assert_eq!(claude(&home, FORCE), PASSES);
    assert!(claude(&home, FORCE).contains("\"deny\""));
    // The host's permission request about the call that passed belongs to it, once.
    let permission = || home.run(&["hook", "--host", "claude"], &event(&home, "PermissionRequest", FORCE));
    assert_eq!(permission(), PASSES);
    assert!(permission().contains("\"deny\""));
}

#[test]
fn only_one_of_64_processes_passes() {
    let home = Home::new();
    let code = code(&home, FORCE);
    assert!(allow(&home, &code).contains("Allowed once"));
    let children: Vec<_> = (0..64)
        .map(|_| {
            let mut command = home.command(&["hook", "--host", "claude"]);
            command.stdin(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    // All of them wait for their event before any has it.
    let passed = thread::scope(|scope| {
        let all: Vec<_> = children
            .into_iter()
            .map(|mut child| {
                let event = event(&home, "PreToolUse", FORCE);
                scope.spawn(move || {
                    child.stdin.take().unwrap().write_all(event.as_bytes()).unwrap();
                    let output = child.wait_with_output().unwrap();
                    assert!(output.status.success());
                    String::from_utf8(output.stdout).unwrap()
                })
            })
            .collect();
        let answers: Vec<String> = all.into_iter().map(|one| one.join().unwrap()).collect();
        let denied = answers.iter().filter(|answer| answer.contains("\"deny\"")).count();
        let passed = answers.iter().filter(|answer| answer.contains("because you allowed it")).count();
        assert_eq!(passed + denied, 64, "{answers:#?}");
        passed
    });
    assert_eq!(passed, 1);
}

#[test]
fn an_agent_cannot_allow() {
    let home = Home::new();
    let code = code(&home, FORCE);
    assert_snapshot!(home.run_apart(&["allow", &code]), @"
    --- stderr
    checkrein: only a user at a terminal can run `checkrein allow`: not a terminal

    hint: run it in a terminal that was not started by an agent; for scripts, root can list the command in `/etc/checkrein/automation`
    --- exit 3
    ");
    let mut command = home.command(&["allow", &code]);
    let output = command.env("CLAUDECODE", "1").stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let agent = home.place.path("claude");
    fs::copy("/usr/bin/script", &agent).unwrap();
    let inner = format!("{PROGRAM} allow {code}");
    let said = home.at_a_terminal(agent.to_str().unwrap(), &inner, str::to_owned);
    assert!(said.contains("this was started by the agent `claude`"), "{said}");
    // The guard denies the attempt itself, and no code can allow it.
    for command in [format!("checkrein allow {code}"), format!("script -qc 'checkrein allow {code}' x")] {
        let answer = claude(&home, &command);
        assert!(answer.contains("protection.commands-for-people"), "{answer}");
    }
    let blind = home.at_a_terminal("/usr/bin/script", &inner, |_| "yes".to_owned());
    assert!(blind.ends_with("Nothing was allowed.\n"), "{blind}");
    assert!(claude(&home, FORCE).contains("\"deny\""));
}

#[test]
fn wrong_usage_is_reported() {
    let home = Home::new();
    assert_snapshot!(home.run_apart(&["allow", "--list"]), @"
    --- stdout
    No active permissions and no recent denials.
    --- exit 0
    ");
    assert_snapshot!(home.run_apart(&["allow", "--json"]), @r#"
    --- stdout
    {"allowed":[],"sessions":[],"lasting":[],"denied":[]}
    --- exit 0
    "#);
    assert_snapshot!(home.run_apart(&["allow", "--revoke", "nonsense!"]), @"
    --- stderr
    checkrein: `nonsense!` is not a valid code: a code has eight letters and digits, such as `k7f2-9qmd`
    --- exit 3
    ");
    assert_snapshot!(home.run_apart(&["allow", "--revoke", "k7f2-9qmd"]), @"
    --- stdout
    k7f2-9qmd is not allowed, or was already used.
    --- exit 1
    ");
    let said = home.at_a_terminal("/usr/bin/script", &format!("{PROGRAM} allow k7f2-9qmd"), str::to_owned);
    assert_snapshot!(said, @"
    checkrein: no recent denial or question has the code `k7f2-9qmd`

    hint: `checkrein allow --list` lists them
    ");
    home.user("exceptions = \"refuse\"\n");
    assert!(!claude(&home, FORCE).contains("checkrein allow "));
}

const USER: &str = r#"
[[exception]]
rules = "git.force-push"
target = "topic"
directory = "~/project"
reason = "nobody else works on topic"
until = "2999-12-31"

[[exception]]
rules = ["secrets.*"]
reason = "the trial is over"
until = "2020-01-31"

[[allow]]
programs = ["ls *", "cat *", "git status"]
"#;

#[test]
fn exceptions_and_allow_rules_of_the_user_count() {
    let home = Home::new();
    home.user(USER);
    assert_snapshot!(claude(&home, FORCE), @"
    --- stdout
    {}
    --- exit 0
    ");
    assert_snapshot!(without_code(&claude(&home, "git push --force origin other")), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked a force push to other (git.force-push). Allow it once: checkrein allow [code]","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Checkrein denied this [git.force-push]. Instead: `git push --force-with-lease --force-if-includes origin other` stops if others pushed. The user can allow it."}}
    --- exit 0
    "#);
    assert_snapshot!(without_code(&claude(&home, "tac .env")), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"Checkrein asks before reading a file with secrets: .env (secrets.read-secret). Stop asking in this session: checkrein allow [code] --session\nAn exception to secrets.read-secret ended on 2020-01-31."}}
    --- exit 0
    "#);
    assert_snapshot!(claude(&home, "ls -la && git status | cat"), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"every command and effect is allowed by configuration"}}
    --- exit 0
    "#);
    assert_snapshot!(claude(&home, "ls -la && make"), @"
    --- stdout
    {}
    --- exit 0
    ");
    // Another hook's objection still counts.
    home.user(&format!("[[hook]]\nevent = \"PreToolUse\"\nname = \"mine\"\ncommand = \"echo ask\"\n{USER}"));
    assert!(claude(&home, "ls -la").contains("\"ask\""));
}

#[test]
fn a_compiled_configuration_decides_the_same() {
    let home = Home::new();
    home.user(USER);
    let answers = || ["ls", FORCE, "tac .env"].map(|command| claude(&home, command));
    let fresh = answers();
    // A file that changed a moment ago is not compiled, and the time of an inode cannot be set, so wait.
    thread::sleep(std::time::Duration::from_millis(3100));
    assert_eq!(answers(), fresh);
    assert_eq!(fs::read_dir(home.place.path(".local/state/checkrein/compiled")).unwrap().count(), 1);
    assert_eq!(answers(), fresh);
}

#[test]
fn a_project_makes_no_exceptions_and_no_allow_rules() {
    for (table, why) in [
        (
            "[[exception]]\nrules = \"git.*\"\nreason = \"x\"\nuntil = \"never\"\n",
            "a project cannot make exceptions",
        ),
        ("[[allow]]\nprograms = \"ls\"\n", "a project cannot grant permissions"),
        (
            "exceptions = \"refuse\"\n",
            "only the managed and the user's layer decide about exceptions of others",
        ),
    ] {
        let home = Home::new();
        home.project(table);
        let answer = claude(&home, "ls");
        assert!(answer.contains("\"deny\"") && answer.contains(why), "{answer}");
    }
}

#[test]
fn a_higher_layer_can_refuse() {
    let home = Home::new();
    home.user("exceptions = \"refuse\"\n[[allow]]\nprograms = \"ls\"\n");
    fs::write(home.place.path("more.toml"), "[[allow]]\nprograms = \"git status\"\n").unwrap();
    let asked = |command: &str| {
        let config = home.place.path("more.toml");
        let project = home.place.path("project");
        let arguments = [
            "check",
            "--json",
            "--config",
            config.to_str().unwrap(),
            "--cwd",
            project.to_str().unwrap(),
            command,
        ];
        let answer: Value = serde_json::from_slice(&home.output(&arguments, "").stdout).unwrap();
        answer["decision"].clone()
    };
    assert_eq!(asked("ls"), json!("allow"));
    assert_eq!(asked("git status"), json!("abstain"));
    let listed = home.run(&["hooks", "--config", home.place.path("more.toml").to_str().unwrap()], "");
    assert!(listed.contains("--config, line 1: refused by the user layer"), "{listed}");
}

#[test]
fn listings_and_explanations_show_them() {
    let home = Home::new();
    home.user(USER);
    assert_snapshot!(without_rules(&home.run(&["hooks"], "")), @"
    --- stdout
    user      [directory]/.config/checkrein/config.toml

    No configured hook matches.

    exceptions
      • git.force-push; named topic; in ~/project
        user, line 2: active until 2999-12-31
        because nobody else works on topic
      - secrets.*
        user, line 9: expired on 2020-01-31
        because the trial is over

    allow rules
      • ls *, cat *, git status; may read in project-root, project, generated, repository
        user, line 14: active

    PreToolUse, PermissionRequest
      • guard  all, judge, on failure deny
        built in: active, and cannot be disabled
        [rules]
    --- stderr
    warning: [directory]/.config/checkrein/config.toml:9: the exception to secrets.* has expired
    --- exit 0
    ");
    let listed: Value = serde_json::from_slice(&home.output(&["hooks", "--json"], "").stdout).unwrap();
    assert_snapshot!(listed["exceptions"][0].to_string().replace(home.place.path("").to_str().unwrap(), "[directory]/"), @r#"{"layer":"user","path":"[directory]/.config/checkrein/config.toml","status":"active until 2999-12-31","line":2,"rules":["git.force-push"],"programs":[],"target":["topic"],"directory":["~/project"],"reason":"nobody else works on topic","until":"2999-12-31"}"#);
    assert_snapshot!(listed["allow"][0].to_string().replace(home.place.path("").to_str().unwrap(), "[directory]/"), @r#"{"layer":"user","path":"[directory]/.config/checkrein/config.toml","status":"active","line":14,"programs":["ls *","cat *","git status"],"effect":["read"],"zone":["project-root","project","generated","repository"],"target":[]}"#);
    assert_eq!(listed["hooks"][0]["may_allow"], json!(true));
    let project = home.place.path("project");
    let explain = |command: &str| home.run(&["explain", "--cwd", project.to_str().unwrap(), command], "");
    let text = explain(FORCE);
    assert!(
        text.contains(
            "suppressed git.force-push\n     by the exception [directory]/.config/checkrein/config.toml:2: nobody"
        ),
        "{text}"
    );
    assert!(explain("ls; make").contains("allow rules\n  no allow rule names the command `make`"));
    assert!(explain("ls").contains("allow rules\n  every command and effect is allowed"));
    assert!(explain("tac .env").contains("an exception to secrets.read-secret has expired: [directory]/"));
    let arguments = ["explain", "--json", "--cwd", project.to_str().unwrap(), FORCE];
    let explained: Value = serde_json::from_slice(&home.output(&arguments, "").stdout).unwrap();
    assert_eq!(explained["suppressed"][0]["id"], json!("git.force-push"));
    assert_eq!(explained["suppressed"][0]["until"], json!("2999-12-31"));
    assert_eq!(explained["decision"], json!("abstain"));
    assert!(!home.place.path(".local/state/checkrein/denials").exists(), "questions leave no notes");
}

#[test]
fn the_old_option_names_the_new_form() {
    let home = Home::new();
    let said = home.run_apart(&["allow", "--once", "k7f2-9qmd"]);
    assert_eq!(home.run_apart(&["allow", "--once=k7f2-9qmd"]), said);
    assert_snapshot!(said, @"
    --- stderr
    checkrein: `allow --once` was removed
    usage: checkrein allow [OPTIONS] [CODE]

    hint: use `checkrein allow CODE`
    --- exit 3
    ");
}

/// Runs a shell text at a terminal, without anybody who types.
pub(crate) fn at_a_quiet_terminal(home: &Home, text: &str) -> String {
    let mut command = Command::new("/usr/bin/script");
    command.args(["-qec", text, "/dev/null"]).stdin(Stdio::null()).env_clear();
    let like = home.command(&["version"]);
    for (name, value) in like.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

/// Takes a permission back, as a user at a terminal.
fn revoke(home: &Home, code: &str) -> String {
    at_a_quiet_terminal(home, &format!("{PROGRAM} allow --revoke {code}"))
}

/// A question has a code, and a permission for the session covers the same rule, target and program, and nothing else.
#[test]
fn a_question_is_allowed_for_the_session() {
    let home = Home::new();
    let asked = claude(&home, "tac .env");
    assert!(
        asked.contains("\"ask\"") && asked.contains("Checkrein asks before reading a file with secrets"),
        "{asked}"
    );
    let code = code(&home, "tac .env");
    let said = allow_for(&home, &code, "--session");
    assert!(said.contains("Allowed for the rest of that session"), "{said}");
    for command in ["tac .env", "tac ./.env", "tac -b .env && ls"] {
        assert!(!claude(&home, command).contains("permissionDecision"), "{command}");
    }
    for command in ["tac .env.production", "tac .env ~/.netrc", "git push --force origin topic && tac .env"] {
        assert!(claude(&home, command).contains("permissionDecision"), "{command}");
    }
    let other: String =
        event(&home, "PreToolUse", "tac .env").replace("\"session_id\":\"s\"", "\"session_id\":\"t\"");
    assert!(home.run(&["hook", "--host", "claude"], &other).contains("\"ask\""));
    assert!(home.run_apart(&["allow", "--list"]).contains("secrets.read-secret for"));
    assert!(revoke(&home, &code).contains("no longer allowed"));
    assert!(claude(&home, "tac .env").contains("\"ask\""));
}

/// A lasting permission is an exception for one rule, target, program and directory, and can be taken back.
#[test]
fn a_lasting_permission_is_a_narrow_exception() {
    let home = Home::new();
    let file = home.place.path(".config/checkrein/config.toml");
    home.user("# mine\nexceptions = \"accept\"\n");
    let code = code(&home, FORCE);
    let said = allow_for(&home, &code, "--for 7d");
    assert!(said.contains("worst:  this lets through `git"), "{said}");
    let written = fs::read_to_string(&file).unwrap();
    for line in ["rules = [\"git.force-push\"]", "target = [\"topic\"]", "directory = ["] {
        assert!(written.contains(line), "{written}");
    }
    assert_eq!(claude(&home, FORCE), "--- stdout\n{}\n--- exit 0\n");
    for command in [
        "git push --force origin main",
        "git push --force origin topic main",
        "cd .. && git push -f origin topic",
    ] {
        assert!(claude(&home, command).contains("\"deny\""), "{command}");
    }
    assert!(revoke(&home, &code).contains("no longer allowed"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "# mine\nexceptions = \"accept\"\n");
    assert!(claude(&home, FORCE).contains("\"deny\""));
}

/// If the terminal is idle for a while, a question is a denial. A fresh terminal, or the setting, makes it a question again.
#[test]
fn a_question_without_a_user_is_a_denial() {
    let home = Home::new();
    let payload = home.place.path("event.json");
    fs::write(&payload, event(&home, "PreToolUse", "tac .env")).unwrap();
    let answer = |minutes: u32| {
        let text = format!(
            "touch -a -d '{minutes} minutes ago' $(tty) && {PROGRAM} hook --host claude < {}",
            payload.display()
        );
        at_a_quiet_terminal(&home, &text)
    };
    assert!(answer(1).contains("\"ask\""), "{}", answer(1));
    let denied = answer(30);
    assert!(denied.contains("\"deny\"") && denied.contains("no user is at the terminal"), "{denied}");
    home.user("unattended = \"ask\"\n");
    assert!(answer(30).contains("\"ask\""));
}
