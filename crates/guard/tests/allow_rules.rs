//! Allow rules: everything of a call is covered, or nothing of it is.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[allow(dead_code, reason = "the other ways are for those who compare verdicts")]
mod spelling;
mod support;

use checkrein_core::Decision;
use checkrein_guard::{
    Action, Actions, AllowRule, CallContext, Judgement, NotAllowed, NotCoverable, Zone, Zones,
};
use proptest::prelude::*;
use spelling::{NESTINGS, WRAPPERS};
use support::{corpus, in_project};

fn allow(programs: &[&str]) -> AllowRule {
    AllowRule {
        line: 1,
        programs: programs.iter().map(|program| (*program).to_owned()).collect(),
        actions: AllowRule::ACTIONS,
        zones: AllowRule::ZONES,
        targets: Vec::new(),
    }
}

/// Commands that only read, and one that may write.
fn allow_rules() -> Vec<AllowRule> {
    let reading =
        &["cd *", "ls *", "cat *", "head *", "wc *", "grep *", "git status", "git log *", "just lint"];
    let writing =
        AllowRule { actions: Actions::of(&[Action::Read, Action::Write]), ..allow(&["tee *", "sort *"]) };
    vec![allow(reading), writing]
}

/// The form in which agents write the message of a commit: a constant, and everything that looks like it is not.
#[test]
fn a_quoted_here_document_is_a_constant() {
    let rules = [AllowRule {
        actions: Actions::of(&[Action::Read, Action::Write]),
        ..allow(&["git commit *", "ls *", "echo *", "cat *"])
    }];
    let asked = |text: &str| in_project(text).allowed(&rules, &place());
    for text in [
        "git commit -m \"$(cat <<'EOF'\nFix the parser\n\nIt read `rm -rf /` as $(text).\nEOF\n)\"",
        "git commit --message=\"$(cat <<'EOF'\nFix\nEOF\n)\"",
        "ls src && git commit -am \"$(cat <<'EOF'\nFix\nEOF\n)\"",
        "echo \"$(cat <<\"EOF\"\nhello\nEOF\n)\"",
    ] {
        assert_eq!(asked(text), Ok(()), "{text}");
    }
    for text in [
        // The text is not constant, or something else runs.
        "git commit -m \"$(cat <<EOF\n$(make)\nEOF\n)\"",
        "git commit -m \"$(cat <<EOF\n$X\nEOF\n)\"",
        "git commit -m \"$(cat <<'EOF' | make\nFix\nEOF\n)\"",
        "git commit -m \"$(cat <<'EOF'; make\nFix\nEOF\n)\"",
        "git commit -m \"$(cat - notes <<'EOF'\nFix\nEOF\n)\"",
        "git commit -m \"$(cat <<'EOF' > notes\nFix\nEOF\n)\"",
        "git commit -m \"$(X=1 cat <<'EOF'\nFix\nEOF\n)\"",
        "git commit -m \"$(bash <<'EOF'\nmake\nEOF\n)\"",
        "git commit -m \"$(cat notes)\"",
        "git commit -m \"$(cat <(cat <<'EOF'\nFix\nEOF\n))\"",
        // Without quotes it is several words, and some of them may be options.
        "git commit -m $(cat <<'EOF'\nFix --amend\nEOF\n)",
        "git commit \"$(cat <<'EOF'\n--amend\nEOF\n)\"",
        // The text is a path outside the project.
        "cat \"$(cat <<'EOF'\n/srv/data/x\nEOF\n)\"",
        "\"$(cat <<'EOF'\nmake\nEOF\n)\" src",
    ] {
        assert!(asked(text).is_err(), "{text}");
    }
}

fn place() -> CallContext {
    CallContext {
        cwd: Some("/home/dev/proj".into()),
        project: Some("/home/dev/proj".into()),
        ..CallContext::default()
    }
}

fn asked(text: &str) -> Result<(), NotAllowed> {
    allowed(&in_project(text))
}

fn allowed(judgement: &Judgement) -> Result<(), NotAllowed> {
    judgement.allowed(&allow_rules(), &place())
}

