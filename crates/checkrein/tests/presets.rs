//! The presets: their cases, and the settings of a machine with which they no longer hold.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein::{
    Config,
    guard::{AllowRule, CallContext, FileKind, NotAllowed, World, judge},
    presets::ALL,
};
use std::{collections::BTreeMap, fs, path::Path};

const HOME: &str = "/home/dev";
const PROJECT: &str = "/home/dev/proj";

/// A machine with these files and variables.
#[derive(Default)]
struct Machine {
    files: BTreeMap<String, String>,
    variables: BTreeMap<String, String>,
}

impl Machine {
    fn new() -> Self {
        let mut machine = Self::default();
        for (file, text) in [
            (".git/HEAD", "ref: refs/heads/main\n"),
            (".git/objects/x", ""),
            (".git/config", "[core]\n\tbare = false\n[alias]\n\tmine = !make\n\tst = status\n"),
        ] {
            machine.add(&format!("{PROJECT}/{file}"), text);
        }
        machine
    }

    fn add(&mut self, file: &str, text: &str) {
        self.files.insert(file.to_owned(), text.to_owned());
    }

    fn with(file: &str, text: &str) -> Self {
        let mut machine = Self::new();
        machine.add(file, text);
        machine
    }
}

impl World for Machine {
    fn home(&self) -> Option<String> {
        Some(HOME.to_owned())
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        if self.files.contains_key(path) {
            return Some(FileKind::File);
        }
        let below = format!("{}/", path.trim_end_matches('/'));
        self.files.keys().any(|file| file.starts_with(&below)).then_some(FileKind::Directory)
    }

    fn text(&self, path: &str) -> Option<String> {
        self.files.get(path).cloned()
    }
}

/// Returns the allow rules of all presets, as a user's file has them.
fn allow_rules() -> Vec<AllowRule> {
    let text = ALL.iter().fold(String::new(), |text, preset| preset.add_to(&text));
    let config = Config::parse(&text, "/home/dev/.config/checkrein/config.toml".as_ref());
    config.unwrap_or_else(|problems| panic!("{problems}")).allow_rules().to_vec()
}

fn asked(command: &str, machine: &Machine) -> Result<(), NotAllowed> {
    let place =
        CallContext { cwd: Some(PROJECT.into()), project: Some(PROJECT.into()), ..CallContext::default() };
    let judgement = judge(command, &place, machine);
    judgement.allowed(&allow_rules(), &place).and_then(|()| judgement.settings(machine))
}

