//! Uses of our program, our packages and our state.

use super::{Machine, everything, group, place};
use checkrein_core::Decision::{Abstain as Silent, Ask, Deny};
use checkrein_guard::{Action, judge_file};
use std::collections::BTreeMap;

#[test]
fn what_we_remember_is_not_read() {
    let world = Machine::usual();
    let dangerous = [
        "cat ~/.local/state/checkrein/once/abc",
        "cat ~/.local/state/checkrein/*",
        "cat ~/.local/state/checkrein/once/*",
        "cp -r ~/.local/state /tmp/st",
        "cp -r ~/.local/state/checkrein .",
        "tar cf s.tar ~/.local/state",
        "tar -C ~/.local -cf - state | base64",
        "rsync -a ~/.local/state/ /tmp/st/",
        "grep -r . ~/.local/state",
        "zip -r s.zip ~/.local/state",
        "find ~/.local/state -type f -exec cat {} +",
        "cd ~/.local/state/checkrein && cat once/abc",
        "python3 -c 'print(open(\"/home/dev/.local/state/checkrein/once/abc\").read())'",
        "head -c 100 ~/.local/state/checkrein/key",
        "base64 ~/.local/state/checkrein/key",
        "source ~/.local/state/checkrein/key",
        "bash ~/.local/state/checkrein/once/abc",
        "cmp -l ~/.local/state/checkrein/key /dev/null",
        "git hash-object -w ~/.local/state/checkrein/key",
    ];
    let harmless = [
        "ls -l ~/.local/state",
        "cat ~/.config/checkrein/config.toml",
        "cp -r ~/.config/nvim /tmp/",
        "cat ~/.local/state/other/log",
        "source ~/.profile",
        "git -C ~/src log",
        "cmp a b",
    ];
    everything(&world, &[], &dangerous, &harmless);
    group(&world, &[("tar cf all.tar ~", Ask), ("cp -r ~ /tmp/all", Ask)]);
    for path in ["/home/dev/.local/state/checkrein/once/abc", "~/.local/state/checkrein/key"] {
        assert_eq!(judge_file(Action::Read, path, None, &place(&world), &world).decision, Deny, "{path}");
    }
}

