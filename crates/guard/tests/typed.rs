//! Input that is typed later, on hosts that let agents type into what a call started and fire no event for it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use checkrein_core::Decision;
use checkrein_guard::{CallContext, EmptyWorld, Judgement, judge, judge_argv};
use support::{quoted, rules};

fn place(typed: bool) -> CallContext {
    let project = Some("/home/dev/proj".to_owned());
    CallContext { cwd: project.clone(), project, typed }
}

fn on(text: &str, typed: bool) -> Judgement {
    judge(text, &place(typed), &EmptyWorld::new("/home/dev"))
}

/// Something that waits for what is typed.
const OPEN: &[&str] = &[
    "python3 -c 'exec(input())'",
    "python3 -c 'import sys; exec(sys.stdin.read())'",
    "sudo python3 -c 'while True: eval(input())'",
    "python3 -c 'import code; code.interact()'",
    "python3 -c 'breakpoint()'",
    "ruby -e 'system gets'",
    "ruby -e 'eval STDIN.read'",
    "env ruby -e 'while l = gets; system l; end'",
    "perl -e 'system <STDIN>'",
    "perl -ne eval",
    "node -e 'eval(require(\"fs\").readFileSync(0, \"utf8\"))'",
    "node -e 'require(\"repl\").start()'",
    "php -r 'eval(fgets(STDIN));'",
    "lua -e 'load(io.read())()'",
    "sed e",
    "bash < /dev/stdin",
    "bash -c \"$(</dev/stdin)\"",
    "tmux -L x attach",
    "bash",
    "sh -i",
    "zsh -l",
    "fish",
    "dash",
    "/bin/bash --norc",
    "bash --rcfile x.rc",
    "bash -s one two",
    "exec bash",
    "bash 2>&1",
    "bash > out.txt",
    "bash </dev/tty",
    "set -m; bash & fg",
    "bash <&0 &",
    "bash 0<&2",
    "exec 3<&0; bash <&3",
    "cd src && bash",
    "true; bash; true",
    "if true; then bash; fi",
    "f() { bash; }; f",
    "while :; do sh; done",
    "(bash)",
    "{ bash; }",
    "busybox sh",
    "$SHELL",
    "python3",
    "python3 -",
    "python3 -i app.py",
    "python3 -q",
    "python3 /dev/stdin",
    "python3 -m pdb app.py",
    "python3 -m code",
    "node",
    "node -i",
    "ruby",
    "irb",
    "perl",
    "php -a",
    "lua",
    "iex -S mix",
    "ghci",
    "julia",
    "R",
    "psql",
    "psql shop",
    "psql -h db -U admin shop",
    "mysql -u root shop",
    "sqlite3 shop.db",
    "redis-cli",
    "redis-cli -h cache",
    "mongosh shop",
    "rails console",
    "python manage.py shell",
    "php artisan tinker",
    "ssh build-host",
    "ssh -t -p 2222 me@build-host",
    "ssh build-host bash",
    "mosh build-host",
    "telnet build-host 25",
    "nc build-host 8080",
    "socat - TCP:build-host:80",
    "docker exec -it web bash",
    "docker exec -i web sh",
    "docker run -it --rm alpine",
    "docker run --rm -ti alpine sh",
    "docker attach web",
    "docker compose exec web bash",
    "kubectl exec -it web -- bash",
    "kubectl attach -it web",
    "tmux attach -t main",
    "tmux",
    "tmux new -s work",
    "screen -r work",
    "screen",
    "script",
    "script log.txt",
    "expect -i",
    "sudo -i",
    "sudo -s",
    "sudo su -",
    "su - deploy",
    "sudo bash",
    "sudo -u deploy -i",
    "chroot /srv/root",
    "unshare -r",
    "nsenter -t 1 -a",
    "nix-shell",
    "nix develop",
    "poetry shell",
    "vim notes.md",
    "nvim",
    "emacs -nw notes.md",
    "nano notes.md",
    "ed notes.md",
    "gdb ./app",
    "less notes.md",
    "cat | sh",
    "tee /dev/null | bash",
    "cat - | python3",
    "tr a b | sh",
    "head -1 | sh",
    "sed s/x/y/ | sh",
    "grep . | bash",
    "bash <(cat)",
    "source /dev/stdin",
    ". /dev/stdin",
    "eval \"$(cat)\"",
    "bash -c \"$(cat)\"",
    "read -r line; eval \"$line\"",
    "while read -r line; do $line; done",
    "while read -r line; do bash -c \"$line\"; done",
    "xargs -I{} sh -c {}",
    "xargs rm",
    "parallel",
    "cat > deploy.sh",
    "cat >> src/app.py",
    "tee deploy.sh",
    "dd of=deploy.sh",
    "at now",
    "crontab -",
    "make -f -",
    "python3 -c 'import os; os.system(\"bash\")'",
    "python3 -c 'import os; os.system(input())'",
    "python3 -c 'import sys, subprocess; subprocess.run(sys.stdin.read(), shell=True)'",
    "python3 -c 'import pty; pty.spawn(\"/bin/bash\")'",
    "perl -e 'exec \"bash\"'",
    "node -e 'require(\"child_process\").spawnSync(\"bash\", {stdio: \"inherit\"})'",
];

