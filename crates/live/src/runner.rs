//! Runs one scenario inside the sandbox: the model, the agent, and the report.

use crate::{
    Agent, Finding, Launch, Scenario, Workdir,
    canary::{Canary, SEEDS, configuration, skill, skill_file},
    judge::{Traces, judge},
    mounts, netns,
    own::{Form, Stage},
    prove::Plan,
    sandbox::is_apart,
    scenario::{OURS, StandIn},
};
use checkrein_core::EventName;
use checkrein_hosts::install::{EventSupport, Kind, Version, Wanted, install, quoted};
use checkrein_model::{Script, Server, Turn};
use serde_json::{Value, json};
use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, Read, Write},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The model's last message.
pub(crate) const GOODBYE: &str = "All canaries have been heard.";

/// Runs the scenario that is planned in `directory`, and writes a report there.
///
/// It is the first process of its namespace, which ends with it. It checks that [`Sandbox`](crate::Sandbox) created the
/// namespace before it starts anything.
///
/// # Errors
///
/// If the network is not isolated, if the plan cannot be read, or if something cannot be started or written.
pub fn inside(directory: &Path) -> io::Result<()> {
    let plan = Plan::read(directory)?;
    enter(plan.outside.as_ref())?;
    let agent = plan.agent;
    let workdir = Workdir::new(directory.to_owned(), plan.checkrein.clone());
    let stage = &plan.stage;
    mounts::mount(stage, &workdir.empty())?;
    let version = version(&plan, &workdir)?;
    settle(&workdir, plan.scenario)?;
    let mut findings = Vec::new();
    let mut tools = None;
    for canaries in runs(&plan) {
        let server = Server::start(script(&plan, canaries, &workdir).then(Turn::text(GOODBYE)))?;
        agent.settle(stage, &server.url())?;
        let launch = agent.launch(stage, &server.url(), plan.scenario, &plan.scenario.prompt());
        match (plan.scenario, stage.is_own) {
            (_, true) => {}
            (Scenario::Plugin, _) => install_plugin(&plan, &workdir, &launch)?,
            _ => register(&workdir, agent, Version::find(&version), plan.scenario)?,
        }
        let mut command = bare(&plan, &workdir);
        command.envs(stage.switches.iter().map(|(name, value)| (name, value)));
        command.args(&launch.arguments).envs(launch.environment);
        let ended = limited(&mut command, &workdir, plan.limit)?;
        let turns = server.turns();
        let traces = Traces {
            agent,
            scenario: plan.scenario,
            canaries,
            workdir: &workdir,
            turns: &turns,
            ended: &ended,
        };
        findings.extend(judge(&traces));
        // The first request shows the agent's own tools; later ones may come from agents that it started.
        tools = tools.or_else(|| turns.first().and_then(|request| request.body.get("tools")).cloned());
    }
    let report = json!({
        "version": version,
        "findings": findings.iter().map(Finding::json).collect::<Value>(),
        "tools": tools.unwrap_or_else(|| json!([])),
    });
    fs::write(workdir.report(), report.to_string())
}

/// Prepares the first process of a sandbox: loopback is brought up, and the process ends when its standard input is closed. `outside`
/// is the [`network`](crate::network) that it must not be in.
///
/// # Errors
///
/// If the network is not isolated, or loopback cannot be used.
pub fn enter(outside: &OsStr) -> io::Result<()> {
    if !is_apart(outside)? {
        return Err(io::Error::other("this is not a network namespace of its own"));
    }
    netns::bring_up()?;
    end_with_the_one_who_waits()
}

/// Returns the canaries of each run: all in one, unless a denial would end it.
fn runs(plan: &Plan) -> impl Iterator<Item = &'static [Canary]> {
    let canaries = plan.scenario.canaries();
    canaries.chunks(if plan.agent.ends_on_denial().is_some() { 1 } else { canaries.len().max(1) })
}

/// Exits when our stdin is closed, which means that the caller is gone.
fn end_with_the_one_who_waits() -> io::Result<()> {
    let watch = || {
        // Nothing is ever written to it.
        let _ = io::stdin().read(&mut [0]);
        std::process::exit(1);
    };
    thread::Builder::new().name("watch".to_owned()).spawn(watch).map(drop)
}

