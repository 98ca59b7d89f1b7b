//! The plugins that `cargo xtask plugins` writes, read by the agents' own checks. `live.rs` shows that the agents install and obey them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_agents::installed::subjects;
use checkrein_live::{Sandbox, Subject};
use std::{fs, path::Path, process::Output};

/// Runs an agent without a network and with an empty home directory.
fn run(subject: &Subject, arguments: &[&str]) -> Output {
    let home = tempfile::tempdir().unwrap();
    let mut command = Sandbox::find().unwrap().command(&subject.program);
    command.args(arguments).env_clear().env("PATH", &subject.path).env("HOME", home.path());
    command.env("DISABLE_AUTOUPDATER", "1").current_dir(home.path()).output().unwrap()
}

/// Returns the subject, if this agent is among those that are tried.
fn subject(agent: &str) -> Option<Subject> {
    let found = subjects(None).unwrap().into_iter().find(|subject| subject.agent.name() == agent);
    if found.is_none() {
        eprintln!("skipped: {agent} is not among the agents that are tried");
    }
    found
}

fn accepts(agent: &str, arguments: &[&str], places: &[&str], words: &str) {
    let Some(subject) = subject(agent) else { return };
    let plugins = subject.plugins.clone().unwrap();
    for place in places {
        let place = plugins.join(place);
        let output = run(&subject, &[arguments, &[place.to_str().unwrap()]].concat());
        let said =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && said.contains(words), "{}: {said}", place.display());
    }
    // The check can fail.
    let broken = tempfile::tempdir().unwrap();
    copy(&plugins.join(places.last().unwrap()), broken.path());
    let manifest =
        [".claude-plugin/plugin.json", "gemini-extension.json"].map(|name| broken.path().join(name));
    let manifest = manifest.iter().find(|manifest| manifest.exists()).unwrap();
    fs::write(manifest, "{\"version\": 7}").unwrap();
    let output = run(&subject, &[arguments, &[broken.path().to_str().unwrap()]].concat());
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!output.status.success() || !said.contains(words), "{said}");
}

/// Copies everything but the programs.
fn copy(from: &Path, to: &Path) {
    for entry in
        fs::read_dir(from).unwrap().map(Result::unwrap).filter(|entry| entry.file_name() != "program")
    {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir(&to).unwrap();
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

#[test]
fn claude_code_accepts_the_marketplace_and_the_plugin() {
    let places = ["marketplace", "marketplace/checkrein"];
    accepts("claude", &["plugin", "validate", "--strict"], &places, "Validation passed");
}

#[test]
fn gemini_cli_accepts_the_extension() {
    accepts("gemini", &["extensions", "validate"], &["gemini"], "successfully validated");
}
