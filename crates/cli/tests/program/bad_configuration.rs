//! Whatever the configuration is: preventable events are denied with the place of the error, others are told.

use crate::{Place, bash};
use insta::assert_snapshot;
use std::{fs, os::unix::fs::symlink, process::Command};

fn under(place: &Place, config: &str, event: &str) -> String {
    place.run(&["hook", "--host", "claude", "--config", config], event)
}

#[test]
fn an_error_in_the_text() {
    let place = Place::with(
        "[[hook]]\nevent = \"PreToolUs\"\ncommand = \"true\"\n\n[[hook]]\nevent = \"Stop\"\ncomand = \"true\"\nmatch = { tool = \"A|B\" }\n",
    );
    assert_snapshot!(place.claude(&bash("ls")), @"");
    assert_snapshot!(place.claude(r#"{"hook_event_name":"Stop"}"#), @"");
}

#[test]
fn not_toml() {
    assert_snapshot!(Place::with("[[hook]\nevent =").claude(&bash("ls")), @"");
}

#[test]
fn things_that_are_no_files() {
    let place = Place::new();
    fs::create_dir(place.path("folder")).unwrap();
    assert_snapshot!(under(&place, "folder", &bash("ls")), @"");
    assert_snapshot!(under(&place, "missing.toml", &bash("ls")), @"");
    symlink("loop", place.path("loop")).unwrap();
    assert_snapshot!(under(&place, "loop", &bash("ls")), @"");
    assert!(Command::new("mkfifo").arg(place.path("fifo")).status().unwrap().success());
    assert_snapshot!(under(&place, "fifo", &bash("ls")), @"");
    assert_snapshot!(under(&place, "/dev/zero", &bash("ls")), @"");
}

#[test]
fn a_gigabyte() {
    let place = Place::new();
    fs::File::create(place.path("big.toml")).unwrap().set_len(1 << 30).unwrap();
    assert_snapshot!(under(&place, "big.toml", &bash("ls")), @"");
}
