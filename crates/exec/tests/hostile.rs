//! Real processes that misbehave. Each test asserts the kind of failure (or the verdict), that no process of the
//! group survives, and that the answer came in time.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use checkrein_core::{Deadline, Decision, Failure, Hook, Verdict, flat::Flat};
use checkrein_exec::{CommandHook, Cwd, Program};
use common::{LONG, SHORT, alive, ask, environment, kill_group, number, payload, payload_in};
use std::{fs, path::Path, time::Duration};

const MIB: usize = 1 << 20;
const DENY: &str = r#"echo '{"decision":"deny","reason":"no"}'"#;

fn deny() -> Result<Verdict, Failure> {
    Ok(Verdict::deny("no"))
}

fn timed_out() -> Result<Verdict, Failure> {
    Err(Failure::TimedOut { after: SHORT })
}

fn list(words: &[&str]) -> CommandHook {
    let words = words.iter().map(|word| (*word).to_owned()).collect();
    CommandHook::new(Program::List(words)).environment(environment())
}

fn call(hook: &CommandHook) -> Result<Verdict, Failure> {
    hook.call(&payload(0), Deadline::after(LONG))
}

#[track_caller]
fn not_started(hook: &CommandHook, message: &str) {
    assert_eq!(call(hook), Err(Failure::NotStarted(message.to_owned())));
}

#[test]
fn closes_stdin_early() {
    for script in [format!("exec <&-; {DENY}"), format!("exec <&-; sleep 0.3; {DENY}")] {
        for size in [0, MIB] {
            assert_eq!(ask(&script, payload(size), LONG).soon().buried().answer, deny());
        }
    }
}

#[test]
fn never_reads() {
    assert_eq!(ask(DENY, payload(MIB), LONG).soon().buried().answer, deny());
    assert_eq!(ask("sleep 600", payload(MIB), SHORT).soon().buried().answer, timed_out());
}

#[test]
fn floods() {
    for (script, stream) in [
        ("cat /dev/zero", "stdout"),
        ("cat /dev/zero >&2", "stderr"),
        ("head -c 1048577 /dev/zero", "stdout"),
        ("head -c 1048577 /dev/zero >&2; echo deny", "stderr"),
        ("cat /dev/zero >&2 & exec sleep 600", "stderr"),
    ] {
        let expected = Err(Failure::TooMuchOutput { stream, limit: MIB });
        assert_eq!(ask(script, payload(0), LONG).soon().buried().answer, expected, "{script}");
    }
}

#[test]
fn output_up_to_the_limit_is_not_a_flood() {
    let script = "head -c 1048576 /dev/zero >&2; head -c 1048576 /dev/zero";
    assert_eq!(ask(script, payload(0), LONG).soon().buried().answer, Ok(Verdict::abstain()));
}

#[test]
fn hangs() {
    let asked = ask("sleep 600", payload(0), SHORT).soon().buried();
    assert_eq!(asked.answer, timed_out());
    assert!(asked.elapsed >= SHORT);
}

#[test]
fn hangs_with_closed_pipes() {
    let script = "exec <&- >&- 2>&-; exec sleep 600";
    assert_eq!(ask(script, payload(MIB), SHORT).soon().buried().answer, timed_out());
}

#[test]
fn answers_and_hangs() {
    assert_eq!(ask("echo allow; sleep 600", payload(0), SHORT).soon().buried().answer, timed_out());
}

#[test]
fn ignores_sigterm() {
    let script = "trap '' TERM HUP INT; while :; do sleep 1; done";
    assert_eq!(ask(script, payload(0), SHORT).soon().buried().answer, timed_out());
}

#[test]
fn hangs_with_a_child() {
    let asked = ask("sleep 600 & echo $! > child; sleep 600", payload(0), SHORT).soon().buried();
    assert_eq!(asked.answer, timed_out());
    let child = number(&asked.directory.path().join("child")).unwrap();
    assert!(common::process(Path::new(&format!("/proc/{child}"))).is_none_or(|child| child.state == "Z"));
}

#[test]
fn leaves_a_child_that_holds_the_pipes() {
    let asked = ask(&format!("sleep 600 & {DENY}"), payload(0), LONG).soon();
    assert_eq!(asked.answer, deny());
    let group = asked.group.unwrap();
    assert_eq!(alive(group).len(), 1, "a child of a good hook is left alone");
    kill_group(group);
    let asked = asked.buried();

    let exit_2 = ask("sleep 600 & echo no >&2; exit 2", payload(0), LONG).soon();
    assert_eq!(exit_2.answer, deny());
    assert_eq!(alive(exit_2.group.unwrap()).len(), 1);
    kill_group(exit_2.group.unwrap());
    drop((asked, exit_2.buried()));
}

