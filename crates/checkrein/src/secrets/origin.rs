//! The origin of a result: files that git tracks, or a file whose purpose is to hold secrets.

use super::tracked::Tracked;
use crate::builtin::Disk;
use checkrein_core::{Payload, ToolKind};
use checkrein_guard::{Action, CachedWorld, FileAccess, Judgement, Target, call_context, judge_call};
use checkrein_secrets::{Finding, Redactor};
use std::path::{Path, PathBuf};

/// Programs that print only what they read. `awk` is none: it can print the environment.
const FILTERS: &[&str] = &[
    "cat", "head", "tail", "grep", "egrep", "fgrep", "rg", "sed", "cut", "sort", "uniq", "nl", "wc", "tr",
    "less", "more", "bat", "cd", "true", "test",
];
/// Programs that write the name of a file before each line that they find.
const SEARCHES: &[&str] = &["grep", "egrep", "fgrep", "rg", "ag", "ack"];
/// Subcommands of git that print what it tracks.
const OF_GIT: &[&str] = &["diff", "show", "log", "blame", "grep", "status", "ls-files"];
/// Options with which they print other files, too.
const ANY_FILE: &[&str] = &["--no-index", "--untracked", "--contents"];

/// The origin of one result, found out when it is needed.
pub(super) struct Origin<'p> {
    payload: &'p Payload,
    tracked: Tracked,
    /// The files that the call read, if it printed nothing else.
    files: Option<Option<Vec<PathBuf>>>,
    is_all_tracked: Option<bool>,
}

impl<'p> Origin<'p> {
    pub(super) fn new(payload: &'p Payload) -> Self {
        Self { payload, tracked: Tracked::default(), files: None, is_all_tracked: None }
    }

    /// Returns true if a finding is in the text of a file that git tracks: by the call, or by the name that a search
    /// has written before the line.
    pub(super) fn is_tracked(&mut self, text: &str, finding: &Finding) -> bool {
        let is_all = match self.is_all_tracked {
            Some(known) => known,
            None => {
                let files = self.files();
                let is_all = files.is_some_and(|files| files.iter().all(|file| self.tracked.has(file)));
                *self.is_all_tracked.insert(is_all)
            }
        };
        is_all || self.line_is_tracked(text, finding)
    }

    /// Returns the file with secrets that the call has read, if it read one.
    pub(super) fn secret_file(&mut self) -> Option<String> {
        let call = self.payload.event.call()?;
        // Other tools do not name their files in a way that is cheap to examine; a shell's text has to mention one
        // first.
        let mentions = |text: &str| text.split([' ', '\'', '"', '<', '\n', ';', '|']).any(Redactor::has_form);
        let worthwhile = match call.kind {
            ToolKind::Shell => {
                ["command", "cmd", "script"].iter().filter_map(|key| call.text(key)).any(mentions)
            }
            kind => matches!(kind, ToolKind::Read | ToolKind::Edit | ToolKind::Write),
        };
        let files = worthwhile.then(|| self.files()).flatten()?;
        let secret = files.into_iter().find(|file| file.to_str().is_some_and(Redactor::has_form))?;
        (!self.tracked.has(&secret)).then(|| secret.to_string_lossy().into_owned())
    }

    /// Returns true if the call writes the names of files before their lines.
    pub(super) fn is_search(&self) -> bool {
        let Some(call) = self.payload.event.call() else { return false };
        let is_one = |word: &str| SEARCHES.contains(&word);
        let runs_one = |text: &str| text.split(|char: char| !char.is_ascii_alphanumeric()).any(is_one);
        match call.kind {
            ToolKind::Search => true,
            ToolKind::Shell => {
                ["command", "cmd", "script"].iter().filter_map(|key| call.text(key)).any(runs_one)
            }
            _ => false,
        }
    }

