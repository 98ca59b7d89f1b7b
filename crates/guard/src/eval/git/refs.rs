//! Commands that remove the names of commits, or put other commits in their place.

use super::{
    Repo,
    options::{Line, options},
    remote::is_main,
};
use crate::{
    eval::Evaluator,
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Environment, Modifier},
};
use checkrein_shell::Word;

impl Evaluator<'_> {
    pub(super) fn git_branch(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "D d/delete f/force m/move M c/copy C r/remotes a/all l/list contains= no-contains= merged? no-merged? \
             points-at= sort= format= u/set-upstream-to= unset-upstream edit-description t/track? q/quiet v/verbose \
             show-current column? color? abbrev? i/ignore-case"
            ),
            rest,
        );
        let forced = line.has("force");
        // Remote-tracking branches come back with the next fetch.
        if line.has("remotes") {
            return;
        }
        let gone = line.has("D") || (line.has("delete") && forced);
        let moved = forced && !line.has_any(&["delete", "move", "copy", "M", "C"]) && line.all().len() > 1;
        if gone {
            for name in self.git_names(&line.all()) {
                let qualities = if is_scratch(&name) {
                    qualities![Modifier::Force, Environment::Throwaway]
                } else {
                    qualities![Modifier::Force]
                };
                self.git_forgets(&name, qualities, repo);
            }
            if line.all().is_empty() {
                self.git_emit(
                    Action::Forget,
                    "a branch",
                    qualities![Modifier::Force, Certainty::Unknown],
                    repo,
                );
            }
        } else if moved && let Some(name) = self.git_names(&line.all()).first() {
            self.git_forgets(name, qualities![Modifier::Force], repo);
        }
    }

    pub(super) fn git_tag(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "d/delete m/message= F/file= u/local-user= a/annotate s/sign n? l/list v/verify f/force e/edit cleanup= \
             contains= no-contains= merged? no-merged? points-at= sort= format= trailer= column? color? create-reflog"
            ),
            rest,
        );
        if line.has("delete") {
            for name in self.git_names(&line.all()) {
                self.git_forgets(&name, Qualities::NONE, repo);
            }
        }
        for file in line.values(&["file"]) {
            self.read_file(&file, &repo.frame);
        }
    }

    pub(super) fn git_update_ref(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(options!("d stdin z m= no-deref create-reflog batch-updates"), rest);
        if line.has("stdin") {
            let text = repo.frame.stdin.text.clone();
            if text.is_none_or(|text| text.contains("delete")) {
                self.git_emit(Action::Forget, "a name", qualities![Certainty::Unknown], repo);
            }
            return;
        }
        let names = self.git_names(&line.all());
        let Some(name) = names.first() else { return };
        if line.has("d") {
            let whole = is_main(name) || matches!(name.as_str(), "HEAD" | "@");
            let qualities =
                if whole { qualities![Modifier::All, Modifier::Main] } else { qualities![Modifier::Force] };
            self.git_forgets(name, qualities, repo);
        } else if name.starts_with("refs/heads/") || name == "HEAD" {
            self.git_forgets(name, qualities![Modifier::Force], repo);
        }
    }

    pub(super) fn git_symbolic_ref(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(options!("d/delete m= q/quiet short no-recurse"), rest);
        let names = self.git_names(&line.all());
        if let (true, Some(name)) = (line.has("delete"), names.first()) {
            self.git_emit(Action::Forget, name, qualities![Modifier::Force], repo);
        }
    }

    pub(super) fn git_reflog(&mut self, rest: &[Word], repo: &Repo) {
        let Some((action, rest)) = rest.split_first() else { return };
        let line = Line::read(
            options!(
                "expire= expire-unreachable= all n/dry-run rewrite updateref stale-fix verbose single-worktree"
            ),
            rest,
        );
        if line.has("dry-run") {
            return;
        }
        match action.lead() {
            "expire" => {
                let dates = line.values(&["expire", "expire-unreachable"]);
                let keeps = |word: &Word| {
                    word.constant()
                        .is_some_and(|date| matches!(&*date, "never" | "false") || is_long_ago(&date))
                };
                if dates.iter().any(|date| !keeps(date)) {
                    self.git_emit(Action::Forget, "reflog", qualities![Modifier::All], repo);
                }
            }
            "delete" | "drop" => self.git_emit(Action::Forget, "reflog", Qualities::NONE, repo),
            _ => {}
        }
    }

    pub(super) fn git_gc(&mut self, rest: &[Word], repo: &Repo) {
        let line =
            Line::read(options!("prune? aggressive auto q/quiet force cruft keep-largest-pack detach"), rest);
        if line.value("prune").is_some_and(|date| is_now(&date)) {
            self.git_emit(Action::Forget, "what no name leads to", Qualities::NONE, repo);
        }
    }

    pub(super) fn git_prune(&mut self, rest: &[Word], repo: &Repo) {
        let line =
            Line::read(options!("n/dry-run expire= v/verbose progress exclude-promisor-objects"), rest);
        let expire = line.value("expire");
        if !line.has("dry-run") && expire.as_ref().is_none_or(is_now) {
            self.git_emit(Action::Forget, "what no name leads to", Qualities::NONE, repo);
        }
    }

    pub(super) fn git_filter_branch(&mut self, rest: &[Word], repo: &Repo) {
        self.git_emit(Action::Overwrite, "history", qualities![Modifier::All], repo);
        let line = Line::read(
            options!(
                "tree-filter= index-filter= env-filter= msg-filter= commit-filter= parent-filter= tag-name-filter= setup= \
             subdirectory-filter= prune-empty original= d= f/force state-branch="
            ),
            rest,
        );
        let filters = [
            "tree-filter",
            "index-filter",
            "env-filter",
            "msg-filter",
            "commit-filter",
            "parent-filter",
            "tag-name-filter",
            "setup",
        ];
        for text in line.values(&filters) {
            self.run_text(&text, &repo.frame);
        }
    }

    pub(super) fn git_filter_repo(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(options!("analyze dry-run force"), rest);
        if !line.has_any(&["analyze", "dry-run"]) {
            self.git_emit(Action::Overwrite, "history", qualities![Modifier::All], repo);
        }
    }

    pub(super) fn git_replace(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!("d/delete f/force e/edit g/graft convert-graft-file l/list format= raw"),
            rest,
        );
        if line.has("delete") || line.has("list") || line.all().is_empty() {
            return;
        }
        if let Some(name) = self.git_names(&line.all()).first() {
            self.git_emit(Action::Overwrite, name, qualities![Modifier::Some], repo);
        }
    }

    pub(super) fn git_fast_import(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(options!("force quiet stats export-marks= import-marks= done"), rest);
        if line.has("force") {
            self.git_emit(Action::Overwrite, "history", qualities![Modifier::Some, Modifier::Force], repo);
        }
        for file in line.values(&["export-marks"]) {
            self.emit_path(Action::Write, &file, Qualities::NONE, &repo.frame);
        }
    }
}

