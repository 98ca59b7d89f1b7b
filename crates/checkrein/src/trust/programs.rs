//! Table of programs for trust: which run what they are handed, and which only read or write it.

/// A program's use of its words, as far as trust is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It cannot run anything, and what it is handed is a text or a condition.
    Says,
    /// It cannot run anything, and reads the files that it is handed.
    Reads,
    /// It cannot run anything, and makes, fills or removes the files that it is handed.
    Writes,
    /// It changes the directory.
    Moves,
    /// It may run what it is handed, or read its own program from there.
    Runs,
}

const SAYS: &[&str] = &[
    ":", "[", "basename", "break", "continue", "date", "dirname", "echo", "exit", "expr", "false",
    "hostname", "id", "kill", "logger", "printf", "pwd", "read", "return", "seq", "set", "shift", "sleep",
    "test", "true", "type", "uname", "unset", "wait", "which", "whoami",
];
const READS: &[&str] = &[
    "cat",
    "cksum",
    "cmp",
    "comm",
    "cut",
    "diff",
    "egrep",
    "fgrep",
    "file",
    "grep",
    "head",
    "jq",
    "ls",
    "md5sum",
    "nl",
    "readlink",
    "realpath",
    "rev",
    "sha1sum",
    "sha256sum",
    "stat",
    "tail",
    "tr",
    "uniq",
    "wc",
];
const WRITES: &[&str] = &["mkdir", "rm", "rmdir", "tee", "touch"];
const MOVES: &[&str] = &["cd", "chdir", "popd", "pushd"];

/// Returns the use that `program`, a bare name, makes of its words. An unknown one may do anything.
pub(super) fn use_of(program: &str) -> Use {
    let uses = [(SAYS, Use::Says), (READS, Use::Reads), (WRITES, Use::Writes), (MOVES, Use::Moves)];
    uses.iter().find(|(names, _)| names.contains(&program)).map_or(Use::Runs, |(_, of)| *of)
}

/// The condition under which a program runs what it finds in the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runner {
    /// Whatever it is told.
    Always,
    /// Unless one of these options names the file.
    UnlessNamed(&'static [&'static str]),
    /// With one of these words.
    Subcommands(&'static [&'static str]),
}

/// Programs that run code of the project that no word names: recipes, scripts of a package, tests, plugins that a
/// configuration loads, hooks of a repository.
pub(super) fn runner(program: &str) -> Option<Runner> {
    const ALWAYS: &[&str] = &[
        "ansible-playbook",
        "ansible",
        "ant",
        "babel",
        "bats",
        "bazel",
        "brunch",
        "bun",
        "bundle",
        "bunx",
        "cargo",
        "cmake",
        "commitlint",
        "coverage",
        "composer",
        "ctest",
        "cypress",
        "direnv",
        "docker-compose",
        "eslint",
        "fab",
        "flake8",
        "gradle",
        "gradlew",
        "grunt",
        "gulp",
        "hatch",
        "husky",
        "invoke",
        "jest",
        "karma",
        "lefthook",
        "lein",
        "lerna",
        "lint-staged",
        "meson",
        "mise",
        "mix",
        "mocha",
        "mvn",
        "mvnw",
        "mypy",
        "ninja",
        "nox",
        "npm",
        "npx",
        "nuxt",
        "nx",
        "parcel",
        "pdm",
        "phpunit",
        "php-cs-fixer",
        "phpstan",
        "pipenv",
        "playwright",
        "pnpm",
        "poetry",
        "pre-commit",
        "prettier",
        "psalm",
        "pylint",
        "pytest",
        "py.test",
        "rake",
        "rebar3",
        "rollup",
        "rspec",
        "rubocop",
        "run-parts",
        "sbt",
        "scons",
        "semantic-release",
        "sphinx-build",
        "stack",
        "standardrb",
        "stylelint",
        "svelte-check",
        "swift",
        "task",
        "tox",
        "ts-node",
        "turbo",
        "uv",
        "uvx",
        "vagrant",
        "vite",
        "vitest",
        "waf",
        "webpack",
        "yarn",
    ];
    const GIT: &[&str] = &[
        "am",
        "checkout",
        "cherry-pick",
        "clone",
        "commit",
        "fetch",
        "gc",
        "merge",
        "pull",
        "push",
        "rebase",
        "revert",
        "stash",
        "submodule",
        "switch",
        "worktree",
    ];
    match program {
        "make" | "gmake" | "bmake" => Some(Runner::UnlessNamed(&["-f", "--file", "--makefile"])),
        "just" => Some(Runner::UnlessNamed(&["-f", "--justfile"])),
        "git" => Some(Runner::Subcommands(GIT)),
        "go" => Some(Runner::Subcommands(&["run", "test", "generate", "build", "install", "vet", "tool"])),
        // It runs the profile of the directory that it is in.
        "R" | "Rscript" => Some(Runner::UnlessNamed(&["--vanilla", "--no-init-file", "--no-environ"])),
        "deno" => Some(Runner::Subcommands(&["task", "test", "x", "install", "add", "bench"])),
        "dotnet" => Some(Runner::Subcommands(&["run", "test", "build", "msbuild", "publish"])),
        "docker" | "podman" => Some(Runner::Subcommands(&["build", "compose", "buildx"])),
        program if ALWAYS.contains(&program) => Some(Runner::Always),
        _ => None,
    }
}

