//! Measures the whole program in the dialect of every host, next to the echo, and `init` on a home with all agents.

use crate::{
    Job, Result,
    child::{Finished, Program},
    payload,
    sample::{Row, Summary, interleaved},
    table::{self, Goal, Line},
};

#[path = "../../crates/hosts/tests/calls/mod.rs"]
mod calls;

const ROUNDS: usize = 101;

/// The most of the echo that a call may cost in any dialect.
const MOST_ECHOES: f64 = 2.6;

/// The longest that `init` may take, in ms.
const MOST_INIT: f64 = 1000.0;

/// The directories by which `init` sees that an agent is there.
const AGENTS: [&str; 15] = [
    ".claude",
    ".codex",
    ".gemini",
    ".qwen",
    ".copilot",
    ".cline",
    ".pi/agent",
    ".config/opencode",
    ".config/kilo",
    ".kimi-code",
    ".grok",
    ".openclaw",
    ".hermes",
    ".cursor",
    ".vscode",
];

pub(crate) fn bench(job: &Job, doubts: &mut Vec<String>) -> Result<()> {
    let Some(release) = job.release.as_deref() else {
        println!("there is no static build here: the dialects are left out");
        return Ok(());
    };
    let mut rows: Vec<(String, Program, Vec<u8>)> = Vec::new();
    if let Some(echo) = job.echo.as_deref() {
        rows.push((
            "the echo".to_owned(),
            Program::new(echo, &[], &job.directory),
            payload::bytes(&job.directory),
        ));
    }
    for (host, call) in calls::calls("git status --short && git log --oneline -5") {
        let arguments = ["hook", "--host", host, "--event", "PreToolUse"];
        let program = Program::new(release, &arguments, &job.directory);
        rows.push((format!("hook --host {host}"), program, call.to_string().into_bytes()));
    }
    let measured =
        rows.iter().map(|(name, program, input)| Row::new(name.clone(), || program.run(input))).collect();
    let mut lines = Vec::new();
    let mut echo = None;
    for (name, runs) in interleaved(measured, ROUNDS) {
        let runs = runs.into_iter().collect::<Result<Vec<Finished>>>()?;
        let Some(time) = Summary::of(runs.iter().map(|run| run.elapsed.as_secs_f64() * 1e6)) else {
            continue;
        };
        let cpu = Summary::of(runs.iter().map(|run| run.cpu.as_secs_f64() * 1e6));
        if name == "the echo" {
            echo = Some(time.median);
        }
        lines.push(Line { name, time, cpu, ratio: None, goals: Vec::new() });
    }
    for line in &mut lines {
        line.ratio = echo.map(|echo| line.time.median / echo);
        let goal = line.ratio.filter(|_| line.name != "the echo");
        line.goals.extend(
            goal.map(|ratio| Goal::at_most(format!("≤ {MOST_ECHOES} × the echo"), ratio, MOST_ECHOES)),
        );
    }
    table::print("a whole process in the dialect of each host", "µs", &lines, doubts);
    install(job, doubts)
}

/// Measures what `init` does before it writes, on a home with every agent.
fn install(job: &Job, doubts: &mut Vec<String>) -> Result<()> {
    let Some(release) = job.release.as_deref() else { return Ok(()) };
    // Not the directory of the other figures, which stays empty.
    let home = job.directory.join("agents");
    for name in AGENTS {
        let directory = home.join(name);
        std::fs::create_dir_all(&directory)
            .map_err(|error| format!("cannot create {}: {error}", directory.display()))?;
    }
    let program = Program::new(release, &["init", "--dry-run"], &home);
    let rows = vec![Row::new("init --dry-run, all agents", || program.run(b""))];
    let mut lines = Vec::new();
    for (name, runs) in interleaved(rows, 11) {
        let runs = runs.into_iter().collect::<Result<Vec<Finished>>>()?;
        let Some(time) = Summary::of(runs.iter().map(|run| run.elapsed.as_secs_f64() * 1e3)) else {
            continue;
        };
        let goals = vec![Goal::at_most("≤ 1 s", time.median, MOST_INIT)];
        lines.push(Line { name, time, cpu: None, ratio: None, goals });
    }
    table::print("installation", "ms", &lines, doubts);
    Ok(())
}
