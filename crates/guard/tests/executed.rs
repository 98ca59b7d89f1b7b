//! Effects that commands had when they really ran (`cargo xtask soundness`) and that were not predicted once.

#![allow(clippy::panic, reason = "tests")]

use checkrein_core::Decision;
use checkrein_guard::{CallContext, FileKind, Judgement, World, judge};

/// A home directory with a key in it.
struct Machine;

impl World for Machine {
    fn home(&self) -> Option<String> {
        Some("/home/dev".to_owned())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        (path == "/home/dev/.ssh/id_ed25519").then_some(FileKind::File)
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }
}

fn judged(text: &str) -> Judgement {
    let project = Some("/home/dev/proj".to_owned());
    judge(text, &CallContext { cwd: project.clone(), project, typed: false }, &Machine)
}

fn effects(text: &str) -> Vec<String> {
    judged(text).effects.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn predicted(text: &str, start: &str) {
    let effects = effects(text);
    assert!(effects.iter().any(|effect| effect.starts_with(start)), "{text}: {effects:?}");
}

#[track_caller]
fn not_predicted(text: &str, start: &str) {
    let effects = effects(text);
    assert!(!effects.iter().any(|effect| effect.starts_with(start)), "{text}: {effects:?}");
}

#[test]
fn a_packed_file_is_gone_unless_it_is_kept() {
    for text in [
        "gzip notes.txt",
        "bzip2 -9 notes.txt",
        "xz -T0 notes.txt",
        "gunzip notes.txt",
        "xz -d notes.txt",
        "bunzip2 -q notes.txt",
        "zstd --rm notes.txt",
        "sh -c 'gzip -f notes.txt'",
    ] {
        predicted(text, "move /home/dev/proj/notes.txt");
    }
    for text in [
        "gzip -k notes.txt",
        "gzip -c notes.txt > packed.gz",
        "gzip -l notes.txt",
        "xz --keep notes.txt",
        "gunzip -c notes.txt",
        "zcat notes.txt",
        "zstd notes.txt",
        "zstd -o packed.zst notes.txt",
    ] {
        not_predicted(text, "move");
    }
}

#[test]
fn time_with_options_is_the_program() {
    // bash has a word `time` without them; dash and busybox start the program, which runs the rest.
    for text in [
        "time --format=1 rm notes.txt",
        "time -f %e rm notes.txt",
        "time -p rm notes.txt",
        "time -- rm notes.txt",
    ] {
        predicted(text, "delete /home/dev/proj/notes.txt");
    }
    predicted("time -o log.txt rm notes.txt", "write /home/dev/proj/log.txt");
}

#[test]
fn options_behind_the_first_argument_of_a_program_are_its_own() {
    for text in [
        "node -e 'require(\"child_process\").spawnSync(process.argv[1], process.argv.slice(2))' rm -rf docs",
        "perl -e 'exec @ARGV' rm -rf docs",
        "ruby -e 'system(*ARGV)' rm -rf docs",
        "python3 -c 'import subprocess, sys; subprocess.run(sys.argv[1:])' rm -rf docs",
    ] {
        predicted(text, "delete /home/dev/proj/docs (project) +recursive");
    }
}

#[test]
fn a_new_key_replaces_the_old_one() {
    predicted("ssh-keygen -t ed25519 -N '' -f ~/.ssh/id_ed25519", "write /home/dev/.ssh/id_ed25519");
    assert_eq!(judged("ssh-keygen -t ed25519 -N '' -f ~/.ssh/id_ed25519 <<< y").decision, Decision::Deny);
    predicted("ssh-keygen -t ed25519 -f ./deploy_key", "create /home/dev/proj/deploy_key");
    for text in [
        "ssh-keygen -t ed25519 -f ./deploy_key",
        "ssh-keygen -lf ~/.ssh/id_ed25519",
        "ssh-keygen -t ed25519 -f ~/.ssh/id_new",
    ] {
        assert_eq!(judged(text).decision, Decision::Abstain, "{text}");
    }
}

#[test]
fn a_temporary_file_may_be_made_in_the_working_directory() {
    predicted("mktemp -d made-XXXX", "create /home/dev/proj/made-XXXX");
    not_predicted("mktemp", "create");
    not_predicted("mktemp -u made-XXXX", "create");
}
