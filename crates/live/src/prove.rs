//! Runs the scenarios: one sandbox each, several at a time, and collects their findings.

use crate::{
    Agent, Finding, INSIDE, Sandbox, Scenario, Seen, Workdir, agent,
    own::{Own, Stage, text},
    runner::{Ended, wait},
    sandbox::network,
};
use checkrein_core::SmallSort as _;
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

/// The time that an agent may take for one scenario. Agents need seconds; a busy machine may need many.
pub(crate) const LIMIT: Duration = Duration::from_secs(150);
/// The additional time for the sandbox.
const GRACE: Duration = Duration::from_secs(20);

/// An agent on this machine.
#[derive(Clone)]
pub struct Subject {
    /// The agent.
    pub agent: &'static dyn Agent,
    /// The path of its program.
    pub program: PathBuf,
    /// The `PATH` for the agent.
    pub path: OsString,
    /// The path of our program.
    pub checkrein: PathBuf,
    /// The user's own setup, if that is to be tested.
    pub own: Option<Own>,
    /// The directory of our plugins, if they are to be tested.
    pub plugins: Option<PathBuf>,
}

/// The findings about an agent.
#[derive(Clone)]
pub struct Proof {
    /// The agent.
    pub agent: &'static dyn Agent,
    /// The version that it reports.
    pub version: String,
    /// The findings, in the order of [`Ability::ALL`](crate::Ability::ALL).
    pub findings: Vec<Finding>,
    /// Scenarios that could not be run, and why.
    pub failures: Vec<String>,
}

/// Runs every scenario of every agent, each in a sandbox and a scratch directory of its own.
#[must_use]
pub fn prove(sandbox: &Sandbox, subjects: &[Subject]) -> Vec<Proof> {
    tried(sandbox, subjects, |subject| {
        let own = subject.own.iter().map(|_| Scenario::Own);
        own.chain(plugin(subject)).chain(subject.agent.scenarios().iter().copied()).collect()
    })
}

/// Runs only the user's own setup of every agent: one start of each.
#[must_use]
pub fn prove_own(sandbox: &Sandbox, subjects: &[Subject]) -> Vec<Proof> {
    tried(sandbox, subjects, |subject| subject.own.iter().map(|_| Scenario::Own).collect())
}

/// Runs only our plugin in every agent that has one: one start of each.
#[must_use]
pub fn prove_plugins(sandbox: &Sandbox, subjects: &[Subject]) -> Vec<Proof> {
    tried(sandbox, subjects, |subject| plugin(subject).into_iter().collect())
}

/// Returns the scenario with our plugin, if there is one for the agent.
fn plugin(subject: &Subject) -> Option<Scenario> {
    subject.agent.plugin(subject.plugins.as_deref()?).map(|_| Scenario::Plugin)
}

/// Returns the tools that an agent offers a model, with their names and input schemas.
///
/// # Errors
///
/// If the agent could not be started, or its report cannot be read.
pub fn offered(sandbox: &Sandbox, subject: &Subject) -> io::Result<Vec<Value>> {
    // The scenario in which an agent offers the most tools.
    attempt(sandbox, subject, Scenario::Subagent, None).map(|report| report.tools)
}

/// Runs one scenario and keeps the home directory that the agent had, with the records that it wrote of its session and
/// with our own trail of the same calls. `home` must not exist.
///
/// # Errors
///
/// If the agent could not be started, or its home directory cannot be kept.
pub fn record(sandbox: &Sandbox, subject: &Subject, scenario: Scenario, home: &Path) -> io::Result<()> {
    attempt(sandbox, subject, scenario, Some(home)).map(drop)
}

