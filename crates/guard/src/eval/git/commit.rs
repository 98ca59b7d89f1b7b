//! Commands that make commits: their messages are data, the checks that they skip are not.

use super::{
    Repo,
    options::{Line, options},
};
use crate::{eval::Evaluator, qualities::Qualities, vocabulary::Action};
use checkrein_shell::Word;

impl Evaluator<'_> {
    pub(super) fn git_commit(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "n/no-verify m/message= F/file= C/reuse-message= c/reedit-message= t/template= author= date= fixup= squash= \
             trailer= cleanup= S/gpg-sign? u/untracked-files? pathspec-from-file= a/all amend e/edit s/signoff i/include \
             o/only p/patch q/quiet v/verbose dry-run short branch porcelain long z/null reset-author allow-empty \
             allow-empty-message no-edit no-post-rewrite no-gpg-sign U/unified="
            ),
            rest,
        );
        if line.has("no-verify") && !line.has("dry-run") {
            self.git_emit(Action::Bypass, "pre-commit", Qualities::NONE, repo);
        }
        for file in line.values(&["file", "template"]) {
            self.read_file(&file, &repo.frame);
        }
    }

    /// Merges and what applies commits.
    pub(super) fn git_merge(&mut self, name: &str, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "no-verify m/message= F/file= s/strategy= X/strategy-option= S/gpg-sign? cleanup= into-name= log? abort \
             continue quit skip no-commit no-edit edit e ff ff-only no-ff squash stat signoff q v C= p= directory= \
             exclude= include= patch-format= mainline="
            ),
            rest,
        );
        if line.has("no-verify") {
            self.git_emit(Action::Bypass, "pre-merge-commit", Qualities::NONE, repo);
        }
        for file in line.values(&["file"]) {
            self.read_file(&file, &repo.frame);
        }
        if name == "am" {
            self.git_patches(&line.all(), 1, repo);
        }
    }

    pub(super) fn git_rebase(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "x/exec= no-verify onto= s/strategy= X/strategy-option= S/gpg-sign? empty= C= whitespace= i/interactive abort \
             continue skip quit root autosquash autostash keep-base r/rebase-merges? f/force-rebase no-ff q/quiet v/verbose \
             stat n/no-stat signoff apply m/merge committer-date-is-author-date reapply-cherry-picks update-refs \
             no-autosquash no-autostash edit-todo show-current-patch"
            ),
            rest,
        );
        if line.has("no-verify") {
            self.git_emit(Action::Bypass, "pre-rebase", Qualities::NONE, repo);
        }
        for text in line.values(&["exec"]) {
            self.run_text(&text, &repo.frame);
        }
    }
}
