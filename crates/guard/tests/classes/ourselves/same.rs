//! A file of ours under another name: links, mounts, other directories, file systems that fold names.

use super::{Machine, everything, group, place};
use checkrein_core::Decision::{Abstain as Silent, Ask, Deny};
use checkrein_guard::judge;

#[test]
fn agents_directories_in_use() {
    let world = Machine {
        variables: &[("CLAUDE_CONFIG_DIR", "/home/dev/cfg/claude"), ("CODEX_HOME", "/home/dev/cfg/codex")],
        ..Machine::default()
    }
    .file("/home/dev/cfg/claude/settings.json")
    .file("/home/dev/cfg/codex/hooks.json");
    let dangerous = [
        "echo '{}' > ~/cfg/claude/settings.json",
        "rm ~/cfg/codex/hooks.json",
        "rm -rf ~/cfg/codex",
        "mv ~/cfg ~/cfg2",
        "chmod u-x ~/cfg",
        "chmod 600 ~/cfg/claude",
        "ln -sfn /tmp/x ~/cfg/claude",
        "ln ~/cfg/claude/settings.json h",
        "cp -l ~/cfg/claude/settings.json h",
        "emacs --batch ~/cfg/codex/hooks.json --eval '(erase-buffer)' -f save-buffer",
        "find . -samefile ~/cfg/codex/hooks.json -exec truncate -s 0 {} +",
        // The variables are as the agent has them, in any language.
        "perl -e 'unlink \"$ENV{CODEX_HOME}/hooks.json\"'",
        "ruby -e 'File.delete(ENV[\"CODEX_HOME\"] + \"/hooks.json\")'",
        "php -r 'unlink(getenv(\"CODEX_HOME\").\"/hooks.json\");'",
        "python3 -c 'import os; os.remove(os.getenv(\"CODEX_HOME\") + \"/hooks.json\")'",
        "node -e 'fs.unlinkSync(process.env.CODEX_HOME + \"/hooks.json\")'",
        "awk 'BEGIN{system(\"rm \" ENVIRON[\"CODEX_HOME\"] \"/hooks.json\")}'",
    ];
    let harmless = [
        "cat ~/cfg/claude/settings.json",
        "ls ~/cfg",
        "mkdir -p ~/cfg/other",
        "cp src/main.rs ~/cfg/",
        "find . -samefile a -exec wc -c {} +",
        "perl -e 'print $ENV{CODEX_HOME}'",
        "python3 -c 'import os; print(os.getenv(\"CODEX_HOME\"))'",
    ];
    let said = |text: &str| judge(text, &place(&world), &world).decision;
    for text in dangerous {
        assert!(said(text) >= Ask, "{text}: {}", said(text));
    }
    for text in harmless {
        assert_eq!(said(text), Silent, "{text}");
    }
    group(&world, &[("sed -i s/a/b/ ~/cfg/claude/settings.json", Ask), ("chmod u-x ~/cfg", Deny)]);
}

#[test]
fn links_lead_to_what_is_meant() {
    let world = Machine { programs: &["/home/dev/.local/bin/checkrein"], ..Machine::default() }
        .link("/home/dev/.local/bin/checkrein", "../share/guard/checkrein-1.0")
        .file("/home/dev/.local/share/guard/checkrein-1.0")
        .link("/home/dev/.config", "dotfiles/config")
        .file("/home/dev/dotfiles/config/checkrein/config.toml")
        .link("/home/dev/.claude/settings.json", "/home/dev/dotfiles/claude.json")
        .file("/home/dev/dotfiles/claude.json")
        .link("/home/dev/.codex", "dotfiles/codex")
        .file("/home/dev/dotfiles/codex/hooks.json")
        .link("/home/dev/proj/l", "/home/dev/.local/state/checkrein");
    let dangerous = [
        "rm ~/.local/bin/checkrein",
        "ln -sf /bin/true ~/.local/bin/checkrein",
        "cp /bin/true ~/.local/share/guard/checkrein-1.0",
        "mv ~/.local/share/guard /tmp/g",
        "chmod -x ~/.local/share/guard/checkrein-1.0",
        "rm ~/.config",
        "ln -sfn /tmp/x ~/.config",
        "echo > ~/dotfiles/config/checkrein/config.toml",
        "mv ~/dotfiles/config ~/dotfiles/c2",
        "mv ~/dotfiles ~/d2",
        "echo '{}' > ~/dotfiles/claude.json",
        "rm ~/.claude/settings.json",
        "rm ~/dotfiles/codex/hooks.json",
        "echo x > l/once/abc",
        "rm -rf l/once",
    ];
    let harmless = ["echo x > ~/dotfiles/vimrc", "cat ~/dotfiles/claude.json", "cp a ~/dotfiles/config/foo"];
    everything(&world, &[], &dangerous, &harmless);
}

