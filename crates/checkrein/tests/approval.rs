//! One-time permissions: each is used once, where it was given, for the call it was given for, and for nothing else.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein::{
    Decision, Dispatcher, Entry, Event, EventName, ExceptionPolicy, Guard, Outcome, Payload, Role, ToolCall,
    approval::{AskSupport, Code, DenialLog, PendingApproval, Permits},
    guard::{EmptyWorld, Rule, rules},
};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::{collections::BTreeSet, fs, os::unix::fs::PermissionsExt, path::PathBuf, thread, time::Duration};
use tempfile::TempDir;

/// A user's state, and the guard that uses it.
struct User {
    directory: TempDir,
    rules: Vec<Rule>,
    leave: ExceptionPolicy,
    questions: AskSupport,
}

/// One call.
#[derive(Clone, Debug)]
struct Call {
    event: EventName,
    session: &'static str,
    cwd: &'static str,
    tool: &'static str,
    input: Value,
    id: Option<&'static str>,
}

fn bash(command: &str) -> Call {
    Call {
        event: EventName::PreToolUse,
        session: "s",
        cwd: "/home/dev/shop",
        tool: "Bash",
        input: json!({"command": command}),
        id: None,
    }
}

impl User {
    fn new() -> Self {
        Self {
            directory: tempfile::tempdir().unwrap(),
            rules: Vec::new(),
            leave: ExceptionPolicy::Accept,
            questions: AskSupport::Asked,
        }
    }

    fn state(&self) -> PathBuf {
        self.directory.path().join("state")
    }

    fn permits(&self) -> Permits {
        Permits::new(&self.state())
    }

    fn guard(&self) -> Guard<EmptyWorld> {
        let questions = self.questions;
        let memory = DenialLog::new(&self.state(), self.leave).questions(questions);
        Guard::of(EmptyWorld::new("/home/dev")).with_rules(self.rules.clone()).remembering(memory)
    }

    fn ask(&self, call: &Call) -> Outcome {
        let mut dispatcher = Dispatcher::new();
        dispatcher.add(Entry::new(call.event, self.guard()).with_role(Role::Judge));
        dispatcher.decide(payload(call))
    }

    /// The code that the answer shows.
    fn code(&self, call: &Call) -> Option<Code> {
        let outcome = self.ask(call);
        let notices: String = outcome.notices().iter().map(|notice| notice.text).collect();
        let said = format!("{}\n{notices}", outcome.reason());
        let mut shown = said.split("checkrein allow ").skip(1);
        shown.find_map(|rest| rest.get(..9)?.parse().ok())
    }

    fn allow(&self, call: &Call) -> PendingApproval {
        let waiting = self.permits().waiting(&self.code(call).unwrap()).unwrap();
        self.permits().allow(&waiting, Duration::from_secs(600)).unwrap();
        waiting
    }

    fn decision(&self, call: &Call) -> Decision {
        self.ask(call).decision
    }
}

fn payload(call: &Call) -> Payload {
    let Value::Object(input) = call.input.clone() else { panic!("{call:?}") };
    let mut tool = ToolCall::new(call.tool, input);
    tool.id = call.id.map(str::to_owned);
    let event = match call.event {
        EventName::PermissionRequest => Event::PermissionRequest { call: tool },
        _ => Event::PreToolUse { call: tool },
    };
    let mut payload = Payload::new(event);
    payload.session.id = Some(call.session.to_owned()).filter(|id| !id.is_empty());
    payload.session.cwd = Some(call.cwd.to_owned());
    payload.session.project_dir = Some("/home/dev/shop".into());
    payload
}

const FORCE: &str = "git push --force origin topic";

#[test]
fn it_is_used_once() {
    let user = User::new();
    assert_eq!(user.decision(&bash(FORCE)), Decision::Deny);
    let waiting = user.allow(&bash(FORCE));
    assert_eq!(waiting.commands, [FORCE]);
    assert_eq!(waiting.findings[0].0, "git.force-push");
    assert_eq!(user.permits().all().len(), 1);
    let outcome = user.ask(&bash(FORCE));
    // It takes the objection away, and allows nothing.
    assert_eq!(outcome.decision, Decision::Abstain);
    let notice = outcome.trail[0].notice.as_deref();
    assert_eq!(notice, Some("Checkrein let this pass, because you allowed it (git.force-push)."));
    assert_eq!(user.decision(&bash(FORCE)), Decision::Deny);
    assert!(user.permits().all().is_empty());
}

