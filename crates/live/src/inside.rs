//! In the cage: the model, the agent, and what they leave behind.

use crate::{
    Agent, Finding, Place, Trial,
    cage::is_apart,
    canary::{Canary, SEEDS, configuration, skill, skill_file},
    judge::{Traces, judge},
    loopback, mounts,
    own::Stage,
    prove::Plan,
    trial::{OURS, StandIn},
};
use checkrein_core::EventName;
use checkrein_hosts::install::{EventSupport, Version, Wanted, install, quoted};
use checkrein_model::{Script, Server, Turn};
use serde_json::{Value, json};
use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// What the model says in the end.
const GOODBYE: &str = "All canaries have been heard.";

/// Runs the trial that is planned in `directory`, and leaves a report there.
///
/// It is the first process of its namespace, which ends with it. That it was made by [`Cage`](crate::Cage) is checked
/// before anything is started.
///
/// # Errors
///
/// If the network is not ours alone, if the plan cannot be read, or if something cannot be started or written.
pub fn inside(directory: &Path) -> io::Result<()> {
    let plan = Plan::read(directory)?;
    if !is_apart(plan.outside.as_ref())? {
        return Err(io::Error::other("this is not a network namespace of its own"));
    }
    loopback::bring_up()?;
    end_with_the_one_who_waits()?;
    let agent = plan.agent;
    let place = Place::new(directory.to_owned(), plan.checkrein.clone());
    let stage = &plan.stage;
    mounts::mount(stage, &place.empty())?;
    let server = Server::start(script(&plan, &place).then(Turn::text(GOODBYE)))?;
    let version = version(&plan, &place)?;
    settle(&place, plan.trial)?;
    agent.settle(stage, &server.url())?;
    if !stage.is_own {
        register(&place, agent, Version::find(&version), plan.trial)?;
    }
    let launch = agent.launch(stage, &server.url(), plan.trial, &plan.trial.prompt());
    let mut command = bare(&plan, &place);
    command.envs(stage.switches.iter().map(|(name, value)| (name, value)));
    command.args(&launch.arguments).envs(launch.environment);
    let ended = limited(&mut command, &place, plan.limit)?;
    let turns = server.turns();
    let traces = Traces { trial: plan.trial, place: &place, turns: &turns, ended: &ended };
    let findings = judge(&traces);
    // What the first request offers is what the agent itself offers; later ones may be those of agents that it started.
    let tools = turns.first().and_then(|request| request.body.get("tools")).cloned();
    let report = json!({
        "version": version,
        "findings": findings.iter().map(Finding::json).collect::<Value>(),
        "tools": tools.unwrap_or_else(|| json!([])),
    });
    fs::write(place.report(), report.to_string())
}

/// Whoever started us holds our stdin. When that is gone, nobody wants to know any more.
fn end_with_the_one_who_waits() -> io::Result<()> {
    let watch = || {
        // Nothing is ever written to it.
        let _ = io::stdin().read(&mut [0]);
        std::process::exit(1);
    };
    thread::Builder::new().name("watch".to_owned()).spawn(watch).map(drop)
}

/// What the model has the agent do.
fn script(plan: &Plan, place: &Place) -> Script {
    let canaries = plan.trial.canaries();
    match (plan.trial, canaries) {
        (
            Trial::Subagent | Trial::Monitor | Trial::Typed | Trial::SkillWritten | Trial::Skill | Trial::Own,
            [canary],
        ) => plan.agent.script(plan.trial, canary.name(), &canary.forced(place), place),
        _ => Script::new(canaries.iter().map(|canary| Turn::call(canary.call(plan.agent, place)))),
    }
}

/// Writes what our hooks and the canaries need.
fn settle(place: &Place, trial: Trial) -> io::Result<()> {
    let configuration = configuration(place, trial);
    if !configuration.is_empty() {
        Place::write(&place.settings().join("config.toml"), &configuration)?;
    }
    Place::write_program(&place.foreign(), "#!/bin/sh\necho >> \"$0.called\"\n")?;
    if trial == Trial::Skill {
        let canary = Canary::Skill;
        let file = place.project().join(skill_file(canary.name()));
        Place::write(&file, &skill(canary.name(), &canary.forced(place)))?;
    }
    for (name, secret) in SEEDS {
        Place::write(&place.project().join(name), &format!("{secret}\n"))?;
    }
    Ok(())
}

