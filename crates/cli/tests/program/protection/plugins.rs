//! The packages of our plugin, which agents copy or load in place, are protected like the program; those of others are not.

use super::Setup;
use serde_json::json;
use std::{fs, path::PathBuf};

/// Notes of an agent about a plugin: the agent, the list that it keeps, its text, and the package that it runs. `HOME` is
/// the home directory, and `NAME` the plugin. A copy has no list.
const NOTED: &[(&str, &str, &str, &str)] = &[
    (
        "claude",
        ".claude/plugins/known_marketplaces.json",
        r#"{"NAME": {"source": {"source": "directory", "path": "HOME/work/NAME-m"}, "installLocation": "HOME/work/NAME-m"}}"#,
        "work/NAME-m/NAME",
    ),
    (
        "claude, copied",
        ".claude/plugins/installed_plugins.json",
        r#"{"plugins": {"NAME@NAME": [{"installPath": "HOME/.claude/plugins/cache/NAME/NAME/0.1.0"}]}}"#,
        ".claude/plugins/cache/NAME/NAME/0.1.0",
    ),
    (
        "codex",
        ".codex/config.toml",
        "[marketplaces.NAME]\nsource_type = \"local\"\nsource = \"HOME/src/NAME-c\"\n",
        "src/NAME-c/NAME",
    ),
    ("codex, copied", "", "", ".codex/plugins/cache/NAME/NAME"),
    (
        "copilot",
        ".copilot/config.json",
        r#"{"marketplaces": {"NAME": {"source": {"source": "directory", "path": "HOME/src/NAME-p"}}}}"#,
        "src/NAME-p/NAME",
    ),
    ("copilot, copied", "", "", ".copilot/installed-plugins/NAME/NAME"),
    (
        "gemini",
        ".gemini/extensions/NAME/.gemini-extension-install.json",
        r#"{"type": "link", "source": "HOME/src/NAME-g"}"#,
        "src/NAME-g",
    ),
    ("gemini, copied", "", "", ".gemini/extensions/NAME"),
    (
        "qwen",
        ".qwen/extensions/NAME/.qwen-extension-install.json",
        r#"{"type": "link", "source": "HOME/src/NAME-q"}"#,
        "src/NAME-q",
    ),
    ("pi", ".pi/agent/settings.json", r#"{"packages": ["../../work/NAME-pi"]}"#, "work/NAME-pi"),
    (
        "opencode",
        ".config/opencode/opencode.json",
        r#"{"plugin": ["file://HOME/src/NAME-o/NAME.ts"]}"#,
        "src/NAME-o",
    ),
];

/// Writes a plugin of this name where the agent notes it, and returns its package and the directory above all of it.
fn install(setup: &Setup, name: &str, noted: &(&str, &str, &str, &str)) -> (PathBuf, PathBuf) {
    let (_, list, text, package) = *noted;
    let named = |text: &str| {
        text.replace("NAME", name).replace("HOME", setup.path("").to_str().unwrap().trim_end_matches('/'))
    };
    let package = setup.path(&named(package));
    fs::create_dir_all(package.join("program")).unwrap();
    fs::write(package.join("program").join(name), "#!/bin/sh\n").unwrap();
    fs::write(package.join("hooks.json"), "{}").unwrap();
    let above = package.parent().unwrap().to_owned();
    if above.file_name().unwrap().to_str().unwrap().starts_with(&format!("{name}-")) {
        for offers in [".claude-plugin", ".github/plugin", ".agents/plugins"] {
            fs::create_dir_all(above.join(offers)).unwrap();
            let text = format!(r#"{{"plugins": [{{"name": "{name}", "source": "./{name}"}}]}}"#);
            fs::write(above.join(offers).join("marketplace.json"), text).unwrap();
        }
    }
    if !list.is_empty() {
        let list = setup.path(&named(list));
        fs::create_dir_all(list.parent().unwrap()).unwrap();
        fs::write(list, named(text)).unwrap();
    }
    (package, above)
}

/// One home directory for each agent: the list of one is not that of another.
#[test]
fn a_plugin_that_an_agent_loads_is_protected_like_the_program() {
    let mut wrong = Vec::new();
    for noted in NOTED {
        let setup = Setup::new("plugin", ".local/bin/checkrein", &[]);
        let (package, above) = install(&setup, "checkrein", noted);
        let (agent, package) = (noted.0, package.display());
        for text in [
            format!("echo x > {package}/hooks.json"),
            format!("rm {package}/program/checkrein"),
            format!("cp fake {package}/program/"),
            format!("chmod -x {package}/program/checkrein"),
            format!("rm -rf {package}"),
            format!("mv {package} /tmp/x"),
            format!("ln -sfn /tmp/x {package}"),
            format!("cd {package} && rm hooks.json"),
            format!("bash -c 'sed -i s/a/b/ {package}/hooks.json'"),
            format!("python3 -c 'import shutil; shutil.rmtree(\"{package}\")'"),
            format!("find {package} -name checkrein -delete"),
            format!("mv {} /tmp/x", above.display()),
        ] {
            let decided = setup.shell(&text);
            if decided != "deny" && !(decided == "ask" && text.contains("program/") && text.starts_with("cp"))
            {
                wrong.push(format!("{agent}: {text}: {decided}"));
            }
        }
        for (tool, input) in [
            ("Write", json!({"file_path": format!("{package}/hooks.json"), "content": "{}"})),
            (
                "Edit",
                json!({"file_path": format!("{package}/hooks.json"), "old_string": "a", "new_string": "b"}),
            ),
            (
                "mcp__filesystem__write_file",
                json!({"path": format!("{package}/program/checkrein"), "content": ""}),
            ),
        ] {
            let decided = setup.decided(tool, &input);
            if decided != "deny" {
                wrong.push(format!("{agent}: {tool} {input}: {decided}"));
            }
        }
        let offers = above.join(".claude-plugin/marketplace.json");
        if offers.exists() && setup.shell(&format!("echo '{{}}' > {}", offers.display())) != "deny" {
            wrong.push(format!("{agent}: {}", offers.display()));
        }
        for text in [format!("ls -l {package}"), format!("sha256sum {package}/program/checkrein")] {
            let decided = setup.shell(&text);
            if !decided.is_empty() {
                wrong.push(format!("{agent}: {text}: {decided}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A plugin of others is not protected, in the project where agents work on it.
#[test]
fn a_plugin_of_others_is_not_protected() {
    let mut wrong = Vec::new();
    for noted in NOTED.iter().filter(|(.., package)| package.starts_with("work/")) {
        let setup = Setup::new("plugin", ".local/bin/checkrein", &[]);
        let (package, _) = install(&setup, "other", noted);
        install(&setup, "checkrein", noted);
        let package = package.display();
        for text in [
            format!("echo x > {package}/hooks.json"),
            format!("chmod -x {package}/program/other"),
            format!("cp fake {package}/program/"),
            format!("touch {package}/new"),
        ] {
            let decided = setup.shell(&text);
            if !decided.is_empty() {
                wrong.push(format!("{}: {text}: {decided}", noted.0));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// An agent must not lose its notes about our plugin: where it is, and that it is enabled.
#[test]
fn the_entry_of_our_plugin_is_protected() {
    let setup = Setup::new("plugin", ".local/bin/checkrein", &[]);
    let lists: &[(&str, &str, &str, &str)] = &[
        (
            ".claude/settings.json",
            r#"{"enabledPlugins": {"checkrein@checkrein": true, "x@y": true}}"#,
            r#"checkrein": true"#,
            r#"x@y": true"#,
        ),
        (
            ".claude/plugins/known_marketplaces.json",
            r#"{"checkrein": {"installLocation": "/a"}, "x": {"installLocation": "/b"}}"#,
            "/a",
            "/b",
        ),
        (
            ".codex/config.toml",
            "model = \"a\"\n[plugins.\"checkrein@checkrein\"]\nenabled = true\n",
            "= true",
            "\"a\"",
        ),
        (
            ".copilot/config.json",
            r#"{"installed_plugins": ["checkrein"], "enabledPlugins": {"checkrein@checkrein": true}, "model": "a"}"#,
            "true",
            "\"a\"",
        ),
        (
            ".pi/agent/settings.json",
            r#"{"packages": ["npm:checkrein-pi", "npm:x"]}"#,
            "npm:checkrein-pi",
            "npm:x",
        ),
        (
            ".config/opencode/opencode.json",
            r#"{"plugin": ["checkrein-opencode", "x"]}"#,
            "checkrein-opencode",
            "\"x\"",
        ),
    ];
    for (list, text, ours, others) in lists {
        let path = setup.path(list);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let edit = |old: &str| json!({"file_path": path, "old_string": old, "new_string": old.replace("true", "false").replace(['x', 'b'], "z").replace("/a", "/z").replace("checkrein", "z")});
        assert_eq!(setup.decided("Edit", &edit(ours)), "deny", "{list}: {ours}");
        assert_eq!(setup.decided("Edit", &edit(others)), "ask", "{list}: {others}");
        assert_eq!(setup.shell(&format!("rm {}", path.display())), "deny", "{list}");
    }
}

/// Agents' own commands, with the path or the name of our plugin.
#[test]
fn an_agents_command_does_not_remove_our_plugin() {
    let setup = Setup::new("plugin", ".local/bin/checkrein", &[]);
    for noted in NOTED {
        install(&setup, "checkrein", noted);
    }
    for (text, expected) in [
        ("claude plugin disable checkrein@checkrein", "deny"),
        ("claude plugin uninstall checkrein", "deny"),
        ("claude plugin marketplace remove checkrein", "deny"),
        ("codex plugin remove checkrein@checkrein", "deny"),
        ("copilot plugin uninstall checkrein", "deny"),
        ("gemini extensions disable checkrein", "deny"),
        ("qwen extensions uninstall checkrein", "deny"),
        ("pi remove ~/work/checkrein-pi", "deny"),
        ("pi remove ./checkrein-pi", "deny"),
        ("gemini extensions uninstall ~/src/checkrein-g", "deny"),
        ("bash -c 'pi remove ../work/checkrein-pi'", "deny"),
        ("claude plugin disable --all", "ask"),
        ("pi remove ~/work/other-pi", "ask"),
        ("gemini extensions disable other", "ask"),
        ("claude plugin list", ""),
        ("gemini extensions list", ""),
    ] {
        assert_eq!(setup.shell(text), expected, "{text}");
    }
}