#[test]
fn a_call_that_is_announced_and_then_asked_about_is_one_call() {
    let user = User::new();
    let asked = Call { event: EventName::PermissionRequest, ..bash(FORCE) };
    user.allow(&bash(FORCE));
    assert_eq!(user.decision(&bash(FORCE)), Decision::Abstain);
    assert_eq!(user.decision(&asked), Decision::Abstain);
    assert_eq!(user.decision(&asked), Decision::Deny);
    assert_eq!(user.decision(&bash(FORCE)), Decision::Deny);
    // A host that only asks uses it with that.
    user.allow(&bash(FORCE));
    assert_eq!(user.decision(&asked), Decision::Abstain);
    assert_eq!(user.decision(&asked), Decision::Deny);
    assert_eq!(user.decision(&bash(FORCE)), Decision::Deny);
}

/// A plugin and an entry of `init` are asked about the same event, and the host names no call id.
#[test]
fn without_a_call_id_it_holds_once_for_each_copy_that_is_asked() {
    let asked_as = |user: &User, host: &str, event: EventName| {
        let mut payload = payload(&Call { event, ..bash(FORCE) });
        payload.host.name = Some(host.to_owned());
        let mut dispatcher = Dispatcher::new();
        dispatcher.add(Entry::new(event, user.guard()).with_role(Role::Judge));
        dispatcher.decide(payload).decision
    };
    for event in [EventName::PreToolUse, EventName::PermissionRequest] {
        let user = User::new();
        user.allow(&bash(FORCE));
        assert_eq!(asked_as(&user, "claude", event), Decision::Abstain);
        assert_eq!(asked_as(&user, "copilot", event), Decision::Abstain);
        // That is the next call.
        assert_eq!(asked_as(&user, "claude", event), Decision::Deny);
        assert_eq!(asked_as(&user, "copilot", event), Decision::Deny);
    }
}

/// The second copy does not tell the model that it tried again.
#[test]
fn two_copies_say_the_same_about_a_first_attempt() {
    let user = User::new();
    let reason = |host: &str, call: &Call| {
        let mut payload = payload(call);
        payload.host.name = Some(host.to_owned());
        let mut dispatcher = Dispatcher::new();
        dispatcher.add(Entry::new(call.event, user.guard()).with_role(Role::Judge));
        dispatcher.decide(payload).reason()
    };
    for id in [None, Some("toolu_a")] {
        let call = Call { id, session: if id.is_some() { "with" } else { "without" }, ..bash(FORCE) };
        let first = reason("claude", &call);
        assert!(!first.contains("again") && reason("copilot", &call) == first, "{first}");
    }
    let next = Call { session: "without", ..bash(FORCE) };
    assert!(reason("claude", &next).contains("again"));
    let next = Call { id: Some("toolu_b"), session: "with", ..bash(FORCE) };
    assert!(reason("claude", &next).contains("again"));
}

#[test]
fn it_holds_for_every_event_of_the_call_that_used_it() {
    let before = |id| Call { id, ..bash(FORCE) };
    let asked = |id| Call { event: EventName::PermissionRequest, id, ..bash(FORCE) };
    let (a, b) = (Some("toolu_a"), Some("toolu_b"));
    let (permitted, denied) = (Decision::Abstain, Decision::Deny);
    for (about, events) in [
        (
            "announced, then asked about",
            vec![(before(a), permitted), (asked(a), permitted), (before(b), denied)],
        ),
        (
            "asked about, then announced",
            vec![(asked(a), permitted), (before(a), permitted), (asked(b), denied)],
        ),
        ("registered twice", vec![(before(a), permitted), (before(a), permitted), (before(b), denied)]),
        ("another call asks", vec![(before(a), permitted), (asked(b), denied), (asked(a), permitted)]),
        (
            "the question has no id",
            vec![(before(a), permitted), (asked(None), permitted), (asked(None), denied)],
        ),
        (
            "only the question has one",
            vec![(before(None), permitted), (asked(a), permitted), (before(a), denied)],
        ),
        ("another call without an id", vec![(before(a), permitted), (before(None), denied)]),
    ] {
        let user = User::new();
        user.allow(&bash(FORCE));
        for (place, (call, expected)) in events.iter().enumerate() {
            assert_eq!(user.decision(call), *expected, "{about}: {place}");
        }
        assert_eq!(user.decision(&before(Some("toolu_c"))), denied, "{about}");
    }
    // What was taken back holds for nothing.
    let user = User::new();
    let waiting = user.allow(&bash(FORCE));
    assert_eq!(user.decision(&before(a)), permitted);
    assert!(!user.permits().revoke(&waiting.binding.code()).unwrap());
    assert_eq!(user.decision(&before(a)), denied);
    // One call, however many processes answer for it; and of many calls one.
    for (ids, expected) in [(["toolu_x"; 8], 8), (["1", "2", "3", "4", "5", "6", "7", "8"], 1)] {
        let user = User::new();
        user.allow(&bash(FORCE));
        let had = thread::scope(|scope| {
            let asks: Vec<_> =
                ids.iter().map(|id| scope.spawn(|| user.decision(&before(Some(id))))).collect();
            asks.into_iter().map(|ask| ask.join().unwrap()).filter(|said| *said == permitted).count()
        });
        assert_eq!(had, expected);
    }
}

