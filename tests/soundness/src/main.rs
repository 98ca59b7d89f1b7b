//! `soundness`: runs commands in boxes and compares what they did with what the guard predicted.

#![cfg(target_os = "linux")]

use checkrein_soundness::{
    cases, cell,
    compare::compare,
    launch::{self, Case},
    report::Report,
    room, tree,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    io::{self, Write},
    path::Path,
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
};

const USAGE: &str = "usage: soundness [--runs N] [--jobs N] [--only TEXT] [--list FILE] [--text COMMAND]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["room", base, canary, port, jobs] => in_room(base, canary, port, jobs),
        ["cell", root, shell, text] => match cell::become_one(Path::new(root), shell, text) {
            Ok(code) => return ExitCode::from(u8::try_from(code).unwrap_or(1)),
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::from(u8::try_from(cell::NO_CELL).unwrap_or(1));
            }
        },
        rest => outside(rest),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("soundness: {error}");
            ExitCode::FAILURE
        }
    }
}

fn outside(words: &[&str]) -> io::Result<()> {
    let (mut runs, mut jobs, mut only, mut list, mut text) = (usize::MAX, 2, None, None, None);
    let mut rest = words.iter();
    while let Some(option) = rest.next() {
        let value = rest.next().ok_or_else(|| io::Error::other(USAGE))?;
        let number = || value.parse::<usize>().map_err(|_| io::Error::other(USAGE));
        match *option {
            "--runs" => runs = number()?,
            "--jobs" => jobs = number()?.max(1),
            "--only" => only = Some(*value),
            "--list" => list = Some(*value),
            "--text" => text = Some(*value),
            _ => return Err(io::Error::other(USAGE)),
        }
    }
    let all = match text {
        Some(text) => cases::in_every_shell(text, "by hand"),
        None => cases::all().map_err(io::Error::other)?,
    };
    let chosen = |case: &Case| only.is_none_or(|only| case.origin.contains(only) || case.text.contains(only));
    let all: Vec<Case> = cases::sample(all.into_iter().filter(chosen).collect(), runs);
    let mut report = Report::default();
    let mut seen = 0;
    launch::run(&std::env::current_exe()?, &all, jobs, |case, answer| {
        seen += 1;
        if seen % 1000 == 0 {
            eprintln!("soundness: {seen} of {}", all.len());
        }
        if text.is_some() {
            println!("{} {answer}", case.shell);
        }
        report.add(case, answer);
    })?;
    print!("{}", report.summary());
    if let Some(list) = list {
        std::fs::write(list, report.lists())?;
    }
    Ok(())
}

/// The room: reads cases from the standard input, and writes outcomes to the standard output.
fn in_room(base: &str, canary: &str, port: &str, jobs: &str) -> io::Result<()> {
    let canary = room::Canary { file: canary.into(), port: port.parse().map_err(io::Error::other)? };
    room::enter(Path::new(base), &canary)?;
    room::prepare()?;
    let before: BTreeSet<String> =
        tree::paths(Path::new(room::TEMPLATE)).into_iter().map(|(path, _)| path).collect();
    println!("ready");
    io::stdout().flush()?;
    let failed = AtomicBool::new(false);
    let jobs: usize = jobs.parse().map_err(io::Error::other)?;
    std::thread::scope(|scope| {
        for number in 0..jobs {
            let (failed, before) = (&failed, &before);
            scope.spawn(move || {
                if let Err(error) = work(number + 1, before) {
                    eprintln!("soundness: {error}");
                    failed.store(true, Ordering::Relaxed);
                }
            });
        }
    });
    if failed.into_inner() { Err(io::Error::other("a worker ended early")) } else { Ok(()) }
}

fn work(number: usize, before: &BTreeSet<String>) -> io::Result<()> {
    loop {
        let mut line = String::new();
        if io::stdin().read_line(&mut line)? == 0 {
            return Ok(());
        }
        let case: Value = serde_json::from_str(&line).map_err(io::Error::other)?;
        let word = |key: &str| case.get(key).and_then(Value::as_str).unwrap_or_default();
        let mut outcome = compare(number, word("shell"), word("text"), before)?.to_json();
        if let Some(fields) = outcome.as_object_mut() {
            fields.insert("number".to_owned(), json!(case.get("number")));
        }
        println!("{outcome}");
    }
}
