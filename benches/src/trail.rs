//! The trail and the replay: what a record costs, and how fast history is read.
//!
//! An append is measured next to the least that it could be: open, lock, read the end, hash, write. A process is measured with the
//! trail and without it; instructions and system calls are counted, which a busy machine does not change.

use crate::{
    Job, Result,
    child::Program,
    instructions::Counter,
    payload,
    sample::{Row, Summary, interleaved},
    syscalls,
    table::{self, Goal, Line},
};
use checkrein_core::{Decision, Dispatcher, Outcome};
use checkrein_harness::checkrein::{
    TrailSettings,
    trail::{Decided, Level, Retention, Store, Trail},
};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::{
    fs::{self, File, OpenOptions},
    io::Write,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
    time::Instant,
};

const ROUNDS: usize = 2001;
const PROCESSES: usize = 201;
/// The budget of one append, in microseconds.
const MOST_MICROS: f64 = 15.0;
/// The budgets of the trail in one process.
const MOST_INSTRUCTIONS: f64 = 40_000.0;
const MOST_CALLS: f64 = 8.0;
/// The number of records that `log` has before it, and the longest time until its first screen.
const RECORDS: u64 = 500_000;
const MOST_SECONDS: f64 = 0.2;
/// The calls of a long history, and the longest time for them.
const CALLS: usize = 100_000;
const MOST_REPLAY: f64 = 10.0;

pub(crate) fn bench(job: &Job, doubts: &mut Vec<String>) -> Result<()> {
    let scratch = job.directory.with_file_name("trail");
    // What an earlier run left would be read again.
    let _ = fs::remove_dir_all(&scratch);
    let made = fs::create_dir_all(&scratch);
    made.map_err(|error| format!("cannot create `{}`: {error}", scratch.display()))?;
    append(&scratch.join("append"), doubts)?;
    match job.release.as_deref().or(job.dynamic.as_deref()) {
        Some(program) => {
            process(program, &scratch, doubts)?;
            log(program, &scratch.join("log"))?;
            replay(program, job, &scratch)?;
        }
        None => println!("there is no program here: processes, `log` and `replay` are left out"),
    }
    let _ = fs::remove_dir_all(&scratch);
    Ok(())
}

