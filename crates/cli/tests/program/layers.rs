//! Layers through the program: the person's file, a project's hooks and the trust that they need.

use crate::{PROGRAM, Place, bash, shown};
use insta::assert_snapshot;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    process::{Command, Output},
};

/// A home folder and a project in it.
struct Home {
    place: Place,
}

impl Home {
    fn new() -> Self {
        let home = Self { place: Place::new() };
        fs::create_dir_all(home.place.path("project/.git")).unwrap();
        fs::create_dir_all(home.place.path("project/deep/down")).unwrap();
        fs::create_dir_all(home.place.path(".config/checkrein")).unwrap();
        home
    }

    fn user(&self, text: &str) {
        fs::write(self.place.path(".config/checkrein/config.toml"), text).unwrap();
    }

    fn project(&self, text: &str) {
        fs::write(self.place.path("project/.checkrein.toml"), text).unwrap();
    }

    fn script(&self, name: &str, text: &str) {
        let path = self.place.path("project").join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.place.command(arguments);
        command.env("HOME", self.place.path("")).current_dir(self.place.path("project/deep/down"));
        command
    }

    fn output(&self, arguments: &[&str], stdin: &str) -> Output {
        let mut child = self.command(arguments).spawn().unwrap();
        // It may answer without reading anything.
        let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), stdin.as_bytes());
        child.wait_with_output().unwrap()
    }

    fn run(&self, arguments: &[&str], stdin: &str) -> String {
        shown(&self.output(arguments, stdin), self.place.folder.path())
    }

    /// The answer to a call inside of the project.
    fn claude(&self, command: &str) -> String {
        let mut event: serde_json::Value = serde_json::from_str(&bash(command)).unwrap();
        event["cwd"] = self.place.path("project/deep/down").to_str().unwrap().into();
        self.run(&["hook", "--host", "claude"], &event.to_string())
    }

    /// Says yes to everything, as a person at a terminal that no agent has opened.
    fn trust(&self) -> String {
        for tool in ["/usr/bin/script", "/usr/bin/setsid"] {
            assert!(std::path::Path::new(tool).exists(), "this test needs `{tool}`, of util-linux");
        }
        let transcript = self.place.path("transcript");
        // Detached, so that whoever runs this test is no ancestor; `script` makes a terminal.
        let inner = format!("cd project && {PROGRAM} trust");
        let outer = format!(
            "(setsid sh -c 'echo yes | script -qec \"{inner}\" transcript.part > /dev/null 2>&1; mv transcript.part transcript' &) "
        );
        let home = self.place.path("");
        let mut command = Command::new("sh");
        command
            .args(["-c", &outer])
            .current_dir(&home)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", &home);
        assert!(command.status().unwrap().success());
        let patience = std::time::Instant::now() + std::time::Duration::from_secs(20);
        while !transcript.exists() {
            assert!(std::time::Instant::now() < patience, "`checkrein trust` never ended");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let text = fs::read_to_string(&transcript).unwrap().replace('\r', "");
        fs::remove_file(&transcript).unwrap();
        let folder = self.place.folder.path().to_str().unwrap();
        let inside = text.lines().filter(|line| !line.starts_with("Script ")).collect::<Vec<_>>().join("\n");
        inside.replace(folder, "[folder]")
    }
}

const DENY: &str = "[[hook]]\nevent = \"PreToolUse\"\nname = \"mine\"\nmatch = { tool = \"Bash\" }\ncommand = \"echo no >&2; exit 2\"\n";
const GUARD: &str = "[[hook]]\nevent = \"PreToolUse\"\nname = \"guard\"\ncommand = \"./guard.sh\"\n";

#[test]
fn the_persons_own_file_is_in_force_everywhere() {
    let home = Home::new();
    home.user(DENY);
    assert_snapshot!(home.claude("ls"), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"mine: no"}}
    --- exit 0
    "#);
}