#[test]
fn it_is_for_that_call_and_no_other() {
    let read = |path: &str| Call { tool: "Read", input: json!({"file_path": path}), ..bash("") };
    let write = |content: &str| Call {
        tool: "Write",
        input: json!({"file_path": "/home/dev/.bashrc", "content": content}),
        ..bash("")
    };
    for (allowed, other) in [
        (bash(FORCE), Call { session: "t", ..bash(FORCE) }),
        (bash(FORCE), Call { cwd: "/home/dev/other", ..bash(FORCE) }),
        (bash(FORCE), Call { tool: "run_shell", ..bash(FORCE) }),
        (bash(FORCE), bash("git push --force origin topic main")),
        (bash(FORCE), bash("git push --force elsewhere topic")),
        (bash(FORCE), bash("git push --force origin topic; make deploy")),
        (bash(FORCE), bash("cd ../other && git push --force origin topic")),
        (bash("rm -rf ~/notes"), bash("rm -rf ~")),
        (bash("rm -rf ~/notes"), bash("rm -rf ~/notes ~/pictures")),
        (bash("rm -rf ~/notes"), bash("sudo rm -rf ~/notes")),
        (bash("rm -rf ~/notes"), bash("rm -rf ~/notes/*")),
        (bash("echo a >> /etc/hosts"), bash("echo b >> /etc/hosts")),
        (
            bash(FORCE),
            Call { input: json!({"command": FORCE, "dangerouslyDisableSandbox": true}), ..bash("") },
        ),
        (read("/home/dev/.env"), read("/home/dev/.ssh/id_rsa")),
        (write("alias a=b"), write("alias a=c")),
    ] {
        let user = User { questions: AskSupport::Denied, ..User::new() };
        user.allow(&allowed);
        let found = user.ask(&other);
        assert_ne!(found.decision, Decision::Abstain, "{allowed:?}\n{other:?}");
        assert_eq!(user.permits().all().len(), 1, "nobody else uses it up");
        assert_eq!(user.decision(&allowed), Decision::Abstain, "{allowed:?}");
    }
}

