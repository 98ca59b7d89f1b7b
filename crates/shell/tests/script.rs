//! The commands of a text, their places, and the data that flows between them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_shell::{
    Input, Nesting, Output, RedirectKind, Runs, Script, ShellEnv, SimpleCommand, Word, read,
};

fn text(word: &Word) -> String {
    word.pattern().unwrap_or_else(|| "?".to_owned())
}

fn words(command: &SimpleCommand) -> String {
    command.words.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn script(text: &str) -> Script {
    let script = read(text, &ShellEnv::default());
    assert!(script.opaque.is_empty(), "{text:?} {:?}", script.opaque);
    script
}

fn find<'a>(script: &'a Script, wanted: &str) -> &'a SimpleCommand {
    script
        .commands
        .iter()
        .find(|command| words(command) == wanted)
        .unwrap_or_else(|| panic!("{wanted}: {script:#?}"))
}

/// Each text runs `rm x`, and nothing that follows is hidden by it.
#[test]
fn commands_are_found_everywhere() {
    for around in [
        "R",
        "R;",
        "R\n",
        "a; R",
        "a\nR",
        "a & R",
        "a && R",
        "a || R",
        "a | R",
        "a |& R",
        "! R",
        "time R",
        "time -p R",
        "time { R; }",
        "time (R)",
        "coproc R",
        "coproc N { R; }",
        "coproc { R; }",
        "(R)",
        "((R); b)",
        "{ R; }",
        "if R; then a; fi",
        "if a; then R; fi",
        "if a; then b; elif R; then c; fi",
        "if a; then b; elif c; then R; fi",
        "if a; then b; else R; fi",
        "while R; do a; done",
        "while a; do R; done",
        "until a; do R; done",
        "for i in a; do R; done",
        "for i in $(R); do a; done",
        "for i; do R; done",
        "for ((i=0;i<3;i++)); do R; done",
        "for ((i=$(R);i<3;i++)); do a; done",
        "for i in a\ndo\nR\ndone",
        "select i in a; do R; done",
        "case x in a) R;; esac",
        "case x in (a|b) c;; *) R; esac",
        "case $(R) in a) b;; esac",
        "case x in $(R)) b;; esac",
        "case x in a) b;& *) R;;& esac",
        "f() { R; }",
        "f () (R)",
        "function f { R; }",
        "function f() { R; }",
        "f() { R; } >log",
        "function f\n{\nR\n}",
        "echo $(R)",
        "echo \"$(R)\"",
        "echo `R`",
        "echo \"`R`\"",
        "echo `echo \\`R\\``",
        "echo \"a $(echo \"$(R)\")\"",
        "$(R)",
        "a <(R)",
        "a >(R)",
        "a < <(R)",
        "echo ${x:-$(R)}",
        "echo \"${x:=`R`}\"",
        "echo ${x#$(R)} ",
        "echo ${x/$(R)/b}",
        "echo ${x/a/$(R)}",
        "echo ${x:$(R)}",
        "echo ${x:1:$(R)}",
        "echo ${x[$(R)]}",
        "echo $(($(R)+1))",
        "echo $[$(R)]",
        "((x=$(R)))",
        "[[ $(R) == a ]]",
        "[[ a =~ ^(b|$(R))$ ]]",
        "[[ -f a && ( $(R) || b ) ]]",
        "[ \"$(R)\" ]",
        "x=$(R)",
        "x=$(R) a",
        "x=(a $(R))",
        "x[$(R)]=a",
        "export x=$(R)",
        "declare -a x=(\"$(R)\")",
        "local x=`R`",
        "a > \"$(R)\"",
        "a <<< $(R)",
        "a <<E\n$(R)\nE",
        "a <<-E\n\t`R`\n\tE",
        "a <<E <<'F'\n$(R)\nE\n$(b)\nF",
        "{ a; } <<E\n$(R)\nE",
        "cat <<E | b\n$(R)\nE",
        "x=1 R",
        "<a R",
        ">a R",
        "2>&1 R",
        "R #a",
        "#a\nR",
        "a 'b\nc'; R",
        "a \"b\n#\"; R",
        "a \\\n; R",
        "cat <<'E'\nq\nE\nR",
        "cat <<E; R\nq\nE",
        "cat <<E && R\nq\nE",
        "cat <<\\E\n$(\nE\nR",
        "a & { R; }",
        "if a; then R; fi | b",
        "while a; do R; done < f | b",
        "! (a; R)",
        "a=b; R",
        "a{1,2}$(R)",
        "echo \"${x:-\"$(R)\"}\"",
        "echo ${x:-${y:-$(R)}}",
        "{ { { R; }; }; }",
        "eval a; R",
        "set -e; R",
        "echo $(case x in a) R;; esac)",
        "echo $(cat <<E\n)\nE\nR)",
        "echo $(# )\nR)",
        "a\r\nR",
        "R&",
        "R|a",
        "R>f",
        "(R)>f",
        "R<<E\nE",
    ] {
        let text = around.replace('R', "rm x");
        find(&script(&text), "rm x");
    }
}

