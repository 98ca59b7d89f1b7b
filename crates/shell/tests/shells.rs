//! Compares each word with what a real shell makes of it: ours is the same, or unknown.
//!
//! Words are generated from harmless parts and given to `printf`, a built-in, in an empty directory, without an environment,
//! without a search path, and without patterns of file names. Nothing that could run a command or write a file is ever in a
//! text that is run: [`run`] refuses it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use checkrein_shell::{ShellEnv, Word, read};
use std::{
    path::Path,
    process::{Command, Stdio},
};
use support::program_or_skip;

/// Parts that every shell reads alike.
#[rustfmt::skip]
const COMMON: &[&str] = &[
    "a", "b", "1", "0", "/", ".", "-", "=", ":", ",", "#", "%", "@", "+", "!", "*", "?", "[", "]", "}", "{",
    "^", "~", "é", " ", "  ", "'a b'", "''", "'\"'", "'$A'", "'\\'", "\"a b\"", "\"\"", "\"'\"", "\"\\\"\"",
    "\"\\a\"", "\"\\$A\"", "\"\\\\\"", "\"$A\"", "\"$B c\"", "\"${C}\"", "\"x$D\"", "\\a", "\\ ", "\\'",
    "\\\"", "\\\\", "\\$", "\\~", "\\*", "$A", "$B", "$C", "$D", "$E", "${A}", "${B}", "x$A", "$", "\"$\"",
    "$/", "\\\n", "\"\\\n\"", "$HOME", "\"$HOME\"", "~/", "~/a", "a:~", "${U}", "${U-d}", "${U:-d e}",
    "${U:-'d e'}", "${U:-\"d e\"}", "\"${U:-d e}\"", "\"${U:-$B}\"", "${U:-$B}", "${U:-~}", "${E-d}",
    "${E:-d}", "${A+d}", "${A:+d e}", "${E:+d}", "${U+d}", "${U:=w}", "${#A}", "${#B}", "${#U}", "${F%c*}",
    "${F%%c*}", "${F#*b}", "${F##*b}", "${F%\"c\"*}", "${F%?}", "${F#?}", "${F%x}", "\"${F%c*}\"",
    "${F%'c'*}", "$((1+2))", "$((2*3-1))", "$((G+1))", "$(($G*2))", "\"$((7/2))\"", "$((G>3))", "$((-7%3))",
    "$((1<<3))", "$((0x1f))", "$((1?2:3))", "$IFS", "\"$IFS\"", "${IFS}a", "$H", "${H}b", "\"$H\"", "$H$H",
    "$B$H", "${U:-,}", "${U:- }a",
];

/// Parts that only bash reads.
#[rustfmt::skip]
const BASH: &[&str] = &[
    "$'a\\tb'", "$'\\x41'", "$'\\101'", "$'\\''", "$'\\\\'", "$'\\q'", "$'\\u0041'", "$'a\\0b'", "$'\\cA'",
    "$'\\e['", "$'\\x'", "$\"a b\"", "{a,b}", "{a,b", "a,b}", "{1..3}", "{3..1}", "{01..03}", "{a..c}",
    "{1..9..4}", "{,x}", "{}", "{a}", "{a,{b,c}}", "{$A,$B}", "{'a b',c}", "{a\\,b,c}", "{-1..1}",
    "{a..b..1}", "{1..}", "{..1}", "{\"a,b\",c}", "x{y,z}w", "${F:1}", "${F:1:2}", "${F: -2}", "${F:0:-1}",
    "${F:9}", "${F/b/X}", "${F//b/X}", "${F/#a/X}", "${F/%c/X}", "${F/b}", "${F//[a]/X}", "${F/b*c/X}",
    "${F^}", "${F^^}", "${F,,}", "${K,}", "${!I}", "\"${F:1:1}\"", "${F/x/y}", "${F//b/}", "$((2**5))",
    "$[1+1]", "\"${U:-'a'}\"", "v=~", "v=~/x:~", "${F//?/-}", "${F/'b'/\"X\"}", "${A@Q}", "${F: 1 : 1}",
];

#[rustfmt::skip]
const SETTINGS: &[&str] = &[
    "", "IFS=,", "IFS=', '", "IFS=", "IFS=:b", "unset IFS", "A='x  y'", "A=; B=", "U=u", "H=' , '",
    "set -- p 'q r'", "A=$B$B", "B=$A,$A", "A+=z", "D=$((G+2))",
];

const FIXED: &str = "set -f; A=x B='y z' C='*' D= E='' F=abcabc G=5 H=',a,,b ' I=A K=Ab; unset U";

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }
}

