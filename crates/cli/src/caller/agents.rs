//! Recognises an agent's process by the program that runs, never by its arguments.
//!
//! A user in `tmux -L claude` or `vim codex` is not an agent. An interpreter counts as the script that it
//! runs, so its options are skipped to find that.

use super::lineage::Process;
use checkrein_hosts::markers;
use std::path::Path;

/// Returns the variables that agents set for their child processes.
pub(super) fn variables() -> impl Iterator<Item = &'static str> {
    markers().flat_map(|markers| markers.variables.iter().copied())
}

/// Directories that have one subdirectory per package.
const LIBRARIES: &[&str] = &["node_modules", "site-packages", "dist-packages"];

/// A program that runs a script.
struct Interpreter {
    /// The start of its name; a version may follow.
    name: &'static str,
    /// Options that take the next word as a value.
    valued: &'static [&'static str],
    /// Options that take source text to run, so that there is no script.
    text: &'static [&'static str],
    /// The letter of the option that names a module.
    module: Option<char>,
    /// Subcommands before the script.
    actions: &'static [&'static str],
}

const NODE: Interpreter = Interpreter {
    name: "node",
    valued: &[
        "-r",
        "--require",
        "--import",
        "--loader",
        "--experimental-loader",
        "-C",
        "--conditions",
        "--env-file",
        "--env-file-if-exists",
        "--title",
        "--icu-data-dir",
        "--openssl-config",
        "--disable-warning",
        "--inspect-port",
        "--debug-port",
        "--redirect-warnings",
        "--diagnostic-dir",
        "--watch-path",
    ],
    text: &["-e", "--eval", "-p", "--print", "-pe"],
    module: None,
    actions: &[],
};

const PYTHON: Interpreter = Interpreter {
    name: "python",
    valued: &["-W", "-X", "-Q", "--check-hash-based-pycs"],
    text: &["-c"],
    module: Some('m'),
    actions: &[],
};

const SHELL: Interpreter = Interpreter {
    name: "sh",
    valued: &["-o", "+o", "-O", "+O", "--rcfile", "--init-file"],
    text: &["-c", "--command"],
    module: None,
    actions: &[],
};

const INTERPRETERS: &[Interpreter] = &[
    NODE,
    Interpreter { name: "nodejs", ..NODE },
    Interpreter { name: "tsx", ..NODE },
    Interpreter { name: "ts-node", ..NODE },
    Interpreter {
        name: "bun",
        valued: &[
            "-r",
            "--preload",
            "--require",
            "--import",
            "--cwd",
            "-c",
            "--config",
            "--env-file",
            "--filter",
            "-F",
        ],
        text: &["-e", "--eval", "-p", "--print"],
        actions: &["run", "x"],
        ..NODE
    },
    Interpreter { name: "bunx", valued: &["--package", "-p"], text: &[], ..NODE },
    Interpreter {
        name: "deno",
        valued: &[
            "-c",
            "--config",
            "--import-map",
            "--lock",
            "--cert",
            "-L",
            "--log-level",
            "--location",
            "--seed",
        ],
        text: &[],
        actions: &["run", "serve", "x"],
        ..NODE
    },
    PYTHON,
    Interpreter { name: "pypy", ..PYTHON },
    SHELL,
    Interpreter { name: "bash", ..SHELL },
    Interpreter { name: "dash", ..SHELL },
    Interpreter { name: "zsh", ..SHELL },
    Interpreter { name: "ksh", ..SHELL },
    Interpreter {
        name: "ruby",
        valued: &["-I", "-r", "-C", "-E"],
        text: &["-e"],
        module: None,
        actions: &[],
    },
    Interpreter { name: "perl", valued: &["-I"], text: &["-e", "-E"], module: None, actions: &[] },
];

/// Describes why a process belongs to an agent; `None` if it does not.
pub(super) fn is_of_an_agent(process: &Process) -> Option<String> {
    if let Some(name) = agent(process) {
        return Some(format!("the agent `{name}`"));
    }
    let name = variables().find(|name| process.variables.iter().any(|variable| variable == name))?;
    Some(format!("a process with `{name}` from an agent"))
}

