//! Programs as packages bring them: by the name of the package, by a file in it, by a name with a version or a machine in it.

use super::{Evaluator, program::find};
use crate::{program, vocabulary::Modifier};
use checkrein_shell::{Part, Word};

/// Suffixes that packages add to the name of the program that they install.
const ENDINGS: [&str; 3] = ["-cli", "-tools", "-cmd"];
/// Suffixes of packages that install an agent.
const OF_AGENTS: [&str; 4] = ["-coding-agent", "-agent", "-code", "-ai"];
/// Directories that contain packages.
const SHELVES: [&str; 3] = ["node_modules", "site-packages", "dist-packages"];
/// Starts of the part of a name that says for which machine the program was built.
const MACHINES: [&str; 9] =
    ["-linux", "-darwin", "-macos", "-win32", "-windows", "-x86_64", "-x64", "-aarch64", "-arm64"];

/// Returns true if a program is a coding agent.
pub(super) fn is_agent(name: &str) -> bool {
    program::find(name)
        .is_some_and(|program| program.does.iter().any(|does| does.qualities.get().has(Modifier::Unguarded)))
}

/// The program that a package is fetched for: `@scope/tool@1.2` and `tool==1.2` are `tool`, `@tool/cli` and `tool-cli` are, too.
pub(super) fn program_of(package: &str) -> String {
    if package.starts_with(['.', '/', '~']) {
        return package.to_owned();
    }
    let package = package.strip_prefix("npm:").or_else(|| package.strip_prefix("jsr:")).unwrap_or(package);
    let (scope, name) = match package.strip_prefix('@').and_then(|scoped| scoped.split_once('/')) {
        Some((scope, name)) => (Some(scope), name),
        None => (None, package),
    };
    let name = name.split(['@', '=', '[', '<', '>', '~', '!', '/']).next().unwrap_or_default();
    if find(name).is_some() {
        return name.to_owned();
    }
    let plain = without_machine(name).replace('_', "-");
    let (own, name) = (name, plain.as_str());
    let short = ENDINGS.iter().find_map(|end| name.strip_suffix(end));
    let agent = OF_AGENTS.iter().find_map(|end| name.strip_suffix(end)).filter(|name| is_agent(name));
    let known = [Some(name), agent, short, scope].into_iter().flatten().find(|name| find(name).is_some());
    known.unwrap_or(own).to_owned()
}

/// A name without what says for which machine the program was built: `tool-x86_64-unknown-linux-musl`.
pub(super) fn without_machine(name: &str) -> &str {
    let cut = MACHINES.iter().filter_map(|machine| name.find(machine)).filter(|place| *place > 0).min();
    cut.and_then(|place| name.get(..place)).unwrap_or(name)
}

/// Returns true if loading this file or module starts an agent.
pub(super) fn starts_agent(path: &str) -> bool {
    agent_of(path).is_some()
}

/// The agent that a file belongs to which an interpreter is given, or which is run by itself.
pub(super) fn agent_of(path: &str) -> Option<String> {
    let agent = |package: &str| Some(program_of(package)).filter(|name| is_agent(name));
    if let Some(package) = path.strip_prefix("npm:").or_else(|| path.strip_prefix("jsr:")) {
        return agent(package);
    }
    let steps: Vec<&str> = path.split(['/', '\\']).filter(|step| !step.is_empty()).collect();
    let (last, above) = steps.split_last()?;
    let packages = above.iter().zip(steps.iter().skip(1)).filter_map(|(before, step)| {
        let scoped = before.starts_with('@').then(|| format!("{before}/{step}"));
        let plain = SHELVES.contains(before) && !step.starts_with('@') && !step.starts_with('.');
        scoped.or_else(|| plain.then(|| (*step).to_owned()))
    });
    // In the directory of its versions each is a program.
    let version = last.starts_with(|char: char| char.is_ascii_digit())
        && last.chars().all(|char| char.is_ascii_digit() || matches!(char, '.' | '-'));
    let versions = above.iter().rev().skip_while(|step| **step == "versions").take(1).filter(|_| version);
    let whole = (!last.contains('.')).then(|| (*last).to_owned());
    packages.chain(whole).chain(versions.map(|step| (*step).to_owned())).find_map(|name| agent(&name))
}

impl Evaluator<'_> {
    /// Returns the arguments, with known ones outside quotes split into words.
    pub(super) fn split_arguments(&self, rest: &[Word]) -> Option<Vec<Word>> {
        let is_whole = |word: &Word| matches!(word.parts.as_slice(), [Part::Unknown(_)]);
        let splits =
            |word: &Word| matches!(word.parts.as_slice(), [Part::Unknown(unknown)] if unknown.splits);
        rest.iter().any(is_whole).then(|| {
            let each =
                rest.iter().flat_map(|word| match self.value_of(word).text.filter(|_| is_whole(word)) {
                    Some(text) if splits(word) => {
                        self.split(&text).iter().map(|part| Word::text(part, word.span.clone())).collect()
                    }
                    // In quotes it is one argument, and an option if it looks like one.
                    Some(text) if text.starts_with('-') => vec![Word::text(&text, word.span.clone())],
                    _ => vec![word.clone()],
                });
            each.collect()
        })
    }
}

/// Returns the literal parts of a path that is not fully known.
pub(super) fn written(word: &Word) -> String {
    let texts = word.parts.iter().filter_map(|part| match part {
        Part::Text(text) | Part::Glob(text) => Some(text.as_str()),
        Part::Unknown(_) => None,
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use super::{agent_of, program_of};

    #[test]
    fn a_file_of_a_package_is_the_agent_that_it_brings() {
        for (path, agent) in [
            ("/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js", "claude-code"),
            ("/@openai/codex/bin/codex.js", "codex"),
            ("/opt/x/node_modules/@google/gemini-cli/dist/index.js", "gemini"),
            ("/x/node_modules/opencode-ai/bin/opencode", "opencode"),
            ("npm:@anthropic-ai/claude-code@2", "claude-code"),
            ("/usr/bin/claude", "claude"),
            ("/home/dev/.local/share/claude/versions/2.1.325", "claude"),
            ("/usr/lib/python3/site-packages/kimi_cli/__main__.py", "kimi"),
            ("/opt/codex-x86_64-unknown-linux-musl", "codex"),
        ] {
            assert_eq!(agent_of(path).as_deref(), Some(agent), "{path}");
        }
        for path in [
            "/home/dev/claude/build.js",
            "/home/dev/codex/scripts/release.mjs",
            "/x/node_modules/typescript/bin/tsc",
            "/x/node_modules/.bin/eslint",
            "scripts/claude.test.js",
            "/opt/python/3.12",
            "server.js",
            "",
        ] {
            assert_eq!(agent_of(path), None, "{path}");
        }
    }

    #[test]
    fn a_package_is_the_program_that_it_brings() {
        for (package, program) in [
            ("@qwen-code/qwen-code", "qwen"),
            ("hermes-agent", "hermes"),
            ("@mariozechner/pi-coding-agent@1", "pi"),
            ("kimi_cli", "kimi"),
            ("@openai/codex@latest", "codex"),
            ("typescript", "typescript"),
            ("my-agent", "my-agent"),
            ("some_tool==1.0", "some_tool"),
        ] {
            assert_eq!(program_of(package), program, "{package}");
        }
    }
}
