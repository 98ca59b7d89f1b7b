//! Texts with holes: what is not known never changes how the text around it is read.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests"
)]

use checkrein_shell::{Input, Part, ShellEnv, Source, Unknown, UnknownSource, Word, quoted, read};

/// A source in which `@0`, `@1` and so on are holes that the caller knows by these numbers.
fn source(text: &str) -> Source {
    let mut source = Source::default();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('@') {
        source.push_text(before);
        let digit = after.chars().next().and_then(|char| char.to_digit(10)).expect("a digit after `@`");
        source.push_hole(Unknown::new(UnknownSource::Given(digit as usize)));
        rest = &after[1..];
    }
    source.push_text(rest);
    source
}

/// A word with `<n>` for a hole, `<n…>` for one that splits.
fn show(word: &Word) -> String {
    let part = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Glob(text) => format!("glob({text})"),
        Part::Unknown(Unknown { why: UnknownSource::Given(number), splits, .. }) => {
            format!("<{number}{}>", if *splits { "…" } else { "" })
        }
        Part::Unknown(unknown) => format!("{:?}", unknown.why),
    };
    word.parts.iter().map(part).collect()
}

fn commands(text: &str) -> Vec<Vec<String>> {
    let script = read(&source(text), &ShellEnv::default());
    assert!(script.opaque.is_empty(), "{text}: {:?}", script.opaque);
    script.commands.iter().map(|simple| simple.words.iter().map(show).collect()).collect()
}

#[test]
fn a_hole_is_a_part_of_the_word_around_it() {
    for (text, words) in [
        ("rm -rf @0", vec!["rm", "-rf", "<0…>"]),
        ("rm -rf @0/x", vec!["rm", "-rf", "<0…>/x"]),
        // A letter, a bracket or a quote next to a hole belongs to nothing in it.
        ("echo @0name", vec!["echo", "<0…>name"]),
        ("echo $@0", vec!["echo", "$<0…>"]),
        ("echo \\@0", vec!["echo", "<0>"]),
        ("echo a@0b@1c", vec!["echo", "a<0…>b<1…>c"]),
        ("echo \"@0\"", vec!["echo", "<0>"]),
        ("echo \"a @0 b\"", vec!["echo", "a <0> b"]),
        ("echo '@0'", vec!["echo", "<0>"]),
        ("echo 'a $x @0 `b`'", vec!["echo", "a $x <0> `b`"]),
        ("echo @0 # @1 not a word", vec!["echo", "<0…>"]),
        ("x=@0; echo \"$x\"", vec!["echo", "<0>"]),
        ("x=@0; echo $x", vec!["echo", "<0…>"]),
    ] {
        assert_eq!(commands(text).last().expect("a command"), &words, "{text}");
    }
}

#[test]
fn holes_keep_their_numbers_in_texts_that_are_read_by_themselves() {
    assert_eq!(
        commands("a @0 `b \\`c @1\\` @2` @3"),
        [
            vec!["c", "<1…>"],
            vec!["b", "Substitution([CommandId(0)])", "<2…>"],
            vec!["a", "<0…>", "Substitution([CommandId(1)])", "<3…>"],
        ]
    );
    assert_eq!(commands("a $(b @0) @1")[0], ["b", "<0…>"]);
    for (operator, end, text) in [
        ("<<E", "E", "one <0> Substitution([CommandId(0)])\n<1>\n"),
        ("<<-E", "\tE", "one <0> Substitution([CommandId(0)])\n<1>\n"),
        ("<<'E'", "E", "one <0> $(b)\n<1>\n"),
    ] {
        let text_of = format!("cat {operator}\none @0 $(b)\n@1\n{end}\nnext @2");
        let script = read(&source(&text_of), &ShellEnv::default());
        let cat = script.commands.iter().find(|simple| simple.words[0].lead() == "cat").expect("cat");
        let Input::Text(document) = &cat.stdin else { panic!("{text_of}: no document") };
        assert_eq!(show(&document.target), text, "{text_of}");
        assert_eq!(show(&script.commands.last().expect("next").words[1]), "<2…>", "{text_of}");
    }
}

#[test]
fn only_the_list_makes_a_hole() {
    let script = read("echo \u{fffc}", &ShellEnv::default());
    assert_eq!(script.commands[0].words[1].constant().as_deref(), Some("\u{fffc}"));
    let mut mixed = Source::from("echo \u{fffc}");
    mixed.push_hole(Unknown::new(UnknownSource::Given(0)));
    let script = read(&mixed, &ShellEnv::default());
    assert_eq!(show(&script.commands[0].words[1]), "\u{fffc}<0…>");
}

#[test]
fn a_hole_in_an_escape_makes_the_text_unknown() {
    for text in ["echo $'\\@0'", "echo $'a@0'", "echo $'\\x@041'"] {
        let script = read(&source(text), &ShellEnv::default());
        assert!(script.commands[0].words[1].is_unknown(), "{text}");
    }
}

#[test]
fn parts_of_a_source_keep_their_holes() {
    let whole = source("a @0; b @1 c; d @2");
    let at = whole.text().find("b ").expect("b");
    let end = whole.text().find("; d").expect("d");
    let part = checkrein_shell::SourceRef::from(&whole).get(at..end).expect("a part");
    assert_eq!(part, source("b @1 c"));
    let mut joined = source("x @3; ");
    joined.push_source(&part);
    assert_eq!(joined, source("x @3; b @1 c"));
    assert!(source(" @0\n@1 ").is_only_holes());
    assert!(!source("@0 x").is_only_holes());
}

#[test]
fn a_word_that_is_written_again_is_read_as_the_same_word() {
    for text in ["it's", "", "a b", "$x `y` \"z\"", "~", "-n"] {
        let mut source = Source::from("echo ");
        source.push_word(&Word::text(text, 0..0));
        let script = read(&source, &ShellEnv::default());
        assert_eq!(script.commands[0].words[1].constant().as_deref(), Some(text), "{text}");
        assert_eq!(read(&format!("echo {}", quoted(text)), &ShellEnv::default()).commands, script.commands);
    }
    let script = read(&source("x a@0\"@1\"*"), &ShellEnv::default());
    let word = &script.commands[0].words[1];
    let mut again = Source::from("x ");
    again.push_word(word);
    assert_eq!(show(&read(&again, &ShellEnv::default()).commands[0].words[1]), show(word));
}

#[test]
fn parameters_by_their_place_are_known_beforehand() {
    let words = |text: &str, setting: &ShellEnv| -> Vec<String> {
        read(text, setting).commands.last().expect("a command").words.iter().map(show).collect()
    };
    let setting = ShellEnv {
        zero: Some(Word::text("name", 0..0)),
        arguments: Some(vec![Word::text("a b", 0..0), Word::text("c", 0..0)]),
        ..ShellEnv::default()
    };
    assert_eq!(words("echo \"$0\" \"$1\" $#", &setting), ["echo", "name", "a b", "2"]);
    assert_eq!(words("echo \"$@\"", &setting), ["echo", "a b", "c"]);
    assert_eq!(
        words("shift; echo $1 ${0}x '$0' \"${1-d}${2-d}\"", &setting),
        ["echo", "c", "namex", "$0", "cd"]
    );
    assert_eq!(words("set -- z; echo $1 $0", &setting), ["echo", "z", "name"]);
    assert_eq!(words("echo $0$1", &ShellEnv::default()), ["echo", "Special(\"0\")Special(\"1\")"]);
}
