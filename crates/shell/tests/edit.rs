//! Changed texts: the words that were to change have changed, and nothing else has.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_shell::{CommandId, NewWord, Script, ShellEnv, read, with_words};
use proptest::prelude::*;

/// The words of every command; what is not known is `?`.
fn words(script: &Script) -> Vec<Vec<String>> {
    let word = |word: &checkrein_shell::Word| word.pattern().unwrap_or_else(|| "?".to_owned());
    script.commands.iter().map(|simple| simple.words.iter().map(word).collect()).collect()
}

/// Replaces `--force` of every `push` by two words.
fn softened(text: &str) -> Option<String> {
    let script = read(text, &ShellEnv::default());
    let mut changes = Vec::new();
    for (at, simple) in script.commands.iter().enumerate() {
        let is = |index: usize, text: &str| {
            simple.words.get(index).and_then(|word| word.constant()).is_some_and(|word| word == text)
        };
        if !is(0, "push") {
            continue;
        }
        let each = (0..simple.words.len()).flat_map(|index| match is(index, "--force") {
            true => vec![NewWord::New("--lease".into()), NewWord::New("a b".into())],
            false => vec![NewWord::Kept(index)],
        });
        changes.push((CommandId(at), each.collect()));
    }
    with_words(text, &ShellEnv::default(), &changes)
}

#[test]
fn what_is_around_a_word_stays_as_it_is_written() {
    for (text, expected) in [
        ("push --force x", "push --lease 'a b' x"),
        ("push  '--force'  \"$X\"  # why", "push  --lease 'a b'  \"$X\"  # why"),
        (
            "a && push 2>&1 --force | tee \"log $(date)\"",
            "a && push 2>&1 --lease 'a b' | tee \"log $(date)\"",
        ),
        ("push \\\n  --force \\\n  x", "push \\\n  --lease 'a b' \\\n  x"),
        ("echo \"$(push --force)\"", "echo \"$(push --lease 'a b')\""),
        ("for i in 1 2; do push --force $i; done", "for i in 1 2; do push --lease 'a b' $i; done"),
        ("push --force <<E\n--force\nE\n", "push --lease 'a b' <<E\n--force\nE\n"),
        ("echo push --force; push --force", "echo push --force; push --lease 'a b'"),
        ("push {--force,x}", "-"),
        ("F=--force; push $F", "F=--force; push --lease 'a b'"),
        ("echo `push --force`", "-"),
        ("push --force '", "-"),
    ] {
        assert_eq!(softened(text).as_deref().unwrap_or("-"), expected, "{text}");
    }
}

#[test]
fn words_are_added_and_removed() {
    let kept = NewWord::Kept;
    let new = |text: &str| NewWord::New(text.to_owned());
    for (text, words, expected) in [
        ("a b c", vec![kept(0), kept(2)], "a c"),
        ("a b c >d", vec![kept(0)], "a >d"),
        ("a b", vec![new("sudo"), kept(0), kept(1)], "sudo a b"),
        ("a b", vec![kept(0), kept(1), new("")], "a b ''"),
        ("a b", vec![kept(0), new("it's"), new("$x")], r"a 'it'\''s' '$x'"),
        // In front of a command this would be an assignment.
        ("a b", vec![new("x=1"), kept(1)], "-"),
        ("a b", vec![kept(1), kept(0)], "-"),
        ("a b", vec![kept(0), kept(7)], "-"),
    ] {
        let changed = with_words(text, &ShellEnv::default(), &[(CommandId(0), words)]);
        assert_eq!(changed.as_deref().unwrap_or("-"), expected, "{text}");
    }
}

/// Texts around a command, in every construct of the shell, nested.
fn around() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("push --force origin x".to_owned()),
        Just("push '--force' \"$B\" >out 2>&1".to_owned()),
        Just("A=1 push -q \\\n --force".to_owned()),
        Just("echo --force 'push --force'".to_owned()),
        Just("push <<E --force\n--force $x\nE\n".to_owned()),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}\n{b}")),
            inner.clone().prop_map(|a| format!("({a}\n)")),
            inner.clone().prop_map(|a| format!("{{ {a}\n}} | cat")),
            inner.clone().prop_map(|a| format!("if {a}\nthen :; fi")),
            inner.clone().prop_map(|a| format!("while read l; do {a}\ndone <f")),
            inner.clone().prop_map(|a| format!("echo \"pre $({a}\n) post\"")),
            inner.clone().prop_map(|a| format!("diff <({a}\n) b")),
            inner.prop_map(|a| format!("case $x in a) {a}\n;; esac")),
        ]
    })
}

proptest! {
    #[test]
    fn a_changed_text_is_the_same_but_for_the_change(text in around()) {
        let before = read(&text, &ShellEnv::default());
        let Some(changed) = softened(&text) else { return Err(TestCaseError::fail(text)) };
        let after = read(&changed, &ShellEnv::default());
        let expected: Vec<Vec<String>> = words(&before)
            .into_iter()
            .map(|words| match words.first().map(String::as_str) {
                Some("push") => words
                    .into_iter()
                    .flat_map(|word| match word.as_str() {
                        "--force" => vec!["--lease".to_owned(), "a b".to_owned()],
                        _ => vec![word],
                    })
                    .collect(),
                _ => words,
            })
            .collect();
        prop_assert_eq!(words(&after), expected);
        // Without the words that changed, the texts are the same, byte for byte.
        prop_assert_eq!(changed.replace("--lease 'a b'", "@").replace("--force", "@"),
            text.replace("'--force'", "@").replace("--force", "@"));
        for (a, b) in before.commands.iter().zip(&after.commands) {
            prop_assert_eq!((&a.within, a.runs, a.redirects.len()), (&b.within, b.runs, b.redirects.len()));
        }
    }
}