#[test]
fn what_is_covered_as_a_whole_is_allowed() {
    for text in [
        "ls",
        "ls -la src && git status",
        "cat src/a.rs | head -20 | wc -l",
        "cd src; ls; cd ..; git log --oneline -5",
        "grep -rn 'rm -rf' src || ls",
        "cat < notes.md",
        "ls 2>&1 | grep x >/dev/null",
        "sort -o sorted.txt names.txt",
        "ls | tee list.txt",
        "if ls; then cat a; fi",
        "(cd src && ls ./*.rs)",
        "timeout 10 ls src",
        "bash -lc 'ls src && cat x'",
        "just lint",
        "cat <<'END'\n$(x)\nEND",
    ] {
        assert_eq!(asked(text), Ok(()), "{text}");
    }
}

#[test]
fn what_is_not_is_not() {
    for (text, why) in [
        ("make", NotAllowed::Command(0)),
        ("ls; make", NotAllowed::Command(1)),
        ("ls | make", NotAllowed::Command(1)),
        ("bash -c 'ls; make'", NotAllowed::Command(2)),
        ("timeout 5 make", NotAllowed::Command(1)),
        ("command -v make; ls", NotAllowed::Command(0)),
        ("nice; ls", NotAllowed::Command(0)),
        ("bash script.sh", NotAllowed::Command(0)),
        ("bash -c 'ls' x y", NotAllowed::Command(0)),
        // A pattern is a whole command, and a program is not what has its name.
        ("git status --short", NotAllowed::Command(0)),
        ("git -C /srv/other status", NotAllowed::Command(0)),
        ("just lint deploy", NotAllowed::Command(0)),
        ("./ls", NotAllowed::Command(0)),
        ("/tmp/ls", NotAllowed::Command(0)),
        // A covered command that also does something else.
        ("ls > list.txt", NotAllowed::Effect(0)),
        ("ls >> list.txt", NotAllowed::Effect(0)),
        ("cat a > b", NotAllowed::Effect(0)),
        ("git log --output=x", NotAllowed::Effect(0)),
        ("tee /var/tmp/x < a", NotAllowed::Effect(1)),
        ("cat /srv/data/x", NotAllowed::Effect(0)),
        ("cat ../other/x", NotAllowed::Effect(0)),
        ("bash -c 'ls' > list.txt", NotAllowed::Effect(0)),
        // Somewhere else, another repository decides what runs.
        ("cd /srv/other && git status", NotAllowed::Directory(1)),
        // What depends on the run.
        ("ls $(cat a)", NotAllowed::NotCoverable(NotCoverable::Substitution)),
        ("ls `cat a`", NotAllowed::NotCoverable(NotCoverable::Substitution)),
        ("cat <(ls)", NotAllowed::NotCoverable(NotCoverable::Substitution)),
        ("ls | tee >(cat)", NotAllowed::NotCoverable(NotCoverable::Substitution)),
        ("bash -c 'ls $(cat a)'", NotAllowed::NotCoverable(NotCoverable::Substitution)),
        ("[[ -v 'a[$(make)]' ]] && ls", NotAllowed::NotCoverable(NotCoverable::Substitution)),
        ("[[ 'a[`make`]' -eq 1 ]] || ls", NotAllowed::NotCoverable(NotCoverable::Substitution)),
        ("(( 'a[$(make)]' )); ls", NotAllowed::NotCoverable(NotCoverable::Substitution)),
        ("[ 'a[$(make)]' -eq 1 ]; ls", NotAllowed::NotCoverable(NotCoverable::Substitution)),
        ("ls \"$X\"", NotAllowed::NotCoverable(NotCoverable::Variable)),
        ("$X", NotAllowed::NotCoverable(NotCoverable::Variable)),
        ("ls ${X:-a}", NotAllowed::NotCoverable(NotCoverable::Variable)),
        ("ls > $X", NotAllowed::NotCoverable(NotCoverable::Variable)),
        ("for f in a b; do cat $f; done", NotAllowed::NotCoverable(NotCoverable::Variable)),
        ("PAGER=x git log", NotAllowed::NotCoverable(NotCoverable::Assignment)),
        ("x=ls; ls", NotAllowed::NotCoverable(NotCoverable::Assignment)),
        ("ls() { make; }; ls", NotAllowed::NotCoverable(NotCoverable::Definition)),
        ("alias ls=make; ls", NotAllowed::NotCoverable(NotCoverable::Definition)),
        ("> ls", NotAllowed::NotCoverable(NotCoverable::Redirection)),
        ("ls *", NotAllowed::NotCoverable(NotCoverable::Pattern)),
        ("git log ?-output=x", NotAllowed::NotCoverable(NotCoverable::Pattern)),
        // Nothing to allow.
        ("", NotAllowed::NoCommand),
        ("# ls", NotAllowed::NoCommand),
        ("ls '", NotAllowed::Objection),
        ("cat .env", NotAllowed::Objection),
    ] {
        assert_eq!(asked(text), Err(why), "{text}");
    }
}

