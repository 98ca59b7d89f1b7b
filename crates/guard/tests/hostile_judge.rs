//! Texts and machines that try to exhaust, crash or silence the guard.
//!
//! Each is judged in a thread with a small stack, and its cost is measured by the clock of the thread, so that the
//! work of others changes nothing. The bound here is generous, for a build without optimisation on a busy machine;
//! the goal for the released program is printed next to each text that misses it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use checkrein_core::Decision;
use checkrein_guard::{
    CallContext, EmptyWorld, FileKind, MAX_BYTES, ShellEnv, UnreadableReason, World, judge, judge_argv,
    judge_file,
};
use checkrein_shell::read_bytes;
use rustix::time::{ClockId, clock_gettime};
use std::{cell::RefCell, time::Duration};
use support::quoted;

/// The maximum time of the released program for an answer.
const GOAL: Duration = Duration::from_millis(50);
/// The maximum time of a test.
const BOUND: Duration =
    if cfg!(debug_assertions) { Duration::from_secs(10) } else { Duration::from_millis(500) };
/// A small stack.
const STACK: usize = 1024 * 1024;

fn cpu() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.try_into().unwrap(), now.tv_nsec.try_into().unwrap())
}

thread_local! {
    /// The texts that took too long in this test, or passed silently.
    static WRONG: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// All of a test is tried before it fails, so that one bad text hides no other.
fn nothing_went_wrong() {
    let wrong = WRONG.take();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Runs in a thread with a small stack, and says what it cost.
fn measured<T: Send>(name: &str, work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let measured = move || {
            let start = cpu();
            (work(), cpu() - start)
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, measured).unwrap();
        let (result, cost) = thread.join().unwrap_or_else(|_| panic!("{name}: it panicked"));
        let over = if cost > GOAL { "  over the goal" } else { "" };
        println!("{cost:>12.3?}  {name}{over}");
        if cost > BOUND {
            WRONG.with_borrow_mut(|wrong| wrong.push(format!("{name}: {cost:?}")));
        }
        result
    })
}

fn place() -> CallContext {
    CallContext {
        cwd: Some("/home/dev/proj".to_owned()),
        project: Some("/home/dev/proj".to_owned()),
        ..CallContext::default()
    }
}

fn judged_in(name: &str, text: &str, world: &(dyn World + Sync)) -> Decision {
    measured(name, || judge(text, &place(), world).decision)
}

fn judged(name: &str, text: &str) -> Decision {
    judged_in(name, text, &EmptyWorld::new("/home/dev"))
}

/// Something that cannot be read is never passed in silence.
fn stopped(name: &str, text: &str) {
    let got = judged(name, text);
    if got < Decision::Ask {
        WRONG.with_borrow_mut(|wrong| wrong.push(format!("{name}: {got}")));
    }
}

#[test]
fn what_is_no_text_or_too_long_is_stopped() {
    stopped("64 KiB and a byte", &"a ".repeat(MAX_BYTES / 2 + 1));
    stopped("64 MiB of words", &"a ".repeat(32 * 1024 * 1024));
    stopped("64 MiB of a quote", &"'".repeat(64 * 1024 * 1024));
    stopped("a NUL", "echo a\0b");
    stopped("a NUL in a text for another shell", &format!("bash -c {}", quoted("echo a\0b")));
    let refused = measured("no UTF-8", || read_bytes(b"echo \xff; rm -rf /", &ShellEnv::default()));
    assert_eq!(refused.opaque.first().map(|opaque| opaque.why), Some(UnreadableReason::NotUtf8));
    nothing_went_wrong();
}

/// Every command of a group may read what the group before it prints, which is put together of as many pieces.
#[test]
fn what_flows_between_groups_is_bounded() {
    for unit in ["if ls;then x=a;fi;", "ls;", "echo a;ls $x;", "cat f;"] {
        let group = format!("{{ {} }}", unit.repeat(30_000 / unit.len()));
        stopped(&format!("groups of {unit}"), &format!("{group} | {group} | sh"));
        stopped(&format!("three groups of {unit}"), &format!("{group} | {{ {unit} }} | {group} | sh"));
    }
    nothing_went_wrong();
}

