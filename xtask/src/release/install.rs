//! Installs every package in an empty place, as a user would, uses it, and removes it without a trace.
//!
//! Nothing comes from outside: wheels from the directory of the release, npm packages and archives from a
//! server on loopback.

use super::{Platform, VERSION, empty, install_system, listed, read, server::Server, wheel};
use crate::{Failed, Result, cannot, root, run, say, target};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    env::consts::ARCH,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Tries all packages that this machine can run.
pub(super) fn all(packages: &Path, tools: &Path, platforms: &[&Platform], systems: bool) -> Result<()> {
    let server = Server::start(packages)?;
    let native = platforms.iter().find(|platform| !platform.is_mac() && platform.architecture() == ARCH);
    let Some(native) = native else {
        say("no package for this machine was built, so none is installed");
        return Ok(());
    };
    with_installer(packages, &server)?;
    if systems {
        install_system::with_dpkg(packages, native)?;
        install_system::with_feature(packages, &server)?;
    }
    with_npm(&server)?;
    if listed(packages)?.iter().any(|(name, _)| name.ends_with(".whl")) {
        with_pip(packages, tools)?;
        from_source(packages, tools)?;
    }
    for platform in platforms {
        if let Ok(emulator) = platform.emulator()
            && !emulator.is_empty()
        {
            emulated(packages, platform, &emulator)?;
        }
    }
    Ok(())
}

/// An empty place: a home, a directory to install into, and a minimal environment.
pub(super) struct Place {
    pub(super) directory: PathBuf,
}

impl Place {
    pub(super) fn new(name: &str) -> Result<Self> {
        say(&format!("installing and using the package: {name}"));
        let place = Self { directory: target().join("packages-try").join(name) };
        empty(&place.directory)?;
        for part in ["home", "tmp", "installed"] {
            empty(&place.directory.join(part))?;
        }
        Ok(place)
    }

    pub(super) fn installed(&self) -> PathBuf {
        self.directory.join("installed")
    }

    /// Returns a command in this place, where nothing of this machine's users is visible.
    pub(super) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.directory.join("home")).env_clear();
        command.env("HOME", self.directory.join("home")).env("TMPDIR", self.directory.join("tmp"));
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("LC_ALL", "C.UTF-8");
        command
    }

    /// Uses an installed program as its first user does.
    pub(super) fn uses(&self, program: &Path) -> Result<()> {
        self.said(program, &["--version"], "", |said| said == format!("checkrein {VERSION}\n"))?;
        self.said(program, &["demo"], "", |said| said.contains("Checkrein"))?;
        let history = root().join("corpus/transcripts/claude.jsonl");
        let replay = ["replay", "--since", "all", "--path", &history.to_string_lossy()];
        self.said(program, &replay, "", |said| said.contains("calls judged"))?;
        let init = ["init", "--dry-run", "--agent", "claude"];
        self.said(program, &init, "", |said| said.contains("nothing was written"))?;
        let event = json!({
            "session_id": "s", "cwd": self.directory.join("home"), "hook_event_name": "PreToolUse",
            "tool_name": "Bash", "tool_input": {"command": "rm -rf ~"},
        });
        self.said(program, &["hook", "--host", "claude"], &event.to_string(), |said| {
            let answer: Value = serde_json::from_str(said).unwrap_or_default();
            answer
                .pointer("/hookSpecificOutput/permissionDecision")
                .is_some_and(|decision| decision == "deny")
        })
    }

    /// Runs the program, and checks that it succeeds and prints what it should.
    fn said(
        &self,
        program: &Path,
        arguments: &[&str],
        input: &str,
        good: impl Fn(&str) -> bool,
    ) -> Result<()> {
        self.prints(program, arguments, input, |said, success| success && good(said))
    }

    /// Runs the program, and checks what it prints and whether it succeeds.
    fn prints(
        &self,
        program: &Path,
        arguments: &[&str],
        input: &str,
        good: impl Fn(&str, bool) -> bool,
    ) -> Result<()> {
        let mut command = self.command(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| cannot("run", &program.to_string_lossy(), &error))?;
        if let Some(mut stdin) = child.stdin.take() {
            // It need not read its input.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = child.wait_with_output().map_err(|error| cannot("wait for", "checkrein", &error))?;
        let (said, words) = (String::from_utf8_lossy(&output.stdout), arguments.join(" "));
        if good(&said, output.status.success()) {
            return Ok(());
        }
        let talk = String::from_utf8_lossy(&output.stderr);
        let program = program.display();
        Err(Failed::Because(format!("`{program} {words}` ended with {}: {said}\n{talk}", output.status)))
    }

    /// Checks that nothing is left of what was installed.
    fn is_without_a_trace(&self, before: &BTreeSet<PathBuf>) -> Result<()> {
        let left: Vec<_> = below(&self.installed()).difference(before).cloned().collect();
        if left.is_empty() {
            return Ok(());
        }
        Err(Failed::Because(format!("these files are left after the package was removed: {left:?}")))
    }
}