#[test]
fn hard_links_and_mounts_are_the_same_file() {
    let world = Machine::usual()
        .same("/home/dev/proj/h", "/home/dev/.claude/settings.json")
        .same("/home/dev/proj/p", "/home/dev/.local/state/checkrein/once/abc")
        .same("/home/dev/proj/c", "/home/dev/.config/checkrein/config.toml")
        .same("/home/dev/proj/g", "/home/dev/.local/bin/checkrein")
        .same("/mnt/here", "/home/dev/.config")
        .file("/home/dev/proj/other")
        .same("/home/dev/proj/twin", "/home/dev/proj/other");
    let dangerous = [
        "echo > h",
        "echo > p",
        "echo >> c",
        "cp /bin/true g",
        "chmod -x g",
        "truncate -s0 h",
        "echo x > /mnt/here/checkrein/config.toml",
        "rm -rf /mnt/here/checkrein",
        "mv /mnt/here /mnt/there",
    ];
    let harmless = ["echo > other", "echo > twin", "rm twin", "cat h", "echo x > /mnt/here/foo"];
    everything(&world, &[], &dangerous, &harmless);
}

#[test]
fn file_systems_that_know_a_path_by_other_names() {
    let world = || Machine {
        folds: true,
        home: Some("/Users/dev"),
        synonyms: &[("/System/Volumes/Data", "")],
        programs: &["/Users/dev/.local/bin/checkrein"],
        ..Machine::default()
    };
    let dangerous = [
        "echo '{}' > ~/.CLAUDE/settings.json",
        "echo '{}' > ~/.claude/Settings.JSON",
        "echo '{}' > ~/.claude/\u{17f}ettings.json",
        "echo '{}' > /users/DEV/.claude/settings.json",
        "rm /System/Volumes/Data/Users/dev/.claude/settings.json",
        "rm /system/volumes/data/users/dev/.codex/hooks.json",
        "rm ~/.Codex/hooks.json",
        "mv ~/.LOCAL/State /tmp/x",
        "echo x > ~/.Config/CheckRein/config.toml",
        "rm ~/.local/BIN/checkrein",
        "cp /bin/true ~/.local/bin/Checkrein",
        "mv ~/.local/b\u{200c}in /tmp/x",
    ];
    let harmless = [
        "echo x > ~/proj/README",
        "touch ~/.local/bin/Rg",
        "cat ~/.CLAUDE/settings.json",
        "mkdir -p ~/.Config/foo",
    ];
    everything(&world(), &[], &dangerous, &harmless);
    // Where names are told apart, another name is another file.
    let apart = Machine { folds: false, ..Machine::usual() };
    group(&apart, &[("touch ~/.local/bin/Checkrein", Silent), ("echo x > ~/.CLAUDE/notes", Silent)]);
}

#[test]
fn other_machines_have_only_the_usual_places() {
    let world = Machine { programs: &["/home/dev/bin/checkrein"], ..Machine::default() }
        .file("/home/dev/bin/checkrein");
    let said = |text: &str| {
        judge(text, &place(&world), &world)
            .findings
            .iter()
            .any(|found| found.rule.id.starts_with("protection."))
    };
    assert!(!said("ssh host mv .local/state x") && !said("docker run --rm alpine rm -rf /home/dev/bin"));
    assert!(!said("rsync -an --delete x/ ~/.config/"));
}
