//! The files that checkrein itself consists of here: its program, the programs that agents were told to ask, and their links.
//!
//! All of it is looked at only when a call changes something on disk.

use super::{Disk, entries, plugins};
use checkrein_core::SmallSort as _;
use checkrein_guard::{
    AGENT_PROGRAMS, Belonging, BelongingKind, Identity, Own, World, hook_files, plugin_places,
};
use std::{
    ffi::OsStr,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
};

/// Maximum number of names of a directory that are looked at.
const NAMES: usize = 512;
/// Maximum number of commands of one file that are looked at.
const COMMANDS: usize = 256;
/// The suffix that the system adds to the name of a program that was replaced while it runs.
const DELETED: &[u8] = b" (deleted)";

impl Own for Disk {
    fn belongings(&self, project: Option<&str>) -> Vec<Belonging> {
        let mut programs: Vec<String> = Vec::new();
        let mut before: Vec<String> = Vec::new();
        let running = running();
        programs.extend(running.as_deref().and_then(Path::to_str).map(str::to_owned));
        let name = running.as_deref().and_then(Path::file_name).and_then(OsStr::to_str).unwrap_or_default();
        for file in hook_files(self, project) {
            let Some(text) = self.text(&file.path) else { continue };
            for program in named_programs(&text, name, &self.home().unwrap_or_default()) {
                if program.starts_with('/') {
                    programs.push(program);
                } else {
                    programs.extend(on_path(&program));
                    before.extend(before_on_path(&program));
                }
            }
        }
        keep_programs(&mut programs);
        let before = before.into_iter().map(|path| Belonging { path, kind: BelongingKind::Before });
        let home = self.home().unwrap_or_default();
        let plugins = plugins::ours(&plugin_places(self), &home);
        programs.into_iter().chain(plugins).map(Belonging::ours).chain(before).collect()
    }

    fn entries(&self, settings: &str) -> Option<Vec<String>> {
        let running = running();
        let own = running.as_deref().and_then(Path::file_name).and_then(OsStr::to_str).unwrap_or_default();
        entries::entries(settings, &|command| starts_us(command, own))
    }

    fn plainly(&self, settings: &str) -> Option<String> {
        entries::plainly(settings)
    }

    fn named_in(&self, configuration: &str) -> Vec<Belonging> {
        let path = Path::new(configuration);
        if !path.is_file() {
            return Vec::new();
        }
        let files = crate::config::hook_files::files(path, &self.home().unwrap_or_default());
        files.into_iter().map(Belonging::ours).collect()
    }

    fn agents(&self) -> Vec<String> {
        AGENT_PROGRAMS.iter().flat_map(|name| on_path(name)).collect()
    }

    fn identity(&self, path: &str) -> Option<Identity> {
        let metadata = Path::new(path).symlink_metadata().ok()?;
        Some(Identity { device: metadata.dev(), inode: metadata.ino(), links: metadata.nlink() })
    }

    fn names(&self, directory: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
        entries.take(NAMES).filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
    }

    /// The file system is asked for an existing name in other letters: if it finds that, letter case does not count
    /// there.
    fn folds(&self, directory: &str) -> bool {
        if cfg!(target_os = "macos") {
            return true;
        }
        Path::new(directory).ancestors().filter_map(Path::to_str).any(|path| {
            let Some((parent, name)) = path.rsplit_once('/') else { return false };
            let flipped: String = name.chars().map(flip).collect();
            flipped != name
                && match (self.identity(path), self.identity(&format!("{parent}/{flipped}"))) {
                    (Some(one), Some(other)) => one.is(other),
                    _ => false,
                }
        })
    }

    fn synonyms(&self) -> &'static [(&'static str, &'static str)] {
        // Directories that macOS shows under two names without a link that could be read.
        if cfg!(target_os = "macos") { &[("/System/Volumes/Data", "")] } else { &[] }
    }
}

/// Each program once, and nothing but programs: settings also name directories, such as the projects that an agent trusts.
fn keep_programs(named: &mut Vec<String>) {
    named.small_sort();
    named.dedup();
    named.retain(|program| !Path::new(program).is_dir());
}

/// The program that is running.
pub(crate) fn running() -> Option<PathBuf> {
    let path = std::env::current_exe().ok()?;
    let bytes = path.as_os_str().as_bytes();
    let plain = bytes.strip_suffix(DELETED).map(|plain| PathBuf::from(OsStr::from_bytes(plain)));
    plain.or(Some(path))
}

/// Returns the paths of a program that is called by its name.
pub(crate) fn on_path(name: &str) -> Vec<String> {
    let Some(path) = crate::variable("PATH").filter(|_| !name.contains('/')) else { return Vec::new() };
    let found = std::env::split_paths(&path)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(name))
        .filter(|file| file.symlink_metadata().is_ok())
        .filter_map(|file| file.to_str().map(str::to_owned));
    found.collect()
}

/// Returns the paths at which a program would be found before the one that is called by its name now.
fn before_on_path(name: &str) -> Vec<String> {
    let is_name = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'));
    let Some(path) = crate::variable("PATH").filter(|_| is_name && name.contains("checkrein")) else {
        return Vec::new();
    };
    let all: Vec<PathBuf> = std::env::split_paths(&path)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(name))
        .collect();
    // Where none is found, the first that comes is.
    let first = all.iter().position(|file| file.symlink_metadata().is_ok()).unwrap_or(all.len());
    all.iter().take(first).filter_map(|file| file.to_str().map(str::to_owned)).collect()
}

