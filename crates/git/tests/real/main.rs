//! Real repositories, made by the real git in a temporary directory: each condition is one case.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, reason = "tests")]

mod commits;
mod ignored;
#[path = "../repo/mod.rs"]
mod repo;
mod tracked;
mod unknown;
mod untracked;
mod work_trees;

use checkrein_git::{Answer, Head, Others, Question, ask};
use repo::Repo;

/// The state of a repository before the question, and the expected answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    Kept,
    Lost,
    Unknown,
}

use Expect::{Kept, Lost, Unknown};

fn answer(repo: &Repo, question: &Question) -> Expect {
    match ask(question, Some(repo.home())) {
        Answer::Kept => Kept,
        Answer::Lost(_) => Lost,
        Answer::Unknown(_) => Unknown,
    }
}

fn whole(repo: &Repo) -> Question {
    Question {
        directory: repo.top(),
        paths: Vec::new(),
        tracked: true,
        removes: false,
        others: Others::Stay,
        head: Head::Stays,
    }
}

fn reset_to(repo: &Repo, target: &str) -> Question {
    Question { head: Head::Moves(target.to_owned()), ..whole(repo) }
}

fn clean(repo: &Repo, others: Others) -> Question {
    Question { others, tracked: false, removes: false, ..whole(repo) }
}

fn remove(repo: &Repo, path: &str) -> Question {
    Question { paths: vec![repo.top().join(path)], others: Others::All, ..whole(repo) }
}

type Case = (&'static str, fn(&Repo), fn(&Repo) -> Question, Expect);

/// Runs each case in a repository of its own, which is clean at first.
fn run(cases: &[Case]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(name, before, question, expect)| {
            let repo = Repo::new();
            before(&repo);
            let said = ask(&question(&repo), Some(repo.home()));
            let found = answer(&repo, &question(&repo));
            (found != *expect).then(|| format!("{name}: {said:?}, not {expect:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

const NOTHING: fn(&Repo) = |_| {};
