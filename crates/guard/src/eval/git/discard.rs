//! Commands that throw away work which is in no commit.

use super::{
    Repo,
    options::{Line, options},
    pathspec::Extent,
};
use crate::{
    effect::Target,
    eval::Evaluator,
    path::Segment,
    qualities::{Qualities, qualities},
    vocabulary::{Action, Modifier, Zone},
};
use checkrein_git::{Head, Others, Question};
use checkrein_shell::Word;

impl Evaluator<'_> {
    pub(super) fn git_reset(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "hard merge keep soft mixed p/patch q/quiet N/intent-to-add pathspec-from-file= pathspec-file-nul \
             recurse-submodules? refresh U/unified= inter-hunk-frame="
            ),
            rest,
        );
        let question = match line.operands.as_slice() {
            [] => self.git_question(Head::Stays, repo),
            [target] => head(target, Head::Moves).and_then(|head| self.git_question(head, repo)),
            _ => None,
        };
        if line.has("hard") {
            self.git_discards_unless(None, qualities![Modifier::All], question.as_ref(), repo);
        } else if line.has("merge") {
            // What is only staged is lost; what is neither is kept.
            self.git_discards_unless(None, qualities![Modifier::Staged], question.as_ref(), repo);
        }
    }

    pub(super) fn git_checkout(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "f/force ours theirs m/merge p/patch b= B= orphan= d/detach t/track? no-track guess l conflict= q/quiet \
             progress overlay no-overlay pathspec-from-file= pathspec-file-nul ignore-skip-worktree-bits \
             ignore-other-worktrees recurse-submodules? overwrite-ignore no-overwrite-ignore U/unified="
            ),
            rest,
        );
        if line.has("patch") {
            return;
        }
        let creates = line.has_any(&["b", "B", "orphan"]);
        let (tree, paths) = match (&line.paths, line.operands.as_slice()) {
            _ if creates => (None, Vec::new()),
            (Some(paths), operands) => (operands.first(), paths.clone()),
            (None, []) => (None, Vec::new()),
            (None, [only]) if self.git_is_path(only, repo) => (None, vec![only.clone()]),
            (None, [only]) => (Some(only), Vec::new()),
            (None, [first, more @ ..]) if self.git_is_path(first, repo) => {
                (None, std::iter::once(first).chain(more).cloned().collect())
            }
            (None, [tree, paths @ ..]) => (Some(tree), paths.to_vec()),
        };
        let from_list = line.has("pathspec-from-file");
        if paths.is_empty() && from_list {
            self.git_discards(None, qualities![Modifier::Some], repo);
        } else if paths.is_empty() {
            if line.has("force") {
                let question = self.git_leaves(tree, creates, repo);
                let qualities = qualities![Modifier::All, Modifier::Force];
                self.git_discards_unless(None, qualities, question.as_ref(), repo);
            }
        } else {
            self.git_puts_back(&paths, source(tree, &line), repo);
        }
    }

    pub(super) fn git_restore(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "S/staged W/worktree s/source= ours theirs m/merge p/patch conflict= q/quiet progress overlay \
             pathspec-from-file= pathspec-file-nul ignore-unmerged ignore-skip-worktree-bits recurse-submodules? U/unified="
            ),
            rest,
        );
        if line.has("patch") || (line.has("staged") && !line.has("worktree")) {
            return;
        }
        let tree = line.value("source");
        let paths = line.all();
        if paths.is_empty() && line.has("pathspec-from-file") {
            self.git_discards(None, qualities![Modifier::Some], repo);
        }
        self.git_puts_back(&paths, source(tree.as_ref(), &line), repo);
    }

    /// Files that are put back to what they were, over whatever they are now.
    fn git_puts_back(&mut self, paths: &[Word], source: Source, repo: &Repo) {
        let extents: Vec<Extent> = paths.iter().map(|path| self.git_extent(path, repo)).collect();
        let named = extents.iter().filter(|extent| **extent == Extent::File).count();
        // Another commit may bring files that are here and not tracked.
        let others = if source == Source::Other { Others::All } else { Others::Stay };
        let question = self
            .git_question(Head::Stays, repo)
            .filter(|_| source != Source::Conflict)
            .map(|question| Question { others, ..question });
        let question = question.as_ref();
        for (path, extent) in paths.iter().zip(&extents) {
            self.git_touches(Action::Write, path, repo);
            match (extent, source) {
                (Extent::Except, _) => {}
                (Extent::Many, Source::Last | Source::Other) => {
                    self.git_discards_unless(Some(path), qualities![Modifier::Sweeping], question, repo);
                }
                (Extent::Many, Source::Conflict) => {
                    self.git_discards(Some(path), qualities![Modifier::Some], repo);
                }
                (Extent::File, Source::Last) => {
                    self.git_discards_unless(Some(path), qualities![Modifier::Some], question, repo);
                }
                // One named file of another branch was asked for, unless the disk says that something is lost.
                (Extent::File, Source::Other) if named > 1 || self.git_is_lost(path, question, repo) => {
                    self.git_discards_unless(Some(path), qualities![Modifier::Some], question, repo);
                }
                (Extent::File, Source::Other | Source::Conflict) => {}
            }
        }
        // Only exceptions: from everything.
        if !extents.is_empty() && extents.iter().all(|extent| *extent == Extent::Except) {
            self.git_discards(None, qualities![Modifier::Sweeping], repo);
        }
    }

    pub(super) fn git_switch(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "f/force discard-changes c/create= C/force-create= orphan= d/detach t/track? no-track guess m/merge conflict= \
             q/quiet progress ignore-other-worktrees recurse-submodules?"
            ),
            rest,
        );
        if line.has_any(&["force", "discard-changes"]) {
            let creates = line.has_any(&["create", "force-create", "orphan"]);
            let question = self.git_leaves(line.operands.first(), creates, repo);
            self.git_discards_unless(
                None,
                qualities![Modifier::All, Modifier::Force],
                question.as_ref(),
                repo,
            );
        }
    }

    /// The question about a commit that is left for another one.
    fn git_leaves(&self, target: Option<&Word>, creates: bool, repo: &Repo) -> Option<Question> {
        match target {
            _ if creates => None,
            None => self.git_question(Head::Stays, repo),
            Some(target) => head(target, Head::Leaves).and_then(|head| self.git_question(head, repo)),
        }
    }

    pub(super) fn git_clean(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(options!("f/force x X d n/dry-run i/interactive q/quiet e/exclude="), rest);
        let unasked = repo.setting("clean.requireforce").is_some_and(|value| is_false(&value));
        if line.has("dry-run") || !(line.has_any(&["force", "interactive"]) || unasked) {
            return;
        }
        let mut qualities = qualities![Modifier::Untracked];
        if line.has("interactive") {
            qualities = qualities.with(Modifier::Asks);
        }
        // Only what the project itself ignores.
        if line.has("X") {
            qualities = qualities.with(Modifier::Some);
        }
        let others = if line.has_any(&["x", "X"]) { Others::All } else { Others::Untracked };
        let question = self.git_question(Head::Stays, repo);
        let question = question.map(|question| Question { tracked: false, others, ..question });
        let paths = line.all();
        for path in &paths {
            self.git_discards_unless(Some(path), qualities, question.as_ref(), repo);
        }
        if paths.is_empty() {
            qualities = qualities.with(Modifier::All);
            // Only what is below the directory.
            let here = |question: Question| Question { paths: vec![question.directory.clone()], ..question };
            self.git_discards_unless(None, qualities, question.map(here).as_ref(), repo);
        }
    }

    pub(super) fn git_checkout_index(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!("f/force a/all u/index q/quiet n/no-create prefix= stage= temp stdin z"),
            rest,
        );
        if let Some(prefix) = line.value("prefix") {
            self.emit_path(Action::Create, &prefix, qualities![Modifier::Extracts], &repo.frame);
            return;
        }
        if !line.has("force") || line.has("temp") {
            return;
        }
        if line.has("all") {
            let question = self.git_question(Head::Stays, repo);
            let qualities = qualities![Modifier::All, Modifier::Force];
            self.git_discards_unless(None, qualities, question.as_ref(), repo);
        } else if line.has("stdin") {
            self.git_discards(None, qualities![Modifier::Some, Modifier::Force], repo);
        }
        self.git_puts_back(&line.all(), Source::Last, repo);
    }

    pub(super) fn git_read_tree(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "reset u m i n/dry-run v trivial aggressive prefix= index-output= empty no-sparse-checkout q/quiet \
             exclude-per-directory= recurse-submodules?"
            ),
            rest,
        );
        if line.has("reset") && line.has("u") && !line.has("dry-run") {
            self.git_discards(None, qualities![Modifier::All], repo);
        }
    }

    pub(super) fn git_rm(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "f/force r cached n/dry-run ignore-unmatch q/quiet sparse pathspec-from-file= pathspec-file-nul"
            ),
            rest,
        );
        if line.has_any(&["cached", "dry-run"]) {
            return;
        }
        let question = self.git_question(Head::Stays, repo);
        let question = question.map(|question| Question { removes: true, ..question });
        let question = question.as_ref();
        for path in &line.all() {
            self.git_touches(Action::Delete, path, repo);
            let extent = self.git_extent(path, repo);
            let whole = self.git_places(path, repo).iter().any(|spot| spot.zone == Zone::ProjectRoot);
            match (extent, line.has("force")) {
                (Extent::Many, true) if line.has("r") || whole => {
                    let qualities = qualities![Modifier::Sweeping, Modifier::Force];
                    self.git_discards_unless(Some(path), qualities, question, repo);
                }
                (Extent::File | Extent::Many, true) => {
                    let qualities = qualities![Modifier::Some, Modifier::Force];
                    self.git_discards_unless(Some(path), qualities, question, repo);
                }
                // Without force, only committed files go; removing all of them at once is still worth a question.
                (Extent::Many, false) if line.has("r") && whole => {
                    self.git_discards_unless(Some(path), qualities![Modifier::Some], question, repo);
                }
                (Extent::File | Extent::Many | Extent::Except, _) => {}
            }
        }
    }

    pub(super) fn git_mv(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(options!("f/force k n/dry-run v/verbose sparse"), rest);
        let operands = line.all();
        let Some((target, sources)) = operands.split_last() else { return };
        if !line.has("dry-run") {
            sources.iter().for_each(|source| self.git_touches(Action::Move, source, repo));
            self.git_touches(Action::Write, target, repo);
        }
    }

    pub(super) fn git_worktree(&mut self, rest: &[Word], repo: &Repo) {
        let Some((action, rest)) = rest.split_first() else { return };
        let line = Line::read(
            options!(
                "f/force b= B= d/detach checkout lock reason= orphan q/quiet track guess expire= n/dry-run"
            ),
            rest,
        );
        match action.lead() {
            "remove" if line.has("force") => {
                for path in &line.all() {
                    let question = self.git_work_tree(path, repo);
                    let qualities = qualities![Modifier::All, Modifier::Force];
                    self.git_discards_unless(Some(path), qualities, question.as_ref(), repo);
                }
            }
            "add" => {
                if let Some(path) = line.all().first() {
                    self.emit_path(Action::Create, path, Qualities::NONE, &repo.frame);
                }
            }
            _ => {}
        }
    }

    /// The question about a work tree that goes as a whole.
    fn git_work_tree(&self, path: &Word, repo: &Repo) -> Option<Question> {
        let question = self.git_question(Head::Goes, repo)?;
        let [spot] = self.git_places(path, repo).try_into().ok()?;
        let plain = !spot.path.contains(['…', '*', '?', '[']);
        plain.then(|| Question { directory: spot.path.into(), others: Others::All, ..question })
    }

    pub(super) fn git_submodule(&mut self, rest: &[Word], repo: &Repo) {
        let is_option = |word: &&Word| word.lead().starts_with('-');
        let options = rest.iter().take_while(is_option).count();
        let Some((action, rest)) = rest.get(options..).and_then(<[Word]>::split_first) else { return };
        if action.lead() == "foreach" {
            let options = rest.iter().take_while(is_option).count();
            let command = rest.get(options..).unwrap_or_default();
            // In the directory of each.
            let mut inner = repo.frame.clone();
            for directory in &mut inner.directories {
                *directory = directory.clone().join([Segment::Unknown], false);
            }
            self.run_text(&crate::eval::handlers::join(command), &inner);
            return;
        }
        let line = Line::read(
            options!(
                "f/force all init recursive remote N/no-fetch checkout merge rebase reference= depth= j/jobs= b/branch= name= \
             single-branch filter= q/quiet dissociate progress recommend-shallow"
            ),
            rest,
        );
        match action.lead() {
            "deinit" if line.has("force") => {
                let paths = line.all();
                for path in &paths {
                    self.git_discards(Some(path), qualities![Modifier::All, Modifier::Force], repo);
                }
                if paths.is_empty() {
                    self.git_discards(None, qualities![Modifier::All, Modifier::Force], repo);
                }
            }
            "update" if line.has("force") => {
                self.git_discards(None, qualities![Modifier::Some, Modifier::Force], repo);
            }
            "add" | "set-url" => {
                for address in &line.all() {
                    self.git_address(address, repo);
                }
            }
            _ => {}
        }
    }

    pub(super) fn git_stash(&mut self, rest: &[Word], repo: &Repo) {
        let action = rest.first().map_or("push", Word::lead);
        match action {
            "drop" => {
                // A stash that the same call made was never meant to be kept.
                if self.session.git.stashed {
                    self.git_discards(None, qualities![Modifier::All, Modifier::Stash], repo);
                }
                let line = Line::read(options!("q/quiet"), rest.get(1..).unwrap_or_default());
                let names = self.git_names(&line.all());
                let name = names.first().map_or("stash@{0}", String::as_str);
                self.git_forgets(name, qualities![Modifier::Stash], repo);
            }
            "clear" => {
                self.git_forgets("stash", qualities![Modifier::Stash, Modifier::All], repo);
            }
            "pop" | "apply" | "branch" => self.session.git.stashed = false,
            "list" | "show" | "create" | "store" => {}
            _ => {
                self.session.git.stashed = true;
                // The files that it names are what they were at the last commit.
                let end = rest.iter().position(|word| word.lead() == "--").map_or(rest.len(), |at| at + 1);
                for path in rest.get(end..).unwrap_or_default() {
                    self.emit_if_ours(Action::Write, path, Qualities::NONE, &repo.frame);
                }
            }
        }
    }

    pub(super) fn git_maintenance(&mut self, rest: &[Word], repo: &Repo) {
        if rest.first().is_some_and(|word| word.lead() == "start") {
            let name = Target::Name("git maintenance".to_owned());
            self.emit(Action::Persist, name, qualities![Modifier::Later], &repo.said);
        }
    }
}

/// The source from which files are restored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The last commit, or what is staged.
    Last,
    /// Another commit.
    Other,
    /// A side of a merge that has to be decided.
    Conflict,
}

fn source(tree: Option<&Word>, line: &Line) -> Source {
    if line.has_any(&["ours", "theirs", "merge", "conflict"]) {
        return Source::Conflict;
    }
    let tree = tree.map(|tree| tree.constant().unwrap_or_default());
    match tree.as_deref() {
        None | Some("HEAD" | "@") => Source::Last,
        Some(_) => Source::Other,
    }
}

/// Returns what a command does to the commit that is checked out; `None` if the name is not known.
fn head(target: &Word, moves: fn(String) -> Head) -> Option<Head> {
    let target = target.constant()?;
    Some(if matches!(&*target, "HEAD" | "@") { Head::Stays } else { moves(target.into_owned()) })
}

/// Returns true if the value of a setting means no.
pub(super) fn is_false(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "false" | "no" | "off" | "0" | "")
}