fn flip(char: char) -> char {
    if char.is_ascii_lowercase() { char.to_ascii_uppercase() } else { char.to_ascii_lowercase() }
}

/// The programs of the commands in a file of hooks that start us. The file may be JSON or TOML, whole or broken: every text
/// in quotes is looked at. `own`: the name of the running program.
fn named_programs(text: &str, own: &str, home: &str) -> Vec<String> {
    let mut programs = Vec::new();
    for command in quoted(text).take(COMMANDS) {
        if !starts_us(&command, own) {
            continue;
        }
        // A path with spaces is one word in quotes, and may be the whole first element of a list.
        let words = words(&command);
        let first = words.first().cloned();
        let whole = Some(command.clone()).filter(|whole| whole.starts_with('/'));
        let named =
            words.into_iter().filter(|word| word.contains("checkrein") || word.starts_with(['/', '~', '$']));
        for word in named.chain(first).chain(whole) {
            let word = ["~/", "$HOME/", "${HOME}/"]
                .iter()
                .find_map(|home_word| word.strip_prefix(home_word))
                .map_or_else(|| word.clone(), |rest| format!("{home}/{rest}"));
            let is_program = !word.is_empty()
                && !word.contains(['\n', '$', '*'])
                && !matches!(
                    word.as_str(),
                    "hook"
                        | "sh"
                        | "bash"
                        | "env"
                        | "exec"
                        | "timeout"
                        | "/bin/sh"
                        | "/bin/bash"
                        | "/usr/bin/env"
                );
            if is_program {
                programs.push(word);
            }
        }
    }
    programs
}

/// Returns true if a command of an agent's file starts us. `own`: the name of the running program.
fn starts_us(command: &str, own: &str) -> bool {
    command.contains("checkrein") || command.contains("--host ") || !own.is_empty() && command.contains(own)
}

/// The texts in quotes, without their escapes.
pub(super) fn quoted(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut chars = text.chars();
    std::iter::from_fn(move || {
        let quote = chars.find(|char| matches!(char, '"' | '\''))?;
        let mut inside = String::new();
        while let Some(char) = chars.next() {
            match char {
                '\\' if quote == '"' => match chars.next() {
                    Some('n' | 't' | 'r') => inside.push(' '),
                    Some(char) => inside.push(char),
                    None => break,
                },
                char if char == quote => break,
                char => inside.push(char),
            }
        }
        Some(inside)
    })
}

/// The words of a command, as far as quotes go.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for char in command.chars() {
        match (quote, char) {
            (None, '\'' | '"') => quote = Some(char),
            (Some(open), char) if open == char => quote = None,
            (None, ' ' | '\t' | ';' | '&' | '|' | '(' | ')') => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            (_, char) => word.push(char),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_of_our_entries_are_found() {
        let found = |text: &str| named_programs(text, "checkrein", "/home/a");
        for (text, program) in [
            (r#"{"command": "/opt/x/checkrein hook --host claude --event Stop"}"#, "/opt/x/checkrein"),
            (r#"{"command": "'/home/a b/checkrein' hook --host claude"}"#, "/home/a b/checkrein"),
            (r#"{"command": "~/bin/checkrein hook --host claude"}"#, "/home/a/bin/checkrein"),
            (
                r#"{"command": "timeout 5 \"$HOME/bin/checkrein\" hook --host claude"}"#,
                "/home/a/bin/checkrein",
            ),
            (r#"{"command": "/srv/tools/guard hook --host claude --event Stop"}"#, "/srv/tools/guard"),
            (r#"{"command": "checkrein hook --host claude"}"#, "checkrein"),
            (r#"{"command": "/a b/checkrein", "args": ["hook"]}"#, "/a b/checkrein"),
            ("command = '/opt/checkrein hook --host codex'", "/opt/checkrein"),
            (r#"{"broken": "/opt/checkrein hook --host codex"#, "/opt/checkrein"),
        ] {
            assert!(found(text).iter().any(|known| known == program), "{text}: {:?}", found(text));
        }
        assert!(found(r#"{"command": "/usr/bin/lint --fix", "model": "x"}"#).is_empty());
    }

    /// A project of this name, which the settings of an agent mention, is not the guard.
    #[test]
    fn a_directory_is_no_program() {
        let home = tempfile::tempdir().unwrap();
        let project = home.path().join("checkrein");
        std::fs::create_dir(&project).unwrap();
        let settings = format!("[projects.\"{}\"]\ntrust_level = \"trusted\"\n", project.display());
        assert_eq!(named_programs(&settings, "checkrein", "/home/a"), [project.to_str().unwrap(); 3]);
        let mut programs = named_programs(&settings, "checkrein", "/home/a");
        keep_programs(&mut programs);
        assert_eq!(programs, Vec::<String>::new());
    }

    #[test]
    fn the_running_program_belongs_to_us() {
        let running = running().unwrap();
        let all = Disk.belongings(None);
        assert!(all.iter().any(|one| Path::new(&one.path) == running && one.kind == BelongingKind::Ours));
    }

    #[test]
    fn this_file_system_tells_letters_apart_or_not() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("abc"), "").unwrap();
        let folds = directory.path().join("ABC").exists();
        assert_eq!(Disk.folds(directory.path().join("abc").to_str().unwrap()), folds);
    }
}