/// Returns all files and directories below a directory, except for caches of byte code.
pub(super) fn below(directory: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path.clone());
            }
            found.insert(path);
        }
    }
    found
}

/// Tries the installer under several shells, and with a download that was changed.
fn with_installer(packages: &Path, server: &Server) -> Result<()> {
    let script = packages.join("install.sh");
    for shell in [&["sh"][..], &["busybox", "sh"], &["bash", "--posix"]] {
        let [program, options @ ..] = shell else { continue };
        let place = Place::new(&format!("installer-{program}"))?;
        let before = below(&place.installed());
        let mut install = |from: &str| {
            let mut command = place.command(program);
            command.args(options).arg(&script).arg("--to").arg(place.installed());
            command.env("CHECKREIN_FROM", from);
            command
        };
        run(&mut install(&format!("{}/files", server.url())))?;
        place.uses(&place.installed().join("bin/checkrein"))?;
        run(install("").arg("--remove"))?;
        place.is_without_a_trace(&before)?;
        refuses_a_changed_archive(packages, &place, &mut install)?;
    }
    Ok(())
}

/// Checks that the installer installs nothing if one byte of the download is different.
fn refuses_a_changed_archive(
    packages: &Path,
    place: &Place,
    install: &mut impl FnMut(&str) -> Command,
) -> Result<()> {
    let changed = place.directory.join("changed");
    empty(&changed)?;
    for (name, _) in
        listed(packages)?.iter().filter(|(name, _)| name.ends_with(".tar.gz") || name == "SHA256SUMS")
    {
        let mut bytes = read(&packages.join(name))?;
        if name.ends_with(".tar.gz")
            && let Some(byte) = bytes.last_mut()
        {
            *byte ^= 1;
        }
        fs::write(changed.join(name), bytes).map_err(|error| cannot("write", name, &error))?;
    }
    let server = Server::start(&changed)?;
    let output = install(&format!("{}/files", server.url()))
        .output()
        .map_err(|error| cannot("run", "install.sh", &error))?;
    let talk = String::from_utf8_lossy(&output.stderr);
    if output.status.success() || !talk.contains("checksum") || !below(&place.installed()).is_empty() {
        return Err(Failed::Because(format!("the installer took a changed archive: {talk}")));
    }
    Ok(())
}

