//! Our own commands, run by an agent: those that change policy are for users, those that read are free.

use checkrein_core::Decision::{self, Ask, Deny};
use checkrein_guard::{
    CallContext, CommandClass, FileKind, HIDDEN_COMMANDS, Judgement, OWN_COMMANDS, World, judge,
};

/// A machine with the program in several places, and under other names.
struct Copies;

const US: [&str; 6] = [
    "/home/dev/.cargo/bin/checkrein",
    "/home/dev/shop/copied",
    "/home/dev/shop/tools/git",
    "/home/dev/bin/lint",
    "/home/dev/shop/harmless",
    "/tmp/x",
];
const OTHERS: [&str; 4] =
    ["/home/dev/shop/bin/tool", "/home/dev/bin/rg", "/usr/bin/git", "/home/dev/.cargo/bin/rg"];

impl World for Copies {
    fn home(&self) -> Option<String> {
        Some("/home/dev".to_owned())
    }

    fn variable(&self, name: &str) -> Option<String> {
        (name == "PATH").then(|| "/home/dev/bin:/home/dev/.cargo/bin:/usr/bin".to_owned())
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        (US.contains(&path) || OTHERS.contains(&path)).then_some(FileKind::File)
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }

    fn is_this_program(&self, path: &str) -> bool {
        US.contains(&path)
    }
}

fn judged(text: &str) -> Judgement {
    let project = Some("/home/dev/shop".to_owned());
    judge(text, &CallContext { cwd: project.clone(), project, ..CallContext::default() }, &Copies)
}

fn is_for_people(text: &str) -> bool {
    judged(text).findings.iter().any(|finding| finding.rule.id == "protection.commands-for-people")
}

/// Ways to run a command line, with `@` in its place.
const WAYS: &[&str] = &[
    "@",
    "sudo @",
    "sudo -u dev -- @",
    "env -i @",
    "env -i HOME=/home/dev setsid -f @",
    "(@ &)",
    "nohup @ > /dev/null 2>&1 &",
    "setsid -f @",
    "nice -n 5 timeout 9 @",
    "sh -c '@'",
    "bash -lc \"cd ~/shop; @\"",
    "echo y | xargs -I{} @",
    "xargs @ < list",
    "find . -maxdepth 0 -exec @ \\;",
    "script -qc '@' /dev/null",
    "systemd-run --user @",
    "echo '@' | at now",
    "at now <<< '@'",
    "unshare -pf --mount-proc @",
    "tmux new-window '@'",
    "tmux new-session -d '@'",
    "screen -dm @",
    "gnome-terminal -- @",
    "xterm -e @",
    "konsole -e @",
    "kitty @",
    "alacritty -e @",
    "xfce4-terminal -x @",
    "foot @",
    "terminator -e '@'",
    "some-unknown-wrapper --flag @",
    "python3 -c 'import os; os.system(\"@\")'",
    "python3 -c 'import subprocess; subprocess.run(\"@\".split())'",
    "perl -e 'system(\"@\")'",
    "node -e 'require(\"child_process\").execSync(\"@\")'",
    "ruby -e 'system(\"@\")'",
    "make -f - <<< 'x:; @'",
    "checkrein supervise 1000 @",
    "checkrein mcp-proxy --name x -- @",
    "x='@'; eval \"$x\"",
    "f() { @; }; f",
    "watch -n 1 '@'",
    "busybox sh -c '@'",
    "expect -c 'spawn @'",
];

/// Names of our program, each of which is it.
const NAMES: &[&str] =
    &["checkrein", "~/.cargo/bin/checkrein", "/home/dev/.cargo/bin/checkrein", "$HOME/.cargo/bin/checkrein"];

#[test]
fn what_changes_policy_is_for_people_by_every_way() {
    let mut silent = Vec::new();
    for command in OWN_COMMANDS.iter().filter(|command| command.class == CommandClass::ChangesPolicy) {
        for (way, name) in WAYS.iter().flat_map(|way| NAMES.iter().map(move |name| (way, name))) {
            let text = way.replace('@', &format!("{name} {} --yes", command.name));
            if !is_for_people(&text) || judged(&text).decision != Deny {
                silent.push(text);
            }
        }
        for way in WAYS {
            let text = way.replace('@', &format!("./copied {}", command.name));
            if !is_for_people(&text) {
                silent.push(text);
            }
        }
    }
    for hidden in HIDDEN_COMMANDS {
        assert!(is_for_people(&format!("checkrein {hidden} x")), "{hidden}");
    }
    assert!(silent.is_empty(), "{} are silent: {silent:#?}", silent.len());
}