/// The words as the shell prints them; `None` if it refuses the text.
fn run(shell: &Path, options: &[&str], directory: &Path, text: &str) -> Option<Vec<String>> {
    let mut rest = text.to_owned();
    for harmless in [";", "\\\n", "$((", "))", "G>3", "1<<3"] {
        rest = rest.replace(harmless, " ");
    }
    assert!(!rest.contains(['`', '<', '>', '|', '&', '(', ')', '\n']), "not to be run: {text:?}");
    let output = Command::new(shell)
        .args(options)
        .args(["-c", text])
        .env_clear()
        .env("HOME", "/home/me")
        .env("PATH", "/nonexistent")
        .env("LC_ALL", "C.UTF-8")
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    if !output.status.success() {
        return None;
    }
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.split_terminator('\0').skip(1).map(ToOwned::to_owned).collect())
}

/// Our words, with patterns as written; `None` for the words and all after one that is not known.
fn ours(text: &str) -> Option<Vec<String>> {
    let setting = ShellEnv { home: Some("/home/me".to_owned()), ..ShellEnv::default() };
    let script = read(text, &setting);
    if !script.opaque.is_empty() {
        return None;
    }
    script.commands.last()?.words.iter().skip(3).map(Word::pattern).collect()
}

/// `options`: what makes the program a shell like the others.
fn compare(shell: &str, options: &[&str], parts: &[&[&str]], cases: usize) {
    let Some(program) = program_or_skip(shell) else { return };
    let directory = tempfile::tempdir().unwrap();
    let parts: Vec<&str> = parts.concat();
    let mut numbers = Numbers(20);
    let (mut known, mut wrong) = (0, Vec::new());
    for _ in 0..cases {
        let words: String = (0..1 + numbers.below(5)).map(|_| parts[numbers.below(parts.len())]).collect();
        let set = SETTINGS[numbers.below(SETTINGS.len())];
        let set = if shell == "bash" || !set.contains("+=") { set } else { "" };
        // Only bash reads these quotes, and a dollar sign may meet a quote by chance.
        if shell != "bash" && (words.contains("$\"") || words.contains("$'")) {
            continue;
        }
        // Ksh prints no such letter in this locale.
        if shell == "ksh" && !words.is_ascii() {
            continue;
        }
        // Dash sees a word between two expansions where bash sees none.
        if shell != "bash" && set == "IFS=', '" {
            continue;
        }
        // The words are before anything that could be a comment, and the settings are commands of their own.
        let separator = if set.is_empty() { "" } else { ";" };
        let text = format!("{FIXED}; {set}{separator} printf '%s\\0' x {words}");
        let Some(ours) = ours(&text) else { continue };
        let Some(mut theirs) = run(&program, options, directory.path(), &text) else { continue };
        // Zsh sees an empty word after a separator at the end.
        while shell == "zsh" && theirs.len() > ours.len() && theirs.last().is_some_and(String::is_empty) {
            theirs.pop();
        }
        known += 1;
        if ours != theirs {
            wrong.push(format!("{set} … {words:?}\n  {shell} {theirs:?}\n  ours {ours:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {known}\n{}", wrong.len(), wrong[..wrong.len().min(25)].join("\n"));
    // A reader that knows nothing is never wrong.
    assert!(known * 2 > cases, "only {known} of {cases} are known");
}

#[test]
fn bash_agrees() {
    compare("bash", &[], &[COMMON, BASH], 3000);
}

#[test]
fn dash_agrees() {
    compare("dash", &[], &[COMMON], 800);
}

#[test]
fn busybox_agrees() {
    compare("busybox", &["sh"], &[COMMON], 800);
}

#[test]
fn ksh_agrees() {
    compare("ksh", &[], &[COMMON], 800);
}

#[test]
fn zsh_agrees_where_it_is_a_plain_shell() {
    compare("zsh", &["--emulate", "sh", "-f"], &[COMMON], 800);
}

#[test]
fn bash_agrees_on_the_words_of_the_corpus() {
    let Some(bash) = program_or_skip("bash") else { return };
    let directory = tempfile::tempdir().unwrap();
    let corpus = include_str!("../../../corpus/guard/commands.jsonl");
    let mut compared = 0;
    for line in corpus.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let command = case["command"].as_str().unwrap();
        let script = read(command, &ShellEnv::default());
        let words = script.commands.iter().flat_map(|command| &command.words);
        // Only single words, only as arguments of `printf`, and only without anything that could run or write.
        let texts = words.filter_map(|word| command.get(word.span.clone()));
        for word in texts.filter(|word| !word.contains(['`', '<', '>', '|', '&', ';', '(', ')', '\n', '#'])) {
            let text = format!("set -f; printf '%s\\0' x {word}");
            let (Some(ours), Some(theirs)) = (ours(&text), run(&bash, &[], directory.path(), &text)) else {
                continue;
            };
            assert_eq!(ours, theirs, "{word}");
            compared += 1;
        }
    }
    assert!(compared > 800, "{compared}");
}

/// Commands that set variables in the shell itself. Nothing else runs: there is no other program to be found.
#[rustfmt::skip]
const STEPS: &[&str] = &[
    "A=1", "A=2", "A='x y'", "A=", "B=$A", "A=$B$A", "A+=z", "unset A", "unset B", "export A=q", "declare A=r", "B=u true", "A=t true", "A=s :",
    ": ${A:=d}", ": ${B=d}", ": $((A=3))", "((B=4))", "let A=5", "eval 'A=e'", "eval B=$A", "printf -v A w", "set -- p q", "set -- \"$A\" r", "shift", "IFS=x",
    "unset IFS", "A=t f", "f", "f", "g", "f a", "true", "false", "A=(m n)", "A[1]=k", "declare -i B=2", "B=2+3", "typeset B=$A", "A=$1", "B=$#", "B=${A}c", "B=~",
    "HOME=/h", "command eval A=v", "builtin printf -v B y", "[[ $A =~ . ]]", "true || A=n", "A=$((1+1))", "A=$(B=9)", "read A", "getopts x A", "trap : EXIT", "cd .", "B=$PWD",
    "declare -n C=A", "C=5", "$D A=7", "B=$A A=6", "A=6 B=$A", "A=6 B=$A true", "alias f=:", "set -f", "local A=l", "readonly R=1", "readonly B", "declare -u A", "declare -gi B=1", "mapfile A", "wait",
];

fn program(numbers: &mut Numbers, depth: usize) -> String {
    let count = 1 + numbers.below(3);
    let block = |numbers: &mut Numbers| program(numbers, depth + 1);
    let steps: Vec<String> = (0..count)
        .map(|_| match numbers.below(if depth < 3 { 26 } else { 14 }) {
            14 => format!("if true; then {}; fi", block(numbers)),
            15 => format!("if false; then {}; else {}; fi", block(numbers), block(numbers)),
            16 => format!("true && {{ {}; }}", block(numbers)),
            17 => format!("false || {{ {}; }}", block(numbers)),
            18 => format!("false && {{ {}; }}", block(numbers)),
            19 => format!("({})", block(numbers)),
            20 => format!("for A in a b; do {}; done", block(numbers)),
            21 => format!("case $A in 1) {};; *) {};; esac", block(numbers), block(numbers)),
            22 => format!("B=$({})", block(numbers)),
            23 => format!("true | {{ {}; }}", block(numbers)),
            24 => format!("{{ {}; }}", block(numbers)),
            25 => format!("for i in 1 2; do {}; done", block(numbers)),
            _ => STEPS[numbers.below(STEPS.len())].to_owned(),
        })
        .collect();
    steps.join("; ")
}

/// Checks that what we know about variables at the end of a program holds on every path that the shell takes.
#[test]
fn bash_agrees_on_variables() {
    let Some(bash) = program_or_skip("bash") else { return };
    let directory = tempfile::tempdir().unwrap();
    let mut numbers = Numbers(5);
    let (mut known, mut wrong) = (0, Vec::new());
    for _ in 0..CASES {
        // Functions call nothing that is generated, so that they do not call themselves.
        let leaf = |numbers: &mut Numbers| loop {
            let step = STEPS[numbers.below(STEPS.len())];
            if !step.contains(['f', 'g']) {
                break step;
            }
        };
        let functions = format!("f() {{ {}; {}; }}", leaf(&mut numbers), leaf(&mut numbers));
        let (first, second) = (program(&mut numbers, 0), program(&mut numbers, 0));
        let text = format!(
            "{first}; {functions}; g() {{ f; }}; {second}; printf '%s\\0' x \"$A\" \"$B\" $A$B \"$#$1\""
        );
        let output = Command::new(&bash)
            .args(["-c", &text])
            .env_clear()
            .env("HOME", "/home/me")
            .env("PATH", "/nonexistent")
            .current_dir(directory.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let theirs = String::from_utf8(output.stdout).unwrap();
        // It ended before, or printed on the way.
        let Some(theirs) = theirs.strip_prefix("x\0") else { continue };
        let theirs: Vec<&str> = theirs.split_terminator('\0').collect();
        let setting = ShellEnv { home: Some("/home/me".to_owned()), ..ShellEnv::default() };
        let script = read(&text, &setting);
        assert!(script.opaque.is_empty(), "{text} {:?}", script.opaque);
        let ours: Vec<Option<String>> =
            script.commands.last().unwrap().words.iter().skip(3).map(Word::pattern).collect();
        let all = ours.iter().all(Option::is_some);
        let fits = |(ours, theirs): (&Option<String>, &&str)| ours.as_ref().is_none_or(|ours| ours == theirs);
        // The first two stay what they are, however many words the third becomes.
        let agrees = ours.iter().zip(&theirs).take(2).all(fits)
            && (!all || ours.len() == theirs.len() && ours.iter().zip(&theirs).all(fits));
        known += usize::from(ours.iter().take(2).any(Option::is_some));
        if !agrees {
            wrong.push(format!("{text}\n  bash {theirs:?}\n  ours {ours:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong[..wrong.len().min(12)].join("\n"));
    assert!(known * 10 > CASES, "only {known} of {CASES} are known");
}

const CASES: usize = 2000;
