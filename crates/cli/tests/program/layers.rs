//! Layers through the program: the user's file, a project's hooks and the trust that they need.

use crate::{
    PROGRAM, Place, bash,
    detached::{Detached, line},
    ended, shown,
};
use insta::assert_snapshot;
use std::{
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output},
};

/// A home directory and a project in it.
pub(crate) struct Home {
    pub(crate) place: Place,
}

impl Home {
    pub(crate) fn new() -> Self {
        let home = Self { place: Place::new() };
        fs::create_dir_all(home.place.path("project/.git")).unwrap();
        fs::create_dir_all(home.place.path("project/deep/down")).unwrap();
        fs::create_dir_all(home.place.path(".config/checkrein")).unwrap();
        home
    }

    pub(crate) fn user(&self, text: &str) {
        fs::write(self.place.path(".config/checkrein/config.toml"), text).unwrap();
    }

    pub(crate) fn project(&self, text: &str) {
        fs::write(self.place.path("project/.checkrein.toml"), text).unwrap();
    }

    fn script(&self, name: &str, text: &str) {
        let path = self.place.path("project").join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.place.command(arguments);
        command.env("HOME", self.place.path("")).current_dir(self.place.path("project/deep/down"));
        command
    }

    pub(crate) fn output(&self, arguments: &[&str], stdin: &str) -> Output {
        let mut child = self.command(arguments).spawn().unwrap();
        // It may answer without reading anything.
        let _ = Write::write_all(&mut child.stdin.take().unwrap(), stdin.as_bytes());
        ended(child)
    }

    pub(crate) fn run(&self, arguments: &[&str], stdin: &str) -> String {
        shown(&self.output(arguments, stdin), self.place.directory.path())
    }

    /// Runs the program detached from the process that runs this test, which may be an agent.
    pub(crate) fn run_apart(&self, arguments: &[&str]) -> String {
        let home = self.place.path("");
        let variables = [("PATH", "/usr/bin:/bin"), ("HOME", home.to_str().unwrap())];
        let text = format!(
            "cd {} && {}",
            self.place.path("project/deep/down").display(),
            line(Path::new(PROGRAM), arguments)
        );
        shown(&Detached::start(&text, &variables).output(), self.place.directory.path())
    }

    /// Returns the answer to a call inside the project.
    pub(crate) fn claude(&self, command: &str) -> String {
        let mut event: serde_json::Value = serde_json::from_str(&bash(command)).unwrap();
        event["cwd"] = self.place.path("project/deep/down").to_str().unwrap().into();
        self.run(&["hook", "--host", "claude"], &event.to_string())
    }

    /// Trusts everything, as a user at a terminal that no agent opened.
    fn trust(&self, flags: &str) -> String {
        let inner = format!("cd project && {PROGRAM} trust {flags}");
        self.at_a_terminal("/usr/bin/script", &inner, |word| word.to_owned())
    }

    /// Runs `inner` at a terminal that `script` creates.
    pub(crate) fn at_a_terminal(&self, script: &str, inner: &str, answer: impl Fn(&str) -> String) -> String {
        self.place.at_a_terminal(script, inner, answer)
    }
}

const DENY: &str = "[[hook]]\nevent = \"PreToolUse\"\nname = \"mine\"\nmatch = { tool = \"Bash\" }\ncommand = \"echo no >&2; exit 2\"\n";
const GUARD: &str = "[[hook]]\nevent = \"PreToolUse\"\nname = \"guard\"\ncommand = \"./guard.sh\"\n";

