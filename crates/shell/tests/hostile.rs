//! Texts that try to exhaust, crash or mislead the reader.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_shell::{MAX_BYTES, Opaque, Script, ShellEnv, UnreadableReason, read, read_bytes};
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Reads in a thread with the stack of a small one, and not for long.
fn quickly(text: String) -> Script {
    let start = Instant::now();
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024);
    let script = thread.spawn(move || read(&text, &ShellEnv::default())).unwrap().join().unwrap();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    script
}

fn causes(script: &Script) -> Vec<UnreadableReason> {
    script.opaque.iter().map(|opaque| opaque.why).collect()
}

#[test]
fn what_is_no_text_is_refused() {
    assert_eq!(causes(&read("rm\0x", &ShellEnv::default())), [UnreadableReason::Nul]);
    assert_eq!(causes(&read_bytes(b"rm \xff", &ShellEnv::default())), [UnreadableReason::NotUtf8]);
    let long = "a ".repeat(MAX_BYTES);
    let opaque = Opaque { span: 0..long.len(), why: UnreadableReason::TooLong };
    assert_eq!(read(&long, &ShellEnv::default()).opaque, [opaque]);
    assert_eq!(
        causes(&read_bytes(&vec![0xff; 64 * 1024 * 1024], &ShellEnv::default())),
        [UnreadableReason::TooLong]
    );
}

#[test]
fn nesting_is_bounded() {
    let most = MAX_BYTES / 16;
    for unit in [
        "$(",
        "(",
        "((",
        "$((",
        "`",
        "\\`",
        "\"$(",
        "\"",
        "'",
        "{ ",
        "{",
        "{a,",
        "${x:-",
        "${x[",
        "$[",
        "<(",
        ">(",
        "if ",
        "while ",
        "for x in ",
        "case x in x) ",
        "[[ ",
        "[[ ( ",
        "x=(",
        "f() ",
        "function f ",
        "! ",
        "time ",
        "coproc ",
        "a|",
        "a&&",
        "<<a\n",
        "<<-a $(",
        "<",
        ">",
        "<<<",
        "<>",
        "&",
        "|",
        ";",
        ";;",
        ")",
        "}",
        "\\\n",
        "$'",
        "$\"",
        "?(",
        "a=$a$a;",
        "\n",
        "#",
        "~",
        "*",
        "[",
        "é$(",
        "<<a <<a ",
        "$((1+",
        "-",
        "$((-",
        "${",
        "${#",
        "${!",
        "${x/",
        "${x:",
        "f() { f; }; ",
        "for x in a; do ",
        "until a; do ",
        "select x in a; do ",
        "echo \"$(echo ",
        "{1..9}",
        "a[",
        "a[$(",
        "export a=",
        "{a,b}",
        "set -- \"$@\" \"$@\" x;",
        "x=$x$x$x$x;",
        "(a=1;",
        "a=1 && ",
        "{ a; } >x ",
    ] {
        for text in [
            unit.repeat(most),
            unit.repeat(MAX_BYTES / unit.len()),
            format!("{}x{}", unit.repeat(2000), ")".repeat(2000)),
        ] {
            quickly(text);
        }
    }
    for unit in ["$(", "(", "if ", "${x:-", "\"$("] {
        assert!(causes(&quickly(unit.repeat(1000))).contains(&UnreadableReason::TooDeep), "{unit}");
    }
    let closed = format!("{}rm x{}", "$(".repeat(1000), ")".repeat(1000));
    assert!(causes(&quickly(closed)).contains(&UnreadableReason::TooDeep));
    // More than the cap: not read at all.
    assert_eq!(causes(&quickly("$(".repeat(100_000))), [UnreadableReason::TooLong]);
}

#[test]
fn work_is_bounded() {
    let doubled = format!("x=aaaaaaaa;{}{}", "x=$x$x;".repeat(40), "echo $x;".repeat(4000));
    assert!(causes(&quickly(doubled)).contains(&UnreadableReason::TooMuch));
    let variables: String = (0..2000).map(|number| format!("v{number}=x;")).collect();
    quickly(format!("{variables}{}", "(a=1);".repeat(5000)));
    quickly(format!("{variables}{}", "if a; then b=1; fi;".repeat(2000)));
    quickly(format!("{{ {}}} {}", "a;".repeat(12_000), ">x ".repeat(10_000)));
    quickly(format!("{{ {}}} | {{ {}}}", "a;".repeat(12_000), "b;".repeat(12_000)));
    quickly(format!("x={};{}", "a".repeat(500), "echo ${x//a*b*c/x};".repeat(3000)));
    quickly(format!("{}\n", "for a in b; do for c in d; do e; done; done;".repeat(1400)));
    quickly(format!("{}{}", "f() { a=1; };".repeat(2000), "f;".repeat(10_000)));
}