fn failed(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Returns the outcome of a usual call.
fn outcome(directory: &Path) -> Result<Outcome> {
    let bytes = payload::bytes(directory);
    let fields = checkrein_core::json::parse_object(&bytes).map_err(failed)?;
    let payload = checkrein_core::flat::read(fields, None).map_err(failed)?;
    Ok(Dispatcher::new().decide(payload))
}

fn append(directory: &Path, doubts: &mut Vec<String>) -> Result<()> {
    fs::create_dir_all(directory).map_err(failed)?;
    let trail = Trail::at(directory, TrailSettings::default()).ok_or("the trail is off")?;
    let mut outcome = outcome(directory)?;
    let bare = directory.join("bare.jsonl");
    let rows = vec![
        Row::new("bare locked append with hash", || {
            let start = Instant::now();
            bare_append(&bare)?;
            Ok(start.elapsed().as_secs_f64() * 1e6)
        }),
        Row::new("append of a record", || {
            outcome.payload.id = Some(trail.id());
            let start = Instant::now();
            trail.append(&Decided::new(&outcome)).map_err(failed)?;
            Ok(start.elapsed().as_secs_f64() * 1e6)
        }),
    ];
    let mut lines = Vec::new();
    for (name, samples) in interleaved(rows, ROUNDS) {
        let samples = samples.into_iter().collect::<Result<Vec<f64>>>()?;
        let Some(time) = Summary::of(samples) else { continue };
        lines.push(Line { name, time, cpu: None, ratio: None, goals: Vec::new() });
    }
    if let [bare, ours] = lines.as_mut_slice() {
        ours.ratio = Some(ours.time.median / bare.time.median);
        ours.goals = vec![Goal::at_most("≤ 15 µs", ours.time.median, MOST_MICROS)];
    }
    table::print("one record", "µs", &lines, doubts);
    Ok(())
}

/// Appends a line of the usual length with the hash of itself, under a lock.
fn bare_append(file: &Path) -> Result<()> {
    let open = OpenOptions::new().create(true).append(true).read(true).open(file);
    let mut open: File = open.map_err(failed)?;
    open.lock().map_err(failed)?;
    let size = open.metadata().map_err(failed)?.len();
    let mut tail = [0; 192];
    let read = open.read_at(&mut tail, size.saturating_sub(192)).map_err(failed)?;
    let mut line = vec![b'x'; 700];
    let digest =
        Sha256::new().chain_update(tail.get(..read).unwrap_or_default()).chain_update(&line).finalize();
    line.extend_from_slice(&digest);
    line.push(b'\n');
    open.write_all(&line).map_err(failed)
}

/// Compares a process that keeps a record with one that does not.
fn process(program: &Path, scratch: &Path, doubts: &mut Vec<String>) -> Result<()> {
    let home = |name: &str, config: &str| -> Result<PathBuf> {
        let home = scratch.join(name);
        fs::create_dir_all(home.join(".config/checkrein")).map_err(failed)?;
        fs::create_dir_all(home.join(".local/state")).map_err(failed)?;
        fs::write(home.join(".config/checkrein/config.toml"), config).map_err(failed)?;
        Ok(home)
    };
    let homes = [
        ("without the trail", home("off", "trail = \"off\"\n")?),
        ("with the trail", home("on", "trail = \"summary\"\n")?),
    ];
    let programs = homes.map(|(name, home)| {
        (name, payload::bytes(&home), Program::new(program, &["hook", "--host", "claude"], &home))
    });
    let rows = programs.iter().map(|(name, input, program)| {
        Row::new(*name, move || Ok(program.run(&another(input))?.elapsed.as_secs_f64() * 1e6))
    });
    let mut lines = Vec::new();
    for (name, samples) in interleaved(rows.collect(), PROCESSES) {
        let samples = samples.into_iter().collect::<Result<Vec<f64>>>()?;
        let Some(time) = Summary::of(samples) else { continue };
        lines.push(Line { name, time, cpu: None, ratio: None, goals: Vec::new() });
    }
    if let [without, with] = lines.as_mut_slice() {
        with.ratio = Some(with.time.median / without.time.median);
    }
    table::print("one `checkrein hook`", "µs", &lines, doubts);
    let [(_, input, without), (_, _, with)] = &programs;
    if let Some(counter) = Counter::find(scratch) {
        let count = |program| counter.count_after(program, &another(input), &another(input));
        let more = count(with)? - count(without)?;
        table::figure(
            "instructions of the trail",
            &format!("{more:.0}"),
            &[Goal::at_most("≤ 40,000", more, MOST_INSTRUCTIONS)],
        );
    }
    let calls = |program| syscalls::count(program, || another(input), scratch);
    match (calls(with), calls(without)) {
        (Some(with), Some(without)) => {
            let more = with - without;
            table::figure(
                "system calls of the trail",
                &format!("{more:.0}"),
                &[Goal::at_most("≤ 8", more, MOST_CALLS)],
            );
        }
        _ => println!("there is no strace here: the system calls are left out"),
    }
    Ok(())
}

/// Returns an event with another id of the call. One that comes twice is recorded once.
fn another(input: &[u8]) -> Vec<u8> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    const ID: &str = "toolu_01A9bC3dE5fG7hJ9kL1mN3pQ";
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let text = String::from_utf8_lossy(input);
    text.replace(ID, &format!("{}{number:08}", ID.get(..ID.len() - 8).unwrap_or_default())).into_bytes()
}