#[test]
fn every_case_is_as_it_says() {
    let machine = Machine::new();
    let mut wrong = Vec::new();
    for preset in ALL {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets").join(preset.name);
        let cases = fs::read_to_string(file.with_extension("cases")).unwrap();
        let (mut allowed, mut not_allowed) = (0, 0);
        for line in cases.lines() {
            let (sign, command) = line.split_once(' ').unwrap();
            let said = asked(command, &machine);
            match sign {
                "+" => allowed += 1,
                "-" => not_allowed += 1,
                _ => panic!("`{line}` is no case"),
            }
            if said.is_ok() != (sign == "+") {
                wrong.push(format!("{}: {line}: {said:?}", preset.name));
            }
        }
        assert!(allowed >= 4 && not_allowed >= 10, "{} has too few cases", preset.name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every command of a preset is allowed, so none of them is dead, and only ever reads.
#[test]
fn every_entry_counts_and_may_only_read() {
    let machine = Machine::new();
    for rule in allow_rules() {
        assert_eq!(rule.actions, AllowRule::ACTIONS);
        assert_eq!(rule.zones, AllowRule::ZONES);
        for command in &rule.programs {
            let command = command.replace('*', "x");
            assert_eq!(asked(&command, &machine), Ok(()), "{command}");
        }
    }
}

/// No dangerous command of the guard's own corpus is allowed.
#[test]
fn what_the_corpus_calls_dangerous_is_not_allowed() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/guard/commands.jsonl");
    let machine = Machine::new();
    let mut tried = 0;
    for line in fs::read_to_string(corpus).unwrap().lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let Some(command) = case["command"].as_str() else { continue };
        if case["expect"] != "allow" {
            tried += 1;
            assert!(asked(command, &machine).is_err(), "{command}");
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn git_entries_hold_only_while_no_setting_names_a_program() {
    let config = format!("{PROJECT}/.git/config");
    let user = format!("{HOME}/.gitconfig");
    for (file, text) in [
        (config.as_str(), "[core]\n\tfsmonitor = ./watch\n"),
        (&config, "[core]\n\tpager = ./show\n"),
        (&config, "[pager]\n\tlog = ./show\n"),
        (&config, "[diff]\n\texternal = ./differ\n"),
        (&config, "[diff \"image\"]\n\ttextconv = ./convert\n"),
        (&config, "[filter \"tidy\"]\n\tclean = ./tidy\n"),
        (&config, "[core]\n\thooksPath = .githooks\n"),
        (&config, "[extensions]\n\tworktreeConfig = true\n"),
        (&config, "[remote \"origin\"]\n\tpromisor = true\n"),
        (&config, "[include]\n\tpath = ../more\n"),
        (&user, "[core]\n\tpager = delta\n"),
        ("/home/dev/.config/git/config", "[diff]\n\texternal = difft\n"),
        ("/etc/gitconfig", "[core]\n\tfsmonitor = /opt/watch\n"),
        (&format!("{PROJECT}/.git/hooks/post-index-change"), "make\n"),
        (&format!("{PROJECT}/.git/modules/lib/config"), ""),
        (&config, &format!("[core]\n{}", "#\n".repeat(40_000))),
    ] {
        let mut machine = Machine::with(file, text);
        machine.add(&format!("{PROJECT}/more"), "");
        machine.add(&format!("{PROJECT}/.git/../more"), "[core]\n\tfsmonitor = ./watch\n");
        for command in ["git status", "git log -3 && ls"] {
            assert!(asked(command, &machine).is_err(), "{file}: {text}: {command}");
        }
        assert_eq!(asked("ls | head", &machine), Ok(()), "{file}");
    }
    for (file, text) in [
        (config.as_str(), "[core]\n\tfsmonitor = false\n\tpager = cat\n[user]\n\tname = x\n"),
        (&config, "[core]\n\tfsmonitor = true\n[alias]\n\twipe = !make\n"),
        (&user, "[core]\n\teditor = vim\n[credential]\n\thelper = store\n"),
    ] {
        assert_eq!(asked("git status", &Machine::with(file, text)), Ok(()), "{text}");
    }
    // A repository without a work tree is one by its names alone.
    let mut bare = Machine::new();
    for name in ["HEAD", "config", "objects/x"] {
        bare.add(&format!("{PROJECT}/lib/{name}"), "[core]\n\tfsmonitor = ./watch\n");
    }
    assert_eq!(asked("git status", &bare), Ok(()));
    assert_eq!(asked("cd lib && git status", &bare), Err(NotAllowed::Setting(1)));
    for variable in ["GIT_EXTERNAL_DIFF", "GIT_PAGER", "PAGER", "GIT_CONFIG_COUNT", "GIT_DIR"] {
        let mut machine = Machine::new();
        machine.variables.insert(variable.to_owned(), "./x".to_owned());
        assert_eq!(asked("git status", &machine), Err(NotAllowed::Setting(0)), "{variable}");
    }
    let mut machine = Machine::new();
    machine.variables.insert("PAGER".to_owned(), "less".to_owned());
    assert_eq!(asked("git status", &machine), Ok(()));
}

#[test]
fn other_entries_hold_only_while_no_setting_names_a_program() {
    for (file, text, command) in [
        ("rust-toolchain.toml", "[toolchain]\npath = \"./tools\"\n", "cargo --version"),
        (".cargo/config.toml", "[build]\nrustc-wrapper = \"./x\"\n", "cargo tree --locked --offline"),
        ("../.cargo/config", "[build]\nrustc = \"./x\"\n", "rustc -V"),
    ] {
        let file = format!("{PROJECT}/{file}").replace("proj/../", "");
        assert_eq!(asked(command, &Machine::with(&file, text)), Err(NotAllowed::Setting(0)), "{file}");
    }
    let plain = Machine::with(&format!("{PROJECT}/rust-toolchain.toml"), "[toolchain]\nchannel = \"1.95\"\n");
    assert_eq!(asked("cargo --version", &plain), Ok(()));
    for (variable, command) in
        [("NODE_OPTIONS", "npm ls"), ("PYTHONPATH", "pip freeze"), ("RUSTC_WRAPPER", "cargo --version")]
    {
        let mut machine = Machine::new();
        machine.variables.insert(variable.to_owned(), "x".to_owned());
        assert_eq!(asked(command, &machine), Err(NotAllowed::Setting(0)), "{variable}");
        assert_eq!(asked(command, &Machine::new()), Ok(()), "{command}");
    }
}
