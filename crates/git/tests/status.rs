//! Compares the result with git itself: random work trees, listed by both.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, reason = "tests")]

mod repo;

use checkrein_git::{Listing, listing};
use proptest::prelude::*;
use repo::Repo;
use std::{collections::BTreeSet, fs};

const NAMES: [&str; 10] = [
    "a.c",
    "b.log",
    "build/x.o",
    "build/keep/y",
    "docs/one.md",
    "docs/out/z",
    "src/a.c",
    "src/deep/b.log",
    "A.C",
    "src/[x].c",
];
const RULES: [&str; 22] = [
    "*.log",
    "/build/",
    "build",
    "!keep",
    "docs/**",
    "**/out",
    "out/",
    "/a.c",
    "src/*.c",
    "!src/a.c",
    "*.[co]",
    "src/**/b.log",
    "#comment",
    "\\#x",
    "[a-b]*",
    "[!a]*.log",
    "docs/*/z",
    "!*.md",
    "a.? ",
    "**",
    "src/\\[x\\].c",
    "*/deep",
];

#[derive(Clone, Debug)]
enum Step {
    Write(usize, u8),
    Remove(usize),
    Add(usize),
    Commit,
    Ignore(usize, usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..NAMES.len(), any::<u8>()).prop_map(|(name, text)| Step::Write(name, text)),
        1 => (0..NAMES.len()).prop_map(Step::Remove),
        1 => (0..NAMES.len()).prop_map(Step::Add),
        1 => Just(Step::Commit),
        2 => (0..3usize, 0..RULES.len()).prop_map(|(place, rule)| Step::Ignore(place, rule)),
    ]
}

fn apply(repo: &Repo, step: &Step) {
    match step {
        Step::Write(name, text) => repo.write(NAMES[*name], &format!("{text}\n")),
        Step::Remove(name) => drop(fs::remove_file(repo.top().join(NAMES[*name]))),
        Step::Add(name) => {
            drop(repo.command(&repo.top(), &["add", "-f", "--", NAMES[*name]]).output().unwrap());
        }
        Step::Commit => repo.git(&["commit", "-q", "--allow-empty", "-m", "next"]),
        Step::Ignore(place, rule) => {
            let file = [".gitignore", "src/.gitignore", "docs/.gitignore"][*place];
            let before = fs::read_to_string(repo.top().join(file)).unwrap_or_default();
            repo.write(file, &format!("{before}{}\n", RULES[*rule]));
        }
    }
}

/// Returns git's own listing. Names are not quoted, since they end in a zero byte.
fn by_git(repo: &Repo) -> Listing {
    let arguments = ["status", "--porcelain", "-z", "--no-renames", "--ignored", "--untracked-files=all"];
    let output = repo.command(&repo.top(), &arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut listing = Listing::default();
    for line in text.split('\0').filter(|line| !line.is_empty()) {
        let (state, name) = line.split_at(3);
        let name = name.to_owned();
        match state.as_bytes() {
            b"?? " => listing.untracked.insert(name),
            b"!! " => listing.ignored.insert(name),
            [_, b'D', _] => listing.missing.insert(name),
            [_, b'M' | b'T', _] => listing.changed.insert(name),
            _ => false,
        };
    }
    listing
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn a_work_tree_is_listed_as_git_lists_it(steps in prop::collection::vec(step(), 4..20)) {
        let repo = Repo::new();
        for step in &steps {
            apply(&repo, step);
        }
        // Time passes between the last change and the question; what changed stays changed.
        repo.settle();
        let git = by_git(&repo);
        let own = listing(&repo.top()).unwrap();
        prop_assert_eq!(&own.untracked, &git.untracked, "untracked");
        prop_assert_eq!(&own.ignored, &git.ignored, "ignored");
        prop_assert_eq!(&own.missing, &git.missing, "missing");
        // A file may look changed and not be; none that is changed may look clean.
        let overlooked: BTreeSet<_> = git.changed.difference(&own.changed).collect();
        prop_assert!(overlooked.is_empty(), "overlooked: {overlooked:?}");
    }
}
