//! Values that go a long way: through arrays, descriptors, coprocesses, pipes with names, functions and other languages.
//!
//! A value reaches the place where it is run, or it is unknown there, and an unknown text that is run is asked about. The same
//! way with a harmless value stays silent where the value can be followed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use checkrein_core::Decision;
use support::{in_project, quoted};

/// The placeholder for the command in a way, and for its words.
const COMMAND: &str = "COMMAND";

/// Ways that are followed to their end.
const FOLLOWED: &[&str] = &[
    "a=(ls 'COMMAND'); eval \"${a[1]}\"",
    "a=(ls 'COMMAND'); bash -c \"${a[1]}\"",
    "a=(ls 'COMMAND'); i=1; eval \"${a[$i]}\"",
    "a=(ls 'COMMAND'); eval \"${a[-1]}\"",
    "a=(ls 'COMMAND'); for c in \"${a[@]}\"; do eval \"$c\"; done",
    "a=(COMMAND); \"${a[@]}\"",
    "a=(x COMMAND); \"${a[@]:1}\"",
    "a=(x COMMAND y); \"${a[@]:1:3}\"",
    "a=(); a+=(COMMAND); \"${a[@]}\"",
    "a[3]='COMMAND'; eval \"${a[3]}\"",
    "declare -A m=([x]='COMMAND'); eval \"${m[x]}\"",
    "declare -A m; m[x]='COMMAND'; bash -c \"${m[x]}\"",
    "mapfile -t a <<< 'COMMAND'; eval \"${a[0]}\"",
    "mapfile -t a <<'E'\nls\nCOMMAND\nE\neval \"${a[1]}\"",
    "readarray -t a < <(echo 'COMMAND'); eval \"${a[0]}\"",
    "read -ra w <<< 'COMMAND'; \"${w[@]}\"",
    "read -r x y <<< 'ls COMMAND'; eval \"$y\"",
    "IFS=, read -r a b <<< 'ls,COMMAND'; eval \"$b\"",
    "while IFS=: read -r name c; do eval \"$c\"; done <<< 'build:COMMAND'",
    "exec 3<<<'COMMAND'; read -r -u 3 x; eval \"$x\"",
    "printf -v x '%s' 'COMMAND'; eval \"$x\"",
    "set -- ls 'COMMAND'; eval \"$2\"",
    "set -- ls 'COMMAND'; eval \"${@:2:1}\"",
    "set -- ls 'COMMAND'; eval \"${!#}\"",
    "x='COMMAND'; y=x; eval \"${!y}\"",
    "declare -n r=x; x='COMMAND'; eval \"$r\"",
    "exec 3<<<'COMMAND'; sh <&3",
    "mkfifo p; exec 3<>p; echo 'COMMAND' >&3; sh <&3",
    "exec 4> s.sh; echo 'COMMAND' >&4; sh s.sh",
    "coproc sh; echo 'COMMAND' >&${COPROC[1]}",
    "coproc P { bash; }; echo 'COMMAND' >&\"${P[1]}\"",
    "exec 5<<<'COMMAND'; bash /proc/self/fd/5",
    "exec 5<<<'COMMAND'; bash /proc/$$/fd/5",
    "f() { eval \"$1\"; }; f 'COMMAND'",
    "f() { shift; \"$@\"; }; f x COMMAND",
    "f() { local a=(\"$@\"); \"${a[@]}\"; }; f COMMAND",
    "awk 'function f(c) { system(c) } BEGIN { f(\"COMMAND\") }'",
    "awk 'function f(a, c) { return system(c) } BEGIN { f(1, \"COMMAND\") }'",
    "awk 'function g() { return \"COMMAND\" } BEGIN { system(g()) }'",
    "awk 'BEGIN { a[1] = \"COMMAND\"; system(a[1]) }'",
    "awk 'BEGIN { split(\"ls,COMMAND\", a, \",\"); system(a[2]) }'",
    "awk 'BEGIN { c = sprintf(\"%s\", \"COMMAND\"); system(c) }'",
    "awk 'BEGIN { system(ARGV[1]) }' 'COMMAND'",
    "awk 'function f(c) { print \"x\" | c } BEGIN { f(\"COMMAND\") }'",
    "gawk 'BEGIN { f = \"system\"; @f(\"COMMAND\") }'",
    "tclsh <<'E'\nexec COMMAND\nE",
    "expect -c 'spawn COMMAND'",
    "lua -e 'os.execute(\"COMMAND\")'",
    "Rscript -e 'system(\"COMMAND\")'",
    "julia -e 'run(`COMMAND`)'",
    "cat > m.go <<'E'\npackage main\nimport \"os/exec\"\nfunc main() { exec.Command(\"sh\", \"-c\", \"COMMAND\").Run() }\nE\ngo run m.go",
    "cat > m.go <<'E'\npackage main\nfunc run(c string) { exec.Command(\"sh\", \"-c\", c).Run() }\nfunc main() { run(\"COMMAND\") }\nE\ngo run .",
    "cat > m.go <<'E'\npackage main\nfunc main() {\n\targs := []string{\"-c\", \"COMMAND\"}\n\tcmd := exec.Command(\"sh\", args...)\n\tcmd.Run()\n}\nE\ngo build -o m m.go && ./m",
];