/// Programs that read their commands line by line, debuggers, and the consoles of other agents.
const LINE_BY_LINE: &[&str] = &[
    "ruby -e 'STDIN.each_line { |l| system l }'",
    "ruby -e '$stdin.each_line { |line| eval(line) }'",
    "ruby -e 'ARGF.each_line { |l| system(l) }'",
    "ruby -e 'loop { system(gets) }'",
    "ruby -ne 'system $_'",
    "perl -ne 'system $_'",
    "perl -e 'while (<STDIN>) { system $_ }'",
    "perl -d app.pl",
    "perl -de 0",
    "python3 -c 'import sys\nfor l in sys.stdin: exec(l)'",
    "python3 -c 'import os, sys\nfor l in sys.stdin: os.system(l)'",
    "awk '{ system($0) }'",
    "gdb",
    "irb -r json",
    "ftp build-host",
    "telnet build-host",
    "sqlite3",
    "redis-cli -u redis://cache",
    "mongosh",
    "aider",
    "aider --model x src/app.py",
    "claude",
    "codex",
    "gemini",
    "ollama run llama3",
    "node inspect app.js",
];

/// Interpreters with a program of their own, or commands with only a choice to make.
const ONCE: &[&str] = &[
    "ruby -e 'STDIN.each_line { |l| puts l.upcase }'",
    "perl -ne 'print if /x/'",
    "perl -e 'print 1'",
    "awk '{ print $1 }'",
    "git add -p",
    "git commit --interactive -m x",
    "git checkout -p",
    "aider --message 'fix the test' src/app.py",
    "codex --version",
    "gemini -p 'explain'",
    "node app.js",
    "npm login",
];