/// The content of a directory decides which programs it installs, whatever its name is.
#[test]
fn packages_of_ours_by_their_manifests() {
    let mut world = Machine::usual();
    for (path, text) in [
        ("/home/dev/proj/a/package.json", r#"{"name": "a", "bin": {"checkrein": "x.js"}}"#),
        (
            "/home/dev/proj/b/package.json",
            r#"{"name": "b", "bin": {"b": "x.js"}, "dependencies": {"checkrein": "1"}}"#,
        ),
        (
            "/home/dev/proj/c/pyproject.toml",
            "[project]\nname = \"c\"\n[project.scripts]\ncheckrein = \"c:main\"\n",
        ),
        (
            "/home/dev/proj/d/pyproject.toml",
            "[project]\nname = \"d\"\ndependencies = [\"checkrein\"]\n[project.scripts]\nd = \"d:main\"\n",
        ),
        ("/home/dev/proj/e/Cargo.toml", "[package]\nname = \"e\"\n[[bin]]\nname = \"checkrein\"\n"),
        ("/home/dev/proj/f/Cargo.toml", "[package]\nname = \"f\"\n[dependencies]\ncheckrein = \"1\"\n"),
        ("/home/dev/proj/g/setup.cfg", "[metadata]\nname = checkrein\n"),
        ("/home/dev/proj/package.json", r#"{"name": "checkrein"}"#),
    ] {
        world = world.file(path);
        world.texts.insert(path, text);
    }
    let dangerous = [
        "npm install -g ./a",
        "npm i --global file:a",
        "npm i -g file:./a",
        "pnpm add -g ~/proj/a",
        "npm link",
        "npm install -g",
        "pip install ./c",
        "pip3 install --user -e ./c",
        "pipx install --force ./c",
        "uv tool install ./c",
        "uv tool install --editable ./c",
        "pip install ./g",
        "cargo install --path e",
        "cargo install --path=./e",
        "cd a && npm install -g .",
    ];
    let harmless = [
        "npm install -g ./b",
        "npm install",
        "npm install ./a",
        "npm link typescript",
        "pip install ./d",
        "uv tool install ./d",
        "cargo install --path f",
        "cargo install ripgrep",
    ];
    everything(&world, &[], &dangerous, &harmless);
}

#[test]
fn packages_of_ours() {
    let dangerous = [
        "pip install checkrein==0.0.0",
        "pip3 install 'checkrein<1'",
        "python3 -m pip install --upgrade checkrein",
        "pip uninstall -y checkrein",
        "pip install git+https://example.com/x/checkrein.git",
        "pip install ./dist/checkrein-0.0.1-py3-none-any.whl",
        "pipx install checkrein",
        "pipx upgrade checkrein",
        "pipx reinstall checkrein",
        "uv tool install checkrein@0.0.1",
        "uv tool uninstall checkrein",
        "uv pip install checkrein==0",
        "cargo install checkrein-cli --version 0.0.1",
        "cargo install checkrein@0.0.1 --force",
        "cargo install --git https://example.com/a/checkrein",
        "cargo install --bin checkrein other",
        "cargo binstall checkrein",
        "brew unlink checkrein",
        "brew upgrade checkrein",
        "brew reinstall user/tap/checkrein",
        "npm i -g checkrein@0.0.1",
        "npm install --global @checkrein/cli",
        "volta install checkrein@0",
        "mise use -g checkrein@0.0.1",
        "asdf uninstall checkrein 1.0",
        "nix profile remove checkrein",
        "nix-env -e checkrein",
        "sudo apt-get install checkrein=0.1",
        "sudo dnf downgrade checkrein",
        "sudo pacman -R checkrein",
        "apk del checkrein",
        "go install example.com/x/checkrein@latest",
    ];
    let harmless = [
        "cargo install ripgrep",
        "pip show checkrein",
        "pip install requests",
        "pip list | grep checkrein",
        "brew info checkrein",
        "cargo test -p checkrein-guard",
        "cargo build --bin checkrein",
        "cargo add checkrein",
        "npm install checkrein",
        "uv add checkrein",
        "npm i -g typescript",
        "apt-cache policy checkrein",
        "uv tool list",
    ];
    let world = Machine {
        texts: BTreeMap::from([("/home/dev/proj/evil/Cargo.toml", "[package]\nname = \"checkrein\"\n")]),
        ..Machine::usual()
    }
    .file("/home/dev/proj/evil/Cargo.toml");
    everything(&world, &[], &dangerous, &harmless);
    group(&world, &[("cargo install --path evil", Deny), ("cargo install --path .", Silent)]);
    // A program of the project itself goes with the project's packages.
    let wheel = Machine { programs: &["/home/dev/proj/.venv/bin/checkrein"], ..Machine::default() }
        .file("/home/dev/proj/.venv/bin/checkrein");
    group(
        &wheel,
        &[("uv add checkrein==0.0.1", Deny), ("poetry add checkrein", Deny), ("uv add requests", Silent)],
    );
}

#[test]
fn programs_of_agents() {
    let world = Machine { agents: &["/home/dev/.npm-global/bin/claude", "/opt/a/codex"], ..Machine::usual() }
        .link("/home/dev/.npm-global/bin/claude", "../lib/claude/cli.js")
        .file("/home/dev/.npm-global/lib/claude/cli.js")
        .file("/opt/a/codex");
    let dangerous = [
        "cp x ~/.npm-global/bin/claude",
        "cp x ~/.npm-global/lib/claude/cli.js",
        "echo x >> ~/.npm-global/lib/claude/cli.js",
        "ln -sf /tmp/x ~/.npm-global/bin/claude",
        "mv /tmp/x /opt/a/codex",
    ];
    let harmless =
        ["claude --version", "cat ~/.npm-global/lib/claude/cli.js", "cp x ~/.npm-global/lib/other.js"];
    everything(&world, &[], &dangerous, &harmless);
}

#[test]
fn tools_for_files() {
    let world = Machine {
        variables: &[("XDG_STATE_HOME", "/home/dev/st"), ("CODEX_HOME", "/home/dev/cx")],
        ..Machine::usual()
    };
    let said = |action, path: &str| judge_file(action, path, Some("x"), &place(&world), &world).decision;
    for action in [Action::Write, Action::Append, Action::Delete, Action::Move, Action::Create] {
        for path in [
            "/home/dev/.local/bin/checkrein",
            "~/.local/bin/checkrein",
            "../.local/bin/./checkrein",
            "/home/dev/st/checkrein/repair-until",
            "/home/dev/st/checkrein/once/0",
            "/home/dev/.config/checkrein/config.toml",
            "/home/dev/proj/../.config/checkrein/new.toml",
        ] {
            assert_eq!(said(action, path), Deny, "{action} {path}");
        }
        assert!(said(action, "/home/dev/cx/hooks.json") >= Ask, "{action}");
        assert_eq!(said(action, "/home/dev/proj/src/x.rs"), Silent, "{action}");
    }
    for action in [Action::Delete, Action::Move] {
        for path in ["/home/dev/st", "/home/dev/.local/bin", "/home/dev/.config"] {
            assert_eq!(said(action, path), Deny, "{action} {path}");
        }
    }
}
