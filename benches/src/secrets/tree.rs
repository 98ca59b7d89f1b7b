//! `checkrein scan` of a large source tree, next to `rg` for one literal that is not there.

use crate::{
    child::Program,
    sample::{Row, Summary, interleaved},
    table::{self, Goal, Line},
};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

const ROUNDS: usize = 7;
/// A text that no source has.
const LITERAL: &str = "qZv8-no-source-has-this";

/// Returns the sources that cargo has downloaded: thousands of files by many authors.
fn sources() -> Option<PathBuf> {
    let cargo = env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo = cargo.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")))?;
    let registries = fs::read_dir(cargo.join("registry/src")).ok()?;
    registries.flatten().map(|entry| entry.path()).find(|path| path.is_dir())
}

pub(super) fn bench(program: &Path, directory: &Path, doubts: &mut Vec<String>) -> crate::Result<()> {
    let rg = ["/usr/bin/rg", "/usr/local/bin/rg"].map(Path::new).into_iter().find(|path| path.exists());
    let (Some(tree), Some(rg)) = (sources(), rg) else {
        println!("\nthere is no `rg` or no source tree here: the scan of one is left out");
        return Ok(());
    };
    let shown = tree.to_string_lossy();
    let scan = Program::new(program, &["scan", "--no-ignore", "--json", &shown], directory);
    let search =
        Program::new(rg, &["--no-ignore", "--hidden", "--fixed-strings", LITERAL, &shown], directory);
    let timed = |program: &Program| program.run(b"").map_or(f64::NAN, |run| run.elapsed.as_secs_f64() * 1e3);
    // Both read from the cache of the system.
    let _ = (timed(&scan), timed(&search));
    let rows =
        vec![Row::new("rg for one literal", || timed(&search)), Row::new("checkrein scan", || timed(&scan))];
    let found: Vec<(String, Summary)> = interleaved(rows, ROUNDS)
        .into_iter()
        .filter_map(|(name, samples)| Some((name, Summary::of(samples)?)))
        .collect();
    let floor = found.first().map_or(f64::NAN, |(_, time)| time.least);
    let lines: Vec<Line> = found
        .into_iter()
        .enumerate()
        .map(|(row, (name, time))| Line {
            name,
            ratio: Some(time.least / floor),
            goals: (row == 1)
                .then(|| Goal::at_most("at most 6 times rg", time.least / floor, 6.0))
                .into_iter()
                .collect(),
            time,
            cpu: None,
        })
        .collect();
    table::print("a source tree on every core", "ms", &lines, doubts);
    Ok(())
}