#[test]
fn what_is_broken_is_said_and_the_rest_is_read() {
    for (text, cause, commands) in [
        ("rm -rf / ;; ls", UnreadableReason::Unexpected, 2),
        ("ls $(", UnreadableReason::OpenBracket, 1),
        ("echo \"abc", UnreadableReason::OpenQuote, 1),
        ("echo 'abc", UnreadableReason::OpenQuote, 1),
        ("echo `ls", UnreadableReason::OpenQuote, 2),
        ("if a; then rm x", UnreadableReason::OpenCommand, 2),
        ("while a; do rm x", UnreadableReason::OpenCommand, 2),
        ("{ rm x", UnreadableReason::OpenCommand, 1),
        ("(rm x", UnreadableReason::OpenCommand, 1),
        ("rm x; done", UnreadableReason::Unexpected, 1),
        ("rm x) ls", UnreadableReason::Unexpected, 2),
        ("a | | rm x", UnreadableReason::Unexpected, 2),
        ("a && ; rm x", UnreadableReason::Unexpected, 2),
        ("& rm x", UnreadableReason::Unexpected, 1),
        ("echo a (rm x)", UnreadableReason::Unexpected, 2),
        ("{ a; } rm x", UnreadableReason::Unexpected, 2),
        ("case x in a", UnreadableReason::OpenCommand, 0),
        ("echo ${x", UnreadableReason::OpenBracket, 1),
        ("cat <<$(ls)\nx", UnreadableReason::Unexpected, 1),
        ("$(cat <<E)\nx\nE", UnreadableReason::StrayDocument, 2),
        ("a >", UnreadableReason::Unexpected, 1),
        ("x=1; echo ${x@P}", UnreadableReason::Evaluated, 2),
        ("x='a[$(rm y)]'; echo $((x))", UnreadableReason::Evaluated, 2),
        ("x='a[$(rm y)]'; echo ${!x}", UnreadableReason::Evaluated, 2),
        ("set -k; ls a=b", UnreadableReason::Option, 2),
    ] {
        let script = read(text, &ShellEnv::default());
        assert!(causes(&script).contains(&cause), "{text:?} {:?}", script.opaque);
        assert!(script.commands.len() >= commands, "{text:?} {:#?}", script.commands);
    }
}

/// Real commands, to be changed at random.
fn corpus() -> Vec<String> {
    let lines = include_str!("../../../corpus/guard/commands.jsonl").lines();
    let command = |line| {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        case["command"].as_str().unwrap().to_owned()
    };
    lines.map(command).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_bytes(&bytes, &ShellEnv::default());
        read(&String::from_utf8_lossy(&bytes), &ShellEnv::default());
    }

    #[test]
    fn nothing_panics_on_shell_characters(text in r#"[a-c1=$(){}<>|&;'"`\\#!*?\[\]~+\-/:,%@ \n]{0,120}"#) {
        let script = read(&text, &ShellEnv::default());
        for command in &script.commands {
            prop_assert!(text.get(command.span.clone()).is_some());
            for word in &command.words {
                prop_assert!(text.get(word.span.clone()).is_some());
            }
        }
    }

    #[test]
    fn nothing_panics_on_changed_commands(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        remove in 0_usize..4,
        insert in r#"[a$(){}<>|&;'"`\\ \n]{0,3}"#,
    ) {
        let corpus = corpus();
        let mut chars: Vec<char> = which.get(&corpus).chars().collect();
        let at = at.index(chars.len() + 1);
        chars.splice(at..(at + remove).min(chars.len()), insert.chars());
        read(&chars.into_iter().collect::<String>(), &ShellEnv::default());
    }

    /// Readable text on lines of its own before a command hides nothing of it.
    #[test]
    fn a_line_in_front_hides_nothing(text in r#"[a-c1=$(){}<>|&;'"`\\#!*?~ ]{0,40}"#) {
        let script = read(&format!("{text}\nrm -rf /"), &ShellEnv::default());
        let seen = script.commands.iter().any(|command| {
            command.words.iter().filter_map(checkrein_shell::Word::constant).collect::<Vec<_>>() == ["rm", "-rf", "/"]
        });
        // It may be the text of a here-document, or a comment's line continued, but then the command in front holds it.
        let held = text.contains("<<") || text.ends_with('\\') || text.contains(['&', '|', '!', '\'', '"', '`', '(', '{']);
        prop_assert!(seen || held || !script.opaque.is_empty(), "{script:#?}");
    }
}