/// An allow rule is about its own commands: that another may write does not let this one.
#[test]
fn an_effect_belongs_to_its_command() {
    assert_eq!(asked("tee a < b"), Ok(()));
    assert_eq!(asked("tee a < b; ls > a"), Err(NotAllowed::Effect(2)));
    let anywhere = AllowRule { zones: Zones::of(&[Zone::System]), ..allow(&["cat *"]) };
    assert_eq!(in_project("cat /etc/hostname").allowed(std::slice::from_ref(&anywhere), &place()), Ok(()));
    assert!(in_project("cat notes").allowed(&[anywhere], &place()).is_err());
}

/// Effects do not keep what an option told the evaluator, and an allow rule still does not cover it.
#[test]
fn an_option_that_decodes_or_hides_is_not_covered() {
    let all = Actions::of(&[Action::Read, Action::Write, Action::Create, Action::Delete, Action::Run]);
    let rule = AllowRule {
        actions: all,
        ..allow(&["base64 *", "gzip *", "cp *", "tar *", "grep *", "firejail *", "cat *"])
    };
    let asked = |text: &str| in_project(text).allowed(std::slice::from_ref(&rule), &place());
    let option = Err(NotAllowed::NotCoverable(NotCoverable::Option));
    for (text, expected) in [
        ("base64 -d -o plain.txt notes.txt", option),
        ("base64 -o plain.txt notes.txt", Ok(())),
        ("gzip -d -o plain.txt notes.gz", option),
        ("gzip -o notes.gz notes", Ok(())),
        // Flags that only say which word is which.
        ("cp -t docs notes.txt", Ok(())),
        ("cp -T notes.txt docs/notes.txt", Ok(())),
        ("grep -e x notes.txt", Ok(())),
    ] {
        assert_eq!(asked(text), expected, "{text}");
    }
}

/// The parameters of a text are words of the call, so they are known; what they expand to is covered like any other word.
#[test]
fn parameters_of_a_text_are_covered_by_what_they_are() {
    let rule = AllowRule {
        actions: Actions::of(&[Action::Read, Action::Delete]),
        ..allow(&["bash *", "sh *", "rm *", "cat *", "ls *", "echo *", "eval *"])
    };
    let asked = |text: &str| in_project(text).allowed(std::slice::from_ref(&rule), &place());
    for (text, covered) in [
        ("bash -c 'rm -rf \"$0\"' ./build", true),
        ("bash -c 'echo \"$1\"' /home/dev ./build", true),
        ("bash -c 'rm -rf \"$1\"' name ./build /home/dev", true),
        ("sh -c 'cat \"$@\"' _ a b", true),
        ("sh -c 'echo \"$1\"' _ 'rm -rf /usr'", true),
        // It is not set, so it is empty.
        ("bash -c 'cat \"$2\"' _ a", true),
        // What they are is not covered, or not known.
        ("bash -c '\"$@\"' _ make", false),
        ("bash -c 'eval \"$1\"' _ make", false),
        ("bash -c 'cat $1' _ '*'", false),
        ("bash -c 'cat $1' _ \"$X\"", false),
        ("bash -c 'cat $1' _ 'a /srv/data/x'", false),
        ("bash -c 'shift; cat \"$1\"' _ a /srv/data/x", false),
        ("bash -c 'set -- /srv/data/x; cat \"$1\"' _ a", false),
        ("bash -c 'cat > $1' _ a", false),
    ] {
        assert_eq!(asked(text).is_ok(), covered, "{text}: {:?}", asked(text));
    }
}

/// An objection that was suppressed is not a reason to skip the question.
#[test]
fn nothing_is_allowed_that_a_rule_was_about() {
    let judgement = in_project("ls");
    let mut suppressed = judgement.clone();
    suppressed.suppressed = in_project("git push --force origin topic")
        .findings
        .into_iter()
        .map(|finding| checkrein_guard::Suppressed {
            finding,
            by: checkrein_guard::Exception {
                line: 1,
                authority: checkrein_guard::Authority::User,
                rules: Vec::new(),
                programs: Vec::new(),
                targets: Vec::new(),
                directories: Vec::new(),
                reason: String::new(),
                until: None,
            },
        })
        .collect();
    assert_eq!(allowed(&judgement), Ok(()));
    assert_eq!(allowed(&suppressed), Err(NotAllowed::Objection));
}