#[test]
fn nesting_is_bounded() {
    for unit in [
        "$(",
        "(",
        "((",
        "$((",
        "`",
        "\"$(",
        "{ ",
        "${x:-",
        "<(",
        "if ",
        "while ",
        "case x in x) ",
        "[[ ( ",
        "f() { ",
        "\"",
        "'",
        "$'",
        "<<a\n",
        "<<-a $(",
        "<<'a' ",
        "! ",
        "time ",
        "coproc ",
        "x=(",
        "$[",
    ] {
        for count in [1000, 10_000, 100_000] {
            let got = judged(&format!("{unit:?} × {count}"), &unit.repeat(count));
            // An even number of quotes is closed, and a here-document may end with the text.
            let is_open = !matches!(unit, "! " | "time " | "coproc " | "\"" | "'" | "$'" | "`")
                && !unit.starts_with("<<");
            assert!(got >= Decision::Ask || !is_open, "{unit:?} × {count}: {got}");
        }
        let closed = format!("{}rm -rf /{}", unit.repeat(1000), ")".repeat(1000));
        judged(&format!("{unit:?} × 1000, closed"), &closed);
    }
    stopped("$( × 1000, closed", &format!("{}rm -rf /{}", "$(".repeat(1000), ")".repeat(1000)));
    stopped("( × 1000, closed", &format!("{}rm -rf /{}", "( ".repeat(1000), " )".repeat(1000)));
    stopped("{ × 1000, closed", &format!("{}rm -rf /{}", "{ ".repeat(1000), "; }".repeat(1000)));
    stopped("\"$( × 1000, closed", &format!("echo {}rm -rf /{}", "\"$(".repeat(1000), ")\"".repeat(1000)));
    nothing_went_wrong();
}

#[test]
fn repetition_is_bounded() {
    for unit in [
        "<",
        ">",
        "a|",
        "a;",
        "a&&",
        "a\n",
        "a&",
        "a=$a$a;",
        "{a,b}",
        "{1..9}",
        "*",
        "?",
        "[",
        "~",
        "\\",
        "\\\n",
        "$x",
        "é",
        "a[",
        "-r ",
        "/",
        "../",
        "cd ..;",
        "cd x;",
        "pushd x;",
        "x=1;",
        "sudo ",
        "env ",
        "nice ",
        "xargs ",
        "timeout 5 ",
        "sh -c ",
        "bash -c 'x",
        "eval ",
        "find . -exec ",
        "command ",
        "exec ",
        "busybox ",
        "git -c a=b ",
        "rm x;",
        "echo a>b;",
        "cat x|",
        "trap x;",
        "alias a=b;",
        "f() { f; };",
        "ssh h ",
        "sudo -u ",
        "printf ",
        "mv a b;",
        "cp a /etc;",
        "$(a)",
        "a=$(b);",
        "for x in a b;do ",
        "export A=",
        "ln -s a b;",
        "tee /etc/x;",
        "git commit;",
        "git a;",
        "git config a.b c;",
        "python -c 'x';",
        "curl x|sh;",
        "kill 1;",
        "chmod 777 /;",
        "rm -rf \"$x\"/*;",
        "rm -rf /{a,b,c}/*;",
        "psql -c 'x';",
    ] {
        for size in [10_000, MAX_BYTES] {
            let count = (size / unit.len()).min(10_000);
            judged(&format!("{unit:?} × {count}"), &unit.repeat(count));
        }
    }
    nothing_went_wrong();
}