    /// Returns true if a name in the result is that of a file with secrets, and git does not track it. A name with a dot at its
    /// beginning counts also if it is in a directory that is not known.
    pub(super) fn is_secret_file(&mut self, path: &str) -> bool {
        let cwd = self.payload.session.cwd.as_deref().unwrap_or_default();
        let whole = Path::new(cwd).join(path);
        let is_hidden = path.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
        (is_hidden || whole.is_file()) && Redactor::has_form(path) && !self.tracked.has(&whole)
    }

    /// The files that the call read, as far as that is known.
    pub(super) fn files_read(&mut self) -> Vec<PathBuf> {
        let mut files = self.files().unwrap_or_default();
        if let Some(call) = self.payload.event.call() {
            let cwd = self.payload.session.cwd.as_deref().map(Path::new).unwrap_or(Path::new(""));
            files.extend(super::handles::learn::named_files(call, cwd));
        }
        files
    }

    fn files(&mut self) -> Option<Vec<PathBuf>> {
        self.files.get_or_insert_with(|| read_files(self.payload)).clone()
    }

    /// `src/main.rs:12:…`, as searches write it.
    fn line_is_tracked(&mut self, text: &str, finding: &Finding) -> bool {
        let start =
            text.get(..finding.range.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let line = text.get(start..finding.range.start).unwrap_or_default();
        let Some((path, _)) =
            line.split_once(':').filter(|(path, _)| !path.is_empty() && !path.contains(' '))
        else {
            return false;
        };
        let Some(cwd) = self.payload.session.cwd.as_deref() else { return false };
        let path = Path::new(cwd).join(path);
        let value = text.get(finding.range.clone()).unwrap_or_default();
        // A program that writes the name of its source before a message prints values that the file does not have.
        self.tracked.has(&path) && super::known::text(&path).is_some_and(|text| text.contains(value))
    }
}

/// The files that a call has read, if everything that it printed comes from them.
fn read_files(payload: &Payload) -> Option<Vec<PathBuf>> {
    let call = payload.event.call()?;
    let cwd = payload.session.cwd.as_deref().unwrap_or_default();
    if matches!(call.kind, ToolKind::Read | ToolKind::Edit | ToolKind::Write) {
        let files: Vec<PathBuf> =
            FileAccess::of(call).iter().map(|access| Path::new(cwd).join(access.path.as_ref())).collect();
        return Some(files).filter(|files| !files.is_empty());
    }
    if call.kind != ToolKind::Shell {
        return None;
    }
    let world = CachedWorld::new(&Disk);
    let judgement = judge_call(call, payload, &world)?;
    let cwd = call_context(call, payload, &world).cwd;
    shell_files(&judgement, Path::new(cwd.as_deref().unwrap_or_default()))
}

fn shell_files(judgement: &Judgement, cwd: &Path) -> Option<Vec<PathBuf>> {
    let mut files = Vec::new();
    for effect in judgement.effects.iter().filter(|effect| effect.action == Action::Read) {
        if let Target::Path(path) = &effect.target {
            files.push(cwd.join(&path.path));
        }
    }
    let prints_files = judgement.ran.iter().all(|ran| {
        let program = ran.words.first().map_or("", |word| word.rsplit('/').next().unwrap_or(word));
        FILTERS.contains(&program) || (program == "git" && prints_tracked(&ran.words))
    });
    let is_git = |ran: &checkrein_guard::Invocation| ran.words.first().is_some_and(|word| word == "git");
    // What git prints is tracked by definition.
    (prints_files && (!files.is_empty() || judgement.ran.iter().any(is_git))).then_some(files)
}

/// Returns true if a git command prints nothing but what git tracks. An option before the subcommand may change
/// anything.
fn prints_tracked(words: &[String]) -> bool {
    let rest = match words.get(1..) {
        Some([option, _, rest @ ..]) if option == "-C" => rest,
        Some([option, rest @ ..]) if option == "--no-pager" => rest,
        Some(rest) => rest,
        None => return false,
    };
    let is_any_file = |word: &String| ANY_FILE.iter().any(|option| word.split('=').next() == Some(option));
    rest.first().is_some_and(|command| OF_GIT.contains(&command.as_str())) && !rest.iter().any(is_any_file)
}

#[cfg(test)]
mod tests;