#[test]
fn no_allow_rules_cover_nothing() {
    assert_eq!(in_project("ls").allowed(&[], &place()), Err(NotAllowed::Command(0)));
    let nowhere = CallContext::default();
    assert_eq!(in_project("ls").allowed(&allow_rules(), &nowhere), Err(NotAllowed::Directory(0)));
}

/// Commands of the corpus that are dangerous or risky are allowed by no rule, whatever programs it names.
#[test]
fn an_allow_of_every_program_covers_no_danger() {
    let mut tried = 0;
    for case in corpus().into_iter().filter(|case| case.expect >= Decision::Ask) {
        let judgement = in_project(&case.command);
        let programs: Vec<String> = judgement
            .ran
            .iter()
            .filter_map(|ran| ran.words.first())
            .filter(|name| !name.contains(['*', '?', '[']) && !name.trim().is_empty())
            .map(|name| format!("{name} *"))
            .collect();
        let every = AllowRule {
            programs,
            actions: Actions::of(Action::ALL),
            zones: Zones::of(Zone::ALL),
            ..allow(&[])
        };
        tried += 1;
        assert!(judgement.allowed(&[every], &place()).is_err(), "{}: {}", case.id, case.command);
    }
    assert!(tried > 100);
}

/// A part of a text, and whether the allow rules cover it.
#[derive(Clone, Copy, Debug)]
struct Piece {
    text: &'static str,
    covered: bool,
}

const fn piece(text: &'static str, covered: bool) -> Piece {
    Piece { text, covered }
}

const COMMANDS: &[Piece] = &[
    piece("ls", true),
    piece("ls -la src", true),
    piece("cat 'src/a b.rs'", true),
    piece("git status", true),
    piece("git log -3", true),
    piece("grep -n \"x; make\" src", true),
    piece("wc -l a.rs", true),
    piece("nice ls", true),
    piece("bash -c 'ls; cat a'", true),
    piece("make", false),
    piece("npm test", false),
    piece("./ls", false),
    piece("git status -s", false),
    piece("env ls", false),
    piece("bash -c 'ls; make'", false),
    piece("nice make", false),
    piece("$LS", false),
    piece("l$S -a", false),
    piece("X=1 ls", false),
    piece("eval ls", false),
    piece("ls | xargs rm", false),
    piece("find . -exec cat {} ';'", false),
];

const ENDS: &[Piece] = &[
    piece("", true),
    piece("", true),
    piece(" 2>&1", true),
    piece(" > /dev/null", true),
    piece(" < notes.md", true),
    piece(" > out.txt", false),
    piece(" 2>> errors.log", false),
    piece(" &> all.log", false),
    piece(" < /srv/other", false),
    piece(" > \"$OUT\"", false),
    piece(" $(ls)", false),
    piece(" \"`ls`\"", false),
    piece(" <(ls)", false),
    piece(" \"$DIR/x\"", false),
    piece(" $((x))", false),
    piece(" *", false),
];

const JOINTS: &[&str] = &["; ", " && ", " || ", " | ", "\n", " & "];