#[test]
fn what_grows_by_itself_is_bounded() {
    for (name, text) in [
        (
            "functions that double",
            doubling(|name, other| format!("{name}() {{ {other}; {other}; }};"), "f39"),
        ),
        (
            "functions that double into pipes",
            doubling(|name, other| format!("{name}() {{ {other} | {other} & }};"), "f39"),
        ),
        ("aliases that double", doubling(|name, other| format!("alias {name}='{other};{other}'\n"), "f39")),
        ("variables that double", doubling(|name, other| format!("{name}=\"${other} ${other}\";"), "$f39")),
        (
            "variables that double, evaluated",
            doubling(|name, other| format!("{name}=\"${other};${other}\";"), "eval \"$f39\""),
        ),
        ("a function that calls itself twice", "f() { f; f; }; f".to_owned()),
        ("functions that call each other", "f() { g; g; }; g() { f; f; }; f".to_owned()),
        ("an alias of itself", "shopt -s expand_aliases\nalias ls='ls ls'\nls ls".to_owned()),
        ("a variable that is evaluated in itself", "x='eval \"$x\"; eval \"$x\"'; eval \"$x\"".to_owned()),
        ("a script that runs itself", "echo 'bash a.sh; bash a.sh' > a.sh; bash a.sh".to_owned()),
        ("two scripts that run each other", "echo 'sh b; sh b' > a; echo 'sh a; sh a' > b; sh a".to_owned()),
        ("a script that writes itself", "echo 'cat a a > b; mv b a; sh a' > a; sh a".to_owned()),
        ("braces with 10^9 words", format!("echo {}", "{0..9}".repeat(9))),
        ("braces with 10^9 directories", format!("rm -rf /{}", "{a,b,c,d,e,f,g,h,i,j}/".repeat(9))),
        ("a long range", "rm -rf /{1..1000000000}".to_owned()),
        ("nested braces", format!("echo {}{}", "{a,".repeat(500), "}".repeat(500))),
        ("loops in loops", format!("{}rm -rf $a$b$c$d{}", loops(), "; done".repeat(4))),
        ("200 words through xargs", format!("for x in {}; do echo $x; done | xargs -n1 rm -rf", words(200))),
        (
            "200 words through xargs sh",
            format!("echo {} | xargs -I{{}} sh -c 'rm -rf {{}}; rm -rf {{}}/{{}}'", words(200)),
        ),
        (
            "2000 words, each with 2000",
            format!("for x in {}; do for y in {}; do rm -rf $x/$y; done; done", words(2000), words(2000)),
        ),
        ("2000 directories", format!("cd {}; rm -rf x", words(2000).replace(' ', " || cd "))),
        ("either of two, 40 times", format!("{}rm -rf $x", "if a; then x=$x/b; else x=$x/c; fi;".repeat(40))),
        (
            "either of two directories, 40 times",
            format!("{}rm -rf .", "if a; then cd b; else cd c; fi;".repeat(40)),
        ),
        ("shells in shells", nested(7, |inner| format!("bash -c {}", quoted(&inner)))),
        (
            "shells in shells, written with escapes",
            nested(60, |inner| format!("bash -c $'{}'", escaped(&inner))),
        ),
        ("eval in eval", format!("{} rm -rf /", "eval ".repeat(5000))),
        ("a path of 30 000 steps", format!("rm -rf /{}etc", "a/".repeat(30_000))),
        ("a path of 20 000 steps up", format!("rm -rf {}etc", "../".repeat(20_000))),
        ("20 000 directories down", format!("{}rm -rf x", "cd a;".repeat(10_000))),
        (
            "a value that is replaced over and over",
            format!("x={};{}", "a".repeat(500), "echo ${x//a*b*c/x};".repeat(3000)),
        ),
        ("encoded many times", format!("echo {}{} | sh", "A".repeat(20_000), " | base64 -d".repeat(2000))),
        ("a substitution in a substitution, in words", nested(40, |inner| format!("echo \"$({inner})\""))),
        ("a pipeline of 5000 that writes", format!("cat x {}", "| tee /etc/a ".repeat(4000))),
        ("3000 here-documents", format!("{}{}", "sh <<a;".repeat(3000), "\nrm -rf x\na".repeat(3000))),
        ("a here-document with 5000 lines into a shell", format!("sh <<'a'\n{}a", "rm -rf x\n".repeat(5000))),
        (
            "2000 functions, each called",
            (0..2000).map(|n| format!("f{n}() {{ rm -rf $1; }}; f{n} /;")).collect(),
        ),
        (
            "4000 variables in one word",
            format!(
                "{}rm -rf {}",
                (0..4000).map(|n| format!("v{n}=a;")).collect::<String>(),
                (0..4000).map(|n| format!("$v{n}")).collect::<String>()
            ),
        ),
        ("1000 deletions by a search", "find / -name a -exec rm {} \\; ;".repeat(1000)),
        ("long lists of options", format!("rm {}/", "-rf --recursive ".repeat(3000))),
        ("a set of patterns", format!("rm -rf {}", "/*[a-z]*[!b]?*".repeat(3000))),
        ("many patterns", format!("rm -rf {}", "/* ~/* ./* ../* ".repeat(3000))),
        ("sql without an end", format!("psql -c \"{}\"", "select (".repeat(6000))),
        ("code without an end", format!("python3 -c \"{}\"", "f((".repeat(15_000))),
        ("a line for awk", format!("awk '{}'", "{ print $1 } ".repeat(4000))),
        ("a line for sed", format!("sed -e '{}' x", "s/a/b/;".repeat(6000))),
    ] {
        judged(name, &text);
    }
    nothing_went_wrong();
}

