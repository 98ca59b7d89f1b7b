//! The words that may be remembered of a command: those of the guard's tables, and a few that developers use every day.
//!
//! Any other word is the choice of the command's author, who may have taken it from an output or a prompt. Such a word is never kept.

use checkrein_guard::KnownProgram;

/// Directories that a program of a project is started from.
const DIRECTORIES: &[&str] = &[
    "./",
    "bin/",
    "./bin/",
    ".venv/bin/",
    "./.venv/bin/",
    "venv/bin/",
    "./venv/bin/",
    "node_modules/.bin/",
    "./node_modules/.bin/",
    "vendor/bin/",
    "./vendor/bin/",
];

/// Programs with subcommands that the guard has no entries for.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("ant", TARGETS),
    ("bun", &["install", "add", "run", "test", "x"]),
    ("bundle", &["install", "exec", "update"]),
    ("bunx", &[]),
    (
        "cargo",
        &["build", "check", "clippy", "fmt", "test", "run", "bench", "doc", "install", "nextest", "update"],
    ),
    ("cmake", &[]),
    ("composer", &["install", "update", "require"]),
    ("corepack", &["enable", "prepare", "use"]),
    ("deno", &["run", "test", "task", "install", "lint", "fmt"]),
    ("dotnet", &["build", "test", "run", "restore", "publish"]),
    ("eslint", &[]),
    (
        "git",
        &[
            "add",
            "am",
            "branch",
            "checkout",
            "cherry-pick",
            "clone",
            "commit",
            "config",
            "diff",
            "fetch",
            "init",
            "log",
            "merge",
            "mv",
            "pull",
            "push",
            "rebase",
            "remote",
            "reset",
            "restore",
            "revert",
            "rm",
            "show",
            "stash",
            "status",
            "submodule",
            "switch",
            "tag",
            "worktree",
        ],
    ),
    ("go", &["build", "test", "run", "vet", "mod", "generate", "install", "get", "fmt"]),
    ("gradle", TARGETS),
    ("gradlew", TARGETS),
    ("hatch", &["run", "test"]),
    ("jest", &[]),
    ("just", TARGETS),
    ("make", TARGETS),
    ("mise", &["exec", "run", "install"]),
    ("mix", &["test", "compile", "deps.get", "format"]),
    ("mvn", &["compile", "test", "package", "verify", "install", "clean"]),
    ("mvnw", &["compile", "test", "package", "verify", "install", "clean"]),
    ("mypy", &[]),
    ("npm", &["ci", "install", "i", "test", "run", "start", "exec"]),
    ("npx", &[]),
    ("pdm", &["run", "install", "sync"]),
    ("pip", &["install", "list", "check"]),
    ("pip3", &["install", "list", "check"]),
    ("pipenv", &["run", "install", "sync"]),
    ("pnpm", &["install", "i", "add", "run", "test", "exec", "dlx", "build", "lint"]),
    ("poetry", &["run", "install", "add", "lock"]),
    ("pytest", &[]),
    ("python", &[]),
    ("python3", &[]),
    ("rake", TARGETS),
    ("rspec", &[]),
    ("ruff", &["check", "format"]),
    ("swift", &["build", "test", "run"]),
    ("task", TARGETS),
    ("tox", &[]),
    ("tsc", &[]),
    ("unittest", &[]),
    ("uv", &["run", "sync", "add", "pip", "lock", "venv"]),
    ("uvx", &[]),
    ("venv", &[]),
    ("vitest", &["run"]),
    ("yarn", &["install", "add", "run", "test", "exec", "dlx", "build", "lint"]),
];

/// Names that projects give their tasks.
const TARGETS: &[&str] = &[
    "all",
    "assemble",
    "build",
    "check",
    "ci",
    "clean",
    "compile",
    "dev",
    "format",
    "fmt",
    "install",
    "lint",
    "start",
    "test",
    "typecheck",
];

/// Commands that are followed by the name of a task.
const TASKS: &[&str] = &["npm run", "pnpm run", "yarn run", "bun run", "deno task", "mise run"];

