//! Trust: a project's hook runs only as it was trusted, byte for byte, whatever else happens at the same time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein::{
    Config, Decision, Environment, Event, EventName, HookStatus, Layer, LayeredConfig, Map, Payload, Setup,
    ToolCall, trust::Store,
};
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

const CONFIG: &str = r#"[[hook]]
event = "PreToolUse"
name = "guard"
command = ["hooks/guard.sh", "--rules=rules.txt"]
files = ["hooks/helper.txt"]
"#;

struct Project {
    directory: TempDir,
    state: TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Self { directory: tempfile::tempdir().unwrap(), state: tempfile::tempdir().unwrap() };
        fs::create_dir(project.path("hooks")).unwrap();
        project.write(".checkrein.toml", CONFIG);
        // Uses its own place, what it is handed, and what belongs to it.
        project.write(
            "hooks/guard.sh",
            "#!/bin/sh\nrules=${1#--rules=}\ncat \"$rules\" \"$(dirname \"$0\")/helper.txt\" >&2\nexit 2\n",
        );
        fs::set_permissions(project.path("hooks/guard.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        project.write("rules.txt", "rules ");
        project.write("hooks/helper.txt", "helper");
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn store(&self) -> Store {
        Store::new(self.state.path())
    }

    fn stack(&self) -> LayeredConfig {
        let config = Config::load_as(Layer::Project, &self.path(".checkrein.toml")).unwrap();
        LayeredConfig::new(vec![config], Some(self.store()))
    }

    fn trust(&self) {
        for row in self.stack().rows(None) {
            self.store().trust(&row.content().unwrap()).unwrap();
        }
    }

    fn status(&self) -> HookStatus {
        self.stack().rows(None).remove(0).status
    }

    /// Returns the hook's answer, if it is called.
    fn says(&self) -> Option<String> {
        let setup = Setup::new(Environment::new([("PATH".into(), "/usr/bin:/bin".into())]));
        let stack = self.stack();
        let (dispatcher, _) = stack.dispatcher(Some(EventName::PreToolUse), &setup);
        let outcome =
            dispatcher.decide(Payload::new(Event::PreToolUse { call: ToolCall::new("Bash", Map::new()) }));
        (outcome.decision == Decision::Deny).then(|| outcome.reason())
    }
}

#[test]
fn nothing_runs_before_it_is_trusted() {
    let project = Project::new();
    assert_eq!(project.status(), HookStatus::Untrusted);
    assert_eq!(project.says(), None);
    project.trust();
    assert_eq!(project.status(), HookStatus::Active);
    assert_eq!(project.says().unwrap(), "guard: rules helper");
}

#[test]
fn every_changed_byte_takes_the_trust_away_and_is_named() {
    let project = Project::new();
    project.trust();
    for file in [".checkrein.toml", "hooks/guard.sh", "rules.txt", "hooks/helper.txt"] {
        let original = fs::read(project.path(file)).unwrap();
        for at in 0..original.len() {
            let mut changed = original.clone();
            changed[at] ^= 1;
            fs::write(project.path(file), &changed).unwrap();
            // A configuration that does not parse any more runs nothing either.
            let Ok(config) = Config::load_as(Layer::Project, &project.path(".checkrein.toml")) else {
                continue;
            };
            let stack = LayeredConfig::new(vec![config], Some(project.store()));
            for row in stack.rows(None) {
                assert_ne!(row.status, HookStatus::Active, "byte {at} of {file}");
                if file != ".checkrein.toml" {
                    assert_eq!(row.status, HookStatus::Changed(format!("`{file}`")), "byte {at}");
                }
            }
        }
        fs::write(project.path(file), &original).unwrap();
    }
    assert_eq!(project.status(), HookStatus::Active, "what was trusted is trusted again");
}

#[test]
fn trust_in_what_is_gone_can_be_taken_away() {
    let project = Project::new();
    project.trust();
    let helper = fs::read(project.path("hooks/helper.txt")).unwrap();
    fs::remove_file(project.path("hooks/helper.txt")).unwrap();
    assert!(project.stack().rows(None)[0].revoke(&project.store()).unwrap());
    fs::write(project.path("hooks/helper.txt"), helper).unwrap();
    assert_eq!(project.status(), HookStatus::Untrusted);
}

#[test]
fn one_file_with_two_names_is_one_file() {
    let project = Project::new();
    project.write(
        ".checkrein.toml",
        &CONFIG.replace("hooks/helper.txt", "hooks/helper.txt\", \"./hooks/guard.sh"),
    );
    project.trust();
    assert_eq!(project.says().unwrap(), "guard: rules helper");
}

#[test]
fn files_neither_block_nor_fill_the_memory() {
    let project = Project::new();
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    let pipe = project.path("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    project.write(".checkrein.toml", &CONFIG.replace("hooks/helper.txt", "pipe"));
    assert_eq!(project.status(), HookStatus::Untrusted, "nothing of a stranger's is opened");
    project.write(".checkrein.toml", CONFIG);
    project.trust();
    project.write(".checkrein.toml", &CONFIG.replace("hooks/helper.txt", "pipe"));
    assert_eq!(project.status(), HookStatus::Unreadable("`pipe`: not a file".to_owned()));
    for name in ["a", "b", "c"] {
        fs::File::create(project.path(name)).unwrap().set_len(50 << 20).unwrap();
    }
    project.write(".checkrein.toml", &CONFIG.replace("hooks/helper.txt", "a\", \"b\", \"c"));
    assert_eq!(project.status(), HookStatus::Unreadable("`c`: too large to be trusted".to_owned()));
}

#[test]
fn the_target_of_a_link_counts() {
    let project = Project::new();
    project.write("one.sh", "#!/bin/sh\necho one >&2; exit 2\n");
    project.write("same.sh", "#!/bin/sh\necho one >&2; exit 2\n");
    fs::remove_file(project.path("hooks/guard.sh")).unwrap();
    for name in ["one.sh", "same.sh"] {
        fs::set_permissions(project.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    symlink("../one.sh", project.path("hooks/guard.sh")).unwrap();
    project.trust();
    assert_eq!(project.says().unwrap(), "guard: one");
    project.write("one.sh", "#!/bin/sh\necho two >&2; exit 2\n");
    assert_eq!(project.status(), HookStatus::Changed("`hooks/guard.sh`".into()));
    project.write("one.sh", "#!/bin/sh\necho one >&2; exit 2\n");
    assert_eq!(project.status(), HookStatus::Active);
    // Another file, even of the same content.
    fs::remove_file(project.path("hooks/guard.sh")).unwrap();
    symlink("../same.sh", project.path("hooks/guard.sh")).unwrap();
    assert_eq!(project.status(), HookStatus::Changed("`hooks/guard.sh`".into()));
}

#[test]
fn what_runs_is_what_was_trusted_and_not_what_is_there_now() {
    let project = Project::new();
    project.trust();
    let setup = Setup::new(Environment::new([("PATH".into(), "/usr/bin:/bin".into())]));
    let stack = project.stack();
    let (dispatcher, skipped) = stack.dispatcher(Some(EventName::PreToolUse), &setup);
    assert!(skipped.is_empty());
    // Between the look and the start, everything is exchanged.
    project.write("hooks/guard.sh", "#!/bin/sh\necho exchanged >&2; exit 2\n");
    project.write("rules.txt", "exchanged");
    project.write("hooks/helper.txt", "exchanged");
    let outcome =
        dispatcher.decide(Payload::new(Event::PreToolUse { call: ToolCall::new("Bash", Map::new()) }));
    assert_eq!(outcome.reason(), "guard: rules helper");
}

#[test]
fn a_moved_project_is_another_project() {
    let project = Project::new();
    project.trust();
    let elsewhere = tempfile::tempdir().unwrap();
    assert!(
        Command::new("cp").arg("-a").arg(project.path(".")).arg(elsewhere.path()).status().unwrap().success()
    );
    let config = Config::load_as(Layer::Project, &elsewhere.path().join(".checkrein.toml")).unwrap();
    let stack = LayeredConfig::new(vec![config], Some(project.store()));
    assert_eq!(stack.rows(None)[0].status, HookStatus::Untrusted);
}

#[test]
fn trust_can_be_taken_away() {
    let project = Project::new();
    project.trust();
    let content = project.stack().rows(None)[0].content().unwrap();
    assert!(project.store().revoke(&content).unwrap());
    assert!(!project.store().revoke(&content).unwrap());
    assert_eq!(project.status(), HookStatus::Untrusted);
}

#[test]
fn a_store_that_others_can_write_to_is_not_believed() {
    let project = Project::new();
    project.trust();
    let directory = project.state.path().join("trust");
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(matches!(project.status(), HookStatus::Unreadable(why) if why.contains("chmod 700")));
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(project.status(), HookStatus::Active);
    fs::rename(&directory, project.state.path().join("real")).unwrap();
    symlink("real", &directory).unwrap();
    assert!(matches!(project.status(), HookStatus::Unreadable(_)), "a link is not our directory");
}

#[test]
fn a_file_that_is_gone_or_unreadable_is_said() {
    let project = Project::new();
    project.trust();
    fs::remove_file(project.path("hooks/helper.txt")).unwrap();
    assert!(matches!(project.status(), HookStatus::Unreadable(why) if why.contains("hooks/helper.txt")));
}

/// Returns the configuration with this command, given in TOML.
fn with_command(command: &str) -> String {
    format!("[[hook]]\nevent = \"PreToolUse\"\nname = \"guard\"\ncommand = {command}\n")
}

#[test]
fn what_trust_does_not_cover_is_refused_unless_it_is_accepted() {
    let project = Project::new();
    project.write(".checkrein.toml", &with_command("'sh \"$X\"/guard.sh'"));
    let content = project.stack().rows(None)[0].content().unwrap();
    assert_eq!(content.uncovered[0].word, "\"$X\"/guard.sh");
    let refused = project.store().trust(&content).unwrap_err().to_string();
    assert_eq!(refused, "trust does not cover `\"$X\"/guard.sh`: what it names is decided when it runs");
    assert_eq!(project.status(), HookStatus::Untrusted);
    project.store().trust_uncovered(&content).unwrap();
    let stack = project.stack();
    let row = &stack.rows(None)[0];
    assert_eq!(
        (&row.status, row.uncovered.as_slice()),
        (&HookStatus::Active, &["\"$X\"/guard.sh".to_owned()][..])
    );
    // An entry that does not say that it was accepted was not accepted.
    for entry in walk(&project.state.path().join("trust")) {
        let path = entry.join("manifest.json");
        let mut manifest: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        manifest.as_object_mut().unwrap().remove("accepted_uncovered").unwrap();
        fs::remove_file(&path).unwrap();
        fs::write(&path, manifest.to_string()).unwrap();
    }
    assert_eq!(project.status(), HookStatus::Untrusted);
}

#[test]
fn what_was_not_there_takes_the_trust_away_when_it_appears() {
    let project = Project::new();
    for (command, path) in [
        ("'cat >/dev/null; sh tools/late.sh'", "tools/late.sh"),
        ("['hooks/guard.sh', '--rules=late.txt']", "late.txt"),
        ("'sh hooks/guard.sh < late.txt'", "late.txt"),
    ] {
        project.write(".checkrein.toml", &with_command(command));
        project.trust();
        assert_eq!(project.status(), HookStatus::Active, "{command}");
        fs::create_dir_all(project.path(path).parent().unwrap()).unwrap();
        project.write(path, "#!/bin/sh\n");
        let changed = HookStatus::Changed(format!("`{path}`, which was not there"));
        assert_eq!(project.status(), changed, "{command}");
        fs::remove_file(project.path(path)).unwrap();
        assert_eq!(project.status(), HookStatus::Active, "{command}");
        // A directory is something, too.
        fs::create_dir(project.path(path)).unwrap();
        assert_ne!(project.status(), HookStatus::Active, "{command}");
        fs::remove_dir(project.path(path)).unwrap();
    }
}

#[test]
fn a_log_may_appear_and_grow() {
    let project = Project::new();
    let command =
        "'cat > logs.txt; echo ran >> logs.txt; sh hooks/guard.sh --rules=rules.txt 2>> errors.txt'";
    project.write(".checkrein.toml", &with_command(command));
    project.trust();
    for text in ["one", "two"] {
        project.write("logs.txt", text);
        project.write("errors.txt", text);
        assert_eq!(project.status(), HookStatus::Active, "{text}");
    }
}

#[test]
fn what_is_not_there_is_not_found_where_the_agent_is() {
    let project = Project::new();
    project.write(".checkrein.toml", &with_command("'cat >/dev/null; sh tools/late.sh'"));
    project.trust();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::create_dir(elsewhere.path().join("tools")).unwrap();
    fs::write(elsewhere.path().join("tools/late.sh"), "echo '{\"context\": \"planted\"}'\n").unwrap();
    let mut payload = Payload::new(Event::PreToolUse { call: ToolCall::new("Bash", Map::new()) });
    payload.session.cwd = Some(elsewhere.path().to_str().unwrap().to_owned());
    let setup = Setup::new(Environment::new([("PATH".into(), "/usr/bin:/bin".into())]));
    let stack = project.stack();
    let outcome = stack.dispatcher(Some(EventName::PreToolUse), &setup).0.decide(payload);
    // A shell that finds no script leaves with 2 or with 127.
    assert_eq!(outcome.decision, Decision::Deny, "{:?}", outcome.trail);
    assert!(outcome.contexts().is_empty());
}

#[test]
fn a_listed_directory_runs_as_it_was_listed() {
    let project = Project::new();
    project.write("hooks/more.sh", "echo listed >&2; exit 2\n");
    let text = with_command("['sh', '-c', '. \"$0\"/more.sh', './hooks']") + "files = [\"hooks/more.sh\"]\n";
    project.write(".checkrein.toml", &text);
    for row in project.stack().rows(None) {
        // The shell text names it in a way that cannot be followed.
        project.store().trust_uncovered(&row.content().unwrap()).unwrap();
    }
    assert_eq!(project.says().unwrap(), "guard: listed");
}

/// Returns the programs in `bin` and `project/bin` of a home directory that a hook of the project finds.
fn found(repository: &str) -> Vec<String> {
    let (home, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let at = |name: &str| home.path().join(name);
    for directory in ["bin", "project/bin", "project/hooks", &format!("{repository}/.git")] {
        fs::create_dir_all(at(directory)).unwrap();
    }
    for name in ["bin/one", "project/bin/two"] {
        fs::write(at(name), "#!/bin/sh\n").unwrap();
        fs::set_permissions(at(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let command = "'cat > /dev/null; command -v one >&2; command -v two >&2; exit 2'";
    fs::write(at("project/.checkrein.toml"), with_command(command)).unwrap();
    let store = Store::new(state.path());
    let stack = || {
        let config = Config::load_as(Layer::Project, &at("project/.checkrein.toml")).unwrap();
        LayeredConfig::new(vec![config], Some(store.clone()))
    };
    store.trust(&stack().rows(None)[0].content().unwrap()).unwrap();
    let path = format!("{}:{}:/usr/bin:/bin", at("bin").display(), at("project/bin").display());
    let variables = [("PATH".into(), path.into()), ("HOME".into(), home.path().into())];
    let payload = Payload::new(Event::PreToolUse { call: ToolCall::new("Bash", Map::new()) });
    let stack = stack();
    let (dispatcher, _) =
        stack.dispatcher(Some(EventName::PreToolUse), &Setup::new(Environment::new(variables)));
    let reason = dispatcher.decide(payload).reason();
    ["one", "two"]
        .into_iter()
        .filter(|name| reason.contains(&format!("bin/{name}")))
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_program_of_the_machine_is_not_looked_for_in_the_project() {
    assert_eq!(found("project"), ["one"]);
    // The user's own programs do not become a project's because their home directory is a repository.
    assert_eq!(found("."), ["one"]);
}

/// Not a test of its own: what the processes of the next two tests do.
#[test]
fn one_of_many_processes() {
    let Ok(directory) = std::env::var("CHECKREIN_TEST_STORE") else { return };
    let (state, own) = directory.split_once(':').unwrap();
    let store = Store::new(Path::new(state));
    for round in 0..5 {
        for project in ["shared", own] {
            let path = Path::new(state).join("projects").join(project).join(".checkrein.toml");
            let config = Config::load_as(Layer::Project, &path).unwrap();
            let stack = LayeredConfig::new(vec![config], Some(store.clone()));
            for row in stack.rows(None) {
                let content = row.content().unwrap();
                store.trust(&content).unwrap();
                assert!(
                    matches!(store.look(&content).unwrap(), checkrein::trust::TrustState::Trusted(_)),
                    "round {round}"
                );
            }
        }
    }
}

fn make_projects(state: &Path, count: usize) -> Vec<String> {
    let names: Vec<String> =
        (0..count).map(|index| format!("p{index}")).chain(["shared".to_owned()]).collect();
    for name in &names {
        let directory = state.join("projects").join(name);
        fs::create_dir_all(directory.join("hooks")).unwrap();
        fs::write(directory.join(".checkrein.toml"), CONFIG).unwrap();
        for file in ["hooks/guard.sh", "rules.txt", "hooks/helper.txt"] {
            fs::write(directory.join(file), format!("{name} {file}")).unwrap();
        }
    }
    names
}

fn process(state: &Path, own: &str) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "one_of_many_processes", "--nocapture"])
        .env("CHECKREIN_TEST_STORE", format!("{}:{own}", state.display()))
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap()
}

fn all_trusted(state: &Path, names: &[String]) -> bool {
    names.iter().all(|name| {
        let path = state.join("projects").join(name).join(".checkrein.toml");
        let config = Config::load_as(Layer::Project, &path).unwrap();
        LayeredConfig::new(vec![config], Some(Store::new(state))).rows(None)[0].status == HookStatus::Active
    })
}

#[test]
fn sixty_four_processes_at_once_lose_nothing() {
    let state = tempfile::tempdir().unwrap();
    let names = make_projects(state.path(), 64);
    let processes: Vec<_> = names.iter().take(64).map(|name| process(state.path(), name)).collect();
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }
    assert!(all_trusted(state.path(), &names));
}

#[test]
fn a_process_that_is_killed_leaves_whole_entries_or_none() {
    let state = tempfile::tempdir().unwrap();
    let names = make_projects(state.path(), 16);
    for (round, name) in names.iter().take(16).cycle().take(48).enumerate() {
        let mut child = process(state.path(), name);
        std::thread::sleep(std::time::Duration::from_micros(700 * (round as u64 % 24)));
        child.kill().unwrap();
        child.wait().unwrap();
        for entry in walk(&state.path().join("trust")) {
            // Whatever has its final name is whole.
            let manifest = fs::read(entry.join("manifest.json")).unwrap();
            let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
            for file in manifest["files"].as_array().unwrap() {
                let copy = entry.join("files").join(file["name"].as_str().unwrap());
                assert!(!fs::read(copy).unwrap().is_empty());
            }
        }
    }
    assert!(process(state.path(), "p0").wait().unwrap().success(), "the store still works");
}

/// The finished entries of a store.
fn walk(trust: &Path) -> Vec<PathBuf> {
    let Ok(hooks) = fs::read_dir(trust) else { return Vec::new() };
    let finished = |path: &PathBuf| !path.file_name().unwrap().to_str().unwrap().starts_with('.');
    let hooks = hooks.map(|hook| hook.unwrap().path()).filter(finished);
    hooks.flat_map(|hook| fs::read_dir(hook).unwrap().map(|entry| entry.unwrap().path())).collect()
}

#[test]
fn a_python_function_is_imported_from_the_trusted_copy() {
    let project = Project::new();
    project.write(
        ".checkrein.toml",
        "[[hook]]\nevent = \"PreToolUse\"\ncallable = \"hooks.guard:check\"\nfiles = [\"hooks/words.py\"]\n",
    );
    project.write("hooks/words.py", "WORD = 'no'\n");
    project.write(
        "hooks/guard.py",
        "from hooks.words import WORD\ndef check(payload): return {'decision': 'deny', 'reason': WORD}\n",
    );
    assert_eq!((project.status(), project.says()), (HookStatus::Untrusted, None));
    project.trust();
    assert_eq!(project.says().unwrap(), "hooks.guard:check: no");
    let row = project.stack().rows(None).remove(0).content().unwrap();
    assert!(row.uncovered.is_empty());
    let names: Vec<&str> = row.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["hooks/guard.py", "hooks/words.py"]);
    for file in ["hooks/guard.py", "hooks/words.py"] {
        let before = fs::read_to_string(project.path(file)).unwrap();
        project.write(file, &format!("{before}\n"));
        assert_eq!(project.status(), HookStatus::Changed(format!("`{file}`")));
        project.write(file, &before);
        assert_eq!(project.status(), HookStatus::Active);
    }
    // A module that was not reviewed is not found.
    project.write("hooks/guard.py", "import hooks.stray\ndef check(payload): return None\n");
    project.write("hooks/stray.py", "");
    project.trust();
    let says = project.says().unwrap();
    assert!(says.contains("No module named 'hooks.stray'"), "{says}");
}

#[test]
fn an_interpreter_of_the_project_is_not_covered_by_trust() {
    let project = Project::new();
    project.write(
        ".checkrein.toml",
        "python = \".venv/bin/python\"\n[[hook]]\nevent = \"PreToolUse\"\ncallable = \"hooks.guard:check\"\n",
    );
    let stack = project.stack();
    let content = stack.rows(None).remove(0).content().unwrap();
    let words: Vec<&str> = content.uncovered.iter().map(|uncovered| uncovered.word.as_str()).collect();
    assert_eq!(words, [".venv/bin/python"]);
}