#[test]
fn leaves_a_child_that_floods_the_pipe() {
    // Output after the end of the hook is not its answer, and we do not wait for it.
    let asked = ask(&format!("{DENY}; (sleep 2; cat /dev/zero) & exit 0"), payload(0), LONG).soon();
    assert_eq!(asked.answer, deny());
    drop(asked.buried());
}

#[test]
fn a_failed_hook_is_killed_with_its_children() {
    let leave = "sleep 600 &";
    let failed = |script: &str| ask(&format!("{leave} {script}"), payload(0), LONG).soon().buried().answer;
    assert_eq!(failed("exit 1"), Err(Failure::Exited { code: 1, stderr: String::new() }));
    assert_eq!(failed("kill -9 $$"), Err(Failure::Killed { signal: 9, stderr: String::new() }));
    assert!(matches!(failed("echo '{\"decision\":'"), Err(Failure::BadReply(_))));
}

#[test]
fn is_killed_by_a_signal() {
    for signal in [6, 9, 11, 15] {
        let asked = ask(&format!("echo bye >&2; kill -{signal} $$"), payload(0), LONG).soon().buried();
        assert_eq!(asked.answer, Err(Failure::Killed { signal, stderr: "bye".into() }));
    }
}

#[test]
fn exits_with_other_codes() {
    let asked = ask("echo hello; echo bye >&2; exit 1", payload(0), LONG).soon().buried();
    assert_eq!(asked.answer, Err(Failure::Exited { code: 1, stderr: "bye".into() }));
    // A denial before that counts.
    let asked = ask(&format!("{DENY}; exit 1"), payload(0), LONG).soon();
    assert_eq!(asked.answer.map(|verdict| verdict.decision), Ok(Decision::Deny));
    let asked = ask("exit 2", payload(0), LONG).soon().buried();
    assert_eq!(asked.answer, Ok(Verdict::deny("blocked by the hook (exit 2, no reason given)")));
}

/// A common idiom: the hook's output goes through `tee`, which writes it after the hook has ended.
#[test]
fn an_answer_through_its_own_pipe_counts() {
    let script = format!("mkfifo f; tee log < f & exec > f; cat > /dev/null; {DENY}");
    let denied = |_: &usize| {
        ask(&script, payload(0), LONG).answer.is_ok_and(|verdict| verdict.decision == Decision::Deny)
    };
    // Without the wait for it, one in twenty would count. A loaded machine may still be too slow for some.
    let heard = (0..10).filter(denied).count();
    assert!(heard >= 6, "{heard} of 10");
}

#[test]
fn does_not_exist() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing");
    let missing = missing.to_str().unwrap();
    not_started(&list(&[missing]), &format!("`{missing}` does not exist"));
    not_started(&list(&["missing-program"]), "`missing-program` is in no absolute directory of PATH");
    let asked = ask(missing, payload(0), LONG).soon().buried();
    let Err(Failure::Exited { code: 127, stderr }) = asked.answer else { panic!("{:?}", asked.answer) };
    assert!(stderr.contains("missing"), "{stderr}");
}

#[test]
fn cannot_be_started() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("text"), "echo allow\n").unwrap();
    fs::create_dir(path("folder")).unwrap();
    std::os::unix::fs::symlink(path("loop"), path("loop")).unwrap();

    not_started(&list(&[&path("text")]), &format!("`{}` is not executable", path("text")));
    not_started(&list(&[&path("folder")]), &format!("`{}` is a directory, not a program", path("folder")));
    not_started(&list(&[]), "the command names no program");
    not_started(&list(&["", "x"]), "the command names no program");
    not_started(&CommandHook::new(Program::Shell(" \n".into())), "the command is empty");
    not_started(
        &list(&["./x"]),
        "`./x` is relative, and there is no absolute configuration directory to start from",
    );
    let nowhere = list(&["true"]).cwd(Cwd::Config);
    not_started(&nowhere, "there is no configuration directory to run in");
    let no_path = CommandHook::new(Program::List(vec!["true".into()]));
    not_started(&no_path, "`true` cannot be looked up: the hook's environment has no PATH");
    let Err(Failure::NotStarted(message)) = call(&list(&[&path("loop")])) else { panic!("it started") };
    assert!(message.contains("loop"), "{message}");
    let Err(Failure::NotStarted(message)) = call(&list(&["/bin/echo", "a\0b"])) else { panic!("it started") };
    assert!(message.contains("nul byte"), "{message}");
}