#[test]
fn what_reads_is_free_by_every_way() {
    let mut wrong = Vec::new();
    for command in OWN_COMMANDS {
        let texts: Vec<String> = if command.class == CommandClass::ChangesPolicy {
            let shows = command.shows.iter().copied().chain(["--help", "-h"]);
            shows.map(|flag| format!("checkrein {} {flag}", command.name)).collect()
        } else {
            vec![format!("checkrein {}", command.name), format!("./copied {} x", command.name)]
        };
        for (way, text) in WAYS.iter().flat_map(|way| texts.iter().map(move |text| (way, text))) {
            let text = way.replace('@', text);
            if is_for_people(&text) {
                wrong.push(text);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_server_of_a_proxy_is_a_command_like_any_other() {
    for text in [
        "checkrein mcp-proxy -- rm -rf ~",
        "checkrein mcp-proxy --name x --config y -- sh -c 'rm -rf ~'",
        "./copied mcp-proxy -- rm -rf ~",
    ] {
        assert_eq!(judged(text).decision, Deny, "{text}");
    }
    for text in ["checkrein mcp-proxy -- npx -y server", "checkrein mcp-proxy --entry -- cat notes.txt"] {
        assert_eq!(judged(text).decision, Decision::Abstain, "{text}");
    }
}

#[test]
fn a_copy_is_known_by_its_bytes() {
    let wrong: Vec<&str> = [
        "./copied uninstall --yes",
        "tools/git init --yes",
        "/tmp/x trust",
        "lint repair",
        "env -i HOME=$HOME setsid -f ./copied uninstall --yes",
        "./copied $command",
        "cd tools && ./git uninstall",
        "cat ~/.cargo/bin/checkrein > cr; chmod +x cr; ./cr uninstall --yes",
        "cat < ~/.cargo/bin/checkrein > cr; ./cr uninstall",
        "dd if=$HOME/.cargo/bin/checkrein of=cr && chmod 755 cr && ./cr init --yes",
        "cat ~/.cargo/bin/checkrein | tee cr > /dev/null; ./cr trust",
        "tee cr < ~/.cargo/bin/checkrein >/dev/null; ./cr trust",
        "install -m755 ~/.cargo/bin/checkrein cr; ./cr allow x",
        "install -m755 /dev/stdin cr < ~/.cargo/bin/checkrein; ./cr allow x",
        "cp ~/.cargo/bin/checkrein cr; ./cr repair",
        "cp --reflink=always ~/.cargo/bin/checkrein /tmp/cr && /tmp/cr uninstall --yes",
        "cp harmless other; ./other uninstall",
        "ln ~/.cargo/bin/checkrein cr; ./cr uninstall",
        "ln -s ~/.cargo/bin/checkrein cr; ./cr uninstall",
        "ln -s target/release/checkrein cr; ./cr uninstall",
        "head -c 99999999 ~/.cargo/bin/checkrein > cr; chmod +x cr; ./cr uninstall",
        "head -c -0 ~/.cargo/bin/checkrein > cr; ./cr uninstall",
        "tail -c +1 ~/.cargo/bin/checkrein > cr; ./cr uninstall",
        "cat harmless > cr2; ./cr2 trust",
        "cp \"$(which checkrein)\" cr; ./cr uninstall",
        "cat $(command -v checkrein) > cr; ./cr uninstall",
        "mv copied other; ./other uninstall",
        "rsync ~/.cargo/bin/checkrein cr; ./cr uninstall",
        "python3 -c 'import shutil; shutil.copy(\"/home/dev/.cargo/bin/checkrein\", \"cr\")'; ./cr uninstall",
        "base64 ~/.cargo/bin/checkrein | base64 -d > cr; ./cr uninstall",
        "gzip -c ~/.cargo/bin/checkrein | gunzip > cr; ./cr uninstall",
        "perl -e 'exec {\"checkrein\"} \"x\", \"uninstall\", \"--yes\"'",
        "perl -e 'exec{\"checkrein\"}\"x\",\"uninstall\"'",
        "perl -e '$p = \"checkrein\"; system { $p } (\"x\", \"trust\")'",
        "perl -e '@a = (\"x\", \"trust\"); exec { \"/home/dev/.cargo/bin/checkrein\" } @a'",
        "exec -a harmless checkrein uninstall --yes",
        "/lib64/ld-linux-x86-64.so.2 ~/.cargo/bin/checkrein uninstall --yes",
        "/lib64/ld-linux-x86-64.so.2 ./copied uninstall --yes",
        "sh -c 'cp ~/.cargo/bin/checkrein /tmp/q; /tmp/q trust'",
        "cp ~/.cargo/bin/checkrein a; cp a b; cat b > c; ./c trust",
    ]
    .into_iter()
    .filter(|text| !is_for_people(text))
    .collect();
    assert!(wrong.is_empty(), "{} are silent: {wrong:#?}", wrong.len());
}

#[test]
fn what_may_be_a_copy_is_asked_about() {
    let asked = |text: &str| -> Decision { judged(text).decision };
    let wrong: Vec<&str> = [
        "cp ~/.cargo/bin/checkrein \"$d\"; $d/x uninstall",
        "cat ~/.cargo/bin/checkrein | unknown-packer > y; unknown-runner y; $z uninstall --yes",
        "find ~/.cargo/bin -name 'check*' -exec {} uninstall --yes \\;",
        "for x in ~/.cargo/bin/c*; do $x uninstall --yes; done",
    ]
    .into_iter()
    .filter(|text| asked(text) < Ask)
    .collect();
    assert!(wrong.is_empty(), "{} are silent: {wrong:#?}", wrong.len());
}

#[test]
fn other_programs_have_commands_of_the_same_name() {
    let wrong: Vec<&str> = [
        "git init",
        "/usr/bin/git init",
        "npm init -y",
        "cargo init --lib",
        "terraform init",
        "./bin/tool init",
        "./bin/tool uninstall --yes",
        "rg trust src",
        "grep -rn uninstall .",
        "$tool init",
        "\"$BIN\" uninstall",
        "cp ~/.cargo/bin/rg x; ./x uninstall",
        "cat ~/.cargo/bin/rg > y; chmod +x y; ./y init",
        "mkcert -install",
        "direnv allow",
        "mise trust",
        "pipx uninstall black",
        "helm uninstall web",
        "cat ~/.cargo/bin/checkrein > /dev/null; git init",
        "sha256sum ~/.cargo/bin/checkrein",
        "ssh host ./copied uninstall",
        "checkrein check 'checkrein uninstall'",
        "echo checkrein uninstall",
        "man checkrein",
        "checkrein --version",
        "which checkrein",
    ]
    .into_iter()
    .filter(|text| {
        let findings = judged(text).findings;
        findings.iter().any(|finding| finding.rule.id.contains("commands-for-people"))
    })
    .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