/// Returns the agent that a process runs.
fn agent(process: &Process) -> Option<&'static str> {
    // A process can choose its own name, but not the file that it runs.
    let file =
        process.program.as_deref().map(|program| program.strip_suffix(" (deleted)").unwrap_or(program));
    let (first, rest) =
        process.words.split_first().map_or(("", [].as_slice()), |(first, rest)| (first.as_str(), rest));
    // Some write their whole title into the first word.
    let title = first.split_whitespace().next().unwrap_or_default();
    let named = [file, Some(first), Some(title)].into_iter().flatten();
    named.clone().find_map(of_path).or_else(|| {
        let interpreter = named.filter_map(interpreter).next()?;
        script(interpreter, rest)
    })
}

/// Returns the agent at a path: by its own name, that of its package, or that of the directory of its versions.
fn of_path(path: &str) -> Option<&'static str> {
    let file = Path::new(path).file_name()?.to_str()?;
    let of_versions = || {
        let mut above = path.rsplit('/').skip(1);
        let versions = above.next()? == "versions";
        versions.then(|| of_name(above.next()?)).flatten()
    };
    of_name(file).or_else(|| of_package(path)).or_else(of_versions)
}

fn of_name(file: &str) -> Option<&'static str> {
    let endings = [".js", ".mjs", ".cjs", ".ts", ".exe", ".py", ".sh"];
    let stem = endings.iter().fold(file, |stem, end| stem.strip_suffix(end).unwrap_or(stem));
    let mut programs = markers().flat_map(|markers| markers.programs.iter().copied());
    programs.find(|program| *program == stem.trim_start_matches('-'))
}

fn of_package(path: &str) -> Option<&'static str> {
    let parts: Vec<&str> = path.split('/').collect();
    let library = parts.iter().rposition(|part| LIBRARIES.contains(part))?;
    let package = parts.get(library + 1)?;
    let package = if package.starts_with('@') { parts.get(library + 2)? } else { package };
    of_package_name(package)
}

fn of_package_name(package: &str) -> Option<&'static str> {
    // `npm:@openai/codex@1.2`
    let name = package.rsplit(['/', ':']).next().unwrap_or(package);
    let name = name.split(['@', '=']).next().unwrap_or(name);
    let mut packages = markers().flat_map(|markers| markers.packages);
    let known = packages.find(|(package, _)| *package == name).map(|(_, agent)| *agent);
    known.or_else(|| of_name(name))
}

fn interpreter(path: &str) -> Option<&'static Interpreter> {
    let file = path.rsplit('/').next()?.trim_start_matches('-');
    let plain = file.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
    INTERPRETERS.iter().find(|interpreter| interpreter.name == plain)
}

/// Returns the agent that an interpreter with these arguments runs.
fn script(interpreter: &Interpreter, words: &[String]) -> Option<&'static str> {
    let mut words = words.iter().map(String::as_str).peekable();
    let mut actions = interpreter.actions;
    // True if the previous word may be an option that takes this one.
    let mut doubt = false;
    while let Some(word) = words.next() {
        if word == "--" {
            return words.next().and_then(of_script);
        }
        if word.starts_with(['-', '+']) && word.len() > 1 {
            if let Some(module) = interpreter.module.and_then(|letter| module(word, letter)) {
                let module = if module.is_empty() { words.next()? } else { module };
                return of_name(&module.split('.').next().unwrap_or(module).replace('_', "-"));
            }
            if interpreter.text.contains(&word) {
                return None;
            }
            doubt = !interpreter.valued.contains(&word) && word.starts_with("--") && !word.contains('=');
            if interpreter.valued.contains(&word) {
                words.next();
            }
            continue;
        }
        if actions.contains(&word) {
            actions = &[];
            continue;
        }
        let found = of_script(word);
        // After an unknown option, a number or a bare word is its value.
        if found.is_some() || !doubt || word.contains(['/', '.']) {
            return found;
        }
        doubt = false;
    }
    None
}

/// Returns the module at the end of a cluster of short options: `-m`, `-Im`, `-maider`.
fn module(word: &str, letter: char) -> Option<&str> {
    let cluster = word.strip_prefix('-').filter(|cluster| !cluster.starts_with('-'))?;
    let (before, after) = cluster.split_once(letter)?;
    before.chars().all(|char| "bBdEiIOPqsSuvx".contains(char)).then_some(after)
}