/// Tries the npm packages: installed, and with `npx` without being installed.
fn with_npm(server: &Server) -> Result<()> {
    let place = Place::new("npm")?;
    let npm = |arguments: &[&str]| {
        let mut command = place.command("npm");
        command.args(arguments).args(["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]);
        command.arg(format!("--registry={}", server.url())).arg("--prefix").arg(place.installed());
        command.arg("--cache").arg(place.directory.join("tmp/cache"));
        command
    };
    let before = below(&place.installed());
    run(&mut npm(&["install", "--global", "checkrein"]))?;
    place.uses(&place.installed().join("bin/checkrein"))?;
    run(&mut npm(&["uninstall", "--global", "checkrein"]))?;
    let mut before = before;
    // npm leaves its own directories.
    before.extend(["bin", "lib", "lib/node_modules"].map(|name| place.installed().join(name)));
    place.is_without_a_trace(&before)?;
    let history = root().join("corpus/transcripts/claude.jsonl");
    let replay = ["exec", "--yes", "--", "checkrein", "replay", "--since", "all", "--path"];
    let mut npx = place.command("npm");
    npx.args(&replay[..2]).arg(format!("--registry={}", server.url())).arg("--cache");
    npx.arg(place.directory.join("tmp/cache")).args(&replay[2..]).arg(history);
    run(&mut npx)
}

/// Tries the wheel: installed with pip, and with `uvx` without being installed.
fn with_pip(packages: &Path, tools: &Path) -> Result<()> {
    let place = Place::new("pip")?;
    let python = environment(&place, tools)?;
    let before = below(&place.installed());
    let pip = |arguments: &[&str]| {
        let mut command = place.command(&python);
        command.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]).args(arguments);
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command
    };
    let install = ["install", "--no-index", "--only-binary", ":all:", "--no-compile", "--find-links"];
    run(pip(&install).arg(packages).arg("checkrein"))?;
    place.uses(&place.installed().join("bin/checkrein"))?;
    let import = "import checkrein; print(checkrein.Dispatcher)";
    run(place.command(&python).args(["-B", "-c", import]))?;
    run(&mut pip(&["uninstall", "--yes", "checkrein"]))?;
    place.is_without_a_trace(&before)?;
    let history = root().join("corpus/transcripts/claude.jsonl");
    let mut uvx = place.command(tools.join("uv"));
    uvx.args(["tool", "run", "--no-index", "--python"]).arg(&python).arg("--find-links").arg(packages);
    run(uvx.args(["checkrein", "replay", "--since", "all", "--path"]).arg(history))
}

/// Makes a virtual environment, and returns its Python.
fn environment(place: &Place, tools: &Path) -> Result<PathBuf> {
    run(place.command(tools.join("python")).args(["-m", "venv"]).arg(place.installed()))?;
    Ok(place.installed().join("bin/python"))
}

/// Builds the source distribution as pip does, without network but with cargo's downloads.
fn from_source(packages: &Path, tools: &Path) -> Result<()> {
    let place = Place::new("source")?;
    let python = environment(&place, tools)?;
    let mut pip = place.command(&python);
    pip.args(["-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps", "--no-build-isolation"]);
    pip.arg("--wheel-dir")
        .arg(place.directory.join("tmp"))
        .arg(packages.join(format!("checkrein-{VERSION}.tar.gz")));
    // The compiler, its downloads and maturin are on this machine.
    for name in ["PATH", "CARGO_HOME", "RUSTUP_HOME"] {
        if let Some(value) = std::env::var_os(name) {
            pip.env(name, value);
        }
    }
    for (name, directory) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        if let (None, Some(home)) = (std::env::var_os(name), std::env::var_os("HOME")) {
            pip.env(name, Path::new(&home).join(directory));
        }
    }
    // A new directory: the files of the archive have no times, by which cargo would notice a change.
    pip.env("CARGO_TARGET_DIR", place.directory.join("build")).envs(wheel::FAST);
    pip.env("PATH", crate::dist::with_tools(tools)?).env("PYTHONPATH", site_packages(tools)?);
    run(&mut pip)?;
    let built = listed(&place.directory.join("tmp"))?;
    let wheel = built.iter().find(|(name, _)| name.ends_with(".whl"));
    let (wheel, _) = wheel.ok_or_else(|| Failed::Because("the source distribution built no wheel".into()))?;
    let mut install = place.command(&python);
    install.args(["-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-index"]);
    run(install.arg(place.directory.join("tmp").join(wheel)))?;
    place.uses(&place.installed().join("bin/checkrein"))
}

/// Returns the directory with the modules of our tools.
fn site_packages(tools: &Path) -> Result<String> {
    let script = "import sysconfig; print(sysconfig.get_path('purelib'))";
    Ok(crate::output(Command::new(tools.join("python")).args(["-c", script]))?.trim().to_owned())
}

