//! From outside: one cage per trial, several at a time, and the findings of all of them.

use crate::{
    Agent, Cage, Finding, INSIDE, Place, Trial, agent,
    cage::network,
    inside::{Ended, wait},
    own::{Own, Stage, text},
};
use serde_json::{Value, json};
use std::{
    env,
    ffi::OsString,
    fs, io,
    num::NonZero,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    process::{self, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

/// How long an agent may take for one trial. They need seconds; a machine that is busy with other things, many.
const LIMIT: Duration = Duration::from_secs(150);
/// How much longer the cage may take than the agent.
const GRACE: Duration = Duration::from_secs(20);

/// An agent on this machine.
#[derive(Clone)]
pub struct Subject {
    /// Which one.
    pub agent: &'static dyn Agent,
    /// Its program.
    pub program: PathBuf,
    /// What it finds as `PATH`.
    pub path: OsString,
    /// Our program, which it is to ask.
    pub checkrein: PathBuf,
    /// The user's own setup of it, if that is to be tried.
    pub own: Option<Own>,
}

/// What was found out about an agent.
#[derive(Clone)]
pub struct Proof {
    /// Which one.
    pub agent: &'static dyn Agent,
    /// The version that it says it is.
    pub version: String,
    /// What was seen, in the order of [`Ability::ALL`](crate::Ability::ALL).
    pub findings: Vec<Finding>,
    /// Trials that could not be made, and why.
    pub failures: Vec<String>,
}

/// Tries every agent in every way, each time in a cage and a scratch directory of its own.
#[must_use]
pub fn prove(cage: &Cage, subjects: &[Subject]) -> Vec<Proof> {
    tried(cage, subjects, |agent| agent.trials())
}

/// Tries the user's own setup of every agent, and nothing else: one start of each.
#[must_use]
pub fn prove_own(cage: &Cage, subjects: &[Subject]) -> Vec<Proof> {
    tried(cage, subjects, |_| &[])
}

/// The tools that an agent offers a model, as the model is told about them: with their names and the schemas of their inputs.
///
/// # Errors
///
/// If the agent could not be started, or its report cannot be read.
pub fn offered(cage: &Cage, subject: &Subject) -> io::Result<Vec<Value>> {
    // The trial in which an agent offers most.
    attempt(cage, subject, Trial::Subagent).map(|report| report.tools)
}

/// Makes these trials with every agent, and one of the user's own setup where there is one.
fn tried(cage: &Cage, subjects: &[Subject], trials: fn(&dyn Agent) -> &'static [Trial]) -> Vec<Proof> {
    let work: Vec<(usize, &Subject, Trial)> = subjects
        .iter()
        .enumerate()
        .flat_map(|(number, subject)| {
            let own = subject.own.as_ref().map(|_| Trial::Own);
            let trials = own.into_iter().chain(trials(subject.agent).iter().copied());
            trials.map(move |trial| (number, subject, trial))
        })
        .collect();
    let proofs: Vec<Mutex<Proof>> = subjects
        .iter()
        .map(|Subject { agent, .. }| {
            let nothing = Proof {
                agent: *agent,
                version: "unknown".to_owned(),
                findings: Vec::new(),
                failures: Vec::new(),
            };
            Mutex::new(nothing)
        })
        .collect();
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some((number, subject, trial)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            let tried = attempt(cage, subject, *trial);
            let Some(proof) = proofs.get(*number) else { continue };
            let mut proof = proof.lock().unwrap_or_else(PoisonError::into_inner);
            match tried {
                Ok(Report { version, findings, .. }) => {
                    if !version.is_empty() {
                        proof.version = version;
                    }
                    proof.findings.extend(findings);
                }
                Err(error) => proof.failures.push(format!("{}: {error}", trial.as_str())),
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..thread::available_parallelism().map_or(1, NonZero::get).min(work.len()) {
            scope.spawn(worker);
        }
        worker();
    });
    let whole = proofs.into_iter().map(|proof| {
        let mut proof = proof.into_inner().unwrap_or_else(PoisonError::into_inner);
        proof.findings.sort_by_key(|finding| finding.ability);
        proof
    });
    whole.collect()
}

/// What a trial found.
struct Report {
    version: String,
    findings: Vec<Finding>,
    /// What the agent offered the model.
    tools: Vec<Value>,
}

fn attempt(cage: &Cage, subject: &Subject, trial: Trial) -> io::Result<Report> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let directory = env::temp_dir().join(format!("checkrein-live-{}-{number}", process::id()));
    // If somebody else has made it, it is not ours to use.
    fs::DirBuilder::new().mode(0o700).create(&directory)?;
    let scratch = Scratch(directory.canonicalize()?);
    let place = Place::create(scratch.0.clone(), subject.checkrein.clone())?;
    let plan = Plan {
        agent: subject.agent,
        trial,
        program: subject.program.clone(),
        path: subject.path.clone(),
        checkrein: subject.checkrein.clone(),
        outside: network()?.into_os_string(),
        limit: LIMIT,
        stage: match (&subject.own, trial) {
            (Some(own), Trial::Own) => Stage::own(&place, own)?,
            _ => Stage::scratch(&place, subject.agent.recipe().directory),
        },
    };
    plan.write(&place)?;
    let mut command = cage.command(&subject.checkrein);
    command.arg(INSIDE).arg(place.directory()).env_clear().env("PATH", &subject.path);
    let said = place.directory().join("said");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(fs::File::create(&said)?);
    let mut child = command.spawn()?;
    // Held until the end: the cage ends when it is gone.
    let held = child.stdin.take();
    let ended = wait(&mut child, LIMIT + GRACE);
    drop(held);
    match ended? {
        Ended::Itself(status) if status.success() => Report::read(&place.report()),
        Ended::Itself(status) => {
            let said = fs::read_to_string(said).unwrap_or_default();
            let said = said.trim();
            Err(io::Error::other(if said.is_empty() { status.to_string() } else { said.to_owned() }))
        }
        Ended::Late(limit) => Err(io::Error::other(format!("nothing after {} s", limit.as_secs()))),
    }
}

/// A directory that is removed in the end.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed lies in the temporary directory, and is harmless.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What is to be done in a cage.
pub(crate) struct Plan {
    pub(crate) agent: &'static dyn Agent,
    pub(crate) trial: Trial,
    pub(crate) program: PathBuf,
    pub(crate) path: OsString,
    pub(crate) checkrein: PathBuf,
    /// The network that the agent must not be in.
    pub(crate) outside: OsString,
    pub(crate) limit: Duration,
    pub(crate) stage: Stage,
}

impl Plan {
    pub(crate) fn write(&self, place: &Place) -> io::Result<()> {
        let plan = json!({
            "agent": self.agent.name(),
            "trial": self.trial.as_str(),
            "program": text(&self.program)?,
            "path": text(self.path.as_ref())?,
            "checkrein": text(&self.checkrein)?,
            "outside": text(self.outside.as_ref())?,
            "limit": self.limit.as_secs(),
            "stage": self.stage.json()?,
        });
        fs::write(place.plan(), plan.to_string())
    }

    pub(crate) fn read(directory: &Path) -> io::Result<Self> {
        let place = Place::new(directory.to_owned(), PathBuf::new());
        let plan: Value = serde_json::from_slice(&fs::read(place.plan())?)?;
        let text = |key: &str| {
            plan.get(key)
                .and_then(Value::as_str)
                .ok_or_else(|| io::Error::other(format!("the plan of the trial has no `{key}`")))
        };
        let name = text("agent")?;
        let agent = agent::ALL.iter().find(|agent| agent.name() == name).copied();
        let trial = Trial::from_word(text("trial")?);
        Ok(Self {
            agent: agent.ok_or_else(|| io::Error::other(format!("unknown agent `{name}`")))?,
            trial: trial.ok_or_else(|| io::Error::other("unknown trial"))?,
            program: text("program")?.into(),
            path: text("path")?.into(),
            checkrein: text("checkrein")?.into(),
            outside: text("outside")?.into(),
            stage: plan
                .get("stage")
                .and_then(Stage::from_json)
                .ok_or_else(|| io::Error::other("the plan of the trial has no `stage`"))?,
            limit: Duration::from_secs(plan.get("limit").and_then(Value::as_u64).unwrap_or(LIMIT.as_secs())),
        })
    }
}

impl Report {
    fn read(file: &Path) -> io::Result<Self> {
        let report: Value = serde_json::from_slice(&fs::read(file)?)?;
        let findings = report.get("findings").and_then(Value::as_array);
        let findings = findings.and_then(|list| list.iter().map(Finding::from_json).collect());
        let version = report.get("version").and_then(Value::as_str).unwrap_or_default().to_owned();
        let findings = findings.ok_or_else(|| io::Error::other("the report of the trial cannot be read"))?;
        let tools = report.get("tools").and_then(Value::as_array).cloned().unwrap_or_default();
        Ok(Self { version, findings, tools })
    }
}
