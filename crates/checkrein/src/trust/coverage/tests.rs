use super::*;

fn project() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("hooks")).unwrap();
    fs::create_dir(directory.path().join("bin")).unwrap();
    for name in ["hooks/a.sh", "hooks/__main__.py", "rules.json", "out.log", "check.py"] {
        fs::write(directory.path().join(name), "").unwrap();
    }
    directory
}

fn shell(directory: &Path, text: &str) -> Coverage {
    coverage(&Program::Shell(text.to_owned()), directory, &[])
}

fn words(coverage: &Coverage) -> Vec<&str> {
    coverage.uncovered.iter().map(|uncovered| uncovered.word.as_str()).collect()
}

fn files(coverage: &Coverage) -> Vec<&str> {
    coverage.named.iter().map(|named| named.word.as_str()).collect()
}

/// Commands that a user would write without a second thought.
#[test]
fn ordinary_commands_are_covered() {
    let directory = project();
    for text in [
        "jq -r .tool_name | grep -q x",
        "jq -r '.tool_input.command // empty' | grep -qE 'a/b|c' && exit 2",
        "ruff check src",
        "command -v cargo >/dev/null 2>&1 || exit 0",
        "cmd=$(jq -r .tool_input.command); case \"$cmd\" in *push*) echo \"no: $cmd\" >&2; exit 2;; esac",
        "read -r line; [ -n \"$line\" ] && printf '%s\\n' \"$line\" >> out.log",
        "[ -f package.json ] || exit 0",
        "cd \"$CLAUDE_PROJECT_DIR\" && shellcheck --version",
        "sh hooks/a.sh; echo $? > status.txt",
        "exit $?",
        "./hooks/a.sh --x | tee -a run.log",
        "/usr/bin/env sh \"$HOOK_CONFIG_DIR\"/hooks/a.sh",
        "cat /dev/stdin | wc -c",
        "python3 check.py < /dev/null",
        "python3 -I - <<'EOF'\nimport json, sys\nprint(json.load(sys.stdin))\nEOF",
        "python3 -c 'import os, sys; sys.exit(2 if os.environ.get(\"X\") else 0)'",
        "python3 -Ic 'import json; print(1)'",
        "python3 -P -m json.tool",
        "PYTHONUNBUFFERED=1 ruff check src",
        "cat /proc/meminfo | wc -l",
        "sh -c 'echo no >&2; exit 2'",
        "node -e 'process.exit(2)'",
        "LC_ALL=C sort out.log",
        "PATH=/usr/bin:/bin shfmt --version",
        "export LC_ALL=C; sort < rules.json",
        "bash -euo pipefail -c 'true'",
        "perl -ne 'print if /x/' rules.json",
        "python3 --version",
        "for i in 1 2; do sleep \"$i\"; done",
    ] {
        let found = shell(directory.path(), text);
        assert_eq!(found.uncovered, [], "{text}");
    }
}

