//! Trust, with real programs: however a hook names a file of the project, what runs is what was trusted.
//!
//! Each form is run once as it is, so that the table says nothing about commands that do not work here. Then the hook is
//! trusted, the file is changed, and the hook is asked. It may run the copy that was trusted, it may be skipped because
//! something changed, or it may have been shown as not covered; it may never run the changed file.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein::{
    Config, Environment, Event, EventName, Layer, Map, Payload, Setup, Stack, ToolCall, trust::Store,
};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A form: the program that it needs, the files that it comes with, and the command. `@` in a file becomes a shell text that
/// leaves a mark, `%` the path of that mark, `~~` what is written there.
struct Form {
    needs: &'static str,
    files: &'static [(&'static str, &'static str)],
    command: &'static str,
}

const SH: &[(&str, &str)] = &[("g.sh", "#!/bin/sh\n@\n")];
const PY: &[(&str, &str)] = &[("g.py", "open('%','w').write('~~')\n")];
const JS: &[(&str, &str)] = &[("g.js", "require('fs').writeFileSync('%','~~')\n")];
const PM: &[(&str, &str)] = &[("g.pm", "open(F,'>','%');print F '~~';close F;1;\n")];
const AWK: &[(&str, &str)] = &[("g.awk", "BEGIN { print \"~~\" > \"%\" }\n")];
const MK: &[(&str, &str)] = &[("Makefile", "all:\n\t@\n"), ("g.mk", "all:\n\t@\n")];

const fn form(
    needs: &'static str,
    files: &'static [(&'static str, &'static str)],
    command: &'static str,
) -> Form {
    Form { needs, files, command }
}