#[test]
fn text_is_not_run() {
    for text in [
        "# rm x",
        "echo a # rm x",
        "echo 'rm x'",
        "echo '$(rm x)'",
        "echo \"\\$(rm x)\"",
        "cat <<'E'\n$(rm x)\nE",
        "cat <<\"E\"\nrm x\nE",
        "cat <<E\nrm x\nE",
        "echo \\`rm x\\`",
        "x='rm x'",
        "x=(rm x)",
        "echo rm x",
        "cat <<E\n\\$(rm x)\nE",
        "case a in rm) b;; esac",
        "[[ rm == x ]]",
        "for i in rm x; do a; done",
    ] {
        let script = script(text);
        assert!(!script.commands.iter().any(|command| words(command) == "rm x"), "{text} {script:#?}");
    }
}

#[test]
fn places_are_kept() {
    let script =
        script("a; b && c; if d; then e; fi; while f; do g; done; (h); echo $(i); f() { j; }; k & l | m");
    let place = |name: &str| {
        let command = find(&script, name);
        (command.within.to_vec(), command.runs)
    };
    assert_eq!(place("a"), (vec![], Runs::Always));
    assert_eq!(place("b"), (vec![], Runs::Always));
    assert_eq!(place("c"), (vec![Nesting::Branch], Runs::Maybe));
    assert_eq!(place("d"), (vec![Nesting::Condition], Runs::Always));
    assert_eq!(place("e"), (vec![Nesting::Branch], Runs::Maybe));
    assert_eq!(place("f"), (vec![Nesting::Condition], Runs::Always));
    assert_eq!(place("g"), (vec![Nesting::Loop], Runs::Maybe));
    assert_eq!(place("h"), (vec![Nesting::Subshell], Runs::Always));
    assert_eq!(place("i"), (vec![Nesting::Substitution], Runs::Always));
    assert_eq!(place("j"), (vec![Nesting::Function("f".into())], Runs::Maybe));
    assert_eq!(place("k"), (vec![Nesting::Background], Runs::Always));
    assert_eq!(place("l"), (vec![Nesting::Pipeline], Runs::Always));
}

#[test]
fn pipes_connect() {
    let script = script("cat f | { tr a b; x; } | sh > out");
    let index = |name: &str| script.commands.iter().position(|command| words(command) == name).unwrap();
    let ids = |ids: &[checkrein_shell::CommandId]| ids.iter().map(|id| id.index()).collect::<Vec<_>>();
    let Output::Pipe(to) = &find(&script, "cat f").stdout else { panic!() };
    assert_eq!(ids(to), [index("tr a b"), index("x")]);
    let Input::Pipe(from) = &find(&script, "sh").stdin else { panic!() };
    assert_eq!(ids(from), [index("tr a b"), index("x")]);
    let Output::File(file) = &find(&script, "sh").stdout else { panic!() };
    assert_eq!(text(&file.target), "out");
}

#[test]
fn input_texts_arrive() {
    for (text, wanted) in [
        ("bash <<E\nrm x\nE", "rm x\n"),
        ("bash <<'E'\nrm $x\nE", "rm $x\n"),
        ("bash <<-E\n\trm x\n\tE", "rm x\n"),
        ("x=rm; bash <<E\n$x \"y\"\nE", "rm \"y\"\n"),
        ("bash <<< 'rm x'", "rm x"),
        ("bash 2>&1 <<< rm\\ x", "rm x"),
        ("{ bash; } <<< 'rm x'", "rm x"),
        ("bash <<E\na\\\nb\nE", "ab\n"),
        // A continued line is not looked at for the delimiter, unless nothing continues.
        ("bash <<E\na\\\nE\nb\nE", "aE\nb\n"),
        ("bash <<'E'\na\\\nE\nb", "a\\\n"),
        ("bash <<E\nno end", "no end"),
        ("a <<A | bash <<B\n1\nA\n2\nB", "2\n"),
    ] {
        let script = script(text);
        let Input::Text(found) = &find(&script, "bash").stdin else { panic!("{text} {script:#?}") };
        assert_eq!(found.target.constant().as_deref(), Some(wanted), "{text}");
    }
}