/// Measures the first screen of `log` over a long trail.
fn log(program: &Path, home: &Path) -> Result<()> {
    let state = home.join(".local/state/checkrein");
    fs::create_dir_all(&state).map_err(failed)?;
    let retention = Retention { bytes: 4 << 30, ..Retention::default() };
    let settings = TrailSettings { level: Level::Structure, retention, ..TrailSettings::default() };
    let trail = Trail::at(&state, settings).ok_or("the trail is off")?;
    let mut outcome = outcome(home)?;
    outcome.decision = Decision::Abstain;
    for _ in 0..RECORDS {
        outcome.payload.id = Some(trail.id());
        trail.append(&Decided::new(&outcome)).map_err(failed)?;
    }
    let log = Program::new(program, &["log"], home);
    log.run(b"")?;
    let times = (0..11).map(|_| Ok(log.run(b"")?.elapsed.as_secs_f64())).collect::<Result<Vec<f64>>>()?;
    if let Some(time) = Summary::of(times) {
        println!();
        table::figure(
            "first screen of `log` over 500,000 records",
            &format!("{:.3} s", time.median),
            &[Goal::at_most("≤ 0.2 s", time.median, MOST_SECONDS)],
        );
    }
    let _: &Store = trail.store();
    fs::remove_dir_all(home).map_err(failed)
}

/// Measures a replay next to `check --batch` with the same calls, and its memory with a history of a tenth.
fn replay(program: &Path, job: &Job, scratch: &Path) -> Result<()> {
    let Some(commands) = &job.commands else {
        println!("there are no commands here: `replay` is left out");
        return Ok(());
    };
    let text = fs::read_to_string(commands).map_err(failed)?;
    let commands: Vec<String> = text
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|case| case.get("command")?.as_str().map(str::to_owned))
        .collect();
    let history = |name: &str, calls: usize| -> Result<PathBuf> {
        let home = scratch.join(name);
        let directory = home.join(".claude/projects/-shop");
        fs::create_dir_all(&directory).map_err(failed)?;
        for (number, chunk) in (0..calls).collect::<Vec<_>>().chunks(500).enumerate() {
            let lines: String = chunk.iter().zip(commands.iter().cycle().skip(number * 500 % commands.len())).map(|(call, command)| {
                let block = json!({"type": "tool_use", "id": format!("c{call}"), "name": "Bash", "input": {"command": command}});
                let record = json!({
                    "type": "assistant", "sessionId": format!("s{number}"), "cwd": home,
                    "timestamp": "2026-11-16T10:00:00.000Z", "message": {"content": [block]},
                });
                format!("{record}\n")
            }).collect();
            fs::write(directory.join(format!("s{number}.jsonl")), lines).map_err(failed)?;
        }
        Ok(home)
    };
    let (short, long) = (history("short", CALLS / 10)?, history("long", CALLS)?);
    let run = |home: &Path| Program::new(program, &["replay", "--since", "all"], home).run(b"");
    let (small, large) = (run(&short)?, run(&long)?);
    let seconds = large.elapsed.as_secs_f64();
    let batch: String = (0..CALLS)
        .zip(commands.iter().cycle())
        .map(|(id, command)| format!("{}\n", json!({"id": id, "command": command})))
        .collect();
    let checked = Program::new(program, &["check", "--batch"], &long).run(batch.as_bytes())?;
    let per_second = |time: f64| format!("{:.0}", CALLS as f64 / time);
    table::figure("calls per second of `check --batch`", &per_second(checked.elapsed.as_secs_f64()), &[]);
    table::figure("calls per second of `replay`", &per_second(seconds), &[]);
    table::figure(
        "`replay` of 100,000 calls",
        &format!("{seconds:.1} s"),
        &[Goal::at_most("≤ 10 s", seconds, MOST_REPLAY)],
    );
    let mebibytes = |bytes: u64| format!("{:.1} MiB", bytes as f64 / (1024.0 * 1024.0));
    table::figure("peak memory of `replay`, 10,000 calls", &mebibytes(small.peak), &[]);
    table::figure("peak memory of `replay`, 100,000 calls", &mebibytes(large.peak), &[]);
    Ok(())
}
