//! `checkrein doctor`: every way in which an agent may not call us, with whole output.

use crate::machine::Machine;
use insta::assert_snapshot;
use serde_json::{Value, json};
use std::{fs, process::Command};

/// Returns a machine with both agents in the tested versions, set up.
fn set_up() -> Machine {
    let machine = Machine::with(&[".claude", ".codex"]);
    machine.agent("claude", "2.1.325 (Claude Code)");
    machine.agent("codex", "codex-cli 0.166.0");
    machine.init();
    machine
}

/// Records in Codex's configuration that the user has trusted every hook, in Codex's own format.
fn trust(machine: &Machine, more: &str) {
    let hooks: Value = serde_json::from_str(&machine.read(".codex/hooks.json")).unwrap();
    let mut text = more.to_owned();
    for (event, groups) in hooks["hooks"].as_object().unwrap() {
        let snake: String = event
            .chars()
            .flat_map(|c| if c.is_uppercase() { vec!['_', c.to_ascii_lowercase()] } else { vec![c] })
            .skip(1)
            .collect();
        for (at, group) in groups.as_array().unwrap().iter().enumerate() {
            let handler = &group["hooks"][0];
            let (command, timeout) = (&handler["command"], &handler["timeout"]);
            let matcher =
                group.get("matcher").map(|matcher| format!(",\"matcher\":{matcher}")).unwrap_or_default();
            let identity = format!(
                "{{\"event_name\":\"{snake}\",\"hooks\":[{{\"async\":false,\"command\":{command},\"timeout\":{timeout},\"type\":\"command\"}}]{matcher}}}"
            );
            machine.write("identity", identity);
            let sum = Command::new("sha256sum").arg(machine.path("identity")).output().unwrap();
            let sum = String::from_utf8(sum.stdout).unwrap();
            let key = format!("{}:{snake}:{at}:0", machine.path(".codex/hooks.json").display());
            text += &format!("[hooks.state.\"{key}\"]\ntrusted_hash = \"sha256:{}\"\n\n", &sum[..64]);
        }
    }
    machine.write(".codex/config.toml", text);
}

/// Returns the part of the report about one agent.
fn about(machine: &Machine, title: &str) -> String {
    let said = machine.run(&["doctor"]);
    let part = said.split("\n\n").find(|part| part.starts_with(title)).unwrap_or(&said).to_owned();
    let exit = said.lines().last().unwrap();
    format!("{part}\n{exit}")
}

/// Changes one entry of a hooks file.
fn change(machine: &Machine, file: &str, event: &str, edit: impl Fn(&mut Value)) {
    let mut hooks: Value = serde_json::from_str(&machine.read(file)).unwrap();
    edit(&mut hooks["hooks"][event]);
    machine.write(file, serde_json::to_string_pretty(&hooks).unwrap());
}

