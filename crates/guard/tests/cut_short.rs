//! Nothing is skipped in silence: a danger behind a lot of harmless text, deep inside brackets, or last in a long list is
//! found, or the call is too much. The same text without the danger says nothing, as long as it is of an ordinary size.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use checkrein_core::Decision;
use checkrein_guard::{CallContext, EmptyWorld, MAX_BYTES, judge};

const DANGER: &str = "rm -rf ~";

/// Amounts of text around it. The first is what people write.
const SIZES: &[usize] = &[6, 20, 50, 100, 150, 300, 600, 1500, 4000];

/// A name, and a text with so much around a command line for a shell.
type Padded = (&'static str, fn(usize, &str) -> String);

fn numbered(count: usize, each: impl Fn(usize) -> String) -> String {
    (0..count).map(each).collect()
}

const PADDED: &[Padded] = &[
    ("one of many words", |n, run| format!("for c in {} '{run}'; do eval \"$c\"; done", "ls ".repeat(n))),
    ("one of many different words", |n, run| {
        let words = numbered(n, |at| format!("'ls {at}' "));
        format!("for c in {words} '{run}'; do eval \"$c\"; done")
    }),
    ("one of many branches", |n, run| {
        let branches = numbered(n, |at| format!("if a; then x='ls {at}'; fi; "));
        format!("{branches} if b; then x='{run}'; fi; eval \"$x\"")
    }),
    ("one of many arms", |n, run| {
        let arms = numbered(n, |at| format!("a{at}) x='ls {at}';; "));
        format!("case $1 in {arms} z) x='{run}';; esac; sh -c \"$x\"")
    }),
    ("the last of an array", |n, run| {
        format!("a=({} '{run}'); for c in \"${{a[@]}}\"; do eval \"$c\"; done", "ls ".repeat(n))
    }),
    ("Python, behind statements", |n, run| {
        format!("python3 -c 'import os\n{}os.system(\"{run}\")'", "os.system(\"ls\")\n".repeat(n))
    }),
    ("Python, behind files", |n, run| {
        let files = numbered(n, |at| format!("open(\"a{at}\")\n"));
        format!("sudo env python3 -c 'import os\n{files}os.system(\"{run}\")'")
    }),
    ("Python, behind a text that grows", |n, run| {
        format!("python3 -c 'import os\nx=\"\"\n{}os.system(\"{run}\")'", "x=x+\" \"\n".repeat(n))
    }),
    ("Python, one of a list", |n, run| {
        let list = numbered(n, |at| format!("\"ls {at}\","));
        format!("python3 -c 'import os\nfor c in [{list}\"{run}\"]: os.system(c)'")
    }),
    ("Python, one of a list of the same", |n, run| {
        format!("python3 -c 'import os\nfor c in [{}\"{run}\"]: os.system(c)'", "\"ls\",".repeat(n))
    }),
    ("Python, in brackets", |n, run| {
        format!("python3 -c 'import os\n{}os.system(\"{run}\"){}'", "(".repeat(n), ")".repeat(n))
    }),
    ("Python, from a here-document", |n, run| {
        format!("python3 <<E\nimport os\n{}os.system(\"{run}\")\nE", "open(\"a\")\n".repeat(n))
    }),
    ("JavaScript, in brackets", |n, run| {
        let (open, close) = ("(".repeat(n), ")".repeat(n));
        format!("node -e '{open}require(\"child_process\").execSync(\"{run}\"){close}'")
    }),
    ("JavaScript, in functions", |n, run| {
        let (open, close) = ("(()=>{".repeat(n), "})()".repeat(n));
        format!("node -e '{open}require(\"child_process\").execSync(\"{run}\"){close}'")
    }),
    ("Perl, behind a text that grows", |n, run| {
        format!("perl -e '{}system(\"{run}\")'", "$x.=$x;".repeat(n))
    }),
    ("Ruby, in brackets", |n, run| format!("ruby -e '{}system(\"{run}\"){}'", "(".repeat(n), ")".repeat(n))),
    ("PHP, behind files", |n, run| {
        let files = numbered(n, |at| format!("file_get_contents(\"a{at}\");"));
        format!("php -r '{files}system(\"{run}\");'")
    }),
    ("awk, behind commands", |n, run| {
        format!("awk 'BEGIN{{{}system(\"{run}\")}}'", "system(\"ls\");".repeat(n))
    }),
    ("awk, in a long text", |n, run| format!("awk 'BEGIN{{x=\"{}{run}\"; system(x)}}'", "ls -la;".repeat(n))),
    ("sed, behind commands", |n, run| format!("sed '{}e {run}'", "r a\n".repeat(n))),
    ("sed, the last line", |n, run| format!("printf '%s\\n' {} '{run}' | sed e", "ls ".repeat(n))),
    ("PowerShell, behind commands", |n, run| format!("pwsh -c '{}{run}'", "git status;".repeat(n))),
    ("PowerShell, in brackets", |n, run| format!("pwsh -c '{}{run}{}'", "$(".repeat(n), ")".repeat(n))),
    ("make, behind lines", |n, run| format!("make -f - <<'E'\na:\n{}\t{run}\nE", "\tls\n".repeat(n))),
    ("make, behind variables", |n, run| {
        let variables = numbered(n, |at| format!("V{at}=$(V{})\n", at + 1));
        format!("make -f - <<'E'\n{variables}V{n}={run}\na:\n\t$(V0)\nE")
    }),
];

fn decision(text: &str) -> Decision {
    let place = CallContext { cwd: Some("/home/dev/proj".to_owned()), ..CallContext::default() };
    judge(text, &place, &EmptyWorld::new("/home/dev")).decision
}

/// So that a build without optimisation is measured by what it says, and not by its stack.
fn with_room(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(8 << 20).spawn(test).unwrap().join().unwrap();
}

#[test]
fn a_danger_behind_harmless_text_is_never_silent() {
    with_room(|| {
        let mut silent = Vec::new();
        for (name, padded) in PADDED {
            for size in SIZES {
                let text = padded(*size, DANGER);
                if text.len() < MAX_BYTES && decision(&text) < Decision::Ask {
                    silent.push(format!("{name}, {size}"));
                }
            }
        }
        assert!(silent.is_empty(), "{silent:#?}");
    });
}

#[test]
fn the_same_without_the_danger_is_silent() {
    with_room(|| {
        let mut noisy = Vec::new();
        for (name, padded) in PADDED {
            if decision(&padded(6, "git status")) > Decision::Allow {
                noisy.push(*name);
            }
        }
        assert!(noisy.is_empty(), "{noisy:#?}");
    });
}