/// Forty things, each made of two of the one before.
fn doubling(define: impl Fn(&str, &str) -> String, last: &str) -> String {
    let all: String =
        (0..40).map(|number| define(&format!("f{number}"), &format!("f{}", number - 1))).collect();
    format!("{all}{last}")
}

fn loops() -> String {
    let words = words(60);
    ["a", "b", "c", "d"].iter().map(|name| format!("for {name} in {words}; do ")).collect()
}

fn words(count: usize) -> String {
    (0..count).map(|number| format!("w{number}")).collect::<Vec<_>>().join(" ")
}

fn nested(depth: usize, around: impl Fn(String) -> String) -> String {
    let mut text = "rm -rf /".to_owned();
    for _ in 0..depth {
        let next = around(text.clone());
        if next.len() > MAX_BYTES {
            break;
        }
        text = next;
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\'', "\\'")
}

#[test]
fn what_is_hidden_below_the_bound_is_stopped() {
    stopped("shells in shells", &nested(100, |inner| format!("bash -c {}", quoted(&inner))));
    stopped("substitutions", &nested(2000, |inner| format!("echo \"$({inner})\"")));
    stopped("wrappers", &format!("{}rm -rf /", "nice ".repeat(5000)));
    stopped("eval", &format!("{} rm -rf /", "eval ".repeat(5000)));
    stopped("10 000 commands before it", &format!("{}rm -rf /", "a;".repeat(10_000)));
    stopped(
        "5000 effects before it",
        &format!("{}rm -rf /", (0..5000).map(|n| format!("rm a{n};")).collect::<String>()),
    );
    stopped("a loop over many words before it", &format!("for x in {}; do :; done; rm -rf /", words(5000)));
    stopped("the last of many words", &format!("for x in {} /etc; do rm -rf $x; done", words(3000)));
    stopped("the last of many operands", &format!("rm -rf {} /etc", words(5000)));
    stopped(
        "the last of many directories",
        &format!("for x in {} /; do cd $x; done; rm -rf etc", words(1000)),
    );
    stopped("the last of many braces", &format!("rm -rf /tmp/{{{},../etc}}", words(5000).replace(' ', ",")));
    stopped("behind a long path", &format!("rm -rf /tmp/{}{}etc", "a/".repeat(3000), "../".repeat(3001)));
    stopped("behind doubled variables", &format!("x=aaaaaaaa;{}rm -rf /", "x=$x$x;".repeat(40)));
    nothing_went_wrong();
}