/// Returns true if a Python module runs what it finds in the project, as such a program does.
pub(super) fn runs_the_project(module: &str) -> bool {
    let first = module.split('.').next().unwrap_or(module);
    matches!(first, "unittest" | "pip" | "build" | "nose2" | "setuptools" | "zipapp")
        || runner(first).is_some()
}

/// Options with which a program changes to another directory before it looks for anything.
pub(super) fn moving_options(program: &str) -> &'static [&'static str] {
    match program {
        "env" => &["-C", "--chdir"],
        "find" => &["-execdir", "-okdir"],
        "git" | "go" => &["-C"],
        "just" => &["-d", "--working-directory"],
        "make" | "gmake" | "bmake" => &["-C", "--directory"],
        "nsenter" | "unshare" => &["--wd"],
        "sudo" => &["-D", "--chdir", "-R", "--chroot"],
        "systemd-run" => &["-d", "--working-directory"],
        "tar" => &["-C", "--directory", "--cd"],
        _ => &[],
    }
}

/// Returns true if `word` starts Python, of any version.
pub(super) fn is_python(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    matches!(plain, "python" | "pypy")
}

/// Returns true if a program runs the one that it is passed.
pub(super) fn wraps(program: &str) -> bool {
    const NAMES: &[&str] = &[
        "builtin", "chroot", "chrt", "command", "doas", "env", "exec", "flock", "ionice", "nice", "nohup",
        "setsid", "stdbuf", "sudo", "taskset", "time", "timeout", "unbuffer", "xargs",
    ];
    NAMES.contains(&program)
}

/// A program that runs a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interpreter {
    /// Of shell texts: `-c` hands it one.
    Shell,
    /// The shell's own `.` and `source`: a file in any case.
    Source,
    /// The shell's own `eval` and `trap`: a text in any case.
    Eval,
    /// Of another language.
    Other,
}

const SHELLS: &[&str] = &["ash", "bash", "dash", "ksh", "mksh", "sh", "zsh"];
const OTHERS: &[&str] = &[
    "Rscript",
    "bun",
    "deno",
    "fish",
    "julia",
    "lua",
    "luajit",
    "node",
    "nodejs",
    "osascript",
    "perl",
    "php",
    "pwsh",
    "pypy",
    "python",
    "ruby",
    "tclsh",
    "ts-node",
    "tsx",
];

/// The interpreter that a word starts, by whatever path and version.
pub(super) fn interpreter(word: &str) -> Option<Interpreter> {
    let name = word.rsplit('/').next().unwrap_or(word);
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    match name {
        "." | "source" => Some(Interpreter::Source),
        "eval" | "trap" => Some(Interpreter::Eval),
        name if SHELLS.contains(&name) => Some(Interpreter::Shell),
        _ if OTHERS.contains(&plain) => Some(Interpreter::Other),
        _ => None,
    }
}

/// The effect of an interpreter's option on the words after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag<'a> {
    /// Not at all.
    Alone,
    /// The next word belongs to it, and is not a file.
    Value,
    /// The next word is a file that is run.
    File,
    /// The next word is the text that is run.
    Text,
    /// The rest of the word is.
    Joined(&'a str),
    /// The next word is a module that is looked for by its name.
    Module,
    /// Nothing is run.
    Help,
    /// The program is read from standard input.
    Stdin,
}

impl Interpreter {
    /// Returns the effect of `word`, which follows the interpreter, as an option; `None` if it is none.
    pub(super) fn flag(self, word: &str) -> Option<Flag<'_>> {
        let name = word.strip_prefix(['-', '+'])?;
        match (self, word) {
            (Self::Source | Self::Eval, _) => None,
            (_, "-") => Some(Flag::Stdin),
            (_, "--version" | "-V" | "--help") => Some(Flag::Help),
            (Self::Shell, "--rcfile" | "--init-file") => Some(Flag::File),
            (Self::Shell, _) if word.starts_with("--") => Some(Flag::Alone),
            (Self::Shell, _) if name.ends_with(['o', 'O']) => Some(Flag::Value),
            (Self::Shell, _) if word.starts_with('-') && name.contains('c') => Some(Flag::Text),
            (Self::Shell, _) if word.starts_with('-') && name.contains('s') => Some(Flag::Stdin),
            (Self::Shell, _) => Some(Flag::Alone),
            (
                Self::Other,
                "-c" | "-e" | "-E" | "-p" | "-pe" | "-ne" | "-le" | "-n" | "--eval" | "--print",
            ) => Some(Flag::Text),
            (Self::Other, "-m") => Some(Flag::Module),
            (
                Self::Other,
                "-r" | "-f" | "-I" | "--require" | "--import" | "--loader" | "--experimental-loader",
            ) => Some(Flag::File),
            (Self::Other, "-W" | "-X" | "-C") => Some(Flag::Value),
            (Self::Other, _) if word.starts_with("-c") || word.starts_with("-e") => {
                Some(Flag::Joined(name.get(1..).unwrap_or_default()))
            }
            (Self::Other, _) => Some(Flag::Alone),
        }
    }
}

