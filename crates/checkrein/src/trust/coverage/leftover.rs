//! Finds words that still name a file of the project after all words that can be pinned are.
//!
//! The words that trust pins are replaced by other paths first. Then the guard reads what is left as the shell would run it,
//! through wrappers, options that run something, aliases and texts in texts. Whatever in a command that may run its words
//! still is a file of the project, in whatever way it is attached to something else (`-fx.awk`, `exec=./x`, `!./x`), would run
//! as it is when the hook runs, and not as it was when it was trusted.

use super::{Look, PathKind, is_path, scripts};
use crate::trust::{
    programs::{Runner, Use, interpreter, is_python, loads_code, moving_options, runner, use_of},
    uncovered::WhyNot,
};
use checkrein_exec::Program;
use checkrein_guard::{CallContext, FileKind, Invocation, World, judge, judge_argv};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The supposed directory of pinned files; nothing is there.
const PINNED: &str = "/nonexistent/checkrein-trusted";

/// Suffixes that an interpreter adds to a name to find a file.
const ENDINGS: &[&str] = &[
    ".py", ".js", ".mjs", ".cjs", ".json", ".node", ".ts", ".rb", ".pl", ".pm", ".lua", ".php", ".awk",
    ".tcl", ".so", ".sh",
];

impl Look<'_> {
    /// Looks at a command as it would run with everything pinned that can be.
    pub(super) fn leftovers(&mut self, program: &Program) {
        let pinned: Vec<_> = self
            .found
            .named
            .iter()
            .enumerate()
            .map(|(index, named)| match named.kind {
                PathKind::File | PathKind::Directory => {
                    (named.clone(), PathBuf::from(format!("{PINNED}/{index}")))
                }
                PathKind::Absent => (named.clone(), named.path.clone()),
            })
            .collect();
        let directory = self.directory.to_string_lossy().into_owned();
        let place = CallContext {
            cwd: Some(directory.clone()),
            project: Some(directory.clone()),
            ..CallContext::default()
        };
        let world = Here(&directory);
        let judgement = match scripts::replaced(program, &pinned) {
            Program::Shell(text) => judge(&text, &place, &world),
            Program::List(words) => judge_argv(&words, &place, &world),
            Program::Callable(_) => return,
        };
        for ran in &judgement.ran {
            self.ran(ran);
        }
    }

    fn ran(&mut self, ran: &Invocation) {
        let Some((name, words)) = ran.words.split_first() else { return };
        if !matches!(use_of(name), Use::Runs) {
            return;
        }
        if is_run_by_what_is_there(name, words) {
            self.refuse(&ran.words.join(" "), WhyNot::Project);
        }
        // Those that the reader of words has not come to: in a text that `env` or a first line takes apart.
        if is_python(name) && !self.found.uncovered.iter().any(|known| known.why == WhyNot::Modules) {
            self.python_left(words);
        }
        self.moved_by_option(base(name), words);
        // By whatever way it came there, its words are looked for in another directory.
        let elsewhere =
            |directory: &String| Path::new(directory) != self.directory && !self.is_outside(directory);
        if ran.directory.as_ref().is_some_and(elsewhere) {
            self.refuse(&ran.words.join(" "), WhyNot::Moved);
        }
        // What a search finds is known only when it runs.
        let searches = matches!(base(name), "find" | "fd" | "xargs" | "parallel");
        for (index, word) in words.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|index| words.get(index)).map(String::as_str);
            let runs_it =
                matches!(before, Some("-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" | "-I{}"))
                    || words.iter().take(index).any(|word| interpreter(word).is_some());
            if searches && word.contains("{}") && runs_it {
                self.refuse(word, WhyNot::OnlyTheShell);
            }
            if let Some((variable, value)) = word.split_once('=')
                && loads_code(variable)
            {
                let outside = |part: &str| self.is_outside(part);
                if !value.split(':').all(outside) {
                    self.refuse(word, WhyNot::Loads);
                }
            }
            self.word_left(word, interpreter(name).is_some());
        }
        self.word_left(name, false);
    }

    /// Options after which every other word is looked for in another directory.
    fn moved_by_option(&mut self, program: &str, words: &[String]) {
        let options = moving_options(program);
        for (index, word) in words.iter().enumerate() {
            let Some(option) = options.iter().find(|option| {
                let long = option.starts_with("--");
                word.strip_prefix(**option)
                    .is_some_and(|rest| rest.is_empty() || !long || rest.starts_with('='))
            }) else {
                continue;
            };
            let attached = word.get(option.len()..).unwrap_or_default().trim_start_matches('=');
            let next = words.get(index + 1).map(String::as_str);
            let place = if attached.is_empty() { next } else { Some(attached) };
            let place = place.unwrap_or_default();
            let is_found = option.ends_with("execdir") || option.ends_with("okdir");
            let real = |path: &Path| path.canonicalize().ok();
            let is_home = place.starts_with('/')
                && real(Path::new(place)).is_some_and(|place| Some(place) == real(self.directory));
            if is_found || !is_home && !self.is_outside(place) {
                self.refuse(word, WhyNot::Moved);
            }
        }
    }

    /// Examines a word of a command that may run it, wherever in the word a path is.
    fn word_left(&mut self, word: &str, interpreted: bool) {
        let attached = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')).and_then(|rest| {
            let letter = rest.chars().next()?;
            rest.get(letter.len_utf8()..)
        });
        for text in [Some(word), attached].into_iter().flatten() {
            let cut = |c: char| c.is_whitespace() || "=:,;!@|&()<>{}[]'\"`$\\".contains(c);
            let pieces = text.split(cut).chain([text]);
            for piece in pieces.filter(|piece| !piece.is_empty() && !piece.starts_with('-')) {
                self.piece(piece, word, interpreted);
            }
        }
        // A module that appears later would be found by its name.
        let names_a_module = matches!(word.chars().nth(1), Some('m' | 'M' | 'r'));
        if let Some(module) = attached.filter(|_| interpreted && names_a_module) {
            self.absent_module(module);
        }
    }

    fn piece(&mut self, piece: &str, word: &str, interpreted: bool) {
        let path = self.directory.join(piece);
        if scripts::is_of_the_system(piece, &path, self.directory) || piece.starts_with(PINNED) {
            return;
        }
        // Of a text, the part that matters.
        let is_text = word.contains(char::is_whitespace);
        let word = if is_text { piece } else { word };
        match fs::metadata(&path) {
            Ok(of) if of.is_file() => self.refuse(word, WhyNot::Indirect),
            // A directory that is a word of its own, or of a text that runs, is looked at there.
            Ok(of) if of.is_dir() && piece != word => self.refuse(word, WhyNot::Directory),
            Ok(_) => {}
            Err(_) if interpreted && self.is_found_by_name(piece) => self.refuse(word, WhyNot::Indirect),
            Err(_)
                if piece != word && piece.contains('/') && is_path(piece) && !word.contains(['$', '…']) =>
            {
                self.found.absent.push(piece.to_owned());
            }
            Err(_) => {}
        }
    }

    /// Returns true if an interpreter that searches for `name` here finds a file.
    pub(super) fn is_found_by_name(&self, name: &str) -> bool {
        let is_name = |c: char| c.is_alphanumeric() || "_-./@".contains(c);
        if name.is_empty() || !name.chars().all(is_name) || name.ends_with('.') {
            return false;
        }
        // The first part of a dotted name is a package.
        let first =
            name.split('.').next().filter(|first| !first.is_empty() && !name.contains('/')).unwrap_or(name);
        [name, first].iter().any(|name| {
            ENDINGS.iter().any(|ending| self.directory.join(format!("{name}{ending}")).is_file())
                || ["index.js", "index.mjs", "package.json", "__init__.py", "__main__.py"]
                    .iter()
                    .any(|file| self.directory.join(name).join(file).is_file())
                || self
                    .directory
                    .ancestors()
                    .any(|directory| directory.join("node_modules").join(name).exists())
        })
    }

    /// Remembers that no module of this name is here.
    pub(super) fn absent_module(&mut self, module: &str) {
        let first: String = module.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if first.is_empty() {
            return;
        }
        for ending in ["", ".py", ".js", ".rb", ".pm"] {
            let place = format!("{first}{ending}");
            if fs::symlink_metadata(self.directory.join(&place)).is_err() {
                self.found.absent.push(place);
            }
        }
    }
}

/// The machine as a hook meets it: the variables that mean the project, and nothing on the disk, which can change.
struct Here<'a>(&'a str);

impl World for Here<'_> {
    fn home(&self) -> Option<String> {
        None
    }

    fn variable(&self, name: &str) -> Option<String> {
        scripts::DIRECTORY.contains(&name).then(|| self.0.to_owned())
    }

    fn entry(&self, _: &str) -> Option<FileKind> {
        None
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }
}

fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Returns true if a program runs files that it finds in the project, although no argument names them.
fn is_run_by_what_is_there(name: &str, words: &[String]) -> bool {
    let asks = |word: &String| matches!(word.as_str(), "--version" | "--help" | "-V");
    if words.iter().any(asks) {
        return false;
    }
    match runner(base(name)) {
        None => false,
        Some(Runner::Always) => true,
        // A file that is named is looked at as a word.
        Some(Runner::UnlessNamed(options)) => !words.iter().any(|word| {
            let (option, _) = word.split_once('=').unwrap_or((word, ""));
            options.contains(&option)
        }),
        Some(Runner::Subcommands(subcommands)) => {
            words.iter().any(|word| subcommands.contains(&word.as_str()))
        }
    }
}