/// Commands that are followed by another program.
const RUNNERS: &[&str] = &[
    "bun x",
    "bundle exec",
    "bunx",
    "corepack",
    "hatch run",
    "mise exec",
    "npm exec",
    "npx",
    "pdm run",
    "pipenv run",
    "pnpm dlx",
    "pnpm exec",
    "poetry run",
    "uv",
    "uv run",
    "uvx",
    "yarn dlx",
    "yarn exec",
];

/// Interpreters that run a module as a program, after `-m`.
const PYTHON: &[&str] = &["python", "python3", "py"];

/// Programs that are never remembered: what they run is in a text, or runs as another user.
const REFUSED: &[&str] = &[
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "fish",
    "sudo",
    "doas",
    "su",
    "eval",
    "exec",
    "source",
    ".",
    "xargs",
    "ssh",
    "checkrein",
];

/// Options that say how something is installed, built or tested.
const OPTIONS: &[&str] = &[
    "--all-features",
    "--all-targets",
    "--break-system-packages",
    "--build",
    "--ff-only",
    "--frozen",
    "--frozen-lockfile",
    "--ignore-scripts",
    "--immutable",
    "--legacy-peer-deps",
    "--locked",
    "--no-cache-dir",
    "--no-daemon",
    "--no-frozen-lockfile",
    "--no-immutable",
    "--no-sync",
    "--no-rebase",
    "--offline",
    "--rebase",
    "--release",
    "--run",
    "--set-upstream",
    "--upgrade",
    "--user",
    "--watch=false",
    "--workspace",
];

/// Splits the name of a program into a usual directory and the name itself; `None` if it is in another directory.
pub(super) fn program(word: &str) -> Option<(&'static str, &str)> {
    let (directory, name) = match word.rfind('/') {
        None => ("", word),
        Some(end) => {
            let (directory, name) = word.split_at(end + 1);
            (*DIRECTORIES.iter().find(|known| **known == directory)?, name)
        }
    };
    let is_known = own(name).is_some() || KnownProgram::of(name).is_some();
    (is_known && !REFUSED.contains(&name)).then_some((directory, name))
}

fn own(name: &str) -> Option<&'static [&'static str]> {
    PROGRAMS.iter().find(|(program, _)| *program == name).map(|(_, subcommands)| *subcommands)
}

/// Returns the entry of the guard's table for a program with its subcommands.
fn entry(path: &[String]) -> Option<KnownProgram> {
    let (name, subcommands) = path.split_first()?;
    subcommands.iter().try_fold(KnownProgram::of(name)?, |entry, word| entry.subcommand(word))
}

/// Returns true if a word is a subcommand of a program, which the path names with the subcommands before.
pub(super) fn is_subcommand(path: &[String], word: &str) -> bool {
    let is_own = match path {
        [name] => own(name).is_some_and(|known| known.contains(&word)),
        _ => TASKS.contains(&path.join(" ").as_str()) && TARGETS.contains(&word),
    };
    is_own || entry(path).is_some_and(|entry| entry.subcommand(word).is_some())
}

/// Returns true if a program has subcommands at all.
pub(super) fn has_subcommands(path: &[String]) -> bool {
    let is_own = path.len() == 1 && path.iter().any(|name| own(name).is_some_and(|known| !known.is_empty()));
    is_own
        || TASKS.contains(&path.join(" ").as_str())
        || entry(path).is_some_and(KnownProgram::has_subcommands)
}

/// Returns whether an option takes the next word; `None` if it is not known.
pub(super) fn option(path: &[String], name: &str) -> Option<bool> {
    OPTIONS.contains(&name).then_some(false).or_else(|| entry(path)?.option(name))
}

/// Returns true if the next word is another program.
pub(super) fn runs_another(path: &[String]) -> bool {
    RUNNERS.contains(&path.join(" ").as_str())
}

/// Returns true if a module follows that is run as a program.
pub(super) fn runs_module(path: &[String], option: &str) -> bool {
    option == "-m" && matches!(path, [name] if PYTHON.contains(&name.as_str()))
}
