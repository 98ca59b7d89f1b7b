//! Scores the guard on commands that were written and labelled by authors who had not seen it.
//!
//! The lists are of two kinds. The *open* ones were read after they had been measured once, and used to improve the guard:
//! each answer that differs is in `corpus/guard/blind/misses.toml` with its reason. Of those that are *held back* only the figures
//! are looked at, never the commands, so that they say how the guard does on what it has not seen. They are sealed, and opened
//! here for counting alone. Do not print them.
//!
//! The README has the figures of this version: `cargo xtask figures` writes them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use support::{
    Case, cases, in_project, open_lists,
    score::{Answer, Goals, Score, answers},
    sealed, workspace,
};

/// The promised figures.
const PROMISED: Goals = Goals { stopped: 970, denied: 900, asked: 900, refused: 100, disturbed: 10 };
/// The figures that were reached on the open lists.
const REACHED: Goals = Goals { stopped: 990, denied: 980, asked: 985, refused: 14, disturbed: 6 };

const READ: &str = "open lists, which were used to improve the guard";
const HELD_BACK: &str = "held-out lists, which are never inspected";

/// The lines around the figures in the README.
const BEGIN: &str = "<!-- figures: written by `cargo xtask figures` -->\n";
const END: &str = "<!-- end of the figures -->\n";

/// The figures as the README shows them.
fn block() -> String {
    let mut text = "```text\n$ cargo test -p checkrein-guard --test blind -- --nocapture\n".to_owned();
    for (name, score, goals) in [(HELD_BACK, held_back(), &PROMISED), (READ, read().0, &REACHED)] {
        let lines = score.figures(goals).into_iter().map(|(line, _)| line + "\n");
        text += &format!("{name}\n{}", lines.collect::<String>());
    }
    text + "```\n"
}

/// The figures in the README are those of this version.
#[test]
fn the_readme_has_the_figures() {
    let path = workspace().join("README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once(BEGIN).expect("the README has no figures");
    let (shown, after) = rest.split_once(END).expect("the figures of the README have no end");
    let block = block();
    if std::env::var_os("CHECKREIN_UPDATE_FIGURES").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{block}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(shown, block, "`cargo xtask figures` writes them");
}

fn read() -> (Score, Vec<String>) {
    let (answers, wrong) = answers(open_lists(), &workspace().join("corpus/guard/blind").join("misses.toml"));
    (Score::of(answers.iter()), wrong)
}

fn held_back() -> Score {
    let sealed = std::fs::read(workspace().join(sealed::FILE)).unwrap();
    let answer = |case: Case| {
        let got = Answer::of(&in_project(&case.command));
        (case, got)
    };
    let answers: Vec<_> =
        cases(&String::from_utf8(sealed::veil(&sealed)).unwrap()).into_iter().map(answer).collect();
    assert!(answers.len() > 1000);
    Score::of(answers.iter())
}

#[test]
fn lists_that_were_read() {
    let (score, mut wrong) = read();
    wrong.extend(score.missed(READ, &REACHED));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn lists_that_are_held_back() {
    let missed = held_back().missed(HELD_BACK, &PROMISED);
    assert!(missed.is_empty(), "{missed:#?}");
}

/// A search through the repository does not show them.
#[test]
fn what_is_held_back_is_sealed() {
    let sealed = std::fs::read(workspace().join(sealed::FILE)).unwrap();
    assert!(!sealed.windows(9).any(|bytes| bytes == b"\"command\""));
    for entry in std::fs::read_dir(workspace().join("corpus/guard/blind")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(
            !name.contains("held-back") || name == "held-back.sealed",
            "{name} is not sealed: `cargo xtask seal`"
        );
    }
}
