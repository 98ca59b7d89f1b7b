//! One run against its prediction.

use crate::{
    cell::{self, Run},
    observed::{self, Happened, Kind},
    predicted::{Predicted, Prediction, matters, predict},
    room::{CELLS, TEMPLATE},
    trace::{self, base},
};
use checkrein_guard::Action;
use serde_json::{Value, json};
use std::{collections::BTreeSet, fs, io, path::Path};

/// What a run says about a prediction.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The exit code of the command.
    pub exit: i32,
    /// Whether it did not end in time.
    pub late: bool,
    /// How many effects happened.
    pub happened: usize,
    /// Those that were not predicted.
    pub unpredicted: Vec<Happened>,
    /// How many of those happened in a run of which the guard says that a part is not known.
    pub said_unknown: usize,
    /// How many were not predicted because they are the business of a program alone.
    pub own: usize,
    /// How many effects were predicted that a run could show.
    pub predicted: usize,
    /// Those that did not happen, although the command succeeded.
    pub unseen: Vec<Predicted>,
    /// What the guard decided.
    pub decision: &'static str,
}

/// Runs a text in a cell and compares.
///
/// # Errors
///
/// If no cell can be made.
pub fn compare(number: usize, shell: &str, text: &str, before: &BTreeSet<String>) -> io::Result<Outcome> {
    let prediction = predict(text);
    let run = cell::run(number, shell, text)?;
    if run.is_missing() {
        return Err(io::Error::other(format!("no cell for `{text}`: {}", run.complaint)));
    }
    Ok(outcome(&prediction, &run, &Ran { number, shell, text }, before))
}

fn outcome(prediction: &Prediction, run: &Run, case: &Ran<'_>, before: &BTreeSet<String>) -> Outcome {
    let happened = observed::find(&trace::read(&run.log), before);
    let happened: Vec<Happened> = happened.into_iter().filter_map(|one| case.counted(one)).collect();
    let (covered, not): (Vec<_>, Vec<_>) = happened.iter().cloned().partition(|one| prediction.covers(one));
    let (own, not): (Vec<_>, Vec<_>) = not.into_iter().partition(|one| case.is_own(one));
    let (unpredicted, said_unknown) = if prediction.unknown { (Vec::new(), not.len()) } else { (not, 0) };
    // A command that failed or was stopped shows nothing about what it would have done.
    let whole = run.exit == 0;
    let shown: Vec<&Predicted> =
        prediction.paths.iter().filter(|one| whole && one.shows() && is_possible(one, before)).collect();
    let unseen = shown.iter().filter(|one| !one.is_seen(&happened)).map(|one| (*one).clone()).collect();
    Outcome {
        exit: run.exit,
        late: run.is_late(),
        happened: covered.len() + unpredicted.len() + said_unknown,
        unpredicted,
        said_unknown,
        own: own.len(),
        predicted: shown.len(),
        unseen,
        decision: prediction.decision,
    }
}

/// A command that has run.
struct Ran<'a> {
    number: usize,
    shell: &'a str,
    text: &'a str,
}

impl Ran<'_> {
    /// Returns what happened if it counts: not the shell that runs the text, and of what was only opened for writing not what has the
    /// same content as before.
    fn counted(&self, mut happened: Happened) -> Option<Happened> {
        match happened.kind {
            Kind::Started if base(&happened.what) == self.shell => None,
            Kind::Opened => {
                let root = Path::new(CELLS).join(self.number.to_string());
                let (now, then) =
                    (format!("{}{}", root.display(), happened.what), format!("{TEMPLATE}{}", happened.what));
                let is_same = fs::read(now).is_ok_and(|now| fs::read(then).is_ok_and(|then| now == then));
                happened.kind = Kind::Changed;
                (!is_same).then_some(happened)
            }
            // A name that git packed is still there.
            Kind::Deleted if self.is_packed(&happened.what) => None,
            // A connection that stays on this machine reaches nobody.
            Kind::Connected if ["\"127.", "\"::1\""].iter().any(|local| happened.what.contains(local)) => {
                None
            }
            _ => Some(happened),
        }
    }

    /// Returns whether a file of git is a branch or a tag that is among the packed ones now.
    fn is_packed(&self, path: &str) -> bool {
        let Some((repository, name)) = path.split_once("/.git/refs/") else { return false };
        let packed = format!("{CELLS}/{}{repository}/.git/packed-refs", self.number);
        let name = format!("refs/{name}");
        fs::read_to_string(packed).is_ok_and(|text| text.lines().any(|line| line.ends_with(&name)))
    }

    /// Returns whether a name is one of the words of the text.
    fn names(&self, name: &str) -> bool {
        let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | '+');
        self.text.split(|char: char| !is_part(char)).any(|word| word == name)
    }

    /// Returns whether something is a program's own business, which nothing in the text is about: a helper that it starts, a record that
    /// it keeps for itself in the home directory, in a temporary directory or in the repository. Only what is new can be a record, and
    /// what others read or start later is none, whoever writes it.
    fn is_own(&self, happened: &Happened) -> bool {
        let what = happened.what.as_str();
        match happened.kind {
            // `time` is a word of some shells and a program for others.
            Kind::Started => base(what) == "time" || !self.names(base(what)),
            Kind::Created => {
                let kept =
                    ["/home/dev/.", "/tmp/", "/var/", "/run/"].iter().any(|place| what.starts_with(place));
                (kept && !self.names(base(what)) && !matters(what)) || is_record_of_git(what)
            }
            Kind::Changed | Kind::Mode => is_record_of_git(what),
            Kind::Deleted => is_record_of_git(what) && !what.contains("/refs/"),
            _ => false,
        }
    }
}

/// Whether a path is one that git keeps for itself. What git does to it has words of its own, apart from paths.
fn is_record_of_git(path: &str) -> bool {
    path.contains("/.git/") && !path.contains("/.git/hooks/") && !path.ends_with("/.git/config")
}

/// Whether a predicted effect can be seen: what is not there cannot be deleted, and what is there already is not made.
fn is_possible(predicted: &Predicted, before: &BTreeSet<String>) -> bool {
    let is_there = before.iter().any(|path| crate::predicted::fits(&predicted.path, path));
    match predicted.action {
        Action::Create => !is_there,
        Action::Delete | Action::Move | Action::Mode | Action::Owner | Action::Truncate => is_there,
        _ => {
            predicted.path.starts_with('/')
                && !["/dev/", "/proc/", "/sys/"].iter().any(|place| predicted.path.starts_with(place))
        }
    }
}

impl Outcome {
    /// The outcome as it leaves the room.
    pub fn to_json(&self) -> Value {
        let unpredicted: Vec<Value> =
            self.unpredicted.iter().map(|one| json!([one.kind.word(), one.what, one.by])).collect();
        let unseen: Vec<Value> =
            self.unseen.iter().map(|one| json!([one.action.as_str(), one.path, one.by, one.vague])).collect();
        json!({
            "exit": self.exit, "late": self.late, "happened": self.happened, "unpredicted": unpredicted, "unknown": self.said_unknown, "own": self.own,
            "predicted": self.predicted, "unseen": unseen, "decision": self.decision,
        })
    }
}