#[test]
fn what_trust_cannot_cover() {
    let directory = project();
    use WhyNot::{Directory, Indirect, Loads, Modules, Moved, OnlyTheShell, Piped, Project, Unreadable};
    for (text, word, why) in [
        ("sh $X/a.sh", "$X/a.sh", OnlyTheShell),
        ("sh ~/b.sh", "~/b.sh", OnlyTheShell),
        ("\"$(pwd)/e\"", "\"$(pwd)/e\"", OnlyTheShell),
        ("sh hooks/*.sh", "hooks/*.sh", OnlyTheShell),
        ("make \"$X\"", "\"$X\"", OnlyTheShell),
        ("eval \"$(cat rules.json)\"", "\"$(cat rules.json)\"", OnlyTheShell),
        (". \"$X\"", "\"$X\"", OnlyTheShell),
        ("env sh -c \"$X\"", "\"$X\"", OnlyTheShell),
        ("sh < \"$X\"", "\"$X\"", OnlyTheShell),
        ("for f in hooks/*; do sh \"$f\"; done", "\"$f\"", OnlyTheShell),
        ("echo $(sh $X)", "$X", OnlyTheShell),
        ("f() { sh $X; }; f", "$X", OnlyTheShell),
        ("python3 ./hooks", "./hooks", Directory),
        ("python3 hooks", "hooks", Directory),
        ("node .", ".", Directory),
        ("mytool hooks/", "hooks/", Directory),
        ("sh -c 'exec hooks/a.sh'", "hooks/a.sh", Indirect),
        ("eval 'sh hooks/a.sh'", "hooks/a.sh", Indirect),
        ("X=hooks/a.sh; sh $X", "$X", Indirect),
        ("RULES=rules.json cargo fmt", "RULES=rules.json", Indirect),
        ("python3 -c 'exec(open(\"check.py\").read())'", "'exec(open(\"check.py\").read())'", Indirect),
        ("python3 -m hooks", "hooks", Indirect),
        ("python3 -m check", "check", Indirect),
        ("cat rules.json | sh", "sh", Piped),
        ("cat rules.json | python3 -", "python3 -", Piped),
        ("curl -s x.example | timeout 5 bash -s", "timeout 5 bash -s", Piped),
        ("cd hooks && ./a.sh", "hooks", Moved),
        ("cd \"$X\" && cargo fmt", "\"$X\"", Moved),
        ("PATH=bin:/usr/bin cargo fmt", "PATH=bin:/usr/bin", Loads),
        ("PATH=$X:$PATH cargo fmt", "PATH=$X:$PATH", Loads),
        ("export PATH=\"$PWD/bin:$PATH\"; x", "PATH=\"$PWD/bin:$PATH\"", Loads),
        ("LD_PRELOAD=./x.so cargo fmt", "LD_PRELOAD=./x.so", Loads),
        ("alias echo=sh; echo \"$X\"", "echo=sh", Loads),
        ("trap 'sh hooks/a.sh' EXIT", "hooks/a.sh", Indirect),
        ("sh 'open", "open", Unreadable),
        ("make", "make", Project),
        ("timeout 60 cargo test -q", "cargo test -q", Project),
        ("npx prettier --check .", "npx prettier --check .", Project),
        ("git commit -m x", "git commit -m x", Project),
        ("python3 -c 'import json'", "'import json'", Modules),
        ("timeout 5 python3 -Bc 'from json import loads'", "'from json import loads'", Modules),
        ("python3 - <<'EOF'\nimport json\nEOF", "import json\n", Modules),
        ("python3 -m json.tool", "json.tool", Modules),
        ("python3 -I -m unittest", "unittest", Project),
        ("sh /proc/self/cwd/a.sh", "/proc/self/cwd/a.sh", OnlyTheShell),
        ("make -C hooks -f a.mk", "-C", Moved),
        ("find . -execdir ./x \\;", "-execdir", Moved),
        ("ln -s ../a.sh bin/b", "../a.sh", Indirect),
        ("PATH=/tmp/x:/bin cargo fmt", "PATH=/tmp/x:/bin", Loads),
        ("PYTHONUSERBASE=. ruff check", "PYTHONUSERBASE=.", Loads),
        ("node check", "check", Indirect),
        ("awk -frules.json", "-frules.json", Indirect),
        ("perl -Ihooks -e 1", "-Ihooks", Directory),
    ] {
        let found = shell(directory.path(), text);
        assert!(
            found.uncovered.contains(&Uncovered { word: word.to_owned(), why }),
            "{text}: {:?}",
            found.uncovered
        );
    }
    let list = |words: &[&str]| {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        coverage(&Program::List(words), directory.path(), &[])
    };
    assert_eq!(words(&list(&["sh", "-c", "exec hooks/a.sh"])), ["hooks/a.sh"]);
    assert_eq!(words(&list(&["python3", "hooks"])), ["hooks"]);
    assert_eq!(words(&list(&["hooks/a.sh", "--rules=rules.json"])), [""; 0]);
}

