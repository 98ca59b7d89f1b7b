//! Files of every kind at each path.

use super::{CLAUDE, CODEX, assert_holds, canary, fixtures::*, output, through_shell};
use std::{
    fs,
    io::Write,
    sync::atomic::{AtomicBool, Ordering},
};

const RUN: &str = r#"exec "$0" "$@""#;

#[test]
fn any_kind_of_file_as_a_configuration() {
    let fixtures = Fixtures::get();
    for kind in KINDS {
        let event = canary(&fixtures.path("project").join(kind));
        assert_holds(&output(&mut through_shell(RUN, CLAUDE, fixtures), &event), format!("project: {kind}"));
        let event = canary(&fixtures.path("project/usual"));
        let mut user = through_shell(RUN, CODEX, fixtures);
        user.env("XDG_CONFIG_HOME", fixtures.path("config").join(kind));
        assert_holds(&output(&mut user, &event), format!("user: {kind}"));
        let file = fixtures.path("project").join(kind).join(".checkrein.toml");
        let arguments = [CLAUDE, &["--config", file.to_str().unwrap()]].concat();
        assert_holds(
            &output(&mut through_shell(RUN, &arguments, fixtures), &event),
            format!("--config: {kind}"),
        );
    }
}

#[test]
fn any_kind_of_file_as_the_state() {
    let fixtures = Fixtures::get();
    for state in STATES {
        for project in ["usual", "valid"] {
            let event = canary(&fixtures.path("project").join(project));
            let mut command = through_shell(RUN, CODEX, fixtures);
            command.env("XDG_STATE_HOME", fixtures.path("state").join(state));
            assert_holds(&output(&mut command, &event), format!("state: {state}, project: {project}"));
        }
    }
}

/// A full disk, if we may mount one.
#[test]
fn a_full_disk() {
    let fixtures = Fixtures::get();
    let state = tempfile::tempdir().unwrap();
    let line = r#"exec unshare -m /bin/sh -c 'mount -t tmpfs -o size=4k,nr_inodes=2 none "$XDG_STATE_HOME" || exit 99
        head -c 9999 /dev/zero > "$XDG_STATE_HOME/filler"; exec "$0" "$@"' "$0" "$@""#;
    let mut command = through_shell(line, CODEX, fixtures);
    command.env("XDG_STATE_HOME", state.path());
    let said = output(&mut command, &canary(&fixtures.path("project/usual")));
    if matches!(said.status.code(), Some(99 | 1)) && !super::holds(&said) {
        println!("skipped: no mount namespaces here");
        return;
    }
    assert_holds(&said, "full");
}

#[test]
fn any_value_of_home() {
    let fixtures = Fixtures::get();
    for home in HOMES {
        let mut command = through_shell(RUN, CLAUDE, fixtures);
        command.env_remove("HOME").envs(fixtures.home(home).map(|home| ("HOME", home)));
        // Not `~`: without a home its meaning is unknown.
        assert_holds(
            &output(&mut command, &canary(&fixtures.path("project/usual"))),
            format!("HOME: {home}"),
        );
    }
}

#[test]
fn a_deleted_working_directory() {
    let fixtures = Fixtures::get();
    let directory = tempfile::tempdir().unwrap();
    let gone = directory.path().join("gone");
    let line = r#"mkdir "$GONE" && cd "$GONE" && rmdir "$GONE" && exec "$0" "$@""#;
    for cwd in
        [gone.as_path(), "".as_ref(), "relative".as_ref(), "/dev/null".as_ref(), "/proc/self/fd".as_ref()]
    {
        let mut command = through_shell(line, CLAUDE, fixtures);
        assert_holds(&output(command.env("GONE", &gone), &canary(cwd)), cwd.display());
    }
}

/// Another process rewrites a project's file again and again while we read it.
#[test]
fn a_configuration_that_keeps_changing() {
    let fixtures = Fixtures::get();
    let directory = tempfile::tempdir().unwrap();
    let (place, stop) = (directory.path().join(".checkrein.toml"), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let mut file = fs::File::create(&place).unwrap();
                for _ in 0..20 {
                    file.write_all(b"[[hook]]\nevent = ").unwrap();
                    std::thread::sleep(std::time::Duration::from_millis(1));
                }
            }
        });
        let said: Vec<_> = (0..3)
            .map(|_| output(&mut through_shell(RUN, CLAUDE, fixtures), &canary(directory.path())))
            .collect();
        stop.store(true, Ordering::Relaxed);
        said.iter().for_each(|said| assert_holds(said, "being written"));
    });
}