#[test]
fn scripts_that_no_system_starts() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let script = |name: &str, text: &str| {
        let path = directory.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    // Another test's child may hold the new file open for a moment, which has its own error.
    let message = |path: &str| {
        let mut answer = call(&list(&[path]));
        while matches!(&answer, Err(Failure::NotStarted(text)) if text.contains("busy")) {
            answer = call(&list(&[path]));
        }
        let Err(Failure::NotStarted(message)) = answer else { panic!("{answer:?}") };
        message
    };
    let bare = script("bare", "echo allow\n");
    assert_eq!(message(&bare), format!("`{bare}` is neither a program nor a script that starts with `#!`"));
    let lost = script("lost", "#!/nowhere/interpreter\n");
    assert_eq!(message(&lost), format!("the interpreter that `{lost}` names does not exist"));
}

#[test]
fn half_an_answer() {
    let asked = ask(r#"printf '{"decision":"den'"#, payload(0), LONG).soon().buried();
    assert!(matches!(asked.answer, Err(Failure::BadReply(_))), "{:?}", asked.answer);
}

#[test]
fn a_payload_of_8_mib() {
    let big = payload(8 * MIB);
    // Answers while it still receives the payload.
    let asked = ask("cat", big.clone(), LONG).soon().buried();
    assert_eq!(asked.answer, Err(Failure::TooMuchOutput { stream: "stdout", limit: MIB }));
    let mut told = big.clone();
    let asked = ask("wc -c >&2; exit 2", big, LONG).soon().buried();
    told.session.cwd = Some(asked.directory.path().to_str().unwrap().into());
    let size = Flat(&told).to_bytes().unwrap().len();
    assert!(size > 8 * MIB);
    assert_eq!(asked.answer, Ok(Verdict::deny(size.to_string())));
}

#[test]
fn the_payload_arrives_byte_for_byte() {
    let payload = payload(100_000);
    let asked = ask("cat > stdin", payload.clone(), LONG).soon().buried();
    let mut expected = payload;
    expected.session.cwd = Some(asked.directory.path().to_str().unwrap().into());
    assert_eq!(fs::read(asked.directory.path().join("stdin")).unwrap(), Flat(&expected).to_bytes().unwrap());
    assert_eq!(asked.answer, Ok(Verdict::abstain()));
}

#[test]
fn a_large_answer_arrives_completely() {
    let script =
        r#"printf '{"decision":"deny","reason":"'; head -c 1000000 /dev/zero | tr '\0' x; printf '"}'"#;
    assert_eq!(
        ask(script, payload(MIB), LONG).soon().buried().answer,
        Ok(Verdict::deny("x".repeat(1_000_000)))
    );
}

#[test]
fn the_working_directory_is_missing() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing");
    fs::write(directory.path().join("file"), "").unwrap();
    let hook = list(&["true"]);
    for (cwd, message) in [
        (missing.as_path(), format!("the working directory `{}` does not exist", missing.display())),
        (
            &directory.path().join("file"),
            format!("the working directory `{}/file` is not a directory", directory.path().display()),
        ),
        (Path::new("src"), "the working directory `src` is not an absolute path".to_owned()),
        (Path::new(""), "the working directory `` is not an absolute path".to_owned()),
    ] {
        let answer = hook.call(&payload_in(cwd), Deadline::after(LONG));
        assert_eq!(answer, Err(Failure::NotStarted(message)));
    }
}

#[test]
fn no_time_is_left_to_start() {
    let directory = tempfile::tempdir().unwrap();
    let hook = CommandHook::new(Program::Shell("echo > started".into())).environment(environment());
    let over = Deadline::after(LONG).until(std::time::Instant::now());
    let answer = hook.call(&payload_in(directory.path()), over);
    assert_eq!(answer, Err(Failure::TimedOut { after: Duration::ZERO }));
    assert!(!directory.path().join("started").exists());
}

#[test]
fn many_hooks_in_parallel() {
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let verdict = ask(DENY, payload(100_000), LONG).buried().answer.unwrap();
                    assert_eq!(verdict.decision, Decision::Deny);
                }
            });
        }
    });
}
