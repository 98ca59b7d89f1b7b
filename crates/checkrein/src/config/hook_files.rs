//! The files that the hooks of a configuration run. A change of one changes the answers of the user's hooks.
//!
//! The words are found when a configuration is understood, and are kept with it; what they mean on this machine is looked
//! up only when a call changes something on disk.

use crate::config::{
    Config,
    bounds::Bounds,
    compiled::Cache,
    hook::HookDefinition,
    layer::Layer,
    paths::{PROJECT_FILE, Places},
};
use checkrein_core::SmallSort as _;
use checkrein_exec::Program;
use std::path::Path;

/// Maximum number of words of one configuration that are looked up.
const WORDS: usize = 512;
/// The maximum nesting of quoted texts that are split: `sh -c "exec 'a b'"`.
const DEPTH: usize = 3;
/// Directories in which only root writes.
const SYSTEM: &[&str] =
    &["/bin", "/sbin", "/lib", "/lib64", "/usr/bin", "/usr/sbin", "/usr/lib", "/dev", "/proc"];

/// The words of all hooks that may name what they run. Those that are relative to the configuration are made absolute.
pub(crate) fn words(hooks: &[HookDefinition], directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for hook in hooks {
        match &hook.program {
            Program::Shell(text) => in_text(text, DEPTH, &mut found),
            Program::List(list) => {
                for word in list {
                    found.push(word.clone());
                    in_text(word, DEPTH, &mut found);
                }
            }
            Program::Callable(callable) => {
                let from = callable
                    .from
                    .as_deref()
                    .map_or_else(|| directory.to_owned(), |from| directory.join(from));
                found.push(callable.python.clone());
                let module = callable.path.split(':').next().unwrap_or_default().replace('.', "/");
                for file in [format!("{module}.py"), format!("{module}/__init__.py")] {
                    found.push(from.join(file).to_string_lossy().into_owned());
                }
            }
        }
        found.extend(hook.files.iter().map(|file| directory.join(file).to_string_lossy().into_owned()));
    }
    for word in &mut found {
        if let Some((option, value)) = word.split_once('=')
            && option.starts_with('-')
        {
            *word = value.to_owned();
        }
        for variable in ["$HOOK_CONFIG_DIR/", "${HOOK_CONFIG_DIR}/"] {
            if let Some(rest) = word.strip_prefix(variable) {
                *word = directory.join(rest).to_string_lossy().into_owned();
            }
        }
        if word.contains('/') && !word.starts_with(['/', '~', '$', '-']) {
            *word = directory.join(&*word).to_string_lossy().into_owned();
        }
    }
    found.retain(|word| !word.is_empty() && !word.starts_with('-') && !word.contains(['\n', '*', '?', '\0']));
    found.small_sort();
    found.dedup();
    found.truncate(WORDS);
    found
}

/// The words of a text for a shell, and of the texts in it. A file that is only written is not a program.
fn in_text(text: &str, depth: usize, found: &mut Vec<String>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let (mut word, mut quote, mut written) = (String::new(), None, false);
    let mut end = |word: &mut String, written: &mut bool| {
        let word = std::mem::take(word);
        if word.is_empty() || std::mem::take(written) {
            return;
        }
        if word.contains(char::is_whitespace) {
            in_text(&word, depth, found);
        }
        found.push(word);
    };
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match (quote, char) {
            (None, '\'' | '"') => quote = Some(char),
            (Some(open), char) if open == char => quote = None,
            (None | Some('"'), '\\') => word.extend(chars.next()),
            (None, '>') => {
                end(&mut word, &mut written);
                written = true;
            }
            (None, ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '`') => {
                end(&mut word, &mut written);
            }
            (_, char) => word.push(char),
        }
    }
    end(&mut word, &mut written);
}

/// The files that the hooks of the configuration at `path` run, on this machine.
pub(crate) fn files(path: &Path, home: &str) -> Vec<String> {
    let places = Places::of(crate::variable);
    let layer = match path {
        path if places.managed.as_deref() == Some(path) => Layer::Managed,
        path if places.user.as_deref() == Some(path) => Layer::User,
        // What a project's hooks run is compared with what was trusted.
        path if path.ends_with(PROJECT_FILE) => return Vec::new(),
        _ => Layer::Flag,
    };
    let cache = places.state.as_deref().filter(|_| layer != Layer::Managed).map(Cache::new);
    let kept = cache.and_then(|cache| cache.runs(layer, path));
    // A configuration that is broken denies everything by itself.
    let words = kept.or_else(|| Config::words_of(layer, path, Bounds::of(layer).file)).unwrap_or_default();
    words.iter().flat_map(|word| here(word, home)).collect()
}

/// Returns the paths that a word means here. Only files count: a whole directory may be anything.
fn here(word: &str, home: &str) -> Vec<String> {
    let below_home = ["~/", "$HOME/", "${HOME}/"].iter().find_map(|start| word.strip_prefix(start));
    let paths = match below_home {
        Some(rest) => vec![format!("{home}/{rest}")],
        None if word.starts_with('/') => vec![word.to_owned()],
        None if word.contains(['/', '$', ' ', '=']) => Vec::new(),
        None => crate::builtin::on_path(word),
    };
    let counts = |path: &String| {
        !SYSTEM.iter().any(|system| Path::new(path).starts_with(system)) && !Path::new(path).is_dir()
    };
    paths.into_iter().filter(counts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let config = Config::parse(text, Path::new("/etc/x/config.toml")).unwrap();
        words(&config.content.hooks, Path::new("/etc/x"))
    }

    #[test]
    fn whatever_form_a_command_has() {
        for (command, expected) in [
            ("command = \"~/bin/my-hook.sh\"", "~/bin/my-hook.sh"),
            ("command = \"$HOME/bin/my-hook.sh --fix\"", "$HOME/bin/my-hook.sh"),
            ("command = [\"./hook.sh\", \"x\"]", "/etc/x/./hook.sh"),
            ("command = [\"python3\", \"/opt/h/check.py\"]", "/opt/h/check.py"),
            ("command = \"python3 -u scripts/check.py\"", "/etc/x/scripts/check.py"),
            ("command = \"node --require=/opt/h/a.js /opt/h/b.js\"", "/opt/h/a.js"),
            ("command = \"sh -c 'exec /opt/h/x --a'\"", "/opt/h/x"),
            ("command = \"cd / && timeout 5 my-hook | jq .\"", "my-hook"),
            ("command = \"'/opt/a b/hook' x\"", "/opt/a b/hook"),
            ("command = \"true\"\nfiles = [\"lib/rules.json\"]", "/etc/x/lib/rules.json"),
            ("callable = \"pack.rules:check\"", "/etc/x/pack/rules.py"),
        ] {
            let all = found(&format!("[[hook]]\nevent = \"PreToolUse\"\n{command}\n"));
            assert!(all.iter().any(|word| word == expected), "{command}: {all:?}");
        }
        let all = found("[[hook]]\nevent = \"PreToolUse\"\ncommand = \"/opt/h >> /var/log/h 2>/opt/e\"\n");
        assert!(!all.iter().any(|word| word.contains("log") || word == "/opt/e"), "{all:?}");
    }
}