#[test]
fn a_projects_hook_runs_only_when_a_person_has_trusted_it() {
    let home = Home::new();
    home.project(GUARD);
    home.script("guard.sh", "#!/bin/sh\necho \"from $(basename \"$PWD\")\" >&2\nexit 2\n");
    assert_snapshot!(home.claude("ls"), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"Hooks of this project are skipped because no person has trusted them: `guard`. Do not try to change that; a person can look at them with `checkrein trust`."}}
    --- stderr
    checkrein: hook `guard` of [folder]/project/.checkrein.toml is skipped: nobody has trusted it; a person can look at it with `checkrein trust`
    --- exit 0
    "#);
    // The model has heard it once in this session.
    assert_snapshot!(home.claude("ls"), @"
    --- stdout
    {}
    --- stderr
    checkrein: hook `guard` of [folder]/project/.checkrein.toml is skipped: nobody has trusted it; a person can look at it with `checkrein trust`
    --- exit 0
    ");
    assert_snapshot!(home.trust(), @r#"
    yes
    guard on PreToolUse, from [folder]/project/.checkrein.toml
      runs: ./guard.sh
      {"event":"PreToolUse","name":"guard","match":{"tool":null,"except":[]},"command":"./guard.sh","role":"plain","timeout":5.0,"on_failure":null,"grants":false,"cwd":"session","env":[],"files":[],"required":false,"loosenable":false}

      ./guard.sh ([folder]/project/guard.sh, 52 bytes)
      sha256 f80801c5b3e45cc4e8fdc637c0e53565f8536ebfe7036e3a6f443b2d909e9eb9
        | #!/bin/sh
        | echo "from $(basename "$PWD")" >&2
        | exit 2

    Let all of this run with your rights whenever an agent works here? Type `yes`: Trusted. A changed byte takes the trust away.
    "#);
    assert_snapshot!(home.claude("ls"), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"guard: from down"}}
    --- exit 0
    "#);
    home.script("guard.sh", "#!/bin/sh\necho changed >&2\nexit 2\n");
    assert_snapshot!(home.claude("ls"), @"
    --- stdout
    {}
    --- stderr
    checkrein: hook `guard` of [folder]/project/.checkrein.toml is skipped: it has changed since it was trusted (`./guard.sh`); a person can look at it with `checkrein trust`
    --- exit 0
    ");
}

#[test]
fn where_the_person_wants_it_an_untrusted_hook_denies() {
    let home = Home::new();
    home.user("untrusted = \"deny\"\n");
    home.project(GUARD);
    home.script("guard.sh", "#!/bin/sh\n");
    assert_snapshot!(home.claude("ls"), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"guard: hook `guard` of [folder]/project/.checkrein.toml is skipped: nobody has trusted it, and this is denied until a person runs `checkrein trust`"}}
    --- stderr
    checkrein: hook `guard` of [folder]/project/.checkrein.toml is skipped: nobody has trusted it; a person can look at it with `checkrein trust`
    --- exit 0
    "#);
}

