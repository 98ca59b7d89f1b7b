//! Git as an interpreter: what it throws away, and what it runs.
//!
//! A git command is read as git reads it: options of git itself, then a command or an alias, then the options of that,
//! which may be shortened, joined and placed after operands. `options` holds that reader. What a command does is in the file
//! of its kind; what a setting makes git run is in `settings`, wherever the setting comes from: `-c`, `git config`, the
//! environment, or the repository's own file.

mod alias;
mod commit;
mod config_file;
mod config_keys;
mod discard;
mod exec;
mod io;
mod named;
mod options;
mod pathspec;
mod refs;
mod remote;
mod settings;

pub(crate) use named::names_program;

use super::{
    Evaluator, Frame,
    flow::Flow,
    handlers::{Call, WordReader},
};
use crate::{
    effect::Target,
    path::{LinkPolicy, PathPattern, Segment},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Environment, Modifier, Taint, Zone},
};
use checkrein_git::Head;
use checkrein_shell::{Candidates, Word};
use settings::Kept;
use std::borrow::Cow;

/// The maximum number of commands that one command with several possible words is expanded to.
const VARIANTS: usize = 16;

/// The place and the configuration of a git command.
struct Repo {
    /// The frame in which it starts, and to which its paths are relative.
    frame: Frame,
    /// The frame for effects without a path: the qualities of a container do not apply to a project that is mounted
    /// there.
    said: Frame,
    /// The repository is a temporary one, so its content may be lost.
    throwaway: bool,
    /// The repository's own directory, if it is named.
    directory: Option<Word>,
    /// The work tree is named, so the disk does not say where it is.
    moved: bool,
    /// The settings of this command alone.
    settings: Vec<(String, Word)>,
    /// The options of git itself, for what an alias becomes.
    globals: Vec<Word>,
}

impl Repo {
    /// A setting of this command alone.
    fn setting(&self, key: &str) -> Option<Cow<'_, str>> {
        let found = self.settings.iter().rev().find(|(known, _)| known == key);
        found.map(|(_, value)| value.constant().unwrap_or_default())
    }
}

/// Follows a git command. `rest`: the words after `git`.
pub(in crate::eval) fn git(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let mut flow = Flow::default();
    for words in evaluator.git_variants(rest) {
        flow.add(&evaluator.git_words(&words, frame));
    }
    flow
}