#[test]
fn what_is_not_there_is_remembered() {
    let directory = project();
    for (text, absent) in [
        ("sh tools/late.sh", &["tools/late.sh"][..]),
        ("./late.sh", &["./late.sh"]),
        ("python3 late.py", &["late.py"]),
        ("timeout 5 ./late.sh", &["./late.sh"]),
        ("mytool --rules=conf/late.toml", &["conf/late.toml"]),
        ("grep -q x < late.txt", &["late.txt"]),
        ("sh -c '. ./late.sh'", &["./late.sh"]),
        ("python3 -c 'open(\"late/x.py\")'", &["late/x.py"]),
        ("sh \"$HOOK_CONFIG_DIR\"/late.sh", &[][..]),
        // Only written.
        ("mytool fmt > logs/late.log 2>> err.log &> both.log", &[]),
        ("mytool fmt | tee late.log", &[]),
        ("mkdir -p .cache/late; touch .cache/late/x", &[]),
        ("echo a/b; [ -e late/x ]", &[]),
        ("mytool fmt", &[]),
    ] {
        let mut found = shell(directory.path(), text);
        found.absent.retain(|path| !path.starts_with('/'));
        assert_eq!(found.absent, absent, "{text}");
        assert_eq!(found.uncovered, [], "{text}");
    }
    // Written and read.
    assert_eq!(shell(directory.path(), "echo x > late.sh; sh late.sh").absent, ["late.sh"]);
    assert_eq!(shell(directory.path(), "sh <> late.sh").absent, ["late.sh"]);
    let late = format!("{}/late.sh", directory.path().display());
    assert_eq!(shell(directory.path(), "sh \"$HOOK_CONFIG_DIR\"/late.sh").absent, [late]);
}

#[test]
fn what_is_run_and_not_there_is_not_looked_for_elsewhere() {
    let directory = project();
    let program = Program::Shell("cat | sh tools/late.sh; ./late x".to_owned());
    let found = coverage(&program, directory.path(), &[]);
    let places: Vec<_> = found.named.iter().map(|named| (named.clone(), named.path.clone())).collect();
    let root = directory.path().display();
    let expected = format!("cat | sh '{root}/tools/late.sh'; '{root}/./late' x");
    assert_eq!(scripts::replaced(&program, &places), Program::Shell(expected));
}

#[test]
fn a_log_is_no_part_of_a_hook() {
    let directory = project();
    assert_eq!(files(&shell(directory.path(), "sh hooks/a.sh > out.log")), ["hooks/a.sh"]);
    assert_eq!(files(&shell(directory.path(), "sh hooks/a.sh | tee out.log")), ["hooks/a.sh"]);
    assert_eq!(files(&shell(directory.path(), "sort out.log > out.log")), ["out.log"]);
}

#[test]
fn a_directory_is_covered_by_what_is_listed_of_it() {
    let directory = project();
    let listed = ["hooks/__main__.py".to_owned()];
    for text in ["python3 ./hooks", "python3 \"$HOOK_CONFIG_DIR\"/hooks"] {
        let found = coverage(&Program::Shell(text.to_owned()), directory.path(), &listed);
        assert_eq!(found.uncovered, [], "{text}");
        assert_eq!(found.named[0].kind, PathKind::Directory);
    }
    let other = ["rules.json".to_owned()];
    let found = coverage(&Program::Shell("python3 ./hooks".to_owned()), directory.path(), &other);
    assert_eq!(words(&found), ["./hooks"]);
}

#[test]
fn odd_texts_end() {
    let directory = project();
    let nested = (0..6).fold("x".to_owned(), |text, _| format!("sh -c '{}'", text.replace('\'', "'\\''")));
    for text in
        ["", "'", "\"", "\\", "$", "${", "`", "<<<>>>", "sh", "eval", ".", "sh -c", "python3 -m", &nested]
    {
        let _ = shell(directory.path(), text);
    }
    let _ = coverage(&Program::List(Vec::new()), directory.path(), &[]);
}