#[test]
fn an_agent_cannot_trust() {
    let home = Home::new();
    home.project(GUARD);
    home.script("guard.sh", "#!/bin/sh\n");
    assert_snapshot!(home.run(&["trust"], "yes\n"), @"
    --- stderr
    checkrein: only a person at a terminal can trust a project's hooks: there is no terminal here
    --- exit 3
    ");
    let mut child = home.command(&["trust"]);
    let output = child.env("CLAUDECODE", "1").stdin(std::process::Stdio::null()).output().unwrap();
    assert_snapshot!(shown(&output, home.place.folder.path()), @"
    --- stderr
    checkrein: only a person at a terminal can trust a project's hooks: `CLAUDECODE` is set, as an agent does for what it starts
    --- exit 3
    ");
    assert_snapshot!(home.run(&["repair"], ""), @"
    --- stderr
    checkrein: only a person at a terminal can allow a repair: there is no terminal here
    --- exit 3
    ");
}

#[test]
fn a_broken_project_denies_and_its_session_can_be_repaired() {
    let home = Home::new();
    home.project("[[hook]]\nevent = \"PreToolUse\"\n");
    assert_snapshot!(home.claude("ls"), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: [folder]/project/.checkrein.toml:1:1: hook[0]: a hook needs a `command` to run\n1 | [[hook]]\n  | ^^^^^^^^\n\nto repair it, a person can edit the file outside of the agent (`checkrein hooks --check` shows what is wrong), or run `checkrein repair` in a terminal to let the agent do it"}}
    --- stderr
    checkrein: the configuration is broken
    [folder]/project/.checkrein.toml:1:1: hook[0]: a hook needs a `command` to run
    1 | [[hook]]
      | ^^^^^^^^
    --- exit 0
    "#);
    // What `checkrein repair` writes.
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
    checkrein: for repair, a broken configuration is passed over
    [folder]/project/.checkrein.toml:1:1: hook[0]: a hook needs a `command` to run
    1 | [[hook]]
      | ^^^^^^^^
    --- exit 0
    ");
    fs::write(&permit, "1\n").unwrap();
    assert!(home.claude("ls").contains("deny"), "the time is up");
    fs::write(&permit, "99999999999\n").unwrap();
    assert!(home.claude("ls").contains("deny"), "nobody gives a permit for so long");
    fs::write(&permit, &in_ten_minutes).unwrap();
    fs::set_permissions(&permit, fs::Permissions::from_mode(0o644)).unwrap();
    assert!(home.claude("ls").contains("deny"), "somebody else could have written it");
}

#[test]
fn hooks() {
    let home = Home::new();
    assert_snapshot!(home.run(&["hooks"], ""), @"
    --- stdout
    No configuration. These files would be read:
      /etc/checkrein/config.toml
      [folder]/.config/checkrein/config.toml
      .checkrein.toml in the folders of a project
    --- exit 0
    ");
    home.user(&format!("disable = [\"guard\"]\n{DENY}"));
    home.project(GUARD);
    home.script("guard.sh", "#!/bin/sh\n");
    assert_snapshot!(home.run(&["hooks"], ""), @"
    --- stdout
    user      [folder]/.config/checkrein/config.toml
    project   [folder]/project/.checkrein.toml

    PreToolUse
      • mine  Bash, plain, 5 s, on failure deny
        user: in force
      - guard  all, plain, 5 s, on failure deny
        project: not trusted
    --- stderr
    warning: [folder]/.config/checkrein/config.toml: `guard` cannot be disabled from here
    --- exit 0
    ");
    assert_snapshot!(home.run(&["hooks", "--tool", "Read", "--event", "PreToolUse", "--json"], ""), @r#"
    --- stdout
    {"files":[{"layer":"user","path":"[folder]/.config/checkrein/config.toml"},{"layer":"project","path":"[folder]/project/.checkrein.toml"}],"hooks":[{"label":"guard","layer":"project","path":"[folder]/project/.checkrein.toml","standing":"not trusted","failure_rule":"deny","event":"PreToolUse","name":"guard","match":{"tool":null,"except":[]},"command":"./guard.sh","role":"plain","timeout":5.0,"on_failure":null,"grants":false,"cwd":"session","env":[],"files":[],"required":false,"loosenable":false}]}
    --- stderr
    warning: [folder]/.config/checkrein/config.toml: `guard` cannot be disabled from here
    --- exit 0
    "#);
    assert_snapshot!(home.run(&["hooks", "--check"], ""), @"
    --- stdout
    user      [folder]/.config/checkrein/config.toml
    project   [folder]/project/.checkrein.toml

    PreToolUse
      • mine  Bash, plain, 5 s, on failure deny
        user: in force
      - guard  all, plain, 5 s, on failure deny
        project: not trusted
    --- stderr
    warning: [folder]/.config/checkrein/config.toml: `guard` cannot be disabled from here
    --- exit 1
    ");
    home.user("[[hook]]\nevent = \"Stop\"\nname = \"a\"\nmatch = { tool = \"Bash\" }\ncommand = \"true\"\n");
    assert_snapshot!(home.run(&["hooks", "--check", "--event", "Stop"], ""), @"
    --- stdout
    user      [folder]/.config/checkrein/config.toml
    project   [folder]/project/.checkrein.toml

    Stop
      • a  Bash, plain, 5 s, on failure ignore
        user: in force
    --- stderr
    warning: [folder]/.config/checkrein/config.toml: `a` is never asked: `Stop` is about no tool
    --- exit 1
    ");
    home.user("[[hook]]\n");
    assert_snapshot!(home.run(&["hooks", "--check"], ""), @r#"
    --- stderr
    [folder]/.config/checkrein/config.toml:1:1: hook[0]: a hook needs an `event`
    1 | [[hook]]
      | ^^^^^^^^
    hint: for example `event = "PreToolUse"`, which is asked before a tool runs

    [folder]/.config/checkrein/config.toml:1:1: hook[0]: a hook needs a `command` to run
    1 | [[hook]]
      | ^^^^^^^^

    the configuration is broken: agents are denied what can be denied
    --- exit 1
    "#);
}

#[test]
fn an_edit_counts_at_once() {
    let home = Home::new();
    for round in 0..10 {
        home.user(&DENY.replace("no", &format!("round {round}")));
        assert!(home.claude("ls").contains(&format!("round {round}")), "{round}");
        home.user("");
        assert!(home.claude("ls").contains("{}"), "{round}");
    }
}