fn pieces() -> impl Strategy<Value = Vec<(Piece, Piece, &'static str)>> {
    let one = (prop::sample::select(COMMANDS), prop::sample::select(ENDS), prop::sample::select(JOINTS));
    prop::collection::vec(one, 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// One command, redirection or substitution that is not covered, and nothing is allowed, whatever is around it.
    #[test]
    fn one_uncovered_part_is_enough(parts in pieces(), wrapper in 0..WRAPPERS.len(), nesting in 0..NESTINGS.len()) {
        let mut text = String::new();
        for (index, (command, end, joint)) in parts.iter().enumerate() {
            text += if index == 0 { "" } else { joint };
            text += command.text;
            text += end.text;
        }
        // An exact command has no room for further words.
        let fits = |(command, end, _): &(Piece, Piece, &str)| {
            command.covered && end.covered
        };
        let covered = parts.iter().all(fits);
        prop_assert_eq!(asked(&text).is_ok(), covered, "{:?}: {}", asked(&text), text);
        if !covered {
            for way in [WRAPPERS[wrapper], NESTINGS[nesting]] {
                if let Some(other) = way(&text) {
                    prop_assert!(asked(&other).is_err(), "{}", other);
                }
            }
        }
    }
}

/// An option that reads, runs or changes something is not a part of what a plain allow rule is about.
#[test]
fn options_that_read_run_or_change_are_effects_of_their_own() {
    let programs = [
        "wc *",
        "du *",
        "sort *",
        "sha256sum *",
        "sed *",
        "awk *",
        "gawk *",
        "date *",
        "hostname *",
        "git *",
        "openssl *",
        "ssh-keygen *",
        "fzf *",
        "hwclock *",
        "timedatectl *",
        "split *",
        "rg *",
        "jq *",
    ];
    let allow_rules = [allow(&programs)];
    let asked = |text: &str| in_project(text).allowed(&allow_rules, &place());
    for text in [
        "wc --files0-from=../.ssh/id_rsa",
        "wc --files0-from ../other/list",
        "du --files0-from=/srv/list",
        "du -X ../list src",
        "sort --files0-from=../names",
        "sha256sum --files0-from=../names",
        "sed -f x.sed a.txt",
        "sed -nf x.sed a.txt",
        "sed -fx.sed a.txt",
        "sed --file=x.sed a.txt",
        "sed --fil x.sed a.txt",
        "awk -f x.awk a.txt",
        "awk -fx.awk a.txt",
        "gawk --file=x.awk a.txt",
        "date -s 12:00",
        "date --set=12:00",
        "date -s12:00",
        "date --se '2030-01-01'",
        "date 010112002030",
        "date -u 010112002030.15",
        "hostname other",
        "hostname -F name",
        "hwclock --set --date=12:00",
        "hwclock -w",
        "timedatectl set-time 12:00",
        "git remote set-url origin https://example.org/x",
        "git remote add up https://example.org/x",
        "git remote rename origin old",
        "openssl engine ./x.so",
        "openssl engine -t /srv/x.so",
        "openssl enc -engine ./x.so -in a",
        "ssh-keygen -D ./x.so",
        "ssh-keygen -D/srv/x.so",
        "ssh-keygen -w ./x.so -t ed25519-sk",
        "fzf --preview ./x",
        "fzf --preview='./x {}'",
        "fzf --bind 'enter:execute(./x)'",
        "sort --compress-program=./x a",
        "split --filter=./x a",
        "rg --pre ./x y",
    ] {
        assert!(asked(text).is_err(), "{text}: {:?}", in_project(text).effects);
    }
    for text in [
        "wc -l src/a.rs",
        "du -sh src",
        "sort -u names.txt",
        "sed -n 's/a/b/p' a.txt",
        "sed -ne 5p a.txt",
        "awk '{ print $1 }' a.txt",
        "date",
        "date +%F",
        "date -u +%Y%m%d",
        "date -d '2 days ago' +%s",
        "date -j 010112002030 +%s",
        "hostname",
        "hostname -f",
        "hwclock --show",
        "timedatectl status",
        "git remote -v",
        "git remote get-url origin",
        "git status --short",
        "openssl version",
        "ssh-keygen -lf key.pub",
        "fzf -q x",
        "rg -n x src",
    ] {
        assert_eq!(asked(text), Ok(()), "{text}: {:?}", in_project(text).effects);
    }
}

/// Permits and the ends of exceptions follow the clock, so setting it is asked about, with and without `sudo`.
#[test]
fn to_set_the_clock_is_asked_about() {
    for text in [
        "date -s 12:00",
        "date --set='2030-01-01'",
        "date 010112002030",
        "timedatectl set-time 12:00",
        "timedatectl set-ntp false",
        "timedatectl set-timezone UTC",
        "hwclock --set --date=12:00",
        "hwclock --hctosys",
        "ntpdate pool.example.org",
        "chronyc makestep",
        "systemsetup -setdate 01:01:30",
    ] {
        for wrapped in [
            text.to_owned(),
            format!("sudo {text}"),
            format!("env LC_ALL=C {text}"),
            format!("sh -c '{}'", text.replace('\'', "\"")),
            format!("nohup {text} &"),
            format!("ls && {text}"),
        ] {
            assert_eq!(in_project(&wrapped).decision, Decision::Ask, "{wrapped}");
        }
    }
    for text in [
        "date",
        "date +%s",
        "date -d @0",
        "date -Iseconds",
        "date -r notes.md",
        "timedatectl",
        "hwclock -r",
        "ntpdate -q x",
        "chronyc sources",
        "hostname",
        "hostname -I",
        "x=$(date +%Y%m%d); echo $x",
        "date \"+%Y-%m-%d %H:%M\"",
    ] {
        assert_eq!(in_project(text).decision, Decision::Abstain, "{text}");
    }
}