/// Variables that decide which code a program loads.
pub(super) fn loads_code(variable: &str) -> bool {
    const NAMES: &[&str] = &[
        "AWKLIBPATH",
        "AWKPATH",
        "AWS_CONFIG_FILE",
        "BASH_ENV",
        "BASH_LOADABLES_PATH",
        "BROWSER",
        "BUNDLE_GEMFILE",
        "CC",
        "CDPATH",
        "CLASSPATH",
        "CXX",
        "EDITOR",
        "COMPILER_PATH",
        "ENV",
        "EXINIT",
        "FPATH",
        "GCC_EXEC_PREFIX",
        "GCONV_PATH",
        "GEM_HOME",
        "GEM_PATH",
        "GNUMAKEFLAGS",
        "HGRCPATH",
        "HOME",
        "JAVA_TOOL_OPTIONS",
        "JDK_JAVA_OPTIONS",
        "KUBECONFIG",
        "LESSOPEN",
        "LUA_CPATH",
        "LUA_INIT",
        "LUA_PATH",
        "MAKEFILES",
        "MAKEFLAGS",
        "MANPAGER",
        "NODE_OPTIONS",
        "NODE_PATH",
        "OPENSSL_CONF",
        "PAGER",
        "PATH",
        "PERL5DB",
        "PERL5LIB",
        "PERL5OPT",
        "PHPRC",
        "PHP_INI_SCAN_DIR",
        "PROMPT_COMMAND",
        "PS4",
        "PSQLRC",
        "PSQL_PAGER",
        "PYTHONHOME",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "RSYNC_RSH",
        "RUBYLIB",
        "RUBYOPT",
        "RUSTC_WRAPPER",
        "SHELL",
        "SSH_ASKPASS",
        "SUDO_ASKPASS",
        "SVN_SSH",
        "TAR_OPTIONS",
        "TCLLIBPATH",
        "VIMINIT",
        "VIMRUNTIME",
        "VISUAL",
        "XDG_CONFIG_DIRS",
        "XDG_CONFIG_HOME",
        "XDG_DATA_DIRS",
        "ZDOTDIR",
        "_JAVA_OPTIONS",
    ];
    let families = [
        "BASH_FUNC_",
        "BUNDLE_",
        "CARGO_",
        "DYLD_",
        "GEM_",
        "GIT_",
        "GO",
        "GUILE_",
        "JAVA_",
        "JULIA_",
        "LD_",
        "LESS",
        "LUA_",
        "NODE_",
        "NPM_CONFIG_",
        "PERL",
        "PHP",
        "PYTHON",
        "RUBY",
        "RUST",
        "R_",
        "TCL",
        "npm_config_",
    ];
    // They change how a program speaks, and not what it loads.
    let harmless = [
        "GIT_PAGER_IN_USE",
        "GIT_TERMINAL_PROMPT",
        "LESSCHARSET",
        "NODE_ENV",
        "NODE_NO_WARNINGS",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONHASHSEED",
        "PYTHONIOENCODING",
        "PYTHONUNBUFFERED",
        "PYTHONUTF8",
        "RUST_BACKTRACE",
        "RUST_LOG",
    ];
    if harmless.contains(&variable) {
        return false;
    }
    NAMES.contains(&variable) || families.iter().any(|family| variable.starts_with(family))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpreters_by_whatever_name() {
        for (word, expected) in [
            ("sh", Some(Interpreter::Shell)),
            ("/usr/bin/bash", Some(Interpreter::Shell)),
            ("python3.11", Some(Interpreter::Other)),
            ("node", Some(Interpreter::Other)),
            (".", Some(Interpreter::Source)),
            ("cargo", None),
            ("pythonic", None),
            ("", None),
        ] {
            assert_eq!(interpreter(word), expected, "{word}");
        }
    }

    #[test]
    fn options_of_interpreters() {
        let shell = |word| Interpreter::Shell.flag(word);
        assert_eq!(shell("-lc"), Some(Flag::Text));
        assert_eq!(shell("-eo"), Some(Flag::Value));
        assert_eq!(shell("-e"), Some(Flag::Alone));
        assert_eq!(shell("-s"), Some(Flag::Stdin));
        assert_eq!(shell("x.sh"), None);
        let other = |word| Interpreter::Other.flag(word);
        assert_eq!(other("-cimport x"), Some(Flag::Joined("import x")));
        assert_eq!(other("-m"), Some(Flag::Module));
        assert_eq!(other("-"), Some(Flag::Stdin));
        assert_eq!(other("--check"), Some(Flag::Alone));
    }
}
