//! `checkrein hook`: reads one event and writes one answer. This is the hot path.
//!
//! A host starts this program for every event, so it does only what the event needs: it parses the few
//! arguments itself, reads stdin once, builds only the hooks of the event, and writes stdout once. Every
//! error becomes an answer in the host's dialect, never an empty one.

use crate::{
    attendance, crash_reply, greeting,
    policy::{self, Audience},
    recorder::{Recorder, not_kept},
    stdin,
    sys::memory,
    term::{stderr, style},
};
use checkrein::{
    ConfigError, Decision, EventName, InputError, Outcome, Payload, Places, Policy, TrailSettings, notify,
    trail::{Decided, Trail},
};
use checkrein_hosts::{Dialect, Reply};
use rustix::{
    event::{PollFd, PollFlags, poll},
    fs::{FileType, Stat},
    io::Errno,
};
use std::{
    ffi::OsString,
    io::Write,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

/// The memory limit for one event. Exceeding it is a denial.
const MEMORY: u64 = 1024 * 1024 * 1024;

/// The reason of the denial that the signal handler writes.
const UNTIMELY: &str = "checkrein was terminated before it could answer";

/// The parsed command line.
#[derive(Debug, Default)]
struct Arguments {
    host: Option<String>,
    event: Option<String>,
    config: Option<PathBuf>,
}

/// Runs the command. `None` if the user wants the help text.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let (arguments, wrong) = match parse(arguments) {
        Parsed::Help => return None,
        Parsed::Run(arguments, wrong) => (arguments, wrong),
    };
    // An unknown host is refused in our own dialect.
    let host = arguments.host.as_deref().ok_or_else(|| "`--host` is missing".to_owned());
    let dialect = host.and_then(|name| checkrein_hosts::find(name).map_err(|error| error.to_string()));
    let event = arguments.event.as_deref().map(str::parse::<EventName>).transpose();
    let speaker = dialect.as_ref().copied().unwrap_or(checkrein_hosts::OURS);
    let known_event = event.as_ref().ok().copied().flatten();
    // An unknown event may be a gate, so it gets a gate's time limit.
    let alarm = known_event.unwrap_or(EventName::PreToolUse).alarm();
    crash_reply::prepare(speaker.refuse(known_event, UNTIMELY), alarm);
    memory::limit(MEMORY);

    let wrong = wrong.or_else(|| dialect.err()).or_else(|| event.err().map(|error| error.to_string()));
    if let Some(wrong) = wrong {
        return Some(write(&usage_error(speaker, known_event, &wrong)));
    }
    let answer = AssertUnwindSafe(|| answer(speaker, known_event, arguments.config.as_deref()));
    Some(catch_unwind(answer).unwrap_or_else(|_| match crash_reply::given() {
        // The answer was already written.
        Some(exit) => ExitCode::from(exit),
        None => write(&complaint(speaker, known_event, "checkrein panicked")),
    }))
}

