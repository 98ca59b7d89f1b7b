use super::*;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A plugin in an empty place, whose program is a script that says what it was given.
struct Plugin {
    directory: TempDir,
}

const SAYS: &str = "#!/bin/sh\necho \"$CHECKREIN_PLUGIN: $*\"\n";

/// The shells that run the script.
fn shells() -> Vec<Vec<&'static str>> {
    let all = [vec!["sh"], vec!["dash"], vec!["bash", "--posix"], vec!["busybox", "sh"]];
    let works = |words: &Vec<&str>| {
        let (name, rest) = words.split_first().unwrap();
        Command::new(name)
            .args(rest)
            .args(["-c", "true"])
            .output()
            .is_ok_and(|output| output.status.success())
    };
    all.into_iter().filter(works).collect()
}

fn found(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path).map(|directory| directory.join(name)).find(|file| file.exists()).unwrap()
}

impl Plugin {
    fn new(is_carried: bool) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("built");
        fs::write(&file, SAYS).unwrap();
        let platform = SYSTEMS.iter().find(|(_, system)| {
            let said = Command::new("uname").arg("-sm").output().unwrap().stdout;
            String::from_utf8(said).unwrap().trim() == *system
        });
        let carried = Carried { platform: platform.unwrap().0.to_owned(), file };
        let carried = if is_carried { vec![carried] } else { Vec::new() };
        write(&directory.path().join("plugin"), &text(&carried).unwrap(), &carried).unwrap();
        for place in ["home/bin", "project/.git", "project/sub", "project/bin", "elsewhere"] {
            fs::create_dir_all(directory.path().join(place)).unwrap();
        }
        Self { directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Puts a script into a place.
    fn program(&self, name: &str, text: &str) {
        write_file(&self.path(name), text.as_bytes()).unwrap();
        executable(&self.path(name)).unwrap();
    }

    fn carried(&self) -> PathBuf {
        let mut found = fs::read_dir(self.path("plugin/program")).unwrap().map(|entry| entry.unwrap().path());
        found.find(|path| path.is_dir()).unwrap().join("checkrein")
    }

    /// Runs the script under every shell, in a directory of the project and with this PATH. All of them say the same.
    fn run(&self, event: &str, path: &[&str]) -> (i32, String, String) {
        self.run_with(event, path, &[])
    }

    fn run_with(&self, event: &str, path: &[&str], variables: &[(&str, &str)]) -> (i32, String, String) {
        let path: Vec<PathBuf> = path
            .iter()
            .map(|name| if name.starts_with('.') { name.into() } else { self.path(name) })
            .collect();
        let mut answers: Vec<(i32, String, String)> = Vec::new();
        for shell in shells() {
            let (name, rest) = shell.split_first().unwrap();
            // A command with a PATH of its own is looked up there.
            let mut command = Command::new(found(name));
            command.args(rest).arg(self.path("plugin/program/checkrein"));
            command
                .args(["hook", "--host", "claude", "--event", event])
                .current_dir(self.path("project/sub"));
            command.env("HOME", self.path("home")).env("PATH", std::env::join_paths(&path).unwrap());
            command.env_remove("CHECKREIN_PLUGIN").envs(variables.iter().copied());
            let Output { status, stdout, stderr } = command.output().unwrap();
            let text = |bytes: Vec<u8>| {
                let text = String::from_utf8(bytes).unwrap();
                text.replace(self.directory.path().to_str().unwrap(), "[directory]").trim().to_owned()
            };
            answers.push((status.code().unwrap(), text(stdout), text(stderr)));
        }
        assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
        answers.pop().unwrap()
    }
}

const RUNS: &str = "checkrein: hook --host claude --event PreToolUse";

#[test]
fn the_program_that_travels_inside_runs() {
    let plugin = Plugin::new(true);
    plugin.program("home/bin/checkrein", "#!/bin/sh\necho another\n");
    // Neither another program nor other tools of the caller's PATH are used.
    for tool in ["uname", "sha256sum", "shasum", "openssl"] {
        plugin.program(&format!("project/bin/{tool}"), "#!/bin/sh\necho planted\n");
    }
    assert_eq!(plugin.run("PreToolUse", &["project/bin", "home/bin"]), (0, RUNS.to_owned(), String::new()));
    assert_eq!(plugin.run("PreToolUse", &[]), (0, RUNS.to_owned(), String::new()));
}

#[test]
fn a_changed_or_missing_program_is_refused_and_nothing_replaces_it() {
    for is_changed in [true, false] {
        let plugin = Plugin::new(true);
        plugin.program("home/bin/checkrein", SAYS);
        let why = if is_changed {
            fs::write(plugin.carried(), format!("{SAYS}\n")).unwrap();
            "is not the file that it was published with"
        } else {
            fs::remove_file(plugin.carried()).unwrap();
            "is missing"
        };
        for (event, exit) in [
            ("PreToolUse", 2),
            ("PermissionRequest", 2),
            ("PostToolUse", 2),
            ("SubagentStart", 2),
            // These cannot be prevented, and a denial of the last one would never end.
            ("SessionStart", 1),
            ("UserPromptSubmit", 1),
            ("Stop", 1),
        ] {
            let (code, stdout, stderr) = plugin.run(event, &["home/bin"]);
            assert_eq!((code, stdout.as_str()), (exit, ""), "{event}: {stderr}");
            assert!(stderr.starts_with("Checkrein denied this: its plugin cannot start"), "{stderr}");
            assert!(stderr.contains(why) && stderr.contains("checkrein doctor"), "{stderr}");
        }
    }
}

#[test]
fn without_a_program_inside_the_first_one_on_the_path_that_is_of_no_project_runs() {
    let plugin = Plugin::new(false);
    let none = plugin.run("PreToolUse", &["home/bin"]);
    assert!(
        none.0 == 2 && none.2.contains("there is no `checkrein` on the PATH outside of the project"),
        "{none:?}"
    );
    for planted in ["project/bin", "project/sub", "elsewhere/node_modules/.bin"] {
        plugin.program(&format!("{planted}/checkrein"), "#!/bin/sh\necho planted\n");
    }
    let planted = ["project/bin", "project/sub", ".", "./bin", "elsewhere/node_modules/.bin"];
    assert_eq!(plugin.run("PreToolUse", &planted).0, 2);
    plugin.program("home/bin/checkrein", SAYS);
    let path = [&planted[..], &["home/bin"]].concat();
    assert_eq!(plugin.run("PreToolUse", &path), (0, RUNS.to_owned(), String::new()));
}

#[test]
fn a_script_that_would_start_itself_is_refused() {
    let plugin = Plugin::new(true);
    let (code, _, stderr) = plugin.run_with("PreToolUse", &[], &[("CHECKREIN_PLUGIN", "checkrein")]);
    assert!(code == 2 && stderr.contains("started by itself"), "{stderr}");
}

#[test]
fn every_event_that_a_denial_prevents_is_denied() {
    let text = filled("@REPORTS@", &[]);
    for event in EventName::ALL {
        let goes_on = text.contains(&format!("--event {event} "));
        let prevents = event.class() == Class::Gate && *event != EventName::UserPromptSubmit;
        assert!(!(goes_on && prevents), "{event}");
    }
}