#[test]
fn lines_that_are_typed_are_no_way_round() {
    let mut wrong = Vec::new();
    for text in LINE_BY_LINE {
        let judgement = on(text, true);
        if judgement.decision != Decision::Deny || !rules(&judgement).contains(&"execution.typed-later") {
            wrong.push(format!("{text}: {} {:?}", judgement.decision, rules(&judgement)));
        }
        let wrapped = format!("env X=1 bash -c {}", quoted(text));
        if on(&wrapped, true).decision != Decision::Deny {
            wrong.push(wrapped);
        }
    }
    for text in ONCE {
        if rules(&on(text, true)).contains(&"execution.typed-later") {
            wrong.push(format!("{text}: it waits for nothing that it runs"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Every line of the table of consoles holds: without its conditions the program waits, with one of its exceptions it
/// does not, and without a terminal there is no effect.
#[test]
fn every_line_of_the_table_of_consoles_holds() {
    let table = include_str!("../data/consoles.toml");
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in table.lines().filter(|line| line.starts_with('"')) {
        let (name, conditions) = line.split_once(" = ").unwrap();
        let name = name.trim_matches('"');
        let conditions: Vec<&str> = conditions.split('"').skip(1).step_by(2).collect();
        let plain = |pattern: &str| pattern.replace('*', "");
        let only = conditions.iter().find_map(|condition| condition.strip_prefix('+')).map(plain);
        let open = match &only {
            Some(word) => format!("{name} {}", quoted(word)),
            None => name.to_owned(),
        };
        count += 1;
        let says = |text: &str, typed: bool| rules(&on(text, typed)).contains(&"execution.typed-later");
        if !says(&open, true) {
            wrong.push(format!("{open}: it waits"));
        }
        if says(&open, false) {
            wrong.push(format!("{open}: nobody types"));
        }
        for exception in conditions.iter().filter_map(|condition| condition.strip_prefix('!')) {
            let closed = format!("{open} {} x", quoted(&plain(exception)));
            // A shell or an interpreter is known by its own reader as well.
            let named = name.split(' ').next().unwrap_or_default();
            let own = ["ruby", "perl", "node", "R", "xonsh", "ipython", "ipython3", "dc"].contains(&named);
            if !own && says(&closed, true) && !conditions.contains(&"alone") {
                wrong.push(format!("{closed}: it does not wait"));
            }
        }
    }
    assert!(count > 150, "{count}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Commands that look like it and wait for nothing.
const CLOSED: &[&str] = &[
    "python3 -c 'x = input(); print(x)'",
    "ruby -e 'puts gets'",
    "ruby -v",
    "perl -e 'print <STDIN>'",
    "node -e 'console.log(require(\"fs\").readFileSync(0, \"utf8\"))'",
    "echo 1 | python3 -c 'print(eval(input()))'",
    "tmux kill-session -t a",
    "tmux new -d -s a 'npm run dev'",
    "bash build.sh",
    "bash -c 'ls'",
    "bash --version",
    "sh -n build.sh",
    "bash <<'EOF'\nls\nEOF",
    "bash <<< 'ls'",
    "bash < /dev/null",
    "echo ls | sh",
    "printf 'ls\\n' | bash -s",
    "python3 app.py",
    "python3 -c 'print(1)'",
    "python3 -c 'print(input())'",
    "python3 -c 'import subprocess; subprocess.run([\"ls\"])'",
    "python3 - <<'EOF'\nprint(1)\nEOF",
    "echo 'print(1)' | python3",
    "python3 -m pytest -q",
    "python3 -m http.server 8000",
    "python3 --version",
    "python3 -u -m app",
    "node server.js",
    "node -e 'console.log(1)'",
    "node --version",
    "ruby -e 'puts 1'",
    "ruby app.rb",
    "perl -ne 'print' notes.md",
    "php -S localhost:8000",
    "npm run dev",
    "node server.js &",
    "tee >(wc -l > count.txt) < notes.md",
    "npm test",
    "cargo run",
    "psql -c 'select 1' shop",
    "psql -f schema.sql shop",
    "psql -l",
    "echo 'select 1' | psql shop",
    "psql shop < schema.sql",
    "mysql -e 'select 1' shop",
    "sqlite3 shop.db 'select 1'",
    "redis-cli ping",
    "redis-cli -h cache get key",
    "mongosh --eval 'db.orders.countDocuments()' shop",
    "rails runner 'puts 1'",
    "python manage.py test",
    "ssh build-host uptime",
    "ssh -N -L 8080:localhost:80 build-host",
    "ssh -T git@example.org",
    "ssh -V",
    "nc -z build-host 22",
    "nc -zv build-host 22",
    "docker exec web ls",
    "docker run --rm alpine",
    "docker run --rm -it alpine ls",
    "docker ps",
    "kubectl exec web -- ls",
    "kubectl get pods",
    "tmux ls",
    "tmux new -d -s work",
    "tmux kill-session -t work",
    "screen -ls",
    "sudo -v",
    "sudo -l",
    "sudo -n true",
    "nix-shell --run 'make'",
    "nix develop -c make",
    "poetry run pytest",
    "poetry install",
    "vim --version",
    "vim -c '%s/a/b/' -c wq notes.md",
    "emacs --batch -f batch-byte-compile x.el",
    "gdb -batch -ex bt ./app core",
    "cat notes.md",
    "cat notes.md | head -3",
    "cat notes.md > copy.md",
    "cat > notes.md <<'EOF'\nx\nEOF",
    "tee notes.md <<< x",
    "echo x | tee notes.md",
    "ls | tee list.txt",
    "grep -rn TODO . > todo.txt",
    "grep -rl TODO | xargs sed -i s/TODO/DONE/",
    "rg -l TODO | xargs wc -l",
    "rg TODO > todo.txt",
    "git ls-files | xargs wc -l",
    "find . -name '*.rs' | xargs wc -l",
    "awk '{print $1}' notes.md > first.txt",
    "awk 'BEGIN { print 1 }' > one.txt",
    "sed -n 1,5p notes.md > five.txt",
    "sort notes.md > sorted.md",
    "git log | head -5",
    "git diff > change.patch",
    "while read -r line; do echo \"$line\"; done < notes.md",
    "read -r answer; echo \"$answer\"",
    "make -j4",
    "cargo test 2>&1 | tail -20",
    "sleep 5 && curl -s localhost:8000",
    "man ls",
];

#[test]
fn what_waits_for_typing_is_denied() {
    let mut wrong = Vec::new();
    for text in OPEN {
        let judgement = on(text, true);
        if judgement.decision != Decision::Deny || !rules(&judgement).contains(&"execution.typed-later") {
            wrong.push(format!("{text}: {} {:?}", judgement.decision, rules(&judgement)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_says_what_it_runs_is_left_alone() {
    let mut wrong = Vec::new();
    for text in CLOSED {
        let (judgement, before) = (on(text, true), on(text, false));
        if judgement.decision != before.decision {
            wrong.push(format!("{text}: {} {:?}", judgement.decision, rules(&judgement)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// If every command comes in a call of its own, nothing changes.
#[test]
fn typing_without_a_terminal_is_no_effect() {
    for text in OPEN.iter().chain(CLOSED) {
        assert!(!rules(&on(text, false)).contains(&"execution.typed-later"), "{text}");
    }
}

#[test]
fn no_wrapper_hides_it() {
    let mut wrong = Vec::new();
    for text in ["bash", "python3", "psql shop", "ssh build-host", "vim notes.md", "irb"] {
        for way in [
            format!("sudo {text}"),
            format!("env X=1 {text}"),
            format!("nohup {text}"),
            format!("timeout 60 {text}"),
            format!("stdbuf -oL {text}"),
            format!("nice -n 5 {text}"),
            format!("bash -c {}", quoted(text)),
            format!("sh -lc {}", quoted(&format!("exec {text}"))),
            format!("script -qc {} /dev/null", quoted(text)),
            format!("rlwrap {text}"),
            format!("unbuffer {text}"),
            format!("time {text}"),
            format!("docker exec -it web {text}"),
            format!("X=1 {text}"),
            format!("command {text}"),
            format!("eval {}", quoted(text)),
            format!("alias x={}\nx", quoted(text)),
            format!("find . -maxdepth 0 -exec {text} \\;"),
            format!("ls && {text}"),
        ] {
            let judgement = on(&way, true);
            if judgement.decision != Decision::Deny {
                wrong.push(format!("{way}: {} {:?}", judgement.decision, rules(&judgement)));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn an_argument_vector_is_no_way_round() {
    for words in [&["bash"] as &[&str], &["bash", "-lc", "python3"], &["ssh", "build-host"]] {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(
            judge_argv(&words, &place(true), &EmptyWorld::new("/home/dev")).decision,
            Decision::Deny,
            "{words:?}"
        );
    }
}

/// The harmless commands of the corpora are as harmless where more can be typed, except for those that wait for it.
#[test]
fn usual_work_waits_for_nothing() {
    let lists = [
        include_str!("../../../corpus/guard/commands.jsonl"),
        include_str!("../../../corpus/guard/blind/4-open.jsonl"),
        include_str!("../../../corpus/guard/blind/5-open.jsonl"),
        include_str!("../../../corpus/guard/blind/6-open.jsonl"),
        include_str!("../../../corpus/guard/blind/7-open.jsonl"),
    ];
    let cases = lists.into_iter().flat_map(support::cases);
    let waits: Vec<String> = cases
        .filter(|case| case.expect == Decision::Abstain)
        .filter(|case| rules(&on(&case.command, true)).contains(&"execution.typed-later"))
        .map(|case| case.command)
        .collect();
    assert_eq!(waits, ["docker exec -it web sh"]);
}
