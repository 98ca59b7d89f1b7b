//! Counts instructions under callgrind.
//!
//! Unlike a time, a count is the same on a busy machine and in each run, so it shows a difference of one
//! percent. It does not include the kernel, nor the cost of touching a page for the first time.

use crate::{Result, child::Program};
use std::{
    fs,
    path::{Path, PathBuf},
};

const PLACES: [&str; 2] = ["/usr/bin/valgrind", "/usr/local/bin/valgrind"];

/// Counts the instructions of programs.
pub(crate) struct Counter {
    valgrind: &'static Path,
    out: PathBuf,
}

impl Counter {
    /// Finds valgrind; `None`, with a message, if it is not installed. Its files are written next to
    /// `directory`.
    pub(crate) fn find(directory: &Path) -> Option<Self> {
        let valgrind = PLACES.into_iter().map(Path::new).find(|path| path.exists());
        if valgrind.is_none() {
            println!("there is no valgrind here: the instructions are left out");
        }
        Some(Self { valgrind: valgrind?, out: directory.with_file_name("callgrind.out") })
    }

    /// Returns the number of instructions of a whole process.
    pub(crate) fn count(&self, program: &Program, input: &[u8]) -> Result<f64> {
        self.count_after(program, input, input)
    }

    /// Returns the number of instructions of a whole process that runs after another one with the input `before`.
    pub(crate) fn count_after(&self, program: &Program, before: &[u8], input: &[u8]) -> Result<f64> {
        let file = format!("--callgrind-out-file={}", self.out.display());
        let mut watched = Program::new(self.valgrind, &["--tool=callgrind", &file], &program.directory);
        watched.arguments.push(program.path.clone().into());
        watched.arguments.extend(program.arguments.iter().cloned());
        // The program sees valgrind as another program, so it has to create its compiled form first.
        watched.run(before)?;
        let run = watched.run(input)?;
        if run.status != 0 {
            let said = String::from_utf8_lossy(&run.stdout);
            return Err(format!("under valgrind the program ended with status {:#x}: {said}", run.status));
        }
        let written = fs::read_to_string(&self.out).unwrap_or_default();
        let total = written.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok());
        total.ok_or_else(|| format!("valgrind wrote no count to `{}`", self.out.display()))
    }
}
