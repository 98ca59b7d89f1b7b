//! The child process of `replay`, which reads and judges records under limits.
//!
//! It gets the names of files on stdin, one JSON line each, and answers with one JSON line for each call and one at the end of a
//! file. A record can make it use too much memory or time: then the parent loses one file and starts another child.

use super::{
    records,
    summary::{Call, End},
    want,
};
use crate::{policy, sys::memory};
use checkrein::{
    Decision, Disk, Event, Guard, Map, Payload, Policy, Session, Still, ToolCall,
    guard::{Effect, Judgement, ToolCommand},
    secrets::{Redactor, redactor},
};
use checkrein_hosts::transcript::{RecordedCall, Transcripts};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    io::{self, BufRead, BufWriter, Write, stdin, stdout},
    path::{Path, PathBuf},
};

/// The hidden command.
pub(crate) const WORKER: &str = "replay-worker";
/// The address space of the child.
const MEMORY: u64 = 1 << 30;
/// The number of directories whose policy is remembered.
const MOST_GUARDS: usize = 256;

/// The settings of a worker.
#[derive(Clone, Debug, Default)]
pub(in crate::commands) struct Setup {
    /// The policy to judge by, instead of the user's.
    pub(super) policy: Option<PathBuf>,
    /// The policy to compare with, instead of the user's.
    pub(super) against: Option<PathBuf>,
    /// Judge each call by both.
    pub(super) compares: bool,
    /// Earlier calls are left out.
    pub(super) since: String,
    /// Answer with the inputs of all calls.
    pub(super) whole: bool,
    /// Read our own trail also for agents that keep records themselves.
    pub(super) all_of_trail: bool,
}

impl Setup {
    pub(super) fn line(&self) -> String {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
        json!({
            "policy": path(&self.policy),
            "against": path(&self.against),
            "compares": self.compares,
            "since": self.since,
            "whole": self.whole,
            "all_of_trail": self.all_of_trail,
        })
        .to_string()
    }

    fn read(line: &Map) -> Self {
        let text = |key: &str| line.get(key).and_then(Value::as_str);
        let flag = |key: &str| line.get(key) == Some(&Value::Bool(true));
        Self {
            policy: text("policy").map(PathBuf::from),
            against: text("against").map(PathBuf::from),
            compares: flag("compares"),
            since: text("since").unwrap_or_default().to_owned(),
            whole: flag("whole"),
            all_of_trail: flag("all_of_trail"),
        }
    }
}

/// The hidden command: reads requests until stdin ends.
pub(crate) fn work() -> io::Result<()> {
    memory::limit(MEMORY);
    let mut lines = stdin().lock().lines();
    let Some(first) = lines.next().transpose()? else { return Ok(()) };
    let mut judge = Judge::new(Setup::read(&object(&first)?))?;
    let mut output = BufWriter::new(stdout().lock());
    for line in lines {
        let request = object(&line?)?;
        let text = |key: &str| request.get(key).and_then(Value::as_str).unwrap_or_default();
        let Some(transcripts) = checkrein_hosts::host(text("host")).and_then(|host| host.transcripts) else {
            return Err(io::Error::other("unknown host"));
        };
        let end = judge.file(text("host"), transcripts, Path::new(text("file")), &mut output)?;
        writeln!(output, "{}", end.to_json())?;
        output.flush()?;
    }
    Ok(())
}

fn object(line: &str) -> io::Result<Map> {
    serde_json::from_str(line).map_err(io::Error::other)
}

/// A guard of the calls of one directory. All of them are judged with the files of today, which are looked at once.
type Past = Guard<Still<Disk>>;

/// Judges calls as `check` does, without the hooks of the configuration: they are programs, and the calls ended long ago.
struct Judge {
    setup: Setup,
    redactor: Redactor,
    /// The guards by directory: each project may have a layer of its own.
    guards: HashMap<(bool, Option<String>), Past>,
}

impl Judge {
    fn new(setup: Setup) -> io::Result<Self> {
        let places = policy::places(None, &Session::default());
        Ok(Self { setup, redactor: redactor(places.state.as_deref())?, guards: HashMap::new() })
    }

    fn file(
        &mut self,
        host: &str,
        transcripts: &Transcripts,
        file: &Path,
        output: &mut impl Write,
    ) -> io::Result<End> {
        let mut end = End { host: host.to_owned(), ..End::default() };
        records::read(transcripts, file, &mut end, &mut |mut call, end| {
            call.tool = transcripts.tool(&call.tool).to_owned();
            self.call(host, file, call, end, output)
        })?;
        Ok(end)
    }

