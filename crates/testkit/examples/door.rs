//! Runs the semantics corpus through any program that understands two command lines. `PROGRAM hook --host
//! checkrein --config FILE` reads an event in our own dialect and answers in it; `PROGRAM hooks --config
//! FILE` reports what is wrong with a configuration. This is the third door; the Python package opens it
//! with a script.

use checkrein_testkit::corpus;
use std::{
    path::PathBuf,
    process::ExitCode,
    sync::{Mutex, PoisonError},
};

/// Most of the time of a case is spent waiting for processes.
const AT_ONCE: usize = 4;

fn main() -> ExitCode {
    let Some(program) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: door <PROGRAM>");
        return ExitCode::FAILURE;
    };
    let cases = match corpus::load(&corpus::directory()) {
        Ok(cases) => cases,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    };
    let count = cases.len();
    let (left, wrong) = (Mutex::new(cases), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let case = left.lock().unwrap_or_else(PoisonError::into_inner).pop();
                    let Some(case) = case else { return };
                    if let Err(why) = corpus::run_program(&case, &program) {
                        wrong.lock().unwrap_or_else(PoisonError::into_inner).push(why);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    wrong.iter().for_each(|why| eprintln!("{why}\n"));
    println!("{} of {count} cases hold", count - wrong.len());
    if wrong.is_empty() && count > 100 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