/// Returns true if a date leaves nothing to go back to. An unknown date may be such a one.
pub(super) fn is_now(date: &Word) -> bool {
    date.constant().is_none_or(|date| {
        let date = date.to_ascii_lowercase();
        matches!(&*date, "now" | "all" | "today" | "0") || date.contains("second") || date.contains("minute")
    })
}

/// Returns true if the name of a branch says that it is not a loss: `tmp/rebase`, `scratch-1`. `test` does not: people
/// work on tests.
fn is_scratch(name: &str) -> bool {
    ["tmp", "temp", "scratch", "throwaway"].iter().any(|mark| {
        name == *mark || name.strip_prefix(mark).is_some_and(|rest| rest.starts_with(['/', '-', '_']))
    })
}

/// Returns true if a date is at least as long ago as the month after which git itself forgets: `90.days`,
/// `6.weeks.ago`.
fn is_long_ago(date: &str) -> bool {
    let mut words = date.split(['.', ' ', '-']);
    let count: Option<u32> = words.next().and_then(|count| count.parse().ok());
    let days = match words.next().map(|unit| unit.trim_end_matches('s')) {
        Some("day") => 1,
        Some("week") => 7,
        Some("month") => 30,
        Some("year") => 365,
        Some(_) | None => return false,
    };
    count.is_some_and(|count| count.saturating_mul(days) >= 30)
}