fn answer(dialect: &'static dyn Dialect, event: Option<EventName>, config: Option<&Path>) -> ExitCode {
    let started = Instant::now();
    let bytes = match stdin::read_all() {
        Ok(bytes) => bytes,
        Err(error) => return write(&complaint(dialect, event, &error.to_string())),
    };
    let mut payload = match dialect.decode(bytes, event) {
        Ok(payload) => payload,
        Err(error) => return write(&complaint(dialect, named(&error).or(event), &error.to_string())),
    };
    if event.is_none() {
        crash_reply::say_instead(dialect.refuse(Some(payload.name()), UNTIMELY));
        crash_reply::at_the_latest(payload.name().alarm());
    }
    if payload.session.project_dir.is_none() {
        payload.session.project_dir = policy::project_dir();
    }
    let places = policy::places(config, &payload.session);
    let policy = match Policy::load_for(&places, &payload) {
        Ok(policy) => policy,
        Err(problems) => return write(&broken(dialect, payload, &places, &problems)),
    };
    let asking = dialect.asking(payload.name(), &payload.session);
    let mut trail = Recorder::of(&policy, started);
    let reports_end = payload.event.call().is_some_and(|call| dialect.reports_end(call));
    let edge = policy::edge().remembering(asking).reporting_end(reports_end).absence(attendance::is_absent);
    let edge = trail.edge(edge.keeping_for_undo());
    let mut active = policy.for_event(&payload, &edge);
    trail.begin(&mut payload);
    if places.user.is_none() {
        active.remarks.push("HOME is not set, so the user's configuration is not read".into());
    }
    let dispatcher = active.dispatcher.timed(trail.is_on());
    let mut outcome = dispatcher.decide(payload);
    trail.warn(&mut outcome);
    greeting::greet(&mut outcome, &places, &policy);
    let (mut outcome, mut reply) = checkrein_hosts::answer(dialect, outcome);
    trail.forget_unless_it_runs(&policy, &outcome);
    if let Err(denied) = trail.before_the_answer(&outcome, &mut active.remarks) {
        (outcome, reply) = checkrein_hosts::answer(dialect, *denied);
    }
    let exit = write(&for_stdout(&outcome, reply));
    trail.after_the_answer(&outcome, &mut active.remarks);
    attendance::note_prompt(&outcome.payload, places.state.as_deref());
    // The answer does not wait for observers.
    dispatcher.observe(&mut outcome);
    let decided = notify::Decided { outcome: &outcome, rules: &trail.rules() };
    active.remarks.extend(notify::notify(&policy, decided, &policy::setup));
    stderr::about(&outcome, &active.remarks);
    crash_reply::leave().unwrap_or(exit)
}

/// Answers an event under a broken configuration, and records it.
fn broken(
    dialect: &'static dyn Dialect,
    mut payload: Payload,
    places: &Places,
    problems: &ConfigError,
) -> Reply {
    let trail = places.state.as_deref().and_then(|state| Trail::at(state, TrailSettings::default()));
    payload.id = trail.as_ref().map(Trail::id);
    let refused = policy::refuse(payload, problems, Audience::Model);
    let (outcome, mut reply) = checkrein_hosts::answer(dialect, refused);
    // Nothing from the file: with some exit codes a host shows stderr to the model.
    reply.stderr = format!("checkrein: the configuration is broken\n{}\n", problems.for_model());
    if let Some(Err(error)) = trail.map(|trail| trail.append(&Decided::new(&outcome))) {
        reply.stderr.push_str(&format!("checkrein: {}\n", not_kept(&error)));
    }
    for_stdout(&outcome, reply)
}

/// Adapts an answer to a stdout that is not connected: the exit code then carries the decision and stderr the reason. An answer
/// that changes nothing stays as it is.
fn for_stdout(outcome: &Outcome, mut reply: Reply) -> Reply {
    let exit = match outcome.decision {
        Decision::Deny => 2,
        Decision::Ask => crash_reply::unanswered(),
        Decision::Abstain | Decision::Allow if outcome.is_edited() || outcome.stop.is_some() => {
            crash_reply::unanswered()
        }
        Decision::Abstain | Decision::Allow => return reply,
    };
    if exit > reply.exit && is_stdout_discarded() {
        let why = "stdout is not connected; using the exit code";
        reply.stderr = format!("checkrein: {why}\n{}\n{}", outcome.reason(), reply.stderr);
        reply.exit = exit;
    }
    reply
}

/// Returns true if stdout is `/dev/null`. The standard library opens it in place of a closed stdout, so a
/// write does not fail.
fn is_stdout_discarded() -> bool {
    let same = |stdout: Stat, null: Stat| {
        FileType::from_raw_mode(stdout.st_mode) == FileType::CharacterDevice && stdout.st_rdev == null.st_rdev
    };
    match (rustix::fs::fstat(rustix::stdio::stdout()), rustix::fs::stat("/dev/null")) {
        (Ok(stdout), Ok(null)) => same(stdout, null),
        (Ok(_), Err(_)) => false,
        (Err(_), _) => true,
    }
}

