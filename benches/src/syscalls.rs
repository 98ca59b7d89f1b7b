//! Counts system calls under strace, which a busy machine does not change.

use crate::child::Program;
use std::{fs, path::Path};

/// Counts the system calls of a process that gets the input `next` makes, after one run that fills what later ones find.
/// `None` without strace. Its output is written into `scratch`.
pub(crate) fn count(program: &Program, next: impl Fn() -> Vec<u8>, scratch: &Path) -> Option<f64> {
    let file = scratch.join("strace.out");
    let mut watched = Program::new(Path::new("/usr/bin/strace"), &["-f", "-o"], &program.directory);
    watched.arguments.push(file.clone().into());
    watched.arguments.push(program.path.clone().into());
    watched.arguments.extend(program.arguments.iter().cloned());
    watched.run(&next()).ok()?;
    watched.run(&next()).ok()?;
    let text = fs::read_to_string(file).ok()?;
    let count = text.lines().filter(|line| line.contains('(') && !line.contains("resumed>")).count();
    (count > 0).then_some(count as f64)
}