/// Runs these scenarios with every agent.
fn tried(sandbox: &Sandbox, subjects: &[Subject], scenarios: fn(&Subject) -> Vec<Scenario>) -> Vec<Proof> {
    let work: Vec<(usize, &Subject, Scenario)> = subjects
        .iter()
        .enumerate()
        .flat_map(|(number, subject)| {
            scenarios(subject).into_iter().map(move |scenario| (number, subject, scenario))
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
        while let Some((number, subject, scenario)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            let tried = attempt_twice(sandbox, subject, *scenario);
            let Some(proof) = proofs.get(*number) else { continue };
            let mut proof = proof.lock().unwrap_or_else(PoisonError::into_inner);
            match tried {
                Ok(Report { version, findings, .. }) => {
                    if !version.is_empty() {
                        proof.version = version;
                    }
                    proof.findings.extend(findings);
                }
                Err(error) => proof.failures.push(format!("{}: {error}", scenario.as_str())),
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
        proof.findings.small_sort_by_key(|finding| finding.ability);
        proof
    });
    whole.collect()
}

/// The report of a scenario.
struct Report {
    version: String,
    findings: Vec<Finding>,
    /// The tools that the agent offered the model.
    tools: Vec<Value>,
}

/// Returns the time that an agent may take. One that waits forever for a hook need not be waited for as long.
fn limit(agent: &dyn Agent, scenario: Scenario) -> Duration {
    const LONG_ENOUGH: Duration = Duration::from_secs(60);
    if scenario == Scenario::ProgramHangs && agent.waits_for_ever() { LONG_ENOUGH } else { LIMIT }
}

/// Runs a scenario, and once more if the agent exited before it got that far. An agent that fails by itself, on a machine
/// with too much to do, has shown nothing; what it does or leaves undone with a call counts the first time.
fn attempt_twice(sandbox: &Sandbox, subject: &Subject, scenario: Scenario) -> io::Result<Report> {
    let report = attempt(sandbox, subject, scenario, None)?;
    if report.findings.iter().any(|finding| finding.seen == Seen::NotReached) {
        return attempt(sandbox, subject, scenario, None);
    }
    Ok(report)
}

fn attempt(
    sandbox: &Sandbox,
    subject: &Subject,
    scenario: Scenario,
    keep: Option<&Path>,
) -> io::Result<Report> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let directory = env::temp_dir().join(format!("checkrein-live-{}-{number}", process::id()));
    // If it exists already, another user may own it.
    fs::DirBuilder::new().mode(0o700).create(&directory)?;
    let scratch = Scratch(directory.canonicalize()?);
    let workdir = Workdir::create(scratch.0.clone(), subject.checkrein.clone())?;
    let plan = Plan {
        agent: subject.agent,
        scenario,
        program: subject.program.clone(),
        path: subject.path.clone(),
        checkrein: subject.checkrein.clone(),
        outside: network()?.into_os_string(),
        limit: limit(subject.agent, scenario),
        stage: match (&subject.own, scenario) {
            (Some(own), Scenario::Own) => Stage::own(&workdir, own)?,
            _ => Stage::scratch(&workdir, subject.agent.recipe().directory),
        },
        plugins: subject.plugins.clone(),
    };
    plan.write(&workdir)?;
    let mut command = sandbox.command(&subject.checkrein);
    command.arg(INSIDE).arg(workdir.directory()).env_clear().env("PATH", &subject.path);
    let said = workdir.directory().join("said");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(fs::File::create(&said)?);
    let mut child = command.spawn()?;
    // Held until the end: the sandbox ends when it is closed.
    let held = child.stdin.take();
    let runs = if subject.agent.ends_on_denial().is_some() { scenario.canaries().len().max(1) } else { 1 };
    let runs = u32::try_from(runs).unwrap_or(u32::MAX);
    let ended = wait(&mut child, limit(subject.agent, scenario) * runs + GRACE);
    drop(held);
    if let Some(keep) = keep {
        fs::rename(workdir.home(), keep)?;
    }
    match ended? {
        Ended::Itself(status) if status.success() => Report::read(&workdir.report()),
        Ended::Itself(status) => {
            let said = fs::read_to_string(said).unwrap_or_default();
            let said = said.trim();
            Err(io::Error::other(if said.is_empty() { status.to_string() } else { said.to_owned() }))
        }
        Ended::Late(limit) => Err(io::Error::other(format!("nothing after {} s", limit.as_secs()))),
    }
}

/// A directory that is removed when dropped.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover in the temporary directory is harmless.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The plan of a scenario.
pub(crate) struct Plan {
    pub(crate) agent: &'static dyn Agent,
    pub(crate) scenario: Scenario,
    pub(crate) program: PathBuf,
    pub(crate) path: OsString,
    pub(crate) checkrein: PathBuf,
    /// The network namespace that the agent must not be in.
    pub(crate) outside: OsString,
    pub(crate) limit: Duration,
    pub(crate) stage: Stage,
    /// The directory of our plugins.
    pub(crate) plugins: Option<PathBuf>,
}

impl Plan {
    pub(crate) fn write(&self, workdir: &Workdir) -> io::Result<()> {
        let plan = json!({
            "agent": self.agent.name(),
            "scenario": self.scenario.as_str(),
            "program": text(&self.program)?,
            "path": text(self.path.as_ref())?,
            "checkrein": text(&self.checkrein)?,
            "outside": text(self.outside.as_ref())?,
            "limit": self.limit.as_secs(),
            "stage": self.stage.json()?,
            "plugins": self.plugins.as_deref().map(text).transpose()?,
        });
        fs::write(workdir.plan(), plan.to_string())
    }

    pub(crate) fn read(directory: &Path) -> io::Result<Self> {
        let workdir = Workdir::new(directory.to_owned(), PathBuf::new());
        let plan: Value = serde_json::from_slice(&fs::read(workdir.plan())?)?;
        let text = |key: &str| {
            plan.get(key)
                .and_then(Value::as_str)
                .ok_or_else(|| io::Error::other(format!("the plan of the scenario has no `{key}`")))
        };
        let name = text("agent")?;
        let agent = agent::ALL.iter().find(|agent| agent.name() == name).copied();
        let scenario = Scenario::from_word(text("scenario")?);
        Ok(Self {
            agent: agent.ok_or_else(|| io::Error::other(format!("unknown agent `{name}`")))?,
            scenario: scenario.ok_or_else(|| io::Error::other("unknown scenario"))?,
            program: text("program")?.into(),
            path: text("path")?.into(),
            checkrein: text("checkrein")?.into(),
            outside: text("outside")?.into(),
            stage: plan
                .get("stage")
                .and_then(Stage::from_json)
                .ok_or_else(|| io::Error::other("the plan of the scenario has no `stage`"))?,
            plugins: plan.get("plugins").and_then(Value::as_str).map(PathBuf::from),
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
        let findings =
            findings.ok_or_else(|| io::Error::other("the report of the scenario cannot be read"))?;
        let tools = report.get("tools").and_then(Value::as_array).cloned().unwrap_or_default();
        Ok(Self { version, findings, tools })
    }
}
