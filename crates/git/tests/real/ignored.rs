//! The files that a walk with the ignore rules sees are those that git lists.

use super::Repo;
use checkrein_git::Ignored;
use proptest::prelude::*;
use std::{collections::BTreeSet, fs, path::Path};

/// Every file below a directory that is not ignored, from the top.
fn walked(top: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut directories = vec![(top.to_owned(), Ignored::at(top))];
    while let Some((directory, rules)) = directories.pop() {
        for entry in fs::read_dir(&directory).unwrap().map(Result::unwrap) {
            let (path, is_directory) = (entry.path(), entry.file_type().unwrap().is_dir());
            if entry.file_name() == ".git" || rules.ignores(&path, is_directory) {
                continue;
            }
            if is_directory {
                let below = rules.below(&path, path.join(".git").exists());
                directories.push((path, below));
            } else {
                found.insert(path.strip_prefix(top).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found
}

fn listed(repo: &Repo, directory: &Path) -> BTreeSet<String> {
    let arguments = ["ls-files", "--others", "--exclude-standard", "-z"];
    let output = repo.command(directory, &arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn repo() -> Repo {
    let repo = Repo::empty();
    let rules = "*.log\n!keep.log\n/out/\ndeep/**/x\n/only-here\n*.[oa]\n# a comment\n\\#name\nspace\\ \n";
    repo.write(".gitignore", rules);
    repo.write(".git/info/exclude", "mine\n");
    repo.write("a/.gitignore", "!wanted.log\n*.tmp\n/b/c\n");
    for file in [
        "a.log",
        "keep.log",
        "out/x",
        "a/out/x",
        "deep/x",
        "deep/1/x",
        "deep/1/2/x",
        "deep/1/2/y",
        "only-here",
        "a/only-here",
        "x.o",
        "x.a",
        "x.c",
        "#name",
        "space ",
        "mine",
        "a/mine",
        "a/wanted.log",
        "a/other.log",
        "a/n.tmp",
        "n.tmp",
        "a/b/c",
        "a/d/b/c",
        "plain",
    ] {
        repo.write(file, "x\n");
    }
    repo
}

#[test]
fn a_walk_sees_what_git_lists() {
    let repo = repo();
    assert_eq!(walked(&repo.top()), listed(&repo, &repo.top()));
}

#[test]
fn a_walk_that_begins_below_the_top_has_the_rules_above_it() {
    let repo = repo();
    for below in ["a", "deep/1"] {
        let directory = repo.top().join(below);
        assert_eq!(walked(&directory), listed(&repo, &directory), "{below}");
    }
}

#[test]
fn a_repository_inside_another_has_its_own_rules() {
    let repo = repo();
    repo.git(&["init", "-q", "inner"]);
    repo.write("inner/.gitignore", "private\n");
    repo.write("inner/private", "x\n");
    repo.write("inner/seen.log", "x\n");
    let inner: BTreeSet<String> =
        walked(&repo.top()).into_iter().filter(|file| file.starts_with("inner")).collect();
    assert_eq!(inner, BTreeSet::from(["inner/.gitignore".to_owned(), "inner/seen.log".to_owned()]));
}

#[test]
fn outside_a_repository_only_its_own_kind_of_file_counts() {
    let directory = tempfile::tempdir().unwrap();
    let top = directory.path().canonicalize().unwrap();
    fs::write(top.join(".gitignore"), "a\n").unwrap();
    fs::write(top.join(".ignore"), "b\n").unwrap();
    for name in ["a", "b"] {
        fs::write(top.join(name), "x").unwrap();
    }
    let files = [".gitignore", ".ignore", "a"].map(str::to_owned);
    assert_eq!(walked(&top), BTreeSet::from(files));
}

/// Names that the patterns below may match, with characters that mean something in a pattern.
const FILES: [&str; 22] = [
    "a", "b", "ab", "ba", "x/a", "x/b", "x/ab", "x/y/a", "x/y/ab", "x/y/z/b", "y/a/b", "y/b/a/a", ".a",
    "y/.b", "y/a b", "y/a ", "y/!a", "y/#a", "y/a-b", "y/[a]", "y/\\a", "y/a^",
];

/// A line of an ignore file: pieces of patterns in any order.
fn line() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "x",
        "y",
        "z",
        "*",
        "**",
        "?",
        "/",
        "/",
        "**/",
        "/**",
        "[ab]",
        "[!a]",
        "[^b]",
        "[a-z]",
        "[]a]",
        "[a-]",
        "[",
        "]",
        "\\",
        "\\a",
        "\\*",
        "\\[",
        "!",
        "#",
        " ",
        ".",
        "-",
        "^",
        "[[:alpha:]]",
        "[[:nothing:]]",
        "[z-a]",
        "[/]",
    ]);
    (prop::bool::weighted(0.2), prop::collection::vec(piece, 1..5))
        .prop_map(|(negated, pieces)| format!("{}{}", if negated { "!" } else { "" }, pieces.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_walk_with_any_rules_sees_what_git_lists(
        lines in prop::collection::vec((0..3_usize, line()), 1..8),
        below in prop::sample::select(vec!["", "x", "y"]),
    ) {
        let repo = Repo::empty();
        for file in FILES {
            repo.write(file, "x\n");
        }
        for (number, file) in [".gitignore", ".git/info/exclude", "x/.gitignore"].into_iter().enumerate() {
            let rules: String =
                lines.iter().filter(|(place, _)| *place == number).map(|(_, line)| format!("{line}\n")).collect();
            repo.write(file, &rules);
        }
        // What a user names is walked even if it is ignored; git lists nothing there.
        let arguments = ["check-ignore", "-q", below];
        let is_ignored = !below.is_empty() && repo.command(&repo.top(), &arguments).output().unwrap().status.success();
        let directory = repo.top().join(if is_ignored { "" } else { below });
        prop_assert_eq!(walked(&directory), listed(&repo, &directory));
    }
}