/// Returns the event of a payload, if it could be determined.
const fn named(error: &InputError) -> Option<EventName> {
    match error {
        InputError::Missing { event, .. } | InputError::Of { event, .. } => Some(*event),
        // An entry under the wrong event name must not open the gate that the payload is about.
        InputError::OtherEvent { found, .. } if found.is_preventable() => Some(*found),
        _ => None,
    }
}

/// Returns the answer when there is no outcome. stderr has the reason as well.
fn complaint(dialect: &dyn Dialect, event: Option<EventName>, why: &str) -> Reply {
    let mut reply = dialect.refuse(event, why);
    reply.stderr = format!("checkrein: {why}\n");
    reply
}

fn usage_error(dialect: &dyn Dialect, event: Option<EventName>, why: &str) -> Reply {
    let mut reply = complaint(dialect, event, why);
    reply.stderr.push_str("usage: checkrein hook --host <HOST> [--event <EVENT>] [--config <FILE>]\n");
    reply.exit = 2;
    reply
}

/// Writes an answer. One that cannot be written is a denial by the exit code, where a denial prevents something.
fn write(reply: &Reply) -> ExitCode {
    let unanswered = crash_reply::answering();
    let written = write_whole(&reply.stdout);
    let exit = if written.is_ok() { reply.exit } else { unanswered };
    crash_reply::answered(exit);
    // If only the exit code carries the answer, stderr has the reason. stderr may be closed, too.
    if let Err(error) = written {
        let answer = String::from_utf8_lossy(&reply.stdout);
        let talk = format!("checkrein: cannot write to stdout ({error}); the answer was: {answer}");
        let _ = writeln!(std::io::stderr(), "{}", style::lines(&talk));
    }
    if !reply.stderr.is_empty() {
        let _ = writeln!(std::io::stderr(), "{}", style::lines(&reply.stderr));
    }
    ExitCode::from(exit)
}

/// Writes without `std`, which ignores a stdout that is not open for writing, and gives up on one that is
/// temporarily full.
fn write_whole(mut rest: &[u8]) -> Result<(), Errno> {
    let stdout = rustix::stdio::stdout();
    while !rest.is_empty() {
        match rustix::io::write(stdout, rest) {
            Ok(0) => return Err(Errno::IO),
            Ok(written) => rest = rest.get(written..).unwrap_or_default(),
            Err(Errno::INTR) => {}
            // The alarm ends this wait if nothing reads stdout.
            Err(Errno::AGAIN) => drop(poll(&mut [PollFd::new(&stdout, PollFlags::OUT)], None)?),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

enum Parsed {
    Help,
    /// The arguments, and the first error.
    Run(Arguments, Option<String>),
}

fn parse(mut words: impl Iterator<Item = OsString>) -> Parsed {
    let mut arguments = Arguments::default();
    let mut wrong = None;
    while let Some(word) = words.next() {
        let text = word.to_string_lossy().into_owned();
        if text == "--help" || text == "-h" {
            return Parsed::Help;
        }
        let (flag, inline) = match text.split_once('=') {
            Some((flag, value)) => (flag.to_owned(), Some(OsString::from(value))),
            None => (text, None),
        };
        let set: fn(&mut Arguments, OsString) = match flag.as_str() {
            "--host" => |arguments, value| arguments.host = Some(value.to_string_lossy().into_owned()),
            "--event" => |arguments, value| arguments.event = Some(value.to_string_lossy().into_owned()),
            "--config" => |arguments, value| arguments.config = Some(value.into()),
            _ => {
                wrong.get_or_insert(format!("unexpected argument `{flag}`"));
                continue;
            }
        };
        match inline.or_else(|| words.next()) {
            Some(value) => set(&mut arguments, value),
            None => drop(wrong.get_or_insert(format!("`{flag}` needs a value"))),
        }
    }
    Parsed::Run(arguments, wrong)
}
