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
    process::Stdio,
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
    let said = home.at_a_terminal("/usr/bin/script", &format!("{PROGRAM} allow {code}"), str::to_owned);
    said.replace(code, "[code]")
}

const PASSES: &str = "--- stdout\n{\"systemMessage\":\"guard: the user allowed this once, against git.force-push\"}\n--- exit 0\n";

#[test]
fn a_user_allows_a_denied_call_and_it_passes_once() {
    let home = Home::new();
    assert_snapshot!(without_code(&claude(&home, FORCE)), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"guard: `git push --force origin topic`: a force push replaces the branch for everyone and drops commits that others pushed in the meantime (overwrite topic) [git.force-push]. Instead: `git push --force-with-lease origin topic` replaces it only if nobody else has pushed.\nDo not retry this in another form; it will also be denied. Only if the user wants exactly this: they can run `checkrein allow [code]` in a terminal of their own, and then you can try it once more."}}
    --- exit 0
    "#);
    assert_snapshot!(without_code(&claude(&home, FORCE)), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"guard: Tried before in this session, and denied for the same reason (overwrite topic) [git.force-push].\nRetrying will not help. Take a different approach or ask the user. They can allow it: `checkrein allow [code]`."}}
    --- exit 0
    "#);
    let code = code(&home, FORCE);
    assert_snapshot!(allow(&home, &code), @"
      runs:   git push --force origin topic
      effect: overwrite topic +force +remote
      effect: send topic +remote
      in:     [directory]/project
      tool:   Bash, session s
      rule git.force-push: It force-pushes over a published branch.
      denied a moment ago

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
      rule git.force-push: It force-pushes over a published branch.
      denied a moment ago

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
        let passed = answers.iter().filter(|answer| answer.contains("the user allowed this once")).count();
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
    {"allowed":[],"denied":[]}
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
    checkrein: no recent denial has the code `k7f2-9qmd`

    hint: `checkrein allow --list` lists recent denials
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
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"guard: `git push --force origin other`: a force push replaces the branch for everyone and drops commits that others pushed in the meantime (overwrite other) [git.force-push]. Instead: `git push --force-with-lease origin topic` replaces it only if nobody else has pushed.\nDo not retry this in another form; it will also be denied. Only if the user wants exactly this: they can run `checkrein allow [code]` in a terminal of their own, and then you can try it once more."}}
    --- exit 0
    "#);
    assert_snapshot!(claude(&home, "tac .env"), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"guard: `tac .env`: this reads keys, passwords or tokens, exposing them in the conversation (read [directory]/project/.env) [secrets.read-secret]. Instead: check only whether it exists: `test -f .env && echo present`.\nAn exception to secrets.read-secret ended on 2020-01-31.\nThe user will be asked to confirm."}}
    --- exit 0
    "#);
    assert_snapshot!(claude(&home, "ls -la && git status | cat"), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"guard: every command and effect is allowed by configuration"}}
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

    hint: use `checkrein allow CODE`
    --- exit 3
    ");
}