/// A machine whose disk means harm.
struct Hostile;

impl World for Hostile {
    fn home(&self) -> Option<String> {
        Some("/home/dev".to_owned())
    }

    fn variable(&self, name: &str) -> Option<String> {
        (name == "TMPDIR").then(|| "../../../".to_owned())
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        let name = path.rsplit('/').next().unwrap_or_default();
        Some(match name {
            // Loops, by itself and by another.
            "loop" => FileKind::Link("loop".to_owned()),
            "ping" => FileKind::Link("pong".to_owned()),
            "pong" => FileKind::Link("./ping/../ping".to_owned()),
            // Each of these is two of the next.
            "d1" => FileKind::Link("d2/d2".to_owned()),
            "d2" => FileKind::Link("d3/d3".to_owned()),
            "d3" => FileKind::Link("d1/d1".to_owned()),
            "long" => FileKind::Link("long/".repeat(30_000)),
            "empty" => FileKind::Link(String::new()),
            "up" => FileKind::Link("../".repeat(1000)),
            "etc-by-a-link" => FileKind::Link("/etc".to_owned()),
            "etc-by-another" => FileKind::Link("../../../etc".to_owned()),
            "pipe" => FileKind::Other,
            _ if path.ends_with(".git") => FileKind::Directory,
            _ => FileKind::Directory,
        })
    }

    fn text(&self, path: &str) -> Option<String> {
        if path.ends_with("config") {
            let aliases: String =
                (0..3000).map(|number| format!("\ta{number} = !git a{}\n", (number + 1) % 3000)).collect();
            return Some(format!(
                "[include]\n\tpath = config\n\tpath = ../.git/config\n[alias]\n\tx = y\n\ty = x\n\tz = !git z; git z\n\
                 \twipe = !rm -rf /\n{aliases}[core]\n\tfsmonitor = rm -rf /\n\thooksPath = /tmp\n\tworktree = /\n[broken\n\0"
            ));
        }
        // Whatever is read runs itself twice.
        Some(format!("bash {path}; bash {path}\nsource {path}"))
    }
}

#[test]
fn a_hostile_disk_is_survived() {
    for text in [
        "rm -rf loop",
        "rm -rf loop/",
        "rm -rf loop/x",
        "cd loop && rm -rf x",
        "rm -rf ping/x/pong/y",
        "rm -rf d1/d1/d1/x",
        "rm -rf long/x",
        "rm -rf empty/x",
        "rm -rf up/etc",
        "cat > loop",
        "cat > pipe",
        "cp -r d1 d2",
        "mv ping pong",
        "ln -sf loop ping",
        "bash script.sh",
        "source script.sh",
        ". ./script.sh",
        "bash < script.sh",
        "cat script.sh | bash",
        "make",
        "git status",
        "git x",
        "git y",
        "git z",
        "git a0",
        "git wipe",
        "git -C loop status",
        "git -C .. z",
        "git --git-dir=loop/.git z",
        "cd d1; git z",
        "git log",
        "git diff",
        "git commit -m x",
    ] {
        judged_in(text, text, &Hostile);
    }
    let deep = format!("rm -rf {}x", "a/".repeat(30_000));
    judged_in("30 000 directories that exist", &deep, &Hostile);
    let loops = format!("rm -rf {}", "loop/x d1/x ".repeat(2000));
    judged_in("4000 words with loops", &loops, &Hostile);
    for (text, least) in [
        ("rm -rf etc-by-a-link/ssh", Decision::Deny),
        ("rm -rf etc-by-another/ssh", Decision::Deny),
        ("rm -rf up/etc", Decision::Deny),
        ("cd etc-by-a-link; rm -rf ssh", Decision::Deny),
        ("echo x > etc-by-another/passwd", Decision::Deny),
        ("rm -rf loop/x", Decision::Ask),
        ("git wipe", Decision::Ask),
    ] {
        let got = judged_in(text, text, &Hostile);
        assert!(got >= least, "{text}: {got}");
    }
    nothing_went_wrong();
}