/// Compares the answers of an emulated program with those of this machine's, for the commands of the
/// corpus, and uses it as a hook.
fn emulated(packages: &Path, platform: &Platform, emulator: &[String]) -> Result<()> {
    let place = Place::new(&format!("emulated-{}", platform.name()))?;
    let native = format!("{ARCH}-unknown-linux-musl");
    let mut answers = Vec::new();
    for (triple, emulator) in [(native.as_str(), &[][..]), (platform.triple, emulator)] {
        let name = format!("checkrein-{VERSION}-{triple}");
        let archive = packages.join(format!("{name}.tar.gz"));
        run(place.command("tar").arg("-xzf").arg(archive).arg("-C").arg(place.installed()))?;
        let program = place.installed().join(name).join("bin/checkrein");
        let mut command = match emulator {
            [] => place.command(&program),
            [first, rest @ ..] => {
                let mut command = place.command(first);
                command.args(rest).arg(&program);
                command
            }
        };
        command.args(["check", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        answers.push(batch(command, triple)?);
    }
    let [ours, theirs] = answers.as_slice() else { return Ok(()) };
    let different = ours.iter().zip(theirs).filter(|(one, other)| one != other).count();
    if different > 0 || ours.len() != theirs.len() || ours.is_empty() {
        return Err(Failed::Because(format!("{} answers differently {different} times", platform.name())));
    }
    say(&format!("{}: {} equal answers under {}", platform.name(), ours.len(), emulator.join(" ")));
    let program = place.installed().join(format!("checkrein-{VERSION}-{}/bin/checkrein", platform.triple));
    starts_a_hook(&place, emulator, &program)
}

/// Checks that an emulated program starts a hook of the user's, and obeys it.
fn starts_a_hook(place: &Place, emulator: &[String], program: &Path) -> Result<()> {
    let configuration = place.directory.join("home/.config/checkrein");
    empty(&configuration)?;
    let hook = "[[hook]]\nevent = \"PreToolUse\"\nname = \"no\"\ncommand = \"echo reason >&2; exit 2\"\n";
    fs::write(configuration.join("config.toml"), hook)
        .map_err(|error| cannot("write", "config.toml", &error))?;
    let [first, rest @ ..] = emulator else { return Ok(()) };
    let mut arguments: Vec<&str> = rest.iter().map(String::as_str).collect();
    let program = program.to_string_lossy();
    arguments.extend([&*program, "check", "--json", "true"]);
    place.prints(Path::new(first), &arguments, "", |said, _| said.contains("reason"))
}

/// Feeds the commands of the corpus to a program, and returns its answers, without the time that each took and
/// without the name of its system, which is in its path and so in the calls that it rewrites.
fn batch(mut command: Command, triple: &str) -> Result<Vec<Value>> {
    let input = commands()?;
    let mut child = command.spawn().map_err(|error| cannot("run", "checkrein check --batch", &error))?;
    let stdin = child.stdin.take();
    let writer = std::thread::spawn(move || {
        if let Some(mut stdin) = stdin {
            // If it ends early, its answers are too few.
            let _ = stdin.write_all(input.as_bytes());
        }
    });
    let output = child.wait_with_output().map_err(|error| cannot("wait for", "checkrein", &error))?;
    let _ = writer.join();
    let answers = String::from_utf8_lossy(&output.stdout).replace(triple, "system");
    let answers = answers.lines().map(|line| {
        let mut answer: Value = serde_json::from_str(line).unwrap_or_default();
        answer.as_object_mut().map(|fields| fields.remove("micros"));
        answer
    });
    Ok(answers.collect())
}

/// Returns one event for each command of the labelled lists.
fn commands() -> Result<String> {
    let mut events = String::new();
    for list in ["commands.jsonl", "blind/1-open.jsonl", "blind/2-open.jsonl"] {
        let text = String::from_utf8_lossy(&read(&root().join("corpus/guard").join(list))?).into_owned();
        for case in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let event = json!({
                "hook_event_name": "PreToolUse", "tool_name": "Bash",
                "tool_input": {"command": case.get("command")},
            });
            events.push_str(&event.to_string());
            events.push('\n');
        }
    }
    Ok(events)
}