#[test]
fn redirections_are_kept() {
    use RedirectKind as Is;
    let kinds = |text: &str| {
        let script = script(text);
        let command = script.commands.last().unwrap();
        let all = command.redirects.iter().chain(&command.inherited);
        all.map(|redirect| (redirect.descriptor, redirect.kind, self::text(&redirect.target)))
            .collect::<Vec<_>>()
    };
    let row = |descriptor, kind, target: &str| (descriptor, kind, target.to_owned());
    assert_eq!(kinds("> /etc/passwd"), [row(None, Is::Write, "/etc/passwd")]);
    assert_eq!(
        kinds("a >|f 2>>g <>h &>i &>>j"),
        [
            row(None, Is::Write, "f"),
            row(Some(2), Is::Append, "g"),
            row(None, Is::ReadWrite, "h"),
            row(None, Is::WriteBoth, "i"),
            row(None, Is::AppendBoth, "j"),
        ]
    );
    assert_eq!(
        kinds("a >&2 2>&- >&f 3<&0 {x}>g"),
        [
            row(None, Is::DuplicateOutput, "2"),
            row(Some(2), Is::DuplicateOutput, "-"),
            row(None, Is::WriteBoth, "f"),
            row(Some(3), Is::DuplicateInput, "0"),
            row(Some(u32::MAX), Is::Write, "g"),
        ]
    );
    assert_eq!(kinds("ls >out x >out2 y"), [row(None, Is::Write, "out"), row(None, Is::Write, "out2")]);
    assert_eq!(kinds("{ { a; } >f; } >g"), [row(None, Is::Write, "f"), row(None, Is::Write, "g")]);
    assert_eq!(kinds("echo 2 >f"), [row(None, Is::Write, "f")]);
    assert_eq!(kinds("D=/etc; a >$D/x"), [row(None, Is::Write, "/etc/x")]);
    assert_eq!(find(&script("ls >out x >out2 y"), "ls x y").words.len(), 3);
}

#[test]
fn definitions_are_kept() {
    let found = script("alias g=rm h='rm -rf'; f() { rm \"$@\"; a; }; f /");
    let aliases: Vec<_> =
        found.aliases.iter().map(|alias| (alias.name.as_str(), text(&alias.value))).collect();
    assert_eq!(aliases, [("g", "rm".to_owned()), ("h", "rm -rf".to_owned())]);
    let [function] = found.functions.as_slice() else { panic!() };
    assert_eq!((function.name.as_str(), function.body.len()), ("f", 2));
    let assignment = &script("PATH=/x:$PATH A= git status").commands[0].assignments;
    assert_eq!(assignment[0].0, "PATH");
    assert_eq!(assignment[0].1.starts_with_unknown(), None);
    assert_eq!(assignment[1].1.constant().as_deref(), Some(""));
}

#[test]
fn values_of_a_loop_are_known() {
    use checkrein_shell::Candidates;
    let found = script("for d in /etc ~ '$x'; do rm -rf $d; done");
    let word = &found.commands.last().unwrap().words[2];
    let unknown = word.starts_with_unknown().unwrap();
    let Candidates::TheseOrAnything(values) = &unknown.among else { panic!("{unknown:?}") };
    assert_eq!(values.iter().map(text).collect::<Vec<_>>(), ["/etc", "?", "$x"]);
}

#[test]
fn what_happens_to_watched_variables_is_noted() {
    use checkrein_shell::{ANY, Watched, read_watching};
    for (text, name, expected) in [
        ("KEPT=a; x", "KEPT", Some("a")),
        ("export KEPT=a; KEPT=b; x", "KEPT", Some("b")),
        ("{ unset KEPT; }; x", "KEPT", Some("unset")),
        (": ${KEPT:=c}; x", "KEPT", Some("c")),
        ("KEPT=$(date); x", "KEPT", Some("unknown")),
        ("read KEPT; x", "KEPT", Some("lost")),
        ("declare $n=1; x", ANY, Some("lost")),
        ("(KEPT=a); x", "KEPT", None),
        ("OTHER=a; x", "OTHER", None),
        ("echo KEPT=a; x", "KEPT", None),
    ] {
        let noted = |script: Script| {
            let watched = script.commands.last().and_then(|last| last.watched.clone());
            watched.and_then(|watched| watched.get(name).cloned()).map(|watched| match watched {
                Watched::To(word) => word.constant().map_or("unknown".to_owned(), |text| text.into_owned()),
                Watched::Lost => "lost".to_owned(),
                Watched::Unset => "unset".to_owned(),
            })
        };
        let script = read_watching(text, &ShellEnv::default(), |name| name == "KEPT");
        assert_eq!(noted(script).as_deref(), expected, "{text}");
        if name != ANY {
            assert_eq!(noted(read(text, &ShellEnv::default())), None, "{text}: nobody watches");
        }
    }
}
