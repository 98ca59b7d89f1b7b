//! `init --preset`: what it adds, to whose file, and who may do that.

use crate::machine::Machine;

fn machine() -> Machine {
    let machine = Machine::with(&[".claude"]);
    machine.agent("claude", "2.1.325 (Claude Code)");
    machine
}

const FILE: &str = ".config/checkrein/config.toml";

#[test]
fn a_user_adds_presets_and_commands_that_read_are_allowed() {
    let machine = machine();
    machine.write(FILE, "# mine\nunattended = \"ask\"\n");
    let said = machine.typed("init --yes --preset read-only,git", str::to_owned);
    assert!(said.ends_with("--- exit 0\n"), "{said}");
    assert!(said.contains("read-only: Commands that look at files"), "{said}");
    let text = machine.read(FILE);
    assert!(text.starts_with("# mine\nunattended = \"ask\"\n\n# checkrein preset read-only\n"), "{text}");
    assert!(text.ends_with("# end of checkrein preset git\n"), "{text}");
    let explained = machine.run(&["explain", "ls && git status | head"]);
    assert!(explained.contains("every command and effect is allowed"), "{explained}");
    let again = machine.typed("init --yes --preset git", str::to_owned);
    assert!(again.contains("already in your configuration"), "{again}");
    assert_eq!(machine.read(FILE), text);
}

#[test]
fn without_the_word_nothing_is_added() {
    let machine = machine();
    let said = machine.typed("init --yes --preset git", |_| "no".to_owned());
    assert!(said.contains("The presets were not added."), "{said}");
    assert!(!machine.path(FILE).exists());
    // Without a terminal there is no one to confirm, whatever `--yes` says.
    let said = machine.run(&["init", "--yes", "--preset", "git"]);
    assert!(said.contains("only a user at a terminal can"), "{said}");
    assert!(!machine.path(FILE).exists());
    let said = machine.run(&["init", "--dry-run", "--preset", "git"]);
    assert!(said.contains("Dry run") && !machine.path(FILE).exists(), "{said}");
}

#[test]
fn it_prints_what_it_would_add_and_knows_its_names() {
    let machine = machine();
    let printed = machine.run(&["init", "--print", "--preset", "rust"]);
    assert!(printed.contains("# checkrein preset rust\n") && printed.contains("[[allow]]"), "{printed}");
    let unknown = machine.run(&["init", "--preset", "everything"]);
    assert!(unknown.contains("`read-only`, `git`, `node`, `rust` or `python`"), "{unknown}");
}
