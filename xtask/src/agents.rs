//! Installs the real agents and runs the suite with them.
//!
//! It installs exactly the versions and contents that `tests/agents/install` pins, from npm's configured
//! registry, below the build directory. Node 22 comes first and runs npm for the rest: an older one would
//! silently get older agents. Install scripts of packages do not run; agents start in a sandbox only.

use crate::{Failed, Result, cannot, cargo, output, plugins, root, run, say, target};
use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

/// The variable with which a user skips the suite; its value is the reason.
const WITHOUT: &str = "CHECKREIN_WITHOUT_AGENTS";

/// The variable that makes the suite write the table instead of comparing it.
const UPDATE: &str = "UPDATE_GENERATED";

/// Installs what is missing and runs the suite, with all agents or with those that are named.
pub(crate) fn agents(arguments: &[&str]) -> Result<()> {
    let (options, named): (Vec<&str>, Vec<&str>) =
        arguments.iter().copied().partition(|argument| argument.starts_with("--"));
    let update = match options.as_slice() {
        [] => false,
        ["--update"] => true,
        [unknown, ..] => {
            return Err(Failed::Because(format!("unknown argument `{unknown}`; there is `--update`")));
        }
    };
    let known = || FIRST.split(' ').chain(OTHERS);
    if let Some(unknown) = named.iter().find(|name| known().all(|known| known != **name)) {
        let names = known().collect::<Vec<_>>().join(", ");
        return Err(Failed::Because(format!("unknown agent `{unknown}`; there are {names}")));
    }
    let is_named = |name: &&str| named.is_empty() || named.contains(name);
    install(&OTHERS.into_iter().filter(is_named).collect::<Vec<_>>())?;
    say("building the program that the agents start");
    write_plugins()?;
    bridges()?;
    say("running the suite with the real agents");
    let mut test = cargo();
    test.args(["test", "--package", "checkrein-agents"]);
    if update {
        test.env(UPDATE, "1");
    }
    if !named.is_empty() {
        test.env(CHOSEN, named.join(" "));
    }
    run(&mut test)
}

/// Writes the plugins that the agents install, with the program that was built for tests.
pub(crate) fn write_plugins() -> Result<()> {
    let program = plugins::debug_program()?;
    plugins::make_for_tests(&program)
}

/// The agents that load a bridge of ours.
const BRIDGED: [&str; 4] = ["pi", "opencode", "kilo", "openclaw"];

/// Checks the types of our bridges, as `init` writes them.
fn bridges() -> Result<()> {
    say("checking the types of the bridges that agents load");
    let directory = target().join("agents");
    let node = only(&package(&directory, "node", None)?, "node-linux-")?.join("bin");
    let packages = package(&directory, "typescript", Some(&node))?;
    // Below the packages, where the compiler finds the types of Node.
    let written = directory.join("typescript/bridges");
    fs::create_dir_all(&written).map_err(|error| cannot("create", &written.to_string_lossy(), &error))?;
    // The agents load them as modules, which the compiler learns from this file.
    write(&written.join("package.json"), b"{ \"type\": \"module\" }\n")?;
    for agent in BRIDGED {
        let mut init = Command::new(target().join("debug/checkrein"));
        let printed = output(init.args(["init", "--print", "--json", "--agent", agent]))?;
        let text = module(&printed)
            .ok_or_else(|| Failed::Because(format!("`init` prints no module for {agent}")))?;
        let file = written.join(agent).with_extension("ts");
        write(&file, text.as_bytes())?;
        // The module of the plugin differs in how it finds the program.
        let of_plugin = written.join(format!("{agent}-plugin.ts"));
        let module = plugins::directory().join(agent).join("checkrein.ts");
        let has_plugin = module.exists();
        if has_plugin {
            write(&of_plugin, &read(&module)?)?;
        }
        for file in [Some(&file), has_plugin.then_some(&of_plugin)].into_iter().flatten() {
            let mut tsc = Command::new(node.join("node"));
            tsc.current_dir(&written).arg(packages.join("typescript/bin/tsc")).args(STRICT);
            run(tsc.arg(file))?;
        }
    }
    Ok(())
}

/// Returns the text of the module among the files that `init --print --json` shows.
fn module(printed: &str) -> Option<String> {
    let files: serde_json::Value = serde_json::from_str(printed).ok()?;
    let text = |name: &str, file: &serde_json::Value| file.get(name)?.as_str().map(str::to_owned);
    let mut files = files.get("files")?.as_array()?.iter();
    let module = files.find(|file| text("path", file).is_some_and(|path| path.ends_with(".ts")))?;
    text("content", module)
}

/// The options of the compiler. A bridge contains the whole core that all of them share, of which it may use a part.
const STRICT: [&str; 10] = [
    "--strict",
    "--noUncheckedIndexedAccess",
    "--noImplicitReturns",
    "--noEmit",
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--types",
    "node",
];

