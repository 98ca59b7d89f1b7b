//! The administrator's file: who may write it, and how it is installed. In a mount namespace in which
//! `/etc` is a directory of the test.

use crate::{PROGRAM, Place, ended};
use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    process::{Command, Output, Stdio},
};

struct Machine {
    place: Place,
}

const RULE: &str =
    "[[rule]]\nid = \"no-deleting\"\neffect = \"delete\"\ndecision = \"deny\"\nreason = \"quiet\"\n";

impl Machine {
    /// Creates one; `None`, with a message, where the test may not mount.
    fn new() -> Option<Self> {
        let place = Place::new();
        for (name, mode) in [("etc", 0o755), ("etc/checkrein", 0o755), ("home", 0o700)] {
            fs::create_dir(place.path(name)).unwrap();
            fs::set_permissions(place.path(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        let machine = Self { place };
        let mounts = is_root() && machine.inside(&["/bin/true"]).status.success();
        if !mounts {
            eprintln!("skipped: /etc cannot be replaced here (needs root and mount namespaces)");
        }
        mounts.then_some(machine)
    }

    fn inside(&self, words: &[&str]) -> Output {
        let mut command = Command::new("unshare");
        command.args(["-m", "sh", "-c"]);
        command.arg("mount --make-rprivate / && mount --bind \"$0\" /etc && exec \"$@\"");
        command.arg(self.place.path("etc")).args(words);
        command.env_clear().env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin").env("HOME", self.place.path("home"));
        command.current_dir(self.place.path("home")).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        ended(command.spawn().unwrap())
    }

    fn apply(&self, text: &str, more: &[&str]) -> Output {
        fs::write(self.place.path("new.toml"), text).unwrap();
        let file = self.place.path("new.toml");
        let mut words = vec![PROGRAM, "managed", "apply", file.to_str().unwrap()];
        words.extend(more);
        self.inside(&words)
    }

    fn active(&self) -> Option<String> {
        fs::read_to_string(self.place.path("etc/checkrein/config.toml")).ok()
    }

    /// Returns the result of a command line that the rule denies.
    fn check(&self) -> (Option<i32>, String) {
        let output = self.inside(&[PROGRAM, "check", "--", "rm x.txt"]);
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|us| us.uid() == 0)
}

#[test]
fn a_valid_file_is_installed_and_a_broken_one_never_is() {
    let Some(machine) = Machine::new() else { return };
    let rehearsed = machine.apply(RULE, &["--dry-run", "--json"]);
    assert!(text(&rehearsed.stdout).contains("\"done\":\"would be written\""), "{rehearsed:?}");
    assert_eq!(machine.active(), None);
    let applied = machine.apply(RULE, &[]);
    assert_eq!(applied.status.code(), Some(0), "{applied:?}");
    assert_eq!(machine.active().as_deref(), Some(RULE));
    let of = fs::metadata(machine.place.path("etc/checkrein/config.toml")).unwrap();
    assert_eq!((of.uid(), of.gid(), of.mode() & 0o7777), (0, 0, 0o644));
    let (code, said) = machine.check();
    assert_eq!(code, Some(2), "{said}");
    for broken in [
        "",
        "[[rule]\n",
        "[[hook]]\nevent = \"PreToolUsee\"\ncommand = \"true\"\n",
        "disable = [\"guard\"]\n",
    ] {
        for json in [&[][..], &["--json"]] {
            let refused = machine.apply(broken, json);
            assert_eq!(refused.status.code(), Some(1), "{broken}: {refused:?}");
            assert_eq!(machine.active().as_deref(), Some(RULE), "{broken}");
        }
    }
    // A wrong example is an error, too.
    let wrong = format!("{RULE}match = [\"ls\"]\n");
    let refused = machine.apply(&wrong, &[]);
    assert_ne!(refused.status.code(), Some(0), "{refused:?}");
    let here = fs::read_dir(machine.place.path("etc/checkrein")).unwrap().count();
    assert_eq!(here, 1, "nothing is left behind");
}

#[test]
fn a_file_that_others_can_write_is_refused_with_the_fix() {
    let Some(machine) = Machine::new() else { return };
    assert_eq!(machine.apply(RULE, &[]).status.code(), Some(0));
    let path = |name: &str| machine.place.path(name);
    let mode = |name: &str, mode| fs::set_permissions(path(name), fs::Permissions::from_mode(mode)).unwrap();
    for (name, shown_as) in [
        ("etc/checkrein/config.toml", "/etc/checkrein/config.toml"),
        ("etc/checkrein", "/etc/checkrein"),
        ("etc", "/etc"),
    ] {
        let good = fs::metadata(path(name)).unwrap().mode() & 0o7777;
        for bad in [0o020, 0o002, 0o1777] {
            mode(name, good | bad);
            let (code, said) = machine.check();
            assert_eq!(code, Some(2), "{name} {bad:o}: {said}");
            let fix = format!("sudo chown root:root {shown_as} && sudo chmod go-w {shown_as}");
            assert!(said.contains(&fix), "{said}");
            assert!(said.contains("sudo checkrein managed apply FILE"), "{said}");
            mode(name, good);
        }
        chown(path(name), Some(1000), None).unwrap();
        let (code, said) = machine.check();
        assert!(code == Some(2) && said.contains("its owner is user 1000"), "{name}: {said}");
        if name != "etc/checkrein/config.toml" {
            let refused = machine.apply(RULE, &[]);
            assert_eq!(refused.status.code(), Some(3), "{name}: {refused:?}");
        }
        chown(path(name), Some(0), None).unwrap();
        // The rule is active again, and its denial shows it.
        assert!(machine.check().1.contains("quiet"), "{name}");
    }
}

#[test]
fn the_denial_of_a_broken_file_says_who_fixes_it() {
    let Some(machine) = Machine::new() else { return };
    for broken in ["", "[[rule]\n"] {
        fs::write(machine.place.path("etc/checkrein/config.toml"), broken).unwrap();
        let (code, said) = machine.check();
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("sudo checkrein managed apply FILE"), "{said}");
        assert!(!said.contains("run `checkrein repair`"), "{said}");
        let applied = machine.apply(RULE, &[]);
        assert_eq!(applied.status.code(), Some(0), "{applied:?}");
    }
}

#[test]
fn only_root_and_no_agent_applies() {
    let Some(machine) = Machine::new() else { return };
    fs::write(machine.place.path("new.toml"), RULE).unwrap();
    fs::set_permissions(machine.place.directory.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let file = machine.place.path("new.toml");
    let words = [PROGRAM, "managed", "apply", file.to_str().unwrap()];
    let mut as_agent = vec!["env", "CLAUDECODE=1"];
    as_agent.extend(words);
    let refused = machine.inside(&as_agent);
    assert!(refused.status.code() == Some(3) && text(&refused.stderr).contains("only a user"), "{refused:?}");
    let mut as_other = vec!["setpriv", "--reuid=1000", "--clear-groups"];
    as_other.extend(words);
    let refused = machine.inside(&as_other);
    if text(&refused.stderr).contains("only root") {
        assert_eq!(refused.status.code(), Some(3), "{refused:?}");
    } else {
        eprintln!("not tried as another user: {}", text(&refused.stderr));
    }
    assert_eq!(machine.active(), None);
}

/// A file in place of the directory hides the administrator's configuration.
#[test]
fn a_file_in_place_of_the_directory_is_broken_and_not_absent() {
    let Some(machine) = Machine::new() else { return };
    let directory = machine.place.path("etc/checkrein");
    fs::remove_dir_all(&directory).unwrap();
    assert_eq!(machine.check().0, Some(0), "nothing was ever there");
    fs::write(&directory, "").unwrap();
    assert_eq!(machine.check().0, Some(2), "a file");
    fs::remove_file(&directory).unwrap();
    std::os::unix::fs::symlink("nowhere", &directory).unwrap();
    assert_eq!(machine.check().0, Some(2), "a link that leads nowhere");
}

#[test]
fn every_user_can_read_the_installed_file_under_any_umask() {
    let Some(machine) = Machine::new() else { return };
    fs::remove_dir_all(machine.place.path("etc/checkrein")).unwrap();
    fs::write(machine.place.path("new.toml"), RULE).unwrap();
    let file = machine.place.path("new.toml");
    let script = "umask 077; exec \"$0\" managed apply \"$1\"";
    let applied = machine.inside(&["sh", "-c", script, PROGRAM, file.to_str().unwrap()]);
    assert_eq!(applied.status.code(), Some(0), "{applied:?}");
    let mode = |name: &str| fs::metadata(machine.place.path(name)).unwrap().mode() & 0o777;
    assert_eq!((mode("etc/checkrein"), mode("etc/checkrein/config.toml")), (0o755, 0o644));
}

#[test]
fn leftovers_of_a_killed_process_are_removed() {
    let Some(machine) = Machine::new() else { return };
    let path = |name: &str| machine.place.path("etc/checkrein").join(name);
    for name in [".config.toml.1", ".config.toml.2", "notes.txt"] {
        fs::write(path(name), "").unwrap();
    }
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    for name in [".config.toml.1", "notes.txt"] {
        fs::File::options().write(true).open(path(name)).unwrap().set_modified(old).unwrap();
    }
    assert_eq!(machine.apply(RULE, &[]).status.code(), Some(0));
    assert!(!path(".config.toml.1").exists());
    // Another process may be about to finish it.
    assert!(path(".config.toml.2").exists() && path("notes.txt").exists());
}

#[test]
fn the_administrator_monitors_forbids_it_and_fixes_grades() {
    let Some(machine) = Machine::new() else { return };
    let own = machine.place.path("home/.config/checkrein");
    fs::create_dir_all(&own).unwrap();
    let user = |text: &str| match text {
        "" => drop(fs::remove_file(own.join("config.toml"))),
        text => fs::write(own.join("config.toml"), text).unwrap(),
    };
    let decided = |command: &str| machine.inside(&[PROGRAM, "check", "--", command]).status.code();
    let (push, branch) = ("git push --force origin topic", "git branch -D topic");
    let monitor = format!("[monitor]\nuntil = {}\n", checkrein::today().after(3));
    // Everything is watched, rules of the administrator as well; a required hook is not.
    assert_eq!(machine.apply(&format!("{monitor}{RULE}"), &[]).status.code(), Some(0));
    assert_eq!((decided(push), decided("rm x.txt")), (Some(0), Some(0)));
    assert_eq!(decided("echo > /etc/checkrein/config.toml"), Some(2));
    let required = "[[hook]]\nevent = \"PreToolUse\"\nname = \"r\"\ncommand = [\"false\"]\nrole = \"judge\"\nrequired = true\n";
    assert_eq!(machine.apply(&format!("{monitor}{required}"), &[]).status.code(), Some(0));
    assert_eq!(decided("ls"), Some(2));
    // A user's monitor does not cover what the administrator wrote.
    assert_eq!(machine.apply(RULE, &[]).status.code(), Some(0));
    user(&monitor);
    assert_eq!((decided(push), decided("rm x.txt")), (Some(0), Some(2)));
    let raised = "[[grade]]\nrule = \"git.forget-name\"\ndecision = \"deny\"\n";
    assert_eq!(machine.apply(raised, &[]).status.code(), Some(0));
    assert_eq!((decided(push), decided(branch)), (Some(0), Some(2)));
    // A user's milder grade does not count against it.
    user(
        "[[grade]]\nrule = \"git.forget-name\"\ndecision = \"ask\"\n[[grade]]\nrule = \"git.force-push\"\ndecision = \"ask\"\n",
    );
    assert_eq!((decided(push), decided(branch)), (Some(1), Some(2)));
    // Two ways to forbid it.
    user(&monitor);
    for forbids in ["[monitor]\nforbid = true\n", "exceptions = \"refuse\"\n"] {
        assert_eq!(machine.apply(forbids, &[]).status.code(), Some(0));
        assert_eq!(decided(push), Some(2), "{forbids}");
        let shown = machine.inside(&[PROGRAM, "monitor", "--status"]);
        assert!(text(&shown.stdout).contains("the managed layer does not allow it"), "{shown:?}");
    }
    user("[[grade]]\nrule = \"git.force-push\"\ndecision = \"ask\"\n");
    assert_eq!(decided(push), Some(2), "a layer that refuses exceptions refuses milder grades");
}

/// A full disk is reported. Calls are denied only where the administrator requires the record, and the user can clean up.
#[test]
fn a_required_trail_on_a_full_disk_denies() {
    let Some(machine) = Machine::new() else { return };
    let hook = |setup: &str| {
        let event = r#"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/tmp","tool_name":"Bash","tool_use_id":"c","tool_input":{"command":"ls"}}"#;
        let script = format!(
            "mkdir -p $HOME/.local/state && mount -t tmpfs -o size=64k none $HOME/.local/state && {setup} \
             printf '%s' '{event}' | {PROGRAM} hook --host claude"
        );
        let output = machine.inside(&["sh", "-c", &script]);
        text(&output.stdout) + &text(&output.stderr)
    };
    // Everything that the tmpfs has room for, and the key of the machine before it.
    let full = format!(
        "printf '%s' '{{}}' | {PROGRAM} hook --host claude > /dev/null; cat /dev/zero > $HOME/.local/state/full 2> /dev/null;"
    );
    let answer = hook(&full);
    assert!(answer.starts_with("{}") && answer.contains("the record of this event was not kept"), "{answer}");
    assert!(machine.apply("trail = \"required\"\n", &[]).status.success());
    let answer = hook(&full);
    assert!(answer.contains("\"permissionDecision\":\"deny\""), "{answer}");
    assert!(answer.contains("the administrator requires a record of every event"), "{answer}");
    // With room, the same call passes, and the record is there.
    let answer = hook("");
    assert!(answer.starts_with("{}"), "{answer}");
    // The commands with which a user cleans up need no room.
    let clean = format!(
        "mkdir -p $HOME/.local/state && mount -t tmpfs -o size=64k none $HOME/.local/state && {full} \
         {PROGRAM} log --verify; echo verified; rm $HOME/.local/state/full && echo removed"
    );
    let output = machine.inside(&["sh", "-c", &clean]);
    assert!(text(&output.stdout).ends_with("verified\nremoved\n"), "{output:?}");
}
