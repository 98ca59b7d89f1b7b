//! The files in which git keeps its settings, read without git.
//!
//! Reads only what is needed to know the value of a name and what a repository makes git run. The files may be
//! hostile: long ones are cut, and lines that are not settings are skipped.

use crate::world::{FileKind, World};

/// The maximum length of a file that is read.
const BYTES: usize = 64 * 1024;
/// The maximum number of settings that are kept.
const SETTINGS: usize = 1024;
/// The maximum number of directories that are searched for the repository, upwards.
pub(super) const DIRECTORIES: usize = 32;
/// The maximum number of files that include one another.
const FILES: usize = 8;

/// The settings of a file and of those that it includes.
pub(super) struct Settings {
    /// The key with its section in lower case, and the value.
    pub(super) settings: Vec<(String, String)>,
    /// False if something was left out, because there is too much of it.
    pub(super) is_whole: bool,
}

/// The settings of a file and of those that it includes: the key with its section in lower case, and the value.
pub(super) fn settings(path: &str, world: &dyn World) -> Vec<(String, String)> {
    settings_of(path, world).settings
}

/// Returns the settings, and whether all of them are there.
pub(super) fn settings_of(path: &str, world: &dyn World) -> Settings {
    let mut settings = Vec::new();
    let mut is_whole = true;
    let mut paths = vec![path.to_owned()];
    let mut place = 0;
    while let Some(path) = paths.get(place).cloned() {
        place += 1;
        let Some(text) = world.text(&path) else { continue };
        let mut end = text.len().min(BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        is_whole &= end == text.len();
        for (key, value) in parse(text.get(..end).unwrap_or_default()) {
            let includes = key == "include.path" || key.starts_with("includeif.");
            is_whole &= !includes || paths.len() < FILES;
            if includes && paths.len() < FILES {
                let next = relative_to(&path, &value, world);
                if !paths.contains(&next) {
                    paths.push(next);
                }
            }
            is_whole &= settings.len() < SETTINGS;
            if settings.len() < SETTINGS {
                settings.push((key, value));
            }
        }
    }
    Settings { settings, is_whole }
}

/// The file of the repository that a directory belongs to.
pub(super) fn of_repository(directory: &str, world: &dyn World) -> Option<String> {
    let mut directory = directory.trim_end_matches('/');
    for _ in 0..DIRECTORIES {
        let own = format!("{directory}/.git");
        match world.entry(&own) {
            Some(FileKind::Directory | FileKind::Link(_)) => return Some(format!("{own}/config")),
            Some(FileKind::File) => {
                let text = world.text(&own)?;
                let target = text.strip_prefix("gitdir:")?.trim();
                let target = relative_to(&own, target, world);
                // A further work tree has the settings of the repository that it belongs to.
                let target = target.split("/worktrees/").next().unwrap_or_default();
                return Some(format!("{target}/config"));
            }
            Some(FileKind::Other) | None => {}
        }
        directory = directory.rsplit_once('/')?.0;
    }
    None
}

/// A path as a file names it: from its own directory, or from the home directory.
fn relative_to(file: &str, path: &str, world: &dyn World) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    match (path.strip_prefix("~/"), world.home()) {
        (Some(rest), Some(home)) => format!("{home}/{rest}"),
        _ => format!("{}/{path}", file.rsplit_once('/').map_or("", |(directory, _)| directory)),
    }
}

/// The settings of a text.
pub(super) fn parse(text: &str) -> Vec<(String, String)> {
    let mut settings = Vec::new();
    let mut section = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut line = line.trim();
        if let Some(rest) = line.strip_prefix('[') {
            let Some((name, after)) = heading(rest) else { continue };
            section = name;
            line = after.trim();
        }
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let (name, rest) = line.split_once('=').unwrap_or((line, "true"));
        let mut raw = rest.trim().to_owned();
        // A backslash at the end goes on in the next line.
        while raw.ends_with('\\') && !raw.ends_with("\\\\") {
            raw.pop();
            let Some(next) = lines.next() else { break };
            raw.push_str(next.trim_end());
        }
        let name = name.trim().to_ascii_lowercase();
        settings.push((format!("{section}.{name}"), value(&raw)));
    }
    settings
}

/// `section "sub"]` as `section.sub`, and what follows it in the line.
fn heading(text: &str) -> Option<(String, &str)> {
    match text.split_once('"') {
        Some((section, rest)) if !section.contains(']') => {
            let mut sub = String::new();
            let mut chars = rest.char_indices();
            while let Some((place, char)) = chars.next() {
                match char {
                    '\\' => sub.extend(chars.next().map(|(_, char)| char)),
                    '"' => {
                        let after = rest.get(place + 1..)?.trim_start().strip_prefix(']')?;
                        return Some((format!("{}.{sub}", section.trim().to_ascii_lowercase()), after));
                    }
                    _ => sub.push(char),
                }
            }
            None
        }
        _ => {
            let (section, after) = text.split_once(']')?;
            Some((section.trim().to_ascii_lowercase(), after))
        }
    }
}

/// A value without its quotes, escapes and comment.
fn value(raw: &str) -> String {
    let mut result = String::new();
    let mut quoted = false;
    let mut chars = raw.chars();
    while let Some(char) = chars.next() {
        match char {
            '"' => quoted = !quoted,
            '#' | ';' if !quoted => break,
            '\\' => result.extend(chars.next().map(|char| match char {
                'n' => '\n',
                't' => '\t',
                other => other,
            })),
            _ => result.push(char),
        }
    }
    result.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_git_reads_it() {
        let text = "# head\n[core] bare\n\tPager = \"less -F\" ; shown\n[alias]\nwipe = \\\n  reset --hard\n[remote \"a\\\"B\"]\nurl = x#y\n[broken\n[a.B]\nc=1";
        let expected = [
            ("core.bare", "true"),
            ("core.pager", "less -F"),
            ("alias.wipe", "reset --hard"),
            ("remote.a\"B.url", "x"),
            ("a.b.c", "1"),
        ];
        let found = parse(text);
        let found: Vec<(&str, &str)> =
            found.iter().map(|(key, value)| (key.as_str(), value.trim())).collect();
        assert_eq!(found, expected);
    }
}