/// Prepares the suite, or returns what this machine lacks for it, which is not a failure of what is tested.
pub(crate) fn prepare() -> std::result::Result<(), String> {
    if let Ok(reason) = env::var(WITHOUT)
        && !reason.trim().is_empty()
    {
        return Err(format!("{WITHOUT} says: {reason}"));
    }
    apart()?;
    terminals()?;
    install(&[]).map_err(|failed| match failed {
        Failed::Exit(code) => format!("the agents cannot be installed: exit code {code}"),
        Failed::Because(reason) => reason,
    })
}

/// Checks that a network namespace can be created here, with or without root.
fn apart() -> std::result::Result<(), String> {
    let works = |user: &[&str]| {
        let mut unshare = Command::new("unshare");
        unshare.args(user).args(["--net", "--pid", "--fork", "--kill-child", "--mount-proc", "true"]);
        unshare.output().is_ok_and(|output| output.status.success())
    };
    if works(&[]) || works(&["--user", "--map-root-user"]) {
        return Ok(());
    }
    Err("`unshare` makes no network namespace here, and without one no agent is started".to_owned())
}

/// Checks that agents can be started in terminals, to look at their screens.
fn terminals() -> std::result::Result<(), String> {
    let tmux = Command::new("tmux").arg("-V").output();
    tmux.map(drop).map_err(|error| {
        format!("the screens of the agents are shown by `tmux`, which does not start: {error}")
    })
}

/// Installs the agents and their Node below the build directory, if they are not there yet.
fn install(others: &[&str]) -> Result<()> {
    let directory = target().join("agents");
    let node = package(&directory, "node", None)?;
    let node = only(&node, "node-linux-")?.join("bin");
    let agents = package(&directory, "agents", Some(&node))?;
    let claude = only(&agents.join("@anthropic-ai"), "claude-code-linux-")?.join("claude");
    let bin = directory.join("bin");
    fs::create_dir_all(&bin).map_err(|error| cannot("create", &bin.to_string_lossy(), &error))?;
    for (name, program) in
        [("node", node.join("node")), ("claude", claude), ("codex", agents.join(".bin/codex"))]
    {
        link(&program, &bin.join(name))?;
    }
    for name in others {
        if *name == "hermes" {
            link(&python(&directory, name)?, &bin.join(name))?;
            continue;
        }
        let packages = package(&directory, name, Some(&node))?;
        // Its own program is written by an install script.
        let program = match *name {
            "opencode" => packages.join(format!("opencode-linux-{}", architecture())).join("bin/opencode"),
            "kilo" => packages.join(format!("@kilocode/cli-linux-{}", architecture())).join("bin/kilo"),
            "grok" => unpacked(
                &packages.join(format!("@xai-official/grok-linux-{}", architecture())).join("bin/grok"),
                &node,
            )?,
            "openclaw" => with_its_node(&directory, &packages, &node)?,
            name => packages.join(".bin").join(name),
        };
        link(&program, &bin.join(name))?;
    }
    Ok(())
}

/// Writes the script that starts OpenClaw, which refuses the Node of the others.
fn with_its_node(directory: &Path, packages: &Path, node: &Path) -> Result<PathBuf> {
    let newer = only(&package(directory, "node26", Some(node))?, "node-linux-")?.join("bin/node");
    let start = packages.join(".bin/openclaw-with-its-node");
    let program = packages.join("openclaw/openclaw.mjs");
    let script = format!("#!/bin/sh\nexec '{}' '{}' \"$@\"\n", newer.display(), program.display());
    write(&start, script.as_bytes())?;
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&start, mode).map_err(|error| cannot("change", &start.to_string_lossy(), &error))?;
    Ok(start)
}

/// Installs a Python program with everything that `requirements.txt` pins, and returns its path.
fn python(directory: &Path, name: &str) -> Result<PathBuf> {
    let from = root().join("tests/agents/install").join(name).join("requirements.txt");
    let to = directory.join(name);
    let (done, wanted) = (to.join("installed"), read(&from)?);
    let program = to.join("bin").join(name);
    if fs::read(&done).is_ok_and(|installed| installed == wanted) {
        return Ok(program);
    }
    say(&format!("installing `{name}` of the agents below {}", to.display()));
    output(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&to))?;
    let mut pip = Command::new(to.join("bin/pip"));
    output(pip.args(["install", "--quiet", "--require-hashes", "--no-deps", "--requirement"]).arg(&from))?;
    write(&done, &wanted)?;
    Ok(program)
}

/// Unpacks a program that is shipped as `<program>.br`, as its install script would.
fn unpacked(program: &Path, node: &Path) -> Result<PathBuf> {
    const UNPACK: &str = "const fs = require('fs'), [packed, to] = process.argv.slice(1); \
        fs.writeFileSync(to + '.new', require('zlib').brotliDecompressSync(fs.readFileSync(packed)), {mode: 0o755}); \
        fs.renameSync(to + '.new', to);";
    if !program.exists() {
        let mut unpack = Command::new(node.join("node"));
        output(unpack.args(["-e", UNPACK]).arg(program.with_extension("br")).arg(program))?;
    }
    Ok(program.to_owned())
}