const FORMS: &[Form] = &[
    // Named plainly.
    form("sh", SH, "./g.sh"),
    form("sh", SH, "sh g.sh"),
    form("sh", SH, "sh ./g.sh x"),
    form("sh", SH, "sh < g.sh"),
    form("sh", SH, ". ./g.sh"),
    form("bash", SH, "bash -c 'source ./g.sh'"),
    form("sh", SH, "exec ./g.sh"),
    form("sh", SH, "command ./g.sh"),
    form("sh", SH, "\"$HOOK_CONFIG_DIR\"/g.sh"),
    form("sh", SH, "\"${CLAUDE_PROJECT_DIR}/g.sh\""),
    form("sh", SH, "./sub/../g.sh || ./g.sh"),
    // Wrapped.
    form("env", SH, "env ./g.sh"),
    form("env", SH, "env -S './g.sh x'"),
    form("env", SH, "env -S'sh g.sh'"),
    form("env", SH, "env --split-string='sh ./g.sh'"),
    form("env", SH, "env -i sh g.sh"),
    form("timeout", SH, "timeout 5 ./g.sh"),
    form("timeout", SH, "timeout 5 sh -c './g.sh'"),
    form("nice", SH, "nice -n 1 ./g.sh"),
    form("nohup", SH, "nohup ./g.sh"),
    form("setsid", SH, "setsid -w ./g.sh"),
    form("xargs", SH, "echo x | xargs ./g.sh"),
    form("xargs", SH, "echo g.sh | xargs sh"),
    form("xargs", SH, "echo g.sh | xargs -I{} sh {}"),
    form("xargs", SH, "echo x | xargs -I% sh g.sh"),
    form("find", SH, "find . -name .checkrein.toml -exec ./g.sh {} \\;"),
    form("find", SH, "find . -name g.sh -exec sh {} \\;"),
    form("find", SH, "find . -name 'g.s*' -exec {} \\;"),
    form("find", SH, "find . -name g.sh -execdir sh '{}' +"),
    form("sh", SH, "sh -c 'sh g.sh'"),
    form("sh", SH, "sh -c \"sh -c './g.sh'\""),
    form("sh", SH, "eval './g.sh'"),
    form("sh", SH, "x=./g.sh; $x"),
    form("sh", SH, "x=g; sh $x.sh"),
    form("sh", SH, "set -- ./g.sh; \"$@\""),
    form("sh", SH, "f() { ./g.sh; }; f"),
    form("sh", SH, "if true; then ./g.sh; fi"),
    form("sh", SH, "echo \"$(./g.sh)\""),
    form("sh", SH, "echo `sh g.sh`"),
    form("sh", SH, "(sh g.sh) | cat"),
    form("sh", SH, "trap ./g.sh EXIT"),
    form("sh", SH, "cat g.sh | sh"),
    form("sh", SH, "sh -s < g.sh"),
    form("bash", SH, "bash -c 'bash <(cat g.sh)'"),
    form("bash", SH, "bash --rcfile g.sh -ic true"),
    form("bash", SH, "bash --init-file ./g.sh -ic true"),
    form("bash", SH, "BASH_ENV=./g.sh bash -c true"),
    form("bash", SH, "env BASH_ENV=g.sh bash -c true"),
    form("sh", SH, "ENV=./g.sh sh -ic true"),
    form("sh", SH, "cd . && ./g.sh"),
    form("sh", SH, "for f in g.sh; do sh $f; done"),
    form("sh", SH, "for f in ./*.sh; do $f; done"),
    // First lines.
    form("sh", &[("t.sh", "#!./interp\ntrue\n"), ("interp", "#!/bin/sh\n@\n")], "./t.sh"),
    form("env", &[("t.sh", "#!/usr/bin/env -S ./interp\ntrue\n"), ("interp", "#!/bin/sh\n@\n")], "./t.sh"),
    form("env", &[("t.sh", "#!/usr/bin/env -S sh interp\ntrue\n"), ("interp", "#!/bin/sh\n@\n")], "./t.sh"),
    form(
        "perl",
        &[("t.pl", "#!/usr/bin/perl -I.\nuse g;\n"), ("g.pm", "open(F,'>','%');print F '~~';close F;1;\n")],
        "./t.pl",
    ),
    // Searched for.
    form("sh", &[("bin/ls", "#!/bin/sh\n@\n")], "PATH=./bin:$PATH ls"),
    form("sh", &[("bin/ls", "#!/bin/sh\n@\n")], "PATH=bin:/bin:/usr/bin; ls"),
    form("env", &[("bin/ls", "#!/bin/sh\n@\n")], "env PATH=bin:/bin ls"),
    form("sh", &[("bin/ls", "#!/bin/sh\n@\n")], "export PATH=$PWD/bin:$PATH; ls"),
    // Interpreters.
    form("awk", AWK, "awk -f g.awk"),
    form("awk", AWK, "awk -fg.awk"),
    form("awk", SH, "awk 'BEGIN { system(\"sh g.sh\") }'"),
    form("awk", SH, "awk 'BEGIN { \"./g.sh\" | getline }'"),
    form("sed", SH, "echo x | sed 's/x/.\\/g.sh/e'"),
    form("sed", &[("g.sed", "w %\n")], "echo ~~ | sed -fg.sed"),
    form("perl", PM, "perl -I. -Mg -e 1"),
    form("perl", PM, "perl -I . -e 'use g;'"),
    form("perl", PM, "perl -e 'require \"./g.pm\"'"),
    form("perl", PM, "perl -e 'do \"./g.pm\"'"),
    form("perl", PM, "PERL5LIB=. perl -Mg -e 1"),
    form("perl", PM, "perl -Mlib=. -Mg -e 1"),
    form("perl", SH, "perl -e 'system(\"./g.sh\")'"),
    form("python3", PY, "python3 g.py"),
    form("python3", PY, "python3 -c 'import g'"),
    form("python3", PY, "python3 -c 'import os, g'"),
    form("python3", PY, "python3 -c '__import__(\"g\")'"),
    form("python3", PY, "python3 -c 'exec(open(\"g.py\").read())'"),
    form("python3", PY, "python3 -m g"),
    form("python3", PY, "python3 -mg"),
    form("python3", PY, "python3 -Bm g"),
    form("python3", PY, "python3 - <<'EOF'\nimport g\nEOF"),
    form("python3", PY, "echo 'import g' | python3"),
    form("python3", PY, "PYTHONPATH=. python3 -c 'import g'"),
    form("python3", PY, "python3 -c 'import runpy; runpy.run_path(\"g.py\")'"),
    form("python3", SH, "python3 -c 'import os; os.system(\"./g.sh\")'"),
    form("python3", &[("p/__main__.py", "open('%','w').write('~~')\n")], "python3 p"),
    form("python3", &[("p/__init__.py", ""), ("p/g.py", "open('%','w').write('~~')\n")], "python3 -m p.g"),
    form("node", JS, "node g.js"),
    form("node", JS, "node g"),
    form("node", JS, "node ./g"),
    form("node", JS, "node -r ./g -e 1"),
    form("node", JS, "node --require=./g.js -e 1"),
    form("node", JS, "node --require ./g -e 1"),
    form("node", JS, "node -e 'require(\"./g\")'"),
    form("node", JS, "NODE_OPTIONS='--require ./g.js' node -e 1"),
    form("node", &[("d/index.js", "require('fs').writeFileSync('%','~~')\n")], "node d"),
    form(
        "node",
        &[("d/package.json", "{\"main\":\"m.js\"}"), ("d/m.js", "require('fs').writeFileSync('%','~~')\n")],
        "node ./d",
    ),
    form("tclsh", &[("g.tcl", "exec sh -c {@}\n")], "tclsh g.tcl"),
    form("tclsh", &[("g.tcl", "exec sh -c {@}\n")], "echo 'source g.tcl' | tclsh"),
    form("ruby", &[("g.rb", "File.write('%','~~')\n")], "ruby -r./g -e 1"),
    form("php", &[("g.php", "<?php file_put_contents('%','~~');")], "php -r 'include \"g.php\";'"),
    form("lua", &[("g.lua", "io.open('%','w'):write('~~')\n")], "lua -e 'require \"g\"'"),
    // Tools that run something.
    form("make", MK, "make"),
    form("make", MK, "make -C ."),
    form("make", MK, "make -f g.mk"),
    form("make", MK, "make -fg.mk"),
    form("make", MK, "make --makefile=g.mk"),
    form("make", MK, "MAKEFILES=g.mk make -f /dev/null all"),
    form("make", MK, "env make -s"),
    form(
        "npm",
        &[("package.json", "{\"scripts\":{\"test\":\"sh g.sh\"}}"), ("g.sh", "#!/bin/sh\n@\n")],
        "npm test",
    ),
    form("run-parts", &[("parts/g", "#!/bin/sh\n@\n")], "run-parts parts"),
    form("git", SH, "git -c alias.x='!./g.sh' x"),
    form("git", SH, "git -c alias.x=!'sh g.sh' x"),
    form("git", SH, "git -c core.sshCommand=./g.sh ls-remote ssh://x.invalid/y"),
    form("git", SH, "GIT_SSH_COMMAND=./g.sh git ls-remote ssh://x.invalid/y"),
    form("git", SH, "GIT_SSH=./g.sh git ls-remote ssh://x.invalid/y"),
    form("git", SH, "env GIT_SSH_COMMAND='sh g.sh' git ls-remote ssh://x.invalid/y"),
    form("git", &[("x/git-y", "#!/bin/sh\n@\n")], "git --exec-path=x y"),
    form(
        "git",
        &[("conf", "[alias]\n\tx = \"!sh g.sh\"\n"), ("g.sh", "#!/bin/sh\n@\n")],
        "git -c include.path=$PWD/conf x",
    ),
    form("tar", SH, "tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec=./g.sh g.sh"),
    form("tar", SH, "tar -cf /dev/null --checkpoint=1 --checkpoint-action='exec=sh g.sh' ."),
    form("tar", SH, "tar -I./g.sh -cf x.tar g.sh"),
    form("tar", SH, "tar --use-compress-program='sh g.sh' -cf x.tar .checkrein.toml"),
    form("tar", SH, "TAR_OPTIONS='--checkpoint=1 --checkpoint-action=exec=./g.sh' tar -cf /dev/null ."),
    form("ssh", SH, "ssh -o ProxyCommand=./g.sh x.invalid"),
    form("ssh", SH, "ssh -oProxyCommand='sh g.sh' x.invalid"),
    form(
        "ssh",
        &[("conf", "Host *\n  ProxyCommand sh g.sh\n"), ("g.sh", "#!/bin/sh\n@\n")],
        "ssh -Fconf x.invalid",
    ),
    form("vim", &[("g.vim", "call writefile(['~~'],'%')\nqa!\n")], "vim -es -S g.vim"),
    form("vim", &[("g.vim", "call writefile(['~~'],'%')\nqa!\n")], "vim -es -c 'source g.vim'"),
    form("sqlite3", &[("g.sql", ".once %\nselect '~~';\n")], "sqlite3 :memory: '.read g.sql'"),
    form("sqlite3", &[("g.sql", ".once %\nselect '~~';\n")], "sqlite3 -init g.sql :memory: ''"),
    form("gdb", &[("g.gdb", "shell @\n")], "gdb -batch -x g.gdb"),
    form("gdb", &[("g.gdb", "shell @\n")], "gdb -batch -ex 'source g.gdb'"),
    form("ls", &[("g.sh", "#!/bin/sh\n@\n")], "alias x=./g.sh\nx"),
];