impl Evaluator<'_> {
    /// A setting of git that is made by the environment: `GIT_CONFIG_KEY_<number>`.
    pub(super) fn git_setting(&mut self, number: &str, key: &Word, frame: &Frame) {
        let Some(key) = key.constant() else {
            self.emit(
                Action::Configure,
                Target::Name("git …".to_owned()),
                qualities![Certainty::Unknown],
                frame,
            );
            return;
        };
        self.session.git.keys.insert(number.to_owned(), key.clone().into_owned());
        if let Some(value) = self.session.git.values.get(number).cloned() {
            self.git_set(&key, &value, Kept::Once, frame);
        }
    }

    /// The other half of it: `GIT_CONFIG_VALUE_<number>`.
    pub(super) fn git_setting_value(&mut self, number: &str, value: &Word, frame: &Frame) {
        self.session.git.values.insert(number.to_owned(), value.clone());
        if let Some(key) = self.session.git.keys.get(number).cloned() {
            self.git_set(&key, value, Kept::Once, frame);
        }
    }

    /// All settings in one variable of the environment, quoted as for a shell.
    pub(super) fn git_parameters(&mut self, value: &Word, frame: &Frame) {
        let Some(text) = value.constant() else { return };
        let script = crate::read(&format!(": {text}"), &checkrein_shell::ShellEnv::default());
        let words = script.commands.iter().take(1).flat_map(|command| command.words.iter().skip(1));
        let pairs: Vec<String> = words.filter_map(Word::constant).map(Into::into).collect();
        for (key, value) in pairs.iter().filter_map(|pair| pair.split_once('=')) {
            self.git_set(key, &Word::text(value, 0..0), Kept::Once, frame);
        }
    }

    /// The commands that the words may be: a word that is one of several texts makes several commands.
    fn git_variants(&self, words: &[Word]) -> Vec<Vec<Word>> {
        if !words.iter().any(Word::is_unknown) || !self.sink.burn(words.len()) {
            return vec![words.to_vec()];
        }
        let mut variants: Vec<Vec<Word>> = vec![Vec::new()];
        for word in words {
            let ways = self.git_ways(word);
            if let [way] = ways.as_slice() {
                variants.iter_mut().for_each(|variant| variant.extend_from_slice(way));
                continue;
            }
            self.sink.burn(variants.iter().map(Vec::len).sum::<usize>() * ways.len());
            let mut next = Vec::new();
            for variant in &variants {
                for way in &ways {
                    if next.len() < VARIANTS {
                        next.push(variant.iter().chain(way).cloned().collect());
                    }
                }
            }
            variants = next;
        }
        variants
    }

    /// The words that one word may become.
    fn git_ways(&self, word: &Word) -> Vec<Vec<Word>> {
        let texts = if word.is_unknown() { self.texts(word) } else { Vec::new() };
        if texts.is_empty() {
            return vec![vec![word.clone()]];
        }
        let splits = word.unknowns().any(|unknown| unknown.splits);
        let way = |text: &String| {
            let pieces: Vec<&str> =
                if splits { text.split_ascii_whitespace().collect() } else { vec![text.as_str()] };
            pieces.iter().map(|piece| Word::text(piece, word.span.clone())).collect()
        };
        let mut ways: Vec<Vec<Word>> = texts.iter().map(way).collect();
        let open = |unknown: &checkrein_shell::Unknown| {
            !matches!(unknown.among, Candidates::These(_)) && self.origin(unknown).is_unknown()
        };
        if word.unknowns().any(open) {
            ways.push(vec![word.clone()]);
        }
        ways
    }

    fn git_words(&mut self, words: &[Word], frame: &Frame) -> Flow {
        let mut reader = WordReader::new(words);
        let mut repo = Repo {
            frame: frame.clone(),
            said: frame.clone(),
            throwaway: false,
            directory: None,
            moved: false,
            settings: Vec::new(),
            globals: Vec::new(),
        };
        let mut tree = None;
        let command = loop {
            let before = reader.rest().len();
            let Some(word) = reader.next() else { return self.passthrough(words, frame) };
            let lead = word.lead();
            if !lead.starts_with('-') {
                break word;
            }
            let (name, joined) = match lead.split_once('=') {
                Some((name, _)) => (name, Some(word.skip(name.len() + 1))),
                None => (lead, None),
            };
            match name {
                "--help" | "-h" | "--version" | "-v" | "--html-path" | "--man-path" | "--info-path" => {
                    return Flow::default();
                }
                "-C" => {
                    if let Some(directory) = reader.next() {
                        let next = self.directories_of(directory, &repo.frame);
                        repo.frame.directories =
                            if next.is_empty() { vec![PathPattern::unknown()] } else { next };
                    }
                }
                "-c" => {
                    if let Some(pair) = reader.next() {
                        self.git_pair(pair, &mut repo);
                    }
                }
                "--config-env" => {
                    if let Some(pair) = joined.or_else(|| reader.next().cloned()) {
                        let pair = self.git_from_environment(&pair);
                        self.git_pair(&pair, &mut repo);
                    }
                }
                "--exec-path" => {
                    if let Some(directory) = joined {
                        self.git_programs_in("--exec-path", &directory, &repo.frame);
                    }
                }
                "--git-dir" => repo.directory = joined.or_else(|| reader.next().cloned()),
                "--work-tree" => tree = joined.or_else(|| reader.next().cloned()),
                "--namespace" | "--super-prefix" | "--attr-source" | "--list-cmds" if joined.is_none() => {
                    reader.next();
                }
                _ => {}
            }
            // The directory is entered here, so the commands of an alias do not enter it again.
            if !matches!(name, "-C" | "--work-tree") {
                let taken = before.saturating_sub(reader.rest().len());
                let from = words.len().saturating_sub(before);
                repo.globals.extend(words.iter().skip(from).take(taken).cloned());
            }
        };
        // Whatever else is written there, it only prints how it is used.
        let takes_text = |word: &Word| {
            matches!(word.lead(), "-m" | "-am" | "--message" | "-F" | "--grep" | "-S" | "-G" | "--")
        };
        let helps = |pair: &[Word]| matches!(pair, [before, word] if word.constant().as_deref() == Some("--help") && !takes_text(before));
        let after: Vec<Word> = std::iter::once(command).chain(reader.rest()).cloned().collect();
        if after.windows(2).any(helps) {
            return Flow::default();
        }
        self.git_place(tree.as_ref(), &mut repo);
        self.git_command(command, reader.rest(), &repo)
    }

    /// Finds out where the work tree is, and whether it is a temporary one.
    fn git_place(&self, tree: Option<&Word>, repo: &mut Repo) {
        if let Some(tree) = tree {
            repo.moved = true;
            let next = self.directories_of(tree, &repo.frame);
            repo.frame.directories = if next.is_empty() { vec![PathPattern::unknown()] } else { next };
        }
        let here = Word::text(".", 0..0);
        let temporary = |word: &Word| {
            let places = self.places(word, LinkPolicy::Follow, &repo.frame);
            !places.is_empty()
                && places.iter().all(|(spot, _)| matches!(spot.zone, Zone::Temporary | Zone::Generated))
        };
        repo.throwaway = temporary(&here) && repo.directory.as_ref().is_none_or(temporary);
        repo.said =
            Frame { qualities: repo.frame.qualities.without(Environment::Throwaway), ..repo.frame.clone() };
    }

    /// A command of git, or an alias.
    fn git_command(&mut self, command: &Word, rest: &[Word], repo: &Repo) -> Flow {
        let Some(name) = command.constant() else { return self.git_any(rest, repo) };
        let is_help = |word: &Word| word.constant().as_deref() == Some("--help");
        let alone =
            rest.len() == 1 && rest.first().is_some_and(|word| word.constant().as_deref() == Some("-h"));
        if rest.first().is_some_and(is_help) || alone {
            return Flow::default();
        }
        self.git_own_settings(repo);
        if !alias::is_command(&name)
            && let Some(value) = self.git_alias(&name, repo)
        {
            return self.git_expand(&name, &value, rest, repo);
        }
        if !alias::is_command(&name) && repo.setting("help.autocorrect").is_some_and(|value| value != "0") {
            // Git itself chooses the command that looks most like it.
            self.emit(Action::Opaque, Target::Nothing, qualities![Taint::Computed], &repo.said);
            return self.git_any(rest, repo);
        }
        self.git_lands(&name, repo);
        self.git_known(&name, rest, repo);
        self.git_prints(&name, rest, repo)
    }

    /// Every command that puts files of a repository into its work tree uses the names in the repository.
    fn git_lands(&mut self, name: &str, repo: &Repo) {
        const LANDS: [&str; 17] = [
            "apply",
            "am",
            "checkout",
            "checkout-index",
            "cherry-pick",
            "clean",
            "merge",
            "mv",
            "pull",
            "read-tree",
            "rebase",
            "reset",
            "restore",
            "revert",
            "stash",
            "submodule",
            "switch",
        ];
        if !LANDS.contains(&name) {
            return;
        }
        let top = |directory: &PathPattern| {
            if !directory.is_known() {
                return directory.clone();
            }
            let names = directory.steps.len();
            let above = (1..=names)
                .rev()
                .map(|length| PathPattern::of("/").join(directory.steps.iter().take(length).cloned(), false));
            let mut tops = above.filter(|above| self.world.entry(&format!("{above}/.git")).is_some());
            tops.next().unwrap_or_else(|| directory.clone())
        };
        let directories = repo.frame.directories.iter().map(top).collect();
        let frame = Frame { directories, ..repo.frame.clone() };
        let here = Word::text(".", 0..0);
        self.emit_if_ours(Action::Create, &here, qualities![Modifier::Extracts], &frame);
    }

    /// A command whose name is not known: it may be one of those that take these options.
    fn git_any(&mut self, rest: &[Word], repo: &Repo) -> Flow {
        let options = rest.iter().any(|word| word.lead().starts_with('-'));
        for name in ["reset", "clean", "checkout", "push"].into_iter().filter(|_| options) {
            self.git_known(name, rest, repo);
        }
        self.passthrough(rest, &repo.frame)
    }

    fn git_known(&mut self, name: &str, rest: &[Word], repo: &Repo) {
        match name {
            "reset" => self.git_reset(rest, repo),
            "checkout" => self.git_checkout(rest, repo),
            "restore" => self.git_restore(rest, repo),
            "switch" => self.git_switch(rest, repo),
            "clean" => self.git_clean(rest, repo),
            "checkout-index" => self.git_checkout_index(rest, repo),
            "read-tree" => self.git_read_tree(rest, repo),
            "rm" => self.git_rm(rest, repo),
            "add" | "stage" => self.git_add(rest, repo),
            "mv" => self.git_mv(rest, repo),
            "worktree" => self.git_worktree(rest, repo),
            "submodule" => self.git_submodule(rest, repo),
            "stash" => self.git_stash(rest, repo),
            "branch" => self.git_branch(rest, repo),
            "tag" => self.git_tag(rest, repo),
            "update-ref" => self.git_update_ref(rest, repo),
            "symbolic-ref" => self.git_symbolic_ref(rest, repo),
            "reflog" => self.git_reflog(rest, repo),
            "gc" => self.git_gc(rest, repo),
            "prune" => self.git_prune(rest, repo),
            "filter-branch" => self.git_filter_branch(rest, repo),
            "filter-repo" => self.git_filter_repo(rest, repo),
            "replace" => self.git_replace(rest, repo),
            "fast-import" => self.git_fast_import(rest, repo),
            "push" | "send-pack" => self.git_push(rest, repo),
            "fetch" | "pull" | "ls-remote" | "fetch-pack" => self.git_fetch(rest, repo),
            "clone" => self.git_clone(rest, repo),
            "init" => self.git_init(rest, repo),
            "remote" => self.git_remote(rest, repo),
            "commit" => self.git_commit(rest, repo),
            "merge" | "am" | "cherry-pick" | "revert" => self.git_merge(name, rest, repo),
            "rebase" => self.git_rebase(rest, repo),
            "config" => self.git_config(rest, repo),
            "bisect" => self.git_bisect(rest, repo),
            "difftool" | "mergetool" => self.git_difftool(rest, repo),
            "grep" => self.git_grep(rest, repo),
            "for-each-repo" => self.git_for_each_repo(rest, repo),
            "send-email" => self.git_send_email(rest, repo),
            "daemon" => self.git_daemon(rest, repo),
            "maintenance" => self.git_maintenance(rest, repo),
            "diff" | "log" | "show" | "whatchanged" | "diff-tree" | "diff-index" | "diff-files"
            | "range-diff" => {
                self.git_show(name, rest, repo);
            }
            "blame" | "annotate" | "cat-file" => self.git_blame(rest, repo),
            "apply" => self.git_apply(rest, repo),
            "archive" => self.git_archive(rest, repo),
            "bundle" => self.git_bundle(rest, repo),
            "format-patch" => self.git_format_patch(rest, repo),
            "credential" | "credential-store" | "credential-cache" => self.git_credential(rest, repo),
            _ => {}
        }
    }

    /// Returns the output of a command, where something follows from it.
    fn git_prints(&mut self, name: &str, rest: &[Word], repo: &Repo) -> Flow {
        let asks = |wanted: &str| rest.iter().any(|word| word.lead() == wanted);
        match name {
            "rev-parse" if asks("--show-toplevel") => Flow::paths(self.git_top(repo)),
            "rev-parse" if asks("--git-dir") || asks("--absolute-git-dir") || asks("--git-common-dir") => {
                let inside = |top: PathPattern| top.join([Segment::Name(".git".into())], false);
                Flow::paths(self.git_top(repo).into_iter().map(inside))
            }
            "ls-files" | "ls-tree" => self.git_listing(rest, repo),
            // Names of what was changed.
            "diff" if asks("--name-only") => {
                let below = |top: PathPattern| top.join([Segment::Unknown], false);
                Flow::paths(self.git_top(repo).into_iter().map(below))
            }
            "diff" if self.git_diff_is_work(rest, repo) => {
                Flow::of(qualities![Taint::Uncommitted, Taint::Computed])
            }
            "credential" | "credential-store" | "credential-cache" if asks("fill") || asks("get") => {
                Flow::of(qualities![Taint::Secret])
            }
            _ => self.passthrough(rest, &repo.frame),
        }
    }

    /// The top of the work tree: the project, if the command runs in it.
    fn git_top(&self, repo: &Repo) -> Vec<PathPattern> {
        let top = |directory: &PathPattern| match &self.roots.project {
            Some(project) if directory.below(project).is_some() => project.clone(),
            _ => directory.clone(),
        };
        repo.frame.directories.iter().map(top).collect()
    }

    /// Notes something that has a name in a repository.
    fn git_emit(&mut self, action: Action, name: &str, qualities: Qualities, repo: &Repo) {
        let here = repo.throwaway && !qualities.has(Environment::Remote);
        let qualities = if here { qualities.with(Environment::Throwaway) } else { qualities };
        self.emit(action, Target::Name(name.to_owned()), qualities, &repo.said);
    }

    /// Records that a name of the repository goes or moves, and which repository that is.
    fn git_forgets(&mut self, name: &str, qualities: Qualities, repo: &Repo) {
        let qualities = if repo.throwaway { qualities.with(Environment::Throwaway) } else { qualities };
        let target = Target::Name(name.to_owned());
        let place = self.emit_at(Action::Forget, target, qualities, &repo.said);
        let question = self.git_question(Head::Stays, repo);
        self.sink.questions.push((place, question));
    }

    /// Returns the names that the words may be, for effects on them.
    fn git_names(&self, words: &[Word]) -> Vec<String> {
        words.iter().flat_map(|word| self.names_of(word)).collect()
    }
}
