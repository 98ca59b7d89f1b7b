//! Settings of git that name a program: with one of them, a command that only reads may run anything.
//!
//! All files that git would read count: the repository's, the user's and the machine's. Nothing is guessed: a file that is too
//! long, a setting that moves the configuration, and a variable that does count as a program.

use super::{
    config_file::{self, Settings},
    config_keys::{Means, means},
};
use crate::world::{FileKind, World};

/// Variables that name a program or a file with settings. The agent's own environment has them or not.
const VARIABLES: &[&str] = &[
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "PAGER",
    "GIT_DIR",
    "GIT_COMMON_DIR",
    "GIT_WORK_TREE",
    "GIT_EXEC_PATH",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
];

/// Values of those variables that name no unknown program.
const PAGERS: &[&str] = &["", "cat", "less", "more"];

/// Settings without a program that let one run: a fetch for a missing object, signatures, the settings of a work tree.
const ALSO: &[(&str, &str)] =
    &[("remote.", ".promisor"), ("extensions.", ""), ("log.", ".showsignature"), ("core.", ".worktree")];

/// Hooks that run although a command only reads: refreshing the index is enough.
const HOOKS: &[&str] = &["post-index-change", "fsmonitor-watchman"];

/// Options of git itself after which another repository or other settings count.
const ELSEWHERE: &[&str] =
    &["-C", "-c", "--git-dir", "--work-tree", "--config-env", "--exec-path", "-p", "--paginate"];

/// Returns true if git may run a program that a setting names, if it runs these words in `directory`.
pub(crate) fn names_program(words: &[String], directory: Option<&str>, world: &dyn World) -> bool {
    let Some(directory) = directory else { return true };
    let globals = words.iter().skip(1).take_while(|word| word.starts_with('-'));
    if globals.map(|word| word.split('=').next().unwrap_or(word)).any(|word| ELSEWHERE.contains(&word)) {
        return true;
    }
    if world.variables(VARIABLES).iter().flatten().any(|value| !PAGERS.contains(&value.as_str())) {
        return true;
    }
    let mut files: Vec<String> = vec!["/etc/gitconfig".to_owned()];
    if let Some(home) = world.home() {
        files.push(format!("{home}/.gitconfig"));
        let settings = world.variable("XDG_CONFIG_HOME").filter(|directory| !directory.is_empty());
        files.push(format!("{}/git/config", settings.unwrap_or_else(|| format!("{home}/.config"))));
    }
    let Some(repositories) = repositories(directory, world) else { return true };
    for repository in &repositories {
        let is_there = |hook: &&str| world.entry(&format!("{repository}/hooks/{hook}")).is_some();
        // The settings of submodules are those of other repositories.
        if HOOKS.iter().any(is_there) || world.entry(&format!("{repository}/modules")).is_some() {
            return true;
        }
        files.push(format!("{repository}/config"));
    }
    files.iter().any(|file| file_names_program(file, world))
}

fn file_names_program(file: &str, world: &dyn World) -> bool {
    let Settings { settings, is_whole } = config_file::settings_of(file, world);
    !is_whole || settings.iter().any(|(key, value)| setting_names_program(key, value))
}

/// Returns true if a setting names a program that a command which reads may run.
fn setting_names_program(key: &str, value: &str) -> bool {
    let is_off = matches!(value.to_ascii_lowercase().as_str(), "" | "false" | "no" | "off" | "0");
    let also = |(start, end): &(&str, &str)| {
        key.starts_with(start) && format!(".{}", key.trim_start_matches(start)).ends_with(end)
    };
    if ALSO.iter().any(also) {
        return !is_off;
    }
    match means(key) {
        // `true` is git's own monitor, or the usual pager of the machine.
        Means::Program => !is_off && !matches!(value.to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "1" | "cat"),
        Means::Programs => key == "core.hookspath" && value != "/dev/null",
        // These run for a text that is edited, for a remote, for an update, or under a name of their own.
        Means::Editor
        | Means::Helper
        | Means::Bang
        | Means::Alias
        // What is included was read with the file.
        | Means::Settings
        | Means::Plain
        | Means::Address
        | Means::Protocol
        | Means::Certificates
        | Means::Expiry
        | Means::Push
        | Means::Mirror => false,
    }
}

/// Returns the directories of the repositories that git may find from a directory upwards. One without a work tree needs no
/// `.git`: a directory with the right names in it is enough.
fn repositories(directory: &str, world: &dyn World) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut place = directory.trim_end_matches('/');
    for _ in 0..config_file::DIRECTORIES {
        if world.entry(&format!("{place}/HEAD")).is_some()
            && world.entry(&format!("{place}/objects")).is_some()
        {
            found.push(place.to_owned());
        }
        match world.entry(&format!("{place}/.git")) {
            Some(FileKind::Directory) => {
                found.push(format!("{place}/.git"));
                return Some(found);
            }
            // A link or a file leads elsewhere.
            Some(FileKind::File) => {
                found.extend(
                    config_file::of_repository(place, world)?.strip_suffix("/config").map(str::to_owned),
                );
                return Some(found);
            }
            Some(FileKind::Link(_) | FileKind::Other) => return None,
            None => {}
        }
        let Some((above, _)) = place.rsplit_once('/') else { return Some(found) };
        place = above;
    }
    None
}