/// Commands that name nothing of the project, or only read it: trust covers them, and they keep running.
const HARMLESS: &[&str] = &[
    "cat g.sh; sh -c 'echo x'",
    "grep -c x g.sh; true",
    "python3 -c 'import json, sys; print(1)'",
    "python3 -c 'print(2 + 3)'",
    "perl -ne 'print if /x/' g.sh",
    "awk '{ print $1 }' g.sh",
    "sed -n 's/a/b/p' g.sh",
    "sh -c 'exit 0'",
    "jq -r .tool_input.command | grep -q x; true",
    "git status --short; true",
    "git rev-parse HEAD; true",
    "LC_ALL=C sort g.sh",
    "tar -tf /dev/null; true",
    "find . -name '*.md'",
    "find src -type f -exec wc -l {} +",
    "env LC_ALL=C sort g.sh",
    "make --version; true",
    "ruff check src; true",
    "node -e 'process.exit(0)'",
];

struct Project {
    directory: tempfile::TempDir,
    state: tempfile::TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)], command: &str, letter: &str) -> Self {
        let project = Self { directory: tempfile::tempdir().unwrap(), state: tempfile::tempdir().unwrap() };
        fs::create_dir(project.path("sub")).unwrap();
        fs::create_dir(project.path(".git")).unwrap();
        project.write(files, letter);
        let command = command.replace("~~", letter);
        let config = format!(
            "[[hook]]\nevent = \"PreToolUse\"\nname = \"h\"\ncwd = \"config\"\ntimeout = 15\ncommand = {}\n",
            serde_json::Value::from(command)
        );
        fs::write(project.path(".checkrein.toml"), config).unwrap();
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn mark(&self) -> PathBuf {
        self.state.path().join("mark")
    }

    fn write(&self, files: &[(&str, &str)], letter: &str) {
        let mark = self.mark().display().to_string();
        let leaves = format!("echo {letter} > {mark}");
        for (name, text) in files {
            let path = self.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let text = text.replace('@', &leaves).replace('%', &mark).replace("~~", letter);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    fn stack(&self) -> Stack {
        let config = Config::load_as(Layer::Project, &self.path(".checkrein.toml")).unwrap();
        Stack::new(vec![config], Some(Store::new(self.state.path())))
    }

    fn environment(&self) -> Vec<(String, String)> {
        vec![
            ("PATH".into(), "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin".into()),
            ("HOME".into(), self.state.path().display().to_string()),
        ]
    }

    /// Runs the hook as it is, whoever trusts it.
    fn run_untrusted(&self, command: &str, letter: &str) -> Option<String> {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(command.replace("~~", letter)).current_dir(self.directory.path()).env_clear();
        shell.envs(self.environment()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        for name in ["HOOK_CONFIG_DIR", "CLAUDE_PROJECT_DIR"] {
            shell.env(name, self.directory.path());
        }
        shell.status().unwrap();
        self.marked()
    }

    fn marked(&self) -> Option<String> {
        let mark = fs::read_to_string(self.mark()).ok();
        let _ = fs::remove_file(self.mark());
        mark.map(|mark| mark.trim().to_owned())
    }

    fn run(&self) -> Option<String> {
        let environment = self.environment().into_iter().map(|(name, value)| (name.into(), value.into()));
        let setup = Setup::new(Environment::new(environment));
        let stack = self.stack();
        let (dispatcher, _) = stack.dispatcher(Some(EventName::PreToolUse), &setup);
        let mut payload = Payload::new(Event::PreToolUse { call: ToolCall::new("Bash", Map::new()) });
        payload.session.cwd = Some(self.directory.path().display().to_string());
        dispatcher.decide(payload);
        self.marked()
    }
}

fn is_here(program: &str) -> bool {
    ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin"]
        .iter()
        .any(|directory| Path::new(directory).join(program).exists())
}

#[test]
fn no_form_runs_what_was_changed_after_it_was_trusted() {
    let (mut seen, mut skipped, mut failures) = (0, Vec::new(), Vec::new());
    for form in FORMS {
        let project = Project::new(form.files, form.command, "A");
        if !is_here(form.needs) {
            skipped.push(format!("{} is not here: {}", form.needs, form.command));
            continue;
        }
        if project.run_untrusted(form.command, "A").as_deref() != Some("A") {
            skipped.push(format!("does not run here: {}", form.command));
            continue;
        }
        seen += 1;
        let content = project.stack().rows(None).remove(0).content().unwrap();
        if !content.uncovered.is_empty() {
            continue;
        }
        Store::new(project.state.path()).trust(&content).unwrap();
        if project.run().is_some_and(|mark| mark != "A") {
            failures.push(format!("trusted, and something else ran: {}", form.command));
        }
        project.write(form.files, "B");
        if project.run().as_deref() == Some("B") {
            failures.push(format!("ran what was changed: {}", form.command));
        }
    }
    eprintln!("{seen} of {} forms, each with real programs; left out:\n{}", FORMS.len(), skipped.join("\n"));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(seen >= 80, "{seen}");
}

/// What appears after the hook was trusted is not run either.
#[test]
fn no_form_runs_what_appeared_after_it_was_trusted() {
    let mut failures = Vec::new();
    for form in FORMS.iter().filter(|form| is_here(form.needs)) {
        let project = Project::new(&[], form.command, "A");
        let Ok(content) = project.stack().rows(None).remove(0).content() else { continue };
        if !content.uncovered.is_empty() {
            continue;
        }
        Store::new(project.state.path()).trust(&content).unwrap();
        project.write(form.files, "B");
        if project.run().as_deref() == Some("B") {
            failures.push(form.command);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn harmless_commands_are_covered() {
    for command in HARMLESS {
        let project = Project::new(SH, command, "A");
        let content = project.stack().rows(None).remove(0).content().unwrap();
        assert_eq!(content.uncovered, [], "{command}");
    }
}
