//! Undo, from the hook to the restored files. What a command destroys is destroyed for real, in a box of namespaces.

use super::{PROGRAM, Place, ended_with};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// Makes a root of its own that has the system's programs, read only, and one directory, and runs a text there.
const BOX: &str = r#"
set -e
root=$1 inside=$2 project=$3 text=$4
mount -t tmpfs none "$root"
for name in usr bin sbin lib lib64; do
  if [ -L "/$name" ]; then cp -P "/$name" "$root/"
  elif [ -d "/$name" ]; then
    mkdir "$root/$name"; mount --bind "/$name" "$root/$name"; mount -o remount,bind,ro "$root/$name"
  fi
done
mkdir -p "$root/dev" "$root$inside"
for name in null urandom; do : > "$root/dev/$name"; mount --bind "/dev/$name" "$root/dev/$name"; done
mount --bind "$inside" "$root$inside"
[ ! -e "$root/etc/passwd" ]
exec chroot "$root" /bin/sh -c 'cd "$1" && [ ! -e /etc/passwd ] && eval "$2"' sh "$project" "$text"
"#;

/// A home directory with a project in it.
pub(super) struct Project {
    pub(super) place: Place,
    project: &'static str,
}

impl Project {
    pub(super) fn new() -> Self {
        let place = Place::new();
        for (name, text) in [
            ("lib/a.go", "package a\n"),
            ("lib/b.go", "package b\n"),
            ("lib/deep/c.txt", "c\n"),
            ("notes.txt", "some notes\n"),
            ("docs/read me.md", "# read me\n"),
            ("odd (1) ^x/a.go", "package x\n"),
        ] {
            let path = place.path("shop").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::set_permissions(place.path("shop/lib/b.go"), fs::Permissions::from_mode(0o755)).unwrap();
        symlink("a.go", place.path("shop/lib/link")).unwrap();
        Self { place, project: "shop" }
    }

    pub(super) fn with_config(text: &str) -> Self {
        let project = Self::new();
        fs::create_dir_all(project.place.path(".config/checkrein")).unwrap();
        fs::write(project.place.path(".config/checkrein/config.toml"), text).unwrap();
        project
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.place.path(self.project).join(name)
    }

    pub(super) fn output(&self, arguments: &[&str], stdin: &str) -> Output {
        let mut command = self.place.command(arguments);
        command.current_dir(self.path(""));
        ended_with(command.spawn().unwrap(), stdin.as_bytes())
    }

    pub(super) fn event(&self, name: &str, tool: &str, input: &Value) -> String {
        json!({
            "hook_event_name": name, "session_id": "s1", "cwd": self.path(""), "tool_name": tool, "tool_use_id": "c1",
            "tool_input": input, "tool_response": {"stdout": "", "stderr": ""},
        })
        .to_string()
    }

    /// Returns the decision, and what the user is told.
    pub(super) fn hook(&self, tool: &str, input: &Value) -> (String, String) {
        let output = self.output(&["hook", "--host", "claude"], &self.event("PreToolUse", tool, input));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let decision =
            answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("none").to_owned();
        (decision, answer["systemMessage"].as_str().unwrap_or_default().to_owned())
    }

    pub(super) fn bash(&self, text: &str) -> (String, String) {
        self.hook("Bash", &json!({"command": text}))
    }

    pub(super) fn after(&self, tool: &str, input: &Value) {
        self.output(&["hook", "--host", "claude"], &self.event("PostToolUse", tool, input));
    }

    /// Runs a text for real, in a box in which only the home directory can be written.
    pub(super) fn run_for_real(&self, text: &str) {
        let root = tempfile::tempdir().unwrap();
        let inside = self.place.directory.path();
        let mut command = Command::new("unshare");
        command.args([
            "--user",
            "--map-root-user",
            "--mount",
            "--net",
            "--pid",
            "--ipc",
            "--fork",
            "--kill-child",
        ]);
        command
            .args(["--", "/bin/sh", "-c", BOX, "box"])
            .arg(root.path())
            .arg(inside)
            .arg(self.path(""))
            .arg(text);
        command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin").env("HOME", inside);
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{text}: {}", String::from_utf8_lossy(&output.stderr));
    }

    pub(super) fn undo(&self, arguments: &[&str]) -> (i32, Value) {
        let output = self.output(&[&["undo", "--json"], arguments].concat(), "");
        let text = String::from_utf8(output.stdout).unwrap();
        let value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"));
        (output.status.code().unwrap(), value)
    }

    pub(super) fn list(&self) -> Vec<Value> {
        let output = self.output(&["undo", "--list", "--json"], "");
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub(super) fn picture(&self) -> BTreeMap<PathBuf, String> {
        picture(&self.path(""))
    }
}

/// Everything that restoring promises, for each file. The time of a directory that was not removed itself does not count.
pub(super) fn picture(top: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut next = vec![top.to_owned()];
    while let Some(path) = next.pop() {
        let metadata = path.symlink_metadata().unwrap();
        let facts = if metadata.is_dir() {
            next.extend(fs::read_dir(&path).unwrap().map(|found| found.unwrap().path()));
            format!("{:o}", metadata.mode())
        } else {
            let content = match metadata.is_symlink() {
                true => fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes(),
                false => fs::read(&path).unwrap(),
            };
            format!("{:o} {} {} {content:?}", metadata.mode(), metadata.mtime(), metadata.mtime_nsec())
        };
        found.insert(path, facts);
    }
    found
}

pub(super) fn id_in(notice: &str) -> String {
    let (_, after) = notice.rsplit_once("checkrein undo ").unwrap_or_else(|| panic!("{notice:?}"));
    after[..6].to_owned()
}

#[test]
fn what_is_deleted_or_emptied_in_the_project_is_let_through_and_comes_back() {
    for text in [
        "rm -rf lib",
        "rm -r lib docs",
        "rm lib/*.go",
        "rm -rf lib/*",
        "cd lib && rm -rf deep && rm *.go",
        "cd lib; rm -rf *",
        "(cd docs); rm -rf lib",
        "d=lib; rm -rf \"$d\"",
        "rm -rf \"$PWD/lib\"",
        "git status; rm -rf 'docs'",
        "truncate -s 0 lib/a.go",
        "rm notes.txt",
        "find docs -delete",
        "find lib -name '*.go' -delete",
        "find lib docs -type f -mmin -600 -iname '*.GO' -delete",
        "rm -f -- 'docs/read me.md' gone.txt",
        "rm -rf l[[:lower:]]b",
        "rm -rf [[:alpha:]]i[[:alnum:]_]",
        "rm -rf l[!a]b 'odd (1) ^x'",
    ] {
        let project = Project::new();
        let before = project.picture();
        let (decision, notice) = project.bash(text);
        assert_eq!(decision, "none", "{text}: {notice}");
        assert!(notice.starts_with("Checkrein kept "), "{text}: {notice}");
        project.run_for_real(text.strip_prefix("git status; ").unwrap_or(text));
        assert_ne!(project.picture(), before, "{text} destroyed nothing");
        project.after("Bash", &json!({"command": text}));
        let (code, report) = project.undo(&[&id_in(&notice), "--yes"]);
        assert_eq!((code, &report["conflicts"], &report["skipped"]), (0, &json!([]), &json!([])), "{text}");
        assert_eq!(project.picture(), before, "{text}");
    }
}

#[test]
fn what_is_overwritten_is_kept_without_a_word_and_comes_back() {
    for text in [
        "echo x > notes.txt",
        "sed -i s/some/no/ notes.txt",
        "cp lib/a.go notes.txt",
        "tee notes.txt < lib/b.go",
    ] {
        let project = Project::new();
        let before = project.picture();
        assert_eq!(project.bash(text), ("none".to_owned(), String::new()), "{text}");
        project.run_for_real(text);
        project.after("Bash", &json!({"command": text}));
        assert_ne!(project.picture(), before, "{text}");
        let (code, report) = project.undo(&["--yes"]);
        assert_eq!((code, report["restored"].as_array().unwrap().len()), (0, 1), "{text}");
        assert_eq!(project.picture(), before, "{text}");
    }
}

#[test]
fn the_version_before_a_file_tool_comes_back() {
    let project = Project::new();
    let path = project.path("notes.txt");
    for (tool, input) in [
        ("Write", json!({"file_path": path, "content": "other"})),
        ("Edit", json!({"file_path": path, "old_string": "some", "new_string": "no"})),
    ] {
        let before = project.picture();
        assert_eq!(project.hook(tool, &input).0, "none");
        fs::write(&path, "other").unwrap();
        project.after(tool, &input);
        assert_eq!(project.undo(&["--yes"]).0, 0, "{tool}");
        assert_eq!(project.picture(), before, "{tool}");
    }
}

#[test]
fn a_file_that_was_changed_after_the_call_is_a_conflict() {
    let project = Project::new();
    let input = json!({"command": "echo x > notes.txt"});
    project.hook("Bash", &input);
    fs::write(project.path("notes.txt"), "x\n").unwrap();
    project.after("Bash", &input);
    fs::write(project.path("notes.txt"), "the user's").unwrap();
    let (code, report) = project.undo(&["--yes"]);
    assert_eq!((code, report["conflicts"].as_array().unwrap().len()), (1, 1));
    assert_eq!(fs::read_to_string(project.path("notes.txt")).unwrap(), "the user's");
    let (code, report) = project.undo(&["--yes", "--force"]);
    assert_eq!(code, 0);
    assert_eq!(fs::read_to_string(project.path("notes.txt")).unwrap(), "some notes\n");
    project.undo(&[report["undo"].as_str().unwrap(), "--yes"]);
    assert_eq!(fs::read_to_string(project.path("notes.txt")).unwrap(), "the user's");
}

/// The property on which relaxing rests: what is asked about was not let through unless all of it is in the record.
#[test]
fn what_cannot_be_kept_is_asked_about() {
    let asked = |project: &Project, text: &str| {
        let (decision, notice) = project.bash(text);
        assert_ne!(decision, "none", "{text}: {notice}");
    };
    let project = Project::new();
    fs::write(project.path("lib/.env"), "A=b\n").unwrap();
    // With a secret in it.
    asked(&project, "rm -rf lib");
    for text in [
        // Something gets there first.
        "mv notes.txt docs/ && rm -rf docs",
        "ln -s ../notes.txt docs/x && rm -rf docs",
        "make && rm -rf docs",
        "git stash pop && rm -rf docs",
        "git checkout topic && rm -rf docs",
        "python3 -c \"import shutil; shutil.rmtree('docs')\"; rm -rf docs",
        "for i in 1 2; do rm -rf docs; mv notes.txt docs; done",
        // The directory may be another one.
        "cd gone; rm -rf *",
        "cd gone; rm -rf docs",
        "cd gone || true; rm -rf docs",
        "cd notes.txt; rm -rf docs",
        "cd lib && cd gone; rm -rf *",
        "(cd gone; rm -rf docs)",
        "false && cd lib; rm -rf *",
        "[ -d lib ] && cd lib; rm -rf deep",
        "pushd gone; rm -rf docs",
        "pushd lib; popd; rm -rf docs",
        "CDPATH=/tmp cd lib; rm -rf deep",
        // It is not known what the words are: `ls` prints names without their directory.
        "rm $(ls lib)",
        "rm -rf `ls lib`",
        "rm -rf ${OUT:-docs}",
        "for f in $(ls docs); do rm -rf $f; done",
        // What is behind links is not below the directory.
        "find -L lib -delete",
        "find lib -follow -delete",
        // Some shells read these as more than a name.
        "rm -rf ^lib",
        "rm -rf *~docs",
        "rm -rf @(lib|docs)",
        "rm -rf l<->",
        "rm -rf *(/)",
        // It is not known what goes.
        "rm -rf docs/$x/*",
        "rm -rf \"$(cat list)\"",
        "find $x -name '*.md' -delete",
        "find docs -name '*.md' -exec ./tidy {} + -delete",
        "find docs -name '*.md' -print | xargs rm",
        "find lib docs ~ -name '*.md' -delete",
        // It is to be gone for good.
        "shred docs/*",
        // Not only in the project.
        "rm -rf docs ~/archive",
        "rm -rf docs ~/Documents/x",
        "rm -rf docs && git push --force",
        "rm -rf .git",
        "rm -rf .",
    ] {
        asked(&project, text);
    }
}

#[test]
fn a_rule_of_the_user_is_never_left_out() {
    for config in [
        "[[rule]]\nid = \"mine\"\neffect = \"delete\"\ndecision = \"ask\"\nreason = \"mine\"\n",
        "[[grade]]\nrule = \"filesystem.delete-sources\"\ndecision = \"deny\"\n",
        "[undo]\nrelax = false\n",
        "[undo]\noff = true\n",
        "[undo]\ncall_files = 3\n",
        "[undo]\nmegabytes = 1\n",
        "[undo]\ncall_megabytes = 1\n",
    ] {
        let project = Project::with_config(config);
        fs::write(project.path("lib/large"), vec![1_u8; 2 << 20]).unwrap();
        let (decision, notice) = project.bash("rm -rf lib");
        assert_ne!(decision, "none", "{config}: {notice}");
        assert_eq!(
            notice.contains("the store is full"),
            config.contains("\nmegabytes"),
            "{config}: {notice}"
        );
        let kept = project.list().len();
        let expected = usize::from(config.contains("mine") || config.contains("relax"));
        assert_eq!(kept, expected, "{config}");
        assert!(project.path("lib/a.go").exists());
    }
}

#[test]
fn looking_keeps_nothing() {
    let project = Project::new();
    for arguments in [["check", "rm -rf lib"], ["explain", "rm -rf lib"]] {
        project.output(&arguments, "");
    }
    project.bash("ls lib && cat notes.txt");
    project.bash("rm gone.txt");
    // It is to be gone for good.
    project.bash("shred -u notes.txt");
    assert!(!project.place.path(".local/state/checkrein/undo").exists());
}

/// A call that takes nothing away costs nothing: the same system calls on files as with undo switched off.
#[test]
fn a_call_that_takes_nothing_away_makes_no_further_system_call() {
    let calls = |config: &str| {
        let project = Project::with_config(config);
        let event =
            project.event("PreToolUse", "Bash", &json!({"command": "git status && ls lib && cat notes.txt"}));
        // The first call creates directories.
        project.output(&["hook", "--host", "claude"], &event);
        let trace = project.place.path("trace");
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-e", "trace=%file", "-o"]).arg(&trace).arg(PROGRAM);
        command.args(["hook", "--host", "claude"]).current_dir(project.path("")).env_clear();
        command.env("PATH", "/usr/bin:/bin").env("HOME", project.place.directory.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = ended_with(command.spawn().unwrap(), event.as_bytes());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = fs::read_to_string(trace).unwrap();
        assert!(!text.contains("checkrein/undo"), "{text}");
        text.lines().count()
    };
    assert_eq!(calls("[undo]\noff = true\n"), calls("[undo]\ndays = 14\n"));
}

#[test]
fn what_another_hook_denies_is_not_kept() {
    let project = Project::with_config(
        "[[hook]]\nevent = \"PermissionRequest\"\ncommand = [\"true\"]\n\n[[hook]]\nevent = \"PreToolUse\"\nrole = \"judge\"\ncommand = ['printf', '{\"decision\":\"deny\",\"reason\":\"no\"}']\n",
    );
    assert_eq!(project.bash("rm -rf lib").0, "deny");
    assert_eq!(project.list().len(), 0);
}

#[test]
fn the_list_has_the_fields_of_its_contract_and_the_trail_names_the_record() {
    let project = Project::new();
    let id = id_in(&project.bash("rm -rf lib").1);
    let list = project.list();
    assert_eq!(list.len(), 1);
    let keys: Vec<&String> = list[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["id", "time", "session", "summary", "files", "bytes", "git", "expires"]);
    assert_eq!((&list[0]["id"], &list[0]["files"]), (&json!(id), &json!(4)));
    assert_eq!(list[0]["summary"], "rm -rf lib");
    let log = project.output(&["log", "--json"], "");
    let record: Value = serde_json::from_slice(&log.stdout).unwrap();
    assert_eq!((&record["undo"], &record["decision"]), (&json!(id), &json!("abstain")));
    assert_eq!(record["rules"], json!(["filesystem.delete-sources"]));
}

#[test]
fn an_unknown_id_is_a_usage_error_and_a_dry_run_changes_nothing() {
    let project = Project::new();
    assert_eq!(project.undo(&["kaaaaa", "--yes"]).0, 3);
    assert_eq!(project.undo(&["--yes"]).0, 3);
    project.bash("rm -rf lib");
    fs::remove_dir_all(project.path("lib")).unwrap();
    let (code, report) = project.undo(&["--dry-run"]);
    assert_eq!((code, report["would_restore"].as_array().unwrap().len()), (0, 6));
    assert!(!project.path("lib").exists());
    // No user can be asked here.
    assert_eq!(project.undo(&[]).0, 3);
    assert!(!project.path("lib").exists());
    let copy = project.place.path("copy");
    assert_eq!(project.undo(&["--to", copy.to_str().unwrap()]).0, 0);
    assert!(copy.join("lib/deep/c.txt").exists() && !project.path("lib").exists());
}

#[test]
fn agents_neither_read_nor_change_the_store() {
    let project = Project::new();
    project.bash("rm -rf lib");
    let store = project.place.path(".local/state/checkrein/undo");
    let shown = store.display();
    for text in [
        format!("cat {shown}/*/pack"),
        format!("rm -rf {shown}"),
        format!("cp -r {shown} /tmp/x"),
        "checkrein undo --prune".to_owned(),
        "checkrein undo --forget kaaaaa".to_owned(),
        format!("{PROGRAM} undo --forget kaaaaa"),
    ] {
        assert_eq!(project.bash(&text).0, "deny", "{text}");
    }
    let (decision, _) = project.hook("Read", &json!({"file_path": store.join("x/pack")}));
    assert_eq!(decision, "deny");
}