#[test]
fn both_agents_are_set_up() {
    let machine = set_up();
    trust(&machine, "");
    assert_snapshot!(machine.run(&["doctor"]), @"
    --- stdout
    Claude Code: set up
    Codex: set up

    checkrein 0.1.0 [directory]/bin/checkrein
      trail: [directory]/.local/state/checkrein/trail
      ok

    Claude Code 2.1.325 [directory]/bin/claude
      calls checkrein on 10 events: [directory]/.claude/settings.json
      ok

    Codex 0.166.0 [directory]/bin/codex
      calls checkrein on 9 events: [directory]/.codex/hooks.json
      ok

    Everything is set up: Claude Code, Codex. To see a denial obeyed, run `checkrein doctor --live`.
    --- exit 0
    ");
}

#[test]
fn no_agent_is_set_up() {
    let machine = Machine::with(&[".claude"]);
    machine.agent("claude", "2.1.325 (Claude Code)");
    machine.agent("codex", "codex-cli 0.166.0");
    assert_snapshot!(machine.run(&["doctor"]), @"
    --- stdout
    Claude Code: NOT protected: it is not set up: no hooks file mentions checkrein
    Codex: NOT protected: it is not set up: no hooks file mentions checkrein

    checkrein 0.1.0 [directory]/bin/checkrein
      trail: [directory]/.local/state/checkrein/trail
      ok

    Claude Code 2.1.325 [directory]/bin/claude
      problem: it is not set up: no hooks file mentions checkrein [not-registered]
        run `checkrein init --agent claude`

    Codex 0.166.0 [directory]/bin/codex
      problem: it is not set up: no hooks file mentions checkrein [not-registered]
        run `checkrein init --agent codex`

    Nothing is protected: Claude Code, Codex.
    --- exit 1
    ");
    assert_snapshot!(Machine::new().run(&["doctor"]), @"
    --- stdout
    checkrein 0.1.0 [directory]/bin/checkrein
      trail: [directory]/.local/state/checkrein/trail
      ok

    No supported agent found: nothing is protected.
    --- exit 0
    ");
}

#[test]
fn as_json() {
    let machine = set_up();
    assert_snapshot!(machine.run(&["doctor", "--json", "--agent", "codex"]), @r#"
    --- stdout
    {"ok":false,"protected":false,"verdict":"Nothing is protected: Codex.","checkrein":{"program":"[directory]/bin/checkrein","version":"0.1.0","policy":{"hash":"2f12da5e40c3e6cf","files":[]},"facts":["trail: [directory]/.local/state/checkrein/trail"],"findings":[]},"agents":[{"agent":"codex","program":"[directory]/bin/codex","version":"0.166.0","facts":["calls checkrein on 9 events: [directory]/.codex/hooks.json"],"findings":[{"severity":"problem","id":"not-trusted","text":"these hooks are not trusted yet, so Codex silently skips them: `SessionStart`, `UserPromptSubmit`, `PreToolUse`, `PermissionRequest`, `PostToolUse`, `SubagentStart`, `SubagentStop`, `Stop`, `SessionEnd`","fix":"start `codex` and choose *Trust all and continue*, or review them with `/hooks`"}],"protected":false,"verdict":"Codex: NOT protected: these hooks are not trusted yet, so Codex silently skips them"}]}
    --- exit 1
    "#);
}

#[test]
fn codex_silently_skips_hooks() {
    let machine = set_up();
    assert_snapshot!(about(&machine, "Codex"), @"
    Codex 0.166.0 [directory]/bin/codex
      calls checkrein on 9 events: [directory]/.codex/hooks.json
      problem: these hooks are not trusted yet, so Codex silently skips them: `SessionStart`, `UserPromptSubmit`, `PreToolUse`, `PermissionRequest`, `PostToolUse`, `SubagentStart`, `SubagentStop`, `Stop`, `SessionEnd` [not-trusted]
        start `codex` and choose *Trust all and continue*, or review them with `/hooks`
    --- exit 1
    ");
    trust(&machine, "");
    // The trusted content has changed.
    change(&machine, ".codex/hooks.json", "Stop", |list| list[0]["hooks"][0]["timeout"] = json!(700));
    assert_snapshot!(about(&machine, "Codex"), @"
    Codex 0.166.0 [directory]/bin/codex
      calls checkrein on 9 events: [directory]/.codex/hooks.json
      problem: these hooks changed since they were trusted, so Codex silently skips them: `Stop` [trust-changed]
        start `codex` and choose *Trust all and continue*, or review them with `/hooks`
    --- exit 1
    ");
    trust(&machine, "[features]\nhooks = false\n\n[[hooks.Stop]]\nhooks = []\n\n");
    let switched = machine.read(".codex/config.toml") + "enabled = false\n";
    machine.write(".codex/config.toml", switched);
    assert_snapshot!(about(&machine, "Codex"), @"
    Codex 0.166.0 [directory]/bin/codex
      calls checkrein on 9 events: [directory]/.codex/hooks.json
      problem: hooks are disabled in [directory]/.codex/config.toml: `hooks = false` is set under `[features]` [all-disabled]
        remove it
      problem: these hooks are disabled in Codex: `SessionEnd` [switched-off]
        start `codex`, type `/hooks` and enable them
      note: [directory]/.codex/config.toml has hooks too; Codex runs those of both files, and says so [two-files]
        move them to `hooks.json` to get rid of the warning
    --- exit 1
    ");
    machine.write(".codex/config.toml", "model = \"m\"\n[features\n");
    assert_snapshot!(about(&machine, "Codex"), @"
    Codex 0.166.0 [directory]/bin/codex
      calls checkrein on 9 events: [directory]/.codex/hooks.json
      problem: [directory]/.codex/config.toml: line 2, column 10: unclosed table, expected `]`; Codex does not start with it [file-broken]
        fix it there
    --- exit 1
    ");
}

#[test]
fn hooks_are_disabled() {
    let machine = set_up();
    machine.write("work/.claude/settings.local.json", "{\"disableAllHooks\": true}");
    assert_snapshot!(about(&machine, "Claude Code"), @"
    Claude Code 2.1.325 [directory]/bin/claude
      calls checkrein on 10 events: [directory]/.claude/settings.json
      problem: hooks are disabled in [directory]/work/.claude/settings.local.json: `disableAllHooks` is set [all-disabled]
        remove it
    --- exit 1
    ");
    // The file with the highest precedence decides.
    machine.write("work/.claude/settings.json", "{\"disableAllHooks\": true}");
    machine.write("work/.claude/settings.local.json", "{\"disableAllHooks\": false}");
    assert!(about(&machine, "Claude Code").ends_with("  ok\n--- exit 1"));
}

#[test]
fn wrong_entries() {
    let machine = set_up();
    let file = ".claude/settings.json";
    change(&machine, file, "PreToolUse", |list| {
        list[0]["matcher"] = json!("Bash");
        list[0]["hooks"][0]["timeout"] = json!(5);
        list[0]["hooks"][0].as_object_mut().unwrap().remove("onFailure");
    });
    change(&machine, file, "UserPromptSubmit", |list| list[0]["hooks"][0]["async"] = json!(true));
    change(&machine, file, "PostToolUse", |list| list[0]["hooks"][0]["if"] = json!("Bash(git *)"));
    change(&machine, file, "Stop", |list| {
        let command =
            list[0]["hooks"][0]["command"].as_str().unwrap().replace("--event Stop", "--event PreToolUse");
        list[0]["hooks"][0]["command"] = json!(command);
    });
    change(&machine, file, "SubagentStop", |list| {
        let command = list[0]["hooks"][0]["command"].as_str().unwrap().replace("claude", "codex");
        list[0]["hooks"][0]["command"] = json!(command);
    });
    change(&machine, file, "SessionStart", |list| {
        let command = "checkrein hook --host claude --config x.toml";
        list.as_array_mut().unwrap().push(json!({"hooks": [{"type": "command", "command": command}]}));
    });
    assert_snapshot!(about(&machine, "Claude Code"), @"
    Claude Code 2.1.325 [directory]/bin/claude
      calls checkrein on 10 events: [directory]/.claude/settings.json
      problem: [directory]/.claude/settings.json:25 runs asynchronously, so it cannot deny [not-heard]
        remove `async` from it
      problem: [directory]/.claude/settings.json:38: Claude Code waits 5 s and then continues without an answer; an answer may take 30 s [impatient]
        run `checkrein init --agent claude`
      problem: [directory]/.claude/settings.json:63 only runs if its condition holds [not-heard]
        remove `if` from it
      problem: [directory]/.claude/settings.json:99 uses the dialect of `codex`, which Claude Code does not understand [wrong-host]
        remove it, then run `checkrein init --agent claude`
      problem: [directory]/.claude/settings.json:110 is registered under `Stop` but passes `--event PreToolUse`, so every event is refused [wrong-event]
        run `checkrein init --agent claude`
      problem: Claude Code does not call checkrein on `SubagentStop`, `Stop` [events-missing]
        run `checkrein init --agent claude`
      warning: [directory]/.claude/settings.json:38 only matches `Bash` [narrow]
        set the matcher to `*`, unless this is intended
      warning: [directory]/.claude/settings.json:38 fails open if checkrein is missing or killed [fails-open]
        run `checkrein init --agent claude`
      warning: checkrein is registered more than once on `SessionStart`: [directory]/.claude/settings.json:6 and [directory]/.claude/settings.json:15 [doubled]
        keep one of them: two rewrites of the same call conflict
      warning: [directory]/.claude/settings.json:15 runs `checkrein`, which depends on the agent's PATH [program-relative]
        remove it, then run `checkrein init --agent claude`
    --- exit 1
    ");
}

#[test]
fn programs_that_are_missing_or_not_ours() {
    let machine = set_up();
    let file = ".codex/hooks.json";
    machine.write("old/checkrein", "#!/bin/sh\n");
    let moved = |directory: &str| {
        let (from, to) = (machine.path("bin/checkrein"), machine.path(directory).join("checkrein"));
        machine.read(file).replace(from.to_str().unwrap(), to.to_str().unwrap())
    };
    let before = machine.read(file);
    machine.write(file, moved("gone"));
    assert!(
        about(&machine, "Codex").contains("which does not exist: everything is allowed [program-missing]")
    );
    machine.write(file, &before);
    machine.write(file, moved("old"));
    assert!(about(&machine, "Codex").contains("which is not executable: everything is allowed"));
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(machine.path("old/checkrein"), executable).unwrap();
    assert!(about(&machine, "Codex").contains("which is not this program (`"));
    // An older copy of this program, which an upgrade elsewhere has left behind.
    let copy = fs::read(machine.path("bin/checkrein")).unwrap();
    let mark = format!("checkrein, the program, version {}.", env!("CARGO_PKG_VERSION"));
    let place = copy.windows(mark.len()).position(|window| window == mark.as_bytes()).unwrap();
    let older = mark.replace(env!("CARGO_PKG_VERSION"), "0.0.1");
    assert_eq!(older.len(), mark.len());
    let old = [&copy[..place], older.as_bytes(), &copy[place + mark.len()..]].concat();
    machine.write("old/checkrein", "");
    fs::write(machine.path("old/checkrein"), old).unwrap();
    let said = about(&machine, "Codex");
    assert!(said.contains("0.0.1: older than this program") && said.contains("[program-old]"), "{said}");
    let claude = machine.read(".claude/settings.json");
    machine.write(".claude/settings.json", claude.replace("/bin/checkrein", "/gone/checkrein"));
    assert!(
        about(&machine, "Claude Code").contains("which does not exist: all preventable actions are denied")
    );
}

#[test]
fn files_that_the_agents_cannot_read() {
    let machine = set_up();
    machine.write(".claude/settings.json", "{\n  // mine\n}\n");
    let codex = machine.read(".codex/hooks.json").replacen('{', "{\n  \"model\": \"m\",", 1);
    machine.write(".codex/hooks.json", codex);
    trust(&machine, "");
    assert_snapshot!(machine.run(&["doctor"]), @"
    --- stdout
    Claude Code: NOT protected: [directory]/.claude/settings.json: line 2, column 3: expected a quoted name, found a comment, which agents do not accept in this file; Claude Code ignores the file
    Codex: NOT protected: [directory]/.codex/hooks.json: line 2, column 3: Codex rejects the file because of the key `model`; it knows `description`, `hooks`; Codex ignores the file

    checkrein 0.1.0 [directory]/bin/checkrein
      trail: [directory]/.local/state/checkrein/trail
      ok

    Claude Code 2.1.325 [directory]/bin/claude
      problem: [directory]/.claude/settings.json: line 2, column 3: expected a quoted name, found a comment, which agents do not accept in this file; Claude Code ignores the file [file-broken]
        fix the file
      problem: it is not set up: no hooks file mentions checkrein [not-registered]
        fix the file, then run `checkrein init --agent claude`

    Codex 0.166.0 [directory]/bin/codex
      problem: [directory]/.codex/hooks.json: line 2, column 3: Codex rejects the file because of the key `model`; it knows `description`, `hooks`; Codex ignores the file [file-broken]
        fix the file
      problem: it is not set up: no hooks file mentions checkrein [not-registered]
        fix the file, then run `checkrein init --agent codex`

    Nothing is protected: Claude Code, Codex.
    --- exit 1
    ");
}

#[test]
fn duplicate_entries() {
    let machine = set_up();
    trust(&machine, "");
    assert!(machine.output(&["init", "--yes", "--project"]).status.success());
    assert_snapshot!(machine.run(&["doctor"]), @"
    --- stdout
    Claude Code: set up
    Codex: NOT protected: these hooks are not trusted yet, so Codex silently skips them

    checkrein 0.1.0 [directory]/bin/checkrein
      trail: [directory]/.local/state/checkrein/trail
      ok

    Claude Code 2.1.325 [directory]/bin/claude
      calls checkrein on 10 events: [directory]/.claude/settings.json
      calls checkrein on 10 events: [directory]/work/.claude/settings.json
      note: checkrein is registered more than once on `PermissionRequest`, `PostToolUse`, `PostToolUseFailure`, `PreToolUse`, `SessionEnd`, `SessionStart`, `Stop`, `SubagentStart`, `SubagentStop`, `UserPromptSubmit`: [directory]/.claude/settings.json:42 and [directory]/work/.claude/settings.json:42 [doubled]
        nothing has to be done: each call is judged twice, with the same result
      note: Copilot CLI runs the hooks of [directory]/work/.claude/settings.json as well, in another dialect [read-by-others]
        use `checkrein init --user` if both work in this project
      ok

    Codex 0.166.0 [directory]/bin/codex
      calls checkrein on 9 events: [directory]/.codex/hooks.json
      calls checkrein on 9 events: [directory]/work/.codex/hooks.json
      problem: these hooks are not trusted yet, so Codex silently skips them: `SessionStart`, `UserPromptSubmit`, `PreToolUse`, `PermissionRequest`, `PostToolUse`, `SubagentStart`, `SubagentStop`, `Stop`, `SessionEnd` [not-trusted]
        start `codex` and choose *Trust all and continue*, or review them with `/hooks`
      warning: [directory]/work/.codex/hooks.json is not read: Codex does not trust this project [project-untrusted]
        start `codex` here and trust the project
      note: checkrein is registered more than once on `PermissionRequest`, `PostToolUse`, `PreToolUse`, `SessionEnd`, `SessionStart`, `Stop`, `SubagentStart`, `SubagentStop`, `UserPromptSubmit`: [directory]/.codex/hooks.json:41 and [directory]/work/.codex/hooks.json:41 [doubled]
        nothing has to be done: each call is judged twice, with the same result

    NOT protected: Codex.
    --- exit 1
    ");
}

/// Entries in Codex's configuration file count as well.
#[test]
fn registered_in_codex_configuration() {
    let machine = Machine::with(&[".codex"]);
    machine.agent("codex", "codex-cli 0.166.0");
    let program = machine.path("bin/checkrein");
    let entry = format!(
        "[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"{} hook --host codex\"\ntimeout = 9\n",
        program.display()
    );
    machine.write(".codex/config.toml", entry);
    assert_snapshot!(about(&machine, "Codex"), @"
    Codex 0.166.0 [directory]/bin/codex
      calls checkrein on 1 event: [directory]/.codex/config.toml
      problem: [directory]/.codex/config.toml: `PreToolUse`: Codex waits 9 s and then continues without an answer; an answer may take 30 s [impatient]
        add `timeout: 30`
      problem: Codex does not call checkrein on `SessionStart`, `UserPromptSubmit`, `PermissionRequest`, `PostToolUse`, `SubagentStart`, `SubagentStop`, `Stop`, `SessionEnd` [events-missing]
        run `checkrein init --agent codex`
      problem: these hooks are not trusted yet, so Codex silently skips them: `PreToolUse` [not-trusted]
        start `codex` and choose *Trust all and continue*, or review them with `/hooks`
    --- exit 1
    ");
}

/// An enabled plugin can register our hooks too, from a copy or from its own directory.
#[test]
fn registered_by_a_plugin() {
    let machine = Machine::with(&[".claude"]);
    machine.agent("claude", "2.1.325 (Claude Code)");
    machine.init();
    let hooks = machine.read(".claude/settings.json");
    let root = machine.path(".claude/plugins/cache/m/checkrein/1.0.0");
    let place = |name: &str| format!(".claude/plugins/cache/m/checkrein/1.0.0/{name}");
    fs::create_dir_all(machine.path(place("bin"))).unwrap();
    fs::copy(machine.path("bin/checkrein"), machine.path(place("bin/checkrein"))).unwrap();
    let bin = machine.path("bin").display().to_string();
    machine.write(&place("hooks/hooks.json"), hooks.replace(&bin, "${CLAUDE_PLUGIN_ROOT}/bin"));
    machine.write(
        &place(".claude-plugin/plugin.json"),
        "{\"name\": \"checkrein\", \"hooks\": \"./hooks/hooks.json\"}",
    );
    let installed =
        json!({"version": 2, "plugins": {"checkrein@m": [{"scope": "user", "installPath": root}]}});
    machine.write(".claude/plugins/installed_plugins.json", installed.to_string());
    machine.write(".claude/settings.json", "{}");
    assert!(about(&machine, "Claude Code").contains("[not-registered]"), "it is installed, and not enabled");
    machine.write(".claude/settings.json", "{\"enabledPlugins\": {\"checkrein@m\": true}}");
    assert_snapshot!(about(&machine, "Claude Code"), @"
    Claude Code 2.1.325 [directory]/bin/claude
      calls checkrein on 10 events: [directory]/.claude/plugins/cache/m/checkrein/1.0.0/hooks/hooks.json (a plugin)
      ok
    --- exit 0
    ");
    machine.write("work/.claude/settings.json", "{\"enabledPlugins\": {\"checkrein@m\": false}}");
    assert!(about(&machine, "Claude Code").contains("[not-registered]"));
    fs::remove_file(machine.path("work/.claude/settings.json")).unwrap();
    // A marketplace that is a directory of this machine is read in place.
    let known = json!({"m": {"source": {"source": "directory"}, "installLocation": machine.path("market")}});
    machine.write(".claude/plugins/known_marketplaces.json", known.to_string());
    machine.write(
        "market/.claude-plugin/marketplace.json",
        "{\"plugins\": [{\"name\": \"checkrein\", \"source\": \"./checkrein\"}]}",
    );
    assert!(about(&machine, "Claude Code").contains("[not-registered]"));
    machine.write("market/checkrein/hooks/hooks.json", hooks);
    let said = about(&machine, "Claude Code");
    assert!(
        said.contains("calls checkrein on 10 events: [directory]/market/checkrein/hooks/hooks.json"),
        "{said}"
    );
    // Hooks of another plugin are not ours.
    machine.write(
        "market/checkrein/hooks/hooks.json",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"true\"}]}]}}",
    );
    let said = about(&machine, "Claude Code");
    assert!(
        said.contains("a plugin has other hooks: [directory]/market/checkrein/hooks/hooks.json"),
        "{said}"
    );
}

/// Returns the output of a command line in the project.
fn output_of(machine: &Machine, line: &str) -> String {
    String::from_utf8(machine.start(line).output().stdout).unwrap()
}

/// Claude Code reads the settings of the directory in which it is started.
#[test]
fn registered_in_a_project_above() {
    let machine = Machine::with(&[".claude"]);
    machine.agent("claude", "2.1.325 (Claude Code)");
    machine.write("work/.git/HEAD", "ref");
    assert!(machine.output(&["init", "--yes", "--project"]).status.success());
    assert!(about(&machine, "Claude Code").contains("\n  ok"));
    fs::create_dir_all(machine.path("work/src")).unwrap();
    let said = output_of(&machine, "cd src && checkrein doctor --json --agent claude");
    assert!(said.contains("\"project-elsewhere\""), "{said}");
    // It reads only the directory itself.
    machine.init();
    machine.write("work/.claude/settings.local.json", "{\"disableAllHooks\": true}");
    let doctor = || output_of(&machine, "cd src && checkrein doctor --agent claude");
    assert!(!doctor().contains("problem: hooks are disabled"), "{}", doctor());
    machine.write("work/src/.claude/settings.local.json", "{\"disableAllHooks\": true}");
    assert!(doctor().contains("problem: hooks are disabled in "), "{}", doctor());
}

/// Variables make the agent start without hooks.
#[test]
fn hooks_are_disabled_by_a_variable() {
    let machine = set_up();
    for name in ["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"] {
        for (value, is_off) in [("1", true), ("true", true), ("0", false), ("", false)] {
            let said = output_of(&machine, &format!("{name}={value} checkrein doctor --agent claude"));
            assert_eq!(
                said.contains("hooks are disabled in this environment"),
                is_off,
                "{name}={value}: {said}"
            );
        }
    }
    machine.write("work/.claude/settings.json", "{\"env\": {\"CLAUDE_CODE_SIMPLE\": \"1\"}}");
    let said = about(&machine, "Claude Code");
    assert!(said.contains("hooks are disabled in [directory]/work/.claude/settings.json"), "{said}");
}

#[test]
fn an_event_is_configured_but_not_registered() {
    let machine = set_up();
    trust(&machine, "");
    let hook = |event: &str| format!("[[hook]]\nevent = \"{event}\"\ncommand = \"true\"\n");
    machine.write(".config/checkrein/config.toml", hook("Notification") + &hook("PreCompact"));
    assert_snapshot!(machine.run(&["doctor"]), @"
    --- stdout
    Claude Code: set up, with a problem: hooks are configured on `PreCompact`, `Notification`, but Claude Code does not call checkrein there
    Codex: set up, with a problem: hooks are configured on `PreCompact`, but Codex does not call checkrein there

    checkrein 0.1.0 [directory]/bin/checkrein
      user configuration: [directory]/.config/checkrein/config.toml
      trail: [directory]/.local/state/checkrein/trail
      ok

    Claude Code 2.1.325 [directory]/bin/claude
      calls checkrein on 10 events: [directory]/.claude/settings.json
      problem: hooks are configured on `PreCompact`, `Notification`, but Claude Code does not call checkrein there [configured-not-asked]
        run `checkrein init --agent claude`

    Codex 0.166.0 [directory]/bin/codex
      calls checkrein on 9 events: [directory]/.codex/hooks.json
      problem: hooks are configured on `PreCompact`, but Codex does not call checkrein there [configured-not-asked]
        run `checkrein init --agent codex`
      note: hooks are configured on `Notification`, which Codex does not have [never-fired]
        they only run with other agents

    Set up, with problems: Claude Code, Codex.
    --- exit 1
    ");
    machine.init();
    assert!(!machine.run(&["doctor"]).contains("configured-not-asked"));
    machine.write(".config/checkrein/config.toml", "[[hook]]\nevnt = 1\n");
    assert_snapshot!(about(&machine, "checkrein 0"), @"
    checkrein 0.1.0 [directory]/bin/checkrein
      problem: the configuration is broken, so all preventable actions will be denied: [directory]/.config/checkrein/config.toml:1:1: hook[0]: a hook needs a `command` to run, or a `callable`; and 1 more problem [configuration-broken]
        run `checkrein hooks --check` for details
    --- exit 1
    ");
}

#[test]
fn versions() {
    let machine = set_up();
    let version = |text: &str| {
        machine.agent("claude", text);
        about(&machine, "Claude Code")
            .lines()
            .filter(|line| line.contains("version") || line.contains("Claude Code"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_snapshot!(version("2.2.0 (Claude Code)"), @"
    Claude Code 2.2.0 [directory]/bin/claude
      note: 2.2.0 is newer than 2.1.325, the newest tested version [version-new]
    ");
    assert_snapshot!(version("1.0.3 (Claude Code)"), @"
    Claude Code 1.0.3 [directory]/bin/claude
      warning: 1.0.3 is older than 2.1.197, the oldest supported version [version-old]
        upgrade it; 2.1.325 is the newest tested version
    ");
    assert_snapshot!(version("hm"), @"
    Claude Code [directory]/bin/claude
      note: its version cannot be determined [version-unknown]
    ");
    // As npm installs it.
    fs::remove_file(machine.path("bin/claude")).unwrap();
    let package = "lib/node_modules/@anthropic-ai/claude-code";
    machine.write(
        &format!("{package}/package.json"),
        "{\"name\": \"@anthropic-ai/claude-code\", \"version\": \"2.1.200\"}",
    );
    machine.write(&format!("{package}/bin/claude.exe"), "not started");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(machine.path(format!("{package}/bin/claude.exe")), executable).unwrap();
    std::os::unix::fs::symlink(machine.path(format!("{package}/bin/claude.exe")), machine.path("bin/claude"))
        .unwrap();
    assert!(about(&machine, "Claude Code").starts_with("Claude Code 2.1.200 "));
}

#[test]
fn an_unknown_agent_is_an_error() {
    assert_snapshot!(Machine::new().run(&["doctor", "--agent", "clod"]), @"
    --- stderr
    checkrein: unknown agent `clod`, expected [agents]
    --- exit 3
    ");
}