/// Facts that decide what happens and are not words of a command: its input, its variables, its program, the time at
/// which it runs.
#[test]
fn everything_around_the_words_is_bound() {
    let delete = "rm -rf ~/notes";
    for (allowed, other) in [
        // What is sent.
        ("psql -h prod.example <<E\ndrop table a;\nE", "psql -h prod.example <<E\ndrop table a cascade;\nE"),
        ("sudo tee /etc/hosts <<E\na\nE", "sudo tee /etc/hosts <<E\nb\nE"),
        ("chpasswd <<< root:a", "chpasswd <<< root:b"),
        ("git push --force origin topic <<< yes", "git push --force origin topic <<< no"),
        ("git push --force origin topic <<< yes", FORCE),
        (
            "python3 - <<E\nimport shutil; shutil.rmtree('/srv')\nE",
            "python3 - <<E\nimport shutil; shutil.rmtree('/srv'); x()\nE",
        ),
        // Variables.
        (FORCE, "GIT_DIR=/other git push --force origin topic"),
        (FORCE, "GIT_DIR=/other; git push --force origin topic"),
        ("kubectl delete ns a", "KUBECONFIG=/x kubectl delete ns a"),
        (delete, "PATH=.:$PATH rm -rf ~/notes"),
        // The program.
        (delete, "./rm -rf ~/notes"),
        (delete, "/tmp/rm -rf ~/notes"),
        ("cat ~/.ssh/id_rsa", "base64 ~/.ssh/id_rsa"),
        // When, and how often.
        ("test -d x && git push --force origin topic", "test -d x || git push --force origin topic"),
        (FORCE, "for i in 1 2; do git push --force origin topic; done"),
        (FORCE, "git push --force origin topic &"),
        (delete, "rm -rf ~/notes &"),
        (FORCE, "! git push --force origin topic"),
        // Words that look alike.
        ("git push --force origin a b", "git push --force origin 'a b'"),
        ("git push --force origin a b", r#"git push --force origin a '' b"#),
        ("git push --force origin $A", "git push --force origin $B"),
    ] {
        let user = User { questions: AskSupport::Denied, ..User::new() };
        user.allow(&bash(allowed));
        assert_ne!(user.decision(&bash(other)), Decision::Abstain, "{allowed:?}\n{other:?}");
        assert_eq!(user.permits().all().len(), 1, "nobody else uses it up");
        assert_eq!(user.decision(&bash(allowed)), Decision::Abstain, "{allowed:?}");
    }
}

/// Only of tools that are known can be said that they do nothing else.
#[test]
fn the_whole_input_of_an_unknown_tool_is_bound() {
    let unknown = |flag: bool| Call {
        tool: "mcp__disk__delete",
        input: json!({"path": "/home/dev/.ssh", "follow_links": flag}),
        ..bash("")
    };
    let user = User { questions: AskSupport::Denied, ..User::new() };
    user.allow(&unknown(false));
    assert_ne!(user.decision(&unknown(true)), Decision::Abstain);
    assert_eq!(user.decision(&unknown(false)), Decision::Abstain);
    let known = |limit: u32| Call {
        tool: "Read",
        input: json!({"file_path": "/home/dev/.ssh/id_rsa", "limit": limit}),
        ..bash("")
    };
    user.allow(&known(1));
    assert_eq!(user.decision(&known(2)), Decision::Abstain);
}

/// A clock that is set back makes nothing last longer.
#[test]
fn a_clock_that_was_set_back() {
    let change = |path: &std::path::Path, key: &str, by: u64| {
        let mut value: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        value[key] = json!(value[key].as_u64().unwrap() + by);
        fs::write(path, value.to_string()).unwrap();
    };
    for (by, expected) in [(0, Decision::Abstain), (3600, Decision::Abstain), (3 * 3600, Decision::Deny)] {
        let user = User::new();
        user.allow(&bash(FORCE));
        let permit = fs::read_dir(user.state().join("once")).unwrap().next().unwrap().unwrap().path();
        change(&permit, "until", by);
        assert_eq!(user.permits().all().is_empty(), expected == Decision::Deny);
        assert_eq!(user.decision(&bash(FORCE)), expected, "{by}");
    }
    for (by, counts) in [(0, true), (30, true), (3600, false)] {
        let user = User::new();
        let code = user.code(&bash(FORCE)).unwrap();
        let session = fs::read_dir(user.state().join("denials")).unwrap().next().unwrap().unwrap().path();
        change(&session.join(code.to_string().replace('-', "")), "at", by);
        assert_eq!(user.permits().waiting(&code).is_some(), counts, "{by}");
    }
}

/// Bound to what is done and not to how it is spelled, where the effects say everything.
#[test]
fn another_spelling_of_the_same_is_the_same() {
    for (allowed, same) in [
        ("rm -rf ~/notes", "r''m -r --force /home/dev/notes/"),
        ("rm -rf ~/notes", "rm -fr $HOME/x/../notes"),
        (FORCE, "git  push --force 'origin' topic"),
    ] {
        let user = User { questions: AskSupport::Denied, ..User::new() };
        user.allow(&bash(allowed));
        assert_eq!(user.decision(&bash(same)), Decision::Abstain, "{same}");
    }
}

#[test]
fn what_cannot_be_allowed_shows_no_code() {
    let managed = Rule {
        id: "managed.no-push".into(),
        ..rules().iter().find(|rule| rule.id == "git.force-push").unwrap().clone()
    };
    let user = User { rules: vec![managed], ..User::new() };
    assert_eq!(user.code(&bash(FORCE)), None);
    let user = User { leave: ExceptionPolicy::Refuse, ..User::new() };
    assert_eq!(user.code(&bash(FORCE)), None);
    let user = User::new();
    for command in ["rm ~/.config/checkrein/config.toml", "checkrein allow --list", "checkrein trust"] {
        assert_eq!(user.decision(&bash(command)), Decision::Deny, "{command}");
        assert_eq!(user.code(&bash(command)), None, "{command}");
        assert_eq!(user.code(&bash(&format!("{FORCE}; {command}"))), None, "{command}");
    }
    assert_eq!(user.code(&Call { input: json!({}), ..bash("") }), None);
    // There is nothing to bind it to.
    assert_eq!(user.code(&Call { session: "", ..bash(FORCE) }), None);
    // A question has one, whether the host can ask it or not.
    for questions in [AskSupport::Asked, AskSupport::Denied] {
        let user = User { questions, ..User::new() };
        assert_eq!(user.decision(&bash("git branch -D topic")), Decision::Ask);
        assert!(user.code(&bash("git branch -D topic")).is_some());
    }
}

/// A layer that refuses exceptions refuses leave that was given before, too.
#[test]
fn leave_that_is_refused_is_not_used() {
    let mut user = User::new();
    user.allow(&bash(FORCE));
    user.leave = ExceptionPolicy::Refuse;
    assert_eq!(user.decision(&bash(FORCE)), Decision::Deny);
    user.leave = ExceptionPolicy::Accept;
    assert_eq!(user.decision(&bash(FORCE)), Decision::Abstain);
}

#[test]
fn it_ends() {
    let user = User::new();
    let waiting = user.permits().waiting(&user.code(&bash(FORCE)).unwrap()).unwrap();
    user.permits().allow(&waiting, Duration::ZERO).unwrap();
    thread::sleep(Duration::from_millis(1100));
    assert!(user.permits().all().is_empty());
    assert_eq!(user.decision(&bash(FORCE)), Decision::Deny);
}

#[test]
fn it_can_be_taken_back() {
    let user = User::new();
    let code = user.allow(&bash(FORCE)).code();
    assert!(user.permits().revoke(&code).unwrap());
    assert!(!user.permits().revoke(&code).unwrap());
    assert_eq!(user.decision(&bash(FORCE)), Decision::Deny);
}

#[test]
fn of_many_at_once_one_has_it() {
    let user = User::new();
    for round in 0..5 {
        user.allow(&bash(FORCE));
        let passed: usize = thread::scope(|scope| {
            let all: Vec<_> = (0..64).map(|_| scope.spawn(|| user.decision(&bash(FORCE)))).collect();
            all.into_iter().map(|one| usize::from(one.join().unwrap() == Decision::Abstain)).sum()
        });
        assert_eq!(passed, 1, "round {round}");
    }
}

#[test]
fn what_others_could_have_written_is_not_believed() {
    let user = User::new();
    user.allow(&bash(FORCE));
    let directory = user.state().join("once");
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o777)).unwrap();
    assert_eq!(user.decision(&bash(FORCE)), Decision::Deny);
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o700)).unwrap();
    let permit = fs::read_dir(&directory).unwrap().next().unwrap().unwrap().path();
    fs::set_permissions(&permit, fs::Permissions::from_mode(0o666)).unwrap();
    assert_eq!(user.decision(&bash(FORCE)), Decision::Deny);
    fs::set_permissions(&permit, fs::Permissions::from_mode(0o600)).unwrap();
    // Renamed to be for another call, it is for none.
    assert_eq!(user.decision(&bash(FORCE)), Decision::Abstain);
    user.allow(&bash(FORCE));
    let other = bash("git push --force origin other");
    let digest = user.permits().waiting(&user.code(&other).unwrap()).unwrap().digest;
    fs::rename(&permit, directory.join(digest)).unwrap();
    assert_eq!(user.decision(&other), Decision::Deny);
}