/// Installs the MCP servers with which the proxy is tested, and the Node that runs them.
pub(crate) fn servers() -> Result<()> {
    let directory = target().join("agents");
    let node = only(&package(&directory, "node", None)?, "node-linux-")?.join("bin");
    package(&directory, "mcp", Some(&node))?;
    let bin = directory.join("bin");
    fs::create_dir_all(&bin).map_err(|error| cannot("create", &bin.to_string_lossy(), &error))?;
    link(&node.join("node"), &bin.join("node"))
}

/// Returns npm's name of this machine's architecture.
fn architecture() -> &'static str {
    if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" }
}

/// The variable that names the agents which the suite tries, if not all.
const CHOSEN: &str = "CHECKREIN_AGENTS";

/// The agents that `cargo xtask test` tries; `cargo xtask agents` tries all.
const FIRST: &str = "claude codex";

/// Limits a run of the tests to the agents that [`prepare`] has installed.
pub(crate) fn limit(test: &mut Command) {
    test.env(CHOSEN, FIRST);
}

/// Returns the agents that `cargo xtask test` does not try.
pub(crate) fn skipped() -> String {
    OTHERS.join(", ")
}

/// The agents that have a directory and a lock file of their own, named after their program.
const OTHERS: [&str; 11] =
    ["gemini", "qwen", "copilot", "cline", "pi", "opencode", "kilo", "kimi", "grok", "openclaw", "hermes"];

/// Installs what one directory of `tests/agents/install` pins, and returns the directory of the packages.
fn package(directory: &Path, name: &str, node: Option<&Path>) -> Result<PathBuf> {
    const FILES: [&str; 2] = ["package.json", "package-lock.json"];
    let from = root().join("tests/agents/install").join(name);
    let to = directory.join(name);
    let packages = to.join("node_modules");
    let done = to.join("installed");
    let wanted = read(&from.join("package-lock.json"))?;
    // Written last, so that an interrupted installation is repeated.
    if fs::read(&done).is_ok_and(|installed| installed == wanted) {
        return Ok(packages);
    }
    fs::create_dir_all(&to).map_err(|error| cannot("create", &to.to_string_lossy(), &error))?;
    for file in FILES {
        write(&to.join(file), &read(&from.join(file))?)?;
    }
    say(&format!("installing `{name}` of the agents below {}", to.display()));
    // The download cache is below the build directory too, and is removed after unpacking.
    let cache = to.join("cache");
    let mut npm = Command::new("npm");
    npm.current_dir(&to).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    npm.arg("--cache").arg(&cache);
    if let Some(node) = node {
        npm.env("PATH", before_path(node)?);
    }
    output(&mut npm).map_err(|failed| {
        let reason = match failed {
            Failed::Exit(code) => format!("npm ended with exit code {code}"),
            Failed::Because(reason) => reason,
        };
        Failed::Because(format!(
            "the agents cannot be installed: {reason}\n\
             hint: the suite with the real agents needs `npm` (it comes with Node) and its registry"
        ))
    })?;
    // A failure only wastes space.
    let _ = fs::remove_dir_all(cache);
    write(&done, &wanted)?;
    Ok(packages)
}

/// Returns the only directory whose name starts with `start`; which one it is depends on the machine.
fn only(directory: &Path, start: &str) -> Result<PathBuf> {
    let entries =
        fs::read_dir(directory).map_err(|error| cannot("read", &directory.to_string_lossy(), &error))?;
    let mut found = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(start))
        .map(|entry| entry.path());
    found.next().ok_or_else(|| {
        Failed::Because(format!(
            "there is no `{start}*` for this machine; the suite with the real agents runs on Linux, x86-64 or ARM64"
        ))
    })
}

/// Replaces a link; two runs at once create the same one.
fn link(program: &Path, name: &Path) -> Result<()> {
    if fs::read_link(name).is_ok_and(|known| known == program) {
        return Ok(());
    }
    let new = name.with_extension(format!("{}", std::process::id()));
    let made = symlink(program, &new).and_then(|()| fs::rename(&new, name));
    made.map_err(|error| cannot("link", &name.to_string_lossy(), &error))
}

/// Returns `PATH` with a directory in front.
fn before_path(directory: &Path) -> Result<std::ffi::OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    let directories = std::iter::once(directory.to_owned()).chain(env::split_paths(&path));
    env::join_paths(directories).map_err(|error| Failed::Because(error.to_string()))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| cannot("read", &path.to_string_lossy(), &error))
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).map_err(|error| cannot("write", &path.to_string_lossy(), &error))
}