/// Returns the model's script for the agent.
fn script(plan: &Plan, canaries: &[Canary], workdir: &Workdir) -> Script {
    match (plan.scenario, canaries) {
        (
            Scenario::Subagent
            | Scenario::Monitor
            | Scenario::Typed
            | Scenario::SkillWritten
            | Scenario::Skill
            | Scenario::Own
            | Scenario::Plugin,
            [canary],
        ) => plan.agent.script(plan.scenario, canary.name(), &canary.forced(workdir), workdir),
        _ => Script::new(canaries.iter().map(|canary| Turn::call(canary.call(plan.agent, workdir)))),
    }
}

/// Writes the files for our hooks and the canaries.
fn settle(workdir: &Workdir, scenario: Scenario) -> io::Result<()> {
    let configuration = configuration(workdir, scenario);
    if !configuration.is_empty() {
        Workdir::write(&workdir.settings().join("config.toml"), &configuration)?;
    }
    Workdir::write_program(&workdir.foreign(), "#!/bin/sh\necho >> \"$0.called\"\n")?;
    if scenario == Scenario::Skill {
        let canary = Canary::Skill;
        let file = workdir.project().join(skill_file(canary.name()));
        Workdir::write(&file, &skill(canary.name(), &canary.forced(workdir)))?;
    }
    for (name, secret) in SEEDS {
        Workdir::write(&workdir.project().join(name), &format!("{secret}\n"))?;
    }
    Ok(())
}

/// Registers checkrein with the agent, as `init` would. A stand-in is registered only before calls: an agent that
/// refuses the whole prompt would not show what it does with a call.
pub(crate) fn register(
    workdir: &Workdir,
    agent: &dyn Agent,
    version: Option<Version>,
    scenario: Scenario,
) -> io::Result<()> {
    let recipe = agent.recipe();
    let ours = workdir.checkrein().to_string_lossy();
    let stand_in = workdir.stand_in();
    if let StandIn::Script(text) = scenario.stand_in() {
        Workdir::write_program(&stand_in, &text.replace(OURS, &quoted(&ours)))?;
    }
    let stand_in = stand_in.to_string_lossy();
    let entry = |fired: &EventSupport| match (scenario.stand_in(), fired.event) {
        (StandIn::Script(_) | StandIn::Nothing, EventName::PreToolUse) => {
            let timeout = scenario.patience().unwrap_or(fired.timeout);
            Wanted::new(recipe, version, &EventSupport { timeout, ..*fired }, &stand_in)
        }
        (StandIn::Script(_) | StandIn::Nothing | StandIn::No, _) => {
            Wanted::new(recipe, version, fired, &ours)
        }
    };
    // A bridge has one program for all events.
    let is_alone = matches!(recipe.layout.kind, Kind::Bridge(_)) && scenario.stand_in() != StandIn::No;
    let fired = recipe.registered(version, &[]);
    let wanted: Vec<Wanted> =
        fired.filter(|fired| !is_alone || fired.event == EventName::PreToolUse).map(entry).collect();
    let wanted = Wanted::with_companions(recipe, wanted);
    for wanted in wanted.chunk_by(|one, next| one.file == next.file) {
        let Some(first) = wanted.first() else { continue };
        let file = workdir.home().join(recipe.directory).join(&first.file);
        // The agent's own settings may be in the same file.
        let old = fs::read_to_string(&file).unwrap_or_default();
        let installed =
            install(&old, recipe, wanted).map_err(|defect| io::Error::other(defect.to_string()))?;
        if recipe.content == Form::Ours {
            Workdir::write_program(&file, &installed.text)?;
        } else {
            Workdir::write(&file, &installed.text)?;
        }
    }
    Ok(())
}

/// The time that an agent may take for one step of installing a plugin.
const INSTALLING: Duration = Duration::from_secs(60);