    fn call(
        &mut self,
        host: &str,
        file: &Path,
        recorded: RecordedCall,
        end: &mut End,
        output: &mut impl Write,
    ) -> io::Result<()> {
        let host = recorded.host.as_deref().unwrap_or(host);
        if recorded.host.is_some() && !self.setup.all_of_trail && keeps_records(host) {
            return Ok(());
        }
        if !recorded.time.is_empty() && recorded.time.as_str() < self.setup.since.as_str() {
            end.older += 1;
            return Ok(());
        }
        let mut call = ToolCall::new(&recorded.tool, recorded.input.clone());
        call.kind = recorded.kind.unwrap_or(call.kind);
        let mut payload = Payload::new(Event::PreToolUse { call });
        payload.session.id = Some(recorded.session.clone()).filter(|id| !id.is_empty());
        payload.session.cwd.clone_from(&recorded.cwd);
        let without_files = recorded.cwd.as_deref().is_none_or(|cwd| !Path::new(cwd).is_dir());
        let (decision, judgement) = self.judge(false, &payload);
        let wants = if decision == Decision::Allow { Vec::new() } else { self.wants(&payload, &judgement) };
        let before = self.setup.compares.then(|| self.judge(true, &payload).0);
        let strictest = judgement.findings.first();
        let by = strictest.and_then(|finding| judgement.effects.get(finding.effect));
        let call = Call {
            agent: host.to_owned(),
            session: recorded.session,
            time: recorded.time,
            file: file.to_string_lossy().into_owned(),
            line: recorded.line,
            tool: recorded.tool,
            call: recorded.call,
            identity: identity(&recorded.input),
            input: self.setup.whole.then(|| self.redacted(recorded.input)),
            decision,
            before,
            rules: judgement.findings.iter().map(|finding| finding.rule.id.to_string()).collect(),
            command: match by {
                Some(effect) => self.command(effect, &judgement),
                None if wants.is_empty() => String::new(),
                None => self.text(&payload),
            },
            without_files,
            wants,
        };
        writeln!(output, "{}", call.to_json())
    }

    /// Returns the entries that would have spared the user a prompt.
    fn wants(&mut self, payload: &Payload, judgement: &Judgement) -> Vec<want::Want> {
        want::of(self.guard(false, payload), payload, judgement)
    }

    /// Returns the guard of the policy in question, or of the one that it is compared with.
    fn guard(&mut self, before: bool, payload: &Payload) -> &Past {
        let named = if before { &self.setup.against } else { &self.setup.policy };
        let directory = payload.session.cwd.clone().filter(|_| named.is_none());
        if self.guards.len() >= MOST_GUARDS {
            self.guards.clear();
        }
        self.guards.entry((before, directory)).or_insert_with(|| {
            let policy = match named {
                Some(file) => Policy::of_file(file),
                None => Policy::load_or_repair(&policy::places(None, &payload.session)),
            };
            // A broken layer denies everything today, which says nothing about the calls of the past.
            policy.unwrap_or_default().guard().on(Still::new(Disk))
        })
    }

    /// Returns the decision by the policy in question, or by the one that it is compared with.
    fn judge(&mut self, before: bool, payload: &Payload) -> (Decision, Judgement) {
        let guard = self.guard(before, payload);
        let Some(judgement) = guard.judgement(payload) else {
            return (Decision::Abstain, Judgement::default());
        };
        let decision = match guard.allowed(payload, &judgement) {
            Some(Ok(())) if judgement.decision == Decision::Abstain => Decision::Allow,
            _ => judgement.decision,
        };
        (decision, judgement)
    }

    /// Returns the text of a shell call, without secrets.
    fn text(&self, payload: &Payload) -> String {
        match payload.event.call().and_then(ToolCommand::of) {
            Some(ToolCommand::Shell(text)) => self.redactor.text(text).0,
            _ => String::new(),
        }
    }

    /// Returns the command that has the effect, without secrets.
    fn command(&self, effect: &Effect, judgement: &Judgement) -> String {
        let words = judgement.ran.get(effect.by).map(|ran| ran.words.join(" ")).unwrap_or_default();
        self.redactor.text(&words).0
    }

    fn redacted(&self, input: Map) -> Map {
        let mut value = Value::Object(input);
        self.redactor.json(&mut value);
        match value {
            Value::Object(input) => input,
            _ => Map::new(),
        }
    }
}

/// Returns whether an agent keeps records that we can read, in which its calls are as a whole.
fn keeps_records(host: &str) -> bool {
    checkrein_hosts::host(host).is_some_and(|host| host.transcripts.is_some())
}

/// Returns a digest of an input, by which a copy of a call is recognised.
fn identity(input: &Map) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    Value::Object(input.clone()).to_string().hash(&mut hasher);
    hasher.finish()
}
