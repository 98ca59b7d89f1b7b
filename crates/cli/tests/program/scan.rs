//! `checkrein scan`: files, standard input, the index and the history of a repository; every form of output.

use crate::Place;
use checkrein_secrets::{
    Kind,
    sample::{self, Random},
};
use serde_json::Value;
use std::{fs, process::Command};

/// A value of a kind, made up here: no file of the repository has one.
fn value(kind: &str) -> String {
    let kind = Kind::all().find(|known| known.name() == kind).unwrap();
    sample::of(kind, &mut Random::new(11)).unwrap()
}

fn project() -> (Place, String) {
    let place = Place::new();
    let token = value("github-pat-classic");
    fs::create_dir(place.path("src")).unwrap();
    fs::write(place.path(".env"), format!("PORT=5432\nGITHUB_TOKEN={token}\n")).unwrap();
    fs::write(place.path("src/main.rs"), "fn main() {}\n").unwrap();
    (place, token)
}

fn git(place: &Place, arguments: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"])
        .args(arguments);
    git.current_dir(place.path("")).env("HOME", place.path("")).env_remove("GIT_DIR");
    let output = git.output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn stdout(place: &Place, arguments: &[&str]) -> (String, Option<i32>) {
    let output = place.output(arguments, b"");
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

fn paths(place: &Place, arguments: &[&str]) -> Vec<String> {
    let (lines, _) = stdout(place, arguments);
    let path = |line: &str| serde_json::from_str::<Value>(line).unwrap()["path"].as_str().unwrap().to_owned();
    lines.lines().map(path).collect()
}

#[test]
fn a_finding_has_a_place_and_a_tag_and_never_the_value() {
    let (place, token) = project();
    for arguments in [
        &["scan"][..],
        &["scan", "--json"],
        &["scan", "--sarif"],
        &["scan", "--print-baseline"],
        &["scan", "."],
    ] {
        let shown = place.run(arguments, "");
        assert!(!shown.contains(&token) && !shown.contains(&token[4..]), "{shown}");
        assert!(shown.contains("github-pat-classic"), "{shown}");
    }
    let (line, code) = stdout(&place, &["scan", "--json"]);
    let finding: Value = serde_json::from_str(line.trim()).unwrap();
    assert_eq!(
        (&finding["path"], &finding["line"], &finding["column"]),
        (&".env".into(), &2.into(), &14.into())
    );
    assert_eq!((&finding["kind"], &finding["class"]), (&"github-pat-classic".into(), &"checksum".into()));
    assert_eq!(code, Some(1));
    // The key of the machine stays, so that the same value has the same tag.
    assert_eq!(stdout(&place, &["scan", "--json"]).0, line);
    let (sarif, _) = stdout(&place, &["scan", "--sarif"]);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
}

#[test]
fn clean_files_and_standard_input() {
    let (place, token) = project();
    let shown = place.run(&["scan", "src"], "");
    assert_eq!(shown, "--- stderr\nno secrets in 1 text\n--- exit 0\n");
    let shown = place.run(&["scan", "-"], format!("x = '{token}'"));
    assert!(shown.starts_with("--- stdout\n-:1:6: github-pat-classic secret_github_token_"), "{shown}");
    let shown = place.run(&["scan", "missing"], "");
    assert_eq!(shown, "--- stderr\ncheckrein: `missing` does not exist\n--- exit 3\n");
}

#[test]
fn a_baseline_and_a_comment_accept_what_is_known() {
    let (place, token) = project();
    let (baseline, code) = stdout(&place, &["scan", "--print-baseline"]);
    assert_eq!(code, Some(0));
    fs::write(place.path(".checkrein-baseline"), &baseline).unwrap();
    // The fourth is the key of the machine, whose home this is.
    assert_eq!(
        place.run(&["scan"], ""),
        "--- stderr\nno secrets in 4 texts; 1 in the baseline\n--- exit 0\n"
    );
    // A second one in the same file is new, also with the line moved.
    let second = value("npm-access-token");
    fs::write(place.path(".env"), format!("# moved\nGITHUB_TOKEN={token}\nNPM_TOKEN={second}\n")).unwrap();
    let (found, code) = stdout(&place, &["scan", "--json"]);
    assert_eq!((found.lines().count(), code), (1, Some(1)), "{found}");
    assert!(found.contains("npm-access-token"), "{found}");
    fs::write(place.path(".env"), format!("NPM_TOKEN={second} # checkrein:not-a-secret\n")).unwrap();
    assert_eq!(stdout(&place, &["scan"]).1, Some(0));
    fs::write(place.path("broken"), "nonsense\n").unwrap();
    let shown = place.run(&["scan", "--baseline", "broken"], "");
    assert!(
        shown.contains("line 1: `nonsense` is no fingerprint") && shown.ends_with("--- exit 3\n"),
        "{shown}"
    );
}

#[test]
fn what_git_ignores_is_left_out_unless_asked_for() {
    let (place, token) = project();
    git(&place, &["init", "-q"]);
    fs::write(place.path(".gitignore"), ".env\n").unwrap();
    assert!(paths(&place, &["scan", "--json"]).is_empty());
    assert_eq!(paths(&place, &["scan", "--json", "--no-ignore"]), [".env"]);
    // A path that is named is scanned, and a link inside a directory is not followed.
    assert_eq!(paths(&place, &["scan", "--json", ".env"]), [".env"]);
    std::os::unix::fs::symlink(place.path(".env"), place.path("src/link")).unwrap();
    assert!(paths(&place, &["scan", "--json", "src"]).is_empty());
    fs::create_dir(place.path("src/deep")).unwrap();
    fs::write(place.path("src/deep/key"), format!("GITHUB_TOKEN={token}\n")).unwrap();
    assert_eq!(paths(&place, &["scan", "--json"]), ["src/deep/key"]);
    fs::remove_dir_all(place.path("src/deep")).unwrap();
    fs::write(place.path("notes.bin"), [b"\0\0\x01", token.as_bytes()].concat()).unwrap();
    assert!(paths(&place, &["scan", "--json"]).is_empty(), "a binary file");
}

#[test]
fn the_index_and_the_history_are_read_as_they_are() {
    let (place, token) = project();
    git(&place, &["init", "-q"]);
    git(&place, &["add", ".env"]);
    // What is staged counts, not what is on disk.
    fs::write(place.path(".env"), "PORT=5432\n").unwrap();
    assert_eq!(paths(&place, &["scan", "--staged", "--json"]), [".env"]);
    assert!(paths(&place, &["scan", "--json"]).is_empty());
    git(&place, &["commit", "-q", "-m", "one"]);
    git(&place, &["add", "."]);
    git(&place, &["commit", "-q", "-m", "two"]);
    assert!(paths(&place, &["scan", "--staged", "--json"]).is_empty());
    let (found, code) = stdout(&place, &["scan", "--history", "--json"]);
    assert_eq!((found.lines().count(), code), (1, Some(1)), "{found}");
    let finding: Value = serde_json::from_str(found.trim()).unwrap();
    assert_eq!(finding["path"], ".env");
    assert_eq!(finding["blob"].as_str().unwrap().len(), 40);
    assert!(!found.contains(&token));
    let outside = Place::new();
    let shown = outside.run(&["scan", "--history"], "");
    assert!(shown.contains("`git rev-list` failed") && shown.ends_with("--- exit 3\n"), "{shown}");
    let shown = outside.run(&["scan", "--staged"], "");
    assert!(shown.contains("not a git repository") && shown.lines().count() < 8, "{shown}");
}

#[test]
fn a_large_file_is_scanned_in_pieces() {
    let place = Place::new();
    let token = value("github-pat-classic");
    let line = "a line of a log that has nothing in it but words and numbers 0123\n";
    let count = (66 << 20) / line.len();
    let mut text = line.repeat(count);
    text.push_str(&format!("GITHUB_TOKEN={token}\n"));
    text.push_str(line);
    fs::write(place.path("large.log"), text).unwrap();
    let (found, code) = stdout(&place, &["scan", "--json"]);
    let finding: Value = serde_json::from_str(found.trim()).unwrap();
    assert_eq!((finding["line"].as_u64(), finding["column"].as_u64()), (Some(count as u64 + 1), Some(14)));
    assert_eq!(code, Some(1));
}