/// Has the agent ask us, as `init` would. Where something stands in for us, it does so before calls, and only there: an
/// agent that refuses the whole prompt would not show what it does with a call.
fn register(place: &Place, agent: &dyn Agent, version: Option<Version>, trial: Trial) -> io::Result<()> {
    let recipe = agent.recipe();
    let ours = place.checkrein().to_string_lossy();
    let stand_in = place.stand_in();
    if let StandIn::Script(text) = trial.stand_in() {
        Place::write_program(&stand_in, &text.replace(OURS, &quoted(&ours)))?;
    }
    let stand_in = stand_in.to_string_lossy();
    let entry = |fired: &EventSupport| match (trial.stand_in(), fired.event) {
        (StandIn::Script(_) | StandIn::Nothing, EventName::PreToolUse) => {
            let timeout = trial.patience().unwrap_or(fired.timeout);
            Wanted::new(recipe, version, &EventSupport { timeout, ..*fired }, &stand_in)
        }
        (StandIn::Script(_) | StandIn::Nothing | StandIn::No, _) => {
            Wanted::new(recipe, version, fired, &ours)
        }
    };
    let wanted: Vec<Wanted> = recipe.registered(version, &[]).map(entry).collect();
    let installed = install("", recipe, &wanted).map_err(|defect| io::Error::other(defect.to_string()))?;
    Place::write(&place.home().join(recipe.directory).join(recipe.file), &installed.text)
}

/// The agent's program with an environment in which nothing of the user's is left but where programs lie.
fn bare(plan: &Plan, place: &Place) -> Command {
    let mut command = Command::new(&plan.program);
    let Stage { home, cwd, .. } = &plan.stage;
    command.env_clear().current_dir(cwd);
    command.env("PATH", &plan.path).env("HOME", home).env("TMPDIR", place.temporary());
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

/// What the agent says its version is: the first word that starts with a digit.
fn version(plan: &Plan, place: &Place) -> io::Result<String> {
    let output = bare(plan, place).arg("--version").output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let word = said.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()));
    Ok(word.unwrap_or("unknown").to_owned())
}

/// How the agent ended.
pub(crate) enum Ended {
    /// By itself.
    Itself(ExitStatus),
    /// It did not, and was killed after this time.
    Late(Duration),
}

fn limited(command: &mut Command, place: &Place, limit: Duration) -> io::Result<Ended> {
    command.stdout(File::create(place.directory().join("stdout"))?);
    command.stderr(File::create(place.directory().join("stderr"))?);
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

    /// The one thing that must never happen: an agent with our network.
    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_is_started_in_the_network_of_the_machine() {
        let directory = tempfile::tempdir().unwrap();
        let place = Place::create(directory.path().join("place"), "/nowhere".into()).unwrap();
        let plan = Plan {
            agent: *crate::ALL.first().unwrap(),
            trial: Trial::Abilities,
            program: "/nowhere".into(),
            path: "/bin".into(),
            checkrein: "/nowhere".into(),
            outside: crate::cage::network().unwrap().into_os_string(),
            limit: Duration::from_secs(1),
            stage: Stage::scratch(&place, ".claude"),
        };
        plan.write(&place).unwrap();
        let error = inside(place.directory()).unwrap_err();
        assert_eq!(error.to_string(), "this is not a network namespace of its own");
        assert!(!place.report().exists() && !place.settings().join("config.toml").exists());
    }

    #[test]
    fn a_late_process_is_ended() {
        let mut child = Command::new("sleep").arg("600").spawn().unwrap();
        assert!(matches!(wait(&mut child, Duration::ZERO).unwrap(), Ended::Late(_)));
        assert!(child.try_wait().unwrap().is_some());
        let mut child = Command::new("true").spawn().unwrap();
        let ended = wait(&mut child, Duration::from_secs(60)).unwrap();
        assert!(matches!(ended, Ended::Itself(status) if status.success()));
    }
}