/// Ways whose end is not known here: whatever goes through them is asked about.
const UNKNOWN: &[&str] = &[
    "coproc bash; exec 5>&\"${COPROC[1]}\"; echo 'COMMAND' >&5",
    "coproc python3 -i; cat x.py >&\"${COPROC[1]}\"",
    "exec {fd}<<<'COMMAND'; sh <&$fd",
    "exec 3> >(sh); echo 'COMMAND' >&3",
    "exec > >(bash); echo 'COMMAND'",
    "mkfifo p; cat p | sh & echo 'COMMAND' > p",
    "awk '{ system($0) }' list.txt",
];

/// Commands that look like it and run nothing unknown.
const ORDINARY: &[&str] = &[
    "files=(a.txt b.txt); for f in \"${files[@]}\"; do wc -l \"$f\"; done",
    "args=(--release --locked); cargo build \"${args[@]}\"",
    "cmd=(cargo test); \"${cmd[@]}\" -q",
    "declare -A port=([web]=80 [api]=8080); echo \"${port[web]}\"",
    "mapfile -t lines < notes.md; echo \"${#lines[@]}\"",
    "while IFS=, read -r name value; do echo \"$name=$value\"; done < data.csv",
    "exec 3>&1; echo hello >&3",
    "exec > >(tee build.log) 2>&1; make",
    "make 2> >(tee errors.log >&2)",
    "coproc cat; echo hi >&\"${COPROC[1]}\"; read -r x <&\"${COPROC[0]}\"",
    "mkfifo p; cat p & echo hi > p",
    "awk 'function max(a, b) { return a > b ? a : b } { m = max(m, $1) } END { print m }' data.txt",
    "awk -F, '{ count[$1]++ } END { for (name in count) print name, count[name] }' data.csv",
    "awk '{ print $1 | \"sort -u\" }' data.txt",
    "cat > m.go <<'E'\npackage main\nimport \"fmt\"\nfunc main() { fmt.Println(\"hi\") }\nE\ngo run m.go",
    "cat > m.go <<'E'\npackage main\nimport \"os\"\nfunc main() { d, _ := os.MkdirTemp(\"\", \"x\"); defer os.RemoveAll(d); os.WriteFile(\"out.txt\", []byte(\"a\"), 0o644) }\nE\ngo run m.go",
    "go test ./...",
    "read -r -p 'Name: ' name; echo \"$name\"",
];

fn decision(way: &str, command: &str) -> Decision {
    in_project(&way.replace(COMMAND, command)).decision
}

#[test]
fn a_value_reaches_where_it_is_run() {
    let mut wrong = Vec::new();
    for way in FOLLOWED {
        let (bad, good) = (decision(way, "rm -rf /etc"), decision(way, "ls -l src"));
        if bad != Decision::Deny || good != Decision::Abstain {
            wrong.push(format!("{way}: {bad}, harmless: {good}"));
        }
        let wrapped = format!("bash -c {}", quoted(way));
        let bad = decision(&wrapped, "rm -rf /etc");
        if bad < Decision::Ask {
            wrong.push(format!("{wrapped}: {bad}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn an_unknown_text_that_is_run_is_asked_about() {
    let mut wrong = Vec::new();
    for way in UNKNOWN {
        for way in [(*way).to_owned(), format!("if true; then {way}\nfi")] {
            let bad = decision(&way, "rm -rf /etc");
            if bad < Decision::Ask {
                wrong.push(format!("{way}: {bad}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn ordinary_work_is_silent() {
    let loud: Vec<String> = ORDINARY
        .iter()
        .filter(|text| in_project(text).decision != Decision::Abstain)
        .map(|text| format!("{text}: {:?}", support::rules(&in_project(text))))
        .collect();
    assert!(loud.is_empty(), "{loud:#?}");
}