#[test]
fn a_second_attempt_is_answered_in_short() {
    let user = User::new();
    let first = user.ask(&bash("rm -rf ~")).reason();
    assert!(first.contains("Instead:"), "{first}");
    for again in ["rm -rf ~", "cd / && rm -r -f ~/"] {
        let answer = user.ask(&bash(again)).reason();
        assert_eq!(user.decision(&bash(again)), Decision::Deny);
        assert!(answer.contains("denied this again, for the same reason"), "{again}: {answer}");
        assert!(answer.contains("[filesystem.delete-machine]") && !answer.contains("Instead:"), "{answer}");
    }
    // Another target, another session: another attempt.
    for other in [bash("rm -rf /etc"), Call { session: "t", ..bash("rm -rf ~") }] {
        let answer = user.ask(&other).reason();
        assert!(answer.contains("Instead:"), "{answer}");
    }
}

/// A note that cannot be written changes no decision.
#[test]
fn a_state_that_cannot_be_written_denies_as_ever() {
    let user = User::new();
    fs::write(user.state(), "a file").unwrap();
    let outcome = user.ask(&bash(FORCE));
    assert_eq!(outcome.decision, Decision::Deny);
    assert!(!outcome.reason().contains("checkrein allow "), "{}", outcome.reason());
    assert!(outcome.reason().contains("Instead:"));
}