#[test]
fn a_place_that_is_none_is_survived() {
    let directories = [
        None,
        Some(String::new()),
        Some("/does/not/exist".to_owned()),
        Some("relative".to_owned()),
        Some("/".to_owned()),
        Some("/a/../../..".to_owned()),
        Some("\0".to_owned()),
        Some("~".to_owned()),
        Some("/home".to_owned()),
    ];
    for cwd in &directories {
        for project in &directories {
            for home in &directories {
                let place =
                    CallContext { cwd: cwd.clone(), project: project.clone(), ..CallContext::default() };
                let world = EmptyWorld { home: home.clone() };
                for text in ["rm -rf /etc", "rm -rf / --no-preserve-root", "dd if=x of=/dev/sda"] {
                    let decision = judge(text, &place, &world).decision;
                    assert_eq!(decision, Decision::Deny, "{text} in {cwd:?} of {project:?}, home {home:?}");
                }
                // Where the text is relative to something that is not known, it is at least asked about.
                for text in ["rm -rf src", "rm -rf ."] {
                    let decision = judge(text, &place, &world).decision;
                    let strange = cwd.as_deref().is_none_or(|cwd| !cwd.starts_with('/'));
                    assert!(
                        decision >= Decision::Ask || !strange,
                        "{text} in {cwd:?} of {project:?}, home {home:?}: {decision}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_very_deep_place_is_survived() {
    let deep = Some("/x".repeat(30_000));
    let place = CallContext { cwd: deep.clone(), project: deep.clone(), ..CallContext::default() };
    for text in ["rm -rf ../../y", "cd ..; rm -rf y", "ls", "rm -rf /etc"] {
        let world = EmptyWorld { home: deep.clone() };
        let got =
            measured(&format!("`{text}`, 30 000 directories down"), || judge(text, &place, &world).decision);
        assert!(text != "rm -rf /etc" || got == Decision::Deny, "{got}");
    }
    nothing_went_wrong();
}

#[test]
fn other_calls_are_bounded_too() {
    let world = EmptyWorld::new("/home/dev");
    let many: Vec<String> =
        std::iter::once("rm".to_owned()).chain((0..200_000).map(|n| format!("w{n}"))).collect();
    measured("200 000 arguments", || judge_argv(&many, &place(), &world).decision);
    let wrappers: Vec<String> = std::iter::repeat_n("sudo".to_owned(), 100_000)
        .chain(["rm", "-rf", "/"].map(str::to_owned))
        .collect();
    let got = measured("100 000 wrappers", || judge_argv(&wrappers, &place(), &world).decision);
    assert!(got >= Decision::Ask, "{got}");
    let long = vec!["sh".to_owned(), "-c".to_owned(), "a;".repeat(32 * 1024 * 1024)];
    let got = measured("64 MiB for a shell", || judge_argv(&long, &place(), &world).decision);
    assert!(got >= Decision::Ask, "{got}");
    let none = measured("no arguments", || judge_argv(&[], &place(), &world).decision);
    assert_eq!(none, Decision::Abstain);
    measured("an empty name", || judge_argv(&[String::new()], &place(), &world).decision);
    let nul = measured("a NUL in an argument", || {
        judge_argv(&["rm".to_owned(), "-rf".to_owned(), "/\0".to_owned()], &place(), &world).decision
    });
    assert!(nul >= Decision::Ask, "{nul}");
    let path = "a/".repeat(30_000);
    let content = "x\n".repeat(32 * 1024 * 1024);
    measured("64 MiB into a file", || {
        judge_file(checkrein_guard::Action::Write, &path, Some(&content), &place(), &world).decision
    });
    let up = format!("{}etc/passwd", "../".repeat(10_000));
    let got = measured("a file far up", || {
        judge_file(checkrein_guard::Action::Write, &up, None, &place(), &world).decision
    });
    assert_eq!(got, Decision::Deny);
    nothing_went_wrong();
}
