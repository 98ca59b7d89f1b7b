//! Commands of git that run what they are given.

use super::{
    Repo,
    options::{Line, options},
};
use crate::{
    eval::Evaluator,
    path::PathPattern,
    qualities::{Qualities, qualities},
    vocabulary::Modifier,
};
use checkrein_shell::Word;

impl Evaluator<'_> {
    pub(super) fn git_bisect(&mut self, rest: &[Word], repo: &Repo) {
        if let Some((action, command)) = rest.split_first()
            && action.lead() == "run"
        {
            self.follow_argv(command, &repo.frame);
        }
    }

    pub(super) fn git_difftool(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "x/extcmd= t/tool= g/gui d/dir-diff y/no-prompt prompt symlinks tool-help trust-exit-code rotate-to= skip-to= O="
            ),
            rest,
        );
        for program in line.values(&["extcmd"]) {
            self.git_program("--extcmd", &program, Qualities::NONE, &repo.frame);
        }
    }

    pub(super) fn git_grep(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "O/open-files-in-pager? e= f= A/after-frame= B/before-frame= C/frame= m/max-count= max-depth= threads= \
             no-index untracked recursive"
            ),
            rest,
        );
        for program in line.values(&["open-files-in-pager"]) {
            self.git_program("--open-files-in-pager", &program, qualities![Modifier::Shell], &repo.frame);
        }
        for file in line.values(&["f"]) {
            self.read_file(&file, &repo.frame);
        }
        let first = if line.has("e") { 0 } else { 1 };
        let files: Vec<Word> =
            line.operands.iter().skip(first).chain(line.paths.iter().flatten()).cloned().collect();
        for file in &files {
            if line.has("no-index") {
                self.read_file(file, &repo.frame);
            } else {
                self.git_content(file, repo);
            }
        }
    }

    pub(super) fn git_for_each_repo(&mut self, rest: &[Word], repo: &Repo) {
        let is_option = |word: &&Word| word.lead().starts_with('-');
        // `--config key` takes the next word, `--config=key` does not.
        let mut options = rest.iter().take_while(is_option).count();
        if rest.first().is_some_and(|word| word.lead() == "--config") {
            options = options.max(1) + 1;
        }
        let command = rest.get(options..).unwrap_or_default();
        let words: Vec<Word> =
            std::iter::once(Word::text("git", 0..0)).chain(command.iter().cloned()).collect();
        let mut inner = repo.frame.clone();
        inner.directories = vec![PathPattern::unknown()];
        self.follow_argv(&words, &inner);
    }

    pub(super) fn git_send_email(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "sendmail-cmd= to-cmd= cc-cmd= header-cmd= smtp-server= to= cc= bcc= from= subject= in-reply-to= compose-encoding= \
             smtp-user= smtp-pass= smtp-encryption= identity= confirm= suppress-cc="
            ),
            rest,
        );
        for program in line.values(&["sendmail-cmd", "to-cmd", "cc-cmd", "header-cmd"]) {
            self.git_program("sendemail", &program, qualities![Modifier::Shell], &repo.frame);
        }
        for server in line.values(&["smtp-server"]) {
            if server.lead().starts_with('/') {
                self.git_program("sendemail", &server, qualities![Modifier::Shell], &repo.frame);
            } else {
                self.connect(&server, &repo.frame);
            }
        }
    }

    pub(super) fn git_daemon(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!("access-hook= base-path= interpolated-path= listen= port= user= group= pid-file="),
            rest,
        );
        for program in line.values(&["access-hook"]) {
            self.git_program("--access-hook", &program, qualities![Modifier::Shell], &repo.frame);
        }
        for file in line.values(&["pid-file"]) {
            self.emit_path(crate::vocabulary::Action::Write, &file, Qualities::NONE, &repo.frame);
        }
    }
}