#[test]
fn nothing_is_written_without_an_objection() {
    let user = User::new();
    assert_eq!(user.decision(&bash("ls")), Decision::Abstain);
    assert!(!user.state().exists());
}

#[test]
fn notes_are_bounded() {
    let user = User::new();
    for number in 0..260 {
        user.ask(&bash(&format!("git push --force origin topic-{number}")));
    }
    let sessions: Vec<_> = fs::read_dir(user.state().join("denials")).unwrap().flatten().collect();
    assert_eq!(sessions.len(), 1);
    let notes = fs::read_dir(sessions[0].path()).unwrap().count();
    assert!((100..=202).contains(&notes), "{notes}");
}

#[test]
fn codes_are_typed_as_people_type() {
    let code: Code = "k7f2-9qmd".parse().unwrap();
    assert_eq!(code.to_string(), "k7f2-9qmd");
    assert_eq!("K7F29QMD".parse(), Ok(code));
    for wrong in ["", "k7f2", "k7f2-9qmd-1", "../../etc", "k7f2-9qmi", "k7f2 9qmd"] {
        assert!(wrong.parse::<Code>().is_err(), "{wrong}");
    }
}

fn corpus() -> Vec<String> {
    let lines = include_str!("../../../corpus/guard/commands.jsonl").lines();
    let command =
        |line: &str| serde_json::from_str::<Value>(line).unwrap()["command"].as_str().unwrap().to_owned();
    lines.map(command).collect()
}

fn effects(call: &Call) -> BTreeSet<String> {
    let judgement = Guard::of(EmptyWorld::new("/home/dev")).judgement(&payload(call)).unwrap();
    judgement.effects.iter().map(ToString::to_string).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever is allowed and whatever is tried: it passes only in its place and with the same effects, and only once.
    #[test]
    fn leave_never_covers_a_stronger_call(
        allowed in prop::sample::select(corpus()),
        tried in prop_oneof![
            3 => prop::sample::select(corpus()).prop_map(Some),
            1 => Just(None),
        ],
        extra in prop::sample::select(vec!["", "", " && rm -rf ~", "; sudo ls", "\ncat ~/.ssh/id_rsa", " # a note"]),
        session in prop::sample::select(vec!["s", "s", "t"]),
        cwd in prop::sample::select(vec!["/home/dev/shop", "/home/dev/shop", "/home/dev"]),
    ) {
        let user = User { questions: AskSupport::Denied, ..User::new() };
        let allowed = bash(&allowed);
        if let Some(code) = user.code(&allowed) {
            let waiting = user.permits().waiting(&code).unwrap();
            user.permits().allow(&waiting, Duration::from_secs(600)).unwrap();
            let base = tried.unwrap_or_else(|| allowed.input["command"].as_str().unwrap().to_owned());
            let call = Call { session, cwd, ..bash(&format!("{base}{extra}")) };
            let objects = User { questions: AskSupport::Denied, ..User::new() }.decision(&call) != Decision::Abstain;
            let passes = objects && user.decision(&call) == Decision::Abstain;
            if passes {
                prop_assert_eq!((session, cwd), (allowed.session, allowed.cwd));
                prop_assert_eq!(effects(&call), effects(&allowed));
                prop_assert_ne!(user.decision(&call), Decision::Abstain);
            } else {
                prop_assert_eq!(user.decision(&allowed), Decision::Abstain);
            }
            prop_assert_ne!(user.decision(&allowed), Decision::Abstain);
        }
    }
}