fn of_script(word: &str) -> Option<&'static str> {
    of_path(word).or_else(|| of_package_name(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(words: &str, program: &str) -> Process {
        Process {
            id: 7,
            words: words.split(' ').map(str::to_owned).collect(),
            program: Some(program.to_owned()).filter(|program| !program.is_empty()),
            variables: Vec::new(),
        }
    }

    #[test]
    fn agents_are_recognised_by_the_program_that_runs() {
        for (words, program, expected) in [
            ("claude", "", "claude"),
            ("-claude", "", "claude"),
            ("/usr/local/bin/codex exec x", "", "codex"),
            ("node /usr/lib/node_modules/@google/gemini-cli/dist/index.js", "", "gemini"),
            ("node /x/node_modules/@anthropic-ai/claude-code/cli.js", "/usr/bin/node", "claude"),
            ("node /home/a/.npm/bin/opencode", "", "opencode"),
            ("node --a --b /usr/bin/claude", "/usr/bin/node", "claude"),
            ("node --max-old-space-size 4096 /usr/bin/claude", "", "claude"),
            ("node --max-old-space-size=4096 -r ./pi /opt/x/codex.js", "", "codex"),
            ("/usr/bin/node --import tsx --no-warnings -- /opt/claude.mjs", "", "claude"),
            ("bun /usr/bin/claude", "", "claude"),
            ("bun run --preload x.ts /opt/opencode.ts", "", "opencode"),
            ("bun x @openai/codex@0.166", "", "codex"),
            ("deno run -A --config d.json /opt/amp.ts", "", "amp"),
            ("deno run -A npm:@openai/codex", "", "codex"),
            ("python3 /opt/aider.py", "", "aider"),
            ("python3.12 -m aider --model x", "", "aider"),
            ("python -X dev -Im aider.main", "", "aider"),
            ("python /v/lib/python3.12/site-packages/aider/__main__.py", "", "aider"),
            ("bash -e /usr/local/bin/claude -p x", "/usr/bin/bash", "claude"),
            ("harmless", "/home/a/bin/claude (deleted)", "claude"),
            ("node", "/opt/codex", "codex"),
            ("2.1.325", "/home/a/.local/share/claude/versions/2.1.325 (deleted)", "claude"),
            ("codex --title", "/usr/bin/node", "codex"),
        ] {
            assert_eq!(agent(&process(words, program)), Some(expected), "{words} ({program})");
        }
        // A title with spaces in the first word.
        let title = Process { words: vec!["claude --resume".to_owned()], ..Process::default() };
        assert_eq!(agent(&title), Some("claude"));
    }

    #[test]
    fn arguments_make_no_program_an_agent() {
        for (words, program) in [
            ("-bash", "/usr/bin/bash"),
            ("bash -c claude", "/usr/bin/bash"),
            ("bash -l", ""),
            ("tmux -L claude", "/usr/bin/tmux"),
            ("tmux new -s codex", ""),
            ("screen -S claude", "/usr/bin/screen"),
            ("SCREEN -S pi", "/usr/bin/screen"),
            ("zellij -s codex", ""),
            ("su pi", "/usr/bin/su"),
            ("su - goose", ""),
            ("sudo -u pi bash", ""),
            ("vim claude", ""),
            ("vim claude.md", ""),
            ("less claude", ""),
            ("less /home/claude/notes", ""),
            ("man aider", ""),
            ("ssh codex", ""),
            ("node server.js claude", "/usr/bin/node"),
            ("node --inspect ./server.js claude", ""),
            ("node --require claude server.js", ""),
            ("node -e 1 claude", ""),
            ("python3 serve.py aider", ""),
            ("python3 -m http.server --directory claude", ""),
            ("python3 -c pass aider", ""),
            ("python3 -W error x.py codex", ""),
            ("deno run main.ts codex", ""),
            ("perl -I claude x.pl", ""),
            ("/home/claude/bin/fish", "/home/claude/bin/fish"),
            ("sshd: pi@pts/0", "/usr/sbin/sshd"),
        ] {
            assert_eq!(agent(&process(words, program)), None, "{words} ({program})");
        }
    }

    #[test]
    fn an_agents_variables_are_found() {
        let with = |variables: &[&str]| Process {
            variables: variables.iter().map(|name| (*name).to_owned()).collect(),
            ..process("-bash", "")
        };
        assert_eq!(is_of_an_agent(&with(&["PATH", "HOME"])), None);
        let found = is_of_an_agent(&with(&["PATH", "CLAUDECODE"])).unwrap();
        assert_eq!(found, "a process with `CLAUDECODE` from an agent");
    }
}
