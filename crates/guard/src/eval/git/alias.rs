//! Aliases: a name that git replaces by other words, or by a text for a shell.

use super::{Repo, config_file};
use crate::{
    eval::{Evaluator, Frame, flow::Flow, session::GitFile},
    path::LinkPolicy,
};
use checkrein_shell::{Source, Word};

/// The commands that git has itself. An alias with such a name is never looked at.
const COMMANDS: &[&str] = &[
    "add",
    "am",
    "annotate",
    "apply",
    "archive",
    "bisect",
    "blame",
    "branch",
    "bugreport",
    "bundle",
    "cat-file",
    "check-attr",
    "check-ignore",
    "check-mailmap",
    "check-ref-format",
    "checkout",
    "checkout-index",
    "cherry",
    "cherry-pick",
    "citool",
    "clean",
    "clone",
    "column",
    "commit",
    "commit-graph",
    "commit-tree",
    "config",
    "count-objects",
    "credential",
    "credential-cache",
    "credential-store",
    "daemon",
    "describe",
    "diagnose",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "difftool",
    "fast-export",
    "fast-import",
    "fetch",
    "fetch-pack",
    "filter-branch",
    "filter-repo",
    "fmt-merge-msg",
    "for-each-ref",
    "for-each-repo",
    "format-patch",
    "fsck",
    "fsck-objects",
    "fsmonitor--daemon",
    "gc",
    "get-tar-commit-id",
    "gitk",
    "grep",
    "gui",
    "hash-object",
    "help",
    "hook",
    "http-backend",
    "http-fetch",
    "http-push",
    "imap-send",
    "index-pack",
    "init",
    "init-db",
    "instaweb",
    "interpret-trailers",
    "lfs",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "mailinfo",
    "mailsplit",
    "maintenance",
    "merge",
    "merge-base",
    "merge-file",
    "merge-index",
    "merge-recursive",
    "merge-tree",
    "mergetool",
    "mktag",
    "mktree",
    "multi-pack-index",
    "mv",
    "name-rev",
    "notes",
    "pack-objects",
    "pack-redundant",
    "pack-refs",
    "patch-id",
    "prune",
    "prune-packed",
    "pull",
    "push",
    "quiltimport",
    "range-diff",
    "read-tree",
    "rebase",
    "receive-pack",
    "reflog",
    "remote",
    "repack",
    "replace",
    "request-pull",
    "rerere",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "revert",
    "rm",
    "send-email",
    "send-pack",
    "shell",
    "shortlog",
    "show",
    "show-branch",
    "show-index",
    "show-ref",
    "sparse-checkout",
    "stage",
    "stash",
    "status",
    "stripspace",
    "submodule",
    "svn",
    "switch",
    "symbolic-ref",
    "tag",
    "unpack-file",
    "unpack-objects",
    "update-index",
    "update-ref",
    "update-server-info",
    "upload-archive",
    "upload-pack",
    "var",
    "verify-commit",
    "verify-pack",
    "verify-tag",
    "version",
    "web--browse",
    "whatchanged",
    "worktree",
    "write-tree",
];

/// Returns true if git has a command of that name.
pub(super) fn is_command(name: &str) -> bool {
    COMMANDS.binary_search(&name).is_ok()
}

impl Evaluator<'_> {
    /// Returns the value of an alias: as the call itself set it, or from the files of the repository and the user.
    pub(super) fn git_alias(&mut self, name: &str, repo: &Repo) -> Option<String> {
        let name = name.to_ascii_lowercase();
        if let Some(value) = self.session.git.aliases.get(&name) {
            return Some(value.clone());
        }
        let mut paths = self.git_files(repo);
        paths.extend([format!("{}/.gitconfig", self.home), format!("{}/.config/git/config", self.home)]);
        paths.into_iter().find_map(|path| {
            self.git_load(&path);
            self.session.git.files.get(&path)?.aliases.get(&name).cloned()
        })
    }

    /// Reads a settings file, the first time and whenever the call itself has written more to it. Returns its settings; its
    /// aliases stay known.
    pub(super) fn git_load(&mut self, path: &str) -> Vec<(String, String)> {
        let own =
            self.session.files.get(path).and_then(|content| content.flow.text.clone()).unwrap_or_default();
        let written = own.len();
        let known = self.session.git.files.get(path);
        if known.is_some_and(|file| file.written == written) {
            return Vec::new();
        }
        let mut aliases = known.map(|file| file.aliases.clone()).unwrap_or_default();
        let mut settings = config_file::settings(path, self.world);
        settings.extend(config_file::parse(&own));
        let named = |(key, value): &(String, String)| Some((name_of(key)?, value.clone()));
        aliases.extend(settings.iter().filter_map(named));
        self.session.git.files.insert(path.to_owned(), GitFile { written, aliases });
        settings
    }

    /// The files with the settings of the repository that a command works in.
    pub(super) fn git_files(&self, repo: &Repo) -> Vec<String> {
        if let Some(directory) = &repo.directory {
            let places = self.places(directory, LinkPolicy::Follow, &repo.frame);
            return places.iter().map(|(spot, _)| format!("{}/config", spot.path)).collect();
        }
        let known = repo.frame.directories.iter().filter(|directory| directory.is_known());
        known.filter_map(|directory| config_file::of_repository(&directory.to_string(), self.world)).collect()
    }

    /// Follows the value of an alias, with the words after it.
    pub(super) fn git_expand(&mut self, name: &str, value: &str, rest: &[Word], repo: &Repo) -> Flow {
        let own = format!("git {name}");
        if self.session.active.contains(&own) {
            return Flow::default();
        }
        if self.sink.is_too_deep() {
            self.emit_too_much(&repo.said);
            return Flow::default();
        }
        self.session.active.push(own);
        self.sink.descend();
        let flow = match value.trim_start().strip_prefix('!') {
            Some(text) => {
                let mut whole = Source::from(text);
                self.push_words(&mut whole, rest);
                let inner = Frame { stdin: repo.frame.stdin.left(), ..repo.frame.clone() };
                self.follow_text(&whole, &inner)
            }
            None => {
                let words = split(value).into_iter().map(|text| Word::text(&text, 0..0));
                let own = std::iter::once(Word::text("git", 0..0));
                let all: Vec<Word> = own
                    .chain(repo.globals.iter().cloned())
                    .chain(words)
                    .chain(rest.iter().cloned())
                    .collect();
                let mut frame = repo.frame.clone();
                self.follow_program("git", &all, &mut frame)
            }
        };
        self.sink.ascend();
        self.session.active.pop();
        flow
    }
}

/// The name of the alias that a key sets.
pub(super) fn name_of(key: &str) -> Option<String> {
    let key = key.to_ascii_lowercase();
    let name = key.strip_prefix("alias.")?;
    Some(name.strip_suffix(".command").unwrap_or(name).to_owned())
}

/// The words of an alias: quotes and escapes, and nothing else of a shell.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match (quote, char) {
            (Some(open), _) if open == char => quote = None,
            (None, '\'' | '"') => {
                quote = Some(char);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(chars.next()),
            (None, _) if char.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_commands_is_whole() {
        assert!(["add", "reset", "write-tree"].into_iter().all(is_command));
        assert!(!["", "wipe", "re"].into_iter().any(is_command));
        assert!(COMMANDS.is_sorted());
    }

    #[test]
    fn words_are_split_as_git_does() {
        assert_eq!(
            split(r#"log  --format='%h %s' "a b" c\ d """#),
            ["log", "--format=%h %s", "a b", "c d", ""]
        );
    }
}