#[test]
fn the_users_own_file_is_active_everywhere() {
    let home = Home::new();
    home.user(DENY);
    assert_snapshot!(home.claude("ls"), @r#"
    --- stdout
    {"systemMessage":"Checkrein: hook `mine` blocked this call: no","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"mine: no"}}
    --- exit 0
    "#);
}

#[test]
fn a_projects_hook_runs_only_after_a_user_trusted_it() {
    let home = Home::new();
    home.project(GUARD);
    home.script("guard.sh", "#!/bin/sh\necho \"from $(basename \"$PWD\")\" >&2\nexit 2\n");
    assert_snapshot!(home.claude("ls"), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"Hooks of this project are skipped because no user has trusted them: `guard`. Do not try to change that; a user can look at them with `checkrein trust`."}}
    --- stderr
    checkrein: hook `guard` of [directory]/project/.checkrein.toml is skipped: no user has trusted it; a user can look at it with `checkrein trust`
    --- exit 0
    "#);
    // The model got it once in this session.
    assert_snapshot!(home.claude("ls"), @"
    --- stdout
    {}
    --- stderr
    checkrein: hook `guard` of [directory]/project/.checkrein.toml is skipped: no user has trusted it; a user can look at it with `checkrein trust`
    --- exit 0
    ");
    assert_snapshot!(home.trust(""), @r#"
    guard on PreToolUse, from [directory]/project/.checkrein.toml
      runs: ./guard.sh

      ./guard.sh ([directory]/project/guard.sh, 52 bytes)
      sha256 f80801c5b3e45cc4e8fdc637c0e53565f8536ebfe7036e3a6f443b2d909e9eb9
        | #!/bin/sh
        | echo "from $(basename "$PWD")" >&2
        | exit 2

    Allow all of this to run with your permissions whenever an agent works here? Type `[word]`: [word]
    Trusted. Any change to these files revokes it.
    "#);
    assert_snapshot!(home.claude("ls"), @r#"
    --- stdout
    {"systemMessage":"Checkrein: hook `guard` blocked this call: from down","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"guard: from down"}}
    --- exit 0
    "#);
    home.script("guard.sh", "#!/bin/sh\necho changed >&2\nexit 2\n");
    assert_snapshot!(home.claude("ls"), @"
    --- stdout
    {}
    --- stderr
    checkrein: hook `guard` of [directory]/project/.checkrein.toml is skipped: it has changed since it was trusted; a user can look at it with `checkrein trust`
    --- exit 0
    ");
    // A review shows what changed since the last one.
    assert_snapshot!(home.trust(""), @r#"
    guard on PreToolUse, from [directory]/project/.checkrein.toml
      changed since you trusted it: `./guard.sh`
      runs: ./guard.sh

      ./guard.sh ([directory]/project/guard.sh, 34 bytes)
      sha256 cf0896e7a09b1e070bfb2d77071d8ead2b1aa215406977c6eede8e4df95e9501
        @@ -1,3 +1,3 @@
         #!/bin/sh
        -echo "from $(basename "$PWD")" >&2
        +echo changed >&2
         exit 2

    Allow all of this to run with your permissions whenever an agent works here? Type `[word]`: [word]
    Trusted. Any change to these files revokes it.
    "#);
    home.project(&format!("{GUARD}timeout = 3\nmatch = {{ tool = [\"Bash\", \"edit\"] }}\n"));
    assert_snapshot!(home.trust(""), @r#"
    guard on PreToolUse, from [directory]/project/.checkrein.toml
      changed since you trusted it: its definition
      runs: ./guard.sh
      match.tool: ["Bash","edit"]
      timeout: 3.0

      ./guard.sh ([directory]/project/guard.sh, 34 bytes)
      sha256 cf0896e7a09b1e070bfb2d77071d8ead2b1aa215406977c6eede8e4df95e9501
        | (as you trusted it)

    Allow all of this to run with your permissions whenever an agent works here? Type `[word]`: [word]
    Trusted. Any change to these files revokes it.
    "#);
}

#[test]
fn check_reports_skipped_hooks_too() {
    let home = Home::new();
    home.project(GUARD);
    home.script("guard.sh", "#!/bin/sh\nexit 2\n");
    let skipped = |text: &str| text.matches("is skipped: no user has trusted it").count();
    assert_eq!(skipped(&home.run(&["check", "ls"], "")), 1);
    // Once, not for every line.
    let lines = "{\"id\": 1, \"command\": \"ls\"}\n{\"id\": 2, \"command\": \"ls\"}\n";
    assert_eq!(skipped(&home.run(&["check", "--batch"], lines)), 1);
}

#[test]
fn an_untrusted_hook_denies_if_the_user_configured_that() {
    let home = Home::new();
    home.user("untrusted = \"deny\"\n");
    home.project(GUARD);
    home.script("guard.sh", "#!/bin/sh\n");
    assert_snapshot!(home.claude("ls"), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked this call: hooks of this project that would judge this call are skipped, because no user has trusted them in their present form: `guard`. This is denied until a user runs `checkrein trust`","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: hooks of this project that would judge this call are skipped, because no user has trusted them in their present form: `guard`. This is denied until a user runs `checkrein trust`"}}
    --- stderr
    checkrein: hook `guard` of [directory]/project/.checkrein.toml is skipped: no user has trusted it; a user can look at it with `checkrein trust`
    --- exit 0
    "#);
}

#[test]
fn an_agent_cannot_trust() {
    let home = Home::new();
    home.project(GUARD);
    home.script("guard.sh", "#!/bin/sh\n");
    assert_snapshot!(home.run_apart(&["trust"]), @"
    --- stderr
    checkrein: only a user at a terminal can run `checkrein trust`: not a terminal

    hint: run it in a terminal that was not started by an agent; for scripts, root can list the command in `/etc/checkrein/automation`
    --- exit 3
    ");
    let mut child = home.command(&["trust"]);
    let output = child.env("CLAUDECODE", "1").stdin(std::process::Stdio::null()).output().unwrap();
    assert_snapshot!(shown(&output, home.place.directory.path()), @"
    --- stderr
    checkrein: only a user at a terminal can run `checkrein trust`: `CLAUDECODE` is set, which indicates that an agent started this

    hint: run it in a terminal that was not started by an agent; for scripts, root can list the command in `/etc/checkrein/automation`
    --- exit 3
    ");
    assert_snapshot!(home.run_apart(&["repair"]), @"
    --- stderr
    checkrein: only a user at a terminal can run `checkrein repair`: not a terminal

    hint: run it in a terminal that was not started by an agent; for scripts, root can list the command in `/etc/checkrein/automation`
    --- exit 3
    ");
}

#[test]
fn only_the_word_on_the_terminal_confirms() {
    let home = Home::new();
    home.project(GUARD);
    home.script("guard.sh", "#!/bin/sh\n");
    for blind in ["yes", "y", "", "Yes"] {
        let inner = format!("cd project && {PROGRAM} trust");
        let said = home.at_a_terminal("/usr/bin/script", &inner, |_| blind.to_owned());
        assert!(said.ends_with("Nothing was trusted.\n"), "{blind}: {said}");
        let said = home.at_a_terminal("/usr/bin/script", &format!("{PROGRAM} repair"), |_| blind.to_owned());
        assert!(said.ends_with("Nothing was changed.\n"), "{blind}: {said}");
    }
    assert!(home.run(&["hooks"], "").contains("not trusted"));
    assert!(!home.place.path(".local/state/checkrein/repair-until").exists());
    let said = home.at_a_terminal("/usr/bin/script", &format!("{PROGRAM} repair"), str::to_owned);
    assert!(said.contains("To end this now, run `checkrein repair --end`"), "{said}");
    assert!(home.place.path(".local/state/checkrein/repair-until").exists());
}

/// A process can leave its parents behind, but not the process that holds the other end of its terminal.
#[test]
fn a_terminal_that_an_agent_holds_is_not_a_users() {
    let home = Home::new();
    home.project(GUARD);
    home.script("guard.sh", "#!/bin/sh\n");
    let agent = home.place.path("claude");
    fs::copy("/usr/bin/script", &agent).unwrap();
    // Directly.
    let inner = format!("cd project && {PROGRAM} trust");
    let said = home.at_a_terminal(agent.to_str().unwrap(), &inner, str::to_owned);
    assert!(said.contains("this was started by the agent `claude`"), "{said}");
    // Forked twice, so that the agent is no longer a parent, but still holds the terminal.
    let inner = format!(
        "cd project; ((sleep 0.2; {PROGRAM} trust < /dev/tty; touch ../ended) &); while ! [ -e ../ended ]; do sleep 0.05; done"
    );
    let said = home.at_a_terminal(agent.to_str().unwrap(), &inner, str::to_owned);
    assert!(said.contains("this terminal belongs to the agent `claude`"), "{said}");
    fs::remove_file(home.place.path("ended")).unwrap();
    // The same program under an ordinary name belongs to a user.
    let said = home.at_a_terminal("/usr/bin/script", &inner, str::to_owned);
    assert!(said.contains("Trusted."), "{said}");
}

#[test]
fn an_agents_variables_are_found_in_parent_processes() {
    let home = Home::new();
    home.project(GUARD);
    home.script("guard.sh", "#!/bin/sh\n");
    let inner = format!("CLAUDECODE=1 sh -c \\\"cd project; env -u CLAUDECODE {PROGRAM} trust; true\\\"");
    let said = home.at_a_terminal("/usr/bin/script", &inner, str::to_owned);
    assert!(said.contains("started by a process with `CLAUDECODE` from an agent"), "{said}");
}

#[test]
fn hooks_that_trust_cannot_cover_are_left_out_unless_accepted() {
    let home = Home::new();
    home.project(
        "[[hook]]\nevent = \"PreToolUse\"\nname = \"open\"\ncommand = 'cat > last.json; sh \"$HOME\"/x.sh; sh late.sh'\n",
    );
    assert_snapshot!(home.trust(""), @r#"
    open on PreToolUse, from [directory]/project/.checkrein.toml
      runs: cat > last.json; sh "$HOME"/x.sh; sh late.sh
      not covered: `"$HOME"/x.sh`: what it names is decided when it runs
        write a plain path, such as `./hooks/check.sh` or `"$HOOK_CONFIG_DIR"/hooks/check.sh`
      does not exist yet: `late.sh`; trust is revoked if it is created

    open is left out: trust cannot cover all of it. Change it as suggested above, or accept the risk with `checkrein trust --uncovered`.
    "#);
    assert!(home.run(&["hooks"], "").contains("project: not trusted"));
    assert_snapshot!(home.trust("--uncovered"), @r#"
    open on PreToolUse, from [directory]/project/.checkrein.toml
      runs: cat > last.json; sh "$HOME"/x.sh; sh late.sh
      not covered: `"$HOME"/x.sh`: what it names is decided when it runs
        write a plain path, such as `./hooks/check.sh` or `"$HOOK_CONFIG_DIR"/hooks/check.sh`
      does not exist yet: `late.sh`; trust is revoked if it is created

    Allow all of this to run with your permissions whenever an agent works here? Type `[word]`: [word]
    Trusted. Any change to these files revokes it.
    "#);
    assert_snapshot!(without_rules(&home.run(&["hooks"], "")), @r#"
    --- stdout
    project   [directory]/project/.checkrein.toml

    PreToolUse
      • open  all, plain, 5 s, on failure deny
        project: active
        accepted, not covered by trust: "$HOME"/x.sh

    PreToolUse, PermissionRequest
      • guard  all, judge, on failure deny
        built in: active, and cannot be disabled
        [rules]
    --- exit 0
    "#);
    assert!(home.run(&["hooks", "--json"], "").contains(r#""uncovered":["\"$HOME\"/x.sh"]"#));
    home.script("late.sh", "#!/bin/sh\n");
    let said = home.claude("ls");
    assert!(
        said.contains("hook `open` of ") && said.contains("it has changed since it was trusted;"),
        "{said}"
    );
    // The change itself is text of the project, which only users see.
    assert!(!said.contains("late.sh"), "{said}");
    let said = home.run(&["hooks"], "");
    assert!(said.contains("changed since it was trusted: `late.sh`, which was not there"), "{said}");
}

#[test]
fn an_emptied_file_denies() {
    let home = Home::new();
    home.user("");
    assert_snapshot!(home.claude("ls"), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked this call: [directory]/.config/checkrein/config.toml: the configuration file is empty; if that is intentional, delete it or add a comment. To fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: [directory]/.config/checkrein/config.toml: the configuration file is empty; if that is intentional, delete it or add a comment.\nTo fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    [directory]/.config/checkrein/config.toml: the configuration file is empty; if that is intentional, delete it or add a comment
    --- exit 0
    "#);
}

#[test]
fn a_broken_project_denies_and_its_session_can_be_repaired() {
    let home = Home::new();
    home.project("[[hook]]\nevent = \"PreToolUse\"\n");
    assert_snapshot!(home.claude("ls"), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked this call: a configuration file of this project, which no user has trusted, is broken (`checkrein repair`, run by a user, ignores it for some minutes): [directory]/project/.checkrein.toml:1:1: a key or a value that is not understood. To fix it, the user can edit the file outside the agent (`checkrein hooks…","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: a configuration file of this project, which no user has trusted, is broken (`checkrein repair`, run by a user, ignores it for some minutes):\n[directory]/project/.checkrein.toml:1:1: a key or a value that is not understood.\nTo fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    a configuration file of this project, which no user has trusted, is broken (`checkrein repair`, run by a user, ignores it for some minutes):
    [directory]/project/.checkrein.toml:1:1: a key or a value that is not understood
    --- exit 0
    "#);
    // The file that `checkrein repair` writes.
    let state = home.place.path(".local/state/checkrein");
    fs::create_dir_all(&state).unwrap();
    let permit = state.join("repair-until");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let in_ten_minutes = format!("{}\n", now + 600);
    fs::write(&permit, &in_ten_minutes).unwrap();
    fs::set_permissions(&permit, fs::Permissions::from_mode(0o600)).unwrap();
    assert_snapshot!(home.claude("ls"), @"
    --- stdout
    {}
    --- stderr
    checkrein: because of `checkrein repair`, a broken configuration is ignored
    a configuration file of this project, which no user has trusted, is broken (`checkrein repair`, run by a user, ignores it for some minutes):
    [directory]/project/.checkrein.toml:1:1: a key or a value that is not understood
    --- exit 0
    ");
    fs::write(&permit, "1\n").unwrap();
    assert!(home.claude("ls").contains("deny"), "the time is up");
    fs::write(&permit, "99999999999\n").unwrap();
    assert!(home.claude("ls").contains("deny"), "the permit is valid for too long");
    fs::write(&permit, &in_ten_minutes).unwrap();
    fs::set_permissions(&permit, fs::Permissions::from_mode(0o644)).unwrap();
    assert!(home.claude("ls").contains("deny"), "another user could have written it");
}

#[test]
fn hooks() {
    let home = Home::new();
    assert_snapshot!(without_rules(&home.run(&["hooks"], "")), @"
    --- stdout
    No configuration. These files would be read:
      /etc/checkrein/config.toml
      [directory]/.config/checkrein/config.toml
      .checkrein.toml in the directories of a project

    PreToolUse, PermissionRequest
      • guard  all, judge, on failure deny
        built in: active, and cannot be disabled
        [rules]
    --- exit 0
    ");
    home.user(&format!("disable = [\"nobody\"]\n{DENY}"));
    home.project(GUARD);
    home.script("guard.sh", "#!/bin/sh\n");
    assert_snapshot!(without_rules(&home.run(&["hooks"], "")), @"
    --- stdout
    user      [directory]/.config/checkrein/config.toml
    project   [directory]/project/.checkrein.toml

    PreToolUse
      • mine  Bash, plain, 5 s, on failure deny
        user: active
      - guard  all, plain, 5 s, on failure deny
        project: not trusted

    PreToolUse, PermissionRequest
      • guard  all, judge, on failure deny
        built in: active, and cannot be disabled
        [rules]
    --- stderr
    warning: [directory]/.config/checkrein/config.toml: `nobody` cannot be disabled from here
    --- exit 0
    ");
    let listed = home.run(&["hooks", "--tool", "Read", "--event", "PreToolUse", "--json"], "");
    assert_snapshot!(without_rules(&listed), @r#"
    --- stdout
    {"files":[{"layer":"user","path":"[directory]/.config/checkrein/config.toml"},{"layer":"project","path":"[directory]/project/.checkrein.toml"}],"hooks":[{"label":"guard","layer":"project","path":"[directory]/project/.checkrein.toml","status":"not trusted","failure_rule":"deny","event":"PreToolUse","name":"guard","match":{"tool":null,"except":[]},"command":"./guard.sh","role":"plain","timeout":5.0,"on_failure":null,"may_allow":false,"cwd":"session","env":[],"files":[],"required":false,"overridable":false},{"label":"guard","layer":"built in","path":null,"status":"active","failure_rule":"deny","event":"PreToolUse","name":"guard","match":{"tool":null,"except":[]},"command":null,"role":"judge","may_allow":false,"required":true,"overridable":false}],"monitor":[],"rules":[],"grades":[],"exceptions":[],"allow":[] [rules]
    --- stderr
    warning: [directory]/.config/checkrein/config.toml: `nobody` cannot be disabled from here
    --- exit 0
    "#);
    assert_snapshot!(without_rules(&home.run(&["hooks", "--check"], "")), @"
    --- stdout
    user      [directory]/.config/checkrein/config.toml
    project   [directory]/project/.checkrein.toml

    PreToolUse
      • mine  Bash, plain, 5 s, on failure deny
        user: active
      - guard  all, plain, 5 s, on failure deny
        project: not trusted

    PreToolUse, PermissionRequest
      • guard  all, judge, on failure deny
        built in: active, and cannot be disabled
        [rules]
    --- stderr
    warning: [directory]/.config/checkrein/config.toml: `nobody` cannot be disabled from here
    --- exit 1
    ");
    home.user("[[hook]]\nevent = \"Stop\"\nname = \"a\"\nmatch = { tool = \"Bash\" }\ncommand = \"true\"\n");
    assert_snapshot!(without_rules(&home.run(&["hooks", "--check", "--event", "Stop"], "")), @"
    --- stdout
    user      [directory]/.config/checkrein/config.toml
    project   [directory]/project/.checkrein.toml

    Stop
      • a  Bash, plain, 5 s, on failure ignore
        user: active
    --- stderr
    warning: [directory]/.config/checkrein/config.toml: `a` never runs: `Stop` events have no tool
    --- exit 1
    ");
    home.user("[[hook]]\n");
    assert_snapshot!(without_rules(&home.run(&["hooks", "--check"], "")), @r#"
    --- stderr
    [directory]/.config/checkrein/config.toml:1:1: hook[0]: a hook needs `event`
    1 | [[hook]]
      | ^^^^^^^^
    hint: for example `event = "PreToolUse"`

    [directory]/.config/checkrein/config.toml:1:1: hook[0]: a hook needs a `command` to run, or a `callable`
    1 | [[hook]]
      | ^^^^^^^^

    the configuration is broken: all preventable actions will be denied
    --- exit 1
    "#);
}

#[test]
fn an_edit_takes_effect_immediately() {
    let home = Home::new();
    for round in 0..10 {
        home.user(&DENY.replace("no", &format!("round {round}")));
        assert!(home.claude("ls").contains(&format!("round {round}")), "{round}");
        home.user("# nothing\n");
        assert!(home.claude("ls").contains("{}"), "{round}");
    }
}

/// Returns a listing without the guard's rules, which change from time to time.
pub(crate) fn without_rules(listed: &str) -> String {
    let mut text = String::new();
    for line in listed.lines() {
        let line = match (line.split_once(" rules: "), line.split_once(r#","guard":{"#)) {
            (Some(_), _) => "    [rules]",
            (None, Some((before, _))) => &format!("{before} [rules]"),
            (None, None) => line,
        };
        text += &format!("{line}\n");
    }
    text
}