/// Lets the agent install our plugin, as a user would, and agree to what it asks.
fn install_plugin(plan: &Plan, workdir: &Workdir, launch: &Launch) -> io::Result<()> {
    let plugins = plan.plugins.as_deref().ok_or_else(|| io::Error::other("there are no plugins"))?;
    for arguments in plan.agent.plugin(plugins).unwrap_or_default() {
        let mut command = bare(plan, workdir);
        command.args(&arguments).envs(launch.environment.clone()).stdin(Stdio::piped());
        let (stdout, stderr) = (workdir.directory().join("stdout"), workdir.directory().join("stderr"));
        command.stdout(File::create(&stdout)?).stderr(File::create(&stderr)?);
        let mut child = command.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            // It may ask nothing, and not read this.
            let _ = stdin.write_all(b"y\ny\n");
        }
        let ended = wait(&mut child, INSTALLING)?;
        if !matches!(ended, Ended::Itself(status) if status.success()) {
            let said = [stdout, stderr].map(|file| fs::read_to_string(file).unwrap_or_default()).concat();
            let said: String = said.chars().take(2000).collect();
            return Err(io::Error::other(format!("the agent did not install our plugin: {said}")));
        }
    }
    Ok(())
}

/// Returns the agent's program with an environment that has nothing of the user's except `PATH`.
pub(crate) fn bare(plan: &Plan, workdir: &Workdir) -> Command {
    let mut command = Command::new(&plan.program);
    let Stage { home, cwd, .. } = &plan.stage;
    command.env_clear().current_dir(cwd);
    command.env("PATH", &plan.path).env("HOME", home).env("TMPDIR", workdir.temporary());
    command.envs([("TERM", "dumb"), ("LANG", "C.UTF-8"), ("NO_COLOR", "1"), ("CI", "1")]);
    let below = [
        ("XDG_CONFIG_HOME", ".config"),
        ("XDG_DATA_HOME", ".local/share"),
        ("XDG_STATE_HOME", ".local/state"),
        ("XDG_CACHE_HOME", ".cache"),
    ];
    command.envs(below.map(|(name, directory)| (name, home.join(directory))));
    command.stdin(Stdio::null());
    command
}

/// Returns the version that the agent reports: the first word that starts with a digit.
pub(crate) fn version(plan: &Plan, workdir: &Workdir) -> io::Result<String> {
    let output = bare(plan, workdir).arg("--version").output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let mut words = said.split_whitespace().map(|word| word.strip_prefix('v').unwrap_or(word));
    let word = words.find(|word| word.starts_with(|first: char| first.is_ascii_digit()));
    // Some agents report it in a sentence.
    Ok(word.unwrap_or("unknown").trim_end_matches('.').to_owned())
}

/// The way in which the agent ended.
pub(crate) enum Ended {
    /// The agent exited.
    Itself(ExitStatus),
    /// The agent was killed after this time.
    Late(Duration),
}

pub(crate) fn limited(command: &mut Command, workdir: &Workdir, limit: Duration) -> io::Result<Ended> {
    command.stdout(File::create(workdir.directory().join("stdout"))?);
    command.stderr(File::create(workdir.directory().join("stderr"))?);
    let mut child = command.spawn()?;
    wait(&mut child, limit)
}

/// Waits for a process, and kills it when it is late.
pub(crate) fn wait(child: &mut Child, limit: Duration) -> io::Result<Ended> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ended::Itself(status));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(Ended::Late(limit));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An agent must never run with our network.
    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_starts_in_the_network_of_the_machine() {
        let directory = tempfile::tempdir().unwrap();
        let workdir = Workdir::create(directory.path().join("workdir"), "/nowhere".into()).unwrap();
        let plan = Plan {
            agent: *crate::ALL.first().unwrap(),
            scenario: Scenario::Abilities,
            program: "/nowhere".into(),
            path: "/bin".into(),
            checkrein: "/nowhere".into(),
            outside: crate::sandbox::network().unwrap().into_os_string(),
            limit: Duration::from_secs(1),
            stage: Stage::scratch(&workdir, ".claude"),
            plugins: None,
        };
        plan.write(&workdir).unwrap();
        let error = inside(workdir.directory()).unwrap_err();
        assert_eq!(error.to_string(), "this is not a network namespace of its own");
        assert!(!workdir.report().exists() && !workdir.settings().join("config.toml").exists());
    }

    #[test]
    fn a_late_process_is_killed() {
        let mut child = Command::new("sleep").arg("600").spawn().unwrap();
        assert!(matches!(wait(&mut child, Duration::ZERO).unwrap(), Ended::Late(_)));
        assert!(child.try_wait().unwrap().is_some());
        let mut child = Command::new("true").spawn().unwrap();
        let ended = wait(&mut child, Duration::from_secs(60)).unwrap();
        assert!(matches!(ended, Ended::Itself(status) if status.success()));
    }
}
